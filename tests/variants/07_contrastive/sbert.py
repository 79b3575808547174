# %% wrong="signed difference" says="the absolute value is missing"
def pair_features(u, v):
    return torch.cat([u, v, u - v], dim=-1)


def pair_logits(u, v, weight):
    return pair_features(u, v) @ weight.T

# %% wrong="product" says="product of u and v"
def pair_features(u, v):
    return torch.cat([u, v, u * v], dim=-1)


def pair_logits(u, v, weight):
    return pair_features(u, v) @ weight.T

# %% wrong="below each other" says="below each other"
def pair_features(u, v):
    return torch.cat([u, v, (u - v).abs()])


def pair_logits(u, v, weight):
    return torch.cat([u, v, (u - v).abs()], dim=-1) @ weight.T

# %% wrong="probabilities" says="probabilities"
def pair_features(u, v):
    return torch.cat([u, v, (u - v).abs()], dim=-1)


def pair_logits(u, v, weight):
    return (pair_features(u, v) @ weight.T).softmax(-1)

# %% right="hstack and F.linear"
def pair_features(u, v):
    return torch.hstack([u, v, torch.maximum(u - v, v - u)])


def pair_logits(u, v, weight):
    return F.linear(pair_features(u, v), weight)

# %% right="three products"
def pair_features(u, v):
    return torch.stack([u, v, torch.abs(v - u)], dim=1).flatten(1).double()


def pair_logits(u, v, weight):
    a, b, c = weight.chunk(3, dim=1)
    return u @ a.T + v @ b.T + (u - v).abs() @ c.T
