# %% wrong="nothing left out" says="were not left out"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    return info_nce(queries, keys, temperature)

# %% wrong="set to zero" says="exp(0) is 1"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    scores = cosine_similarities(queries, keys) / temperature
    alike = (groups[:, None] == groups[None]) & ~torch.eye(len(groups), dtype=torch.bool)
    return F.cross_entropy(scores.masked_fill(alike, 0), torch.arange(len(scores)))

# %% wrong="positives of the group" says="became positives, too"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    scores = cosine_similarities(queries, keys) / temperature
    same = groups[:, None] == groups[None]
    return (scores.logsumexp(1) - scores.masked_fill(~same, -torch.inf).logsumexp(1)).mean()

# %% wrong="its own key, too" says="own key was left out"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    scores = cosine_similarities(queries, keys) / temperature
    return F.cross_entropy(scores.masked_fill(groups[:, None] == groups[None], -torch.inf), torch.arange(len(scores)))

# %% right="at -1e9"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    scores = cosine_similarities(queries, keys).double() / temperature
    alike = (groups[:, None] == groups[None]).double() - torch.eye(len(groups))
    return F.cross_entropy(scores - 1e9 * alike, torch.arange(len(scores)))

# %% right="query by query"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    total = 0.0
    scores = cosine_similarities(queries, keys) / temperature
    for i, row in enumerate(scores):
        rivals = [j for j in range(len(row)) if j == i or groups[j] != groups[i]]
        total = total + row[rivals].logsumexp(0) - row[i]
    return total / len(scores)
