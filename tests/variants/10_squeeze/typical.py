# %% wrong="top-p" says="as in top-p"
#~ (-logits.log_softmax(-1) - entropy(logits)).abs().argsort() => (-logits).argsort()
# %% wrong="without the one that crosses" says="belongs to it"
#~ p[order].cumsum(-1) - p[order] < mass => p[order].cumsum(-1) <= mass
# %% wrong="farthest first" says="farthest"
#~ .abs().argsort() => .abs().argsort(descending=True)
# %% wrong="bits and nats" says="take both in nats"
#~ entropy(logits)).abs() => entropy(logits) / math.log(2)).abs()
# %% wrong="zeros" says="minus infinity is asked"
#~ torch.where(keep, logits, -torch.inf) => torch.where(keep, logits, 0.0)
# %% wrong="likeliest kept" says="may drop it"
#~ return torch.where(keep, logits, -torch.inf) => return torch.where(keep | (logits == logits.max()), logits, -torch.inf)
# %% wrong="surprise in bits" says="the surprise is in bits"
#~ -logits.log_softmax(-1) - => -logits.log_softmax(-1) / math.log(2) -
# %% wrong="probabilities for surprises" says="compared with the entropy"
#~ (-logits.log_softmax(-1) - entropy(logits)) => (p - entropy(logits))
# %% wrong="least likely first" says="least likely come first"
#~ (-logits.log_softmax(-1) - entropy(logits)).abs() => (entropy(logits) + logits.log_softmax(-1))
# %% wrong="one more" says="one token more"
#~ p[order].cumsum(-1) - p[order] < mass => torch.cat([p[:1] * 0, (p[order].cumsum(-1) - p[order])[:-1]]) < mass
# %% wrong="up to the mass, but the nearest" says="belongs to it"
#~ p[order].cumsum(-1) - p[order] < mass => p[order].cumsum(-1) <= mass; keep[order[0]] = True
# %% right="by loops"
def keep_typical(logits, mass):
    p = logits.double().softmax(-1)
    H = float(entropy(logits.double()))
    alive = [i for i in range(len(p)) if p[i] > 0]
    out, total = torch.full_like(logits, -torch.inf), 0.0
    for i in sorted(alive, key=lambda i: abs(-math.log(p[i]) - H)):
        if total >= mass:
            break
        out[i], total = logits[i], total + float(p[i])
    return out
# %% wrong="entropy by hand, nan" says="the entropy is nan where a token was removed"
#~ entropy(logits) => -(logits.softmax(-1) * logits.log_softmax(-1)).sum()
# %% wrong="an entropy that is nan" says="0 times the logarithm" clause="Tokens may come removed already, and stay so."
#~ entropy(logits)).abs() => -(p * logits.log_softmax(-1)).sum()).abs()
# %% wrong="ranks as ids of a mass" says="taken for ids"
#~ keep[order] => keep[:]
# %% wrong="above the entropy alone" says="on either side"
#~ .abs().argsort() => .clamp(min=0).argsort(stable=True)
# %% wrong="probabilities beside e^-H" says="e to the minus entropy"
#~ (-logits.log_softmax(-1) - entropy(logits)).abs().argsort() => (logits.softmax(-1) - torch.exp(-entropy(logits))).abs().argsort()
# %% right="a threshold on the distance"
def keep_typical(logits, mass):
    log_p = torch.log_softmax(logits, dim=0)
    far = torch.abs(log_p + entropy(logits))
    sorted_far, order = torch.sort(far)
    before = torch.exp(log_p)[order].cumsum(0) - torch.exp(log_p)[order]
    limit = sorted_far[before < mass].max()
    return logits.masked_fill(far > limit, -math.inf)
# %% right="in numpy"
def keep_typical(logits, mass):
    p = logits.double().softmax(-1).numpy()
    log_p = np.log(np.where(p > 0, p, 1.0))
    far = np.where(p > 0, np.abs(-log_p + (p * log_p).sum()), np.inf)
    order = np.argsort(far, kind="stable")
    count = 1 + int((np.cumsum(p[order]) < mass).sum())
    out = torch.full_like(logits, -math.inf)
    out[order[:count].copy()] = logits[order[:count].copy()]
    return out
