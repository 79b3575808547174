from helpers.checks import graded


@graded("alignment", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    no_norm = "the vectors were not brought to length 1"
    columns = "the columns were brought to length 1: a vector is a row"
    no_square = "the distances are to be squared"
    import torch.nn.functional as F

    dropped = "pairs at distance 0 were dropped: equal vectors are a pair, too"

    def aligned(norm=True, end=lambda d: (d**2).sum(-1).mean()):
        z = (lambda x: F.normalize(x, dim=-1)) if norm else (lambda x: x)
        return lambda a, b: end(z(a) - z(b))

    known = {
        no_norm: aligned(False),
        no_square: aligned(end=lambda d: d.norm(dim=-1).mean()),
        "the mean is over the pairs, not over all numbers: sum the squares of a pair first":
            aligned(end=lambda d: (d**2).mean()),
        "the mean over the pairs is missing": aligned(end=lambda d: (d**2).sum()),
        "this is a similarity: the squared distance is asked": lambda a, b: F.cosine_similarity(a, b).mean(),
        dropped: aligned(end=lambda d: (d**2).sum(-1)[(d**2).sum(-1) > 0].mean()),
        "this is 1 minus the cosine: the squared distance is twice that": lambda a, b: (
            1 - F.cosine_similarity(a, b)).mean(),
        "only the first argument was brought to length 1": lambda a, b: aligned(False)(F.normalize(a, dim=-1), b),
        "only the second argument was brought to length 1": lambda a, b: aligned(False)(a, F.normalize(b, dim=-1)),
        columns: lambda a, b: aligned(False)(F.normalize(a, dim=0), F.normalize(b, dim=0)),
        "the differences were summed, then squared: square each, then sum": aligned(
            end=lambda d: d.sum(-1).square().mean()),
        "the mean was taken before the square": aligned(end=lambda d: d.norm(dim=-1).mean() ** 2),
        "all rows were compared with all: only the pairs count": lambda a, b: (
            torch.cdist(F.normalize(a), F.normalize(b)) ** 2).mean(),
        "one distance for each pair came: their mean is asked": aligned(end=lambda d: (d**2).sum(-1)),
        "the sum of the absolute differences was taken": aligned(end=lambda d: d.abs().sum(-1).mean()),
        "a minus stands in front: smaller is better": aligned(end=lambda d: -(d**2).sum(-1).mean()),
        "the root was taken at the end: the squares are asked": aligned(end=lambda d: (d**2).sum(-1).mean().sqrt()),
        "this is the length of all differences together: the mean of the squared distances is asked": aligned(
            end=lambda d: d.norm()),
        "this is 2 minus the cosine: the squared distance is 2 minus twice the cosine": lambda a, b: (
            2 - F.cosine_similarity(a, b)).mean(),
        "the difference was brought to length 1: bring both vectors to length 1, then subtract": lambda a, b: (
            F.normalize(a - b, dim=-1).square().sum(-1).mean()),
    }

    floor = "a length below {0:g} counts as {0:g}: short vectors are brought to length 1, too"
    check.mistakes(known | {
        floor.format(least): lambda a, b, least=least: aligned(False)(
            F.normalize(a, dim=-1, eps=least), F.normalize(b, dim=-1, eps=least)) for least in (1e-2, 1e-3)
    }, alignment)

    def spread(norm=True, square=True, own=False, two=2.0, end=lambda e: e.exp().mean().log()):
        def value(v):
            z = F.normalize(v, dim=-1) if norm else v
            d = torch.cdist(z, z)
            d = d.flatten() if own else d[tuple(torch.triu_indices(len(z), len(z), 1))]
            return end(-two * (d**2 if square else d))

        return value

    without = spread(end=lambda e: e[e < 0].exp().mean().log())
    check.mistakes({
        dropped: without,
        no_norm: spread(norm=False),
        no_square: spread(square=False),
        "the distance of a vector to itself was counted": spread(own=True),
        "the logarithm is missing": spread(end=lambda e: e.exp().mean()),
        "the logarithm comes after the mean": spread(end=lambda e: e.mean()),
        "the factor 2 in the exponent is missing": spread(two=1.0),
        "a minus is missing in the exponent": spread(two=-2.0),
        columns: lambda v: spread(norm=False)(
            F.normalize(v, dim=0)),
        "each pair was counted twice: i < j counts it once": spread(end=lambda e: (2 * e.exp().mean()).log()),
        "the 2 was squared, too: it stands in front of the square": spread(two=4.0),
        "only neighbouring rows were compared: all pairs are asked": lambda v: (
            (-2 * F.normalize(v, dim=-1).diff(dim=0).square().sum(-1)).exp().mean().log()),
        "the mean is missing: this is the logarithm of the sum": spread(end=lambda e: e.exp().sum().log()),
        "divided by N(N - 1): with i < j there are half as many pairs": spread(
            end=lambda e: (e.exp().mean() / 2).log()),
        "a minus stands in front: smaller is better": spread(end=lambda e: -e.exp().mean().log()),
        "the logarithm has another base: the natural one is asked": spread(end=lambda e: e.exp().mean().log2()),
        "divided by N squared: the pairs are N(N - 1) / 2": lambda v: (
            spread(end=lambda e: (2 * e.exp().sum() / len(v) ** 2).log())(v)),
        "the pairs i < j were summed, but the mean is over all N squared places": lambda v: (
            spread(end=lambda e: (e.exp().sum() / len(v) ** 2).log())(v)),
        "distances that were set to 0 (as triu does) count, since exp(0) is 1": lambda v: (
            spread(end=lambda e: ((e.exp().sum() + len(v) * (len(v) + 1) / 2) / len(e)).log())(v)),
        "distances that were set to 0 (as triu does) count in the mean, since exp(0) is 1": lambda v: (
            spread(end=lambda e: ((e.exp().sum() + len(v) * (len(v) + 1) / 2) / len(v) ** 2).log())(v)),
        "the diagonal is in the sum (triu keeps it, but for diagonal=1), and not in the number of pairs": lambda v: (
            spread(end=lambda e: ((e.exp().sum() + len(v)) / len(e)).log())(v)),
        "the cosine stands in the exponent: the squared distance is asked": lambda v: (
            spread(end=lambda e: (-2 * (1 + e / 4)).exp().mean().log())(v)),
        **{floor.format(least): lambda v, least=least: spread(norm=False)(F.normalize(v, dim=-1, eps=least))
           for least in (1e-2, 1e-3)},
    }, uniformity)
    ### END MISTAKES
    a, b = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[0.0, 3.0], [4.0, 3.0]])
    check(alignment, a, b).equals(1.4, rtol=1e-4)
    v = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    check(uniformity, v).equals(-1.499775, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, alignment, a, b).equals(
        [[[0.0, -1.0], [-0.4, 0.0]], [[-1 / 3, 0.0], [0.096, -0.128]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    check(slopes, uniformity, v).equals(
        [[[0.0, 1.0743649], [0.8600309, 0.0], [-0.1033115, 0.0774837]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def unit(v):
        return v.double().numpy() / np.linalg.norm(v.double().numpy(), axis=1, keepdims=True)

    def draw(n, c, scale=1.0):
        return torch.from_numpy(check.rng.normal(size=(n, c)) * scale)

    def apart(a, b):
        return np.mean([(p - q) @ (p - q) for p, q in zip(unit(a), unit(b), strict=True)])

    for n, c in [(4, 3), (7, 5), (2, 6), (4, 4), (4, 3)]:
        a, b = draw(n, c, 2).float(), draw(n, c, 0.3).float()
        check(alignment, a, b).equals(apart(a, b), rtol=1e-4, about="fresh pairs")
    for n, c, scale in [(90, 3, 90), (3, 90, 3e-5)]:
        a, b = draw(n, c, scale).float(), draw(n, c, 0.9 / scale).float()
        check(alignment, a, b).equals(apart(a, b), rtol=1e-3, about="many pairs, long and short vectors")
    for n, c in [(1, 3), (4, 1)]:
        a, b = draw(n, c).float(), draw(n, c).float().abs()
        check(alignment, a, b).equals(apart(a, b), rtol=1e-4, atol=1e-6, about="axes of size 1", edge=True)
    a, b = draw(4, 3), draw(4, 3)
    check(alignment, a * 1e5, b * 1e5).holds(**float64_kept(apart(a, b)))

    def even(v):
        x = unit(v)
        return float(np.log(np.mean([np.exp(-2 * (p - q) @ (p - q)) for i, p in enumerate(x) for q in x[:i]])))

    for n, c in [(4, 3), (9, 2), (6, 5), (5, 5)]:
        v = draw(n, c, 2).float() + 0.5
        check(uniformity, v).equals(even(v), about="fresh vectors", rtol=1e-3, atol=1e-5)
    for n, c, scale in [(70, 3, 90), (3, 90, 3e-5)]:
        v = draw(n, c, scale).float()
        check(uniformity, v).equals(even(v), about="many vectors, long and short ones", rtol=1e-3, atol=1e-5)
    v = torch.tensor([[2.0], [-1.0], [3.0], [0.5]])
    check(uniformity, v).equals(even(v), about="axes of size 1", edge=True, rtol=1e-4)
    v = draw(5, 3)
    check(uniformity, v * 1e5).holds(**float64_kept(even(v)))
    v = draw(6, 5, 2).float() + 0.5
    check(uniformity, torch.ones(4, 3)).equals(0.0, about="all the same: collapse", edge=True, atol=1e-5)
    check(uniformity, torch.tensor([[2.0, 0.0], [-1.0, 1.0]])).equals(
        -6.828427, about="two vectors", edge=True, rtol=1e-4
    )
    check.mistakes({})
    leaves = [x.clone().requires_grad_() for x in (v, v.flip(0) + 0.3)]
    check(slopes, alignment, *(x.detach() for x in leaves)).equals(
        list(torch.autograd.grad(aligned()(*leaves), leaves)), about="the gradients of both sides", rtol=1e-3,
        atol=1e-6, near=lost,
    )
    check(slopes, uniformity, v).equals(
        list(torch.autograd.grad(spread()(leaves[0]), leaves[:1])), about="the gradient of the spread", rtol=1e-3,
        atol=1e-5, near=lost,
    )
    some = v[[0, 1, 2, 1]].double().requires_grad_()
    check(slopes, uniformity, some.detach().float()).equals(
        list(torch.autograd.grad(spread()(some), [some])), about="the gradient of pairs that agree", rtol=1e-3,
        atol=1e-5, edge=True,
        near={dropped: list(torch.autograd.grad(without(some), [some])),
              "the gradient is NaN: that of a root is infinite at 0, so do without the root": [
            torch.stack([torch.autograd.grad(spread()(some), [some])[0][i] * (torch.nan if i % 2 else 1)
                         for i in range(4)])]},
    )
    same = torch.tensor([[3.0, 4.0], [1.0, 0.0], [0.0, -2.0]])
    check(slopes, alignment, same, same * 2).equals(
        [torch.zeros(3, 2)] * 2, about="the gradient of pairs that agree", atol=1e-5, edge=True,
        near={"the gradient is NaN: that of a root is infinite at 0, so do without the root": [
            torch.full((3, 2), torch.nan)] * 2},
    )
    ### END HIDDEN TESTS


score
