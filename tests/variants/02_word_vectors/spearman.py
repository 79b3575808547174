# %% base="the plain way"
def spearman(first, second):
    ranks = [(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second))]
    return float(np.corrcoef(*ranks)[0, 1])
# %% wrong="values" says="ranks are asked"
def spearman(first, second):
    return float(np.corrcoef(first, second)[0, 1])
# %% wrong="argsort alone" says="argsort gives positions" of="the plain way"
#~ (x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second)) => np.argsort(x, kind="stable") for x in (first, second)
# %% wrong="argsort twice, ties in order" says="order in which they come" of="the plain way"
#~ (x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second)) => np.argsort(np.argsort(x, kind="stable")) for x in (first, second)
# %% wrong="ties by the smallest" says="smallest of them" of="the plain way"
#~ + (x[:, None] == x).sum(1) / 2 for => for
# %% wrong="ties by the largest" says="largest of them" of="the plain way"
#~ (x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 => (x[:, None] >= x).sum(1)
# %% wrong="dense ranks" says="next whole number" of="the plain way"
#~ (x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second)) => np.unique(x, return_inverse=True)[1] for x in (first, second)
# %% wrong="the short formula" says="short formula"
def spearman(first, second):
    r, s = ((x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second)))
    n = len(r)
    return float(1 - 6 * ((r - s) ** 2).sum() / (n * (n**2 - 1)))
# %% wrong="the short formula with n cubed" says="n^3 - n"
def spearman(first, second):
    r, s = ((x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second)))
    return float(1 - 6 * ((r - s) ** 2).sum() / len(r) ** 3)
# %% wrong="one list downwards" says="sign is reversed" of="only the first ranked"
#-     return float(np.corrcoef(r, second)[0, 1])
#+     s = (second[:, None] < second).sum(1) + (second[:, None] == second).sum(1) / 2
#+     return float(np.corrcoef(r, s)[0, 1])
# %% wrong="only the first ranked" says="only the first"
def spearman(first, second):
    r = (first[:, None] > first).sum(1) + (first[:, None] == first).sum(1) / 2
    return float(np.corrcoef(r, second)[0, 1])
# %% wrong="cosine of the ranks" says="subtract their means"
def spearman(first, second):
    r, s = ((x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 + 0.5 for x in map(np.asarray, (first, second)))
    return float(r @ s / np.sqrt((r @ r) * (s @ s)))
# %% wrong="Kendall" says="Kendall" of="scipy"
#~ from scipy.stats import spearmanr => from scipy.stats import kendalltau
#~ return spearmanr(first, second).statistic => return float(kendalltau(first, second)[0])
# %% wrong="covariance" says="covariance" of="the short formula with n cubed"
#~ 1 - 6 * ((r - s) ** 2).sum() / len(r) ** 3 => np.cov(r, s)[0, 1]
# %% wrong="covariance of a sample over deviations of all" says="n - 1 and n were mixed" of="the short formula with n cubed"
#~ 1 - 6 * ((r - s) ** 2).sum() / len(r) ** 3 => np.cov(r, s)[0, 1] / (r.std() * s.std())
# %% wrong="no root below" says="root below the fraction" of="the short formula"
#~ n = len(r) => r, s = r - r.mean(), s - s.mean()
#~ 1 - 6 * ((r - s) ** 2).sum() / (n * (n**2 - 1)) => (r * s).sum() / ((r**2).sum() * (s**2).sum())
# %% wrong="the whole matrix" says="table of correlations" of="the plain way"
#~ float(np.corrcoef(*ranks)[0, 1]) => np.corrcoef(*ranks)
# %% wrong="the p-value beside it" says="correlation alone" of="scipy"
#-     return spearmanr(first, second).statistic
#+     found = spearmanr(first, second)
#+     return float(found[0]), float(found[1])
# %% wrong="absolute value" says="absolute value" of="the plain way"
#~ float(np.corrcoef(*ranks)[0, 1]) => abs(float(np.corrcoef(*ranks)[0, 1]))
# %% wrong="rounded" says="rounded" of="the plain way"
#~ float(np.corrcoef(*ranks)[0, 1]) => round(float(np.corrcoef(*ranks)[0, 1]), 4)
# %% wrong="sorted in place" says="in place" of="the plain way"
#-     ranks = [(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in map(np.asarray, (first, second))]
#+     copies = [np.array(x) for x in (first, second)]
#+     first.sort()
#+     ranks = [(x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 for x in copies]
# %% wrong="ranks in whole numbers" says="a half is cut off" of="the plain way"
#~ / => //
# %% wrong="prints" says="is there a return" of="the plain way"
#~ return float => print
# %% right="scipy"
from scipy.stats import spearmanr
def spearman(first, second):
    return spearmanr(first, second).statistic
# %% right="rankdata and Pearson by hand"
from scipy.stats import rankdata
def spearman(first, second):
    r, s = rankdata(first), rankdata(second)
    r, s = r - r.mean(), s - s.mean()
    return (r @ s) / np.sqrt((r @ r) * (s @ s))
# %% right="dictionaries of mean ranks"
def spearman(first, second):
    def ranks(values):
        places = {}
        for rank, value in enumerate(sorted(values), 1):
            places.setdefault(float(value), []).append(rank)
        return [sum(places[float(v)]) / len(places[float(v)]) for v in values]
    r, s = ranks(first), ranks(second)
    a, b = sum(r) / len(r), sum(s) / len(s)
    top = sum((x - a) * (y - b) for x, y in zip(r, s))
    return top / (sum((x - a) ** 2 for x in r) * sum((y - b) ** 2 for y in s)) ** 0.5
# %% right="counts of pairs, torch"
def spearman(first, second):
    def ranks(values):
        x = torch.as_tensor(np.asarray(values, dtype=float))
        return (torch.sign(x[:, None] - x)).sum(1)
    return torch.corrcoef(torch.stack([ranks(first), ranks(second)]))[0, 1]
# %% right="searchsorted from both sides"
def spearman(first, second):
    ranks = []
    for x in (np.asarray(first), np.asarray(second)):
        ordered = np.sort(x)
        ranks.append((np.searchsorted(ordered, x, "left") + np.searchsorted(ordered, x, "right") + 1) / 2)
    z = [(r - r.mean()) / r.std() for r in ranks]
    return np.mean(z[0] * z[1])
# %% right="unseen, right 1"
def spearman(first, second):
    from scipy.stats import spearmanr
    return spearmanr(first, second).statistic
# %% wrong="unseen, covariance" says="this is the covariance of the ranks: divide by both"
def spearman(first, second):
    def rank(x):
        x = np.asarray(x)
        return np.array([(x < v).sum() + ((x == v).sum() + 1) / 2 for v in x])
    r, s = rank(first), rank(second)
    r, s = r - r.mean(), s - s.mean()
    return float((r * s).sum() / len(r))
# %% wrong="close values share a rank" says="not those that are close"
def spearman(first, second):
    def ranks(x):
        close = np.isclose(x[:, None], x)
        return ((x[:, None] > x) & ~close).sum(1) + close.sum(1) / 2 + 0.5
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])
# %% wrong="nearly equal as equal" clause="Equal values share the **mean** of the ranks" says="only equal values share a rank"
def spearman(first, second):
    def r(x):
        x = np.asarray(x, float); e = np.isclose(x[:, None], x)
        return ((x[:, None] > x) & ~e).sum(1) + 0.5 * e.sum(1)
    return float(np.corrcoef(r(first), r(second))[0, 1])
# %% wrong="a list with itself" says="off the diagonal"
def _ranks(x):
    x = np.asarray(x)
    return (x[:, None] > x).sum(1) + (x[:, None] == x).sum(1) / 2 + 0.5
def spearman(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.corrcoef(_ranks(first), _ranks(second))[0, 0])
