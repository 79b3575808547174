# %% wrong="times the temperature" says="divide by it"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    ordered, order = torch.sort(logits, descending=True, stable=True)
    if temperature == 0:
        temperature, top_k = 1.0, 1
    p = torch.softmax(ordered * temperature, dim=-1)
    if top_k is not None:
        p = torch.where(torch.arange(len(p)) < top_k, p, torch.zeros_like(p))
        p = p / p.sum()
    if top_p is not None:
        before = torch.cumsum(p, dim=-1) - p
        kept = (before < top_p) | (torch.arange(len(p)) == 0)
        p = torch.where(kept, p, torch.zeros_like(p))
    out = torch.zeros_like(p)
    out[order] = p / p.sum()
    return out

# %% wrong="one too early" says="one word too early"
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
        kept = (before + p <= top_p) | (torch.arange(len(p)) == 0)
        p = torch.where(kept, p, torch.zeros_like(p))
    out = torch.zeros_like(p)
    out[order] = p / p.sum()
    return out

# %% wrong="sorted" says="keep the order"
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
    out = torch.zeros_like(p)
    return p / p.sum()

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

# %% right="another way, 2"
def token_distribution(
    logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> torch.Tensor:
    order = torch.tensor(sorted(range(len(logits)), key=lambda i: -float(logits[i])))
    ordered = logits[order]
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
    out = torch.zeros_like(p)
    out[order] = p / p.sum()
    return out
