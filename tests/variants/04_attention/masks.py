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

# %% wrong="causal sees the next" says="sees the next one"
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril(1)


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="causal all True" says="nothing is hidden"
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool)


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="causal with a batch axis" says="another shape"
def causal_mask(length):
    return torch.ones(1, length, length, dtype=torch.bool).tril()


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="padding one too few" says="one place too few"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None] - 1


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="padding at the front" says="a sentence stands at the beginning"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] >= longest - lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="padding turned round" says="the batch comes first"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[:, None] < lengths[None, :]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="padding as long as the longest of the batch" says="as wide as it says"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(int(lengths.max()))[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="padding in numbers" says="bool"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return (torch.arange(longest)[None, :] < lengths[:, None]).int()


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="padding needs a word" says="length 0"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    lengths = lengths.clamp(min=1)
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights

# %% wrong="mask not used" says="the mask was not used"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys))
    return weights @ values, weights

# %% wrong="renormalised after the softmax" says="the mask came after the softmax"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys)) * mask
    weights = weights / weights.sum(-1, keepdim=True)
    weights = weights.nan_to_num()
    return weights @ values, weights

# %% wrong="renormalised, rows of NaN" says="NaN"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys)) * mask
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ values, weights

# %% wrong="scores times the mask" says="e to the 0 is 1"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys) * mask)
    return weights @ values, weights

# %% wrong="mask added as 0 and 1" says="added to the scores as it is"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys) + mask)
    return weights @ values, weights

# %% wrong="mask added as 0 and 1, weights zeroed" says="added to the scores as it is"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys) + mask).masked_fill(~mask, 0)
    return weights @ values, weights

# %% wrong="minus infinity times the mask" says="do not multiply"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys) + -math.inf * (~mask))
    return weights @ values, weights

# %% wrong="-10 in place of minus infinity" says="some weight leaks"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys).masked_fill(~mask, -10.0))
    return weights @ values, weights

# %% wrong="over the queries" says="over the queries"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-2).masked_fill(~mask, 0)
    return weights @ values, weights

# %% wrong="divided by d" says="divided by d_k"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = (dot_scores(queries, keys) / queries.shape[-1]).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return weights @ values, weights

# %% wrong="results exchanged" says="the two results are exchanged"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return weights, weights @ values

# %% wrong="output repaired, weights not" says="weights are NaN"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores)
    return (weights @ values).nan_to_num(), weights

# %% wrong="mask as an index" says="broadcast"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys)
    scores[~mask] = -math.inf
    weights = softmax(scores).nan_to_num()
    return weights @ values, weights

# %% wrong="32 bits come back" says="the dtype is kept"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries.float(), keys.float()).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return weights @ values.float(), weights

# %% wrong="a blind row only when all are blind" says="NaN"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores)
    if not mask.any():
        weights = torch.zeros_like(weights)
    return weights @ values, weights

# %% wrong="rows hidden in place of keys" says="its rows belong to the queries"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    hidden = ~mask.mT if mask.dim() > 1 and mask.shape[-1] == mask.shape[-2] else ~mask
    weights = softmax(scaled_scores(queries, keys).masked_fill(hidden, -math.inf)).nan_to_num()
    return weights @ values, weights

# %% right="comparison of places, torch.where"
def causal_mask(length):
    i = torch.arange(length)
    return i.unsqueeze(1) >= i


def padding_mask(lengths, longest):
    return torch.stack([torch.arange(longest) < n for n in lengths])


def masked_attention(queries, keys, values, mask):
    scores = torch.where(mask, scaled_scores(queries, keys), -torch.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return torch.matmul(weights, values), weights

# %% right="the smallest number, blind rows afterwards"
def causal_mask(length):
    return ~torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)


def padding_mask(lengths, longest):
    mask = torch.zeros(len(lengths), longest, dtype=torch.bool)
    for row, n in zip(mask, lengths.tolist()):
        row[:n] = True
    return mask


def masked_attention(queries, keys, values, mask):
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.size(-1))
    mask = mask.expand(scores.shape)
    weights = softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min))
    weights = weights * mask.any(-1, keepdim=True)
    return weights @ values, weights

# %% right="additive mask of 0 and minus infinity"
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]


def masked_attention(queries, keys, values, mask):
    bias = torch.zeros(mask.shape, dtype=queries.dtype).masked_fill(mask.logical_not(), float("-inf"))
    blind = ~mask.any(dim=-1, keepdim=True)
    weights = softmax((scaled_scores(queries, keys) + bias).masked_fill(blind, 0)).masked_fill(blind, 0)
    return [weights @ values, weights]

# %% wrong="mask opened in place for blind rows" says="in place"
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril()


def padding_mask(lengths, longest):
    return torch.arange(longest).unsqueeze(0) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    blind = ~mask.any(dim=-1, keepdim=True)
    mask |= blind
    weights = softmax(scaled_scores(queries, keys).masked_fill(~mask, -math.inf)) * ~blind
    return weights @ values, weights

# %% wrong="the smallest number that fits in 16 bits" says="equal weights"
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril()


def padding_mask(lengths, longest):
    return torch.arange(longest).unsqueeze(0) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys).masked_fill(~mask, -65504.0))
    return weights @ values, weights

# %% right="half precision in 32 bits, and back"
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril()


def padding_mask(lengths, longest):
    return torch.arange(longest).unsqueeze(0) < lengths.unsqueeze(1)


def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries.float(), keys.float()).masked_fill(~mask, -math.inf)
    weights = torch.where(mask, torch.softmax(scores, dim=-1), 0.0)
    return (weights @ values.float()).to(queries.dtype), weights.to(queries.dtype)

# %% wrong="a length is at least 1" says="a length of 0"
def padding_mask(lengths, longest):
    return torch.arange(longest) < lengths.clamp(min=1)[:, None]

# %% wrong="mask after the softmax, divided again" says="where hidden scores are the largest"
def masked_attention(queries, keys, values, mask):
    w = torch.softmax(queries @ keys.mT / math.sqrt(queries.shape[-1]), -1).masked_fill(~mask, 0)
    w = w / w.sum(-1, keepdim=True)
    w = torch.nan_to_num(w)
    return w @ values, w

# %% wrong="-100 is not enough" says="is not low enough"
def masked_attention(queries, keys, values, mask):
    w = torch.softmax((queries @ keys.mT / math.sqrt(queries.shape[-1])).masked_fill(~mask, -100), -1)
    w = w * mask.any(-1, keepdim=True)
    return w @ values, w

# %% wrong="causal whatever the mask" says="a causal mask was used"
def masked_attention(queries, keys, values, mask):
    s = queries @ keys.mT / math.sqrt(queries.shape[-1])
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
    w = torch.softmax(s.masked_fill(~see, -math.inf), -1).masked_fill(~see, 0)
    return w @ values, w

# %% wrong="all is zero if one row is empty" says="ask each query by itself"
def masked_attention(queries, keys, values, mask):
    w = torch.softmax((queries @ keys.mT / math.sqrt(queries.shape[-1])).masked_fill(~mask, -math.inf), -1)
    if w.isnan().any():
        w = torch.zeros_like(w)
    return w @ values, w

# %% right="nan_to_num, where"
def causal_mask(length):
    i = torch.arange(length)
    return i[None, :] <= i[:, None]


def padding_mask(lengths, longest):
    out = torch.zeros(len(lengths), longest, dtype=torch.bool)
    for b, n in enumerate(lengths.tolist()):
        out[b, :n] = True
    return out


def masked_attention(queries, keys, values, mask):
    s = queries @ keys.transpose(-1, -2) * queries.shape[-1] ** -0.5
    w = torch.softmax(torch.where(mask, s, -torch.inf), dim=-1).nan_to_num(0.0)
    return w @ values, w

# %% right="finfo.min, then the empty rows"
def causal_mask(length):
    return ~torch.triu(torch.ones(length, length), diagonal=1).bool()


def padding_mask(lengths, longest):
    return torch.stack([torch.arange(longest) < int(n) for n in lengths])


def masked_attention(queries, keys, values, mask):
    s = torch.einsum("...id,...jd->...ij", queries, keys) / math.sqrt(keys.shape[-1])
    w = F.softmax(s.masked_fill(~mask, torch.finfo(s.dtype).min), dim=-1) * mask.any(-1, keepdim=True)
    return w @ values, w

# %% right="a bias of 0 and -inf"
def causal_mask(length):
    return torch.tensor([[j <= i for j in range(length)] for i in range(length)], dtype=torch.bool).reshape(length, length)


def masked_attention(queries, keys, values, mask):
    s = dot_scores(queries, keys) / queries.shape[-1] ** 0.5
    bias = torch.zeros(mask.shape, dtype=s.dtype).masked_fill(mask.logical_not(), float("-inf"))
    w = torch.softmax(s + bias, -1)
    w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
    return torch.matmul(w, values), w

# %% right="exponentials of what may be seen"
def masked_attention(queries, keys, values, mask):
    s = (queries @ keys.mT).double() / math.sqrt(queries.shape[-1])
    see = mask.expand(s.shape)
    top = s.masked_fill(~see, -math.inf).amax(-1, keepdim=True).clamp(min=-1e30)
    e = (s - top).clamp(max=0).exp() * see
    w = (e / e.sum(-1, keepdim=True).clamp(min=1e-30)).to(queries.dtype)
    return w @ values, w

# %% wrong="plus infinity" says="plus infinity went"
def masked_attention(queries, keys, values, mask):
    s = (queries @ keys.mT / math.sqrt(queries.shape[-1])).masked_fill(~mask, math.inf)
    w = torch.softmax(s, -1).masked_fill(~mask, 0)
    return w @ values, w

# %% wrong="the mask hides queries, not keys" says="whole queries only"
def masked_attention(queries, keys, values, mask):
    out, w = attention(queries, keys, values)
    blind = ~mask.any(-1, keepdim=True)
    return out.masked_fill(blind, 0), w.masked_fill(blind, 0)
