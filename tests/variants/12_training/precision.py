# %% right="by backward on clones"
def scaled_gradients(loss, parameters, scale):
    got = torch.autograd.grad(scale * loss, list(parameters))
    out, fine = [], True
    for g in got:
        g = g.to(torch.float32).div(scale)
        fine = fine and not (torch.isinf(g).any().item() or torch.isnan(g).any().item())
        out.append(g)
    return out, fine
def next_scale(scale, good, finite, every=2000):
    if finite:
        good += 1
        if good >= every:
            scale, good = 2 * scale, 0
    else:
        scale, good = 0.5 * scale, 0
    return scale, good
# %% right="times the inverse"
def scaled_gradients(loss, parameters, scale):
    gradients = [g.float() * (1 / scale) for g in torch.autograd.grad(loss, parameters, torch.tensor(float(scale)))]
    return gradients, bool(torch.cat([g.flatten() for g in gradients]).isfinite().all())
# %% right="the sum tells"
def scaled_gradients(loss, parameters, scale):
    gradients = []
    for g in torch.autograd.grad(loss.mul(scale), parameters):
        gradients.append(torch.div(g.type(torch.float), scale))
    return gradients, math.isfinite(sum(float((g * 0).sum()) for g in gradients))
# %% wrong="not scaled at all" says="not scaled"
#~ loss * scale => loss
#~ g.float() / scale => g.float()
# %% wrong="divided alone" says="were divided"
#~ loss * scale => loss
# %% wrong="not divided" says="divide them by the scale"
#~ g.float() / scale => g.float()
# %% wrong="divided in 16 bits" says="before you divide"
#~ g.float() / scale => (g / scale).float()
# %% wrong="16 bits came" says="float32 is asked for"
#~ g.float() / scale => g / scale
# %% wrong="always usable" says="said to be usable"
#~ return gradients, all(bool(torch.isfinite(g).all()) for g in gradients) => return gradients, True
# %% wrong="never usable" says="no gradient is said"
#~ return gradients, all(bool(torch.isfinite(g).all()) for g in gradients) => return gradients, False
# %% wrong="one finite number is enough" says="every number is finite"
#~ torch.isfinite(g).all() => torch.isfinite(g).any()
# %% wrong="nan passes" says="nan is not finite"
#~ torch.isfinite(g).all() => not torch.isinf(g).any()
# %% wrong="grad is used" says="stays as it is"
def scaled_gradients(loss, parameters, scale):
    for p in parameters:
        p.grad = None
    (loss * scale).backward()
    gradients = [p.grad.float() / scale for p in parameters]
    return gradients, all(bool(torch.isfinite(g).all()) for g in gradients)
# %% wrong="the loss is scaled in place" says="changed in place"
#~ loss * scale => loss.mul_(scale)
# %% wrong="not halved" says="not halved"
#~ return scale / 2, 0 => return scale, 0
# %% wrong="the count goes on" says="count goes on"
#~ return scale / 2, 0 => return scale / 2, good
# %% wrong="overflow counts" says="grew by a step"
#~ return scale / 2, 0 => return scale / 2, good + 1
# %% wrong="never grows" says="never grows"
#~ if good + 1 == every => if False
# %% wrong="one late" says="one step too late"
#~ good + 1 == every => good == every
# %% wrong="doubles always" says="after every good step"
#~ good + 1 == every => True
#~ return scale * 2, 0 => return scale * 2, good + 1
# %% wrong="count not begun anew" says="does not begin anew"
#~ return scale * 2, 0 => return scale * 2, good + 1
# %% wrong="count stands still" says="count does not grow"
#~ return scale, good + 1 => return scale, good
# %% wrong="exchanged" says="exchanged"
#~ scale / 2 => scale * 2.0
#~ return scale * 2, 0 => return scale / 2, 0
# %% wrong="falls to 1" says="falls to 1"
#~ scale / 2 => 1.0
# %% wrong="the last gradient alone" says="only one parameter's gradient"
#~ all(bool(torch.isfinite(g).all()) for g in gradients) => bool(torch.isfinite(gradients[-1]).all())
# %% wrong="the first gradient alone" says="only the first parameter's gradient"
#~ all(bool(torch.isfinite(g).all()) for g in gradients) => bool(torch.isfinite(gradients[0]).all())
# %% wrong="-inf is usable" says="-inf is not finite"
#~ all(bool(torch.isfinite(g).all()) for g in gradients) => all(bool((g < math.inf).all()) for g in gradients)
# %% wrong="doubles at each good step, and counts anew" says="both wait until"
#~ if good + 1 == every: => if good + 1 >= 1:
# %% wrong="grad is used and emptied" says="was added to the gradients"
def scaled_gradients(loss, parameters, scale):
    (loss * scale).backward()
    gradients = [p.grad.float() / scale for p in parameters]
    for p in parameters:
        p.grad = None
    return gradients, all(bool(torch.isfinite(g).all()) for g in gradients)
# %% wrong="the gradients are multiplied, not the loss" says="scale the loss"
#~ torch.autograd.grad(loss * scale, parameters) => [g * scale for g in torch.autograd.grad(loss, parameters)]
