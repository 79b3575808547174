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
