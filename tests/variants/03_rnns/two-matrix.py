# %% wrong="exchanged" says="V and U are exchanged"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    scores = V @ U[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids

# %% wrong="divided by T" says="T - 1 pairs"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    return float(np.sum([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]) / len(ids))


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids

# %% wrong="greedy" says="draw by r"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    ids = [int(start)]
    for r in uniforms:
        p = next_probabilities(V, U, ids[-1])
        ids.append(int(p.argmax()))
    return ids

# %% right="another way, 1"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    return torch.softmax(torch.tensor(U) @ torch.tensor(V)[i], 0).numpy()


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids

# %% right="another way, 2"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]))


def generate(V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int]:
    ids = [int(start)]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(next((j for j, c in enumerate(cumulative) if c > r), len(U) - 1))
    return ids
