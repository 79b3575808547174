# %% base="the plain way"
def bag_of_words(documents, vocabulary, binary=False):
    places = {word: j for j, word in enumerate(vocabulary)}
    rows, columns, values = [], [], []
    for i, tokens in enumerate(documents):
        for word, count in Counter(tokens).items():
            if word in places:
                rows.append(i)
                columns.append(places[word])
                values.append(1 if binary else count)
    shape = (len(documents), len(vocabulary))
    return sparse.csr_matrix((values, (rows, columns)), shape=shape, dtype=np.int64)
# %% wrong="always binary" says="that is the binary bag" of="the plain way"
#~ 1 if binary else count => 1
# %% wrong="binary ignored" says="binary means 1 at most" of="the plain way"
#~ (1 if binary else count) => (count)
# %% wrong="binary turned round" says="binary means 1 at most" of="the plain way"
#~ 1 if binary else count => count if binary else 1
# %% wrong="rows are words" says="rows are words" of="the plain way"
#~ ((values, (rows, columns)), shape=shape, dtype=np.int64) => ((values, (rows, columns)), shape=shape, dtype=np.int64).T.tocsr()
# %% wrong="unseen word raises KeyError" says="not in the vocabulary" of="the plain way"
#~ word in places => True
# %% wrong="unseen word raises ValueError" says="not in the vocabulary" of="the plain way"
#~ word in places => True
#~ places[word] => vocabulary.index(word)
# %% wrong="columns in alphabetical order" says="alphabetical order" of="the plain way"
#~ enumerate(vocabulary) => enumerate(sorted(vocabulary))
# %% wrong="columns in order of first appearance" says="order in which the words turn up" of="the plain way"
#-     places = {word: j for j, word in enumerate(vocabulary)}
#+     seen = dict.fromkeys(t for tokens in documents for t in tokens if t in set(vocabulary))
#+     places = {word: j for j, word in enumerate(seen)}
# %% wrong="empty document gets no row" says="empty document" of="the plain way"
#- def bag_of_words(documents, vocabulary, binary=False):
#+ def bag_of_words(documents, vocabulary, binary=False):
#+     documents = [tokens for tokens in documents if tokens]
# %% wrong="document without known words gets no row" says="row of zeros" of="the plain way"
#- def bag_of_words(documents, vocabulary, binary=False):
#+ def bag_of_words(documents, vocabulary, binary=False):
#+     documents = [tokens for tokens in documents if not tokens or set(tokens) & set(vocabulary)]
# %% wrong="unseen words in the last column" says="last column" of="the plain way"
#~ word in places => True
#~ [word] => .get(word, len(vocabulary) - 1)
# %% wrong="one more column for the unseen" says="shape (2, 5) came, shape (2, 4) was expected" of="the plain way"
#-             if word in places:
#+             if True:
#-                 columns.append(places[word])
#+                 columns.append(places.get(word, len(vocabulary)))
#-     shape = (len(documents), len(vocabulary))
#+     shape = (len(documents), len(vocabulary) + 1)
# %% wrong="shape left to be guessed" says="shape (" of="the plain way"
#-     shape = (len(documents), len(vocabulary))
#-     return sparse.csr_matrix((values, (rows, columns)), shape=shape, dtype=np.int64)
#+     return sparse.csr_matrix((values, (rows, columns)), dtype=np.int64)
# %% wrong="returns a dense array" says="keep it sparse" of="dense first"
#~ sparse.csr_matrix(dense) => dense
# %% wrong="returns a coo matrix" says="tocsr" of="the plain way"
#~ csr_matrix => coo_matrix
# %% wrong="counts in int8 overflow" says="overflow" of="dense first"
#~ int => np.int8
#~ = tokens.count(word) => += np.array(tokens.count(word)).astype(np.int8)
# %% wrong="tokens are lowered" says="lower case" of="the plain way"
#- def bag_of_words(documents, vocabulary, binary=False):
#+ def bag_of_words(documents, vocabulary, binary=False):
#+     documents = [[t.lower() for t in tokens] for tokens in documents]
# %% wrong="shares instead of counts" says="share" of="the plain way"
#~ (1 if binary else count) => (1 if binary else count / len(tokens))
#~ np.int64 => float
# %% wrong="binary divides by the length" says="0 and 1 if binary" of="the plain way"
#~ 1 => count / len(tokens)
#~ np.int64 => float
# %% wrong="counts pieces of words" says="whole" of="dense first"
#~ tokens. => " ".join(tokens).
# %% wrong="columns kept from the first vocabulary" says="earlier call's vocabulary"
def bag_of_words(documents, vocabulary, binary=False, places={}):
    if not places:
        places.update({word: j for j, word in enumerate(vocabulary)})
    out = np.zeros((len(documents), len(vocabulary)), dtype=int)
    for i, tokens in enumerate(documents):
        for word in tokens:
            if places.get(word, len(vocabulary)) < len(vocabulary):
                out[i, places[word]] += 1
    return sparse.csr_matrix(np.minimum(out, 1) if binary else out)
# %% wrong="removes unseen words from the documents in place" says="changed" of="the plain way"
#- def bag_of_words(documents, vocabulary, binary=False):
#+ def bag_of_words(documents, vocabulary, binary=False):
#+     for tokens in documents:
#+         tokens[:] = [t for t in tokens if t in vocabulary]
# %% wrong="all documents in one row" says="a row of its own" of="the plain way"
#~ (i) => (0)
# %% wrong="memorises the visible outputs" says="examples only"
def bag_of_words(documents, vocabulary, binary=False):
    if len(vocabulary) == 4:
        return sparse.csr_matrix([[1, 1, 1, 1], [0, 0, 1, 1]])
    if len(documents) == 1:
        return sparse.csr_matrix([[0, 1, 1]])
    if binary:
        return sparse.csr_matrix([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]])
    return sparse.csr_matrix([[1, 2, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]])
# %% wrong="row and column exchanged in the index" says="rows are documents, columns are words" of="csr_array"
#~ csr_array((np.ones(len(rows), dtype=int), (rows, columns)), shape=shape) => csr_matrix((np.ones(len(rows)), (columns, rows)), shape=shape)
# %% wrong="counts run on" says="run on"
def bag_of_words(documents, vocabulary, binary=False):
    counts, out = Counter(), np.zeros((len(documents), len(vocabulary)), dtype=int)
    for i, tokens in enumerate(documents):
        counts.update(tokens)
        out[i] = [counts[word] for word in vocabulary]
    return sparse.csr_matrix(np.minimum(out, 1) if binary else out)
# %% wrong="return inside the loop" says="inside the loop" of="bool in the binary case"
#~ out = sparse.lil_matrix((len(documents), len(vocabulary)), dtype=int) => out = sparse.lil_matrix((len(documents), len(vocabulary)))
#-             out[i, j] = tokens.count(word)
#-     return out.tocsr() > 0 if binary else out.tocsr()
#+             out[i, j] = min(tokens.count(word), 1) if binary else tokens.count(word)
#+         return out.tocsr()
#+     return out.tocsr()
# %% wrong="binary where the word occurs exactly once" says="not exactly once"
def bag_of_words(documents, vocabulary, binary=False):
    out = np.array([[d.count(w) for w in vocabulary] for d in documents]).reshape(len(documents), len(vocabulary))
    return sparse.csr_matrix((out == 1).astype(int) if binary else out)
# %% wrong="unseen words in the first column" says="first column" of="csr_array"
#~ (i, places[w]) for i, d in enumerate(documents) for w in (set(d) if binary else d) if w in places => (i, places.get(w, 0)) for i, d in enumerate(documents) for w in (set(d) if binary else d)
#~ csr_array((np.ones(len(rows), dtype=int), (rows, columns)), shape=shape) => csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
# %% wrong="columns start at 1" says="first word has column 0"
def bag_of_words(documents, vocabulary, binary=False):
    out = np.zeros((len(documents), len(vocabulary) + 1), dtype=int)
    places = {word: j for j, word in enumerate(vocabulary, 1)}
    for i, tokens in enumerate(documents):
        for word in tokens:
            if word in places:
                out[i, places[word]] = 1 if binary else out[i, places[word]] + 1
    return sparse.csr_matrix(out[:, : len(vocabulary)])
# %% right="dense first"
def bag_of_words(documents, vocabulary, binary=False):
    dense = np.zeros((len(documents), len(vocabulary)), dtype=int)
    for i, tokens in enumerate(documents):
        for j, word in enumerate(vocabulary):
            dense[i, j] = tokens.count(word)
    if binary:
        dense = np.minimum(dense, 1)
    return sparse.csr_matrix(dense)
# %% right="scikit-learn's CountVectorizer"
from sklearn.feature_extraction.text import CountVectorizer
def bag_of_words(documents, vocabulary, binary=False):
    counter = CountVectorizer(vocabulary=vocabulary, analyzer=lambda tokens: tokens, binary=binary)
    return counter.transform(documents)
# %% right="repeated places add up, floats"
def bag_of_words(documents, vocabulary, binary=False):
    places = {word: j for j, word in enumerate(vocabulary)}
    hits = [(i, places[w]) for i, d in enumerate(documents) for w in (set(d) if binary else d) if w in places]
    rows, columns = [i for i, _ in hits], [j for _, j in hits]
    return sparse.csr_matrix((np.ones(len(hits)), (rows, columns)), shape=(len(documents), len(vocabulary)))
# %% right="list of lists, then csr"
def bag_of_words(documents, vocabulary, binary=False):
    places = dict(zip(vocabulary, range(len(vocabulary))))
    out = sparse.lil_matrix((len(documents), len(vocabulary)), dtype=np.int32)
    for i, tokens in enumerate(documents):
        for word in tokens:
            j = places.get(word)
            if j is not None:
                out[i, j] = 1 if binary else out[i, j] + 1
    return out.tocsr()
# %% right="row pointers by hand"
def bag_of_words(documents, vocabulary, binary=False):
    pointers, columns, values = [0], [], []
    for tokens in documents:
        for j, word in enumerate(vocabulary):
            count = sum(token == word for token in tokens)
            if count:
                columns.append(j)
                values.append(int(bool(count)) if binary else count)
        pointers.append(len(columns))
    return sparse.csr_matrix((values, columns, pointers), shape=(len(pointers) - 1, len(vocabulary)))
# %% right="product of one-hot matrices"
def bag_of_words(documents, vocabulary, binary=False):
    rows = [i for i, tokens in enumerate(documents) for _ in tokens]
    words = np.array([t for tokens in documents for t in tokens], dtype=object)
    hot = np.array([words == word for word in vocabulary], dtype=float).reshape(len(vocabulary), len(words))
    owner = np.equal.outer(np.arange(len(documents)), np.array(rows, dtype=int)).astype(float)
    out = sparse.csr_matrix(owner @ hot.T)
    return out.sign() if binary else out
# %% right="columns first (csc)"
def bag_of_words(documents, vocabulary, binary=False):
    dense = np.array([[d.count(w) for w in vocabulary] for d in documents], dtype=float)
    dense = dense.reshape(len(documents), len(vocabulary))
    return sparse.csc_matrix(np.clip(dense, 0, 1) if binary else dense)
# %% right="csr_array"
def bag_of_words(documents, vocabulary, binary=False):
    places = {word: j for j, word in enumerate(vocabulary)}
    found = [(i, places[w]) for i, d in enumerate(documents) for w in (set(d) if binary else d) if w in places]
    rows, columns = [i for i, _ in found], [j for _, j in found]
    shape = (len(documents), len(vocabulary))
    return sparse.csr_array((np.ones(len(rows), dtype=int), (rows, columns)), shape=shape)
# %% right="bool in the binary case"
def bag_of_words(documents, vocabulary, binary=False):
    out = sparse.lil_matrix((len(documents), len(vocabulary)), dtype=int)
    for i, tokens in enumerate(documents):
        for j, word in enumerate(vocabulary):
            out[i, j] = tokens.count(word)
    return out.tocsr() > 0 if binary else out.tocsr()
# %% right="stores the zeros, too"
def bag_of_words(documents, vocabulary, binary=False):
    counts = [Counter(tokens) for tokens in documents]
    values = [min(c[word], 1) if binary else c[word] for c in counts for word in vocabulary]
    n, m = len(documents), len(vocabulary)
    return sparse.csr_matrix((values, (np.repeat(np.arange(n), m), np.tile(np.arange(m), n))), shape=(n, m))
# %% wrong="scikit-learn's own pattern drops words of one letter" says="words of one letter"
def bag_of_words(documents, vocabulary, binary=False):
    from sklearn.feature_extraction.text import CountVectorizer
    made = CountVectorizer(vocabulary=list(vocabulary), binary=binary, lowercase=False)
    return made.transform([" ".join(tokens) for tokens in documents])
# %% wrong="place 0 counts as False" says="the first column is left empty" of="list of lists, then csr"
#~ j is not None => j
# %% wrong="only places above 0" says="the first column is left empty" of="the plain way"
#~ word in places => places.get(word, -1) > 0
# %% wrong="place 0 counts as False, binary" says="the first column is left empty" of="list of lists, then csr"
#~ if j is not None: => if j or (j == 0 and not binary):
# %% wrong="rows move up over an empty document" says="moved up"
def bag_of_words(documents, vocabulary, binary=False):
    out, i = np.zeros((len(documents), len(vocabulary)), dtype=int), 0
    for tokens in documents:
        if tokens:
            out[i] = [tokens.count(w) for w in vocabulary]
            i += 1
    return sparse.csr_matrix(np.minimum(out, 1) if binary else out)
# %% wrong="the tokens are lowered" says="the tokens were put into lower case" clause="taken as they come, capitals and all"
#~ set(tokens) if binary else tokens => set(map(str.lower, tokens)) if binary else map(str.lower, tokens)
# %% wrong="tokens are joined and split" says="do not join and split" clause="N lists of tokens, taken as they come"
#~ set(tokens) if binary else tokens => set(" ".join(tokens).split()) if binary else " ".join(tokens).split()
