# %% base="the plain way"
def recall_at(ranked, relevant, k):
    return len(set(ranked[:k]) & set(relevant)) / len(relevant)
def ndcg_at(ranked, gains, k):
    def dcg(values):
        return sum(g / math.log2(r + 1) for r, g in enumerate(values, start=1))
    found = [gains.get(name, 0) for name in ranked[:k]]
    ideal = sorted(gains.values(), reverse=True)[:k]
    return dcg(found) / dcg(ideal)
# %% wrong="precision, not recall" says="precision" of="arrays"
#~ float(np.isin(relevant, ranked[:k]).mean()) => len(set(ranked[:k]) & set(relevant)) / k
# %% wrong="the last relevant one" says="first relevant document"
def reciprocal_rank(ranked, relevant):
    return max([0.0] + [1 / (i + 1) for i, name in enumerate(ranked[::-1]) if name in relevant]) and next(
        (1 / (len(ranked) - i) for i, name in enumerate(ranked[::-1]) if name in relevant), 0.0)
# %% wrong="ideal of the found ones" says="all gains that there are"
def ndcg_at(ranked, gains, k):
    dcg = lambda v: sum(g / math.log2(i + 2) for i, g in enumerate(v[:k]))
    found = [gains.get(n, 0) for n in ranked[:k]]
    return dcg(found) / (dcg(sorted(found, reverse=True)) or 1)
# %% wrong="ideal has as many places as were returned" says="best possible" of="the plain way"
#~ (gains.values(), reverse=True)[:k] => (gains.values(), reverse=True)[: min(k, len(ranked)) or k]
# %% wrong="first k less one" says="first k" of="arrays"
#~ float(np.isin(relevant, ranked[:k]).mean()) => len(set(ranked[: k - 1]) & set(relevant)) / len(relevant)
# %% wrong="k plus one" says="first k" of="arrays"
#~ float(np.isin(relevant, ranked[:k]).mean()) => len(set(ranked[: k + 1]) & set(relevant)) / len(relevant)
# %% wrong="recall over the smaller of k and the relevant" says="number of relevant" of="arrays"
#~ float(np.isin(relevant, ranked[:k]).mean()) => len(set(ranked[:k]) & set(relevant)) / min(k, len(relevant))
# %% wrong="recall over what was returned" says="number of relevant" of="arrays"
#~ float(np.isin(relevant, ranked[:k]).mean()) => len(set(ranked[:k]) & set(relevant)) / max(1, len(ranked[:k]))
# %% wrong="reciprocal rank looks for the first listed relevant" says="first of them" of="NumPy"
#~ max((1 / (i + 1) for i, name in enumerate(ranked) if name in set(relevant)), default=0) => 1 / (ranked.index(relevant[0]) + 1) if relevant[0] in ranked else 0.0
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
# %% right="natural logarithm, which cancels" of="the plain way"
#-     return len(set(ranked[:k]) & set(relevant)) / len(relevant)
#+     return len(set(ranked[:k]) & set(relevant)) / len(relevant)
#+ def reciprocal_rank(ranked, relevant):
#+     for rank, name in enumerate(ranked, start=1):
#+         if name in relevant:
#+             return 1 / rank
#+     return 0.0
#-         return sum(g / math.log2(r + 1) for r, g in enumerate(values, start=1))
#+         return sum(g / math.log(r + 1) for r, g in enumerate(values, start=1))
# %% right="NumPy"
def recall_at(ranked, relevant, k):
    return float(np.isin(list(relevant), ranked[:k]).sum() / len(relevant)) if ranked else 0.0
def reciprocal_rank(ranked, relevant):
    return max((1 / (i + 1) for i, name in enumerate(ranked) if name in set(relevant)), default=0)
def ndcg_at(ranked, gains, k):
    discount = 1 / np.log2(np.arange(2, k + 2))
    got = np.zeros(k)
    for i, name in enumerate(ranked[:k]):
        got[i] = gains.get(name, 0.0)
    best_gains = -np.sort(-np.array(list(gains.values()), dtype=float))[:k]
    return (got @ discount) / (best_gains @ discount[: len(best_gains)])
# %% wrong="reciprocal rank of the first ten" says="a long ranking" of="loops"
#~ range(1, len(ranked) + 1) => range(1, min(len(ranked), 10) + 1)
# %% wrong="ideal of the first k gains, sorted after the cut" says="sort first"
def ndcg_at(ranked, gains, k):
    def dcg(gs):
        return sum(g / math.log2(i + 2) for i, g in enumerate(gs[:k]))
    return dcg([gains.get(d, 0) for d in ranked]) / dcg(sorted(list(gains.values())[:k], reverse=True))
# %% wrong="documents without a gain leave their ranks, then the cut" says="keep their ranks" of="the plain way"
#~ [gains.get(name, 0) for name in ranked[:k]] => [gains[name] for name in ranked if name in gains][:k]
# %% wrong="documents without a gain leave their ranks, after the cut" says="keep their ranks" of="the plain way"
#~ [gains.get(name, 0) for name in ranked[:k]] => [gains[name] for name in ranked[:k] if name in gains]
# %% wrong="KeyError for what has no gain" says="has the gain 0" of="the plain way"
#~ gains.get(name, 0) => gains[name]
# %% wrong="gains times the logarithm" says="not multiplied" of="the plain way"
#~ g / math => g * math
# %% wrong="the smallest index, of an empty list where none is there" says="no relevant document is there"
def reciprocal_rank(ranked, relevant):
    return 1 / (min(ranked.index(name) for name in relevant if name in ranked) + 1)
# %% wrong="the best possible order is not discounted" says="discounted by its ranks, too" of="the plain way"
#~ dcg(ideal) => sum(ideal)
# %% wrong="the first relevant one that was found, in their order" says="first of them in the ranking" of="NumPy"
#~ max((1 / (i + 1) for i, name in enumerate(ranked) if name in set(relevant)), default=0) => next((1 / (ranked.index(name) + 1) for name in relevant if name in ranked), 0)
# %% wrong="recall by a part of a name" says="a part of one was enough" clause="the share of the relevant documents that are among the first $k$."
#~ len(set(ranked[:k]) & set(relevant)) => sum(any(name in found for found in ranked[:k]) for name in relevant)
# %% wrong="a rank by a part of a name" says="a part of one was enough" clause="Return 1 / the rank of the first relevant document, 0 if none is there."
#~ if name in relevant), 0.0) => if any(one in name for one in relevant)), 0.0)
# %% wrong="the smaller of k and all" says="the smaller of k" clause="the share of the relevant documents that are among the first $k$."
#~ / len(relevant) => / min(k, len(relevant))
# %% wrong="the best order of any length" says="has only k places" clause="Return the nDCG of the first k of the ranked"
#~ dcg(sorted(gains.values(), reverse=True)) => sum(g / math.log2(i + 2) for i, g in enumerate(sorted(gains.values(), reverse=True)))
# %% wrong="1 behind the logarithm" says="added to the logarithm"
#~ math.log2(rank + 1) => (math.log2(rank) + 1)
