# %% wrong="the wrong axis" says="axis 1"
def interval(values, draws, level=0.95):
    means = values[draws].mean(axis=0)
    return tuple(np.quantile(means, [(1 - level) / 2, (1 + level) / 2]))

# %% wrong="quantiles of the values" says="values themselves"
def interval(values, draws, level=0.95):
    return tuple(np.quantile(values, [(1 - level) / 2, (1 + level) / 2]))

# %% wrong="one-sided" says="both sides"
def interval(values, draws, level=0.95):
    return tuple(np.quantile(values[draws].mean(axis=1), [1 - level, level]))

# %% wrong="level fixed" says="level is ignored"
def interval(values, draws, level=0.95):
    return tuple(np.quantile(values[draws].mean(axis=1), [0.025, 0.975]))

# %% right="a loop"
def interval(values, draws, level=0.95):
    means = [np.mean([values[i] for i in row]) for row in draws]
    rest = 1 - level
    return np.quantile(means, rest / 2), np.quantile(means, 1 - rest / 2)

# %% right="percentiles"
def interval(values, draws, level=0.95):
    low, high = np.percentile(np.take(values, draws).mean(-1), [50 * (1 - level), 50 * (1 + level)])
    return low, high
