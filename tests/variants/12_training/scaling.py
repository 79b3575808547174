# %% right="sums of squares"
def fit_power_law(sizes, losses):
    x, y = np.log(np.asarray(sizes, dtype=float)), np.log(np.asarray(losses, dtype=float))
    b = -((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return math.exp(y.mean() + b * x.mean()), float(b)
def predicted_loss(size, a, b):
    return math.exp(math.log(a) - b * math.log(size))
def best_split(operations, tokens_per_weight=20.0):
    tokens = (operations * tokens_per_weight / 6) ** 0.5
    return tokens / tokens_per_weight, tokens
# %% right="least squares on base 2"
def fit_power_law(sizes, losses):
    A = np.stack([np.ones(len(sizes)), np.log2(sizes)], axis=1)
    start, slope = np.linalg.lstsq(A, np.log2(losses), rcond=None)[0]
    return 2.0**start, -slope
def predicted_loss(size, a, b):
    return a / size**b
# %% right="torch"
def fit_power_law(sizes, losses):
    x = torch.tensor([math.log(n) for n in sizes], dtype=torch.float64)
    y = torch.tensor([math.log(l) for l in losses], dtype=torch.float64)
    b = -((x * y).mean() - x.mean() * y.mean()) / ((x * x).mean() - x.mean() ** 2)
    return (y.mean() + b * x.mean()).exp().item(), b.item()
# %% wrong="b with its sign" says="b is the fall"
#~ float(-slope) => float(slope)
# %% wrong="a as a logarithm" says="still a logarithm"
#~ float(np.exp(intercept)) => float(intercept)
# %% wrong="a and b exchanged" says="a and b are exchanged"
#~ return float(np.exp(intercept)), float(-slope) => return float(-slope), float(np.exp(intercept))
# %% wrong="base 10, exp" says="base 10"
#~ np.polyfit(np.log(sizes), np.log(losses), 1) => np.polyfit(np.log10(sizes), np.log10(losses), 1)
# %% wrong="no logarithms" says="through their logarithms"
#~ np.polyfit(np.log(sizes), np.log(losses), 1) => np.polyfit(sizes, losses, 1)
#~ float(np.exp(intercept)) => float(intercept)
# %% wrong="log of the sizes alone" says="only the sizes"
#~ np.log(losses), 1) => losses, 1)
#~ float(np.exp(intercept)) => float(intercept)
# %% wrong="log of the losses alone" says="only the losses"
#~ np.log(sizes) => sizes
# %% wrong="two points" says="first and the last point"
def fit_power_law(sizes, losses):
    b = math.log(losses[0] / losses[-1]) / math.log(sizes[-1] / sizes[0])
    return losses[0] * sizes[0] ** b, b
# %% wrong="sizes and losses exchanged" says="sizes and losses are exchanged"
#~ np.polyfit(np.log(sizes), np.log(losses), 1) => np.polyfit(np.log(losses), np.log(sizes), 1)
# %% wrong="grows" says="the loss grows"
#~ a * size**-b => a * size**b
# %% wrong="a line" says="this is a line"
#~ a * size**-b => a - b * size
# %% wrong="a and b exchanged in the law" says="a and b are exchanged"
#~ a * size**-b => b * size**-a
# %% wrong="no a" says="a is missing"
#~ a * size**-b => size**-b
# %% wrong="the logarithm" says="logarithm of the loss"
#~ a * size**-b => math.log(a) - b * math.log(size)
# %% wrong="exponential" says="exponential"
#~ a * size**-b => a * math.exp(-b * size)
# %% wrong="no root" says="root is missing"
#~ math.sqrt(operations / (6 * tokens_per_weight)) => operations / (6 * tokens_per_weight)
# %% wrong="no 6" says="6 is missing"
#~ (6 * tokens_per_weight) => tokens_per_weight
# %% wrong="no tokens under the root" says="under the root"
#~ (6 * tokens_per_weight) => 6
# %% wrong="20 always" says="whatever tokens_per_weight"
#~ (6 * tokens_per_weight) => 120
#~ tokens_per_weight * weights => 20 * weights
# %% wrong="weights and tokens exchanged" says="weights and tokens are exchanged"
#~ return weights, tokens_per_weight * weights => return tokens_per_weight * weights, weights
# %% wrong="as many tokens as weights" says="as many as the weights"
#~ return weights, tokens_per_weight * weights => return weights, weights
# %% wrong="rounded" says="rounded"
#~ return weights, tokens_per_weight * weights => return round(weights), round(tokens_per_weight * weights)
# %% wrong="two logarithms" says="two kinds of logarithm"
#~ np.log(losses), 1) => np.log2(losses), 1)
# %% wrong="20 tokens in the end" says="the tokens are 20 for each weight"
#~ return weights, tokens_per_weight * weights => return weights, 20 * weights
# %% wrong="sizes sorted, losses not" says="a wrong value"
#~ np.log(sizes) => np.log(np.sort(sizes))
# %% wrong="the slope of the first and the last point" says="the slope is that between the first" of="sums of squares"
#~ ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum() => (y[-1] - y[0]) / (x[-1] - x[0])
# %% wrong="one run for each size" says="only the last counts" of="sums of squares"
#~ x, y = np.log(np.asarray(sizes, dtype=float)), np.log(np.asarray(losses, dtype=float)) => x, y = np.log(sorted(dict(zip(sizes, losses)).items())).T
