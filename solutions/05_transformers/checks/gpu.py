from helpers.checks import graded


@graded("gpu", points=9)
def score(check):
    import copy

    import torch

    from helpers.chapters.transformers.large_runs import begun, line, small_net, square_loss, weights_of

    bf16 = torch.bfloat16
    rows = torch.tensor([[1.0], [2.0], [4.0]])
    unweighed = "pieces of different size weigh alike: weigh each by its share of the rows"
    summed = "the pieces' means were added: weigh each by its share of the rows"
    last = "only the last piece counts: zero_grad and step stand outside the loop over pieces"
    stepped = "a step was taken after each piece: one step, when all gradients are added up"
    kept = "gradients of the step before were still there: zero_grad first"
    still = "the optimiser took no step"
    of_rows = "the gradient is that of the sum over all rows: weigh each piece by len(piece) / len(batch)"
    all_rows = "loss and gradient are those of the sum over all rows: weigh each piece by len(piece) / len(batch)"
    left_over = "rows at the end were left out: batch.chunk(pieces) cuts the batch so that none is"
    always = "autocast is on though dtype is None: enabled=dtype is not None"
    check(steps_of, [rows], 1.0).equals(
        ([7.0], {"weight": [[0.86]]}),
        rtol=1e-5,
        near={
            still: ([7.0], {"weight": [[1.0]]}),
            of_rows: ([7.0], {"weight": [[0.58]]}), all_rows: ([21.0], {"weight": [[0.58]]}),
            "the mean loss must come back: is there a return?": ([None], {"weight": [[0.86]]}),
            "the step went up: is the loss negated?": ([7.0], {"weight": [[1.14]]}),
        },
    )
    check(steps_of, [rows], 1.0, pieces=2).equals(
        ([7.0], {"weight": [[0.86]]}),
        about="in pieces",
        rtol=1e-5,
        near={
            unweighed: ([9.25], {"weight": [[0.815]]}),
            summed: ([18.5], {"weight": [[0.63]]}),
            "the loss that comes back is not weighed, its gradient is": ([18.5], {"weight": [[0.86]]}),
            "the loss that comes back has pieces of different size weigh alike": ([9.25], {"weight": [[0.86]]}),
            "the loss that comes back is weighed, its gradient is not": ([7.0], {"weight": [[0.63]]}),
            "the loss that comes back is that of the last piece, weighed": ([5.333333], {"weight": [[0.86]]}),
            "the loss that comes back is that of the last piece": ([16.0], {"weight": [[0.86]]}),
            last: ([16.0], {"weight": [[0.68]]}),
            last + ", weighed": ([7.0], {"weight": [[0.893333]]}),
            stepped: ([6.650370], {"weight": [[0.863556]]}),
            of_rows: ([7.0], {"weight": [[0.58]]}), all_rows: ([21.0], {"weight": [[0.58]]}),
            left_over: ([2.5], {"weight": [[0.95]]}), always: ([7.0], {"weight": [[0.8596875]]}),
            still: ([7.0], {"weight": [[1.0]]}),
        },
    )
    check(steps_of, [rows, rows], 1.0).equals(
        ([7.0, 5.1772], {"weight": [[0.7396]]}),
        about="two steps",
        rtol=1e-5,
        near={
            kept: ([7.0, 5.1772], {"weight": [[0.5996]]}), of_rows: ([7.0, 2.3548], {"weight": [[0.3364]]}),
            all_rows: ([21.0, 7.0644], {"weight": [[0.3364]]}), still: ([7.0, 7.0], {"weight": [[1.0]]}),
        },
    )
    check(steps_of, [torch.ones(2, 1)], 1 + 2**-9, dtype=bf16).equals(
        ([1.0], {"weight": [[1.001953125 - 0.02]]}),
        about="in bf16",
        rtol=1e-6,
        near={
            "dtype is ignored: the forward pass stands under torch.autocast": (
                [1.00390625 + 2**-18],
                {"weight": [[1.001953125 - 0.0200390625]]},
            ),
            "the model was cast to bf16: its weights stay in fp32, autocast casts the products": (
                [1.0],
                {"weight": torch.tensor([[0.98046875]], dtype=bf16)},
            ),
            "the model was cast to bf16 and back: small steps are lost on the way": ([1.0], {"weight": [[0.98]]}),
        },
    )

    # stopped after two of four steps, with dropout, and gone on in a new model
    batches = [torch.sin(torch.arange(12.0) * (k + 1)).view(4, 3) for k in range(4)]

    def straight(batches, stop, dropout, lost=()):
        """The run as it ends; `lost` names what a resumed run has forgotten."""
        torch.manual_seed(0)
        model, optimizer = begun(dropout)
        for i, batch in enumerate(batches):
            if i == stop:
                model, optimizer = left(model, optimizer, lost)
            optimizer.zero_grad()
            square_loss(model, batch).backward()
            optimizer.step()
        return weights_of(model)

    def left(model, optimizer, lost):
        numbers = torch.get_rng_state()
        if "numbers" in lost:
            torch.manual_seed(1)
        again, anew = begun(model[2].p, phase=2.0)
        if "numbers" not in lost:
            torch.set_rng_state(numbers)
        if "model" not in lost:
            again.load_state_dict(model.state_dict())
        if "optimizer" not in lost:
            anew.load_state_dict(optimizer.state_dict())
        return again, anew

    def worn(batches, stop, dropout):
        """What a second run from a checkpoint gives, in whose tensors the optimiser of the first went on."""
        torch.manual_seed(0)
        model, optimizer = begun(dropout)

        def go_on(batches):
            for batch in batches:
                optimizer.zero_grad()
                square_loss(model, batch).backward()
                optimizer.step()

        go_on(batches[:stop])
        weights, state, numbers = weights_of(model), copy.deepcopy(optimizer.state_dict()), torch.get_rng_state()
        for _ in range(2):
            model, optimizer = begun(dropout, phase=2.0)
            model.load_state_dict(weights)
            optimizer.load_state_dict(state)
            torch.set_rng_state(numbers)
            go_on(batches[stop:])
        return stop, weights_of(model)

    def aliased(batches, stop, dropout, held, copied):
        """What a resumed run gives if these parts of its checkpoint went on changing; copied: when it was resumed."""
        torch.manual_seed(0)
        model, optimizer = begun(dropout)

        def go_on(batches):
            for batch in batches:
                optimizer.zero_grad()
                square_loss(model, batch).backward()
                optimizer.step()

        go_on(batches[:stop])
        stored, numbers = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}, torch.get_rng_state()
        stored = {name: part if name in held else copy.deepcopy(part) for name, part in stored.items()}
        go_on(batches[stop:])
        for _ in range(2):
            model, optimizer = begun(dropout, phase=2.0)
            model.load_state_dict(stored["model"])
            optimizer.load_state_dict(copy.deepcopy(stored["optimizer"]) if copied else stored["optimizer"])
            torch.set_rng_state(numbers)
            go_on(batches[stop:])
        return stop, weights_of(model)

    def uncopied(batches, stop, dropout):
        """What checkpoints give that hold tensors which the next step changes."""
        whose = {"weights": ("model",), "optimiser's state": ("optimizer",), "weights and optimiser's state": (
            "model", "optimizer")}
        return {
            f"the {name} in the checkpoint went on changing with the run: copy.deepcopy the state_dict{also}": aliased(
                batches, stop, dropout, held, copied)
            for name, held in whose.items()
            for copied, also in ((True, ""), (False, "; and hand copies to the new run"))
        }

    def forgotten(batches, stop, dropout):
        """What a resumed run gives that has forgotten something."""

        def without(name):
            return stop, straight(batches, stop, dropout, (name,))

        numbers = {"the random numbers are not put back: dropout draws others": without("numbers")} if dropout else {}
        return numbers | uncopied(batches, stop, dropout) | {
            "the optimiser's state is not kept: without its means the next step is another one": without("optimizer"),
            "the weights are not kept": without("model"),
            "the optimiser went on in the checkpoint's own tensors: hand load_state_dict copies": worn(
                batches, stop, dropout
            ),
            "the step is that which was stored": (stop + 1, straight(batches, stop, dropout)),
            "the step did not come back: return it": (None, straight(batches, stop, dropout)),
        }

    check(run_with_a_stop, batches, 2, 0.0).equals(
        (2, straight(batches, 2, 0.0)),
        about="stopped and resumed",
        rtol=1e-5,
        atol=1e-6,
        near=lambda: forgotten(batches, 2, 0.0),
    )
    check(run_with_a_stop, batches, 2, 0.5).equals(
        (2, straight(batches, 2, 0.5)),
        about="stopped and resumed, with dropout",
        rtol=1e-5,
        atol=1e-6,
        near=lambda: forgotten(batches, 2, 0.5),
    )

    shares = [torch.tensor([[1.0, 2.0, 0.0]]), torch.tensor([[0.0, -1.0, 3.0]])]

    def joint(shares, factor=1.0):
        """The gradients of each replica, averaged."""
        net = small_net()
        (sum(square_loss(net, share) for share in shares) * factor / len(shares)).backward()
        return [{name: p.grad.clone() for name, p in net.named_parameters()} for _ in shares]

    def apart(shares):
        return [joint([share])[0] for share in shares]

    one_by_one = "the mean was taken anew for each replica, with what others had got by then: take it once"

    def in_turn(shares):
        """The gradients where each replica in turn gets the mean of what is there by then."""
        found = apart(shares)
        for i in range(len(found)):
            found[i] = {name: sum(g[name] for g in found) / len(found) for name in found[i]}
        return found

    check(averaged, shares).equals(
        joint(shares),
        about="averaged gradients",
        rtol=1e-4,
        atol=1e-5,
        near={
            "each replica kept its own gradients: is something assigned to p.grad?": apart(shares),
            "the gradients were added, not averaged": joint(shares, 2.0),
            "only the first replica got the mean": [joint(shares)[0], apart(shares)[1]],
            one_by_one: in_turn(shares),
        },
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(*shape):
        return torch.randn(shape, generator=draw)

    def trained(batches, pieces=1, weigh=lambda piece, batch, pieces: len(piece) / len(batch), dtype=None, zero=True):
        """Steps of gradient descent, written with autograd.grad and without an optimiser."""
        net, losses = small_net(), []
        held = [torch.zeros_like(p) for p in net.parameters()]
        for batch in batches:
            held = [h * (not zero) for h in held]
            total = 0.0
            for piece in batch.split(-(-len(batch) // pieces)):
                with torch.autocast("cpu", dtype=bf16, enabled=dtype is not None):
                    value = square_loss(net, piece) * weigh(piece, batch, pieces)
                held = [h + g for h, g in zip(held, torch.autograd.grad(value, list(net.parameters())), strict=True)]
                total += value.item()
            for p, h in zip(net.parameters(), held, strict=True):
                p.data -= 0.01 * h
            losses.append(total)
        return losses, weights_of(net)

    def alike(piece, batch, pieces):
        return 1 / pieces

    def plain(piece, batch, pieces):
        return 1.0

    for size, pieces in [(5, 2), (7, 3), (6, 3), (4, 4), (8, 3), (6, 1)]:
        several = [fresh(size, 3) * 1.5 for _ in range(3)]
        check(steps_of, several, pieces=pieces).equals(
            trained(several),
            about="pieces make the joint step",
            rtol=1e-4,
            atol=1e-5,
            near=lambda several=several, pieces=pieces: {
                kept: trained(several, zero=False), always: trained(several, pieces, dtype=bf16),
                all_rows: trained(several, pieces, lambda piece, *_: len(piece)),
                of_rows: (lambda losses, found: ([v / len(several[0]) for v in losses], found))(
                    *trained(several, pieces, lambda piece, *_: len(piece))),
                left_over: trained([v[: len(v) // pieces * pieces] for v in several]),
            } | {
                words: trained(several, pieces, weigh)
                for words, weigh in {unweighed: alike, summed: plain}.items()
                if pieces > 1
            },
        )
    for size, pieces in [(4, 1), (5, 2)]:
        several = [fresh(size, 3) * 1.5 for _ in range(3)]
        right, fp32 = trained(several, pieces, dtype=bf16), trained(several, pieces)
        check(steps_of, several, pieces=pieces, dtype=bf16).equals(
            right,
            about="fresh numbers in bf16",
            rtol=2e-4,
            atol=2e-5,
            near={"dtype is ignored: the forward pass stands under torch.autocast": fp32},
        )
    for size, pieces, sizes in [(5, 2, [2, 3]), (7, 3, [1, 3, 3]), (4, 1, [4]), (70, 70, [1] * 70), (2, 3, [1, 1])]:
        check(rows_of, fresh(size, 3), pieces).equals(
            (sizes, False), about="what the loss sees, and a loss without its graph", edge=size in (2, 70),
            near={left_over: ([size // pieces] * pieces, False),
                  "the batch was not cut: batch.chunk(pieces)": ([size], False),
                  "the loss that comes back still holds the graph: .item()": (sizes, True)},
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
            (stop, straight(batches, stop, dropout)),
            about="other runs stopped and resumed",
            rtol=1e-5,
            atol=1e-6,
            near=lambda batches=batches, stop=stop, dropout=dropout: forgotten(batches, stop, dropout),
        )
    check(run_with_a_stop, batches, 0, 0.0).equals(
        (0, straight(batches, 0, 0.0)), about="stopped before the first step", edge=True, rtol=1e-5, atol=1e-6
    )
    batches = [fresh(1, 3) for _ in range(67)]
    check(run_with_a_stop, batches, 66, 0.5).equals(
        (66, straight(batches, 66, 0.5)), about="a late stop", edge=True, rtol=1e-4, atol=1e-5
    )
    shares = [fresh(2, 3) for _ in range(3)]
    halved = [{k: v / 2 for k, v in joint(shares)[0].items()}]
    check(averaged, shares, 0.5).equals(
        halved + joint(shares)[1:], about="the first replica's gradients are clipped", edge=True, rtol=1e-4, atol=1e-5,
        near={"all replicas hold one and the same gradient: give each its own copy": [
            {k: v / 2 for k, v in g.items()} for g in joint(shares)]},
    )
    for count, size in [(2, 3), (3, 2), (4, 1), (66, 1)]:
        shares = [fresh(size, 3) for _ in range(count)]
        check(averaged, shares).equals(
            joint(shares),
            about="several replicas",
            rtol=1e-4,
            atol=1e-5,
            near=lambda shares=shares: {
                "each replica kept its own gradients: is something assigned to p.grad?": apart(shares),
                "the gradients were added, not averaged": joint(shares, float(len(shares))),
                one_by_one: in_turn(shares),
            },
        )
    shares = [fresh(2, 3)]
    check(averaged, shares).equals(joint(shares), about="one device", edge=True, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


score
