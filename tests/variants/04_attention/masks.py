# %% wrong="causal off by one" says="a token sees itself, too"
def causal_mask(length):
    return torch.ones(length, length).tril(-1).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="causal the future" says="shows the future"
def causal_mask(length):
    return torch.ones(length, length).triu().bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="causal in torch.nn's sense" says="True means: may be seen"
def causal_mask(length):
    return torch.ones(length, length).triu(1).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="causal additive" says="additive"
def causal_mask(length):
    return nn.Transformer.generate_square_subsequent_mask(length)


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="causal in floats" says="bool"
def causal_mask(length):
    return torch.ones(length, length).tril()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="padding inverted" says="True means: may be seen"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest)[None] >= lengths[:, None]


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="padding one too many" says="off by one"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest)[None] <= lengths[:, None]


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="mask after the softmax" says="the mask came after the softmax"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s, -1) * mask
    return w @ values, w

# %% wrong="mask inverted" says="wrong way round"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s.masked_fill(mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="mask inverted, NaN kept" says="wrong way round"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s.masked_fill(mask, float("-inf")), -1)
    return w @ values, w

# %% wrong="-1e9" says="equal weights"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s.masked_fill(~mask, -1e9), -1)
    return w @ values, w

# %% wrong="the smallest number of the dtype" says="equal weights"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s.masked_fill(~mask, torch.finfo(s.dtype).min), -1)
    return w @ values, w

# %% wrong="-inf and no more" says="NaN"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s.masked_fill(~mask, -torch.inf), -1)
    return w @ values, w

# %% wrong="1e-9" says="set to 0"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (queries.shape[-1] ** 0.5)
    w = torch.softmax(s.masked_fill(~mask, 1e-9), -1)
    return w @ values, w

# %% wrong="no scale" says="not scaled"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / (1)
    w = torch.softmax(s.masked_fill(~mask, -torch.inf), -1).nan_to_num(0.0)
    return w @ values, w

# %% wrong="-1e9, rows repaired, fails in half" says="does not fit in 16 bits"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, -1e9), -1) * mask
    return w @ values, w

# %% right="nan_to_num"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / queries.shape[-1] ** 0.5
    w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
    return w @ values, w

# %% right="added mask, renormalised by hand"
def causal_mask(length):
    i = torch.arange(length)
    return i[:, None] >= i


def padding_mask(lengths, longest):
    mask = torch.zeros(len(lengths), longest, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        mask[b, :n] = True
    return mask


def masked_attention(queries, keys, values, mask):
    s = (queries @ keys.mT).float() / math.sqrt(queries.shape[-1])
    s = s + torch.zeros_like(mask, dtype=torch.float).masked_fill(~mask, -1e9)
    e = torch.exp(s - s.amax(-1, keepdim=True)) * mask
    w = (e / e.sum(-1, keepdim=True).clamp(min=1e-30)).to(queries.dtype)
    return w @ values, w

# %% wrong="zeros in the weights only" says="its output is not"
def causal_mask(length):
    return torch.tril(torch.ones(length, length)).bool()


def padding_mask(lengths, longest):
    return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    s = (queries @ keys.mT / queries.shape[-1] ** 0.5).float().masked_fill(~mask, -1e9)
    w = torch.softmax(s, -1).to(values.dtype)
    return w @ values, w * mask
