from helpers.checks import graded


@graded("softmax", points=9)
def score(check):
    import numpy as np
    import torch

    swapped = "inputs and outputs are exchanged: the centre's vector is an input"
    total = "this is the sum over the pairs; the mean is asked"
    bare = "the logarithm of the sum over the vocabulary is missing: nll_loss wants log p"
    minus = "this is minus the mean of p: nll_loss wants log p"
    cut = "the graph is cut: no .item(), .detach(), .numpy() or float() on the way"
    over_pairs = "the softmax is over the vocabulary, not over the pairs"
    one_sum = "each pair has a softmax of its own: here one sum was taken over the scores of all pairs"
    from_one = "ids count from 0: id 0 is the first"
    flat = "one row for each id, also for a single one: the shape is (n, size)"
    bag = "this is one bag for all ids; each id has a row of its own"
    binary = "this is one binary bag for all ids; each id has a row of its own"
    in_batch = "the softmax is over the vocabulary, not over the batch's contexts"
    single = "each row has a single 1, that of its own id; here every row has the ones of all ids"
    transposed = "rows are ids, columns are the vocabulary: this is the transpose"
    twice = "an id that comes twice gives two rows: do not make a set of them"
    in_order = "the rows stand in the order of the ids: do not sort them"
    written = "the one is 1 in each row: here the id itself was written"
    added = "the rows were added up; each id has a row of its own"
    long_list = "torch.take reads the table as one long list: index its rows"
    table = torch.tensor([[17.0, 24, 1], [23, 5, 7], [4, 6, 13], [10, 12, 19], [11, 18, 25]])
    check(one_hot, torch.tensor([3]), 5).equals(
        [[0, 0, 0, 1, 0]],
        near={from_one: [[0, 0, 1, 0, 0]], transposed: [[0], [0], [0], [1], [0]],
              flat: [0, 0, 0, 1, 0], bag: [0, 0, 0, 1, 0], binary: [0, 0, 0, 1, 0],
              written: [[0, 0, 0, 3, 0]]},
    )
    check(one_hot, torch.tensor([1, 0, 1]), 3).equals(
        [[0, 1, 0], [1, 0, 0], [0, 1, 0]],
        near={bag: [1, 2, 0], binary: [1, 1, 0], transposed: [[0, 1, 0], [1, 0, 1], [0, 0, 0]],
              single: [[1, 1, 0], [1, 1, 0], [1, 1, 0]]},
    )
    check(look_up, torch.tensor([3, 1, 3]), table).equals(
        [[10, 12, 19], [23, 5, 7], [10, 12, 19]],
        near={from_one: [[4, 6, 13], [17, 24, 1], [4, 6, 13]], twice: [[23, 5, 7], [10, 12, 19]],
              in_order: [[23, 5, 7], [10, 12, 19], [10, 12, 19]], added: [43, 29, 45], long_list: [23, 24, 23]},
    )
    pairs = torch.tensor([0, 2]), torch.tensor([1, 1])
    four = torch.tensor([0, 2, 4, 1]), torch.tensor([1, 1, 3, 0])
    check(softmax_loss, *four, torch.ones(6, 2), torch.zeros(6, 2)).equals(
        1.7917595,
        near={total: 7.1670379, "the sign is turned round: -log p": -1.7917595, bare: 0.0, minus: -0.1666667,
              over_pairs: 1.3862944, in_batch: 1.3862944, over_pairs + ", and the mean is asked": 5.5451774,
              one_sum: 3.1780538}, rtol=1e-4,
    )
    tables = torch.tensor([[1.0, 0], [0, 1], [2, 1]]), torch.tensor([[0.0, 1], [1, 0], [1, 1]])
    check(softmax_loss, *pairs, *tables).equals(
        1.1348003,
        near={swapped: 1.5507697, total: 2.2696006, "the sign is turned round: -log p": -1.1348003,
              "centres and contexts are exchanged: the centre predicts its context": 0.8619948,
              "this is the mean of p, not of -log p": 0.3335236, bare: -1.5, minus: -0.3335236,
              over_pairs: 0.8132616, over_pairs + ", and the mean is asked": 1.6265233, one_sum: 2.1008525}, rtol=1e-4,
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
