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
