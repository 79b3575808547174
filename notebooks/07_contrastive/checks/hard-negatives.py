from helpers.checks import graded


@graded("hard-negatives", points=5)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the right passage is among them": {
            1: [[1, 4], [1, 3], [2, 0]],
            2: [[4, 0], [3, 0], [0, 1]],
            3: [[2, 5, 8, 11], [59, 58, 57, 56]],
        },
        "these are the lowest scores: the best wrong ones are asked": {
            1: [[2, 3], [4, 2], [4, 3]],
            2: [[3, 0], [2, 1], [3, 1]],
            3: [[0, 3, 6, 9], [0, 1, 2, 3]],
        },
        "equal scores stand in the order of their indices: here the later came first": {
            1: [[4, 0], [3, 1], [0, 1]],
            2: [[0, 3], [1, 2], [1, 3]],
            3: [[59, 56, 53, 50], [58, 57, 56, 55]],
        },
        "best first: the order is turned round": {
            1: [[0, 4], [3, 1], [1, 0]],
            2: [[3, 0], [2, 3], [3, 1]],
            3: [[14, 11, 8, 2], [55, 56, 57, 58]],
        },
        "where `skip` is 0 nothing came: a slice that ends at -0 is empty": {
            1: [[], [], []],
            3: [[], []],
        },
        "these are their scores: their indices are asked": {
            1: [[4.0, 3.0], [4.0, 4.0], [-1.0, -2.0]],
            2: [[3.0, 1.0], [4.0, -2.0], [-2.0, -3.0]],
            3: [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]],
        },
        "in order of the indices: best first is asked": {
            1: [[0, 4], [1, 3], [0, 1]],
            2: [[0, 3], [2, 3], [1, 3]],
            3: [[2, 8, 11, 14], [55, 56, 57, 58]],
        },
        "the indices count only the wrong passages: they moved up behind the right one": {
            1: [[3, 0], [0, 2], [0, 1]],
            2: [[0, 2], [2, 1], [1, 2]],
            3: [[2, 7, 10, 13], [58, 57, 56, 55]],
        },
        "the best passage was left out, whichever it was: leave out the right one": {
            1: [[4, 0], [3, 0], [0, 1]],
            2: [[0, 3], [0, 2], [1, 3]],
            3: [[5, 8, 11, 14], [58, 57, 56, 55]],
        },
        "the right passages of all queries were left out of each row: only its own one is": {
            1: [[4, 3], [3, 4], [3, 4]],
            2: [[3, 0], [4, 0], [4, 0]],
        },
        "the diagonal was left out: the right passages are those of `right`": {
            1: [[1, 4], [3, 0], [0, 1]],
            2: [[4, 3], [0, 2], [1, 3]],
            3: [[2, 5, 8, 11], [59, 58, 57, 56]],
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
            3: [[5, 0, 3, 6], [59, 0, 1, 2]],
        },
        "the right passage got infinity and came first: minus infinity": {
            1: [[1, 4], [0, 1], [2, 0]],
            2: [[4, 0], [1, 3], [0, 1]],
            3: [[5, 2, 8, 11], [59, 58, 57, 56]],
        },
        "all that are left after `skip` came: k are asked": {
            1: [[4, 0, 3, 2, 1], [1, 3, 2, 4, 0], [0, 1, 3, 4, 2]],
            2: [[0, 3, 2, 1], [3, 2, 4, 0], [1, 3, 4, 2]],
            3: [[2, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53, 56, 59, 1, 4, 7, 10, 13, 16, 19,
              22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 52, 55, 58, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33,
              36, 39, 42, 45, 48, 51, 54, 57, 5],
             [58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35,
              34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11,
              10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 59]],
        },
        "sorted along the queries: each row is sorted for itself": {
            1: [[0, 1], [2, 2], [1, 0]],
            2: [[1, 0], [2, 1], [0, 2]],
            3: [[1, 1, 1, 1], [0, 0, 0, 0]],
        },
        "wrong passages with the score of the right one were left out, too": {
            1: [[0, 3], [1, 3], [0, 1]],
            2: [[3, 2], [3, 2], [1, 3]],
            3: [[1, 4, 7, 10], [58, 57, 56, 55]],
        },
        "only passages that score below the right one were taken: those above are wrong, too": {
            1: [[0, 3], [2, 4], [0, 1]],
            2: [[3, 2], [4, 0], [1, 3]],
            3: [[1, 4, 7, 10], [58, 57, 56, 55]],
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
        "nearly equal scores became equal: they were made float32, or rounded": {
            3: [[2, 8, 11, 14], [0, 1, 2, 3]],
        },
        "the sort does not keep the order of equal scores: kind='stable' does": {
            3: [[2, 14, 11, 8], [58, 57, 56, 55]],
        },
        "np.argpartition finds the best, but not in order: best first": {
            3: [[2, 14, 11, 8], [58, 57, 56, 55]],
        },
    })
    s = np.array([[3.0, 4.0, 0.0, 1.0, 4.0], [3.0, 4.0, -2.0, 4.0, -5.0], [-1.0, -2.0, 5.0, -3.0, -4.0]])
    right = np.array([1, 0, 2])
    check(hard_negatives, s, right, 2).equals([[4, 0], [1, 3], [0, 1]], dtype="i")
    check(hard_negatives, s, right, 2, skip=1).equals([[0, 3], [3, 2], [1, 3]])
    table = np.stack([np.arange(60.0) % 3, 2 + 1e-9 * np.arange(60)])  # many ties; none, but nearly
    check(hard_negatives, table, np.array([5, 59]), 4).equals(
        [[2, 8, 11, 14], [58, 57, 56, 55]], about="many equal scores, and nearly equal ones")


score
