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

# %% wrong="the largest score is not subtracted" says="overflow"
def next_probabilities(V, U, i):
    weights = np.exp(U @ V[i])
    return weights / weights.sum()

# %% wrong="the scores are clipped" says="clip"
def next_probabilities(V, U, i):
    weights = np.exp(np.clip(U @ V[i], -500, 500))
    return weights / weights.sum()

# %% wrong="not normalised" says="not by their sum"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    return np.exp(scores - scores.max())

# %% wrong="shares of the scores" says="exponential"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    return scores / scores.sum()

# %% wrong="scores only" says="softmax"
def next_probabilities(V, U, i):
    return U @ V[i]

# %% wrong="a sigmoid of each" says="sigmoid"
def next_probabilities(V, U, i):
    return 1 / (1 + np.exp(-np.clip(U @ V[i], -700, 700)))

# %% wrong="cosine" says="divided by the lengths"
def next_probabilities(V, U, i):
    scores = U @ V[i] / (np.linalg.norm(U, axis=1) * np.linalg.norm(V[i]))
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()

# %% wrong="scaled as in attention" says="root of"
def next_probabilities(V, U, i):
    scores = U @ V[i] / np.sqrt(V.shape[1])
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()

# %% wrong="V twice" says="both vectors were taken from V"
def next_probabilities(V, U, i):
    scores = V @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()

# %% wrong="U twice" says="both vectors were taken from U"
def next_probabilities(V, U, i):
    scores = U @ U[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()

# %% wrong="the sign of the scores" says="sign"
def next_probabilities(V, U, i):
    scores = -(U @ V[i])
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()

# %% wrong="logarithms" says="logarithm"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    return scores - scores.max() - np.log(np.exp(scores - scores.max()).sum())


def mean_nll(V, U, ids):
    return float(-np.mean([next_probabilities(V, U, i)[j] for i, j in zip(ids, ids[1:])]))

# %% wrong="the mean is subtracted, not the largest" says="not the mean"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    weights = np.exp(scores - scores.mean())
    return weights / weights.sum()

# %% wrong="divided by the norm" says="divide by their sum"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / np.linalg.norm(weights)

# %% wrong="rounded" says="round"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return np.round(weights / weights.sum(), 4)

# %% wrong="the column of V" says="column of V"
def next_probabilities(V, U, i):
    scores = U @ V.T[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()

# %% wrong="all rows at once" says="word i"
def next_probabilities(V, U, i):
    scores = V @ U.T
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)

# %% wrong="the sum, not the mean" says="mean"
def mean_nll(V, U, ids):
    return float(sum(-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])))

# %% wrong="bits" says="log(2)"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log2(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]))

# %% wrong="minus is missing" says="sign"
def mean_nll(V, U, ids):
    return float(np.mean([np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]))

# %% wrong="backwards" says="turned round"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, j)[i]) for i, j in zip(ids, ids[1:])]))

# %% wrong="the word predicts itself" says="the same word"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, i)[i]) for i in ids[:-1]]))

# %% wrong="the last pair is missing" says="last pair"
def mean_nll(V, U, ids):
    pairs = [(ids[t], ids[t + 1]) for t in range(max(len(ids) - 2, 1))]
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in pairs]))

# %% wrong="wraps round the end" says="does not go round"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, [*ids[1:], ids[0]])]))

# %% wrong="each pair once" says="as often"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in sorted(set(zip(ids, ids[1:])))]))

# %% wrong="the logarithm of the mean" says="before the logarithm"
def mean_nll(V, U, ids):
    return float(-np.log(np.mean([next_probabilities(V, U, i)[j] for i, j in zip(ids, ids[1:])])))

# %% wrong="perplexity" says="perplexity"
def mean_nll(V, U, ids):
    return float(np.exp(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])])))

# %% wrong="windows that do not overlap" says="overlap"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids[::2], ids[1::2])]))

# %% wrong="side left" says="greater"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        ids.append(min(int(np.searchsorted(np.cumsum(next_probabilities(V, U, ids[-1])), r)), len(U) - 1))
    return ids

# %% wrong="the start is not in the list" says="start"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids[1:]

# %% wrong="always after the start" says="the word just drawn"
def generate(V, U, start, uniforms):
    cumulative = np.cumsum(next_probabilities(V, U, start))
    return [start] + [min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1) for r in uniforms]

# %% wrong="a random choice" says="two equal calls"
draws = np.random.default_rng(0)


def generate(V, U, start, uniforms):
    ids = [start]
    for _ in uniforms:
        ids.append(int(draws.choice(len(U), p=next_probabilities(V, U, ids[-1]))))
    return ids

# %% wrong="the word before the right one" says="one word off"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(max(int(np.searchsorted(cumulative, r, side="right")) - 1, 0))
    return ids

# %% wrong="no guard for the rounding" says="rounding"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(int(np.searchsorted(cumulative, r, side="right")))
    return ids

# %% wrong="sorted by probability" says="sorted"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        p = next_probabilities(V, U, ids[-1])
        order = np.argsort(-p)
        ids.append(int(order[min(int(np.searchsorted(np.cumsum(p[order]), r, side="right")), len(U) - 1)]))
    return ids

# %% wrong="the first word whose own probability is above r" says="cumulative"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        p = next_probabilities(V, U, ids[-1])
        ids.append(int(np.argmax(p > r)))
    return ids

# %% wrong="one word too few" says="the first was not used"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms[1:]:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
    return ids

# %% wrong="counted from the end" says="1 - r"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1))
    return ids

# %% wrong="the first word, if rounding leaves none" says="rounding"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(int(np.argmax(cumulative > r)))
    return ids

# %% wrong="the last uniform is used again" says="of its own"
def generate(V, U, start, uniforms):
    ids = [start]
    for _ in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, uniforms[0], side="right")), len(U) - 1))
    return ids

# %% wrong="returned inside the loop" says="inside the loop"
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
        return ids
    return ids

# %% right="loops"
def next_probabilities(V, U, i):
    scores = [sum(a * b for a, b in zip(u, V[i])) for u in U]
    top = max(scores)
    weights = [math.exp(s - top) for s in scores]
    return [w / sum(weights) for w in weights]


def mean_nll(V, U, ids):
    total = 0.0
    for t in range(1, len(ids)):
        total -= math.log(next_probabilities(V, U, ids[t - 1])[ids[t]])
    return total / (len(ids) - 1)


def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        p, total = next_probabilities(V, U, ids[-1]), 0.0
        for j, share in enumerate(p):
            total += share
            if total > r:
                break
        ids.append(j)
    return ids

# %% right="all scores at once"
def all_log_probabilities(V, U):
    scores = V @ U.T
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def next_probabilities(V, U, i):
    return np.exp(all_log_probabilities(V, U)[i])


def mean_nll(V, U, ids):
    ids = np.asarray(ids)
    return -all_log_probabilities(V, U)[ids[:-1], ids[1:]].mean()


def generate(V, U, start, uniforms):
    cumulative = np.exp(all_log_probabilities(V, U)).cumsum(axis=1)
    ids = [start]
    for r in uniforms:
        ids.append(min(int((cumulative[ids[-1]] <= r).sum()), len(U) - 1))
    return ids

# %% right="SciPy"
from scipy.special import log_softmax, softmax


def next_probabilities(V, U, i):
    return softmax(V[i] @ U.T)


def mean_nll(V, U, ids):
    return np.mean([-log_softmax(np.einsum("wm,m->w", U, V[i]))[j] for i, j in zip(ids[:-1], ids[1:])])


def generate(V, U, start, uniforms):
    ids = np.zeros(len(uniforms) + 1, dtype=int)
    ids[0] = start
    for t, r in enumerate(uniforms):
        above = np.flatnonzero(np.cumsum(softmax(U @ V[ids[t]])) > r)
        ids[t + 1] = above[0] if len(above) else len(U) - 1
    return ids

# %% right="recursion"
def generate(V, U, start, uniforms):
    if len(uniforms) == 0:
        return [start]
    p = next_probabilities(V, U, start)
    j = 0
    while j < len(p) - 1 and p[: j + 1].sum() <= uniforms[0]:
        j += 1
    return [start] + generate(V, U, j, uniforms[1:])

# %% right="unseen, right 1"
def next_probabilities(V, U, i):
    from scipy.special import softmax
    return softmax(np.asarray(U) @ np.asarray(V)[i])


def mean_nll(V, U, ids):
    ids = np.asarray(ids)
    scores = V[ids[:-1]] @ U.T
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return -logs[np.arange(len(ids) - 1), ids[1:]].mean()


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        out.append(min(int(np.searchsorted(c, r, side="right")), len(c) - 1))
    return out

# %% wrong="overflow" says="an exponential overflowed: subtract the largest score first"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores)
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(j)
    return out

# %% wrong="overflow nan to num" says="an exponential overflowed: subtract the largest score first"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores)
    return np.nan_to_num(e / e.sum())


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(j)
    return out

# %% wrong="clipped scores" says="the scores were clipped: subtract the largest, and none"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(np.clip(scores, -50, 50))
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(j)
    return out

# %% wrong="at least r" says="the first cumulative sum greater than r counts: here the"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] >= r:
            j += 1
        out.append(j)
    return out

# %% wrong="sorted probabilities" says="the place among the sorted words came back: keep the order"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(-np.sort(-next_probabilities(V, U, out[-1])))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(j)
    return out

# %% wrong="beyond the last" says="if rounding leaves no sum greater than r, the last word is"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        out.append(int(np.searchsorted(c, r, side='right')))
    return out

# %% wrong="searchsorted left" says="the first cumulative sum greater than r counts: here the"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        out.append(min(int(np.searchsorted(c, r)), len(c) - 1))
    return out

# %% wrong="word after the right one" says="the first cumulative sum greater than r counts: here the"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(min(j + 1, len(c) - 1))
    return out

# %% wrong="all pairs" says="only words that follow one another are pairs: here each"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a in ids for b in ids]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(j)
    return out

# %% wrong="probability of start word repeated" says="`start` came twice: the list begins with it once"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    e = np.exp(scores - scores.max())
    return e / e.sum()


def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a, b in zip(ids, ids[1:])]
    return float(np.mean(losses))


def generate(V, U, start, uniforms):
    out = [start, start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1]))
        j = 0
        while j < len(c) - 1 and not c[j] > r:
            j += 1
        out.append(j)
    return out
