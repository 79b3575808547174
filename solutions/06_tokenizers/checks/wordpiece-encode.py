from helpers.checks import graded


@graded("wordpiece-encode", points=6)
def score(check):
    tokens = {"un", "u", "##n", "##aff", "##a", "##ff", "##able", "##f", "aff", "able"}
    half = "if a part cannot be cut, the whole word is unknown"
    each = "each character that cannot be cut became unknown: the whole word is"
    shortest = "the longest token that fits is taken, here it is the shortest"
    no_mark = "what continues a word begins with ##"
    check(wordpiece, "unaffable", tokens).equals(["un", "##aff", "##able"], near={
        shortest: ["u", "##n", "##a", "##f", "##f", "##able"], no_mark: ["un", "aff", "able"],
        "the ## belongs to the tokens": ["un", "aff", "able"],
    })
    check(wordpiece, "unaffected", tokens).equals(["[UNK]"], near={
        half: ["un", "##aff", "[UNK]"], "an unknown part was left out: the whole word is unknown": ["un", "##aff"],
        each: ["un", "##aff", *["[UNK]"] * 5],
    })
    check(wordpiece, "unff", tokens, "?", 3).equals(["?"], near={
        "the argument longest was ignored": ["un", "##ff"], "the argument unknown was ignored": ["[UNK]"],
    })
    check(wordpiece, "unff", tokens, "?", 4).equals(["un", "##ff"], near={
        "a word of exactly `longest` characters is still cut": ["?"]})
    back = "greedy never looks back: what was taken stays, then the word is unknown"
    check(wordpiece, "affle", tokens | {"af", "##fle"}).equals(["[UNK]"], near={back: ["af", "##fle"]})
    check(wordpiece, "Able", tokens).equals(["[UNK]"], near={"the word was put in lower case": ["able"]})
    ### BEGIN HIDDEN TESTS
    from tokenizers import models

    check.hidden()

    def made(order=lambda ends: ends, mark="##", missing=lambda tokens, unknown, rest: [unknown], limit=len, first="",
             shown=True, named=None, cut=10**6):
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
                out, i = [*out, (m if shown else "") + word[i:j]], j
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
            ways = [[*best[i], m + word[i:j]] for i in range(j) for m in ["##" if i else ""]
                    if best[i] is not None and m + word[i:j] in vocabulary]
            best[j] = min(ways, key=len) if ways else None
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

    check.mistakes({
        half: made(missing=lambda out, unknown, rest: [*out, unknown]),
        each: skipping,
        "an unknown part was left out: the whole word is unknown": made(missing=lambda out, unknown, rest: out),
        "an unknown part came along as it is: the whole word is unknown": made(
            missing=lambda out, unknown, rest: [*out, rest]),
        "an unknown word gives one token, not none": made(missing=lambda out, unknown, rest: []),
        shortest: made(order=lambda ends: ends[::-1]), no_mark: made(mark=""),
        "the ## belongs to the tokens": made(shown=False),
        "the first token has no ##": made(first="##"),
        "the word is cut from the left, not from the right": backwards,
        "the fewest tokens were sought: greedy takes the longest at each place, come what may": fewest,
        "the argument longest was ignored": made(limit=lambda w: 0),
        "longest counts characters, not bytes": made(limit=lambda w: len(w.encode())),
        "a word of exactly `longest` characters is still cut": made(limit=lambda w: len(w) + 1),
        "the argument unknown was ignored": made(named="[UNK]"),
    })

    def library(word, vocabulary, unknown="[UNK]", longest=100):
        table = {t: i for i, t in enumerate([unknown, *sorted(vocabulary - {unknown})])}
        model = models.WordPiece(table, unk_token=unknown, max_input_chars_per_word=longest)
        return [t.value for t in model.tokenize(word)]

    for _ in range(6):
        letters = list("abc")
        parts = {"".join(check.rng.choice(letters, size=int(n))) for n in check.rng.integers(1, 5, size=14)}
        vocabulary = {("##" if check.rng.random() < 0.6 else "") + p for p in parts} | {"a", "##b", "##a", "b"}
        for _ in range(2):
            word = "".join(check.rng.choice(letters, size=9))
            check(wordpiece, word, vocabulary).equals(library(word, vocabulary), about="fresh words and tokens")
    trap = {"ab", "abc", "##cd", "##d", "##c", "##e"}
    check(wordpiece, "abcde", trap).equals(["abc", "##d", "##e"], about="the longest first")
    every = {"é", "##é", "##éé", "na"}
    check(wordpiece, "éééé", every, longest=4).equals(["é", "##éé", "##é"], about="exactly `longest` characters")
    check(wordpiece, "na", every, longest=2).equals(["na"], about="exactly `longest` characters")
    check(wordpiece, "ééééé", every, "<unk>", 4).equals(["<unk>"], about="longer than `longest`")
    check(wordpiece, "nax", every, "<unk>").equals(["<unk>"], about="another name for unknown")
    check(wordpiece, "", every).equals([], about="an empty word", edge=True)
    check(wordpiece, "é", every).equals(["é"], about="one character", edge=True)
    check(wordpiece, "a", set()).equals(["[UNK]"], about="an empty vocabulary", edge=True)
    check.mistakes({})
    trap = {"ab", "abc", "##cde"}
    check(wordpiece, "abcde", trap).equals(["[UNK]"], about="no way back", near={
        back: ["ab", "##cde"]})
    check(wordpiece, "UnaB", {"Un", "un", "##aB", "##ab"}).equals(
        ["Un", "##aB"], about="capital letters", near={"the word is read as it is, not in lower case": ["un", "##ab"]})
    ### END HIDDEN TESTS


score
