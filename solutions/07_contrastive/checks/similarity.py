from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("similarity", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    no_norm = "the vectors were not brought to length 1: this is the dot product"
    one_side = "only the first argument was brought to length 1"
    columns = "the columns were brought to length 1: a vector is a row"
    turned = "rows are for a, columns for b: this is the transpose"
    squared = "divide by the lengths, not by their squares"
    times = "the similarities are divided by the temperature, not multiplied"
    import torch.nn.functional as F

    check.mistakes({
        no_norm: lambda a, b: a @ b.T,
        one_side: lambda a, b: F.normalize(a, dim=-1) @ b.T,
        "only the second argument was brought to length 1": lambda a, b: a @ F.normalize(b, dim=-1).T,
        columns: lambda a, b: F.normalize(a, dim=0) @ F.normalize(b, dim=0).T,
        f"of the first argument {columns}": lambda a, b: F.normalize(a, dim=0) @ F.normalize(b, dim=-1).T,
        turned: lambda a, b: F.normalize(b, dim=-1) @ F.normalize(a, dim=-1).T,
        squared: lambda a, b: (a @ b.T) / (a**2).sum(-1)[:, None] / (b**2).sum(-1)[None],
        "these are distances: similarities are asked": lambda a, b: torch.cdist(F.normalize(a), F.normalize(b)),
        "the mean was subtracted first: that is the correlation": lambda a, b: (
            F.normalize(a - a.mean(-1, keepdim=True), dim=-1) @ F.normalize(b - b.mean(-1, keepdim=True), dim=-1).T),
        "the lengths are sums of absolute values: the root of the sum of squares is asked": lambda a, b: (
            F.normalize(a, p=1, dim=-1) @ F.normalize(b, p=1, dim=-1).T),
        "row i was compared with row i only: the table of all pairs is asked": lambda a, b: F.cosine_similarity(
            a[: min(len(a), len(b))], b[: min(len(a), len(b))]),
        "an axis of size 1 was squeezed away: one row, or one candidate, keeps its axis": lambda a, b: (
            F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T).squeeze(),
        "the whole table was divided by one length: each row has its own": lambda a, b: a @ b.T / a.norm() / b.norm(),
        "divided by the sum of the lengths: by their product": lambda a, b: (
            a @ b.T / (a.norm(dim=1)[:, None] + b.norm(dim=1)[None])),
        "the lengths of a stand along the columns: norm with keepdim=True gives each row its own": lambda a, b: (
            a @ b.T / (a.norm(dim=1) * b.norm(dim=1))),
        "the lengths stand along the numbers: norm with keepdim=True gives each row its own": lambda a, b: (
            (a / a.norm(dim=1)) @ (b / b.norm(dim=1)).T),
    } | {
        f"{eps:g} was added to the lengths below: short vectors lose by it": lambda a, b, eps=eps: (
            a @ b.T / (a.norm(dim=1)[:, None] * b.norm(dim=1)[None] + eps))
        for eps in (1.0, 1e-2, 1e-3, 1e-4)
    } | {
        f"{eps:g} was added to each length: short vectors lose by it": lambda a, b, eps=eps: (
            (a / (a.norm(dim=1)[:, None] + eps)) @ (b / (b.norm(dim=1)[:, None] + eps)).T)
        for eps in (1e-2, 1e-3, 1e-4)
    }, cosine_similarities)

    def made(p=lambda s, t: (s / t).softmax(-1), minus=1, times=1.0):
        return lambda s, right, t: (p(s, t) - minus * F.one_hot(right, s.shape[1])) * times / (t * len(s))

    check.mistakes({
        "1 / temperature is missing in front: the chain rule brings it": lambda s, r, t: made()(s, r, t) * t,
        "the mean over the N queries is missing: divide by N": lambda s, r, t: made()(s, r, t) * len(s),
        "divided by the number of candidates, M: the mean is over the N queries":
            lambda s, r, t: made()(s, r, t) * len(s) / s.shape[1],
        "divided by N times M: the mean is over the N queries": lambda s, r, t: made()(s, r, t) / s.shape[1],
        "the sign is turned round: at the right candidate the gradient is below 0": made(times=-1),
        "subtract 1 at the right candidate": made(minus=0),
        times: made(p=lambda s, t: (s * t).softmax(-1)),
        "softmax over the whole table: each row is a choice for itself": made(
            p=lambda s, t: (s / t).flatten().softmax(0).view_as(s)),
        "F.one_hot(right) alone may come out too narrow: give it the number of candidates, M": lambda s, r, t: (
            ((s / t).softmax(-1) - F.one_hot(r)) / (t * len(s))),
        "softmax over the queries: each row is a choice among candidates": made(p=lambda s, t: (s / t).softmax(0)),
        "softmax was taken without the temperature": made(p=lambda s, t: s.softmax(-1)),
        "multiplied by the temperature in front: divide": lambda s, r, t: made()(s, r, t) * t * t,
        "1 / temperature and the mean over the queries are both missing": lambda s, r, t: made()(s, r, t) * t * len(s),
        "this is the gradient of the mean probability, not of its logarithm": lambda s, r, t: torch.autograd.grad(
            -(x := s.clone().requires_grad_(), (x / t).softmax(-1).gather(1, r[:, None]).mean())[1], x)[0],
        "the right candidates are those of `right`, not the diagonal": lambda s, r, t: (
            ((s / t).softmax(-1) - torch.eye(*s.shape)) / (t * len(s))),
        "only the 1 was divided by N and the temperature: the whole difference is": lambda s, r, t: (
            (s / t).softmax(-1) - F.one_hot(r, s.shape[1]) / (t * len(s))),
        "only p was divided by N and the temperature: the whole difference is": lambda s, r, t: (
            (s / t).softmax(-1) / (t * len(s)) - F.one_hot(r, s.shape[1])),
        "p alone was divided by the temperature: the whole difference is": lambda s, r, t: (
            ((s / t).softmax(-1) / t - F.one_hot(r, s.shape[1])) / len(s)),
        "the 1 alone was divided by the temperature: the whole difference is": lambda s, r, t: (
            ((s / t).softmax(-1) - F.one_hot(r, s.shape[1]) / t) / len(s)),
        "p alone was divided by N: the whole difference is": lambda s, r, t: (
            ((s / t).softmax(-1) / len(s) - F.one_hot(r, s.shape[1])) / t),
        "the 1 alone was divided by N: the whole difference is": lambda s, r, t: (
            ((s / t).softmax(-1) - F.one_hot(r, s.shape[1]) / len(s)) / t),
        "1 was subtracted in a whole column, for all queries: each row has its own right candidate": lambda s, r, t: (
            ((s / t).softmax(-1) - torch.isin(torch.arange(s.shape[1]), r).float()) / (t * len(s))),
        "only the right candidates have a gradient here: the negatives are pushed, too": lambda s, r, t: (
            made()(s, r, t) * F.one_hot(r, s.shape[1])),
        "only the negatives have a gradient here: the right candidates are pulled, too": lambda s, r, t: (
            made()(s, r, t) * (1 - F.one_hot(r, s.shape[1]))),
        "inside the softmax the temperature divides twice": made(p=lambda s, t: (s / t / t).softmax(-1)),
        "1 / temperature stands in front twice": lambda s, r, t: made()(s, r, t) / t,
        "the logarithm of the softmax stands where p is asked": made(p=lambda s, t: (s / t).log_softmax(-1)),
        "the highest score was taken for the right one: `right` tells which it is": lambda s, r, t: (
            made()(s, s.argmax(-1), t)),
    }, score_gradient)
    ### END MISTAKES
    no_direction = "a row of zeros has no direction: its similarity is 0, not NaN"
    a, b = torch.tensor([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [-6.0, 8.0]])
    check(cosine_similarities, a, b).equals([[0.6, 0.28], [0.0, 0.8], [0.0, 0.0]], rtol=1e-4, atol=1e-6, near={
        no_direction: [[0.6, 0.28], [0.0, 0.8], [float("nan")] * 2],
    })

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    def no_number(gradients):
        return any(bool(torch.isnan(gradient).any()) for gradient in gradients)

    of_zeros = {
        "about": "gradients beside zeros", "edge": True, "near": {
            "the gradient is NaN: that of a root is infinite at 0, and 0 / 0 is no number; F.normalize avoids both":
                no_number}}

    check(slopes, cosine_similarities, a, b).holds(finite, "finite gradients", **of_zeros)
    s = torch.tensor([[1.0, 0.0, 0.5, -0.4], [0.2, 0.4, -0.3, 0.6]])
    right = torch.tensor([0, 2])
    want = [[-0.3563687, 0.07335372, 0.2560297, 0.02698533], [0.2211017, 0.364535, -1.186653, 0.6010167]]
    check(score_gradient, s, right, 0.4).equals(want, rtol=1e-4, atol=1e-6)
    autograd = ["autograd.grad", "autograd.backward", "torch._functorch.eager_transforms"]
    by_formula = "no way through autograd was taken"
    by_autograd = "autograd computed this: compute it by the formula"
    check(taken, autograd, score_gradient, torch.tensor([[1.0, 0.0]]), torch.tensor([0]), 1.0).holds(
        **not_taken(by_formula, by_autograd), about="by the formula")
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def draw(*shape, scale=1.0):
        return torch.from_numpy(check.rng.normal(size=shape) * scale).float()

    def cosines(a, b):
        a, b = (v.double().numpy() for v in (a, b))
        rows = []
        for x in a:
            rows.append([np.dot(x, y) / np.sqrt(np.dot(x, x) * np.dot(y, y)) for y in b])
        return np.array(rows)

    for n, m, c in [(3, 4, 5), (6, 2, 3), (4, 4, 4), (3, 4, 5)]:
        a, b = draw(n, c, scale=3), draw(m, c, scale=0.2)
        check(cosine_similarities, a, b).equals(cosines(a, b), about="fresh vectors", rtol=1e-4, atol=1e-6)
    for n, m, c, scale in [(70, 2, 3, 90), (2, 90, 4, 0.003), (3, 3, 100, 1)]:
        a, b = draw(n, c, scale=scale), draw(m, c, scale=90)
        check(cosine_similarities, a, b).equals(cosines(a, b), about="many rows, long and short vectors", rtol=1e-3,
                                                atol=1e-5)
    for n, m, c in [(1, 4, 3), (4, 1, 3), (1, 1, 5), (3, 4, 1)]:
        a, b = draw(n, c), draw(m, c)
        check(cosine_similarities, a, b).equals(cosines(a, b), about="axes of size 1", edge=True, rtol=1e-4, atol=1e-6)
    a, b = draw(3, 4).double() * 1e5 / 3, draw(5, 4).double() * 1e5 / 3
    check(cosine_similarities, a, b).holds(**float64_kept(cosines(a, b)))
    check(cosine_similarities, torch.zeros(2, 3), draw(1, 3)).equals(
        [[0.0], [0.0]], about="vectors of zeros", edge=True, near={no_direction: [[float("nan")]] * 2}
    )
    check(cosine_similarities, draw(1, 3), torch.zeros(2, 3)).equals(
        [[0.0, 0.0]], about="vectors of zeros", edge=True, near={no_direction: [[float("nan")] * 2]}
    )
    check.mistakes({})
    a, b = draw(4, 4), draw(4, 4)
    leaves = [v.double().requires_grad_() for v in (a, b)]
    table = torch.stack([(leaves[1] @ x) / (x @ x).sqrt() / (leaves[1] ** 2).sum(1).sqrt() for x in leaves[0]])
    fixed = [v / v.detach().norm(dim=1, keepdim=True) for v in leaves]
    check(slopes, cosine_similarities, a, b).equals(
        list(torch.autograd.grad(table.sum(), leaves)), about="the gradients of both sides", rtol=1e-3, atol=1e-5,
        near={"no gradient flows to one of the inputs: is something detached?": RuntimeError,
              "the lengths were detached: the gradient flows through them, too": list(
                  torch.autograd.grad((fixed[0] @ fixed[1].T).sum(), leaves))},
    )

    gone = a.clone()
    gone[1] = 0
    check(slopes, cosine_similarities, gone, b).holds(finite, "finite gradients", **of_zeros)
    check(slopes, cosine_similarities, b, gone).holds(finite, "finite gradients", **of_zeros)
    a, b = draw(3, 4, scale=1e-5), draw(2, 4, scale=1e-5)
    low = [v / v.norm(dim=1, keepdim=True).clamp(min=1e-3) for v in (a, b)]
    check(cosine_similarities, a, b).equals(
        cosines(a, b), about="very short vectors", edge=True, rtol=1e-3, atol=1e-5, near={
            "short vectors have a direction, too: the floor under the lengths is far too high": low[0] @ low[1].T})

    def drawn(n, m, t):
        s = draw(n, m).clamp(-2, 2) / 2
        right, leaf = torch.from_numpy(check.rng.integers(0, m, size=n)), s.double().requires_grad_()
        F.cross_entropy(leaf / t, right).backward()
        return s, right, leaf.grad

    for n, m, t in [(3, 5, 0.3), (4, 2, 1.7), (5, 5, 0.05), (4, 6, 0.02)]:
        s, right, want = drawn(n, m, t)
        check(score_gradient, s, right, t).equals(want, about="fresh similarities", rtol=1e-4, atol=1e-6)
    for n, m in [(70, 3), (2, 90)]:
        s, right, want = drawn(n, m, 0.4)
        check(score_gradient, s, right, 0.4).equals(want, about="many queries or candidates", rtol=1e-4, atol=1e-6)
    for n, m in [(1, 4), (4, 1), (1, 1)]:
        s, right, want = drawn(n, m, 0.4)
        check(score_gradient, s, right, 0.4).equals(want, about="one query or one candidate", edge=True, rtol=1e-4,
                                                    atol=1e-6)
    s, right, want = drawn(3, 4, 0.7)
    check(taken, autograd, score_gradient, s, right, 0.7).holds(
        **not_taken(by_formula, by_autograd, want), about="fresh similarities, by the formula")
    check(score_gradient, torch.tensor([[900.0, 0.0], [0.0, 900.0]]), torch.tensor([0, 0]), 1.0).equals(
        [[0.0, 0.0], [-0.5, 0.5]], about="large similarities", edge=True, atol=1e-6,
        near={"overflow: subtract the largest first, or call softmax": [[float("nan"), 0.0], [-0.5, float("nan")]]},
    )
    check(score_gradient, torch.tensor([[900.0, 901.0], [-901.0, -900.0]]), torch.tensor([0, 1]), 1.0).equals(
        [[-0.3655293, 0.3655293], [0.1344707, -0.1344707]], about="large similarities", edge=True, rtol=1e-4,
        near={"the largest of the whole table was subtracted: a row far below it becomes 0 by 0; each has its own": [
            [-0.3655293, 0.3655293], [float("nan")] * 2]},
    )
    s, right, want = drawn(5, 4, 0.3)
    check(score_gradient, s.double(), right, 0.3).holds(**float64_kept(want))
    ### END HIDDEN TESTS


score
