# %% wrong="population" says="sample"
def weat(X: np.ndarray, Y: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[float, float]:
    targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B))
    s = (targets @ A.T).mean(axis=1) - (targets @ B.T).mean(axis=1)

    def difference(first: list[int]) -> float:
        chosen = np.isin(np.arange(len(s)), first)
        return s[chosen].mean() - s[~chosen].mean()

    seen = difference(range(len(X)))
    others = [difference(part) for part in combinations(range(len(s)), len(X))]
    return float(seen / s.std()), float(np.mean(np.array(others) >= seen - 1e-9))

# %% wrong="strictly above" says="count, too"
def weat(X: np.ndarray, Y: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[float, float]:
    targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B))
    s = (targets @ A.T).mean(axis=1) - (targets @ B.T).mean(axis=1)

    def difference(first: list[int]) -> float:
        chosen = np.isin(np.arange(len(s)), first)
        return s[chosen].mean() - s[~chosen].mean()

    seen = difference(range(len(X)))
    others = [difference(part) for part in combinations(range(len(s)), len(X))]
    return float(seen / s.std(ddof=1)), float(np.mean(np.array(others) > seen + 1e-9))

# %% wrong="dot products" says="cosines"
def weat(X: np.ndarray, Y: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[float, float]:
    targets, A, B = (np.concatenate([X, Y]), A, B)
    s = (targets @ A.T).mean(axis=1) - (targets @ B.T).mean(axis=1)

    def difference(first: list[int]) -> float:
        chosen = np.isin(np.arange(len(s)), first)
        return s[chosen].mean() - s[~chosen].mean()

    seen = difference(range(len(X)))
    others = [difference(part) for part in combinations(range(len(s)), len(X))]
    return float(seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9))

# %% right="loops"
def weat(X, Y, A, B):
    def cos(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    s = [np.mean([cos(w, a) for a in A]) - np.mean([cos(w, b) for b in B]) for w in [*X, *Y]]
    n, total = len(X), sum(s)

    def gap(part):
        first = sum(s[i] for i in part)
        return first / n - (total - first) / (len(s) - n)

    seen = gap(range(n))
    parts = [gap(part) for part in combinations(range(len(s)), n)]
    return seen / np.std(s, ddof=1), sum(g > seen - 1e-9 for g in parts) / len(parts)
