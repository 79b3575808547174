# %% wrong="precision, rank, no ideal" says="this is precision"
def recall_at(ranking, relevant, k):
    return sum(i in relevant for i in ranking[:k]) / k if relevant else 0.0


def reciprocal_rank(ranking, relevant, k):
    return next((1 / rank for rank, i in enumerate(ranking[:k], 1) if i in relevant), 0.0)


def ndcg_at(ranking, relevant, k):
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
    return sum(relevant.get(i, 0) / math.log2(r + 1) for r, i in enumerate(ranking[:k], 1)) / best if best else 0.0

# %% wrong="all ranks" says="only the first relevant one counts"
def recall_at(ranking, relevant, k):
    return sum(i in relevant for i in ranking[:k]) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking, relevant, k):
    return float(sum(1 / rank for rank, i in enumerate(ranking[:k], 1) if i in relevant))


def ndcg_at(ranking, relevant, k):
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
    return sum(relevant.get(i, 0) / math.log2(r + 1) for r, i in enumerate(ranking[:k], 1)) / best if best else 0.0

# %% wrong="exponential gain" says="not 2 to its power less 1"
def recall_at(ranking, relevant, k):
    return sum(i in relevant for i in ranking[:k]) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking, relevant, k):
    return next((1 / rank for rank, i in enumerate(ranking[:k], 1) if i in relevant), 0.0)


def ndcg_at(ranking, relevant, k):
    best = sum((2**g - 1) / math.log2(r + 1) for r, g in enumerate(sorted(relevant.values(), reverse=True)[:k], 1))
    dcg = sum((2 ** relevant.get(i, 0) - 1) / math.log2(r + 1) for r, i in enumerate(ranking[:k], 1))
    return dcg / best if best else 0.0

# %% wrong="the ideal of what was found" says="also those that were not found"
def recall_at(ranking, relevant, k):
    return sum(i in relevant for i in ranking[:k]) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking, relevant, k):
    return next((1 / rank for rank, i in enumerate(ranking[:k], 1) if i in relevant), 0.0)


def ndcg_at(ranking, relevant, k):
    gains = [relevant.get(i, 0) for i in ranking[:k]]
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(gains, reverse=True), 1))
    return sum(g / math.log2(r + 1) for r, g in enumerate(gains, 1)) / best if best else 0.0

# %% wrong="the ideal not cut" says="the best ranking is cut at k, too"
def recall_at(ranking, relevant, k):
    return sum(i in relevant for i in ranking[:k]) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking, relevant, k):
    return next((1 / rank for rank, i in enumerate(ranking[:k], 1) if i in relevant), 0.0)


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
