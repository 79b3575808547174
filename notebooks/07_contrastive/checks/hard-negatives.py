from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np

    kept = "the right passage is among them"
    worst = "these are the lowest scores: the best wrong ones are asked"
    late = "equal scores stand in the order of their indices: here the later came first"
    no_skip = "`skip` was ignored"
    turned = "best first: the order is turned round"
    by_number = "in order of the indices: best first is asked"
    counted = "the right passage was counted among those to pass over: `skip` counts the wrong ones"
    infinite = "the right passage got infinity and came first: minus infinity"
    none = "where `skip` is 0 nothing came: a slice that ends at -0 is empty"
    best = "the best passage was left out, whichever it was: leave out the right one"
    s = np.array([[3.0, 4.0, 0.0, 1.0, 4.0], [3.0, 4.0, 2.0, 4.0, 0.0]])
    check(hard_negatives, s, np.array([1, 0]), 2).equals([[4, 0], [1, 3]], near={
        kept: [[1, 4], [1, 3]], worst: [[2, 3], [4, 2]], late: [[4, 0], [3, 1]], turned: [[0, 4], [3, 1]],
        best: [[4, 0], [3, 0]], by_number: [[0, 4], [1, 3]], infinite: [[1, 4], [0, 1]],
        none: [[], []],
    })
    check(hard_negatives, s, np.array([1, 0]), 2, skip=1).equals([[0, 3], [3, 2]], near={
        kept: [[4, 0], [3, 0]], no_skip: [[4, 0], [1, 3]], counted: [[4, 0], [3, 2]], best: [[0, 3], [0, 2]],
        infinite: [[4, 0], [1, 3]],
    })


score
