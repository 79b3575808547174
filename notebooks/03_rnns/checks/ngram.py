from helpers.checks import graded


@graded("ngram", points=6)
def score(check):
    import math
    from collections import Counter

    import numpy as np

    followed = "a context counts only where a token follows it: the last tokens of the text begin no n-gram"
    last_lost = "the last n-gram is missing: there are len(tokens) - n + 1 of them"
    joined = "keys are tuples of tokens, not text"
    one_token = "a context of one token is the tuple (token,), not the token itself"
    one_k = "k is added once for each of the N words: the denominator grows by k times N"
    no_k = "k is missing beside N: the denominator grows by k times N"
    no_numerator = "k is added to the count of the n-gram, too"
    no_smoothing = "nothing was smoothed: k is missing above and below"
    bits = "these are bits: take the natural logarithm"
    summed = "this is the sum: divide by the number of probabilities"
    sign = "the logarithm of a probability is below 0: the sign is missing"
    mean_first = "the mean of the probabilities came before the logarithm: take the logarithm of each"
    two = "2 to the power of nats: the base of the power is e here"
    inverse = "this is 1 over the mean probability: the mean is taken of the logarithms"
    entropic = "each term was multiplied by its probability, and summed: that is an entropy"
    below_1 = "the sign is turned round: perplexity is at least 1"
    before = "the word comes after its context in the n-gram: here it stands before"
    only_unseen = "k was added only to n-grams never seen: it is added to the count of every n-gram"
    plain_seen = "an n-gram that was seen got its plain share: k is added above and below for each n-gram, seen or not"
    followers = "N is the size that is given, not the number of words seen after this context"
    plus = "the denominator grows by k times N: here k and N were both added"
    no_key = "what a dictionary does not hold counts 0, and has no key: take .get(key, 0)"
    unseen_0 = "a context never seen has the count 0, and k is added as for any other"
    ignored_k = "k was ignored: here it counts as 1"
    not_root = "the logarithms were summed, not their mean taken: that is the product without its root"
    new_0 = "an n-gram never seen has the count 0, and k is added to it as to any other"

    small = "a b a c".split()
    first = check(count_ngrams, small, 2).equals(
        ({("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 1}, {("a",): 2, ("b",): 1}),
            near={followed: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1},
            {('a',): 2, ('b',): 1, ('c',): 1}), last_lost: ({('a', 'b'): 1, ('b', 'a'): 1},
            {('a',): 1, ('b',): 1}), joined: ({'a b': 1, 'b a': 1, 'a c': 1},
            {'a': 2, 'b': 1}), one_token: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}, {'a': 2, 'b': 1})}
    )
    three = {("a", "b", "a"): 2, ("b", "a", "c"): 2, ("a", "c", "a"): 1, ("c", "a", "b"): 1}
    two_before = {("a", "b"): 2, ("b", "a"): 2, ("a", "c"): 1, ("c", "a"): 1}
    once = "each n-gram counts as often as it occurs"
    shorter = "the contexts hold n - 1 tokens: here shorter ones were counted, too"
    check(count_ngrams, "a b a c a b a c".split(), 3).equals((three, two_before), about="groups of three",
        near={followed: (three, two_before | {("a", "c"): 2}), once: (dict.fromkeys(three, 1),
        dict.fromkeys(two_before, 1)), "the contexts are the first n - 1 tokens: these are the last n - 1": (three,
        {("b", "a"): 2, ("a", "c"): 2, ("c", "a"): 1, ("a", "b"): 1}), shorter: (three, two_before | {
        (): 6, ("a",): 3, ("b",): 2, ("c",): 1}), last_lost: (three | {("b", "a", "c"): 1}, two_before | {
        ("b", "a"): 1})})
    check(count_ngrams, "b a b b".split(), 1).equals(({("b",): 3, ("a",): 1}, {(): 4}), about="single tokens",
        near={"for n = 1 the only context is the empty tuple: it is missing": ({("b",): 3, ("a",): 1}, {}),
        "a key is a tuple for n = 1, too: (token,)": ({"b": 3, "a": 1}, {(): 4}),
        once: ({("b",): 1, ("a",): 1}, {(): 2}),
        followed: ({("b",): 3, ("a",): 1}, {(): 5}), last_lost: ({("b",): 2, ("a",): 1}, {(): 3})})
    corpus = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    grams = dict(Counter(zip(corpus, corpus[1:], strict=False)))
    contexts = dict(Counter((w,) for w in corpus[:-1]))
    check(add_k, "dog", ("the",), grams, contexts, 8).equals(5 / 16, about="the small corpus",
        near={one_k: 0.555556, no_numerator: 0.25, only_unseen: 0.25, no_smoothing: 0.5, plain_seen: 0.5,
        before: 1 / 16, followers: 0.454545, plus: 0.294118})
    check(add_k, "cat", ("dog",), grams, contexts, 8, k=0.5).equals(0.5 / 8, about="a pair never seen",
        near={one_k: 0.111111, no_k: 0.0416667, no_key: KeyError, new_0: 0.0, no_numerator: 0.0, no_smoothing: 0.0,
        ignored_k: 0.0833333, followers: 0.0909091, plus: 0.04})
    check(add_k, "cat", ("zebra",), grams, contexts, 10).equals(1 / 10, about="a context never seen",
        near={no_key: KeyError, unseen_0: 0.0, no_numerator: 0.0, new_0: 0.0, followers: 0.0, plus: 0.0909091,
        "N is the size that is given, not the number of contexts seen": 1 / len(contexts)})
    check(add_k, "cat", ("zebra",), grams, contexts, 8, k=0).equals(0.0, about="a context never seen, k = 0",
        edge=True, near={"the denominator is 0: return 0.0": ZeroDivisionError, no_key: KeyError,
        "the denominator is 0: return 0.0, not 1 / N": 0.125, ignored_k: 0.125})
    check(cross_entropy, [0.5, 0.0]).equals(math.inf, about="an impossible word", edge=True,
        near={"the logarithm of 0 cannot be taken: return math.inf": ValueError,
        "a word of probability 0 must not be left out": math.log(2)})
    check(cross_entropy, [0.5, 0.25, 0.125]).equals(2 * math.log(2), near={bits: 2.0, summed: 4.158883, sign: -1.386294,
        mean_first: 1.232144, entropic: 0.953077})
    check(perplexity, [0.5, 0.25, 0.125]).equals(4.0, near={two: 2.614064, inverse: 3.428571, below_1: 0.25,
        not_root: 64.0})
    check(perplexity, [0.01] * 7).equals(100.0, about="a hundred equal words", near={two: 24.338531, below_1: 0.01,
        not_root: 1e14})


score
