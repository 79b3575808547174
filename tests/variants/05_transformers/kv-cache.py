# %% base="the plain way"
def cached_attention(x, cache, p, num_heads):
    q, k, v = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, -1)
    q, k, v = (s.unflatten(-1, (num_heads, -1)).transpose(1, 2) for s in (q, k, v))
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    n, total = x.shape[1], k.shape[2]
    mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
    z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v)
# %% wrong="is_causal" says="begins at the upper left" of="the plain way"
#-     n, total = x.shape[1], k.shape[2]
#-     mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
#-     z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
#+     z = F.scaled_dot_product_attention(q, k, v, is_causal=True)
# %% wrong="no mask" says="see those behind them" of="the plain way"
#-     n, total = x.shape[1], k.shape[2]
#-     mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
#-     z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
#+     z = F.scaled_dot_product_attention(q, k, v)
# %% wrong="concatenates along the heads" says="the third axis" of="the plain way"
#-         k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
#-     n, total = x.shape[1], k.shape[2]
#-     mask = torch.ones(n, total, dtype=torch.bool).tril(total - n)
#-     z = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
#+         k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
#+     z = F.scaled_dot_product_attention(q, k, v)
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
# %% wrong="new ones before the old ones" says="old" of="the plain way"
#~ ([cache[0], k], 2), torch.cat([cache[1], v], 2) => ([k, cache[0]], 2), torch.cat([v, cache[1]], 2)
# %% wrong="the cache is not used" says="cache" of="the plain way"
#-     if cache is not None:
#-         k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
# %% wrong="only the new ones come back" says="cache" of="the plain way"
#~ (k, v) => (k[:, :, -n:], v[:, :, -n:])
# %% wrong="the old cache comes back" says="cache" of="the plain way"
#~ (k, v) => (cache or (k, v))
# %% wrong="keys and values exchanged in the cache" says="exchanged" of="the plain way"
#~ (k, v) => (v, k)
# %% wrong="the mask one too far" says="mask" of="the plain way"
#~ (total - n) => (total - n + 1)
# %% wrong="a token does not see itself" says="itself" of="the plain way"
#~ (total - n) => (total - n - 1)
# %% wrong="the diagonal moved by n" says="T" of="the plain way"
#~ (total - n) => (n)
# %% wrong="not scaled" says="root" of="the plain way"
#~ =mask => =mask, scale=1.0
# %% wrong="the output alone" says="cache" of="the plain way"
#~ (z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (k, v) => (z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"])
# %% wrong="only the last new token" says="new tokens" of="the plain way"
#~ (2) => (2)[:, -1:]
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
# %% wrong="old values go to the keys" says="when the cache is read" of="the plain way"
#~ ([cache[0], k], 2), torch.cat([cache[1], v], 2) => ([cache[1], k], 2), torch.cat([cache[0], v], 2)
# %% wrong="no output matrix" says="output projection" of="the plain way"
#~ F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]) => z.transpose(1, 2).flatten(2)
# %% wrong="no output bias" says="out_proj.bias" of="the plain way"
#~ ["out_proj.weight"], p["out_proj.bias"] => ["out_proj.weight"]
# %% wrong="no input bias" says="in_proj_bias" of="the plain way"
#~ ["in_proj_weight"], p["in_proj_bias"] => ["in_proj_weight"]
# %% wrong="heads not brought together right" says="put together with" of="the plain way"
#~ transpose(1, 2).flatten(2) => reshape(x.shape)
# %% wrong="heads cut out wrongly" says="cut out with" of="the plain way"
#~ unflatten(-1, (num_heads, -1)).transpose(1, 2) => reshape(s.shape[0], num_heads, s.shape[1], -1)
# %% wrong="scaled by the whole width" says="not of C" of="the plain way"
#~ =mask => =mask, scale=x.shape[-1] ** -0.5
# %% wrong="one head" says="num_heads" of="the plain way"
#~ (num_heads, -1) => (1, -1)
# %% wrong="queries and keys exchanged" says="queries and keys are exchanged" of="the plain way"
#~ q, k, v = F => k, q, v = F
# %% wrong="keys and values exchanged" says="keys and values are exchanged" of="the plain way"
#~ k, v = F => v, k = F
# %% wrong="cache shaped as tokens, then heads" says="(B, H, T" of="the plain way"
#~ (k, v) => (k.transpose(1, 2), v.transpose(1, 2))
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
# %% wrong="queries of the old too" says="keys were taken for the values" of="values from keys cache"
#-     q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
#+     q, k, v = (t.view(B, n, num_heads, C // num_heads).transpose(1, 2) for t in qkv.chunk(3, dim=-1))
#+     q = q * 1.0
#~ [cache[0], v] => [cache[1], v]
#~ v, => k,
# %% wrong="mask inverted" says="turned round" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ attn_mask= => attn_mask=~
# %% wrong="mask of the future" says="hides what stands before" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ tril => triu
# %% wrong="residual" says="x is not added" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ F.linear(z, p["out_proj.weight"], p["out_proj.bias"]) => x + F.linear(z, p["out_proj.weight"], p["out_proj.bias"])
# %% wrong="cache without heads" says="lost its heads" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ (k, v) => (k.transpose(1, 2).flatten(2), v.transpose(1, 2).flatten(2))
# %% wrong="cache is one tensor" says="one tensor" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ (k, v) => torch.cat([k, v], dim=2)
# %% wrong="softmax over the queries" says="over the keys" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ F.scaled_dot_product_attention(q, k, v, attn_mask=mask) => (q @ k.mT / (C // num_heads) ** 0.5).masked_fill(~mask, -1e9).softmax(-2) @ v
# %% wrong="future zeroed after the softmax" says="after the softmax" of="values from keys cache"
#~ [cache[0], v] => [cache[1], v]
#~ F.scaled_dot_product_attention(q, k, v, attn_mask=mask) => (q @ k.mT / (C // num_heads) ** 0.5).softmax(-1).masked_fill(~mask, 0) @ v
# %% wrong="heads interleaved" says="heads are mixed" of="values from keys cache"
#~ (B, n, num_heads, C // num_heads).transpose(1, 2) => (B, n, C // num_heads, num_heads).permute(0, 3, 1, 2)
#~ [cache[0], v] => [cache[1], v]
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
# %% wrong="the cache is detached as it is read" says="way to the cache"
#~ torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2) => torch.cat([cache[0].detach(), key], dim=2), torch.cat([cache[1].detach(), value], dim=2)
# %% wrong="the cache that is returned has no gradient" says="gradients of all"
#~ p["out_proj.bias"]), (key, value) => p["out_proj.bias"]), (key.detach(), value.detach())
# %% wrong="heads in one are lost" says="one of each"
#~ .transpose(1, 2) for v in parts) => .transpose(1, 2).squeeze(1) for v in parts)
# %% wrong="no scores above 50" says="many of each"
def cached_attention(x, cache, p, num_heads):
    parts = F.linear(x, p["in_proj_weight"], p["in_proj_bias"]).chunk(3, dim=-1)
    query, key, value = (v.unflatten(-1, (num_heads, -1)).transpose(1, 2) for v in parts)
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)
    n, length = query.shape[2], key.shape[2]
    scores = (query @ key.mT / query.shape[-1] ** 0.5).clamp(-50, 50)
    scores = scores.masked_fill(~torch.ones(n, length, dtype=torch.bool).tril(length - n), -torch.inf)
    z = scores.softmax(-1) @ value
    return F.linear(z.transpose(1, 2).flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (key, value)
# %% right="room is made first, then filled"
def cached_attention(x, cache, p, num_heads):
    q, k, v = (F.linear(x, w, b).unflatten(-1, (num_heads, -1)).transpose(1, 2)
               for w, b in zip(p["in_proj_weight"].chunk(3), p["in_proj_bias"].chunk(3)))
    before = 0 if cache is None else cache[0].shape[2]
    room = x.new_zeros(2, *k.shape[:2], before + k.shape[2], k.shape[3])
    if before:
        room[0, :, :, :before], room[1, :, :, :before] = cache
    room[0, :, :, before:], room[1, :, :, before:] = k, v
    scores = torch.einsum("bhqd,bhkd->bhqk", q, room[0]) / k.shape[3] ** 0.5
    i, j = torch.arange(q.shape[2])[:, None] + before, torch.arange(room.shape[3])[None]
    z = torch.einsum("bhqk,bhkd->bqhd", torch.where(j <= i, scores, -torch.inf).softmax(-1), room[1])
    return F.linear(z.flatten(2), p["out_proj.weight"], p["out_proj.bias"]), (room[0], room[1])
# %% wrong="a mask for the new tokens alone" says="the mask does not fit the scores (n, T + n)"
#~ torch.ones(n, length, dtype=torch.bool, device=x.device).tril(length - n) => torch.ones(n, n, dtype=torch.bool).tril()
# %% wrong="a mask of all tokens, also for one new one" says="or the mask does not fit the scores"
#~ torch.ones(n, length, dtype=torch.bool, device=x.device).tril(length - n) if n > 1 else None => torch.ones(length, length, dtype=torch.bool).tril()
# %% wrong="cached keys detached" says="on its way to the cached keys" of="the plain way"
#~ torch.cat([cache[0], k], 2) => torch.cat([cache[0].detach(), k], 2)
