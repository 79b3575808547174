from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np

    kept = "the right passage is among them"
    worst = "these are the lowest scores: the best wrong ones are asked"
    late = "equal scores stand in the order of their indices: here the later came first"
    no_skip = "`skip` was ignored"
    turned = "best first: the order is turned round"
    counted = "the right passage was counted among those to pass over: `skip` counts the wrong ones"
    best = "the best passage was left out, whichever it was: leave out the right one"
    s = np.array([[5.0, 9.0, 7.0, 1.0], [-2.0, 8.0, -2.0, 3.0]])
    check(hard_negatives, s, np.array([1, 3]), 2).equals([[2, 0], [1, 0]], near={
        kept: [[1, 2], [1, 3]], worst: [[3, 0], [0, 2]], late: [[2, 0], [1, 2]], turned: [[0, 2], [0, 1]],
        best: [[2, 0], [3, 0]],
    })
    check(hard_negatives, s, np.array([1, 0]), 2, skip=1).equals([[0, 3], [3, 2]], near={
        kept: [[2, 0], [3, 0]], no_skip: [[2, 0], [1, 3]], counted: [[2, 0], [3, 2]], best: [[0, 3], [0, 2]],
    })


score
