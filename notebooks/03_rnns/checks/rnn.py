from helpers.checks import difference, graded


@graded("rnn", points=7)
def score(check):
    import torch
    from torch import nn
    from torch.nn import functional as F

    direct = "the direct path is missing: add x W_d"
    no_hidden_tanh = "the hidden layer has no tanh"
    relu = "a ReLU came in place of the tanh"
    alone = "the hidden layer is missing: this is the direct path alone"
    mean = "the vectors of the window were averaged or added: lay them one after another"
    newest = "the oldest word comes first in x: here the window was turned round"
    no_b_h = "the bias b_h of the hidden layer is missing"
    no_b_o = "the bias b_o of the scores is missing"
    inside = "the direct path goes round the tanh, not through it"

    scores_tanh = "the direct path has no tanh: here x W_d went through one"
    E = torch.tensor([[1.0], [2.0], [3.0]])
    args = (torch.tensor([[2, 0]]), E, torch.tensor([[0.1], [-0.2]]), torch.tensor([0.3]),
        torch.tensor([[1.0, -1.0, 2.0]]),
            torch.tensor([0.5, 0.0, -0.5]), torch.tensor([[0.1, 0.2, 0.3], [-0.1, 0.4, 0.0]]))
    check(bengio_logits, *args).equals([[1.0799, 0.6201, 1.1599]], rtol=1e-4,
        near={direct: [[0.87995, -0.37995, 0.2599]], no_hidden_tanh: [[1.1, 0.6, 1.2]],
        relu: [[1.1, 0.6, 1.2]], alone: [[0.7, 1.0, 0.4]],
        no_b_h: [[0.79967, 0.90033, 0.59934]], no_b_o: [[0.57995, 0.62005, 1.6599]],
        newest: [[0.10262, 1.5974, -0.59475]], mean: [[0.59967, 1.1003, 0.29934]],
        inside: [[0.9033, 0.1237, 0.55841]], scores_tanh: [[1.077324, 0.381645, 0.976196]],
        "these are probabilities: return the scores, without a softmax": [[0.36838, 0.23258, 0.39904]],
        "these are log-probabilities: return the scores as they are": [[-0.99864, -1.45852, -0.9187]]})
    by_dimension = "x holds word after word: here all first numbers of the vectors came first"
    batch_mixed = "reshape mixed the batch: x needs one row for each window"
    one_answer = "all rows of the batch got the answer of the first window"
    one_score = "all rows of the batch got the scores of the first window"
    ids, E = torch.tensor([[2, 0], [1, 2]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]])
    W_h, b_h, W_o = torch.tensor([[0.1], [0.2], [-0.1], [0.3]]), torch.tensor([0.1]), torch.tensor([[1.0, 0.0, -1.0]])
    W_d = torch.tensor([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]])
    check(bengio_logits, ids, E, W_h, b_h, W_o, torch.tensor([0.0, 0.5, 0.0]), W_d).equals(
        [[1.0, 0.0, 0.5], [-0.69738, 0.5, 1.19738]], rtol=1e-4, about="window: two windows, two dimensions", near={
        by_dimension: [[1.53705, 1.0, -1.03705], [-0.40033, 1.0, 0.40033]],
        batch_mixed: [[1.87995, 0.5, -0.37995], [-0.29131, 0.0, 1.29131]],
        newest: [[-0.29131, 0.0, 1.29131], [1.87995, 0.5, -0.37995]],
        no_hidden_tanh: [[1.0, 0.0, 0.5], [-0.7, 0.5, 1.2]], relu: [[1.0, 0.0, 0.5], [-0.5, 0.5, 1.0]],
        alone: [[1.0, 0.0, 0.5], [-0.5, 0.5, 1.0]],
        scores_tanh: [[0.761594, 0.037883, 0.462117], [-0.659492, 0.5, 0.95897]],
        one_answer: [[1.0, 0.0, 0.5]], one_score: [[1.0, 0.0, 0.5], [1.0, 0.0, 0.5]]})
    no_tanh = "the tanh is missing"
    no_past = "the old state is missing: add h W_h"
    no_bias = "the bias is missing"
    transposed = "W_h was transposed: with row vectors it is h W_h"
    sigmoid = "a sigmoid came in place of the tanh"
    reset = "every step began with h0: the state just made goes into the next step"
    backwards = "the sequence was read from its end"
    added = "the new state was added to the old one: it takes its place"
    cut = "the gradient is cut: no detach, no item, no NumPy on the way from h0 to the states"

    in_order = backwards + ", and its states stand in that order"
    row = "the last state is that of the last step: here the last sequence of the batch came"
    x, h = torch.tensor([[1.0, 2.0, -1.0], [0.5, -1.0, 0.0]]), torch.tensor([[0.5, -1.0], [-0.3, 0.8]])
    weights = (torch.tensor([[0.3, -0.2], [0.1, 0.4], [-0.5, 0.6]]), torch.tensor([[0.6, 0.2], [-0.5, 0.7]]),
        torch.tensor([0.1, -0.3]))
    check(rnn_cell, x, h, *weights).equals([[0.95624, -0.7163], [-0.40532, -0.29131]], rtol=1e-3,
        near={no_tanh: [[1.9, -0.9], [-0.43, -0.3]], no_past: [[0.8005, -0.29131], [0.14889, -0.66404]],
        no_bias: [[0.94681, -0.53705], [-0.48538, 0.0]], transposed: [[0.83365, -0.84828], [0.12927, -0.08976]],
        relu: [[1.9, 0.0], [0.0, 0.0]], sigmoid: [[0.86989, 0.28905], [0.39413, 0.42556]],
        added: [[1.45624, -1.7163], [-0.70532, 0.50869]],
        "with row vectors it is h W_h: here W_h h came": [[0.83365, -0.30951], [-0.66404, -0.08976]]})
    steps = torch.stack([x, torch.tensor([[0.0, -1, 0.5], [2, 1, 1]]), torch.tensor([[0.5, 0.5, -2], [-1, 0, 1]])], 1)
    one = [[0.95624, -0.7163], [0.59275, -0.61078], [0.96117, -0.93652]]
    two = [[-0.40532, -0.29131], [0.19974, 0.01502], [-0.52821, 0.50086]]
    check(rnn_forward, steps, h, *weights).equals(([one, two], [one[-1], two[-1]]), rtol=1e-3, atol=2e-5,
        near={row: ([one, two], two), reset: ([[[0.95624, -0.7163], [0.50052, -0.76159], [0.97045, -0.96403]],
        [[-0.40532, -0.29131], [-0.27291, 0.66404], [-0.85648, 0.76159]]], [[0.97045, -0.96403], [-0.85648, 0.76159]]),
        in_order: ([[[0.97045, -0.96403], [0.67195, -0.70678], [0.95236, -0.5786]], [[-0.85648, 0.76159],
        [-0.53326, 0.57957], [-0.42987, -0.46286]]], [[0.95236, -0.5786], [-0.42987, -0.46286]]),
        transposed: ([[[0.83365, -0.84828], [0.08036, -0.88763], [0.82449, -0.96813]], [[0.12927, -0.08976],
        [0.34487, 0.17084], [-0.42919, 0.41956]]], [[0.82449, -0.96813], [-0.42919, 0.41956]]),
        "h0 was ignored: the first step begins with it": ([[[0.8005, -0.29131], [0.35919, -0.41681],
        [0.93833, -0.92461]], [[0.14889, -0.66404], [0.61774, -0.13423], [-0.25639, 0.48506]]],
        [[0.93833, -0.92461], [-0.25639, 0.48506]]),
        "the axes are (B, T, H): here time comes first": ([[a, b] for a, b in zip(one, two, strict=True)],
        [one[-1], two[-1]]), "the state that comes back is the first, not the last": ([one, two], [one[0], two[0]]),
        "h0 is no state of the output: begin with h_1": ([[[0.5, -1.0], *one], [[-0.3, 0.8], *two]],
        [one[-1], two[-1]]), "h0 is no state of the output: begin with h_1 and end with h_T": (
        [[[0.5, -1.0], *one[:-1]], [[-0.3, 0.8], *two[:-1]]], [one[-1], two[-1]])})


score
