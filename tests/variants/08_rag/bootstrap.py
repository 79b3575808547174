# %% base="the plain way"
def interval(values, draws, level=0.95):
    means = values[draws].mean(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
# %% wrong="the wrong axis" says="axis 1"
def interval(values, draws, level=0.95):
    means = values[draws].mean(axis=0)
    return tuple(np.quantile(means, [(1 - level) / 2, (1 + level) / 2]))
# %% wrong="quantiles of the values" says="values themselves"
def interval(values, draws, level=0.95):
    return tuple(np.quantile(values, [(1 - level) / 2, (1 + level) / 2]))
# %% wrong="one-sided" says="both sides" of="quantiles of the values"
#~ , [(1 - level) / 2, (1 + level) / 2] => [draws].mean(axis=1), [1 - level, level]
# %% wrong="level fixed" says="level is ignored" of="quantiles of the values"
#~ , [(1 - level) / 2, (1 + level) / 2] => [draws].mean(axis=1), [0.025, 0.975]
# %% wrong="quantiles of all drawn values" says="take the mean of each draw" of="the plain way"
#~ mean(axis=1) => ravel()
# %% wrong="percentile with shares" says="quantile" of="the plain way"
#~ quantile => percentile
# %% wrong="nearest order statistics" says="np.quantile" of="the plain way"
#-     low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
#+     m = np.sort(means)
#+     low, high = m[int(len(m) * (1 - level) / 2)], m[min(len(m) - 1, int(len(m) * (1 + level) / 2))]
# %% wrong="high, low" says="lower end" of="the plain way"
#~ (low), float(high) => (high), float(low)
# %% wrong="draws each only once" says="twice counts twice" of="the plain way"
#~ values[draws].mean(axis=1) => np.array([values[np.unique(d)].mean() for d in draws])
# %% wrong="draws used as values" says="were averaged" of="the plain way"
#~ values[draws] => draws
# %% wrong="default level 0.9" says="0.95" of="the plain way"
#~ 95 => 9
# %% wrong="sorts the values in place" says="changed"
#~ (values: np.ndarray, draws: np.ndarray, level: float = 0.95) -> tuple[float, float] => (values, draws, level=0.95)
#~ means = np.asarray(values)[draws] => values.sort(); means = values[draws]
# %% wrong="around the mean" says="was taken away" of="the plain way"
#~ .mean(axis=1) => .mean(axis=1) - values.mean()
# %% right="a loop"
def interval(values, draws, level=0.95):
    means = [np.mean([values[i] for i in row]) for row in draws]
    rest = 1 - level
    return np.quantile(means, rest / 2), np.quantile(means, 1 - rest / 2)
# %% right="percentiles"
def interval(values, draws, level=0.95):
    low, high = np.percentile(np.take(values, draws).mean(-1), [50 * (1 - level), 50 * (1 + level)])
    return low, high
# %% right="loops, two quantiles, NumPy floats"
def interval(values, draws, level=0.95):
    means = [sum(values[i] for i in row) / len(row) for row in draws]
    return np.quantile(means, 0.5 - level / 2), np.quantile(means, 0.5 + level / 2)
# %% right="counts times values, an array"
def interval(values, draws, level=0.95):
    counts = np.stack([np.bincount(d, minlength=len(values)) for d in np.asarray(draws)])
    return np.percentile(counts @ np.asarray(values, dtype=float) / draws.shape[1], [50 * (1 - level), 50 * (1 + level)])
# %% wrong="level at most 0.95" says="high and low levels" of="the plain way"
#~ means = => level = min(level, 0.95); means =
# %% wrong="mirrored at the mean" says="mirrored" of="the plain way"
#~ return float(low), float(high) => return 2 * values.mean() - high, 2 * values.mean() - low
# %% wrong="mirrored at the mean of the values" says="not mirrored" of="the plain way"
#~ return float(low), float(high) => return float(2 * values.mean() - high), float(2 * values.mean() - low)
# %% wrong="the normal distribution at the level" says="and the normal distribution"
def interval(values, draws, level=0.95):
    from statistics import NormalDist
    means, z = values[draws].mean(axis=1), NormalDist().inv_cdf(0.5 + level / 2)
    return float(means.mean() - z * means.std()), float(means.mean() + z * means.std())
