from helpers.checks import graded


@graded("rules", points=6)
def score(check):
    import re

    exchanged, always = "True and False are exchanged", "the answer is always True"
    case, marks = "case must not matter: lower the text first", "marks are no part of a word: 'aspirin,' is 'aspirin'"
    inside, half = "a medicine was found inside a longer word: compare whole words", "half is not more than half"
    share = "the share is of the letters: digits, spaces and marks do not count"
    every = "more than half is enough: not all letters must be capitals"
    isupper = "a digit, space or mark is no capital: use isupper"
    none = "None came back, not False: is there a return, and does it compare with None (`is not None`)?"

    def plain(function, no, yes, never):
        """Two plain cases first. Where one of them fails, return what that says about all other cases too."""
        lunch = check(function, *no).equals(False, near={exchanged: True, always: True, none: None})
        quiet = lunch.passed or lunch.changed  # a right value, and an argument changed in place
        first = check(function, *yes).equals(True, near={never if quiet else exchanged: False})
        if first.passed or first.changed:
            return "" if quiet else always
        return never if quiet else exchanged

    lost = plain(
        names_medicine, ("lunch is at noon", {"aspirin"}), ("aspirin for everyone", {"aspirin"}),
        "even a plain word is not found: look up each word, and let no later word undo what an earlier one said",
    )
    for text, medicine, expected, why in [
        ("ASPIRIN for everyone", "aspirin", True, case),
        ("aspirin, no questions", "aspirin", True, marks),
        ("the caterpillar sleeps", "pill", False, inside),
    ]:
        check(names_medicine, text, {medicine}).equals(expected, near={lost or why: not expected})

    both = {"aspirin", "codeine"}
    digit = "digits belong to a word: 'b12' is one word, and so is 'pill2'"
    underscore = "the underscore belongs to a word: 'a_b' is one word, and so is 'pill_box'"
    beyond = "letters beyond ASCII, such as é, belong to a word too: use \\w"
    for text, medicines, expected, *why in [
        ("cheap aspirin", {"aspirin"}, True, "look at every word: the first word alone is not enough"),
        ("aspirin", both, True, "one of the medicines is enough, whichever it is: not all of them, nor the first"),
        ("codeine", both, True, "one of the medicines is enough, whichever it is: not all of them, nor the first"),
        ("aspirin-free", {"aspirin"}, True, marks),
        ("aspirin2", {"aspirin"}, False, digit, inside),
        ("vitamin_c", {"vitamin_c"}, True, underscore),
        ("kodéin", {"kodéin"}, True, beyond),
    ]:
        check(names_medicine, text, set(medicines)).equals(
            expected, near=dict.fromkeys([lost] if lost else why, not expected)
        )

    small = plain(
        mostly_capitals, ("lunch is at noon",), ("FREE ENTRY",), "even a text all in capitals is not found: count them"
    )
    one = check(mostly_capitals, "Lunch is at noon").equals(
        False, near={small or "one capital is not enough: more than half of the letters must be": True}
    )
    small = small or ("" if one.passed else "one capital is not enough: more than half of the letters must be")
    ascii = "a to z are not all letters: use isalpha and isupper"
    for text, expected, *why in [
        ("FREE ENTRY now", True, every),
        ("CALL 0800 123 456 789 !!!", True, share),
        ("WIN 100 now", False, half, isupper),
        ("12 eggs, 30 buns", False, isupper),
        ("ABSOLUTELY no one", True, "letters are counted, not words"),
        ("ÄÖÜ ÉÀ a", True, ascii, every),
    ]:
        check(mostly_capitals, text).equals(expected, near=dict.fromkeys([small] if small else why, not expected))
    zero = {"a text without letters leaves nothing to divide by": ZeroDivisionError, "no letters, no capitals": True}
    check(mostly_capitals, "12345 !").equals(False, near=zero, edge=True)

    poor = plain(
        promises_money, ("lunch is at noon",), ("make $500 every week",),
        r'even the plain words are not found: write the pattern as r"...", the dollar as [$] or \$, no \b beside it',
    )
    brackets = "a|b|c in a pattern needs brackets: alone, 'week' fits any text that holds it"
    between = "nothing but white space may come between make, the amount, every and the period"
    anywhere = "the words may be anywhere in the text"
    loose = "to find the parts somewhere in the text is not enough: whole words, in order, white space between"
    period = "a period is day, week, month or year"
    letter = "a period is one of four whole words: (day|week) in a pattern, not [day|week]"
    marked = "a mark may touch the words: a full stop after the period, a bracket before"
    points, four = "an amount may hold commas and points", "any of the four periods counts: day, week, month, year"
    euro, space = "one of $, £ or € begins the amount: all three count", "any white space may come between the words"
    digits = "an amount has digits: they follow the sign immediately"
    for text, expected, *why in [
        ("Hi! make $500 every week", True, anywhere),
        ("Hi! (make $500 every week)", True, marked, anywhere),
        ("MAKE $500 EVERY WEEK", True, "case must not matter: use re.IGNORECASE, or lower the text"),
        ("make £500 every week", True, euro),
        ("make $1,000.50 every week", True, points),
        ("make $30 every day", True, four),
        ("we make 500 every week", False, "an amount begins with $, £ or €"),
        ("make $5 every weekend", False, "the period was found inside a longer word, as in 'weekend': words are whole",
         period, letter),
        ("make $5 every weeks", False, "the period was found inside a longer word, as in 'weekend': words are whole",
         period, letter),
        ("make $5 every second", False, period),
        ("make $5 every decade", False, period, letter),
        ("make €30 every week", True, euro),
        ("make $30 every month", True, four),
        ("make $30 every year", True, four),
        ("make  $20\nevery\tweek", True, space),
        ("make$20 every week", False, "white space is needed between the words: one at least", between),
        ("they remake $20 every week", False, "words are whole: 'remake' is not 'make'"),
        ("make $.50 every week", False, digits),
        ("make $ 20 every week", False, digits),
        ("make $20 cash every week", False, between),
        ("every week they make $20", False, "the parts stand in this order: make, the amount, every, the period"),
        ("make haste and make $20 every week", True, "the first 'make' need not be the right one: look further",
         anywhere),
    ]:
        if not expected and "second" not in text:
            why += [brackets, loose] if "$" in text else [brackets]  # what a|b|c without brackets finds, and `in`
        check(promises_money, text).equals(
            expected, near=dict.fromkeys([poor] if poor else why, not expected) | {none: None}
        )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    examples = "a plain new text fails, and the shown one passes: is the answer made for the examples only?"

    def fresh(known, function, *args):
        """One plain case more: an answer that knows the shown texts by heart fails here."""
        one = check(function, *args).equals(True, about="a plain text", near={known or examples: False})
        return known or ("" if one.passed or one.changed else examples)

    def slips(text, medicines):
        """What the known mistakes answer."""

        def named(pattern, text):
            return not medicines.isdisjoint(re.findall(pattern, text))

        low = text.lower()
        words = re.findall(r"\w+", low)
        return {
            case: named(r"\w+", text),
            marks: named(r"\S+", low),
            inside: any(m in low for m in medicines),
            "look at every word: the first word alone is not enough": words[0] in medicines,
            "one of the medicines is enough, whichever it is: not all of them, nor the first": medicines <= set(words),
            digit: named(r"[^\W\d]+", low),
            underscore: named(r"[^\W_]+", low),
            beyond: named(r"[a-z0-9_]+", low),
            "a word that only ends in a medicine's name is another word: compare whole words": any(
                w.endswith(m) for w in words for m in medicines),
            "a word that is only a part of a medicine's name is none: compare whole words": any(
                w in m for w in words for m in medicines),
        }

    words = ["the", "library", "opens", "make", "every", "week", "price", "aspirins", "now"]
    lost = fresh(lost, names_medicine, "codeine " + " ".join(check.rng.choice(words, size=3)), {"codeine"})
    drugs = {"aspirin", "codeine"}
    probes = [
        ("b12", {"b12"}, True), ("aspirin2", {"aspirin"}, False), ("2aspirin", {"aspirin"}, False),
        ("kodéin", {"kodéin"}, True), ("éaspirin", {"aspirin"}, False),
        ("vitamin_c", {"vitamin_c"}, True), ("aspirin_free", {"aspirin"}, False),
        ("(aspirin)", {"aspirin"}, True), ("aspirin/codeine", {"aspirin"}, True), ("aspirin...", {"aspirin"}, True),
        ("aspirin-free", {"aspirin"}, True), ("aspirin's", {"aspirin"}, True), ("cheap,aspirin", {"aspirin"}, True),
        ("aspirins", {"aspirin"}, False), ("in superaspirin", {"aspirin"}, False),
        ("cheap aspirin", {"aspirin"}, True), ("aspirin today", {"aspirin"}, True), ("AsPiRiN", {"aspirin"}, True),
        ("codeine", drugs, True), ("aspirin", drugs, True),  # who looks at one of the two only fails once
    ]
    for _ in range(4):
        text = list(check.rng.choice(words, size=5))
        named = bool(check.rng.integers(2))
        if named:
            text.append(str(check.rng.choice(["aspirin,", "(Aspirin)", "CODEINE!", "codeine"])))
        probes.append((" ".join(check.rng.permutation(text)), drugs, named))
    for text, medicines, expected in probes:
        known = {lost: not expected} if lost else slips(text, medicines)
        check(names_medicine, text, set(medicines)).equals(expected, about="a medicine among other words", near=known)
    check(names_medicine, "", {"aspirin"}).equals(False, about="empty text", edge=True)
    long, cut = "a long text", "a text may be long: look at all of it"
    check(names_medicine, "lunch is at noon, " * 200 + "aspirin", {"aspirin"}).equals(
        True, about=long, edge=True,
        near=dict.fromkeys([lost] if lost else [cut, "look at every word: the first word alone is not enough"], False),
    )

    def shares(text, expected):
        """What the known mistakes answer."""

        def other(*found):
            wrong = any(bool(answer) != expected for answer in found)
            return not expected if wrong else expected

        capitals, letters = sum(map(str.isupper, text)), sum(map(str.isalpha, text))
        bases = [len(text), len("".join(text.split())), sum(map(str.isalnum, text))]
        runs, pieces = re.findall(r"[^\W\d_]+", text), text.split()
        return {
            share: other(*[capitals > n / 2 for n in bases]),
            half: capitals >= letters / 2,
            every: text.isupper(),
            "letters are counted, not words": other(
                *[sum(map(str.isupper, found)) > len(found) / 2 for found in (runs, pieces)]
            ),
            isupper: sum(c == c.upper() for c in text) > letters / 2,
            ascii: len(re.findall("[A-Z]", text)) > len(re.findall("[A-Za-z]", text)) / 2,
        }

    small = fresh(small, mostly_capitals, "HURRY UP " + str(check.rng.choice(["PLEASE", "FRIENDS", "NOW"])))
    probes = [
        ("A B C wonderful", False), ("ABSOLUTELY no one", True), ("ab 12 34 !!", False), ("WIN 1234567", True),
        ("OK :-) :-) :-)", True), ("W I N n o", True), ("ABcd", False), ("go HOme", False), ("ABCde", True),
        ("ÄÖÜ éa", True), ("äöüé ABC", False), ("now or NEVER AGAIN", True), ("Good Morning To You", False),
    ]
    for _ in range(6):
        upper, lower, other = (int(n) for n in check.rng.integers(1, 9, size=3))
        text = "".join(check.rng.permutation(list("ABCDEFGHI"[:upper] + "abcdefghi"[:lower] + "1234 6!89"[:other])))
        probes.append((text, upper > lower))
    for text, expected in probes:
        known = {small: not expected} if small else shares(text, expected)
        check(mostly_capitals, text).equals(expected, about="capitals among other letters", near=known)
    check(mostly_capitals, "OK 日本語です").equals(
        False, about="letters without case", edge=True,
        near=dict.fromkeys(
            [small] if small else
            ["letters without case are letters, too, and no capitals: count all letters", every, ascii], True,
        ),
    )
    check(mostly_capitals, "").equals(False, about="empty text", edge=True, near=zero)
    check(mostly_capitals, "a" * 2000 + "B" * 2100).equals(
        True, about=long, edge=True,
        near=dict.fromkeys([small] if small else [cut, every, "letters are counted, not words"], False),
    )

    apart, whole = "white space is needed between the words: one at least", "words are whole: 'remake' is not 'make'"
    longer = "the period was found inside a longer word, as in 'weekend': words are whole"
    bars, point = "inside [ ] a bar is a character like any other: [$£€], not [$|£|€]", (
        "a point in a pattern matches any character: write [.] or \\.")
    inner = r"inside [ ] a bar is a character like any other: [\d,.], not [\d|,|.]"
    alone = r"white space alone may come between the four, and no other character: \s+, not \W+"
    poor = fresh(poor, promises_money, f"make ${check.rng.integers(11, 99)} every week")
    for text, expected, *why in [
        ("make €20 every week", True, euro),
        ("make $20 every day", True, four),
        ("make $20 every month", True, four),
        ("make $20 every year", True, four),
        ("make  $20 every week", True, space),
        ("make $20 every\tweek", True, space),
        ("make $20\nevery week", True, space),
        ("make $7.50 every week", True, points),
        ("make $2,500,000 every week", True, points),
        ("make $5 every week", True, "one digit is an amount too"),
        ("make $123456 every week", True, "an amount may have many digits"),
        ("mAkE $20 eVeRy wEeK", True, "case must not matter: use re.IGNORECASE, or lower the text"),
        ("make $20 every week from home", True, anywhere),
        ("you will make $20 every week", True, anywhere),
        ("make $20 every week.", True, marked),
        ("(make $20 every week)", True, marked, anywhere),
        ("make haste and make $20 every week", True, "the first 'make' need not be the right one: look further",
         anywhere),
        ("make $20 every weeks", False, longer, period, letter),
        ("make $20 every yearbook", False, longer, period, letter),
        ("they remake $20 every week", False, whole),
        ("makes $20 every week", False, "every word is part of the rule: make, the amount, every, the period"),
        ("make $20 every time", False, period, letter),
        ("make $20 every yak", False, period, letter),
        ("make $20 every fortnight", False, period),
        ("make |20 every week", False, bars),
        ("make $2|5 every week", False, inner, point, between),
        ("make $20-30 every week", False, point, between),
        ("make: $20 every week", False, alone, between),
        ("make $20 every, week", False, alone, between),
        ("make $20 a week", False, "every word is part of the rule: make, the amount, every, the period"),
        ("save $20 every week", False, "every word is part of the rule: make, the amount, every, the period"),
        ("make tea every week", False, "every word is part of the rule: make, the amount, every, the period"),
        ("see you next week", False, brackets),
        ("every week they make $20", False, "the parts stand in this order: make, the amount, every, the period"),
        ("make about $20 every week", False, between),
        ("make $20 cash every week", False, between),
        ("make $20 every single week", False, between, period),
        ("make $ every week", False, digits),
        ("make $., every week", False, digits),
        ("make $ 20 every week", False, digits),
        ("make 20 every week", False, "an amount begins with $, £ or €"),
        ("make 20$ every week", False, "an amount begins with $, £ or €"),
        ("make ¥20 every week", False, "an amount begins with one of three signs: $, £ or €"),
        ("make $€20 every week", False, "an amount begins with one sign, and digits follow it immediately", between,
         alone),
        ("make $20k every week", False, "an amount ends with its digits, and white space follows", between),
        ("make$20 every week", False, apart),
        ("make $20every week", False, apart),
        ("make $20 everyweek", False, apart),
    ]:
        bare = {brackets: True} if not expected and "week" in text else {}  # what a|b|c without brackets finds
        parts = ["make"], ["every"], ["$", "£", "€"], ["day", "week", "month", "year"]
        there = 0
        for some in parts:
            there += any(part in text for part in some)
        if not expected and there == len(parts):
            bare[loose] = True
        check(promises_money, text).equals(
            expected, about="other wordings",
            near=dict.fromkeys([poor] if poor else why, not expected) | {none: None} | bare,
        )
    check(promises_money, "lunch is at noon, " * 200 + "make $20 every week").equals(
        True, about=long, edge=True, near=dict.fromkeys([poor] if poor else [cut, anywhere], False) | {none: None}
    )
    ### END HIDDEN TESTS


score
