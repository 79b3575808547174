from helpers.checks import graded


@graded("gpu", points=9)
def score(check):
    import torch

    from helpers.chapters.transformers.large_runs import begun, small_net, square_loss, weights_of

    bf16 = torch.bfloat16

    ### BEGIN MISTAKES
    import copy
    from functools import partial

    from helpers.chapters.transformers import large_runs

    last = "only the last piece counts: zero_grad and step stand outside the loop over pieces"

    def share(piece, batch, pieces):
        return len(piece) / max(len(batch), 1)

    def alike(piece, batch, pieces):
        return 1 / len(batch.chunk(pieces))

    def once(piece, batch, pieces):
        return 1.0

    def its_rows(piece, batch, pieces):
        return len(piece)

    def of_last(weigh):
        """A weight that is 0 but for the last piece."""

        def weight(piece, batch, pieces):
            is_last = piece.data_ptr() == batch.chunk(pieces)[-1].data_ptr()
            return weigh(piece, batch, pieces) if is_last else 0.0

        return weight

    def made(
        weigh=share, told=None, cut=torch.chunk, zero="once", each=False, low=lambda dtype: dtype,
        finish=lambda optimizer: optimizer.step(), number=True,
    ):
        """train_step with one part exchanged.

        weigh: what the loss of a piece is multiplied by; told: by what in the loss that comes back, if not the same;
        each: whether a step follows each piece; low: the dtype of autocast; number: whether a number comes back.
        """

        def train_step(model, optimizer, batch, loss, pieces=1, dtype=None):
            total = 0.0
            if zero == "once":
                optimizer.zero_grad()
            for piece in cut(batch, pieces):
                if zero == "each":
                    optimizer.zero_grad()
                with torch.autocast("cpu", dtype=low(dtype), enabled=low(dtype) is not None):
                    value = loss(model, piece)
                (value * weigh(piece, batch, pieces)).backward()
                total = total + value * (told or weigh)(piece, batch, pieces)
                if each:
                    finish(optimizer)
            if not each:
                finish(optimizer)
            return total.item() if number else total

        return train_step

    def upwards(optimizer):
        for p in optimizer.param_groups[0]["params"]:
            p.grad.neg_()
        optimizer.step()

    def without_return(*run, **how):
        made()(*run, **how)

    def left_over(model, optimizer, batch, loss, pieces=1, dtype=None):
        return made()(model, optimizer, batch[: len(batch) // pieces * pieces], loss, pieces, dtype)

    def cast(back):
        """train_step that casts the model; back: and casts it back before the step."""

        def train_step(model, optimizer, batch, loss, pieces=1, dtype=None):
            def finish(optimizer):
                if back:
                    model.float()
                optimizer.step()

            kind = dtype or torch.float32
            return made(finish=finish)(model.to(kind), optimizer, batch.to(kind), loss, pieces)

        return train_step

    steps = {
        "pieces of different size weigh alike: weigh each by its share of the rows": made(alike),
        "the pieces' means were added: weigh each by its share of the rows": made(once),
        "the loss that comes back is not weighed, its gradient is": made(told=once),
        "the loss that comes back has pieces of different size weigh alike": made(told=alike),
        "the loss that comes back is weighed, its gradient is not": made(once, told=share),
        "the loss that comes back is that of the last piece, weighed": made(told=of_last(share)),
        "the loss that comes back is that of the last piece": made(told=of_last(once)),
        last: made(once, told=of_last(once), zero="each"),
        f"{last}, weighed": made(zero="each"),
        "a step was taken after each piece: one step, when all gradients are added up": made(zero="each", each=True),
        "gradients of the step before were still there: zero_grad first": made(zero="never"),
        "the optimiser took no step": made(finish=lambda optimizer: None),
        "the gradient is that of the sum over all rows: weigh each piece by len(piece) / len(batch)":
            made(its_rows, told=share),
        "loss and gradient are those of the sum over all rows: weigh each piece by len(piece) / len(batch)":
            made(its_rows),
        "rows at the end were left out: batch.chunk(pieces) cuts the batch so that none is": left_over,
        "the batch was not cut: batch.chunk(pieces)": made(cut=lambda batch, pieces: [batch]),
        "the mean loss must come back: is there a return?": without_return,
        "the loss that comes back still holds the graph: .item()": made(number=False),
        "the step went up: is the loss negated?": made(finish=upwards),
        "autocast is on though dtype is None: enabled=dtype is not None": made(low=lambda dtype: bf16),
        "dtype is ignored: the forward pass stands under torch.autocast": made(low=lambda dtype: None),
        "the model was cast to bf16: its weights stay in fp32, autocast casts the products": cast(back=False),
        "the model was cast to bf16 and back: small steps are lost on the way": cast(back=True),
    }
    check.mistakes({words: partial(large_runs.steps_of, step) for words, step in steps.items()}, steps_of)
    check.mistakes({words: partial(large_runs.rows_of, step) for words, step in steps.items()}, rows_of)

    def resumed(held=(), lost=(), copied=True, told=lambda step: step):
        """A run with a stop whose checkpoint holds parts that are no copies, or whose second half has lost some."""

        def checkpoint(model, optimizer, step):
            stored = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            for name in {*stored} - {*held}:
                stored[name] = copy.deepcopy(stored[name])
            return stored | {"numbers": torch.get_rng_state(), "step": step}

        def resume(stored, model, optimizer):
            state = copy.deepcopy(stored["optimizer"]) if copied else stored["optimizer"]
            if "model" not in lost:
                model.load_state_dict(stored["model"])
            if "optimizer" not in lost:
                optimizer.load_state_dict(state)
            if "numbers" not in lost:
                torch.set_rng_state(stored["numbers"])
            return told(stored["step"])

        return partial(large_runs.run_with_a_stop, made(), checkpoint, resume)

    changing = "in the checkpoint went on changing with the run: copy.deepcopy the state_dict"
    runs = {"the random numbers are not put back: dropout draws others": resumed(lost=("numbers",))}
    for name, held in [
        ("weights", ["model"]), ("optimiser's state", ["optimizer"]),
        ("weights and optimiser's state", ["model", "optimizer"]),
    ]:
        runs[f"the {name} {changing}"] = resumed(held)
        runs[f"the {name} {changing}; and hand copies to the new run"] = resumed(held, copied=False)
    runs |= {
        "the optimiser's state is not kept: without its means the next step is another one":
            resumed(lost=("optimizer",)),
        "the weights are not kept": resumed(lost=("model",)),
        "the optimiser went on in the checkpoint's own tensors: hand load_state_dict copies": resumed(copied=False),
        "the step is that which was stored": resumed(told=lambda step: step + 1),
        "the step did not come back: return it": resumed(told=lambda step: None),
    }
    check.mistakes(runs, run_with_a_stop)

    def shared(average):
        """Gradients of replicas; average: what is done to the gradients of one parameter, one of each replica."""

        def average_gradients(replicas):
            for same in zip(*(replica.parameters() for replica in replicas), strict=True):
                gradients = average([p.grad for p in same])
                for p, gradient in zip(same, gradients, strict=True):
                    p.grad = gradient

        def averaged(shares, clip=1.0):
            def average_and_clip(replicas):
                average_gradients(replicas)
                for p in replicas[0].parameters():
                    p.grad.mul_(clip)

            return large_runs.averaged(average_and_clip, shares)

        return averaged

    def mean(gradients):
        return torch.stack(gradients).mean(0)

    def in_turn(gradients):
        for i in range(len(gradients)):
            gradients[i] = mean(gradients)
        return gradients

    check.mistakes({
        "each replica kept its own gradients: is something assigned to p.grad?": shared(lambda gradients: gradients),
        "the gradients were added, not averaged":
            shared(lambda gradients: [sum(gradients).clone() for _ in gradients]),
        "only the first replica got the mean": shared(lambda gradients: [mean(gradients), *gradients[1:]]),
        "the mean was taken anew for each replica, with what others had got by then: take it once": shared(in_turn),
        "all replicas hold one and the same gradient: give each its own copy":
            shared(lambda gradients: [mean(gradients)] * len(gradients)),
    }, averaged)
    ### END MISTAKES
    rows = torch.tensor([[1.0], [2.0], [4.0]])
    check(steps_of, [rows], 1.0).equals(([7.0], {"weight": [[0.86]]}), rtol=1e-5)
    check(steps_of, [rows], 1.0, pieces=2).equals(([7.0], {"weight": [[0.86]]}), about="in pieces", rtol=1e-5)
    check(steps_of, [rows, rows], 1.0).equals(([7.0, 5.1772], {"weight": [[0.7396]]}), about="two steps", rtol=1e-5)
    check(steps_of, [torch.ones(2, 1)], 1 + 2**-9, dtype=bf16).equals(
        ([1.0], {"weight": [[1.001953125 - 0.02]]}), about="in bf16", rtol=1e-6
    )

    # stopped after two of four steps, with dropout, and gone on in a new model
    batches = [torch.sin(torch.arange(12.0) * (k + 1)).view(4, 3) for k in range(4)]

    def straight(batches, dropout):
        """The weights at the end of a run that is not stopped."""
        torch.manual_seed(0)
        model, optimizer = begun(dropout)
        for batch in batches:
            optimizer.zero_grad()
            square_loss(model, batch).backward()
            optimizer.step()
        return weights_of(model)

    check(run_with_a_stop, batches, 2, 0.0).equals(
        (2, straight(batches, 0.0)), about="stopped and resumed", rtol=1e-5, atol=1e-6
    )
    check(run_with_a_stop, batches, 2, 0.5).equals(
        (2, straight(batches, 0.5)), about="stopped and resumed, with dropout", rtol=1e-5, atol=1e-6
    )

    check(rows_of, torch.ones(3, 3), 2).equals(
        ([1, 2], False), about="rows of the pieces, and a loss without its graph")

    shares = [torch.tensor([[1.0, 2.0, 0.0]]), torch.tensor([[0.0, -1.0, 3.0]])]

    def joint(shares):
        """The gradients of each replica, averaged."""
        net = small_net()
        (sum(square_loss(net, share) for share in shares) / len(shares)).backward()
        gradients = {name: p.grad for name, p in net.named_parameters()}
        return [gradients for _ in shares]

    check(averaged, shares).equals(joint(shares), about="averaged gradients", rtol=1e-4, atol=1e-5)
    halves = [{name: g / 2 for name, g in joint(shares)[0].items()}, joint(shares)[1]]
    check(averaged, shares, 0.5).equals(
        halves, about="each its own: the first one's are halved later", edge=True, rtol=1e-4, atol=1e-5)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(*shape):
        return torch.randn(shape, generator=draw)

    def trained(batches, pieces=1, dtype=None):
        """Steps of gradient descent, written with autograd.grad and without an optimiser."""
        net, losses = small_net(), []
        for batch in batches:
            held = [torch.zeros_like(p) for p in net.parameters()]
            total = 0.0
            for piece in batch.split(-(-len(batch) // pieces)):
                with torch.autocast("cpu", dtype=bf16, enabled=dtype is not None):
                    value = square_loss(net, piece) * (len(piece) / len(batch))
                held = [h + g for h, g in zip(held, torch.autograd.grad(value, list(net.parameters())), strict=True)]
                total += value.item()
            for p, h in zip(net.parameters(), held, strict=True):
                p.data -= 0.01 * h
            losses.append(total)
        return losses, weights_of(net)

    for size, pieces in [(5, 2), (7, 3), (6, 3), (4, 4), (8, 3), (6, 1)]:
        several = [fresh(size, 3) * 1.5 for _ in range(3)]
        check(steps_of, several, pieces=pieces).equals(
            trained(several), about="pieces make the joint step", rtol=1e-4, atol=1e-5
        )
    for size, pieces in [(4, 1), (5, 2)]:
        several = [fresh(size, 3) * 1.5 for _ in range(3)]
        check(steps_of, several, pieces=pieces, dtype=bf16).equals(
            trained(several, pieces, dtype=bf16), about="fresh numbers in bf16", rtol=2e-4, atol=2e-5
        )
    for size, pieces, sizes in [(5, 2, [2, 3]), (7, 3, [1, 3, 3]), (4, 1, [4]), (70, 70, [1] * 70), (2, 3, [1, 1])]:
        check(rows_of, fresh(size, 3), pieces).equals(
            (sizes, False), about="what the loss sees, and a loss without its graph", edge=size in (2, 70)
        )
    for size, scale, pieces in [(70, 1, 3), (4, 40, 3)]:
        several = [fresh(size, 3) * scale for _ in range(2)]
        check(steps_of, several, pieces=pieces).equals(
            trained(several), about="many rows, large numbers", edge=True, rtol=1e-3, atol=1e-4
        )
    one = [fresh(1, 3)]
    check(steps_of, one, pieces=3).equals(trained(one), about="a batch of one row", edge=True, rtol=1e-4, atol=1e-5)
    for count, stop, dropout in [(5, 3, 0.0), (4, 1, 0.3), (6, 5, 0.5)]:
        batches = [fresh(4, 3) for _ in range(count)]
        check(run_with_a_stop, batches, stop, dropout).equals(
            (stop, straight(batches, dropout)), about="other runs stopped and resumed", rtol=1e-5, atol=1e-6
        )
    check(run_with_a_stop, batches, 0, 0.0).equals(
        (0, straight(batches, 0.0)), about="stopped before the first step", edge=True, rtol=1e-5, atol=1e-6
    )
    batches = [fresh(1, 3) for _ in range(67)]
    check(run_with_a_stop, batches, 66, 0.5).equals(
        (66, straight(batches, 0.5)), about="a late stop", edge=True, rtol=1e-4, atol=1e-5
    )
    shares = [fresh(2, 3) for _ in range(3)]
    halved = [{k: v / 2 for k, v in joint(shares)[0].items()}]
    check(averaged, shares, 0.5).equals(
        halved + joint(shares)[1:], about="the first replica's gradients are clipped", edge=True, rtol=1e-4, atol=1e-5
    )
    for count, size in [(2, 3), (3, 2), (4, 1), (66, 1)]:
        shares = [fresh(size, 3) for _ in range(count)]
        check(averaged, shares).equals(joint(shares), about="several replicas", rtol=1e-4, atol=1e-5)
    shares = [fresh(2, 3)]
    check(averaged, shares).equals(joint(shares), about="one device", edge=True, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


score
