# %% wrong="values" says="ranks are asked"
def spearman(first: np.ndarray, second: np.ndarray) -> float:
    ranks = [(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second))]
    return float(np.corrcoef(first, second)[0, 1])

# %% wrong="argsort alone" says="argsort"
def spearman(first: np.ndarray, second: np.ndarray) -> float:
    ranks = [np.argsort(x, kind="stable") for x in map(np.asarray, (first, second))]
    return float(np.corrcoef(*ranks)[0, 1])

# %% wrong="ties by the smallest" says="smallest of them"
def spearman(first: np.ndarray, second: np.ndarray) -> float:
    ranks = [(x[:, None] > x).sum(1) for x in map(np.asarray, (first, second))]
    return float(np.corrcoef(*ranks)[0, 1])

# %% right="scipy"
from scipy.stats import spearmanr


def spearman(first, second):
    return spearmanr(first, second).statistic
