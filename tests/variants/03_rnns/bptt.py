# %% wrong="no future" says="later steps are missing"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1])
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="no slope" says="1 - h^2"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="h_t for u" says="state before"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t], db + delta
    return loss, dw, du, db

# %% right="another way, 1"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return [np.float64(loss), np.float64(dw), np.float64(du), np.float64(db)]

# %% right="another way, 2"
def scalar_bptt(
    x: Sequence[float], y: Sequence[float], w: float, u: float, b: float
) -> tuple[float, float, float, float]:
    h = np.zeros(len(x) + 1)
    for t, value in enumerate(x):
        h[t + 1] = np.tanh(w * value + u * h[t] + b)
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the loss is not halved" says="half"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y))
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the mean instead of the sum" says="mean"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    n = max(len(x), 1)
    return loss / n, dw / n, du / n, db / n

# %% wrong="loss and gradients of the last step only" says="not only for the last"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    if not len(x):
        return 0.0, 0.0, 0.0, 0.0
    loss = (h[-1] - y[-1]) ** 2 / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * ((h[t] - y[t - 1] if t == len(x) else 0) + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the sign of the error" says="not y - h"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (y[t - 1] - h[t] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the slope is h (1 - h), as for a sigmoid" says="sigmoid"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = h[t] * (1 - h[t]) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the slope at the state before" says="at the state before"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t - 1] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the slope is 1 - h" says="1 - h"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t]) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the slope at the error only" says="1 - h^2 belongs"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1]) + u * delta
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="no u on the way back" says="multiplies by u"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="w on the way back" says="w is not on the way back"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + w * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the gradients of the first step only, not summed" says="sum over all steps"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = delta * x[t - 1], delta * h[t - 1], delta
    return loss, dw, du, db

# %% wrong="delta runs forwards" says="begins at the last"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(1, len(x) + 1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="x one step late" says="of the same step"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * (x[t - 2] if t > 1 else 0.0), du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the first step is not reached" says="first step is missing"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 1, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="no bias in the forward pass" says="bias b is missing"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1]))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="h_0 is 1" says="h_0 is 0"
def scalar_bptt(x, y, w, u, b):
    h = [1.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="the order is w, b, u" says="order"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, db, du

# %% wrong="the gradients only" says="loss"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return dw, du, db

# %% wrong="no step raises" says="without any step"
def scalar_bptt(x, y, w, u, b):
    h = [math.tanh(w * x[0] + b)]
    for value in x[1:]:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h, y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x) - 1, -1, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t] + u * delta)
        dw, du, db = dw + delta * x[t], du + delta * (h[t - 1] if t else 0.0), db + delta
    return loss, dw, du, db

# %% wrong="h[-1] for h_0 wraps to the last state" says="h_0"
def scalar_bptt(x, y, w, u, b):
    h, before = [], 0.0
    for value in x:
        before = math.tanh(w * value + u * before + b)
        h.append(before)
    loss = sum((state - target) ** 2 for state, target in zip(h, y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x) - 1, -1, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t] + u * delta)
        dw, du, db = dw + delta * x[t], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% wrong="truncated to two steps" says="all later steps"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        after = (1 - h[t + 1] ** 2) * (h[t + 1] - y[t]) if t < len(x) else 0.0
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * after)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db

# %% right="arrays of deltas"
def scalar_bptt(x, y, w, u, b):
    T = len(x)
    x, y, h, delta = np.array(x, dtype=float), np.array(y, dtype=float), np.zeros(T + 1), np.zeros(T + 1)
    for t in range(T):
        h[t + 1] = np.tanh(w * x[t] + u * h[t] + b)
    for t in range(T - 1, -1, -1):
        delta[t] = (1 - h[t + 1] ** 2) * (h[t + 1] - y[t] + u * delta[t + 1])
    return 0.5 * ((h[1:] - y) ** 2).sum(), delta[:-1] @ x, delta[:-1] @ h[:-1], delta.sum()

# %% right="forwards, by derivatives carried along"
def scalar_bptt(x, y, w, u, b):
    h, loss = 0.0, 0.0
    dh, total = np.zeros(3), np.zeros(3)
    for value, target in zip(x, y):
        new = math.tanh(w * value + u * h + b)
        dh = (1 - new**2) * (np.array([value, h, 1.0]) + u * dh)
        h = new
        loss += (h - target) ** 2 / 2
        total += (h - target) * dh
    return (loss, *total)

# %% right="recursion"
def scalar_bptt(x, y, w, u, b):
    def step(t, before):
        if t == len(x):
            return 0.0, 0.0, 0.0, 0.0, 0.0
        h = math.tanh(w * x[t] + u * before + b)
        loss, dw, du, db, delta = step(t + 1, h)
        delta = (1 - h * h) * (h - y[t] + u * delta)
        return loss + (h - y[t]) ** 2 / 2, dw + delta * x[t], du + delta * before, db + delta, delta

    return step(0, 0.0)[:4]

# %% right="unseen, right 1"
def scalar_bptt(x, y, w, u, b):
    p = [torch.tensor(float(v), dtype=torch.float64, requires_grad=True) for v in (w, u, b)]
    h = loss = torch.zeros((), dtype=torch.float64) + 0 * sum(p)
    for a, target in zip(x, y):
        h = torch.tanh(p[0] * a + p[1] * h + p[2])
        loss = loss + (h - target) ** 2 / 2
    return (loss.item(), *(g.item() for g in torch.autograd.grad(loss, p)))

# %% wrong="empty fails" says="without any step all is 0: there is no first x to take"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for a in x:
        h.append(math.tanh(w * a + u * h[-1] + b))
    T = len(x)
    x[0], y[0]
    loss = 0.5 * sum((h[t + 1] - y[t]) ** 2 for t in range(T))
    dw = du = db = 0.0
    delta = 0.0
    for t in range(T, 0, -1):
        delta = (1 - h[t] ** 2) * ((h[t] - y[t - 1]) + u * delta)
        dw += delta * x[t - 1]
        du += delta * h[t - 1]
        db += delta
    return loss, dw, du, db
