from helpers.checks import graded


@graded("citations", points=5)
def score(check):
    repeated = "each number once"
    by_size = "in the order in which they appear"
    texts = "the numbers are ints, not text"
    code = "[1, 2] and x[i] are code: only digits between the brackets count"
    elsewhere = "the words must stand in a passage that is cited"
    off = "passages[0] is cited as [1]"
    not_there = (
        "the words stand in passages[0], which is cited as [1]: are the citations taken out of the answer, "
        "and capitals and marks of both?"
    )
    every = "one of the cited passages is enough"
    scattered = "the words must stand one after the other and in this order"
    parts = "whole words only"
    none = "an answer that cites nothing is not supported"

    check(cited, "a [3], x[i] and b [1][12]; [1, 2], again [3]").equals([3, 1, 12], near={
        repeated: [3, 1, 12, 3], by_size: [1, 3, 12], texts: ["3", "1", "12"], code: [3, 1, 12, 2],
        "a number may have more than one digit": [3, 1],
    })
    passages = ["Sorted in Order,\nby name: first.", "This is the second."]
    check(supported, "order by `name` [1]", passages).equals(True, near={
        not_there: False})
    check(supported, "order by name [2]", passages).equals(False, near={elsewhere: True})
    check(supported, "order by name [2][1]", passages).equals(True, near={every: False})
    check(supported, "order name [1]", passages).equals(False, near={scattered: True})
    check(supported, "his is the [2]", passages).equals(False, near={parts: True})
    check(supported, "order by name", passages).equals(False, near={none: True})
    other_numbers = "only citations are taken out: other numbers are words of the answer"
    other_brackets = "only citations are taken out: what stands in other brackets are words of the answer"
    zero, too_large = "[0] cites no passage", "a number above the last one cites no passage"
    passages = ["The default of x[i] is 5.", "Else it is 7."]
    check(supported, "default of x[i] is 4 [1]", passages).equals(False, near={other_numbers: True})
    check(supported, "default of x[i] is 5 [1]", passages).equals(True, near={
        other_brackets: False})
    check(supported, "it is 7 [3][0]", passages).equals(False, near={zero: True, too_large: IndexError})
    ### BEGIN HIDDEN TESTS
    import re

    check.hidden()

    def numbers(answer, pattern=r"\[(\d+)\]"):
        return [int(n) for n in re.findall(pattern, answer)]

    check.mistakes({
        repeated: numbers, by_size: lambda a: sorted(set(numbers(a))), code: lambda a: list(
            dict.fromkeys(numbers(a, r"(\d+)\]"))),
        texts: lambda a: list(dict.fromkeys(re.findall(r"\[(\d+)\]", a))), "all numbers came, in brackets or not": (
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
            right += [n] if n not in right else []
        check(cited, answer).equals(right, about="fresh citations")
    check(cited, "none").equals([], about="no citation", edge=True)

    def words(text):
        return re.findall(r"\w+", text.lower())

    def inside(some, whole):
        return any(whole[i : i + len(some)] == some for i in range(len(whole) - len(some) + 1))

    def made(find=inside, sources=None, join=any, strip=r"\[\d+\]", words=words, empty=True):
        def function(answer, passages):
            said = words(re.sub(strip, " ", answer))
            if sources:
                used = sources(numbers(answer), passages)
            else:
                used = [passages[n - 1] for n in numbers(answer) if 0 < n <= len(passages)]
            return bool((said or not empty) and used and join(find(said, words(p)) for p in used))

        return function

    check.mistakes({
        zero: made(sources=lambda n, p: [p[i - 1] for i in n if i <= len(p)]),
        elsewhere: made(sources=lambda n, p: p if n else []), none: made(sources=lambda n, p: p),
        off: made(sources=lambda n, p: [p[i] for i in n if i < len(p)]), every: made(join=all),
        scattered: made(find=lambda a, b: set(a) <= set(b)), parts: made(find=lambda a, b: " ".join(a) in " ".join(b)),
        "the citations must be taken out of the answer first": made(strip=r"$^"),
        "capitals and marks do not count": made(words=lambda t: t.split()),
        "some of the words in common are not enough": made(find=lambda a, b: bool(set(a) & set(b))),
        "it is enough that one citation is there: the words must stand in the passage": made(find=lambda a, b: True),
        "the passage stands in the answer? It is the other way round": made(find=lambda a, b: inside(b, a)),
        "only the first citation was looked at": made(
            sources=lambda n, p: [p[i - 1] for i in n[:1] if 0 < i <= len(p)]),
    })
    texts = [" ".join(str(w) for w in check.rng.choice(list("abcdefgh"), size=14)) + "." for _ in range(4)]
    for i in range(4):
        piece = words(texts[i])[3:7]
        for answer in (
            f"{' '.join(piece).upper()} [{i + 1}]", f"{' '.join(piece)} [{(i + 1) % 4 + 1}] [{i + 1}]",
            f"{' '.join(piece)} [{(i + 1) % 4 + 1}]", f"{' '.join(piece[::-1])} [{i + 1}]", f"{', '.join(piece)} [0]",
            f"{' '.join(piece)}", f"{' '.join([*piece, 'z'])} [{i + 1}]", f"[{i + 1}] {' '.join(piece)}!",
            f"{' '.join(piece)} [9]",
        ):
            check(supported, answer, texts).equals(made()(answer, texts), about="fresh answers")
    check.mistakes({
        other_numbers: made(strip=r"\d+"),
        other_brackets: made(
            strip=r"\[[^\]]*\]"),
        "the words must stand in one passage: those that are cited are not joined": made(
            sources=lambda n, p: [" ".join(p[i - 1] for i in n if 0 < i <= len(p))]),
        elsewhere: made(sources=lambda n, p: p if n else []), parts: made(find=lambda a, b: " ".join(a) in " ".join(b)),
    })
    source = ["The default of x[i] is 5, since version 2.", "Else it is 7."]
    for answer in ("The default of x[i] is 5 [1]", "default of x[j] [1]", "is 4 [1]", "is 7. [1][2]", "it [2] is 7",
                   "version 2. Else it [1] [2]", "default of x[1] [1]"):
        check(supported, answer, source).equals(made()(answer, source), about="numbers and brackets")
    check(supported, "rep ad [1]", ["prep adds"]).equals(False, about="parts of words")
    check.mistakes({})
    check(supported, "[1]", ["a b"]).equals(False, about="no words left", edge=True, near={
        "an answer without words is not supported": True})
    check(supported, "a [1]", []).equals(False, about="no passages", edge=True, near={"a number that no passage has": (
        IndexError)})
    ### END HIDDEN TESTS


score
