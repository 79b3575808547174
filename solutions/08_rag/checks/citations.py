from helpers.checks import graded


@graded("citations", points=4)
def score(check):
    zero, too_large = "[0] cites no passage", "a number above the last one cites no passage"
    ### BEGIN MISTAKES
    elsewhere = "the words must stand in a passage that is cited"
    off = "passages[0] is cited as [1]"
    taken_out = "the citations must be taken out of the answer first"
    cased = "capitals and marks do not count"
    reverse = "the passage stands in the answer? It is the other way round"
    first_only = "only the first citation was looked at"
    some = "some of the words in common are not enough"
    enough = "it is enough that one citation is there: the words must stand in the passage"
    every = "one of the cited passages is enough"
    vacuous = "one of the cited passages is enough, and where there is none, nothing is supported"
    scattered = "the words must stand one after the other and in this order"
    in_turn = scattered + ", with no others between"
    parts = "whole words only"
    at_start = "the words may stand anywhere in the passage, not at its start alone"
    at_end = "the words may stand anywhere in the passage, not at its end alone"
    equal = "the passage may hold more words than the answer: both need not be the same"
    grown = "a blank comes in the place of a citation: else the words at its sides grow together"
    none = "an answer that cites nothing is not supported"
    import re

    def numbers(answer, pattern=r"\[(\d+)\]"):
        return [int(n) for n in re.findall(pattern, answer)]

    def words(text):
        return re.findall(r"\w+", text.lower())

    def inside(some, whole):
        return any(whole[i : i + len(some)] == some for i in range(len(whole) - len(some) + 1))

    def made(find=inside, sources=None, join=any, strip=r"\[\d+\]", words=words, empty=True,
             source=lambda p: p, by=" ", by_none=False):
        def function(answer, passages):
            said = words(re.sub(strip, by, answer))
            if sources:
                used = sources(numbers(answer), passages)
            else:
                used = [passages[n - 1] for n in numbers(answer) if 0 < n <= len(passages)]
            return bool((said or not empty) and (used or by_none) and join(find(said, words(source(p))) for p in used))

        return function

    passage_too = "citations are taken out of the answer alone: a passage keeps all its words"

    def one_by_one(some, whole):
        rest = iter(whole)
        return all(word in rest for word in some)

    known = {
        at_start: made(find=lambda a, b: b[: len(a)] == a), at_end: made(find=lambda a, b: b[-len(a) :] == a),
        equal: made(find=lambda a, b: a == b), grown: made(by=""),
        passage_too: made(source=lambda p: re.sub(r"\[\d+\]", " ", p)),
        zero: made(sources=lambda n, p: [p[i - 1] for i in n if i <= len(p)]),
        elsewhere: made(sources=lambda n, p: p if n else []), none: made(sources=lambda n, p: p),
        off: made(sources=lambda n, p: [p[i] for i in n if i < len(p)]), every: made(join=all),
        vacuous: lambda answer, p: bool(numbers(answer)) and made(join=all, by_none=True)(answer, p),
        scattered: made(find=lambda a, b: set(a) <= set(b)), in_turn: made(find=one_by_one),
        parts: made(find=lambda a, b: " ".join(a) in " ".join(b)),
        taken_out: made(strip=r"$^"),
        cased: made(words=lambda t: t.split()),
        some: made(find=lambda a, b: bool(set(a) & set(b))),
        enough: made(find=lambda a, b: True),
        reverse: made(find=lambda a, b: inside(b, a)),
        first_only: made(
            sources=lambda n, p: [p[i - 1] for i in n[:1] if 0 < i <= len(p)]),
        "only the last citation was looked at": made(
            sources=lambda n, p: [p[i - 1] for i in n[-1:] if 0 < i <= len(p)]),
    }
    beside = "a number that no passage has supports nothing, and another may still hold"

    def all_or_none(numbers, passages):
        there = [passages[i - 1] for i in numbers if 0 < i <= len(passages)]
        return there if len(there) == len(numbers) else []

    known[beside] = made(sources=all_or_none)
    check.mistakes(known, supported)
    ### END MISTAKES
    repeated = "each number once"
    by_size = "in the order in which they appear"
    texts = "the numbers are ints, not text"
    code = "[1, 2] and x[i] are code: only digits between the brackets count"
    all_numbers = "all numbers came, in brackets or not"
    check(cited, "4 of a [3], x[i] and b [1][12]; [1, 2], again [3]").equals([3, 1, 12], near={
        repeated: [3, 1, 12, 3], by_size: [1, 3, 12], texts: ["3", "1", "12"], code: [3, 1, 12, 2],
        all_numbers: [4, 3, 1, 12, 2],
        "a number may have more than one digit": [3, 1],
    })
    passages = ["Sorted in Order,\nby name: first.", "This is the second.", "In order by NAME, too.", "by name"]
    lower = ["sorted in order by name first", "in order by name and size"]
    check(supported, "order by name [1]", [lower[0], passages[1]]).equals(True)
    check(supported, "by name [4]", passages).equals(True)
    check(supported, "order by `name` [1]", [passages[0], passages[2]]).equals(
        True)
    check(supported, "order by name [2]", passages).equals(False)
    for answer in ("in order [2][1]", "in order [1][2]"):
        check(supported, answer, [lower[0], *passages[1:]]).equals(True)
    check(supported, "order name [1]", passages).equals(False)
    check(supported, "his is the [2]", passages).equals(False)
    check(supported, "order by name", passages).equals(False)
    check(supported, "order[1]by name", lower).equals(True, about="a citation between two words")
    check(supported, "name first in order [1][2]", lower).equals(False, about="over two passages", near={
        "the words must stand in one passage: those that are cited are not joined": True})
    check(supported, "sorted in ord [1]", lower).equals(False, about="a part of a word")
    check(supported, "[1]", ["..."]).equals(
        False, about="no words left", near={"an answer without words is not supported": True})
    check(supported, "it is 7 [1]", ["It [2] is 7."]).equals(False, about="a number in the passage, too")
    check(supported, "in order by name [9][1]", lower).equals(True, about="one number that is right")
    other_numbers = "only citations are taken out: other numbers are words of the answer"
    other_brackets = "only citations are taken out: what stands in other brackets are words of the answer"
    passages = ["The default of x[i] is 5.", "Else it is 7."]
    check(supported, "default of x[i] is 4 [1]", passages).equals(False, near={other_numbers: True})
    twice = ["the default of x[i] is 5 here", "its default of x[i] is 5"]
    check(supported, "default of x[i] is 5 [1]", twice).equals(True, near={other_brackets: False})
    check(supported, "it is 7 [3][0]", passages).equals(False, near={too_large: IndexError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({
        repeated: numbers, by_size: lambda a: sorted(set(numbers(a))), code: lambda a: list(
            dict.fromkeys(numbers(a, r"(\d+)\]"))),
        texts: lambda a: list(dict.fromkeys(re.findall(r"\[(\d+)\]", a))), all_numbers: (
            lambda a: list(dict.fromkeys(numbers(a, r"(\d+)")))),
        "only the first citation came": lambda a: numbers(a)[:1],
        "a number may have more than one digit": lambda a: list(dict.fromkeys(numbers(a, r"\[(\d)\]"))),
        "the order is that of the first appearance": lambda a: list(dict.fromkeys(numbers(a)[::-1]))[::-1],
    })
    for _ in range(4):
        drawn = [int(n) for n in check.rng.integers(1, 15, size=7)]
        answer = " ".join(f"w{n % 3} [{n}]" for n in drawn) + " 77 y[j] [4, 5] [x1]"
        right = []
        for n in drawn:
            if n not in right:
                right.append(n)
        check(cited, answer).equals(right, about="fresh citations")
    check(cited, "a [1] " * 120 + "[2]").equals([1, 2], about="a long answer")
    check(cited, "a [0], b [10], [128], [0] and [007]").equals([0, 10, 128, 7], about="0, and large numbers", edge=True)
    check(cited, "none").equals([], about="no citation", edge=True)
    texts = []
    for _ in range(4):
        letters = check.rng.choice(list("abcdefgh"), size=14)
        texts.append(" ".join(str(letter) for letter in letters) + ".")
    for i in range(4):
        piece, begin, end = words(texts[i])[3:7], words(texts[i])[:3], words(texts[i])[-3:]
        for answer in (
            f"{' '.join(piece).upper()} [{i + 1}]", f"{' '.join(piece)} [{(i + 1) % 4 + 1}] [{i + 1}]",
            f"{' '.join(piece)} [{(i + 1) % 4 + 1}]", f"{' '.join(piece[::-1])} [{i + 1}]", f"{', '.join(piece)} [0]",
            f"{' '.join(piece)}", f"{' '.join([*piece, 'z'])} [{i + 1}]", f"[{i + 1}] {' '.join(piece)}!",
            f"{' '.join(piece)} [9]", f"{' '.join(piece)} [{i + 1}] [{(i + 1) % 4 + 1}]", f"{piece[0]} [{i + 1}]",
            f"{' '.join(begin)} [{i + 1}]", f"{' '.join(end)} [{i + 1}]", f"{texts[i]} [{i + 1}]",
        ):
            check(supported, answer, texts).equals(made()(answer, texts), about="fresh answers")
    check.mistakes(known | {
        other_numbers: made(strip=r"\d+"),
        other_brackets: made(
            strip=r"\[[^\]]*\]"),
        "the words must stand in one passage: those that are cited are not joined": made(
            sources=lambda n, p: [" ".join(p[i - 1] for i in n if 0 < i <= len(p))]),
    }, supported)
    source = ["The default of x[i] is 5, since version 2.", "Else it is 7."]
    for answer in ("The default of x[i] is 5 [1]", "default of x[j] [1]", "is 4 [1]", "is 7. [1][2]", "it [2] is 7",
                   "version 2. Else it [1] [2]", "default of x[1] [1]"):
        check(supported, answer, source).equals(made()(answer, source), about="numbers and brackets")
    for answer in ("is 5[1]since version 2", "Else it[2]is 7", "default[1]of"):
        check(supported, answer, source).equals(
            made()(answer, source), about="a citation between two words", edge=True)
    source = ["The default of x[1] is 5.", "It is as in [2] and later."]
    for answer in ("default of x is 5 [1]", "as in and later [2]", "is 5 [1]", "and later [2]"):
        check(supported, answer, source).equals(
            made()(answer, source), about="numbers in the brackets of a passage", edge=True)
    long = ["a b c", "b c d"] * 40 + [" ".join("bcdefg" * 60)]
    long += ["a"] * 40 + ["z"]
    for answer in ("z [122]", "a [122]", "b c d e [81]", f"{long[80]} [81]", f"{long[80]} z [81]", f"{long[80]} [80]"):
        check(supported, answer, long).equals(made()(answer, long), about="a long answer")
    for passages in (["", "b c", "a b"], ["b c", "b c", "a b"], ["A b", "b c", "a b"]):
        for answer in ("a b [3]", "a b [2]", "b c [2]"):
            check(supported, answer, passages).equals(
                made()(answer, passages), about="empty and equal passages", edge=True)
    check(supported, "nai\u0308ve [1]", ["a nai\u0308ve way"]).equals(
        True, about="letters as they are written", edge=True)
    check(supported, "keep [1]", ["what keep_dim says"]).equals(False, about="parts of words")
    check(supported, "rep ad [1]", ["prep adds"]).equals(False, about="parts of words")
    check.mistakes(known, supported)
    for answer in ("b c [9][1]", "b c [0][1]"):
        check(supported, answer, ["a b c", "b c d"]).equals(True, about="one number of several is right", edge=True)
    check.mistakes({}, supported)
    check(supported, "[1]", ["a b"]).equals(False, about="no words left", edge=True, near={
        "an answer without words is not supported": True})
    check(supported, "[1]", ["..."]).equals(
        False, about="no words left, nor in the passage", edge=True,
        near={"an answer without words is not supported, by a passage without words neither": True})
    check(supported, "a [1]", []).equals(False, about="no passages", edge=True, near={"a number that no passage has": (
        IndexError)})
    ### END HIDDEN TESTS


score
