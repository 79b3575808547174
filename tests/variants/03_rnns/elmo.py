# %% wrong="no softmax" says="softmax first"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return gamma * torch.einsum("l,lbtc->btc", weights, layers)

# %% wrong="no gamma" says="gamma is missing"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return torch.einsum("l,lbtc->btc", weights.softmax(dim=0), layers)

# %% wrong="mean" says="same weight"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return gamma * torch.einsum("l,lbtc->btc", torch.full_like(weights, 1 / len(weights)), layers)

# %% right="another way, 1"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return gamma * (weights.softmax(0)[:, None, None, None] * layers).sum(0)

# %% right="another way, 2"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return sum(gamma * w * h for w, h in zip(torch.softmax(weights, 0), layers))
