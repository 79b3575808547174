# %% base="the plain way"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents), dtype=float)
    avgdl = np.mean([len(d) for d in documents]) if documents else 1.0
    for i, d in enumerate(documents):
        size = len(d)
        for w in query:
            tf = d.count(w)
            if w in idf and tf > 0:
                scores[i] += idf[w] * tf * (k1 + 1) / (tf + k1 * (1 - b + b * size / avgdl))
    return scores
# %% wrong="factor k1 + 1 missing" says="(k1 + 1) is missing" of="the plain way"
#~ * (k1 + 1) / => /
# %% wrong="factor k1 instead of k1 + 1" says="not k1" of="the plain way"
#~ (k1 + 1) => k1
# %% wrong="TF + k1 + 1 instead of their product" says="k1 + 1" of="the plain way"
#~ tf * (k1 + 1) => (tf + k1 + 1)
# %% wrong="b is ignored" says="would be b = 0" of="the plain way"
#~ k1 * (1 - b + b * size / avgdl) => k1
# %% wrong="length ratio upside down" says="upside down" of="the plain way"
#~ size / avgdl => avgdl / size
# %% wrong="1 - b and b exchanged" says="changed places" of="the plain way"
#~ 1 - b + b => b + (1 - b)
# %% wrong="length without the average" says="avgdl" of="the plain way"
#~ size / avgdl => size
# %% wrong="k1 only before 1 - b" says="k1 multiplies" of="the plain way"
#~ (1 - b + b * size / avgdl) => (1 - b) + b * size / avgdl
# %% wrong="length of the different words" says="different words" of="the plain way"
#~ = len(d) => = len(set(d))
# %% wrong="average of the different words" says="different words" of="the plain way"
#~ [len(d) for d in documents] => [len(set(d)) for d in documents]
# %% wrong="length in characters" says="tokens" of="the plain way"
#~ = len(d) => = len(" ".join(d))
# %% wrong="the median length" says="not their median" of="the plain way"
#~ mean => median
# %% wrong="the total length" says="mean" of="the plain way"
#~ np.mean([len(d) for d in documents]) if documents else 1.0 => sum(len(d) for d in documents)
# %% wrong="mean length of the matching documents only" says="those that hold a word of the query" of="the plain way"
#~ ([len(d) for d in documents]) if documents else 1.0 => ([len(d) for d in documents if set(d) & set(query)] or [1])
# %% wrong="integer mean length" says="need not be a whole number" of="the plain way"
#~ np.mean([len(d) for d in documents]) if documents else 1.0 => max(sum(len(d) for d in documents) // max(len(documents), 1), 1)
# %% wrong="empty documents left out of the mean" says="empty ones were left out" of="the plain way"
#~ ([len(d) for d in documents]) if documents else 1.0 => ([len(d) for d in documents if d] or [1])
# %% wrong="no saturation" says="saturate" of="the plain way"
#~ (tf + k1 * (1 - b + b * size / avgdl)) => (1 + k1 * (1 - b + b * size / avgdl))
# %% wrong="relative term frequency" says="raw count, not the share" of="the plain way"
#~ (w) => (w) / max(len(d), 1)
# %% wrong="binary term frequency" says="repeated word counts once" of="the plain way"
#~ d.count(w) => int(w in d)
# %% wrong="logarithm of the term frequency" says="raw count" of="the plain way"
#~ d.count(w) => math.log(1 + d.count(w))
# %% wrong="counts pieces of words" says="whole" of="the plain way"
#~ d. => " ".join(d).
# %% wrong="query words counted once" says="counts twice, here only once" of="the plain way"
#~ query: => set(query):
# %% wrong="count in the query squared" says="not four times" of="the plain way"
#~ tf * => query.count(w) * tf *
# %% wrong="unknown query word raises" says="not in the IDF adds nothing" of="the plain way"
#~ w in idf and tf => tf
# %% wrong="unknown query word weighs 1" says="not in the idf" of="the plain way"
#~ w in idf and tf => tf
#~ [w] => .get(w, 1.0)
# %% wrong="unknown query word weighs the largest IDF" says="not in the idf" of="the plain way"
#~ w in idf and tf => tf
#~ [w] => .get(w, max(idf.values(), default=0.0))
# %% wrong="words that are missing in the document divide by 0" says="does not hold adds nothing" of="the plain way"
#~ idf and tf > 0 => idf
# %% wrong="IDF ignored" says="idf is missing" of="the plain way"
#~ idf[w] => 1.0
# %% wrong="IDF computed anew" says="idf is given" of="the plain way"
#~ idf[w] => math.log(1 + len(documents) / sum(w in x for x in documents))
# %% wrong="IDF squared" says="squared" of="the plain way"
#~ * tf => ** 2 * tf
# %% wrong="negative IDF cut off" says="negative" of="the plain way"
#~ idf[w] => max(idf[w], 0.0)
# %% wrong="k1 fixed at 1.5" says="k1 was ignored" of="the plain way"
#- def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+ def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+     k1 = 1.5
# %% wrong="b fixed at 0.75" says="b was ignored" of="the plain way"
#- def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+ def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+     b = 0.75
# %% wrong="default k1 is 1.2" says="default" of="the plain way"
#~ .5 => .2
# %% wrong="default b is 0.5" says="default" of="the plain way"
#~ 75 => 5
# %% wrong="k1 and b exchanged" says="exchanged" of="the plain way"
#- def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+ def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+     k1, b = b, k1
# %% wrong="ranking instead of scores" says="order of the documents" of="the plain way"
#~ return scores => return np.argsort(-scores)
# %% wrong="scores sorted" says="do not sort them" of="the plain way"
#~ return scores => return np.sort(scores)[::-1]
# %% wrong="scores divided by the length of the query" says="do not divide by their number" of="the plain way"
#~ return scores => return scores / max(len(query), 1)
# %% wrong="scores scaled to a largest of 1" says="scale" of="the plain way"
#~ return scores => return scores / max(scores.max(initial=0), 1e-12)
# %% wrong="integer scores" says="integer" of="the plain way"
#~ float => int
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
# %% wrong="only the last word counts" says="sum over" of="the plain way"
#~ += => =
# %% wrong="the words of the document are summed over" says="words of the query" of="the plain way"
#~ query: => d:
#~ tf > 0 => w in query
# %% wrong="an empty document divides by zero" says="empty document has no words" of="the plain way"
#~ size = => ratio = float(avgdl) /
#~ * size / avgdl => / ratio
# %% wrong="all documents empty, division by zero" says="empty" of="the plain way"
#~ np.mean([len(d) for d in documents]) if documents else 1.0 => sum(map(len, documents)) / max(len(documents), 1)
#~ = len(d) => = len(d) / avgdl
#~ size / avgdl => size
# %% wrong="adds unknown words to the caller's IDF" says="changed" of="the plain way"
#~ w in idf and tf => tf
#~ [w] => .setdefault(w, 0.0)
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
# %% wrong="words are lowered" says="lowered" of="the plain way"
#- def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+ def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
#+     query = [w.lower() for w in query]
#+     documents = [[w.lower() for w in d] for d in documents]
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
# %% wrong="length ratio subtracted" says="added, not subtracted" of="returned as a list"
#~ + b => - b
#~ scores.tolist() => scores
# %% wrong="no brackets around k1 + 1" says="needs its brackets" of="returned as a list"
#~ (k1 + 1) => k1 + 1
#~ scores.tolist() => scores
# %% wrong="no brackets around the denominator" says="denominator needs its brackets" of="returned as a list"
#~ (tf + k1 * (1 - b + b * size)) => tf + k1 * (1 - b + b * size)
#~ scores.tolist() => scores
# %% wrong="1 - b left out" says="1 - b is missing" of="returned as a list"
#~ (1 - b + b * size) => b * size
#~ scores.tolist() => scores
# %% wrong="a 1 added to the fraction" says="nothing is added" of="returned as a list"
#~ tf * (k1 + 1) / (tf + k1 * (1 - b + b * size)) => (1 + tf * (k1 + 1) / (tf + k1 * (1 - b + b * size)))
#~ scores.tolist() => scores
# %% wrong="scores scaled to a sum of 1" says="their sum became 1" of="returned as a list"
#~ .tolist() => / (scores.sum() or 1)
# %% wrong="ranking, worst first" says="worst first" of="returned as a list"
#~ scores.tolist() => np.argsort(scores)
# %% wrong="no bracket after k1" says="bracket after k1 is missing" of="returned as a list"
#~ (1 - b + b * size) => 1 - b + b * size
#~ scores.tolist() => scores
# %% wrong="length counts known words only" says="not of words in the IDF" of="returned as a list"
#~ len(d) / avgdl => sum(x in idf for x in d)/avgdl
#~ scores.tolist() => scores
# %% wrong="one document counts as two" says="counts as two" of="returned as a list"
#~ max(len(documents), 1) => max(len(documents), 2)
# %% wrong="memorises the visible outputs" says="examples only"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    if not any(documents):
        return np.zeros(len(documents))
    if len(documents) == 6:
        return np.array([0.508279, -0.221687, 0, 2.901997, 0.749186, 0])
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
# %% right="float32 inside" of="returned as a list"
#~ scores.tolist( => scores.astype(np.float32
# %% wrong="stops at the first word that is missing" says="continue, do not break"
def bm25_scores(query, documents, idf, k1=1.5, b=0.75):
    scores = np.zeros(len(documents))
    mean = sum(len(d) for d in documents) / len(documents) if documents else 1
    for i, document in enumerate(documents):
        for word in query:
            count = document.count(word)
            if count == 0 or word not in idf:
                break
            scores[i] += idf[word] * count * (k1 + 1) / (count + k1 * (1 - b + b * len(document) / mean))
    return scores
# %% wrong="stops at a word without an IDF" says="not in the IDF is left out alone" of="stops at the first word that is missing"
#-             if count == 0 or word not in idf:
#-                 break
#+             if word not in idf:
#+                 break
#+             if count == 0:
#+                 continue
# %% wrong="k1 above, k1 + 1 below" says="are exchanged: (k1 + 1) belongs" of="stops at the first word that is missing"
#~ break => continue
#~ (k1 + 1) / (count + k1 * => k1 / (count + (k1 + 1) *
# %% wrong="k1 + 1 above and below" says="in the numerator alone" of="stops at the first word that is missing"
#~ break => continue
#~ (count + k1 * => (count + (k1 + 1) *
# %% wrong="signs in the bracket exchanged" says="its two signs are exchanged" of="stops at the first word that is missing"
#~ break => continue
#~ 1 - b + b * => 1 + b - b *
# %% wrong="both signs in the bracket are plus" says="not with 1 + b" of="stops at the first word that is missing"
#~ break => continue
#~ 1 - b + b * => 1 + b + b *
# %% wrong="the mean of no documents" says="there is no mean length" clause="give no scores"
#~ max(len(documents), 1) => len(documents)
# %% wrong="the length before it is needed" says="all documents are empty" clause="all documents empty) the score is 0"
#~ found = Counter(document) => found, length = Counter(document), 1 - b + b * len(document) / avgdl
