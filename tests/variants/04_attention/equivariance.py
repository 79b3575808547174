# %% wrong="invariance" says="invariance" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x) - layer(x[order])).abs().max().item
# %% wrong="put back by the same order" says="one side" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x) - layer(x[order])[order]).abs().max().item
# %% wrong="no absolute value" says="sign" of="a tensor"
#~ abs().max => max().item
# %% right="a tensor"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().max()
# %% right="put back by the inverse"
def equivariance_gap(layer, x, order):
    return np.abs(np.asarray(layer(x)) - np.asarray(layer(x[order]))[np.argsort(order.numpy())]).max()
# %% wrong="mean of the differences" says="mean of the differences" of="a tensor"
#~ max => mean().item
# %% wrong="sum of the differences" says="sum of the differences" of="a tensor"
#~ max => sum().item
# %% wrong="columns shuffled" says="columns were shuffled" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x)[:, order] - layer(x[:, order])).abs().max().item
# %% wrong="a bool" says="a bool came" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => torch.allclose(layer(x)[order], layer(x[order]))
# %% wrong="a norm" says="a norm of all differences" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => torch.norm(layer(x)[order] - layer(x[order])).item
# %% wrong="squared" says="squared" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => ((layer(x)[order] - layer(x[order])) ** 2).max().item
# %% wrong="the whole table" says="all differences came" of="a tensor"
#~ ().max() => ()
# %% wrong="absolute value at the end" says="before the maximum" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => abs((layer(x)[order] - layer(x[order])).max().item())
# %% wrong="the same side twice" says="both sides are the same"
def equivariance_gap(layer, x, order):
    shuffled = x[order]
    return (layer(shuffled) - layer(x[order])).abs().max().item()
# %% wrong="input by the inverse" says="same order on both sides" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max => (layer(x)[order] - layer(x[order.argsort()])).abs().max().item
# %% wrong="x shuffled in place" says="in place"
def equivariance_gap(layer, x, order):
    once = layer(x)[order]
    x[:] = x[order]
    return (once - layer(x)).abs().max().item()
# %% right="NumPy and a loop"
def equivariance_gap(layer, x, order):
    left, right = layer(x).numpy(), layer(x[order]).numpy()
    return max(float(np.abs(left[j] - right[i]).max()) for i, j in enumerate(order.tolist()))
# %% right="a permutation matrix"
def equivariance_gap(layer, x, order):
    P = torch.eye(len(order))[order]
    return torch.linalg.vector_norm(P @ layer(x) - layer(P @ x), ord=float("inf"))
# %% wrong="compared with the input" says="the layer is missing" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => float((x[order] - layer(x[order])).abs().max())
# %% wrong="the first row only" says="only the first token" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => float((layer(x)[order] - layer(x[order]))[0].abs().max())
# %% wrong="one number a column" says="one number for each feature" of="a tensor"
#~ max() => max(dim=0).values
# %% wrong="rounded to zero" says="rounded" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => round(float((layer(x)[order] - layer(x[order])).abs().max()), 2)
# %% right="a tensor of one number" of="a tensor"
#~ return (layer(x)[order] - layer(x[order])).abs().max() => return torch.dist(layer(x)[order], layer(x[order]), p=float("inf"))
# %% right="the output shuffled back" of="a tensor"
#-     return (layer(x)[order] - layer(x[order])).abs().max()
#+     back = torch.argsort(order)
#+     return (layer(x) - layer(x[order])[back]).abs().amax().item()
# %% right="NumPy"
def equivariance_gap(layer, x, order):
    a, b = layer(x).detach().numpy()[order.numpy()], layer(torch.index_select(x, 0, order)).detach().numpy()
    return np.abs(a - b).max()
# %% right="a loop"
def equivariance_gap(layer, x, order):
    a, b, gap = layer(x), layer(x[order]), 0.0
    for i, row in enumerate(order.tolist()):
        for p, q in zip(a[row].tolist(), b[i].tolist()):
            gap = max(gap, abs(p - q))
    return gap
# %% wrong="the input never shuffled" says="shuffled on neither side" of="a tensor"
#~ (layer(x)[order] - layer(x[order])).abs().max() => float((layer(x)[order] - layer(x)).abs().max())
# %% wrong="relative gap" says="small numbers"
def equivariance_gap(layer, x, order):
    a = layer(x)
    return float((a[order] - layer(x[order])).abs().max() / a.abs().max().clamp(max=1))
# %% right="maximum of both again"
def equivariance_gap(layer, x, order):
    d = layer(x)[order] - layer(x[order])
    return max(float(d.max()), -float(d.min()))
# %% wrong="largest minus smallest" says="the smallest difference was taken"
def equivariance_gap(layer, x, order):
    difference = layer(x)[order] - layer(x[order])
    return (difference.max() - difference.min()).item()
# %% wrong="the largest of each side" says="the largest entries of both sides"
def equivariance_gap(layer, x, order):
    return (layer(x)[order].max() - layer(x[order]).max()).abs().item()
# %% wrong="the largest, with its sign" clause="Return the largest absolute difference" says="take absolute values"
#~ .abs().max() => .max()
# %% wrong="features added up" clause="Return the largest absolute difference between the entries" says="were added up"
#~ .abs().max() => .sum(-1).abs().max()
