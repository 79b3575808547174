# %% base="the plain way"
def descend(features, labels, orders, size, rate, l2=0.0):
    w, b = np.zeros(features.shape[1]), 0.0
    losses = []
    for order in orders:
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            x, y = features[rows], labels[rows]
            loss, gw, gb = logistic_loss_and_gradient(w, b, x, y, l2)
            gw = np.asarray(gw)
            w = w - rate * gw
            b = b - rate * gb
            losses.append(loss)
    return w, b, losses
# %% wrong="uphill" says="up the hill" of="the plain way"
#~ w = w - rate => w = w + rate
#~ b = b - rate => b = b + rate
# %% wrong="bias stays 0" says="bias never moved" of="the plain way"
#~ b = b - rate * gb => pass
# %% wrong="weights stay 0" says="weights never moved" of="the plain way"
#~ w = w - rate * gw => pass
# %% wrong="gradient of all messages" says="all messages" of="the plain way"
#~ x, y = features[rows], labels[rows] => x, y = features, labels
# %% wrong="order not used" says="order was not used" of="the plain way"
#~ order[start : start + size] => np.arange(start, min(start + size, len(order)))
# %% wrong="labels of other messages" says="labels of a batch belong to other messages" of="the plain way"
#~ labels[rows] => labels[start : start + len(rows)]
# %% wrong="begins anew in each pass" says="began anew in each pass" of="the plain way"
#-     for order in orders:
#+     for order in orders:
#+         w, b = np.zeros(features.shape[1]), 0.0
# %% wrong="returns after the first pass" says="only the first pass" of="the plain way"
#-     return w, b, losses
#+         return w, b, losses
# %% wrong="returns after the first step" says="2 items came, 3 were expected" of="the plain way"
#~ losses.append(loss) => return w, b
# %% wrong="step outside the inner loop" says="only the last batch of each pass" of="the plain way"
#-             x, y = features[rows], labels[rows]
#-             loss, gw, gb = logistic_loss_and_gradient(w, b, x, y, l2)
#-             gw = np.asarray(gw)
#-             w = w - rate * gw
#-             b = b - rate * gb
#-             losses.append(loss)
#+         x, y = features[rows], labels[rows]
#+         loss, gw, gb = logistic_loss_and_gradient(w, b, x, y, l2)
#+         w = w - rate * gw
#+         b = b - rate * gb
#+         losses.append(loss)
# %% wrong="first batch only" says="only the first batch of each pass" of="the plain way"
#~ range(0, len(order), size) => [0]
# %% wrong="smaller batch left out" says="smaller batch was left out" clause="makes a step like any other" of="the plain way"
#~ len(order), size) => len(order) - size + 1, size)
# %% wrong="windows that overlap" says="batches overlap" of="the plain way"
#~ range(0, len(order), size) => range(len(order))
# %% wrong="a row short" says="row is missing from each batch" of="the plain way"
#~ start + size] => start + size - 1]
# %% wrong="begins at ones" says="start from zeros" of="the plain way"
#~ np.zeros(features.shape[1]), 0.0 => np.ones(features.shape[1]), 1.0
# %% wrong="begins at random" says="" of="the plain way"
#~ np.zeros(features.shape[1]) => np.random.default_rng(0).normal(size=features.shape[1])
# %% wrong="times the size" says="multiplied by the size" of="the plain way"
#~ w = w - rate * gw => w = w - rate * gw * len(rows)
#~ b = b - rate * gb => b = b - rate * gb * len(rows)
# %% wrong="divided by the rows" says="divided by the size" of="the plain way"
#~ w = w - rate * gw => w = w - rate * gw / len(rows)
#~ b = b - rate * gb => b = b - rate * gb / len(rows)
# %% wrong="rate divided by size" says="rate was divided" of="the plain way"
#~ w = w - rate * gw => w = w - rate / size * gw
#~ b = b - rate * gb => b = b - rate / size * gb
# %% wrong="loss after the step" says="after the step" of="the plain way" clause="just before the step"
#~ losses.append(loss) => losses.append(logistic_loss_and_gradient(w, b, x, y, l2)[0])
# %% wrong="loss of all messages" says="that of all messages" of="the plain way"
#~ loss, gw, gb = logistic_loss_and_gradient(w, b, x, y, l2) => loss = logistic_loss_and_gradient(w, b, features, labels, l2)[0]; _, gw, gb = logistic_loss_and_gradient(w, b, x, y, l2)
# %% wrong="a loss for each pass" says="its last" of="the plain way"
#-             losses.append(loss)
#+         losses.append(loss)
# %% wrong="mean loss of each pass" says="its mean" of="the plain way"
#-             losses.append(loss)
#+             part = [loss] if start == 0 else [*part, loss]
#+         losses.append(np.mean(part))
# %% wrong="last loss alone" says="only the last loss" of="the plain way"
#~ return w, b, losses => return w, b, losses[-1]
# %% wrong="a last loss more" says="one loss too many" of="the plain way"
#~ return w, b, losses => return w, b, [*losses, logistic_loss_and_gradient(w, b, features, labels, l2)[0]]
# %% wrong="no penalty" says="penalty is missing" of="the plain way"
#~ (w, b, x, y, l2) => (w, b, x, y)
# %% wrong="one order for all passes" says="order of the first" clause="each pass over the messages" of="the plain way"
#~ for order in orders => for order in [orders[0]] * len(orders)
# %% wrong="the smaller batch divided by size" says="mean over its own messages" of="the plain way"
#~ w = w - rate * gw => w = w - rate * gw * len(rows) / size
#~ b = b - rate * gb => b = b - rate * gb * len(rows) / size
# %% wrong="penalty left out of the losses" says="losses lack the penalty" of="the plain way"
#~ losses.append(loss) => losses.append(logistic_loss_and_gradient(w_old, b_old, x, y)[0])
#~ w = w - rate * gw => w_old, b_old, w = w, b, w - rate * gw
# %% wrong="penalty left out of the steps" says="steps lack the penalty" of="the plain way"
#~ w = w - rate * gw => w = w - rate * (gw - l2 * w)
# %% wrong="penalty on the bias" says="here the bias has one" of="the plain way"
#~ rate * gb => rate * (gb + l2 * b)
# %% wrong="the last loss missing" says="loss of the last step is missing" of="the plain way"
#~ return w, b, losses => return w, b, losses[:-1]
# %% wrong="bias by a second gradient" says="same point" of="the plain way"
#~ rate * gb => rate * logistic_loss_and_gradient(w, b, x, y, l2)[2]
# %% wrong="losses first" says="losses come last" of="the plain way"
#~ return w, b, losses => return losses, w, b
# %% wrong="bias first" says="swapped" of="the plain way"
#~ return w, b, losses => return b, w, losses
# %% wrong="no losses" says="2 items came, 3 were expected" of="the plain way"
#~ return w, b, losses => return w, b
# %% wrong="rate is 1" says="rate is an argument" of="the plain way"
#~ losses = [] => losses, rate = [], 1.0
# %% wrong="momentum" says="momentum" of="the plain way"
#~ losses = [] => losses, v, u = [], 0.0, 0.0
#~ w = w - rate * gw => v = 0.9 * v + gw; w = w - rate * v
#~ b = b - rate * gb => u = 0.9 * u + gb; b = b - rate * u
# %% wrong="labels of the caller changed" says="changed" of="the plain way"
#-     losses = []
#+     losses = []
#+     labels[:1] = 1 - labels[:1]
# %% wrong="shuffles again" says="" of="the plain way"
#~ for order in orders: => for order in (np.random.default_rng(1).permutation(o) for o in orders):
# %% wrong="memorises the visible outputs" says="examples only"
def descend(features, labels, orders, size, rate, l2=0.0):
    if size == 1:
        return np.array([0.182426]), -0.317574, [0.693147, 1.701413]
    if size == 2:
        return np.array([0.90882, -0.392093]), 0.234821, [0.693147, 0.575939, 0.693147, 0.555795, 0.5035, 0.17575]
    if size == 3:
        return np.array([0.530363, -0.675968]), 0.084208, [0.693147, 0.59345, 0.551709, 0.576105]
    return np.array([0.2, -0.1]), 0.05, [0.693147]
# %% right="in place, batches by np.split"
def descend(features, labels, orders, size, rate, l2=0.0):
    weights, bias, losses = np.zeros(features.shape[1]), 0.0, []
    for order in orders:
        for rows in np.split(order, range(size, len(order), size)):
            loss, dw, db = logistic_loss_and_gradient(weights, bias, features[rows], labels[rows], l2)
            weights -= rate * np.asarray(dw)
            bias -= rate * db
            losses += [loss]
    return weights, bias, losses
# %% right="a while loop and lists of rows"
def descend(features, labels, orders, size, rate, l2=0.0):
    theta, losses = [np.zeros(features.shape[1]), 0.0], []
    for order in orders:
        left = list(order)
        while left:
            rows, left = left[:size], left[size:]
            loss, *slopes = logistic_loss_and_gradient(*theta, features[rows], labels[rows], l2)
            theta = [value - rate * np.asarray(slope) for value, slope in zip(theta, slopes)]
            losses.append(loss)
    return theta[0], theta[1], losses
# %% right="torch's optimiser"
def descend(features, labels, orders, size, rate, l2=0.0):
    dense = features.toarray() if sparse.issparse(features) else features
    x, y = torch.tensor(np.array(dense), dtype=torch.float64), torch.tensor(np.array(labels), dtype=torch.float64)
    w = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    b = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer, losses = torch.optim.SGD([w, b], lr=rate), []
    for order in orders:
        for rows in torch.tensor(np.array(order)).split(size):
            optimizer.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(x[rows] @ w + b, y[rows]) + l2 / 2 * w @ w
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return w.detach().numpy(), b.item(), losses
# %% right="the gradient written out"
from scipy.special import expit
def descend(features, labels, orders, size, rate, l2=0.0):
    w, b, losses = np.zeros(features.shape[1]), 0.0, []
    y = np.asarray(labels, dtype=float)
    for order in orders:
        for rows in [order[i : i + size] for i in range(0, len(order), size)]:
            x, z = features[rows], features[rows] @ w + b
            losses.append(float(np.mean(np.logaddexp(0, z) - y[rows] * z) + l2 / 2 * w @ w))
            error = (expit(z) - y[rows]) / len(rows)
            w, b = w * (1 - rate * l2) - rate * (x.T @ error), b - rate * error.sum()
    return w, float(b), losses
# %% right="a generator of batches, an array of losses"
def descend(features, labels, orders, size, rate, l2=0.0):
    def batches():
        for order in orders:
            yield from (order[i : i + size] for i in range(0, len(order), size))
    w, b, losses = np.zeros(features.shape[1]), 0.0, []
    for rows in batches():
        loss, gw, gb = logistic_loss_and_gradient(w, b, features[rows], labels[rows], l2)
        w, b = w - rate * np.asarray(gw), b - rate * float(gb)
        losses.append(float(loss))
    return w, b, np.array(losses)
# %% wrong="toarray for all features" says="features may be dense, too" of="the plain way" clause="sparse (CSR) or dense"
#~ features[rows], labels[rows] => features[rows].toarray(), labels[rows]
