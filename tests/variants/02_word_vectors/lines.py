# %% wrong="itself" says="not its own company"
def pair_mask(texts: torch.Tensor, reaches: torch.Tensor) -> torch.Tensor:
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()  # (T, T)
    return (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])


def line_loss(
    scores: torch.Tensor, pairs: torch.Tensor, against: torch.Tensor, times: torch.Tensor, weight: float
) -> torch.Tensor:
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()

# %% wrong="the reach of the company" says="rows are centres"
def pair_mask(texts: torch.Tensor, reaches: torch.Tensor) -> torch.Tensor:
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()  # (T, T)
    return (apart > 0) & (apart <= reaches[:, None, :]) & (texts[:, :, None] == texts[:, None, :])


def line_loss(
    scores: torch.Tensor, pairs: torch.Tensor, against: torch.Tensor, times: torch.Tensor, weight: float
) -> torch.Tensor:
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()

# %% wrong="noise added up" says="averaged"
def pair_mask(texts: torch.Tensor, reaches: torch.Tensor) -> torch.Tensor:
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()  # (T, T)
    return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])


def line_loss(
    scores: torch.Tensor, pairs: torch.Tensor, against: torch.Tensor, times: torch.Tensor, weight: float
) -> torch.Tensor:
    noise = (times * logsigmoid(-against).sum(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise) / pairs.sum()

# %% wrong="a sum" says="divide by the number of pairs"
def pair_mask(texts: torch.Tensor, reaches: torch.Tensor) -> torch.Tensor:
    place = torch.arange(texts.shape[1], device=texts.device)
    apart = (place[:, None] - place).abs()  # (T, T)
    return (apart > 0) & (apart <= reaches[:, :, None]) & (texts[:, :, None] == texts[:, None, :])


def line_loss(
    scores: torch.Tensor, pairs: torch.Tensor, against: torch.Tensor, times: torch.Tensor, weight: float
) -> torch.Tensor:
    noise = (times * logsigmoid(-against).mean(1)).sum()
    return -(logsigmoid(scores[pairs]).sum() + weight * noise)

# %% right="loops and softplus"
def pair_mask(texts, reaches):
    L, T = texts.shape
    mask = torch.zeros(L, T, T, dtype=torch.bool)
    for i in range(T):
        for j in range(T):
            if i != j:
                mask[:, i, j] = (abs(i - j) <= reaches[:, i]) & (texts[:, i] == texts[:, j])
    return mask


def line_loss(scores, pairs, against, times, weight):
    softplus = nn.functional.softplus
    own = torch.where(pairs, softplus(-scores), torch.zeros_like(scores)).sum()
    other = weight * (times[:, None] * softplus(against)).sum() / against.shape[1]
    return (own + other) / pairs.sum()
