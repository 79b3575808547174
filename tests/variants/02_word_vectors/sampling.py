# %% wrong="no power" says="power is missing"
def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    weights = np.asarray(counts, dtype=float)
    return weights / weights.sum()


def keep_probability(counts: np.ndarray, threshold: float = 1e-3) -> np.ndarray:
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="no root" says="root is missing"
def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts: np.ndarray, threshold: float = 1e-3) -> np.ndarray:
    share = counts / counts.sum()
    return threshold / np.maximum(share, threshold)

# %% wrong="above 1" says="1 at most"
def noise_distribution(counts: np.ndarray, power: float = 0.75) -> np.ndarray:
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts: np.ndarray, threshold: float = 1e-3) -> np.ndarray:
    share = counts / counts.sum()
    return np.where(share > 0, np.sqrt(threshold / np.maximum(share, 1e-12)), 1)

# %% right="lists"
def noise_distribution(counts, power=0.75):
    weights = [float(n) ** power for n in counts]
    return [w / sum(weights) for w in weights]


def keep_probability(counts, threshold=1e-3):
    total = float(sum(counts))
    return [1.0 if n == 0 else min(1.0, (threshold * total / n) ** 0.5) for n in counts]
