# %% base="the plain way"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    def norm(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    def att(v):
        return attention(v, v, p, "self_attn", num_heads, mask)
    def ff(v):
        return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
    if norm_first:
        y = x + att(norm(x, 1))
        return y + ff(norm(y, 2))
    y = norm(x + att(x), 1)
    return norm(y + ff(y), 2)
# %% wrong="the residual adds the norm" says="what is added is x itself" of="the mask is forgotten"
#-         h = ln(x, 1)
#-         x = x + attention(h, h, p, "self_attn", num_heads)
#-         return x + ff(ln(x, 2))
#-     x = ln(x + attention(x, x, p, "self_attn", num_heads), 1)
#+         x = ln(x, 1)
#+         x = x + attention(x, x, p, "self_attn", num_heads, mask)
#+         x = ln(x, 2)
#+         return x + ff(x)
#+     x = ln(x + attention(x, x, p, "self_attn", num_heads, mask), 1)
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
# %% wrong="the library's layer with the weights loaded" says="gradient is cut"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    C, width = x.shape[-1], p["linear1.bias"].shape[0]
    layer = nn.TransformerEncoderLayer(C, num_heads, width, 0.0, "gelu", batch_first=True, norm_first=norm_first)
    layer.load_state_dict(p)
    layer = layer.to(x.dtype)
    if mask is None:
        return layer(x).detach()
    full = mask.expand(x.shape[0], num_heads, x.shape[1], x.shape[1]).reshape(-1, x.shape[1], x.shape[1])
    return layer(x, src_mask=~full).detach()
# %% wrong="always post-norm" says="norm_first is ignored" of="the plain way"
#~ norm_first: => False:
# %% wrong="always pre-norm" says="norm_first is ignored" of="the plain way"
#~ norm_first: => True:
# %% wrong="the two are exchanged" says="exchanged" of="the plain way"
#~ norm_first: => not norm_first:
# %% wrong="pre-norm without the first residual" says="residual around attention" of="the plain way"
#~ x + att(norm(x, 1)) => att(norm(x, 1))
# %% wrong="post-norm without the first residual" says="residual around attention" of="the plain way"
#~ (x + att(x), 1) => (att(x), 1)
# %% wrong="pre-norm without the second residual" says="residual around feed-forward" of="the plain way"
#~ y + ff(norm(y, 2)) => ff(norm(y, 2))
# %% wrong="post-norm without the second residual" says="residual around feed-forward" of="the plain way"
#~ (y + ff(y), 2) => (ff(y), 2)
# %% wrong="norm1 twice" says="norm1 is used twice" of="the plain way"
#~ (y, 2) => (y, 1)
#~ (y + ff(y), 2) => (y + ff(y), 1)
# %% wrong="norms exchanged" says="norm1 and norm2 are exchanged" of="the plain way"
#~ [f"norm{i}.weight"], p[f"norm{i}.bias"] => [f"norm{3 - i}.weight"], p[f"norm{3 - i}.bias"]
# %% wrong="no norms" says="norms are missing" of="the plain way"
#~ layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"]) => v
# %% wrong="norm of the sublayer alone" says="not of the sublayer" of="the plain way"
#~ norm(x + att(x), 1) => x + norm(att(x), 1)
#~ norm(y + ff(y), 2) => y + norm(ff(y), 2)
# %% wrong="feed-forward on x, pre-norm" says="not on x" of="the plain way"
#~ (y, 2) => (x, 2)
# %% wrong="feed-forward on x, post-norm" says="not on x" of="the plain way"
#~ (y) => (x)
# %% wrong="second residual adds x, pre-norm" says="adds y, not x" of="the plain way"
#~ y + ff(norm(y, 2)) => x + ff(norm(y, 2))
# %% wrong="second residual adds x, post-norm" says="adds y, not x" of="the plain way"
#~ (y + ff(y), 2) => (x + ff(y), 2)
# %% wrong="ReLU between" says="ReLU stands" of="the plain way"
#~ feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"]) => F.linear(F.relu(F.linear(v, p["linear1.weight"], p["linear1.bias"])), p["linear2.weight"], p["linear2.bias"])
# %% wrong="no feed-forward" says="feed-forward half is missing" of="the plain way"
#~ y + ff(norm(y, 2)) => y
#~ norm(y + ff(y), 2) => y
# %% wrong="the mask turned round" says="turned round" of="the plain way"
#~ (v, v, p, "self_attn", num_heads, mask) => (v, v, p, "self_attn", num_heads, None if mask is None else ~mask)
# %% wrong="always causal" says="not causal" of="the plain way"
#~ (v, v, p, "self_attn", num_heads, mask) => (v, v, p, "self_attn", num_heads, mask, is_causal=mask is None)
# %% wrong="one head" says="num_heads is ignored" of="the plain way"
#~ num_heads, mask => 1, mask
# %% wrong="x changed in place" says="in place" of="the plain way"
#-         y = x + att(norm(x, 1))
#-         return y + ff(norm(y, 2))
#+         x += att(norm(x, 1))
#+         x += ff(norm(x, 2))
#+         return x
# %% wrong="queries normed, memory not" says="only the queries" of="the plain way"
#~ v, p, => x, p,
# %% wrong="pre-norm: a norm at the end, too" says="end" of="the plain way"
#~ y + ff(norm(y, 2)) => norm(y + ff(norm(y, 2)), 2)
# %% wrong="no return for pre-norm" says="is there a return" of="the plain way"
#-         return y + ff(norm(y, 2))
#-     y = norm(x + att(x), 1)
#-     return norm(y + ff(y), 2)
#+         z = y + ff(norm(y, 2))
#+     else:
#+         y = norm(x + att(x), 1)
#+         return norm(y + ff(y), 2)
# %% wrong="attention and feed-forward side by side" says="not on x" of="the plain way"
#~ y + ff(norm(y, 2)) => x + att(norm(x, 1)) + ff(norm(x, 2))
#~ (y) => (x)
# %% right="F.layer_norm and F.gelu, spelled out"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    C = x.shape[-1]
    n1 = lambda v: F.layer_norm(v, (C,), p["norm1.weight"], p["norm1.bias"])
    n2 = lambda v: F.layer_norm(v, (C,), p["norm2.weight"], p["norm2.bias"])
    h = n1(x) if norm_first else x
    y = x + attention(h, h, p, "self_attn", num_heads, mask)
    y = y if norm_first else n1(y)
    h = n2(y) if norm_first else y
    h = F.gelu(h @ p["linear1.weight"].T + p["linear1.bias"])
    z = y + h @ p["linear2.weight"].T + p["linear2.bias"]
    return z if norm_first else n2(z)
# %% right="attention by hand, loop over heads"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    B, T, C = x.shape
    d = C // num_heads
    def att(v):
        q, k, w = (v @ p["self_attn.in_proj_weight"].T + p["self_attn.in_proj_bias"]).split(C, -1)
        shown = torch.ones(B, num_heads, T, T, dtype=torch.bool) if mask is None else mask.expand(B, num_heads, T, T)
        out = []
        for h in range(num_heads):
            s = q[..., h * d : h * d + d] @ k[..., h * d : h * d + d].mT / d**0.5
            out.append(s.masked_fill(~shown[:, h], -1e9).softmax(-1) @ w[..., h * d : h * d + d])
        return torch.cat(out, -1) @ p["self_attn.out_proj.weight"].T + p["self_attn.out_proj.bias"]
    def ff(v):
        return feed_forward(v, *(p[f"linear{i}.{kind}"] for i in (1, 2) for kind in ("weight", "bias")))
    for i, f in enumerate((att, ff), 1):
        g, b = p[f"norm{i}.weight"], p[f"norm{i}.bias"]
        x = x + f(layer_norm(x, g, b)) if norm_first else layer_norm(x + f(x), g, b)
    return x
# %% wrong="pre: query not normed" says="queries, too" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
#~ att(norm(x, 1)) => attention(x, norm(x, 1), p, "self_attn", num_heads, mask)
# %% wrong="pre: norm after the sublayer inside" says="not of what comes out" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
#~ att(norm(x, 1)) => norm(att(x), 1)
#~ ff(norm(y, 2)) => norm(ff(y), 2)
# %% wrong="post: norm of the sublayer only" says="the first norm is of the sum" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
#~ norm(x + att(x), 1) => x + norm(att(x), 1)
# %% wrong="tanh gelu" says="tanh" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]), approximate="tanh")
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
# %% wrong="bias of linear1 forgotten" says="bias of linear1" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
# %% wrong="bias of linear2 forgotten" says="bias of linear2" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"])
#+
# %% wrong="ff gelu forgotten" says="activation of the feed-forward network is missing" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = (F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
# %% wrong="norm without weights" says="without their weight" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
# %% wrong="feed-forward before attention" says="feed-forward comes first" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
#~ att(x), 1 => ff(x), 2
#~ ff(y), 2 => att(y), 1
# %% wrong="mask inverted" says="turned round" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, None if mask is None else ~mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
# %% wrong="mask dropped in pre only" says="mask is ignored" of="the plain way"
#-         return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+         return F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])
#+
#-         return attention(v, v, p, "self_attn", num_heads, mask)
#+         return attention(v, v, p, "self_attn", num_heads, mask)
#+
#-         return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
#+         h = F.gelu(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
#+         return F.linear(h, p["linear2.weight"], p["linear2.bias"])
#+
#~ att(norm(x, 1)) => attention(h := norm(x, 1), h, p, "self_attn", num_heads)
# %% right="the library's layer"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    B, T, C = x.shape
    layer = nn.TransformerEncoderLayer(C, num_heads, len(p["linear1.weight"]), 0.0, "gelu", batch_first=True,
                                       norm_first=norm_first).to(x.dtype)
    if mask is not None:
        mask = ~mask.expand(B, num_heads, T, T).reshape(B * num_heads, T, T)
    return torch.func.functional_call(layer, dict(p), (x,), {"src_mask": mask})
# %% right="attention by hand"
def encoder_block(x, p, num_heads, norm_first=False, mask=None):
    def ln(v, i):
        return layer_norm(v, p[f"norm{i}.weight"], p[f"norm{i}.bias"])
    def att(v):
        B, T, C = v.shape
        qkv = v @ p["self_attn.in_proj_weight"].T + p["self_attn.in_proj_bias"]
        q, k, u = qkv.view(B, T, 3, num_heads, C // num_heads).permute(2, 0, 3, 1, 4)
        s = torch.einsum("bhtd,bhsd->bhts", q, k) / math.sqrt(C // num_heads)
        if mask is not None:
            s = s.masked_fill(~mask, -1e9)
        z = torch.einsum("bhts,bhsd->bthd", s.softmax(-1), u).reshape(B, T, C)
        return z @ p["self_attn.out_proj.weight"].T + p["self_attn.out_proj.bias"]
    def ff(v):
        return feed_forward(v, p["linear1.weight"], p["linear1.bias"], p["linear2.weight"], p["linear2.bias"])
    if not norm_first:
        y = ln(x + att(x), 1)
        return ln(y + ff(y), 2)
    y = x + att(ln(x, 1))
    return y + ff(ln(y, 2))
# %% wrong="the approximation" says="approximation with tanh" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
#~ return gelu(x @ w1.T + b1) @ w2.T + b2 => return F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)
# %% wrong="no activation" says="the activation between the two layers is missing" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return F.linear(F.linear(x, w1, b1), w2, b2)
# %% right="with @ and the normal distribution"
def gelu(z):
    return z * torch.distributions.Normal(0.0, 1.0).cdf(z)
def feed_forward(x, w1, b1, w2, b2):
    return gelu(x @ w1.T + b1) @ w2.T + b2
# %% wrong="ReLU" says="ReLU" of="SiLU"
#~ return z * torch.sigmoid(z) => return torch.relu(z)
# %% wrong="SiLU" says="SiLU"
def gelu(z):
    return z * torch.sigmoid(z)
# %% wrong="the logistic approximation" says="logistic" of="SiLU"
#~ return z * torch.sigmoid(z) => return z * torch.sigmoid(1.702 * z)
# %% wrong="no root of two" says="root of 2" of="SiLU"
#~ return z * torch.sigmoid(z) => return z / 2 * (1 + torch.erf(z))
# %% wrong="divided by two inside" says="root of 2" of="SiLU"
#~ return z * torch.sigmoid(z) => return z / 2 * (1 + torch.erf(z / 2))
# %% wrong="twice" says="1/2" of="SiLU"
#~ return z * torch.sigmoid(z) => return z * (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="the gate alone" says="multiply by z" of="SiLU"
#~ return z * torch.sigmoid(z) => return 0.5 * (1 + torch.erf(z / math.sqrt(2)))
# %% wrong="without one" says="1 is added" of="SiLU"
#~ return z * torch.sigmoid(z) => return z / 2 * torch.erf(z / math.sqrt(2))
# %% wrong="times the root" says="divided by the root" of="SiLU"
#~ return z * torch.sigmoid(z) => return z / 2 * (1 + torch.erf(z * math.sqrt(2)))
# %% wrong="the tail: one minus erf" says="1 minus erf" of="SiLU"
#~ return z * torch.sigmoid(z) => return z / 2 * (1 - torch.erf(z / math.sqrt(2)))
# %% wrong="activation at the end" says="not after the second"
def feed_forward(x, w1, b1, w2, b2):
    return gelu((x @ w1.T + b1) @ w2.T + b2)
# %% wrong="activation twice" says="the output is not" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return gelu(gelu(x @ w1.T + b1) @ w2.T + b2)
# %% wrong="b1 forgotten" says="b1 is missing" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return gelu(x @ w1.T) @ w2.T + b2
# %% wrong="b2 forgotten" says="b2 is missing" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return gelu(x @ w1.T + b1) @ w2.T
# %% wrong="the residual is added" says="the block does that" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return x + gelu(x @ w1.T + b1) @ w2.T + b2
# %% wrong="ReLU in the network" says="ReLU stands between" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return torch.relu(x @ w1.T + b1) @ w2.T + b2
# %% wrong="the approximation in the network" says="approximation" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return F.gelu(x @ w1.T + b1, approximate='tanh') @ w2.T + b2
# %% wrong="matrices not turned" says="W" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return z / 2 * (1 + torch.erf(z / math.sqrt(2)))
#~ return gelu(x @ w1.T + b1) @ w2.T + b2 => return gelu(x @ w1 + b1) @ w2 + b2
# %% wrong="changes z" says="in place"
def gelu(z):
    z *= 0.5
    return z * (1 + torch.erf(z * math.sqrt(2)))
# %% wrong="always float32" says="double precision" of="clamped"
#~ z = z.clamp(-6, 6) => z = z.float()
# %% wrong="activation before the first layer" says="before the first layer" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return (gelu(x) @ w1.T + b1) @ w2.T + b2
# %% wrong="b1 added behind the activation" says="b1" of="activation at the end"
#~ return gelu((x @ w1.T + b1) @ w2.T + b2) => return (gelu(x @ w1.T) + b1) @ w2.T + b2
# %% wrong="gelu has no return" says="is there a return" of="the library's own"
#~ return F.gelu(z) => y = z / 2 * (1 + torch.erf(z / math.sqrt(2)))
#~ return torch.add(torch.matmul(F.gelu(torch.add(torch.matmul(x, w1.t()), b1)), w2.t()), b2) => return gelu(x @ w1.T + b1) @ w2.T + b2
# %% right="with F.linear and torch.special" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return z * torch.special.ndtr(z)
#-     return gelu(x @ w1.T + b1) @ w2.T + b2
#+     hidden = F.linear(x, w1, b1)
#+     return F.linear(gelu(hidden), w2, b2)
# %% right="with einsum, float64 inside"
def gelu(z):
    d = z.double()
    return (0.5 * d * torch.special.erfc(-d / 2**0.5)).to(z.dtype)
def feed_forward(x, w1, b1, w2, b2):
    hidden = torch.einsum("...c,fc->...f", x, w1) + b1
    return torch.einsum("...f,cf->...c", gelu(hidden), w2) + b2
# %% right="the library's own"
def gelu(z):
    return F.gelu(z)
def feed_forward(x, w1, b1, w2, b2):
    return torch.add(torch.matmul(F.gelu(torch.add(torch.matmul(x, w1.t()), b1)), w2.t()), b2)
# %% wrong="root of 2 to three digits" says="double precision" of="SiLU"
#~ return z * torch.sigmoid(z) => return 0.5 * z * (1 + torch.erf(z / 1.414))
# %% wrong="always float32" says="double precision" of="SiLU"
#~ return z * torch.sigmoid(z) => return (z.float() / 2 * (1 + torch.erf(z.float() / math.sqrt(2)))).to(z.dtype)
# %% right="by erfc" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return z / 2 * torch.erfc(-z / 2**0.5)
#-     return gelu(x @ w1.T + b1) @ w2.T + b2
#+     hidden = gelu(torch.einsum("...c,fc->...f", x, w1) + b1)
#+     return torch.einsum("...f,cf->...c", hidden, w2) + b2
# %% right="by the distribution function of special" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return torch.special.ndtr(z) * z
#-     return gelu(x @ w1.T + b1) @ w2.T + b2
#+     rows = x.reshape(-1, x.shape[-1])
#+     return torch.addmm(b2, gelu(torch.addmm(b1, rows, w1.mT)), w2.mT).reshape(x.shape)
# %% wrong="clamped" says="large numbers"
def gelu(z):
    z = z.clamp(-6, 6)
    return z / 2 * (1 + torch.erf(z / math.sqrt(2)))
# %% right="ndtr" of="the library's own"
#~ return F.gelu(z) => return z * torch.special.ndtr(z)
#~ return torch.add(torch.matmul(F.gelu(torch.add(torch.matmul(x, w1.t()), b1)), w2.t()), b2) => return gelu(x @ w1.T + b1) @ w2.T + b2
# %% right="erfc and einsum" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return 0.5 * z * torch.erfc(-z / 2 ** 0.5)
#-     return gelu(x @ w1.T + b1) @ w2.T + b2
#+     h = torch.einsum("...c,fc->...f", x, w1) + b1
#+     return torch.einsum("...f,cf->...c", gelu(h), w2) + b2
# %% right="Normal.cdf" of="with @ and the normal distribution"
#~ return z * torch.distributions.Normal(0.0, 1.0).cdf(z) => return z * torch.distributions.Normal(torch.zeros_like(z), torch.ones_like(z)).cdf(z)
#~ return gelu(x @ w1.T + b1) @ w2.T + b2 => return F.linear(gelu(F.linear(x, w1) + b1), w2, b2)
# %% wrong="the weights have no gradient" says="on its way to the weights"
#-     def norm(v, i):
#+     p = {k: w.detach() for k, w in p.items()}
#+
#+     def norm(v, i):
# %% wrong="the residual stream is detached" says="residual stream"
#~ y = x + attend(norm(x, 1)) => y = x.detach() + attend(norm(x, 1))
#~ return y + feed(norm(y, 2)) => return y.detach() + feed(norm(y, 2))
# %% wrong="a mask for all heads alike" says="each head with a mask of its own"
#~ num_heads, mask) => num_heads, mask if mask is None or mask.dim() < 4 else mask[:, :1])
# %% wrong="one token is squeezed" says="one token"
#~ return norm(y + feed(y), 2) => return norm(y + feed(y), 2) if x.shape[1] > 1 else norm(y + feed(y), 2).squeeze(1)
# %% wrong="GELU in float32" says="float64 goes in and must come out" clause="Return GELU of each number of z, any shape, in z's dtype"
#~ return 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) => return F.gelu(z.float())
# %% wrong="large inputs are clamped before GELU" says="large numbers"
#~ return 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) => z = z.clamp(-10, 10); return 0.5 * z * (1 + torch.erf(z / math.sqrt(2)))
# %% right="the probability from the library's distribution"
#~ return 0.5 * z * (1 + torch.erf(z / math.sqrt(2))) => return z * torch.special.ndtr(z)
# %% wrong="the first part of the mask" says="the mask was cut to its first part" of="the plain way"
#~ "self_attn", num_heads, mask) => "self_attn", num_heads, None if mask is None else mask[:1])
# %% wrong="three axes alone" says="any number of axes before the last" of="with einsum, float64 inside"
#~ "...c,fc->...f" => "btc,fc->btf"
