# %% wrong="repeat" says="neighbouring heads share"
def sink_mask(length, window, sinks):
    m = torch.ones(length, length).tril().bool()
    near = torch.ones(length, length).triu(1 - window).bool()
    near[:, :sinks] = True
    return m & near


def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    return F.scaled_dot_product_attention(queries, keys.repeat(1, n, 1, 1), values.repeat(1, n, 1, 1), attn_mask=mask)

# %% wrong="window one too long" says="off by one"
def sink_mask(length, window, sinks):
    m = torch.ones(length, length).tril().bool()
    near = torch.ones(length, length).triu(-window).bool()
    near[:, :sinks] = True
    return m & near


def grouped_attention(queries, keys, values, mask=None):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, enable_gqa=True)

# %% wrong="no sinks" says="the sinks are not seen"
def sink_mask(length, window, sinks):
    m = torch.ones(length, length).tril().bool()
    near = torch.ones(length, length).triu(1 - window).bool()
    return m & near


def grouped_attention(queries, keys, values, mask=None):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, enable_gqa=True)

# %% wrong="sinks before their time" says="before its time"
def sink_mask(length, window, sinks):
    i, j = torch.arange(length)[:, None], torch.arange(length)
    return (j <= i) & (i - j < window) | (j < sinks)


def grouped_attention(queries, keys, values, mask=None):
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, enable_gqa=True)

# %% wrong="mask forgotten" says="the mask was not used"
def sink_mask(length, window, sinks):
    m = torch.ones(length, length).tril().bool()
    near = torch.ones(length, length).triu(1 - window).bool()
    near[:, :sinks] = True
    return m & near


def grouped_attention(queries, keys, values, mask=None):
    return F.scaled_dot_product_attention(queries, keys, values, enable_gqa=True)

# %% wrong="weights too" says="output alone"
def sink_mask(length, window, sinks):
    m = torch.ones(length, length).tril().bool()
    near = torch.ones(length, length).triu(1 - window).bool()
    near[:, :sinks] = True
    return m & near


def grouped_attention(queries, keys, values, mask=None):
    n = queries.shape[1] // keys.shape[1]
    k, v = keys.repeat_interleave(n, 1), values.repeat_interleave(n, 1)
    return attention(queries, k, v) if mask is None else masked_attention(queries, k, v, mask)

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
    return torch.einsum("bgnts,bgsd->bgntd", s.softmax(-1), values).reshape(B, H, T, d)
