from helpers.checks import difference, graded


@graded("viterbi", points=7)
def score(check):
    from itertools import product

    import numpy as np
    from scipy.special import logsumexp

    turned = "the transitions were read from column to row: the row is the tag before"
    no_start = "start is missing: it belongs to the first tag"
    no_trans = "the transitions are missing"
    one_less = "a path of T tags has T - 1 transitions"
    alone = "each token's best tag was taken alone: that ignores the transitions"
    greedy = "from left to right, the best next tag was taken each time: a worse tag now may lead to a better path"
    backwards = "the path is turned round: the first tag comes first"
    largest = "this is the score of the best path: the sum goes over all paths"
    no_log = "the logarithm is missing"

    stepwise_ends = "the best end of each step is no path: follow the notes backwards from the last"
    every = "start was added at every token"
    later = "the emissions of the later tokens are missing: each token adds its own"
    other_axis = "the notes lie along the other axis: for each tag, note the best tag before"
    one_off = "the notes were read one token off: those that lead to token t name the tag at t - 1"
    other_row = "each column's largest number is subtracted from it and added back: here each row's was taken"
    whole = "one largest number was subtracted from the whole table: each column needs its own"
    wrong_axis = "the sum goes over the tag before, the rows of the table: here it went over the columns"
    emissions = np.array([[0.3, 0.1, 0.2], [0.0, -2.0, 0.1], [-0.5, -0.2, -0.9], [-0.8, 0.1, -0.4]])
    transitions = np.array([[0.2, 0.5, 0.1], [0.3, -0.8, -0.2], [1.0, -0.1, 1.0]])
    start = np.array([0.1, 1.1, -0.9])
    check(path_score, emissions, transitions, start, [1, 2, 0, 1]).equals(2.2, about="one path",
        near={no_start: 1.1, no_trans: 0.9, one_less: 1.4, turned: 1.2})
    check(viterbi, emissions, transitions, start).equals([1, 2, 0, 1], about="four tokens, three tags",
        near={alone: [0, 2, 1, 1], no_start: [2, 2, 0, 1], no_trans: [1, 2, 1, 1], turned: [1, 0, 2, 2],
        greedy: [1, 0, 1, 0], backwards: [1, 0, 2, 1], later: [1, 2, 2, 0], stepwise_ends: [1, 0, 1, 1],
        every: [1, 0, 1, 1], one_off: [0, 1, 0, 1], other_axis: [0, 1, 0, 1]})
    check(log_partition, emissions, transitions, start).equals(4.78480, rtol=1e-4, about="all 81 paths",
        near={largest: 2.2, no_log: 119.6775, turned: 4.9278, no_start: 4.71626, no_trans: 3.88101,
        wrong_axis: 4.26236, later: 5.85605, "the last row of emissions is missing": 5.15391,
        other_row: 4.35153})


score
