# %% wrong="top-p" says="as in top-p"
#~ (-logits.log_softmax(-1) - entropy(logits)).abs().argsort() => (-logits).argsort()
# %% wrong="without the one that crosses" says="belongs to it"
#~ p[order].cumsum(-1) - p[order] < mass => p[order].cumsum(-1) <= mass
# %% wrong="farthest first" says="farthest"
#~ .abs().argsort() => .abs().argsort(descending=True)
# %% wrong="bits and nats" says="take both in nats"
#~ entropy(logits)).abs() => entropy(logits) / math.log(2)).abs()
# %% wrong="zeros" says="minus infinity is asked for"
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
# %% wrong="only what is left makes the curve" says="here they were left out"
def keep_tail_free(logits, z):
    ids = (logits > -torch.inf).nonzero().flatten()
    p, ranks = logits.softmax(-1)[ids].sort(descending=True)
    bend, order = p.diff().diff().abs(), ids[ranks]
    if not bend.sum() > 0:
        return logits.clone()
    out = torch.full_like(logits, -torch.inf)
    keep = torch.cat([order[:1], order[1:-1][(bend / bend.sum()).cumsum(-1) <= z]])
    out[keep] = logits[keep]
    return out
# %% wrong="first differences" says="first differences"
#~ bend = p.diff().diff().abs() => bend = p.diff().abs()
#~ removed[order[1:-1]] => removed[order[1:]]
# %% wrong="not sorted" says="sort the probabilities first"
#~ p, order = logits.softmax(-1).sort(descending=True) => p, order = logits.softmax(-1), torch.arange(len(logits))
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
# %% wrong="the sum before" says="the sum with its own d"
#~ (bend / bend.sum()).cumsum(-1) > z => (bend / bend.sum()).cumsum(-1) - bend / bend.sum() >= z
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
# %% wrong="entropy by hand, nan" says="the entropy is nan where a token was removed"
#~ entropy(logits) => -(logits.softmax(-1) * logits.log_softmax(-1)).sum()
# %% wrong="an entropy that is nan" says="0 times the logarithm" clause="Some tokens may already be removed; they stay removed."
#~ entropy(logits)).abs() => -(p * logits.log_softmax(-1)).sum()).abs()
# %% wrong="a curve without the removed" says="with the probability 0" clause="has the probability 0 in the curve, and stays removed."
def keep_tail_free(logits, z):
    left = logits > -torch.inf
    p, order = logits[left].softmax(-1).sort(descending=True)
    bend = p.diff().diff().abs()
    goes = torch.ones_like(p, dtype=torch.bool)
    goes[order[0]] = False
    goes[order[1:-1]] = (bend / bend.sum()).cumsum(-1) > z
    return logits.masked_scatter(left, logits[left].masked_fill(goes & (bend.sum() > 0), -torch.inf))
# %% wrong="ranks as ids of a mass" says="taken for ids"
#~ keep[order] => keep[:]
# %% wrong="above the entropy alone" says="on either side"
#~ .abs().argsort() => .clamp(min=0).argsort(stable=True)
# %% wrong="probabilities beside e^-H" says="e to the minus entropy"
#~ (-logits.log_softmax(-1) - entropy(logits)).abs().argsort() => (logits.softmax(-1) - torch.exp(-entropy(logits))).abs().argsort()
# %% wrong="squares of the bends" says="their sizes are asked for"
#~ p.diff().diff().abs() => p.diff().diff().square()
# %% wrong="bends below 0 left out" says="here one below 0 counts as none"
#~ p.diff().diff().abs() => p.diff().diff().clamp(min=0)
# %% wrong="sorted by surprise, not by distance" says="the likeliest come first here"
def keep_typical(logits, mass):
    logp = logits.log_softmax(-1)
    order = (-logp).argsort(stable=True)
    p = logp.exp()[order]
    gone = torch.ones_like(logits, dtype=torch.bool)
    gone[order] = p.cumsum(-1) - p >= mass
    return logits.masked_fill(gone, -torch.inf)
# %% base="a list of ranks"
def keep_tail_free(logits, z):
    p, order = logits.softmax(-1).sort(descending=True)
    d = (p[:-2] - 2 * p[1:-1] + p[2:]).abs()
    if len(p) < 3 or d.sum() == 0:
        return logits.clone()
    stays = torch.cat([torch.tensor([True]), d.cumsum(-1) / d.sum() <= z, torch.tensor([False])])
    kept = torch.zeros_like(stays)
    kept[order] = stays
    return logits.masked_fill(~kept, -torch.inf)
# %% wrong="each sum for its own rank" says="none judges rank 0" of="a list of ranks"
#~ torch.cat([torch.tensor([True]), d.cumsum(-1) / d.sum() <= z, torch.tensor([False])]) => torch.cat([d.cumsum(-1) / d.sum() <= z, torch.tensor([False, False])])
# %% wrong="the slope behind the first step" says="without the first of them" of="a list of ranks"
#~ (p[:-2] - 2 * p[1:-1] + p[2:]).abs() => (p[1:-1] - p[2:]).abs()
# %% wrong="0 / 0 where nothing bends" says="where nothing bends, 0 / 0" clause="with no bend at all (every d is 0), all stay" of="a list of ranks"
#~ if len(p) < 3 or d.sum() == 0: => if len(p) < 3:
# %% wrong="a distance with its sign" says="a distance with its sign"
#~ (-logits.log_softmax(-1) - entropy(logits)).abs().argsort() => (-logits.log_softmax(-1) - entropy(logits)).argsort()
# %% wrong="the slope before the last step" says="without the last of them" of="a list of ranks"
#~ (p[:-2] - 2 * p[1:-1] + p[2:]).abs() => (p[:-2] - p[1:-1]).abs()
# %% wrong="two tokens, one slope" says="with fewer than three tokens nothing can bend" of="a list of ranks"
#~ d = (p[:-2] - 2 * p[1:-1] + p[2:]).abs() => d = (p[:-1] - p[1:]).abs()
#~ if len(p) < 3 or d.sum() == 0: => if d.sum() == 0:
#~ torch.cat([torch.tensor([True]), d.cumsum(-1) / d.sum() <= z, torch.tensor([False])]) => torch.cat([torch.tensor([True]), d.cumsum(-1) / d.sum() <= z])
# %% wrong="fewer than three left" says="removed tokens count, too, when" clause="(V < 3, removed ones included)" of="a list of ranks"
#~ if len(p) < 3 or d.sum() == 0: => if (p > 0).sum() < 3 or d.sum() == 0:
# %% wrong="the very logits" says="return new ones" clause="Return new logits (V,) without the tail"
#~ return logits.clone() => return logits
