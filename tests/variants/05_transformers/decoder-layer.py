# %% base="the plain way"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def norm(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    u = norm(y + attention(y, y, p, "self_attn", num_heads, is_causal=True), 1)
    v = norm(u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
    return norm(v, 3)
# %% wrong="looks ahead" says="self-attention looks ahead" of="an explicit mask"
#-     T = y.shape[1]
#-     y = ln(y + attention(y, y, p, "self_attn", num_heads, torch.ones(T, T).tril().bool()), 1)
#+     y = ln(y + attention(y, y, p, "self_attn", num_heads), 1)
#~ y @ p["linear1.weight"].T + p["linear1.bias"] => F.linear(y, p["linear1.weight"], p["linear1.bias"])
#~ h @ p["linear2.weight"].T + p["linear2.bias"] => F.linear(h, p["linear2.weight"], p["linear2.bias"])
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
# %% wrong="cross-attention is causal" says="cross-attention" of="the plain way"
#~ (u, memory, p, "multihead_attn", num_heads, memory_mask) => (u, memory, p, "multihead_attn", num_heads, None, is_causal=True)
#~ (v, 3) => (v + f, 3)
# %% wrong="no cross-attention" says="cross-attention is missing" of="the plain way"
#~ u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask) => u
#~ (v, 3) => (v + f, 3)
# %% wrong="no self-attention" says="self-attention is missing" of="the plain way"
#~ y + attention(y, y, p, "self_attn", num_heads, is_causal=True) => y
#~ (v, 3) => (v + f, 3)
# %% wrong="the weights of self-attention twice" says="multihead_attn" of="the plain way"
#~ multihead_attn => self_attn
#~ (v, 3) => (v + f, 3)
# %% wrong="norm1 three times" says="norm" of="the plain way"
#~ [f"norm{i}.weight"], p[f"norm{i}.bias"] => ["norm1.weight"], p["norm1.bias"]
#~ (v, 3) => (v + f, 3)
# %% wrong="norms 2 and 3 exchanged" says="norm2 and norm3" of="the plain way"
#~ (u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2) => (u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 3)
#~ v, 3 => v + f, 2
# %% wrong="no residual around cross-attention" says="residual around cross-attention" of="the plain way"
#~ (u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2) => (attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
#~ (v, 3) => (v + f, 3)
# %% wrong="no residual around self-attention" says="residual around self-attention" of="the plain way"
#~ (y + attention(y, y, p, "self_attn", num_heads, is_causal=True), 1) => (attention(y, y, p, "self_attn", num_heads, is_causal=True), 1)
#~ (v, 3) => (v + f, 3)
# %% wrong="no residual around feed-forward" says="residual around feed-forward" of="the plain way"
#~ (v, 3) => (f, 3)
# %% wrong="last norm missing" says="norm" of="the plain way"
#~ norm(v, 3) => v + f
# %% wrong="pre-norm" says="post-norm"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def norm(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    h = norm(y, 1)
    u = y + attention(h, h, p, "self_attn", num_heads, is_causal=True)
    v = u + attention(norm(u, 2), memory, p, "multihead_attn", num_heads, memory_mask)
    f = feed_forward(norm(v, 3), p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
    return v + f
# %% wrong="cross-attention first" says="first"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def norm(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    u = norm(y + attention(y, memory, p, "multihead_attn", num_heads, memory_mask), 1)
    v = norm(u + attention(u, u, p, "self_attn", num_heads, is_causal=True), 2)
    f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
    return norm(v + f, 3)
# %% wrong="mask turned round" says="turned round" of="the plain way"
#~ (u, memory, p, "multihead_attn", num_heads, memory_mask) => (u, memory, p, "multihead_attn", num_heads, None if memory_mask is None else ~memory_mask)
#~ (v, 3) => (v + f, 3)
# %% wrong="ReLU" says="ReLU" of="the plain way"
#~ feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => F.linear(F.relu(F.linear(v, p["linear1.weight"], p["linear1.bias"])), p["linear2.weight"], p["linear2.bias"])
#~ (v, 3) => (v + f, 3)
# %% wrong="no return" says="is there a return" of="the plain way"
#~ return norm(v, 3) => z = norm(v + f, 3)
# %% wrong="the library's layer, weights loaded" says="gradient is cut"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    B, T, C = y.shape
    layer = nn.TransformerDecoderLayer(C, num_heads, len(p["linear1.bias"]), 0.0, "gelu", batch_first=True).to(y.dtype)
    layer.load_state_dict(p)
    S = memory.shape[1]
    shut = None
    if memory_mask is not None:
        shut = ~memory_mask.expand(B, num_heads, T, S).reshape(B * num_heads, T, S)
    later = torch.ones(T, T, dtype=torch.bool).triu(1)
    return layer(y, memory, tgt_mask=later, memory_mask=shut).detach()
# %% wrong="cross-attention looks at itself" says="come from the memory" of="the plain way"
#~ memory, p, "multihead_attn", num_heads, memory_mask => u, p, "multihead_attn", num_heads
#~ (v, 3) => (v + f, 3)
# %% wrong="no feed-forward" says="feed-forward half is missing" of="cross-attention first"
#~ memory, p, "multihead_attn", num_heads, memory_mask => y, p, "self_attn", num_heads, is_causal=True
#~ u, p, "self_attn", num_heads, is_causal=True => memory, p, "multihead_attn", num_heads, memory_mask
#~ v + f => v
# %% wrong="cross-attention asks with y" says="looks from y" of="the plain way"
#~ (u, memory, p, "multihead_attn", num_heads, memory_mask) => (y, memory, p, "multihead_attn", num_heads, memory_mask)
#~ (v, 3) => (v + f, 3)
# %% wrong="residual of cross-attention adds y" says="adds u, not y" of="the plain way"
#~ (u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2) => (y + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
#~ (v, 3) => (v + f, 3)
# %% wrong="one head" says="num_heads" of="the plain way"
#~ num_heads, is_causal => 1, is_causal
#~ (u, memory, p, "multihead_attn", num_heads, memory_mask) => (u, memory, p, "multihead_attn", 1, memory_mask)
#~ (v, 3) => (v + f, 3)
# %% wrong="feed-forward of u" says="not on u" of="the plain way"
#~ (v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => (u, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#~ (v, 3) => (v + f, 3)
# %% wrong="cross weights for self" says="its own are self_attn"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    def norm(v, i):
        return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    u = norm(y + attention(y, y, p, "multihead_attn", num_heads, is_causal=True), 1)
    v = norm(u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2)
    h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
    return norm(v + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="attentions exchanged" says="two attentions are exchanged" of="cross weights for self"
#~ "multihead_attn", num_heads, memory_mask => "self_attn", num_heads, memory_mask
# %% wrong="norms 1 and 2 exchanged" says="norm1 and norm2" of="cross weights for self"
#~ (y, y, p, "multihead_attn", num_heads, is_causal=True), 1 => (y, y, p, "self_attn", num_heads, is_causal=True), 2
#~ (u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2) => (u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 1)
# %% wrong="norm1 missing" says="behind self-attention" of="cross weights for self"
#~ norm(y + attention(y, y, p, "multihead_attn", num_heads, is_causal=True), 1) => y + attention(y, y, p, "self_attn", num_heads, is_causal=True)
# %% wrong="norm2 missing" says="behind cross-attention" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ norm(u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask), 2) => u + attention(u, memory, p, "multihead_attn", num_heads, memory_mask)
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (v + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="third residual from u" says="adds v, not u" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (u + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="third residual from y" says="adds v, not y" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (y + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="memory normed" says="without a norm" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ memory, p, "multihead_attn" => norm(memory, 2), p, "multihead_attn"
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (v + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="cross before self" says="stands after self-attention" of="cross weights for self"
#~ (y, y, p, "multihead_attn", num_heads, is_causal=True), 1 => (y, memory, p, "multihead_attn", num_heads, memory_mask), 2
#~ (u, memory, p, "multihead_attn", num_heads, memory_mask), 2 => (u, u, p, "self_attn", num_heads, is_causal=True), 1
# %% wrong="silu" says="SiLU" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.silu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (v + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="one head in cross" says="in cross-attention" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ (u, memory, p, "multihead_attn", num_heads, memory_mask) => (u, memory, p, "multihead_attn", 1, memory_mask)
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (v + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% wrong="bias of linear2 forgotten" says="linear2" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (v + F.linear(h, p["linear2.weight"]), 3)
# %% wrong="causal strictly" says="itself and what stands before" of="cross weights for self"
#~ "multihead_attn", num_heads, is_causal=True => "self_attn", num_heads, torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).tril(-1)
# %% wrong="memory asks" says="the memory asks" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#~ u, memory => memory, u
#~ f = feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#~ (v, 3) => (v + F.linear(h, p["linear2.weight"], p["linear2.bias"]), 3)
# %% right="the library's layer"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    (B, T, C), S = y.shape, memory.shape[1]
    layer = nn.TransformerDecoderLayer(C, num_heads, len(p["linear1.bias"]), 0.0, "gelu", batch_first=True).to(y.dtype)
    causal = torch.ones(T, T, dtype=torch.bool).triu(1)
    if memory_mask is not None:
        memory_mask = ~memory_mask.expand(B, num_heads, T, S).reshape(-1, T, S)
    return torch.func.functional_call(layer, dict(p), (y, memory), {"tgt_mask": causal, "memory_mask": memory_mask})
# %% right="own functions, mask by hand"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    T = y.size(1)
    see = torch.ones(T, T).tril() > 0
    steps = [
        lambda z: attention(z, z, p, "self_attn", num_heads, mask=see),
        lambda z: attention(z, memory, p, "multihead_attn", num_heads, mask=memory_mask),
        lambda z: feed_forward(z, *(p[f"linear{i}.{k}"] for i in (1, 2) for k in ("weight", "bias"))),
    ]
    for i, step in enumerate(steps):
        y = layer_norm(y + step(y), p[f"norm{i + 1}.weight"], p[f"norm{i + 1}.bias"])
    return y
# %% wrong="the memory is detached" says="way to the memory"
#~ u, memory, p, => u, memory.detach(), p,
# %% wrong="the causal mask on one text alone" says="one text"
#~ is_causal=True), 1) => is_causal=len(y) > 1), 1)
# %% wrong="the mask of the first head for all" says="mask of its own"
#~ num_heads, memory_mask), 2) => num_heads, None if memory_mask is None else memory_mask[:, :1]), 2)
# %% wrong="the mask of the first query for all" says="mask of its own"
#~ num_heads, memory_mask), 2) => num_heads, None if memory_mask is None else memory_mask[:, :, :1]), 2)
# %% right="one loop over three sublayers"
def decoder_layer(y, memory, p, num_heads, memory_mask=None):
    for i, sublayer in enumerate((
        lambda v: attention(v, v, p, "self_attn", num_heads, None, True),
        lambda v: attention(v, memory, p, "multihead_attn", num_heads, memory_mask),
        lambda v: feed_forward(v, *(p[f"linear{k}.{kind}"] for k in (1, 2) for kind in ("weight", "bias"))),
    ), 1):
        y = layer_norm(y + sublayer(y), p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    return y
# %% wrong="the first part of the mask" says="memory_mask was cut to its first part" of="an explicit mask"
#~ num_heads, memory_mask), 2) => num_heads, None if memory_mask is None else memory_mask[:1]), 2)
