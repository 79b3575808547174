from helpers.checks import graded


@graded("merge", points=7)
def score(check):
    import torch
    from torch import nn

    def after(steps, x, W, b, A, B, alpha, dropout=0.0):
        """(output, the base's weight, merged) after "m"erging and "u"nmerging, in training if there is dropout."""
        base = nn.Linear(W.shape[1], W.shape[0])
        base.load_state_dict({"weight": W, "bias": b})
        layer = LoRALinear(base, A.shape[0], alpha, dropout)
        layer.load_state_dict({"base.weight": W, "base.bias": b, "A": A, "B": B})
        layer.train(dropout > 0)
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return layer(x), layer.base.weight, bool(layer.merged)

    unscaled = "the scale alpha / r is missing in what is added"
    no_flag = "the weight is merged but `merged` is not set: the update is added twice"
    nothing = "the weight is as it was: add the update to `layer.base.weight` itself"
    twice = "merging a merged layer adds the update again"
    added = "unmerging adds the update again; it is subtracted"
    unequal = "unmerging takes out what merging put in: alpha / r times B A"
    stays = "`merged` stays True after unmerging, so the update is left out"
    W = torch.tensor([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]])
    b, A, B = torch.tensor([0.0, 1.0, 2.0]), torch.tensor([[3.0, 1.0]]), torch.tensor([[2.0], [0.0], [-1.0]])
    x = torch.tensor([[1.0, 2.0], [-1.0, 0.5]])
    merged = torch.tensor([[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]])
    output = torch.tensor([[6.0, 1.0, 1.0], [-3.5, -1.5, 3.0]])
    exact = {"rtol": 1e-5, "atol": 1e-5}
    check(after, "m", x, W, b, A, B, 0.5).equals((output, merged, True), about="merged", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        }, **exact)
    check(after, "mu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged again", near={
            no_flag: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[4.0, 1.0], [2.0, -1.0], [-1.0, 0.0]], False),
            added: ([[16.0, 1.0, -4.0], [-8.5, -1.5, 5.5]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], False),
            unequal: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            stays: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
        }, **exact)
    no_cause = "unmerging a layer that is not merged must change nothing"
    check(after, "muu", x, W, b, A, B, 0.5).equals((output, W, False), about="unmerged twice", near={
            no_cause: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], False),
            stays: ([[-4.0, 1.0, 6.0], [1.5, -1.5, 0.5]], [[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0]], True),
        }, **exact)
    large = ([[21.0, 1.0, -6.5], [-11.0, -1.5, 6.75]], [[13.0, 4.0], [2.0, -1.0], [-5.5, -1.5]], True)
    check(after, "mm", x, W, b, A, B, 2.0).equals(large, about="merged twice", near={
            unscaled: ([[11.0, 1.0, -1.5], [-6.0, -1.5, 4.25]], [[7.0, 2.0], [2.0, -1.0], [-2.5, -0.5]], True),
            no_flag: ([[61.0, 1.0, -26.5], [-31.0, -1.5, 16.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], False),
            nothing: ([[1.0, 1.0, 3.5], [-1.0, -1.5, 1.75]], [[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]], True),
            twice: ([[41.0, 1.0, -16.5], [-21.0, -1.5, 11.75]], [[25.0, 8.0], [2.0, -1.0], [-11.5, -3.5]], True),
        }, **exact)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(scale=None, flag=True, act=True, guard=True, back=-1.0, reset=True, unguarded=False, turned=False):
        """A layer as a state (weight, merged), whose steps can be exchanged."""

        def run(steps, x, W, b, A, B, alpha, dropout=0.0):
            is_merged = False
            delta = B @ A * (alpha / len(A))
            moved = B @ A * (alpha / len(A) if scale is None else scale(alpha, len(A)))
            for step in steps:
                if step == "m" and (not is_merged or not guard):
                    W, is_merged = W + moved * act, flag
                elif step == "u" and (is_merged or unguarded):
                    W, is_merged = (W if turned else W + back * moved * act), is_merged and not reset
            y = x @ W.T + b + (0 if is_merged else x @ delta.T)
            return y, W, is_merged

        return run

    check.mistakes({
        unscaled: made(scale=lambda a, r: 1.0), no_flag: made(flag=False), nothing: made(act=False),
        twice: made(guard=False), added: made(back=1.0), stays: made(reset=False),
        "the scale is alpha / r, not r / alpha": made(scale=lambda a, r: r / a),
        "the update is subtracted in merging": made(scale=lambda a, r: -a / r),
        no_cause: made(unguarded=True),
        "unmerging leaves the weight as it is: subtract the update": made(turned=True),
        "the scale is alpha / r: here it is alpha": made(scale=lambda a, r: a),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for steps, n, m, r, alpha, about in [
        ("m", 5, 4, 2, 3.0, "merged"), ("m", 4, 6, 3, 16.0, "merged"), ("mu", 5, 3, 4, 2.0, "unmerged again"),
        ("mum", 4, 4, 2, 1.0, "merged, unmerged, merged"), ("mm", 3, 5, 2, 4.0, "merged twice"),
        ("muu", 5, 3, 2, 3.0, "unmerged twice"), ("u", 3, 4, 1, 2.0, "unmerged without being merged"),
    ]:
        x, W, b, A, B = (torch.randn(s, generator=draw) for s in ((2, 3, n), (m, n), (m,), (r, n), (m, r)))
        full = W + alpha / r * torch.einsum("or,ri->oi", B, A)
        is_merged = steps[-1] == "m"
        right = torch.nn.functional.linear(x, full, b), full if is_merged else W, is_merged
        check(after, steps, x, W, b, A, B, alpha).equals(right, about=about, rtol=1e-4, atol=2e-5)
    x, W, b, A, B = (torch.randn(s, generator=draw) for s in ((2, 3, 5), (4, 5), (4,), (2, 5), (4, 2)))
    full = W + 1.5 * B @ A
    check(after, "m", x, W, b, A, B, 3.0, 0.5).equals(
        (torch.nn.functional.linear(x, full, b), full, True), about="merged, with dropout", rtol=1e-4, atol=2e-5
    )
    rare = 1e-9  # the layer is in training, and nothing is dropped
    check(after, "m", x, W, b, A, B, 3.0, rare).equals(
        (torch.nn.functional.linear(x, full, b), full, True), about="merged, with dropout", rtol=1e-4, atol=2e-5,
        near={"merging does not depend on whether the layer is in training": (
            torch.nn.functional.linear(x, full, b), W, False)},
    )
    check.mistakes({})

    def matrices(steps):
        layer = LoRALinear(nn.Linear(2, 2), 1, 4.0)
        layer.load_state_dict({"base.weight": W[:2, :2], "base.bias": b[:2], "A": A[:1, :2], "B": B[:2, :1]})
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return layer.A, layer.B, bool(layer.training)

    for steps in ("m", "mu"):
        check(matrices, steps).equals(
            (A[:1, :2], B[:2, :1], True), about="what stays as it is",
            near={"A and B stay as they are: unmerging needs them": (A[:1, :2], 0 * B[:2, :1], True),
                  "the layer stays in training if it was": (A[:1, :2], B[:2, :1], False)},
        )

    def learns(steps):
        layer = LoRALinear(nn.Linear(4, 3), 2, 4.0)
        for step in steps:
            (merge if step == "m" else unmerge)(layer)
        return {name: bool(p.requires_grad) for name, p in layer.named_parameters()}

    for steps in ("m", "mu"):
        check(learns, steps).equals(
            {"A": True, "B": True, "base.weight": False, "base.bias": False}, about="what is trained afterwards",
            near={"the base is trainable afterwards: change its weight in place": {
                "A": True, "B": True, "base.weight": True, "base.bias": False}},
        )
    ### END HIDDEN TESTS


score
