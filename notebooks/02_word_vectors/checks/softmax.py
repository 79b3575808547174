from helpers.checks import graded


@graded("softmax", points=4)
def score(check):
    import torch

    over_pairs = "the softmax is over the vocabulary, not over the pairs"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "ids count from 0: id 0 is the first": {
            1: [[4.0, 6.0, 13.0], [17.0, 24.0, 1.0], [4.0, 6.0, 13.0]],
        },
        "this is the transpose: one row for each id": {
            1: [[10.0, 23.0, 10.0], [12.0, 5.0, 12.0], [19.0, 7.0, 19.0]],
            2: [[], [], []],
        },
        "the rows were added up; each id has a row of its own": {
            1: [43.0, 29.0, 45.0],
            2: [0.0, 0.0, 0.0],
        },
        "the rows were averaged; each id has a row of its own": {
            1: [14.3333, 9.66667, 15.0],
        },
        "an id that occurs twice gives two rows: do not make a set of them": {
            1: [[23.0, 5.0, 7.0], [10.0, 12.0, 19.0]],
        },
        "the rows keep the order of the ids: do not sort them": {
            1: [[23.0, 5.0, 7.0], [10.0, 12.0, 19.0], [10.0, 12.0, 19.0]],
        },
        "torch.take reads the table as one long list: index its rows": {
            1: [23.0, 24.0, 23.0],
            2: [],
        },
        "only the first id's row is there: is the return inside the loop?": {
            1: [[10.0, 12.0, 19.0]],
        },
        "these are columns of the table; a word is a row": {
            2: [[], [], [], [], []],
        },
        "this is the sum over the pairs; the mean is asked for": {
            4: 7.16704,
            5: 2.2696,
        },
        "there is one loss for each pair; their mean is asked for": {
            4: [1.79176, 1.79176, 1.79176, 1.79176],
            5: [0.861995, 1.40761],
        },
        "the sign is reversed: -log p": {
            4: -1.79176,
            5: -1.1348,
        },
        "each pair has a softmax of its own: here one sum was taken over the scores of all pairs": {
            4: 3.17805,
            5: 2.10085,
        },
        "the softmax is over the vocabulary, not over the pairs": {
            4: 1.38629,
            5: 0.813262,
        },
        "the softmax is over the vocabulary, not over the batch's contexts": {
            4: 1.38629,
            5: 0.693147,
        },
        "the logarithm has base e, not 2": {
            4: 2.58496,
            5: 1.63717,
        },
        "this is the mean of p, not of -log p": {
            4: 0.166667,
            5: 0.333524,
        },
        "the logarithm of the sum over the vocabulary is missing: nll_loss wants log p": {
            4: 0.0,
            5: -1.5,
        },
        "this is minus the mean of p: nll_loss wants log p": {
            4: -0.166667,
            5: -0.333524,
        },
        "this is a sigmoid of the pair's score; the softmax goes over the vocabulary": {
            4: 0.693147,
            5: 0.220095,
        },
        "the sum below goes over all words, the context itself among them": {
            4: 1.60944,
            5: 0.720095,
        },
        "inputs and outputs are exchanged: the centre's vector is an input": {
            5: 1.55077,
        },
        "centres and contexts are exchanged: the centre predicts its context": {
            5: 0.861995,
        },
        "only one table was used: the context's vectors are outputs": {
            5: 3.23674,
        },
        "only one table was used: the centre's vectors are inputs": {
            5: 1.70672,
        },
        "the scores are not divided by the root of d here": {
            5: 1.08616,
        },
        "the scores are dot products, not cosines": {
            5: 0.870016,
        },
        "softmax was taken twice: cross_entropy wants the scores themselves": {
            5: 1.1175,
        },
        "this is the mean over all words of the vocabulary, not of the observed one": {
            5: 1.30147,
        },
        "the softmax is over the vocabulary of contexts, not over that of centres": {
            5: 0.907606,
        },
        "this is the logarithm of the mean p; the mean of the logarithms is asked for": {
            5: 1.09804,
        },
        "the score of the pair is missing: -s + log of the sum": {
            5: 2.6348,
        },
    })
    import numpy as np

    table = torch.tensor([[17.0, 24, 1], [23, 5, 7], [4, 6, 13], [10, 12, 19], [11, 18, 25]])
    unseen = table.clone()
    unseen[4] = torch.inf  # no id names this row
    product = "this is the product, in which 0 times infinity is NaN: look the rows up"
    check(look_up, torch.tensor([3, 1, 3]), unseen).equals(
        [[10, 12, 19], [23, 5, 7], [10, 12, 19]], near={product: [[torch.nan] * 3] * 3}
    )
    check(look_up, torch.zeros(0, dtype=torch.long), table).equals(
        torch.zeros(0, 3), about="no ids", edge=True, near={"no ids give no rows: shape (0, d)": torch.zeros(0)}
    )
    cut_off = {"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError}
    small = torch.tensor([[5.0, 1.0], [2.0, 3.0]])
    check(gradients, look_up, torch.tensor([1, 0, 1]), small).equals(
        ([[2.0, 3.0], [5.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [2.0, 2.0]]), about="rows and gradient", near=cut_off
    )
    pairs = torch.tensor([0, 2]), torch.tensor([1, 1])
    four = torch.tensor([0, 2, 4, 1]), torch.tensor([1, 1, 3, 0])
    check(softmax_loss, *four, torch.ones(6, 2), torch.zeros(6, 2)).equals(
        1.7917595,
        near={over_pairs + ", and the mean is asked for": 5.5451774}, rtol=1e-4,
    )
    tables = torch.tensor([[1.0, 0], [0, 1], [2, 1]]), torch.tensor([[0.0, 1], [1, 0], [1, 1]])
    check(softmax_loss, *pairs, *tables).equals(
        1.1348003,
        near={over_pairs + ", and the mean is asked for": 1.6265233}, rtol=1e-4,
    )
    by_inputs = [[-0.0777, 0.2888], [0, 0], [-0.0450, 0.3776]]
    check(gradients, softmax_loss, *pairs, *tables).equals(
        (1.1348, by_inputs, [[0.1677, 0.0450], [-1.0441, -0.3776], [0.8764, 0.3326]]), about="loss and gradients",
        rtol=1e-3, atol=1e-4, near=cut_off,
    )
    far = torch.tensor([[1000.0], [0]]), torch.tensor([[1.0], [0]])
    check(softmax_loss, torch.tensor([0]), torch.tensor([1]), *far).holds(
        lambda loss: abs(float(loss) - 1000) < 0.1,
        "1000: the scores are 1000 and 0, and the second word came",
        near={
            "e to the 1000 overflowed, or p became 0: use log_softmax, logsumexp or cross_entropy": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added to p, or it was clipped: the loss comes out in full": lambda loss: 5 < float(loss) < 99,
        },
        about="a score of 1000",
    )


score
