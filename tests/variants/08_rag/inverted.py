# %% wrong="plain idf" says="IDF"
def build_index(documents, k1=1.2, b=0.75):
    index, lengths = {}, [len(d) for d in documents]
    counts = [Counter(d) for d in documents]
    for word in {w for d in documents for w in d}:
        numbers = [i for i, c in enumerate(counts) if word in c]
        idf = math.log((len(documents) - len(numbers) + 0.5) / (len(numbers) + 0.5))
        mean = sum(lengths) / len(lengths)
        index[word] = (np.array(numbers), np.array([
            idf * counts[i][word] * (k1 + 1) / (counts[i][word] + k1 * (1 - b + b * lengths[i] / mean)) for i in numbers]))
    return index

def bm25_scores(index, query, num_documents):
    scores = np.zeros(num_documents)
    for word in query:
        if word in index:
            scores[index[word][0]] += index[word][1]
    return scores

def best(scores, k):
    return [i for i in sorted(range(len(scores)), key=lambda i: (-scores[i], i)) if scores[i] > 0][:k]

# %% wrong="once for each word" says="counts twice"
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
    for word in set(query):
        if word in index:
            scores[index[word][0]] += index[word][1]
    return scores

def best(scores, k):
    return [i for i in sorted(range(len(scores)), key=lambda i: (-scores[i], i)) if scores[i] > 0][:k]

# %% wrong="zeros are kept" says="left out"
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
            scores[index[word][0]] += index[word][1]
    return scores

def best(scores, k):
    return np.argsort(-scores, kind="stable")[:k].tolist()

# %% right="a word at a time, sorted whole"
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
