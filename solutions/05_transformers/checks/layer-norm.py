from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("layer-norm", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    biased = "the variance divides by C, not by C - 1: correction=0"
    outside = "eps stands inside the root, beside the variance"
    no_eps = "eps is missing"

    def made(center=lambda x: x.mean(-1, keepdim=True), spread=None, apply=lambda z, w, b: z * w + b, root=None):
        """A layer norm whose parts can be exchanged."""
        spread = spread or (lambda x: x.var(-1, correction=0, keepdim=True))
        root = root or (lambda v, eps: (v + eps) ** 0.5)
        return lambda x, weight, bias, eps=1e-5: apply((x - center(x)) / root(spread(x), eps), weight, bias)

    check.mistakes({
        biased: made(spread=lambda x: x.var(-1, correction=1, keepdim=True)),
        outside: made(root=lambda v, eps: v**0.5 + eps),
        no_eps: made(root=lambda v, eps: v**0.5),
        "the argument eps is ignored": lambda x, w, b, eps=1e-5: made()(x, w, b),
        "eps is the smallest variance here: it is added to each": made(root=lambda v, eps: v.clamp(min=eps) ** 0.5),
        "the median stands where the mean is asked": made(center=lambda x: x.median(-1, keepdim=True).values),
        "the range, largest less smallest, stands where the root of the variance is asked":
            made(spread=lambda x: x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True), root=lambda v, eps: v + eps),
        "eps is squared: it is added to the variance as it is": made(root=lambda v, eps: (v + eps**2) ** 0.5),
        "the mean was not subtracted: that is RMSNorm, which divides by the root of the mean square":
            made(center=lambda x: 0, spread=lambda x: (x**2).mean(-1, keepdim=True)),
        "the mean was not subtracted from x, only inside the variance": made(center=lambda x: 0),
        "the mean square was taken for the variance: subtract the mean there too":
            made(spread=lambda x: (x**2).mean(-1, keepdim=True)),
        f"{biased}; {outside}":
            made(spread=lambda x: x.var(-1, correction=1, keepdim=True), root=lambda v, eps: v**0.5 + eps),
        "the mean square less the squared mean loses its digits far from 0: take the mean of (x - mean)**2":
            made(spread=lambda x: (x**2).mean(-1, keepdim=True) - x.mean(-1, keepdim=True) ** 2),
        "the mean was subtracted, but the size is not brought to 1: divide by the root of the variance":
            made(root=lambda v, eps: 1.0),
        "this is normalised over the tokens of a text; each token is normalised by itself, over its numbers":
            made(center=lambda x: x.mean(-2, keepdim=True), spread=lambda x: x.var(-2, correction=0, keepdim=True)),
        "this is normalised over the first axis; each token is normalised by itself, over the last":
            made(center=lambda x: x.mean(0, keepdim=True), spread=lambda x: x.var(0, correction=0, keepdim=True)),
        "mean and variance are taken over a whole text; each token has its own":
            made(center=lambda x: x.mean((-2, -1), keepdim=True),
                spread=lambda x: x.var((-2, -1), correction=0, keepdim=True)),
        "one mean and variance for all numbers together; each token has its own":
            made(center=lambda x: x.mean(), spread=lambda x: x.var(correction=0)),
        "this is normalised over axis 2, which is the last axis only where x has three: dim=-1":
            made(center=lambda x: x.mean(2, keepdim=True), spread=lambda x: x.var(2, correction=0, keepdim=True)),
        "this is normalised over axis 1, which is the last axis only where x has two":
            made(center=lambda x: x.mean(1, keepdim=True), spread=lambda x: x.var(1, correction=0, keepdim=True)),
        "divide by the root of the variance, not by the variance": made(root=lambda v, eps: v + eps),
        "the mean absolute deviation stands where the root of the variance is asked":
            made(spread=lambda x: (x - x.mean(-1, keepdim=True)).abs().mean(-1, keepdim=True),
                root=lambda v, eps: v + eps),
        "the variance is the mean of the squares less the square of the mean: here the mean is not squared":
            made(spread=lambda x: (x**2).mean(-1, keepdim=True) - x.mean(-1, keepdim=True)),
        "the bias is added after the weight, not before: (...) * weight + bias":
            made(apply=lambda z, w, b: (z + b) * w),
        "the weight is missing": made(apply=lambda z, w, b: z + b),
        "the bias is missing": made(apply=lambda z, w, b: z * w),
        "weight and bias are both missing": made(apply=lambda z, w, b: z),
        "weight and bias are exchanged": made(apply=lambda z, w, b: z * b + w),
        "the gain is taken as 1 + weight; it is the weight itself": made(apply=lambda z, w, b: z * (1 + w) + b),
        "the bias is added, not subtracted": made(apply=lambda z, w, b: z * w - b),
    }, layer_norm)
    ### END MISTAKES
    one, none = torch.ones(4), torch.zeros(4)
    check(layer_norm, torch.tensor([[1.0, 2.0, 3.0, 4.0]]), one, none).equals(
        [[-1.341635, -0.4472117, 0.4472117, 1.341635]]
    )
    weight, bias = torch.tensor([1.0, 2.0, -0.5]), torch.tensor([0.0, 1.0, 3.0])
    check(layer_norm, torch.tensor([[[1.0, 2.0, 6.0], [5.0, -1.0, 2.0]]]), weight, bias).equals(
        [[[-0.9258189, 0.0741811, 2.305636], [1.224743, -1.449486, 3.0]]], rtol=1e-5, atol=1e-6
    )
    check(layer_norm, torch.tensor([[0.0, 2.0, 4.0]]), weight, bias, eps=1.0).equals([[-1.044466, 1.0, 2.477767]])
    check(slopes, layer_norm, torch.tensor([[1.0, 2.0, 6.0]]), weight, bias).equals(
        [[[-0.4935848, 0.6169819, -0.1233970]], [1.7142819, -0.0686781, 6.4038043], [-1.8516382, 0.1483618, 4.6112714]],
        about="gradients", rtol=1e-3, atol=1e-4)
    numpy, by_torch = ["from_numpy", "Tensor.numpy", "_tensor.Tensor.__array__"], "all is computed by torch"
    by_numpy = "NumPy was used: the exercise rules it out; torch's own operations do all of it"
    check(taken, numpy, layer_norm, torch.tensor([[1.0, 2.0, 6.0]]), weight, bias).holds(
        **not_taken(by_torch, by_numpy), about="without NumPy")
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def tried(*shape, about, scale=1.0, shift=0.0, dtype=torch.float32, edge=False, gain=1.0, exact=1e-4, **more):
        x = torch.randn(shape, generator=draw, dtype=dtype) * scale + shift
        w, b = (torch.randn(shape[-1], generator=draw, dtype=dtype) * gain for _ in "wb")
        oracle = F.layer_norm(x, shape[-1:], w, b, **more)
        return check(layer_norm, x, w, b, **more).equals(
            oracle, about=about, rtol=exact, atol=exact * gain / 10, edge=edge
        )

    tried(2, 3, 5, about="fresh vectors")
    tried(2, 3, 5, about="fresh vectors")
    tried(4, 7, about="fresh vectors", scale=3.0, shift=-2.0)
    tried(3, 3, 3, about="as many tokens as texts and numbers")
    tried(2, 3, 2, 6, about="four axes")
    tried(2, 4, 5, about="small numbers, where eps counts", scale=3e-3)
    tried(2, 4, 5, about="another eps", eps=0.3)
    tried(2, 3, 64, about="wide vectors far from 0", scale=10.0, shift=100.0)
    tried(70, 66, about="many tokens, many numbers, large weights", gain=60.0)
    tried(5, about="a single vector", edge=True)
    tried(1, 1, 5, about="one text of one token", edge=True)
    tried(2, 3, 1, about="one number for each token", edge=True)
    tried(2, 4, 6, about="double precision", dtype=torch.float64, exact=1e-9)
    constant = torch.full((2, 3), 5.0)
    w, b = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, 0.0, -1.0])
    check(layer_norm, constant, w, b).equals(
        b.expand(2, 3), about="all numbers equal", edge=True, atol=1e-3, near={no_eps: torch.full((2, 3), torch.nan)}
    )
    turned = torch.randn(5, 3, generator=draw).T
    check(layer_norm, turned, torch.ones(5), torch.zeros(5)).equals(
        F.layer_norm(turned, (5,)), about="a transposed view", rtol=1e-4, atol=1e-5
    )
    for dtype in (torch.float32, torch.float64):
        x, w, b = (torch.randn(s, generator=draw).to(dtype) for s in ((2, 4), 4, 4))
        check(layer_norm, x, w, b).holds(
            lambda y, dtype=dtype: y.dtype == dtype, f"a tensor of {dtype}", about="the dtype is kept", edge=True
        )
    x, w, b = (torch.randn(s, generator=draw) for s in ((2, 3, 4), 4, 4))
    leaves = [v.clone().requires_grad_() for v in (x, w, b)]
    wanted = torch.autograd.grad(F.layer_norm(leaves[0], (4,), *leaves[1:]).square().sum(), leaves)

    def partly(mean=lambda v: v, spread=lambda v: v):
        """The gradients where mean or variance are cut off."""
        found = made(lambda x: mean(x.mean(-1, keepdim=True)), lambda x: spread(x.var(-1, correction=0, keepdim=True)))
        return list(torch.autograd.grad(found(*leaves).square().sum(), leaves))

    cut = "the gradient is cut on its way to {}: no detach, no no_grad, no item, no NumPy"
    cuts = {cut.format("all that goes in"): [v * 0 for v in wanted]}
    for i, name in enumerate(("x", "weight", "bias")):
        cuts[cut.format(name)] = [v * (i != j) for j, v in enumerate(wanted)]
    check(slopes, layer_norm, x, w, b).equals(
        list(wanted), about="gradients: what training needs", rtol=1e-3, atol=1e-4,
        near=cuts | {
            cut.format("the variance"): partly(spread=torch.Tensor.detach),
            cut.format("the mean"): partly(mean=torch.Tensor.detach),
            cut.format("mean and variance"): partly(torch.Tensor.detach, torch.Tensor.detach),
        },
    )
    check(taken, numpy, layer_norm, x, w, b).holds(
        **not_taken(by_torch, by_numpy, F.layer_norm(x, (4,), w, b)), about="fresh vectors, without NumPy")
    ### END HIDDEN TESTS


score
