# %% base="the plain way"
def pair_features(u, v):
    return torch.cat([u, v, (u - v).abs()], -1)

def pair_logits(u, v, weight):
    return (pair_features(u, v) @ weight.T).softmax(-1)
# %% wrong="signed difference" says="the absolute value is missing" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => cat([u, v, u - v], dim=-1)
# %% wrong="product" says="product of u and v" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => cat([u, v, u * v], dim=-1)
# %% wrong="below each other" says="below each other" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => cat([u, v, (u - v).abs()])
#~ F.linear(pair_features(u, v), weight) => torch.cat([u, v, (u - v).abs()], dim=-1) @ weight.T
# %% wrong="probabilities" says="probabilities" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight) => (pair_features(u, v) @ weight.T).softmax(-1)
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
# %% wrong="distance as one number" says="each number" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => cat([u, v, (u - v).norm(dim=-1, keepdim=True)], -1)
# %% wrong="stack" says="new axis" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => stack([u, v, (u - v).abs()], -1)
# %% wrong="stacked and flattened: interleaved" says="order" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => stack([u, v, (u - v).abs()], -1).flatten(1)
# %% wrong="distance first" says="order" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => cat([(u - v).abs(), u, v], -1)
# %% wrong="vectors normalised first" says="length"
def pair_features(u, v):
    u, v = F.normalize(u, dim=-1), F.normalize(v, dim=-1)
    return torch.cat([u, v, (u - v).abs()], -1)
# %% wrong="abs in place" says="in place"
def pair_features(u, v):
    d = u
    d -= v
    return torch.cat([u, v, d.abs_()], -1)
# %% wrong="weight reshaped instead of transposed" says="transposed" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight) => pair_features(u, v) @ weight.reshape(weight.shape[1], weight.shape[0])
# %% wrong="the class, not the logits" says="logits" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight) => (pair_features(u, v) @ weight.T).argmax(-1)
# %% wrong="log probabilities" says="logits" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight) => (pair_features(u, v) @ weight.T).log_softmax(-1)
# %% wrong="only u and v" says="|u - v|" of="by blocks"
#~ T + (u - v).abs() @ weight[:, 2 * C :].T => T
# %% wrong="logits transposed" says="transpose" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight) => weight @ pair_features(u, v).T
# %% right="by blocks"
def pair_features(u, v):
    return torch.hstack((u, v, torch.maximum(u - v, v - u)))

def pair_logits(u, v, weight):
    C = u.shape[1]
    return u @ weight[:, :C].T + v @ weight[:, C : 2 * C].T + (u - v).abs() @ weight[:, 2 * C :].T
# %% right="a linear layer" of="the plain way"
#~ cat([u, v, (u - v).abs()], -1) => stack([u, v, abs(u - v)], 1).flatten(1)
#~ (pair_features(u, v) @ weight.T).softmax(-1) => F.linear(pair_features(u, v), weight)
