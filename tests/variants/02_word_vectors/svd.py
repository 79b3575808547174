# %% wrong="U alone" says="scale them by the singular values"
def lsi(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return u[:, :k], s[:k]


def pca(points: np.ndarray, k: int = 2) -> np.ndarray:
    return lsi(points - points.mean(axis=0), k)[0]

# %% wrong="no mean" says="mean of each column was not subtracted"
def lsi(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return u[:, :k] * s[:k], s[:k]


def pca(points: np.ndarray, k: int = 2) -> np.ndarray:
    return lsi(points, k)[0]

# %% wrong="squares" says="not squared"
def lsi(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    u, s, _ = np.linalg.svd(matrix, full_matrices=False)
    return u[:, :k] * s[:k], s[:k] ** 2


def pca(points: np.ndarray, k: int = 2) -> np.ndarray:
    return lsi(points - points.mean(axis=0), k)[0]

# %% right="eigenvectors"
def lsi(matrix, k):
    values, vectors = np.linalg.eigh(matrix.T @ matrix)
    order = np.argsort(-values)[:k]
    return matrix @ vectors[:, order], np.sqrt(np.maximum(values[order], 0))


def pca(points, k=2):
    centred = points - np.mean(points, axis=0, keepdims=True)
    _, _, w = np.linalg.svd(centred)
    return centred @ w[:k].T
