from helpers.checks import graded


@graded("bottleneck", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    def made(residual=1.0, inner=F.gelu, outer=lambda z: z, bias=1, out=1):
        return lambda x, D, d, U, u: residual * x + outer(inner(x @ D.T + bias * d) @ U.T + out * u)

    check.mistakes({
        "the residual is missing: x itself is added": made(residual=0.0),
        "the GELU is missing: without it the two matrices are one matrix of low rank": made(inner=lambda z: z),
        "GELU stands between the two matrices, not behind them": made(inner=lambda z: z, outer=F.gelu),
        "this is ReLU; GELU is asked": made(inner=torch.relu),
        "this is the approximation of GELU with tanh; the exact one is asked":
            made(inner=lambda z: F.gelu(z, approximate="tanh")),
        "the biases are missing": made(bias=0, out=0),
        "the residual is added once": made(residual=2.0),
        "the bias d is missing": made(bias=0),
        "the bias u is missing": made(out=0),
        "GELU stands behind the second matrix, too": made(outer=F.gelu),
        "this is a sigmoid in place of GELU": made(inner=torch.sigmoid),
        "this is the approximation of GELU with a sigmoid; the exact one is asked":
            made(inner=lambda z: z * torch.sigmoid(1.702 * z)),
        "this is SiLU in place of GELU": made(inner=F.silu),
        "this is tanh in place of GELU": made(inner=torch.tanh),
        "d is added behind GELU: it stands inside, with x D^T":
            lambda x, D, d, U, u: x + (F.gelu(x @ D.T) + d) @ U.T + u,
        "d is added twice: inside GELU and behind it": lambda x, D, d, U, u: x + (F.gelu(x @ D.T + d) + d) @ U.T + u,
        "u is added twice": made(out=2),
        "d is added twice": made(bias=2),
        "the residual is GELU of x: x itself is added":
            lambda x, D, d, U, u: made(residual=0.0)(x, D, d, U, u) + F.gelu(x),
        "x is multiplied by the network's output: it is added":
            lambda x, D, d, U, u: x * made(residual=0.0)(x, D, d, U, u),
        "the network's output is subtracted from x: it is added": lambda x, D, d, U, u: 2 * x - made()(x, D, d, U, u),
        "x is normalised first: it goes in as it is":
            lambda x, D, d, U, u: x + made(residual=0.0)(F.layer_norm(x, x.shape[-1:]), D, d, U, u),
        "this is a leaky ReLU in place of GELU": made(inner=F.leaky_relu),
        "this is softplus in place of GELU": made(inner=F.softplus),
        "this is ELU in place of GELU": made(inner=F.elu),
        "the residual goes through GELU as well": lambda x, D, d, U, u: F.gelu(made()(x, D, d, U, u)),
        "the sum is divided by two": lambda x, D, d, U, u: made()(x, D, d, U, u) / 2,
    }, bottleneck)
    ### END MISTAKES
    D = torch.tensor([[1.0, -2.0, 0.5], [0.3, 0.4, -1.0]])
    U = torch.tensor([[0.5, 1.0], [-1.0, 0.2], [0.7, -0.6]])
    d, u = torch.tensor([0.1, -0.2]), torch.tensor([0.3, 0.0, -0.5])
    check(bottleneck, torch.tensor([[1.0, 0.5, 2.0], [-1.0, -1.5, 0.4]]), D, d, U, u).equals(
        [[1.699622, -0.46592, 2.210994], [0.337456, -3.795377, 1.552861]], rtol=1e-4, atol=1e-6)
    generator = torch.Generator().manual_seed(1)
    check(bottleneck_start, 5, 2, generator).holds(
        lambda v: [tuple(t.shape) for t in v] == [(2, 5), (2,), (5, 2), (5,)], "shapes (2, 5), (2,), (5, 2), (5,)",
        near={"D and U are exchanged: D is (m, d_model)": lambda v: tuple(v[0].shape) == (5, 2)},
    )
    biases = "d and u begin at 0: D alone is random"
    swapped = "U is random and D is 0: it is the other way round"
    no_start = "D is 0, too: then neither matrix has a gradient"
    both = "both matrices are random: U begins at 0, so that the adapter begins as the identity"
    check(bottleneck_start, 5, 2, generator).holds(
        lambda v: not any(t.any() for t in v[1:]) and bool(v[0].any()), "D random, all others 0",
        near={both: lambda v: bool(v[2].any()) and bool(v[0].any()),
              no_start: lambda v: not v[0].any() and not v[2].any(),
              swapped: lambda v: bool(v[2].any()) and not v[0].any(),
              biases: lambda v: bool(v[1].any() or v[3].any()) and not v[2].any()},
    )
    check(bottleneck_start, 256, 64, generator).holds(
        lambda v: 0.0192 < float(v[0].std()) < 0.0208 and abs(float(v[0].mean())) < 0.001
                   and len(v[0].unique()) > 10_000 and float(v[0].abs().max()) > 3 * float(v[0].std()),
        "D is normal with standard deviation 0.02", about="the spread of D",
        near={swapped: lambda v: bool(v[2].any()) and not v[0].any(),
              no_start: lambda v: not v[0].any() and not v[2].any(),
              "D is not scaled: its standard deviation is 1": lambda v: 0.9 < float(v[0].std()) < 1.1,
              "D is uniform: it is normal": lambda v: 0 < float(v[0].abs().max()) < 1.8 * float(v[0].std()),
              "D is cut off at the ends: the numbers of torch.randn stay as they are": lambda v: (
                  float(v[0].std()) > 0.01 and 1.8 * float(v[0].std()) < float(v[0].abs().max()) < 3 * v[0].std()),
              "D is rounded: the numbers of torch.randn stay as they are": lambda v: (
                  len(v[0].unique()) <= 10_000 and 0.019 < float(v[0].std()) < 0.021),
              "0.02 is the standard deviation, not the variance": lambda v: 0.13 < float(v[0].std()) < 0.15,
              "D is normal, but its standard deviation is not 0.02": lambda v: (
                  float(v[0].abs().max()) > 3 * float(v[0].std()) > 0 and not 0.019 < float(v[0].std()) < 0.021)},
    )
    check(lambda: [bottleneck_start(8, 3, torch.Generator().manual_seed(s))[0] for s in (5, 5, 6)]).holds(
        lambda v: torch.equal(v[0], v[1]) and not torch.equal(v[0], v[2]), "the generator decides",
        about="the generator decides",
        near={"the generator is not used": lambda v: not torch.equal(v[0], v[1]),
              "the seed is fixed: another generator must give other numbers": lambda v: (
                  torch.equal(v[0], v[2]) and bool(v[0].any()))},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(shape, m, dtype=torch.float32, size=1.0):
        C = shape[-1]
        sizes = shape, (m, C), (m,), (C, m), (C,)
        return [size * torch.randn(s, generator=draw).to(dtype) for s in sizes]

    def right(x, D, d, U, u):
        inner = x @ D.T + d
        return x + (0.5 * inner * (1 + torch.erf(inner / 2**0.5))) @ U.T + u

    for shape, m in [((2, 3, 5), 2), ((4, 6), 3), ((2, 4, 3, 4), 7)]:
        case = fresh(shape, m)
        check(bottleneck, *case).equals(right(*case), about="fresh vectors", rtol=1e-4, atol=1e-5)
    many = fresh((70, 68), 66, size=40.0)
    for case, atol in [(many, 100.0), ((*fresh((3, 4), 2)[:4], many[4][:4] * 10), 1e-3)]:  # 100 of some 4 million
        check(bottleneck, *case).equals(
            right(*case), about="many vectors, large numbers", edge=True, rtol=1e-3, atol=atol)
    for shape, m in [((1, 5), 2), ((2, 1, 4), 3), ((1, 1, 3), 1), ((3, 4), 1), ((3, 1), 2), ((5,), 2)]:
        case = fresh(shape, m)
        check(bottleneck, *case).equals(
            right(*case), about="one vector, one number", edge=True, rtol=1e-4, atol=1e-5,
            near=lambda case=case: {"an axis of size 1 is kept, too": right(*case).squeeze()})
    case = fresh((3, 4), 2, torch.float64)
    check(bottleneck, *case).equals(right(*case), about="float64", edge=True, rtol=1e-9, atol=1e-12, near=lambda: {
        "float64 came in and float32 came back, or was used inside": right(*(v.float() for v in case)).double()})
    def beside(x, *weights):
        return x + right(x.detach(), *weights) - x.detach()

    for shape, m in [((3, 4), 2), ((2, 3, 5), 3)]:
        case = fresh(shape, m)
        leaves = [v.clone().requires_grad_() for v in case]
        check(slopes, bottleneck, *case).equals(
            list(torch.autograd.grad(made()(*leaves).sum(), leaves)), about="the gradients", rtol=1e-3, atol=1e-4,
            near={"no gradient flows: is something detached?": RuntimeError,
                  "x gets a gradient by the residual alone: is it detached on its way through the adapter?":
                      list(torch.autograd.grad(beside(*leaves).sum(), leaves))},
        )

    def as_it_begins(v, C, m):
        shapes = [tuple(t.shape) for t in v]
        kinds = {t.dtype for t in v}
        others = any(t.any() for t in v[1:])
        return (shapes == [(m, C), (m,), (C, m), (C,)] and kinds == {torch.float32} and bool(v[0].any())
                and not others)

    for C, m in [(70, 66), (66, 70), (1, 3), (3, 1)]:
        check(bottleneck_start, C, m, draw).holds(
            lambda v, C=C, m=m: as_it_begins(v, C, m),
            "D (m, d_model) random, all others 0, float32", about="fresh starts",
            near={both: lambda v: bool(v[2].any()) and bool(v[0].any()),
                  swapped: lambda v: bool(v[2].any()) and not v[0].any(),
                  no_start: lambda v: not v[0].any() and not v[2].any(),
                  biases: lambda v: bool(v[1].any() or v[3].any()) and not v[2].any(),
                  "float32 is asked": lambda v: any(t.dtype != torch.float32 for t in v)},
        )
    ### END HIDDEN TESTS


score
