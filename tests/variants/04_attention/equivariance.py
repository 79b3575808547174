# %% wrong="invariance" says="invariance"
def equivariance_gap(layer, x, order):
    return (layer(x) - layer(x[order])).abs().max().item()


def parameter_counts(length, width):
    return length * length * width * width, 4 * width * width

# %% wrong="put back by the same order" says="one side"
def equivariance_gap(layer, x, order):
    return (layer(x) - layer(x[order])[order]).abs().max().item()


def parameter_counts(length, width):
    return length * length * width * width, 4 * width * width

# %% wrong="no absolute value" says="sign"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).max().item()


def parameter_counts(length, width):
    return length * length * width * width, 4 * width * width

# %% wrong="dense by token" says="square of the product"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().max()


def parameter_counts(length, width):
    return length * width * width, 4 * width * width

# %% wrong="three matrices" says="four matrices"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().max()


def parameter_counts(length, width):
    return (length * width) ** 2, 3 * width * width

# %% right="a tensor"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().max()


def parameter_counts(length, width):
    return length * length * width * width, 4 * width * width

# %% right="put back by the inverse"
def equivariance_gap(layer, x, order):
    return np.abs(np.asarray(layer(x)) - np.asarray(layer(x[order]))[np.argsort(order.numpy())]).max()


def parameter_counts(length, width):
    n = length * width
    return [n * n, sum(width * width for _ in "qkvo")]

# %% wrong="mean of the differences" says="mean of the differences"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().mean().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="sum of the differences" says="sum of the differences"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().sum().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="columns shuffled" says="columns were shuffled"
def equivariance_gap(layer, x, order):
    return (layer(x)[:, order] - layer(x[:, order])).abs().max().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="a bool" says="a bool came"
def equivariance_gap(layer, x, order):
    return torch.allclose(layer(x)[order], layer(x[order]))


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="a norm" says="a norm of all differences"
def equivariance_gap(layer, x, order):
    return torch.norm(layer(x)[order] - layer(x[order])).item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="squared" says="squared"
def equivariance_gap(layer, x, order):
    return ((layer(x)[order] - layer(x[order])) ** 2).max().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="the whole table" says="all differences came"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="absolute value at the end" says="before the maximum"
def equivariance_gap(layer, x, order):
    return abs((layer(x)[order] - layer(x[order])).max().item())


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="the same side twice" says="both sides are the same"
def equivariance_gap(layer, x, order):
    shuffled = x[order]
    return (layer(shuffled) - layer(x[order])).abs().max().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="input by the inverse" says="same order on both sides"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order.argsort()])).abs().max().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="x shuffled in place" says="in place"
def equivariance_gap(layer, x, order):
    once = layer(x)[order]
    x[:] = x[order]
    return (once - layer(x)).abs().max().item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="biases counted" says="biases were counted"
def equivariance_gap(layer, x, order):
    return torch.max(torch.abs(layer(x)[order] - layer(x[order]))).item()


def parameter_counts(length, width):
    n = length * width
    return n * n + n, 4 * (width * width + width)

# %% wrong="attention grows" says="do not grow with the length"
def equivariance_gap(layer, x, order):
    return torch.max(torch.abs(layer(x)[order] - layer(x[order]))).item()


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * length * width**2

# %% wrong="exchanged" says="the dense layer comes first"
def equivariance_gap(layer, x, order):
    return torch.max(torch.abs(layer(x)[order] - layer(x[order]))).item()


def parameter_counts(length, width):
    return 4 * width**2, (length * width) ** 2

# %% wrong="tokens only" says="without their numbers"
def equivariance_gap(layer, x, order):
    return torch.max(torch.abs(layer(x)[order] - layer(x[order]))).item()


def parameter_counts(length, width):
    return length**2, 4 * width**2

# %% wrong="in and out added" says="the square of the product"
def equivariance_gap(layer, x, order):
    return torch.max(torch.abs(layer(x)[order] - layer(x[order]))).item()


def parameter_counts(length, width):
    return 2 * length * width, 4 * width**2

# %% right="NumPy and a loop"
def equivariance_gap(layer, x, order):
    left, right = layer(x).numpy(), layer(x[order]).numpy()
    return max(float(np.abs(left[j] - right[i]).max()) for i, j in enumerate(order.tolist()))


def parameter_counts(length, width):
    dense = 1
    for n in (length, width, length, width):
        dense *= n
    return dense, width * 4 * width

# %% right="a permutation matrix"
def equivariance_gap(layer, x, order):
    P = torch.eye(len(order))[order]
    return torch.linalg.vector_norm(P @ layer(x) - layer(P @ x), ord=float("inf"))


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width**2

# %% wrong="a truth value" says="a bool came"
def equivariance_gap(layer, x, order):
    return torch.allclose(layer(x)[order], layer(x[order]))

# %% wrong="compared with the input" says="the layer is missing"
def equivariance_gap(layer, x, order):
    return float((x[order] - layer(x[order])).abs().max())

# %% wrong="the first row only" says="only the first token"
def equivariance_gap(layer, x, order):
    return float((layer(x)[order] - layer(x[order]))[0].abs().max())

# %% wrong="one number a column" says="one number for each feature"
def equivariance_gap(layer, x, order):
    return (layer(x)[order] - layer(x[order])).abs().max(dim=0).values

# %% wrong="rounded to zero" says="rounded"
def equivariance_gap(layer, x, order):
    return round(float((layer(x)[order] - layer(x[order])).abs().max()), 2)

# %% wrong="the square forgotten" says="not squared"
def parameter_counts(length, width):
    return length * width, 4 * width

# %% right="a tensor of one number"
def equivariance_gap(layer, x, order):
    return torch.dist(layer(x)[order], layer(x[order]), p=float("inf"))


def parameter_counts(length, width):
    return [(length * width) * (length * width), sum(width * width for _ in "QKVO")]

# %% right="the output shuffled back"
def equivariance_gap(layer, x, order):
    back = torch.argsort(order)
    return (layer(x) - layer(x[order])[back]).abs().amax().item()


def parameter_counts(length, width):
    return pow(length, 2) * pow(width, 2), (2 * width) ** 2

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


# %% wrong="the input never shuffled" says="shuffled on neither side"
def equivariance_gap(layer, x, order):
    return float((layer(x)[order] - layer(x)).abs().max())


def parameter_counts(length, width):
    return (length * width) ** 2, 4 * width * width
