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
    ### BEGIN HIDDEN TESTS
    import math

    import torch.nn.functional as F

    check.hidden()

    def erf(z, scale=math.sqrt(2)):
        return torch.erf(z / scale)

    gelu_mistakes = {
        tanh: lambda z: F.gelu(z, approximate="tanh"),
        logistic: lambda z: z * torch.sigmoid(1.702 * z),
        relu: torch.relu,
        silu: F.silu,
        root: lambda z: z * (1 + erf(z, 1)) / 2,
        "inside erf, z is divided by the root of 2, not by 2": lambda z: z * (1 + erf(z, 2)) / 2,
        "inside erf, z is divided by the root of 2, not multiplied by it": lambda z: z * (1 + erf(z, 0.5**0.5)) / 2,
        rounded: lambda z: z * (1 + erf(z, 1.414)) / 2, twice: lambda z: z * (1 + erf(z)),
        gate: lambda z: (1 + erf(z)) / 2,
        no_one: lambda z: z * erf(z) / 2,
        "1 plus erf is asked, not 1 minus erf": lambda z: z * (1 - erf(z)) / 2,
        "the density of the normal distribution stands where its distribution function is asked": lambda z: z
        * torch.exp(-z * z / 2) / math.sqrt(2 * math.pi),
    }
    check.mistakes(gelu_mistakes)
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for shape in [(3, 4), (2, 3, 5)]:
        z = torch.randn(shape, generator=draw) * 2
        check(gelu, z).equals(F.gelu(z), about="fresh numbers", rtol=1e-5, atol=1e-6)
    z = torch.linspace(-4, 4, 33, dtype=torch.float64)
    check(gelu, z).equals(F.gelu(z), about="double precision", rtol=1e-6, atol=1e-8)
    check(gelu, torch.tensor([-60.0, 60.0, 1e4])).equals([0.0, 60.0, 1e4], about="large numbers", edge=True, atol=1e-6)

    def made(act=F.gelu, outer=lambda y: y, first=1, second=1, skip=0):
        return lambda x, w1, b1, w2, b2: outer(F.linear(act(F.linear(x, w1, b1 * first)), w2, b2 * second)) + skip * x

    unlike = {words: made(act=act) for words, act in gelu_mistakes.items() if words not in (tanh, relu)}
    check.mistakes(unlike | {
        none: made(act=lambda z: z), late: made(act=lambda z: z, outer=F.gelu), both: made(outer=F.gelu),
        no_b1: made(first=0), no_b2: made(second=0), "both biases are missing": made(first=0, second=0),
        residual: made(skip=1), relu_ff: made(act=torch.relu),
        "the activation stands before the first layer; it stands between the two": lambda x, *rest: made(
            act=lambda z: z
        )(F.gelu(x), *rest),
        "the bias b1 is added before the activation, not after it": lambda x, w1, b1, w2, b2: F.linear(
            F.gelu(x @ w1.T) + b1, w2, b2
        ),
        "the tanh approximation stands between the layers; GELU is asked in its exact form": made(
            act=lambda z: F.gelu(z, approximate="tanh")
        ),
        "the first layer is linear and the second is activated twice": made(outer=lambda y: F.gelu(F.gelu(y))),
        "the matrices are used the wrong way round: x @ w1.T, as nn.Linear does": lambda x, w1, b1, w2, b2: F.gelu(
            x @ w1 + b1
        ) @ w2 + b2,
        "the first matrix is used the wrong way round: x @ w1.T": lambda x, w1, b1, w2, b2: F.linear(
            F.gelu(x @ w1 + b1), w2, b2
        ),
        "the second matrix is used the wrong way round": lambda x, w1, b1, w2, b2: F.gelu(F.linear(x, w1, b1)) @ w2
        + b2,
        "w1 and w2 are exchanged": lambda x, w1, b1, w2, b2: F.linear(F.gelu(F.linear(x, w2, b1)), w1, b2),
    })
    for shape, width in [((2, 3, 4), 7), ((5, 6), 24), ((3, 4, 5), 5), ((3,), 8)]:
        C = shape[-1]
        x, w1, b1, w2, b2 = (torch.randn(s, generator=draw) for s in (shape, (width, C), (width,), (C, width), (C,)))
        oracle = F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)
        about = "as wide in the middle as outside" if width == C else "fresh weights"
        check(feed_forward, x, w1, b1, w2, b2).equals(oracle, about=about, rtol=1e-4, atol=2e-5)
    ### END HIDDEN TESTS


score
