# %% right="grad by hand, norm by torch"
def accumulate(model, pieces, loss_sum, count):
    for p in model.parameters():
        p.grad = None
    n, total = sum([count(p) for p in pieces]), 0.0
    for piece in pieces:
        loss = loss_sum(model, piece)
        (loss / n).backward()
        total += float(loss)
    return total / n
def clip_gradients(parameters, limit):
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = float(sum(float(g.double().pow(2).sum()) for g in gradients)) ** 0.5
    for g in gradients:
        g *= min(1.0, limit / norm) if norm else 1.0
    return norm
# %% right="by the library"
def clip_gradients(parameters, limit):
    parameters = list(parameters)
    norm = torch.nn.utils.get_total_norm([p.grad for p in parameters if p.grad is not None])
    if norm > limit:
        for p in parameters:
            if p.grad is not None:
                p.grad.mul_(limit / norm)
    return float(norm)
# %% right="scaled at the end"
def accumulate(model, pieces, loss_sum, count):
    model.zero_grad(set_to_none=True)
    total = targets = 0
    for piece in pieces:
        value = loss_sum(model, piece)
        value.backward()
        total, targets = total + value.item(), targets + count(piece)
    for p in model.parameters():
        if p.grad is not None:
            p.grad /= targets
    return total / targets
# %% wrong="old gradients stay" says="clear them"
#~ model.zero_grad() => pass
# %% wrong="cleared between pieces" says="between the pieces"
#~ share = loss_sum(model, piece) / targets => model.zero_grad(); share = loss_sum(model, piece) / targets
# %% wrong="mean of means" says="mean of the pieces' means"
#~ / targets => / max(count(piece), 1) / len(pieces)
# %% wrong="means added" says="its own number of targets"
#~ / targets => / max(count(piece), 1)
# %% wrong="sums" says="nothing was divided"
#~ / targets => / 1
# %% wrong="one large graph" says="kept at once"
def accumulate(model, pieces, loss_sum, count):
    model.zero_grad()
    loss = sum(loss_sum(model, piece) for piece in pieces) / sum(count(piece) for piece in pieces)
    loss.backward()
    return loss.item()
# %% wrong="the sum is returned" says="sum of the losses came"
#~ return total => return total * targets
# %% wrong="a tensor on all graphs" says="a float is asked for" clause="return this mean, a float"
#~ share.item() => share
# %% wrong="the last loss is returned" says="last piece"
#~ total += share.item() => total = share.item()
# %% wrong="the first piece left out" says="first piece"
#-     for piece in pieces:
#+     for piece in pieces[1:]:
# %% wrong="no clipping" says="nothing was clipped"
#~ if norm > limit => if False
# %% wrong="each by its own norm" says="own norm"
#~ g.mul_(limit / norm) => g.mul_(min(1.0, limit / g.norm()))
# %% wrong="scaled up" says="scaled up"
#~ if norm > limit => if True
# %% wrong="clamped" says="cut off at the limit"
#~ if norm > limit => if True
#~ g.mul_(limit / norm) => g.clamp_(-limit, limit)
# %% wrong="the norm afterwards" says="after the clipping"
#~ return norm.item() => return torch.stack([g.norm() for g in gradients]).norm().item()
# %% wrong="without the limit" says="limit is missing"
#~ limit / norm => 1 / norm
# %% wrong="upside down" says="upside down"
#~ limit / norm => norm / limit
# %% wrong="absolute values" says="absolute values"
#~ torch.stack([g.norm() for g in gradients]).norm() => torch.stack([g.abs().sum() for g in gradients]).sum()
# %% wrong="the largest number" says="largest number"
#~ torch.stack([g.norm() for g in gradients]).norm() => torch.stack([g.abs().max() for g in gradients]).max()
# %% wrong="the square of the norm" says="square of the norm"
#~ if norm > limit => if norm**2 > limit
#~ limit / norm => limit / norm**2
# %% wrong="by the number of pieces" says="divided by the number of pieces"
#~ / targets => / len(pieces)
# %% wrong="new tensors" says="new tensors hold the gradients"
def clip_gradients(parameters, limit):
    parameters = [p for p in parameters if p.grad is not None]
    norm = sum(float(p.grad.norm()) ** 2 for p in parameters) ** 0.5
    for p in parameters:
        p.grad = p.grad * min(1.0, limit / max(norm, 1e-30))
    return norm
# %% wrong="gone through twice" says="an iterator of parameters"
def clip_gradients(parameters, limit):
    norm = sum(float(p.grad.norm()) ** 2 for p in parameters if p.grad is not None) ** 0.5
    for p in parameters:
        p.grad.mul_(min(1.0, limit / norm))
    return norm
# %% wrong="no gradient, no norm" says="a wrong value"
#~ return 0.0 => return None
# %% wrong="looks for a gradient first, in an iterator" says="the first gradient is left out"
#~ gradients = [p.grad for p in parameters if p.grad is not None] => gradients = [p.grad for p in parameters if p.grad is not None] if any(p.grad is not None for p in parameters) else []
# %% wrong="parameters without a gradient" says="may have no gradient, which is None"
#~ gradients = [p.grad for p in parameters if p.grad is not None] => gradients = [p.grad for p in parameters]
# %% wrong="nothing to stack" says="there is nothing to stack"
#-     if not gradients:
#-         return 0.0
# %% wrong="each piece's mean by its share of the targets" says="a piece without targets has no mean"
#~ share = loss_sum(model, piece) / targets => share = loss_sum(model, piece) / count(piece) * (count(piece) / targets)
# %% wrong="the norms added" says="norms of the parts"
#~ torch.stack([g.norm() for g in gradients]).norm() => torch.stack([g.norm() for g in gradients]).sum()
# %% wrong="copies scaled" says="no copies"
#~ g.mul_(limit / norm) => g = g * (limit / norm)
