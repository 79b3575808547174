# %% wrong="is_causal" says="begins at the upper left"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="no mask" says="see those behind them"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    z = F.scaled_dot_product_attention(q, k, v)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="concatenates along the heads" says="the third axis"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
    z = F.scaled_dot_product_attention(q, k, v)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% right="plain products"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    q, k, v = (
        (x @ p["in_proj_weight"][i * C : i * C + C].T + p["in_proj_bias"][i * C : i * C + C])
        .view(B, n, num_heads, C // num_heads).permute(0, 2, 1, 3)
        for i in range(3)
    )
    if cache:
        k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    s = q @ k.transpose(-1, -2) / math.sqrt(C // num_heads)
    s = s + torch.full(s.shape[-2:], -1e9).triu(k.shape[2] - n + 1).to(s.dtype)
    z = (s.softmax(-1) @ v).permute(0, 2, 1, 3).reshape(B, n, C)
    return [z @ p["out_proj.weight"].T + p["out_proj.bias"], [k, v]]

# %% wrong="new ones before the old ones" says="old"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([k, cache[0]], 2), torch.cat([v, cache[1]], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="the cache is not used" says="cache"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="only the new ones come back" says="cache"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k[:, :, -n:], v[:, :, -n:])

# %% wrong="the old cache comes back" says="cache"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (cache or (k, v))

# %% wrong="keys and values exchanged in the cache" says="exchanged"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (v, k)

# %% wrong="the mask one too far" says="mask"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n + 1)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="a token does not see itself" says="itself"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n - 1)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="the diagonal moved by n" says="T"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="not scaled" says="root"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=1.0)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="the output alone" says="cache"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"])

# %% wrong="only the last new token" says="new tokens"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2)[:, -1:], p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% right="each head and each token in a loop"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    d = C // num_heads
    qkv = x @ p["in_proj_weight"].T + p["in_proj_bias"]
    q, k, v = (qkv[..., i * C : (i + 1) * C].reshape(B, n, num_heads, d).permute(0, 2, 1, 3) for i in range(3))
    if cache is not None:
        k = torch.cat((cache[0], k), dim=-2)
        v = torch.cat((cache[1], v), dim=-2)
    T = k.shape[2] - n
    rows = []
    for i in range(n):
        w = torch.einsum("bhd,bhtd->bht", q[:, :, i], k[:, :, : T + i + 1]) / math.sqrt(d)
        z = torch.einsum("bht,bhtd->bhd", w.softmax(-1), v[:, :, : T + i + 1])
        rows.append(z.reshape(B, C) @ p["out_proj.weight"].T + p["out_proj.bias"])
    return torch.stack(rows, 1), (k, v)

# %% wrong="old values go to the keys" says="when the cache is read"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[1], k], 2), torch.cat([cache[0], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="no output matrix" says="output projection"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return z.transpose(1, 2).flatten(2), (k, v)

# %% wrong="no output bias" says="out_proj.bias"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"]), (k, v)

# %% wrong="no input bias" says="in_proj_bias"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="heads not brought together right" says="put together with"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.reshape(x.shape), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="heads cut out wrongly" says="cut out with"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.reshape(s.shape[0], num_heads, s.shape[1], -1) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="scaled by the whole width" says="not of C"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=x.shape[-1] ** -0.5)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="one head" says="num_heads"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (1, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="queries and keys exchanged" says="queries and keys are exchanged"
def cached_attention(x, cache, p, num_heads):
    k, q, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="keys and values exchanged" says="keys and values are exchanged"
def cached_attention(x, cache, p, num_heads):
    q, v, k = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="cache shaped as tokens, then heads" says="(B, H, T"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k.transpose(1, 2), v.transpose(1, 2))

# %% wrong="values from keys cache" says="old keys were taken"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[0], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="queries of the old too" says="keys were taken for the values"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    q = q * 1.0
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, k, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="mask inverted" says="turned round"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="mask of the future" says="hides what stands before"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).triu(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="residual" says="x is not added"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return x + F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="only the last token's output" says="last alone"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z[:, -1:], p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="cache without heads" says="lost its heads"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k.transpose(1, 2).flatten(2), v.transpose(1, 2).flatten(2))

# %% wrong="cache is one tensor" says="one tensor"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), torch.cat([k, v], dim=2)

# %% wrong="softmax over the queries" says="over the keys"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = (q @ k.mT / (C // num_heads) ** 0.5).masked_fill(~mask, -1e9).softmax(-2) @ v
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="future zeroed after the softmax" says="after the softmax"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = (q @ k.mT / (C // num_heads) ** 0.5).softmax(-1).masked_fill(~mask, 0) @ v
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% wrong="heads interleaved" says="heads are mixed"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    qkv = F.linear(x, p["in_proj_weight"], p["in_proj_bias"])
    q, k, v = (t.view(B, n, C // num_heads, num_heads).permute(0, 3, 1, 2) for t in qkv.chunk(3, dim=-1))
    T = 0
    if cache is not None:
        T = cache[0].shape[2]
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    mask = torch.ones(n, T + n, dtype=torch.bool).tril(T)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    z = z.transpose(1, 2).reshape(B, n, C)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (k, v)

# %% right="einsum and softmax"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    d = C // num_heads
    w, b = p["in_proj_weight"].view(3, num_heads, d, C), p["in_proj_bias"].view(3, 1, num_heads, 1, d)
    q, k, v = torch.einsum("bnc,ihdc->ibhnd", x, w) + b
    old = 0 if cache is None else cache[0].shape[-2]
    if cache is not None:
        k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    scores = torch.einsum("bhnd,bhsd->bhns", q, k) / math.sqrt(d)
    ahead = torch.arange(old + n)[None] > torch.arange(old, old + n)[:, None]
    weights = scores.masked_fill(ahead, -1e9).softmax(-1)
    z = torch.einsum("bhns,bhsd->bnhd", weights, v).flatten(2)
    return z @ p["out_proj.weight"].T + p["out_proj.bias"], (k, v)

# %% right="one token after the other, a list for the cache"
def cached_attention(x, cache, p, num_heads):
    C = x.shape[-1]
    wq, wk, wv = p["in_proj_weight"].split(C)
    bq, bk, bv = p["in_proj_bias"].split(C)
    keys, values = (None, None) if cache is None else cache
    out = []
    for t in range(x.shape[1]):
        row = x[:, t : t + 1]
        q, k, v = (F.linear(row, w, b).unflatten(-1, (num_heads, -1)).transpose(1, 2) for w, b in ((wq, bq), (wk, bk), (wv, bv)))
        keys = k if keys is None else torch.cat([keys, k], 2)
        values = v if values is None else torch.cat([values, v], 2)
        z = F.scaled_dot_product_attention(q, keys, values)
        out.append(F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]))
    return torch.cat(out, 1), [keys, values]

# %% right="head by head, empty cache made"
def cached_attention(x, cache, p, num_heads):
    B, n, C = x.shape
    d = C // num_heads
    if cache is None:
        empty = x.new_zeros(B, num_heads, 0, d)
        cache = (empty, empty)
    T = cache[0].size(2)
    full = x @ p["in_proj_weight"].T + p["in_proj_bias"]
    bias = torch.full((n, T + n), -torch.inf, dtype=x.dtype).triu(T + 1)
    ks, vs, zs = [], [], []
    for h in range(num_heads):
        cut = slice(h * d, (h + 1) * d)
        q, k, v = full[..., :C][..., cut], full[..., C : 2 * C][..., cut], full[..., 2 * C :][..., cut]
        k, v = torch.cat([cache[0][:, h], k], 1), torch.cat([cache[1][:, h], v], 1)
        zs.append(torch.softmax(q @ k.transpose(1, 2) * d**-0.5 + bias, -1) @ v)
        ks.append(k)
        vs.append(v)
    z = torch.cat(zs, -1)
    return F.linear(z, p["out_proj.weight"], p["out_proj.bias"]), (torch.stack(ks, 1), torch.stack(vs, 1))
