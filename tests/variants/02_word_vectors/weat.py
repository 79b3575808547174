# %% base="the plain way"
def weat(X, Y, A, B):
    targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B))
    s = (targets @ A.T).mean(axis=1) - (targets @ B.T).mean(axis=1)
    def difference(first):
        chosen = np.isin(np.arange(len(s)), first)
        return s[chosen].mean() - s[~chosen].mean()
    seen = difference(range(len(X)))
    others = [difference(part) for part in combinations(range(len(s)), len(X))]
    return float(seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9))
# %% wrong="population" says="sample" of="the plain way"
#~ (ddof=1) => ()
# %% wrong="strictly above" says="count, too" of="the plain way"
#~ >= seen - => > seen +
# %% wrong="two-sided" says="one-sided" of="the plain way"
#~ array(others) >= seen => abs(others) >= abs(seen)
# %% wrong="dot products" says="do not ask for length" of="the plain way"
#~ targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B)) => targets = np.concatenate([X, Y])
# %% wrong="attributes added up" says="not added up" of="the plain way"
#~ mean(axis=1) - (targets @ B.T).mean => sum(axis=1) - (targets @ B.T).sum
# %% wrong="A plus B" says="B is subtracted" of="the plain way"
#~ - (targets @ B.T) => + (targets @ B.T)
# %% wrong="Y against X" says="X and Y are exchanged, or A and B" of="the plain way"
#~ (seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9)) => (-seen / s.std(ddof=1)), float(np.mean(-np.array(others) >= -seen - 1e-9))
# %% wrong="no deviation" says="divided by the deviation" of="the plain way"
#~ seen / s.std(ddof=1) => seen
# %% wrong="the variance" says="not by the variance" of="the plain way"
#~ std => var
# %% wrong="standard error" says="not by a standard error" of="the plain way"
#~ s.std(ddof=1) => (s.std(ddof=1) / np.sqrt(len(s)))
# %% wrong="deviation of X only" says="not over X alone" of="the plain way"
#~ s. => s[: len(X)].
# %% wrong="pooled deviation" says="not the mean of the two groups" of="the plain way"
#~ s.std(ddof=1) => np.mean([s[: len(X)].std(ddof=1), s[len(X) :].std(ddof=1)])
# %% wrong="deviation within the groups" says="not within X and within Y" of="the plain way"
#~ s.std(ddof=1) => np.sqrt((s[: len(X)].var() * len(X) + s[len(X) :].var() * len(Y)) / (len(s) - 2))
# %% wrong="equal up to a millionth" says="here more than that was" of="the plain way"
#~ 1e-9 => 1e-6
# %% wrong="sums of the groups" says="means of the groups" of="the plain way"
#~ mean() - s[~chosen].mean => sum() - s[~chosen].sum
# %% wrong="below or equal" says="at or below" of="the plain way"
#~ >= seen - => <= seen +
# %% wrong="1 - p" says="1 - p" of="the plain way"
#~ float(np.mean(np.array(others) >= seen - 1e-9)) => 1 - float(np.mean(np.array(others) >= seen - 1e-9))
# %% wrong="a count" says="p is a share" of="the plain way"
#~ np.mean => np.sum
# %% wrong="the division seen left out" says="p is never 0" of="the plain way"
#~ (others) => (others[1:])
# %% wrong="halves" says="not half of all" of="the plain way"
#~ (range(len(s)), len(X)) => (range(len(s)), len(s) // 2)
# %% wrong="the second part as large as X" says="as large as X" of="the plain way"
#~ (range(len(s)), len(X)) => (range(len(s)), len(Y))
# %% wrong="two hundred random divisions" says="two equal calls"
rng = np.random.default_rng(0)
def weat(X, Y, A, B):
    targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B))
    s = (targets @ A.T).mean(axis=1) - (targets @ B.T).mean(axis=1)
    def difference(first):
        chosen = np.isin(np.arange(len(s)), first)
        return s[chosen].mean() - s[~chosen].mean()
    seen = difference(range(len(X)))
    others = [difference(rng.permutation(len(s))[: len(X)]) for _ in range(200)]
    return float(seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9))
# %% wrong="mean attribute vectors" says="not the mean of the cosines" of="the plain way"
#- def weat(X, Y, A, B):
#+ def weat(X, Y, A, B):
#+     A, B = A.mean(axis=0, keepdims=True), B.mean(axis=0, keepdims=True)
# %% wrong="scaled by columns" says="columns were scaled" of="the plain way"
#~ 1, keepdims=True => 0
# %% wrong="the effect only" says="a pair is asked" of="the plain way"
#~ (seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9)) => (seen / s.std(ddof=1))
# %% wrong="the pair the other way round" says="effect comes first" of="the plain way"
#~ (seen / s.std(ddof=1)), float(np.mean(np.array(others) >= seen - 1e-9)) => (np.mean(np.array(others) >= seen - 1e-9)), float(seen / s.std(ddof=1))
# %% wrong="exact comparison" says="rounding must not decide" of="the plain way"
#~ seen - 1e-9 => seen
# %% wrong="vectors scaled in place" says="in place" of="the plain way"
#-     targets, A, B = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (np.concatenate([X, Y]), A, B))
#+     for v in (X, Y, A, B):
#+         v /= np.linalg.norm(v, axis=1, keepdims=True)
#+     targets = np.concatenate([X, Y])
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
# %% right="mean of unit attributes, sums of the first part"
def weat(X, Y, A, B):
    def unit(v):
        return v / np.sqrt((v * v).sum(-1, keepdims=True))
    direction = unit(A).mean(0) - unit(B).mean(0)
    s = np.concatenate([unit(X) @ direction, unit(Y) @ direction])
    # for parts of one size the larger sum of the first part is the larger difference
    sums = np.array([s[list(part)].sum() for part in combinations(range(len(s)), len(X))])
    seen = s[: len(X)].mean() - s[len(X) :].mean()
    return [seen / np.std(s, ddof=1), (sums >= s[: len(X)].sum() - 1e-9).mean()]
# %% right="torch"
def weat(X, Y, A, B):
    X, Y, A, B = (nn.functional.normalize(torch.as_tensor(v), dim=1) for v in (X, Y, A, B))
    x, y = ((w @ A.T).mean(1) - (w @ B.T).mean(1) for w in (X, Y))
    s = torch.cat([x, y])
    parts = torch.tensor(list(combinations(range(len(s)), len(x))))
    first = s[parts].sum(1)
    gaps = first / len(x) - (s.sum() - first) / len(y)
    seen = x.mean() - y.mean()
    return seen / s.std(), (gaps >= seen - 1e-9).double().mean()
# %% right="bit masks, scikit-learn"
from sklearn.metrics.pairwise import cosine_similarity
def weat(X, Y, A, B):
    T = np.vstack((X, Y))
    s = cosine_similarity(T, A).mean(1) - cosine_similarity(T, B).mean(1)
    n, m = len(X), len(Y)
    masks = (np.arange(2 ** (n + m))[:, None] >> np.arange(n + m)) & 1
    masks = masks[masks.sum(1) == n]
    gaps = masks @ s / n - (1 - masks) @ s / m
    seen = s[:n].mean() - s[n:].mean()
    deviation = np.sqrt(((s - s.mean()) ** 2).sum() / (n + m - 1))
    return float(seen / deviation), np.count_nonzero(gaps > seen - 1e-9) / len(gaps)
# %% right="unseen, right 1"
def weat(X, Y, A, B):
    def cos(a, b):
        return (a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))
    s = [np.mean([cos(w, a) for a in A]) - np.mean([cos(w, b) for b in B]) for w in [*X, *Y]]
    gap = np.mean(s[: len(X)]) - np.mean(s[len(X) :])
    gaps = []
    for part in combinations(range(len(s)), len(X)):
        rest = [s[i] for i in range(len(s)) if i not in part]
        gaps.append(np.mean([s[i] for i in part]) - np.mean(rest))
    return gap / np.std(s, ddof=1), np.mean(np.array(gaps) >= gap - 1e-10)
# %% wrong="plus one smoothing" says="p is the plain share of divisions: nothing is added to it" of="subtracts the mean of X only"
#~ n - s[n:].mean() => n - (total - first) / (len(s) - n)
#~ hits / count => (hits + 1) / (count + 1)
# %% wrong="pooled std" says="the deviation is over all targets together, not the two" of="subtracts the mean of X only"
#~ n - s[n:].mean() => n - (total - first) / (len(s) - n)
#~ s.std(ddof=1) => np.sqrt((s[:n].var(ddof=1) + s[n:].var(ddof=1)) / 2)
# %% right="sums in the test only"
def weat(X, Y, A, B):
    def unit(v):
        return v / np.linalg.norm(v, axis=1, keepdims=True)
    W = unit(np.concatenate([X, Y]))
    s = (W @ unit(A).T).mean(1) - (W @ unit(B).T).mean(1)
    n, total = len(X), s.sum()
    gap = s[:n].mean() - s[n:].mean()
    hits, count = 0, 0
    for part in combinations(range(len(s)), n):
        first = s[list(part)].sum()
        other = 2 * first - total
        hits += other >= s[:n].sum() - s[n:].sum() - 1e-9
        count += 1
    return gap / s.std(ddof=1), hits / count
# %% wrong="no slack" says="divisions that reach the same difference count, too, and" of="sums in the test only"
#~ 2 * first - total => first / n - (total - first) / (len(s) - n)
#~ s[:n].sum() - s[n:].sum() - 1e-9 => gap
# %% right="subtracts the mean of X only"
def weat(X, Y, A, B):
    def unit(v):
        return v / np.linalg.norm(v, axis=1, keepdims=True)
    W = unit(np.concatenate([X, Y]))
    s = (W @ unit(A).T).mean(1) - (W @ unit(B).T).mean(1)
    n, total = len(X), s.sum()
    gap = s[:n].mean() - s[n:].mean()
    hits, count = 0, 0
    for part in combinations(range(len(s)), n):
        first = s[list(part)].sum()
        other = first / n - s[n:].mean()
        hits += other >= gap - 1e-9
        count += 1
    return gap / s.std(ddof=1), hits / count
# %% wrong="the rest divided by the size of X" says="is over |Y| words"
def weat(X, Y, A, B):
    def unit(m):
        return m / np.linalg.norm(m, axis=1, keepdims=True)
    targets = unit(np.concatenate([X, Y]))
    s = (targets @ unit(A).T).mean(1) - (targets @ unit(B).T).mean(1)
    n, m = len(X), len(Y)
    seen = s[:n].mean() - s[n:].mean()
    firsts = np.array([s[list(part)].sum() for part in combinations(range(n + m), n)])
    hits = firsts / n - (s.sum() - firsts) / n >= seen - 1e-9
    return float(seen / s.std(ddof=1)), float(hits.mean())
# %% wrong="the two sizes exchanged" says="by the other part's size" of="the rest divided by the size of X"
#~ firsts / n - (s.sum() - firsts) / n => firsts / m - (s.sum() - firsts) / n
# %% wrong="sums beside a difference of means" says="compared with differences of sums" of="the rest divided by the size of X"
#~ firsts / n - (s.sum() - firsts) / n => firsts - (s.sum() - firsts)
# %% wrong="the mean of the first part alone" says="the rest of each division is missing" of="the rest divided by the size of X"
#~ firsts / n - (s.sum() - firsts) / n => firsts / n
# %% wrong="random divisions" says="some that were drawn at random" of="the plain way"
#-     others = [difference(part) for part in combinations(range(len(s)), len(X))]
#+     rng = np.random.default_rng(0)
#+     others = [difference(rng.permutation(len(s))[: len(X)]) for _ in range(1000)]
