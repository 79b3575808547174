# %% wrong="LayerNorm" says="takes no mean away"
#~ return x * torch.rsqrt(x.pow(2) => x = x - x.mean(dim=-1, keepdim=True); return x * torch.rsqrt(x.pow(2)
# %% wrong="no root" says="its root is meant"
#~ torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) => (1 / (x.pow(2).mean(dim=-1, keepdim=True) + eps))
# %% wrong="the length" says="divided by the length"
#~ x.pow(2).mean => x.pow(2).sum
# %% wrong="eps ignored" says="not used as it is given"
#~ + eps) * weight => + 1e-6) * weight
# %% wrong="over the tokens" says="over the last axis"
#~ mean(dim=-1 => mean(dim=-2
# %% wrong="one plus weight" says="1 was added"
#~ + eps) * weight => + eps) * (1 + weight)
# %% wrong="exchanged" says="are exchanged"
#~ F.silu(x @ gate.T) * (x @ up.T) => (x @ gate.T) * F.silu(x @ up.T)
# %% wrong="sigmoid" says="gate is a sigmoid"
#~ F.silu( => torch.sigmoid(
# %% wrong="gelu" says="gate is GELU"
#~ F.silu( => F.gelu(
# %% wrong="no residual" says="it is added to it"
#~ x = x + z.transpose => x = z.transpose
# %% wrong="parallel" says="after attention"
#~ x = x + z.transpose => y = x + z.transpose
#~ return x + swiglu => return y + swiglu
# %% wrong="not causal" says="those after it"
#~ is_causal=True => is_causal=False
# %% wrong="repeat" says="go round"
#~ key, value = key.repeat_interleave(share, dim=1), value.repeat_interleave(share, dim=1) => key, value = key.repeat(1, share, 1, 1), value.repeat(1, share, 1, 1)
# %% wrong="not rotated" says="nothing is rotated"
#~ rotated(query), rotated(key) => query, key
# %% wrong="values rotated" says="values are rotated"
#~ rotated(query), rotated(key) => rotated(query), rotated(key); value = rotated(value)
# %% wrong="heads not joined" says="side by side"
#~ z.transpose(1, 2).flatten(2) => z.reshape(x.shape)
# %% wrong="first norm twice" says="norm2"
#~ p["norm2"] => p["norm1"]
# %% wrong="second norm missing" says="before SwiGLU"
#~ rms_norm(x, p["norm2"]) => x
# %% wrong="float32" says="dtype changed"
#~ x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * weight => (x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * weight).float()
# %% right="by hand, in loops"
def rms_norm(x, weight, eps=1e-6):
    return weight * (x / ((x * x).sum(-1, keepdim=True) / x.shape[-1] + eps) ** 0.5)
def swiglu(x, gate, up, down):
    g = F.linear(x, gate)
    return F.linear(g / (1 + torch.exp(-g)) * F.linear(x, up), down)
def modern_block(x, p, num_heads):
    B, T, C = x.shape
    d = C // num_heads
    h = rms_norm(x, p["norm1"])
    q, k, v = (heads_of(F.linear(h, p[n]), d) for n in ("query", "key", "value"))
    q, k, G = rotated(q), rotated(k), k.shape[1]
    outputs = []
    for i in range(num_heads):
        j = i // (num_heads // G)
        s = q[:, i] @ k[:, j].mT / math.sqrt(d)
        s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -1e9)
        outputs.append(torch.softmax(s, -1) @ v[:, j])
    x = x + F.linear(torch.cat(outputs, -1), p["out"])
    return x + swiglu(rms_norm(x, p["norm2"]), p["gate"], p["up"], p["down"])
# %% right="the library's norm, enable_gqa"
def rms_norm(x, weight, eps=1e-6):
    return F.rms_norm(x, weight.shape, weight, eps)
def modern_block(x, p, num_heads):
    h, d = rms_norm(x, p["norm1"]), x.shape[-1] // num_heads
    q, k, v = (heads_of(F.linear(h, p[n]), d) for n in ("query", "key", "value"))
    z = F.scaled_dot_product_attention(rotated(q), rotated(k), v, is_causal=True, enable_gqa=True)
    y = x + F.linear(z.transpose(1, 2).reshape(x.shape), p["out"])
    return y + swiglu(rms_norm(y, p["norm2"]), p["gate"], p["up"], p["down"])
# %% wrong="residual of the norm" says="x itself is carried past attention"
#~ x = x + z.transpose => x = h + z.transpose
# %% wrong="no out" says="matrix out is missing"
#~ .flatten(2) @ p["out"].T => .flatten(2)
# %% wrong="out turned" says="matrix out is transposed"
#~ p["out"].T => p["out"]
# %% wrong="values without norm" says="values are made of x"
#~ query, key = rotated(query), rotated(key) => query, key, value = rotated(query), rotated(key), heads_of(x @ p["value"].T, d_head)
# %% wrong="spread" says="standard deviation"
#~ x.pow(2).mean(dim=-1, keepdim=True) => x.var(dim=-1, keepdim=True, unbiased=False)
# %% wrong="another eps" says="it is 1e-6"
#~ eps: float = 1e-6 => eps: float = 1e-5
# %% wrong="heads by view" says="on the way in"
#~ (heads_of(h @ p[name].T, d_head) for => ((h @ p[name].T).reshape(len(x), -1, x.shape[1], d_head) for
# %% wrong="heads by view, both ways" says="tokens and heads are mixed by view"
#~ (heads_of(h @ p[name].T, d_head) for => ((h @ p[name].T).reshape(len(x), -1, x.shape[1], d_head) for
#~ z.transpose(1, 2).flatten(2) => z.reshape(x.shape)
# %% wrong="every second head" says="neighbouring heads of queries share one" clause="The first num_heads / G query heads use the first head of keys and values, the next the second, and so on."
#~ key.repeat_interleave(share, dim=1), value.repeat_interleave(share, dim=1) => key.repeat(1, share, 1, 1), value.repeat(1, share, 1, 1)
# %% wrong="root of C" says="root of C" clause="The scale of the scores is 1 / sqrt(d_head)."
#~ is_causal=True) => is_causal=True, scale=x.shape[-1] ** -0.5)
# %% wrong="the first norm's weights twice" says="weights of its own" clause="Return (B, T, C) for x (B, T, C) after one of today's blocks, causal and pre-norm."
#~ rms_norm(x, p["norm2"]) => rms_norm(x, p["norm1"])
