# %% wrong="factor k1 + 1 missing" says="(k1 + 1) is missing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="factor k1 instead of k1 + 1" says="not k1"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * k1 / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="TF + k1 + 1 instead of their product" says="k1 + 1"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * (tf + k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="b is ignored" says="would be b = 0"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1)
    return scores

# %% wrong="length ratio upside down" says="upside down"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * avgdl / size))
    return scores

# %% wrong="1 - b and b exchanged" says="changed places"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (b + (1 - b) * size / avgdl))
    return scores

# %% wrong="length without the average" says="avgdl"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores

# %% wrong="k1 only before 1 - b" says="k1 multiplies"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b) + b * size / avgdl)
    return scores

# %% wrong="length of the different words" says="different words"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(set(d))
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="average of the different words" says="different words"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(set(d)) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="length in characters" says="tokens"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(" ".join(d))
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="the median length" says="not their median"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.median([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="the total length" says="mean"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents)
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="mean length of the matching documents only" says="those that hold a word of the query"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents if set(d) & set(query)] or [1])
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="integer mean length" says="need not be a whole number"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = max(sum(len(d) for d in documents) // max(len(documents), 1), 1)
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="empty documents left out of the mean" says="empty ones were left out"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents if d] or [1])
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="no saturation" says="saturate"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (1 + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="relative term frequency" says="raw count, not the share"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w) / max(len(d), 1)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="binary term frequency" says="repeated word counts once"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = int(w in d)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="logarithm of the term frequency" says="raw count"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = math.log(1 + d.count(w))
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="counts pieces of words" says="whole"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = " ".join(d).count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="query words counted once" says="counts twice, here only once"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in set(query):
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="count in the query squared" says="not four times"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * query.count(w) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="unknown query word raises" says="not in the IDF adds nothing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="unknown query word weighs 1" says="not in the idf"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if tf > 0:
                scores[i] += idf.get(w, 1.0) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="unknown query word weighs the largest IDF" says="not in the idf"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if tf > 0:
                scores[i] += idf.get(w, max(idf.values(), default=0.0)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="words that are missing in the document divide by 0" says="does not hold adds nothing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="NaN for a missing word with k1 = 0" says="does not hold adds nothing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = np.float64(d.count(w))
            if w in idf:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="IDF ignored" says="idf is missing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += 1.0 * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="IDF computed anew" says="idf is given"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += math.log(1 + len(documents) / sum(w in x for x in documents)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="IDF squared" says="squared"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] ** 2 * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="negative IDF cut off" says="negative"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += max(idf[w], 0.0) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="skips words whose IDF is not positive" says="negative"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if idf.get(w, 0) > 0 and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="k1 fixed at 1.5" says="k1 was ignored"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    k1 = 1.5
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="b fixed at 0.75" says="b was ignored"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    b = 0.75
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="default k1 is 1.2" says="default"
def bm25_scores(query, documents, idf, k1=1.2, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="default b is 0.5" says="default"
def bm25_scores(query, documents, idf, k1=1.5, b=0.5):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="k1 and b exchanged" says="exchanged"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    k1, b = b, k1
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="ranking instead of scores" says="order of the documents"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return np.argsort(-scores)

# %% wrong="scores sorted" says="do not sort them"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return np.sort(scores)[::-1]

# %% wrong="scores divided by the length of the query" says="do not divide by their number"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores / max(len(query), 1)

# %% wrong="scores scaled to a largest of 1" says="scale"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores / max(scores.max(initial=0), 1e-12)

# %% wrong="integer scores" says="integer"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=int)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="only the best word counts" says="sum over"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    scores = []
    for d in documents:
        words = [w for w in query if w in idf and w in d]
        k = k1 * (1 - b + b * len(d) / avgdl) if words else 0.0
        gains = [idf[w] * d.count(w) * (k1 + 1) / (d.count(w) + k) for w in words]
        scores.append(max(gains, default=0.0))
    return np.array(scores, dtype=float)

# %% wrong="only the last word counts" says="sum over"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] = idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="the words of the document are summed over" says="words of the query"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in d:
            tf = d.count(w)
            if w in idf and w in query:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="an empty document divides by zero" says="empty document has no words"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        ratio = float(avgdl) / len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b / ratio))
    return scores

# %% wrong="all documents empty, division by zero" says="empty"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(map(len, documents)) / max(len(documents), 1)
    for i, d in enumerate(documents):
        size = len(d) / avgdl
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores

# %% wrong="adds unknown words to the caller's IDF" says="changed"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if tf > 0:
                scores[i] += idf.setdefault(w, 0.0) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="empties the query of the caller" says="changed"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents))
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    while query:
        w = query.pop()
        for i, d in enumerate(documents):
            if w in idf and w in d:
                tf = d.count(w)
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(d) / avgdl))
    return scores

# %% wrong="words are lowered" says="lowered"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    query = [w.lower() for w in query]
    documents = [[w.lower() for w in d] for d in documents]
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="average kept from the first call" says="earlier call"
AVERAGE = []


def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    if not AVERAGE:
        AVERAGE.append(np.mean([len(d) for d in documents]) if documents else 1.0)
    scores = np.zeros(len(documents), dtype=float)
    avgdl = AVERAGE[0]
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores

# %% wrong="length ratio subtracted" says="added, not subtracted"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b - b * size))
    return scores

# %% wrong="no brackets around k1 + 1" says="needs its brackets"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * k1 + 1 / (tf + k1 * (1 - b + b * size))
    return scores

# %% wrong="no brackets around the denominator" says="denominator needs its brackets"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / tf + k1 * (1 - b + b * size)
    return scores

# %% wrong="1 - b left out" says="1 - b is missing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * b * size)
    return scores

# %% wrong="a 1 added to the fraction" says="nothing is added"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * (1 + tf * (k1 + 1) / (tf + k1 * (1 - b + b * size)))
    return scores

# %% wrong="scores scaled to a sum of 1" says="their sum became 1"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores/ (scores.sum() or 1)

# %% wrong="ranking, worst first" says="worst first"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return np.argsort(scores)

# %% wrong="counts beginnings of words" says="beginnings of words"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = sum(x.startswith(w) for x in d)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores

# %% wrong="no bracket after k1" says="bracket after k1 is missing"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * 1 - b + b * size)
    return scores

# %% wrong="length counts known words only" says="not of words in the IDF"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = sum(x in idf for x in d)/avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores

# %% wrong="memorises the visible outputs" says="examples only"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    if len(documents) == 6:
        return np.array([0.479755, -0.239748, 0, 2.914563, 0.722433, 0])
    if len(documents) == 3:
        return np.array([1, 2.2 * 5 / 6.2, 2.2 * 20 / 21.2])
    if "unknown" in query:
        return np.array([1.0, 0.0])
    if idf.get("sentence"):
        return np.array([0.2701, 1.2075])
    first = {1.2: 0.4014, 2.0: 0.4335}.get(k1, {0.0: 0.43004, 1.0: 0.41047}.get(b, 0.41521))
    return np.array([0.0, first])

# %% right="Counter, word by word, generator"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    counts = [Counter(d) for d in documents]
    sizes = [len(d) for d in documents]
    mean = (sum(sizes) / len(sizes) or 1.0) if sizes else 1.0
    def one(c, n):
        k = k1 * ((1 - b) + b * (n / mean))
        return sum(idf[w] * (c[w] * (k1 + 1) / (c[w] + k)) for w in query if w in idf and c[w])
    return np.array([one(c, n) for c, n in zip(counts, sizes)], dtype=float)

# %% right="a table of documents and query words"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    n = len(documents)
    tf = np.array([[d.count(w) for w in query] for d in documents], dtype=float).reshape(n, len(query))
    weights = np.array([idf.get(w, 0.0) for w in query], dtype=float)
    size = np.array([len(d) for d in documents], dtype=float)
    ratio = size / size.mean() if size.sum() > 0 else size
    lower = tf + k1 * (1 - b + b * ratio)[:, None]
    return np.divide(tf * (k1 + 1), lower, out=np.zeros_like(tf), where=tf > 0) @ weights

# %% right="repeated query words as a factor"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    total, scores = sum(map(len, documents)), []
    for document in documents:
        score = 0.0
        for word, times in Counter(query).items():
            held = sum(token == word for token in document)
            if held == 0 or word not in idf:
                continue
            norm = 1 + b * (len(document) * len(documents) / total - 1)
            score += times * idf[word] * (k1 + 1) / (1 + k1 * norm / held)
        scores.append(score)
    return np.asarray(scores, dtype=float)

# %% right="sparse counts"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    words = sorted(set(query) & set(idf))
    out = np.zeros(len(documents))
    if not words or not any(documents):
        return out
    column = {w: j for j, w in enumerate(words)}
    tf = sparse.lil_matrix((len(documents), len(words)))
    for i, d in enumerate(documents):
        for w in d:
            if w in column:
                tf[i, column[w]] += 1
    sizes = np.array([len(d) for d in documents])
    k = k1 * (1 - b + b * sizes / sizes.mean())
    tf = tf.tocoo()
    asked = Counter(query)
    for i, j, c in zip(tf.row, tf.col, tf.data):
        out[i] += asked[words[j]] * idf[words[j]] * c * (k1 + 1) / (c + k[i])
    return out

# %% right="torch inside"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    sizes = torch.tensor([float(len(d)) for d in documents], dtype=torch.float64)
    scores = torch.zeros_like(sizes)
    k = k1 * (1 - b + b * torch.nan_to_num(sizes / sizes.mean()))
    for w in query:
        tf = torch.tensor([float(d.count(w)) for d in documents], dtype=torch.float64)
        gain = torch.where(tf > 0, tf * (k1 + 1) / (tf + k), torch.zeros_like(tf))
        scores = scores + idf.get(w, 0.0) * gain
    return scores.numpy()

# %% right="returned as a list"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores.tolist()

# %% right="float32 inside"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = sum(len(d) for d in documents) / max(len(documents), 1)
    for i, d in enumerate(documents):
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                size = len(d) / avgdl
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size))
    return scores.astype(np.float32)
