# %% wrong="no softmax" says="softmax first" of="another way, 1"
#~ (weights.softmax(0)[:, None, None, None] * layers).sum(0) => torch.einsum("l,lbtc->btc", weights, layers)
# %% wrong="no gamma" says="gamma is missing" of="another way, 1"
#~ gamma * (weights.softmax(0)[:, None, None, None] * layers).sum(0) => torch.einsum("l,lbtc->btc", weights.softmax(dim=0), layers)
# %% wrong="mean" says="same weight" of="another way, 1"
#~ (weights.softmax(0)[:, None, None, None] * layers).sum(0) => torch.einsum("l,lbtc->btc", torch.full_like(weights, 1 / len(weights)), layers)
# %% right="another way, 1"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return gamma * (weights.softmax(0)[:, None, None, None] * layers).sum(0)
# %% right="another way, 2"
def elmo_mix(layers: torch.Tensor, weights: torch.Tensor, gamma: float | torch.Tensor) -> torch.Tensor:
    return sum(gamma * w * h for w, h in zip(torch.softmax(weights, 0), layers))
# %% wrong="weights divided by their sum" says="softmax" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights / weights.sum(), layers)
# %% wrong="a sigmoid of each" says="sigmoid" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.sigmoid(), layers)
# %% wrong="exponentials, not normalised" says="divides them by their sum" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.exp(), layers)
# %% wrong="the last layer only" says="last layer alone" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => layers[-1]
# %% wrong="the likeliest layer only" says="largest weight" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => layers[weights.argmax()]
# %% wrong="divided by gamma" says="gamma divides" of="through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(0), layers) / gamma
# %% wrong="gamma inside the softmax" says="outside the softmax" of="through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", (gamma * weights).softmax(0), layers)
# %% wrong="gamma added" says="gamma is added" of="through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(0), layers) + gamma
# %% wrong="softmax over the batch" says="softmax of the layers" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => (weights.softmax(0)[:, None, None, None] * layers.softmax(0)).sum(0)
# %% wrong="not summed" says="not added up" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => weights.softmax(0)[:, None, None, None] * layers
# %% wrong="the mean of the weighted layers" says="add them up" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => (weights.softmax(0)[:, None, None, None] * layers).mean(0)
# %% wrong="the static layer is left out" says="layer 0" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights[1:].softmax(0), layers[1:])
# %% right="through a transpose"
def elmo_mix(layers, weights, gamma):
    return gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2)
# %% wrong="layers in reverse order" says="weight 0 belongs to layer 0" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(0), layers.flip(0))
# %% wrong="gamma is made a number" says="gradient" of="through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => float(gamma) * torch.einsum("l,lbtc->btc", weights.softmax(0), layers)
# %% wrong="the weights are detached" says="gradient" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.detach().softmax(0), layers)
# %% wrong="in place" says="changed"
def elmo_mix(layers, weights, gamma):
    layers *= weights.softmax(0)[:, None, None, None]
    return gamma * layers.sum(0)
# %% wrong="forgets its return" says="return" of="through a transpose"
#~ return gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => out = gamma * torch.einsum("l,lbtc->btc", weights.softmax(0), layers)
# %% wrong="overflow" says="overflowed"
def elmo_mix(layers, weights, gamma):
    e = weights.exp()
    return gamma * torch.einsum("l,lbtc->btc", e / e.sum(), layers)
# %% right="tensordot"
def elmo_mix(layers, weights, gamma):
    return torch.tensordot(gamma * torch.softmax(weights, -1), layers, dims=1)
# %% right="the last axis" of="through a transpose"
#~ (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => (layers.permute(1, 2, 3, 0) @ F.softmax(weights, dim=0))
# %% right="by hand"
def elmo_mix(layers, weights, gamma):
    e = torch.exp(weights - weights.max())
    out = torch.zeros_like(layers[0])
    for share, layer in zip(e / e.sum(), layers):
        out = out + share * layer
    return out * gamma
# %% right="unseen, right 1" of="through a transpose"
#~ gamma * (weights.softmax(0) * layers.transpose(0, -1)).sum(-1).transpose(0, -1).permute(1, 0, 2) => torch.einsum("l,lbtc->btc", weights.softmax(-1) * gamma, layers)
# %% wrong="detached" says="the gradient is cut on its way to the weights: no detach,"
def elmo_mix(layers, weights, gamma):
    s = torch.softmax(weights.detach(), 0)
    return gamma * (s[:, None, None, None] * layers).sum(0)
# %% wrong="gamma as a number" says="the gradient is cut on its way to gamma: no detach, no"
def elmo_mix(layers, weights, gamma):
    s = torch.softmax(weights, 0)
    return float(gamma) * (s[:, None, None, None] * layers).sum(0)
# %% wrong="unseen, overflow" says="an exponential overflowed: use torch.softmax" of="detached"
#~ softmax(weights.detach(), 0) => exp(weights) / torch.exp(weights).sum()
# %% wrong="no grad" says="the gradient is cut on its way to gamma: no detach, no"
def elmo_mix(layers, weights, gamma):
    with torch.no_grad():
        s = torch.softmax(weights, 0)
        return gamma * (s[:, None, None, None] * layers).sum(0)
