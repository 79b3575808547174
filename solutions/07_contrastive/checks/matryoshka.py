from helpers.checks import graded


@graded("matryoshka", points=5)
def score(check):
    import torch
    ### BEGIN MISTAKES
    last = "the last numbers were kept: the first are asked"
    import torch.nn.functional as F

    check.mistakes({
        "what is left was not brought to length 1 again": lambda v, n: v[..., :n],
        last: lambda v, n: F.normalize(v[..., -n:], dim=-1),
        "the whole vector was brought to length 1, and then cut: cut first":
            lambda v, n: F.normalize(v, dim=-1)[..., :n],
        "rows were cut: `size` numbers of each vector are asked": lambda v, n: F.normalize(v[:n], dim=-1),
        "one number too many was kept": lambda v, n: F.normalize(v[..., : n + 1], dim=-1),
        "one number too few was kept": lambda v, n: F.normalize(v[..., : n - 1], dim=-1),
        "the rest was set to 0: it is to be cut off": lambda v, n: F.normalize(
            torch.cat([v[..., :n], 0 * v[..., n:]], -1), dim=-1),
        "the columns were brought to length 1: a vector is a row": lambda v, n: F.normalize(v[..., :n], dim=0),
        "the numbers sum to 1 here: the length is to be 1": lambda v, n: F.normalize(v[..., :n], p=1, dim=-1),
    }, shorten)
    ### END MISTAKES
    weighed = "each loss was weighed by its size: all count alike"
    v = torch.tensor([[3.0, 4.0, 0.0, 12.0], [0.0, -2.0, 5.0, 1.0], [0.0, 0.0, 7.0, 0.0]])
    nan = float("nan")
    check(shorten, v, 2).equals([[0.6, 0.8], [0.0, -1.0], [0.0, 0.0]], rtol=1e-4, near={
        "a length of 0 divided: a row of zeros stays zeros": [[0.6, 0.8], [0.0, -1.0], [nan, nan]]})

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    def no_number(gradients):
        return any(bool(torch.isnan(gradient).any()) for gradient in gradients)

    of_zeros = {
        "about": "gradients beside zeros", "edge": True, "near": {
            "the gradient is NaN: that of a root is infinite at 0, and 0 / 0 is no number; F.normalize avoids both":
                no_number}}

    check(slopes, shorten, v, 2).holds(finite, "finite gradients", **of_zeros)
    q = torch.tensor([[-2.0, 1.5, -2.0, 0.0, 1.0, 0.5], [-2.0, -1.0, 0.0, -0.5, 2.0, 1.0]])
    k = torch.tensor([[-0.5, -2.0, -2.0, -1.5, 1.0, 0.5], [-2.0, 1.0, 0.0, 0.5, -1.0, 2.0]])
    summed = "the losses of the sizes were added up: their mean is asked"
    longest = "only the largest size has a loss here: all of `sizes` have"
    shortest = "only the smallest size has a loss here: all of `sizes` have"
    whole = "the whole vectors took part at every size"
    worst = "the largest loss was taken: the mean is asked"
    no_tau = "the temperature was ignored"
    again = "what had been cut was cut again: cut the whole vectors at each size"
    at_first = "only the first of `sizes` has a loss here: is a return inside the loop?"
    at_last = "only the last of `sizes` has a loss here: all have"
    first_part = "the loss of the first of `sizes` alone was divided by their number: is a return inside the loop?"
    last_part = "the loss of the last of `sizes` alone was divided by their number: add up all"
    lengths = "the vectors were not brought to length 1 after the cut"
    check(matryoshka_loss, q, k, (3, 5, 1, 2, 4), 0.5).equals(1.122431, rtol=1e-4, near={
        summed: 5.612155, longest: 1.128314, shortest: 0.6931472, no_tau: 6.753556, whole: 0.9923742, worst: 1.77571,
        weighed: 1.131153, again: 0.8074007, at_first: 0.9787809, at_last: 1.036203, first_part: 0.1957562,
        last_part: 0.2072406, lengths: 0.9425806,
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()
    pieces = "only the numbers after the last size took part: the first `size` numbers do"

    for n, c, size in [(3, 5, 2), (4, 6, 6), (2, 7, 4), (5, 3, 1)]:
        v = torch.from_numpy(check.rng.normal(size=(n, c)) * 3)
        want = v.numpy()[:, :size] / np.sqrt((v.numpy()[:, :size] ** 2).sum(1, keepdims=True))
        check(shorten, v.float(), size).equals(want, about="fresh vectors", rtol=1e-4, atol=1e-6)
    for n, c, size, scale in [(90, 3, 2, 90), (2, 100, 80, 1), (3, 4, 3, 1e-4)]:
        w = torch.from_numpy(check.rng.normal(size=(n, c)) * scale)
        want = w.numpy()[:, :size] / np.sqrt((w.numpy()[:, :size] ** 2).sum(1, keepdims=True))
        check(shorten, w.float(), size).equals(want, about="many vectors, long and short ones", rtol=1e-3, atol=1e-5)
    for n, c, size in [(1, 4, 2), (3, 1, 1), (1, 3, 1)]:
        w = torch.from_numpy(check.rng.normal(size=(n, c)))
        want = w.numpy()[:, :size] / np.sqrt((w.numpy()[:, :size] ** 2).sum(1, keepdims=True))
        check(shorten, w.float(), size).equals(want, about="axes of size 1", rtol=1e-4, atol=1e-6, edge=True)
    short = v.numpy()[:, :2]
    check(shorten, v * 1e5, 2).holds(**float64_kept(short / np.linalg.norm(short, axis=1, keepdims=True)))
    check(shorten, torch.tensor([[0.0, 0.0, 7.0]]), 2).equals([[0.0, 0.0]], about="nothing but zeros left", edge=True)
    check(slopes, shorten, torch.tensor([[0.0, 0.0, 7.0], [1.0, 2.0, 3.0]]), 2).holds(
        finite, "finite gradients", **of_zeros)
    tiny = torch.tensor([[3e-6, 4e-6, 1.0]])
    check(shorten, tiny, 2).equals([[0.6, 0.8]], about="very short vectors", edge=True, rtol=1e-3)

    def oracle(q, k, sizes, t):
        total = 0.0
        for size in sizes:
            a, b = (x.double()[:, :size] for x in (q, k))
            s = F.cosine_similarity(a[:, None], b[None], dim=-1) / t
            total = total + (s.logsumexp(1) - s.diagonal()).mean()
        return total / len(sizes)

    def made(cut=lambda x, n: x[:, :n], norm=True, end=lambda losses: sum(losses) / len(losses), both=False):
        def loss(q, k, sizes, temperature=0.05):
            losses = []
            for size in sizes:
                a, b = (F.normalize(cut(x, size), dim=-1) if norm else cut(x, size) for x in (q, k))
                s, at = a @ b.T / temperature, torch.arange(len(q))
                losses.append(F.cross_entropy(s, at) / (2 if both else 1))
                losses[-1] = losses[-1] + (F.cross_entropy(s.T, at) / 2 if both else 0)
            return end(losses)

        return loss

    def in_pieces(q, k, sizes, t=0.05):
        starts = [0, *sizes[:-1]]
        return sum(made()(q[:, a:], k[:, a:], [b - a], t) for a, b in zip(starts, sizes, strict=True)) / len(sizes)

    def one_side(q, k, sizes, t, turn=1):
        cut = ((F.normalize(q[:, :n], dim=-1), F.normalize(k, dim=-1)[:, :n]) for n in sizes)
        tables = (a @ b.T if turn > 0 else b @ a.T for a, b in cut)
        return sum(F.cross_entropy(s / t, torch.arange(len(s))) for s in tables) / len(sizes)

    def table(q, k, sizes):
        def beginnings(vectors):
            return [F.normalize(vectors[:, :n], dim=-1) for n in sizes]

        pairs = zip(beginnings(q), beginnings(k), strict=True)
        return sum(x @ y.T for x, y in pairs) / len(sizes)

    def averaged(q, k, sizes, t=0.05):
        return F.cross_entropy(table(q, k, sizes) / t, torch.arange(len(q)))

    check.mistakes({
        summed: made(end=sum), longest: lambda q, k, sizes, t=0.05: made()(q, k, [max(sizes)], t),
        shortest: lambda q, k, sizes, t=0.05: made()(q, k, [min(sizes)], t),
        no_tau: lambda q, k, sizes, t=0.05: made()(q, k, sizes), last: made(cut=lambda x, n: x[:, -n:]),
        "the vectors were not brought to length 1": made(norm=False),
        whole: made(cut=lambda x, n: x),
        worst: made(end=max),
        "both directions were averaged: only the queries choose here": made(both=True),
        weighed: lambda q, k, sizes, t=0.05: (
            sum(made()(q, k, [size], t) * size for size in sizes) / sum(sizes)),
        "the whole vectors had a loss, too: only those of `sizes` have": lambda q, k, sizes, t=0.05: (
            made()(q, k, [*sizes, q.shape[1]], t)),
        again: lambda q, k, sizes, t=0.05: made()(q, k, [min(sizes[: i + 1]) for i in range(len(sizes))], t),
        at_first: lambda q, k, sizes, t=0.05: made()(q, k, sizes[:1], t),
        at_last: lambda q, k, sizes, t=0.05: made()(q, k, sizes[-1:], t),
        first_part: lambda q, k, sizes, t=0.05: made()(q, k, sizes[:1], t) / len(sizes),
        last_part: lambda q, k, sizes, t=0.05: made()(q, k, sizes[-1:], t) / len(sizes),
        pieces: in_pieces,
        lengths: lambda q, k, sizes, t=0.05: made(norm=False)(F.normalize(q, dim=-1), F.normalize(k, dim=-1), sizes, t),
        "only the queries were brought to length 1 after the cut": lambda q, k, sizes, t=0.05: one_side(q, k, sizes, t),
        "only the keys were brought to length 1 after the cut": lambda q, k, sizes, t=0.05: (
            one_side(k, q, sizes, t, -1)),
        "the similarities of all sizes went into a single loss: each size has a loss of its own": averaged,
        "divided by the largest size: divide by how many there are": lambda q, k, sizes, t=0.05: (
            made(end=sum)(q, k, sizes, t) / max(sizes)),
        "divided by the sum of the sizes: divide by how many there are": lambda q, k, sizes, t=0.05: (
            made(end=sum)(q, k, sizes, t) / sum(sizes)),
    })
    for n, c, sizes, t in [(4, 7, (4, 2, 6, 3), 0.2), (3, 8, (3, 1, 6, 2), 0.05), (6, 5, (3,), 1.0),
                           (5, 7, [5, 2, 6, 4], 0.5), (4, 5, [2, 4, 1, 3], 0.02), (4, 6, (2, 4, 5), 0.3),
                           (4, 7, (1, 6, 3, 5), 0.2)]:
        q, k = (torch.from_numpy(check.rng.normal(size=(n, c)) * 2).float() for _ in "qk")
        check(matryoshka_loss, q, k, sizes, t).equals(oracle(q, k, sizes, t), about="fresh pairs", rtol=1e-4, atol=1e-6)
    for n, c, sizes, scale in [(90, 5, [2, 4, 1, 3], 90), (2, 90, [*range(40, 89), *range(2, 40)], 1),
                              (3, 5, [3, 2, 4], 1e-4)]:
        q, k = (torch.from_numpy(check.rng.normal(size=(n, c)) * scale).float() for _ in "qk")
        check(matryoshka_loss, q, k, sizes, 0.3).equals(
            oracle(q, k, sizes, 0.3), about="large batches, many sizes, long and short vectors", rtol=1e-3)
    q, k = (torch.from_numpy(check.rng.normal(size=(4, 5))) for _ in "qk")
    check(matryoshka_loss, q * 1e5, k * 1e5, [4, 2]).holds(**float64_kept(oracle(q, k, [4, 2], 0.05)))
    q, k = q.float(), k.float()
    check(matryoshka_loss, q, k, [2, 2, 3], 0.4).equals(
        oracle(q, k, [2, 2, 3], 0.4), about="a size that comes twice", edge=True, rtol=1e-4,
        near={"a size that comes twice counts twice": oracle(q, k, [2, 3], 0.4)})
    check.mistakes({})
    leaf = v.clone().requires_grad_()
    whole = leaf[:, :2] / (leaf[:, :2] ** 2).sum(1, keepdim=True).sqrt()
    check(slopes, shorten, v.float(), 2).equals(
        list(torch.autograd.grad(whole.sum(), [leaf])), about="the gradient of a short vector", rtol=1e-3, atol=1e-6,
        near={"no gradient flows back: is something detached?": RuntimeError},
    )
    leaves = [v.double().requires_grad_() for v in (q, k)]
    want = torch.autograd.grad(oracle(*leaves, (2, 5), 0.4), leaves)
    check(slopes, matryoshka_loss, q, k, (2, 5), 0.4).equals(
        list(want), about="the gradients", rtol=1e-3, atol=1e-6, weight=2,
        near={"no gradient flows to queries or keys: is something detached?": RuntimeError},
    )
    check(matryoshka_loss, q[:1], k[:1], (2, 3), 0.1).equals(0.0, about="one pair alone", atol=1e-6, edge=True)
    ### END HIDDEN TESTS


score
