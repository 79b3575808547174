# %% right="loops"
def keep_min_p(logits, min_p):
    chances = logits.double().softmax(-1).tolist()
    return [v if c >= min_p * max(chances) else float("-inf") for v, c in zip(logits.tolist(), chances)]
# %% wrong="min_p alone" says="times" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities >= min_p, logits, -torch.inf)
# %% wrong="min-p by logits" says="probabilities"
def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(logits >= min_p * logits.max(), logits, -torch.inf)
# %% wrong="the likeliest minus min_p" says="times" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities >= probabilities.max() - min_p, logits, -torch.inf)
# %% right="by thresholds, doubles inside"
def keep_min_p(logits, min_p):
    if min_p <= 0:
        return logits.clone()
    return logits.masked_fill(logits - logits.max() < math.log(min_p), float("-inf"))
# %% wrong="min-p the other way" says="below the threshold were kept" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities <= min_p * probabilities.max(), logits, -torch.inf)
# %% wrong="the first token for the likeliest" says="likeliest" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities >= min_p * probabilities[0], logits, -torch.inf)
# %% wrong="min-p returns probabilities" says="return logits" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities >= min_p * probabilities.max(), probabilities, 0.0)
# %% wrong="min-p of the least likely" says="smallest probability" of="min-p log2"
#~ return torch.where(logits >= logits.max() + math.log2(min_p), logits, -torch.inf) => return torch.where(chances >= min_p * chances.min(), logits, -torch.inf)
# %% wrong="min-p log2" says="base 2"
def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(logits >= logits.max() + math.log2(min_p), logits, -torch.inf)
# %% wrong="min-p without softmax: exp of logits against 1" says="exponentials"
def keep_min_p(logits, min_p):
    chances = logits.exp()
    return torch.where(chances >= min_p, logits, -torch.inf)
# %% right="topk and scatter, logs"
def keep_min_p(logits, min_p):
    return logits.masked_fill(logits < logits.max() + math.log(min_p), float("-inf"))
# %% right="numpy, float64"
def keep_min_p(logits, min_p):
    ratio = (logits - logits.max()).exp()
    return torch.where(ratio >= min_p, logits, torch.tensor(-torch.inf, dtype=logits.dtype))
# %% right="as in transformers: ascending"
def keep_min_p(logits, min_p):
    probs = torch.softmax(logits, dim=-1)
    top, _ = probs.max(dim=-1, keepdim=True)
    return logits.masked_fill(probs < min_p * top, -torch.inf)
# %% wrong="negative logits are divided" says="negative logits were divided" of="presence for each occurrence"
#-         out[i] = out[i] / repetition if out[i] > 0 else out[i] * repetition
#-         out[i] -= (frequency + presence) * generated.count(i)
#+         out[i] = out[i] / repetition - frequency * generated.count(i) - presence
# %% wrong="presence for each occurrence" says="the presence penalty counts once"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for i in set(generated):
        out[i] = out[i] / repetition if out[i] > 0 else out[i] * repetition
        out[i] -= (frequency + presence) * generated.count(i)
    return out
# %% wrong="changes its argument" says="in place"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    for i in set(generated):
        logits[i] = logits[i] / repetition if logits[i] > 0 else logits[i] * repetition
        logits[i] -= frequency * generated.count(i) + presence
    return logits
# %% right="a loop over a Counter"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    from collections import Counter
    out = logits.tolist()
    for i, n in Counter(generated).items():
        out[i] = (out[i] / repetition if out[i] >= 0 else out[i] * repetition) - n * frequency - presence
    return torch.tensor(out)
# %% wrong="positive logits multiplied" says="positive" of="once for each occurrence"
#~ softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts) => softer = torch.where(logits > 0, logits * repetition, logits / repetition)
# %% wrong="once for each occurrence" says="once"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts)
    return torch.where(seen, softer - frequency * counts - presence, logits)
# %% wrong="all tokens" says="all tokens were penalised" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return softer - frequency * counts - presence
# %% wrong="presence for all tokens" says="by the presence penalty"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated, dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts, logits) - presence
# %% wrong="frequency once" says="counts each occurrence" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - frequency - presence, logits)
# %% wrong="frequency is ignored" says="frequency" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - presence, logits)
# %% wrong="presence is ignored" says="presence" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - frequency * counts, logits)
# %% wrong="repetition is ignored" says="repetition" of="once for each occurrence"
#~ softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts) => softer = logits
# %% wrong="frequency added" says="subtracted, not added" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer + frequency * counts - presence, logits)
# %% wrong="presence added" says="subtracted, not added" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - frequency * counts + presence, logits)
# %% wrong="repetition last" says="come after the repetition" of="once for each occurrence"
#-     softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts)
#-     return torch.where(seen, softer - frequency * counts - presence, logits)
#+     x = logits - frequency * counts - presence
#+     x = torch.where(x > 0, x / repetition, x * repetition)
#+     return torch.where(seen, x, logits)
# %% wrong="relative frequency" says="share of all tokens" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - frequency * counts / max(len(generated), 1) - presence, logits)
# %% wrong="subtracted" says="was subtracted" of="once for each occurrence"
#~ softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts) => softer = logits - repetition
# %% wrong="only the last token" says="last" of="the first is left out"
#~ ids = torch.tensor(generated[1:], dtype=torch.long) => ids = torch.tensor(generated[-1:], dtype=torch.long)
# %% wrong="the first is left out" says="first"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    ids = torch.tensor(generated[1:], dtype=torch.long)
    counts = torch.bincount(ids, minlength=len(logits))
    seen = counts > 0
    softer = torch.where(logits > 0, logits / repetition, logits * repetition)
    return torch.where(seen, softer - frequency * counts - presence, logits)
# %% wrong="logs instead of counts" says="logarithm of the count" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - frequency * torch.log1p(counts) - presence, logits)
# %% wrong="fails on an empty list" says="nothing was generated yet" of="the first is left out"
#~ ids = torch.tensor(generated[1:], dtype=torch.long) => ids = torch.tensor(generated)
# %% wrong="no return" says="is there a return" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => x = torch.where(seen, softer - frequency * counts - presence, logits)
# %% wrong="multiplied everywhere where seen" says="positive logits were multiplied" of="once for each occurrence"
#~ softer = torch.where(logits > 0, logits / repetition**counts, logits * repetition**counts) => softer = logits * repetition
# %% wrong="frequency and presence exchanged" says="exchanged" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - presence * counts - frequency, logits)
# %% wrong="one occurrence is free" says="first occurrence counts" of="presence for all tokens"
#~ return torch.where(seen, softer - frequency * counts, logits) - presence => return torch.where(seen, softer - frequency * (counts - 1) - presence, logits)
# %% right="a loop over the set" of="presence for each occurrence"
#-         out[i] = out[i] / repetition if out[i] > 0 else out[i] * repetition
#-         out[i] -= (frequency + presence) * generated.count(i)
#+         value = out[i] / repetition if out[i] > 0 else out[i] * repetition
#+         out[i] = value - generated.count(i) * frequency - presence
# %% right="one-hot counts, powers"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    n = torch.zeros(len(logits), dtype=torch.float64)
    for i in generated:
        n[i] += 1
    there = (n > 0).double()
    factor = torch.full_like(n, repetition) ** (-torch.sign(logits.double()) * there)
    return (logits.double() * factor - n * frequency - there * presence).to(logits.dtype)
# %% wrong="presence first" says="presence penalty comes after" of="presence only when repeated"
#-         if out[token] > 0:
#+         out[token] -= presence
#+         if out[token] > 0:
#-         if generated.count(token) > 1:
#-             out[token] -= presence
# %% wrong="repetition on probabilities" says="softmax was taken first" of="log-probabilities"
#~ out = logits.log_softmax(-1) => out = logits.softmax(-1)
# %% wrong="log-probabilities" says="log-softmax"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.log_softmax(-1)
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
        out[token] -= presence
    return out
# %% wrong="last token forgotten" says="last of the generated" of="log-probabilities"
#-     out = logits.log_softmax(-1)
#+     generated = generated[:-1]
#+     out = logits.clone()
# %% wrong="each occurrence" says="once for each occurrence" of="log-probabilities"
#-     out = logits.log_softmax(-1)
#-     for token in set(generated):
#+     out = logits.clone()
#+     for token in generated:
#-         out[token] -= frequency * generated.count(token)
#+         out[token] -= frequency
#+     for token in set(generated):
# %% wrong="presence only when repeated" says="first occurrence"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for token in set(generated):
        if out[token] > 0:
            out[token] = out[token] / repetition
        else:
            out[token] = out[token] * repetition
        out[token] -= frequency * generated.count(token)
        if generated.count(token) > 1:
            out[token] -= presence
    return out
# %% right="one-hot counts"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    if not generated:
        return logits.clone()
    counts = F.one_hot(torch.tensor(generated), len(logits)).sum(0).to(logits.dtype)
    seen = counts.clamp(max=1)
    factor = repetition ** (-seen * logits.sign())
    return logits * factor - frequency * counts - presence * seen
# %% right="numpy"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    z = logits.numpy().copy()
    ids, counts = np.unique(np.array(generated, dtype=int), return_counts=True)
    z[ids] = np.where(z[ids] > 0, z[ids] / repetition, z[ids] * repetition)
    z[ids] -= (frequency * counts + presence).astype(z.dtype)
    return torch.from_numpy(z)
# %% wrong="greedy" says="u is ignored" of="searchsorted"
#~ return torch.searchsorted(logits.double().softmax(-1).cumsum(-1), u, right=True) => return int(logits.argmax())
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
# %% wrong="searchsorted" says="this id does not exist"
def draw_token(logits, u):
    return torch.searchsorted(logits.double().softmax(-1).cumsum(-1), u, right=True)
# %% wrong="not less, but less or equal" says="greater" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => return min(int((sums < u).sum()), last)
# %% wrong="the id before" says="one"
def draw_token(logits, u):
    sums = logits.double().softmax(0).cumsum(0)
    last = int(torch.nonzero(logits > -torch.inf).max())
    return max(min(int((sums <= u).sum()), last) - 1, 0)
# %% wrong="the id behind" says="one" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => return min(int((sums <= u).sum()) + 1, last)
# %% wrong="from the other end" says="1 - u" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => return min(int((sums <= 1 - u).sum()), last)
# %% wrong="softmax forgotten" says="softmax" of="log-probabilities added"
#~ sums = logits.double().log_softmax(0).cumsum(0) => sums = logits.double().cumsum(0)
# %% wrong="log-probabilities added" says="probabilities"
def draw_token(logits, u):
    sums = logits.double().log_softmax(0).cumsum(0)
    last = int(torch.nonzero(logits > -torch.inf).max())
    return min(int((sums <= u).sum()), last)
# %% wrong="exp without dividing" says="not divided by their sum" of="log-probabilities added"
#~ sums = logits.double().log_softmax(0).cumsum(0) => sums = logits.double().exp().cumsum(0)
# %% wrong="probability greater than u" says="own probability" of="the id before"
#-     return max(min(int((sums <= u).sum()), last) - 1, 0)
#+     p = logits.double().softmax(0)
#+     return int((p > u).double().argmax())
# %% wrong="may run past the end" says="does not exist" of="may choose a removed token at the end"
#~ return min(int((sums <= u).sum()), len(logits) - 1) => return int((sums <= u).sum())
# %% wrong="may choose a removed token at the end" says="a token of probability 0 was drawn, at the end"
def draw_token(logits, u):
    sums = logits.softmax(0).cumsum(0)
    last = int(torch.nonzero(logits > -torch.inf).max())
    return min(int((sums <= u).sum()), len(logits) - 1)
# %% wrong="the nearest sum" says="nearest to u" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => return int((sums - u).abs().argmin())
# %% wrong="the sum, not the id" says="id" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => return sums[min(int((sums <= u).sum()), last)].item()
# %% wrong="all ids equally likely" says="probabilities" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => return min(int(u * len(logits)), last)
# %% wrong="no return (draw)" says="is there a return" of="the id before"
#~ return max(min(int((sums <= u).sum()), last) - 1, 0) => token = min(int((sums <= u).sum()), last)
# %% wrong="clamped to the last id" says="a token of probability 0 was drawn, at the end"
def draw_token(logits, u):
    sums = logits.softmax(-1).cumsum(-1)
    return min(int(torch.searchsorted(sums, torch.tensor(u), right=True)), len(logits) - 1)
# %% wrong="own chance: u is replaced" says="three hundred" of="searchsorted"
#~ return torch.searchsorted(logits.double().softmax(-1).cumsum(-1), u, right=True) => return int(torch.multinomial(logits.double().softmax(-1), 1, generator=torch.Generator().manual_seed(0)))
# %% wrong="removed tokens count as 1" says="a token of probability 0 was drawn"
def draw_token(logits, u):
    finite = torch.where(logits.isinf(), torch.zeros_like(logits), logits)
    sums = finite.double().softmax(-1).cumsum(-1)
    return int((sums / sums[-1] <= u).sum())
# %% right="a loop with a remainder" of="a loop"
#-     total, last = 0.0, 0
#-     for i, p in enumerate(logits.double().softmax(-1).tolist()):
#+     probabilities = logits.double().softmax(-1).tolist()
#+     last = max(i for i, p in enumerate(probabilities) if p > 0)
#+     total = 0.0
#+     for i, p in enumerate(probabilities):
#-         if p > 0:
#-             last = i
# %% right="argmax of a comparison, on the kept tokens"
def draw_token(logits, u):
    kept = torch.isfinite(logits).nonzero()[:, 0]
    weights = (logits[kept].double() - logits.max().double()).exp()
    sums = weights.cumsum(0)
    behind = sums > u * sums[-1]
    return kept[int(behind.int().argmax()) if behind.any() else -1]
# %% wrong="argmax of sums > u" says="argmax of nothing" of="u times V"
#-     return int(u * len(logits))
#+     sums = logits.softmax(-1).cumsum(-1)
#+     return int((sums > u).int().argmax())
# %% wrong="logits without the removed: index shifted" says="among the tokens that are left" of="u times V"
#-     sums = logits.double().softmax(-1).cumsum(-1)
#+     logits = logits[logits > -torch.inf]
#+     sums = logits.double().softmax(-1).cumsum(-1)
#~ return int(u * len(logits)) => return int((sums <= u).sum())
# %% wrong="u times V" says="share of the ids"
def draw_token(logits, u):
    sums = logits.double().softmax(-1).cumsum(-1)
    sums = sums / sums[-1]
    return int(u * len(logits))
# %% wrong="first probability above u" says="own probability"
def draw_token(logits, u):
    p = logits.softmax(-1)
    for i in range(len(p)):
        if p[i] > u:
            return i
    return len(p) - 1
# %% right="float32 sums divided by the last" of="clamped to the last id"
#-     return min(int(torch.searchsorted(sums, torch.tensor(u), right=True)), len(logits) - 1)
#+     sums = sums / sums[-1]
#+     for i in range(len(sums)):
#+         if sums[i] > u:
#+             return i
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
# %% wrong="min-p is never above 0.95" says="a large min_p"
#~ probabilities >= min_p * => probabilities >= min(min_p, 0.95) *
# %% wrong="only the last 64 tokens count" says="a long text"
#~ torch.tensor(generated, dtype=torch.long) => torch.tensor(generated[-64:], dtype=torch.long)
# %% wrong="min_p in float32" says="narrower dtype"
#~ probabilities >= min_p * probabilities.max(), logits, => probabilities >= min_p * probabilities.max(), logits.float(),
# %% right="searched in the sums, the last possible at most"
def draw_token(logits, u):
    p = logits.double().softmax(-1)
    sums = p.cumsum(-1)
    place = int(torch.searchsorted(sums, torch.tensor(u, dtype=torch.float64), right=True))
    return min(place, int(p.nonzero().max()))
# %% wrong="repetition and frequency by turns" says="by turns with frequency" of="all three penalties in one loop"
#-         out[i] = (out[i] / repetition if out[i] > 0 else out[i] * repetition) - frequency - presence
#+         out[i] = out[i] / repetition if out[i] > 0 else out[i] * repetition
#+         out[i] -= frequency
#+     for i in set(generated):
#+         out[i] -= presence
# %% wrong="all three penalties in one loop" says="by turns with frequency"
def penalise(logits, generated, repetition=1.0, frequency=0.0, presence=0.0):
    out = logits.clone()
    for i in generated:
        out[i] = (out[i] / repetition if out[i] > 0 else out[i] * repetition) - frequency - presence
    return out
# %% wrong="a loop that ends without a return" says="the loop ends without a return"
#-     sums = logits.double().softmax(-1).cumsum(-1)
#-     return int((sums / sums[-1] <= u).sum())
#+     total = 0.0
#+     for i, p in enumerate(logits.softmax(-1).tolist()):
#+         total += p
#+         if u < total:
#+             return i
# %% wrong="next finds nothing" says="next finds nothing"
#-     sums = logits.double().softmax(-1).cumsum(-1)
#-     return int((sums / sums[-1] <= u).sum())
#+     return next(i for i, s in enumerate(logits.softmax(-1).cumsum(-1)) if u < s)
# %% wrong="the first of nothing" says="has no first item"
#-     sums = logits.double().softmax(-1).cumsum(-1)
#-     return int((sums / sums[-1] <= u).sum())
#+     return int((logits.softmax(-1).cumsum(-1) > u).nonzero()[0])
# %% wrong="probabilities of those who stay" says="the probabilities of those who stay" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities >= min_p * probabilities.max(), probabilities, -torch.inf)
# %% wrong="less the mean, which may be minus infinity" says="where a token was removed before" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => z = logits - logits.mean(); return logits.masked_fill(z < z.max() + math.log(min_p), -torch.inf)
# %% wrong="log-softmax, then the filter" says="log-softmax came first" of="min-p by logits"
#~ return torch.where(logits >= min_p * logits.max(), logits, -torch.inf) => return torch.where(probabilities >= min_p * probabilities.max(), logits.log_softmax(-1), -torch.inf)
# %% wrong="the last id where the sums end early, in doubles" says="at the end of the line" clause="the draw is the last token with a probability above 0."
def draw_token(logits, u):
    sums = logits.double().softmax(-1).cumsum(-1)
    for i in range(len(sums)):
        if sums[i] > u:
            return i
    return len(sums) - 1
# %% right="the last with a probability where the sums end early, in doubles"
def draw_token(logits, u):
    p = logits.double().softmax(-1)
    behind = (p.cumsum(-1) > u).nonzero()
    return int(behind[0] if len(behind) else p.nonzero()[-1])
# %% wrong="the first sum that reaches u, divided by the last" says="belongs to the next stretch"
def draw_token(logits, u):
    sums = logits.double().softmax(-1).cumsum(-1)
    return int(torch.searchsorted(sums / sums[-1], torch.tensor(float(u), dtype=torch.float64)))
# %% wrong="sorted first, sums divided by the last" says="the probabilities were sorted first"
def draw_token(logits, u):
    p, order = logits.double().softmax(-1).sort(descending=True, stable=True)
    sums = p.cumsum(-1)
    return int(order[(sums / sums[-1] > u).nonzero()[0]])
