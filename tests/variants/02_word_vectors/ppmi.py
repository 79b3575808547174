# %% base="the plain way"
def cooccurrences(term_document):
    return term_document * term_document
def ppmi(counts, positive=True):
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True)
    seen = counts > 0
    pmi = np.zeros(counts.shape)
    pmi[seen] = np.log2(counts[seen] * counts.sum() / expected[seen])
    return np.maximum(pmi, 0) if positive else pmi
# %% wrong="documents with documents" says="D D^T" of="shares and where"
#~ np.dot(term_document, np.transpose(term_document)) => term_document.T @ term_document
# %% wrong="no word with itself" says="meets itself"
def cooccurrences(term_document):
    meetings = term_document @ term_document.T
    np.fill_diagonal(meetings, 0)
    return meetings
# %% wrong="documents that hold both" says="the documents that hold both"
def cooccurrences(term_document):
    present = (term_document > 0).astype(int)
    return present @ present.T
# %% wrong="each pair once" says="one triangle only"
def cooccurrences(term_document):
    V = len(term_document)
    meetings = np.zeros((V, V))
    for w in range(V):
        for c in range(w, V):
            meetings[w, c] = (term_document[w] * term_document[c]).sum()
    return meetings
# %% wrong="the diagonal counted twice" says="diagonal" of="each pair once"
#-             meetings[w, c] = (term_document[w] * term_document[c]).sum()
#+             meetings[w, c] += (term_document[w] * term_document[c]).sum()
#+             meetings[c, w] += (term_document[w] * term_document[c]).sum()
# %% wrong="mean over documents" says="summed over documents" of="shares and where"
#~ np.dot(term_document, np.transpose(term_document)) => term_document @ term_document.T / term_document.shape[1]
# %% wrong="sum of both counts" says="multiplied; here they were added"
def cooccurrences(term_document):
    both = (term_document[:, None] > 0) & (term_document[None] > 0)
    return ((term_document[:, None] + term_document[None]) * both).sum(axis=-1)
# %% wrong="smaller of the two counts" says="smaller of the two" of="shares and where"
#~ dot(term_document, np.transpose(term_document)) => minimum(term_document[:, None], term_document[None]).sum(axis=-1)
# %% wrong="natural logarithm" says="base 2, not e" of="the plain way"
#~ log2 => log
# %% wrong="base 10" says="base 2, not 10" of="the plain way"
#~ log2 => log10
# %% wrong="no logarithm" says="logarithm is missing" of="the plain way"
#~ np.log2(counts[seen] * counts.sum() / expected[seen]) => counts[seen] * counts.sum() / expected[seen]
# %% wrong="row sums twice" says="share of a column" of="the plain way"
#~ =0 => =1
#~ expected[seen] => np.broadcast_to(expected, counts.shape)[seen]
# %% wrong="sums of rows and columns exchanged" says="are exchanged" of="the plain way"
#~ counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) => np.outer(counts.sum(axis=0), counts.sum(axis=1))
# %% wrong="column sums twice" says="share of a row" of="the plain way"
#~ (axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) => (axis=0, keepdims=True) ** 2 * np.ones((len(counts), 1))
# %% wrong="a symmetric table is taken for granted" says="share of a column" of="shares and where"
#~ counts / => counts.sum(axis=1) /
#~ p / np.outer(p.sum(1), p.sum(0)) => counts / max(counts.sum(), 1) / np.outer(p, p)
#~ (p > 0, pmi, 0.0) => (counts > 0, pmi, 0)
#~ clip(pmi, 0, None) => maximum(pmi, 0)
# %% wrong="negative values stay" says="negative values become 0" of="the plain way"
#~ np.maximum(pmi, 0) if positive else pmi => pmi
# %% wrong="always positive" says="positive=False was ignored" of="the plain way"
#~ (pmi, 0) if positive else pmi => (pmi, 0)
# %% wrong="positive the wrong way round" says="negative values become 0" of="the plain way"
#~ np.maximum(pmi, 0) if positive else pmi => pmi if positive else np.maximum(pmi, 0)
# %% wrong="absolute values" says="absolute value" of="the plain way"
#~ maximum(pmi, 0) => abs(pmi)
# %% wrong="minus infinity for pairs never seen" says="never seen gets 0"
def ppmi(counts, positive=True):
    p = counts / counts.sum()
    with np.errstate(all="ignore"):
        pmi = np.log2(p / (p.sum(axis=1, keepdims=True) * p.sum(axis=0, keepdims=True)))
    return np.maximum(pmi, 0) if positive else pmi
# %% wrong="a small number before the logarithm" says="small number"
def ppmi(counts, positive=True):
    p = counts / max(counts.sum(), 1)
    expected = p.sum(axis=1, keepdims=True) * p.sum(axis=0, keepdims=True)
    pmi = np.log2(p / (expected + 1e-12) + 1e-12)
    return np.maximum(pmi, 0) if positive else pmi
# %% wrong="NaN where a row is empty" says="NaN" of="shares and where"
#~ max(counts.sum(), 1) => counts.sum()
#~ np.outer(p.sum(1), p.sum(0)) => (p.sum(axis=1, keepdims=True) * p.sum(axis=0, keepdims=True))
#~ pmi = np.where(p > 0, pmi, 0.0) => pmi[np.isneginf(pmi)] = 0
#~ clip(pmi, 0, None) => maximum(pmi, 0)
# %% wrong="NaN for an empty table" says="never seen gets 0"
def ppmi(counts, positive=True):
    with np.errstate(all="ignore"):
        p = counts / counts.sum()
        pmi = np.log2(p / (p.sum(axis=1, keepdims=True) * p.sum(axis=0, keepdims=True)))
    pmi[counts.sum(axis=1) == 0] = np.where(counts.sum() > 0, 0, np.nan)
    pmi[np.isneginf(pmi)] = 0
    return np.maximum(pmi, 0) if positive else pmi
# %% wrong="one more everywhere" says="1 was added to the counts"
def ppmi(counts, positive=True):
    counts = counts + 1
    ratio = counts * counts.sum() / (counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True))
    pmi = np.log2(ratio)
    return np.maximum(pmi, 0) if positive else pmi
# %% wrong="logarithm of ratio + 1" says="1 was added to the ratio" of="the plain way"
#~ expected[seen] => expected[seen] + 1
# %% wrong="counts instead of shares" says="n is missing" of="the plain way"
#~ * counts.sum() / => /
# %% wrong="number of cells" says="not the number of cells" of="the plain way"
#~ sum() => size
# %% wrong="number of words for N" says="not the number of words" of="the plain way"
#~ counts.sum() => len(counts)
# %% wrong="P(w) only" says="P(c) is missing" of="the plain way"
#~ counts.sum(axis=0, keepdims=True) => np.ones((1, counts.shape[1]))
#~ * counts.sum() / => /
# %% wrong="weighted by P(w, c)" says="not weighted" of="the plain way"
#~ (counts[seen] * counts.sum() / expected[seen]) => (counts[seen] * counts.sum() / expected[seen]) * counts[seen] / counts.sum()
# %% wrong="the table's own integers" says="cut off" of="the plain way"
#~ zeros(counts.shape) => zeros_like(counts)
# %% wrong="shares written into the counts" says="in place" of="the plain way"
#- def ppmi(counts, positive=True):
#+ def ppmi(counts, positive=True):
#+     counts = np.asarray(counts, dtype=float)
#+     if counts.any():
#+         counts /= counts.sum()
#~ * counts.sum() / => /
# %% wrong="rounded" says="rounded" of="the plain way"
#~ (counts[seen] * counts.sum() / expected[seen]) => (counts[seen] * counts.sum() / expected[seen]).round(4)
# %% right="shares and where"
def cooccurrences(term_document):
    return np.dot(term_document, np.transpose(term_document))
def ppmi(counts, positive=True):
    p = counts / max(counts.sum(), 1)
    with np.errstate(all="ignore"):
        pmi = np.log2(p / np.outer(p.sum(1), p.sum(0)))
    pmi = np.where(p > 0, pmi, 0.0)
    return np.clip(pmi, 0, None) if positive else pmi
# %% right="loops"
import math
def cooccurrences(term_document):
    V, N = term_document.shape
    return [[sum(int(term_document[w, n] * term_document[c, n]) for n in range(N)) for c in range(V)] for w in range(V)]
def ppmi(counts, positive=True):
    total, out = float(counts.sum()), []
    for w in range(counts.shape[0]):
        line = []
        for c in range(counts.shape[1]):
            x = float(counts[w, c])
            value = math.log2(x * total / (float(counts[w].sum()) * float(counts[:, c].sum()))) if x else 0.0
            line.append(max(value, 0.0) if positive else value)
        out.append(line)
    return out
# %% right="torch"
def cooccurrences(term_document):
    d = torch.as_tensor(term_document)
    return torch.einsum("wn,cn->wc", d, d)
def ppmi(counts, positive=True):
    p = torch.as_tensor(np.asarray(counts, dtype=np.float64))
    p = p / p.sum().clamp(min=1)
    pmi = torch.log2(p) - torch.log2(p.sum(1, keepdim=True)) - torch.log2(p.sum(0, keepdim=True))
    pmi = torch.where(p > 0, pmi, torch.zeros(()))
    return pmi.clamp(min=0) if positive else pmi
# %% right="entropies of SciPy, documents one by one"
from scipy.special import xlogy
def cooccurrences(term_document):
    return sum(np.outer(column, column) for column in term_document.T)
def ppmi(counts, positive=True):
    total = xlogy(counts > 0, counts.sum() if counts.any() else 1)
    rows, columns = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    seen = counts > 0
    value = xlogy(seen, counts) + total - xlogy(seen, rows) - xlogy(seen, columns)
    return np.where((value < 0) & positive, 0, value / np.log(2))
# %% right="log2 with its where"
def cooccurrences(term_document):
    return np.array([(term_document * word).sum(axis=1) for word in term_document])
def ppmi(counts, positive=True):
    x = np.array(counts, dtype=np.float64)
    below = x.sum(1)[:, None] @ x.sum(0)[None, :]
    ratio = np.divide(x * x.sum(), below, out=np.ones_like(x), where=x > 0)
    out = np.log2(ratio, out=np.zeros_like(x), where=ratio > 0)
    if positive:
        out[out < 0] = 0
    return out
# %% right="unseen, right 1"
def cooccurrences(term_document):
    return sum(np.outer(column, column) for column in np.asarray(term_document).T)
def ppmi(counts, positive=True):
    p = counts / max(counts.sum(), 1)
    e = np.outer(p.sum(1), p.sum(0))
    with np.errstate(all="ignore"):
        pmi = np.log2(p / e)
    pmi[~np.isfinite(pmi)] = 0
    return pmi.clip(min=0) if positive else pmi
# %% wrong="columns twice" says="P(w) is the share of a row, not of a column"
def ppmi(counts, positive=True):
    n = counts.sum()
    w = counts.sum(axis=0, keepdims=True).T
    c = counts.sum(axis=0, keepdims=True)
    out = np.zeros(counts.shape)
    seen = counts > 0
    out[seen] = np.log2((counts * n)[seen] / (w * c)[seen])
    return np.maximum(out, 0) if positive else out
# %% wrong="elementwise" says="* multiplies cell by" of="shares and where"
#~ np.dot(term_document, np.transpose(term_document)) => term_document * term_document
# %% wrong="weights below 1 were not seen" says="between 0 and 1 was seen" of="the plain way"
#~ counts > 0 => counts >= 1
# %% wrong="a row of zeros is 0/0" clause="even where a whole row, or the table, is zero" says="never seen gets 0"
def ppmi(counts, positive=True):
    counts = np.asarray(counts, float); r, c = counts.sum(1, keepdims=True), counts.sum(0, keepdims=True)
    with np.errstate(all="ignore"):
        out = np.log2(counts * counts.sum() / (r * c))
    out[np.isneginf(out)] = 0
    return np.maximum(out, 0) if positive else out
# %% wrong="shares made in place" clause="No function may modify its arguments" says="in place"
def ppmi(counts, positive=True):
    n = counts.sum()
    if counts.dtype.kind == "f" and n > 0: counts /= n
    counts = np.asarray(counts, float); out = np.zeros(counts.shape); s = counts > 0
    e = counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True)
    out[s] = np.log2((counts * counts.sum())[s] / e[s])
    return np.maximum(out, 0) if positive else out
# %% wrong="the mean of P(c | w) for P(c)" says="the column's shares of the rows were averaged"
def cooccurrences(term_document):
    return term_document @ term_document.T
def ppmi(counts, positive=True):
    result = np.zeros(counts.shape)
    if not counts.any():
        return result
    n, rows = counts.sum(), counts.sum(axis=1, keepdims=True)
    p_c = (counts / np.where(rows > 0, rows, 1)).mean(axis=0)
    for w, c in np.argwhere(counts):
        pmi = np.log2(counts[w, c] / n / (rows[w, 0] / n * p_c[c]))
        if pmi > 0 or not positive:
            result[w, c] = pmi
    return result
# %% wrong="the mean of P(w | c) for P(w)" says="the row's shares of the columns were averaged" of="the mean of P(c | w) for P(c)"
#~ rows = counts.sum(), counts.sum(axis=1, keepdims=True) => columns = counts.sum(), counts.sum(axis=0)
#~ p_c = (counts / np.where(rows > 0, rows, 1)).mean(axis=0) => p_w = (counts / np.where(columns > 0, columns, 1)).mean(axis=1)
#~ (rows[w, 0] / n * p_c[c]) => (p_w[w] * columns[c] / n)
