from helpers.checks import difference, graded


@graded("stacked", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the whole row was reversed: the padding must stay at the end": {
            1: [[[13.0, 103.0], [12.0, 102.0], [11.0, 101.0], [10.0, 100.0]],
             [[23.0, 203.0], [22.0, 202.0], [21.0, 201.0], [20.0, 200.0]],
             [[33.0, 303.0], [32.0, 302.0], [31.0, 301.0], [30.0, 300.0]]],
        },
        "what lies beyond the length stays as it is: here it became 0": {
            1: [[[11.0, 101.0], [10.0, 100.0], [0.0, 0.0], [0.0, 0.0]],
             [[22.0, 202.0], [21.0, 201.0], [20.0, 200.0], [0.0, 0.0]],
             [[30.0, 300.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]],
        },
        "nothing was reversed": {
            1: [[[10.0, 100.0], [11.0, 101.0], [12.0, 102.0], [13.0, 103.0]],
             [[20.0, 200.0], [21.0, 201.0], [22.0, 202.0], [23.0, 203.0]],
             [[30.0, 300.0], [31.0, 301.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "the batch was reversed, not the time": {
            1: [[[30.0, 300.0], [31.0, 301.0], [32.0, 302.0], [33.0, 303.0]],
             [[20.0, 200.0], [21.0, 201.0], [22.0, 202.0], [23.0, 203.0]],
             [[10.0, 100.0], [11.0, 101.0], [12.0, 102.0], [13.0, 103.0]]],
        },
        "one length was taken for all rows: each row has its own": {
            1: [[[12.0, 102.0], [11.0, 101.0], [10.0, 100.0], [13.0, 103.0]],
             [[22.0, 202.0], [21.0, 201.0], [20.0, 200.0], [23.0, 203.0]],
             [[32.0, 302.0], [31.0, 301.0], [30.0, 300.0], [33.0, 303.0]]],
        },
        "the first row's length was taken for all rows": {
            1: [[[11.0, 101.0], [10.0, 100.0], [12.0, 102.0], [13.0, 103.0]],
             [[21.0, 201.0], [20.0, 200.0], [22.0, 202.0], [23.0, 203.0]],
             [[31.0, 301.0], [30.0, 300.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "the shortest length was taken for all rows": {
            1: [[[10.0, 100.0], [11.0, 101.0], [12.0, 102.0], [13.0, 103.0]],
             [[20.0, 200.0], [21.0, 201.0], [22.0, 202.0], [23.0, 203.0]],
             [[30.0, 300.0], [31.0, 301.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "the last axis was reversed, not the time": {
            1: [[[100.0, 10.0], [101.0, 11.0], [102.0, 12.0], [103.0, 13.0]],
             [[200.0, 20.0], [201.0, 21.0], [202.0, 22.0], [203.0, 23.0]],
             [[300.0, 30.0], [301.0, 31.0], [302.0, 32.0], [303.0, 33.0]]],
        },
        "time and the last axis were reversed": {
            1: [[[101.0, 11.0], [100.0, 10.0], [102.0, 12.0], [103.0, 13.0]],
             [[202.0, 22.0], [201.0, 21.0], [200.0, 20.0], [203.0, 23.0]],
             [[300.0, 30.0], [301.0, 31.0], [302.0, 32.0], [303.0, 33.0]]],
        },
        "the rows were rolled: the last real step came first, and the padding moved": {
            1: [[[11.0, 101.0], [10.0, 100.0], [13.0, 103.0], [12.0, 102.0]],
             [[22.0, 202.0], [21.0, 201.0], [20.0, 200.0], [23.0, 203.0]],
             [[30.0, 300.0], [33.0, 303.0], [32.0, 302.0], [31.0, 301.0]]],
        },
        "the ends are one step off: sequence b ends before step lengths[b]": {
            1: [[[12.0, 102.0], [11.0, 101.0], [10.0, 100.0], [13.0, 103.0]],
             [[23.0, 203.0], [22.0, 202.0], [21.0, 201.0], [20.0, 200.0]],
             [[31.0, 301.0], [30.0, 300.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "the last real step was left where it is": {
            1: [[[10.0, 100.0], [11.0, 101.0], [12.0, 102.0], [13.0, 103.0]],
             [[21.0, 201.0], [20.0, 200.0], [22.0, 202.0], [23.0, 203.0]],
             [[30.0, 300.0], [31.0, 301.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "the padding was cut off: the shape stays": {
            1: [[[11.0, 101.0], [10.0, 100.0], [12.0, 102.0]], [[22.0, 202.0], [21.0, 201.0], [20.0, 200.0]],
             [[30.0, 300.0], [31.0, 301.0], [32.0, 302.0]]],
        },
        "the sequences were cut at their lengths: one tensor of the shape of x is asked for": {
            1: [[[11.0, 101.0], [10.0, 100.0]], [[22.0, 202.0], [21.0, 201.0], [20.0, 200.0]], [[30.0, 300.0]]],
        },
        "step t comes from lengths - 1 - t: here the 1 is missing": {
            1: [[[12.0, 102.0], [11.0, 101.0], [12.0, 102.0], [13.0, 103.0]],
             [[23.0, 203.0], [22.0, 202.0], [21.0, 201.0], [23.0, 203.0]],
             [[31.0, 301.0], [31.0, 301.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "step t comes from lengths - 1 - t: here the 1 is missing, and step 0 stays where it is": {
            1: [[[10.0, 100.0], [11.0, 101.0], [12.0, 102.0], [13.0, 103.0]],
             [[20.0, 200.0], [22.0, 202.0], [21.0, 201.0], [23.0, 203.0]],
             [[30.0, 300.0], [31.0, 301.0], [32.0, 302.0], [33.0, 303.0]]],
        },
        "the backward states were not reversed again: both directions must speak of the same token": {
            2: [[[1.0, 3.0], [3.0, 5.0], [6.0, 6.0], [0.0, 0.0]], [[4.0, 5.0], [9.0, 9.0], [0.0, 0.0], [0.0, 0.0]]],
            3: [[[1.0, 6.0, 12.0, 24.0], [5.0, 14.0, 15.0, 42.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the backward reader got the sequence as it was: reverse it first": {
            2: [[[1.0, 6.0], [3.0, 3.0], [6.0, 1.0], [0.0, 0.0]], [[4.0, 9.0], [9.0, 4.0], [0.0, 0.0], [0.0, 0.0]]],
            3: [[[1.0, 8.0, 15.0, 30.0], [5.0, 10.0, 3.0, 24.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "neither was reversed: the backward reader reads from the end": {
            2: [[[1.0, 1.0], [3.0, 3.0], [6.0, 6.0], [0.0, 0.0]], [[4.0, 4.0], [9.0, 9.0], [0.0, 0.0], [0.0, 0.0]]],
            3: [[[1.0, 2.0, 3.0, 6.0], [5.0, 10.0, 15.0, 30.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the zeros begin one position too late: position lengths[b] is beyond the length": {
            2: [[[1.0, 6.0], [3.0, 5.0], [6.0, 3.0], [15.0, 15.0]],
             [[4.0, 9.0], [9.0, 5.0], [17.0, 17.0], [0.0, 0.0]]],
            3: [[[1.0, 8.0, 15.0, 42.0], [5.0, 14.0, 12.0, 18.0], [18.0, 40.0, 54.0, 120.0]]],
        },
        "the zeros begin one position too early: the last real step was set to 0": {
            2: [[[1.0, 6.0], [3.0, 5.0], [0.0, 0.0], [0.0, 0.0]], [[4.0, 9.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]],
            3: [[[1.0, 8.0, 15.0, 42.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "positions beyond the length must be 0": {
            2: [[[1.0, 6.0], [3.0, 5.0], [6.0, 3.0], [15.0, 15.0]],
             [[4.0, 9.0], [9.0, 5.0], [17.0, 17.0], [24.0, 24.0]]],
            3: [[[1.0, 8.0, 15.0, 42.0], [5.0, 14.0, 12.0, 18.0], [18.0, 40.0, 54.0, 120.0]]],
        },
        "the forward states come first, then the backward ones": {
            2: [[[6.0, 1.0], [5.0, 3.0], [3.0, 6.0], [0.0, 0.0]], [[9.0, 4.0], [5.0, 9.0], [0.0, 0.0], [0.0, 0.0]]],
            3: [[[42.0, 15.0, 8.0, 1.0], [18.0, 12.0, 14.0, 5.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the whole rows were reversed, padding first": {
            2: [[[1.0, 15.0], [3.0, 14.0], [6.0, 12.0], [0.0, 0.0]],
             [[4.0, 24.0], [9.0, 20.0], [0.0, 0.0], [0.0, 0.0]]],
            3: [[[1.0, 26.0, 54.0, 204.0], [5.0, 50.0, 51.0, 126.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the two directions were added: lay them side by side": {
            2: [[[7.0], [8.0], [9.0], [0.0]], [[13.0], [14.0], [0.0], [0.0]]],
            3: [[[16.0, 50.0], [17.0, 32.0], [0.0, 0.0]]],
        },
        "the two directions of the last layer were averaged: lay them side by side": {
            2: [[[3.5], [4.0], [4.5], [0.0]], [[6.5], [7.0], [0.0], [0.0]]],
            3: [[[8.0, 25.0], [8.5, 16.0], [0.0, 0.0]]],
        },
        "the two directions are one after another in time: lay them side by side, along the last axis": {
            2: [[[1.0], [3.0], [6.0], [0.0], [6.0], [5.0], [3.0], [0.0]],
             [[4.0], [9.0], [0.0], [0.0], [9.0], [5.0], [0.0], [0.0]]],
            3: [[[1.0, 8.0], [5.0, 14.0], [0.0, 0.0], [15.0, 42.0], [12.0, 18.0], [0.0, 0.0]]],
        },
        "the two directions are one after another in time (and without zeros): lay them side by side": {
            2: [[[1.0], [3.0], [6.0], [15.0], [6.0], [5.0], [3.0], [15.0]],
             [[4.0], [9.0], [17.0], [24.0], [9.0], [5.0], [17.0], [24.0]]],
            3: [[[1.0, 8.0], [5.0, 14.0], [18.0, 40.0], [15.0, 42.0], [12.0, 18.0], [54.0, 120.0]]],
        },
        "the forward reader alone answered: the backward one is missing": {
            2: [[[1.0], [3.0], [6.0], [0.0]], [[4.0], [9.0], [0.0], [0.0]]],
            3: [[[1.0, 8.0], [5.0, 14.0], [0.0, 0.0]]],
        },
        "the backward states were reversed again after the last layer only: each layer reverses them back": {
            3: [[[1.0, 6.0, 15.0, 42.0], [5.0, 14.0, 12.0, 24.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the sequence was reversed for the first layer only: reverse it for each backward reader": {
            3: [[[1.0, 8.0, 15.0, 42.0], [5.0, 14.0, 3.0, 24.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "reversed before the first layer and after the last only: each layer does both": {
            3: [[[1.0, 6.0, 15.0, 42.0], [5.0, 14.0, 3.0, 18.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "only the first layer was applied": {
            3: [[[1.0, 8.0], [4.0, 6.0], [0.0, 0.0]]],
        },
        "every layer was fed x: a layer is fed the states of the layer before": {
            3: [[[1.0, 12.0], [4.0, 9.0], [0.0, 0.0]]],
        },
        "the two readers of a pair are exchanged": {
            3: [[[6.0, 12.0, 10.0, 7.0], [30.0, 21.0, 8.0, 3.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the layers were applied from the last to the first": {
            3: [[[1.0, 12.0, 10.0, 42.0], [5.0, 21.0, 8.0, 18.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the forward reader read both ways: the backward one is the second of each pair": {
            3: [[[1.0, 4.0, 5.0, 7.0], [5.0, 7.0, 4.0, 3.0], [0.0, 0.0, 0.0, 0.0]]],
        },
        "the weights go through a softmax first": {
            4: [[[-7.5, 6.0]]],
        },
        "gamma is missing": {
            4: [[[1.36485, 1.45272]]],
        },
        "all layers got the same weight: the softmax of w says how much each counts": {
            4: [[[6.0, 1.5]]],
        },
        "gamma belongs outside the softmax": {
            4: [[[1.02197, 1.96704]]],
        },
        "the weights were divided by their sum: a softmax takes exponentials first": {
            4: [[[15.0, -12.0]]],
        },
        "gamma went into the softmax, too: it belongs outside only": {
            4: [[[3.06592, 5.90112]]],
        },
        "the softmax goes over the layers": {
            4: [[[3.0, 3.0]]],
        },
        "the layers are summed, not put side by side": {
            4: [[[2.45272, 4.90545, 1.64183, -0.547277]]],
        },
        "the layers were weighted, but not added up": {
            4: [[[[2.45272, 4.90545]]], [[[1.64183, -0.547277]]]],
        },
        "a mean over the layers came after the weights: add them up": {
            4: [[[2.04728, 2.17909]]],
        },
        "the layers were multiplied in the wrong order: weight 0 belongs to layer 0": {
            4: [[[7.90545, -1.35817]]],
        },
        "a sigmoid of each weight: a softmax makes them sum to 1": {
            4: [[[4.28785, 2.92793]]],
        },
        "gamma is added: it multiplies": {
            4: [[[4.36485, 4.45272]]],
        },
        "the largest weight took all: it is a mix": {
            4: [[[3.0, 6.0]]],
        },
        "the last layer alone was taken: it is a mix": {
            4: [[[9.0, -3.0]]],
        },
        "layer 0, the static vectors, is left out: it belongs to the mix": {
            4: [[[9.0, -3.0]]],
        },
        "exponentials of the weights: a softmax divides them by their sum": {
            4: [[[8.25708, 8.78869]]],
        },
        "gamma divides: it multiplies": {
            4: [[[0.45495, 0.484241]]],
        },
        "a softmax of the layers was taken, too: only the weights have one": {
            4: [[[0.774411, 2.36236]]],
        },
        "the logarithm of the softmax was taken": {
            4: [[[-15.917, 3.89576]]],
        },
    })
    check.built_on("stacked_bidirectional", "reverse_padded")
    narrow = "was each direction stacked on its own? both states of a layer, 2H numbers, go into the next"

    def row_of_pairs(row):
        return [[10 * row + t, 100 * row + t] for t in range(4)]

    rows_of_pairs = [row_of_pairs(row) for row in (1, 2, 3)]
    (a, b, c, d), (p, q, r, s), (w, x, y, z) = rows_of_pairs
    check(reverse_padded, torch.tensor(rows_of_pairs, dtype=torch.float32), torch.tensor([2, 3, 1])).equals(
        [[b, a, c, d], [r, q, p, s], [w, x, y, z]]
    )
    x = torch.tensor([[[1.0], [2.0], [3.0], [9.0]], [[4.0], [5.0], [8.0], [7.0]]])
    lengths = torch.tensor([3, 2])

    def running(v):
        return torch.cumsum(v, dim=1)

    check(stacked_bidirectional, x, lengths, [(running, running)]).equals(
        [[[1, 6], [3, 5], [6, 3], [0, 0]], [[4, 9], [9, 5], [0, 0], [0, 0]]], about="running sums from both ends"
    )

    def times(factor):
        return lambda v: factor * running(v)

    x, lengths = torch.tensor([[[1.0], [3.0], [9.0]]]), torch.tensor([2])
    check(stacked_bidirectional, x, lengths, [(running, times(2)), (running, times(3))]).equals(
        [[[1, 8, 15, 42], [5, 14, 12, 18], [0, 0, 0, 0]]], about="two layers, running sums and their multiples",
        near={narrow: [[[1, 42], [5, 18], [0, 0]]]}
    )
    layers = torch.tensor([[[[1.0, 2.0]]], [[[3.0, -1.0]]]])
    check(elmo_mix, layers, torch.tensor([0.5, -1.0]), 3.0).equals([[[4.09455, 4.35817]]], rtol=1e-4)
    check(slopes, elmo_mix, layers, torch.tensor([0.5, -1.0]), torch.tensor(3.0)).equals(
        [[[[[2.4527, 2.4527]]], [[[0.5473, 0.5473]]]], [0.4474, -0.4474], 2.8176], about="mix, gradients", rtol=1e-3,
        near={"the gradient is cut: no detach, item, data or float() on the way": RuntimeError},
    )


score
