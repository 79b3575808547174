from helpers.checks import graded


@graded("prune", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the smallest in magnitude go, not the most negative": {
            1: [[True, False, True, False], [True, True, False, True]],
            2: [[True, False, True, False], [True, True, False, True]],
            3: [[True, False, True, False], [True, True, True, True]],
            5: [[True, False, True, False], [True, False, False, True]],
        },
        "True says that a weight stays: these are those that go": {
            1: [[False, False, True, False], [False, True, True, False]],
            2: [[False, False, True, False], [False, True, True, False]],
            3: [[False, False, True, False], [False, False, True, False]],
            4: [[True, True, False], [False, False, False]],
            5: [[False, False, True, True], [False, True, True, False]],
            6: [[True, True, False, False]],
        },
        "the largest went: the smallest do": {
            1: [[False, False, True, True], [False, True, True, True]],
            2: [[False, False, True, True], [False, True, True, True]],
            3: [[True, False, True, True], [False, True, True, True]],
            4: [[False, True, True], [False, True, True]],
        },
        "the share is of those that go: here it is of those that stay": {
            1: [[True, True, False, False], [True, False, False, False]],
            2: [[True, True, False, False], [True, False, False, False]],
            3: [[False, True, False, False], [True, False, False, False]],
            4: [[False, False, False], [True, False, True]],
        },
        "the share is of the whole tensor, not of each row": {
            1: [[True, True, False, False], [True, False, False, True]],
            2: [[True, True, False, True], [True, True, False, True]],
            4: [[False, True, True], [True, False, True]],
        },
        "weights came back: booleans are asked for": {
            1: [[0.6, -2.0, 0.0, -0.5], [0.9, 0.0, 0.0, 0.3]],
            2: [[0.6, -2.0, 0.0, -0.5], [0.9, 0.0, 0.0, 0.3]],
            3: [[0.6, -2.0, 0.0, -0.5], [0.9, 0.2, 0.0, 0.3]],
            4: [[0.0, 0.0, 0.5], [2.0, 0.5, 0.5]],
        },
        "the number that go is rounded, not cut off": {
            2: [[True, True, False, True], [True, True, False, True]],
        },
        "of equally large weights those that come first go, not the last": {
            4: [[True, True, True], [True, False, False]],
            6: [[True, True, False, False]],
        },
        "of each four three stay: two do": {
            5: [[True, True, False, True], [True, True, False, True]],
            6: [[False, True, True, True]],
        },
        "half of all weights stay, wherever they are: two of each four are asked for": {
            5: [[True, True, False, True], [True, False, False, False]],
        },
        "the fours run down the columns: they run along the rows": {
            5: [[False, True, False, True], [True, False, False, True]],
        },
        "the mask was not used: pruned weights move": {
            7: [float("-inf"), 1.5],
            8: [[0.4, -0.2], [1.3, -0.1]],
        },
        "only the gradient is masked: what is pruned is 0 after the step, whatever it was": {
            7: [float("nan"), 1.5],
            8: [[0.4, 0.0], [1.3, 0.3]],
        },
        "lr was not used": {
            7: [0.0, 1.0],
            8: [[-0.5, 0.0], [4.0, 0.0]],
        },
        "the step goes against the gradient": {
            7: [float("nan"), 2.5],
            8: [[0.6, 0.0], [0.7, 0.0]],
        },
    })
    t = torch.tensor
    W = t([[0.6, -2.0, 0.1, -0.5], [0.9, 0.2, -0.1, 0.3]])
    T, N = True, False
    check(keep_largest, W, 0.375).equals([[T, T, N, T], [T, N, N, T]], about="three of eight go")
    check(keep_largest, W, 0.35).equals(
        [[T, T, N, T], [T, N, N, T]], about="2.8 of eight go")
    check(keep_largest, W, 0.3125).equals(
        [[T, T, N, T], [T, T, N, T]], about="2.5 of eight go")
    check(keep_largest, t([[0.5, -0.5, 0.5], [2.0, 0.5, 0.5]]), 0.34).equals(
        [[N, N, T], [T, T, T]], about="equally large ones",
        near={
            "of equally large weights too many went: round(share * n) go, those that come first":
                [[N, N, N], [T, N, N]],
            "of equally large weights none went: round(share * n) go, those that come first": [[T, T, T], [T, T, T]],
        },
    )
    check(two_of_four, W).equals(
        [[T, T, N, N], [T, N, N, T]], about="two of each four",
        near={
            "two of all in the row or matrix stay: two of each four are asked for": [[N, T, N, N], [T, N, N, N]],
            "of each four one stays: two are asked for": [[N, T, N, N], [T, N, N, N]],
        },
    )
    check(two_of_four, t([[0.5, -0.5, 0.5, 0.5]])).equals([[N, N, T, T]], about="equally large ones of four")
    check(masked_step, t([1.0, 2.0]), t([float("inf"), 1.0]), t([N, T]), 0.5).equals(
        [0.0, 1.5], about="0 whatever the gradient is", near={
            "0 times infinity is nan: torch.where puts an exact 0": [float("nan"), 1.5]})
    G, M = t([[1.0, 2.0], [-3.0, 4.0]]), t([[T, N], [T, N]])
    check(masked_step, t([[0.5, 0.0], [1.0, 0.3]]), G, M, 0.1).equals(
        [[0.4, 0.0], [1.3, 0.0]], about="a step under the mask",
        near={
            "the gradient of what is pruned is kept, that of the others is not": [[0.5, -0.2], [1.0, -0.1]],
        },
    )


score
