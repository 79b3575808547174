# %% base="the plain way"
def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    keys, values = keys.repeat_interleave(n, 1), values.repeat(1, n, 1, 1)
    return attention(queries, keys, values)[0] if mask is None else masked_attention(queries, keys, values, mask)[0]

def sink_mask(length, window, sinks):
    i, j = torch.arange(length)[:, None], torch.arange(length)
    return (j <= i) & (i - j < window) | (j < sinks)
# %% wrong="repeat" says="neighbouring heads share"
def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    return F.scaled_dot_product_attention(queries, keys.repeat(1, n, 1, 1), values.repeat(1, n, 1, 1), attn_mask=mask)
# %% wrong="window one too long" says="off by one" of="enable_gqa"
#~ (1 - window) => (-window)
# %% wrong="no sinks" says="the sinks are not seen" of="enable_gqa"
#-     near[:, :sinks] = True
# %% wrong="sinks before their time" says="before its time"
def sink_mask(length, window, sinks):
    i, j = torch.arange(length)[:, None], torch.arange(length)
    return (j <= i) & (i - j < window) | (j < sinks)
# %% wrong="mask forgotten" says="the mask was not used" of="enable_gqa"
#~ attn_mask=mask, enable_gqa => enable_gqa
# %% wrong="weights too" says="output alone" of="the plain way"
#~ keys, values = keys.repeat_interleave(n, 1), values.repeat(1, n, 1, 1) => k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
#~ (queries, keys, values)[0] if mask is None else masked_attention(queries, keys, values, mask)[0] => (queries, k, v) if mask is None else masked_attention(queries, k, v, mask)
# %% right="enable_gqa"
def sink_mask(length, window, sinks):
    m = torch.ones(length, length).tril().bool()
    near = torch.ones(length, length).triu(1 - window).bool()
    near[:, :sinks] = True
    return m & near

def grouped_attention(queries, keys, values, mask=None):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, enable_gqa=True)
# %% right="an axis for the group"
def sink_mask(length, window, sinks):
    rows = [[j <= i and (i - j < window or j < sinks) for j in range(length)] for i in range(length)]
    return torch.tensor(rows)

def grouped_attention(queries, keys, values, mask=None):
    B, H, T, d = queries.shape
    G = keys.shape[1]
    q = queries.reshape(B, G, H // G, T, d)
    s = torch.einsum("bgntd,bgsd->bgnts", q, keys) / d**0.5
    if mask is not None:
        s = s.masked_fill(~mask.expand(B, H, T, keys.shape[2]).reshape(s.shape), -torch.inf)
    return torch.einsum("bgnts,bgsd->bgntd", s.softmax(-1).nan_to_num(), values).reshape(B, H, T, d)
# %% wrong="window one too short" says="one token too few" of="the plain way"
#~ (i - j < window) | (j < sinks) => ((i - j < window - 1) | (j < sinks))
# %% wrong="one sink too many" says="one sink too many" of="the plain way"
#~ (i - j < window) | (j < sinks) => ((i - j < window) | (j <= sinks))
# %% wrong="the future is seen" says="the future is seen" of="the plain way"
#~ (j <= i) & (i - j < window) => (i - j < window)
# %% wrong="window on both sides" says="reaches into the future" of="the plain way"
#~ (j <= i) & (i - j < window) | (j < sinks) => ((i - j).abs() < window) | ((j < sinks) & (j <= i))
# %% wrong="sinks see everything" says="everything sees the sinks" of="the plain way"
#~ (j <= i) & (i - j < window) | (j < sinks) => ((j <= i) & (i - j < window)) | (i < sinks)
# %% wrong="both conditions" says="inside the window, or a sink" of="the plain way"
#~ | => &
# %% wrong="sinks within the window" says="they come besides" of="the plain way"
#~ (i - j < window) | (j < sinks) => ((i - j < window - sinks) | (j < sinks))
# %% wrong="True means hidden" says="True means: may be seen" of="the plain way"
#~ (j <= i) & (i - j < window) | (j < sinks) => ~((j <= i) & ((i - j < window) | (j < sinks)))
# %% wrong="last tokens as sinks" says="not the last" of="the plain way"
#~ (i - j < window) | (j < sinks) => ((i - j < window) | (j >= length - sinks))
# %% wrong="rows and columns" says="rows and columns are exchanged" of="the plain way"
#~ (j <= i) & (i - j < window) | (j < sinks) => (i <= j) & ((j - i < window) | (i < sinks))
# %% wrong="floats" says="bool" of="the plain way"
#~ (j <= i) & (i - j < window) | (j < sinks) => ((j <= i) & ((i - j < window) | (j < sinks))).float()
# %% wrong="precedence of and before or" says="before its time"
def sink_mask(length, window, sinks):
    i, j = torch.arange(length)[:, None], torch.arange(length)
    return (j <= i) & (i - j < window) | (j < sinks)
# %% wrong="first head for all" says="used the first head of keys" of="the plain way"
#~ .repeat_interleave(n, 1), values.repeat(1, n, 1, 1) => [:, :1], values[:, :1]
# %% wrong="heads of a group averaged" says="were averaged" of="the plain way"
#~ repeat_interleave(n, 1), values.repeat(1, n, 1, 1) => mean(1, keepdim=True), values.mean(1, keepdim=True)
# %% wrong="values in another order" says="the values in the order 0, 1, 0, 1"
def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    keys, values = keys.repeat_interleave(n, 1), values.repeat(1, n, 1, 1)
    return attention(queries, keys, values)[0] if mask is None else masked_attention(queries, keys, values, mask)[0]
# %% wrong="groups reversed" says="the groups are turned round" of="the plain way"
#~ repeat_interleave(n, 1), values.repeat(1, n, 1, 1) => flip(1).repeat_interleave(n, 1), values.flip(1).repeat_interleave(n, 1)
# %% wrong="mask inverted" says="wrong way round" of="expand, then flatten"
#~ k, v = (t.unsqueeze(2).expand(-1, -1, n, -1, -1).flatten(1, 2) for t in (keys, values)) => mask = None if mask is None else ~mask
#~ out = F.scaled_dot_product_attention(queries, k, v, attn_mask=mask) => keys, values = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
#~ out if mask is None else out.masked_fill(~mask.any(-1, keepdim=True), 0) => attention(queries, keys, values)[0] if mask is None else masked_attention(queries, keys, values, mask)[0]
# %% wrong="not scaled" says="not scaled" of="expand, then flatten"
#~ k, v = (t.unsqueeze(2).expand(-1, -1, n, -1, -1).flatten(1, 2) for t in (keys, values)) => scores = queries @ keys.repeat_interleave(n, 1).mT
#~ out = F.scaled_dot_product_attention(queries, k, v, attn_mask=mask) => scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
#~ out if mask is None else out.masked_fill(~mask.any(-1, keepdim=True), 0) => softmax(scores) @ values.repeat_interleave(n, 1)
# %% wrong="one head of keys only broadcast" says="must match" of="enable_gqa"
#~ F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, enable_gqa=True) => attention(queries, keys, values)[0] if mask is None else masked_attention(queries, keys, values, mask)[0]
# %% right="lists of places, a loop over the heads"
def sink_mask(length, window, sinks):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, : min(sinks, i + 1)] = True
        mask[i, max(i + 1 - window, 0) : i + 1] = True
    return mask

def grouped_attention(queries, keys, values, mask=None):
    n, out = queries.shape[1] // keys.shape[1], []
    full = None if mask is None else mask.expand(*queries.shape[:3], keys.shape[2])
    for h in range(queries.shape[1]):
        hidden = None if full is None else full[:, h]
        out.append(F.scaled_dot_product_attention(queries[:, h], keys[:, h // n], values[:, h // n], attn_mask=hidden))
    return torch.stack(out, dim=1)
# %% right="band by tril, heads by an index"
def sink_mask(length, window, sinks):
    full = causal_mask(length)
    band = full & ~full.tril(-window)
    band[:, :sinks] |= full[:, :sinks]
    return band

def grouped_attention(queries, keys, values, mask=None):
    H, G = queries.shape[1], keys.shape[1]
    heads = torch.arange(H) // (H // G)
    scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys[:, heads]) / keys.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -torch.inf)
    return scores.softmax(-1).nan_to_num() @ values[:, heads]
# %% wrong="an axis added to the mask" says="no axis is added"
def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    keys, values = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    if mask is None:
        return attention(queries, keys, values)[0]
    return masked_attention(queries, keys, values, mask.unsqueeze(1))[0]
# %% right="heads of keys by expand"
def sink_mask(length, window, sinks):
    i, j = torch.arange(length).unsqueeze(1), torch.arange(length).unsqueeze(0)
    return (i >= j) & ((j > i - window) | (j < sinks))

def grouped_attention(queries, keys, values, mask=None):
    B, H, T_q, d = queries.shape
    n = H // keys.shape[1]
    k, v = (t[:, :, None].expand(-1, -1, n, -1, -1).reshape(B, H, *t.shape[2:]) for t in (keys, values))
    return F.scaled_dot_product_attention(queries, k, v, attn_mask=mask)
# %% wrong="sinks as rows" says="the sinks are the tokens that are seen" of="the plain way"
#~ (i - j < window) | (j < sinks) => ((i - j < window) | (i < sinks))
# %% wrong="None is not handled" says="may be None" of="repeat"
#~ F.scaled_dot_product_attention(queries, keys.repeat(1, n, 1, 1), values.repeat(1, n, 1, 1), attn_mask=mask) => masked_attention(queries, keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1), mask)[0]
# %% wrong="causal for None" says="a causal mask was used" of="expand, then flatten"
#~ k, v = (t.unsqueeze(2).expand(-1, -1, n, -1, -1).flatten(1, 2) for t in (keys, values)) => T_q, T_k = queries.shape[-2], keys.shape[-2]
#~ out = F.scaled_dot_product_attention(queries, k, v, attn_mask=mask) => mask = torch.ones(T_q, T_k, dtype=torch.bool).tril() if mask is None else mask
#~ out if mask is None else out.masked_fill(~mask.any(-1, keepdim=True), 0) => masked_attention(queries, keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1), mask)[0]
# %% wrong="G is the number of queries that share" says="not h // G"
def grouped_attention(queries, keys, values, mask=None):
    G, H = keys.shape[1], queries.shape[1]
    at = (torch.arange(H) // G).clamp(max=G - 1)
    k, v = keys[:, at], values[:, at]
    return attention(queries, k, v)[0] if mask is None else masked_attention(queries, k, v, mask)[0]
# %% wrong="always two share" says="hidden case (one head of keys): an error"
def grouped_attention(queries, keys, values, mask=None):
    k, v = keys.repeat_interleave(2, 1), values.repeat_interleave(2, 1)
    return attention(queries, k, v)[0] if mask is None else masked_attention(queries, k, v, mask)[0]
# %% wrong="rows that see nothing are NaN" says="zeros are asked for" of="band by tril, heads by an index"
#~ H, G = queries.shape[1], => n = queries.shape[1] //
#~ heads = torch.arange(H) // (H // G) => k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
#~ scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys[:, heads]) / keys.shape[-1] ** 0.5 => s = queries @ k.mT / math.sqrt(queries.shape[-1])
#~ scores = scores + torch.where(mask, 0.0, -torch.inf) => s = s.masked_fill(~mask, -math.inf)
#~ scores.softmax(-1).nan_to_num() @ values[:, heads] => torch.softmax(s, -1) @ v
# %% right="groups as an axis of their own"
def sink_mask(length, window, sinks):
    out = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        out[i, max(0, i - window + 1) : i + 1] = True
        out[i, : min(sinks, i + 1)] = True
    return out

def grouped_attention(queries, keys, values, mask=None):
    B, H, T_q, d = queries.shape
    G, T_k = keys.shape[1], keys.shape[2]
    q = queries.reshape(B, G, H // G, T_q, d)
    s = torch.einsum("bghid,bgjd->bghij", q, keys) / d**0.5
    if mask is not None:
        s = s.masked_fill(~mask.broadcast_to(B, H, T_q, T_k).reshape(B, G, H // G, T_q, T_k), -torch.inf)
    w = torch.softmax(s, -1).nan_to_num()
    return torch.einsum("bghij,bgjd->bghid", w, values).reshape(B, H, T_q, -1)
# %% right="head by head"
def sink_mask(length, window, sinks):
    band = torch.ones(length, length, dtype=torch.bool).tril() & ~torch.ones(length, length, dtype=torch.bool).tril(-window)
    band[:, :sinks] = True
    return band.tril()

def grouped_attention(queries, keys, values, mask=None):
    H, G = queries.shape[1], keys.shape[1]
    see = torch.tensor(True) if mask is None else mask
    see = see.broadcast_to(len(queries), H, queries.shape[2], keys.shape[2])
    heads = [masked_attention(queries[:, h], keys[:, h * G // H], values[:, h * G // H], see[:, h])[0] for h in range(H)]
    return torch.stack(heads, dim=1)
# %% right="expand, then flatten"
def sink_mask(length, window, sinks):
    far = torch.arange(length)[:, None] - torch.arange(length)[None]
    return torch.logical_and(far >= 0, torch.logical_or(far < window, torch.arange(length)[None] < sinks))

def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    k, v = (t.unsqueeze(2).expand(-1, -1, n, -1, -1).flatten(1, 2) for t in (keys, values))
    out = F.scaled_dot_product_attention(queries, k, v, attn_mask=mask)
    return out if mask is None else out.masked_fill(~mask.any(-1, keepdim=True), 0)
