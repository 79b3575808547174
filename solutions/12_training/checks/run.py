from helpers.checks import graded


@graded("run", points=7)
def score(check):
    import math

    import torch

    ### BEGIN MISTAKES
    from helpers.chapters.training import probes

    def odd(
        model,
        optimizer,
        draw,
        loss_sum,
        count,
        steps,
        rate,
        clip,
        path,
        every,
        *,
        resume=True,
        rates=True,
        late=0,
        clipped=True,
        guard=True,
        counts=True,
        save=True,
        add=1,
        seed=0,
        data=True,
        dropout=True,
        by_loss=False,
        momentum=True,
        begin=False,
        skipped_loss=True,
        cut=0,
        every_from=0,
        constant=False,
        ahead=0,
        at_end=False,
        alone=False,
        train=False,
        nan=False,
        moved=False,
        set_late=False,
        after_good=False,
        groups=None,
        infinite=False,
        again=False,
    ):
        order = torch.Generator().manual_seed(seed)
        first, losses, skipped = 0, [], 0
        if resume and path.exists():
            state = torch.load(path, weights_only=True)
            model.load_state_dict(state["model"])
            if momentum:
                optimizer.load_state_dict(state["optimizer"])
            if data:
                order.set_state(state["data"])
            if dropout:
                torch.set_rng_state(state["dropout"])
            first = 0 if begin else state["step"]
        if train:
            model.train()
        at = first
        while at < steps - cut:
            step, at = at, at + 1
            eta = rate(0 if constant else step)
            if rates and not set_late:
                for group in optimizer.param_groups[:groups]:
                    group["lr"] = rate(step + late) if late else eta
            pieces = draw(order)
            model.zero_grad()
            targets = sum(map(count, pieces))
            total = 0.0
            for piece in pieces:
                if alone:
                    model.zero_grad()
                share = loss_sum(model, piece) / (count(piece) if alone else targets)
                share.backward()
                total = share.item() + (0 if alone else total)
            norm = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]).norm().item()
            if clipped and norm > clip:
                for p in model.parameters():
                    if p.grad is not None:
                        p.grad.mul_(clip / norm)
            if by_loss:
                norm = total
            if math.isfinite(norm) or not guard or (nan and norm != norm) or (infinite and norm == math.inf):
                optimizer.step()
            else:
                if moved:
                    optimizer.step()
                skipped += counts
                at -= again
                if not skipped_loss:
                    continue
            losses.append(total)
            if after_good and not math.isfinite(norm):
                continue
            due = (step + 1 - ahead - every_from * first) % every == 0
            if save and (step + 1 == steps if at_end else due):
                state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step + add}
                torch.save(state | {"data": order.get_state(), "dropout": torch.get_rng_state()}, path)
            for group in optimizer.param_groups if set_late else []:
                group["lr"] = eta
        return losses, skipped

    def ran(**part):
        return lambda *a, **how: probes.small_run(lambda *r: odd(*r, **part), *a, **how)

    check.mistakes(
        {
            "the run began anew though a checkpoint was there": ran(resume=False),
            "the run counts from step 0 after it was restored: from the step of the snapshot": ran(begin=True),
            "the optimiser's rate was never set: each group's \"lr\" in each step": ran(rates=False),
            "the rate is that of the step after: step t takes rate(t)": ran(late=1),
            "nothing was clipped": ran(clipped=False),
            "a step whose gradient is not finite was taken: it moves nothing": ran(guard=False),
            "a step whose gradient is not finite was counted, but taken all the same: it moves nothing":
                ran(moved=True),
            "the rate was set behind the step: step t takes rate(t), so set it before": ran(set_late=True),
            "no snapshot was written after a skipped step: it counts as a step": ran(after_good=True),
            "skipped steps were not counted": ran(counts=False),
            "no checkpoint was written": ran(save=False),
            "the snapshot's step is one too small: after step t, t + 1 steps are done": ran(add=0),
            "the generator has another seed: 0 at the beginning of a run": ran(seed=1),
            "the place in the data was lost: restore the generator that draws": ran(data=False),
            "torch's own generator, from which dropout draws, was not restored": ran(dropout=False),
            "the loss was asked whether it is finite: the norm of the gradient decides": ran(by_loss=True),
            "the optimiser's state was lost when the run was resumed": ran(momentum=False),
            "the loss of a skipped step is missing: it is in the list all the same": ran(skipped_loss=False),
            "the last step was not taken": ran(cut=1),
            "every step has the rate of step 0": ran(constant=True),
            "snapshots are written one step late: after `every` steps, not before the next one": ran(ahead=1),
            "the only snapshot was written at the end: after every `every` steps": ran(at_end=True),
            "each piece was taken as a batch of its own": ran(alone=True),
            "`every` is counted from the beginning of the whole run, here from where it went on": ran(every_from=1),
            "the rate of the first group alone was set: every group of `optimizer.param_groups`": ran(groups=1),
            "the model was put into training mode: its mode stays as it is": ran(train=True),
            "a step whose gradient is nan was taken: nan is not finite either": ran(nan=True),
            "a step whose gradient is infinite was taken: infinity is not finite either": ran(infinite=True),
            "a skipped step was not counted, and one more batch was drawn: it counts as a step": ran(again=True),
            "a skipped step was made anew with another batch: it counts as a step, and its loss is in the list":
                ran(again=True, skipped_loss=False),
        },
        small_run,
    )
    ### END MISTAKES
    check(small_run, 2, 2, rate=(0.1, 1.0), clip=100.0).equals(
        {
            "losses": [2.0, 5.226667],
            "skipped": 0,
            "weights": [0.206667, -0.393333],
            "drawn": 2,
            "checkpoint": 2,
            "mode": True,
            "one rate": True,
            "dropout": True,
        },
        about="two steps",
        rtol=1e-4,
    )
    check(small_run, 5, 2, rate=(0.1, 0.9)).equals(
        {
            "losses": [2.0, 4.503181, 6.38201, 4.820307, 1.905142],
            "skipped": 0,
            "weights": [0.505278, -0.754201],
            "drawn": 5,
            "checkpoint": 4,
            "mode": True,
            "one rate": True,
            "dropout": True,
        },
        about="five steps, clipped, a checkpoint every two",
        rtol=1e-4,
    )
    check(small_run, 10, 4, killed_at=6).equals(
        {
            "losses": [1.905142, 1.047567, 3.166989, 2.356352, 0.684981, 0.766656],
            "skipped": 0,
            "weights": [0.301684, -0.419238],
            "drawn": 6,
            "checkpoint": 8,
            "mode": True,
            "one rate": True,
            "dropout": True,
        },
        about="killed in step 6",
        rtol=1e-4,
    )
    check(small_run, 4, 3, broken_at=1, quiet=True).equals(
        {
            "losses": [2.0, 4.503181, 7.502036, 6.04027],
            "skipped": 1,
            "weights": [0.701335, -0.934208],
            "drawn": 4,
            "checkpoint": 3,
            "mode": True,
            "one rate": True,
            "dropout": True,
        },
        about="an infinite gradient in step 1, though its loss is finite",
        rtol=1e-4,
    )
    check(small_run, 7, 3, before=(4, 2), broken_at=5, broken=math.nan).equals(
        {
            "losses": [1.905142, -1.0, 3.781453],
            "skipped": 1,
            "weights": [0.433778, -0.686359],
            "drawn": 3,
            "checkpoint": 6,
            "mode": True,
            "one rate": True,
            "dropout": True,
        },
        about="from step 4 on, nan in step 5 (its loss is shown as -1), a checkpoint every three",
        rtol=1e-4,
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def by_hand(
        steps, every, killed_at=None, broken_at=None, clip=1.0, rate=(0.1, 0.9), shown=math.inf, first=0, quiet=False
    ):
        """Both weights and the momentum as plain numbers; a run that was killed repeats what no checkpoint holds."""
        generator = torch.Generator().manual_seed(0)
        w, speed, losses = torch.tensor([1.0, -1.0], dtype=torch.float64), None, []
        for t in range(steps):
            rows = torch.randint(-3, 4, (3, 2), generator=generator).double()
            error = rows @ w
            bad = t == broken_at
            losses.append(shown if bad and not quiet and error.any() else float(error.square().mean()))
            if bad:
                continue
            slope = 2 * rows.T @ error / 3
            slope = slope * min(1.0, clip / max(float(slope.norm()), 1e-30))
            speed = slope if speed is None else 0.5 * speed + slope
            w = w - rate[0] * rate[1] ** t * speed
        saved = steps // every * every
        first = (killed_at // every * every) if killed_at is not None else first
        return {
            "losses": losses[first:],
            "skipped": int(broken_at is not None and broken_at >= first),
            "weights": w,
            "drawn": steps - first,
            "checkpoint": saved,
            "mode": True,
            "one rate": True,
            "dropout": True,
        }

    for steps, every, clip in ((7, 3, 0.04), (12, 5, 2.0), (4, 9, 1000.0), (9, 1, 2.0), (70, 66, 0.1)):
        rate = float(check.rng.uniform(0.01, 0.1)), float(check.rng.uniform(0.8, 1.0))
        check(small_run, steps, every, clip=clip, rate=rate).equals(
            by_hand(steps, every, clip=clip, rate=rate), about="other runs", rtol=1e-4, atol=1e-6
        )
    for steps, every, killed in ((9, 2, 5), (20, 6, 19), (8, 4, 4), (15, 5, 11)):
        rate = float(check.rng.uniform(0.01, 0.1)), float(check.rng.uniform(0.8, 1.0))
        check(small_run, steps, every, killed_at=killed, rate=rate).equals(
            by_hand(steps, every, killed_at=killed, rate=rate), about="runs that are killed", rtol=1e-5
        )
    check(small_run, 1, 2).equals(by_hand(1, 2), about="one step", edge=True, rtol=1e-5)
    check(small_run, 6, 10, killed_at=3).equals(
        by_hand(6, 10, killed_at=3), about="killed before the first checkpoint", edge=True, rtol=1e-5
    )
    for broken in (2, 5):
        check(small_run, 8, 3, broken_at=broken).equals(
            by_hand(8, 3, broken_at=broken), about="an infinite gradient", rtol=1e-5
        )
    check(small_run, 8, 3, broken_at=5, quiet=True).equals(
        by_hand(8, 3, broken_at=5, quiet=True), about="an infinite gradient, a finite loss", rtol=1e-5
    )
    check(small_run, 8, 3, broken_at=4, broken=math.nan).equals(
        by_hand(8, 3, broken_at=4, shown=-1.0), about="a gradient of nan", rtol=1e-5
    )
    check(small_run, 9, 2, before=(3, 3)).equals(
        by_hand(9, 2, first=3), about="from a file of step 3, a snapshot every two steps", edge=True, rtol=1e-5
    )
    early = "the snapshot's step is one too small: after step t, t + 1 steps are done"
    check(small_run, 4, 2, before=(4, 2)).holds(
        lambda found: (found["losses"], found["skipped"], found["drawn"]) == ([], 0, 0),
        "no loss, nothing skipped, no batch drawn",
        about="the file's step is the last",
        edge=True,
        near={
            "steps were taken though the file's step is `steps` already": lambda found: (
                found["drawn"] > 0 and found["checkpoint"] == 4
            ),
            early: lambda found: found["drawn"] > 0 and found["checkpoint"] == 3,
        },
    )
    check(small_run, 9, 3, killed_at=4, broken_at=7).equals(
        by_hand(9, 3, killed_at=4, broken_at=7), about="killed, and an infinite gradient after it", rtol=1e-5
    )
    ### END HIDDEN TESTS


score
