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
# %% wrong="one rank early" says="one rank too early"
#~ removed[order[1:-1]] = => removed[order[:-2]] =
# %% wrong="not divided" says="not divided by their sum"
#~ bend / bend.sum() => bend
# %% wrong="signs" says="not its sign"
#~ p.diff().diff().abs() => p.diff().diff()
# %% wrong="ranks as ids" says="taken for ids"
#~ removed[order[1:-1]] => removed[1:-1]
#~ removed[order[0]] => removed[0]
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
# %% right="through a mask of ranks"
def keep_tail_free(logits, z):
    ranked, order = torch.sort(logits, descending=True)
    p = ranked.softmax(-1)
    if len(p) < 3:
        return 1 * logits
    d = (p[:-2] - 2 * p[1:-1] + p[2:]).abs()
    if (d == 0).all():
        return 1 * logits
    edge = torch.zeros(1, dtype=torch.bool)
    gone = torch.cat([edge, d.cumsum(0) / d.sum() > z, ~edge])
    out = torch.empty_like(logits)
    out[order] = ranked.masked_fill(gone, -math.inf)
    return out
