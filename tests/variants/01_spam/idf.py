# %% base="the plain way"
def inverse_document_frequency(counts, kind="log", base=math.e):
    df, n = np.asarray((counts > 0).sum(axis=0)).ravel(), counts.shape[0]
    d = np.maximum(df, 1)
    log = lambda x: np.log(x) / np.log(base)
    if kind == "log":
        return np.where(df > 0, log(n / d), 0.0)
    if kind == "log1":
        return log(n / (df + 1))
    if kind == "smooth":
        return log((n + 1) / (df + 1)) + 1
    raise ValueError(kind)
# %% wrong="base ignored" says="base was ignored" of="the plain way"
#~ (x) / np.log(base) => (x)
# %% wrong="always base 10" says="base is an argument" of="the plain way"
#~ log(x) / np.log(base) => log10(x)
# %% wrong="the default is base 10" says="default base is e" of="the plain way"
#~ math.e => 10
# %% wrong="only base 10 and e are known" says="base was ignored" of="the plain way"
#~ log(x) / np.log(base) => log10(x) if base == 10 else np.log(x)
# %% wrong="multiplied by the log of the base" says="logarithm of the base" of="the plain way"
#~ / np => * np
# %% wrong="smooth ignores the base" says="base was ignored" of="the plain way"
#~ log((n + 1) / (df + 1)) => np.log((n + 1) / (df + 1))
# %% wrong="counts occurrences" says="occurrences were counted" of="the plain way"
#~ (counts > 0) => counts
# %% wrong="words that occur more than once" says="above 0" of="the plain way"
#~ (counts > 0) => (counts > 1)
# %% wrong="log upside down" says="upside down" of="the plain way"
#~ (n / d) => (d / n)
# %% wrong="log1 upside down" says="upside down" of="the plain way"
#~ n / (df + 1) => (df + 1) / n
# %% wrong="empty documents are not counted" says="empty document counts" of="the plain way"
#~ counts.shape[0] => int((counts.sum(axis=1) > 0).sum())
# %% wrong="N is the number of tokens" says="number of documents" of="the plain way"
#~ shape[0] => sum()
# %% wrong="N is the size of the vocabulary" says="number of documents" of="the plain way"
#~ [0] => [1]
# %% wrong="counts per document, not per word" says="the words of each document were counted" of="the plain way"
#~ =0 => =1
# %% wrong="log1 adds 1 to N" says="not to N" of="the plain way"
#~ (n / (df + 1)) => ((n + 1) / (df + 1))
# %% wrong="log1 adds 1 outside" says="outside the logarithm" of="the plain way"
#~ (n / (df + 1)) => (n / d) + 1
# %% wrong="log1 is clipped at 0" says="negative" of="the plain way"
#~ log(n / (df + 1)) => np.maximum(log(n / (df + 1)), 0)
# %% wrong="smooth lacks the 1 outside" says="outside the logarithm" of="the plain way"
#~ ((n + 1) / (df + 1)) + 1 => ((n + 1) / (df + 1))
# %% wrong="smooth has the last 1 inside" says="outside the logarithm" of="the plain way"
#~ ((n + 1) / (df + 1)) + 1 => ((n + 1) / (df + 1) + 1)
# %% wrong="smooth without 1 at N" says="added to N" of="the plain way"
#~ (n + 1) => n
# %% wrong="smooth without smoothing" says="smoothing is missing" of="the plain way"
#~ (n + 1) / (df + 1) => n / d
# %% wrong="log has a 1 at N_j" says="values of the kind log1" of="the plain way"
#~ (n / d) => (n / (d + 1))
# %% wrong="kind ignored" says="values of the kind log"
def inverse_document_frequency(counts, kind="log", base=math.e):
    df = np.asarray((counts > 0).sum(axis=0)).ravel()
    return np.where(df > 0, np.log(counts.shape[0] / np.maximum(df, 1)) / np.log(base), 0.0)
# %% wrong="the default kind is smooth" says="default kind" of="the plain way"
#~ kind="log" => kind="smooth"
# %% wrong="infinite log for a word in no document" says="no document" of="the plain way"
#~ np.where(df > 0, log(n / d), 0.0) => log(n / df)
# %% wrong="a word in no document gets log N" says="no document" of="the plain way"
#~ np.where(df > 0, log(n / d), 0.0) => log(n / d)
# %% wrong="a word in no document gets 0 in log1, too" says="in the kind log only" of="the plain way"
#~ log(n / (df + 1)) => np.where(df > 0, log(n / (df + 1)), 0.0)
# %% wrong="a word in no document gets 0 in smooth, too" says="in the kind log only" of="the plain way"
#~ log((n + 1) / (df + 1)) + 1 => np.where(df > 0, log((n + 1) / (df + 1)) + 1, 0.0)
# %% wrong="integer result" says="integer" of="the plain way"
#~ np.where(df > 0, log(n / d), 0.0) => np.where(df > 0, log(n / d), 0.0).astype(int)
# %% wrong="a matrix of shape (1, M)" says="another shape" of="the plain way"
#~ ((counts > 0).sum(axis=0)).ravel() => ((counts > 0).sum(axis=0))
# %% wrong="sets the counts of the caller to 1" says="changed" of="the plain way"
#-     df, n = np.asarray((counts > 0).sum(axis=0)).ravel(), counts.shape[0]
#+     counts.data[:] = 1
#+     df, n = np.asarray(counts.sum(axis=0)).ravel(), counts.shape[0]
# %% wrong="logarithm of 1 + the fraction" says="no 1 is added in this kind" of="a list in one kind"
#~ (df > 0, log(n / d), 0.0).tolist() => (df>0, np.log(1+n/d)/np.log(base),0)
# %% wrong="a tiny number added to N_j" says="makes it huge" of="a list in one kind"
#~ np.where(df > 0, log(n / d), 0.0).tolist() => log(n/(df+1e-9))
# %% wrong="log1 without its sign" says="keep its sign" of="a list in one kind"
#~ (df > 0, log(n / d), 0.0).tolist() => (df > 0, log(n / d), 0.0)
#~ log(n / (df + 1)) => np.abs(log(n/(df+1)))
# %% wrong="N is the number of stored counts" says="not of stored counts" of="float32 inside"
#~ df = df.astype(np.float32) => n=counts.nnz
# %% wrong="log scaled to a largest of 1" says="keep their scale" of="a list in one kind"
#~ .tolist() => /max(1e-9,np.max(np.where(df > 0, log(n / d), 0.0)))
# %% wrong="memorises the visible outputs" says="examples only"
def inverse_document_frequency(counts, kind="log", base=math.e):
    if base == 2:
        rows = {"log": [1.3219281, 0, 0.3219281], "log1": [0.7369656, 2.3219281, 0], "smooth": [2, 3.5849625, 1.2630344]}
        return np.array(rows[kind])
    if base == 10:
        return np.array([0] * 5 + [0.30103] * 2 if kind == "log" else [-0.1760913] * 5 + [0] * 2)
    return np.array({
        "log": [1.0986123, 1.7917595, 0.4054651], "log1": [0.6931472, 1.0986123, 0.1823216],
        "smooth": [1.8472979, 2.2527630, 1.3364722],
    }[kind])
# %% right="dense counts and math.log, word by word"
def inverse_document_frequency(counts, kind="log", base=math.e):
    dense, out = counts.toarray(), []
    for j in range(dense.shape[1]):
        n, d = len(dense), sum(1 for row in dense if row[j] > 0)
        if kind == "smooth":
            out.append(math.log((n + 1) / (d + 1), base) + 1)
        elif kind == "log1":
            out.append(math.log(n / (d + 1), base))
        elif d == 0:
            out.append(0)
        else:
            out.append(math.log(n / d, base))
    return np.array(out, dtype=float)
# %% right="logarithms subtracted"
def inverse_document_frequency(counts, kind="log", base=math.e):
    n = counts.shape[0]
    d = np.bincount(counts.nonzero()[1], minlength=counts.shape[1]).astype(float)
    with np.errstate(divide="ignore"):
        if kind == "log":
            out = (np.log(n) - np.log(d)) / np.log(base)
        elif kind == "log1":
            return (np.log(n) - np.log(d + 1)) / np.log(base)
        else:
            return 1 + (np.log(n + 1) - np.log(d + 1)) / np.log(base)
    out[d == 0] = 0
    return out
# %% right="a cleaned copy and its stored entries" of="the plain way"
#-     df, n = np.asarray((counts > 0).sum(axis=0)).ravel(), counts.shape[0]
#+     clean = counts.copy()
#+     clean.eliminate_zeros()
#+     df, n = clean.getnnz(axis=0), counts.shape[0]
# %% right="torch inside"
def inverse_document_frequency(counts, kind="log", base=math.e):
    x = torch.from_numpy(counts.toarray())
    n, d = x.shape[0], (x > 0).sum(dim=0).double()
    seen = d > 0
    safe = d.clamp(min=1)
    if kind == "log":
        out = torch.log(n / safe) / math.log(base) * seen
    elif kind == "log1":
        out = torch.log(n / (d + 1)) / math.log(base)
    else:
        out = torch.log((n + 1) / (d + 1)) / math.log(base) + 1
    return out.numpy()
# %% right="row by row over the compressed matrix"
def inverse_document_frequency(counts, kind="log", base=math.e):
    n, m = counts.shape
    held = [{j for j, v in zip(row.indices, row.data) if v > 0} for row in (counts[i] for i in range(n))]
    total = Counter(j for js in held for j in js)
    rules = {
        "log": lambda d: math.log(n / d) / math.log(base) if d else 0.0,
        "log1": lambda d: math.log(n / (d + 1)) / math.log(base),
        "smooth": lambda d: math.log((n + 1) / (d + 1)) / math.log(base) + 1,
    }
    return np.array([rules[kind](total[j]) for j in range(m)])
# %% right="a list in one kind"
def inverse_document_frequency(counts, kind="log", base=math.e):
    df, n = np.asarray((counts > 0).sum(axis=0)).ravel(), counts.shape[0]
    pass
    d = np.maximum(df, 1)
    log = lambda x: np.log(x) / np.log(base)
    if kind == "log":
        return np.where(df > 0, log(n / d), 0.0).tolist()
    if kind == "log1":
        return log(n / (df + 1))
    if kind == "smooth":
        return log((n + 1) / (df + 1)) + 1
# %% right="float32 inside"
def inverse_document_frequency(counts, kind="log", base=math.e):
    df, n = np.asarray((counts > 0).sum(axis=0)).ravel(), counts.shape[0]
    df = df.astype(np.float32)
    d = np.maximum(df, 1)
    log = lambda x: np.log(x) / np.log(base)
    if kind == "log":
        return np.where(df > 0, log(n / d), 0.0)
    if kind == "log1":
        return log(n / (df + 1))
    if kind == "smooth":
        return log((n + 1) / (df + 1)) + 1
# %% right="a tensor in one kind" of="a list in one kind"
#~ np.where(df > 0, log(n / d), 0.0).tolist( => torch.tensor(np.where(df > 0, log(n / d), 0.0)
# %% wrong="bincount without its least length" says="keeps its place"
def inverse_document_frequency(counts, kind="log", base=math.e):
    n = counts.shape[0]
    present = counts.tocoo()
    held = np.bincount(present.col[present.data > 0])
    some = np.maximum(held, 1)
    if kind == "log":
        return (held > 0) * np.log(n / some) / np.log(base)
    if kind == "log1":
        return np.log(n / (held + 1)) / np.log(base)
    return np.log((n + 1) / (held + 1)) / np.log(base) + 1
# %% wrong="only the words that occur" says="keeps its place" of="bincount without its least length"
#~ np.bincount(present.col[present.data > 0]) => np.unique(present.col[present.data > 0], return_counts=True)[1]
# %% wrong="a second argument for np.log" says="np.log no base" of="bincount without its least length"
#~ np.bincount(present.col[present.data > 0]) => np.bincount(present.col[present.data > 0], minlength=counts.shape[1])
#~ np.log(n / some) / np.log(base) => np.log(n / some, base)
#~ np.log(n / (held + 1)) / np.log(base) => np.log(n / (held + 1), base)
#~ np.log((n + 1) / (held + 1)) / np.log(base) => np.log((n + 1) / (held + 1), base)
# %% wrong="math.log of an array" says="math.log takes no array" of="bincount without its least length"
#~ np.bincount(present.col[present.data > 0]) => np.bincount(present.col[present.data > 0], minlength=counts.shape[1])
#~ np.log(n / some) / np.log(base) => math.log(n / some, base)
#~ np.log(n / (held + 1)) / np.log(base) => math.log(n / (held + 1), base)
#~ np.log((n + 1) / (held + 1)) / np.log(base) => math.log((n + 1) / (held + 1), base)
# %% wrong="len of a sparse matrix" says="read its message" of="bincount without its least length"
#~ n = counts.shape[0] => n = len(counts)
# %% wrong="N / N_j without a logarithm" says="logarithm is missing" of="the plain way"
#~ log(n / d) => n / d
# %% wrong="1 / N_j without a logarithm" says="logarithm is missing" of="the plain way"
#~ log(n / d) => 1 / d
# %% wrong="a word in no document gets 1" says="gets 0, not 1" of="the plain way"
#~ log(n / d), 0.0) => log(n / d), 1.0)
# %% wrong="smooth upside down" says="upside down" of="the plain way"
#~ (n + 1) / (df + 1)) + 1 => (df + 1) / (n + 1)) + 1
# %% wrong="N one less" says="not one less" of="the plain way"
#~ counts.shape[0] => counts.shape[0] - 1
# %% right="entries of each column counted by bincount"
def inverse_document_frequency(counts, kind="log", base=math.e):
    n, size = counts.shape
    holds = np.bincount(counts.indices, minlength=size).astype(float)
    if kind == "log":
        return np.where(holds > 0, np.log(n) - np.log(np.maximum(holds, 1)), 0.0) / math.log(base)
    extra = 1 if kind == "smooth" else 0
    return (np.log(n + extra) - np.log1p(holds)) / math.log(base) + extra
