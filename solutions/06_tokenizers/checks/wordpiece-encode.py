from helpers.checks import graded


@graded("wordpiece-encode", points=6)
def score(check):
    shortest = "the longest token that fits is taken, here it is the shortest"

    ### BEGIN MISTAKES
    inside = "inside a word only tokens with ## fit: a plain one was taken"
    never_whole = "all that is left of a word may be one token, too: the end goes up to the word's length"

    def made(order=lambda ends: ends, mark="##", missing=lambda tokens, unknown, rest: [unknown], limit=len, first="",
             marked=True, named=None, cut=10**6):
        def function(word, vocabulary, unknown="[UNK]", longest=100):
            unknown = named or unknown
            if limit(word) > longest:
                return [unknown]
            out, i = [], 0
            while i < len(word):
                m = mark if i else first
                ends = order([j for j in range(len(word), i, -1)])
                j = next((j for j in ends if m + word[i:j] in vocabulary and j - i <= cut), None)
                if j is None:
                    return missing(out, unknown, word[i:])
                out, i = [*out, (m if marked else "") + word[i:j]], j
            return out

        return function

    def backwards(word, vocabulary, unknown="[UNK]", longest=100):
        if len(word) > longest:
            return [unknown]
        out, j = [], len(word)
        while j:
            i = next((i for i in range(j) if ("##" if i else "") + word[i:j] in vocabulary), None)
            if i is None:
                return [unknown]
            out, j = [("##" if i else "") + word[i:j], *out], i
        return out

    def fewest(word, vocabulary, unknown="[UNK]", longest=100):
        if len(word) > longest:
            return [unknown]
        best = [[]] + [None] * len(word)
        for j in range(1, len(word) + 1):
            for i in range(j):
                part = ("##" if i else "") + word[i:j]
                if best[i] is None or part not in vocabulary:
                    continue
                if best[j] is None or len(best[i]) + 1 < len(best[j]):
                    best[j] = [*best[i], part]
        return [unknown] if best[-1] is None else best[-1]

    def skipping(word, vocabulary, unknown="[UNK]", longest=100):
        if len(word) > longest:
            return [unknown]
        out, i = [], 0
        while i < len(word):
            m = "##" if i else ""
            j = next((j for j in range(len(word), i, -1) if m + word[i:j] in vocabulary), None)
            out, i = [*out, unknown if j is None else m + word[i:j]], j or i + 1
        return out

    def plain_too(marks=("##", ""), first=("",), late=False, shown=None):
        """Takes a token with the wrong mark, too: at each length, or only where no length has the right one."""

        def function(word, vocabulary, unknown="[UNK]", longest=100):
            if len(word) > longest:
                return [unknown]
            out, i = [], 0
            while i < len(word):
                kinds, ends = marks if i else first, range(len(word), i, -1)
                ways = [(j, m) for j in ends for m in kinds]
                if late:
                    ways.sort(key=lambda way: kinds.index(way[1]))
                fits = [(j, m) for j, m in ways if m + word[i:j] in vocabulary]
                if not fits:
                    return [unknown]
                j, m = fits[0]
                if shown is not None:
                    m = shown if i else ""
                out, i = [*out, m + word[i:j]], j
            return out

        return function

    def marks_counted(word, vocabulary, unknown="[UNK]", longest=100):
        if len(word) > longest:
            return [unknown]
        out, i = [], 0
        while i < len(word):
            m = "##" if i else ""
            j = next((j for j in range(len(word), i, -1) if m + word[i:j] in vocabulary), None)
            if j is None:
                return [unknown]
            out, i = [*out, m + word[i:j]], j + len(m)
        return out

    def leaping(word, vocabulary, unknown="[UNK]", longest=100):
        """Leaves a character out behind each token."""
        found, i = [], 0
        while i < len(word) <= longest:
            m = "##" if i else ""
            j = next((j for j in range(len(word), i, -1) if m + word[i:j] in vocabulary), None)
            if j is None:
                return [unknown]
            found, i = [*found, m + word[i:j]], j + 1
        return found if len(word) <= longest else [unknown]

    def bare(word, vocabulary, *more, **named):
        found = made()(word, vocabulary, *more, **named)
        alone = len(found) == 1 and len(word) > 1 and found[0] not in vocabulary
        return found[0] if alone else found

    check.mistakes({
        "a character is left out behind each token: the next token begins where the last one ended": leaping,
        "if a part cannot be cut, the whole word is unknown": made(missing=lambda out, unknown, rest: [*out, unknown]),
        "each character that cannot be cut became unknown: the whole word is": skipping,
        "an unknown part was left out: the whole word is unknown": made(missing=lambda out, unknown, rest: out),
        "an unknown part came along as it is: the whole word is unknown":
            made(missing=lambda out, unknown, rest: [*out, rest]),
        "an unknown word gives one token, not none": made(missing=lambda out, unknown, rest: []),
        inside: plain_too(),
        f"{inside}, where it is as long as one with ##": plain_too(("", "##")),
        f"{inside}, where none with ## fits": plain_too(late=True),
        f"{inside}, and marked with ##": plain_too(shown="##"),
        f"{inside}, where none with ## fits, and marked with ##": plain_too(late=True, shown="##"),
        "at the beginning only tokens without ## fit: one with ## was taken, too": plain_too(("##",), ("", "##")),
        "at the beginning a token without ## was sought, then one with it: only the first kind fits there":
            plain_too(("##",), ("", "##"), late=True),
        "at the beginning only tokens without ## fit: the letters of one with ## were taken":
            plain_too(("##",), ("", "##"), shown="##"),
        shortest: made(order=lambda ends: ends[::-1]),
        "what continues a word begins with ##": made(mark=""),
        "the ## belongs to the tokens": made(marked=False),
        "the first token has no ##": made(first="##"),
        "the word is cut from the left, not from the right": backwards,
        "the fewest tokens were sought: greedy takes the longest at each place, come what may": fewest,
        "a part of one character may be a token, too": made(order=lambda ends: ends[:-1]),
        never_whole: made(order=lambda ends: ends[1:]),
        "the start moves on by the characters of the word: the ## is none of them": marks_counted,
        "a list is asked, even where it is [unknown] alone":
            bare,
        **{f"a token may be longer than {size} characters": made(cut=size) for size in (10, 16, 20, 32)},
        "the argument longest was ignored": made(limit=lambda w: 0),
        "longest counts characters, not bytes": made(limit=lambda w: len(w.encode())),
        "a word of exactly `longest` characters is still cut": made(limit=lambda w: len(w) + 1),
        "the argument unknown was ignored": made(named="[UNK]"),
    }, wordpiece)
    ### END MISTAKES
    tokens = {"un", "##un", "u", "##n", "##aff", "##a", "##ff", "##able", "##f", "aff", "able"}
    check(wordpiece, "unaffable", tokens).equals(
        ["un", "##aff", "##able"],
        near={f"{shortest}, but for the last": ["u", "##n", "##a", "##f", "##f", "##able"]},
    )
    nothing = {"where no part fits, the word is unknown: next finds nothing then": StopIteration,
               "where no part fits, the word is unknown: max of nothing is an error": ValueError}
    check(wordpiece, "unaffected", tokens).equals(["[UNK]"], near=nothing)
    check(wordpiece, "unaffé", tokens | {"##é"}, "?", 5).equals(["?"])
    check(wordpiece, "unaffé", tokens | {"##é"}, "?", 6).equals(["un", "##aff", "##é"])
    check(wordpiece, "unable", tokens, "?", 6).equals(["un", "##able"])
    none = {"the empty word has no tokens, not even the unknown one": ["[UNK]"], "the empty word has no tokens": [""]}
    check(wordpiece, "", tokens).equals([], about="an empty word", edge=True, near=none)
    back = "greedy never looks back: what was taken stays, then the word is unknown"
    check(wordpiece, "tables", {"table", "tab", "##l", "##es", "ta", "##b", "##bles", "##ables"}).equals(
        ["[UNK]"],
        near={back: ["tab", "##l", "##es"]},
    )
    check(wordpiece, "Able", tokens).equals(["[UNK]"], near={"the word was put in lower case": ["able"]})
    ### BEGIN HIDDEN TESTS
    from tokenizers import models

    check.hidden()

    def library(word, vocabulary, unknown="[UNK]", longest=100):
        table = {t: i for i, t in enumerate([unknown, *sorted(vocabulary - {unknown})])}
        model = models.WordPiece(table, unk_token=unknown, max_input_chars_per_word=longest)
        return [t.value for t in model.tokenize(word)]

    for _ in range(6):
        abc = list("abc")
        parts = {"".join(check.rng.choice(abc, size=int(n))) for n in check.rng.integers(1, 5, size=14)}
        vocabulary = {("##" if check.rng.random() < 0.6 else "") + p for p in parts} | {"a", "##b", "##a", "b"}
        for _ in range(2):
            word = "".join(check.rng.choice(abc, size=9))
            check(wordpiece, word, vocabulary).equals(library(word, vocabulary), about="fresh words and tokens")
    trap = {"ab", "abc", "##cd", "##d", "##c", "##e"}
    check(wordpiece, "abcde", trap).equals(["abc", "##d", "##e"], about="the longest first")
    every = {"é", "##é", "##éé", "na"}
    check(wordpiece, "éééé", every, longest=4).equals(["é", "##éé", "##é"], about="exactly `longest` characters")
    check(wordpiece, "na", every, longest=2).equals(["na"], about="exactly `longest` characters")
    check(wordpiece, "ééééé", every, "<unk>", 4).equals(["<unk>"], about="longer than `longest`")
    check(wordpiece, "nax", every, "<unk>").equals(["<unk>"], about="another name for unknown")
    spaces = {"a", "##  b", "##\n"}, ["a", "##  b", "##\n"]
    for word, vocabulary, tokens in [(" a", {" a", "a"}, [" a"]), ("a  b\n", *spaces),
                                     ("e\u0301", {"é", "e", "##\u0301"}, ["e", "##\u0301"])]:
        check(wordpiece, word, vocabulary).equals(tokens, about="white space and accents", edge=True)
    check(wordpiece, "na" * 40, every).equals(["[UNK]"], about="longer words")
    check(wordpiece, "é" * 90, every).equals(["é", *["##éé"] * 44, "##é"], about="longer words")
    check(wordpiece, "é" * 600, every, longest=1000).equals(["é", *["##éé"] * 299, "##é"], about="longer words")
    check(wordpiece, "né" * 20 + "é", every | {"né" * 20}).equals(["né" * 20, "##é"], about="longer words")
    check(wordpiece, "é" * 101, every).equals(["[UNK]"], about="longer words")
    check(wordpiece, "éé", every, longest=1).equals(["[UNK]"], about="longer than `longest`")
    strange = " no\u0301  token " * 60
    check(wordpiece, "x", every, strange).equals([strange], about="another name for unknown")
    check(wordpiece, "", every).equals([], about="an empty word", edge=True, near=none)
    check(wordpiece, "é", every).equals(["é"], about="one character", edge=True)
    check(wordpiece, "a", set()).equals(["[UNK]"], about="an empty vocabulary", edge=True, near=nothing)
    trap = {"abcd", "abc", "##de", "##f", "ab", "##c", "##cdef", "##bcdef"}
    check(wordpiece, "abcdef", trap).equals(["[UNK]"], about="no way back", near={back: ["abc", "##de", "##f"]})
    check.mistakes({}, wordpiece)
    check(wordpiece, "UnaB", {"Un", "un", "##aB", "##ab"}).equals(
        ["Un", "##aB"], about="capital letters", near={
            "the word is read as it is, not in lower case": ["un", "##ab"]})
    ### END HIDDEN TESTS


score
