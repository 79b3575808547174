from helpers.checks import graded


@graded("loop", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from torch import nn
    from helpers.chapters.rnns import training_loop

    unclipped = "nothing was clipped before the step: that belongs between backward() and step()"
    fewer = "one step too few was made: there are `steps` of them"

    def odd(loop_model, batches, loss, optimizer, schedule, steps, clip, evaluate, every, *, zero="first", norm="all",
            rate="last", move=True, cycle=True, again=False, due=lambda n, e, s: n % e == 0 or n == s, say=0,
            mode="eval", back="always", grad=False, item=True, mean=False, more=False, ahead=0,
            begin=False, double=False, rest=False):
        losses, found, p = [], [], list(loop_model.parameters())
        if back == "once":
            loop_model.train()
        if begin:
            with torch.no_grad():
                found.append((0, evaluate(loop_model.eval())))
        for t in range(steps):
            if back in ("always", "after all"):
                loop_model.train()
            batch = batches[(t + ahead) % len(batches) if cycle else 0]
            value = loss(loop_model, batch)
            if zero == "first":
                optimizer.zero_grad()
            value.backward()
            if zero == "between":
                optimizer.zero_grad()
            if norm == "all":
                nn.utils.clip_grad_norm_(p, clip)
            if norm == "up":
                size = torch.cat([one.grad.flatten() for one in p]).norm()
                for one in p:
                    one.grad.mul_(clip / size)
            for one in p if norm == "each" else []:
                nn.utils.clip_grad_norm_([one], clip)
            if norm == "values":
                nn.utils.clip_grad_value_(p, clip)
            if rate == "first":
                schedule.step()
            if move:
                optimizer.step()
            if norm == "late":
                nn.utils.clip_grad_norm_(p, clip)
            if rate == "last" or (rate == "rounds" and (t + 1) % len(batches) == 0):
                schedule.step()
            value = loss(loop_model, batch) if again else value
            losses.append(value.item() if item else value)
            if due(t + 1, every, steps):
                if mode == "eval":
                    loop_model.eval()
                with torch.set_grad_enabled(grad):
                    found.append((t + 1 + say, evaluate(loop_model)))
        if more and steps % every == 0:
            with torch.no_grad():
                found.append((steps, evaluate(loop_model.eval())))
        if double and steps % every == 0:
            found.append(found[-1])
        if rest:
            loop_model.eval()
        if mean:
            losses = [sum(losses[: i + 1]) / (i + 1) for i in range(len(losses))]
        if back == "after all":
            loop_model.train()
        return losses, found

    def ran(*args, **changed):
        return training_loop.after_training(lambda *a: odd(*a, **changed), *args)

    known = {
        "gradients of earlier steps are still there: backward() adds, so zero_grad() comes before it in each step":
            {"zero": "never"},
        "zero_grad() came between backward() and step(): the gradient was thrown away before it was used":
            {"zero": "between"},
        unclipped: {"norm": "none"},
        "clipped after the step: then the step was made with the whole gradient": {"norm": "late"},
        "each parameter was clipped by its own norm: one norm, and one factor, for all": {"norm": "each"},
        "the numbers were cut off at the limit: clip_grad_value_ does that, clip_grad_norm_ scales all":
            {"norm": "values"},
        "the schedule never moved: schedule.step() follows optimizer.step() in each step": {"rate": "never"},
        "the schedule moved before the optimizer: the first step takes the first rate": {"rate": "first"},
        "a gradient below the limit was scaled up: up to the limit nothing is scaled": {"norm": "up"},
        "the weights did not move: optimizer.step() is missing": {"move": False},
        "every step took the first batch: step t takes batches[t % len(batches)]": {"cycle": False},
        "the loss of a step was computed again after it: it is the one that was made on the way forward":
            {"again": True},
        "the model was judged in train mode: model.eval() comes first": {"mode": "train"},
        "the last evaluation is missing: it comes after the last step, too": {"due": lambda n, e, s: n % e == 0},
        "the model was judged in train mode: model.eval() comes before each evaluation, not only in the end":
            {"mode": "train", "rest": True},
        "the last evaluation is missing: one comes after the last step, whatever `every` is":
            {"due": lambda n, e, s: n % e == 0, "rest": True},
        "the last evaluation is listed twice: after the last step it comes once, even where one was due":
            {"double": True},
        "the evaluation came one step too early: (step + 1) % every, where step counts from 0":
            {"due": lambda n, e, s: (n - 1) % e == 0 or n == s},
        "only the last step was followed by an evaluation": {"due": lambda n, e, s: n == s},
        "an evaluation came after each step: only every so many, and after the last": {"due": lambda n, e, s: True},
        "in the end the model is left in eval mode: here it is in train mode": {"back": "after all"},
        "the number of steps made goes with an evaluation: here it is the index of the last one": {"say": -1},
        "after an evaluation the model learned in eval mode: model.train() comes back before the next step":
            {"back": "once"},
        "model.train() is missing: the model may come in eval mode": {"back": "never"},
        "the evaluation keeps a graph: torch.no_grad() around it": {"grad": True},
        "the losses are tensors, which hold on to their graphs: .item() makes floats": {"item": False},
        "this is the mean of the losses so far: each step has its own": {"mean": True},
        "an evaluation is there twice: after the last step it comes once, even where one was due": {"more": True},
        "the first batch was passed over: step 0 learns from batches[0]": {"ahead": 1},
        "step and evaluation were counted from 0: after the first `every` steps, `every` steps have been made":
            {"due": lambda n, e, s: (n - 1) % e == 0 or n == s, "say": -1},
        "an evaluation came before the first step: the first comes after `every` steps": {"begin": True},
        "the schedule moved once a round of all batches: schedule.step() follows optimizer.step() in each step":
            {"rate": "rounds"},
        unclipped + ", and no gradient set to zero": {"norm": "none", "zero": "never"},
    }
    check.mistakes({words: lambda loop, *a, v=v: ran(*a, **v) for words, v in known.items()} | {
        "the steps ended with the first round: after the last batch the first comes again, up to `steps`":
            lambda loop, w, b, steps, *a: ran(w, b, min(steps, len(b)), *a,
                due=lambda n, e, s: n % e == 0 or n == steps),
        "the limit is `clip`: here it was 1, whatever `clip` is":
            lambda loop, w, b, steps, clip, *a: ran(w, b, steps, 1.0, *a),
        fewer: lambda loop, w, b, steps, *a: ran(w, b, steps - 1, *a),
        fewer + ", and an evaluation follows the last":
            lambda loop, w, b, steps, *a: ran(w, b, steps - 1, *a, due=lambda n, e, s: n % e == 0),
    }, after_training)
    ### END MISTAKES
    # By hand: w = 2, then 1.9, then 1.89. The evaluation is the loss on the first batch, w squared.
    w = [torch.tensor([[2.0]])]
    one = [(torch.tensor([[1.0]]), torch.tensor([[0.0]])), (torch.tensor([[1.0]]), torch.tensor([[1.8]]))]
    check(after_training, train, w, one, 2, 1.0, 1, ("sgd", 0.1, 0.5)).equals({
        "losses": [4.0, 0.01], "evaluations": [(1, 3.61), (2, 3.5721)], "weights": [[[1.89]]],
        "modes": ["train", "eval, no grad"] * 2, "ended": "eval", "kind": "float"},
        about="two steps by hand", rtol=1e-4)
    # With y = 2 in the second batch: w = 2, then 1.9, then 1.91, then 1.885.
    other = [one[0], (torch.tensor([[1.0]]), torch.tensor([[2.0]]))]
    check(after_training, train, w, other, 3, 1.0, 2, ("sgd", 0.1, 0.5)).equals({
        "losses": [4.0, 0.01, 3.6481], "evaluations": [(2, 3.6481), (3, 3.553225)], "weights": [[[1.885]]],
        "modes": ["train", "train", "eval, no grad", "train", "eval, no grad"], "ended": "eval", "kind": "float"},
        about="three steps, two batches, an evaluation after every second and the last", rtol=1e-4)
    # w = (1, 0.25), b = 0.5: the gradient is (12, 12) and 6, its norm 18, and a limit of 1.8 makes it (1.2, 1.2), 0.6.
    both = [torch.tensor([[1.0, 0.25]]), torch.tensor([0.5])]
    row = [(torch.tensor([[2.0, 2.0]]), torch.tensor([[0.0]]))]
    check(after_training, train, both, row, 1, 1.8, 1, ("sgd", 0.1, 0.5)).equals({
        "losses": [9.0], "evaluations": [(1, 6.0516)], "weights": [[[0.88, 0.13]], [0.44]],
        "modes": ["train", "eval, no grad"], "ended": "eval", "kind": "float"},
        about="one step of two weights, clipped", rtol=1e-4)
    ### BEGIN HIDDEN TESTS
    from helpers.training import fit
    from helpers.training.optim import adamw

    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape))

    def by_hand(weights, batches, steps, clip, every, rate, factor):
        """Plain gradient steps without an optimizer, a schedule or `.grad`."""
        weights, losses, found = [v.clone() for v in weights], [], []
        for t in range(steps):
            leaves = [v.requires_grad_() for v in weights]
            x, y = batches[t % len(batches)]
            loss = ((torch.tanh(x @ leaves[0].T + leaves[1]) @ leaves[2].T + leaves[3] - y) ** 2).mean()
            slope = torch.autograd.grad(loss, leaves)
            norm = torch.cat([g.flatten() for g in slope]).norm().item()
            share = rate * factor**t * min(1.0, clip / norm)
            weights = [(v - share * g).detach() for v, g in zip(leaves, slope, strict=True)]
            losses.append(loss.item())
            if (t + 1) % every == 0 or t + 1 == steps:
                x, y = batches[0]
                z = torch.tanh(x @ weights[0].T + weights[1]) @ weights[2].T + weights[3]
                found.append((t + 1, ((z - y) ** 2).mean().item()))
        return losses, found, weights

    def modes(steps, every):
        words = []
        for t in range(1, steps + 1):
            words.append("train")
            if t % every == 0 or t == steps:
                words.append("eval, no grad")
        return words

    for steps, every, clip, B, many in ((7, 3, 0.4, 4, 3), (6, 2, 0.7, 3, 4), (5, 9, 1.1, 6, 2), (4, 3, 1e4, 5, 3),
            (72, 67, 0.01, 2, 5)):
        about = "random networks, plain gradient steps"
        if clip > 100:
            about = "gradients below the limit"
        if steps > 64:
            about = "many steps, a small limit"
        weights = [draw(5, 2), draw(5), 2 * draw(1, 5), draw(1)]
        batches = [(draw(B, 2), draw(B, 1)) for _ in range(many)]
        losses, found, end = by_hand(weights, batches, steps, clip, every, 0.3, 0.9)
        check(after_training, train, weights, batches, steps, clip, every, ("sgd", 0.3, 0.9)).equals({
            "losses": losses, "evaluations": found, "weights": end, "modes": modes(steps, every), "ended": "eval",
            "kind": "float"}, about=about, edge=steps > 64, rtol=1e-4, atol=1e-6)
    for steps, every, clip, B in ((8, 4, 0.5, 4), (9, 2, 0.3, 5)):
        weights, batches = [draw(4, 3), draw(4), draw(1, 4), draw(1)], [(draw(B, 3), draw(B, 1)) for _ in range(3)]
        model = training_loop.Watched(weights)
        optimizer = adamw(model, 0.02, 0.01)
        history = fit(model, batches, training_loop.squared_error, steps=steps, optimizer=optimizer, clip=clip,
            warmup=0, precision="fp32", progress=False, evaluate_every=every,
            evaluate=lambda m, batches=batches: training_loop.squared_error(m, batches[0]).item())
        check(after_training, train, weights, batches, steps, clip, every, ("adamw", 0.02, "cosine")).equals({
            "losses": history.losses, "evaluations": history.evaluations,
            "weights": [v.detach().cpu() for v in model.weights], "modes": modes(steps, every), "ended": "eval",
            "kind": "float"}, about="the same run as fit", rtol=1e-5, atol=1e-6)
    # (w x + b)^2 with w = 3, b = -1 and x = 2: the loss is 25, its derivatives are 20 with respect to w and 10 to b.
    weights, batches = [torch.tensor([[3.0, -1.0]])], [(torch.tensor([[2.0, 1.0]]), torch.tensor([[0.0]]))]
    check(after_training, train, weights, batches, 1, 30.0, 1, ("sgd", 0.1, 1.0)).equals({
        "losses": [25.0], "evaluations": [(1, 0.0)], "weights": [[[1.0, -2.0]]], "modes": modes(1, 1), "ended": "eval",
        "kind": "float"}, about="a line, one step by hand", edge=True, rtol=1e-4, atol=1e-6)
    weights, batches = [draw(1, 1)], [(draw(1, 1), draw(1, 1))]
    check(after_training, train, weights, batches, 1, 50.0, 5, ("sgd", 0.1, 1.0)).equals(
        ran(weights, batches, 1, 50.0, 5, ("sgd", 0.1, 1.0)), about="one step, one row, one weight", edge=True,
        rtol=1e-4, atol=1e-7)
    ### END HIDDEN TESTS


score
