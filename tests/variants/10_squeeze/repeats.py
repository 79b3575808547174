# %% wrong="whole exponent" says="not taken off the exponent"
#~ -= multiplier * base ** (n - allowed) => -= multiplier * base**n
# %% wrong="linear" says="grows as a product"
#~ -= multiplier * base ** (n - allowed) => -= multiplier * base * (n - allowed)
# %% wrong="last place" says="the longest match is asked for"
#~ max(n, longest.get(ids[i], 0)) => n
# %% wrong="longer than allowed" says="just the allowed length"
#~ if n >= allowed => if n > allowed
# %% wrong="no overlap" says="may overlap"
#~ while n < i and => while n < min(i, len(ids) - i) and
# %% wrong="token counts" says="too long"
#~         n = 0 =>         n = 1
#~ while n < i and ids[i - 1 - n] == ids[-1 - n] => while n <= i and ids[i - n] == ids[-n]
# %% wrong="added" says="it is subtracted"
#~ out[token] -= => out[token] +=
# %% wrong="all go" says="the least likely of those that reach"
#~ goes[torch.where(goes, p, torch.inf).argmin()] = False => pass
# %% wrong="no guard" says="guarded token was removed"
#~ if goes[guarded].any(): => if False:
# %% wrong="the likeliest stays" says="the least likely stays"
#~ torch.where(goes, p, torch.inf).argmin() => p.argmax()
# %% wrong="relative threshold" says="share of the largest"
#~ goes = p >= threshold => goes = p >= threshold * p.max()
# %% wrong="all kept for one that would stay" says="would stay: then the others go"
#~ if goes[guarded].any(): => if (p >= threshold)[guarded].any():
# %% wrong="place 1 left out" says="the token at place 1 counts"
#~ range(1, len(ids)) => range(2, len(ids))
# %% wrong="any guarded token" says="any guarded token stops all"
#~ if goes[guarded].any(): => if guarded:
# %% wrong="added up" says="were added up"
def dry(logits, ids, multiplier, base, allowed):
    out = logits.clone()
    for i in range(1, len(ids)):
        n = 0
        while n < i and ids[i - 1 - n] == ids[-1 - n]:
            n += 1
        if n >= allowed:
            out[ids[i]] -= multiplier * base ** (n - allowed)
    return out
# %% right="suffixes"
def dry(logits, ids, multiplier, base, allowed):
    out, backwards = logits.tolist(), ids[::-1]
    best = [0] * len(out)
    for i in range(1, len(ids)):
        before = ids[:i][::-1]
        same = [a == b for a, b in zip(before, backwards)] + [False]
        best[ids[i]] = max(best[ids[i]], same.index(False))
    for token, n in enumerate(best):
        out[token] -= multiplier * base ** (n - allowed) if n >= allowed else 0.0
    return torch.tensor(out, dtype=logits.dtype)
# %% right="sorted"
def xtc(logits, threshold, guarded):
    p, order = logits.softmax(dim=0).sort(descending=True)
    goes = order[:-1][p[1:] >= threshold].tolist()
    out = logits.clone()
    if not set(goes) & set(guarded):
        out[goes] = -math.inf
    return out
# %% wrong="at most ten" says="is capped" clause="The two runs may overlap, and n is not capped."
#~ max(n, longest.get => max(min(n, 10), longest.get
# %% wrong="all of the guarded" says="then nothing may go" clause="If one of the `guarded` ids (there may be none) would be removed, all stay as they are."
#~ if goes[guarded].any(): => if guarded and goes[guarded].all():
# %% wrong="the very object" says="`is` asks"
#~ ids[i - 1 - n] == ids => ids[i - 1 - n] is ids
# %% wrong="the last token pays" says="the one that followed it before"
#~ longest[ids[i]] = max(n, longest.get(ids[i], 0)) => longest[ids[-1]] = max(n, longest.get(ids[-1], 0))
# %% wrong="the multiplier inside the power" says="the multiplier is outside the power"
def dry(logits: Tensor, ids: list[int], multiplier: float, base: float, allowed: int) -> Tensor:
    longest = {}
    for i in range(1, len(ids)):
        n = 0
        while n < i and ids[i - 1 - n] == ids[-1 - n]:
            n += 1
        longest[ids[i]] = max(longest.get(ids[i], 0), n)
    logits = logits.clone()
    for token, n in longest.items():
        if n >= allowed:
            logits[token] -= (multiplier * base) ** (n - allowed)
    return logits
# %% wrong="lengths added up" says="lengths of several places were added up"
def dry(logits: Tensor, ids: list[int], multiplier: float, base: float, allowed: int) -> Tensor:
    longest = {}
    for i in range(1, len(ids)):
        n = 0
        while n < i and ids[i - 1 - n] == ids[-1 - n]:
            n += 1
        if n >= allowed:
            longest[ids[i]] = longest.get(ids[i], 0) + n
    logits = logits.clone()
    for token, n in longest.items():
        if n >= allowed:
            logits[token] -= multiplier * base ** (n - allowed)
    return logits
# %% wrong="two or more that reach it all go" says="here all went"
def xtc(logits: Tensor, threshold: float, guarded: list[int]) -> Tensor:
    p = logits.softmax(-1)
    reach = (p >= threshold).nonzero()[:, 0].tolist()
    if len(reach) < 2:
        return logits.clone()
    gone = list(reach)
    if set(gone) & set(guarded):
        return logits.clone()
    out = logits.clone()
    out[gone] = -torch.inf
    return out
# %% wrong="the least likely of none" says="no token reaches the threshold" clause="The same holds where fewer"
def xtc(logits, threshold, guarded):
    p = logits.softmax(-1)
    over = (p >= threshold).nonzero()[:, 0]
    goes = set(over.tolist()) - {int(over[p[over].argmin(dim=0)])}
    if goes & set(guarded):
        return logits.clone()
    out = logits.clone()
    out[list(goes)] = -math.inf
    return out
# %% wrong="no lower bound" says="an index below 0" clause="find the longest run of tokens that ends just before it"
#~ while n < i and => while n < len(ids) and
