from helpers.checks import difference, graded


@graded("viterbi", points=7)
def score(check):
    import math

    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the transitions were read from column to row: the row is the tag before": {
            1: 1.2,
            2: [1, 0, 2, 2],
            3: 4.9278,
            6: [1, 0, 2, 2],
            7: 12004.9278034,
            8: -11995.0721966,
        },
        "start is missing: it belongs to the first tag": {
            1: 1.1,
            2: [2, 2, 0, 1],
            3: 4.71626,
            5: [0],
            6: [2, 2, 2, 2],
            7: 12004.7162577,
            8: -11995.2837423,
        },
        "the transitions are missing": {
            1: 0.9,
            2: [1, 2, 1, 1],
            3: 3.88101,
            6: [1, 2, 1, 2],
            7: 12003.8810082,
            8: -11996.1189918,
        },
        "a path of T tags has T - 1 transitions": {
            1: 1.4,
        },
        "the emissions are missing": {
            1: 2.4,
        },
        "the emission of the first token is missing": {
            1: 2.1,
        },
        "start took the place of the first emission: both count": {
            1: 2.1,
        },
        "the last emission is missing": {
            1: 2.1,
        },
        "start was added at every token": {
            1: 2.5,
            2: [1, 0, 1, 1],
            6: [1, 0, 1, 0],
        },
        "the scores are multiplied: logarithms add": {
            1: 5.5e-05,
        },
        "the transition was taken from a tag to itself": {
            1: 1.3,
        },
        "the last transition is missing": {
            1: 1.7,
        },
        "this is the exponential of the score": {
            1: 9.02501,
        },
        "the mean over the tokens was taken: the score is a sum": {
            1: 0.55,
        },
        "the notes run along the other axis: for each tag, note the best tag before": {
            2: [0, 1, 0, 1],
            4: [0, 0, 0],
            6: [0, 1, 0, 2],
        },
        "the scores so far were added to the columns: they belong to the tag before, in the rows": {
            2: [2, 2, 2, 0],
            4: [0, 0, 0],
            6: [2, 2, 2, 0],
        },
        "the notes were read one token off: those that lead to token t name the tag at t - 1": {
            2: [0, 1, 0, 1],
            4: [0, 1, 0],
            6: [0, 1, 2, 2],
        },
        "each token's best tag was taken alone: that ignores the transitions": {
            2: [0, 2, 1, 1],
            5: [0],
            6: [0, 2, 1, 2],
        },
        "from left to right, the best next tag was taken each time: a worse tag now may lead to a better path": {
            2: [1, 0, 1, 0],
            6: [1, 0, 1, 0],
        },
        "the path is reversed: the first tag comes first": {
            2: [1, 0, 2, 1],
            4: [0, 1, 1],
            6: [2, 2, 2, 1],
        },
        "the worst path was found: maximise": {
            2: [2, 1, 1, 1],
            4: [0, 0, 1],
            5: [2],
            6: [0, 0, 0, 1],
        },
        "the best end of each step is no path: follow the notes backwards from the last": {
            2: [1, 0, 1, 1],
            6: [1, 0, 1, 2],
        },
        "the emissions of the later tokens are missing: each token adds its own": {
            2: [1, 2, 2, 0],
            3: 5.85605,
            4: [1, 0, 0],
            6: [0, 0, 0, 1],
            7: 3005.85604546,
            8: -2994.14395454,
        },
        "the score came back: the path is asked for": {
            2: 2.2,
            4: -8998.0,
            5: 1.2,
            6: -14.2,
        },
        "path and score came back: the path alone is asked for": {
            2: ([1, 2, 0, 1], 2.2),
            4: ([1, 1, 0], -8998.0),
            5: ([1], 1.2),
            6: ([1, 2, 2, 2], -14.2),
        },
        "the scores were multiplied: they are logarithms, and add": {
            2: [2, 1, 2, 0],
            4: [0, 0, 0],
            6: [0, 0, 0, 1],
        },
        "one tag for each token is asked for: the first is missing": {
            2: [2, 0, 1],
            4: [1, 0],
            5: [],
            6: [2, 2, 2],
        },
        "one tag for each token is asked for: the last is missing": {
            2: [1, 2, 0],
            4: [1, 1],
            5: [],
            6: [1, 2, 2],
        },
        "this is the score of the best path: the sum goes over all paths": {
            3: 2.2,
            7: 12002.2,
            8: -11997.8,
        },
        "the logarithm is missing": {
            3: 119.678,
            7: float("inf"),
            8: 0.0,
        },
        "the mean over the paths was taken: it is a sum": {
            3: 0.390352,
            7: 12000.3903518,
            8: -11999.6096482,
        },
        "the scores were summed, not their exponentials": {
            3: -45.9,
            7: 971954.1,
            8: -972045.9,
        },
        "this is the number of the best last tag: sum over the last tag, too": {
            3: 3.87917,
            7: 12003.8791668,
            8: -11996.1208332,
        },
        "these are the numbers for each last tag: sum over it, too": {
            3: [3.44379, 3.87917, 3.68859],
            7: [12003.4437917, 12003.8791668, 12003.688585],
            8: [-11996.5562083, -11996.1208332, -11996.311415],
        },
        "each column's largest number is subtracted from it and added back: here each row's was taken": {
            3: 4.35153,
            7: 12004.35153,
            8: -11995.64847,
        },
        "the sum goes over the tag before, the rows of the table: here it went over the columns": {
            3: 4.26236,
            7: 12004.26236,
            8: -11995.73764,
        },
        "the last row of emissions is missing": {
            3: 5.15391,
            7: 9005.15390699,
            8: -8994.84609301,
        },
        "the first row of emissions is missing": {
            3: 4.61272,
            7: 9004.61272024,
            8: -8995.38727976,
        },
        "the best path's score was subtracted: the sum over all paths is asked for": {
            3: 2.5848,
            7: 2.58480098654,
            8: 2.58480098654,
        },
        "the maximum began at 0: scores may all be negative, begin at minus infinity": {
            4: [0, 0, 0],
            6: [0, 0, 0, 2],
        },
        "the emissions of the first token are missing": {
            4: [0, 1, 0],
        },
        "a tag that no path reaches has the score minus infinity: here it became 0": {
            6: [1, 2, 0, 1],
        },
    })
    emissions = np.array([[0.3, 0.1, 0.2], [0.0, -2.0, 0.1], [-0.5, -0.2, -0.9], [-0.8, 0.1, -0.4]])
    transitions = np.array([[0.2, 0.5, 0.1], [0.3, -0.8, -0.2], [1.0, -0.1, 1.0]])
    start = np.array([0.1, 1.1, -0.9])
    check(path_score, emissions, transitions, start, [1, 2, 0, 1]).equals(2.2, about="one path")
    several = check(viterbi, emissions, transitions, start).equals([1, 2, 0, 1], about="four tokens, three tags")
    check(log_partition, emissions, transitions, start).equals(4.78480, rtol=1e-4, about="all 81 paths")
    overflown = "exp is too large, or 0, for scores of thousands: subtract the largest, as log-sum-exp does"
    low = np.array([[0.0, 2.0], [-2.0, 0.0], [0.0, -3.0]]) - 3000
    check(viterbi, low, np.array([[1.0, 0.5], [0.0, 0.0]]), np.zeros(2)).equals(
        [1, 1, 0], about="all scores far below zero",
        near={"a number such as -1000 was taken for minus infinity: good paths score less than that here": [0, 0, 0]},
    )
    short = "with one token there is no step: the best tag is that of start plus its emissions"
    errors = {short: UnboundLocalError, f"{short} (an empty list has none)": IndexError,
              f"{short} (no notes, nothing to stack)": ValueError} if several.passed else {}
    check(viterbi, emissions[:1], transitions, start).equals([1], about="one token", edge=True, near=errors)
    barred = emissions - 4
    barred[3, 1] = -np.inf
    check(viterbi, barred, transitions, start).equals(
        [1, 2, 2, 2], about="an emission of minus infinity",
        near={"minus infinity times 0, or less itself, is not a number: choose, do not multiply": ValueError},
    )
    for far, right in ((3000, 12004.7848), (-3000, -11995.2152)):
        check(log_partition, emissions + far, transitions, start).equals(
            right, rtol=1e-8, about="scores of thousands",
            near={overflown: math.inf, f"{overflown} (0 came)": -math.inf},
        )


score
