# %% wrong="no normalisation" says="not brought to length 1"
def info_nce(queries, keys, temperature=0.05):
    return F.cross_entropy(queries @ keys.T / temperature, torch.arange(len(queries)))

# %% wrong="temperature multiplied" says="not multiplied by it"
def info_nce(queries, keys, temperature=0.05):
    return F.cross_entropy(cosine_similarities(queries, keys) * temperature, torch.arange(len(queries)))

# %% wrong="both directions" says="both directions were averaged"
def info_nce(queries, keys, temperature=0.05):
    scores = cosine_similarities(queries, keys[: len(queries)]) / temperature
    right = torch.arange(len(queries))
    return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2

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
