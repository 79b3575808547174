from helpers.checks import graded


@graded("em", points=6)
def score(check):
    look_up = "a part of a word may not be in log_probs: then it is no piece"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a piece at i:j takes beta(j), what follows behind it: here beta(i)": {
            1: {'a': 0.5, 'b': 0.125, 'ab': 0.125, 'c': 0.0},
            2: {'a': 3.25282, 'b': 0.686795, 'ab': 0.625, 'ba': 0.102375},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "a piece at i:j takes alpha(i), what stands before it: here alpha(j)": {
            1: {'a': 0.25, 'b': 0.25, 'ab': 0.125, 'c': 0.0},
            2: {'a': 2.37359, 'b': 1.12641, 'ab': 0.563205, 'ba': 0.16417},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "alpha and beta are exchanged: alpha(i) stands before the piece, beta(j) behind it": {
            1: {'a': 0.25, 'b': 0.0625, 'ab': 0.03125, 'c': 0.0},
            2: {'a': 1.75, 'b': 0.343398, 'ab': 0.15625, 'ba': 0.0339971},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "the probability of the piece itself is missing": {
            1: {'a': 1.0, 'b': 2.0, 'ab': 4.0, 'c': 0.0},
            2: {'a': 8.50564, 'b': 9.01128, 'ab': 18.0226, 'ba': 6.02255},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "beta is missing: what follows the piece has a probability, too": {
            1: {'a': 2.0, 'b': 0.5, 'ab': 0.5, 'c': 0.0},
            2: {'a': 13.5282, 'b': 3.00564, 'ab': 3.00564, 'ba': 0.494361},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "beta is missing, and the probability of the beginning, alpha(j), divides: that of the word is alpha(n)": {
            1: {'a': 1.0, 'b': 0.5, 'ab': 0.5, 'c': 0.0},
            2: {'a': 6.50564, 'b': 2.5, 'ab': 2.5, 'ba': 0.494361},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "alpha is missing: what stands before the piece has a probability, too": {
            1: {'a': 0.5, 'b': 1.0, 'ab': 0.5, 'c': 0.0},
            2: {'a': 8.76974, 'b': 4.50564, 'ab': 2.25282, 'ba': 0.988723},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "the piece's probability was taken twice: alpha(j) has it already": {
            1: {'a': 0.25, 'b': 0.125, 'ab': 0.0625, 'c': 0.0},
            2: {'a': 2.12641, 'b': 0.563205, 'ab': 0.281602, 'ba': 0.0405797},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "alpha is at first 1 at one end and 0 elsewhere: the logarithm of 0 is -inf, not 0": {
            1: {'a': 0.0833333, 'b': 0.25, 'ab': 0.0833333, 'c': 0.0},
            2: {'a': 1.16136, 'b': 0.9502, 'ab': 0.316733, 'ba': 0.131467},
            3: {'a': 4.13994e-08, 'b': 0.000335392, 'ab': 0.0},
        },
        "beta is at first 1 at one end and 0 elsewhere: the logarithm of 0 is -inf, not 0": {
            1: {'a': 2.5, 'b': 0.5, 'ab': 0.5, 'c': 0.0},
            2: {'a': 17.781, 'b': 3.75846, 'ab': 3.75846, 'ba': 0.494361},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "alpha and beta are at first 1 at one end and 0 elsewhere: the logarithm of 0 is -inf, not 0": {
            1: {'a': 0.416667, 'b': 0.25, 'ab': 0.0833333, 'c': 0.0},
            2: {'a': 2.82869, 'b': 1.3506, 'ab': 0.4502, 'ba': 0.131467},
            3: {'a': 0.0185176, 'b': 0.0503149, 'ab': 3.0921e-07},
        },
        "the counts begin at 0, not at 1": {
            1: {'a': 1.5, 'b': 1.5, 'ab': 1.5, 'c': 1.0},
            2: {'a': 5.25282, 'b': 3.25282, 'ab': 3.25282, 'ba': 1.49436},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "pieces as long as the longest were never counted: i:j may be that long": {
            1: {'a': 1.0, 'b': 1.0, 'ab': 0.0, 'c': 0.0},
            2: {'a': 7.0, 'b': 5.0, 'ab': 0.0, 'ba': 0.0},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': 0.0},
        },
        "a piece may end with the word: j goes up to its length. Without that the word has the probability 0": {
            1: {'a': float("nan"), 'b': 0.0, 'ab': 0.0, 'c': 0.0},
            2: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan"), 'ba': 0.0},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "these are shares: the expected counts are asked": {
            1: {'a': 0.333333, 'b': 0.333333, 'ab': 0.333333, 'c': 0.0},
            2: {'a': 0.459624, 'b': 0.243474, 'ab': 0.243474, 'ba': 0.0534282},
            3: {'a': float("nan"), 'b': float("nan"), 'ab': float("nan")},
        },
        "only the best cut was counted: all cuts count, each by its probability": {
            1: {'a': 0.0, 'b': 0.0, 'ab': 1.0, 'c': 0.0},
            2: {'a': 2.0, 'b': 0.0, 'ab': 5.0, 'ba': 0.0},
        },
        "divide by the probability of the word: all its cuts together have weight 1": {
            1: {'a': 0.125, 'b': 0.125, 'ab': 0.125, 'c': 0.0},
            2: {'a': 0.832085, 'b': 0.5, 'ab': 0.5, 'ba': 0.082085},
        },
        "places were counted, whatever their probability": {
            1: {'a': 1.0, 'b': 1.0, 'ab': 1.0, 'c': 0.0},
            2: {'a': 11.0, 'b': 5.0, 'ab': 5.0, 'ba': 2.0},
        },
        "alpha and beta are sums over cuts, not the best of them": {
            1: {'a': 1.0, 'b': 1.0, 'ab': 1.0, 'c': 0.0},
            2: {'a': 7.0, 'b': 5.0, 'ab': 5.0, 'ba': 1.31336},
        },
        "a piece that is never used has 0, and is not left out": {
            1: {'a': 0.5, 'b': 0.5, 'ab': 0.5},
        },
        "how often each word occurs was ignored": {
            2: {'a': 1.87641, 'b': 0.87641, 'ab': 0.87641, 'ba': 0.247181},
        },
        "each cut has a weight of its own: its probability, divided by that of all cuts": {
            2: {'a': 4.16667, 'b': 2.16667, 'ab': 2.16667, 'ba': 0.666667},
        },
        "a piece that stands twice in a cut counts twice": {
            2: {'a': 3.5, 'b': 2.25282, 'ab': 2.25282, 'ba': 0.494361},
        },
        "the weights are probabilities, not their logarithms": {
            2: {'a': 4.13458, 'b': 2.13458, 'ab': 2.13458, 'ba': 0.730837},
        },
        "the weights are probabilities: no root and no square": {
            2: {'a': 4.32263, 'b': 2.32263, 'ab': 2.32263, 'ba': 0.354741},
        },
        "this is the logarithm: digamma is asked": {
            4: {'a': -0.485508, 'b': -1.17865, 'd': -2.56495},
            5: {'a': -0.405465, 'b': -1.09861},
        },
        "the sum goes over the pieces that are kept": {
            4: {'a': -0.577526, 'b': -1.41086, 'd': -3.79715},
            5: {'a': -0.725674, 'b': -1.55901},
        },
        "pieces below `fewest` are dropped": {
            4: {'a': -0.577526, 'b': -1.41086, 'c': -6.0611, 'd': -3.79715},
            5: {'a': -0.725674, 'b': -1.55901, 'c': -6.20925, 'd': -1.9453},
        },
        "a count of exactly `fewest` is kept": {
            4: {'a': -0.45, 'b': -1.28333},
            5: {'a': 0.0},
        },
        "digamma of the sum, not the logarithm of it": {
            4: {'a': -0.615685, 'b': -1.44902, 'd': -3.83531},
            5: {'a': -0.535642, 'b': -1.36898},
        },
        "digamma of the count, not the logarithm of it": {
            4: {'a': -0.406617, 'b': -1.09976, 'd': -2.48606},
            5: {'a': -0.319823, 'b': -1.01297},
        },
        "digamma of the share: it is taken of the count and of the sum": {
            4: {'a': -1.48583, 'b': -3.4105, 'd': -13.4573},
            5: {'a': -1.31823, 'b': -3.13203},
        },
        "digamma is asked: ln(c - 1/2) is only near it": {
            4: {'a': -0.538997, 'b': -1.38629, 'd': float("-inf")},
            5: {'a': -0.451985, 'b': -1.29928},
        },
        "digamma is asked: ln(c - 1/2) of the counts is only near it": {
            4: {'a': -0.619039, 'b': -1.46634, 'd': float("-inf")},
            5: {'a': -0.538997, 'b': -1.38629},
        },
        "digamma comes as it is, not divided by ln 2": {
            4: {'a': -0.77443, 'b': -1.97668, 'd': -5.41937},
            5: {'a': -0.649213, 'b': -1.85146},
        },
        "a piece below `fewest` is left out, it does not stay with -inf": {
            4: {'a': -0.536794, 'b': -1.37013, 'c': float("-inf"), 'd': -3.75642},
            5: {'a': -0.45, 'b': -1.28333, 'c': float("-inf"), 'd': float("-inf")},
        },
        "these are probabilities: their logarithms are asked": {
            4: {'a': 0.58462, 'b': 0.254075, 'd': 0.0233672},
            5: {'a': 0.637628, 'b': 0.277112},
        },
        "shares, and no logarithms": {
            4: {'a': 0.615385, 'b': 0.307692, 'd': 0.0769231},
            5: {'a': 0.666667, 'b': 0.333333},
        },
        "the sum is missing": {
            4: {'a': 1.25612, 'b': 0.422784, 'd': -1.96351},
            5: {'a': 1.25612, 'b': 0.422784},
        },
        "the sign is turned round": {
            4: {'a': 0.536794, 'b': 1.37013, 'd': 3.75642},
            5: {'a': 0.45, 'b': 1.28333},
        },
        "digamma of the sum, not the sum of the digammas": {
            4: {'a': 1.54073, 'b': 0.707392, 'd': -1.6789},
            5: {'a': -0.422784, 'b': -1.25612},
        },
        "the argument fewest was ignored": {
            5: {'a': -0.69064, 'b': -1.52397, 'd': -1.91027},
        },
    })
    p = {"a": -0.6931472, "b": -1.3862944, "ab": -2.0794415, "c": -3.0}
    begin = "each piece of log_probs begins with the count 0, before anything is added to it"
    first = check(expected_counts, {"ab": 1}, p).equals(
        {"a": 0.5, "b": 0.5, "ab": 0.5, "c": 0.0}, rtol=1e-5,
        near={
            "one cut alone was counted, where two are equally good: all cuts count":
                {"a": 1.0, "b": 1.0, "ab": 0.0, "c": 0.0},
            begin: KeyError,
        },
    )
    p2 = {piece: p[piece] for piece in ("a", "b", "ab")} | {"ba": -2.5}
    check(expected_counts, {"aba": 2, "ab": 3}, p2).equals(
        {"a": 4.2528192, "b": 2.2528192, "ab": 2.2528194, "ba": 0.4943614}, rtol=1e-5,
        near={look_up if first.passed else begin: KeyError},
    )
    tiny = "the probability of a long word is 0 in floating point: compute with logarithms"
    p3 = {"a": -9.0, "b": -8.0, "ab": -20.0}
    check(expected_counts, {"ab" * 150: 1}, p3).equals(
        {"a": 142.88612, "b": 142.88612, "ab": 7.1138806}, about="300 characters", edge=True, rtol=1e-3,
        near={tiny: dict.fromkeys(p3, float("nan"))})
    check(maximise, {"a": 4.0, "b": 2.0, "c": 0.25, "d": 0.5}).equals(
        {"a": -0.5367937, "b": -1.370127, "d": -3.7564214}, rtol=1e-5
    )
    check(maximise, {"a": 4.0, "b": 2.0, "c": 0.25, "d": 1.5}, 2.0).equals({"a": -0.45, "b": -1.2833333}, rtol=1e-5)


score
