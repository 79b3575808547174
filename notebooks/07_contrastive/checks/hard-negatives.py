from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the right passage is among them": {
            1: [[1, 4], [1, 3], [2, 0]],
            2: [[4, 0], [3, 0], [0, 1]],
        },
        "these are the lowest scores: the best wrong ones are asked": {
            1: [[2, 3], [4, 2], [4, 3]],
            2: [[3, 0], [2, 1], [3, 1]],
        },
        "equal scores stand in the order of their indices: here the later came first": {
            1: [[4, 0], [3, 1], [0, 1]],
            2: [[0, 3], [1, 2], [1, 3]],
        },
        "best first: the order is turned round": {
            1: [[0, 4], [3, 1], [1, 0]],
            2: [[3, 0], [2, 3], [3, 1]],
        },
        "where `skip` is 0 nothing came: a slice that ends at -0 is empty": {
            1: [[], [], []],
        },
        "these are their scores: their indices are asked": {
            1: [[4.0, 3.0], [4.0, 4.0], [-1.0, -2.0]],
            2: [[3.0, 1.0], [4.0, -2.0], [-2.0, -3.0]],
        },
        "in order of the indices: best first is asked": {
            1: [[0, 4], [1, 3], [0, 1]],
            2: [[0, 3], [2, 3], [1, 3]],
        },
        "the indices count only the wrong passages: they moved up behind the right one": {
            1: [[3, 0], [0, 2], [0, 1]],
            2: [[0, 2], [2, 1], [1, 2]],
        },
        "the best passage was left out, whichever it was: leave out the right one": {
            1: [[4, 0], [3, 0], [0, 1]],
            2: [[0, 3], [0, 2], [1, 3]],
        },
        "the right passages of all queries were left out of each row: only its own one is": {
            1: [[4, 3], [3, 4], [3, 4]],
            2: [[3, 0], [4, 0], [4, 0]],
        },
        "the diagonal was left out: the right passages are those of `right`": {
            1: [[1, 4], [3, 0], [0, 1]],
            2: [[4, 3], [0, 2], [1, 3]],
        },
        "the right passage got the score 0, and others lie below it: minus infinity": {
            1: [[4, 0], [1, 3], [2, 0]],
            2: [[0, 3], [3, 0], [0, 1]],
        },
        "the right passage got the score -1, and others lie below it: minus infinity": {
            1: [[4, 0], [1, 3], [0, 2]],
            2: [[0, 3], [3, 0], [2, 1]],
        },
        "the smallest scores came first, minus infinity among them: sort -scores, the best come first": {
            1: [[1, 2], [0, 4], [2, 4]],
            2: [[2, 3], [4, 2], [4, 3]],
        },
        "the right passage got infinity and came first: minus infinity": {
            1: [[1, 4], [0, 1], [2, 0]],
            2: [[4, 0], [1, 3], [0, 1]],
        },
        "all that are left after `skip` came: k are asked": {
            1: [[4, 0, 3, 2, 1], [1, 3, 2, 4, 0], [0, 1, 3, 4, 2]],
            2: [[0, 3, 2, 1], [3, 2, 4, 0], [1, 3, 4, 2]],
        },
        "sorted along the queries: each row is sorted for itself": {
            1: [[0, 1], [2, 2], [1, 0]],
            2: [[1, 0], [2, 1], [0, 2]],
        },
        "wrong passages with the score of the right one were left out, too": {
            1: [[0, 3], [1, 3], [0, 1]],
            2: [[3, 2], [3, 2], [1, 3]],
        },
        "only passages that score below the right one were taken: those above are wrong, too": {
            1: [[0, 3], [2, 4], [0, 1]],
            2: [[3, 2], [4, 0], [1, 3]],
        },
        "`skip` was ignored": {
            2: [[4, 0], [1, 3], [0, 1]],
        },
        "the right passage was counted among those to pass over: `skip` counts the wrong ones": {
            2: [[4, 0], [3, 2], [0, 1]],
        },
        "only k - skip of them came: `skip` comes on top of k": {
            2: [[0], [3], [1]],
        },
        "a right passage with the index 0 is left out, too: 0 is an index": {
            2: [[0, 3], [3, 0], [1, 3]],
        },
        "`skip` passes over passages, not over groups of k": {
            2: [[3, 2], [2, 4], [3, 4]],
        },
    })
    s = np.array([[3.0, 4.0, 0.0, 1.0, 4.0], [3.0, 4.0, -2.0, 4.0, -5.0], [-1.0, -2.0, 5.0, -3.0, -4.0]])
    right = np.array([1, 0, 2])
    check(hard_negatives, s, right, 2).equals([[4, 0], [1, 3], [0, 1]], dtype="i")
    check(hard_negatives, s, right, 2, skip=1).equals([[0, 3], [3, 2], [1, 3]])


score
