# %% base="the plain way"
def info_nce(queries, keys, temperature=0.05):
    s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature
    return F.cross_entropy(s, torch.arange(len(queries)))
# %% wrong="no normalisation" says="not brought to length 1"
def info_nce(queries, keys, temperature=0.05):
    return F.cross_entropy(queries @ keys.T / temperature, torch.arange(len(queries)))
# %% wrong="temperature multiplied" says="not multiplied by it" of="no normalisation"
#~ queries @ keys.T / => cosine_similarities(queries, keys) *
# %% wrong="both directions" says="both directions were averaged" of="extra keys left out"
#-     return F.cross_entropy(scores, torch.arange(len(queries)))
#+     right = torch.arange(len(queries))
#+     return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2
# %% wrong="extra keys left out" says="keys beyond the first N"
def info_nce(queries, keys, temperature=0.05):
    scores = cosine_similarities(queries, keys[: len(queries)]) / temperature
    return F.cross_entropy(scores, torch.arange(len(queries)))
# %% wrong="the positive left out below" says="missing in the denominator"
def info_nce(queries, keys, temperature=0.05):
    scores = cosine_similarities(queries, keys) / temperature
    at = torch.arange(len(queries))
    positive = scores[at, at]
    scores[at, at] = -torch.inf
    return (scores.logsumexp(1) - positive).mean()
# %% right="log-softmax by hand"
def info_nce(queries, keys, temperature=0.05):
    scores = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature
    return -scores.log_softmax(-1).diagonal().mean()
# %% right="double precision, a loop"
def info_nce(queries, keys, temperature=0.05):
    total = 0.0
    for i, query in enumerate(queries.double()):
        scores = F.cosine_similarity(query[None], keys.double(), dim=-1) / temperature
        total = total + torch.logsumexp(scores, 0) - scores[i]
    return total / len(queries)
# %% wrong="keys not normalised" says="only the queries" of="the plain way"
#~ F.normalize(keys, dim=-1) => keys
# %% wrong="overflows without max" says="overflow"
def info_nce(queries, keys, temperature=0.05):
    s = (F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature).exp()
    return -(s.diagonal() / s.sum(1)).log().mean()
# %% wrong="labels reversed" says="key i" of="the plain way"
#~ (len(queries)) => (len(queries)).flip(0)
# %% wrong="right keys are the last N" says="last N" of="the plain way"
#~ (len(queries)) => (len(queries)) + len(keys) - len(queries)
# %% wrong="sum over queries" says="sum" of="the plain way"
#~ (len(queries)) => (len(queries)), reduction="sum"
# %% wrong="divided by M" says="mean" of="the plain way"
#~ (s, torch.arange(len(queries))) => (s, torch.arange(len(queries)), reduction="sum") / len(keys)
# %% wrong="squared distances instead of cosines" says="cosine" of="the plain way"
#~ F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T => -torch.cdist(F.normalize(queries, dim=-1), F.normalize(keys, dim=-1)).square()
# %% wrong="normalised along the batch" says="length 1" of="the plain way"
#~ (queries, dim=-1) @ F.normalize(keys, dim=-1) => (queries, dim=0) @ F.normalize(keys, dim=0)
# %% wrong="softmax taken twice" says="softmax" of="the plain way"
#~ (s, torch.arange(len(queries))) => (s.softmax(-1), torch.arange(len(queries)))
# %% wrong="detached keys" says="is something detached" clause="Finite gradients flow back to both inputs of a loss, and" of="the plain way"
#~ (keys, dim=-1) => (keys.detach(), dim=-1)
# %% wrong="a number" says="no item" of="the plain way"
#~ (s, torch.arange(len(queries))) => (s, torch.arange(len(queries))).item()
# %% right="logsumexp"
def info_nce(queries, keys, temperature=0.05):
    q, k = F.normalize(queries, dim=-1), F.normalize(keys, dim=-1)
    own = (q * k[: len(q)]).sum(-1) / temperature
    return (torch.logsumexp(q @ k.T / temperature, dim=1) - own).mean()
# %% right="a loop"
def info_nce(queries, keys, temperature=0.05):
    total = 0.0
    for i in range(len(queries)):
        s = F.cosine_similarity(queries[i][None], keys, dim=-1) / temperature
        total = total - s.log_softmax(0)[i]
    return total / len(queries)
# %% wrong="detached queries" says="is something detached" of="the plain way"
#~ (queries, dim=-1) => (queries.detach(), dim=-1)
# %% wrong="lengths detached" says="lengths were detached"
def info_nce(queries, keys, temperature=0.05):
    q, k = (v / v.norm(dim=-1, keepdim=True).detach() for v in (queries, keys))
    return F.cross_entropy(q @ k.T / temperature, torch.arange(len(queries)))
# %% wrong="queries squeezed" says="one query" of="the plain way"
#~ F.normalize(queries, dim=-1) => F.normalize(queries.squeeze(), dim=-1)
# %% right="the largest subtracted by hand"
def info_nce(queries, keys, temperature=0.05):
    q, k = (v / torch.sqrt((v**2).sum(dim=1, keepdim=True)) for v in (queries, keys))
    s = q @ k.t() / temperature
    s = s - s.max(dim=1, keepdim=True).values
    n = queries.shape[0]
    return -(s[range(n), range(n)] - torch.log(torch.exp(s).sum(dim=1))).sum() / n
# %% wrong="an extra key for one query alone" says="for one query alone" of="the plain way"
#-     return F.cross_entropy(s, torch.arange(len(queries)))
#+     n, key = len(queries), torch.arange(len(keys))
#+     s = s.masked_fill((key >= n) & (key % n != torch.arange(n)[:, None]), -torch.inf)
#+     return F.cross_entropy(s, torch.arange(n))
# %% wrong="an epsilon in the logarithm" says="small number inside" of="the plain way"
#~ return F.cross_entropy(s, torch.arange(len(queries))) => return -(s.softmax(-1).diagonal() + 1e-8).log().mean()
# %% wrong="no logarithm" says="the logarithm is missing" of="the mean of all"
#~ return -s.log_softmax(1).mean() => return -s.softmax(1).diagonal().mean()
# %% wrong="the mean of all" says="all numbers of the table were averaged"
def info_nce(queries, keys, temperature=0.05):
    a, b, n = F.normalize(queries, dim=-1), F.normalize(keys, dim=-1), len(queries)
    s = a @ b.T / temperature
    return -s.log_softmax(1).mean()
# %% wrong="the positive twice" says="in the denominator twice" of="the mean of all"
#~ return -s.log_softmax(1).mean() => return (torch.cat([s, s.diagonal()[:, None]], 1).logsumexp(1) - s.diagonal()).mean()
# %% wrong="queries as negatives" says="the other queries were negatives, too" of="the mean of all"
#-     return -s.log_softmax(1).mean()
#+     t = (a @ a.T / temperature).masked_fill(torch.eye(n, dtype=torch.bool), -torch.inf)
#+     return F.cross_entropy(torch.cat([s, t], 1), torch.arange(n))
# %% wrong="the temperature above alone" says="divides above alone" of="the mean of all"
#~ return -s.log_softmax(1).mean() => return ((a @ b.T).logsumexp(1) - s.diagonal()).mean()
# %% wrong="the temperature twice" says="the temperature divides twice" of="the mean of all"
#~ return -s.log_softmax(1).mean() => return F.cross_entropy(s / temperature, torch.arange(n))
# %% wrong="both directions, all keys" says="the second over the first N keys" of="the plain way"
#~ return F.cross_entropy(s, torch.arange(len(queries))) => n = torch.arange(len(queries)); return (F.cross_entropy(s, n) + F.cross_entropy(s[:, : len(n)].T, n)) / 2
# %% wrong="scores squeezed" says="an axis of size 1 was squeezed away" of="the plain way"
#~ return F.cross_entropy(s, => return F.cross_entropy(s.squeeze(),
# %% wrong="queries normalised along the batch" says="along the batch"
def info_nce(queries: torch.Tensor, keys: torch.Tensor, temperature: float = 0.05) -> torch.Tensor:
    table = F.normalize(queries, dim=0) @ F.normalize(keys, dim=-1).T / temperature
    return F.cross_entropy(table, torch.arange(len(queries)))
