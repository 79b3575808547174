# %% base="the plain way"
def cosine_similarities(a, b):
    return (a / a.norm()) @ (b / b.norm()).T
def score_gradient(scores, right, temperature):
    p = (scores / temperature).softmax(-1)
    return (p - F.one_hot(right, scores.shape[1])) / (len(scores) * temperature)
# %% wrong="dot products" says="dot product" of="by autograd and the library"
#~ F.cosine_similarity(a[:, None], b[None], dim=-1) => a @ b.T
# %% wrong="no temperature in front" says="1 / temperature is missing"
def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores / temperature, dim=-1)
    return (chances - F.one_hot(right, scores.shape[1])) / len(scores)
# %% wrong="the sign turned round" says="the sign is turned round" of="no temperature in front"
#~ (chances - F.one_hot(right, scores.shape[1])) / len(scores) => (F.one_hot(right, scores.shape[1]) - chances) / (temperature * len(scores))
# %% wrong="sum over the batch" says="mean over the N queries is missing"
def score_gradient(scores, right, temperature):
    return (torch.softmax(scores / temperature, -1) - F.one_hot(right, scores.shape[1])) / temperature
# %% wrong="zero divided by zero" says="row of zeros" of="by autograd and the library"
#~ F.cosine_similarity(a[:, None], b[None], dim=-1) => (a / a.norm(dim=1, keepdim=True)) @ (b / b.norm(dim=1, keepdim=True)).T
# %% wrong="by autograd and the library" says="compute it by the formula" clause="Compute it by the formula."
def cosine_similarities(a, b):
    return F.cosine_similarity(a[:, None], b[None], dim=-1)
def score_gradient(scores, right, temperature):
    scores = scores.clone().requires_grad_()
    F.cross_entropy(scores / temperature, right).backward()
    return scores.grad
# %% right="in double precision, with loops"
def cosine_similarities(a, b):
    rows = []
    for x in a.double():
        rows.append(torch.stack([x @ y / (x.norm() * y.norm()).clamp(min=1e-12) for y in b.double()]))
    return torch.stack(rows).to(a.dtype)
def score_gradient(scores, right, temperature):
    chances = torch.softmax(scores.double() / temperature, dim=-1)
    chances[torch.arange(len(scores)), right] -= 1
    return chances / temperature / len(scores)
# %% wrong="normalised in place" says="in place" of="lengths detached"
#-     a, b = (v / v.norm(dim=-1, keepdim=True).clamp(min=1e-12).detach() for v in (a, b))
#+     a /= a.norm(dim=1, keepdim=True).clamp_min(1e-12)
#+     b /= b.norm(dim=1, keepdim=True).clamp_min(1e-12)
# %% wrong="whole table's norm" says="one length" of="by autograd and the library"
#~ F.cosine_similarity(a[:, None], b[None], dim=-1) => (a / a.norm()) @ (b / b.norm()).T
# %% wrong="dim=0" says="columns" of="by autograd and the library"
#~ cosine_similarity(a[:, None], b[None], dim=-1) => normalize(a, dim=0) @ F.normalize(b, dim=0).T
# %% wrong="L1 norm" says="absolute values" of="by autograd and the library"
#~ cosine_similarity(a[:, None], b[None], dim=-1) => normalize(a, p=1, dim=1) @ F.normalize(b, p=1, dim=1).T
# %% wrong="pairwise cosine_similarity of equal rows" says="row i only"
def cosine_similarities(a, b):
    n = min(len(a), len(b))
    return F.cosine_similarity(a[:n], b[:n])
# %% wrong="zero at the right candidate, exp overflows" says="overflow"
def score_gradient(scores, right, temperature):
    e = torch.exp(scores / temperature)
    p = e / e.sum(dim=1, keepdim=True)
    return (p - F.one_hot(right, scores.shape[1])) / (len(scores) * temperature)
# %% wrong="divided by M, not by N" says="number of candidates, M" of="the plain way"
#~ (len(scores) * temperature) => (scores.numel() / len(scores) * temperature)
# %% wrong="multiplied by the temperature at the end" says="divide" of="the plain way"
#~ / (len(scores) * temperature) => * temperature / len(scores)
# %% wrong="right is always the diagonal" says="right" of="the plain way"
#~ F.one_hot(right, scores.shape[1]) => torch.eye(*scores.shape)
# %% wrong="softmax over the whole table" says="whole table" of="the plain way"
#~ softmax(-1) => flatten().softmax(0).view_as(scores)
# %% wrong="float64 becomes float32" says="float64" of="the plain way"
#~ (scores / temperature) => (scores.float() / temperature)
# %% wrong="scores divided in place" says="in place"
def score_gradient(scores, right, temperature):
    scores /= temperature
    return (scores.softmax(-1) - F.one_hot(right, scores.shape[1])) / (len(scores) * temperature)
# %% wrong="one_hot without the number of classes" says="number of candidates" of="the plain way"
#~ right, scores.shape[1] => right
# %% wrong="by broadcasting, and autograd" says="compute it by the formula" clause="Compute it by the formula." of="einsum, and a functional gradient"
#~ return torch.einsum("ic,jc->ij", *(v / v.norm(dim=-1, keepdim=True).clamp_min(1e-8) for v in (a, b))) => return F.cosine_similarity(a[:, None], b[None], dim=-1)
#-     return torch.func.grad(lambda s: F.cross_entropy(s / temperature, right))(scores)
#+     s = scores.detach().clone().requires_grad_()
#+     F.cross_entropy(s / temperature, right).backward()
#+     return s.grad
# %% right="clamped lengths, and a loop"
def cosine_similarities(a, b):
    n = a.norm(dim=1)[:, None] * b.norm(dim=1)[None]
    return torch.where(n > 0, a @ b.T / n.clamp_min(1e-12), 0.0)
def score_gradient(scores, right, temperature):
    z = scores / temperature
    e = (z - z.max(1, keepdim=True).values).exp()
    p = e / e.sum(1, keepdim=True)
    for i, r in enumerate(right.tolist()):
        p[i, r] -= 1
    return p / (len(scores) * temperature)
# %% wrong="lengths detached" says="lengths were detached"
def cosine_similarities(a, b):
    a, b = (v / v.norm(dim=-1, keepdim=True).clamp(min=1e-12).detach() for v in (a, b))
    return a @ b.T
# %% wrong="the largest of the whole table subtracted" says="each has its own"
def score_gradient(scores, right, temperature):
    e = ((scores - scores.max()) / temperature).exp()
    return (e / e.sum(-1, keepdim=True) - F.one_hot(right, scores.shape[1])) / (len(scores) * temperature)
# %% wrong="einsum, and a functional gradient" says="compute it by the formula" clause="Compute it by the formula."
def cosine_similarities(a, b):
    return torch.einsum("ic,jc->ij", *(v / v.norm(dim=-1, keepdim=True).clamp_min(1e-8) for v in (a, b)))
def score_gradient(scores, right, temperature):
    return torch.func.grad(lambda s: F.cross_entropy(s / temperature, right))(scores)
# %% wrong="only the one-hot divided" says="only the 1 was divided" of="only p divided"
#~ return p / (n * temperature) - y => return p - y / (n * temperature)
# %% wrong="only p divided" says="only p was divided"
def score_gradient(scores, right, temperature):
    n, m = scores.shape
    p, y = (scores / temperature).softmax(-1), F.one_hot(right, m)
    return p / (n * temperature) - y
# %% wrong="p alone divided by the temperature" says="p alone was divided by the temperature" of="only p divided"
#~ return p / (n * temperature) - y => return (p / temperature - y) / n
# %% wrong="the one-hot alone divided by the temperature" says="the 1 alone was divided by the temperature" of="only p divided"
#~ return p / (n * temperature) - y => return (p - y / temperature) / n
# %% wrong="a whole column less 1" says="a whole column"
def score_gradient(scores, right, temperature):
    p = (scores / temperature).softmax(-1)
    p[:, right] -= 1
    return p / (len(scores) * temperature)
# %% wrong="only the right ones" says="the negatives are pushed, too" of="only p divided"
#~ return p / (n * temperature) - y => return (p - 1) * y / (n * temperature)
# %% wrong="the temperature squared in front" says="stands in front twice" of="only p divided"
#~ return p / (n * temperature) - y => return (p - y) / (n * temperature**2)
# %% wrong="lengths without keepdim" says="lengths of a stand along the columns" of="an epsilon below"
#~ return a @ b.T / (a.norm(dim=1)[:, None] * b.norm(dim=1) + 1e-3) => return a @ b.T / (a.norm(dim=1) * b.norm(dim=1)).clamp(min=1e-12)
# %% wrong="an epsilon below" says="0.001 was added to the lengths"
def cosine_similarities(a, b):
    return a @ b.T / (a.norm(dim=1)[:, None] * b.norm(dim=1) + 1e-3)
# %% wrong="squeezed" says="squeezed away"
#~ return a @ b.T => return (a @ b.T).squeeze()
# %% wrong="a root of squares: NaN in the gradient of a row of zeros" says="the gradient is NaN" clause="Finite gradients flow back to both inputs of a loss, and"
def cosine_similarities(a, b):
    a, b = (torch.where(v.norm(dim=1, keepdim=True) > 0, v / v.square().sum(1, keepdim=True).sqrt(), 0) for v in (a, b))
    return a @ b.T
# %% wrong="lengths below 0.001 count as 0.001" says="the floor under the lengths is far too high"
def cosine_similarities(a, b):
    return F.normalize(a, dim=-1, eps=1e-3) @ F.normalize(b, dim=-1, eps=1e-3).T
# %% right="F.cosine_similarity of all pairs, one_hot by comparison"
def cosine_similarities(a, b):
    return F.cosine_similarity(a[:, None], b[None], dim=-1)
def score_gradient(scores, right, temperature):
    chosen = torch.arange(scores.shape[1])[None] == right[:, None]
    return ((scores / temperature).softmax(-1) - chosen.to(scores.dtype)) / temperature / len(scores)
# %% wrong="the columns of a alone" says="of the first argument" of="by autograd and the library"
#~ F.cosine_similarity(a[:, None], b[None], dim=-1) => F.normalize(a, dim=0) @ F.normalize(b, dim=-1).T
# %% wrong="a small number added to each length" says="was added to each length" of="by autograd and the library"
#~ F.cosine_similarity(a[:, None], b[None], dim=-1) => (a / (a.norm(dim=1, keepdim=True) + 1e-3)) @ (b / (b.norm(dim=1, keepdim=True) + 1e-3)).T
# %% wrong="the forward mode of torch.func" says="compute it by the formula" clause="at `right` (N,), by the formula."
def score_gradient(scores, right, temperature):
    return torch.func.jacfwd(lambda s: F.cross_entropy(s / temperature, right))(scores)
