from helpers.checks import graded


@graded("variants", points=6)
def score(check):
    import torch

    t = torch.tensor
    plain_scale = "this is alpha / r, LoRA's own scale: rsLoRA divides by the root of r"
    root_of_all = "the root is taken of r alone, not of the whole fraction"
    root_above = "alpha stays as it is: only r is under the root"
    check(rs_scale, 12.0, 9).equals(4.0, near={
            plain_scale: 1.3333333,
            root_of_all: 1.1547005,
            root_above: 0.3849002,
            "alpha is divided by the root of r, not multiplied": 36.0,
            "the fraction is upside down": 0.25,
            "alpha is divided by r squared; the root of r is asked": 0.1481481,
        })
    columns = "the norms are of the columns: each row (one output) has its own, dim=1"
    whole = "one norm for the whole matrix: each row has its own"
    no_norm = "the rows are not brought to length 1 before the magnitude"
    old_norm = "the norm is that of W alone: divide by that of W + scale B A"
    no_magnitude = "the magnitude is missing: the rows have length 1"
    unscaled = "`scale` is missing in front of B A alone"
    signed = "a magnitude may be negative: here its absolute value is taken"
    squares = "this divides by the squared length: take the root"
    late = "the update is added after W was normalised: normalise the sum"
    alone = "only the update is normalised: W is missing"
    plain = "this is LoRA itself, W + scale B A"
    absolute = "this divides by the sum of absolute values: the length is the root of the sum of squares"
    W, m = t([[3.0, 0.0], [0.0, 1.0]]), t([3.0, 2.0])
    A, B = t([[0.0, 1.0]]), t([[8.0], [-6.0]])
    check(dora_weight, W, m, A, B, 0.5).equals([[1.8, 2.4], [0.0, -2.0]], rtol=1e-4, atol=1e-6, near={
            columns: [[3.0, 2.683281], [0.0, -0.8944272]],
            whole: [[1.671258, 2.228344], [0.0, -0.7427813]],
            no_norm: [[9.0, 12.0], [0.0, -4.0]],
            old_norm: [[3.0, 4.0], [0.0, -4.0]],
            no_magnitude: [[0.6, 0.8], [0.0, -1.0]],
            unscaled: [[1.05337, 2.808988], [0.0, -2.0]],
            squares: [[0.36, 0.48], [0.0, -1.0]],
            late: [[3.0, 4.0], [0.0, -1.0]],
            alone: [[0.0, 3.0], [0.0, -2.0]],
            plain: [[3.0, 4.0], [0.0, -2.0]],
            absolute: [[1.285714, 1.714286], [0.0, -2.0]],
        })
    W, m = t([[1.0, 2.0, -1.0], [0.5, 0.0, 2.0]]), t([2.5, -1.5])
    A, B = t([[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]]), t([[1.0, 2.0], [-1.0, 0.5]])
    right = [[1.720618, 1.720618, -0.5735393], [-0.3049183, 0.1219673, -1.463608]]
    check(dora_weight, W, m, A, B, 0.25).equals(right, rtol=1e-4, atol=1e-6, near={
            columns: [[2.447451, 2.491364, -0.7905694], [-0.3059314, 0.1245682, -1.423025]],
            whole: [[1.406036, 1.406036, -0.4686785], [-0.1757544, 0.07030178, -0.8436213]],
            no_norm: [[3.75, 3.75, -1.25], [-0.46875, 0.1875, -2.25]],
            old_norm: [[1.530931, 1.530931, -0.5103104], [-0.2273772, 0.09095086, -1.09141]],
            no_magnitude: [[0.6882472, 0.6882472, -0.2294157], [0.2032789, -0.08131156, 0.9757387]],
            unscaled: [[2.371708, 0.0, 0.7905694], [0.6708204, 1.341641, 0.0]],
            squares: [[0.7894737, 0.7894737, -0.2631579], [-0.1983471, 0.07933884, -0.9520661]],
            late: [[1.520621, 1.541241, -0.5206207], [-0.5513034, -0.125, -1.955214]],
            alone: [[1.443376, -1.443376, 1.443376], [0.5128226, 0.3418817, 1.367527]],
            plain: [[1.5, 1.5, -0.5], [0.3125, -0.125, 1.5]],
            signed: [[1.720618, 1.720618, -0.5735393], [0.3049183, -0.1219673, 1.463608]],
            absolute: [[1.071429, 1.071429, -0.3571429], [-0.2419355, 0.09677419, -1.16129]],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({
        plain_scale: lambda a, r: a / r, root_of_all: lambda a, r: (a / r) ** 0.5,
        root_above: lambda a, r: a**0.5 / r,
        "alpha is divided by the root of r, not multiplied": lambda a, r: a * r**0.5,
        "the fraction is upside down": lambda a, r: r**0.5 / a,
        "this is a division to a whole number, //": lambda a, r: a // r**0.5,
        "the root is taken of alpha, too: alpha stays as it is, and r is not in it": lambda a, r: a**0.5,
        "alpha is multiplied by r under the root": lambda a, r: (a * r) ** 0.5,
        "the root of r is not rounded": lambda a, r: a / int(r**0.5),
        "alpha is divided by r squared; the root of r is asked": lambda a, r: a / r**2,
    })
    for _ in range(3):
        alpha, r = float(check.rng.uniform(0.5, 40)), int(check.rng.integers(2, 200))
        check(rs_scale, alpha, r).equals(alpha * r**-0.5, about="fresh scales")
    check(rs_scale, 0.01, 64).equals(0.00125, about="a small alpha", edge=True)
    check(rs_scale, 7.0, 1).equals(7.0, about="rank 1", edge=True)

    def made(size=lambda v: v.pow(2).sum(1, keepdim=True).sqrt(), of=None, magnitude=True, scaled=True):
        def weight(W, m, A, B, s):
            v = W + (s if scaled else 1.0) * torch.einsum("or,ri->oi", B, A)
            return (m[:, None] if magnitude else 1.0) * v / size(v if of is None else of(W))

        return weight

    check.mistakes({
        columns: made(lambda v: v.norm(dim=0, keepdim=True)), whole: made(torch.norm), no_norm: made(lambda v: 1.0),
        old_norm: made(of=lambda W: W), no_magnitude: made(magnitude=False), unscaled: made(scaled=False),
        squares: made(lambda v: v.pow(2).sum(1, keepdim=True)), absolute: made(lambda v: v.abs().sum(1, keepdim=True)),
        late: lambda W, m, A, B, s: m[:, None] * W / W.norm(dim=1, keepdim=True) + s * B @ A,
        alone: lambda W, m, A, B, s: made()(0 * W, m, A, B, s), plain: lambda W, m, A, B, s: W + s * B @ A,
        signed: lambda W, m, A, B, s: made()(W, m.abs(), A, B, s),
        "1 is added to the magnitude: it is the row's new length": lambda W, m, A, B, s: made()(W, 1 + m, A, B, s),
        "the learned magnitude is not used: the rows have their old length": lambda W, m, A, B, s: (
            made()(W, W.norm(dim=1), A, B, s)),
        "the magnitude is multiplied by the old length: it is the new length itself": lambda W, m, A, B, s: (
            made()(W, m * W.norm(dim=1), A, B, s)),
        "this divides by the largest absolute value: the length is the root of the sum of squares": made(
            lambda v: v.abs().amax(1, keepdim=True)),
        "this divides by the root of the mean of squares: the length is the root of their sum": made(
            lambda v: v.pow(2).mean(1, keepdim=True).sqrt()),
        "this divides by the spread of the row: the length is the root of the sum of squares": made(
            lambda v: v.std(1, keepdim=True)),
        "this divides by the sum of the row: the length is the root of the sum of squares": made(
            lambda v: v.sum(1, keepdim=True)),
        **{f"a small number ({eps:g}?) is added to the length: none is asked, no row is zero": made(
            lambda v, eps=eps: v.norm(dim=1, keepdim=True) + eps) for eps in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)},
        "W is normalised, and the update added to it before the magnitude: normalise the sum": lambda W, m, A, B, s: (
            m[:, None] * (W / W.norm(dim=1, keepdim=True) + s * B @ A)),
        "the update is added behind the division: it stands above the line, too": lambda W, m, A, B, s: (
            m[:, None] * W / (W + s * B @ A).norm(dim=1, keepdim=True) + s * B @ A),
        "W is missing above the line": lambda W, m, A, B, s: (
            m[:, None] * s * B @ A / (W + s * B @ A).norm(dim=1, keepdim=True)),
        "the update is missing above the line": lambda W, m, A, B, s: (
            m[:, None] * W / (W + s * B @ A).norm(dim=1, keepdim=True)),
        "this is W with the magnitude: the update is missing": lambda W, m, A, B, s: (
            m[:, None] * W / W.norm(dim=1, keepdim=True)),
        "W and the update are normalised apart: normalise their sum": lambda W, m, A, B, s: m[:, None] * (
            W / W.norm(dim=1, keepdim=True) + s * (B @ A) / (B @ A).norm(dim=1, keepdim=True)),
        "W and the update are normalised apart, and their sum again: once, the sum": lambda W, m, A, B, s: made()(
            W / W.norm(dim=1, keepdim=True), m, A, B / (B @ A).norm(dim=1, keepdim=True), s),
        "the update is subtracted: it is added": lambda W, m, A, B, s: made()(W, m, A, -B, s),
        "the magnitudes divide: they multiply": lambda W, m, A, B, s: made()(W, 1 / m, A, B, s),
        "the magnitudes are added: they multiply": lambda W, m, A, B, s: (
            made(magnitude=False)(W, m, A, B, s) + m[:, None]),
        "the magnitudes belong to the rows: here they multiply the columns": lambda W, m, A, B, s: (
            made(magnitude=False)(W, m, A, B, s) * m),
        "the scale is divided by the rank again: `scale` is ready": lambda W, m, A, B, s: (
            made()(W, m, A, B, s / len(A))),
    })
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

    check.mistakes({})
    for out, n, r, s in [(4, 5, 2, 0.5), (3, 6, 3, 1.2)]:
        case = fresh(out, n, r)
        check(slopes, dora_weight, *case, s, fixed=(0,)).equals(
            slope(*case, s), about="gradients of the magnitude, A and B", rtol=1e-3, atol=1e-4,
            near={"the gradient flows through the norm, too: it counts as a number (detach)": slope(*case, s, False),
                  "the magnitude, A or B has no gradient: only the norm is detached": RuntimeError})
    ### END HIDDEN TESTS


score
