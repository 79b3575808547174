from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("recompute", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from helpers.chapters.training import probes

    def odd(**part):
        class Again(torch.autograd.Function):
            @staticmethod
            def forward(ctx, block, x, *weights):
                ctx.block, ctx.random = block, torch.get_rng_state()
                ctx.save_for_backward(x)
                if part.get("inside"):
                    with torch.enable_grad():
                        ctx.y = block(x.detach().requires_grad_())
                    return ctx.y.detach()
                with torch.no_grad():
                    return block(x)

            @staticmethod
            def backward(ctx, grad):
                x = ctx.saved_tensors[0].detach().requires_grad_()
                learned = [p for p in ctx.block.parameters() if p.requires_grad]
                before = torch.get_rng_state()
                if part.get("state", True):
                    torch.set_rng_state(ctx.random)
                with torch.enable_grad():
                    y = ctx.block(x)
                if part.get("back", True):
                    torch.set_rng_state(before)
                if part.get("ones"):
                    grad = torch.ones_like(grad)
                found = list(torch.autograd.grad(y, [x, *learned], grad, allow_unused=True))
                if part.get("no weights"):
                    found[1:] = [None] * len(learned)
                if part.get("no input"):
                    found[0] = None
                if part.get("swapped"):
                    found[1:] = found[:0:-1]
                of = {id(p): g for p, g in zip(learned, found[1:], strict=False)}
                of_each = [of.get(id(p)) for p in ctx.block.parameters()]
                return None, found[0], *(of_each[::-1] if part.get("reversed") else of_each)

        def again(block, x):
            y = Again.apply(block, x, *block.parameters())
            if part.get("zeroed"):
                x.data.zero_()
            return y

        return lambda *a, **how: probes.through_block(again, *a, **how)

    def cut(block, x):
        with torch.no_grad():
            y = block(x)
        return y.requires_grad_()

    def thrice(block, x):
        from torch.utils.checkpoint import checkpoint

        block(x.detach())
        return checkpoint(block, x, use_reentrant=True)

    check.mistakes(
        {
            "the block was computed as usual: autograd keeps its inside": lambda *a, **how: probes.through_block(
                lambda block, x: block(x), *a, **how
            ),
            "`forward` keeps the inside of the block: compute it there without a graph": odd(inside=True),
            "no gradient comes back to the block: its graph was cut": lambda *a, **how: probes.through_block(
                cut, *a, **how
            ),
            "dropout drew other numbers the second time: put the generator's state back": odd(state=False),
            "the generator goes on from where the second computation left it: leave it as it was": odd(back=False),
            "the gradient that came back to the block was left out: pass it on": odd(ones=True),
            "the weights got no gradient: hand them to `apply`, and return one for each": odd(**{"no weights": True}),
            "the input got no gradient": odd(**{"no input": True}),
            "the gradients of two weights are exchanged": odd(swapped=True),
            "the gradients of the weights come in another order than the weights": odd(reversed=True),
            "the input was changed in place: it stays as it is": odd(zeroed=True),
            "the block was called three times: once forwards, once on the way back": lambda *a, **how: (
                probes.through_block(thrice, *a, **how)
            ),
        },
        through_block,
    )
    ### END MISTAKES
    w, x = torch.tensor([3.0]), torch.tensor([[0.5]])
    lost = {"autograd does not know that the output depends on the weights: hand them to apply": RuntimeError}
    tanh = torch.tanh(torch.tensor(2.25)).item()
    y = tanh + 1
    inner = 2 * y * (1 - tanh**2)
    torch.manual_seed(7)
    numbers = [torch.rand(1).item(), torch.rand(1).item()]
    check(through_block, w, x).equals(
        {
            "y": [[y]],
            "x": [[inner * 2 * 1.5 * 3]],
            "w": [inner * 2 * 1.5 * 0.5],
            "b": [2 * y],
            "calls": 2,
            "kept": 1.0,
            "next": numbers,
            "given": True,
        },
        about="a block of one weight",
        rtol=1e-4,
        near=lost,
    )
    wide = torch.tensor([0.5, -1.0, 2.0])
    rows = torch.tensor([[1.0, 0.5, -0.25], [0.0, 1.5, 0.5]])
    from helpers.chapters.training.probes import expected_block

    by_dropout = check(through_block, wide, rows, 0.5).equals(
        expected_block(wide, rows, 0.5), about="dropout", rtol=1e-4
    )
    frozen = {"a frozen weight has no gradient: ask for those of the weights that require one": RuntimeError}
    check(through_block, wide, rows, 0.0, True).equals(
        expected_block(wide, rows, 0.0, True),
        about="a frozen weight",
        rtol=1e-4,
        near=frozen if by_dropout.passed else {},
    )
    unused = {"a weight that plays no part has no gradient: `allow_unused=True`": RuntimeError}
    check(through_block, wide, rows, 0.0, False, True).equals(
        expected_block(wide, rows, 0.0, False, True), about="a weight that plays no part", rtol=1e-4, edge=True,
        near=unused if by_dropout.passed else {},
    )
    own, called = (
        "torch.utils.checkpoint was not called",
        "torch.utils.checkpoint was called: write the second computation yourself",
    )
    check(taken, ["torch.utils.checkpoint"], through_block, w, x).holds(
        **not_taken(own, called), about="without torch's own"
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n, c, dropout in ((4, 6, 0.0), (70, 3, 0.0), (5, 9, 0.3), (8, 4, 0.8)):
        w = torch.tensor(check.rng.normal(size=c), dtype=torch.float32)
        x = torch.tensor(check.rng.normal(size=(n, c)), dtype=torch.float32)
        check(through_block, w, x, dropout).equals(
            expected_block(w, x, dropout), about="drawn blocks with dropout" if dropout else "drawn blocks", rtol=1e-4
        )
    w, x = torch.tensor(check.rng.normal(size=3)), torch.tensor(check.rng.normal(size=(2, 3)))
    check(taken, ["torch.utils.checkpoint"], through_block, w.float(), x.float()).holds(
        **not_taken(own, called), about="fresh numbers without torch's own"
    )
    check(through_block, w, x, 0.3).equals(
        expected_block(w, x, 0.3), about="double precision", rtol=1e-9, atol=1e-12
    )
    check(through_block, w.float(), x.float(), 0.2, False, True).equals(
        expected_block(w.float(), x.float(), 0.2, False, True), about="drawn, a weight that plays no part", edge=True,
        rtol=1e-4, near=unused if by_dropout.passed else {},
    )
    check(through_block, w.float(), x.float(), 0.2, False, False, False).equals(
        expected_block(w.float(), x.float(), 0.2, False, False, False), about="an input that asks for no gradient",
        edge=True, rtol=1e-4,
    )
    check(through_block, w.float(), x.float(), 0.5, True).equals(
        expected_block(w.float(), x.float(), 0.5, True), about="a frozen weight, with dropout", edge=True, rtol=1e-4
    )
    ### END HIDDEN TESTS


score
