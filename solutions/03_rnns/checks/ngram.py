from helpers.checks import graded


@graded("ngram", points=6)
def score(check):
    import math
    from collections import Counter

    followers = "V is the size that is given, not the number of words seen after this context"
    no_key = "what a dictionary does not hold counts 0, and has no key: take .get(key, 0)"

    ### BEGIN MISTAKES
    import numpy as np

    once = "each n-gram counts as often as it occurs"

    def tally(items):
        return dict(Counter(items))

    def slices(t, n):
        return [tuple(t[i : i + n]) for i in range(len(t) - n + 1)]

    def counted(keys):
        return tally(keys), tally(key[:-1] for key in keys)

    def as_text(t, n):
        keys = slices(t, n)
        texts = [" ".join(key) for key in keys]
        contexts = [" ".join(key[:-1]) for key in keys]
        return tally(texts), tally(contexts)

    check.mistakes({
        "a context counts only where a token follows it: the last tokens of the text begin no n-gram":
            lambda t, n: (tally(slices(t, n)), tally(slices(t, n - 1))),
        "the last n-gram is missing: there are len(tokens) - n + 1 of them": lambda t, n: counted(slices(t, n)[:-1]),
        "keys are tuples of tokens, not text": as_text,
        "the contexts are the first n - 1 tokens: these are the last n - 1":
            lambda t, n: (tally(slices(t, n)), tally(g[1:] for g in slices(t, n))),
        "the contexts hold n - 1 tokens: these hold the last of them only":
            lambda t, n: (tally(slices(t, n)), tally(g[-2:-1] for g in slices(t, n))),
        "the contexts hold n - 1 tokens: these hold the first of them only":
            lambda t, n: (tally(slices(t, n)), tally(g[:1] for g in slices(t, n))),
        "a context of one token is the tuple (token,), not the token itself":
            lambda t, n: (tally(slices(t, n)), tally(g[0] if n == 2 else g[:-1] for g in slices(t, n))),
        "for n = 1 the only context is the empty tuple: it is missing":
            lambda t, n: (tally(slices(t, n)), tally(g[:-1] for g in slices(t, n) if n > 1)),
        "the text was padded at the start: only tokens of the text count":
            lambda t, n: counted(slices(["<s>"] * (n - 1) + t, n)),
        "the text was padded at both ends: only tokens of the text count":
            lambda t, n: counted(slices(["<s>"] * (n - 1) + t + ["</s>"], n)),
        "two dictionaries are asked for: the counts of the contexts are missing": lambda t, n: tally(slices(t, n)),
        "a window at the end of the text is shorter than n: it is no n-gram":
            lambda t, n: (tally(tuple(t[i : i + n]) for i in range(len(t))),
                tally(tuple(t[i : i + n - 1]) for i in range(len(t)))),
        once: lambda t, n: counted(sorted(set(slices(t, n)))),
        once + ": here 1 was written, not added":
            lambda t, n: (dict.fromkeys(slices(t, n), 1), counted(slices(t, n))[1]),
        once + ": a context counts all of them, here each different one once":
            lambda t, n: (counted(slices(t, n))[0], counted(sorted(set(slices(t, n))))[1]),
        "the contexts hold n - 1 tokens: here shorter ones were counted, too":
            lambda t, n: (tally(slices(t, n)), tally(g[:m] for g in slices(t, n) for m in range(n))),
        "the n-grams overlap: move on by one token, not by n":
            lambda t, n: counted([tuple(t[i : i + n]) for i in range(0, len(t) - n + 1, n)]),
        "pieces at the end are shorter than n: they are no n-grams":
            lambda t, n: counted([tuple(t[i : i + n]) for i in range(len(t))]),
        "n was ignored: these are bigrams": lambda t, n: counted(slices(t, 2)),
        "the two counters are exchanged": lambda t, n: counted(slices(t, n))[::-1],
        "lists serve as keys only when they are made tuples": lambda t, n: tally([list(g) for g in slices(t, n)]),
    }, count_ngrams)

    def smoothed(word, context, ngrams, contexts, size, k=1.0, *, above=None, below=None):
        ngrams, contexts = Counter(ngrams), Counter(contexts)
        return (ngrams[(*context, word)] + (k if above is None else above)) / (contexts[context]
            + (k * size if below is None else below))

    check.mistakes({
        "k is added once for each of the V words: the denominator grows by k times V":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, below=k),
        "k is added to the count of the n-gram, too":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=0),
        "nothing was smoothed: k is missing above and below":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=0, below=0),
        "k is added above, but nothing below: the probabilities no longer add up to 1":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, below=0),
        "k is missing beside V: the denominator grows by k times V":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, below=size),
        "1 was added above, whatever k is": lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=1),
        "k was ignored: here it counts as 1": lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, 1.0),
        "V is the size that is given, not the number of contexts seen":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, len(s), k),
        "V is the size that is given, not the number of n-grams seen":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, len(g), k),
        followers: lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, sum(x[:-1] == c for x in g), k),
        "the denominator grows by k times V: here k and V were both added":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, below=k + size),
        "k was added only to n-grams never seen: it is added to the count of every n-gram":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k, above=0 if (*c, w) in g else k),
        "an n-gram that was seen got its plain share: k is added above and below for each n-gram, seen or not":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, 0 if (*c, w) in g else k),
        "the count of the context was divided by the number of n-grams: use the count of this context":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, {c: sum(g.values())}, size, k),
        "the word comes after its context in the n-gram: here it is before":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, {(*c, w): g.get((w, *c), 0)}, s, size, k),
        no_key: lambda w, c, g, s, size, k=1.0: (g[(*c, w)] + k) / (s[c] + k * size),
        "k = 0 is no special case: where the context was seen, the plain share of counts comes":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k) if k else 0.0,
        "an n-gram never seen has the count 0, and k is added to it as to any other":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c, g, s, size, k) * ((*c, w) in g),
        "the context was cut to its last token: use all of it":
            lambda w, c, g, s, size, k=1.0: smoothed(w, c[-1:], g, s, size, k),
    }, add_k)

    def entropy(p, log=np.log):
        return float(-np.mean(log(np.asarray(p, dtype=float))))

    check.mistakes({
        "these are bits: take the natural logarithm": lambda p: entropy(p, np.log2),
        "this is the sum: divide by the number of probabilities": lambda p: entropy(p) * len(p),
        "the logarithm of a probability is below 0: the sign is missing": lambda p: -entropy(p),
        "the mean of the probabilities came before the logarithm: take the logarithm of each":
            lambda p: -math.log(np.mean(p)),
        "this is the perplexity: leave the exponential out": lambda p: math.exp(entropy(p)),
        "the logarithm to base 10 was taken": lambda p: entropy(p, np.log10),
        "each term was multiplied by its probability: a text has one term for each token, all alike":
            lambda p: float(-np.mean(np.asarray(p) * np.log(p))),
        "each term was multiplied by its probability, and summed: that is an entropy":
            lambda p: float(-np.sum(np.asarray(p) * np.log(p))),
    }, cross_entropy)
    check.mistakes({
        "2 to the power of nats: the base of the power is e here": lambda p: 2 ** entropy(p),
        "this is 1 over the mean probability: the mean is taken of the logarithms": lambda p: 1 / float(np.mean(p)),
        "this is the cross-entropy: take its exponential": entropy,
        "e was raised to bits: the logarithm must be natural, too": lambda p: math.exp(entropy(p, np.log2)),
        "the logarithms were summed, not their mean taken: that is the product without its root":
            lambda p: math.exp(entropy(p) * len(p)),
        "the sign is reversed: perplexity is at least 1": lambda p: math.exp(-entropy(p)),
    }, perplexity)
    ### END MISTAKES
    unseen_0 = "a context never seen has the count 0, and k is added as for any other"
    small = "a b a c".split()
    first = check(count_ngrams, small, 2).equals(
        ({("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 1}, {("a",): 2, ("b",): 1})
    )
    three = {("a", "b", "a"): 2, ("b", "a", "c"): 2, ("a", "c", "a"): 1, ("c", "a", "b"): 1}
    two_before = {("a", "b"): 2, ("b", "a"): 2, ("a", "c"): 1, ("c", "a"): 1}
    check(count_ngrams, "a b a c a b a c".split(), 3).equals((three, two_before), about="groups of three")
    check(count_ngrams, "b a b b".split(), 1).equals(
        ({("b",): 3, ("a",): 1}, {(): 4}), about="single tokens",
        near={"a key is a tuple for n = 1, too: (token,)": ({"b": 3, "a": 1}, {(): 4})}
    )
    check(count_ngrams, ["a", "b", "c"], 4).equals(({}, {}), about="fewer than n tokens", edge=True)
    corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    grams = dict(Counter(zip(corpus, corpus[1:], strict=False)))
    contexts = dict(Counter((w,) for w in corpus[:-1]))
    check(add_k, "dog", ("the",), grams, contexts, 8).equals(5 / 16, about="the small corpus")
    half = check(add_k, "cat", ("dog",), grams, contexts, 8, k=0.5).equals(
        0.5 / 8, about="a pair never seen", near={no_key: KeyError}
    )
    check(add_k, "cat", ("zebra",), grams, contexts, 10).equals(
        1 / 10, about="a context never seen", near={no_key: KeyError, unseen_0: 0.0, followers: 0.0}
    )
    check(add_k, "cat", ("zebra",), grams, contexts, 8, k=0).equals(
        0.0, about="a context never seen, k = 0", edge=True,
        near={"the denominator is 0: return 0.0": ZeroDivisionError, no_key: KeyError}
        | ({"the denominator is 0: return 0.0, not 1 / V": 0.125} if half.passed else {})
    )
    check(cross_entropy, [0.5, 0.0]).equals(math.inf, about="an impossible word", edge=True,
        near={"the logarithm of 0 cannot be taken: return math.inf": ValueError,
        "a word of probability 0 must not be left out": math.log(2)})
    check(cross_entropy, [0.5, 0.25, 0.125]).equals(2 * math.log(2))
    check(cross_entropy, [1e-200, 1e-200]).equals(
        460.517, rtol=1e-4, about="a product below all floats",
        near={"the product of the probabilities is 0 in floats: add their logarithms": math.inf},
    )
    check(perplexity, [0.5, 0.25, 0.125]).equals(4.0)
    check(perplexity, [0.5, 0.0]).equals(
        math.inf, about="an impossible word", edge=True, near={"the logarithm of 0 cannot be taken": ValueError}
    )
    check(perplexity, [0.01] * 7).equals(100.0, about="a hundred equal words")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    words = list("abcde")
    for n, size in ((1, 30), (2, 40), (3, 40), (3, 60), (3, 60), (4, 50), (66, 90)):
        tokens = [str(w) for w in check.rng.choice(words, size=size)]
        keys = [tuple(tokens[i - n + 1 : i + 1]) for i in range(n - 1, size)]
        below = {}
        for key in keys:
            below[key[:-1]] = below.get(key[:-1], 0) + 1
        check(count_ngrams, tokens, n).equals((tally(keys), below), about="random tokens")
    blank = "tokens are any values that a dictionary takes: 0, the empty text and text with a blank are some, too"
    for tokens in ([0, 1, 0, 0, 2, 0, 1], ["New York", "", "New", "York", "", "New York", ""], (3, 0, 3, 0)):
        pairs = list(zip(tokens, tokens[1:], strict=False))
        pair_counts = {pair: pairs.count(pair) for pair in pairs}
        followed = tokens[:-1]
        context_counts = {(token,): followed.count(token) for token in followed}
        check(count_ngrams, tokens, 2).equals((pair_counts, context_counts),
            about="numbers, or texts with blanks, as tokens", near={} if first.error else {blank: Exception})
    short = {} if first.error else {"fewer than n tokens give two empty dictionaries, and no error": Exception}
    check(count_ngrams, ["a"], 2).equals(({}, {}), about="fewer tokens than n", edge=True, near=short)
    check(count_ngrams, [], 1).equals(({}, {}), about="no tokens", edge=True, near=short | {
        "without tokens nothing follows the empty context: two empty dictionaries, not a count of 0": ({}, {(): 0})})
    for n, k, size in ((2, 1.0, 9), (3, 0.1, 1000), (1, 2.0, 7), (3, 0.7, 9), (2, 0.0, 70), (4, 1e-3, 26)):
        tokens = [str(w) for w in check.rng.choice(words, size=60)]
        grams = Counter(tuple(tokens[i : i + n]) for i in range(61 - n))
        contexts = Counter(g[:-1] for g in grams.elements())
        for word in ("a", "z"):
            context = tuple(tokens[: n - 1])
            followers = [g[-1] for g in grams.elements() if g[:-1] == context]
            expected = (followers.count(word) + k) / (len(followers) + size * k)
            check(add_k, word, context, dict(grams), dict(contexts), size, k).equals(expected,
                about="random tokens, several n, k and sizes")
    for word, context, expected in ((0, (0,), 0.5), (0, (1,), 0.4), (1, (2,), 0.25)):
        check(add_k, word, context, {(0, 0): 3, (0, 1): 1, (1, 0): 1}, {(0,): 4, (1,): 1}, 4, 1.0).equals(expected,
            about="numbers as tokens")
    check(add_k, "a", ("a",), {("a", "a"): 2}, {("a",): 2}, 1, 3.0).equals(1.0, about="a vocabulary of one word",
        edge=True)
    other = check(add_k, "a", ("b",), {("c", "a"): 2}, {("c",): 2}, 4).equals(0.25, about="a context never seen",
        near={unseen_0: 0.0})
    check.mistakes({}, add_k)  # all of them divide by 0 here
    check(add_k, "a", ("b",), {("c", "a"): 2}, {("c",): 2}, 4, 1e-9).equals(0.25, about="a context never seen, small k",
        near={"the denominator is small, but not 0": 0.0} if other.passed else {})
    check(add_k, "a", ("b",), {}, {}, 4, 0.0).equals(
        0.0, about="a context never seen, k = 0", edge=True, near={"the denominator is 0: return 0.0":
            ZeroDivisionError, "the denominator is 0: return 0.0, not 1 / V": 0.25})
    for size in (1, 6, 300):
        p = list(map(float, check.rng.uniform(0.01, 1, size=size)))
        check(cross_entropy, p).equals(math.log(1 / math.prod(p)) / size, about="random probabilities",
            edge=size == 1)
    tiny = {"the product of many probabilities is too small to hold: add logarithms": math.inf,
            "the product of many probabilities is too small to hold: the logarithm of 0 was taken": ValueError}
    check(cross_entropy, [1e-5] * 100).equals(5 * math.log(10), about="a long text", near=tiny)
    zero = {"the logarithm of 0 cannot be taken: return math.inf": ValueError,
        "a word of probability 0 must not be left out":
            math.log(2), "a word of probability 0 must not be left out, nor counted alone": math.log(2) / 2}
    for least in (1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16):
        zero[f"the probability 0 was raised to {least:g}: the result is infinite"] = math.log(2 / least) / 2
    for p in ([0.5, 0.0], [0.0, 0.5, 0.5, 0.5]):
        check(cross_entropy, p).equals(math.inf, about="an impossible word", edge=True, near=zero if p[0] else {})
    check(cross_entropy, (1e-60, 1.0, 1e-20)).equals(80 / 3 * math.log(10), about="very small probabilities", near={
        "a small probability was raised, or taken for 0: only 0 itself is special": math.inf})
    for size in (3, 10):
        p = list(map(float, check.rng.uniform(0.05, 1, size=size)))
        check(perplexity, p).equals((1 / math.prod(p)) ** (1 / size), about="the perplexity of random probabilities")
    # Two texts drawn from vectors, random and trained: 6 and all of their 21 bigrams are in the corpus.
    pairs, starts = Counter(zip(corpus, corpus[1:], strict=False)), Counter(corpus[:-1])
    for text, known in (("the dog cat ate ran zoo zoo zoo dog dog cat cat ate ran . ate . ate ate ! the ate", 6),
            ("the dog ate . the dog ! the zoo . the dog ran the zoo . the dog ate the dog !", 21)):
        p = [pairs[pair] / starts[pair[0]] for pair in zip(text.split(), text.split()[1:], strict=False)]
        expected = math.inf if known < len(p) else math.prod(p) ** (-1 / known)
        check(perplexity, p).equals(expected, about=f"a text of which {known} bigrams of 21 are in the corpus")
    check(perplexity, [0.5, 0.0, 0.1]).equals(math.inf, about="the perplexity of an impossible word", edge=True)
    check(perplexity, [1e-60, 1.0, 1e-30]).equals(1e30, about="the perplexity of very small probabilities", rtol=1e-4)
    check(perplexity, [1e-5, 1e-3] * 100).equals(1e4, about="the perplexity of a long text", near={
        "the product of many probabilities is too small to hold: add logarithms": math.inf,
        "the product of many probabilities is too small to hold: its logarithm or its inverse was taken":
            ArithmeticError})
    ### END HIDDEN TESTS


score
