# %% base="the plain way"
def c_tf_idf(counts):
    n = counts.sum(1, keepdims=True)
    return counts / np.maximum(n, 1) * np.log(1 + n.mean() / np.maximum(counts.sum(0), 1))
# %% wrong="counts" says="divided by the number of words of its cluster"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    return counts * np.log1p(counts.sum() / len(counts) / np.maximum(counts.sum(0), 1))
# %% wrong="no 1" says="1 is added inside"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    shares = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return shares * np.log(counts.sum() / len(counts) / np.maximum(counts.sum(0), 1))
# %% wrong="all words" says="not the number of all words" of="no 1"
#~ log(counts.sum() / len(counts) / np.maximum(counts.sum(0), 1)) => log1p(counts.sum() / np.maximum(counts.sum(0), 1))
# %% wrong="NaN" says="has weight 0"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    with np.errstate(all="ignore"):
        return counts / counts.sum(1, keepdims=True) * np.log1p(counts.sum() / len(counts) / counts.sum(0))
# %% right="loops" of="loops, another way"
#- def c_tf_idf(counts):
#+ def c_tf_idf(counts):
#+     counts = np.asarray(counts)
# %% right="torch"
def c_tf_idf(counts):
    n = torch.as_tensor(counts, dtype=torch.float64)
    shares = torch.nan_to_num(n / n.sum(1, keepdim=True))
    return torch.nan_to_num(shares * torch.log(1 + n.sum(1).mean() / n.sum(0)))
# %% wrong="NaN for an empty cluster" says="empty cluster" of="NaN"
#~ counts = np.asarray(counts, dtype=float) => f, A = counts.sum(0), counts.sum() / len(counts)
#~ log1p(counts.sum() / len(counts) / counts.sum(0)) => log(1 + A / np.maximum(f, 1))
# %% wrong="A over the non-empty clusters" says="empty"
def c_tf_idf(counts):
    n = counts.sum(1, keepdims=True)
    A = n[n > 0].mean() if n.any() else 0
    return counts / np.maximum(n, 1) * np.log(1 + A / np.maximum(counts.sum(0), 1))
# %% wrong="A is the mean over words" says="A is" of="the plain way"
#~ n.mean() => counts.sum() / counts.shape[1]
# %% wrong="log of 1 + f" says="added to f" of="the plain way"
#~ 1 + n.mean() / np.maximum(counts.sum(0), 1) => counts.mean() * counts.shape[1] / (1 + counts.sum(0))
# %% wrong="base 2" says="natural" of="the plain way"
#~ log => log2
# %% wrong="base 10" says="natural" of="the plain way"
#~ log => log10
# %% wrong="document frequency for f" says="comes" of="the plain way"
#~ (counts.sum(0), 1) => ((counts > 0).sum(0), 1)
# %% wrong="divided by the largest count" says="largest count" of="the plain way"
#~ (n, 1) => (counts.max(1, keepdims=True), 1)
# %% wrong="rows normalised at the end" says="length" of="A over the non-empty clusters"
#~ A = n[n > 0].mean() if n.any() else 0 => w = counts / np.maximum(n, 1) * np.log(1 + n.mean() / np.maximum(counts.sum(0), 1))
#~ counts / np.maximum(n, 1) * np.log(1 + A / np.maximum(counts.sum(0), 1)) => w / np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-12)
# %% wrong="integer division" says="rounded down" of="the plain way"
#~ n.mean() => counts.sum() // len(counts)
# %% wrong="smoothed counts" says="never comes" of="the plain way"
#~ np.maximum(n, 1) * np.log(1 + n.mean() / np.maximum(counts.sum(0), 1)) => (n + 1) * np.log(1 + n.mean() / (counts.sum(0) + 1))
# %% wrong="ones filled in place" says="in place" of="the plain way"
#-     return counts / np.maximum(n, 1) * np.log(1 + n.mean() / np.maximum(counts.sum(0), 1))
#+     A, f = n.mean(), np.maximum(counts.sum(0), 1)
#+     out = counts / np.maximum(n, 1) * np.log(1 + A / f)
#+     counts[:] = 0
#+     return out
# %% right="loops, another way"
def c_tf_idf(counts):
    K, V = counts.shape
    A = counts.sum() / K
    out = np.zeros((K, V))
    for k in range(K):
        for v in range(V):
            if counts[k, v]:
                out[k, v] = counts[k, v] / counts[k].sum() * math.log(1 + A / counts[:, v].sum())
    return out
# %% right="np.divide with where"
def c_tf_idf(counts):
    n = counts.astype(float)
    rows, f = n.sum(axis=1, keepdims=True), n.sum(axis=0)
    tf = np.divide(n, rows, out=np.zeros_like(n), where=rows > 0)
    ratio = np.divide(rows.mean(), f, out=np.zeros_like(f), where=f > 0)
    return tf * np.log1p(ratio)
# %% wrong="at least two clusters" says="one cluster" of="counts in a byte"
#-     counts = np.asarray(counts).astype(np.uint8)
#~ return counts / np.maximum(n, 1) * np.log1p(n.sum() / len(counts) / np.maximum(f, 1)) => return counts / np.maximum(n, 1) * np.log1p(n.sum() / max(len(counts), 2) / np.maximum(f, 1))
# %% wrong="counts in a byte" says="large counts"
def c_tf_idf(counts):
    counts = np.asarray(counts).astype(np.uint8)
    n, f = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    return counts / np.maximum(n, 1) * np.log1p(n.sum() / len(counts) / np.maximum(f, 1))
# %% right="NaN becomes 0"
def c_tf_idf(counts):
    with np.errstate(all="ignore"):
        w = counts / counts.sum(1)[:, None] * np.log(1 + counts.sum(1).mean() / counts.sum(0))
    return np.nan_to_num(w, nan=0.0, posinf=0.0)
# %% wrong="1 added to A" says="1 was added to A" of="f outside"
#~ return tf * np.log(1 + a) / f => return tf * np.log((1 + a) / f)
# %% wrong="f outside" says="f divides outside the logarithm"
def c_tf_idf(counts):
    n = np.asarray(counts, dtype=float)
    rows, f, a = n.sum(1, keepdims=True), n.sum(0), n.sum() / len(n)
    tf, f = n / np.where(rows == 0, 1, rows), np.where(f == 0, 1, f)
    return tf * np.log(1 + a) / f
# %% wrong="K over f" says="not the number of clusters" of="f outside"
#~ return tf * np.log(1 + a) / f => return tf * np.log(1 + len(n) / f)
# %% wrong="the own cluster's words" says="the words of its own cluster" of="f outside"
#~ return tf * np.log(1 + a) / f => return tf * np.log(1 + rows / f)
# %% wrong="the logarithm of counts" says="the logarithm of the counts" of="f outside"
#~ return tf * np.log(1 + a) / f => return np.log1p(n) / np.where(rows == 0, 1, rows) * np.log(1 + a / f)
