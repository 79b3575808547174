# %% wrong="signed" says="not the most negative"
#~ weight.abs().flatten() => weight.flatten()
# %% wrong="those that go" says="those that go"
#~ return mask.view(weight.shape) => return ~mask.view(weight.shape)
# %% wrong="largest go" says="the largest went"
#~ argsort(stable=True) => argsort(stable=True, descending=True)
# %% wrong="a threshold" says="too many went"
def keep_largest(weight, share):
    k = round(share * weight.numel())
    if k == 0:
        return torch.ones_like(weight, dtype=torch.bool)
    return weight.abs() > weight.abs().flatten().kthvalue(k).values
# %% wrong="cut off" says="not cut off"
#~ round(share * len(order)) => int(share * len(order))
# %% wrong="by row" says="not of each row"
def keep_largest(weight, share):
    rows = weight.reshape(-1, weight.shape[-1])
    order = rows.abs().argsort(dim=1, stable=True)[:, : round(share * rows.shape[1])]
    return torch.ones_like(rows, dtype=torch.bool).scatter(1, order, False).view(weight.shape)
# %% wrong="fours signed" says="not the most negative"
#~ weight.abs().reshape(-1, 4) => weight.reshape(-1, 4)
# %% wrong="fours down" says="along the rows"
def two_of_four(weight):
    fours = weight.abs().T.reshape(-1, 4)
    places = fours.argsort(dim=1, stable=True)[:, 2:]
    return torch.zeros_like(fours, dtype=torch.bool).scatter(1, places, True).view(weight.T.shape).T
# %% wrong="one of four" says="one stays"
#~ [:, 2:] => [:, 3:]
# %% wrong="mask forgotten" says="pruned weights move"
#~ torch.where(mask, weight - lr * gradient, 0.0) => weight - lr * gradient
# %% wrong="gradient masked" says="only the gradient"
#~ torch.where(mask, weight - lr * gradient, 0.0) => weight - lr * gradient * mask
# %% wrong="times the mask" says="not finite"
#~ torch.where(mask, weight - lr * gradient, 0.0) => (weight - lr * gradient) * mask
# %% wrong="halves go up" says="here it went up"
#~ round(share * len(order)) => int(share * len(order) + 0.5)
# %% wrong="the share stays" says="of those that stay"
#~ [: round(share * => [: round((1 - share) *
# %% right="numpy and ranks"
def keep_largest(weight, share):
    flat = weight.detach().reshape(-1).abs().numpy()
    ranks = np.empty(len(flat), dtype=int)
    ranks[np.argsort(flat, kind="stable")] = np.arange(len(flat))
    return torch.from_numpy(ranks >= round(share * len(flat))).reshape(weight.shape)
def two_of_four(weight):
    out = torch.zeros(weight.shape, dtype=torch.bool)
    for i, row in enumerate(weight.abs().tolist()):
        for j in range(0, len(row), 4):
            for k in sorted(range(j, j + 4), key=lambda c: (row[c], c))[2:]:
                out[i, k] = True
    return out
# %% right="filled"
def masked_step(weight, gradient, mask, lr):
    return (weight - lr * gradient).masked_fill(~mask, 0.0)
# %% wrong="the last n that stay" says="[-0:] takes everything"
#~ mask = torch.ones_like(order, dtype=torch.bool) => mask = torch.zeros_like(order, dtype=torch.bool)
#~ mask[order[: round(share * len(order))]] = False => mask[order[-(len(order) - round(share * len(order))) :]] = True
# %% wrong="a count that is cut off" says="not cut off" clause="round(share * n) of the n weights go, no more and no fewer"
#~ round(share * len(order)) => int(share * len(order))
# %% wrong="a half goes up" says="here it went up" clause="a half goes to the even number"
#~ round(share * len(order)) => int(share * len(order) + 0.5)
# %% wrong="the last two of equal ones" says="not the last" clause="Of equally large ones those that come first go."
#~ fours.argsort(dim=1, stable=True)[:, 2:] => fours.argsort(dim=1, stable=True, descending=True)[:, :2]
# %% wrong="times the mask" says="0 times infinity" clause="Exactly 0 where mask is False, whatever weight and gradient are there."
#~ torch.where(mask, weight - lr * gradient, 0.0) => (weight - lr * gradient) * mask
# %% wrong="one of four goes" says="three stay"
#~ [:, 2:] => [:, 1:]
