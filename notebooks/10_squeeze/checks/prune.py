from helpers.checks import graded


@graded("prune", points=5)
def score(check):
    import torch

    t = torch.tensor
    signed = "the smallest in magnitude go, not the most negative"
    other = "True says that a weight stays: these are those that go"
    largest = "the largest went: the smallest do"
    rowwise = "the share is of the whole tensor, not of each row"
    W = t([[0.6, -2.0, 0.1, -0.5], [0.9, 0.2, -0.1, 0.3]])
    T, N = True, False
    check(keep_largest, W, 0.375).equals([[T, T, N, T], [T, N, N, T]], about="three of eight go", near={
        signed: [[T, N, T, N], [T, T, N, T]], other: [[N, N, T, N], [N, T, T, N]],
        largest: [[N, N, T, T], [N, T, T, T]],
        rowwise: [[T, T, N, N], [T, N, N, T]],
        "weights came: booleans are asked": [[0.6, -2.0, 0.0, -0.5], [0.9, 0.0, 0.0, 0.3]]})
    ties = "of equally large weights too many went: round(share * n) go, those that come first"
    check(keep_largest, t([[0.5, -0.5, 0.5], [2.0, 0.5, 0.5]]), 0.34).equals(
        [[N, N, T], [T, T, T]], about="equally large ones", near={
            ties: [[N, N, N], [T, N, N]],
            "of equally large weights none went: round(share * n) go, those that come first": [[T, T, T], [T, T, T]],
            "of equally large weights those that come first go, not the last": [[T, T, T], [T, N, N]]})
    check(two_of_four, W).equals([[T, T, N, N], [T, N, N, T]], about="two of each four", near={
        signed: [[T, N, T, N], [T, N, N, T]], other: [[N, N, T, T], [N, T, T, N]],
        "two of all in the row or matrix stay: two of each four are asked": [[N, T, N, N], [T, N, N, N]],
        "half of all weights stay, wherever they are: two of each four are asked": [[T, T, N, T], [T, N, N, N]],
        "of each four one stays: two are asked": [[N, T, N, N], [T, N, N, N]]})
    G, M = t([[1.0, 2.0], [-3.0, 4.0]]), t([[T, N], [T, N]])
    check(masked_step, t([[0.5, 0.0], [1.0, 0.3]]), G, M, 0.1).equals(
        [[0.4, 0.0], [1.3, 0.0]], about="a step under the mask", near={
            "the mask was not used: pruned weights move": [[0.4, -0.2], [1.3, -0.1]],
            "only the gradient is masked: what is pruned is 0 after the step, whatever it was": [
                [0.4, 0.0], [1.3, 0.3]],
            "the step goes against the gradient": [[0.6, 0.0], [0.7, 0.0]],
            "the gradient of what is pruned is kept, that of the others is not": [[0.5, -0.2], [1.0, -0.1]],
            "lr was not used": [[-0.5, 0.0], [4.0, 0.0]]})


score
