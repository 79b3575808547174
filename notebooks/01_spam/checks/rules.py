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


score
