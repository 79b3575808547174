# %% wrong="nats" says="bits are asked for"
#~ -logits.log_softmax(-1) / math.log(2) <= mu => -logits.log_softmax(-1) <= mu
# %% wrong="no floor" says="likeliest always stays"
#~ wanted | (logits == logits.max()) => wanted
# %% wrong="wrong way" says="subtract it"
#~ mu - rate * (surprise - tau) => mu + rate * (surprise - tau)
# %% wrong="after the removal" says="what the model said before"
#~ -float(logits.log_softmax(-1)[token]) => -float(keep_surprise(logits, mu).log_softmax(-1)[token])
# %% wrong="draws from all" says="draw from those that are left"
#~ choosing.draw(keep_surprise(logits, mu), u) => choosing.draw(logits, u)
# %% wrong="no rate" says="rate is missing"
#~ mu - rate * (surprise - tau) => mu - (surprise - tau)
# %% wrong="greedy" says="u is ignored"
#~ choosing.draw(keep_surprise(logits, mu), u) => int(logits.argmax())
# %% wrong="surprise in nats" says="in nats"
#~ -float(logits.log_softmax(-1)[token]) / math.log(2) => -float(logits.log_softmax(-1)[token])
# %% wrong="limit held above 0" says="no number holds it"
#~ return token, mu - rate * (surprise - tau) => return token, max(mu - rate * (surprise - tau), 0.0)
# %% wrong="one of several likeliest" says="of several likeliest tokens all stay"
#~ (logits == logits.max()) => (torch.arange(len(logits)) == logits.argmax())
# %% wrong="weighted surprise" says="multiplied with p"
#~ return token, mu - rate * (surprise - tau) => return token, mu - rate * (surprise * 2**-surprise - tau)
# %% wrong="cut by twice tau" says="removed by twice tau"
#~ keep_surprise(logits, mu), u) => keep_surprise(logits, 2 * tau), u)
# %% right="probabilities"
def keep_surprise(logits, mu):
    p = logits.double().softmax(-1)
    return torch.where((p >= 2.0**-mu) | (p == p.max()), logits, -math.inf)
# %% right="one softmax"
def mirostat(logits, mu, tau, rate, u):
    bits = -torch.log2(logits.double().softmax(-1))
    left = torch.where((bits <= mu) | (bits == bits.min()), logits, -math.inf)
    token = choosing.draw(left, u)
    return token, mu + rate * (tau - bits[token].item())
# %% wrong="the first of the likeliest" says="of several likeliest" clause="If several tie for the likeliest, all stay."
#~ wanted | (logits == logits.max()) => wanted | (torch.arange(len(logits)) == logits.argmax())
# %% wrong="from twice tau each time" says="not from twice tau"
#~ mu - rate * (surprise - tau) => 2 * tau - rate * (surprise - tau)
# %% wrong="the surprise comes back" says="the next limit is asked for"
#~ mu - rate * (surprise - tau) => surprise
# %% wrong="the error against mu" says="here mu was subtracted"
def mirostat(logits: Tensor, mu: float, tau: float, rate: float, u: float) -> tuple[int, float]:
    token = int(choosing.draw(keep_surprise(logits, mu), u))
    surprise = -logits.log_softmax(-1)[token].item() / math.log(2)
    return token, mu - rate * (surprise - mu)
