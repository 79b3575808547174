# %% base="the plain way"
def pair_features(u, v):
    return torch.cat([u, v, (u - v).abs()], -1)
def pair_logits(u, v, weight, bias):
    return (pair_features(u, v) @ weight.T + bias).softmax(-1)
# %% wrong="probabilities" says="these are probabilities" of="the plain way"
#~ (pair_features(u, v) @ weight.T + bias).softmax(-1) => torch.softmax(pair_features(u, v) @ weight.T + bias, dim=1)
# %% right="a linear layer" of="the plain way"
#~ cat([u, v, (u - v).abs()], -1) => stack([u, v, abs(u - v)], 1).flatten(1)
#~ (pair_features(u, v) @ weight.T + bias).softmax(-1) => F.linear(pair_features(u, v), weight, bias)
# %% right="hstack and F.linear"
def pair_features(u, v):
    return torch.hstack([u, v, torch.maximum(u - v, v - u)])
def pair_logits(u, v, weight, bias):
    return F.linear(pair_features(u, v), weight, bias)
# %% right="by blocks"
def pair_logits(u, v, weight, bias):
    a, b, c = weight.chunk(3, dim=1)
    return u @ a.T + v @ b.T + (u - v).abs() @ c.T + bias
# %% right="filled in"
def pair_features(u, v):
    B, C = u.shape
    out = u.new_zeros(B, 3 * C)
    out[:, :C], out[:, C : 2 * C], out[:, 2 * C :] = u, v, torch.where(u > v, u - v, v - u)
    return out
# %% right="einsum, three axes"
def pair_logits(u, v, weight, bias):
    C = u.shape[1]
    parts = torch.stack([u, v, torch.abs(v - u)], dim=1)
    return torch.einsum("bpc,kpc->bk", parts, weight.reshape(-1, 3, C)) + bias
# %% wrong="signed difference" says="the absolute value is missing" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => u - v
# %% wrong="the other sign" says="v - u, without the absolute value" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => v - u
# %% wrong="product" says="product of u and v" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => u * v
# %% wrong="squared" says="squared" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => (u - v) ** 2
# %% wrong="sum" says="u + v stands" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => (u + v).abs()
# %% wrong="negative ones are zero" says="became 0" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => (u - v).clamp(min=0)
# %% wrong="difference of sizes" says="difference of the absolute values" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => u.abs() - v.abs()
# %% wrong="below each other" says="below each other" of="by blocks"
#-     a, b, c = weight.chunk(3, dim=1)
#-     return u @ a.T + v @ b.T + (u - v).abs() @ c.T + bias
#+     return F.linear(torch.cat([u, v, (u - v).abs()], dim=1), weight, bias)
#+ def pair_features(u, v):
#+     return torch.cat([u, v, (u - v).abs()])
# %% wrong="distance as one number" says="each number" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => (u - v).norm(dim=-1, keepdim=True)
# %% wrong="distances added up" says="added up" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => (u - v).abs().sum(-1, keepdim=True)
# %% wrong="stacked" says="new axis" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => stack([u, v, (u - v).abs()], -1)
# %% wrong="interleaved" says="alternate" of="hstack and F.linear"
#~ hstack([u, v, torch.maximum(u - v, v - u)]) => stack([u, v, (u - v).abs()], -1).flatten(1)
# %% wrong="distance first" says="the distances come first" of="hstack and F.linear"
#~ [u, v, torch.maximum(u - v, v - u)] => [(u - v).abs(), u, v]
# %% wrong="distance in the middle" says="between the two" of="hstack and F.linear"
#~ [u, v, torch.maximum(u - v, v - u)] => [u, (u - v).abs(), v]
# %% wrong="v first" says="u comes first" of="hstack and F.linear"
#~ [u, v, torch.maximum(u - v, v - u)] => [v, u, (u - v).abs()]
# %% wrong="no distance" says="|u - v| is missing" of="hstack and F.linear"
#~ [u, v, torch.maximum(u - v, v - u)] => [u, v]
# %% wrong="the distance alone" says="only |u - v| came" of="hstack and F.linear"
#~ torch.hstack([u, v, torch.maximum(u - v, v - u)]) => (u - v).abs()
# %% wrong="vectors of length 1" says="length 1"
def pair_features(u, v):
    u, v = F.normalize(u, dim=-1), F.normalize(v, dim=-1)
    return torch.cat([u, v, (u - v).abs()], -1)
# %% wrong="changed in place" says="in place"
def pair_features(u, v):
    d = u
    d -= v
    return torch.cat([u, v, d.abs_()], -1)
# %% wrong="weight reshaped" says="transposed" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => pair_features(u, v) @ weight.reshape(weight.shape[1], weight.shape[0]) + bias
# %% wrong="the class" says="chosen classes" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => (pair_features(u, v) @ weight.T + bias).argmax(-1)
# %% wrong="log probabilities" says="logarithms of probabilities" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => F.linear(pair_features(u, v), weight, bias).log_softmax(-1)
# %% wrong="logits of u and v alone" says="no part in the logits" of="by blocks"
#~ + (u - v).abs() @ c.T => + 0 * u @ c.T
# %% wrong="logits of the distance alone" says="only |u - v| has a part" of="by blocks"
#~ u @ a.T + v @ b.T + (u - v) => (u - v)
# %% wrong="logits on their side" says="(B, K)" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => weight @ pair_features(u, v).T + bias[:, None]
# %% wrong="no gradient" says="detached" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => F.linear(pair_features(u, v).detach(), weight, bias)
# %% wrong="distance without a gradient" says="gradients" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => (u - v).abs().detach()
# %% wrong="a root of a square" says="finite gradients" clause="Finite gradients flow back" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u) => ((u - v) ** 2).sqrt()
# %% wrong="squeezed" says="axes of size 1" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => F.linear(pair_features(u, v), weight, bias).squeeze()
# %% wrong="float32 inside" says="float32" of="hstack and F.linear"
#~ torch.maximum(u - v, v - u)]) => torch.maximum(u - v, v - u)]).float()
#~ F.linear(pair_features(u, v), weight, bias) => F.linear(pair_features(u, v), weight.float(), bias.float())
# %% wrong="no bias" says="the bias is missing" of="hstack and F.linear"
#~ F.linear(pair_features(u, v), weight, bias) => F.linear(pair_features(u, v), weight)
# %% wrong="bias before the product" says="a wrong value" of="by blocks"
#~ (u - v).abs() @ c.T + bias => ((u - v).abs() + bias.mean()) @ c.T
