from helpers.checks import graded


@graded("bottleneck", points=2)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    def made(residual=1.0, inner=F.gelu, outer=lambda z: z, bias=1, out=1):
        return lambda x, D, d, U, u: residual * x + outer(inner(x @ D.T + bias * d) @ U.T + out * u)

    check.mistakes({
        "the residual is missing: x itself is added": made(residual=0.0),
        "the GELU is missing: without it the two matrices are one matrix of low rank": made(inner=lambda z: z),
        "GELU belongs between the two matrices, not after them": made(inner=lambda z: z, outer=F.gelu),
        "this is ReLU; GELU is asked for": made(inner=torch.relu),
        "this is the approximation of GELU with tanh; the exact one is asked for":
            made(inner=lambda z: F.gelu(z, approximate="tanh")),
        "the biases are missing": made(bias=0, out=0),
        "the residual is added once": made(residual=2.0),
        "the bias d is missing": made(bias=0),
        "the bias u is missing": made(out=0),
        "GELU is after the second matrix, too": made(outer=F.gelu),
        "this is a sigmoid in place of GELU": made(inner=torch.sigmoid),
        "this is the approximation of GELU with a sigmoid; the exact one is asked for":
            made(inner=lambda z: z * torch.sigmoid(1.702 * z)),
        "this is SiLU in place of GELU": made(inner=F.silu),
        "this is tanh in place of GELU": made(inner=torch.tanh),
        "GELU is z Phi(z): here Phi has z, not z divided by the root of 2, in erf":
            made(inner=lambda z: z * (1 + torch.erf(z)) / 2),
        "GELU is z Phi(z): here erf has z / 2, not z divided by the root of 2":
            made(inner=lambda z: z * (1 + torch.erf(z / 2)) / 2),
        "GELU is z Phi(z): the factor 1/2 of Phi is missing": made(inner=lambda z: 2 * F.gelu(z)),
        "GELU is z Phi(z): here erf stands for Phi, which is (1 + erf) / 2":
            made(inner=lambda z: z * torch.erf(z / 2**0.5)),
        "GELU is z Phi(z): here it is Phi(z) alone": made(inner=torch.special.ndtr),
        "d is added after GELU: it belongs inside, with x D^T":
            lambda x, D, d, U, u: x + (F.gelu(x @ D.T) + d) @ U.T + u,
        "d is added twice: inside GELU and after it": lambda x, D, d, U, u: x + (F.gelu(x @ D.T + d) + d) @ U.T + u,
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
        [[1.699622, -0.46592, 2.210994], [0.337456, -3.795377, 1.552861]], rtol=1e-4, atol=1e-6,
        near={"x may have any number of axes before the last one: here it needs three in all": ValueError})
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
    ### END HIDDEN TESTS


score
