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
