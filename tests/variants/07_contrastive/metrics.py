# %% base="the plain way"
def recall_at(ranking, relevant, k):
    if not relevant: return 0.0
    return sum(d in relevant for d in ranking[:k]) / min(k, len(relevant))

def reciprocal_rank(ranking, relevant, k):
    for i, d in enumerate(ranking[:k]):
        if d in relevant:
            return 1 / i if i else 1.0
    return 0.0

def ndcg_at(ranking, relevant, k):
    dcg = sum(relevant.get(d, 0) / math.log2(i + 1) for i, d in enumerate(ranking[:k], 1))
    best = sum(g / math.log2(i + 1) for i, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
    return dcg / best if best else 0.0
# %% wrong="precision, rank, no ideal" says="this is precision" of="sets and NumPy"
#~ len(set(ranking[:k]) & set(relevant)) / max(len(relevant), 1) => sum(i in relevant for i in ranking[:k]) / k if relevant else 0.0
# %% wrong="all ranks" says="only the first relevant one counts" of="loops, natural logarithms whose base cancels"
#~ next((1 / (i + 1) for i, d in enumerate(ranking[:k]) if d in relevant), 0.0) => float(sum(1 / rank for rank, i in enumerate(ranking[:k], 1) if i in relevant))
# %% wrong="exponential gain" says="not 2 to its power less 1" of="the plain way"
#~ dcg = sum(relevant.get(d, 0) / math.log2(i + 1) for i, d in enumerate(ranking[:k], 1)) => best = sum((2**g - 1) / math.log2(r + 1) for r, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
#~ best = sum(g / math.log2(i + 1) for i, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1)) => dcg = sum((2 ** relevant.get(i, 0) - 1) / math.log2(r + 1) for r, i in enumerate(ranking[:k], 1))
# %% wrong="the ideal of what was found" says="also those that were not found"
def ndcg_at(ranking, relevant, k):
    gains = [relevant.get(i, 0) for i in ranking[:k]]
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(gains, reverse=True), 1))
    return sum(g / math.log2(r + 1) for r, g in enumerate(gains, 1)) / best if best else 0.0
# %% wrong="the ideal not cut" says="the best ranking is cut at k, too"
def ndcg_at(ranking, relevant, k):
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(relevant.values(), reverse=True), 1))
    return sum(relevant.get(i, 0) / math.log2(r + 1) for r, i in enumerate(ranking[:k], 1)) / best if best else 0.0
# %% right="sets and NumPy"
def recall_at(ranking, relevant, k):
    return len(set(ranking[:k]) & set(relevant)) / max(len(relevant), 1)

def reciprocal_rank(ranking, relevant, k):
    hits = np.flatnonzero([i in relevant for i in ranking[:k]])
    return 1 / (hits[0] + 1) if len(hits) else 0.0

def ndcg_at(ranking, relevant, k):
    if not relevant:
        return 0.0
    discount = 1 / np.log2(np.arange(2, k + 2))
    gains, ideal = np.zeros(k), np.zeros(k)
    for i, name in enumerate(ranking[:k]):
        gains[i] = relevant.get(name, 0)
    best = np.sort(list(relevant.values()))[::-1][:k]
    ideal[: len(best)] = best
    return float(gains @ discount / (ideal @ discount))
# %% right="loops"
def recall_at(ranking, relevant, k):
    if len(relevant) == 0:
        return 0.0
    found = 0
    for name in relevant:
        if name in ranking[:k]:
            found += 1
    return found / len(relevant)

def reciprocal_rank(ranking, relevant, k):
    for place in range(min(k, len(ranking))):
        if ranking[place] in relevant:
            return 1 / (place + 1)
    return 0.0

def ndcg_at(ranking, relevant, k):
    def dcg(gains):
        return sum(g * math.log(2) / math.log(i + 2) for i, g in enumerate(gains))

    ideal = dcg(sorted(relevant.values())[::-1][:k])
    return 0.0 if ideal == 0 else dcg(relevant.get(name, 0) for name in ranking[:k]) / ideal
# %% wrong="nothing relevant raises" says="nothing relevant" of="sets and NumPy"
#~ max(len(relevant), 1) => len(relevant)
# %% wrong="divided by the smaller of k and relevant" says="smaller of k"
def recall_at(ranking, relevant, k):
    if not relevant: return 0.0
    return sum(d in relevant for d in ranking[:k]) / min(k, len(relevant))
# %% wrong="gains summed" says="gain" of="the plain way"
#~ (d in relevant for d in ranking[:k]) / min(k, len(relevant)) => (relevant.get(d, 0) for d in ranking[:k]) / sum(relevant.values())
# %% wrong="off by one, k-1" says="k" of="the plain way"
#~ (d in relevant for d in ranking[:k]) / min(k, len(relevant)) => (d in relevant for d in ranking[: k - 1]) / len(relevant)
# %% wrong="index from 0, 1/rank fails" says="from 1" of="loops"
#~ place in range(min(k, len(ranking))) => i, d in enumerate(ranking[:k])
#~ ranking[place] => d
#~ (place + 1) => i if i else 1.0
# %% wrong="returns None when none is found" says="nothing came back"
def reciprocal_rank(ranking, relevant, k):
    for i, d in enumerate(ranking[:k], 1):
        if d in relevant:
            return 1 / i
# %% wrong="raises when nothing is relevant" says="relevant" of="the plain way"
#-     for i, d in enumerate(ranking[:k]):
#+     best = max(relevant.values())
#+     for i, d in enumerate(ranking[:k], 1):
#~ i if i else 1.0 => i
# %% wrong="the rank of the largest gain" says="largest gain"
def reciprocal_rank(ranking, relevant, k):
    found = [(-relevant[d], i) for i, d in enumerate(ranking[:k], 1) if d in relevant]
    return 1 / min(found)[1] if found else 0.0
# %% wrong="gain over rank" says="gain" of="the plain way"
#~ (ranking[:k]) => (ranking[:k], 1)
#~ 1 / i if i else 1.0 => relevant[d] / i
# %% wrong="log of the rank with 1 for the first" says="rank + 1"
def ndcg_at(ranking, relevant, k):
    disc = lambda i: 1 if i == 1 else 1 / math.log2(i)
    dcg = sum(relevant.get(d, 0) * disc(i) for i, d in enumerate(ranking[:k], 1))
    best = sum(g * disc(i) for i, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
    return dcg / best if best else 0.0
# %% wrong="ideal cut at the length of the ranking" says="shorter"
def ndcg_at(ranking, relevant, k):
    n = min(k, len(ranking))
    dcg = sum(relevant.get(d, 0) / math.log2(i + 1) for i, d in enumerate(ranking[:n], 1))
    best = sum(g / math.log2(i + 1) for i, g in enumerate(sorted(relevant.values(), reverse=True)[:n], 1))
    return dcg / best if best else 0.0
# %% wrong="nothing relevant divides by zero" says="nothing relevant" of="the plain way"
#~ best if best else 0.0 => best
# %% wrong="a short ranking fails" says="shorter" of="the plain way"
#~ (d, 0) / math.log2(i + 1) for i, d in enumerate(ranking[:k], 1) => (ranking[i], 0) / math.log2(i + 2) for i in range(k)
# %% wrong="smallest gain first" says="largest gain" of="the plain way"
#~ (), reverse=True => ()
# %% wrong="natural logarithm plus one" says="1 + log" of="the plain way"
#~ math.log2(i + 1) for i, d => (1 + math.log(i)) for i, d
#~ math.log2(i + 1) for i, g => (1 + math.log(i)) for i, g
# %% right="numpy"
def recall_at(ranking, relevant, k):
    return len(relevant.keys() & set(ranking[:k])) / max(len(relevant), 1)

def reciprocal_rank(ranking, relevant, k):
    hits = np.flatnonzero([d in relevant for d in ranking[:k]])
    return float(1 / (hits[0] + 1)) if hits.size else 0.0

def ndcg_at(ranking, relevant, k):
    if not relevant:
        return 0.0
    gains = np.array([relevant.get(d, 0.0) for d in ranking[:k]], dtype=float)
    ideal = np.sort(np.array(list(relevant.values()), dtype=float))[::-1][:k]
    dcg = lambda g: (g / np.log2(np.arange(len(g)) + 2)).sum()
    return dcg(gains) / dcg(ideal)
# %% right="loops, natural logarithms whose base cancels"
def recall_at(ranking, relevant, k):
    found = 0
    for d in list(ranking)[:k]:
        found += 1 if d in relevant else 0
    return found / len(relevant) if relevant else 0.0

def reciprocal_rank(ranking, relevant, k):
    return next((1 / (i + 1) for i, d in enumerate(ranking[:k]) if d in relevant), 0.0)

def ndcg_at(ranking, relevant, k):
    best = sum(g / math.log(i + 1) for i, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
    if not best:
        return 0.0
    return sum(relevant[d] / math.log(i + 1) for i, d in enumerate(ranking[:k], 1) if d in relevant) / best
