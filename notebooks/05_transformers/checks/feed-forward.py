from helpers.checks import graded


@graded("feed-forward", points=4)
def score(check):
    import torch

    tanh = "this is the approximation with tanh; the exact form has erf"
    logistic = "this is the approximation by the logistic function; the exact form has erf"
    relu, silu = "this is ReLU, which has a corner at 0", "this is SiLU: z times the logistic function of z"
    root = "inside erf, z is divided by the root of 2"
    twice = "a factor 1/2 is missing"
    gate = "this is the gate alone: multiply by z"
    no_one = "1 is added to erf before halving"
    rounded = "the root of 2 is rounded: math.sqrt(2) has all its digits"

    check(gelu, torch.tensor([-1.0, 0.0, 1.0, 2.0])).equals([-0.1586553, 0.0, 0.8413447, 1.9544997], near={
        tanh: [-0.158808, 0.0, 0.841192, 1.9546], logistic: [-0.154204, 0.0, 0.845796, 1.93566],
        relu: [0.0, 0.0, 1, 2], silu: [-0.268941, 0.0, 0.731059, 1.76159],
        root: [-0.0786496, 0.0, 0.92135, 1.99532], twice: [-0.317311, 0.0, 1.68269, 3.909],
        gate: [0.158655, 0.5, 0.841345, 0.97725], no_one: [0.341345, 0.0, 0.341345, 0.9545],
    })

    none = "the activation between the two layers is missing"
    late = "the activation stands between the two layers, not after the second"
    both = "only the middle is activated: the output is not"
    no_b1, no_b2 = "the bias b1 is missing", "the bias b2 is missing"
    residual = "x is not added here: the block does that"
    relu_ff = "ReLU stands between the layers; GELU is asked"
    x, w1 = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    b1, b2 = torch.tensor([0.0, 0.5, 1.0]), torch.tensor([1.0, -1.0])
    w2 = torch.tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
    check(feed_forward, x, w1, b1, w2, b2).equals([[1.532807, -1.321697]], near={
        "w1 is (F, C) and w2 (C, F), as nn.Linear keeps them: x @ w1.T": RuntimeError,
        none: [[1, -3.5]], late: [[0.841345, -0.000814334]], both: [[1.43676, -0.123096]],
        no_b1: [[1.52403, -0.977846]], no_b2: [[0.532807, -0.321697]], residual: [[2.53281, -2.3217]],
        relu_ff: [[2, -1]],
    })


score
