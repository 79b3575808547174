from helpers.checks import graded


@graded("tf", points=7)
def score(check):
    import numpy as np

    says = {
        "ignored": "the kind was ignored: these are raw counts",
        "once": "each word counts once only: that is the binary kind",
        "shares": "these are shares; raw is the plain count",
        "present": "only the words of the text have a number; each vocabulary word needs one, 0 if it does not occur",
        "own": "these are the words of the text, in its order; return a number for each vocabulary word, in its order",
        "dict": "return an array of numbers in the vocabulary's order, not a dict",
        "one": "one word only: is the return inside the loop?",
        "number": "one number only: is the return inside the loop?",
        "alphabet": "the words are in alphabetical order; keep the vocabulary's own",
        "pieces": "a word was also found inside longer ones; only whole tokens count",
        "lowered": "the tokens were lowered; take the words as they come",
        "just_one": "binary is 1 if c > 0, also for a word that occurs often",
        "repeated": "binary is 1 if c > 0, also for a word that occurs once",
        "absent": "binary is 1 if the word occurs, not if it is missing",
        "vocabulary": "you divided by the size of the vocabulary; divide by the number of tokens",
        "different": "you divided by the number of different words; divide by the number of tokens",
        "known": "the tokens outside the vocabulary count too",
        "found": "you divided by the number of vocabulary words found; divide by the number of tokens",
        "as_scaled": "this is the kind scaled; relative divides by the number of tokens",
        "characters": "you divided by the number of characters; divide by the number of tokens",
        "letters": "you divided by the number of letters; divide by the number of tokens",
        "rest": "the word's own tokens count too: divide by all tokens of the text",
        "largest": "you divided by the largest count; divide by the number of tokens",
        "one_more": "nothing is added to the number of tokens: an empty text alone is an exception",
        "itself": "count the different OTHER words: the word itself is not one of them",
        "repeats": "different words are meant: repeats count once",
        "tokens": "different words are meant, not tokens",
        "as_relative": "this is the kind relative; scaled divides by the number of different other words",
        "outside": "the other words of the text count also when they are outside the vocabulary",
        "size": "the other words are the words in x; you divided by the size of the vocabulary",
        "strangers": "the other words are all words in x but the word itself, not only those outside the vocabulary",
        "most": "you divided by the largest count; divide by the number of different other words",
        "half": "this is the augmented frequency, 0.5 + 0.5 c / max c; the table's scaled is another",
        "inner": "this is ln(1 + c); the table says 1 + ln c",
        "two_ones": "this is 1 + ln(1 + c); the table says 1 + ln c",
        "two_ones_0": "this is 1 + ln(1 + c), and 0 for missing words; the table says 1 + ln c",
        "no_one": "the logarithm of 1 is 0, so words that occur once vanish: add 1",
        "above_1": "a word that occurs once has the value 1, not 0",
        "missing": "words that do not occur must stay 0",
        "infinite": "the logarithm of zero is infinite: words that do not occur have the value 0",
        "nan": "infinity times 0 is NaN: words that do not occur have the value 0",
        "domain": "words that do not occur have the value 0: there is no logarithm of zero",
        "base_10": "the natural logarithm is meant, not base 10",
        "base_2": "the natural logarithm is meant, not base 2",
        "of_share": "take the logarithm of the raw count, not of the share",
    }

    def near(**values):
        return {says[name]: value for name, value in values.items()}

    vocabulary = ["This", "is", "a", "sentence", "another", "not", "Yet"]
    x1 = "This is a sentence This is another sentence".split()
    x2 = "This is not a sentence Yet another not a sentence".split()
    check(term_frequency, x1, list(vocabulary)).equals(
        [2, 2, 1, 2, 1, 0, 0], about="the first of the two documents",
        near=near(
            once=[1, 1, 1, 1, 1, 0, 0], shares=[0.25, 0.25, 0.125, 0.25, 0.125, 0, 0],
            alphabet=[2, 0, 1, 1, 2, 0, 2], pieces=[2, 4, 2, 2, 1, 1, 0], lowered=[0, 2, 1, 2, 1, 0, 0],
            present=[2, 2, 1, 2, 1], own=[2, 2, 1, 2, 1],
            one=[2], number=2, dict=dict(zip(vocabulary, [2, 2, 1, 2, 1, 0, 0], strict=True)),
        ),
    )
    check(term_frequency, x2, list(vocabulary), kind="relative").equals(
        [0.1, 0.1, 0.2, 0.2, 0.1, 0.2, 0.1], about="the second of the two documents",
        near=near(
            ignored=[1, 1, 2, 2, 1, 2, 1],
            vocabulary=[1 / 7, 1 / 7, 2 / 7, 2 / 7, 1 / 7, 2 / 7, 1 / 7],
            different=[1 / 7, 1 / 7, 2 / 7, 2 / 7, 1 / 7, 2 / 7, 1 / 7],
            found=[1 / 7, 1 / 7, 2 / 7, 2 / 7, 1 / 7, 2 / 7, 1 / 7],
            as_scaled=[1 / 6, 1 / 6, 2 / 6, 2 / 6, 1 / 6, 2 / 6, 1 / 6],
            characters=[1 / 49, 1 / 49, 2 / 49, 2 / 49, 1 / 49, 2 / 49, 1 / 49],
            letters=[0.025, 0.025, 0.05, 0.05, 0.025, 0.05, 0.025], largest=[0.5, 0.5, 1, 1, 0.5, 1, 0.5],
            one_more=[1 / 11, 1 / 11, 2 / 11, 2 / 11, 1 / 11, 2 / 11, 1 / 11],
            rest=[1 / 9, 1 / 9, 0.25, 0.25, 1 / 9, 0.25, 1 / 9],
            alphabet=[0.1, 0.1, 0.2, 0.1, 0.1, 0.2, 0.2], pieces=[0.1, 0.2, 0.3, 0.2, 0.1, 0.3, 0.1],
            lowered=[0, 0.1, 0.2, 0.2, 0.1, 0.2, 0], own=[0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1],
        ),
    )
    poem, four = "to be or not to be", ["to", "or", "sea", "not"]
    check(term_frequency, poem.split(), list(four), kind="binary").equals(
        [1, 1, 0, 1],
        near=near(
            ignored=[2, 1, 0, 1], just_one=[0, 1, 0, 1], repeated=[1, 0, 0, 0], absent=[0, 0, 1, 0],
            present=[1, 1, 1], own=[1, 1, 1, 1],
        ),
    )
    longer, five = "to be or not to be that is", ["to", "or", "sea", "not", "night"]
    check(term_frequency, longer.split(), list(five), kind="relative").equals(
        [2 / 8, 1 / 8, 0, 1 / 8, 0],
        near=near(
            ignored=[2, 1, 0, 1, 0], vocabulary=[0.4, 0.2, 0, 0.2, 0], different=[2 / 6, 1 / 6, 0, 1 / 6, 0],
            known=[0.5, 0.25, 0, 0.25, 0], found=[2 / 3, 1 / 3, 0, 1 / 3, 0], as_scaled=[0.4, 0.2, 0, 0.2, 0],
            characters=[2 / 26, 1 / 26, 0, 1 / 26, 0], letters=[2 / 19, 1 / 19, 0, 1 / 19, 0],
            largest=[1, 0.5, 0, 0.5, 0], one_more=[2 / 9, 1 / 9, 0, 1 / 9, 0],
            rest=[2 / 6, 1 / 7, 0, 1 / 7, 0], alphabet=[0, 1 / 8, 1 / 8, 0, 2 / 8],
            present=[2 / 8, 1 / 8, 1 / 8], own=[2 / 8, 2 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8],
        ),
    )
    check(term_frequency, poem.split(), list(four), kind="scaled").equals(
        [2 / 3, 1 / 3, 0, 1 / 3],
        near=near(
            ignored=[2, 1, 0, 1], itself=[0.5, 0.25, 0, 0.25], repeats=[2 / 4, 1 / 5, 0, 1 / 5],
            tokens=[2 / 5, 1 / 5, 0, 1 / 5], as_relative=[2 / 6, 1 / 6, 0, 1 / 6], outside=[1, 0.5, 0, 0.5],
            size=[0.5, 0.25, 0, 0.25], most=[1, 0.5, 0, 0.5], half=[1, 0.75, 0.5, 0.75],
            alphabet=[1 / 3, 1 / 3, 0, 2 / 3], present=[2 / 3, 1 / 3, 1 / 3],
            own=[2 / 3, 2 / 3, 1 / 3, 1 / 3], strangers=[2, 1, 0, 1],
        ),
    )
    check(term_frequency, poem.split(), list(four), kind="log").equals(
        [1.693147, 1, 0, 1], rtol=1e-4,
        near=near(
            ignored=[2, 1, 0, 1], inner=[1.098612, 0.693147, 0, 0.693147], two_ones=[2.098612, 1.693147, 1, 1.693147],
            two_ones_0=[2.098612, 1.693147, 0, 1.693147], no_one=[0.693147, 0, 0, 0], above_1=[1.693147, 0, 0, 0],
            missing=[1.693147, 1, 1, 1], infinite=[1.693147, 1, -np.inf, 1], nan=[1.693147, 1, np.nan, 1],
            domain=ValueError, base_10=[1.30103, 1, 0, 1], base_2=[2, 1, 0, 1],
            of_share=[-0.098612, -0.791759, 0, -0.791759], alphabet=[1, 1, 0, 1.693147], present=[1.693147, 1, 1],
            own=[1.693147, 1.693147, 1, 1],
        ) | {
            f"words that do not occur have the value 0: here {tiny:g} was added to c": [1.693147, 1, one, 1]
            for tiny, one in ((1e-12, -26.631021), (1e-10, -22.025851), (1e-9, -19.723266), (1e-8, -17.420681),
                              (1e-6, -12.815511))
        },
    )
    check(term_frequency, longer.split(), list(five), kind="scaled").equals(
        [2 / 5, 1 / 5, 0, 1 / 5, 0],
        near=near(
            ignored=[2, 1, 0, 1, 0], itself=[2 / 6, 1 / 6, 0, 1 / 6, 0], repeats=[2 / 6, 1 / 7, 0, 1 / 7, 0],
            as_relative=[2 / 8, 1 / 8, 0, 1 / 8, 0], most=[1, 0.5, 0, 0.5, 0], outside=[1, 0.5, 0, 0.5, 0],
            strangers=[2 / 3, 1 / 3, 0, 1 / 3, 0],
        ) | {"the other words are the words in x, not those of the vocabulary": [2 / 4, 1 / 4, 0, 1 / 4, 0]},
    )
    check(term_frequency, "The the sea The".split(), ["the", "sea", "The"]).equals(
        [1, 1, 2], about="capitals",
        near=near(lowered=[3, 1, 0], once=[1, 1, 1], shares=[0.25, 0.25, 0.5])
        | {"tokens and vocabulary were lowered; take the words as they come": [3, 1, 3]},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    says |= {
        "both_lowered": "tokens and vocabulary were lowered; take the words as they come",
        "own_known": "only the words of the text have a number, in its order; each vocabulary word needs one",
        "inside": "the other words are those of the text, the word itself left out; do not look at the vocabulary",
        "all_words": "the other words are the words in x, not those of the vocabulary",
        "empty": "an empty text leaves nothing to divide by; its values are 0",
        "empty_nan": "an empty text leaves nothing to divide by: 0/0 is NaN; its values are 0",
        "nothing": "an empty text, too, has a number for each vocabulary word: 0",
        "zero": "there is no other word: divide by at least 1, never by zero",
        "zero_inf": "there is no other word, so this divides by zero: divide by at least 1",
        "zero_nan": "there is no other word, so this divides by zero; divide by at least 1",
        "no_value": "there is no other word: divide by at least 1, so that the value is the count, not 0",
        "two": "you divided by at least 2; the table says at least 1",
        "overflow": "the counts overflow their small integer dtype",
    }

    def count(tokens, words):
        return np.array([tokens.count(w) for w in words], dtype=float)

    def right(kind, c, total, kinds):
        log = np.log(np.maximum(c, 1))
        return {
            "raw": c, "binary": np.sign(c), "relative": c / total, "scaled": c / (kinds - 1), "log": np.sign(c) + log
        }[kind]

    def mistakes(kind, tokens, vocabulary):
        c, total, kinds = count(tokens, vocabulary), len(tokens), len(set(tokens))
        low, size, text = [t.lower() for t in tokens], len(vocabulary), " ".join(tokens)
        there, some, log = np.sign(c), np.sum(c > 0), np.log(np.maximum(c, 1))
        own = list(dict.fromkeys(tokens))
        other = {
            "alphabet": count(tokens, sorted(vocabulary)), "pieces": count(text, vocabulary), "present": c[c > 0],
            "own": count(tokens, own), "own_known": count(tokens, [w for w in own if w in vocabulary]),
        }
        values = {k: right(kind, v, total, kinds) for k, v in other.items()}
        values["dict"] = dict(zip(vocabulary, right(kind, c, total, kinds), strict=True))
        values["lowered"] = right(kind, count(low, vocabulary), total, len(set(low)))
        values["both_lowered"] = right(kind, count(low, [w.lower() for w in vocabulary]), total, len(set(low)))
        if kind != "raw":
            values["ignored"] = c
        values |= {
            "raw": {"once": there, "shares": c / total},
            "binary": {"just_one": c == 1, "repeated": c > 1, "absent": c == 0},
            "relative": {
                "vocabulary": c / size, "different": c / kinds, "known": c / c.sum(), "found": c / some,
                "as_scaled": c / (kinds - 1), "characters": c / len(text), "letters": c / len("".join(tokens)),
                "rest": c / (total - c), "largest": c / c.max(), "one_more": c / (total + 1),
            },
            "scaled": {
                "itself": c / kinds, "repeats": c / (total - c), "tokens": c / (total - 1), "as_relative": c / total,
                "outside": c / (some - 1), "inside": c / some, "all_words": c / (size - 1), "size": c / size,
                "strangers": c / (kinds - some), "most": c / c.max(), "half": 0.5 + 0.5 * c / c.max(),
            },
            "log": {
                "inner": np.log1p(c), "two_ones": 1 + np.log1p(c), "two_ones_0": there * (1 + np.log1p(c)),
                "no_one": log, "above_1": (c > 1) * (1 + log), "missing": 1 + log,
                "infinite": np.where(c > 0, 1 + log, -np.inf), "nan": np.where(c > 0, 1 + log, np.nan),
                "domain": ValueError, "base_10": there + log / np.log(10), "base_2": there + log / np.log(2),
                "of_share": there * (1 + log - np.log(total)),
            },
        }[kind]
        return near(**values) | (tiny_added(c) if kind == "log" else {})

    def tiny_added(c):
        return {f"words that do not occur have the value 0: here {tiny:g} was added to c": 1 + np.log(c + tiny)
                for tiny in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6)}

    words = "in win on won now know a an In Win On Won Now Know A An".split()
    for kind in ("raw", "binary", "relative", "scaled", "log"):
        names = list(map(str, check.rng.permutation(words)))
        repeats = [0, 1, 2, 3, *map(int, check.rng.integers(3, 6, size=12))]
        tokens = [str(t) for t in check.rng.permutation(np.repeat(names, repeats))]
        if len(tokens) == 50:  # of which the shares have two digits
            tokens.append("won")
        vocabulary = [str(w) for w in check.rng.permutation([*names[:10], "never"])]
        c = (np.array(vocabulary)[:, None] == np.array(tokens)).sum(1)
        check(term_frequency, list(tokens), list(vocabulary), kind=kind).equals(
            right(kind, c, len(tokens), np.unique(tokens).size), about=f"random tokens, {kind}", rtol=1e-4,
            near=mistakes(kind, tokens, vocabulary),
        )
    for kind in ("relative", "scaled", "log"):
        check(term_frequency, [], ["a", "b"], kind=kind).equals(
            [0, 0], about="empty text", edge=True,
            near=near(empty=ZeroDivisionError, nothing=[], dict={"a": 0, "b": 0})
            | (
                near(domain=ValueError, missing=[1, 1], infinite=[-np.inf] * 2, nan=[np.nan] * 2, two_ones=[1, 1])
                | tiny_added(np.zeros(2)) if kind == "log" else near(empty_nan=[np.nan] * 2)
            ),
        )
    check(term_frequency, ["a", "a", "a", "a"], ["a", "b", "c", "d", "e"], kind="scaled").equals(
        [4, 0, 0, 0, 0], about="one word only", edge=True,
        near=near(
            zero=ZeroDivisionError, zero_inf=[np.inf, 0, 0, 0, 0], zero_nan=[np.inf, *[np.nan] * 4],
            no_value=[0] * 5, two=[2, 0, 0, 0, 0], most=[1, 0, 0, 0, 0], as_relative=[1, 0, 0, 0, 0],
            size=[0.8, 0, 0, 0, 0], all_words=[1, 0, 0, 0, 0], tokens=[4 / 3, 0, 0, 0, 0], half=[1, 0.5, 0.5, 0.5, 0.5],
        ),
    )
    for kind in ("raw", "binary", "relative", "scaled", "log"):
        check(term_frequency, ["a"], ["a"], kind=kind).equals(
            [1], about="one word in text and vocabulary", edge=True,
            near={"the shape is (M,), also for a vocabulary of one word": 1} | near(zero=ZeroDivisionError)
            | {"scaled": near(two=[0.5], zero_inf=[np.inf], no_value=[0]), "binary": near(repeated=[0]), "log": near(
                no_one=[0], above_1=[0], inner=[np.log(2)])}.get(kind, {}),
        )
    many = [f"w{i}" for i in check.rng.permutation(120)]
    check(term_frequency, [*many, "", ""], [*many[:99], ""]).equals(
        [1] * 99 + [2], about="many words, one of them empty", edge=True,
        near={"an empty token is a token like any other": [1] * 99 + [0]}
        | near(once=[1] * 100, shares=[1 / 122] * 99 + [2 / 122]),
    )
    check(term_frequency, ["a"] * 300 + ["b"], ["a", "b"]).equals(
        [300, 1], about="a long text", edge=True,
        near=near(overflow=[44, 1], once=[1, 1], shares=[300 / 301, 1 / 301]),
    )
    ### END HIDDEN TESTS


score
