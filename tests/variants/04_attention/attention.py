# %% base="the plain way"
def attention(queries, keys, values, scale=None):
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    scores = scale * (queries @ keys.T)
    weights = softmax(scores)
    return context_vectors(weights, values), weights
# %% wrong="no scale" says="not scaled"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    s = queries @ keys.transpose(-2, -1)
    w = torch.softmax(s, dim=-1)
    return w @ values, w
# %% wrong="scale by d" says="by d_k, not by its square root" of="no scale"
#~ queries.shape[-1] ** -0.5 => 1 / queries.shape[-1]
#~ (-2, -1) => (-2, -1) * scale
# %% wrong="no scale by default" says="where `scale` is None" of="no scale"
#~ queries.shape[-1] ** -0.5 => 1.0
#~ (-2, -1) => (-2, -1) * scale
# %% wrong="scale ignored" says="`scale` was ignored" of="no scale"
#~ queries.shape[-1] ** -0.5 if scale is None else scale => 1 / math.sqrt(queries.size(-1))
#~ (-2, -1) => (-2, -1) * scale
# %% wrong="divided by scale" says="multiplied by it" of="no scale"
#~ queries.shape[-1] ** -0.5 => math.sqrt(queries.size(-1))
#~ (-2, -1) => (-2, -1) / scale
# %% wrong="scale or" says="takes 0 for None" of="no scale"
#~ queries.shape[-1] ** -0.5 if scale is None else scale => scale or 1 / math.sqrt(queries.size(-1))
#~ (-2, -1) => (-2, -1) * scale
# %% wrong="weights first" says="exchanged" of="no scale"
#~ (-2, -1) => (-2, -1) * scale
#~ w @ values, w => w, w @ values
# %% wrong="scores back" says="scores came back" of="no scale"
#~ (-2, -1) => (-2, -1) * scale
#~ , w => , s
# %% right="torch for the output"
def attention(queries, keys, values, scale=None):
    if scale is None:
        scale = 1 / queries.shape[-1] ** 0.5
    weights = (queries * scale @ keys.mT).softmax(-1)
    return F.scaled_dot_product_attention(queries, keys, values, scale=scale), weights
# %% right="einsum in 64 bits"
def attention(queries, keys, values, scale=None):
    q, k, v = (t.double() for t in (queries, keys, values))
    s = torch.einsum("...id,...jd->...ij", q, k) * (scale if scale is not None else q.shape[-1] ** -0.5)
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", w, v).to(values.dtype), w.to(values.dtype)
# %% wrong="64 bits come back" says="float64 came, float32 was expected" of="einsum in 64 bits"
#~ .to(values.dtype), w.to(values.dtype) => , w
# %% wrong="precedence: d ** -1/2" says="d ** -1 / 2" of="32 bits by hand"
#~ 1 / math.sqrt(queries.shape[-1]) => queries.shape[-1] ** -1 / 2
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="precedence: d ** 1/2 below" says="d ** 1 / 2" of="32 bits by hand"
#~ math.sqrt(queries.shape[-1]) => (queries.shape[-1] ** 1 / 2)
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="root cut to a whole number" says="whole number" of="32 bits by hand"
#~ math.sqrt(queries.shape[-1]) => int(math.sqrt(queries.shape[-1]))
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="root of the number of keys" says="number of keys" of="32 bits by hand"
#~ queries.shape[-1] => keys.shape[-2]
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="root of d_v" says="size of a value" of="32 bits by hand"
#~ (queries.shape[-1]) => (values.shape[-1])
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="scaled twice" says="scaled twice" of="32 bits by hand"
#~ 1 / math.sqrt(queries.shape[-1]) if scale is None else scale => (1 if scale is None else scale) / math.sqrt(queries.shape[-1])
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="the root is the factor" says="the scores were multiplied by the root" of="32 bits by hand"
#~ 1 / math => math
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="softmax over all" says="all weights together" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => torch.softmax(scores.flatten(-2), -1).view(scores.shape)
# %% wrong="no softmax" says="not put through softmax" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => scores
# %% wrong="keys mixed" says="keys were mixed" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
#~ (weights, values) => (weights, keys)
# %% wrong="queries and keys exchanged" says="queries and keys are exchanged" of="the plain way"
#~ (queries @ keys.T) => dot_scores(keys, queries)
# %% wrong="output alone" says="return the weights, too" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
#~ (weights, values), weights => (weights, values)
# %% wrong=".T with a batch" says="leading axes" of="32 bits by hand"
#~ dot_scores(queries, keys) => (queries @ keys.T)
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
# %% wrong="weights turned round" says="transposed before they meet" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores)
#~ (weights, values) => (weights.transpose(-2, -1), values)
# %% wrong="softmax over the first axis" says="over the queries" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => softmax(scores, dim=0) if scores.dim() == 2 else softmax(scores, dim=-2)
# %% wrong="scaled in place" says="in place" of="the plain way"
#- def attention(queries, keys, values, scale=None):
#+ def attention(queries, keys, values, scale=None):
#+     queries /= math.sqrt(queries.shape[-1]) if scale is None else 1 / scale
#~ scale * (queries @ keys.T) => dot_scores(queries, keys)
# %% wrong="no maximum subtracted" says="NaN" of="32 bits by hand"
#~ F.softmax(scores.float(), dim=-1).to(values.dtype) => torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)
# %% right="32 bits by hand"
def attention(queries, keys, values, scale=None):
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    scores = scale * dot_scores(queries, keys)
    weights = F.softmax(scores.float(), dim=-1).to(values.dtype)
    return context_vectors(weights, values), weights
# %% right="query scaled first, einsum" of="the plain way"
#~ scale * (queries @ keys.T) => torch.einsum("...id,...jd->...ij", queries * scale, keys)
#~ context_vectors(weights, values), weights => [torch.einsum("...ij,...jd->...id", weights, values), weights]
# %% right="query by query"
def attention(queries, keys, values, scale=None):
    if scale is None:
        scale = queries.shape[-1] ** -0.5
    rows = []
    for i in range(queries.shape[-2]):
        s = (keys * queries[..., i : i + 1, :]).sum(-1) * scale
        rows.append(torch.exp(s - torch.logsumexp(s, -1, keepdim=True)))
    weights = torch.stack(rows, dim=-2)
    return torch.matmul(weights, values), weights
# %% right="scaled scores where it fits"
def attention(queries, keys, values, scale=None):
    scores = scaled_scores(queries, keys) if scale is None else dot_scores(queries, keys).mul(scale)
    weights = torch.softmax(scores, dim=-1)
    output = F.scaled_dot_product_attention(queries, keys, values, scale=scale)
    return output, weights
# %% wrong="scaled after the softmax" says="before the softmax"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    w = torch.softmax(queries @ keys.mT, -1) * scale
    return w @ values, w
# %% wrong="queries and keys both scaled" says="applied twice" of="scaled after the softmax"
#~ (queries @ keys.mT, -1) * scale => ((scale * queries) @ (scale * keys).mT, -1)
# %% wrong="d from axis 1" says="count from the end" of="scaled after the softmax"
#~ [-1] => [1]
#~ (queries @ keys.mT, -1) * scale => (scale * queries @ keys.mT, -1)
# %% wrong="negative scales refused" says="a negative `scale`" of="scaled after the softmax"
#~ queries.shape[-1] ** -0.5 if scale is None else scale => scale if scale is not None and scale >= 0 else queries.shape[-1] ** -0.5
#~ (queries @ keys.mT, -1) * scale => (scale * queries @ keys.mT, -1)
# %% wrong="the root of the root" says="d_k ** 0.25" of="scaled after the softmax"
#~ 5 => 25
#~ (queries @ keys.mT, -1) * scale => (scale * queries @ keys.mT, -1)
# %% right="torch's own for the output"
def attention(queries, keys, values, scale=None):
    factor = 1 / math.sqrt(keys.size(-1)) if scale is None else scale
    return F.scaled_dot_product_attention(queries, keys, values, scale=factor), F.softmax(
        torch.matmul(queries, keys.transpose(-1, -2)) * factor, dim=-1
    )
# %% right="scaled queries, einsum"
def attention(queries, keys, values, scale=None):
    if scale is None:
        scale = torch.tensor(queries.shape[-1]).pow(-0.5)
    s = torch.einsum("...qd,...kd->...qk", queries * scale, keys)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", w, values), w
# %% right="query by query in float64"
def attention(queries, keys, values, scale=None):
    factor = {True: np.sqrt(1 / queries.shape[-1])}.get(scale is None, scale)
    rows = []
    for i in range(queries.shape[-2]):
        s = (queries[..., i : i + 1, :].double() * keys.double()).sum(-1) * factor
        rows.append(torch.softmax(s, -1))
    w = torch.stack(rows, -2).to(queries.dtype)
    return [(w @ values), w]
# %% wrong="scale applied to the output" says="the output was multiplied" of="scaled after the softmax"
#~ (queries @ keys.mT, -1) * scale => (queries @ keys.mT, -1)
#~ w @ values => scale * (w @ values)
# %% wrong="weights transposed come back" says="came back transposed" of="scaled after the softmax"
#~ (queries @ keys.mT, -1) * scale => (scale * queries @ keys.mT, -1)
#~ , w => , w.mT
# %% wrong="weights without a gradient" says="the gradient is cut"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    weights = torch.softmax(scale * queries @ keys.mT, -1).detach()
    return weights @ values, weights
# %% wrong="always float32" says="the dtype changed"
def attention(queries, keys, values, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    weights = torch.softmax((scale * queries @ keys.mT).float(), -1)
    return weights @ values.float(), weights
# %% wrong="weights detached" says="gradients"
def attention(queries, keys, values, scale=None):
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    weights = softmax(scale * dot_scores(queries, keys))
    return (context_vectors(weights, values), weights.detach())
# %% right="queries scaled again"
def attention(queries, keys, values, scale=None):
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    weights = softmax(dot_scores(scale * queries, keys))
    return (context_vectors(weights, values), weights)
# %% wrong="softmax over axis 1" says="runs over axis 1"
def attention(queries, keys, values, scale=None):
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    weights = softmax(dot_scores(queries, keys) * scale, dim=1)
    return context_vectors(weights, values), weights
# %% wrong="softmax over axis 0" says="over the queries" of="softmax over axis 1"
#~ dim=1 => dim=0
# %% wrong="weights returned detached" says="stops at the weights that come back"
#~ values), weights => values), weights.detach()
# %% wrong="weights detached for the output" says="on their way to the output"
#~ (weights, values) => (weights.detach(), values)
# %% wrong="0 taken for None" clause="any number stands for itself, even 0 or less" says="ask `scale is None`"
#~ 1 / math.sqrt(queries.shape[-1]) if scale is None else scale => scale or 1 / math.sqrt(queries.shape[-1])
# %% wrong="the sign of the scale lost" clause="any number stands for itself, even 0 or less" says="lost its sign"
#~ softmax(scale * => softmax(abs(scale) *
# %% wrong="exponentials as they are" clause="The root is there for learning, not for numerical stability" says="large scores overflow"
#~     weights = softmax(scale * dot_scores(queries, keys)) =>     weights = (scale * dot_scores(queries, keys)).exp(); weights = weights / weights.sum(-1, keepdim=True)
# %% wrong="values cut from the gradient" clause="the dtype is kept, gradients flow" says="no detach, item, data or NumPy"
#~ context_vectors(weights, values), weights => context_vectors(weights, values.detach()), weights
