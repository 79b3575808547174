from helpers.checks import graded


@graded("ngram", points=6)
def score(check):
    import math
    from collections import Counter

    followers = "V is the size that is given, not the number of words seen after this context"
    no_key = "what a dictionary does not hold counts 0, and has no key: take .get(key, 0)"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a context counts only where a token follows it: the last tokens of the text begin no n-gram": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}, {('a',): 2, ('b',): 1, ('c',): 1}),
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 2, ('c', 'a'): 1}),
            3: ({('b',): 3, ('a',): 1}, {(): 5}),
            4: ({}, {('a', 'b', 'c'): 1}),
        },
        "the last n-gram is missing: there are len(tokens) - n + 1 of them": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1}, {('a',): 1, ('b',): 1}),
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 1, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('a', 'b'): 2, ('b', 'a'): 1, ('a', 'c'): 1, ('c', 'a'): 1}),
            3: ({('b',): 2, ('a',): 1}, {(): 3}),
        },
        "keys are tuples of tokens, not text": {
            1: ({'a b': 1, 'b a': 1, 'a c': 1}, {'a': 2, 'b': 1}),
            2: ({'a b a': 2, 'b a c': 2, 'a c a': 1, 'c a b': 1}, {'a b': 2, 'b a': 2, 'a c': 1, 'c a': 1}),
            3: ({'b': 3, 'a': 1}, {'': 4}),
        },
        "the contexts are the first n - 1 tokens: these are the last n - 1": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}, {('b',): 1, ('a',): 1, ('c',): 1}),
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('b', 'a'): 2, ('a', 'c'): 2, ('c', 'a'): 1, ('a', 'b'): 1}),
        },
        "a context of one token is the tuple (token,), not the token itself": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}, {'a': 2, 'b': 1}),
        },
        "the text was padded at the start: only tokens of the text count": {
            1: ({('<s>', 'a'): 1, ('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1},
             {('<s>',): 1, ('a',): 2, ('b',): 1}),
            2: ({('<s>', '<s>', 'a'): 1,
              ('<s>', 'a', 'b'): 1,
              ('a', 'b', 'a'): 2,
              ('b', 'a', 'c'): 2,
              ('a', 'c', 'a'): 1,
              ('c', 'a', 'b'): 1},
             {('<s>', '<s>'): 1, ('<s>', 'a'): 1, ('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 1, ('c', 'a'): 1}),
            4: ({('<s>', '<s>', '<s>', 'a'): 1, ('<s>', '<s>', 'a', 'b'): 1, ('<s>', 'a', 'b', 'c'): 1},
             {('<s>', '<s>', '<s>'): 1, ('<s>', '<s>', 'a'): 1, ('<s>', 'a', 'b'): 1}),
        },
        "the text was padded at both ends: only tokens of the text count": {
            1: ({('<s>', 'a'): 1, ('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1, ('c', '</s>'): 1},
             {('<s>',): 1, ('a',): 2, ('b',): 1, ('c',): 1}),
            2: ({('<s>', '<s>', 'a'): 1,
              ('<s>', 'a', 'b'): 1,
              ('a', 'b', 'a'): 2,
              ('b', 'a', 'c'): 2,
              ('a', 'c', 'a'): 1,
              ('c', 'a', 'b'): 1,
              ('a', 'c', '</s>'): 1},
             {('<s>', '<s>'): 1, ('<s>', 'a'): 1, ('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 2, ('c', 'a'): 1}),
            3: ({('b',): 3, ('a',): 1, ('</s>',): 1}, {(): 5}),
            4: ({('<s>', '<s>', '<s>', 'a'): 1,
              ('<s>', '<s>', 'a', 'b'): 1,
              ('<s>', 'a', 'b', 'c'): 1,
              ('a', 'b', 'c', '</s>'): 1},
             {('<s>', '<s>', '<s>'): 1, ('<s>', '<s>', 'a'): 1, ('<s>', 'a', 'b'): 1, ('a', 'b', 'c'): 1}),
        },
        "two dictionaries are asked for: the counts of the contexts are missing": {
            1: {('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1},
            2: {('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
            3: {('b',): 3, ('a',): 1},
            4: {},
        },
        "a window at the end of the text is shorter than n: it is no n-gram": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1, ('c',): 1}, {('a',): 2, ('b',): 1, ('c',): 1}),
            2: ({('a', 'b', 'a'): 2,
              ('b', 'a', 'c'): 2,
              ('a', 'c', 'a'): 1,
              ('c', 'a', 'b'): 1,
              ('a', 'c'): 1,
              ('c',): 1},
             {('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 2, ('c', 'a'): 1, ('c',): 1}),
            4: ({('a', 'b', 'c'): 1, ('b', 'c'): 1, ('c',): 1}, {('a', 'b', 'c'): 1, ('b', 'c'): 1, ('c',): 1}),
        },
        "the contexts hold n - 1 tokens: here shorter ones were counted, too": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}, {(): 3, ('a',): 2, ('b',): 1}),
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {(): 6,
              ('a',): 3,
              ('a', 'b'): 2,
              ('b',): 2,
              ('b', 'a'): 2,
              ('a', 'c'): 1,
              ('c',): 1,
              ('c', 'a'): 1}),
        },
        "the n-grams overlap: move on by one token, not by n": {
            1: ({('a', 'b'): 1, ('a', 'c'): 1}, {('a',): 2}),
            2: ({('a', 'b', 'a'): 1, ('c', 'a', 'b'): 1}, {('a', 'b'): 1, ('c', 'a'): 1}),
        },
        "pieces at the end are shorter than n: they are no n-grams": {
            1: ({('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1, ('c',): 1}, {('a',): 2, ('b',): 1, (): 1}),
            2: ({('a', 'b', 'a'): 2,
              ('b', 'a', 'c'): 2,
              ('a', 'c', 'a'): 1,
              ('c', 'a', 'b'): 1,
              ('a', 'c'): 1,
              ('c',): 1},
             {('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 1, ('c', 'a'): 1, ('a',): 1, (): 1}),
            4: ({('a', 'b', 'c'): 1, ('b', 'c'): 1, ('c',): 1}, {('a', 'b'): 1, ('b',): 1, (): 1}),
        },
        "the two counters are exchanged": {
            1: ({('a',): 2, ('b',): 1}, {('a', 'b'): 1, ('b', 'a'): 1, ('a', 'c'): 1}),
            2: ({('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 1, ('c', 'a'): 1},
             {('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1}),
            3: ({(): 4}, {('b',): 3, ('a',): 1}),
        },
        "the contexts hold n - 1 tokens: these hold the last of them only": {
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('b',): 2, ('a',): 3, ('c',): 1}),
        },
        "the contexts hold n - 1 tokens: these hold the first of them only": {
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('a',): 3, ('b',): 2, ('c',): 1}),
            3: ({('b',): 3, ('a',): 1}, {('b',): 3, ('a',): 1}),
        },
        "each n-gram counts as often as it occurs": {
            2: ({('a', 'b', 'a'): 1, ('a', 'c', 'a'): 1, ('b', 'a', 'c'): 1, ('c', 'a', 'b'): 1},
             {('a', 'b'): 1, ('a', 'c'): 1, ('b', 'a'): 1, ('c', 'a'): 1}),
            3: ({('a',): 1, ('b',): 1}, {(): 2}),
        },
        "each n-gram counts as often as it occurs: here 1 was written, not added": {
            2: ({('a', 'b', 'a'): 1, ('b', 'a', 'c'): 1, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 1, ('c', 'a'): 1}),
            3: ({('b',): 1, ('a',): 1}, {(): 4}),
        },
        "each n-gram counts as often as it occurs: a context counts all of them, here each different one once": {
            2: ({('a', 'b', 'a'): 2, ('b', 'a', 'c'): 2, ('a', 'c', 'a'): 1, ('c', 'a', 'b'): 1},
             {('a', 'b'): 1, ('a', 'c'): 1, ('b', 'a'): 1, ('c', 'a'): 1}),
            3: ({('b',): 3, ('a',): 1}, {(): 2}),
        },
        "n was ignored: these are bigrams": {
            2: ({('a', 'b'): 2, ('b', 'a'): 2, ('a', 'c'): 2, ('c', 'a'): 1}, {('a',): 4, ('b',): 2, ('c',): 1}),
            3: ({('b', 'a'): 1, ('a', 'b'): 1, ('b', 'b'): 1}, {('b',): 2, ('a',): 1}),
            4: ({('a', 'b'): 1, ('b', 'c'): 1}, {('a',): 1, ('b',): 1}),
        },
        "for n = 1 the only context is the empty tuple: it is missing": {
            3: ({('b',): 3, ('a',): 1}, {}),
        },
        "lists serve as keys only when they are made tuples": {
            4: {},
        },
        "k is added once for each of the V words: the denominator grows by k times V": {
            5: 0.555556,
            6: 0.111111,
            7: 1.0,
        },
        "k is added to the count of the n-gram, too": {
            5: 0.25,
            6: 0.0,
            7: 0.0,
        },
        "nothing was smoothed: k is missing above and below": {
            5: 0.5,
            6: 0.0,
        },
        "k is added above, but nothing below: the probabilities no longer add up to 1": {
            5: 0.625,
            6: 0.125,
        },
        "V is the size that is given, not the number of n-grams seen": {
            5: 0.217391,
            6: 0.0434783,
            7: 0.0666667,
        },
        "V is the size that is given, not the number of words seen after this context": {
            5: 0.454545,
            6: 0.0909091,
        },
        "the denominator grows by k times V: here k and V were both added": {
            5: 0.294118,
            6: 0.04,
            7: 0.0909091,
        },
        "k was added only to n-grams never seen: it is added to the count of every n-gram": {
            5: 0.25,
        },
        "an n-gram that was seen got its plain share: k is added above and below for each n-gram, seen or not": {
            5: 0.5,
        },
        "the count of the context was divided by the number of n-grams: use the count of this context": {
            5: 0.151515,
            6: 0.0172414,
            7: 0.0285714,
        },
        "the word comes after its context in the n-gram: here it is before": {
            5: 0.0625,
        },
        "k is missing beside V: the denominator grows by k times V": {
            6: 0.0416667,
        },
        "1 was added above, whatever k is": {
            6: 0.125,
        },
        "k was ignored: here it counts as 1": {
            6: 0.0833333,
            8: 0.125,
        },
        "an n-gram never seen has the count 0, and k is added to it as to any other": {
            6: 0.0,
            7: 0.0,
        },
        "V is the size that is given, not the number of contexts seen": {
            7: 0.125,
        },
        "the logarithm of a probability is below 0: the sign is missing": {
            9: float("-inf"),
            10: -1.38629,
            11: -460.517,
        },
        "the mean of the probabilities came before the logarithm: take the logarithm of each": {
            9: 1.38629,
            10: 1.23214,
        },
        "these are bits: take the natural logarithm": {
            10: 2.0,
            11: 664.386,
        },
        "this is the sum: divide by the number of probabilities": {
            10: 4.15888,
            11: 921.034,
        },
        "this is the perplexity: leave the exponential out": {
            10: 4.0,
            11: 1e+200,
        },
        "the logarithm to base 10 was taken": {
            10: 0.60206,
            11: 200.0,
        },
        "each term was multiplied by its probability: a text has one term for each token, all alike": {
            10: 0.317692,
            11: 0.0,
        },
        "each term was multiplied by its probability, and summed: that is an entropy": {
            10: 0.953077,
            11: 0.0,
        },
        "2 to the power of nats: the base of the power is e here": {
            12: 2.61406,
            14: 24.3385,
        },
        "this is 1 over the mean probability: the mean is taken of the logarithms": {
            12: 3.42857,
            13: 4.0,
        },
        "this is the cross-entropy: take its exponential": {
            12: 1.38629,
            14: 4.60517,
        },
        "e was raised to bits: the logarithm must be natural, too": {
            12: 7.38906,
            14: 768.051,
        },
        "the logarithms were summed, not their mean taken: that is the product without its root": {
            12: 64.0,
            14: 100000000000000.0,
        },
        "the sign is reversed: perplexity is at least 1": {
            12: 0.25,
            13: 0.0,
            14: 0.01,
        },
    })
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


score
