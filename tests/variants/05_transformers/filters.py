# %% wrong="the crossing token is dropped" says="the token that reaches p is kept"
def apply_temperature(logits, temperature):
    return logits / temperature

def keep_top_k(logits, k):
    out = torch.full_like(logits, -torch.inf)
    best = logits.topk(min(k, len(logits))).indices
    out[best] = logits[best]
    return out

def keep_top_p(logits, p):
    s, order = logits.softmax(-1).sort(descending=True)
    keep = s.cumsum(-1) <= p
    keep[0] = True
    out = torch.full_like(logits, -torch.inf)
    out[order[keep]] = logits[order[keep]]
    return out

def keep_min_p(logits, min_p):
    s = logits.softmax(-1)
    return logits.masked_fill(s < min_p * s.max(), -torch.inf)

# %% wrong="logits were multiplied" says="multiplied by the temperature"
def apply_temperature(logits, temperature):
    return logits * temperature

def keep_top_k(logits, k):
    return torch.where(logits >= logits.sort(descending=True).values[min(k, len(logits)) - 1], logits, -torch.inf)

def keep_top_p(logits, p):
    s, order = logits.softmax(-1).sort(descending=True)
    out = torch.full_like(logits, -torch.inf)
    n = int((s.cumsum(-1) < p).sum()) + 1
    out[order[:n]] = logits[order[:n]]
    return out

def keep_min_p(logits, min_p):
    return torch.where(logits >= logits.max() + math.log(min_p), logits, -torch.inf)

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

# %% wrong="temperature of probabilities" says="logits"
def apply_temperature(logits, temperature):
    return logits.softmax(-1) / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="probabilities returned" says="logits"
def apply_temperature(logits, temperature):
    return (logits / temperature).softmax(-1)


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="log-probabilities returned" says="logits"
def apply_temperature(logits, temperature):
    return (logits / temperature).log_softmax(-1)


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="divided by the square" says="temperature"
def apply_temperature(logits, temperature):
    return logits / temperature**2


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="temperature in place" says="in place"
def apply_temperature(logits, temperature):
    logits /= temperature
    return logits


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="temperature is ignored" says="temperature"
def apply_temperature(logits, temperature):
    return logits.clone()


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="k + 1" says="k"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k + 1, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="k - 1, at least one" says="k"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(max(1, min(k - 1, len(logits)))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="the first k ids" says="largest"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[torch.arange(min(k, len(logits)))] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="removed ones get 0" says="minus infinity"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, 0.0)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="top-k sorted" says="order"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    top = logits.sort(descending=True).values
    top[k:] = -torch.inf
    return top


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="top-k returns the k alone" says="shape"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    return logits.topk(min(k, len(logits))).values


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="top-k in place" says="in place"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    logits[logits < logits.topk(min(k, len(logits))).values[-1]] = -torch.inf
    return logits


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="nucleus in id order" says="likeliest"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = torch.arange(len(logits))
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[probabilities.argmax()] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="nucleus from the unlikeliest" says="likeliest"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort()
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="one token too many" says="token"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - 2 * ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="no token stays at small p" says="At least one"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) <= p
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="mask not brought back" says="order"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[:] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="min_p alone" says="times"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p, logits, -torch.inf)

# %% wrong="min-p by logits" says="probabilities"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(logits >= min_p * logits.max(), logits, -torch.inf)

# %% wrong="the likeliest minus min_p" says="times"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= probabilities.max() - min_p, logits, -torch.inf)

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

# %% wrong="the k smallest" says="the smallest were kept"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits)), largest=False).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="k above the vocabulary fails" says="k may be larger"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(k).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="softmax missing" says="add probabilities"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="probabilities renewed" says="leave them as they are"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf).log_softmax(-1)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="p is the share of tokens" says="share of the tokens"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = torch.arange(len(logits)) < p * len(logits)
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="each probability at least p" says="it is their sum that counts"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered >= p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="min-p the other way" says="below the threshold were kept"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities <= min_p * probabilities.max(), logits, -torch.inf)

# %% wrong="the first token for the likeliest" says="likeliest"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities[0], logits, -torch.inf)

# %% wrong="min-p returns probabilities" says="return logits"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[logits.topk(min(k, len(logits))).indices] = True
    return torch.where(keep, logits, -torch.inf)


def keep_top_p(logits, p):
    probabilities = logits.softmax(-1)
    order = probabilities.argsort(descending=True)
    ordered = probabilities[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = ordered.cumsum(0) - ordered < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    probabilities = logits.softmax(-1)
    return torch.where(probabilities >= min_p * probabilities.max(), probabilities, 0.0)

# %% wrong="removed come back: nan_to_num" says="after another filter"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    logits = logits.nan_to_num(neginf=-1e4)
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.max(), logits, -torch.inf)

# %% wrong="top-k absolute values" says="size alone"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.abs().topk(k).values[-1]
    return torch.where(logits.abs() >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.max(), logits, -torch.inf)

# %% wrong="top-p 1 - p" says="exchanged"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < 1 - p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.max(), logits, -torch.inf)

# %% wrong="top-p returns probabilities" says="these are probabilities"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, chances, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.max(), logits, -torch.inf)

# %% wrong="top-p double argsort missing: gather" says="sorted once more"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep = (before < p)[order]
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.max(), logits, -torch.inf)

# %% wrong="min-p of the least likely" says="smallest probability"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= min_p * chances.min(), logits, -torch.inf)

# %% wrong="min-p difference" says="subtracted from"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances >= chances.max() - min_p, logits, -torch.inf)

# %% wrong="min-p inverted" says="below the threshold"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(chances <= min_p * chances.max(), logits, -torch.inf)

# %% wrong="min-p log2" says="base 2"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


def keep_min_p(logits, min_p):
    chances = logits.softmax(-1)
    return torch.where(logits >= logits.max() + math.log2(min_p), logits, -torch.inf)

# %% wrong="min-p without softmax: exp of logits against 1" says="exponentials"
def apply_temperature(logits, temperature):
    return logits / temperature


def keep_top_k(logits, k):
    k = min(k, logits.numel())
    edge = logits.topk(k).values[-1]
    return torch.where(logits >= edge, logits, -torch.inf)


def keep_top_p(logits, p):
    chances = logits.softmax(-1)
    order = chances.argsort(descending=True)
    before = chances[order].cumsum(0) - chances[order]
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep[order] = before < p
    keep[order[0]] = True
    return torch.where(keep, logits, -torch.inf)


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
