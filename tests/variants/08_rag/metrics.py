# %% wrong="precision, not recall" says="precision"
def recall_at(ranked, relevant, k):
    return len(set(ranked[:k]) & set(relevant)) / k

def reciprocal_rank(ranked, relevant):
    return next((1 / (i + 1) for i, name in enumerate(ranked) if name in relevant), 0.0)

def ndcg_at(ranked, gains, k):
    dcg = lambda v: sum(g / math.log2(i + 2) for i, g in enumerate(v[:k]))
    return dcg([gains.get(n, 0) for n in ranked]) / dcg(sorted(gains.values(), reverse=True))

# %% wrong="the last relevant one" says="first relevant document"
def recall_at(ranked, relevant, k):
    return sum(name in ranked[:k] for name in relevant) / len(relevant)

def reciprocal_rank(ranked, relevant):
    return max([0.0] + [1 / (i + 1) for i, name in enumerate(ranked[::-1]) if name in relevant]) and next(
        (1 / (len(ranked) - i) for i, name in enumerate(ranked[::-1]) if name in relevant), 0.0)

def ndcg_at(ranked, gains, k):
    dcg = lambda v: sum(g / math.log2(i + 2) for i, g in enumerate(v[:k]))
    return dcg([gains.get(n, 0) for n in ranked]) / dcg(sorted(gains.values(), reverse=True))

# %% wrong="ideal of the found ones" says="all gains that there are"
def recall_at(ranked, relevant, k):
    return sum(name in ranked[:k] for name in relevant) / len(relevant)

def reciprocal_rank(ranked, relevant):
    return next((1 / (i + 1) for i, name in enumerate(ranked) if name in relevant), 0.0)

def ndcg_at(ranked, gains, k):
    dcg = lambda v: sum(g / math.log2(i + 2) for i, g in enumerate(v[:k]))
    found = [gains.get(n, 0) for n in ranked[:k]]
    return dcg(found) / (dcg(sorted(found, reverse=True)) or 1)

# %% right="loops"
def recall_at(ranked, relevant, k):
    hits = 0
    for name in relevant:
        if name in ranked[:k]:
            hits += 1
    return hits / len(relevant)

def reciprocal_rank(ranked, relevant):
    for rank in range(1, len(ranked) + 1):
        if ranked[rank - 1] in relevant:
            return 1 / rank
    return 0

def ndcg_at(ranked, gains, k):
    total = ideal = 0.0
    for rank, name in enumerate(ranked[:k], 1):
        total += gains.get(name, 0) / math.log2(rank + 1)
    for rank, gain in enumerate(sorted(gains.values())[::-1][:k], 1):
        ideal += gain / math.log2(rank + 1)
    return total / ideal

# %% right="arrays"
def recall_at(ranked, relevant, k):
    return float(np.isin(relevant, ranked[:k]).mean())

def reciprocal_rank(ranked, relevant):
    places = np.flatnonzero(np.isin(ranked, relevant)) if ranked else []
    return float(1 / (places[0] + 1)) if len(places) else 0.0

def ndcg_at(ranked, gains, k):
    def dcg(values):
        values = np.array(values[:k], dtype=float)
        return float((values / np.log2(np.arange(len(values)) + 2)).sum())
    return dcg([gains.get(n, 0) for n in ranked]) / dcg(sorted(gains.values(), reverse=True))
