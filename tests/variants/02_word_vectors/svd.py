# %% wrong="U alone" says="scale them by the singular values"
def truncated_svd(matrix, k):
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return u[:, :k], s[:k]
# %% wrong="squares" says="not squared" of="U alone"
#~ [:, :k], s[:k] => [:, :k] * s[:k], s[:k] ** 2
# %% wrong="eigenvalues without their root" says="not squared" of="eigenvectors"
#~ np.sqrt(np.maximum(values[order], 0)) => values[order]
# %% wrong="scaled twice" says="once, not twice" of="U alone"
#~ [:, :k] => [:, :k] * s[:k] ** 2
# %% wrong="roots of the singular values" says="not by their roots" of="U alone"
#~ [:, :k] => [:, :k] * np.sqrt(s[:k])
# %% wrong="vectors of the columns" says="not of the words" of="matrix times columns of the transpose"
#~ return matrix @ vt[:, :k], s[:k] => return vt[:k].T * s[:k], s[:k]
# %% wrong="first k rows of U" says="first k rows of U S" of="U alone"
#~ [:, :k] => [:k] * s
# %% wrong="all dimensions" says="the first k are asked" of="U alone"
#~ u[:, :k], s[:k] => u * s, s
# %% wrong="all singular values" says="these are all singular values" of="U alone"
#~ [:, :k], s[:k] => [:, :k] * s[:k], s
# %% wrong="singular values as a diagonal matrix" says="a vector, not a diagonal matrix" of="U alone"
#~ [:, :k], s[:k] => [:, :k] @ np.diag(s[:k]), np.diag(s[:k])
# %% wrong="rank k approximation" says="approximation of rank k"
def truncated_svd(matrix, k):
    u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    return (u[:, :k] * s[:k]) @ vt[:k], s[:k]
# %% wrong="ascending eigenvalues" says="largest"
def truncated_svd(matrix, k):
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    return matrix @ vectors[:, :k], np.sqrt(np.maximum(values[:k], 0))
# %% wrong="the k largest in ascending order" says="smallest comes first" of="ascending eigenvalues"
#~ [:, :k], np.sqrt(np.maximum(values[:k], 0)) => [:, -k:], np.sqrt(np.maximum(values[-k:], 0))
# %% wrong="centred" says="that is PCA" of="torch"
#~ torch.linalg.svd(torch.as_tensor(matrix, dtype=torch.float64), full_matrices=False) => np.linalg.svd(matrix - matrix.mean(axis=0), full_matrices=False)
# %% wrong="the pair the other way round" says="another order" of="lists"
#~ np.array(matrix, dtype=float) => matrix
#~ [[float(u[i, j] * s[j]) for j in range(k)] for i in range(len(u))], s[:k].tolist() => s[:k], u[:, :k] * s[:k]
#~ ([[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k)[0] => (points - points.mean(axis=0), k)[1]
# %% wrong="the vectors only" says="a tuple was expected" of="lists"
#~ np.array(matrix, dtype=float) => matrix
#~ [[float(u[i, j] * s[j]) for j in range(k)] for i in range(len(u))], s[:k].tolist() => u[:, :k] * s[:k]
#~ ([[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k)[0] => (points - points.mean(axis=0), k)
# %% wrong="dimensions from the second on" says="the first dimension was left out" of="torch"
#~ torch.linalg.svd(torch.as_tensor(matrix, dtype=torch.float64), full_matrices=False) => np.linalg.svd(matrix, full_matrices=False)
#~ [:, :k] * s[:k], s[:k] => [:, 1 : k + 1] * s[1 : k + 1], s[1 : k + 1]
#~ x = torch.tensor(points, dtype=torch.float64) => u, s, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
#~ truncated_svd(x - x.mean(0), k)[0] => u[:, :k] * s[:k]
# %% wrong="no mean" says="mean of each column was not subtracted" of="lists"
#~ [[x - m for x, m in zip(p, np.mean(points, 0))] for p in points] => points
# %% wrong="mean of each row" says="mean of each row" of="lists"
#~ [[x - m for x, m in zip(p, np.mean(points, 0))] for p in points] => points - points.mean(axis=1, keepdims=True)
# %% wrong="one mean" says="one mean over all numbers" of="lists"
#~ [[x - m for x, m in zip(p, np.mean(points, 0))] for p in points] => points - points.mean()
# %% wrong="standardised" says="divided by their deviations" of="lists"
#~ [[x - m for x, m in zip(p, np.mean(points, 0))] for p in points] => (points - points.mean(axis=0)) / points.std(axis=0)
# %% wrong="medians" says="median of each column" of="lists"
#~ [[x - m for x, m in zip(p, np.mean(points, 0))] for p in points] => points - np.median(points, axis=0)
# %% wrong="directions" says="directions"
def pca(points, k=2):
    _, _, vt = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    return vt[:k].T
# %% wrong="coordinates in rows" says="transpose" of="lists"
#~ ([[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k)[0] => (points - points.mean(axis=0), k)[0].T
# %% wrong="the points themselves projected" says="projected as they are" of="directions"
#~ vt[:k] => points @ vt[:k]
# %% wrong="smallest variance of the covariance" says="last components" of="signs turned round"
#~ values, vectors = np.linalg.eigh(centred.T @ centred / (len(points) - 1)) => _, vectors = np.linalg.eigh(np.cov(centred.T))
#~ -centred @ vectors[:, ::-1] => centred @ vectors
# %% wrong="variance 1" says="keep their scale"
def pca(points, k=2):
    scores = truncated_svd(points - points.mean(axis=0), k)[0]
    return scores / scores.std(axis=0)
# %% wrong="U of the centred points" says="keep their scale" of="lists"
#~ truncated_svd([[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k)[0] => np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[0][:, :k]
# %% wrong="always two" says="k components" of="lists"
#~ [[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k => points - points.mean(axis=0), 2
# %% wrong="the pair of truncated_svd" says="truncated_svd returns a pair" of="lists"
#~ ([[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k)[0] => (points - points.mean(axis=0), k)
# %% wrong="in place" says="in place"
def pca(points, k=2):
    points -= points.mean(axis=0)
    return truncated_svd(points, k)[0]
# %% right="eigenvectors"
def truncated_svd(matrix, k):
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    order = np.argsort(-values)[:k]
    return matrix @ vectors[:, order], np.sqrt(np.maximum(values[order], 0))
def pca(points, k=2):
    centred = points - np.mean(points, axis=0, keepdims=True)
    _, _, w = np.linalg.svd(centred)
    return centred @ w[:k].T
# %% right="scikit-learn"
def truncated_svd(matrix, k):
    from sklearn.decomposition import TruncatedSVD
    if k == min(matrix.shape):
        u, s, _ = np.linalg.svd(matrix, full_matrices=False)
        return [u * s, s]
    found = TruncatedSVD(k, algorithm="arpack", random_state=0).fit(matrix)
    return [found.transform(matrix), found.singular_values_]
def pca(points, k=2):
    from sklearn.decomposition import PCA
    return PCA(n_components=k).fit(points).transform(points)
# %% right="torch"
def truncated_svd(matrix, k):
    u, s, _ = torch.linalg.svd(torch.as_tensor(matrix, dtype=torch.float64), full_matrices=False)
    return u[:, :k] * s[:k], s[:k]
def pca(points, k=2):
    x = torch.tensor(points, dtype=torch.float64)
    return truncated_svd(x - x.mean(0), k)[0]
# %% right="signs turned round"
def truncated_svd(matrix, k):
    u, s, _ = np.linalg.svd(matrix)
    return -(u[:, :k] @ np.diag(s[:k])), s[:k]
def pca(points, k=2):
    centred = points - points.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred / (len(points) - 1))
    return -centred @ vectors[:, ::-1][:, :k]
# %% right="lists"
def truncated_svd(matrix, k):
    u, s, _ = np.linalg.svd(np.array(matrix, dtype=float), full_matrices=False)
    return [[float(u[i, j] * s[j]) for j in range(k)] for i in range(len(u))], s[:k].tolist()
def pca(points, k=2):
    return truncated_svd([[x - m for x, m in zip(p, np.mean(points, 0))] for p in points], k)[0]
# %% right="unseen, right 1" of="ascending eigenvalues"
#-     return matrix @ vectors[:, :k], np.sqrt(np.maximum(values[:k], 0))
#+     order = np.argsort(-values)[:k]
#+     return matrix @ vectors[:, order], np.sqrt(np.clip(values[order], 0, None))
#+ def pca(points, k=2):
#+     x = points - points.mean(0, keepdims=True)
#+     values, vectors = np.linalg.eigh(np.cov(x.T, ddof=0))
#+     return x @ vectors[:, ::-1][:, :k]
# %% wrong="components of the covariance in rising order" says="came in rising order" of="signs turned round"
#~ -centred @ vectors[:, ::-1][:, :k] => centred @ vectors[:, -k:]
# %% wrong="last eigenvectors, in falling order" says="these are the last components" of="signs turned round"
#~ vectors[:, ::-1][:, :k] => vectors[:, :k][:, ::-1]
# %% wrong="coordinates scaled twice" says="once, not twice"
def pca(points, k=2):
    coordinates, s = truncated_svd(points - points.mean(axis=0), k)
    return coordinates * s
# %% wrong="columns of the transpose as directions" says="these are its first k rows"
def pca(points, k=2):
    centred = points - points.mean(axis=0)
    _, _, vt = np.linalg.svd(centred, full_matrices=False)
    return centred @ vt[:, :k]
# %% wrong="vectors in rising order, singular values in falling order" says="the vectors came in rising order" of="ascending eigenvalues"
#~ return matrix @ vectors[:, :k], np.sqrt(np.maximum(values[:k], 0)) => return matrix @ vectors[:, -k:], np.sqrt(np.maximum(values[::-1][:k], 0))
# %% wrong="matrix times columns of the transpose" says="with the columns of W"
def truncated_svd(matrix, k):
    _, s, vt = np.linalg.svd(matrix, full_matrices=False)
    return matrix @ vt[:, :k], s[:k]
# %% wrong="standardised, but for columns that do not vary" says="the columns were also divided by their deviations"
#~ truncated_svd(points - points.mean(axis=0), k)[0] => truncated_svd((points - points.mean(axis=0)) / np.where(points.std(axis=0) > 0, points.std(axis=0), 1), k)[0]
# %% wrong="svds, which finds fewer than all" says="svds and ARPACK only find fewer"
def truncated_svd(matrix, k):
    from scipy.sparse.linalg import svds
    u, s, _ = svds(np.asarray(matrix, dtype=float), k=k)
    order = np.argsort(-s)
    return (u * s)[:, order], s[order]
def pca(points, k=2):
    _, _, vt = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    return (points - points.mean(axis=0)) @ vt[:k].T
