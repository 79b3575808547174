from helpers.checks import graded


@graded("tf", points=4)
def score(check):
    import numpy as np

    KINDS = ("raw", "binary", "log")
    ### BEGIN MISTAKES
    from helpers.chapters.spam.together import one_by_one

    once = "each word counts once only, in raw and log alike: count how often it occurs"

    def count(tokens, words):
        return np.array(list(map(tokens.count, words)), dtype=float)

    def right(kind, c):
        """Return the term frequencies, from the counts."""
        return {"raw": c, "binary": np.sign(c), "log": np.sign(c) + np.log(np.maximum(c, 1))}[kind]

    def other_words(kind, tokens, vocabulary):
        """Mistakes that look for other words, or give their numbers in another order or form."""

        def values(words, tokens=tokens):
            return right(kind, count(tokens, words))

        low, own, plain = list(map(str.lower, tokens)), list(dict.fromkeys(tokens)), values(vocabulary)
        c, pieces = count(tokens, vocabulary), count(" ".join(tokens), vocabulary)
        return {
            "the words are in alphabetical order; keep the vocabulary's own": values(sorted(vocabulary)),
            "a word was also found inside longer ones; only whole tokens count":
                right(kind, pieces),
            "the tokens were put into lower case; take the words as they come": values(vocabulary, low),
            "tokens and vocabulary were put into lower case; take the words as they come":
                values(list(map(str.lower, vocabulary)), low),
            "only the words of the text have a number; each vocabulary word needs one, 0 if it does not occur":
                plain[c > 0],
            "these are the words of the text, in its order; return a number for each vocabulary word, in its order":
                values(own),
            "only the words of the text have a number, in its order; each vocabulary word needs one":
                values([word for word in own if word in vocabulary]),
            "return an array of numbers in the vocabulary's order, not a dict":
                dict(zip(vocabulary, plain.tolist(), strict=True)),
        }

    def logarithms(c, total):
        """Mistakes of the kind log."""
        there, log = np.sign(c), np.log(np.maximum(c, 1))
        found = {
            "this is ln(1 + c); the table says 1 + ln c": np.log1p(c),
            "this is 1 + ln(1 + c); the table says 1 + ln c": 1 + np.log1p(c),
            "this is 1 + ln(1 + c), and 0 for missing words; the table says 1 + ln c": there * (1 + np.log1p(c)),
            "the logarithm of 1 is 0, so words that occur once vanish: add 1": log,
            "a word that occurs once has the value 1, not 0": (c > 1) * (1 + log),
            "words that do not occur must stay 0": 1 + log,
            "the logarithm of zero is infinite: words that do not occur have the value 0":
                np.where(c > 0, 1 + log, -np.inf),
            "infinity times 0 is NaN: words that do not occur have the value 0": np.where(c > 0, 1 + log, np.nan),
            "words that do not occur have the value 0: there is no logarithm of zero": ValueError,
            "the natural logarithm is meant, not base 10": there + log / np.log(10),
            "the natural logarithm is meant, not base 2": there + log / np.log(2),
            once: there,
            "take the logarithm of the raw count, not of the share": there * (1 + log - np.log(max(total, 1))),
        }
        for tiny in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6):
            words = f"words that do not occur have the value 0: here {tiny:g} was added to c"
            found[words] = 1 + np.log(c + tiny)
        return found

    def slips(tokens, vocabulary, kind=None):
        """What the known mistakes give."""
        c = count(tokens, vocabulary)
        found = other_words(kind or "raw", tokens, vocabulary)
        if kind is None:
            for other in ("binary", "log"):
                found[f"the default kind is raw, not {other}"] = right(other, c)
        if kind in (None, "raw"):
            return found | {
                "each word counts once only: that is the binary kind": np.sign(c),
                once: np.sign(c),
                "these are shares; raw is the plain count": c / max(len(tokens), 1),
            }
        found["the kind was ignored: these are raw counts"] = c
        if kind == "binary":
            return found | {
                "binary is 1 if c > 0, even for a word that occurs often": c == 1,
                "binary is 1 if c > 0, even for a word that occurs once": c > 1,
                "binary is 1 if the word occurs, not if it is missing": c == 0,
                "binary is 1 if c > 0: here the ones were divided by their number": (c > 0) / max(1, (c > 0).sum()),
            }
        return found | logarithms(c, len(tokens))

    known = one_by_one(slips, ["a"], ["a"])
    for kind in KINDS:
        known |= one_by_one(slips, ["a"], ["a"], kind=kind)
    check.mistakes(known, term_frequency)
    ### END MISTAKES
    vocabulary = ["This", "is", "a", "sentence", "another", "not", "Yet"]
    x1 = "This is a sentence This is another sentence".split()
    x2 = "This is not a sentence Yet another not a sentence".split()
    check(term_frequency, x1, list(vocabulary)).equals(
        [2, 2, 1, 2, 1, 0, 0], about="the first of the two documents",
        near={
            "one word only: is the return inside the loop?": [2],
            "one number only: is the return inside the loop?": 2,
        },
    )
    check(term_frequency, x2, list(vocabulary)).equals([1, 1, 2, 2, 1, 2, 1], about="the second of the two documents")
    poem, four = "to be or not to be", ["to", "or", "sea", "not"]
    check(term_frequency, poem.split(), list(four), kind="binary").equals([1, 1, 0, 1])
    check(term_frequency, poem.split(), list(four), kind="log").equals(
        [1.693147, 1, 0, 1], rtol=1e-4,
        near={"words that do not occur have the value 0: there is no logarithm of zero": ValueError},
    )
    check(term_frequency, ["The", "the sea", "the", "The"], ["the", "sea", "The", "the sea"]).equals(
        [1, 0, 2, 1], about="capitals, and a token that holds a space",
        near={"a token may hold a space: do not join and split the tokens again": [2, 1, 2, 0]},
    )
    nothing = {"an empty text, too, has a number for each vocabulary word: 0": []}
    check(term_frequency, [], ["a", "b"], kind="log").equals([0, 0], about="empty text", edge=True, near=nothing)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    words = "in win on won now know a an In Win On Won Now Know A An".split()
    for kind in KINDS:
        names = list(map(str, check.rng.permutation(words)))
        repeats = [0, 1, 2, 3, *map(int, check.rng.integers(3, 6, size=12))]
        tokens = [str(t) for t in check.rng.permutation(np.repeat(names, repeats))]
        if len(tokens) == 50:  # of which the shares have two digits
            tokens.append("won")
        vocabulary = [str(w) for w in check.rng.permutation([*names[:10], "never"])]
        c = (np.array(vocabulary)[:, None] == np.array(tokens)).sum(1)
        check(term_frequency, list(tokens), list(vocabulary), kind=kind).equals(
            right(kind, c), about=f"random tokens, {kind}", rtol=1e-4
        )
    for kind in KINDS:
        check(term_frequency, [], ["a", "b"], kind=kind).equals([0, 0], about="empty text", edge=True, near=nothing)
        check(term_frequency, ["a"], ["a"], kind=kind).equals(
            [1], about="one word in text and vocabulary", edge=True,
            near={"the shape is (V,), even for a vocabulary of one word": 1},
        )
    many = [f"w{i}" for i in check.rng.permutation(120)]
    check(term_frequency, [*many, "", ""], [*many[:99], ""]).equals(
        [1] * 99 + [2], about="many words, one of them empty", edge=True,
        near={"an empty token is a token like any other": [1] * 99 + [0]},
    )
    check(term_frequency, ["a"] * 300 + ["b"], ["a", "b"]).equals(
        [300, 1], about="a long text", edge=True, near={"the counts overflow their small integer dtype": [44, 1]}
    )
    ### END HIDDEN TESTS


score
