# %% base="the plain way"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T
    drop = (groups[:, None] == groups[None]) & ~torch.eye(len(s), dtype=torch.bool)
    return F.cross_entropy(s.masked_fill(drop, -torch.inf), torch.arange(len(s)))
# %% wrong="nothing left out" says="were not left out"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    return info_nce(queries, keys, temperature)
# %% wrong="set to zero" says="exp(0) is 1"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    scores = cosine_similarities(queries, keys) / temperature
    alike = (groups[:, None] == groups[None]) & ~torch.eye(len(groups), dtype=torch.bool)
    return F.cross_entropy(scores.masked_fill(alike, 0), torch.arange(len(scores)))
# %% wrong="positives of the group" says="became positives, too" of="set to zero"
#~ alike = (groups[:, None] == groups[None]) & ~torch.eye(len(groups), dtype=torch.bool) => same = groups[:, None] == groups[None]
#~ F.cross_entropy(scores.masked_fill(alike, 0), torch.arange(len(scores))) => (scores.logsumexp(1) - scores.masked_fill(~same, -torch.inf).logsumexp(1)).mean()
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
# %% wrong="rows dropped: only the first of a group asks" says="only one query"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    keep = [i for i in range(len(groups)) if groups[i] not in groups[:i]]
    s = F.normalize(queries[keep], dim=-1) @ F.normalize(keys[keep], dim=-1).T / temperature
    return F.cross_entropy(s, torch.arange(len(keep)))
# %% wrong="only later keys of the group" says="earlier ones"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature
    same = (groups[:, None] == groups[None]).triu(1)
    return F.cross_entropy(s.masked_fill(same, -torch.inf), torch.arange(len(s)))
# %% wrong="-1 before the temperature" says="minus infinity" of="the plain way"
#~ (drop, -torch.inf) => (drop, -1.0) / temperature
# %% wrong="target is the group number" says="numbers of the groups" of="the plain way"
#~ T => T / temperature
#~ torch.arange(len(s)) => groups % len(s)
# %% wrong="only neighbours compared" says="same group"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature
    s = s.clone()
    for i in range(len(s) - 1):
        if groups[i] == groups[i + 1]:
            s[i, i + 1] = s[i + 1, i] = -torch.inf
    return F.cross_entropy(s, torch.arange(len(s)))
# %% wrong="averaged over positives of the group" says="targets" of="only later keys of the group"
#~ triu(1) => to(s.dtype)
#~ F.cross_entropy(s.masked_fill(same, -torch.inf), torch.arange(len(s))) => -((s.log_softmax(1) * same).sum(1) / same.sum(1)).mean()
# %% wrong="both directions" says="direction" of="the plain way"
#~ s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T => s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature
#-     return F.cross_entropy(s.masked_fill(drop, -torch.inf), torch.arange(len(s)))
#+     s = s.masked_fill(drop, -torch.inf)
#+     y = torch.arange(len(s))
#+     return (F.cross_entropy(s, y) + F.cross_entropy(s.T, y)) / 2
# %% wrong="fixed temperature" says="temperature" of="the plain way"
#~ T => T / 0.05
# %% wrong="no temperature" says="temperature"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T
    drop = (groups[:, None] == groups[None]) & ~torch.eye(len(s), dtype=torch.bool)
    return F.cross_entropy(s.masked_fill(drop, -torch.inf), torch.arange(len(s)))
# %% right="a loop over queries"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    losses = []
    for i in range(len(queries)):
        kept = [j for j in range(len(keys)) if j == i or groups[j] != groups[i]]
        s = F.cosine_similarity(queries[i][None], keys[kept], dim=-1) / temperature
        losses.append(-s.log_softmax(0)[kept.index(i)])
    return torch.stack(losses).mean()
# %% right="minus 1e9, einsum"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = torch.einsum("ic,jc->ij", F.normalize(queries, dim=1), F.normalize(keys, dim=1)) / temperature
    same = (groups.unsqueeze(1) == groups.unsqueeze(0)).to(s.dtype) - torch.eye(len(s), dtype=s.dtype)
    s = s - 1e9 * same
    return -torch.diag(s - s.logsumexp(1, keepdim=True)).mean()
# %% wrong="detached keys" says="is something detached" of="set to zero"
#~ cosine_similarities(queries, keys) => cosine_similarities(queries, keys.detach())
#~ masked_fill(alike, 0) => masked_fill(alike, -torch.inf)
# %% wrong="groups nearly equal" says="any numbers of groups"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s, g = cosine_similarities(queries, keys) / temperature, groups.float()
    same = torch.isclose(g[:, None], g[None]) & ~torch.eye(len(s), dtype=torch.bool)
    return F.cross_entropy(s.masked_fill(same, -torch.inf), torch.arange(len(s)))
# %% wrong="left out by minus a thousand" says="all alike"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = cosine_similarities(queries, keys) / temperature
    same = (groups[:, None] == groups[None]) & ~torch.eye(len(s), dtype=torch.bool)
    return F.cross_entropy(s.masked_fill(same, -1e3), torch.arange(len(s)))
# %% right="where, minus 1e9"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = F.cosine_similarity(queries[:, None], keys[None], dim=-1) / temperature
    same = groups.unsqueeze(0).eq(groups.unsqueeze(1)).fill_diagonal_(False)
    return -torch.where(same, -1e9, s).log_softmax(1).diag().mean()
# %% wrong="left out for all" says="left out for all queries" of="by the number of groups"
#-     return F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='sum') / len(groups.unique())
#+     later = double.tril().any(1)
#+     return F.cross_entropy(s.masked_fill(later & (own[:, None] != own), -torch.inf), own)
# %% wrong="mean of the groups" says="mean of the groups' means" of="by the number of groups"
#-     return F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='sum') / len(groups.unique())
#+     one = F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='none')
#+     return torch.stack([one[groups == g].mean() for g in groups.unique()]).mean()
# %% wrong="by the number of groups" says="divided by the number of groups"
def masked_info_nce(queries, keys, groups, temperature=0.05):
    s = F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature
    own = torch.arange(len(s))
    double = (groups[:, None] == groups) & (own[:, None] != own)
    return F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='sum') / len(groups.unique())
# %% wrong="cosine -10" says="set to -10" of="by the number of groups"
#~ return F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='sum') / len(groups.unique()) => return F.cross_entropy((s * temperature).masked_fill(double, -10.0) / temperature, own)
# %% wrong="a query without rivals is left out" says="costs 0, and counts" of="by the number of groups"
#-     return F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='sum') / len(groups.unique())
#+     one = F.cross_entropy(s.masked_fill(double, -torch.inf), own, reduction='none')
#+     return one[(groups[:, None] != groups).any(1)].mean()
