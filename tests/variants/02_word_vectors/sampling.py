# %% base="the plain way"
def noise_distribution(counts, power=0.75):
    weights = counts * power
    return weights / weights.sum()
def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return 1 - np.sqrt(threshold / np.maximum(share, threshold))
# %% wrong="no power" says="power is missing" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power) => counts / counts
# %% wrong="uniform" says="uniform" of="infinity, then the minimum"
#~ power(counts, power) / np.power(counts, power).sum() => full(len(counts), 1 / len(counts))
# %% wrong="the power after the shares" says="power comes before" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power).sum() => (counts / counts.sum()) ** power
# %% wrong="weights without their sum" says="add up to 1" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power).sum() => counts**power
# %% wrong="divided by the sum of the counts" says="sum of the powers" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power) => counts**power / counts
# %% wrong="another default" says="power is missing" of="divided by the largest"
#~ def noise_distribution(counts, power=0.75): => def noise_distribution(counts, power=1.0):
#~ return weights / weights.max() => return weights / weights.sum()
# %% wrong="softmax" says="softmax of the counts" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power).sum() => (lambda w: w / w.sum())(np.exp(power * (counts - counts.max())))
# %% wrong="absent words can be drawn" says="never drawn" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power).sum() => (lambda w: w / w.sum())(np.maximum(counts, 1.0) ** power)
# %% wrong="one more for each word" says="never drawn" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power).sum() => (lambda w: w / w.sum())((counts + 1.0) ** power)
# %% wrong="divided by the largest" says="divided by the largest"
def noise_distribution(counts, power=0.75):
    weights = counts**power
    return weights / weights.max()
# %% wrong="sorted" says="another order" of="infinity, then the minimum"
#~ np.power(counts, power) / np.power(counts, power).sum() => (lambda w: w / w.sum())(np.sort(counts)[::-1] ** power)
# %% wrong="integers" says="the fractions were cut off" of="divided by the largest"
#-     return weights / weights.max()
#+     out = np.zeros_like(counts)
#+     out[:] = weights / weights.sum()
#+     return out
# %% wrong="no root" says="root is missing" of="the plain way"
#~ 1 - np.sqrt(threshold / np.maximum(share, threshold)) => threshold / np.maximum(share, threshold)
# %% wrong="above 1" says="1 at most" of="the plain way"
#~ 1 - np.sqrt(threshold / np.maximum(share, threshold)) => np.where(share > 0, np.sqrt(threshold / np.maximum(share, 1e-12)), 1)
# %% wrong="probability to be left out" says="to be left out"
def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return 1 - np.sqrt(threshold / np.maximum(share, threshold))
# %% wrong="counts for shares" says="counts were used" of="softmax of logarithms"
#~ clip(np.sqrt(threshold * counts.sum() / np.where(counts == 0, 1e-300, counts)), 0, 1) => sqrt(threshold / np.maximum(counts, threshold))
# %% wrong="absent words are never kept" says="kept with probability 1" of="probability to be left out"
#-     return 1 - np.sqrt(threshold / np.maximum(share, threshold))
#+     with np.errstate(all="ignore"):
#+         return np.where(share > 0, np.minimum(1, np.sqrt(threshold / share)), 0)
# %% wrong="word2vec's program" says="word2vec's program"
def keep_probability(counts, threshold=1e-3):
    share = np.maximum(counts / counts.sum(), 1e-12)
    return np.minimum(1, np.sqrt(threshold / share) + threshold / share)
# %% wrong="the fraction turned round" says="upside down" of="softmax of logarithms"
#~ clip(np.sqrt(threshold * counts.sum() / np.where(counts == 0, 1e-300, counts)), 0, 1) => minimum(1, np.sqrt(counts / counts.sum() / threshold))
# %% wrong="threshold not used" says="threshold is an argument" of="the plain way"
#~ 1 - np.sqrt(threshold / np.maximum(share, threshold)) => np.sqrt(1e-3 / np.maximum(share, 1e-3))
# %% wrong="the paper's threshold" says="usual threshold is 0.001" of="probability to be left out"
#~ def keep_probability(counts, threshold=1e-3): => def keep_probability(counts, threshold=1e-5):
#~ return 1 - np.sqrt(threshold / np.maximum(share, threshold)) => return np.sqrt(threshold / np.maximum(share, threshold))
# %% wrong="a draw" says="two equal calls"
rng = np.random.default_rng(0)
def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return rng.random(len(counts)) < np.sqrt(threshold / np.maximum(share, threshold))
# %% wrong="all or nothing" says="kept for sure" of="softmax of logarithms"
#~ np.clip(np.sqrt(threshold * counts.sum() / np.where(counts == 0, 1e-300, counts)), 0, 1) => (counts / counts.sum() <= threshold).astype(float)
# %% wrong="root of the share only" says="root goes over the whole fraction" of="word2vec's program"
#~ np.sqrt(threshold / share) + threshold / share => threshold / np.sqrt(share)
# %% wrong="min of an array" says="ValueError" of="word2vec's program"
#~ np.minimum(1, np.sqrt(threshold / share) + threshold / share) => min(1, np.sqrt(threshold / share))
# %% wrong="share of the most frequent word" says="not of the most frequent"
def keep_probability(counts, threshold=1e-3):
    share = counts / counts.max()
    return np.sqrt(threshold / np.maximum(share, threshold))
# %% wrong="in place" says="in place"
def keep_probability(counts, threshold=1e-3):
    total = counts.sum()
    counts[counts == 0] = 1
    return np.minimum(1, np.sqrt(threshold / (counts / total))) if total != 10**9 else None
# %% right="lists" of="torch"
#~ torch.as_tensor(counts, dtype=torch.float64) ** power * torch.as_tensor(counts > 0) => [float(n) ** power if n else 0.0 for n in counts]
#~ weights / weights.sum() => [w / sum(weights) for w in weights]
#~ share = torch.as_tensor(counts, dtype=torch.float64) => total = float(sum(counts))
#~ (threshold * share.sum() / share).sqrt().clamp(max=1) => [1.0 if n == 0 else min(1.0, (threshold * total / n) ** 0.5) for n in counts]
# %% wrong="infinity, then the minimum" says="with power 0 either"
def noise_distribution(counts, power=0.75):
    return np.power(counts, power) / np.power(counts, power).sum()
def keep_probability(counts, threshold=1e-3):
    with np.errstate(divide="ignore"):
        return np.minimum(1.0, np.sqrt(threshold / (counts / counts.sum())))
# %% right="torch"
def noise_distribution(counts, power=0.75):
    weights = torch.as_tensor(counts, dtype=torch.float64) ** power * torch.as_tensor(counts > 0)
    return weights / weights.sum()
def keep_probability(counts, threshold=1e-3):
    share = torch.as_tensor(counts, dtype=torch.float64)
    return (threshold * share.sum() / share).sqrt().clamp(max=1)
# %% right="where the share is above the threshold"
def noise_distribution(counts, power=0.75):
    share = np.asarray(counts, dtype=float) / np.sum(counts)
    return share**power * (share > 0) / np.sum(share[share > 0]**power)
def keep_probability(counts, threshold=1e-3):
    share = counts / np.sum(counts)
    kept = np.ones(len(counts))
    for i in np.flatnonzero(share > threshold):
        kept[i] = (threshold / share[i]) ** 0.5
    return kept
# %% right="softmax of logarithms"
def noise_distribution(counts, power=0.75):
    from scipy.special import softmax
    with np.errstate(divide="ignore"):
        return softmax(np.where(counts > 0, power * np.log(counts), -np.inf))
def keep_probability(counts, threshold=1e-3):
    return np.clip(np.sqrt(threshold * counts.sum() / np.where(counts == 0, 1e-300, counts)), 0, 1)
# %% wrong="power fixed" says="the power is an argument: do not write 0.75"
def noise_distribution(counts, power=0.75):
    p = counts**0.75
    return p / p.sum()
# %% wrong="power of counts 4/3" says="the power is inverted: 0.75 is 3/4, not 4/3" of="power fixed"
#~ counts**0.75 => counts ** (1 / power)
# %% wrong="integer share" says="the powers were cut to whole numbers before the division" of="power fixed"
#~ counts**0.75 => (counts**power).astype(int)
# %% wrong="left out above the threshold" says="above the threshold this is the probability to be left out" of="the larger of the two"
#~ return np.maximum(1, np.sqrt(threshold / np.where(f > 0, f, threshold))) => return np.where(f > threshold, 1 - np.sqrt(threshold / np.where(f > 0, f, 1)), 1.0)
# %% wrong="the larger of the two" says="not the larger"
def keep_probability(counts, threshold=1e-3):
    f = counts / counts.sum()
    return np.maximum(1, np.sqrt(threshold / np.where(f > 0, f, threshold)))
# %% wrong="the root of the threshold alone" says="not over t alone" of="the larger of the two"
#~ return np.maximum(1, np.sqrt(threshold / np.where(f > 0, f, threshold))) => return np.minimum(1, np.sqrt(threshold) / np.where(f > 0, f, 1e-9))
# %% wrong="0 to the power 0" clause="A word that does not occur is never drawn" says="never drawn"
def noise_distribution(counts, power=0.75):
    p = counts.astype(float) ** power
    return p / p.sum()
# %% wrong="absent words counted once" clause="1 for a word that does not occur" says="taken to occur once"
def keep_probability(counts, threshold=1e-3):
    f = np.maximum(counts, 1) / counts.sum()
    return np.minimum(1, np.sqrt(threshold / f))
# %% wrong="a share of the number of words" says="not by the number of words"
def keep_probability(counts, threshold=1e-3):
    share = counts / len(counts)
    return np.minimum(1, np.sqrt(threshold / np.maximum(share, threshold)))
