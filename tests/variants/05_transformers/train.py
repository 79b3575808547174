# %% right="zero_grad at the end, states in a list, the new weight through data"
def train(model, batches, loss, optimizer, steps, rate, clip=1.0):
    parameters = list(model.parameters())
    states, losses = [None] * len(parameters), []
    model.train()
    for p in parameters:
        p.grad = None
    for t in range(steps):
        value = loss(model, batches(t))
        value.backward()
        torch.nn.utils.clip_grad_norm_(parameters, max_norm=clip)
        for i, p in enumerate(parameters):
            if p.grad is not None:
                p.data, states[i] = optimizer(p.data, p.grad, states[i], lr=rate(t))
                p.grad = None
        losses.append(float(value.detach()))
    model.eval()
    return losses
# %% right="clipped by hand, keyed by the parameter"
def train(model, batches, loss, optimizer, steps, rate, clip=1.0):
    model.train(True)
    states, losses, step = {}, [], 0
    while step < steps:
        for p in model.parameters():
            p.grad = None
        value = loss(model, batches(step))
        value.backward()
        moved = [p for p in model.parameters() if p.grad is not None]
        norm = sum(p.grad.double().square().sum() for p in moved) ** 0.5
        share = min(1.0, clip / float(norm)) if norm > 0 else 1.0
        for p in moved:
            weight, states[p] = optimizer(p.detach().clone(), p.grad * share, states.get(p), rate(step))
            with torch.no_grad():
                p.copy_(weight)
        losses += [value.item()]
        step += 1
    model.train(False)
    return losses
# %% right="gradients from autograd.grad"
def train(model, batches, loss, optimizer, steps, rate, clip=1.0):
    losses, learned = [], [p for p in model.parameters() if p.requires_grad]
    states = [None for _ in learned]
    model.train()
    for step in range(steps):
        value = loss(model, batches(step))
        for p, grad in zip(learned, torch.autograd.grad(value, learned)):
            p.grad = grad
        nn.utils.clip_grad_norm_(learned, clip)
        eta = rate(step)
        with torch.no_grad():
            for i, p in enumerate(learned):
                new, states[i] = optimizer(p, p.grad, states[i], lr=eta)
                p.set_(new)
        losses.append(value.item())
    model.eval()
    return losses
# %% right="an object that holds the states"
class Mover:
    def __init__(self, model, step):
        self.model, self.take, self.states = model, step, {}
    @torch.no_grad()
    def move(self, lr):
        for name, p in self.model.named_parameters():
            if p.grad is None:
                continue
            new, self.states[name] = self.take(p, p.grad, self.states.get(name), lr=lr)
            p.mul_(0).add_(new)
def train(model, batches, loss, optimizer, steps, rate, clip=1.0):
    mover, losses = Mover(model, optimizer), []
    model.train()
    for step in range(steps):
        model.zero_grad(set_to_none=True)
        value = loss(model, batches(step))
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        mover.move(rate(step))
        losses.append(value.item())
    model.eval()
    return losses
# %% right="the rate as a square of a cosine, shares first"
def warmup_cosine(step, steps, peak, warmup):
    if warmup > step:
        return (step + 1) * peak / (1 + warmup)
    return peak * math.cos(math.pi / 2 * (step - warmup) / (steps - warmup)) ** 2
# %% right="the rate from NumPy, as a number"
def warmup_cosine(step, steps, peak, warmup):
    rates = np.concatenate([
        np.linspace(0, peak, warmup + 1, endpoint=False)[1:] + peak / (warmup + 1) * 0,
        peak * 0.5 * (1 + np.cos(np.pi * np.arange(steps - warmup) / (steps - warmup))),
    ])
    return float(rates[step])
# %% wrong="gradients are never cleared" says="backward() adds"
#-         model.zero_grad()
# %% wrong="cleared after backward" says="between backward() and the step"
#-         model.zero_grad()
#-         value.backward()
#+         value.backward()
#+         nn.Module.zero_grad(model, set_to_none=False)
# %% wrong="old gradients become zeros" clause="A parameter without a gradient (it is frozen) stays as it is" says="as if its gradient were 0"
#~ model.zero_grad() => model.zero_grad(set_to_none=False)
# %% wrong="nothing is clipped" says="nothing was clipped"
#-         nn.utils.clip_grad_norm_(model.parameters(), clip)
# %% wrong="clipped after the step" says="clipped after the step"
#-         nn.utils.clip_grad_norm_(model.parameters(), clip)
#~ losses.append(value.item()) => nn.utils.clip_grad_norm_(model.parameters(), clip); losses.append(value.item())
# %% wrong="each parameter clipped alone" says="by its own norm"
#~ nn.utils.clip_grad_norm_(model.parameters(), clip) => [nn.utils.clip_grad_norm_([p], clip) for p in model.parameters() if p.grad is not None]
# %% wrong="the numbers cut off" says="cut off at the limit"
#~ clip_grad_norm_ => clip_grad_value_
# %% wrong="scaled up as well" says="was scaled up"
#-         nn.utils.clip_grad_norm_(model.parameters(), clip)
#+         norm = nn.utils.get_total_norm([p.grad for p in model.parameters() if p.grad is not None])
#+         for p in model.parameters():
#+             p.grad = None if p.grad is None else p.grad * clip / norm
# %% wrong="the limit is always 1" says="the limit is `clip`"
#~ (model.parameters(), clip) => (model.parameters(), 1.0)
# %% wrong="the state is thrown away" says="state was not kept"
#~ new, states[name] = => new, _ =
# %% wrong="one state for all" says="a state of its own"
#~ states[name] => states[0]
#~ states.get(name) => states.get(0)
# %% wrong="the rate of the next step" says="step after"
#~ lr=rate(step) => lr=rate(step + 1)
# %% wrong="the first rate for all steps" says="in all steps"
#~ lr=rate(step) => lr=rate(0)
# %% wrong="the new weight gets a name" says="did not move"
#~ p.copy_(new) => p = new
# %% wrong="in place with gradients on" says="outside torch.no_grad()"
#~ torch.no_grad() => torch.enable_grad()
# %% wrong="always the first batch" says="every step took the first batch"
#~ batches(step) => batches(0)
# %% wrong="steps counted from 1" says="the first batch was passed over"
#~ batches(step) => batches(step + 1)
# %% wrong="the loss once more after the step" says="computed again"
#~ losses.append(value.item()) => losses.append(loss(model, batches(step)).item())
# %% wrong="losses as tensors" says="makes floats"
#~ value.item() => value.detach()
# %% wrong="never in train mode" says="learned in eval mode"
#-     model.train()
# %% wrong="left in train mode" says="left in train mode"
#-     model.eval()
# %% wrong="the mean so far" says="each step has its own"
#~ return losses => return [sum(losses[: i + 1]) / (i + 1) for i in range(len(losses))]
# %% wrong="one step too few" says="one step too few"
#~ range(steps) => range(steps - 1)
# %% wrong="the loss is negated" says="went up"
#~ value.backward() => (-value).backward()
# %% wrong="a frozen parameter is moved" says="without a gradient was moved" clause="A parameter without a gradient (it is frozen) stays as it is."
#~ if p.grad is not None: => if True:
#~ optimizer(p, p.grad, => optimizer(p, torch.ones_like(p) if p.grad is None else p.grad,
# %% wrong="no warm-up" says="does not warm up"
#~ if step < warmup: => step = max(step, warmup)
#-         return peak * (step + 1) / (warmup + 1)
# %% wrong="warm-up over warmup" says="divides by `warmup`"
#~ (warmup + 1) => warmup
# %% wrong="the first rate is 0" says="a rate of 0"
#~ (step + 1) / (warmup + 1) => step / (warmup + 1)
# %% wrong="from 0 to the peak" says="begins at 0 and ends at the peak"
#~ (step + 1) / (warmup + 1) => step / warmup
# %% wrong="the cosine begins at step 0" says="counts from step 0"
#~ (step - warmup) / (steps - warmup) => step / steps
# %% wrong="the cosine over all steps" says="has steps - warmup"
#~ / (steps - warmup) => / steps
# %% wrong="0 in the last step" says="reaches 0 in the last step"
#~ / (steps - warmup) => / max(steps - 1 - warmup, 1)
# %% wrong="down along a line" says="along half a cosine"
#~ peak / 2 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) => peak * (1 - (step - warmup) / (steps - warmup))
# %% wrong="not halved" says="half is missing"
#~ peak / 2 * (1 => peak * (1
# %% wrong="the cosine alone" says="the 1 is missing"
#~ peak / 2 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) => peak * math.cos(math.pi * (step - warmup) / (steps - warmup))
# %% wrong="a share, not a rate" says="the peak is missing"
#~ peak * (step + 1) => (step + 1)
#~ peak / 2 => 1 / 2
# %% wrong="a quarter of a cosine" says="quarter of a cosine"
#~ peak / 2 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) => peak * math.cos(math.pi / 2 * (step - warmup) / (steps - warmup))
# %% wrong="no pi" says="has no pi"
#~ math.pi * (step => (step
# %% wrong="the rate stays up" says="does not fall"
#~ peak / 2 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) => peak
# %% wrong="the cosine rises" says="cosine rises"
#~ (1 + math.cos => (1 - math.cos
# %% wrong="torch's SGD carries the difference" says="optimisers was called" clause="PyTorch's own optimisers (torch.optim) are not called."
#-     model.train()
#+     model.train(); mover = torch.optim.SGD(model.parameters(), lr=1.0)
#-                     p.copy_(new)
#+                     p.grad = p - new
#~ losses.append(value.item()) => mover.step(); losses.append(value.item())
# %% wrong="a frozen parameter decays" says="as if its gradient were 0" clause="A parameter without a gradient (it is frozen) stays as it is."
#~ if p.grad is not None: => if True:
#~ optimizer(p, p.grad, => optimizer(p, torch.zeros_like(p) if p.grad is None else p.grad,
# %% wrong="states by shape" says="shared a state" clause="state of each parameter is None in the first step"
#~ states[name] => states[p.shape]
#~ states.get(name) => states.get(p.shape)
# %% wrong="torch's AdamW moves the weights" says="was called: clear the gradients and move the weights"
#-     model.train()
#+     model.train(); mover = torch.optim.AdamW(model.parameters(), lr=rate(0))
#-                     p.copy_(new)
#~ losses.append(value.item()) => mover.step(); losses.append(value.item())
# %% wrong="at least one step of warm-up" says="has the peak"
#-     if step < warmup:
#+     warmup = max(warmup, 1)
#+     if step < warmup:
# %% wrong="torch's SGD clears the gradients" says="optimisers was called" clause="PyTorch's own optimisers (torch.optim) are not called." of="zero_grad at the end, states in a list, the new weight through data"
#~ states, losses = [None] => clears, states, losses = torch.optim.SGD(parameters, lr=0.0), [None]
#~ value = loss(model, batches(t)) => clears.zero_grad(); value = loss(model, batches(t))
