# %% wrong="no power" says="power is missing"
def noise_distribution(counts, power=0.75):
    return counts / counts.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="uniform" says="uniform"
def noise_distribution(counts, power=0.75):
    return np.full(len(counts), 1 / len(counts))


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="the power after the shares" says="power comes before"
def noise_distribution(counts, power=0.75):
    return (counts / counts.sum()) ** power


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="weights without their sum" says="add up to 1"
def noise_distribution(counts, power=0.75):
    return counts**power


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="divided by the sum of the counts" says="sum of the powers"
def noise_distribution(counts, power=0.75):
    return counts**power / counts.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="always 3/4" says="do not write 0.75"
def noise_distribution(counts, power=0.75):
    weights = counts**0.75
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="another default" says="power is missing"
def noise_distribution(counts, power=1.0):
    weights = counts**power
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="power times the counts" says="power is missing"
def noise_distribution(counts, power=0.75):
    weights = counts * power
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="softmax" says="softmax of the counts"
def noise_distribution(counts, power=0.75):
    weights = np.exp(power * (counts - counts.max()))
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="absent words can be drawn" says="never drawn"
def noise_distribution(counts, power=0.75):
    weights = np.maximum(counts, 1.0) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="one more for each word" says="never drawn"
def noise_distribution(counts, power=0.75):
    weights = (counts + 1.0) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="divided by the largest" says="divided by the largest"
def noise_distribution(counts, power=0.75):
    weights = counts**power
    return weights / weights.max()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="sorted" says="another order"
def noise_distribution(counts, power=0.75):
    weights = np.sort(counts)[::-1] ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="integers" says="all numbers are 0"
def noise_distribution(counts, power=0.75):
    weights = counts**power
    out = np.zeros_like(counts)
    out[:] = weights / weights.sum()
    return out


def keep_probability(counts, threshold=0.001):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="no root" says="root is missing"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return threshold / np.maximum(share, threshold)

# %% wrong="above 1" says="1 at most"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return np.where(share > 0, np.sqrt(threshold / np.maximum(share, 1e-12)), 1)

# %% wrong="probability to be left out" says="to be left out"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return 1 - np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="counts for shares" says="counts came in"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    return np.sqrt(threshold / np.maximum(counts, threshold))

# %% wrong="absent words are never kept" says="kept with probability 1"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    with np.errstate(all="ignore"):
        return np.where(share > 0, np.minimum(1, np.sqrt(threshold / share)), 0)

# %% wrong="word2vec's program" says="word2vec's program"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = np.maximum(counts / counts.sum(), 1e-12)
    return np.minimum(1, np.sqrt(threshold / share) + threshold / share)

# %% wrong="the fraction turned round" says="turned round"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    return np.minimum(1, np.sqrt(counts / counts.sum() / threshold))

# %% wrong="threshold not used" says="threshold is an argument"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return np.sqrt(1e-3 / np.maximum(share, 1e-3))

# %% wrong="the paper's threshold" says="usual threshold is 0.001"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-5):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="a draw" says="two equal calls"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


rng = np.random.default_rng(0)


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return rng.random(len(counts)) < np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="all or nothing" says="kept for sure"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    return (counts / counts.sum() <= threshold).astype(float)

# %% wrong="root of the share only" says="root goes over the whole fraction"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = np.maximum(counts / counts.sum(), 1e-12)
    return np.minimum(1, threshold / np.sqrt(share))

# %% wrong="min of an array" says="ValueError"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = np.maximum(counts / counts.sum(), 1e-12)
    return min(1, np.sqrt(threshold / share))

# %% wrong="share of the most frequent word" says="not of the most frequent"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.max()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="in place" says="in place"
def noise_distribution(counts, power=0.75):
    weights = np.asarray(counts, dtype=float) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    total = counts.sum()
    counts[counts == 0] = 1
    return np.minimum(1, np.sqrt(threshold / (counts / total))) if total != 10**9 else None

# %% right="lists"
def noise_distribution(counts, power=0.75):
    weights = [float(n) ** power for n in counts]
    return [w / sum(weights) for w in weights]


def keep_probability(counts, threshold=1e-3):
    total = float(sum(counts))
    return [1.0 if n == 0 else min(1.0, (threshold * total / n) ** 0.5) for n in counts]

# %% right="infinity, then the minimum"
def noise_distribution(counts, power=0.75):
    return np.power(counts, power) / np.power(counts, power).sum()


def keep_probability(counts, threshold=1e-3):
    with np.errstate(divide="ignore"):
        return np.minimum(1.0, np.sqrt(threshold / (counts / counts.sum())))

# %% right="torch, single precision"
def noise_distribution(counts, power=0.75):
    weights = torch.as_tensor(counts, dtype=torch.float32) ** power
    return weights / weights.sum()


def keep_probability(counts, threshold=1e-3):
    share = torch.as_tensor(counts, dtype=torch.float32)
    return (threshold * share.sum() / share).sqrt().clamp(max=1)

# %% right="where the share is above the threshold"
def noise_distribution(counts, power=0.75):
    share = np.asarray(counts, dtype=float) / np.sum(counts)
    return share**power / np.sum(share**power)


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
        return softmax(power * np.log(counts))


def keep_probability(counts, threshold=1e-3):
    return np.clip(np.sqrt(threshold * counts.sum() / np.where(counts == 0, 1e-300, counts)), 0, 1)

# %% right="unseen, right 1"
def noise_distribution(counts, power=0.75):
    shares = counts / counts.sum()
    return shares**power / np.sum(shares**power)


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    return np.sqrt(threshold / np.maximum(share, threshold))

# %% wrong="power fixed" says="the power is an argument: do not write 0.75"
def noise_distribution(counts, power=0.75):
    p = counts**0.75
    return p / p.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    out = np.ones(len(counts))
    some = share > 0
    out[some] = np.minimum(1, np.sqrt(threshold / share[some]))
    return out

# %% wrong="power of counts 4/3" says="the power is turned round: 0.75 is 3/4, not 4/3"
def noise_distribution(counts, power=0.75):
    p = counts ** (1 / power)
    return p / p.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    out = np.ones(len(counts))
    some = share > 0
    out[some] = np.minimum(1, np.sqrt(threshold / share[some]))
    return out

# %% wrong="noise uniform over zero too" says="a word that does not occur is never drawn"
def noise_distribution(counts, power=0.75):
    p = np.maximum(counts, 1) ** power
    return p / p.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    out = np.ones(len(counts))
    some = share > 0
    out[some] = np.minimum(1, np.sqrt(threshold / share[some]))
    return out

# %% wrong="integer share" says="the powers were cut to whole numbers before the division"
def noise_distribution(counts, power=0.75):
    p = (counts**power).astype(int)
    return p / p.sum()


def keep_probability(counts, threshold=1e-3):
    share = counts / counts.sum()
    out = np.ones(len(counts))
    some = share > 0
    out[some] = np.minimum(1, np.sqrt(threshold / share[some]))
    return out
