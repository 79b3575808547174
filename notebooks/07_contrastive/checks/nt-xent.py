from helpers.checks import graded


@graded("nt-xent", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the diagonal was put out for the views of `first` only": {
            1: 1.30112,
            2: 0.814169,
            3: 1.21125,
            4: 0.99569,
        },
        "the diagonal was set to -1, which still counts: set it to minus infinity": {
            1: 1.20675,
            2: 0.604495,
            3: 1.06919,
            4: 0.78152,
        },
        "the columns were brought to length 1: a vector is a row": {
            1: 1.53454,
            2: 1.16542,
            3: 1.8165,
            4: 1.25366,
        },
        "the positive is in the denominator twice: the sum over k runs over it once": {
            1: 1.43682,
            2: 1.0339,
            3: 1.35962,
            4: 1.15818,
        },
        "the diagonal was kept: a view is no candidate for itself": {
            1: 1.43682,
            2: 1.0339,
            3: 1.35962,
            4: 1.31776,
        },
        "the diagonal was kept, and the positive added once more": {
            1: 1.65006,
            2: 1.33816,
            3: 1.58815,
            4: 1.5587,
        },
        "the labels are off: the partner of view i stands N rows further, not beside it": {
            1: 2.16542,
            2: 2.59444,
            3: 3.06288,
            4: 2.37021,
        },
        "the labels are off: the partner is N rows further, this is the next row": {
            1: 2.16542,
            2: 2.59444,
            3: 3.06288,
            4: 2.4345,
        },
        "the labels are off by N: each view was to find itself": {
            1: 1.43682,
            2: 1.0339,
            3: 1.35962,
            4: 0.901027,
        },
        "the diagonal must not be a candidate, and no label either": {
            1: float("inf"),
            2: float("inf"),
            3: float("inf"),
            4: float("inf"),
        },
        "the mean over the 2N views is missing: this is the sum": {
            1: 9.32338,
            2: 4.7555,
            3: 17.0061,
            4: 4.60612,
        },
        "divided by N: there are 2N views": {
            1: 2.33084,
            2: 1.18888,
            3: 2.12576,
            4: 1.53537,
        },
        "divided by the square of 2N: the mean is over the views": {
            1: 0.145678,
            2: 0.0743047,
            3: 0.06643,
            4: 0.127948,
        },
        "a view chooses among all 2N - 1 others, not only among the views of the other side": {
            1: 0.743668,
            2: 0.340753,
            3: 0.666468,
            4: 0.461002,
        },
        "the positive is missing in the denominator": {
            1: 0.791759,
            2: -0.208241,
            3: 0.639057,
            4: 0.065417,
        },
        "the sign is turned round": {
            1: -1.16542,
            2: -0.594438,
            3: -1.06288,
            4: -0.767687,
        },
        "the diagonal was set to 0, and exp(0) is 1: set it to minus infinity": {
            1: 1.27401,
            2: 0.666468,
            3: 1.10857,
            4: 0.864944,
        },
        "one loss for each view came: their mean is asked": {
            1: [1.16542, 1.16542, 1.16542, 1.16542, 1.16542, 1.16542, 1.16542, 1.16542],
            2: [0.594438, 0.594438, 0.594438, 0.594438, 0.594438, 0.594438, 0.594438, 0.594438],
            3: [1.06288, 1.06288, 1.06288, 1.06288, 1.06288, 1.06288, 1.06288, 1.06288, 1.06288, 1.06288, 1.06288,
             1.06288, 1.06288, 1.06288, 1.06288, 1.06288],
            4: [0.887204, 0.413095, 0.399715, 0.900842, 1.24091, 0.764358],
        },
        "the labels run backwards: the partner of view i stands N rows further, or N rows before": {
            1: 2.16542,
            2: 2.59444,
            3: 3.06288,
            4: 1.54857,
        },
        "each view of `first` was to find itself: its partner stands N rows further": {
            1: 500000000.0,
            2: 500000000.0,
            3: 500000000.0,
            4: 500000000.0,
        },
        "1 was subtracted for the view itself: its cosine is 1, so what counts is exp(1 / temperature)": {
            1: 1.34532,
            2: 0.984576,
            3: 1.32425,
            4: 1.25988,
        },
        "only the views of the own side are negatives here: those of the other side are, too": {
            1: 0.743668,
            2: 0.340753,
            3: 0.666468,
            4: 0.441645,
        },
        "the mean over the others stands in the denominator: their sum is asked": {
            1: -0.780488,
            2: -1.35147,
            3: -1.64517,
            4: -0.841751,
        },
        "the logarithm is missing": {
            1: -0.311791,
            2: -0.551873,
            3: -0.34546,
            4: -0.48415,
        },
        "the views of one side are negatives, too; here only one direction across is left": {
            1: 0.743668,
            2: 0.340753,
            3: 0.666468,
            4: 0.404751,
        },
        "the temperature was ignored": {
            1: 0.594438,
        },
        "the temperature divides above only: below, too": {
            2: 0.165422,
            3: 0.816503,
            4: 0.272824,
        },
        "similarities are divided by the temperature, not multiplied by it": {
            2: 1.53454,
            3: 2.25039,
            4: 1.2991,
        },
        "the temperature is missing": {
            2: 1.16542,
            3: 1.8165,
            4: 1.06446,
        },
        "neither normalised nor divided by the temperature": {
            2: 1.16542,
            3: 1.8165,
            4: 0.772825,
        },
        "the temperature divides twice": {
            2: 0.104264,
            3: 0.228265,
            4: 0.528979,
        },
        "multiplied by the temperature at the end": {
            2: 0.297219,
            3: 0.53144,
            4: 0.383843,
        },
        "the logarithm of the mean was taken: the mean of the logarithms is asked": {
            4: 0.725361,
        },
        "the vectors were not brought to length 1": {
            4: 0.589118,
        },
        "only the views of `first` ask here: all 2N do": {
            4: 0.566671,
        },
        "only the views of `second` ask here: all 2N do": {
            4: 0.968702,
        },
    })
    eye = torch.eye(4)
    for t, want in [(1.0, 1.165422), (0.5, 0.594438)]:
        check(nt_xent, eye, eye, t).equals(want, rtol=1e-4, about="four orthogonal pairs")
    check(nt_xent, torch.eye(8), torch.eye(8), 0.5).equals(1.062879, rtol=1e-4, about="eight orthogonal pairs")
    a, b = torch.tensor([[1.0, 0.5], [-1.0, 2.0], [0.3, -1.0]]), torch.tensor([[2.0, 0.0], [0.5, 1.0], [1.0, -1.0]])
    check(nt_xent, a, b, 0.5).equals(0.7676868, rtol=1e-4, near={
        "a label is out of range: columns count from 0 to 2N - 1, or to 2N - 2 without the diagonal": IndexError,
    })
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, nt_xent, a[:2], b[:2], 0.5).equals(
        [[[-0.2377994, 0.4755988], [-0.0753182, -0.0376591]], [[0.0, 0.0507088], [0.7073693, -0.3536847]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)


score
