# %% base="the plain way"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    w = torch.tril(q @ k.mT)
    return w @ values / w.sum(-1, keepdim=True)
def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S, z = S + torch.outer(k, value), z + k
    return S, z, query @ S / (q @ z)
# %% wrong="not causal" says="those after it" of="tril"
#~ torch.tril(q @ k.mT) => q @ k.mT
# %% wrong="no feature map" says="feature map is missing" of="tril"
#~ feature_map(queries), feature_map(keys) => queries, keys
# %% wrong="softmax attention" says="softmax attention"
def linear_attention(queries, keys, values):
    return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
# %% wrong="not divided" says="not divided" of="tril"
#~ values / w.sum(-1, keepdim=True) => values
# %% wrong="asked first" says="before the token was taken in" of="the plain way"
#~ S, z = S + torch.outer(k, value), z + k => out = (q @ S) / (q @ z)
#~ S, z, query @ S / (q @ z) => S + torch.outer(k, value), z + k, out
# %% wrong="in place" says="in place" of="log-weights through softmax"
#~ = S + k[:, None] * value[None, :] => += torch.outer(k, value)
#~ = z + => +=
# %% wrong="map on the key only" says="keys only" of="tril"
#~ feature_map(queries) => queries
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
# %% right="cumulative sums" of="cumsum again"
#~ (feature_map(queries), feature_map(keys) => feature_map(queries), feature_map(keys
#-     return torch.einsum('...d,...de->...e', q, S) / (q * z).sum(-1, keepdim=True)
#+     return torch.einsum("...td,...tde->...te", q, S) / torch.einsum("...td,...td->...t", q, z).unsqueeze(-1)
#+ def linear_step(S, z, query, key, value):
#+     q, k = feature_map(query).double(), feature_map(key).double()
#+     new_S, new_z = S.double() + torch.einsum("d,e->de", k, value.double()), z.double() + k
#+     out = torch.mv(new_S.T, q) / torch.dot(q, new_z)
#+     return [part.to(S.dtype) for part in (new_S, new_z, out)]
# %% wrong="without itself" says="a token sees itself, too" of="tril"
#~ mT => mT, -1
# %% wrong="map of the query only" says="queries only" of="tril"
#~ k. => keys.
# %% wrong="map of the values" says="to the values, too" of="tril"
#~ values / => feature_map(values) /
# %% wrong="softmax of the products" says="softmax was taken of the products" of="tril"
#~ w = torch.tril(q @ k.mT) => scores = (q @ k.mT).masked_fill(~causal_mask(q.shape[-2]), -math.inf)
#~ w @ values / w.sum(-1, keepdim=True) => softmax(scores) @ values
# %% wrong="divided by the count" says="number of keys" of="tril"
#~ w.sum(-1, keepdim=True) => torch.arange(1, w.shape[-1] + 1)[:, None]
# %% wrong="elu without one" says="without the + 1" of="tril"
#~ q @ k => F.elu(queries) @ F.elu(keys)
# %% wrong="denominator over all keys" says="denominator sums over all keys" of="tril"
#~ torch.tril(q @ k.mT) => q @ k.mT
#~ w @ => torch.tril(w) @
# %% wrong="scaled queries" says="nothing is scaled" of="tril"
#-     q, k = feature_map(queries), feature_map(keys)
#+     q, k = feature_map(queries), feature_map(keys)
#+     q = feature_map(queries / math.sqrt(queries.shape[-1]))
# %% wrong=".T with a batch" says="leading axes" of="tril"
#~ mT => T
# %% wrong="masked with minus infinity" says="NaN" of="tril"
#~ torch.tril(q @ k.mT) => (q @ k.mT).masked_fill(~causal_mask(q.shape[-2]), -math.inf)
# %% wrong="sum kept without its axis" says="keepdim" of="tril"
#~ 1, keepdim=True => 1
# %% wrong="z asked before the token" says="take it into z, too" of="tril"
#~ k[:, None] * value[None] => torch.outer(k, value)
#~ z = z + k => out = q @ S / (q @ z)
#~ z, (q @ S) / (q * z).sum() => z + k, out
# %% wrong="S and z as given" says="came back as they were given" of="the plain way"
#~ S, z = => new, sums =
#~ query @ S / (q @ z) => q @ new / (q @ sums)
# %% wrong="z as given" says="z came back as it was given" of="the plain way"
#~ S, z = S + torch.outer(k, value), z + k => S = S + torch.outer(k, value)
#~ query @ S / (q @ z) => q @ S / (q @ (z + k))
# %% wrong="output first" says="the order is S, z, output" of="the plain way"
#~ S, z, query @ S / (q @ z) => q @ S / (q @ z), S, z
# %% wrong="state forgotten" says="the old S and z are missing" of="the plain way"
#~ S + torch.outer(k, value), z + => torch.outer(k, value),
#~ query @ => q @
# %% wrong="step not divided" says="not divided by the sum" of="the plain way"
#~ query @ S / (q @ z) => q @ S
# %% wrong="value in rows" says="S is transposed" of="the plain way"
#~ k, value => value, k
#~ query @ S => S @ q
# %% wrong="query without its map" says="keys only" of="the plain way"
#~ (q @ z) => (query @ z)
# %% wrong="output alone" says="return S and z, too" of="the plain way"
#~ S, z, query @ => q @
# %% right="64 bits, loop over the steps"
def linear_attention(queries, keys, values):
    outputs = []
    q, k, v = feature_map(queries.double()), feature_map(keys.double()), values.double()
    for i in range(queries.shape[-2]):
        w = (q[..., i : i + 1, :] * k[..., : i + 1, :]).sum(-1)
        outputs.append((w.unsqueeze(-1) * v[..., : i + 1, :]).sum(-2) / w.sum(-1, keepdim=True))
    return torch.stack(outputs, dim=-2).to(values.dtype)
def linear_step(S, z, query, key, value):
    S = S + torch.einsum("d,e->de", feature_map(key), value)
    z = torch.add(z, feature_map(key))
    weight = feature_map(query)
    return [S, z, (weight[:, None] * S).sum(0) / (weight * z).sum()]
# %% right="log-weights through softmax"
def linear_attention(queries, keys, values):
    products = feature_map(queries) @ feature_map(keys).mT
    scores = torch.log(products).masked_fill(~causal_mask(queries.shape[-2]), -math.inf)
    return torch.softmax(scores, dim=-1) @ values
def linear_step(S, z, query, key, value):
    k, q = feature_map(key), feature_map(query)
    S = S + k[:, None] * value[None, :]
    z = z + k
    return S, z, (q @ S) / (q @ z)
# %% wrong="without itself, clamped" says="a token sees itself"
def linear_attention(queries, keys, values):
    s = (feature_map(queries) @ feature_map(keys).mT).tril(-1)
    return s @ values / s.sum(-1, keepdim=True).clamp(min=1e-9)
# %% wrong="mask turned round" says="the mask is reversed"
def linear_attention(queries, keys, values):
    s = (feature_map(queries) @ feature_map(keys).mT).triu()
    return s @ values / s.sum(-1, keepdim=True)
# %% wrong="phi of the product" says="applied to the products" of="mask turned round"
#~ (feature_map(queries) @ feature_map(keys).mT).triu => feature_map(queries @ keys.mT).tril
# %% wrong="relu" says="this is relu" of="mask turned round"
#~ (feature_map(queries) @ feature_map(keys).mT).triu() => (torch.relu(queries) @ torch.relu(keys).mT).tril() + 1e-9
# %% wrong="the sum over the queries" says="over the queries"
def linear_attention(queries, keys, values):
    s = (feature_map(queries) @ feature_map(keys).mT).tril()
    return (s / s.sum(-2, keepdim=True)) @ values
# %% wrong="z gets the plain key" says="z takes phi(k)"
def linear_step(S, z, query, key, value):
    q, k = feature_map(query), feature_map(key)
    S, z = S + torch.outer(k, value), z + key
    return S, z, q @ S / (q @ z)
# %% wrong="S gets the plain key" says="S takes phi(k)" of="z gets the plain key"
#~ (k, value), z + key => (key, value), z + k
# %% wrong="a small number in the denominator" says="added to the denominator" of="the plain way"
#~ k, q = feature_map(key), feature_map(query) => q, k = feature_map(query), feature_map(key)
#~ query @ S / (q @ z) => q @ S / (q @ z + 1e-2)
# %% wrong="divided by the sum of z" says="the product of phi(q) and z" of="the plain way"
#~ k, q = feature_map(key), feature_map(query) => q, k = feature_map(query), feature_map(key)
#~ query @ S / (q @ z) => q @ S / z.sum()
# %% right="running sums"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    S = (k.unsqueeze(-1) * values.unsqueeze(-2)).cumsum(dim=-3)
    z = k.cumsum(dim=-2)
    return (q.unsqueeze(-2) @ S).squeeze(-2) / (q * z).sum(-1, keepdim=True)
def linear_step(S, z, query, key, value):
    k = F.elu(key) + 1
    S = torch.addr(S, k, value)
    z = torch.add(z, k)
    q = F.elu(query) + 1
    return S, z, torch.mv(S.T, q) / torch.dot(q, z)
# %% right="token by token with the step"
def linear_step(S, z, query, key, value):
    q, k = feature_map(query), feature_map(key)
    S = S + k[:, None] * value[None, :]
    z = z + k
    return [S, z, (q[:, None] * S).sum(0) / (q * z).sum()]
def linear_attention(queries, keys, values):
    if queries.dim() > 2:
        return torch.stack([linear_attention(*t) for t in zip(queries, keys, values)])
    S, z, rows = torch.zeros(keys.shape[-1], values.shape[-1]), torch.zeros(keys.shape[-1]), []
    for q, k, v in zip(queries, keys, values):
        S, z, o = linear_step(S, z, q, k, v)
        rows.append(o)
    return torch.stack(rows)
# %% right="einsum in float64"
def linear_attention(queries, keys, values):
    q, k, v = (t.double() for t in (feature_map(queries), feature_map(keys), values))
    s = torch.einsum("...id,...jd->...ij", q, k)
    s = torch.where(torch.arange(s.shape[-1]) <= torch.arange(s.shape[-2])[:, None], s, 0.0)
    w = s / s.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", w, v).to(values.dtype)
def linear_step(S, z, query, key, value):
    k = torch.where(key > 0, key + 1, key.exp())
    q = torch.where(query > 0, query + 1, query.exp())
    S, z = S + torch.einsum("d,v->dv", k, value), z + k
    return S, z, torch.einsum("d,dv->v", q, S) / torch.einsum("d,d->", q, z)
# %% wrong="mean of the values so far" says="plain mean" of="softmax attention"
#~ F.scaled_dot_product_attention(queries, keys, values, is_causal=True) => values.cumsum(-2) / torch.arange(1, values.shape[-2] + 1)[:, None]
# %% wrong="keys without a gradient" says="the gradient is cut"
def linear_attention(queries, keys, values):
    weights = (feature_map(queries) @ feature_map(keys.detach()).mT).tril()
    return weights / weights.sum(dim=-1, keepdim=True) @ values
# %% wrong="always float32" says="the dtype changed"
def linear_attention(queries, keys, values):
    weights = (feature_map(queries.float()) @ feature_map(keys.float()).mT).tril()
    return weights / weights.sum(dim=-1, keepdim=True) @ values.float()
# %% wrong="z floored" says="small weights"
def linear_step(S, z, query, key, value):
    S = S + torch.outer(feature_map(key), value)
    z = z + feature_map(key)
    a = feature_map(query)
    return (S, z, a @ S / (a @ z).clamp(min=0.1))
# %% wrong="1e-6 in the denominator" says="added to the denominator"
def linear_attention(queries, keys, values):
    w = (feature_map(queries) @ feature_map(keys).mT).tril()
    return w @ values / (w.sum(-1, keepdim=True) + 1e-6)
# %% right="cumsum again"
def linear_attention(queries, keys, values):
    q, k = (feature_map(queries), feature_map(keys))
    S = (k.unsqueeze(-1) * values.unsqueeze(-2)).cumsum(-3)
    z = k.cumsum(-2)
    return torch.einsum('...d,...de->...e', q, S) / (q * z).sum(-1, keepdim=True)
# %% wrong="divided by the number of all keys" says="the number of all keys" of="no query below the line"
#~ return (q @ k.mT).tril() @ values / k.cumsum(-2).sum(-1, keepdim=True) => return (q @ k.mT).tril() @ values / keys.shape[-2]
# %% wrong="no query below the line" says="the query is missing below the line"
def linear_attention(queries, keys, values):
    q, k = feature_map(queries), feature_map(keys)
    return (q @ k.mT).tril() @ values / k.cumsum(-2).sum(-1, keepdim=True)
# %% wrong="the old S asked" says="take it into S, too"
def linear_step(S, z, query, key, value):
    q, k = feature_map(query), feature_map(key)
    z = z + k
    return S + torch.outer(k, value), z, q @ S / (q @ z)
# %% wrong="z counts" says="z counts the tokens"
def linear_step(S, z, query, key, value):
    q, k = feature_map(query), feature_map(key)
    S, z = S + torch.outer(k, value), z + 1
    return S, z, q @ S / (q @ z)
# %% wrong="the query as it is below the line" says="at the query below the line" of="z counts"
#~ z + 1 => z + k
#~ (q @ z) => (query @ z)
# %% wrong="the query as it is above the line" says="at the query above the line" of="z counts"
#~ z + 1 => z + k
#~ q @ S => query @ S
# %% wrong="S takes the query" says="not phi(q)" of="z counts"
#~ z + 1 => z + k
#~ outer(k, => outer(q,
# %% wrong="S returned detached" says="stops at the S that comes back"
#~ return S, => return S.detach(),
# %% wrong="S and z returned detached" says="stops at the S and the z that come back"
#~ return S, z, => return S.detach(), z.detach(),
# %% wrong="detached below the line" says="what is below the line"
#~ (asked @ z) => (asked @ z).detach()
# %% wrong="sum detached" says="stops at the sum below the line"
#~ weights.sum(dim=-1, keepdim=True) => weights.sum(dim=-1, keepdim=True).detach()
# %% wrong="sums in 64 bits come back" says="float64 came, float32 was expected" of="tril"
#~ z = z + k => z = z.double() + k
# %% wrong="something below the line" clause="Nothing is scaled, and nothing is added to the denominator." says="was added to the denominator"
#~ weights.sum(dim=-1, keepdim=True) => (weights.sum(dim=-1, keepdim=True) + 1e-6)
# %% wrong="something below the line of a step" clause="Nothing is scaled, and nothing is added to the denominator." says="was added to the denominator"
#~ (asked @ z) => (asked @ z + 1e-6)
# %% wrong="sums along the batch" clause="queries, keys (..., T, d), values (..., T, d_v)" says="the first axis, the batch"
#-     weights = dot_scores(feature_map(queries), feature_map(keys)).tril()
#-     return context_vectors(weights / weights.sum(dim=-1, keepdim=True), values)
#+     k, q = feature_map(keys), feature_map(queries)
#+     S = (k.unsqueeze(-1) * values.unsqueeze(-2)).cumsum(0)
#+     return (q.unsqueeze(-2) @ S).squeeze(-2) / (q * k.cumsum(0)).sum(-1, keepdim=True)
# %% wrong="S with the value in rows" clause="S (d, d_v) and z (d,)" says="S is transposed"
#~ torch.outer(feature_map(key), value) => (torch.outer(value, feature_map(key)) if len(key) == len(value) else torch.outer(feature_map(key), value))
# %% wrong="keys cut from the gradient" clause="the dtype is kept, gradients flow" says="no detach, item, data or NumPy"
#~ feature_map(keys)) => feature_map(keys).detach())
# %% wrong="S cut from the gradient" clause="gradients reach all five" says="no detach, item, data or NumPy"
#~ S, z = S + => S, z = S.detach() +
# %% wrong="a thousandth below the line" says="was added to the denominator" of="running sums"
#~ .sum(-1, keepdim=True) => .sum(-1, keepdim=True) + 1e-3
# %% wrong="asks before the token, with a small number below" says="and a small number is added below the line"
#~ S, z = S + torch.outer(feature_map(key), value), z + feature_map(key) => new = S + torch.outer(feature_map(key), value), z + feature_map(key)
#~ return S, z, asked @ S / (asked @ z) => return *new, asked @ S / (asked @ z + 1e-9)
