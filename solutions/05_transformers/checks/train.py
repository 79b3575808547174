from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("train", points=7)
def score(check):
    import math

    import torch

    ### BEGIN MISTAKES
    from torch import nn

    from helpers.chapters.transformers import own_loop

    def share(t, w, n):
        return (t + 1) / (w + 1) if t < w else (1 + math.cos(math.pi * (t - w) / (n - w))) / 2

    check.mistakes({
        "the rate does not warm up: before step `warmup` it rises along a line":
            lambda t, n, peak, w: peak * share(max(t, w), w, n),
        "the warm-up divides by `warmup`: by warmup + 1, so that the peak comes once, in step `warmup`":
            lambda t, n, peak, w: peak * ((t + 1) / w if t < w else share(t, w, n)),
        "with a warm-up of 0 steps the first step has the peak": lambda t, n, peak, w: peak * share(t, max(w, 1), n),
        "the first step has a rate of 0: step + 1 is counted":
            lambda t, n, peak, w: peak * (t / (w + 1) if t < w else share(t, w, n)),
        "the warm-up begins at 0 and ends at the peak: (step + 1) / (warmup + 1)":
            lambda t, n, peak, w: peak * (t / w if t < w else share(t, w, n)),
        "the cosine counts from step 0: it begins with step `warmup`":
            lambda t, n, peak, w: peak * (share(t, w, n) if t < w else (1 + math.cos(math.pi * t / n)) / 2),
        "the cosine takes `steps` steps: it has steps - warmup":
            lambda t, n, peak, w: peak * (share(t, w, n) if t < w else (1 + math.cos(math.pi * (t - w) / n)) / 2),
        "the cosine reaches 0 in the last step: it would in the step after it":
            lambda t, n, peak, w: peak * (
                share(t, w, n) if t < w else (1 + math.cos(math.pi * (t - w) / max(n - 1 - w, 1))) / 2),
        "the rate falls along a line: along half a cosine":
            lambda t, n, peak, w: peak * (share(t, w, n) if t < w else 1 - (t - w) / (n - w)),
        "the half is missing: 1 + cos goes from 2 to 0":
            lambda t, n, peak, w: peak * share(t, w, n) * (1 if t < w else 2),
        "the 1 is missing: (1 + cos) / 2 never falls below 0":
            lambda t, n, peak, w: peak * (share(t, w, n) if t < w else math.cos(math.pi * (t - w) / (n - w))),
        "the peak is missing: this is a share of it": lambda t, n, peak, w: share(t, w, n),
        "this is a quarter of a cosine: the angle goes from 0 to pi":
            lambda t, n, peak, w: peak * (share(t, w, n) if t < w else math.cos(math.pi * (t - w) / (n - w) / 2)),
        "the rate does not fall: behind the warm-up it follows half a cosine":
            lambda t, n, peak, w: peak * share(min(t, w), w, n),
        "the angle has no pi": lambda t, n, peak, w: peak * (
            share(t, w, n) if t < w else (1 + math.cos((t - w) / (n - w))) / 2),
        "the cosine rises: it begins at the peak": lambda t, n, peak, w: peak * (
            share(t, w, n) if t < w else (1 - math.cos(math.pi * (t - w) / (n - w))) / 2),
    }, warmup_cosine)

    def odd(
        model, batches, loss, optimizer, steps, rate, clip=1.0, *, zero="first", norm="all", kept=True, late=0,
        write=True, first=False, ahead=0, again=False, item=True, begin=True, end=True, mean=False, up=1,
        frozen=None, key=lambda i, p: i,
    ):
        """The loop with one part exchanged."""
        states, losses, learned = {}, [], list(model.parameters())
        model.train(begin)
        for t in range(steps):
            batch = batches(0 if first else t + ahead)
            value = loss(model, batch)
            if zero == "first":
                model.zero_grad()
            value.backward()
            if zero == "between":
                for p in learned:
                    p.grad = torch.zeros_like(p)
            moved = [p for p in learned if p.grad is not None]
            if norm == "all":
                nn.utils.clip_grad_norm_(moved, clip)
            if norm == "up":
                size = torch.cat([p.grad.flatten() for p in moved]).norm()
                for p in moved:
                    p.grad.mul_(clip / size)
            for p in moved if norm == "each" else []:
                nn.utils.clip_grad_norm_([p], clip)
            if norm == "values":
                nn.utils.clip_grad_value_(moved, clip)
            for i, p in enumerate(learned):
                if p.grad is None and frozen is None:
                    continue
                grad = torch.full_like(p, frozen) if p.grad is None else up * p.grad
                new, state = optimizer(p.detach(), grad, states.get(key(i, p)), lr=rate(t + late))
                if kept:
                    states[key(i, p)] = state
                if write:
                    p.data.copy_(new)
            if norm == "late":
                nn.utils.clip_grad_norm_(moved, clip)
            value = loss(model, batch) if again else value
            losses.append(value.item() if item else value.detach())
        if end:
            model.eval()
        if mean:
            losses = [sum(losses[: i + 1]) / (i + 1) for i in range(len(losses))]
        return losses

    def ran(**changed):
        return lambda *run, **how: own_loop.trained(lambda *a: odd(*a, **changed), *run, **how)

    check.mistakes({
        "gradients from before are still there: backward() adds, so clear them before it": ran(zero="never"),
        "nothing was clipped: it belongs between backward() and the step": ran(norm="none"),
        "clipped after the step, which was made with the whole gradient": ran(norm="late"),
        "each parameter was clipped by its own norm: one norm, and one factor, for all": ran(norm="each"),
        "the numbers were cut off at the limit: clip_grad_norm_ scales all of them alike": ran(norm="values"),
        "a gradient below the limit was scaled up: up to the limit nothing is scaled": ran(norm="up"),
        "the state was not kept: each parameter hands back what its step before returned": ran(kept=False),
        "the rate is that of the step after: step 0 takes rate(0)": ran(late=1),
        "the weights did not move: copy each new weight into its parameter, and clear no gradient between backward() "
        "and the step": ran(write=False),
        "every step took the first batch: step t takes batches(t)": ran(first=True),
        "the first batch was passed over: step 0 takes batches(0)": ran(ahead=1),
        "the loss of a step was computed again after it: it is the one from which backward() went": ran(again=True),
        "the losses are tensors: .item() makes floats": ran(item=False),
        "the model learned in eval mode: model.train() first": ran(begin=False),
        "the model was left in train mode: model.eval() at the end": ran(end=False),
        "the mean of the losses so far came: each step has its own": ran(mean=True),
        "the step went up: is the loss or the gradient negated?": ran(up=-1),
        "the limit is `clip`: here it was 1, whatever `clip` is":
            lambda w, b, n, rate, clip=1.0, **how: own_loop.trained(odd, w, b, n, rate, 1.0, **how),
        "one step too few was made: there are `steps` of them":
            lambda w, b, n, *a, **how: own_loop.trained(odd, w, b, n - 1, *a, **how),
        "the rate of step 0 was taken in all steps: rate(step)":
            lambda w, b, n, rate, *a, **how: own_loop.trained(odd, w, b, n, (rate[0], 1.0), *a, **how),
        "a parameter without a gradient was moved: it stays as it is": ran(frozen=1.0),
        "a parameter without a gradient was moved, as if its gradient were 0: it stays as it is": ran(frozen=0.0),
        "parameters of one shape shared a state: each parameter has a state of its own": ran(key=lambda i, p: p.shape),
        "one state served for all: each parameter has a state of its own": ran(key=lambda i, p: 0),
    }, trained)
    ### END MISTAKES
    rates = [check(warmup_cosine, t, 5, 0.2, 1) for t in range(5)]
    for case, value in zip(rates, [0.1, 0.2, 0.170711, 0.1, 0.029289], strict=True):
        case.equals(value, about="the rates of five steps by hand", rtol=1e-4)
    check(warmup_cosine, 1, 8, 0.3, 3).equals(0.15, about="on the way up", rtol=1e-5)

    # By hand: w = 2, then 1.9, then 1.865, and then the first batch again.
    w = [torch.tensor([[2.0]])]
    one = [(torch.tensor([[1.0]]), torch.tensor([[0.0]])), (torch.tensor([[1.0]]), torch.tensor([[1.8]]))]
    leaf = "a parameter was changed in place outside torch.no_grad()"
    first = check(trained, w, one, 2, (0.1, 0.5)).equals({
        "losses": [4.0, 0.01], "weights": [[[1.865]]], "modes": ["train"] * 2, "ended": "eval", "kind": "float"},
        about="two steps by hand", rtol=1e-4, near={leaf: RuntimeError})
    check(trained, w, one, 3, (0.1, 0.5), 0.5).equals({
        "losses": [4.0, 0.0225, 3.696006], "weights": [[[1.903125]]], "modes": ["train"] * 3, "ended": "eval",
        "kind": "float"}, about="three steps, another limit", rtol=1e-4)
    # Two numbers, w = 2 and b = 1: the gradient is (3.75, 5), its norm 6.25, and a limit of 1.25 makes it (0.75, 1).
    both = [torch.tensor([[2.0]]), torch.tensor([1.0])]
    row = [(torch.tensor([[0.75]]), torch.tensor([[0.0]]))]
    shared = "each parameter has a state of its own: shapes of two do not fit"
    misfit = {shared: RuntimeError} if first.passed else {}
    check(trained, both, row, 1, (0.1, 0.5), 1.25).equals({
        "losses": [6.25], "weights": [[[1.925]], [0.9]], "modes": ["train"], "ended": "eval", "kind": "float"},
        about="one step of two weights, clipped", rtol=1e-4, near=misfit)
    # What the optimiser returns for b, whose gradient is none, would be another number: half of a weight decays.
    check(trained, both, row, 1, (0.1, 0.5), 1.25, frozen=[1], decay=0.5).equals({
        "losses": [6.25], "weights": [[[1.775]], [1.0]], "modes": ["train"], "ended": "eval", "kind": "float"},
        about="a frozen parameter", edge=True, rtol=1e-4)
    wide = [torch.tensor([[0.5, -0.5], [1.0, 0.25]]), torch.tensor([0.1, 0.2]), torch.tensor([[1.0, -1.0]]),
            torch.tensor([0.3])]
    rows = [(torch.tensor([[1.0, 2.0]]), torch.tensor([[0.5]])), (torch.tensor([[-1.0, 1.0]]), torch.tensor([[0.0]]))]

    def by_hand(weights, batches, steps, rate, clip):
        """Steps without `.grad` and without a loop over parameters: all weights in one vector."""
        shapes = [v.shape for v in weights]
        sizes = [shape.numel() for shape in shapes]
        flat, total, losses = torch.cat([v.flatten() for v in weights]).double(), 0.0, []
        for t in range(steps):
            x, y = (v.double() for v in batches[t % len(batches)])
            leaf = flat.clone().requires_grad_()
            w1, b1, w2, b2 = (v.view(s) for v, s in zip(leaf.split(sizes), shapes, strict=True))
            loss = ((torch.tanh(x @ w1.T + b1) @ w2.T + b2 - y) ** 2).mean()
            slope = torch.autograd.grad(loss, leaf)[0]
            total = 0.5 * total + slope * min(1.0, clip / slope.norm().item())
            flat = flat - rate[0] * rate[1] ** t * total
            losses.append(loss.item())
        ended = [v.view(s) for v, s in zip(flat.split(sizes), shapes, strict=True)]
        return {"losses": losses, "weights": [v.to(weights[0].dtype) for v in ended], "modes": ["train"] * steps,
                "ended": "eval", "kind": "float"}

    check(trained, wide, rows, 3, (0.2, 0.8), 0.7).equals(
        by_hand(wide, rows, 3, (0.2, 0.8), 0.7), about="four parameters", rtol=1e-4, atol=1e-5,
        near=misfit)
    alike = [torch.tensor([[0.5]]), torch.tensor([0.25]), torch.tensor([[-1.0]]), torch.tensor([0.5])]
    check(trained, alike, one, 2, (0.2, 0.8), 0.7).equals(
        by_hand(alike, one, 2, (0.2, 0.8), 0.7), about="parameters of one shape", rtol=1e-4, atol=1e-5, near=misfit)
    by_itself = "the losses and weights of the steps by hand, and no call of torch's optimisers"
    called = "one of torch's optimisers was called: clear the gradients and move the weights yourself"
    of_two_steps = {
        "losses": [4.0, 0.01], "weights": [[[1.865]]], "modes": ["train"] * 2, "ended": "eval", "kind": "float"}
    named = {"near": {called: lambda found: bool(found[1])}}
    check(taken, ["torch.optim"], trained, w, one, 2, (0.1, 0.5)).holds(
        **not_taken(by_itself, called, of_two_steps) | named, about="without torch.optim")
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for steps, warmup in ((10, 3), (40, 2), (7, 0), (1, 0), (3, 2), (70, 66)):
        peak = float(check.rng.uniform(0.5, 2)) * (1e-3 if steps == 40 else 1)
        up = [peak * (i + 1) / (warmup + 1) for i in range(warmup)]
        down = [peak * math.cos(math.pi * i / (steps - warmup) / 2) ** 2 for i in range(steps - warmup)]
        for t in {0, warmup // 2, warmup, (warmup + steps) // 2, steps - 1}:
            check(warmup_cosine, t, steps, peak, warmup).equals(
                (up + down)[t], about="rates of other runs", edge=warmup == 0 or steps in (3, 70), rtol=1e-5, atol=1e-9)
    for B, many, steps, rate, clip, about in (
        (4, 3, 7, (0.3, 0.9), 0.4, "random networks"), (3, 4, 6, (0.2, 0.7), 0.7, "random networks"),
        (5, 3, 4, (0.1, 0.8), 1e4, "gradients below the limit"),
        (2, 2, 5, (0.1, 1.0), 1e4, "gradients below the limit"),
        (2, 5, 70, (0.2, 0.97), 0.01, "many steps, a small limit"),
    ):
        weights = [draw(5, 2), draw(5), 2 * draw(1, 5), draw(1)]
        batches = [(draw(B, 2), draw(B, 1)) for _ in range(many)]
        check(trained, weights, batches, steps, rate, clip).equals(
            by_hand(weights, batches, steps, rate, clip), about=about, edge=steps > 64, rtol=2e-3, atol=1e-4,
            near=misfit)
    weights = [draw(3, 2).double(), draw(3).double(), draw(1, 3).double(), draw(1).double()]
    batches = [(draw(4, 2).double(), draw(4, 1).double()) for _ in range(2)]
    check(trained, weights, batches, 4, (0.1, 0.9), 0.3).equals(
        by_hand(weights, batches, 4, (0.1, 0.9), 0.3), about="double precision", rtol=1e-5, atol=1e-7)
    check(taken, ["torch.optim"], trained, weights, batches, 3, (0.1, 0.9), 0.3).holds(
        **not_taken(by_itself, called, by_hand(weights, batches, 3, (0.1, 0.9), 0.3)) | named,
        about="random networks without torch.optim")
    weights, batches = [draw(1, 1), draw(1), draw(1, 1), draw(1)], [(draw(3, 1), draw(3, 1)) for _ in range(2)]
    check(trained, weights, batches, 4, (0.1, 0.9), 0.5).equals(
        by_hand(weights, batches, 4, (0.1, 0.9), 0.5), about="parameters of one shape, drawn", rtol=1e-3, atol=1e-5)
    # (w x + b - y)^2 with b frozen: what is left is one weight.
    weights, batches = [draw(1, 1), draw(1)], [(1 + draw(1, 1).abs(), draw(1, 1))]
    x, y = (v.item() for v in batches[0])
    w, b, total, losses = weights[0].item(), weights[1].item(), 0.0, []
    for _ in range(3):
        losses.append((w * x + b - y) ** 2)
        slope = 2 * (w * x + b - y) * x
        total = 0.5 * total + slope * min(1.0, 0.6 / max(abs(slope), 1e-12))
        w -= 0.1 * (total + 0.5 * w)
    check(trained, weights, batches, 3, (0.1, 1.0), 0.6, frozen=[1], decay=0.5).equals({
        "losses": losses, "weights": [[[w]], [b]], "modes": ["train"] * 3, "ended": "eval", "kind": "float"},
        about="a frozen parameter, drawn", edge=True, rtol=1e-3, atol=1e-5)
    ### END HIDDEN TESTS


score
