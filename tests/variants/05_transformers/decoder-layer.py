# %% wrong="looks ahead" says="self-attention looks ahead"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def ln(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    y = ln(y + attention(y, y, p, "self_attn", num_heads), 1)
    y = ln(y + attention(y, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    h = F.gelu(F.linear(y, p["linear1.weight"], p["linear1.bias"]))
    return ln(y + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)

# %% wrong="no padding mask" says="memory_mask is ignored"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def ln(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    y = ln(y + attention(y, y, p, "self_attn", num_heads, is_causal=True), 1)
    y = ln(y + attention(y, memory, p, "multihead_attn", num_heads), 2)
    h = F.gelu(F.linear(y, p["linear1.weight"], p["linear1.bias"]))
    return ln(y + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)

# %% right="an explicit mask"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def ln(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

    T = y.shape[1]
    y = ln(y + attention(y, y, p, "self_attn", num_heads, torch.ones(T, T).tril().bool()), 1)
    y = ln(y + attention(y, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    h = F.gelu(y @ p["linear1.weight"].T + p["linear1.bias"])
    return ln(y + h @ p["linear2.weight"].T + p["linear2.bias"], 3)
