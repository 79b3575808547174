# %% base="the plain way"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]))
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
        ids.append(min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1))
    return ids
# %% wrong="exchanged" says="V and U are exchanged" of="the plain way"
#~ next_probabilities(V, U, i): => next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
#~ U @ V => V @ U
# %% wrong="divided by T" says="T - 1 pairs"
def mean_nll(V: np.ndarray, U: np.ndarray, ids: Sequence[int]) -> float:
    return float(np.sum([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:], strict=False)]) / len(ids))
# %% wrong="greedy" says="draw by r" of="another way, 2"
#~ cumulative = np.cumsum(next_probabilities(V, U, ids[-1])) => p = next_probabilities(V, U, ids[-1])
#~ next((j for j, c in enumerate(cumulative) if c > r), len(U) - 1) => int(p.argmax())
# %% right="another way, 1"
def next_probabilities(V: np.ndarray, U: np.ndarray, i: int) -> np.ndarray:
    return torch.softmax(torch.tensor(U) @ torch.tensor(V)[i], 0).numpy()
# %% right="another way, 2"
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
# %% wrong="the scores are clipped" says="clip" of="the largest score is not subtracted"
#~ U @ V[i] => np.clip(U @ V[i], -500, 500)
# %% wrong="not normalised" says="not by their sum"
def next_probabilities(V, U, i):
    scores = U @ V[i]
    return np.exp(scores - scores.max())
# %% wrong="shares of the scores" says="exponential" of="not normalised"
#~ np.exp(scores - scores.max()) => scores / scores.sum()
# %% wrong="scores only" says="softmax" of="all scores at once"
#~ np.exp(all_log_probabilities(V, U)[i]) => U @ V[i]
# %% wrong="a sigmoid of each" says="sigmoid" of="all scores at once"
#~ np.exp(all_log_probabilities(V, U)[i]) => 1 / (1 + np.exp(-np.clip(U @ V[i], -700, 700)))
# %% wrong="cosine" says="divided by the lengths" of="the plain way"
#~ [i] => [i] / (np.linalg.norm(U, axis=1) * np.linalg.norm(V[i]))
# %% wrong="scaled as in attention" says="root of" of="the plain way"
#~ [i] => [i] / np.sqrt(V.shape[1])
# %% wrong="V twice" says="both vectors were taken from V" of="the plain way"
#~ U @ => V @
# %% wrong="U twice" says="both vectors were taken from U" of="the plain way"
#~ V[i] => U[i]
# %% wrong="the sign of the scores" says="sign" of="the plain way"
#~ U @ V[i] => -(U @ V[i])
# %% wrong="logarithms" says="logarithm" of="the plain way"
#-     weights = np.exp(scores - scores.max())
#-     return weights / weights.sum()
#+     return scores - scores.max() - np.log(np.exp(scores - scores.max()).sum())
#~ np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]) => -np.mean([next_probabilities(V, U, i)[j] for i, j in zip(ids, ids[1:])])
# %% wrong="the mean is subtracted, not the largest" says="not the mean" of="the plain way"
#~ max => mean
# %% wrong="divided by the norm" says="divide by their sum" of="the plain way"
#~ weights.sum() => np.linalg.norm(weights)
# %% wrong="rounded" says="round" of="the plain way"
#~ weights / weights.sum() => np.round(weights / weights.sum(), 4)
# %% wrong="the column of V" says="column of V" of="the plain way"
#~ V[i] => V.T[i]
# %% wrong="all rows at once" says="word i"
def next_probabilities(V, U, i):
    scores = V @ U.T
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return weights / weights.sum(1, keepdims=True)
# %% wrong="the sum, not the mean" says="mean" of="the plain way"
#~ np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]) => sum(-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:]))
# %% wrong="bits" says="these are bits" of="the plain way"
#~ log => log2
# %% wrong="minus is missing" says="sign" of="the plain way"
#~ [-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])] => [np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]
# %% wrong="backwards" says="turned round" of="the plain way"
#~ (V, U, i)[j] => (V, U, j)[i]
# %% wrong="the word predicts itself" says="the same word" of="the plain way"
#~ (next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:]) => (next_probabilities(V, U, i)[i]) for i in ids[:-1]
# %% wrong="the last pair is missing" says="last pair"
def mean_nll(V, U, ids):
    pairs = [(ids[t], ids[t + 1]) for t in range(max(len(ids) - 2, 1))]
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in pairs]))
# %% wrong="wraps round the end" says="does not go round" of="the plain way"
#~ ids[1:] => [*ids[1:], ids[0]]
# %% wrong="each pair once" says="as often" of="the plain way"
#~ zip(ids, ids[1:]) => sorted(set(zip(ids, ids[1:])))
# %% wrong="the logarithm of the mean" says="before the logarithm" of="the plain way"
#~ np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]) => -np.log(np.mean([next_probabilities(V, U, i)[j] for i, j in zip(ids, ids[1:])]))
# %% wrong="perplexity" says="perplexity" of="the plain way"
#~ mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]) => exp(np.mean([-np.log(next_probabilities(V, U, i)[j]) for i, j in zip(ids, ids[1:])]))
# %% wrong="windows that do not overlap" says="overlap" of="the plain way"
#~ , ids[1:] => [::2], ids[1::2]
# %% wrong="side left" says="greater" of="all scores at once"
#-     cumulative = np.exp(all_log_probabilities(V, U)).cumsum(axis=1)
#~ (cumulative[ids[-1]] <= r).sum() => np.searchsorted(np.cumsum(next_probabilities(V, U, ids[-1])), r)
# %% wrong="the start is not in the list" says="start" of="the plain way"
#~ 1 - r => r
#~ return ids => return ids[1:]
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
# %% wrong="the word before the right one" says="one word off" of="the plain way"
#~ min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1) => max(int(np.searchsorted(cumulative, r, side="right")) - 1, 0)
# %% wrong="no guard for the rounding" says="rounding" of="the plain way"
#~ min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1) => int(np.searchsorted(cumulative, r, side="right"))
# %% wrong="sorted by probability" says="sorted" of="the plain way"
#-         cumulative = np.cumsum(next_probabilities(V, U, ids[-1]))
#-         ids.append(min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1))
#+         p = next_probabilities(V, U, ids[-1])
#+         order = np.argsort(-p)
#+         ids.append(int(order[min(int(np.searchsorted(np.cumsum(p[order]), r, side="right")), len(U) - 1)]))
# %% wrong="the first word whose own probability is above r" says="cumulative" of="the plain way"
#~ cumulative = np.cumsum(next_probabilities(V, U, ids[-1])) => p = next_probabilities(V, U, ids[-1])
#~ min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1) => int(np.argmax(p > r))
# %% wrong="one word too few" says="the first was not used" of="the plain way"
#~ uniforms: => uniforms[1:]:
#~ 1 - r => r
# %% wrong="counted from the end" says="1 - r" of="another way, 2"
#~ (V: np.ndarray, U: np.ndarray, start: int, uniforms: Sequence[float]) -> list[int] => (V, U, start, uniforms)
#~ int(start) => start
#~ next((j for j, c in enumerate(cumulative) if c > r), len(U) - 1) => min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1)
# %% wrong="the first word, if rounding leaves none" says="rounding" of="the plain way"
#~ min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1) => int(np.argmax(cumulative > r))
# %% wrong="the last uniform is used again" says="of its own" of="the plain way"
#~ r in => _ in
#~ 1 - r => uniforms[0]
# %% wrong="returned inside the loop" says="inside the loop" of="the plain way"
#-         ids.append(min(int(np.searchsorted(cumulative, 1 - r, side="right")), len(U) - 1))
#+         ids.append(min(int(np.searchsorted(cumulative, r, side="right")), len(U) - 1))
#+         return ids
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
# %% wrong="overflow nan to num" says="an exponential overflowed: subtract the largest score first" of="the plain way"
#~ weights = np.exp(scores - scores.max()) => e = np.exp(scores)
#~ weights / weights.sum() => np.nan_to_num(e / e.sum())
# %% wrong="at least r" says="a cumulative sum equal to r is not greater" of="unseen, right 1"
#-         out.append(min(int(np.searchsorted(c, r, side="right")), len(c) - 1))
#+         j = 0
#+         while j < len(c) - 1 and not c[j] >= r:
#+             j += 1
#+         out.append(j)
# %% wrong="sorted probabilities" says="the place among the sorted words came back: keep the order" of="unseen, right 1"
#-         c = np.cumsum(next_probabilities(V, U, out[-1]))
#-         out.append(min(int(np.searchsorted(c, r, side="right")), len(c) - 1))
#+         c = np.cumsum(-np.sort(-next_probabilities(V, U, out[-1])))
#+         j = 0
#+         while j < len(c) - 1 and not c[j] > r:
#+             j += 1
#+         out.append(j)
# %% wrong="beyond the last" says="if rounding leaves no sum greater than r, the last word is" of="unseen, right 1"
#~ min(int(np.searchsorted(c, r, side="right")), len(c) - 1) => int(np.searchsorted(c, r, side='right'))
# %% wrong="searchsorted left" says="a cumulative sum equal to r is not greater" of="unseen, right 1"
#~ r, side="right" => r
# %% wrong="word after the right one" says="the first cumulative sum greater than r counts: here the" of="unseen, right 1"
#-         out.append(min(int(np.searchsorted(c, r, side="right")), len(c) - 1))
#+         j = 0
#+         while j < len(c) - 1 and not c[j] > r:
#+             j += 1
#+         out.append(min(j + 1, len(c) - 1))
# %% wrong="all pairs" says="only words that follow one another are pairs: here each"
def mean_nll(V, U, ids):
    losses = [-np.log(next_probabilities(V, U, a)[b]) for a in ids for b in ids]
    return float(np.mean(losses))
# %% wrong="probability of start word repeated" says="`start` came twice: the list begins with it once" of="unseen, right 1"
#~ [start] => [start, start]
#-         out.append(min(int(np.searchsorted(c, r, side="right")), len(c) - 1))
#+         j = 0
#+         while j < len(c) - 1 and not c[j] > r:
#+             j += 1
#+         out.append(j)
# %% wrong="a small number in the logarithm" says="was raised to 1e-09"
def mean_nll(V, U, ids):
    return float(np.mean([-np.log(next_probabilities(V, U, i)[j] + 1e-9) for i, j in zip(ids, ids[1:])]))
# %% wrong="scores in float32" says="float64 was rounded to float32"
#~ scores = U @ V[i] => scores = (U @ V[i]).astype(np.float32)
# %% right="torch's softmax, a running sum"
def next_probabilities(V, U, i):
    return torch.softmax(torch.tensor(U @ V[i]), dim=0).numpy()
def generate(V, U, start, uniforms):
    ids = [start]
    for r in uniforms:
        total = 0.0
        for j, p in enumerate(next_probabilities(V, U, ids[-1])):
            total += p
            if total > r:
                break
        ids.append(j)
    return ids
# %% wrong="the largest of the whole table" says="of the whole table was subtracted"
def next_probabilities(V, U, i):
    S = V @ U.T
    e = np.exp(S - S.max())
    return e[i] / e[i].sum()
# %% wrong="1e-9 added, seen" clause="Return the mean of -ln p(next word" says="was raised to"
def mean_nll(V, U, ids):
    return sum(-math.log(next_probabilities(V, U, a)[b] + 1e-9) for a, b in pairwise(ids)) / (len(ids) - 1)
# %% wrong="a sum equal to r" clause="is greater than r; the last word" says="equal to r is not greater"
def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1])); out.append(int(min(np.searchsorted(c, r, side="left"), len(V) - 1)))
    return out
# %% wrong="one beyond the last" clause="rounding leaves none" says="take the last"
def generate(V, U, start, uniforms):
    out = [start]
    for r in uniforms:
        c = np.cumsum(next_probabilities(V, U, out[-1])); out.append(int(np.searchsorted(c, r, side="right")))
    return out
