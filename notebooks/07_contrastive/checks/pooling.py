from helpers.checks import graded


@graded("pooling", points=5)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is the last token: [CLS] is the first": {
            1: [[10.0, 6.0], [-4.0, -3.0]],
        },
        "this is the last token that is no padding: [CLS] is the first": {
            1: [[3.0, -4.0], [-4.0, -3.0]],
        },
        "this is the mean over the numbers of each token: average over the tokens": {
            1: [[-0.5, 8.5, -0.5, 8.0], [-4.5, 2.0, 8.0, -3.5]],
            2: [[-0.5, 8.5, -0.5, 8.0], [-4.5, 2.0, 8.0, -3.5]],
            3: [[1.0, 9.0, 3.0, 10.0], [-1.0, 11.0, 9.0, -3.0]],
        },
        "this went over the texts of the batch: go over the tokens of each": {
            1: [[1.0, -2.0], [8.0, 9.0], [3.0, -4.0], [10.0, 6.0]],
            2: [[0.0, -5.0], [5.5, -3.5], [1.5, -2.0], [-2.0, -1.5]],
            3: [[1.0, -2.0], [11.0, -7.0], [3.0, -4.0], [-4.0, -3.0]],
        },
        "this is the second token: [CLS] is the first, at 0": {
            1: [[8.0, 9.0], [11.0, -7.0]],
        },
        "the result has one axis too many: (B, C) is asked": {
            1: [[[1.0, -2.0]], [[-1.0, -8.0]]],
            2: [[[2.0, -3.0]], [[2.0, -6.0]]],
            3: [[[3.0, -2.0]], [[11.0, -3.0]]],
        },
        "all ways give the mean: mind `how`": {
            1: [[2.0, -3.0], [2.0, -6.0]],
            3: [[2.0, -3.0], [2.0, -6.0]],
        },
        "padding was counted in the mean": {
            2: [[5.5, 2.25], [3.75, -2.75]],
        },
        "the sum is right, but divide by the number of tokens, not by the length with padding": {
            2: [[1.0, -1.5], [1.5, -4.5]],
        },
        "this is the sum: divide by the number of tokens": {
            2: [[4.0, -6.0], [6.0, -18.0]],
        },
        "padding was summed, too, then divided by the number of tokens": {
            2: [[11.0, 4.5], [5.0, -3.66667]],
        },
        "divide each text by its own number of tokens, not by the mean number in the batch": {
            2: [[1.6, -2.4], [2.4, -7.2]],
        },
        "padding may stand anywhere, not only at the end": {
            2: [[4.5, 3.5], [6.33333, -2.66667]],
            3: [[8.0, 9.0], [11.0, 7.0]],
        },
        "[CLS] is a token, too: it was left out of the mean": {
            2: [[3.0, -4.0], [3.5, -5.0]],
        },
        "the mask is True at tokens: here it was read the other way round": {
            2: [[9.0, 7.5], [9.0, 7.0]],
            3: [[10.0, 9.0], [9.0, 7.0]],
        },
        "all texts were divided by the number of tokens of the first": {
            2: [[2.0, -3.0], [3.0, -9.0]],
        },
        "divided by the number of all tokens of the batch": {
            2: [[0.8, -1.2], [1.2, -3.6]],
        },
        "divided by the root of the number of tokens: divide by their number": {
            2: [[2.82843, -4.24264], [3.4641, -10.3923]],
        },
        "divided by one less than the number of tokens": {
            2: [[4.0, -6.0], [3.0, -9.0]],
        },
        "divided by one more than the number of tokens": {
            2: [[1.33333, -2.0], [1.5, -4.5]],
        },
        "the mean was brought to length 1: leave it as it is": {
            2: [[0.5547, -0.83205], [0.316228, -0.948683]],
        },
        "this is the median: the mean is asked": {
            2: [[1.0, -4.0], [-1.0, -7.0]],
        },
        "the tokens of all texts went into one: each text has its own": {
            2: [[2.0, -4.8], [2.0, -4.8]],
            3: [[11.0, -2.0], [11.0, -2.0]],
        },
        "padding took part in the maximum": {
            3: [[10.0, 9.0], [11.0, 7.0]],
        },
        "padding became 0, and 0 won the maximum: use minus infinity": {
            3: [[3.0, 0.0], [11.0, 0.0]],
        },
        "this is the minimum": {
            3: [[1.0, -4.0], [-4.0, -8.0]],
        },
        "the largest absolute value was taken: the largest number is asked": {
            3: [[3.0, 4.0], [11.0, 8.0]],
        },
        "the number farthest from 0 was taken: the largest number is asked": {
            3: [[3.0, -4.0], [11.0, -8.0]],
        },
        "the vector of the longest token was taken whole: each of the C numbers has its own maximum": {
            3: [[3.0, -4.0], [11.0, -7.0]],
        },
        "the vector with the largest sum was taken whole: each of the C numbers has its own maximum": {
            3: [[1.0, -2.0], [11.0, -7.0]],
        },
    })
    hidden = torch.tensor([
        [[1.0, -2.0], [8.0, 9.0], [3.0, -4.0], [10.0, 6.0]], [[-1.0, -8.0], [11.0, -7.0], [9.0, 7.0], [-4.0, -3.0]],
    ])
    mask = torch.tensor([[True, False, True, False], [True, True, False, True]])
    check(pool, hidden, mask, "cls").equals([[1.0, -2.0], [-1.0, -8.0]], about="[CLS]")
    check(pool, hidden, mask, "mean").equals([[2.0, -3.0], [2.0, -6.0]], about="mean")
    check(pool, hidden, mask, "max").equals([[3.0, -2.0], [11.0, -3.0]], about="max")


score
