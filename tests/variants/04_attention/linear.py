# %% wrong="not causal" says="those after it"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    w = q @ k.mT
    return w @ values / w.sum(-1, keepdim=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None]
    z = z + k
    return S, z, (q @ S) / (q * z).sum()

# %% wrong="no feature map" says="feature map is missing"
def linear_attention(queries, keys, values):
    q, k = queries, keys
    w = torch.tril(q @ k.mT)
    return w @ values / w.sum(-1, keepdim=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None]
    z = z + k
    return S, z, (q @ S) / (q * z).sum()

# %% wrong="softmax attention" says="softmax attention"
def linear_attention(queries, keys, values):
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None]
    z = z + k
    return S, z, (q @ S) / (q * z).sum()

# %% wrong="not divided" says="not divided"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    w = torch.tril(q @ k.mT)
    return w @ values


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None]
    z = z + k
    return S, z, (q @ S) / (q * z).sum()

# %% wrong="asked first" says="before the token was taken in"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    w = torch.tril(q @ k.mT)
    return w @ values / w.sum(-1, keepdim=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    out = (q @ S) / (q @ z)
    return S + torch.outer(k, value), z + k, out

# %% wrong="in place" says="in place"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    w = torch.tril(q @ k.mT)
    return w @ values / w.sum(-1, keepdim=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S += torch.outer(k, value)
    z += k
    return S, z, (q @ S) / (q @ z)

# %% wrong="map on the key only" says="keys only"
def linear_attention(queries, keys, values):
    q, k = queries, feature_map(keys)
    w = torch.tril(q @ k.mT)
    return w @ values / w.sum(-1, keepdim=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None]
    z = z + k
    return S, z, (q @ S) / (q * z).sum()

# %% right="tril"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    w = torch.tril(q @ k.mT)
    return w @ values / w.sum(-1, keepdim=True)


def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None]
    z = z + k
    return S, z, (q @ S) / (q * z).sum()

# %% right="cumulative sums"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    S = (k.unsqueeze(-1) * values.unsqueeze(-2)).cumsum(-3)
    z = k.cumsum(-2)
    return torch.einsum("...td,...tde->...te", q, S) / torch.einsum("...td,...td->...t", q, z).unsqueeze(-1)


def linear_step(S, z, query, key, value):
    q, k = feature_map(query).double(), feature_map(key).double()
    new_S, new_z = S.double() + torch.einsum("d,e->de", k, value.double()), z.double() + k
    return [new_S, new_z, torch.mv(new_S.T, q) / torch.dot(q, new_z)]
