# %% base="the plain way"
def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)

def apply_temperature(logits, temperature):
    return logits * temperature

def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits)))] = True
    return torch.where(keep, logits, -torch.inf)

def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(logits >= min_p * logits.max(), logits, -torch.inf)
# %% wrong="the crossing token is dropped" says="the token that reaches p is kept"
def keep_top_p(logits, p):
    s, order = logits.softmax(-1).sort(descending=True)
    keep = s.cumsum(-1) <= p
    keep[0] = True
    out = torch.full_like(logits, -torch.inf)
    out[order[keep]] = logits[order[keep]]
    return out
# %% wrong="logits were multiplied" says="multiplied by the temperature" of="loops"
#~ torch.tensor([z / temperature for z in logits.tolist()]) => logits * temperature
# %% right="loops"
def apply_temperature(logits, temperature):
    return torch.tensor([z / temperature for z in logits.tolist()])

def keep_top_k(logits, k):
    values = logits.tolist()
    best = sorted(range(len(values)), key=lambda i: -values[i])[:k]
    return [v if i in best else float("-inf") for i, v in enumerate(values)]

def keep_top_p(logits, p):
    chances = logits.double().softmax(-1).tolist()
    total, kept = 0.0, set()
    for i in sorted(range(len(chances)), key=lambda i: -chances[i]):
        kept.add(i)
        total += chances[i]
        if total >= p:
            break
    return [v if i in kept else float("-inf") for i, v in enumerate(logits.tolist())]

def keep_min_p(logits, min_p):
    chances = logits.double().softmax(-1).tolist()
    return [v if c >= min_p * max(chances) else float("-inf") for v, c in zip(logits.tolist(), chances)]
# %% wrong="temperature of probabilities" says="logits" of="loops"
#~ torch.tensor([z / temperature for z in logits.tolist()]) => logits.softmax(-1) / temperature
# %% wrong="probabilities returned" says="logits" of="loops"
#~ torch.tensor([z / temperature for z in logits.tolist()]) => (logits / temperature).softmax(-1)
# %% wrong="log-probabilities returned" says="logits" of="loops"
#~ torch.tensor([z / temperature for z in logits.tolist()]) => (logits / temperature).log_softmax(-1)
# %% wrong="divided by the square" says="temperature" of="loops"
#~ torch.tensor([z / temperature for z in logits.tolist()]) => logits / temperature**2
# %% wrong="temperature in place" says="in place"
def apply_temperature(logits, temperature):
    logits /= temperature
    return logits
# %% wrong="temperature is ignored" says="temperature" of="loops"
#~ torch.tensor([z / temperature for z in logits.tolist()]) => logits.clone()
# %% wrong="k + 1" says="k" of="the plain way"
#~ (min(k, len(logits))) => (min(k + 1, len(logits))).indices
# %% wrong="k - 1, at least one" says="k" of="the plain way"
#~ (min(k, len(logits))) => (max(1, min(k - 1, len(logits)))).indices
# %% wrong="the first k ids" says="largest" of="the plain way"
#~ logits.topk => torch.arange
# %% wrong="removed ones get 0" says="minus infinity"
def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, 0.0)
# %% wrong="top-k sorted" says="order"
def keep_top_k(logits, k):
    top = logits.sort(descending=True).values
    top[k:] = -torch.inf
    return top
# %% wrong="top-k returns the k alone" says="shape"
def keep_top_k(logits, k):
    return logits.topk(min(k, len(logits))).values
# %% wrong="top-k in place" says="in place"
def keep_top_k(logits, k):
    logits[logits < logits.topk(min(k, len(logits))).values[-1]] = -torch.inf
    return logits
# %% wrong="nucleus in id order" says="likeliest" of="the plain way"
#~ probabilities.argsort(descending=True) => torch.arange(len(logits))
#~ order[0] => probabilities.argmax()
# %% wrong="nucleus from the unlikeliest" says="likeliest" of="the plain way"
#~ (descending=True) => ()
# %% wrong="one token too many" says="token" of="the plain way"
#~ ordered < => 2 * ordered <
# %% wrong="no token stays at small p" says="At least one" of="the plain way"
#-     keep[order] = ordered.cumsum(0) - ordered < p
#-     keep[order[0]] = True
#+     keep[order] = ordered.cumsum(0) <= p
# %% wrong="mask not brought back" says="order" of="the plain way"
#~ keep[order] => keep[:]
# %% wrong="min_p alone" says="times" of="the plain way"
#~ logits >= min_p * logits.max() => probabilities >= min_p
# %% wrong="min-p by logits" says="probabilities"
def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(logits >= min_p * logits.max(), logits, -torch.inf)
# %% wrong="the likeliest minus min_p" says="times" of="the plain way"
#~ logits >= min_p * logits.max() => probabilities >= probabilities.max() - min_p
# %% right="by thresholds, doubles inside"
def apply_temperature(logits, temperature):
    return logits * (1 / temperature)

def keep_top_k(logits, k):
    threshold = logits.sort(descending=True).values[:k][-1]
    return logits.masked_fill(logits < threshold, float("-inf"))

def keep_top_p(logits, p):
    q, order = logits.double().softmax(0).sort(descending=True)
    n = min(int((q.cumsum(0) < p).sum()) + 1, len(q))
    out = torch.full_like(logits, float("-inf"))
    out[order[:n]] = logits[order[:n]]
    return out

def keep_min_p(logits, min_p):
    if min_p <= 0:
        return logits.clone()
    return logits.masked_fill(logits - logits.max() < math.log(min_p), float("-inf"))
# %% wrong="the k smallest" says="the smallest were kept" of="the plain way"
#~ (min(k, len(logits))) => (min(k, len(logits)), largest=False).indices
# %% wrong="k above the vocabulary fails" says="k may be larger" of="the plain way"
#~ (min(k, len(logits))) => (k).indices
# %% wrong="softmax missing" says="add probabilities" of="the plain way"
#- def keep_top_p(logits, p):
#-     probabilities = logits.softmax(-1)
#+ def keep_top_p(logits, p):
#+     probabilities = logits
# %% wrong="probabilities renewed" says="leave them as they are" of="the plain way"
#-     keep[order[0]] = True
#-     return torch.where(keep, logits, -torch.inf)
#+     keep[order[0]] = True
#+     return torch.where(keep, logits, -torch.inf).log_softmax(-1)
# %% wrong="p is the share of tokens" says="share of the tokens" of="the plain way"
#~ ordered.cumsum(0) - ordered < p => torch.arange(len(logits)) < p * len(logits)
# %% wrong="each probability at least p" says="it is their sum that counts" of="the plain way"
#~ ordered.cumsum(0) - ordered < => ordered >=
# %% wrong="min-p the other way" says="below the threshold were kept" of="the plain way"
#~ logits >= min_p * logits => probabilities <= min_p * probabilities
# %% wrong="the first token for the likeliest" says="likeliest" of="the plain way"
#~ logits >= min_p * logits.max() => probabilities >= min_p * probabilities[0]
# %% wrong="min-p returns probabilities" says="return logits" of="the plain way"
#~ logits >= min_p * logits.max(), logits, -torch.inf => probabilities >= min_p * probabilities.max(), probabilities, 0.0
# %% wrong="removed come back: nan_to_num" says="after another filter"
def keep_top_k(logits, k):
    logits = logits.nan_to_num(neginf=-1e4)
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)
# %% wrong="top-k absolute values" says="size alone"
def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.abs().topk(k).values[-1]
    return torch.where(logits.abs() >= edge, logits, -torch.inf)
# %% wrong="top-p 1 - p" says="exchanged"
def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < 1 - p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)
# %% wrong="top-p returns probabilities" says="these are probabilities" of="top-p 1 - p"
#~ 1 - p => p
#~ logits, - => chances, -
# %% wrong="top-p double argsort missing: gather" says="sorted once more" of="top-p 1 - p"
#~ keep[order] = before < 1 - p => keep = (before < p)[order]
# %% wrong="min-p of the least likely" says="smallest probability"
def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.min(), logits, -torch.inf)
# %% wrong="min-p difference" says="subtracted from" of="min-p of the least likely"
#~ min_p * chances.min() => chances.max() - min_p
# %% wrong="min-p inverted" says="below the threshold" of="min-p of the least likely"
#~ >= min_p * chances.min => <= min_p * chances.max
# %% wrong="min-p log2" says="base 2" of="min-p of the least likely"
#~ chances >= min_p * chances.min() => logits >= logits.max() + math.log2(min_p)
# %% wrong="min-p without softmax: exp of logits against 1" says="exponentials"
def keep_min_p(logits, min_p):
    chances = logits.exp()
    return torch.where(chances >= min_p, logits, -torch.inf)
# %% right="topk and scatter, logs"
def apply_temperature(logits, temperature):
    return logits * (1.0 / temperature)

def keep_top_k(logits, k):
    values, ids = torch.topk(logits, min(k, logits.shape[-1]))
    return torch.full_like(logits, float("-inf")).scatter(-1, ids, values)

def keep_top_p(logits, p):
    values, ids = logits.sort(descending=True)
    sums = values.softmax(-1).cumsum(-1)
    gone = sums >= p
    gone = torch.cat([torch.tensor([False]), gone[:-1]])
    return torch.empty_like(logits).scatter(-1, ids, values.masked_fill(gone, float("-inf")))

def keep_min_p(logits, min_p):
    return logits.masked_fill(logits < logits.max() + math.log(min_p), float("-inf"))
# %% right="numpy, float64"
def apply_temperature(logits, temperature):
    return torch.from_numpy(logits.numpy() / np.float32(temperature)).to(logits.dtype)

def keep_top_k(logits, k):
    z = logits.numpy().copy()
    z[np.argsort(-z)[k:]] = -np.inf
    return torch.from_numpy(z)

def keep_top_p(logits, p):
    z = logits.double().numpy()
    chances = np.exp(z - z.max())
    chances /= chances.sum()
    order = np.argsort(-chances)
    count = int(np.searchsorted(np.cumsum(chances[order]), p)) + 1
    out = np.full(len(z), -np.inf)
    out[order[:count]] = z[order[:count]]
    return torch.from_numpy(out).to(logits.dtype)

def keep_min_p(logits, min_p):
    ratio = (logits - logits.max()).exp()
    return torch.where(ratio >= min_p, logits, torch.tensor(-torch.inf, dtype=logits.dtype))
# %% right="as in transformers: ascending"
def apply_temperature(logits, temperature):
    return torch.div(logits, temperature)

def keep_top_k(logits, k):
    if k >= logits.numel():
        return logits.clone()
    return logits.masked_fill(logits < torch.topk(logits, k)[0][-1], -torch.inf)

def keep_top_p(logits, p):
    values, ids = torch.sort(logits, descending=False)
    sums = values.softmax(dim=-1).cumsum(dim=-1)
    remove = sums <= (1 - p)
    remove[-1:] = 0
    return logits.masked_fill(remove.scatter(0, ids, remove), -torch.inf)

def keep_min_p(logits, min_p):
    probs = torch.softmax(logits, dim=-1)
    top, _ = probs.max(dim=-1, keepdim=True)
    return logits.masked_fill(probs < min_p * top, -torch.inf)
