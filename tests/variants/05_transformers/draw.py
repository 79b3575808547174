# %% base="the plain way"
def draw_token(logits, u):
    sums = logits.double().softmax(0).cumsum(0)
    last = int(torch.nonzero(logits > -torch.inf).max())
    return min(int((sums <= u).sum()), last)
# %% wrong="greedy" says="u is ignored" of="searchsorted"
#~ torch.searchsorted(logits.double().softmax(-1).cumsum(-1), u, right=True) => int(logits.argmax())
# %% wrong="sorted first" says="the probabilities were sorted first"
def draw_token(logits, u):
    s, order = logits.double().softmax(-1).sort(descending=True)
    return int(order[min(int((s.cumsum(-1) <= u).sum()), len(order) - 1)])
# %% right="a loop"
def draw_token(logits, u):
    total, last = 0.0, 0
    for i, p in enumerate(logits.double().softmax(-1).tolist()):
        total += p
        if p > 0:
            last = i
        if total > u:
            return i
    return last
# %% right="searchsorted"
def draw_token(logits, u):
    return torch.searchsorted(logits.double().softmax(-1).cumsum(-1), u, right=True)
# %% wrong="not less, but less or equal" says="greater" of="the plain way"
#~ <= => <
# %% wrong="the id before" says="one" of="the plain way"
#~ min(int((sums <= u).sum()), last) => max(min(int((sums <= u).sum()), last) - 1, 0)
# %% wrong="the id behind" says="one" of="the plain way"
#~ ((sums <= u).sum()) => ((sums <= u).sum()) + 1
# %% wrong="from the other end" says="from the last id on" of="the plain way"
#~ (sums <= u) => (sums <= 1 - u)
# %% wrong="softmax forgotten" says="softmax" of="the plain way"
#~ .softmax(0). => .
# %% wrong="log-probabilities added" says="probabilities" of="the plain way"
#~ softmax => log_softmax
# %% wrong="exp without dividing" says="not divided by their sum" of="the plain way"
#~ softmax(0) => exp()
# %% wrong="probability greater than u" says="own probability" of="the plain way"
#-     return min(int((sums <= u).sum()), last)
#+     p = logits.double().softmax(0)
#+     return int((p > u).double().argmax())
# %% wrong="may run past the end" says="does not exist" of="the plain way"
#~ .double(). => .
#~ min(int((sums <= u).sum()), last) => int((sums <= u).sum())
# %% wrong="may choose a removed token at the end" says="removed token was drawn" of="the plain way"
#~ .double(). => .
#~ (int((sums <= u).sum()), last) => (int((sums <= u).sum()), len(logits) - 1)
# %% wrong="the nearest sum" says="nearest to u" of="the plain way"
#~ min(int((sums <= u).sum()), last) => int((sums - u).abs().argmin())
# %% wrong="the sum, not the id" says="id" of="the plain way"
#~ min(int((sums <= u).sum()), last) => sums[min(int((sums <= u).sum()), last)].item()
# %% wrong="all ids equally likely" says="probabilities" of="the plain way"
#~ (sums <= u).sum() => u * len(logits)
# %% wrong="no return" says="is there a return" of="the plain way"
#~ return => token =
# %% wrong="clamped to the last id" says="removed token was drawn"
def draw_token(logits, u):
    sums = logits.softmax(-1).cumsum(-1)
    return min(int(torch.searchsorted(sums, torch.tensor(u), right=True)), len(logits) - 1)
# %% wrong="own chance: u is replaced" says="three hundred" of="searchsorted"
#~ torch.searchsorted(logits.double().softmax(-1).cumsum(-1), u, right=True) => int(torch.multinomial(logits.double().softmax(-1), 1, generator=torch.Generator().manual_seed(0)))
# %% wrong="left side of searchsorted, in double" says="greater"
def draw_token(logits, u):
    sums = logits.double().softmax(-1).cumsum(-1)
    sums = sums / sums[-1]
    return int(torch.searchsorted(sums, torch.tensor(u, dtype=torch.float64)))
# %% wrong="removed tokens count as 1" says="a removed token was drawn"
def draw_token(logits, u):
    finite = torch.where(logits.isinf(), torch.zeros_like(logits), logits)
    sums = finite.double().softmax(-1).cumsum(-1)
    return int((sums / sums[-1] <= u).sum())
# %% right="a loop with a remainder"
def draw_token(logits, u):
    probabilities = logits.double().softmax(-1).tolist()
    last = max(i for i, p in enumerate(probabilities) if p > 0)
    total = 0.0
    for i, p in enumerate(probabilities):
        total += p
        if total > u:
            return i
    return last
# %% right="argmax of a comparison, on the kept tokens"
def draw_token(logits, u):
    kept = torch.isfinite(logits).nonzero()[:, 0]
    weights = (logits[kept].double() - logits.max().double()).exp()
    sums = weights.cumsum(0)
    behind = sums > u * sums[-1]
    return kept[int(behind.int().argmax()) if behind.any() else -1]
# %% wrong="argmax of sums > u" says="argmax of nothing"
def draw_token(logits, u):
    sums = logits.double().softmax(-1).cumsum(-1)
    sums = sums / sums[-1]
    sums = logits.softmax(-1).cumsum(-1)
    return int((sums > u).int().argmax())
# %% wrong="logits without the removed: index shifted" says="among the tokens that are left"
def draw_token(logits, u):
    logits = logits[logits > -torch.inf]
    sums = logits.double().softmax(-1).cumsum(-1)
    sums = sums / sums[-1]
    return int((sums <= u).sum())
# %% wrong="returns the probability" says="the id is asked" of="left side of searchsorted, in double"
#~ int(torch.searchsorted(sums, torch.tensor(u, dtype=torch.float64))) => float(sums[int((sums <= u).sum())])
# %% wrong="u times V" says="share of the ids" of="left side of searchsorted, in double"
#~ torch.searchsorted(sums, torch.tensor(u, dtype=torch.float64)) => u * len(logits)
# %% wrong="first probability above u" says="own probability"
def draw_token(logits, u):
    p = logits.softmax(-1)
    for i in range(len(p)):
        if p[i] > u:
            return i
    return len(p) - 1
# %% right="float32 sums divided by the last"
def draw_token(logits, u):
    sums = logits.softmax(-1).cumsum(-1)
    sums = sums / sums[-1]
    for i in range(len(sums)):
        if sums[i] > u:
            return i
# %% right="float32, clamped to the last possible"
def draw_token(logits, u):
    p = logits.softmax(-1)
    index = int(torch.searchsorted(p.cumsum(0), u, right=True))
    last = int(p.nonzero().max())
    return min(index, last)
# %% right="searchsorted among those kept"
def draw_token(logits, u):
    kept = torch.nonzero(logits > -torch.inf).flatten()
    sums = torch.cumsum(torch.softmax(logits[kept], -1), -1)
    place = torch.searchsorted(sums, torch.tensor(u, dtype=sums.dtype), right=True)
    return kept[min(int(place), len(kept) - 1)]
