from helpers.checks import difference, graded


@graded("stacked", points=7)
def score(check):
    import numpy as np
    import torch
    from torch import nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

    whole = "the whole row was turned round: the padding must stay at the end"
    zeroed = "what lies beyond the length stays as it is: here it became 0"
    nothing = "nothing was turned round"
    rows = "the batch was turned round, not the time"
    of_first = "the first row's length was taken for all rows"
    shortest = "the shortest length was taken for all rows"
    one_length = "one length was taken for all rows: each row has its own"
    not_back = "the backward states were not turned round again: both directions must speak of the same token"
    not_fed = "the backward reader got the sequence as it was: turn it round first"
    padding = "places beyond the length must be 0"
    late = "the zeros begin one place too late: place lengths[b] is beyond the length"
    order = "the forward states come first, then the backward ones"
    last_first = "the layers were applied from the last to the first"
    exchanged = "the two readers of a pair are exchanged"
    both_ways = "the forward reader read both ways: the backward one is the second of each pair"
    narrow = "was each direction stacked on its own? both states of a layer, 2H numbers, go into the next"
    first_only = "only the first layer was applied"
    from_x = "every layer was fed x: a layer is fed the states of the layer before"
    back_last = "the backward states were turned round again after the last layer only: each layer turns them back"
    fed_once = "the sequence was turned round for the first layer only: turn it round for each backward reader"
    with_padding = "the whole rows were turned round, padding first"
    at_ends = "turned round before the first layer and after the last only: each layer does both"

    rows_of_pairs = [[[10 * row + t, 100 * row + t] for t in range(4)] for row in (1, 2, 3)]
    (a, b, c, d), (p, q, r, s), (w, x, y, z) = rows_of_pairs
    check(reverse_padded, torch.tensor(rows_of_pairs, dtype=torch.float32), torch.tensor([2, 3, 1])).equals(
        [[b, a, c, d], [r, q, p, s], [w, x, y, z]],
        near={whole: [[d, c, b, a], [s, r, q, p], [z, y, x, w]],
        zeroed: [[b, a, [0, 0], [0, 0]], [r, q, p, [0, 0]], [w, [0, 0], [0, 0], [0, 0]]],
        nothing: rows_of_pairs, rows: rows_of_pairs[::-1],
        one_length: [[c, b, a, d], [r, q, p, s], [y, x, w, z]], of_first: [[b, a, c, d], [q, p, r, s], [x, w, y, z]],
        shortest: rows_of_pairs})
    x = torch.tensor([[[1.0], [2.0], [3.0], [9.0]], [[4.0], [5.0], [8.0], [7.0]]])
    lengths = torch.tensor([3, 2])

    def running(v):
        return torch.cumsum(v, dim=1)

    check(stacked_bidirectional, x, lengths, [(running, running)]).equals(
        [[[1, 6], [3, 5], [6, 3], [0, 0]], [[4, 9], [9, 5], [0, 0], [0, 0]]], about="running sums from both ends",
            near={not_back: [[[1.0, 3.0], [3.0, 5.0], [6.0, 6.0], [0.0, 0.0]], [[4.0, 5.0], [9.0, 9.0], [0.0, 0.0],
            [0.0, 0.0]]], with_padding: [[[1, 15], [3, 14], [6, 12], [0, 0]], [[4, 24], [9, 20], [0, 0], [0, 0]]],
            not_fed: [[[1.0, 6.0], [3.0, 3.0], [6.0, 1.0], [0.0, 0.0]],
            [[4.0, 9.0], [9.0, 4.0], [0.0, 0.0], [0.0, 0.0]]],
            padding: [[[1.0, 6.0], [3.0, 5.0], [6.0, 3.0], [15.0, 15.0]], [[4.0, 9.0], [9.0, 5.0], [17.0, 17.0],
            [24.0, 24.0]]], late: [[[1, 6], [3, 5], [6, 3], [15, 15]], [[4, 9], [9, 5], [17, 17], [0, 0]]],
            order: [[[6.0, 1.0], [5.0, 3.0], [3.0, 6.0], [0.0, 0.0]],
            [[9.0, 4.0], [5.0, 9.0], [0.0, 0.0], [0.0, 0.0]]]})

    def times(factor):
        return lambda v: factor * running(v)

    x, lengths = torch.tensor([[[1.0], [3.0], [9.0]]]), torch.tensor([2])
    check(stacked_bidirectional, x, lengths, [(running, times(2)), (running, times(3))]).equals(
        [[[1, 8, 15, 42], [5, 14, 12, 18], [0, 0, 0, 0]]], about="two layers, running sums and their multiples",
            near={
            with_padding: [[[1, 26, 54, 204], [5, 50, 51, 126], [0, 0, 0, 0]]],
            back_last: [[[1, 6, 15, 42], [5, 14, 12, 24], [0, 0, 0, 0]]],
            fed_once: [[[1, 8, 15, 42], [5, 14, 3, 24], [0, 0, 0, 0]]],
            at_ends: [[[1, 6, 15, 42], [5, 14, 3, 18], [0, 0, 0, 0]]],
            first_only: [[[1, 8], [4, 6], [0, 0]]],
            from_x: [[[1, 12], [4, 9], [0, 0]]],
            not_back: [[[1, 6, 12, 24], [5, 14, 15, 42], [0, 0, 0, 0]]],
            not_fed: [[[1, 8, 15, 30], [5, 10, 3, 24], [0, 0, 0, 0]]],
            padding: [[[1, 8, 15, 42], [5, 14, 12, 18], [18, 40, 54, 120]]],
            late: [[[1, 8, 15, 42], [5, 14, 12, 18], [18, 40, 54, 120]]],
            order: [[[42, 15, 8, 1], [18, 12, 14, 5], [0, 0, 0, 0]]],
            exchanged: [[[6, 12, 10, 7], [30, 21, 8, 3], [0, 0, 0, 0]]],
            narrow: [[[1, 42], [5, 18], [0, 0]]],
            last_first: [[[1, 12, 10, 42], [5, 21, 8, 18], [0, 0, 0, 0]]],
            both_ways: [[[1, 4, 5, 7], [5, 7, 4, 3], [0, 0, 0, 0]]],
        })
    raw = "the weights go through a softmax first"
    no_gamma = "gamma is missing"
    mean = "all layers got the same weight: the softmax of w says how much each counts"
    inside = "gamma stands outside the softmax"
    wrong_axis = "the softmax goes over the layers"
    summed = "the weights were divided by their sum: a softmax takes exponentials first"

    layers = torch.tensor([[[[1.0, 2.0]]], [[[3.0, -1.0]]]])
    check(elmo_mix, layers, torch.tensor([0.5, -1.0]), 3.0).equals([[[4.09455, 4.35817]]], rtol=1e-4, near={
        raw: [[[-7.5, 6.0]]], no_gamma: [[[1.36485, 1.45272]]], mean: [[[6.0, 1.5]]],
        inside: [[[1.02197, 1.96704]]], summed: [[[15.0, -12.0]]], wrong_axis: [[[3.0, 3.0]]]})


score
