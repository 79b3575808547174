# %% wrong="greedy" says="u is ignored"
def draw_token(logits, u):
    return int(logits.argmax())

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
