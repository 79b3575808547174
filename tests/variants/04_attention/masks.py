# %% base="the plain way"
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool)
def padding_mask(lengths, longest):
    return torch.arange(longest)[None, :] < lengths[:, None]
def masked_attention(queries, keys, values, mask):
    scores = (dot_scores(queries, keys) / queries.shape[-1]).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return weights @ values, weights
# %% wrong="causal off by one" says="a token sees itself, too" of="nan_to_num"
#~ tril(torch.ones(length, length)) => ones(length, length).tril(-1)
# %% wrong="causal the future" says="shows the future" of="nan_to_num"
#~ tril(torch.ones(length, length)) => ones(length, length).triu()
# %% wrong="causal in torch.nn's sense" says="True means: may be seen" of="nan_to_num"
#~ tril(torch.ones(length, length)) => ones(length, length).triu(1)
# %% wrong="causal additive" says="additive" of="nan_to_num"
#~ torch.tril(torch.ones(length, length)).bool() => nn.Transformer.generate_square_subsequent_mask(length)
# %% wrong="causal in floats" says="bool" of="nan_to_num"
#~ tril(torch.ones(length, length)).bool => ones(length, length).tril
# %% wrong="padding inverted" says="True means: may be seen" of="nan_to_num"
#~ .expand(len(lengths), longest) < lengths.unsqueeze(1) => [None] >= lengths[:, None]
# %% wrong="padding one too many" says="off by one" of="nan_to_num"
#~ .expand(len(lengths), longest) < lengths.unsqueeze(1) => [None] <= lengths[:, None]
# %% wrong="mask after the softmax" says="the mask came after the softmax" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (queries.shape[-1] ** 0.5)
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s, -1) * mask
# %% wrong="mask inverted" says="wrong way round" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (queries.shape[-1] ** 0.5)
#~ (~mask, float("-inf")) => (mask, float("-inf"))
# %% wrong="mask inverted, NaN kept" says="wrong way round" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (queries.shape[-1] ** 0.5)
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s.masked_fill(mask, float("-inf")), -1)
# %% wrong="-1e9" says="equal weights" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (queries.shape[-1] ** 0.5)
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s.masked_fill(~mask, -1e9), -1)
# %% wrong="the smallest number of the dtype" says="equal weights" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (queries.shape[-1] ** 0.5)
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s.masked_fill(~mask, torch.finfo(s.dtype).min), -1)
# %% wrong="-inf and no more" says="NaN" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (queries.shape[-1] ** 0.5)
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s.masked_fill(~mask, -torch.inf), -1)
# %% wrong="no scale" says="not scaled" of="nan_to_num"
#~ queries.shape[-1] ** 0.5 => (1)
#~ float("-inf") => -torch.inf
# %% wrong="-1e9, rows repaired, fails in half" says="does not fit in 16 bits" of="nan_to_num"
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s.masked_fill(~mask, -1e9), -1) * mask
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
def masked_attention(queries, keys, values, mask):
    s = (queries @ keys.mT / queries.shape[-1] ** 0.5).float().masked_fill(~mask, -1e9)
    w = torch.softmax(s, -1).to(values.dtype)
    return w @ values, w * mask
# %% wrong="causal sees the next" says="sees the next one" of="nan_to_num"
#~ tril(torch.ones(length, length)).bool() => ones(length, length, dtype=torch.bool).tril(1)
# %% wrong="causal all True" says="nothing is hidden" of="nan_to_num"
#~ tril(torch.ones(length, length)).bool() => ones(length, length, dtype=torch.bool)
# %% wrong="causal with a batch axis" says="another shape" of="nan_to_num"
#~ tril(torch.ones(length, length)).bool => ones(1, length, length, dtype=torch.bool).tril
# %% wrong="padding one too few" says="one position too few" of="nan_to_num"
#~ .expand(len(lengths), longest) < lengths.unsqueeze(1) => [None, :] < lengths[:, None] - 1
# %% wrong="padding at the front" says="a sentence is at the beginning" of="nan_to_num"
#~ .expand(len(lengths), longest) < lengths.unsqueeze(1) => [None, :] >= longest - lengths[:, None]
# %% wrong="padding turned round" says="the batch comes first" of="nan_to_num"
#~ .expand(len(lengths), longest) < lengths.unsqueeze(1) => [:, None] < lengths[None, :]
# %% wrong="padding as long as the longest of the batch" says="as wide as it says" of="nan_to_num"
#~ (longest).expand(len(lengths), longest) < lengths.unsqueeze(1) => (int(lengths.max()))[None, :] < lengths[:, None]
# %% wrong="padding in numbers" says="bool" of="nan_to_num"
#~ torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1) => (torch.arange(longest)[None, :] < lengths[:, None]).int()
# %% wrong="padding needs a word" says="length 0"
def padding_mask(lengths, longest):
    lengths = lengths.clamp(min=1)
    return torch.arange(longest)[None, :] < lengths[:, None]
# %% wrong="mask not used" says="the mask was not used"
def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys))
    return weights @ values, weights
# %% wrong="renormalised after the softmax" says="the mask came after the softmax" of="mask not used"
#-     weights = softmax(scaled_scores(queries, keys))
#+     weights = softmax(scaled_scores(queries, keys)) * mask
#+     weights = weights / weights.sum(-1, keepdim=True)
#+     weights = weights.nan_to_num()
# %% wrong="renormalised, rows of NaN" says="NaN" of="the plain way"
#~ scores = (dot_scores(queries, keys) / queries.shape[-1]).masked_fill(~mask, -math.inf) => weights = softmax(scaled_scores(queries, keys)) * mask
#~ softmax(scores).masked_fill(~mask, 0) => weights / weights.sum(-1, keepdim=True)
# %% wrong="scores times the mask" says="e to the 0 is 1" of="mask not used"
#~ (queries, keys) => (queries, keys) * mask
# %% wrong="mask added as 0 and 1" says="added to the scores as it is" of="mask not used"
#~ (queries, keys) => (queries, keys) + mask
# %% wrong="mask added as 0 and 1, weights zeroed" says="added to the scores as it is" of="mask not used"
#~ (scaled_scores(queries, keys)) => (scaled_scores(queries, keys) + mask).masked_fill(~mask, 0)
# %% wrong="minus infinity times the mask" says="do not multiply" of="mask not used"
#~ (queries, keys) => (queries, keys) + -math.inf * (~mask)
# %% wrong="-10 in place of minus infinity" says="some weight leaks" of="mask not used"
#~ (queries, keys) => (queries, keys).masked_fill(~mask, -10.0)
# %% wrong="over the queries" says="over the queries" of="the plain way"
#~ (dot_scores(queries, keys) / queries.shape[-1]) => scaled_scores(queries, keys)
#~ softmax(scores) => torch.softmax(scores, dim=-2)
# %% wrong="divided by d" says="divided by d_k" of="mask not used"
#-     weights = softmax(scaled_scores(queries, keys))
#+     scores = (dot_scores(queries, keys) / queries.shape[-1]).masked_fill(~mask, -math.inf)
#+     weights = softmax(scores).masked_fill(~mask, 0)
# %% wrong="results exchanged" says="the two results are exchanged" of="the plain way"
#~ (dot_scores(queries, keys) / queries.shape[-1]) => scaled_scores(queries, keys)
#~ weights @ values, weights => weights, weights @ values
# %% wrong="output repaired, weights not" says="weights are NaN"
def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores)
    return (weights @ values).nan_to_num(), weights
# %% wrong="mask as an index" says="broadcast" of="mask not used"
#-     weights = softmax(scaled_scores(queries, keys))
#+     scores = scaled_scores(queries, keys)
#+     scores[~mask] = -math.inf
#+     weights = softmax(scores).nan_to_num()
# %% wrong="32 bits come back" says="the dtype is kept" of="half precision in 32 bits, and back"
#~ torch.where(mask, torch.softmax(scores, dim=-1), 0.0) => softmax(scores).masked_fill(~mask, 0)
#~ (weights @ values.float()).to(queries.dtype), weights.to(queries.dtype) => weights @ values.float(), weights
# %% wrong="rows hidden in place of keys" says="its rows belong to the queries" of="the plain way"
#~ scores = (dot_scores(queries, keys) / queries.shape[-1]).masked_fill(~mask, -math.inf) => hidden = ~mask.mT if mask.dim() > 1 and mask.shape[-1] == mask.shape[-2] else ~mask
#~ (scores).masked_fill(~mask, 0) => (scaled_scores(queries, keys).masked_fill(hidden, -math.inf)).nan_to_num()
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
# %% wrong="mask opened in place for blind rows" says="in place" of="mask not used"
#-     weights = softmax(scaled_scores(queries, keys))
#+     blind = ~mask.any(dim=-1, keepdim=True)
#+     mask |= blind
#+     weights = softmax(scaled_scores(queries, keys).masked_fill(~mask, -math.inf)) * ~blind
# %% wrong="the smallest number that fits in 16 bits" says="equal weights" of="mask not used"
#~ (queries, keys) => (queries, keys).masked_fill(~mask, -65504.0)
# %% right="half precision in 32 bits, and back"
def padding_mask(lengths, longest):
    return torch.arange(longest).unsqueeze(0) < lengths.unsqueeze(1)
def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries.float(), keys.float()).masked_fill(~mask, -math.inf)
    weights = torch.where(mask, torch.softmax(scores, dim=-1), 0.0)
    return (weights @ values.float()).to(queries.dtype), weights.to(queries.dtype)
# %% wrong="a length is at least 1" says="a length of 0" of="nan_to_num"
#~ (longest).expand(len(lengths), longest) < lengths.unsqueeze(1) => (longest) < lengths.clamp(min=1)[:, None]
# %% wrong="mask after the softmax, divided again" says="where hidden scores are the largest"
def masked_attention(queries, keys, values, mask):
    w = torch.softmax(queries @ keys.mT / math.sqrt(queries.shape[-1]), -1).masked_fill(~mask, 0)
    w = w / w.sum(-1, keepdim=True)
    w = torch.nan_to_num(w)
    return w @ values, w
# %% wrong="-100 is not enough" says="is not low enough" of="nan_to_num"
#~ s = queries @ keys.mT / queries.shape[-1] ** 0.5 => w = torch.softmax((queries @ keys.mT / math.sqrt(queries.shape[-1])).masked_fill(~mask, -100), -1)
#~ torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => w * mask.any(-1, keepdim=True)
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
# %% right="finfo.min, then the empty rows" of="nan_to_num"
#~ return torch.tril(torch.ones(length, length)).bool() => return ~torch.triu(torch.ones(length, length), diagonal=1).bool()
#~ return torch.arange(longest).expand(len(lengths), longest) < lengths.unsqueeze(1) => return torch.stack([torch.arange(longest) < int(n) for n in lengths])
#-     s = queries @ keys.mT / queries.shape[-1] ** 0.5
#-     w = torch.softmax(s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0)
#+     s = torch.einsum("...id,...jd->...ij", queries, keys) / math.sqrt(keys.shape[-1])
#+     w = F.softmax(s.masked_fill(~mask, torch.finfo(s.dtype).min), dim=-1) * mask.any(-1, keepdim=True)
# %% right="a bias of 0 and -inf, none in a row that sees nothing"
def causal_mask(length):
    return torch.tensor([[j <= i for j in range(length)] for i in range(length)], dtype=torch.bool).reshape(length, length)
def masked_attention(queries, keys, values, mask):
    s = dot_scores(queries, keys) / queries.shape[-1] ** 0.5
    bias = torch.zeros(mask.shape, dtype=s.dtype).masked_fill(mask.logical_not() & mask.any(-1, keepdim=True), float("-inf"))
    w = torch.softmax(s + bias, -1)
    w = w * mask.any(-1, keepdim=True)
    return torch.matmul(w, values), w
# %% wrong="a bias of 0 and -inf, and NaN made 0 later" says="add nothing" of="a bias of 0 and -inf, none in a row that sees nothing"
#- def causal_mask(length):
#-     return torch.tensor([[j <= i for j in range(length)] for i in range(length)], dtype=torch.bool).reshape(length, length)
#~ bias = torch.zeros(mask.shape, dtype=s.dtype).masked_fill(mask.logical_not() & mask.any(-1, keepdim=True), float("-inf")) => bias = torch.zeros(mask.shape, dtype=s.dtype).masked_fill(mask.logical_not(), float("-inf"))
#~ w = w * mask.any(-1, keepdim=True) => w = torch.where(torch.isnan(w), torch.zeros_like(w), w)
# %% right="exponentials of what may be seen"
def masked_attention(queries, keys, values, mask):
    s = (queries @ keys.mT).double() / math.sqrt(queries.shape[-1])
    see = mask.expand(s.shape)
    top = s.masked_fill(~see, -math.inf).amax(-1, keepdim=True).clamp(min=-1e30)
    e = (s - top).clamp(max=0).exp() * see
    w = (e / e.sum(-1, keepdim=True).clamp(min=1e-30)).to(queries.dtype)
    return w @ values, w
# %% wrong="plus infinity" says="plus infinity went" of="nan_to_num"
#~ queries @ keys.mT / queries.shape[-1] ** 0.5 => (queries @ keys.mT / math.sqrt(queries.shape[-1])).masked_fill(~mask, math.inf)
#~ (s.masked_fill(~mask, float("-inf")), -1).nan_to_num(0.0) => (s, -1).masked_fill(~mask, 0)
# %% wrong="the mask hides queries, not keys" says="whole queries only"
def masked_attention(queries, keys, values, mask):
    out, w = attention(queries, keys, values)
    blind = ~mask.any(-1, keepdim=True)
    return out.masked_fill(blind, 0), w.masked_fill(blind, 0)
# %% wrong="weights without a gradient" says="the gradient is cut" of="mask not used"
#-     weights = softmax(scaled_scores(queries, keys))
#+     scores = (queries @ keys.mT / math.sqrt(queries.shape[-1])).masked_fill(~mask, -math.inf)
#+     weights = torch.softmax(scores, -1).nan_to_num().detach()
# %% wrong="weights detached" says="gradients"
def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).masked_fill(~mask, 0)
    return (context_vectors(weights, values), weights.detach())
# %% wrong="minus 10,000 and weights set to 0" says="not low enough"
def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -1e4)
    weights = softmax(scores) * mask
    return context_vectors(weights, values), weights
# %% right="nan_to_num again"
def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores).nan_to_num(0.0)
    return (context_vectors(weights, values), weights)
# %% wrong="softmax over axis 1" says="runs over axis 1"
def masked_attention(queries, keys, values, mask):
    scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf)
    weights = softmax(scores, dim=1).masked_fill(~mask, 0)
    return context_vectors(weights, values), weights
# %% wrong="lengths in a row" says="must be a column"
def padding_mask(lengths, longest):
    return torch.arange(longest) < lengths
# %% wrong="NaN taken out of the results" says="before they meet the values"
def masked_attention(queries, keys, values, mask):
    weights = softmax(scaled_scores(queries, keys).masked_fill(~mask, -math.inf))
    return torch.nan_to_num(weights @ values), torch.nan_to_num(weights)
# %% right="torch.where and the smallest number of the dtype" of="mask not used"
#-     weights = softmax(scaled_scores(queries, keys))
#+     scores = queries @ keys.mT / queries.shape[-1] ** 0.5
#+     scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
#+     weights = torch.where(mask, torch.softmax(scores, dim=-1), 0.0)
# %% wrong="weights returned detached" says="stops at the weights that come back"
#~ values), weights => values), weights.detach()
# %% wrong="weights detached for the output" says="on their way to the output"
#~ (weights, values) => (weights.detach(), values)
# %% wrong="no root of the size" clause="the usual scale" says="not scaled by the root"
#~ scaled_scores(queries, keys) => dot_scores(queries, keys)
# %% wrong="at least one place" clause="lengths: (B,) int, 0 or more" says="a length of 0"
#~ lengths[:, None] => lengths.clamp(min=1)[:, None]
# %% wrong="-1e9 in float16" clause="fp16 ends at 65,504, and there it is an error" says="float16 ends at 65,504"
#~ scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf) => scores = scaled_scores(queries, keys).masked_fill(~mask, -1e9)
# %% wrong="-1e4, then 0" clause="what is hidden gets $-\infty$" says="can win over real ones"
#~ scores = scaled_scores(queries, keys).masked_fill(~mask, -math.inf) => scores = scaled_scores(queries, keys).masked_fill(~mask, -1e4)
# %% wrong="a mask of numbers" clause="Return (T, T) bool, True where token i may see token j: j <= i." says="must be a bool tensor"
#~ torch.ones(length, length, dtype=torch.bool).tril() => torch.ones(length, length).tril()
# %% wrong="values cut from the gradient" clause="gradients flow, and are finite where a query sees nothing" says="no detach, item, data or NumPy"
#~ context_vectors(weights, values), weights => context_vectors(weights, values.detach()), weights
