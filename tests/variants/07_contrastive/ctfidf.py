# %% wrong="counts" says="divided by the number of words of its cluster"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    return counts * np.log1p(counts.sum() / len(counts) / np.maximum(counts.sum(0), 1))

# %% wrong="no 1" says="1 is added inside"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    shares = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return shares * np.log(counts.sum() / len(counts) / np.maximum(counts.sum(0), 1))

# %% wrong="all words" says="not the number of all words"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    shares = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return shares * np.log1p(counts.sum() / np.maximum(counts.sum(0), 1))

# %% wrong="NaN" says="has weight 0"
def c_tf_idf(counts):
    counts = np.asarray(counts, dtype=float)
    with np.errstate(all="ignore"):
        return counts / counts.sum(1, keepdims=True) * np.log1p(counts.sum() / len(counts) / counts.sum(0))

# %% right="loops"
def c_tf_idf(counts):
    counts = np.asarray(counts)
    K, V = counts.shape
    A = counts.sum() / K
    out = np.zeros((K, V))
    for k in range(K):
        for v in range(V):
            if counts[k, v]:
                out[k, v] = counts[k, v] / counts[k].sum() * math.log(1 + A / counts[:, v].sum())
    return out

# %% right="torch"
def c_tf_idf(counts):
    n = torch.as_tensor(counts, dtype=torch.float64)
    shares = torch.nan_to_num(n / n.sum(1, keepdim=True))
    return torch.nan_to_num(shares * torch.log(1 + n.sum(1).mean() / n.sum(0)))
