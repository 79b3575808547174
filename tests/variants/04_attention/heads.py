# %% base="the plain way"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.reshape(B, T, num_heads, C // num_heads).transpose(1, 2)
def merge_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    queries = split_heads(x_q @ W_q, num_heads)
    keys = split_heads(x_kv @ W_k, num_heads)
    values = split_heads(x_kv @ W_v, num_heads)
    scores = scaled_scores(queries, keys)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = softmax(scores)
    output = merge_heads(weights @ values) @ W_o
    return output, weights
# %% wrong="split along the wrong axis" says="split along the wrong axis" of="einsum over heads"
#~ reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => view(B, num_heads, T, C // num_heads)
# %% wrong="every H-th feature" says="neighbouring" of="einsum over heads"
#~ reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => view(B, T, C // num_heads, num_heads).permute(0, 3, 1, 2)
# %% wrong="not moved" says="exchange the axes" of="einsum over heads"
#~ reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => view(B, T, num_heads, C // num_heads)
# %% wrong="merged by a view" says="without exchanging the axes back" of="einsum over heads"
#~ .permute(0, 2, 1, 3). => .
# %% wrong="concatenated feature by feature" says="wrong order" of="einsum over heads"
#~ x.permute(0, 2, 1, 3) => x.permute(0, 2, 3, 1)
# %% wrong="no W_O" says="W_O is missing" of="unflatten"
#~ (w @ v) @ W_o => (w @ v)
# %% wrong="scaled by all features" says="that of one head" of="unflatten"
#~ q. => x_q.
# %% wrong="weights as nn.Linear" says="x W, not x W^T" of="unflatten"
#~ , x_kv @ W_k, x_kv @ W_v => .T, x_kv @ W_k.T, x_kv @ W_v.T
#~ W_o, w => W_o.T, w
# %% wrong="values from x_q" says="values come from x_q" of="unflatten"
#~ x_kv @ W_v => x_q @ W_v
# %% wrong="keys and values from x_q" says="keys and values come from x_q" of="unflatten"
#~ x_kv @ W_k, x_kv => x_q @ W_k, x_q
# %% wrong="mask forgotten" says="the mask was not used" of="unflatten"
#~ mask is not None => False
# %% wrong="mask as in nn.MultiheadAttention" says="wrong way round" of="unflatten"
#~ (~mask, -torch.inf) => (mask, -torch.inf)
# %% wrong="weights averaged" says="averaged over the heads" of="unflatten"
#~ , w => , w.mean(1)
# %% right="unflatten"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = torch.softmax(s, -1).nan_to_num()
    return merge_heads(w @ v) @ W_o, w
# %% right="head by head"
def split_heads(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, dim=2), dim=1)
def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    B, d = len(x_q), W_q.shape[1] // num_heads
    shape = (B, num_heads, x_q.shape[1], x_kv.shape[1])
    mask = torch.ones(shape, dtype=torch.bool) if mask is None else mask.expand(shape)
    heads, weights = [], []
    for h in range(num_heads):
        part = slice(h * d, (h + 1) * d)
        out, w = masked_attention(x_q @ W_q[:, part], x_kv @ W_k[:, part], x_kv @ W_v[:, part], mask[:, h])
        heads.append(out)
        weights.append(w)
    return torch.cat(heads, -1) @ W_o, torch.stack(weights, 1)
# %% wrong="no scale" says="not scaled" of="the plain way"
#~ scaled_scores => dot_scores
# %% wrong="scaled by d" says="divided by d, not by its root" of="the plain way"
#~ scaled_scores(queries, keys) => dot_scores(queries, keys) / queries.shape[-1]
# %% wrong="W_o turned round" says="W_O is transposed" of="the plain way"
#~ @ W_o => @ W_o.T
# %% wrong="queries from x_kv" says="the queries come from x_kv" of="the plain way"
#~ (x_q @ W_q, num_heads) => (x_kv @ W_q, num_heads)
# %% wrong="W_k and W_v exchanged" says="W_K and W_V are exchanged"
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    queries = split_heads(x_q @ W_q, num_heads)
    keys = split_heads(x_kv @ W_v, num_heads)
    values = split_heads(x_kv @ W_k, num_heads)
    scores = scaled_scores(queries, keys)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = softmax(scores)
    output = merge_heads(weights @ values) @ W_o
    return output, weights
# %% wrong="W_q and W_k exchanged" says="W_Q and W_K are exchanged" of="masked_attention, ones for None"
#-     mask = torch.ones(1, 1, dtype=torch.bool) if mask is None else mask
#-     queries = split_heads(x_q @ W_q, num_heads)
#-     keys = split_heads(x_kv @ W_k, num_heads)
#+     queries = split_heads(x_q @ W_k, num_heads)
#+     keys = split_heads(x_kv @ W_q, num_heads)
# %% wrong="one head" says="there is one head only" of="the plain way"
#~ (x_q @ W_q, num_heads) => (x_q @ W_q, 1)
#~ (x_kv @ W_k, num_heads) => (x_kv @ W_k, 1)
#~ (x_kv @ W_v, num_heads) => (x_kv @ W_v, 1)
# %% wrong="softmax over the queries" says="over the queries" of="the plain way"
#~ (scores) => (scores, dim=-2)
# %% wrong="softmax over the heads" says="over the heads" of="the plain way"
#~ (scores) => (scores, dim=1).nan_to_num()
# %% wrong="mask after the softmax" says="the mask came after the softmax" of="the plain way"
#~ ~mask => torch.zeros_like(mask)
#~ (scores) => (scores) if mask is None else softmax(scores) * mask
# %% wrong="mask with an axis for the heads added" says="no axis is added" of="the plain way"
#~ ~mask => ~mask.unsqueeze(1)
# %% wrong="results exchanged" says="the two results are exchanged" of="the plain way"
#~ output, weights => weights, output
# %% wrong="result alone" says="return the weights, too" of="the plain way"
#~ output, weights => output
# %% wrong="heads averaged" says="the heads were averaged" of="the plain way"
#~ merge_heads(weights @ values) => (weights @ values).mean(1).repeat(1, 1, num_heads)
# %% wrong="the weights not projected: x split first" says="x was split" of="the plain way"
#~ x_q @ W_q => x_q
#~ x_kv @ W_k => x_kv
# %% wrong="values not projected" says="W_V is missing" of="the plain way"
#~ x_kv @ W_v => x_kv
# %% wrong="heads in reverse" says="head 0 comes first" of="einsum over heads"
#~ x.permute(0, 2, 1, 3) => x.flip(1).transpose(1, 2)
# %% wrong="view after a transpose" says="view size is not compatible" of="the plain way"
#~ (B, T, num_heads, C // num_heads).transpose(1, 2) => (B, T, num_heads, C // num_heads).permute(0, 2, 1, 3)
#~ (1, 2).reshape => (1, 2).view
# %% wrong="num_heads taken for d" says="num_heads and d are exchanged" of="einsum over heads"
#~ (B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => (B, T, C // num_heads, num_heads).transpose(1, 2)
# %% wrong="heads before the batch" says="heads come before the batch" of="masked_attention, ones for None"
#-     return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
#+     B, T, C = x.shape
#+     return x.reshape(B, T, num_heads, C // num_heads).permute(2, 0, 1, 3)
#-     return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)
#+     B, H, T, d = x.shape
#+     return x.permute(0, 2, 1, 3).reshape(B, T, H * d)
#-     mask = torch.ones(1, 1, dtype=torch.bool) if mask is None else mask
# %% wrong="a view that mixes, both ways" says="plain view" of="einsum over heads"
#~ (B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => (B, num_heads, T, C // num_heads)
#~ .permute(0, 2, 1, 3). => .
# %% right="masked_attention, ones for None"
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=-1)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    mask = torch.ones(1, 1, dtype=torch.bool) if mask is None else mask
    queries = split_heads(x_q @ W_q, num_heads)
    keys = split_heads(x_kv @ W_k, num_heads)
    values = split_heads(x_kv @ W_v, num_heads)
    scores = scaled_scores(queries, keys)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    output = merge_heads(weights @ values) @ W_o
    return output, weights
# %% right="einsum over heads"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3)
def merge_heads(x):
    B, H, T, d = x.shape
    return x.permute(0, 2, 1, 3).reshape(B, T, H * d)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    C = W_q.shape[0]
    d = C // num_heads
    q, k, v = (torch.einsum("btc,chd->bhtd", x, W.reshape(C, num_heads, d)) for x, W in ((x_q, W_q), (x_kv, W_k), (x_kv, W_v)))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / d**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-1) * (1 if mask is None else mask)
    return torch.einsum("bhqk,bhkd,hdc->bqc", weights, v, W_o.reshape(num_heads, d, C)), weights
# %% right="sum of the heads, each times its rows of W_o"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3)
def merge_heads(x):
    B, H, T, d = x.shape
    return x.permute(0, 2, 1, 3).reshape(B, T, H * d)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    d, total, all_weights = W_q.shape[1] // num_heads, 0, []
    for h in range(num_heads):
        part = slice(h * d, h * d + d)
        s = (x_q @ W_q[:, part]) @ (x_kv @ W_k[:, part]).mT / math.sqrt(d)
        if mask is not None:
            full = mask.expand(len(x_q), num_heads, *s.shape[-2:])[:, h]
            s = s.masked_fill(~full, -torch.inf)
        w = torch.softmax(s, -1).nan_to_num()
        total = total + w @ (x_kv @ W_v[:, part]) @ W_o[part]
        all_weights.append(w)
    return total, torch.stack(all_weights, 1)
# %% wrong="time split along, too" says="the tokens were dealt out" of="unflatten"
#~ x.unflatten(-1, (num_heads, -1)).transpose(1, 2) => torch.stack(x.chunk(num_heads, dim=1), dim=1)
# %% right="view to split" of="einsum over heads"
#~ reshape(B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => view(B, T, num_heads, C // num_heads).transpose(1, 2)
# %% wrong="the last head first" says="in the reverse order" of="einsum over heads"
#~ (B, T, num_heads, C // num_heads).permute(0, 2, 1, 3) => (B, T, num_heads, C // num_heads).transpose(1, 2).flip(1)
# %% wrong="merge adds the heads" says="averaged or added" of="unflatten"
#~ transpose(1, 2).flatten(2) => sum(1)
# %% wrong="x_q and x_kv exchanged" says="x_q and x_kv are exchanged"
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_kv @ W_q, x_q @ W_k, x_q @ W_v))
    out, w = attention(q, k, v) if mask is None else masked_attention(q, k, v, mask)
    return merge_heads(out) @ W_o, w
# %% wrong="None is no mask for masked_attention" says="may be None" of="x_q and x_kv exchanged"
#~ x_kv @ W_q, x_q @ W_k, x_q => x_q @ W_q, x_kv @ W_k, x_kv
#~ attention(q, k, v) if mask is None else masked_attention => masked_attention
# %% wrong="a causal mask for None" says="a causal mask was used"
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    q, k, v = (split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v))
    mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril() if mask is None else mask
    out, w = masked_attention(q, k, v, mask)
    return merge_heads(out) @ W_o, w
# %% wrong="a residual" says="x_q was added" of="x_q and x_kv exchanged"
#~ x_kv @ W_q, x_q @ W_k, x_q => x_q @ W_q, x_kv @ W_k, x_kv
#~ merge_heads => x_q + merge_heads
# %% right="a loop over the heads, column by column"
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
def merge_heads(x):
    return torch.cat(list(x.unbind(1)), dim=-1)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    d = W_q.shape[1] // num_heads
    B, T_q, T_k = len(x_q), x_q.shape[1], x_kv.shape[1]
    see = torch.ones(B, num_heads, T_q, T_k, dtype=torch.bool) if mask is None else mask.broadcast_to(B, num_heads, T_q, T_k)
    found, weights = 0, []
    for h in range(num_heads):
        part = slice(h * d, h * d + d)
        out, w = masked_attention(x_q @ W_q[:, part], x_kv @ W_k[:, part], x_kv @ W_v[:, part], see[:, h])
        found = found + out @ W_o[part]
        weights.append(w)
    return found, torch.stack(weights, 1)
# %% right="unflatten and flatten"
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).movedim(-2, 1)
def merge_heads(x):
    return x.movedim(1, 2).flatten(2)
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    if mask is None:
        mask = torch.tensor(True)
    out, w = masked_attention(*[split_heads(t, num_heads) for t in (x_q @ W_q, x_kv @ W_k, x_kv @ W_v)], mask)
    return merge_heads(out) @ W_o, w
# %% wrong="W_o as data" says="the gradient is cut"
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    queries = split_heads(x_q @ W_q, num_heads)
    keys, values = split_heads(x_kv @ W_k, num_heads), split_heads(x_kv @ W_v, num_heads)
    seen = torch.ones(1, 1, dtype=torch.bool) if mask is None else mask
    output, weights = masked_attention(queries, keys, values, seen)
    return merge_heads(output) @ W_o.data, weights
# %% wrong="mask heads: only head 0's" says="a mask for each head"
def multi_head_attention(x_q, x_kv, W_q, W_k, W_v, W_o, num_heads, mask=None):
    queries = split_heads(x_q @ W_q, num_heads)
    keys, values = (split_heads(x_kv @ W_k, num_heads), split_heads(x_kv @ W_v, num_heads))
    if mask is None:
        output, weights = attention(queries, keys, values)
    else:
        output, weights = masked_attention(queries, keys, values, mask[:, :1] if mask.dim() == 4 else mask)
    return (merge_heads(output) @ W_o, weights)
# %% right="by split again"
def split_heads(x, num_heads):
    return torch.stack(x.split(x.shape[-1] // num_heads, -1), 1)
# %% wrong="every H-th feature, both ways" says="and merged the same way" of="split by a view, T last"
#-     return x.reshape(B, num_heads, C // num_heads, T).transpose(2, 3)
#+     return x.reshape(B, T, C // num_heads, num_heads).permute(0, 3, 1, 2)
#+ def merge_heads(x):
#+     B, H, T, d = x.shape
#+     return x.permute(0, 2, 3, 1).reshape(B, T, H * d)
# %% wrong="merged by the axes 2 and 3" says="not 2 and 3"
def merge_heads(x):
    B, H, T, d = x.shape
    return x.transpose(2, 3).reshape(B, T, H * d)
# %% wrong="split by a view, T last" says="a plain view to (B, H, d, T)"
def split_heads(x, num_heads):
    B, T, C = x.shape
    return x.reshape(B, num_heads, C // num_heads, T).transpose(2, 3)
# %% wrong="NaN where nothing may be seen" says="got 0/0, which is NaN: its weights are 0" of="unflatten"
#~ torch.softmax(s, -1).nan_to_num() => torch.softmax(s, -1)
# %% wrong="equal weights where nothing may be seen" says="equal weights for all keys" of="unflatten"
#~ -torch.inf => -1e9
# %% wrong="weights made 0 too late" says="but NaN had reached the result before" of="unflatten"
#~ torch.softmax(s, -1).nan_to_num() => torch.softmax(s, -1)
#~ W_o, w => W_o, w.nan_to_num()
# %% wrong="the result made 0, the weights not" says="is made 0, its weights are NaN" of="unflatten"
#~ torch.softmax(s, -1).nan_to_num() => torch.softmax(s, -1)
#~ merge_heads(w @ v) => merge_heads((w @ v).nan_to_num())
# %% wrong="all 0 where one query sees nothing" says="ask each query by itself" of="unflatten"
#~ torch.softmax(s, -1).nan_to_num() => torch.softmax(s, -1) * (1 if mask is None else mask.any(-1).all())
#~ (~mask, -torch.inf) => (~mask, -1e9)
# %% wrong="0 in all heads where one head sees nothing" says="ask each head by itself"
#~ masked_attention(queries, keys, values, mask) => masked_attention(queries, keys, values, mask & mask.any(-1, keepdim=True).all(-3, keepdim=True) if mask.dim() > 2 else mask)
# %% wrong="weights returned detached" says="stops at the weights that come back"
#~ @ W_o, weights => @ W_o, weights.detach()
# %% wrong="weights detached for the result" says="on their way to the result" of="unflatten"
#~ (w @ v) => (w.detach() @ v)
# %% wrong="the first head's mask for all" clause="broadcast to (B, H, T_q, T_k), or None" says="the mask of the first head"
#~ masked_attention(queries, keys, values, mask) => masked_attention(queries, keys, values, mask if mask.dim() < 4 else mask[:, :1])
# %% wrong="W_O cut from the gradient" clause="the dtype is kept, gradients flow" says="no detach, item, data or NumPy"
#~ merge_heads(output) @ W_o => merge_heads(output) @ W_o.detach()
# %% wrong="keys from x_q" says="the keys come from x_q"
#~ x_kv @ W_k => x_q @ W_k
# %% wrong="merged, and not returned" says="is there a return at the end" clause="Return (B, T, C) made from (B, H, T, d)"
#~ return x.transpose(1, 2).reshape(B, T, H * d) => x.transpose(1, 2).reshape(B, T, H * d)
