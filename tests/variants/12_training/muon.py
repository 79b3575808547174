# %% right="the polynomial collected on the square"
def orthogonal(matrix, steps=5):
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrix.size(0) > matrix.size(1)
    x = matrix.t() if tall else matrix.clone()
    x = x / (torch.linalg.norm(x) + 1e-7)
    eye = torch.eye(len(x), dtype=x.dtype)
    for _ in range(steps):
        s = x @ x.t()
        x = (a * eye + b * s + c * (s @ s)) @ x
    return x.t() if tall else x
def muon_step(weight, grad, state=None, lr=0.02, momentum=0.95, weight_decay=0.1):
    m = (1 - momentum) * grad if state is None else state * momentum + grad * (1 - momentum)
    update = orthogonal(grad.lerp(m, momentum))
    n, k = weight.shape
    return weight - lr * (weight_decay * weight + 0.2 * max(n, k) ** 0.5 * update), m
# %% right="the mean kept in a dict, one operation after another"
def muon_step(weight, grad, state=None, lr=0.02, momentum=0.95, weight_decay=0.1):
    state = dict(state or {"mean": torch.zeros_like(weight)})
    state["mean"] = state["mean"].mul(momentum).add(grad, alpha=1 - momentum)
    look = state["mean"].mul(momentum).add(grad, alpha=1 - momentum)
    new = weight.mul(1 - lr * weight_decay)
    new = new.sub(orthogonal(look), alpha=0.2 * lr * float(max(weight.shape)) ** 0.5)
    return new, state
# %% right="the wide side by hand"
def orthogonal(matrix, steps=5):
    if matrix.shape[0] > matrix.shape[1]:
        return orthogonal(matrix.mT, steps).mT
    x = matrix / (matrix.pow(2).sum().sqrt() + 1e-7)
    for _ in range(steps):
        A = x @ x.mT
        B = -4.7750 * A + 2.0315 * A @ A
        x = 3.4445 * x + B @ x
    return x
# %% wrong="not divided" says="not divided by its norm"
#~ x = x / (x.norm() + 1e-7) => x = x
# %% wrong="spectral norm" says="largest singular value"
#~ x.norm() => torch.linalg.matrix_norm(x, 2)
# %% wrong="the largest number" says="largest of the numbers"
#~ x.norm() => x.abs().max()
# %% wrong="the sum of the squares" says="sum of the squares"
#~ x.norm() => x.square().sum()
# %% wrong="the sum of the absolute values" says="sum of the absolute values"
#~ x.norm() => x.abs().sum()
# %% wrong="each row by its own norm" says="each row was divided"
#~ x.norm() => x.norm(dim=1, keepdim=True)
# %% wrong="nothing is added to the norm" says="1e-7 is not added" clause="a matrix of zeros stays zero"
#~ (x.norm() + 1e-7) => x.norm()
# %% wrong="the norm is at least 1e-7" says="the least that the norm may be"
#~ (x.norm() + 1e-7) => x.norm().clamp(min=1e-7)
# %% wrong="a round too few" says="too few"
#~ range(steps) => range(steps - 1)
# %% wrong="a round too many" says="too many"
#~ range(steps) => range(steps + 1)
# %% wrong="cubic" says="third term"
#~ (-4.7750 * square + 2.0315 * square @ square) => (-4.7750 * square)
# %% wrong="plus" says="second term"
#~ (-4.7750 * square => (4.7750 * square
# %% wrong="number by number" says="number by number"
#~ square @ square) => square * square)
# %% wrong="by singular values" says="exact factor"
def orthogonal(matrix, steps=5):
    u, _, v = torch.linalg.svd(matrix, full_matrices=False)
    return u @ v
# %% wrong="normalised again" says="norm again"
#~ return x.T if matrix.shape[0] > matrix.shape[1] else x => x = x / (x.norm() + 1e-7); return x.T if matrix.shape[0] > matrix.shape[1] else x
# %% wrong="always 5" says="whatever `steps`"
#~ range(steps) => range(5)
# %% wrong="another polynomial" says="other constants"
#~ 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x => 1.5 * x - 0.5 * square @ x
# %% wrong="the gradient alone" says="running mean is"
#~ mean = momentum * mean + (1 - momentum) * grad => mean = grad
# %% wrong="without Nesterov" says="Nesterov"
#~ orthogonal(momentum * mean + (1 - momentum) * grad) => orthogonal(mean)
# %% wrong="gradient whole" says="added whole"
#~ mean = momentum * mean + (1 - momentum) * grad => mean = momentum * mean + grad
# %% wrong="shares exchanged" says="exchanged"
#~ mean = momentum * mean + (1 - momentum) * grad => mean = (1 - momentum) * mean + momentum * grad
# %% wrong="not orthogonal" says="nothing was made orthogonal"
#~ orthogonal(momentum * mean + (1 - momentum) * grad) => momentum * mean + (1 - momentum) * grad
# %% wrong="no scale" says="scale 0.2 sqrt"
#~ 0.2 * math.sqrt(max(weight.shape)) => 1.0
# %% wrong="smaller side" says="smaller side"
#~ max(weight.shape) => min(weight.shape)
# %% wrong="no root" says="root is missing"
#~ math.sqrt(max(weight.shape)) => max(weight.shape)
# %% wrong="no 0.2" says="0.2 is missing"
#~ 0.2 * math.sqrt => math.sqrt
# %% wrong="no decay" says="does not decay"
#~ (1 - lr * weight_decay) * weight => weight
# %% wrong="decay without the rate" says="not multiplied by the rate"
#~ (1 - lr * weight_decay) => (1 - weight_decay)
# %% wrong="decay of the new weight" says="acts on the old one"
#~ (1 - lr * weight_decay) * weight - lr * size * move => (1 - lr * weight_decay) * (weight - lr * size * move)
# %% wrong="up" says="went up"
#~ weight - lr * size * move => weight + lr * size * move
# %% wrong="not squared" says="was not squared"
#~ square @ square) => square)
# %% wrong="the singular values themselves" says="singular values were computed"
def orthogonal(matrix, steps=5):
    u, s, v = torch.linalg.svd(matrix / (matrix.norm() + 1e-7), full_matrices=False)
    for _ in range(steps):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    return (u * s) @ v
# %% wrong="the larger side" says="product of the larger side"
#~ x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix => x = matrix.T if matrix.shape[0] < matrix.shape[1] else matrix
#~ return x.T if matrix.shape[0] > matrix.shape[1] else x => return x.T if matrix.shape[0] < matrix.shape[1] else x
# %% wrong="never turned" says="product of the larger side"
#~ x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix => x = matrix
#~ return x.T if matrix.shape[0] > matrix.shape[1] else x => return x
# %% wrong="the mean in place" says="changed in place"
#~ mean = momentum * mean + (1 - momentum) * grad => mean.mul_(momentum).add_(grad, alpha=1 - momentum)
# %% wrong="the mean begins with the gradient" says="the mean is 0 before"
#~ torch.zeros_like(grad) => grad
