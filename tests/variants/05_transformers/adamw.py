# %% right="in place on copies, a dict for the state"
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    state = {k: v.clone() if k != "t" else v for k, v in (state or {}).items()}
    m = state.get("m", torch.zeros_like(weight)).mul(betas[0]).add(grad, alpha=1 - betas[0])
    v = state.get("v", torch.zeros_like(weight)).mul(betas[1]).addcmul(grad, grad, value=1 - betas[1])
    t = state.get("t", 0) + 1
    denominator = (v.sqrt() / math.sqrt(1 - betas[1] ** t)).add(eps)
    new = weight.mul(1 - lr * weight_decay).addcdiv(m, denominator, value=-lr / (1 - betas[0] ** t))
    return new, {"m": m, "v": v, "t": t}
# %% wrong="torch's own, from the gradients so far" says="optimiser did the step" clause="which is not to be called."
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    first, gradients = state or (weight.clone(), [])
    gradients = [*gradients, grad.clone()]
    p = nn.Parameter(first.clone())
    optimizer = torch.optim.AdamW([p], lr, betas, eps, weight_decay)
    for one in gradients:
        p.grad = one.clone()
        optimizer.step()
    return p.detach(), (first, gradients)
# %% right="lists of the means"
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    if state is None:
        state = [0 * grad, 0 * grad, 0]
    m, v, t = state
    m, v, t = torch.lerp(m, grad, 1 - betas[0]), betas[1] * v + (1 - betas[1]) * grad.square(), t + 1
    step = m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)) ** 0.5 + eps)
    return weight - lr * step - lr * weight_decay * weight, [m, v, t]
# %% wrong="no bias correction" says="bias correction is missing"
#~ m / (1 - betas[0] ** t), v / (1 - betas[1] ** t) => m, v
# %% wrong="only m corrected" says="that of its square"
#~ v / (1 - betas[1] ** t) => v
# %% wrong="only v corrected" says="that of the gradient begins"
#~ m / (1 - betas[0] ** t) => m
# %% wrong="decay added to the gradient" says="Adam with L2"
#~ m = betas[0] * m => grad = grad + weight_decay * weight; m = betas[0] * m
#~ + weight_decay * weight), => ),
# %% wrong="no decay" says="weight decay is missing"
#~ + weight_decay * weight), => ),
# %% wrong="decay without the rate" says="not multiplied by the learning rate"
#~ + weight_decay * weight), => ) - weight_decay * weight,
# %% wrong="decay after the step" says="before the step"
#~ weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), => (weight - lr * (mean / (square.sqrt() + eps))) * (1 - lr * weight_decay),
# %% wrong="decay grows" says="larger"
#~ + weight_decay * weight), => - weight_decay * weight),
# %% wrong="up the gradient" says="up the gradient"
#~ weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight) => weight + lr * (mean / (square.sqrt() + eps) - weight_decay * weight)
# %% wrong="begins anew" says="begins anew"
#~ state or ( => (
# %% wrong="not squared" says="not squared"
#~ grad**2 => grad.abs()
# %% wrong="no root of v" says="root of v is missing"
#~ square.sqrt() => square
# %% wrong="eps inside the root" says="not inside it"
#~ (square.sqrt() + eps) => (square + eps).sqrt()
# %% wrong="no eps" says="eps is missing"
#~ (square.sqrt() + eps) => square.sqrt()
# %% wrong="eps before the correction" says="not of the raw one"
#~ (square.sqrt() + eps) => ((v.sqrt() + eps) / (1 - betas[1] ** t) ** 0.5)
# %% wrong="betas exchanged" says="betas are exchanged"
#~ m, v, t = state => betas = betas[::-1]; m, v, t = state
# %% wrong="betas ignored" says="betas is ignored"
#~ m, v, t = state => betas = (0.9, 0.999); m, v, t = state
# %% wrong="eps ignored" says="eps is ignored"
#~ m, v, t = state => eps = 1e-8; m, v, t = state
# %% wrong="rate ignored" says="lr is ignored"
#~ m, v, t = state => lr = 1e-3; m, v, t = state
# %% wrong="decay ignored" says="weight_decay is ignored"
#~ m, v, t = state => weight_decay = 0.01; m, v, t = state
# %% wrong="counts from 0" says="divides by 0"
#~ t = t + 1 => t = t + 0
# %% wrong="counts from 2" says="counted from 1"
#~ t = t + 1 => t = t + 1 + (t == 0)
# %% wrong="sums of gradients" says="added up"
#~ (1 - betas[0]) * grad => grad
#~ (1 - betas[1]) * grad**2 => grad**2
# %% wrong="changes the weight in place" says="in place" clause="nothing is changed in place."
#~ return weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), => weight -= lr * (mean / (square.sqrt() + eps) + weight_decay * weight); return weight,
# %% wrong="changes the state in place" says="used twice"
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    state = state or {"m": torch.zeros_like(weight), "v": torch.zeros_like(weight), "t": 0}
    state["m"].mul_(betas[0]).add_((1 - betas[0]) * grad)
    state["v"].mul_(betas[1]).add_((1 - betas[1]) * grad**2)
    state["t"] += 1
    mean, square = state["m"] / (1 - betas[0] ** state["t"]), state["v"] / (1 - betas[1] ** state["t"])
    return weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), state
# %% wrong="one state for all" says="two weights by turns"
KEPT = {}
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    if state is None:
        KEPT.update(m=torch.zeros_like(weight), v=torch.zeros_like(weight), t=0)
    KEPT["m"] = betas[0] * KEPT["m"] + (1 - betas[0]) * grad
    KEPT["v"] = betas[1] * KEPT["v"] + (1 - betas[1]) * grad**2
    KEPT["t"] += 1
    mean, square = KEPT["m"] / (1 - betas[0] ** KEPT["t"]), KEPT["v"] / (1 - betas[1] ** KEPT["t"])
    return weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), True
# %% wrong="always float32" says="double precision"
#~ m, v, t = state => weight, grad = weight.float(), grad.float(); m, v, t = state
# %% wrong="a stray squeeze" says="a single number"
#~ return weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), => return (weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight)).squeeze(),
# %% wrong="no return" says="cannot unpack"
#~ return weight => new = weight
# %% wrong="gradients are clipped" says="large weights and gradients"
#~ m = betas[0] * m => grad = grad.clamp(-10, 10); m = betas[0] * m
# %% wrong="axes of size 1 are dropped" says="five steps"
#~ m = betas[0] * m => weight = weight.squeeze(); m = betas[0] * m
# %% wrong="the state is written into" says="used twice"
#~ m = betas[0] * m + (1 - betas[0]) * grad => m.mul_(betas[0]).add_((1 - betas[0]) * grad)
# %% right="a dict as state, lerp and hypot"
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    old = state or {"m": torch.zeros_like(grad), "v": torch.zeros_like(grad), "t": 0}
    new = {"m": torch.lerp(old["m"], grad, 1 - betas[0]), "v": torch.lerp(old["v"], grad.square(), 1 - betas[1])}
    new["t"] = old["t"] + 1
    step = lr * (1 - betas[1] ** new["t"]) ** 0.5 / (1 - betas[0] ** new["t"])
    return weight * (1 - lr * weight_decay) - step * new["m"] / (new["v"].sqrt() + eps * (1 - betas[1] ** new["t"]) ** 0.5), new
# %% wrong="the corrected means are kept" says="corrected means were kept"
#~ weight), (m, v, t) => weight), (mean, square, t)
# %% wrong="m and v changed in place" says="m and v of the state that came in"
#~ m = betas[0] * m + (1 - betas[0]) * grad => m.mul_(betas[0]).add_(grad, alpha=1 - betas[0])
#~ v = betas[1] * v + (1 - betas[1]) * grad**2 => v.mul_(betas[1]).addcmul_(grad, grad, value=1 - betas[1])
# %% wrong="a dict that is changed" says="the state that came in was changed in place"
def adamw_step(weight, grad, state=None, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    if state is None:
        state = {"m": torch.zeros_like(weight), "v": torch.zeros_like(weight), "t": 0}
    state["t"] += 1
    state["m"] = betas[0] * state["m"] + (1 - betas[0]) * grad
    state["v"] = betas[1] * state["v"] + (1 - betas[1]) * grad**2
    mean, square = state["m"] / (1 - betas[0] ** state["t"]), state["v"] / (1 - betas[1] ** state["t"])
    return weight - lr * (mean / (square.sqrt() + eps) + weight_decay * weight), state
# %% wrong="one v for all numbers" says="v is one number for the whole weight"
#~ * grad**2 => * (grad**2).mean()
# %% wrong="beta times t" says="beta to the power of t"
#~ m / (1 - betas[0] ** t), v / (1 - betas[1] ** t) => m / (1 - betas[0] * t), v / (1 - betas[1] * t)
# %% wrong="the step is always the first" says="the steps are not counted"
#~ t = t + 1 => t = 1
# %% wrong="only m is kept corrected" says="the corrected m was kept"
#~ weight), (m, v, t) => weight), (mean, v, t)
# %% wrong="only v is kept corrected" says="the corrected v was kept"
#~ weight), (m, v, t) => weight), (m, square, t)
# %% wrong="divided by beta to the power of t" says="by 1 less that"
#~ m / (1 - betas[0] ** t), v / (1 - betas[1] ** t) => m / betas[0] ** t, v / betas[1] ** t
# %% wrong="m alone is changed in place" says="m of the state that came in was changed in place"
#~ m = betas[0] * m + (1 - betas[0]) * grad => m.mul_(betas[0]).add_((1 - betas[0]) * grad)
# %% wrong="v alone is changed in place" says="v of the state that came in was changed in place"
#~ v = betas[1] * v + (1 - betas[1]) * grad**2 => v.mul_(betas[1]).add_((1 - betas[1]) * grad**2)
