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
