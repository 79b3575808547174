# %% base="the plain way"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
    p, order = torch.softmax(logits / temperature, 0).sort(descending=True, stable=True)
    if top_k is not None:
        p[top_k:] = 0
    p = p / p.sum()
    if top_p is not None:
        p[p.cumsum(0) - p >= top_p] = 0
    out = torch.zeros_like(p)
    out[order] = p / p.sum()
    return out
# %% wrong="times the temperature" says="divide by it"
#~ / temperature => * temperature
# %% wrong="one too early" says="one word too early"
#~ < top_p => + p <= top_p
# %% wrong="sorted" says="keep the order" of="another way, 1"
#-     p = p / p.sum()
#-     return torch.stack([p[(order == i).nonzero()[0, 0]] for i in range(len(p))])
#+     out = torch.zeros_like(p)
#+     return p / p.sum()
# %% right="another way, 1"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    ordered, order = torch.sort(logits, descending=True, stable=True)
    if temperature == 0:
        temperature, top_k = 1.0, 1
    p = torch.softmax(ordered / temperature, dim=-1)
    if top_k is not None:
        p = torch.where(torch.arange(len(p)) < top_k, p, torch.zeros_like(p))
        p = p / p.sum()
    if top_p is not None:
        before = torch.cumsum(p, dim=-1) - p
        kept = (before < top_p) | (torch.arange(len(p)) == 0)
        p = torch.where(kept, p, torch.zeros_like(p))
    p = p / p.sum()
    return torch.stack([p[(order == i).nonzero()[0, 0]] for i in range(len(p))])
# %% right="another way, 2" of="another way, 1"
#-     ordered, order = torch.sort(logits, descending=True, stable=True)
#+     order = torch.tensor(sorted(range(len(logits)), key=lambda i: -float(logits[i])))
#+     ordered = logits[order]
#-     p = p / p.sum()
#-     return torch.stack([p[(order == i).nonzero()[0, 0]] for i in range(len(p))])
#+     out = torch.zeros_like(p)
#+     out[order] = p / p.sum()
#+     return out
# %% wrong="the temperature of probabilities" says="not the probabilities" of="the plain way"
#~ (logits / temperature, 0) => (torch.softmax(logits, 0) / temperature, 0)
# %% wrong="the temperature is ignored" says="temperature" of="the plain way"
#~ logits / temperature => logits
# %% wrong="temperature 0 is not greedy" says="greedy" of="the plain way"
#-     if temperature == 0:
#-         return F.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
# %% wrong="temperature 0 takes the last of equals" says="first" of="the plain way"
#~ (logits.argmax(), len(logits)) => (len(logits) - 1 - logits.flip(0).argmax(), len(logits))
# %% wrong="temperature 0 shares among equals" says="greedy takes one word" of="the plain way"
#-         return F.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
#+         best = (logits == logits.max()).to(logits.dtype)
#+         return best / best.sum()
# %% wrong="not scaled between the filters" says="unscaled" of="the plain way"
#-     p = p / p.sum()
# %% wrong="not scaled at the end" says="not scaled to a sum" of="the plain way"
#-     p = p / p.sum()
#~ [p.cumsum(0) - p >= top_p] => [p.cumsum(0) - p >= top_p * p.sum()]
#~ [order] = p / p.sum() => [order] = p
# %% wrong="sorted order comes back" says="order of the vocabulary" of="the plain way"
#-     out = torch.zeros_like(p)
#-     out[order] = p / p.sum()
#-     return out
#+     return p / p.sum()
# %% wrong="put back by the wrong permutation" says="wrong places" of="the plain way"
#-     out = torch.zeros_like(p)
#-     out[order] = p / p.sum()
#-     return out
#+     return (p / p.sum())[order]
# %% wrong="top-p: nothing stays when the first is above p" says="at least one" of="the plain way"
#~ - p >= top_p => > top_p
# %% wrong="top-p: one too many where the sum is just p" says="one word too many" of="the plain way"
#~ >= top_p => > top_p
# %% wrong="top-p as a threshold (min-p)" says="bound on each" of="the plain way"
#~ [p.cumsum(0) - p >= top_p] => [1:][p[1:] < top_p]
# %% wrong="top-k keeps all that tie" says="exactly k" of="the plain way"
#~ p, order = torch.softmax(logits / temperature, 0).sort(descending=True, stable=True) => p = torch.softmax(logits / temperature, 0)
#~ top_k: => p < p.topk(min(top_k, len(p))).values[-1]
#~ p = p / p.sum() => p, order = (p / p.sum()).sort(descending=True, stable=True)
# %% wrong="the later of equals stays" says="earlier" of="the plain way"
#~ (logits / temperature, 0) => (logits.flip(0) / temperature, 0)
#~ return out => return out.flip(0)
# %% wrong="k above the vocabulary raises" says="larger than the vocabulary" of="the plain way"
#-         return F.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
#+         return F.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
#+     if top_k is not None and top_k > len(logits):
#+         raise ValueError("top_k")
# %% wrong="k + 1 stay" says="kept one word too many" of="the plain way"
#~ [top_k:] => [top_k + 1 :]
# %% wrong="the k smallest" says="largest" of="the plain way"
#~ (descending=True, stable=True) => (stable=True)
# %% wrong="filtered logits become 0, not -inf" says="a logit of 0" of="the plain way"
#~ p, order = torch.softmax(logits / temperature, 0) => z, order = (logits / temperature)
#~ p[top_k:] => z[top_k:]
#~ p = p / p.sum() => p = torch.softmax(z, 0)
# %% wrong="top-p is ignored" says="top_p was ignored" of="the plain way"
#-     p = p / p.sum()
#-     if top_p is not None:
#-         p[p.cumsum(0) - p >= top_p] = 0
# %% wrong="top-k is ignored" says="top_k was ignored" of="the plain way"
#-     if top_k is not None:
#-         p[top_k:] = 0
#-     p = p / p.sum()
# %% wrong="overflow" says="NaN" of="the plain way"
#-     p, order = torch.softmax(logits / temperature, 0).sort(descending=True, stable=True)
#+     e = torch.exp(logits / temperature)
#+     p, order = (e / e.sum()).sort(descending=True, stable=True)
# %% wrong="in place" says="changed" of="the plain way"
#-     p, order = torch.softmax(logits / temperature, 0).sort(descending=True, stable=True)
#+     logits /= temperature
#+     p, order = torch.softmax(logits, 0).sort(descending=True, stable=True)
# %% wrong="a word is drawn" says="two equal calls give different answers"
draws = torch.Generator().manual_seed(0)
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return logits.argmax()
    p, order = torch.softmax(logits / temperature, 0).sort(descending=True, stable=True)
    if top_k is not None:
        p[top_k:] = 0
    p = p / p.sum()
    if top_p is not None:
        p[p.cumsum(0) - p >= top_p] = 0
    return order[torch.multinomial(p, 1, generator=draws)]
# %% wrong="temperature 0 gives the number of the word" says="number of the word" of="the plain way"
#~ F.one_hot(logits.argmax(), len(logits)).to(logits.dtype) => logits.argmax()
# %% right="a loop, in lists"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits.tolist()
    if temperature == 0:
        best = z.index(max(z))
        return [float(j == best) for j in range(len(z))]
    order = sorted(range(len(z)), key=lambda j: (-z[j], j))
    order = order if top_k is None else order[:top_k]
    weight = {j: math.exp((z[j] - max(z)) / temperature) for j in order}
    total, kept, reached = sum(weight.values()), [], 0.0
    for j in order:
        kept.append(j)
        reached += weight[j] / total
        if top_p is not None and reached >= top_p - 1e-9:
            break
    scale = sum(weight[j] for j in kept)
    return torch.tensor([weight[j] / scale if j in kept else 0.0 for j in range(len(z))])
# %% right="masks on the logits"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return torch.eye(len(logits))[int(logits.argmax())]
    z = logits.clone() / temperature
    order = torch.argsort(z, descending=True, stable=True)
    if top_k is not None:
        z[order[top_k:]] = -torch.inf
    if top_p is not None:
        p = z.softmax(0)[order]
        before = torch.cat([torch.zeros(1), p.cumsum(0)[:-1]])
        gone = before >= top_p
        gone[0] = False
        z[order[gone]] = -torch.inf
    return z.softmax(0)
# %% right="NumPy"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits.double().numpy()
    out = np.zeros(len(z))
    if temperature == 0:
        out[z.argmax()] = 1
        return torch.from_numpy(out)
    order = np.argsort(-z, kind="stable")[:top_k]
    p = np.exp((z[order] - z.max()) / temperature)
    p = p / p.sum()
    if top_p is not None:
        count = max(int(np.searchsorted(np.cumsum(p), top_p - 1e-9)) + 1, 1)
        p, order = p[:count], order[:count]
    out[order] = p / p.sum()
    return torch.tensor(out)
# %% right="unseen, right 1"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    V = len(logits)
    if temperature == 0:
        return F.one_hot(logits.argmax(), V).to(logits.dtype)
    order = sorted(range(V), key=lambda i: (-logits[i].item(), i))
    if top_k is not None:
        order = order[:top_k]
    p = torch.softmax(logits.double() / temperature, 0)
    total = sum(p[i] for i in order)
    kept, mass = [], 0.0
    for i in order:
        if top_p is not None and mass >= top_p:
            break
        kept.append(i)
        mass += (p[i] / total).item()
    out = torch.zeros(V, dtype=torch.double)
    out[kept] = p[kept] / p[kept].sum()
    return out
# %% wrong="ties at top-k kept" says="top-k kept every word as large as the k-th: exactly k stay" of="filters in greedy"
#-         temperature = 1.0
#-         top_k = 1
#+         out = torch.zeros_like(logits)
#+         out[logits.argmax()] = 1
#+         return out
#~ top_k: => values < values[min(top_k, len(values)) - 1]
# %% wrong="top_k beyond V fails" says="k may be larger than the vocabulary: all words stay then" of="filters in greedy"
#-         temperature = 1.0
#-         top_k = 1
#+         out = torch.zeros_like(logits)
#+         out[logits.argmax()] = 1
#+         return out
#~ top_k: => values < torch.topk(values, top_k).values[-1]
# %% wrong="more than p" says="top-p kept one word too many: the fewest words whose sum" of="filters in greedy"
#-         temperature = 1.0
#-         top_k = 1
#+         out = torch.zeros_like(logits)
#+         out[logits.argmax()] = 1
#+         return out
#~ >= top_p => > top_p
# %% wrong="later of equals" says="a word of equal weight at the border: the earlier in the" of="filters in greedy"
#-         temperature = 1.0
#-         top_k = 1
#+         out = torch.zeros_like(logits)
#+         out[logits.argmax()] = 1
#+         return out
#~ torch.sort(p, descending=True, stable=True) => (lambda s: (s.values.flip(0), s.indices.flip(0)))(torch.sort(p, stable=True))
# %% wrong="top_p ignored with top_k" says="where top_k is given" of="filters in greedy"
#-         temperature = 1.0
#-         top_k = 1
#+         out = torch.zeros_like(logits)
#+         out[logits.argmax()] = 1
#+         return out
#~ top_p is not None: => top_p is not None and top_k is None:
# %% right="filters in greedy"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        temperature = 1.0
        top_k = 1
    p = torch.softmax(logits / temperature, 0)
    values, order = torch.sort(p, descending=True, stable=True)
    if top_k is not None:
        values[top_k:] = 0
        values = values / values.sum()
    if top_p is not None:
        before = values.cumsum(0) - values
        values[before >= top_p] = 0
        values = values / values.sum()
    out = torch.zeros_like(p)
    out[order] = values
    return out
# %% right="a loop, minus infinity by leaving out"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    n = len(logits)
    if temperature == 0:
        return torch.eye(n)[int(logits.argmax())]
    z = logits / temperature
    order = sorted(range(n), key=lambda j: (-float(z[j]), j))[:top_k]
    p = torch.softmax(z[order], 0)
    if top_p is not None:
        total, m = 0.0, 0
        while m < len(order) and (m == 0 or total < top_p):
            total, m = total + float(p[m]), m + 1
        order, p = order[:m], p[:m]
    out = torch.zeros(n)
    out[order] = (p / p.sum()).float()
    return out
# %% wrong="a top-p of 0.9 and more is ignored" says="a p near 1 is a filter"
#~ if top_p is not None: => if top_p is not None and top_p < 0.9:
# %% wrong="a 1 for each of the equal ones" says="each of the equal ones got 1"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        return (logits == logits.max()).to(logits.dtype)
    p = (logits / temperature).softmax(0)
    s, order = torch.sort(p, descending=True, stable=True)
    if top_k is not None:
        s[top_k:] = 0
        s = s / s.sum()
    if top_p is not None:
        s = torch.where(s.cumsum(0) - s < top_p, s, 0)
    p = torch.zeros_like(p); p[order] = s / s.sum()
    return p
# %% wrong="filters at temperature 0" clause="whatever the filters say" says="whatever the filters say"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0 and top_k is None and top_p is None:
        out = torch.zeros_like(logits); out[torch.argmax(logits)] = 1; return out
    temperature = temperature or 1.0
    p, o = torch.sort((logits / temperature).softmax(0), descending=True, stable=True)
    if top_k is not None: p[top_k:] = 0; p = p / p.sum()
    if top_p is not None: p[(p.cumsum(0) - p) >= top_p] = 0; p = p / p.sum()
    out = torch.zeros_like(p); out[o] = p; return out
# %% wrong="all of equal weight stay" clause="Of equal words at a" says="exactly k stay"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        out = torch.zeros_like(logits); out[torch.argmax(logits)] = 1; return out
    if top_k is not None: logits = torch.where(logits < torch.topk(logits, min(top_k, len(logits))).values[-1], -math.inf, logits)
    p, o = torch.sort((logits / temperature).softmax(0), descending=True, stable=True)
    if top_p is not None: p[(p.cumsum(0) - p) >= top_p] = 0; p = p / p.sum()
    out = torch.zeros_like(p); out[o] = p; return out
# %% wrong="one more at a sum of p" clause="keep the *fewest* of the largest probabilities whose sum is *at least* $p$" says="one word too many"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        out = torch.zeros_like(logits); out[torch.argmax(logits)] = 1; return out
    p, o = torch.sort((logits / temperature).softmax(0), descending=True, stable=True)
    if top_k is not None: p[top_k:] = 0; p = p / p.sum()
    if top_p is not None: p[(p.cumsum(0) - p) > top_p] = 0; p = p / p.sum()
    out = torch.zeros_like(p); out[o] = p; return out
# %% wrong="topk of too many" clause="all stay if there" says="k may be larger"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        out = torch.zeros_like(logits); out[torch.argmax(logits)] = 1; return out
    if top_k is not None: torch.topk(logits, top_k)
    p, o = torch.sort((logits / temperature).softmax(0), descending=True, stable=True)
    if top_k is not None: p[top_k:] = 0; p = p / p.sum()
    if top_p is not None: p[(p.cumsum(0) - p) >= top_p] = 0; p = p / p.sum()
    out = torch.zeros_like(p); out[o] = p; return out
# %% wrong="nan for minus infinity" clause="Logits of minus infinity are allowed" says="minus infinity is allowed"
def token_distribution(logits, temperature=1.0, top_k=None, top_p=None):
    if temperature == 0:
        out = torch.zeros_like(logits); out[torch.argmax(logits)] = 1; return out
    l = logits / temperature; l = l - l.min(); e = torch.exp(l - l.max())
    p, o = torch.sort(e / e.sum(), descending=True, stable=True)
    if top_k is not None: p[top_k:] = 0; p = p / p.sum()
    if top_p is not None: p[(p.cumsum(0) - p) >= top_p] = 0; p = p / p.sum()
    out = torch.zeros_like(p); out[o] = p; return out
