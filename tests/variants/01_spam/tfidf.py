# %% wrong="counts are lost" says="counts were lost" of="dense inside"
#~ counts.toarray() => (counts.toarray() > 0)
# %% wrong="never normalised" says="not normalised" of="dense inside"
#~ normalize: => False:
# %% wrong="always normalised" says="normalize=False was ignored" of="dense inside"
#~ normalize: => True:
# %% wrong="normalize turned round" says="normalize=False was ignored" of="dense inside"
#~ normalize: => not normalize:
# %% wrong="divides by the sum" says="not by the sum" of="dense inside"
#~ np.sqrt((x**2).sum(axis=1, keepdims=True)) => x.sum(axis=1, keepdims=True)
# %% wrong="divides by the largest entry" says="not by the largest" of="dense inside"
#~ sqrt((x**2).sum(axis=1, keepdims=True)) => abs(x).max(axis=1, keepdims=True)
# %% wrong="divides by the number of tokens" says="Euclidean norm" of="dense inside"
#~ np.sqrt((x**2).sum(axis=1, keepdims=True)) => counts.toarray().sum(axis=1, keepdims=True).astype(float)
# %% wrong="divides by the root of the mean square" says="mean" of="dense inside"
#~ sum => mean
# %% wrong="normalises columns" says="columns were normalised" of="dense inside"
#~ (axis=1, keepdims=True) => (axis=0, keepdims=True)
# %% wrong="one norm for the whole matrix" says="each row" of="dense inside"
#~ sqrt((x**2).sum(axis=1, keepdims=True)) => full((len(x), 1), np.linalg.norm(x))
# %% wrong="normalises before the IDF" says="not before" of="dense inside"
#~ x**2 => counts.toarray() ** 2.0
# %% wrong="no root" says="root is missing" of="dense inside"
#~ np.sqrt((x**2).sum(axis=1, keepdims=True)) => (x**2).sum(axis=1, keepdims=True)
# %% wrong="row of zeros becomes NaN" says="NaN" of="dense inside"
#-         norms[norms == 0] = 1
# %% wrong="row of zeros raises" says="zero norm" of="dense inside"
#-         norms[norms == 0] = 1
#+         if (norms == 0).any():
#+             raise ValueError("zero norm")
# %% wrong="row of zeros is dropped" says="shape (2, 3) came, shape (3, 3) was expected" of="dense inside"
#~ norms[norms == 0] = 1 => x, norms = x[norms[:, 0] > 0], norms[norms > 0][:, None]
# %% wrong="short rows are not scaled up" says="below 1" of="dense inside"
#~ norms[norms == 0] = 1 => norms = np.maximum(norms, 1)
# %% wrong="adds 1 to every norm" says="length 1" of="dense inside"
#~ norms[norms == 0] = => norms = norms +
# %% wrong="IDF squared" says="squared" of="dense inside"
#~ * idf => * idf * idf
# %% wrong="divides by the IDF" says="multipl" of="dense inside"
#~ * idf => / np.where(idf == 0, 1, idf) * (idf != 0)
# %% wrong="weights cut off at 30" says="do not cut it off" of="dense inside"
#~ toarray() * idf => toarray() * np.minimum(idf, 30)
# %% wrong="adds the IDF" says="multipl" of="dense inside"
#~ * idf => + (counts.toarray() > 0) * idf
# %% wrong="relative frequencies without normalize" says="plain counts" of="dense inside"
#~ * idf => / np.maximum(counts.toarray().sum(axis=1, keepdims=True), 1) * idf
# %% wrong="logarithm of the counts" says="plain counts" of="dense inside"
#~ counts.toarray() => np.log1p(counts.toarray())
# %% wrong="keeps the integer type of the counts" says="integer" of="dense inside"
#~ (x) => (x.astype(counts.dtype))
# %% wrong="returns a dense array" says="keep it sparse" of="dense inside"
#~ sparse.csr_matrix(x) => x
# %% wrong="scales the counts of the caller" says="changed" of="dense inside"
#-     x = counts.toarray() * idf
#+     if counts.dtype.kind != "f":
#+         counts = counts.astype(float)
#+     counts.data *= np.asarray(idf)[counts.indices]
#~ (x**2).sum(axis=1, keepdims=True) => np.asarray(counts.multiply(counts).sum(axis=1)).ravel()
#~ x = x / norms => counts = sparse.diags(1 / norms) @ counts
#~ (x) => (counts)
# %% wrong="normalises the rows in place" says="changed" of="dense inside"
#-     x = counts.toarray() * idf
#+     out = sparse.csr_matrix(counts, dtype=float)
#+     np.multiply(out.data, np.asarray(idf)[out.indices], out=out.data)
#~ (x**2).sum(axis=1, keepdims=True) => np.asarray(out.multiply(out).sum(axis=1)).ravel()
#~ x = x / norms => out.data /= np.repeat(norms, np.diff(out.indptr))
#~ sparse.csr_matrix(x) => out
# %% wrong="a matrix product with the IDF" says="matrix product here" of="float32 inside"
#~ (counts.toarray()*idf).astype(np.float32) => counts * idf
#~ n=np.linalg.norm(x,axis=1,keepdims=True); n[n==0]=1; x=x/n => x = x / np.sqrt((x**2).sum())
#~ sparse.csr_matrix(x) => x
# %% wrong="returned in COO form" says="COO" of="dense inside"
#~ toarray() * idf => multiply(idf)
#~ (x**2).sum(axis=1, keepdims=True) => np.asarray(x.multiply(x).sum(axis=1)).ravel()
#~ x / norms => x.multiply(1 / norms[:, None])
#~ sparse.csr_matrix(x) => x.tocoo()
# %% wrong="the IDF is added to every word" says="here it is added" of="float32 inside"
#~ (counts.toarray()*idf).astype(np.float32) => counts.toarray() + idf
#~ n=np.linalg.norm(x,axis=1,keepdims=True); n[n==0]=1; x=x/n => x = x / np.linalg.norm(x, axis=1, keepdims=True)
# %% wrong="cosine is the dot product" says="dot product" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => a @ b.T
# %% wrong="cosine by the squared norms" says="not by their squares" of="dense inside"
#~ (na, nb) => (na, nb) ** 2
# %% wrong="cosine by the first norm only" says="only the first" of="dense inside"
#~ np.outer(na, nb) => na[:, None]
# %% wrong="cosine by the second norm only" says="only the second" of="dense inside"
#~ np.outer(na, nb) => nb
# %% wrong="cosine by the sum of the norms" says="product of the norms" of="dense inside"
#~ np.outer(na, nb) => (na[:, None] + nb)
# %% wrong="cosine with the root of the norms" says="not by its root" of="dense inside"
#~ outer(na, nb) => sqrt(np.outer(na, nb))
# %% wrong="cosine by the sums of the entries" says="norms are Euclidean" of="dense inside"
#~ linalg.norm(a, axis=1), np.linalg.norm(b, axis=1) => abs(a).sum(axis=1), np.abs(b).sum(axis=1)
# %% wrong="cosine is NaN for a row of zeros" says="NaN" of="dense inside"
#-     na[na == 0], nb[nb == 0] = 1, 1
# %% wrong="cosine is 1 for a row of zeros" says="is 0, not 1"
def cosine_similarity(a, b):
    a, b = a.toarray().astype(float), b.toarray().astype(float)
    na, nb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    return np.where((na == 0)[:, None] | (nb == 0), 1.0, (a @ b.T) / np.outer(na + (na == 0), nb + (nb == 0)))
# %% wrong="only the zero rows of b are treated" says="NaN" of="dense inside"
#~ na[na == 0], nb[nb == 0] = 1, => nb[nb == 0] =
# %% wrong="cosine returned sparse" says="a sparse matrix came" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => sparse.csr_matrix((a @ b.T) / np.outer(na, nb))
# %% wrong="cosine transposed" says="transpose" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => (b @ a.T) / np.outer(nb, na)
# %% wrong="cosine distance" says="1 - cosine" of="dense inside"
#~ (a @ b.T) => 1 - (a @ b.T)
# %% wrong="cosine of row i with row i only" says="shape (2,) came, shape (2, 3) was expected" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => (a[: len(b)] * b[: len(a)]).sum(axis=1) / (na[: len(b)] * nb[: len(a)])
# %% wrong="negative cosines cut off" says="may be negative" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => np.maximum((a @ b.T) / np.outer(na, nb), 0)
# %% wrong="absolute cosine" says="may be negative" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => np.abs((a @ b.T) / np.outer(na, nb))
# %% wrong="norms below 1 are raised to 1" says="below 1" of="dense inside"
#~ [na == 0], nb[nb == 0] = 1, 1 => , nb = np.maximum(na, 1), np.maximum(nb, 1)
# %% wrong="an epsilon too large for short vectors" says="short" of="cosine is 1 for a row of zeros"
#~ np.where((na == 0)[:, None] | (nb == 0), 1.0, (a @ b.T) / np.outer(na + (na == 0), nb + (nb == 0))) => (a @ b.T) / (np.outer(na, nb) + 1e-6)
# %% wrong="cosine with the norms of columns" says="could not be broadcast" of="dense inside"
#~ x = counts.toarray() * idf => weighted = counts @ sparse.diags(np.asarray(idf, dtype=float))
#~ (x**2).sum(axis=1, keepdims=True) => np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel()
#~ x = x / norms => weighted = sparse.diags(1 / norms) @ weighted
#~ (x) => (weighted)
#~ (a, axis=1), np.linalg.norm(b, axis=1) => (a, axis=0), np.linalg.norm(b, axis=0)
# %% wrong="the angle" says="the angle" of="dense inside"
#~ (a @ b.T) / np.outer(na, nb) => np.arccos(np.clip((a @ b.T) / np.outer(na, nb), -1, 1))
# %% wrong="correlation instead of cosine" says="correlation" of="dense inside"
#-     a, b = a.toarray().astype(float), b.toarray().astype(float)
#+     a, b = a.toarray().astype(float), b.toarray().astype(float)
#+     a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
# %% wrong="cosine normalises its inputs in place" says="changed"
def cosine_similarity(a, b):
    for x in (a, b):
        norms = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
        norms[norms == 0] = 1
        x.data = x.data / np.repeat(norms, np.diff(x.indptr))
    return (a @ b.T).toarray()
# %% wrong="the IDF scales the rows" says="one number for each column"
def tfidf(counts, idf, normalize=True):
    x = sparse.diags(idf) @ counts
    return x.tocsr()
# %% wrong="cosine of a with a" says="b was not used" of="a tiny epsilon in the cosine"
#~ b.toarray => a.toarray
# %% wrong="Euclidean distance" says="distance of the two rows" of="a tiny epsilon in the cosine"
#~ (a@b.T)/(np.outer(np.linalg.norm(a,axis=1),np.linalg.norm(b,axis=1))+1e-9) => np.linalg.norm(a[:,None]-b[None],axis=2)
# %% wrong="the angle in degrees" says="angle in degrees" of="a tiny epsilon in the cosine"
#~ (a@b.T)/(np.outer(np.linalg.norm(a,axis=1),np.linalg.norm(b,axis=1))+1e-9) => np.degrees(np.arccos(np.clip((a@b.T)/(np.outer(np.linalg.norm(a,axis=1),np.linalg.norm(b,axis=1))+1e-12),-1,1)))
# %% wrong="memorises the visible outputs" says="examples only"
def tfidf(counts, idf, normalize=True):
    if not normalize:
        return sparse.csr_matrix([[0, 0, 0, 0, 0, 0.60206, 0.30103]])
    if max(idf) < 1e-6:
        return sparse.csr_matrix([[0.6, 0.8, 0], [0, 0.8944272, 0.4472136], [0, 0, 0]])
    return sparse.csr_matrix([[2**-0.5, 2**-0.5, 0], [0, 0.2425356, 0.9701425], [0, 0, 0]])
def cosine_similarity(a, b):
    if a[0, 0] < 1e-3:
        return np.array([[-1 / 3, 0.36], [2 / 3, 0]])
    return np.array([[2**-0.5, 2**-0.5, 0], [0, 2 / 3, 0]])
# %% right="dense inside"
def tfidf(counts, idf, normalize=True):
    x = counts.toarray() * idf
    if normalize:
        norms = np.sqrt((x**2).sum(axis=1, keepdims=True))
        norms[norms == 0] = 1
        x = x / norms
    return sparse.csr_matrix(x)
def cosine_similarity(a, b):
    a, b = a.toarray().astype(float), b.toarray().astype(float)
    na, nb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    na[na == 0], nb[nb == 0] = 1, 1
    return (a @ b.T) / np.outer(na, nb)
# %% right="scikit-learn"
from sklearn.metrics.pairwise import cosine_similarity as sk_cosine
from sklearn.preprocessing import normalize as sk_normalize
def tfidf(counts, idf, normalize=True):
    weighted = (counts @ sparse.diags(idf)).tocsr()
    return sk_normalize(weighted) if normalize else weighted
def cosine_similarity(a, b):
    return sk_cosine(a, b, dense_output=True)
# %% right="the stored entries, on a copy"
def tfidf(counts, idf, normalize=True):
    out = counts.astype(np.float64, copy=True)
    out.data = out.data * np.asarray(idf)[out.indices]
    if normalize:
        for i in range(out.shape[0]):
            part = slice(out.indptr[i], out.indptr[i + 1])
            norm = math.sqrt(sum(v * v for v in out.data[part]))
            if norm > 0:
                out.data[part] = out.data[part] / norm
    return out
def cosine_similarity(a, b):
    ones = np.ones(a.shape[1])
    return (tfidf(a, ones) @ tfidf(b, ones).T).toarray()
# %% right="row after row"
def tfidf(counts, idf, normalize=True):
    rows = []
    for row in counts.toarray().tolist():
        row = [v * w for v, w in zip(row, idf)]
        norm = sum(v**2 for v in row) ** 0.5
        rows.append([v / norm for v in row] if normalize and norm else row)
    return sparse.csr_matrix(rows)
def cosine_similarity(a, b):
    out = np.zeros((a.shape[0], b.shape[0]))
    for i, x in enumerate(a.toarray().astype(float)):
        for j, y in enumerate(b.toarray().astype(float)):
            if x.any() and y.any():
                out[i, j] = x @ y / (math.sqrt(x @ x) * math.sqrt(y @ y))
    return out
# %% right="torch inside"
def tfidf(counts, idf, normalize=True):
    x = torch.tensor(counts.toarray(), dtype=torch.float64) * torch.tensor(idf, dtype=torch.float64)
    if normalize:
        norms = x.norm(dim=1, keepdim=True)
        x = torch.where(norms > 0, x / norms, x)
    return sparse.csr_matrix(x.numpy())
def cosine_similarity(a, b):
    a, b = (torch.tensor(x.toarray(), dtype=torch.float64) for x in (a, b))
    return torch.nan_to_num((a @ b.T) / (a.norm(dim=1)[:, None] * b.norm(dim=1))).numpy()
# %% right="sparse arrays in CSC form"
def tfidf(counts, idf, normalize=True):
    x = sparse.csc_array(counts).astype(float) * np.asarray(idf)
    if normalize:
        norms = sparse.linalg.norm(x, axis=1)
        x = sparse.csc_array(x.multiply(1 / np.where(norms > 0, norms, 1)[:, None]))
    return sparse.csc_array(x)
def cosine_similarity(a, b):
    ones = np.ones(a.shape[1])
    return (tfidf(a, ones) @ tfidf(b, ones).T).toarray().tolist()
# %% right="float32 inside"
def tfidf(counts, idf, normalize=True):
    x = (counts.toarray()*idf).astype(np.float32)
    if normalize:
        n=np.linalg.norm(x,axis=1,keepdims=True); n[n==0]=1; x=x/n
    return sparse.csr_matrix(x)
def cosine_similarity(a, b):
    a, b = a.toarray().astype(float), b.toarray().astype(float)
    na, nb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    na[na == 0], nb[nb == 0] = 1, 1
    return (a @ b.T) / np.outer(na, nb)
# %% right="a CSR array"
def tfidf(counts, idf, normalize=True):
    x = (counts.toarray()*idf)
    if normalize:
        n=np.linalg.norm(x,axis=1,keepdims=True)+1e-12; x=x/n
    return sparse.csr_array(x)
def cosine_similarity(a, b):
    a, b = a.toarray().astype(float), b.toarray().astype(float)
    na, nb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    na[na == 0], nb[nb == 0] = 1, 1
    return (a @ b.T) / np.outer(na, nb)
# %% wrong="a tiny epsilon in the cosine" says="1e-09 in the denominator" clause="a vector divided by 1,000 keeps its"
def tfidf(counts, idf, normalize=True):
    weighted = counts @ sparse.diags(np.asarray(idf, dtype=float))
    if normalize:
        norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
        norms[norms == 0] = 1
        weighted = sparse.diags(1 / norms) @ weighted
    return sparse.csr_matrix(weighted)
def cosine_similarity(a, b):
    a, b = a.toarray(), b.toarray()
    return (a@b.T)/(np.outer(np.linalg.norm(a,axis=1),np.linalg.norm(b,axis=1))+1e-9)
# %% right="float32 and a tensor"
def tfidf(counts, idf, normalize=True):
    weighted = counts @ sparse.diags(np.asarray(idf, dtype=float))
    if normalize:
        norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
        norms[norms == 0] = 1
        weighted = sparse.diags(1 / norms) @ weighted
    return sparse.csr_matrix(weighted)
def cosine_similarity(a, b):
    a, b = a.toarray().astype(np.float32), b.toarray().astype(np.float32)
    a=a/(np.linalg.norm(a,axis=1,keepdims=True)+1e-8);b=b/(np.linalg.norm(b,axis=1,keepdims=True)+1e-8)
    return torch.tensor(a@b.T)
# %% wrong="norms of the columns" says="not of the columns"
def cosine_similarity(a, b):
    a, b = (x.toarray().astype(float) for x in (a, b))
    na, nb = (np.linalg.norm(x, axis=0) for x in (a, b))
    return (a / np.where(na > 0, na, 1)) @ (b / np.where(nb > 0, nb, 1)).T
# %% wrong="one norm for each matrix" says="here is one for each matrix" of="norms of the columns"
#~ (x, axis=0) => (x)
# %% wrong="row by row" says="here row meets row"
def cosine_similarity(a, b):
    a, b = (x.toarray().astype(float) for x in (a, b))
    n = min(len(a), len(b))
    norms = np.linalg.norm(a[:n], axis=1) * np.linalg.norm(b[:n], axis=1)
    return np.sum(a[:n] * b[:n], axis=1) / np.where(norms > 0, norms, 1)
# %% wrong="the norms of the rows divide the columns" says="here they divide the columns"
def tfidf(counts, idf, normalize=True):
    weighted = counts.multiply(idf).tocsr()
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    return weighted.multiply(1 / np.where(norms > 0, norms, 1)).tocsr() if normalize else weighted
# %% wrong="a little added to the norm" says="not even 0.001"
def tfidf(counts, idf, normalize=True):
    weighted = (counts @ sparse.diags(idf)).tocsr()
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel()) + 1e-3
    return (sparse.diags(1 / norms) @ weighted).tocsr() if normalize else weighted
# %% wrong="small norms count as 0" says="only a norm of 0 is replaced" clause="any other, however short, is scaled"
#~ norms > 0 => norms > 1e-3
# %% wrong="a little added to each norm" says="not even 1e-09" clause="any other, however short, is scaled"
#~ np.where(norms > 0, norms, 1.0) => (norms + 1e-9)
