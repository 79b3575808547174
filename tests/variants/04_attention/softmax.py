# %% base="the plain way"
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.max(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)
def context_vectors(weights, values):
    return (weights.unsqueeze(-1) * values.unsqueeze(-3)).mean(-2)
# %% wrong="no maximum" says="large scores overflow"
def softmax(scores, dim=-1):
    e = torch.exp(scores)
    return e / e.sum(dim, keepdim=True)
# %% wrong="one maximum" says="needs its own" of="the plain way"
#~ torch.exp(scores - scores.max(dim=dim, keepdim=True)) => (scores - scores.max()).exp()
# %% wrong="dim ignored" says="`dim` was ignored"
def softmax(scores, dim=-1):
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / e.sum(dim=-1, keepdim=True)
# %% wrong="sum without keepdim" says="keepdim"
def softmax(scores, dim=-1):
    e = (scores - scores.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim=dim)
# %% wrong="in place" says="in place"
def softmax(scores, dim=-1):
    scores -= scores.amax(dim, keepdim=True)
    e = scores.exp()
    return e / e.sum(dim=dim, keepdim=True)
# %% wrong="the mean of the values" says="this is a mean" of="log-sum-exp"
#~ torch.einsum("...qk,...kd->...qd", weights, values) => (weights.unsqueeze(-1) * values.unsqueeze(-3)).mean(-2)
# %% wrong="torch" clause="without torch's own softmax." says="torch's softmax"
def softmax(scores, dim=-1):
    return torch.softmax(scores, dim)
# %% right="logsumexp and a loop" of="float64 inside, dtype kept"
#-     s = scores.to(torch.float64)
#-     e = (s - s.max(dim, keepdim=True)[0]).exp()
#-     return e.div(e.sum(dim, keepdim=True)).to(scores.dtype)
#+     return torch.exp(scores - torch.logsumexp(scores, dim, keepdim=True))
#~ torch.zeros(*torch.broadcast_shapes(weights.shape[:-2], values.shape[:-2]), weights.shape[-2], values.shape[-1], dtype=values.dtype) => 0
# %% wrong="maximum without keepdim" says="keepdim" of="no maximum"
#~ torch.exp(scores) => (scores - scores.max(dim).values).exp()
# %% wrong="smallest subtracted" says="subtracted, the smallest" of="the plain way"
#~ .max => .amin
# %% wrong="mean subtracted" says="subtracted, the mean" of="the plain way"
#~ .max => .mean
# %% wrong="scores cut off" says="cut off" of="the plain way"
#~ scores - scores.max(dim=dim, keepdim=True) => scores.clamp(-80, 80)
# %% wrong="NaN to zero" says="NaN was replaced" of="no maximum"
#~ e / e.sum(dim, keepdim=True) => torch.nan_to_num(e / e.sum(dim=dim, keepdim=True))
# %% wrong="sum of everything" says="of all slices together"
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.max())
    return e / e.sum()
# %% wrong="divided by the largest" says="divide by their sum"
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.amax(dim=dim, keepdim=True))
    return e / e.amax(dim=dim, keepdim=True)
# %% wrong="logarithm" says="logarithm of the weights"
def softmax(scores, dim=-1):
    shifted = scores - scores.amax(dim=dim, keepdim=True)
    return shifted - torch.log(torch.exp(shifted).sum(dim=dim, keepdim=True))
# %% wrong="always 32 bits" says="the dtype is kept" of="in place"
#~ -= scores.amax(dim, keepdim=True) => = scores.float()
#~ scores.exp() => torch.exp(scores - scores.amax(dim=dim, keepdim=True))
# %% wrong="max gives two things" says="return_types.max"
def softmax(scores, dim=-1):
    e = torch.exp(scores - scores.max(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)
# %% wrong="a small number below" says="a small number, 0.001, was added" of="divided by the largest"
#~ e.amax(dim=dim, keepdim=True) => (e.sum(dim=dim, keepdim=True) + 1e-3)
# %% wrong="linear" says="take exp first" of="torch"
#~ torch.softmax(scores, dim) => scores / scores.sum(dim=dim, keepdim=True)
# %% wrong="context transposed" says="weights are transposed" of="log-sum-exp"
#~ torch.einsum("...qk,...kd->...qd", weights, values) => weights.transpose(-2, -1) @ values if weights.shape[-1] == weights.shape[-2] else weights @ values
# %% wrong="context by entries" says="use @" of="log-sum-exp"
#~ torch.einsum("...qk,...kd->...qd", weights, values) => weights * values
# %% wrong="context by the best" says="only the value with the largest weight"
def context_vectors(weights, values):
    best = weights.argmax(dim=-1)
    return torch.take_along_dim(values, best.unsqueeze(-1), dim=-2)
# %% wrong="context with a softmax inside" says="once more" of="log-sum-exp"
#~ torch.einsum("...qk,...kd->...qd", weights, values) => softmax(weights) @ values
# %% right="log-sum-exp"
def softmax(scores, dim=-1):
    return (scores - torch.logsumexp(scores, dim=dim, keepdim=True)).exp()
def context_vectors(weights, values):
    return torch.einsum("...qk,...kd->...qd", weights, values)
# %% right="last axis by moving" of="log-sum-exp"
#-     return (scores - torch.logsumexp(scores, dim=dim, keepdim=True)).exp()
#+     moved = scores.movedim(dim, 0)
#+     top = moved.max(0)[0]
#+     e = torch.exp(moved - top)
#+     return (e / sum(e)).movedim(0, dim)
#~ return torch.einsum("...qk,...kd->...qd", weights, values) => return sum(weights[..., j : j + 1] * values[..., j : j + 1, :] for j in range(values.shape[-2]))
# %% right="a harmless small number, one maximum plus a floor" of="the plain way"
#~ scores - scores.max(dim=dim, keepdim=True) => scores.double() - scores.double().amax(dim, True)
#~ e / e.sum(dim=dim, keepdim=True) => (e / (e.sum(dim, True) + 1e-12)).to(scores.dtype)
#~ (weights.unsqueeze(-1) * values.unsqueeze(-3)).mean(-2) => torch.matmul(weights, values)
# %% wrong="the largest size, by abs" says="without its sign" of="the plain way"
#~ .max => .abs().amax
# %% wrong="the sum always along the last axis" says="whatever `dim` is" of="dim ignored"
#~ (scores - scores.amax(-1, keepdim=True)).exp() => torch.exp(scores - scores.amax(dim=dim, keepdim=True))
# %% wrong="the sum of everything" says="each slice along `dim` has its own" of="sum of everything"
#~ max() => amax(dim=dim, keepdim=True)
# %% wrong="float32 always" says="another dtype" of="in place"
#~ -= scores.amax(dim, keepdim=True) => = scores.float()
#~ scores.exp() => torch.exp(scores - scores.amax(dim=dim, keepdim=True))
# %% wrong="float64 comes back" says="another dtype" of="in place"
#~ -= scores.amax(dim, keepdim=True) => = scores.double()
#~ scores.exp() => torch.exp(scores - scores.amax(dim=dim, keepdim=True))
# %% wrong="-inf replaced by 0" says="taken for 0" of="in place"
#~ -= scores.amax(dim, keepdim=True) => = scores.masked_fill(scores == -math.inf, 0)
#~ scores.exp() => torch.exp(scores - scores.amax(dim=dim, keepdim=True))
# %% wrong="one context for all queries" says="each query has a context vector" of="log-sum-exp"
#~ torch.einsum("...qk,...kd->...qd", weights, values) => (weights.sum(-2).unsqueeze(-1) * values).sum(-2)
# %% right="through logsumexp"
def softmax(scores, dim=-1):
    return (scores - torch.logsumexp(scores, dim=dim, keepdim=True)).exp()
def context_vectors(weights, values):
    return torch.einsum("...ij,...jd->...id", weights, values)
# %% right="the axis moved to the end, loops for the sum" of="log-sum-exp"
#-     return (scores - torch.logsumexp(scores, dim=dim, keepdim=True)).exp()
#+     s = scores.movedim(dim, -1)
#+     top = s.max(dim=-1).values
#+     e = [(s[..., j] - top).exp() for j in range(s.shape[-1])]
#+     return torch.stack([x / sum(e) for x in e], dim=-1).movedim(-1, dim)
#~ return torch.einsum("...qk,...kd->...qd", weights, values) => return (weights.unsqueeze(-1) * values.unsqueeze(-3)).sum(dim=-2)
# %% right="float64 inside, dtype kept"
def softmax(scores, dim=-1):
    s = scores.to(torch.float64)
    e = (s - s.max(dim, keepdim=True)[0]).exp()
    return e.div(e.sum(dim, keepdim=True)).to(scores.dtype)
def context_vectors(weights, values):
    out = torch.zeros(*torch.broadcast_shapes(weights.shape[:-2], values.shape[:-2]), weights.shape[-2], values.shape[-1], dtype=values.dtype)
    for j in range(values.shape[-2]):
        out = out + weights[..., j, None] * values[..., j, None, :]
    return out
# %% wrong="softmax without a gradient" says="the gradient is cut"
def softmax(scores, dim=-1):
    exps = torch.exp(scores.detach() - scores.detach().amax(dim=dim, keepdim=True))
    return exps / exps.sum(dim=dim, keepdim=True)
# %% wrong="weights without a gradient" says="the gradient is cut" of="context squeezed"
#~ return (weights @ values).squeeze() => return weights.detach() @ values
# %% wrong="weights floored at 1e-7" says="64 bits" of="divided by the largest"
#~ e / e.amax(dim=dim, keepdim=True => (e / e.sum(dim=dim, keepdim=True)).clamp(min=1e-07
# %% wrong="sum detached" says="the gradient stops at the sum" of="divided by the largest"
#~ e.amax(dim=dim, keepdim=True => e.sum(dim=dim, keepdim=True).detach(
# %% wrong="exponents cut at -30" says="exponents were cut" of="max gives two things"
#~ e = torch.exp(scores - scores.max(dim=dim, keepdim=True)) => e = torch.exp((scores - scores.amax(dim=dim, keepdim=True)).clamp(min=-30))
# %% right="max detached again" of="max gives two things"
#~ scores.max(dim=dim, keepdim=True => scores.amax(dim=dim, keepdim=True).detach(
# %% wrong="context squeezed" says="squeezed away"
def context_vectors(weights, values):
    return (weights @ values).squeeze()
# %% wrong="maximum always along the last axis" says="the maximum runs over the last axis, whatever `dim` is"
#~ scores.amax(dim=dim => scores.amax(dim=-1
# %% wrong="maximum always along the first axis" says="the maximum runs over the first axis, whatever `dim` is"
#~ scores.amax(dim=dim => scores.amax(dim=0
# %% wrong="the sum always along the first axis" says="the sum runs over the first axis, whatever `dim` is"
#~ exps.sum(dim=dim => exps.sum(dim=0
# %% wrong="context divided by the sum of the weights" says="even where they do not add up to 1"
#~ weights @ values => weights @ values / weights.sum(dim=-1, keepdim=True)
# %% wrong="context divided by the sum of the sizes" says="divided by the sum of the weights' sizes"
#~ weights @ values => weights @ values / weights.abs().sum(dim=-1, keepdim=True)
# %% wrong="context divided by the sum over the queries" says="sum of the weights over the queries"
#~ weights @ values => weights / weights.sum(dim=-2, keepdim=True) @ values
# %% wrong="rows of weights of length 1" says="divided by the length of each row of weights"
#~ weights @ values => F.normalize(weights, dim=-1) @ values
# %% wrong="negative weights cut off" says="weights below 0 were set to 0"
#~ weights @ values => weights.clamp(min=0) @ values
# %% wrong="the maximum of all, where it shows" clause="Each slice needs *its own* maximum" says="needs its own"
#~ scores.amax(dim=dim, keepdim=True) => scores.max()
# %% wrong="minus infinity cut at -20" clause="-inf gets the weight 0" says="here an exponent was cut"
#~ torch.exp(scores - scores.amax(dim=dim, keepdim=True)) => torch.exp((scores - scores.amax(dim=dim, keepdim=True)).clamp(min=-20))
# %% wrong="weights made to add up to 1" clause="any numbers, values" says="they are taken as they are"
#~ return weights @ values => return weights / weights.sum(-1, keepdim=True) @ values
# %% wrong="values cut from the gradient" clause="the dtype is kept, gradients flow" says="no detach, item, data or NumPy"
#~ return weights @ values => return weights @ values.detach()
# %% wrong="torch's softmin" says="this is torch's softmax" clause="without torch's own softmax."
def softmax(scores, dim=-1):
    return F.softmin(-scores, dim)
# %% wrong="nn.Softmax" says="this is torch's softmax" clause="without torch's own softmax."
def softmax(scores, dim=-1):
    return nn.Softmax(dim)(scores)
# %% wrong="a millionth below the fraction" says="a small number, 1e-06, was added"
#~ exps.sum(dim=dim, keepdim=True) => (exps.sum(dim=dim, keepdim=True) + 1e-6)
# %% wrong="divided by the sum of the scores" says="divided by the sum of the scores"
def softmax(scores: torch.Tensor, dim: int = -1) -> torch.Tensor:
    e = torch.exp(scores - scores.amax(dim=dim, keepdim=True))
    return e / scores.sum(dim=dim, keepdim=True)
# %% wrong="the first key alone" says="only the first key's value"
def context_vectors(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return weights[..., :1] * values[..., :1, :]
# %% wrong="summed over the features" says="the sum runs over the features"
def context_vectors(weights, values):
    return (weights[..., None] * values[..., None, :, :]).sum(-1)
# %% wrong="two axes alone" says="with leading axes (batch, heads) it fails" clause="weights (..., T_q, T_k)"
#~ return weights @ values => return torch.mm(weights, values)
