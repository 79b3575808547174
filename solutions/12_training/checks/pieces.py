from helpers.checks import graded


@graded("pieces", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from helpers.chapters.training import probes

    def left(**part):
        def call(*arguments):
            return probes.left_gradients(lambda *a: odd(*a, **part), *arguments)

        return call

    def odd(model, pieces, loss_sum, count, *, clear=True, by="all", joined=False, total="mean", between=False, skip=0):
        if clear:
            model.zero_grad()
        targets, losses = sum(map(count, pieces)), []
        for piece in pieces[skip:]:
            if between:
                model.zero_grad()
            share = loss_sum(model, piece)
            if by == "all":
                share = share / targets
            if by == "pieces":
                share = share / max(count(piece), 1) / len(pieces)
            if by == "count":
                share = share / len(pieces)
            if by == "piece":
                share = share / max(count(piece), 1)
            if by == "share":
                share = share / torch.tensor(float(count(piece))) * count(piece) / targets
            losses.append(share)
            if not joined:
                share.backward()
        if joined:
            sum(losses).backward()
        if total == "tensor":
            return sum(losses)
        values = [v.item() for v in losses]
        if total == "sum":
            return sum(values) * targets
        if total == "last":
            return values[-1]
        return sum(values)

    check.mistakes(
        {
            "gradients from before are still there: clear them before the first piece": left(clear=False),
            "gradients were cleared between the pieces: only those of the last are left": left(between=True),
            "this is the mean of the pieces' means: divide each sum by the number of all targets": left(by="pieces"),
            "each piece was divided by its own number of targets, and the pieces were added": left(by="piece"),
            "each sum was divided by the number of pieces: divide it by the number of all targets": left(by="count"),
            "a piece without targets has no mean: 0 / 0 is no number; divide its sum by all targets": left(by="share"),
            "nothing was divided: the mean over all targets is asked for, not the sum": left(by="none"),
            "all pieces were kept at once: go backward from each before the next is computed": left(joined=True),
            "the sum of the losses came back: the mean over all targets is asked for": left(total="sum"),
            "the loss of the last piece came back: the mean over all targets is asked for": left(total="last"),
            "the first piece was left out": left(skip=1),
            "the loss is a tensor that belongs to the graphs of all pieces: a float is asked for": left(total="tensor"),
        },
        left_gradients,
    )

    def scaled(gradients, limit, *, each=False, up=False, values=False, factor=None, after=False, norm=2, place=True):
        there = [torch.as_tensor(g) for g in gradients if g is not None]
        flat = [torch.zeros(1).double(), *(g.flatten().double() for g in there)]
        if norm == "parts":
            flat, norm = [torch.stack([part.norm() for part in flat])], 1
        size = torch.cat(flat).norm(norm).item()
        changed = []
        for g in gradients:
            if g is None:
                changed.append(None)
                continue
            g = torch.as_tensor(g)
            own = g.norm().item() if each else size
            share = limit / own if own > limit or up else 1.0
            share = factor(own, limit) if factor else share
            changed.append(g.clamp(-limit, limit) if values else g * share)
        left = [g for g in changed if g is not None]
        returned = size
        if after:
            returned = torch.cat([g.flatten() for g in left]).norm().item()
        return {"norm": returned, "gradients": changed, "kind": "float", "in place": place}

    def behind_the_first(gradients, limit):
        """What comes where something looked for the first gradient and took it from the iterator."""
        there = [i for i, g in enumerate(gradients) if g is not None]
        taken = there[0] + 1 if there else 0
        rest = scaled(gradients[taken:], limit)
        return rest | {"gradients": [*gradients[:taken], *rest["gradients"]]}

    check.mistakes(
        {
            "the first gradient is left out: parameters may be an iterator, which gives each of them once":
                behind_the_first,
            "nothing was clipped: multiply the gradients, no copies; an iterator of parameters is gone through once":
                lambda g, c: scaled(g, c, factor=lambda n, c: 1.0),
            "new tensors hold the gradients: those that are there are multiplied, in place": lambda g, c: scaled(
                g, c, place=False
            ),
            "each gradient was clipped by its own norm: one norm, and one factor, for all": lambda g, c: scaled(
                g, c, each=True
            ),
            "a norm below the limit was scaled up: up to the limit nothing changes": lambda g, c: scaled(g, c, up=True),
            "the numbers were cut off at the limit: all are multiplied by one factor": lambda g, c: scaled(
                g, c, values=True
            ),
            "the norm from after the clipping came back: the one from before is asked for": lambda g, c: scaled(
                g, c, after=True
            ),
            "divided by the norm: the limit is missing": lambda g, c: scaled(
                g, c, factor=lambda n, c: 1 / n if n > c else 1
            ),
            "the factor is upside down: limit / norm": lambda g, c: scaled(
                g, c, factor=lambda n, c: n / c if n > c else 1
            ),
            "this is the sum of the absolute values: the root of the sum of squares is the norm": lambda g, c: scaled(
                g, c, norm=1
            ),
            "the norms of the parts were added: the norm of all numbers is the norm of these norms":
                lambda g, c: scaled(g, c, norm="parts"),
            "this is the largest number: the root of the sum of all squares is the norm": lambda g, c: scaled(
                g, c, norm=float("inf")
            ),
            "the square of the norm was compared: its root": lambda g, c: scaled(
                g, c, factor=lambda n, c: c / n**2 if n**2 > c else 1
            ),
        },
        clipped,
    )
    ### END MISTAKES
    found = {"alive at once": 1, "idle": True, "a number": True}
    plain = {"kind": "float", "in place": True}
    three = [[1.0], [1.0], [1.0]]
    check(left_gradients, [1.0], [three, [[3.0]]]).equals(
        found | {"loss": 3.0, "gradient": [6.0], "calls": 2}, about="two pieces by hand"
    )
    check(left_gradients, [2.0, 1.0], [[[1.0, 0.0]], [[0.0, 2.0], [1.0, 1.0]]]).equals(
        found | {"loss": 17 / 3, "gradient": [10 / 3, 14 / 3], "calls": 2},
        about="two weights, three targets",
        rtol=1e-5,
    )
    a, b = torch.tensor([3.0, 0.0]), torch.tensor([[4.0]])
    check(clipped, [a, b], 1.0).equals(
        {"norm": 5.0, "gradients": [[0.6, 0.0], [[0.8]]], **plain}, about="a norm of 5, by hand", rtol=1e-5
    )
    a, b = torch.tensor([1.0, 2.0, 2.0]), torch.tensor([[4.0]])
    check(clipped, [a, b], 2.5).equals(
        {"norm": 5.0, "gradients": [[0.5, 1.0, 1.0], [[2.0]]], **plain}, about="another limit", rtol=1e-5
    )
    without = "a parameter may have no gradient, which is None: leave it out"
    none = {without: AttributeError, f"{without}, before you calculate": TypeError}
    check(clipped, [a, None, b], 6.0).equals(
        {"norm": 5.0, "gradients": [[1.0, 2.0, 2.0], None, [[4.0]]], **plain}, about="below the limit", rtol=1e-5,
        near=none,
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for sizes, width in (((4, 1, 2), 3), ((7, 7), 2), ((7, 7), 2), ((1, 9, 3, 2), 5), ((5,), 4)):
        weights = check.rng.normal(size=width)
        rows = check.rng.normal(size=(sum(sizes), width))
        cuts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        pieces = [rows[i:j].tolist() for i, j in zip(cuts, cuts[1:], strict=False)]
        predictions = rows @ weights
        check(left_gradients, weights.tolist(), pieces).equals(
            found
            | {
                "loss": float((predictions**2).mean()),
                "gradient": 2 * rows.T @ predictions / len(rows),
                "calls": len(sizes),
            },
            about="drawn pieces",
            rtol=1e-6,
        )
    rows = check.rng.normal(size=(3, 2))
    weights = check.rng.normal(size=2)
    check(left_gradients, weights.tolist(), [rows[:1].tolist(), [], rows[1:].tolist()]).equals(
        found
        | {"loss": float(((rows @ weights) ** 2).mean()), "gradient": 2 * rows.T @ (rows @ weights) / 3, "calls": 2},
        about="a piece without targets",
        edge=True,
        rtol=1e-6,
    )
    for scale, limit in ((1.0, 0.5), (10.0, 3.0), (0.01, 1.0), (4.0, 100.0), (0.1, 0.01)):
        parts = [
            torch.tensor(check.rng.normal(size=shape) * scale, dtype=torch.float32)
            for shape in ((3, 4), (5,), (2, 1, 2))
        ]
        norm = sum(float((p.double() ** 2).sum()) for p in parts) ** 0.5
        share = min(1.0, limit / norm)
        check(clipped, parts, limit).equals(
            {"norm": norm, "gradients": [p * share for p in parts], **plain},
            about="drawn gradients" if norm > limit else "drawn gradients below the limit",
            rtol=1e-4,
        )
    double = torch.tensor(check.rng.normal(size=6) * 3)
    check(clipped, [double], 0.1).equals(
        {"norm": float(double.norm()), "gradients": [double * 0.1 / double.norm()], **plain},
        about="double precision",
        rtol=1e-5,
    )
    check(clipped, [torch.zeros(3)], 1.0).equals(
        {"norm": 0.0, "gradients": [[0.0, 0.0, 0.0]], **plain}, about="gradients of 0", edge=True
    )
    check(clipped, [None, torch.tensor([8.0]), None], 2.0).equals(
        {"norm": 8.0, "gradients": [None, [2.0], None], **plain}, about="one gradient among none", edge=True, near=none
    )
    check(clipped, [None, None], 1.0).equals(
        {"norm": 0.0, "gradients": [None, None], **plain},
        about="no parameter has a gradient",
        edge=True,
        near=none | {"where no parameter has a gradient there is nothing to stack: the norm is 0": RuntimeError},
    )
    for number in (float("inf"), float("nan")):
        check(clipped, [torch.tensor([2.0, number])], 1.0).holds(
            lambda found, number=number: str(found["norm"]) == str(number),
            f"the norm {number}",
            about="a norm that is not finite",
            edge=True,
        )
    ### END HIDDEN TESTS


score
