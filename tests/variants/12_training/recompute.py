# %% wrong="the library's" says="torch.utils.checkpoint was called" clause="write it without torch.utils.checkpoint"
def recomputed(block, x):
    from torch.utils.checkpoint import checkpoint
    return checkpoint(block, x, use_reentrant=False)
# %% right="backward() into copies"
class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, block, x, *weights):
        ctx.block, ctx.seed = block, torch.get_rng_state()
        ctx.save_for_backward(x)
        with torch.no_grad():
            y = block(x)
        return y
    @staticmethod
    def backward(ctx, grad):
        now = torch.get_rng_state()
        (x,) = ctx.saved_tensors
        x = x.clone().requires_grad_(True)
        torch.set_rng_state(ctx.seed)
        with torch.enable_grad():
            y = ctx.block(x)
        torch.set_rng_state(now)
        weights = list(ctx.block.parameters())
        asked = [x] + [w for w in weights if w.requires_grad]
        found = iter(torch.autograd.grad(outputs=y, inputs=asked, grad_outputs=grad, allow_unused=True))
        gx = next(found)
        return (None, gx) + tuple(next(found) if w.requires_grad else None for w in weights)
def recomputed(block, x):
    weights = list(block.parameters())
    return Recompute.apply(block, x, *weights)
# %% right="a function within the function"
def recomputed(block, x):
    weights = list(block.parameters())
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, *w):
            ctx.save_for_backward(x)
            ctx.state = torch.random.get_rng_state()
            return block(x).detach()
        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors[0].detach().requires_grad_()
            with torch.random.fork_rng([]):
                torch.random.set_rng_state(ctx.state)
                with torch.enable_grad():
                    y = block(x)
            learned = [p for p in weights if p.requires_grad]
            gs = list(torch.autograd.grad(y, [x] + learned, g, allow_unused=True))
            out = [gs.pop(0)]
            for p in weights:
                out.append(gs.pop(0) if p.requires_grad else None)
            return tuple(out)
    return Twice.apply(x, *weights)
# %% wrong="as usual" says="autograd keeps its inside"
#~ Recompute.apply(block, x, *block.parameters()) => block(x)
# %% wrong="cut" says="graph was cut"
def recomputed(block, x):
    with torch.no_grad():
        y = block(x)
    return y.requires_grad_()
# %% wrong="other dropout" says="put the generator's state back"
#~ torch.set_rng_state(ctx.random) => pass
# %% wrong="the generator goes on" says="leave it as it was"
#~ with torch.random.fork_rng(devices=[]), torch.enable_grad(): => with torch.enable_grad():
# %% wrong="the gradient is left out" says="pass it on"
#~ [x, *learned], grad, => [x, *learned], torch.ones_like(grad),
# %% wrong="no gradient for the weights" says="return one for each"
#~ (of_weight.get(id(p)) for p => (None for p
# %% wrong="no gradient for the input" says="the input got no gradient"
#~ return None, found[0], => return None, None,
# %% wrong="weights exchanged" says="exchanged"
#~ zip(map(id, learned), found[1:], strict=True) => zip(map(id, learned), found[:0:-1])
# %% wrong="the gradients in reversed order" says="in another order than the weights"
#~ return None, found[0], *(of_weight.get(id(p)) for p in ctx.block.parameters()) => return None, found[0], *[of_weight.get(id(p)) for p in ctx.block.parameters()][::-1]
# %% wrong="weights are no arguments, and none is asked for" says="hand them to `apply`"
#~ Recompute.apply(block, x, *block.parameters()) => Recompute.apply(block, x)
#~ learned = [p for p in ctx.block.parameters() if p.requires_grad] => learned = []
#~ *(of_weight.get(id(p)) for p in ctx.block.parameters()) => *()
# %% wrong="weights are no arguments" says="hand them to apply"
def recomputed(block, x):
    return Recompute.apply(block, x)
# %% wrong="all weights play a part" says="plays no part" clause="or play no part in the output"
#~ grad, allow_unused=True => grad
# %% wrong="the input is zeroed" says="changed in place"
#~ return Recompute.apply(block, x, *block.parameters()) => y = Recompute.apply(block, x, *block.parameters()); x.data.zero_(); return y
# %% wrong="three times" says="three times"
def recomputed(block, x):
    block(x.detach())
    from torch.utils.checkpoint import checkpoint
    return checkpoint(block, x, use_reentrant=True)
# %% wrong="the inside is kept" says="keeps the inside of the block"
#-         with torch.no_grad():
#-             return block(x)
#+         with torch.enable_grad():
#+             ctx.y = block(x.detach().requires_grad_())
#+         return ctx.y.detach()
# %% wrong="gradients of frozen weights" says="a frozen weight has no gradient"
#~ learned = [p for p in ctx.block.parameters() if p.requires_grad] => learned = [*ctx.block.parameters()]
