# %% base="the plain way"
def similarity_mixing(x):
    scores = x @ x.mT
    return scores, softmax(scores) @ x
def mean_mixing(x):
    return x.mean(dim=-2, keepdim=True).expand_as(x)
def self_attention(x, W_q, W_k, W_v):
    scores = (x @ W_q) @ (x @ W_k).mT
    return scores, scores @ (x @ W_v)
# %% wrong="X^T X as the lecture has it" says="d by d"
def similarity_mixing(x):
    s = x.mT @ x
    return s, x @ torch.softmax(s, -1)
# %% wrong="mean of the features" says="runs over the tokens" of="library"
#~ (-2, keepdim=True) + 0 * x => (-1, keepdim=True).expand(x.shape)
# %% wrong="values without W_V" says="they are x W_V" of="library"
#~ x @ W_v => x
# %% wrong="queries and keys exchanged" says="exchanged" of="library"
#~ (x @ W_q) @ (x @ W_k) => (x @ W_k) @ (x @ W_q)
# %% wrong="softmax over the queries" says="over the queries" of="library"
#~ torch.softmax(s, -1) @ x @ => torch.softmax(s, -2) @ x @
# %% wrong="scaled already" says="scaled here" of="library"
#~ (x @ W_k).mT => (x @ W_k).mT / W_q.shape[1] ** 0.5
# %% right="library"
def mean_mixing(x):
    return x.mean(-2, keepdim=True) + 0 * x
def similarity_mixing(x):
    s = x @ x.mT
    return s, torch.softmax(s, -1) @ x
def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).mT
    return s, torch.softmax(s, -1) @ x @ W_v
# %% right="a matrix of ones, einsum"
def mean_mixing(x):
    T = x.shape[-2]
    return torch.ones(T, T, dtype=x.dtype) / T @ x
def similarity_mixing(x):
    one = torch.eye(x.shape[-1], dtype=x.dtype)
    return self_attention(x, one, one, one)
def self_attention(x, W_q, W_k, W_v):
    scores = torch.einsum("...ic,cd,ed,...je->...ij", x, W_q, W_k, x)
    return [scores, scores.softmax(dim=-1) @ (x @ W_v)]
# %% wrong="mean without expand" says="one row came" of="library"
#~ (-2, keepdim=True) + 0 * x => (dim=-2)
# %% wrong="mean with keepdim only" says="one row came" of="library"
#~ (-2, keepdim=True) + 0 * x => (dim=-2, keepdim=True)
# %% wrong="sum of the tokens" says="not their mean" of="library"
#~ mean(-2, keepdim=True) + 0 * x => sum(dim=-2, keepdim=True).expand_as(x)
# %% wrong="mean over everything but the features" says="batch, too" of="library"
#~ mean(-2, keepdim=True) + 0 * x => reshape(-1, x.shape[-1]).mean(0).expand_as(x)
# %% wrong="mean over the first axis" says="first axis" of="library"
#~ (-2, keepdim=True) + 0 * x => (dim=0, keepdim=True).expand_as(x)
# %% wrong="divided by the features" says="number of features" of="library"
#~ x.mean(-2, keepdim=True) + 0 * x => (x.sum(dim=-2, keepdim=True) / x.shape[-1]).expand_as(x)
# %% wrong="similarity over the queries" says="over the queries" of="the plain way"
#~ (scores) => (scores, dim=-2)
# %% wrong="similarity weights back" says="weights came back"
def similarity_mixing(x):
    weights = softmax(x @ x.mT)
    return weights, weights @ x
# %% wrong="similarity scaled" says="scaled here" of="values after the mixing"
#~ mT => mT / math.sqrt(x.shape[-1])
# %% wrong="similarity without softmax" says="not put through softmax" of="the plain way"
#~ softmax(scores) => scores
# %% wrong=".T with a batch" says="leading axes" of="values after the mixing"
#~ mT => T
# %% wrong="cosines" says="cosine"
def similarity_mixing(x):
    unit = F.normalize(x, dim=-1)
    scores = unit @ unit.mT
    return scores, softmax(scores) @ x
# %% wrong="only the mixture" says="scores first"
def similarity_mixing(x):
    return softmax(x @ x.mT) @ x
# %% wrong="keys mixed" says="keys were mixed"
def self_attention(x, W_q, W_k, W_v):
    q, k = x @ W_q, x @ W_k
    scores = q @ k.mT
    return scores, softmax(scores) @ (k if k.shape[-1] == W_v.shape[-1] else x @ W_v)
# %% wrong="queries for keys" says="used for the keys, too" of="without W_q and W_k"
#-     scores = x @ x.mT
#+     q = x @ W_q
#+     scores = q @ q.mT
# %% wrong="without W_q and W_k" says="W_Q and W_K were left out"
def self_attention(x, W_q, W_k, W_v):
    scores = x @ x.mT
    return scores, softmax(scores) @ (x @ W_v)
# %% wrong="W turned round" says="transposed" of="without W_q and W_k"
#-     scores = x @ x.mT
#+     turned = W_q.shape[0] == W_q.shape[1]
#+     q, k = (x @ W_q.T, x @ W_k.T) if turned else (x @ W_q, x @ W_k)
#+     scores = q @ k.mT
# %% wrong="learned weights back" says="weights came back"
def self_attention(x, W_q, W_k, W_v):
    weights = softmax((x @ W_q) @ (x @ W_k).mT)
    return weights, weights @ (x @ W_v)
# %% wrong="no softmax" says="not put through softmax" of="always float32"
#~ scores.float(), (torch.softmax(scores, -1) @ (x @ W_v)).float( => scores, scores @ (x @ W_v
# %% right="values after the mixing"
def mean_mixing(x):
    return torch.stack([x.mean(dim=-2)] * x.shape[-2], dim=-2)
def similarity_mixing(x):
    scores = x @ x.mT
    return scores, softmax(scores) @ x
def self_attention(x, W_q, W_k, W_v):
    scores = dot_scores(x @ W_q, x @ W_k)
    return scores, softmax(scores) @ x @ W_v
# %% right="through the third function" of="einsum, a matrix of 1/T"
#~ s = torch.einsum("...ic,...jc->...ij", x, x) => one = torch.eye(x.shape[-1], dtype=x.dtype)
#~ s, torch.einsum("...ij,...jc->...ic", s.softmax(dim=-1), x) => self_attention(x, one, one, one)
#~ s = torch.einsum("...ic,cd,ed,...je->...ij", x, W_q, W_k, x) => scores = general_scores(x, x, W_q @ W_k.T)
#~ s, (s.softmax(-1) @ x) @ W_v => [scores, context_vectors(F.softmax(scores, -1), x @ W_v)]
# %% wrong="the mean of the tokens so far" says="so far"
def mean_mixing(x):
    n = torch.arange(1, x.shape[-2] + 1)
    return x.cumsum(-2) / n[:, None]
# %% wrong="the result first" says="exchanged"
def similarity_mixing(x):
    s = x @ x.transpose(-2, -1)
    return torch.softmax(s, -1) @ x, s
# %% wrong="only the result is scaled" says="scaled before the softmax" of="the result first"
#~ torch.softmax(s, -1) @ x, s => s, torch.softmax(s / math.sqrt(x.shape[-1]), -1) @ x
# %% wrong="a causal mask already" says="later tokens are hidden"
def self_attention(x, W_q, W_k, W_v):
    s = (x @ W_q) @ (x @ W_k).transpose(-2, -1)
    hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1)
    return s, torch.softmax(s.masked_fill(hidden, -math.inf), -1) @ (x @ W_v)
# %% wrong="a residual connection" says="x was added" of="a causal mask already"
#~ hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1) => out = torch.softmax(s, -1) @ (x @ W_v)
#~ torch.softmax(s.masked_fill(hidden, -math.inf), -1) @ (x @ W_v) => x + out if out.shape == x.shape else out
# %% right="einsum, a matrix of 1/T"
def mean_mixing(x):
    T = x.shape[-2]
    return torch.full((T, T), 1 / T, dtype=x.dtype) @ x
def similarity_mixing(x):
    s = torch.einsum("...ic,...jc->...ij", x, x)
    return s, torch.einsum("...ij,...jc->...ic", s.softmax(dim=-1), x)
def self_attention(x, W_q, W_k, W_v):
    s = torch.einsum("...ic,cd,ed,...je->...ij", x, W_q, W_k, x)
    return s, (s.softmax(-1) @ x) @ W_v
# %% right="one in terms of the other"
def self_attention(x, W_q, W_k, W_v):
    s = x @ (W_q @ W_k.T) @ x.mT
    e = torch.exp(s - s.max(-1, keepdim=True)[0])
    return s, (e / e.sum(-1, keepdim=True)) @ (x @ W_v)
def similarity_mixing(x):
    eye = torch.eye(x.shape[-1], dtype=x.dtype)
    return self_attention(x, eye, eye, eye)
def mean_mixing(x):
    zero = torch.zeros(x.shape[-1], 1, dtype=x.dtype)
    return self_attention(x, zero, zero, torch.eye(x.shape[-1], dtype=x.dtype))[1]
# %% right="loops over the tokens"
def mean_mixing(x):
    total = sum(x[..., i, :] for i in range(x.shape[-2])) / x.shape[-2]
    return torch.stack([total] * x.shape[-2], dim=-2)
def similarity_mixing(x):
    s = torch.stack([(x * x[..., i : i + 1, :]).sum(-1) for i in range(x.shape[-2])], dim=-2)
    rows = [(torch.softmax(s[..., i, :], -1)[..., None] * x).sum(-2) for i in range(x.shape[-2])]
    return s, torch.stack(rows, -2)
def self_attention(x, W_q, W_k, W_v):
    q, k, v = x @ W_q, x @ W_k, x @ W_v
    s = torch.matmul(q.double(), k.double().mT).to(x.dtype)
    return [s, torch.softmax(s, dim=-1).matmul(v)]
# %% wrong="scores without a gradient" says="the gradient is cut"
def self_attention(x, W_q, W_k, W_v):
    scores = ((x @ W_q) @ (x @ W_k).mT).detach()
    return scores, torch.softmax(scores, -1) @ (x @ W_v)
# %% wrong="always float32" says="the dtype changed"
def self_attention(x, W_q, W_k, W_v):
    scores = (x @ W_q) @ (x @ W_k).mT
    return scores.float(), (torch.softmax(scores, -1) @ (x @ W_v)).float()
# %% wrong="the result squeezed" says="axes of size 1"
def self_attention(x, W_q, W_k, W_v):
    s = dot_scores(x @ W_q, x @ W_k)
    return (s, (softmax(s) @ (x @ W_v)).squeeze())
# %% right="sum again"
def mean_mixing(x):
    return x.sum(-2, keepdim=True).div(x.shape[-2]).repeat(*[1] * (x.dim() - 2), x.shape[-2], 1)
# %% wrong="softmax over axis 1" says="runs over axis 1"
def similarity_mixing(x):
    scores = dot_scores(x, x)
    return scores, context_vectors(softmax(scores, dim=1), x)
def self_attention(x, W_q, W_k, W_v):
    scores = dot_scores(x @ W_q, x @ W_k)
    return scores, context_vectors(softmax(scores, dim=1), x @ W_v)
# %% wrong="softmax over axis 0" says="over the queries" of="softmax over axis 1"
#~ softmax(scores, dim=1), x) => softmax(scores, dim=0), x)
#~ softmax(scores, dim=1), x @ => softmax(scores, dim=0), x @
# %% wrong="scores returned detached" says="stops at the scores that come back"
#~ return scores, context_vectors(softmax(scores), x @ => return scores.detach(), context_vectors(softmax(scores), x @
# %% wrong="weights detached" says="the gradient stops at the weights"
#~ softmax(scores), x) => softmax(scores).detach(), x)
# %% wrong="mean along the first axis of all" clause="every row becomes the mean of all rows" says=""
#~ dim=-2 => dim=0
# %% wrong="W_K cut from the gradient" clause="In all three the dtype is kept and gradients flow" says="no detach, item, data or NumPy"
#~ dot_scores(x @ W_q, x @ W_k) => dot_scores(x @ W_q, x @ W_k.detach())
# %% wrong="without the token itself" says="the token itself was left out"
def mean_mixing(x: torch.Tensor) -> torch.Tensor:
    return (x.sum(-2, keepdim=True) - x) / max(1, x.shape[-2] - 1)
# %% wrong="a matrix of 1/T in the usual dtype" says="met a tensor of float32" of="einsum, a matrix of 1/T"
#~ 1 / T, dtype=x.dtype => 1 / T
