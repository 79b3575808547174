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
# %% wrong="first head for all" says="used the first head of keys" of="the plain way"
#~ .repeat_interleave(n, 1), values.repeat(1, n, 1, 1) => [:, :1], values[:, :1]
# %% wrong="heads of a group averaged" says="were averaged" of="the plain way"
#~ repeat_interleave(n, 1), values.repeat(1, n, 1, 1) => mean(1, keepdim=True), values.mean(1, keepdim=True)
# %% wrong="values in another order" says="the values in the order 0, 1, 0, 1" of="values without a gradient"
#~ values.detach().repeat_interleave(n => values.repeat(1, n, 1
# %% wrong="groups reversed" says="the groups are reversed" of="the plain way"
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
# %% wrong="an axis added to the mask" says="no axis is added" of="repeat"
#-     return F.scaled_dot_product_attention(queries, keys.repeat(1, n, 1, 1), values.repeat(1, n, 1, 1), attn_mask=mask)
#+     keys, values = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
#+     if mask is None:
#+         return attention(queries, keys, values)[0]
#+     return masked_attention(queries, keys, values, mask.unsqueeze(1))[0]
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
# %% wrong="G is the number of queries that share" says="not h // G" of="always two share"
#-     k, v = keys.repeat_interleave(2, 1), values.repeat_interleave(2, 1)
#+     G, H = keys.shape[1], queries.shape[1]
#+     at = (torch.arange(H) // G).clamp(max=G - 1)
#+     k, v = keys[:, at], values[:, at]
# %% wrong="always two share" says="one head of keys"
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
# %% base="the plain way, bytes"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * tokens
# %% wrong="keys only" says="twice as much" of="if and elif"
#~ numbers = 2 * heads * width => numbers = heads * width
#~ 2 * groups => groups
#~ 2 * width => width
#~ 2 * heads * width, => heads * width,
# %% wrong="latent twice" says="kept once" of="if and elif"
#~ latent + rotary => 2 * (latent + rotary)
# %% wrong="no rotary part" says="rotated part" of="if and elif"
#~ latent + rotary => latent
# %% wrong="two bytes always" says="`itemsize` was ignored" of="if and elif"
#~ itemsize * => 2 *
# %% wrong="no sinks, bytes" says="sinks are kept" of="if and elif"
#~ window + sinks => window
# %% wrong="window always full" says="needs less" of="if and elif"
#~ min(length, window + sinks) => window + sinks
# %% wrong="heads shared by groups" says="G are kept" of="if and elif"
#~ groups * => (heads // groups) *
# %% wrong="one layer" says="one layer only" of="if and elif"
#~ layers * itemsize => itemsize
# %% wrong="None for an unknown kind" says="unknown kind" of="if and elif"
#~ raise ValueError(kind) => return None
# %% right="if and elif"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, length = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return numbers * layers * itemsize * length
# %% right="match"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    match kind:
        case "mha" | "window":
            kept = heads
        case "gqa":
            kept = groups
        case "mqa":
            kept = 1
        case "mla":
            return itemsize * length * layers * (latent + rotary)
        case _:
            raise ValueError("unknown kind")
    tokens = length if kind != "window" or length < window + sinks else window + sinks
    return np.int64(2 * kept * width * itemsize * layers * tokens)
# %% wrong="bits" says="these are bits" of="floats, bytes"
#~ float(numbers * layers) * itemsize * tokens => numbers * layers * itemsize * tokens * 8
# %% wrong="numbers, not bytes" says="times `itemsize`" of="floats, bytes"
#~ float(numbers * layers) * itemsize => numbers * layers
# %% wrong="bytes of one token" says="the whole text is asked for" of="floats, bytes"
#~ float(numbers * layers) * itemsize * tokens => numbers * layers * itemsize
# %% wrong="latent for every head" says="not kept once for each" of="the plain way, bytes"
#~ latent + rotary => heads * (latent + rotary)
# %% wrong="rotated part for every head" says="shared by all heads" of="the plain way, bytes"
#~ + rotary => + heads * rotary
# %% wrong="latent twice, rotated part once" says="and the rotated part, too" of="the plain way, bytes"
#~ latent + => 2 * latent +
# %% wrong="all heads in groups" says="G heads of keys are kept, not H" of="the plain way, bytes"
#~ groups * => heads *
# %% wrong="multi-query with all heads" says="multi-query keeps one head" of="the plain way, bytes"
#~ 2 * width => 2 * heads * width
# %% wrong="multi-query with groups" says="whatever `groups` says" of="the plain way, bytes"
#~ 2 * width => 2 * groups * width
# %% wrong="window as long as the text" says="at most window + sinks" of="the plain way, bytes"
#~ min(length, window + sinks) => length
# %% wrong="sinks beyond a short text" says="min(length, window + sinks)" of="the plain way, bytes"
#~ (length, window + sinks) => (length, window) + sinks
# %% wrong="four bytes by default" says="twice" of="the plain way, bytes"
#~ =2 => =4
# %% wrong="zero for an unknown kind" says="unknown kind" of="the plain way, bytes"
#~ raise ValueError(kind) => return 0
# %% wrong="KeyError for an unknown kind" says="unknown kind" of="the plain way, bytes"
#~ ValueError => KeyError
# %% wrong="a message for an unknown kind" says="unknown kind" of="the plain way, bytes"
#~ raise ValueError(kind) => return "unknown kind"
# %% right="floats, bytes"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    tokens = length
    if kind == "mha":
        numbers = 2 * heads * width
    elif kind == "gqa":
        numbers = 2 * groups * width
    elif kind == "mqa":
        numbers = 2 * width
    elif kind == "mla":
        numbers = latent + rotary
    elif kind == "window":
        numbers, tokens = 2 * heads * width, min(length, window + sinks)
    else:
        raise ValueError(kind)
    return float(numbers * layers) * itemsize * tokens
# %% right="a sum over layers and tokens"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind not in ("mha", "gqa", "mqa", "mla", "window"):
        raise ValueError("no such kind")
    if kind == "mla":
        token = (latent + rotary) * itemsize
    else:
        key = {"gqa": groups, "mqa": 1}.get(kind, heads) * width * itemsize
        token = key + key
    if kind == "window" and length > window + sinks:
        length = window + sinks
    return sum(token for _ in range(layers)) * length
# %% right="functions in a dictionary"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    def pair(n):
        return 2 * n * width * length
    rules = {
        "mha": lambda: pair(heads),
        "gqa": lambda: pair(groups),
        "mqa": lambda: pair(1),
        "mla": lambda: (latent + rotary) * length,
        "window": lambda: pair(heads) // length * sum(1 for t in range(length) if t < sinks or t >= max(length - window, 0)),
    }
    try:
        rule = rules[kind]
    except KeyError:
        raise ValueError(f"unknown kind {kind}") from None
    return rule() * layers * itemsize
# %% wrong="groups of heads: heads times groups" says="in all, not G for each"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    n = {"mha": 2 * heads * width, "gqa": 2 * heads * groups * width, "mqa": 2 * width, "mla": latent + rotary, "window": 2 * heads * width}
    if kind not in n:
        raise ValueError(kind)
    return n[kind] * layers * itemsize * (min(length, window + sinks) if kind == "window" else length)
# %% wrong="the window for all kinds" says="this kind has none" of="groups of heads: heads times groups"
#~ heads * groups => groups
#~ kind == "window" => window
# %% wrong="groups for mha" says="whatever `groups` says" of="groups of heads: heads times groups"
#~ heads * width, "gqa": 2 * heads => groups * width, "gqa": 2
# %% wrong="an unknown kind is returned as an error" says="raises ValueError" of="groups of heads: heads times groups"
#~ heads * groups => groups
#~ raise ValueError(kind) => return ValueError(f"unknown kind {kind}")
# %% wrong="in mebibytes" says="these are MiB" of="groups of heads: heads times groups"
#~ heads * groups => groups
#~ (min(length, window + sinks) if kind == "window" else length) => (min(length, window + sinks) if kind == "window" else length) / 2**20
# %% right="if after if" of="floats, bytes"
#-         numbers, tokens = 2 * heads * width, min(length, window + sinks)
#+         numbers = 2 * heads * width
#+         tokens = length if length < window + sinks else window + sinks
#~ (kind) => (f"unknown kind: {kind}")
#~ float(numbers * layers) * itemsize * tokens => numbers * tokens * layers * itemsize
# %% right="one in terms of the other"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    if kind == "window":
        return cache_bytes("mha", min(length, window + sinks), layers, heads, width, itemsize=itemsize)
    if kind == "mla":
        return layers * length * (latent + rotary) * itemsize
    shared = {"mha": heads, "gqa": groups, "mqa": 1}
    try:
        return 2 * shared[kind] * width * layers * length * itemsize
    except KeyError:
        raise ValueError(f"no kind {kind!r}") from None
# %% wrong="values without a gradient" says="the gradient is cut"
def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    keys, values = keys.repeat_interleave(n, 1), values.detach().repeat_interleave(n, 1)
    return attention(queries, keys, values)[0] if mask is None else masked_attention(queries, keys, values, mask)[0]
# %% wrong="mask per head ignored" says="a mask for each head" of="values detached under a mask"
#~ values.detach(), => values, mask[:, :1] if mask.dim() == 4 else
# %% wrong="values detached under a mask" says="gradients"
def grouped_attention(queries, keys, values, mask=None):
    s = queries.shape[1] // keys.shape[1]
    keys, values = (keys.repeat_interleave(s, 1), values.repeat_interleave(s, 1))
    if mask is None:
        return attention(queries, keys, values)[0]
    return masked_attention(queries, keys, values.detach(), mask)[0]
# %% right="reshape groups again"
def grouped_attention(queries, keys, values, mask=None):
    B, H, T, d = queries.shape
    G = keys.shape[1]
    idx = torch.arange(H) // (H // G)
    return (attention(queries, keys[:, idx], values[:, idx]) if mask is None else masked_attention(queries, keys[:, idx], values[:, idx], mask))[0]
# %% wrong="scores divided by d" says="divided by d, not by its root" of="values without a gradient"
#-     keys, values = keys.repeat_interleave(n, 1), values.detach().repeat_interleave(n, 1)
#+     keys, values = keys.repeat_interleave(n, dim=1), values.repeat_interleave(n, dim=1)
#+     queries = queries / math.sqrt(queries.shape[-1])
# %% wrong="mla: twice the latent vector" says="the rotated part besides it"
def cache_bytes(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
    numbers = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": 2 * latent}
    if kind == "window":
        return 2 * heads * width * min(length, window + sinks) * layers * itemsize
    if kind not in numbers:
        raise ValueError(kind)
    return numbers[kind] * length * layers * itemsize
# %% wrong="mla: r times p" says="not r times p" of="mla: twice the latent vector"
#~ 2 * latent} => latent * rotary}
# %% wrong="mla: times the width" says="`width` has no part" of="mla: twice the latent vector"
#~ 2 * latent} => (latent + rotary) * width}
# %% wrong="multi-query without the width" says="one head of `width` numbers" of="mla: twice the latent vector"
#~ "mqa": 2 * width, "mla": 2 * latent => "mqa": 2 * heads, "mla": latent + rotary
# %% wrong="sinks only after a full window" says="just longer than the window" of="mla: twice the latent vector"
#~ 2 * latent} => latent + rotary}
#~ min(length, window + sinks) => (window + sinks if length > window else length)
# %% wrong="another kind: KeyError" says="as of a look-up in a dict: raise ValueError"
#-     if kind not in numbers:
#-         raise ValueError(f"there is no kind {kind!r}; there are: {', '.join(numbers)}")
# %% wrong="another kind: None" says="for another kind no error came"
#~ raise ValueError(f"there is no kind {kind!r}; there are: {', '.join(numbers)}") => return None
# %% wrong="another kind: no branch" says="for another kind no branch made the number"
#-     if kind not in numbers:
#-         raise ValueError(f"there is no kind {kind!r}; there are: {', '.join(numbers)}")
#+     if kind in numbers:
#+         kept = numbers[kind]
#~ numbers[kind] * layers => kept * layers
# %% wrong="another kind: get" says="for another kind a TypeError came"
#-     if kind not in numbers:
#-         raise ValueError(f"there is no kind {kind!r}; there are: {', '.join(numbers)}")
#~ numbers[kind] => numbers.get(kind)
# %% wrong="another kind: assert" says="an assert may be switched off"
#~ raise ValueError => raise AssertionError
# %% wrong="scores without the root" clause="Return the output (B, H, T_q, d) of scaled attention" says="the scores are not scaled"
#~     share = queries.shape[1] // keys.shape[1] =>     share, queries = queries.shape[1] // keys.shape[1], queries * math.sqrt(queries.shape[-1])
# %% wrong="the first head's mask" clause="broadcast to (B, H, T_q, T_k), True where a key may be seen, or None" says="the mask of the first head"
#~ masked_attention(queries, keys, values, mask)[0] => masked_attention(queries, keys, values, mask if mask.dim() < 4 else mask[:, :1])[0]
# %% wrong="keys cut from the gradient" clause="the dtype is kept, gradients flow" says="no detach, item, data or NumPy"
#~ keys, values = keys.repeat_interleave( => keys, values = keys.detach().repeat_interleave(
# %% wrong="a full window always" clause="A window keeps <code>min(length, window + sinks)</code> tokens" says="needs less"
#~ min(length, window + sinks) => (window + sinks)
# %% wrong="a window for all kinds" clause="Arguments that a kind has no use for are ignored" says="this kind has none"
#~ if kind == "window" else => if window else
# %% wrong="groups for all heads" clause="Arguments that a kind has no use for are ignored" says="keeps all H heads"
#~ full = 2 * heads * width => full = 2 * (groups if groups > 1 else heads) * width
# %% wrong="two bytes always, seen" clause="itemsize: bytes of each number" says="`itemsize` was ignored"
#~ * itemsize => * 2
# %% wrong="a KeyError" clause="Raises ValueError for another kind" says="a KeyError came"
#~ raise ValueError( => raise KeyError(
