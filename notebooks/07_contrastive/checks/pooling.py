from helpers.checks import graded


@graded("pooling", points=6)
def score(check):
    import torch

    longest = "the vector of the longest token was taken whole: each of the C numbers has its own maximum"
    last = "this is the last token: [CLS] is the first"
    padded = "padding was counted in the mean"
    by_length = "the sum is right, but divide by the number of tokens, not by the length with padding"
    wide = "this is the mean over the numbers of each token: average over the tokens"
    summed = "this is the sum: divide by the number of tokens"
    by_mean = "divide each text by its own number of tokens, not by the mean number in the batch"
    at_end = "padding may stand anywhere, not only at the end"
    reversed_mask = "the mask is True at tokens: here it was read the other way round"
    no_cls = "[CLS] is a token, too: it was left out of the mean"
    batch = "this went over the texts of the batch: go over the tokens of each"
    unmasked = "padding took part in the maximum"
    zeros = "padding became 0, and 0 won the maximum: use minus infinity"
    lowest = "this is the minimum"
    hidden = torch.tensor([
        [[1.0, -2.0], [8.0, 9.0], [3.0, -4.0], [10.0, 6.0]], [[-1.0, -5.0], [11.0, -7.0], [9.0, 7.0], [-4.0, -3.0]],
    ])
    mask = torch.tensor([[True, False, True, False], [True, True, False, True]])
    check(pool, hidden, mask, "cls").equals([[1.0, -2.0], [-1.0, -5.0]], about="[CLS]", near={
        last: [[10.0, 6.0], [-4.0, -3.0]],
    })
    check(pool, hidden, mask, "mean").equals([[2.0, -3.0], [2.0, -5.0]], about="mean", near={
        padded: [[5.5, 2.25], [3.75, -2.0]], by_length: [[1.0, -1.5], [1.5, -3.75]],
        summed: [[4.0, -6.0], [6.0, -15.0]], by_mean: [[1.6, -2.4], [2.4, -6.0]],
        at_end: [[4.5, 3.5], [6.333333, -1.666667]], no_cls: [[3.0, -4.0], [3.5, -5.0]],
    })
    check(pool, hidden, mask, "max").equals([[3.0, -2.0], [11.0, -3.0]], about="max", near={
        unmasked: [[10.0, 9.0], [11.0, 7.0]], zeros: [[3.0, 0.0], [11.0, 0.0]], lowest: [[1.0, -4.0], [-4.0, -7.0]],
        at_end: [[8.0, 9.0], [11.0, 7.0]], reversed_mask: [[10.0, 9.0], [9.0, 7.0]],
        longest: [[3.0, -4.0], [11.0, -7.0]],
    })


score
