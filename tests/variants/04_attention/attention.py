# %% wrong="no scale" says="not scaled"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    s = queries @ keys.transpose(-2, -1)
    w = torch.softmax(s, dim=-1)
    return w @ values, w

# %% wrong="scale by d" says="by d_k, not by its square root"
def attention(queries, keys, values, scale=None):
    scale = 1 / queries.shape[-1] if scale is None else scale
    s = queries @ keys.transpose(-2, -1) * scale
    w = torch.softmax(s, dim=-1)
    return w @ values, w

# %% wrong="softmax over the queries" says="over the queries"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    s = queries @ keys.transpose(-2, -1) * scale
    w = torch.softmax(s, dim=-2)
    return w @ values, w

# %% wrong="scale ignored" says="`scale` was ignored"
def attention(queries, keys, values, scale=None):
    scale = 1 / math.sqrt(queries.size(-1))
    s = queries @ keys.transpose(-2, -1) * scale
    w = torch.softmax(s, dim=-1)
    return w @ values, w

# %% wrong="divided by scale" says="multiplied by it"
def attention(queries, keys, values, scale=None):
    scale = math.sqrt(queries.size(-1)) if scale is None else scale
    s = queries @ keys.transpose(-2, -1) / scale
    w = torch.softmax(s, dim=-1)
    return w @ values, w

# %% wrong="scale or" says="takes 0 for None"
def attention(queries, keys, values, scale=None):
    scale = scale or 1 / math.sqrt(queries.size(-1))
    s = queries @ keys.transpose(-2, -1) * scale
    w = torch.softmax(s, dim=-1)
    return w @ values, w

# %% wrong="weights first" says="exchanged"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    s = queries @ keys.transpose(-2, -1) * scale
    w = torch.softmax(s, dim=-1)
    return w, w @ values

# %% wrong="scores back" says="scores came back"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    s = queries @ keys.transpose(-2, -1) * scale
    w = torch.softmax(s, dim=-1)
    return w @ values, s

# %% right="torch for the output"
def attention(queries, keys, values, scale=None):
    if scale is None:
        scale = 1 / queries.shape[-1] ** 0.5
    weights = (queries * scale @ keys.mT).softmax(-1)
    return F.scaled_dot_product_attention(queries, keys, values, scale=scale), weights

# %% right="einsum in 64 bits"
def attention(queries, keys, values, scale=None):
    q, k, v = (t.double() for t in (queries, keys, values))
    s = torch.einsum("...id,...jd->...ij", q, k) * (scale if scale is not None else q.shape[-1] ** -0.5)
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", w, v), w
