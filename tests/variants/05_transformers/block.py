# %% wrong="the residual adds the norm" says="what is added is x itself"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    def ln(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    def ff(v):
        return F.linear(F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"])), p["linear2.weight"], p["linear2.bias"])

    if norm_first:
        x = ln(x, 1)
        x = x + attention(x, x, p, "self_attn", num_heads, mask)
        x = ln(x, 2)
        return x + ff(x)
    x = ln(x + attention(x, x, p, "self_attn", num_heads, mask), 1)
    return ln(x + ff(x), 2)

# %% wrong="the mask is forgotten" says="the mask is ignored"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    def ln(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    def ff(v):
        return F.linear(F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"])), p["linear2.weight"], p["linear2.bias"])

    if norm_first:
        h = ln(x, 1)
        x = x + attention(h, h, p, "self_attn", num_heads)
        return x + ff(ln(x, 2))
    x = ln(x + attention(x, x, p, "self_attn", num_heads), 1)
    return ln(x + ff(x), 2)

# %% right="the library's layer with the weights loaded"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    C, width = x.shape[-1], p["linear1.bias"].shape[0]
    layer = nn.TransformerEncoderLayer(C, num_heads, width, 0.0, "gelu", batch_first=True, norm_first=norm_first)
    layer.load_state_dict(p)
    layer = layer.to(x.dtype)
    if mask is None:
        return layer(x).detach()
    full = mask.expand(x.shape[0], num_heads, x.shape[1], x.shape[1]).reshape(-1, x.shape[1], x.shape[1])
    return layer(x, src_mask=~full).detach()
