# %% wrong="plain idf" says="IDF" of="a word at a time, sorted whole"
#~ (1 + (len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5)) => ((len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5))
# %% wrong="once for each word" says="counts twice" of="a word at a time, sorted whole"
#~ query: => set(query):
#~ np.add.at(scores, index[word][0], index[word][1]) => scores[index[word][0]] += index[word][1]
# %% wrong="zeros are kept" says="left out" of="a word at a time, sorted whole"
#~ [int(i) for i in np.argsort(-scores, kind="stable")[:k] if scores[i] > 0] => np.argsort(-scores, kind="stable")[:k].tolist()
# %% wrong="float32 weights" says="float64" of="heapq and stable argsort"
#~ idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths[numbers] / average))).astype(np.float32)
# %% wrong="IDF with log2" says="not that of base 2" of="heapq and stable argsort"
#~ log => log2
# %% wrong="length counts different words" says="length" of="heapq and stable argsort"
#~ (d) => (set(d))
# %% wrong="average over non-empty documents" says="empty documents count" of="heapq and stable argsort"
#~ .mean() if N => [lengths > 0].mean() if lengths.any()
# %% wrong="average over the postings" says="not of those with the word" of="heapq and stable argsort"
#~ (1 - b + b * lengths[numbers] / average) => (1 - b + b * lengths[numbers] / lengths[numbers].mean())
# %% wrong="length ratio upside down" says="not the reverse" of="heapq and stable argsort"
#~ lengths[numbers] / average => average / lengths[numbers]
# %% wrong="scores overwritten" says="add" of="heapq and stable argsort"
#~ np.add.at(scores, numbers, weights) => scores[numbers] = weights
# %% wrong="length is the largest number" says="num_documents" of="heapq and stable argsort"
#~ (num_documents) => (1 + max([0, *(int(n.max()) for n, _ in index.values())]))
#~ np.add.at(scores, numbers, weights) => scores[numbers] += weights
# %% wrong="argpartition drops ties at the border" says="lower number" of="argpartition of the negative scores, sorted after it"
#-         numbers = numbers[np.argpartition(-scores[numbers], k)[:k]]
#-     return [int(n) for n in numbers[np.lexsort((numbers, -scores[numbers]))]]
#+         numbers = numbers[np.argpartition(scores[numbers], -k)[-k:]]
#+     order = np.lexsort((numbers, -scores[numbers]))
#+     return [int(i) for i in numbers[order][:k]]
# %% base="a word at a time, sorted whole"
def build_index(documents, k1=1.2, b=0.75):
    index, lengths = {}, [len(d) for d in documents]
    counts = [Counter(d) for d in documents]
    for word in {w for d in documents for w in d}:
        numbers = [i for i, c in enumerate(counts) if word in c]
        idf = math.log(1 + (len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5))
        mean = sum(lengths) / len(lengths)
        index[word] = (np.array(numbers), np.array([
            idf * counts[i][word] * (k1 + 1) / (counts[i][word] + k1 * (1 - b + b * lengths[i] / mean)) for i in numbers]))
    return index
def bm25_scores(index, query, num_documents):
    scores = np.zeros(num_documents)
    for word in query:
        if word in index:
            np.add.at(scores, index[word][0], index[word][1])
    return scores
def best(scores, k):
    return [int(i) for i in np.argsort(-scores, kind="stable")[:k] if scores[i] > 0]
# %% right="through a sparse matrix"
def build_index(documents, k1=1.2, b=0.75):
    from scipy.sparse import csc_matrix
    vocabulary = {w: j for j, w in enumerate(dict.fromkeys(w for d in documents for w in d))}
    if not vocabulary:
        return {}
    rows = [i for i, d in enumerate(documents) for _ in d]
    columns = [vocabulary[w] for d in documents for w in d]
    tf = csc_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(documents), len(vocabulary)))
    tf.sum_duplicates()
    tf.sort_indices()
    n = np.diff(tf.indptr)
    idf = np.log((len(documents) + 1) / (n + 0.5))
    lengths = np.array([len(d) for d in documents], dtype=float)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    weights = np.repeat(idf, n) * tf.data * (k1 + 1) / (tf.data + norm[tf.indices])
    return {w: (tf.indices[tf.indptr[j] : tf.indptr[j + 1]], weights[tf.indptr[j] : tf.indptr[j + 1]]) for w, j in vocabulary.items()}
def bm25_scores(index, query, num_documents):
    scores = np.zeros(num_documents)
    for word, count in Counter(query).items():
        if word in index:
            scores[index[word][0]] += count * index[word][1]
    return scores
def best(scores, k):
    found = [(-float(s), i) for i, s in enumerate(scores) if s > 0]
    return [i for _, i in sorted(found)[:k]]
# %% right="plain loops, sorted tuples"
def build_index(documents, k1=1.2, b=0.75):
    if not documents:
        return {}
    avgdl = sum(len(d) for d in documents) / len(documents)
    df = Counter(w for d in documents for w in set(d))
    lists = {w: ([], []) for w in df}
    for i, d in enumerate(documents):
        for w in set(d):
            f = d.count(w)
            lists[w][0].append(i)
            lists[w][1].append(math.log((len(documents) + 1) / (df[w] + 0.5)) * f * (k1 + 1)
                               / (f + k1 * (1 - b + b * len(d) / avgdl)))
    return {w: (np.array(n, dtype=np.int32), np.array(x)) for w, (n, x) in lists.items()}
def bm25_scores(index, query, num_documents):
    out = np.zeros(num_documents)
    for word, times in Counter(query).items():
        for number, weight in zip(*index.get(word, ((), ()))):
            out[number] += times * weight
    return out
def best(scores, k):
    return [i for s, i in sorted((-s, i) for i, s in enumerate(np.asarray(scores).tolist()) if s > 0)[:k]]
# %% right="heapq and stable argsort"
def build_index(documents, k1=1.2, b=0.75):
    held = {}
    for i, document in enumerate(documents):
        for word, n in Counter(document).items():
            held.setdefault(word, []).append((i, n))
    N = len(documents)
    lengths = np.array([len(d) for d in documents], dtype=float)
    average = lengths.mean() if N else 1.0
    index = {}
    for word, pairs in held.items():
        numbers = np.array([i for i, _ in pairs])
        tf = np.array([n for _, n in pairs], dtype=float)
        idf = math.log(1 + (N - len(pairs) + 0.5) / (len(pairs) + 0.5))
        index[word] = (numbers, idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths[numbers] / average)))
    return index
def bm25_scores(index, query, num_documents):
    scores = np.zeros(num_documents)
    for word in query:
        if word in index:
            numbers, weights = index[word]
            np.add.at(scores, numbers, weights)
    return scores
def best(scores, k):
    import heapq
    return heapq.nsmallest(k, np.flatnonzero(scores > 0).tolist(), key=lambda i: (-scores[i], i))
# %% wrong="very small scores left out" says="very small scores" of="a word at a time, sorted whole"
#~ scores[i] > 0 => scores[i] > 1e-6
# %% wrong="ties to six places" says="nearly equal" of="a word at a time, sorted whole"
#~ (-scores, kind => (-scores.round(6), kind
# %% wrong="how often the word stands in all documents" says="number of documents"
def build_index(documents, k1=1.2, b=0.75):
    if not documents:
        return {}
    N = len(documents)
    lengths = np.array([len(d) for d in documents])
    avgdl = lengths.mean()
    post = {}
    for i, d in enumerate(documents):
        for w, c in Counter(d).items():
            post.setdefault(w, []).append((i, c))
    index = {}
    for w, p in post.items():
        nums = np.array([i for i, _ in p])
        tf = np.array([c for _, c in p], dtype=float)
        n_w = tf.sum()
        idf = np.log(1 + max(N - n_w + 0.5, 0.5) / (n_w + 0.5))
        index[w] = nums, idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * lengths[nums] / avgdl))
    return index
# %% wrong="divided by the words of the query" says="not divided"
def bm25_scores(index, query, num_documents):
    scores = np.zeros(num_documents)
    for w in query:
        if w in index:
            n, x = index[w]
            scores[n] += x
    return scores / max(len(query), 1)
# %% wrong="k1 not before the length" says="multiplies all" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (tf + k1 * (1 - b) + b * lengths[numbers] / average)
# %% wrong="the length without b" says="b multiplies" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (tf + k1 * (1 - b + lengths[numbers] / average))
# %% wrong="TF plus k1 as a factor" says="not to k1 alone" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => ((tf + k1) * (1 - b + b * lengths[numbers] / average))
# %% wrong="b and 1 - b exchanged" says="not the reverse" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (tf + k1 * (b + (1 - b) * lengths[numbers] / average))
# %% wrong="the length subtracted" says="not subtracted" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (tf + k1 * (1 - (b + b * lengths[numbers] / average)))
# %% wrong="k1 + 1 below the line" says="k1, not k1 + 1" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (tf + (k1 + 1) * (1 - b + b * lengths[numbers] / average))
# %% wrong="length in words" says="not in words" of="heapq and stable argsort"
#~ (tf + k1 * (1 - b + b * lengths[numbers] / average)) => (tf + k1 * (1 - b + b * lengths[numbers]))
# %% wrong="TF * k1 + 1" says="not TF * k1 + 1" of="heapq and stable argsort"
#~ tf * (k1 + 1) => (tf * k1 + 1)
# %% wrong="TF + k1 + 1" says="not added to it" of="heapq and stable argsort"
#~ tf * (k1 + 1) => (tf + k1 + 1)
# %% wrong="1 plus the logarithm" says="inside the logarithm" of="heapq and stable argsort"
#~ math.log(1 + (N - len(pairs) + 0.5) / (len(pairs) + 0.5)) => (1 + math.log((N - len(pairs) + 0.5) / (len(pairs) + 0.5)))
# %% wrong="log of 1 plus N by n" says="log(1 + N / n)" of="heapq and stable argsort"
#~ math.log(1 + (N - len(pairs) + 0.5) / (len(pairs) + 0.5)) => math.log(1 + N / len(pairs))
# %% wrong="argpartition of the negative scores, sorted after it" says="lower numbers are kept"
def best(scores, k):
    numbers = np.flatnonzero(scores > 0)
    if len(numbers) > k:
        numbers = numbers[np.argpartition(-scores[numbers], k)[:k]]
    return [int(n) for n in numbers[np.lexsort((numbers, -scores[numbers]))]]
# %% wrong="argsort that is not stable" says="lower number" of="heapq and stable argsort"
#-     import heapq
#~ heapq.nsmallest(k, np.flatnonzero(scores > 0).tolist(), key=lambda i: (-scores[i], i)) => [int(i) for i in np.argsort(scores)[::-1] if scores[i] > 0][:k]
# %% right="logs subtracted, times counted in the query" of="heapq and stable argsort"
#~ math.log(1 + (N - len(pairs) + 0.5) / (len(pairs) + 0.5)) => math.log(N + 1) - math.log(len(pairs) + 0.5)
#~ idf * tf => (idf) * tf
#~ for word in query => for word, times in Counter(query).items()
#~ numbers, weights) => numbers, times * weights)
# %% wrong="N - n by n, and a half" says="mind the brackets" of="heapq and stable argsort"
#~ math.log(1 + (N - len(pairs) + 0.5) / (len(pairs) + 0.5)) => math.log(1 + (N - len(pairs)) / len(pairs) + 0.5)
# %% wrong="the square root of TF" says="the fraction is not that" of="heapq and stable argsort"
#~ tf = np.array([n for _, n in pairs], dtype=float) => tf = np.sqrt(np.array([n for _, n in pairs], dtype=float))
# %% wrong="IDF with 1 added to n" says="the fraction is right" of="heapq and stable argsort"
#~ math.log(1 + (N - len(pairs) + 0.5) / (len(pairs) + 0.5)) => math.log((N + 1) / (len(pairs) + 1)) + 1
# %% wrong="all are sorted" says="all N were sorted" clause="Do not sort all N if few are above 0."
def best(scores, k):
    order = np.argsort(-scores, kind="stable")[:k]
    return [int(i) for i in order if scores[i] > 0]
# %% wrong="any score but 0" says="below 0" clause="the (at most) k largest scores above 0"
#~ np.flatnonzero(scores > 0) => np.flatnonzero(scores)
# %% wrong="b of their own" says="b is fixed" clause="$b$ how much a long document is marked"
#~ lengths = np.array( => b = 0.75; lengths = np.array(
# %% wrong="a mean of those with words" says="in the mean length" clause="an empty document has no words, and counts in N and avgdl."
#~ lengths[numbers] / lengths.mean() => lengths[numbers] / lengths[lengths > 0].mean()
# %% wrong="a number of those with words" says="count in N" clause="an empty document has no words, and counts in N and avgdl."
#~ math.log(1 + (len(documents) - => math.log(1 + (sum(map(bool, documents)) -
# %% wrong="the last document first" says="the numbers ascend" clause="the documents that hold the word, ascending, integers from 0."
#~ for number, document in enumerate(documents): => for number, document in reversed(list(enumerate(documents))):
# %% wrong="sorted() of all" says="all N were sorted" clause="Do not sort all N if few are above 0."
def best(scores, k):
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return [i for i in order[:k] if scores[i] > 0]
# %% wrong="argsort of a plain array" says="all N were sorted" clause="Do not sort all N if few are above 0." of="sorted() of all"
#~ sorted(range(len(scores)), key=lambda i: (-scores[i], i)) => np.argsort(-np.asarray(scores), kind="stable").tolist()
# %% wrong="a list of all, sorted" says="all N were sorted" clause="Do not sort all N if few are above 0."
def best(scores, k):
    pairs = [(-s, i) for i, s in enumerate(scores.tolist())]
    pairs.sort()
    return [i for s, i in pairs[:k] if s < 0]
# %% wrong="sorted by torch" says="all N were sorted" clause="Do not sort all N if few are above 0." of="sorted() of all"
#~ sorted(range(len(scores)), key=lambda i: (-scores[i], i)) => torch.sort(torch.as_tensor(scores), descending=True, stable=True).indices.tolist()
# %% right="nsmallest of those above 0"
def best(scores, k):
    import heapq
    return [i for _, i in heapq.nsmallest(k, ((-float(s), i) for i, s in enumerate(scores) if s > 0))]
# %% right="sorted() of those above 0"
def best(scores, k):
    return sorted(np.flatnonzero(scores > 0).tolist(), key=lambda i: (-scores[i], i))[:k]
# %% wrong="without the empty documents" says="an empty document counts, too"
#~ (len(documents) - len(numbers) => (sum(map(bool, documents)) - len(numbers)
#~ lengths.mean() => lengths[lengths > 0].mean()
# %% wrong="the document's own length without repeats" says="the length of a document counts repeats"
#~ b * lengths[numbers] => b * np.array([len(set(document)) for document in documents])[numbers]
