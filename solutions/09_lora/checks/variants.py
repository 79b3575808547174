from helpers.checks import graded


@graded("variants", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    check.mistakes({
        "this is alpha / r, LoRA's own scale: rsLoRA divides by the root of r": lambda a, r: a / r,
        "the root is taken of r alone, not of the whole fraction": lambda a, r: (a / r) ** 0.5,
        "alpha stays as it is: only r is under the root": lambda a, r: a**0.5 / r,
        "alpha is divided by the root of r, not multiplied": lambda a, r: a * r**0.5,
        "the fraction is upside down": lambda a, r: r**0.5 / a,
        "this is a division to a whole number, //": lambda a, r: a // r**0.5,
        "the root is taken of alpha, too: alpha stays as it is, and r is not in it": lambda a, r: a**0.5,
        "alpha is multiplied by r under the root": lambda a, r: (a * r) ** 0.5,
        "the root of r is not rounded": lambda a, r: a / int(r**0.5),
        "alpha is divided by r squared; the root of r is asked": lambda a, r: a / r**2,
    }, rs_scale)

    def made(size=lambda v: v.pow(2).sum(1, keepdim=True).sqrt(), of=None, magnitude=True, scaled=True):
        def weight(W, m, A, B, s):
            v = W + (s if scaled else 1.0) * torch.einsum("or,ri->oi", B, A)
            return (m[:, None] if magnitude else 1.0) * v / size(v if of is None else of(W))

        return weight

    check.mistakes({
        "the norms are of the columns: each row (one output) has its own, dim=1":
            made(lambda v: v.norm(dim=0, keepdim=True)),
        "one norm for the whole matrix: each row has its own": made(torch.norm),
        "the rows are not brought to length 1 before the magnitude": made(lambda v: 1.0),
        "the norm is that of W alone: divide by that of W + scale B A": made(of=lambda W: W),
        "the magnitude is missing: the rows have length 1": made(magnitude=False),
        "`scale` is missing in front of B A alone": made(scaled=False),
        "this divides by the squared length: take the root": made(lambda v: v.pow(2).sum(1, keepdim=True)),
        "this divides by the sum of absolute values: the length is the root of the sum of squares":
            made(lambda v: v.abs().sum(1, keepdim=True)),
        "the update is added after W was normalised: normalise the sum":
            lambda W, m, A, B, s: m[:, None] * W / W.norm(dim=1, keepdim=True) + s * B @ A,
        "only the update is normalised: W is missing": lambda W, m, A, B, s: made()(0 * W, m, A, B, s),
        "this is LoRA itself, W + scale B A": lambda W, m, A, B, s: W + s * B @ A,
        "a magnitude may be negative: here its absolute value is taken":
            lambda W, m, A, B, s: made()(W, m.abs(), A, B, s),
        "1 is added to the magnitude: it is the row's new length": lambda W, m, A, B, s: made()(W, 1 + m, A, B, s),
        "the learned magnitude is not used: the rows have their old length":
            lambda W, m, A, B, s: made()(W, W.norm(dim=1), A, B, s),
        "the magnitude is multiplied by the old length: it is the new length itself":
            lambda W, m, A, B, s: made()(W, m * W.norm(dim=1), A, B, s),
        "this divides by the largest absolute value: the length is the root of the sum of squares":
            made(lambda v: v.abs().amax(1, keepdim=True)),
        "this divides by the root of the mean of squares: the length is the root of their sum":
            made(lambda v: v.pow(2).mean(1, keepdim=True).sqrt()),
        "this divides by the spread of the row: the length is the root of the sum of squares":
            made(lambda v: v.std(1, keepdim=True)),
        "this divides by the sum of the row: the length is the root of the sum of squares":
            made(lambda v: v.sum(1, keepdim=True)),
        **{f"a small number ({eps:g}?) is added to the length: none is asked, no row is zero": made(
            lambda v, eps=eps: v.norm(dim=1, keepdim=True) + eps) for eps in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)},
        **{f"a short length was raised (to {eps:g}?): it divides as it is, no row is zero": made(
            lambda v, eps=eps: v.norm(dim=1, keepdim=True).clamp(min=eps)) for eps in (1e-2, 1e-3, 1e-4, 1e-5)},
        "W is normalised, and the update added to it before the magnitude: normalise the sum":
            lambda W, m, A, B, s: m[:, None] * (W / W.norm(dim=1, keepdim=True) + s * B @ A),
        "the update is added behind the division: it stands above the line, too":
            lambda W, m, A, B, s: m[:, None] * W / (W + s * B @ A).norm(dim=1, keepdim=True) + s * B @ A,
        "W is missing above the line":
            lambda W, m, A, B, s: m[:, None] * s * B @ A / (W + s * B @ A).norm(dim=1, keepdim=True),
        "the update is missing above the line":
            lambda W, m, A, B, s: m[:, None] * W / (W + s * B @ A).norm(dim=1, keepdim=True),
        "this is W with the magnitude: the update is missing":
            lambda W, m, A, B, s: m[:, None] * W / W.norm(dim=1, keepdim=True),
        "W and the update are normalised apart: normalise their sum":
            lambda W, m, A, B, s: m[:, None] * (W / W.norm(dim=1, keepdim=True) + s * (B @ A) / (B @ A).norm(
                dim=1, keepdim=True)),
        "W and the update are normalised apart, and their sum again: once, the sum":
            lambda W, m, A, B, s: made()(W / W.norm(dim=1, keepdim=True), m, A, B / (B @ A).norm(dim=1, keepdim=True),
                s),
        "the update is subtracted: it is added": lambda W, m, A, B, s: made()(W, m, A, -B, s),
        "the magnitudes divide: they multiply": lambda W, m, A, B, s: made()(W, 1 / m, A, B, s),
        "the magnitudes are added: they multiply":
            lambda W, m, A, B, s: made(magnitude=False)(W, m, A, B, s) + m[:, None],
        "the magnitudes belong to the rows: here they multiply the columns":
            lambda W, m, A, B, s: made(magnitude=False)(W, m, A, B, s) * m,
        "the scale is divided by the rank again: `scale` is ready":
            lambda W, m, A, B, s: made()(W, m, A, B, s / len(A)),
    }, dora_weight)
    ### END MISTAKES
    t = torch.tensor
    check(rs_scale, 12.0, 9).equals(4.0)
    W, m = t([[3.0, 0.0], [0.0, 1.0]]), t([3.0, 2.0])
    A, B = t([[0.0, 1.0]]), t([[8.0], [-6.0]])
    check(dora_weight, W, m, A, B, 0.5).equals([[1.8, 2.4], [0.0, -2.0]], rtol=1e-4, atol=1e-6)
    W, m = t([[1.0, 2.0, -1.0], [0.5, 0.0, 2.0]]), t([2.5, -1.5])
    A, B = t([[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]]), t([[1.0, 2.0], [-1.0, 0.5]])
    right = [[1.720618, 1.720618, -0.5735393], [-0.3049183, 0.1219673, -1.463608]]
    check(dora_weight, W, m, A, B, 0.25).equals(right, rtol=1e-4, atol=1e-6)
    W, m, A, B = t([[3.0, 0.0]]), t([3.0]), t([[0.0, 1.0]]), t([[4.0]])
    flows = "the magnitude, A or B has no gradient: only the norm is detached"
    check(slopes, dora_weight, W, m, A, B, 1.0, fixed=(0,)).equals(
        [[1.4], [[2.4, 2.4]], [[0.6]]], about="gradients of magnitude, A and B", rtol=1e-4, near={
            flows: RuntimeError,
            "the gradient flows through the norm, too: it counts as a number (detach)": [
                [1.4], [[0.384, -0.288]], [[-0.072]]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for _ in range(3):
        alpha, r = float(check.rng.uniform(0.5, 40)), int(check.rng.integers(2, 200))
        check(rs_scale, alpha, r).equals(alpha * r**-0.5, about="fresh scales")
    check(rs_scale, 0.01, 64).equals(0.00125, about="a small alpha", edge=True)
    check(rs_scale, 7.0, 1).equals(7.0, about="rank 1", edge=True)
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(out, n, r, **kind):
        return tuple(torch.randn(s, generator=draw, **kind) for s in ((out, n), (out,), (r, n), (out, r)))

    for out, n, r, s in [(4, 6, 2, 0.5), (5, 3, 1, 2.0), (1, 4, 3, 1.5), (3, 3, 2, -0.7)]:
        case = fresh(out, n, r)
        check(dora_weight, *case, s).equals(made()(*case, s), about="fresh weights", rtol=1e-4, atol=1e-5)
    for _ in range(2):
        case = fresh(3, 4, 2, dtype=torch.float64)
        check(dora_weight, *case, 0.3).equals(made()(*case, 0.3), about="float64", rtol=1e-9, atol=1e-12, edge=True)
    many = [40.0 * v for v in fresh(70, 66, 68)]
    check(dora_weight, *many, 1.5).equals(
        made()(*many, 1.5), about="many rows, large numbers", rtol=1e-3, atol=1e-3, edge=True)
    case = fresh(3, 4, 2)
    for i in range(4):  # each of them large, and the others not
        large = [40.0 * u if i == k else u for k, u in enumerate(case)]
        check(dora_weight, *large, 0.5).equals(
            made()(*large, 0.5), about="many rows, large numbers", rtol=1e-3, atol=1e-4, edge=True)
    for out, n, r in [(1, 5, 2), (4, 1, 2), (1, 1, 1)]:
        case = fresh(out, n, r)
        right = made()(*case, 0.5)
        check(dora_weight, *case, 0.5).equals(
            right, about="one row or column", rtol=1e-4, atol=1e-5, edge=True,
            near={"an axis of size 1 is kept, too": right.squeeze()})
    W, m, A, B = fresh(3, 4, 2)
    check(dora_weight, 1e-6 * W, m, A, 1e-6 * B, 0.5).equals(
        made()(1e-6 * W, m, A, 1e-6 * B, 0.5), about="short rows", rtol=1e-3, atol=1e-4, edge=True)
    case = fresh(3, 4, 2)
    check(dora_weight, *case, 0.0).equals(
        made()(*case, 0.0), about="a scale of 0, a magnitude of 0", rtol=1e-4, atol=1e-5, edge=True)
    case[1][1] = 0.0
    check(dora_weight, *case, 0.5).equals(
        made()(*case, 0.5), about="a scale of 0, a magnitude of 0", rtol=1e-4, atol=1e-5, edge=True)
    small = [1e-3 * v if i in (0, 3) else v for i, v in enumerate(fresh(3, 4, 2))]
    check(dora_weight, *small, 0.5).equals(made()(*small, 0.5), about="short rows", rtol=5e-3, atol=1e-5, edge=True)

    def slope(W, m, A, B, s, fixed=True):
        """The gradient of the sum of the weights for m, A and B, the norms taken as numbers or not."""
        m, A, B = (v.clone().requires_grad_() for v in (m, A, B))
        v = W + s * B @ A
        size = v.norm(dim=1, keepdim=True)
        total = (m[:, None] * v / (size.detach() if fixed else size)).sum()
        return list(torch.autograd.grad(total, (m, A, B)))

    for out, n, r, s in [(4, 5, 2, 0.5), (3, 6, 3, 1.2)]:
        case = fresh(out, n, r)
        check(slopes, dora_weight, *case, s, fixed=(0,)).equals(
            slope(*case, s), about="gradients of the magnitude, A and B", rtol=1e-3, atol=1e-4,
            near={"the gradient flows through the norm, too: it counts as a number (detach)": slope(*case, s, False),
                  "the magnitude, A or B has no gradient: only the norm is detached": RuntimeError})
    ### END HIDDEN TESTS


score
