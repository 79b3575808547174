# %% base="the plain way"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
    delta = dw = du = db = 0.0
    for t in range(len(x), 0, -1):
        delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
        dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
    return loss, dw, du, db
# %% wrong="no future" says="later steps are missing"
#~ [t - 1] + u * delta => [t - 1]
# %% wrong="no slope" says="1 - h^2"
#~ (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta) => (h[t] - y[t - 1] + u * delta)
# %% wrong="h_t for u" says="state before"
#~ h[t - 1] => h[t]
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
# %% right="another way, 2" of="another way, 1"
#~ [0.0] => np.zeros(len(x) + 1)
#~ value in x => t, value in enumerate(x)
#~ .append(math.tanh(w * value + u * h[-1] + b)) => [t + 1] = np.tanh(w * value + u * h[t] + b)
#~ [np.float64(loss), np.float64(dw), np.float64(du), np.float64(db)] => loss, dw, du, db
# %% wrong="the loss is not halved" says="half" of="the plain way"
#~ ((state - target) ** 2 for state, target in zip(h[1:], y)) / 2 => ((state - target) ** 2 for state, target in zip(h[1:], y))
# %% wrong="the mean instead of the sum" says="mean" of="the plain way"
#-     return loss, dw, du, db
#+     n = max(len(x), 1)
#+     return loss / n, dw / n, du / n, db / n
# %% wrong="loss and gradients of the last step only" says="not only for the last" of="the plain way"
#-     loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
#+     if not len(x):
#+         return 0.0, 0.0, 0.0, 0.0
#+     loss = (h[-1] - y[-1]) ** 2 / 2
#~ h[t] - y[t - 1] => (h[t] - y[t - 1] if t == len(x) else 0)
# %% wrong="the sign of the error" says="not y - h" of="the plain way"
#~ h[t] - y[t - 1] => y[t - 1] - h[t]
# %% wrong="the slope is h (1 - h), as for a sigmoid" says="sigmoid" of="the plain way"
#~ (1 - h[t] ** 2) => h[t] * (1 - h[t])
# %% wrong="the slope at the state before" says="at the state before" of="the plain way"
#~ h[t] * => h[t - 1] *
# %% wrong="the slope is 1 - h" says="1 - h" of="the plain way"
#~ [t] ** 2 => [t]
# %% wrong="the slope at the error only" says="1 - h^2 belongs" of="the plain way"
#~ (h[t] - y[t - 1] + u * delta) => (h[t] - y[t - 1]) + u * delta
# %% wrong="no u on the way back" says="multiplies by u" of="the plain way"
#~ u * delta => delta
# %% wrong="w on the way back" says="w is not on the way back" of="the plain way"
#~ u * delta => w * delta
# %% wrong="the gradients of the first step only, not summed" says="sum over all steps" of="the plain way"
#~ dw + delta * x[t - 1], du + delta * h[t - 1], db + => delta * x[t - 1], delta * h[t - 1],
# %% wrong="delta runs forwards" says="begins at the last" of="the plain way"
#~ (len(x), 0, -1) => (1, len(x) + 1)
# %% wrong="x one step late" says="of the same step" of="the plain way"
#~ x[t - 1] => (x[t - 2] if t > 1 else 0.0)
# %% wrong="the first step is not reached" says="first step is missing" of="the plain way"
#~ 0, => 1,
# %% wrong="no bias in the forward pass" says="bias b is missing" of="the plain way"
#~ [-1] + b => [-1]
# %% wrong="h_0 is 1" says="h_0 is 0" of="the plain way"
#~ [0.0] => [1.0]
# %% wrong="the order is w, b, u" says="order" of="the plain way"
#~ , dw, du, db => , dw, db, du
# %% wrong="the gradients only" says="loss" of="the plain way"
#-     loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
#~ loss, dw => dw
# %% wrong="no step raises" says="without any step" of="the plain way"
#~ [0.0] => [math.tanh(w * x[0] + b)]
#~ x: => x[1:]:
#~ h[1:] => h
#~ (x), 0 => (x) - 1, -1
#~ y[t - 1] => y[t]
#~ [t - 1], du + delta * h[t - 1] => [t], du + delta * (h[t - 1] if t else 0.0)
# %% wrong="h[-1] for h_0 wraps to the last state" says="h_0" of="the plain way"
#~ h = [0.0] => h, before = [], 0.0
#-         h.append(math.tanh(w * value + u * h[-1] + b))
#-     loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2
#+         before = math.tanh(w * value + u * before + b)
#+         h.append(before)
#+     loss = sum((state - target) ** 2 for state, target in zip(h, y)) / 2
#~ (x), 0 => (x) - 1, -1
#~ y[t - 1] => y[t]
#~ x[t - 1] => x[t]
# %% wrong="truncated to two steps" says="all later steps" of="the plain way"
#~ delta = dw => dw
#-         delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
#+         after = (1 - h[t + 1] ** 2) * (h[t + 1] - y[t]) if t < len(x) else 0.0
#+         delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * after)
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
# %% wrong="by autograd" clause="Write the backward pass, preferably with these sums, and without autograd" says="autograd is off"
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
# %% right="an array comes back"
#~ return loss, dw, du, db => return np.array([loss, dw, du, db])
# %% wrong="the state after the first step for h_0" says="h_(t-1), not h_t"
#~ delta * h[t - 1] => delta * h[max(t - 1, 1)]
# %% wrong="one error goes back" says="each step has an error of its own"
def scalar_bptt(x, y, w, u, b):
    h = [0.0]
    for value in x:
        h.append(math.tanh(w * value + u * h[-1] + b))
    loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
    dw = du = db = 0.0
    if not x:
        return loss, dw, du, db
    delta = (h[-1] - y[-1]) * (1 - h[-1] ** 2)
    for t in range(len(x), 0, -1):
        dw += delta * x[t - 1]
        du += delta * h[t - 1]
        db += delta
        delta = delta * u * (1 - h[t - 1] ** 2)
    return loss, dw, du, db
# %% wrong="one state behind" says="here h[t] was taken for it" of="the plain way"
#~ loss = sum((state - target) ** 2 for state, target in zip(h[1:], y)) / 2 => loss = sum((state - target) ** 2 for state, target in zip(h[1:], y, strict=True)) / 2
#-     for t in range(len(x), 0, -1):
#-         delta = (1 - h[t] ** 2) * (h[t] - y[t - 1] + u * delta)
#-         dw, du, db = dw + delta * x[t - 1], du + delta * h[t - 1], db + delta
#+     for t in range(len(x) - 1, -1, -1):
#+         delta = (1 - h[t] ** 2) * (h[t] - y[t] + u * delta)
#+         dw += delta * x[t]; du += delta * h[t]; db += delta
# %% wrong="by differences" says="a difference quotient"
def scalar_bptt(x, y, w, u, b):
    def L(w, u, b):
        h = s = 0.0
        for a, t in zip(x, y): h = math.tanh(w * a + u * h + b); s += (h - t) ** 2 / 2
        return s
    e = 1e-6
    return L(w, u, b), (L(w+e,u,b)-L(w-e,u,b))/2/e, (L(w,u+e,b)-L(w,u-e,b))/2/e, (L(w,u,b+e)-L(w,u,b-e))/2/e
# %% wrong="dw written over" says="dL/dw holds only the first step's part" of="the plain way"
#~ dw + delta * x[t - 1] => delta * x[t - 1]
# %% wrong="du written over" says="dL/du holds only the first step's part" of="the plain way"
#~ du + delta * h[t - 1] => delta * h[t - 1]
# %% wrong="db written over" says="dL/db holds only the first step's part" of="the plain way"
#~ db + delta => delta
# %% wrong="by torch.func" clause="Write the backward pass, preferably with these sums, and without autograd" says="autograd is off"
def scalar_bptt(x, y, w, u, b):
    def loss(w, u, b):
        h = total = 0 * w
        for value, target in zip(x, y):
            h = torch.tanh(w * value + u * h + b)
            total = total + (h - target) ** 2 / 2
        return total
    given = [torch.tensor(v, dtype=torch.float64) for v in (w, u, b)]
    return loss(*given).item(), *(g.item() for g in torch.func.grad(loss, (0, 1, 2))(*given))
