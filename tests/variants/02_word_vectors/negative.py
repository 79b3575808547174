# %% base="the plain way"
def negative_sampling(centres, contexts, noise):
    scores = (centres * contexts).sum(-1)
    against = (noise * centres[:, None]).sum(-1)
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
    own = (torch.sigmoid(scores) - 1)[:, None] / len(centres)
    other = torch.sigmoid(against)[..., None] / len(centres)
    return loss, own * contexts + (other * noise).sum(1), own * centres, other * centres[:, None]
# %% wrong="the loss is a sum" says="but the loss is a sum" of="the plain way"
#~ mean => sum
# %% wrong="everything a sum" says="sum over the pairs" of="the plain way"
#~ mean => sum
#~ [:, None] / len(centres) => [:, None]
#~ [..., None] / len(centres) => [..., None]
# %% wrong="noise averaged in the loss" says="add them up" of="the plain way"
#~ (-against).sum => (-against).mean
# %% wrong="noise averaged everywhere" says="added up, not averaged" of="the plain way"
#- def negative_sampling(centres, contexts, noise):
#+ def negative_sampling(centres, contexts, noise):
#+     K = noise.shape[1]
#~ (-against).sum => (-against).mean
#~ [..., None] / len(centres) => [..., None] / len(centres) / K
# %% wrong="noise averaged for the centres" says="noise words are averaged; add them up" of="the plain way"
#~ (other * noise).sum => (other * noise).mean
# %% wrong="noise missing for the centres" says="noise is missing" of="the plain way"
#~ contexts + (other * noise).sum(1) => contexts
# %% wrong="noise missing in the loss" says="noise is missing in the loss" of="the plain way"
#~ (logsigmoid(scores) + logsigmoid(-against).sum(1)) => logsigmoid(scores)
# %% wrong="the noise pulls, too, in the loss" says="sign of the context" of="the plain way"
#~ (-against) => (against)
# %% wrong="1 - sigmoid" says="the wrong signs" of="the plain way"
#~ torch.sigmoid(scores) - 1 => 1 - torch.sigmoid(scores)
#~ torch.sigmoid(against) => -torch.sigmoid(against)
# %% wrong="1 - sigmoid for the context only" says="σ(x) - 1, not 1 - σ(x)" of="the plain way"
#~ torch.sigmoid(scores) - 1 => 1 - torch.sigmoid(scores)
# %% wrong="sigmoid of minus the score for the noise" says="σ(x), not σ(-x)" of="the plain way"
#~ (noise * centres[:, None]) => -(noise * centres[:, None])
#~ (-against) => (against)
# %% wrong="no minus 1" says="σ(x) - 1, not σ(x)" of="the plain way"
#~ (torch.sigmoid(scores) - 1) => torch.sigmoid(scores)
# %% wrong="minus 1 for the noise, too" says="σ(x), not σ(x) - 1" of="the plain way"
#~ torch.sigmoid(against) => (torch.sigmoid(against) - 1)
# %% wrong="derivative of the sigmoid itself" says="derivative of σ itself" of="the plain way"
#-     own = (torch.sigmoid(scores) - 1)[:, None] / len(centres)
#-     other = torch.sigmoid(against)[..., None] / len(centres)
#+     p, q = torch.sigmoid(scores), torch.sigmoid(against)
#+     own = -(p * (1 - p))[:, None] / len(centres)
#+     other = (q * (1 - q))[..., None] / len(centres)
# %% wrong="gradient of the noise added up" says="one for each noise word" of="the plain way"
#~ other * centres[:, None] => (other * centres[:, None]).sum(1)
# %% wrong="gradient of the context along the context" says="along v, the centre" of="the plain way"
#~ centres, other => contexts, other
# %% wrong="gradients in another order" says="are exchanged" of="the plain way"
#~ contexts + (other * noise).sum(1), own * centres => centres, own * contexts + (other * noise).sum(1)
# %% wrong="logarithm of the sigmoid" says="use logsigmoid" of="the plain way"
#~ logsigmoid(scores) + logsigmoid(-against) => torch.log(torch.sigmoid(scores)) + torch.log(torch.sigmoid(-against))
# %% wrong="a small number in the logarithm" says="in full" of="the plain way"
#~ logsigmoid(scores) + logsigmoid(-against) => torch.log(torch.sigmoid(scores) + 1e-10) + torch.log(torch.sigmoid(-against) + 1e-10)
# %% wrong="exponentials by hand" says="use logsigmoid" of="the plain way"
#~ -(logsigmoid(scores) + logsigmoid(-against).sum(1)) => (torch.log(1 + torch.exp(-scores)) + torch.log(1 + torch.exp(against)).sum(1))
#~ .sigmoid(scores) => .exp(scores) / (1 + torch.exp(scores))
#~ torch.sigmoid(against) => (torch.exp(against) / (1 + torch.exp(against)))
# %% wrong="the loss alone" says="a tuple was expected"
def negative_sampling(centres, contexts, noise):
    scores = (centres * contexts).sum(-1)
    against = (noise * centres[:, None]).sum(-1)
    return -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
# %% wrong="three gradients only" says="3 items came"
def negative_sampling(centres, contexts, noise):
    own = (torch.sigmoid((centres * contexts).sum(-1)) - 1)[:, None] / len(centres)
    other = torch.sigmoid((noise * centres[:, None]).sum(-1))[..., None] / len(centres)
    return own * contexts + (other * noise).sum(1), own * centres, other * centres[:, None]
# %% right="context and noise in one logistic regression"
def negative_sampling(centres, contexts, noise):
    words = torch.cat([contexts[:, None], noise], dim=1)  # (B, 1 + K, d)
    truth = torch.zeros(words.shape[:2]).to(words)
    truth[:, 0] = 1
    scores = torch.einsum("bd,bkd->bk", centres, words)
    loss = nn.functional.binary_cross_entropy_with_logits(scores, truth, reduction="sum") / len(centres)
    error = (torch.sigmoid(scores) - truth) / len(centres)
    g = error[:, :, None] * centres[:, None, :]
    return loss, torch.einsum("bk,bkd->bd", error, words), g[:, 0], g[:, 1:]
# %% right="pair after pair"
def negative_sampling(centres, contexts, noise):
    B, total = len(centres), 0.0
    gv, gu, gn = torch.zeros_like(centres), torch.zeros_like(contexts), torch.zeros_like(noise)
    for b in range(B):
        x = centres[b] @ contexts[b]
        total += -logsigmoid(x).item() / B
        gv[b] += (torch.sigmoid(x) - 1) * contexts[b] / B
        gu[b] = (torch.sigmoid(x) - 1) * centres[b] / B
        for k in range(noise.shape[1]):
            y = centres[b] @ noise[b, k]
            total += -logsigmoid(-y).item() / B
            gv[b] += torch.sigmoid(y) * noise[b, k] / B
            gn[b, k] = torch.sigmoid(y) * centres[b] / B
    return total, gv, gu, gn
# %% right="batched products, double precision"
def negative_sampling(centres, contexts, noise):
    v, u, n = centres.double(), contexts.double(), noise.double()
    x, y = torch.linalg.vecdot(v, u), torch.bmm(n, v.unsqueeze(2)).squeeze(2)
    loss = torch.logaddexp(torch.zeros_like(x), -x).mean() + torch.logaddexp(torch.zeros_like(y), y).sum() / len(v)
    p, q = -torch.sigmoid(-x) / len(v), torch.sigmoid(y) / len(v)
    found = loss, p[:, None] * u + torch.bmm(q.unsqueeze(1), n).squeeze(1), p[:, None] * v, q[:, :, None] * v[:, None]
    return [part.to(centres.dtype) for part in found]
# %% wrong="autograd" clause="Compute them from these formulas and not with autograd" says="autograd is off"
def negative_sampling(centres, contexts, noise):
    parts = [t.detach().clone().double().requires_grad_() for t in (centres, contexts, noise)]
    v, u, n = parts
    loss = (nn.functional.softplus(-(v * u).sum(1)) + nn.functional.softplus((n * v[:, None]).sum(2)).sum(1)).mean()
    return loss.detach(), *torch.autograd.grad(loss, parts)
# %% wrong="unseen, gradients without 1/B" says="the loss is the mean, but its gradients lack 1/B"
def negative_sampling(centres, contexts, noise):
    B = len(centres)
    own = (centres * contexts).sum(-1)
    other = torch.einsum("bd,bkd->bk", centres, noise)
    loss = (-logsigmoid(own) - logsigmoid(-other).sum(1)).mean()
    a = (torch.sigmoid(own) - 1)[:, None]
    z = torch.sigmoid(other)[:, :, None]
    return loss, a * contexts + (z * noise).sum(1), a * centres, z * centres[:, None]
# %% wrong="noise gradient without 1/B" says="the gradient of the noise lacks 1/B" of="unseen, gradients without 1/B"
#~ (torch.sigmoid(own) - 1)[:, None] => (torch.sigmoid(own) - 1)[:, None] / B
#~ [:, :, None] => [:, :, None] / B
#~ centres[:, None] => centres[:, None] * B
# %% wrong="noise by contexts" says="the gradient of the noise is along v, the centre, not along" of="unseen, gradients without 1/B"
#~ (torch.sigmoid(own) - 1)[:, None] => (torch.sigmoid(own) - 1)[:, None] / B
#~ [:, :, None] => [:, :, None] / B
#~ centres[:, None] => contexts[:, None]
# %% wrong="divided by B * K" says="gradients are divided by K, too" of="unseen, gradients without 1/B"
#~ (torch.sigmoid(own) - 1)[:, None] => (torch.sigmoid(own) - 1)[:, None] / B
#~ [:, :, None] => [:, :, None] / B
#~ centres[:, None] => centres[:, None] / noise.shape[1]
# %% wrong="the noise's gradient over K, too" says="divided by K, too" of="the plain way"
#~ other * centres[:, None] => other * centres[:, None] / noise.shape[1]
# %% wrong="squeeze without an axis, the last axis summed" says="an axis of length 1 was dropped"
def negative_sampling(centres, contexts, noise):
    B = len(centres)
    scores = (centres * contexts).sum(-1)
    against = (noise @ centres[:, :, None]).squeeze()
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(-1)).mean()
    own, other = (torch.sigmoid(scores) - 1)[:, None], torch.sigmoid(against)[..., None]
    return loss, (own * contexts + (other * noise).sum(-2)) / B, own * centres / B, other * centres[:, None] / B
# %% wrong="squeeze without an axis, axis 1 summed" says="and an axis is missed later"
def negative_sampling(centres, contexts, noise):
    B = len(centres)
    scores = torch.bmm(contexts.unsqueeze(1), centres.unsqueeze(2)).squeeze()
    against = torch.bmm(noise, centres.unsqueeze(2)).squeeze()
    loss = -(logsigmoid(scores) + logsigmoid(-against).sum(1)).mean()
    own, other = (torch.sigmoid(scores) - 1).unsqueeze(1), torch.sigmoid(against)
    pushed = torch.bmm(other.unsqueeze(1), noise).squeeze(1)
    return loss, (own * contexts + pushed) / B, own * centres / B, other.unsqueeze(2) * centres.unsqueeze(1) / B
# %% wrong="the gradient of the centres squeezed" says="an axis of length 1 was dropped" of="the plain way"
#~ own * contexts + (other * noise).sum(1) => (own * contexts + (other * noise).sum(1)).squeeze()
# %% wrong="gradients left in double precision" clause="gradients have the dtype of the vectors" says="came in float64"
def negative_sampling(centres, contexts, noise):
    v, u, n = centres.double(), contexts.double(), noise.double()
    p, q = (v * u).sum(-1), (n * v[:, None]).sum(-1)
    loss = -(logsigmoid(p) + logsigmoid(-q).sum(1)).mean()
    own, other = (torch.sigmoid(p) - 1)[:, None] / len(v), torch.sigmoid(q)[..., None] / len(v)
    return loss.to(centres.dtype), own * u + (other * n).sum(1), own * v, other * v[:, None]
# %% base="the loss alone"
def negative_sampling(centres, contexts, noise):
    def loss(c, u, n):
        return -(logsigmoid((c * u).sum(-1)) + logsigmoid(-(n * c[:, None]).sum(-1)).sum(1)).mean()
    return loss(centres, contexts, noise)
# %% wrong="torch.func.grad" clause="Compute them from these formulas and not with autograd" says="autograd is off" of="the loss alone"
#~ return loss(centres, contexts, noise) => return loss(centres, contexts, noise), *torch.func.grad(loss, (0, 1, 2))(centres, contexts, noise)
# %% wrong="torch.func.vjp" clause="Compute them from these formulas and not with autograd" says="autograd is off" of="the loss alone"
#-     return loss(centres, contexts, noise)
#+     value, back = torch.func.vjp(loss, centres, contexts, noise)
#+     return value, *back(torch.ones_like(value))
# %% wrong="autograd, switched on again" clause="Compute them from these formulas and not with autograd" says="autograd is off" of="the loss alone"
#-     return loss(centres, contexts, noise)
#+     with torch.inference_mode(False), torch.enable_grad():
#+         given = [x.detach().clone().requires_grad_() for x in (centres, contexts, noise)]
#+         value = loss(*given)
#+         value.backward()
#+     return value.detach(), *(x.grad for x in given)
# %% right="the pairs by vmap"
def negative_sampling(centres, contexts, noise):
    def one(c, u, n):
        own, other = torch.sigmoid(c @ u) - 1, torch.sigmoid(n @ c)
        loss = -logsigmoid(c @ u) - logsigmoid(-(n @ c)).sum()
        return loss, own * u + other @ n, own * c, other[:, None] * c
    loss, *gradients = torch.vmap(one)(centres, contexts, noise)
    return loss.mean(), *(g / len(centres) for g in gradients)
