from helpers.checks import difference, graded


@graded("exploding", points=6)
def score(check):
    import math

    import numpy as np
    import torch

    ### BEGIN MISTAKES
    def norms(states, W, *, jac=lambda W, h: W * (1 - h**2), size=lambda A: np.linalg.norm(A, 2), order=-1,
        left=True, extra=0):
        product, found = np.eye(len(W)), []
        for h in states[::order]:
            found.append(size(product))
            product = jac(W, h) @ product if left else product @ jac(W, h)
        return np.array([*found, *[size(product)] * extra])

    def singles(states, W):
        each = [np.linalg.norm(W * (1 - h**2), 2) for h in states[::-1]]
        return np.concatenate([[1], np.cumprod(each)[:-1]])

    check.mistakes({
        "the factor 1 - h^2 of the tanh is missing": lambda s, W: norms(s, W, jac=lambda W, h: W),
        "1 - h_t^2 scales the columns of W_h: here it scaled the rows":
            lambda s, W: norms(s, W, jac=lambda W, h: (1 - h**2)[:, None] * W),
        "W_h was transposed: with row vectors J_t = W_h diag(1 - h^2)": lambda s, W: norms(s, W.T),
        "this is the Frobenius norm: the largest singular value is asked for":
            lambda s, W: norms(s, W, size=np.linalg.norm),
        "the product begins at the last step and goes back: here it began at the first":
            lambda s, W: norms(s, W, order=1),
        "the norms of the single Jacobians were multiplied: multiply the matrices, then take the norm": singles,
        "the new Jacobian goes to the left of the product: here it went to the right":
            lambda s, W: norms(s, W, left=False),
        "the derivative of tanh is 1 - h^2: here the square is missing":
            lambda s, W: norms(s, W, jac=lambda W, h: W * (1 - h)),
        "the slope was taken at tanh(h): h is already the tanh":
            lambda s, W: norms(s, W, jac=lambda W, h: W * (1 - np.tanh(h) ** 2)),
        "this is the largest absolute eigenvalue: the largest singular value is asked for":
            lambda s, W: norms(s, W, size=lambda A: np.abs(np.linalg.eigvals(A)).max()),
        "the smallest singular value was taken: the largest is asked for":
            lambda s, W: norms(s, W, size=lambda A: np.linalg.svd(A, compute_uv=False)[-1]),
        "this is the largest sum of a row: the largest singular value is asked for":
            lambda s, W: norms(s, W, size=lambda A: np.linalg.norm(A, np.inf)),
        "this is the largest sum of a column: the largest singular value is asked for":
            lambda s, W: norms(s, W, size=lambda A: np.linalg.norm(A, 1)),
        "entry 0 is the identity with norm 1: here it already holds a Jacobian":
            lambda s, W: norms(np.vstack([s[:1], s]), W)[1:],
        "the first Jacobian is that of h_T: here the product began with that of h_(T-1)":
            lambda s, W: norms(s[:-1], W, extra=1),
        "the result has an entry for k = 0 to T - 1: here is one for k = T, too": lambda s, W: norms(s, W, extra=1),
        "the result begins at the last state, and goes back: here it began at h_1":
            lambda s, W: norms(s, W, order=1, left=False),
        "the distance grows with the index: the result is reversed": lambda s, W: norms(s, W)[::-1],
        "entry k is the norm of a product of k Jacobians: the norm of one Jacobian was put there":
            lambda s, W: np.array([1] + [np.linalg.norm(W * (1 - h**2), 2) for h in s[:0:-1]]),
    }, jacobian_norms)

    def total(gradients):
        return float(torch.sqrt(sum((g.double() ** 2).sum() for g in gradients)))

    def clipped(gradients, limit, factor=None, norm=None):
        n = total(gradients)
        factor = min(1, limit / n) if factor is None else factor
        return [g * factor for g in gradients], n if norm is None else norm

    def clipped_by(norm, gradients, limit):
        """The gradients clipped by a norm that is not theirs."""
        return clipped(gradients, limit, min(1, limit / norm), norm)

    check.mistakes({
        "each gradient was clipped by its own norm: one norm, and one factor, for all":
            lambda g, c: ([v * min(1, c / max(float(v.norm()), 1e-30)) for v in g], total(g)),
        "the norm is below the limit: nothing is scaled": lambda g, c: clipped(g, c, c / total(g)),
        "the numbers were cut off at the limit: scale all by one factor":
            lambda g, c: ([v.clamp(-c, c) for v in g], total(g)),
        "the root is missing: this is the squared norm":
            lambda g, c: clipped_by(total(g) ** 2, g, c),
        "the norms of the tensors were added: take the root of the sum of their squares":
            lambda g, c: clipped_by(sum(float(v.norm()) for v in g), g, c),
        "the norm that comes back is the one before clipping": lambda g, c: clipped(g, c, norm=min(total(g), c)),
        "the gradients were divided by their norm and not multiplied by the limit":
            lambda g, c: clipped(g, c, 1 / total(g) if total(g) > c else 1.0),
        "the factor is inverted: the limit is divided by the norm":
            lambda g, c: clipped(g, c, max(1, total(g) / c)),
        "the largest norm of a tensor was taken: take the root of the sum of all squares":
            lambda g, c: clipped_by(max(float(v.norm()) for v in g), g, c),
        "the squares of each tensor were averaged: take the root of the sum of all squares":
            lambda g, c: clipped_by(sum(float((v**2).mean()) for v in g) ** 0.5, g, c),
        "all squares were averaged: take the root of their sum":
            lambda g, c: clipped_by(float(torch.cat([v.flatten() for v in g]).square().mean().sqrt()), g, c),
        "the larger of 1 and limit / norm was taken: take the smaller":
            lambda g, c: clipped(g, c, max(1, c / total(g))),
        "the tensors keep their shapes: here they came back as single rows":
            lambda g, c: ([v.flatten() for v in clipped(g, c)[0]], total(g)),
        "the largest absolute number was taken for the norm":
            lambda g, c: clipped_by(max(float(v.abs().max()) for v in g), g, c),
        "the absolute numbers were added: the norm is the root of the sum of squares":
            lambda g, c: clipped_by(sum(float(v.abs().sum()) for v in g), g, c),
        "nothing was scaled, though the norm is above the limit": lambda g, c: clipped(g, c, 1.0),
        "the norm is asked for, too: return the list and the norm": lambda g, c: clipped(g, c)[0],
        "the norm comes after the list": lambda g, c: clipped(g, c)[::-1],
    }, clip_by_norm)
    ### END MISTAKES
    states = np.array([[0.5, -0.2], [0.1, 0.9], [-0.6, 0.3]])
    W = np.array([[0.9, -0.4], [1.2, 0.7]])
    check(jacobian_norms, states, W).equals([1.0, 1.03387, 1.0335], rtol=1e-3)
    two = [torch.tensor([2.0]), torch.tensor([[1.0, -2.0]])]
    check(clip_by_norm, two, 1.5).equals(([[1.0], [[0.5, -1.0]]], 3.0))
    check(clip_by_norm, two, 6.0).equals(([[2.0], [[1.0, -2.0]]], 3.0), about="below the limit")
    check(clip_by_norm, two, math.inf).equals(
        ([[2.0], [[1.0, -2.0]]], 3.0), about="no limit", edge=True,
        near={"infinity divided by infinity is NaN": ([[math.nan], [[math.nan, math.nan]]], 3.0)},
    )
    check(clip_by_norm, [torch.zeros(2)], 1.5).equals(
        ([[0.0, 0.0]], 0.0), about="gradients of 0", edge=True,
        near={"the norm may be 0: do not divide by it": ZeroDivisionError,
              "the norm may be 0: do not divide by it (NaN came)": ([[math.nan, math.nan]], 0.0)},
    )
    ### BEGIN HIDDEN TESTS

    check.hidden()
    for T, H in ((4, 3), (6, 2), (9, 4)):
        W, b, x = (torch.tensor(check.rng.normal(size=s) * 0.9) for s in ((H, H), (H,), (T, H)))
        h, kept = torch.zeros(H, dtype=torch.float64), []
        for t in range(T):
            h = torch.tanh(x[t] + h @ W + b)
            kept.append(h)

        def onward(start, t):
            for later in range(t + 1, T):
                start = torch.tanh(x[later] + start @ W + b)
            return start

        expected = [float(torch.linalg.matrix_norm(torch.autograd.functional.jacobian(
            lambda s, t=t: onward(s, t), kept[t]), 2)) for t in range(T - 1, -1, -1)]
        check(jacobian_norms, torch.stack(kept).numpy(), W.numpy()).equals(
            expected, about="random states, as autograd", rtol=1e-4, atol=1e-9)

    def exact(value, about):
        """Judge by all sixteen digits of float64."""
        return {"test": lambda v: difference(v, value, 1e-10, 1e-12) is None, "says": "float64 in, float64 out",
            "about": about, "edge": True, "near": {"float64 was rounded to float32 on the way": lambda v: difference(
            v, value, 1e-4, 1e-5) is None}}

    for T, H, size, about in ((70, 3, 0.8, "many steps"), (5, 70, 0.2, "a large state"), (5, 3, 1, "float64"),
            (5, 3, 60, "large weights"), (4, 1, 1.5, "a state of one number")):
        s, W = check.rng.uniform(-0.95, 0.95, size=(T, H)), check.rng.normal(size=(H, H)) * size
        expected, after = [], np.eye(H)
        for h in s[::-1]:  # the other way round, and by eigenvalues
            expected.append(np.linalg.eigvalsh(after @ after.T)[-1] ** 0.5)
            after = after @ np.diag(1 - h * h) @ W.T
        case = check(jacobian_norms, s, W)
        if about == "float64":
            case.holds(**exact(expected, about))
        else:
            case.equals(expected, about=about, edge=True, rtol=1e-4, atol=0)
    check(jacobian_norms, np.array([[0.3, 0.1]]), np.eye(2)).equals([1.0], about="one step", edge=True)
    for limit in (0.01, 0.3, 1.7, 4.0, 60.0, 0.5, math.inf, 2.0):
        shapes = [(3, 2), (4,), (2, 2, 2)]
        about = "random gradients, as torch" if limit < 50 else "random gradients below the limit"
        if limit == 4.0:
            shapes.append(())
        if limit == 2.0:
            shapes += [(2,)] * 70
            about = "many gradients"
        if limit == math.inf:
            about = "an infinite limit"
        size = 0.05 if limit == 0.01 else 2
        gradients = [torch.tensor(check.rng.normal(size=shape) * size, dtype=torch.float32) for shape in shapes]
        parameters = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients]
        for p, g in zip(parameters, gradients, strict=True):
            p.grad = g.clone()
        norm = float(torch.nn.utils.clip_grad_norm_(parameters, limit))
        check(clip_by_norm, gradients, limit).equals(([p.grad for p in parameters], norm), about=about, rtol=1e-4,
            edge=limit == math.inf, near={"the limit may be math.inf, and infinity over infinity is NaN":
            ([g * math.nan for g in gradients], norm)})
    doubles = [torch.tensor(check.rng.normal(size=s)) for s in ((3, 2), (4,))]
    halves = [doubles[0], doubles[1].float()]
    check(clip_by_norm, halves, 0.7).holds(lambda v: [g.dtype for g in v[0]] == [torch.float64, torch.float32],
        "each gradient keeps its dtype", about="each gradient keeps its dtype", edge=True)
    check(clip_by_norm, [torch.tensor([[3.0, 0.0], [0.0, -4.0]])], 5.0).equals(([[[3.0, 0.0], [0.0, -4.0]]], 5.0),
        about="one gradient, of just this norm", edge=True)
    check.mistakes({}, clip_by_norm)  # most of them divide by the norm
    zeros = [torch.zeros(2), torch.zeros(1)]
    check(clip_by_norm, zeros, 1.0).equals((zeros, 0.0), about="a gradient of zeros", edge=True, near={
        "the norm is 0: do not divide by it": ZeroDivisionError})
    ### END HIDDEN TESTS


score
