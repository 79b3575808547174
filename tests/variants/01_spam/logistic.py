# %% base="the plain way"
from scipy.special import expit
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    y, n = np.asarray(labels, dtype=float), len(labels)
    z = features @ weights + bias
    p = expit(z)
    error = p - y
    data = np.mean(np.logaddexp(0, z) - y * z)
    loss = data + l2 / 2 * (weights @ weights)
    gw = features.T @ error / n + l2 * weights
    gb = error.sum() / n
    return loss, gw, gb
# %% wrong="gradient turned round" says="sign of the gradient" of="the plain way"
#~ p - y => y - p
# %% wrong="loss turned round" says="sign of the loss" of="the plain way"
#~ np.mean => -np.mean
# %% wrong="logarithm to base 10" says="natural" of="the plain way"
#~ (np.logaddexp(0, z) - y * z) => (np.logaddexp(0, z) - y * z) / np.log(10)
# %% wrong="logarithm to base 2" says="natural" of="the plain way"
#~ (np.logaddexp(0, z) - y * z) => (np.logaddexp(0, z) - y * z) / np.log(2)
# %% wrong="loss is a sum" says="mean" of="the plain way"
#~ mean => sum
# %% wrong="gradient of the weights is a sum" says="mean" of="the plain way"
#~ / n + => +
# %% wrong="gradient of the bias is a sum" says="mean" of="the plain way"
#~ () / n => ()
# %% wrong="gradient of the weights divided by M" says="number of messages" of="the plain way"
#~ n + => features.shape[1] +
# %% wrong="no penalty in the gradient" says="missing from the gradient" of="the plain way"
#~ n + l2 * weights => n
# %% wrong="no penalty in the loss" says="missing from the loss" of="the plain way"
#~ data + l2 / 2 * (weights @ weights) => data
# %% wrong="no penalty at all" says="penalty is missing" of="the plain way"
#- def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
#+ def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
#+     l2 = 0.0
#~ data + l2 / 2 * (weights @ weights) => data
# %% wrong="penalty without 1/2" says="lacks its 1/2" of="the plain way"
#~ / 2 * => *
# %% wrong="penalty without 1/2, gradient consistent" says="lacks its 1/2" of="the plain way"
#- def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
#+ def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
#+     l2 = 2 * l2
# %% wrong="gradient of the penalty halved" says="gradient of the penalty" of="the plain way"
#~ * weights => / 2 * weights
# %% wrong="gradient of the penalty doubled" says="gradient of the penalty" of="the plain way"
#~ l2 * => 2 * l2 *
# %% wrong="bias penalised in the loss" says="bias is not penalised" of="the plain way"
#~ (weights @ weights) => (weights @ weights + bias**2)
# %% wrong="bias penalised in the gradient" says="bias is not penalised" of="the plain way"
#~ () / n => () / n + l2 * bias
# %% wrong="penalty is the norm, not its square" says="norm is squared" of="the plain way"
#~ (weights @ weights) => np.linalg.norm(weights)
# %% wrong="penalty by absolute values" says="square" of="the plain way"
#~ (weights @ weights) => np.abs(weights).sum()
# %% wrong="penalty divided by N" says="not divided by N" of="the plain way"
#~ (weights @ weights) => (weights @ weights) / n
# %% wrong="penalty of the gradient divided by N" says="not divided by N" of="the plain way"
#~ features.T @ error / n + l2 * weights => (features.T @ error + l2 * weights) / n
# %% wrong="penalty subtracted" says="penalty is added" of="the plain way"
#~ + l2 * => - l2 *
# %% wrong="bias left out of the score" says="bias is missing from the scores" of="the plain way"
#~ weights + bias => weights
# %% wrong="sigmoid of minus z" says="sigmoid" of="the plain way"
#~ (z) => (-z)
# %% wrong="overflow in the loss" says="np.logaddexp" of="the plain way"
#~ logaddexp(0, z) => log(1 + np.exp(z))
# %% wrong="logarithm of a probability of 0" says="overflow" of="the plain way"
#~ np.logaddexp(0, z) - y * z => -y * np.log(p) - (1 - y) * np.log(1 - p)
# %% wrong="overflow in the probability" says="overflow"
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    y, n = np.asarray(labels, dtype=float), len(labels)
    z = features @ weights + bias
    p = np.exp(z) / (1 + np.exp(z))
    error = p - y
    data = np.mean(np.logaddexp(0, z) - y * z)
    loss = data + l2 / 2 * (weights @ weights)
    gw = features.T @ error / n + l2 * weights
    gb = error.sum() / n
    return loss, gw, gb
# %% wrong="probabilities clipped" says="clip" of="the plain way"
#~ np.mean(np.logaddexp(0, z) - y * z) => -np.mean(y * np.log(np.clip(p, 1e-12, 1)) + (1 - y) * np.log(np.clip(1 - p, 1e-12, 1)))
# %% wrong="scores clipped" says="clip" of="the plain way"
#~ features @ weights + bias => np.clip(features @ weights + bias, -30, 30)
# %% wrong="only dense features" says="(sparse features): an error" of="the plain way"
#~ features @ weights => np.dot(features, weights)
#~ features.T @ error => np.dot(features.T, error)
# %% wrong="only sparse features" says="'numpy.ndarray' object has no attribute" of="the plain way"
#~ features.T @ error => np.asarray(features.T.tocsr() @ error).ravel()
# %% wrong="labels taken as -1 and 1" says="0 and 1" of="the plain way"
#~ (0, z) - y * z => (0, -y * z)
# %% wrong="loss of the spam only" says="of ham" of="the plain way"
#~ np.logaddexp(0, z) - y * z => y * np.logaddexp(0, -z)
# %% wrong="loss has the labels exchanged" says="labels" of="the plain way"
#~ y * => (1 - y) *
# %% wrong="squared error in the loss" says="cross-entropy" of="the plain way"
#~ np.logaddexp(0, z) - y * z => (p - y) ** 2
# %% wrong="derivative of the sigmoid in the error" says="p - y" of="the plain way"
#~ p - y => (p - y) * p * (1 - p)
# %% wrong="decision instead of the probability" says="probabilit" of="overflow in the probability"
#~ np.exp(z) / (1 + np.exp(z)) => (z >= 0).astype(float)
# %% wrong="gradient of shape (M, 1)" says="shape (2, 1) came" of="the plain way"
#~ features.T @ error / n + l2 * weights => (features.T @ error / n + l2 * weights)[:, None]
# %% wrong="bias gradient per message" says="shape (3,) came, shape () was expected" of="the plain way"
#~ error.sum() => error
# %% wrong="gradients swapped" says="swapped" of="the plain way"
#~ gw, gb => gb, gw
# %% wrong="gradient before the loss" says="order" of="the plain way"
#~ loss, gw, gb => gw, gb, loss
# %% wrong="no gradient of the bias" says="2 items came, 3 were expected" of="the plain way"
#~ gw, gb => gw
# %% wrong="weights of the caller changed" says="changed" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#-     p = expit(z)
#-     loss = np.mean(np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights))
#-     return [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))]
#+     error = expit(z) - y
#+     loss = np.mean(np.logaddexp(0, z) - y * z) + l2 / 2 * (weights @ weights)
#+     gradient = weights
#+     gradient *= l2
#+     gradient += features.T @ error / n
#+     return loss, gradient, error.mean()
# %% wrong="gradient cut to integers by integer weights" says="integer" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#-     p = expit(z)
#-     loss = np.mean(np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights))
#-     return [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))]
#+     error = expit(z) - y
#+     loss = np.mean(np.logaddexp(0, z) - y * z) + l2 / 2 * (weights @ weights)
#+     gradient = np.zeros_like(weights)
#+     gradient[:] = features.T @ error / n + l2 * weights
#+     return loss, gradient, error.mean()
# %% wrong="memorises the visible outputs" says="examples only"
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    if len(labels) == 1:
        if bias:
            return 1e6, np.array([2.0]), 1.0
        return 0.6931472, np.array([-1.0]), -0.5
    if len(weights) == 1:
        return 1000 / 3, np.array([1000 / 3]), 1 / 3
    gradient = np.array([-0.294333, -0.088694])
    if l2:
        return 0.582678, gradient + np.array([0.1, -0.2]), -0.244984
    return 0.457678, gradient, -0.244984
# %% wrong="labels of bytes negated" says="-1 is 255 in p" of="logaddexp for both classes"
#~ ((p - y) / len(y)) + l2 * weights, np.mean(p - y) => ((p + -y) / len(y)) + l2 * weights, np.mean(p + -y)
# %% right="logaddexp for both classes"
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    z = np.asarray(features @ weights).ravel() + bias
    y = np.asarray(labels)
    p = 0.5 * (1 + np.tanh(0.5 * z))
    loss = np.where(y == 1, np.logaddexp(0, -z), np.logaddexp(0, z)).sum() / len(y)
    return loss + 0.5 * l2 * np.sum(np.square(weights)), features.T @ ((p - y) / len(y)) + l2 * weights, np.mean(p - y)
# %% right="torch and its autograd"
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    dense = features.toarray() if sparse.issparse(features) else features
    x, y = torch.tensor(np.array(dense), dtype=torch.float64), torch.tensor(np.array(labels), dtype=torch.float64)
    w = torch.tensor(np.array(weights), dtype=torch.float64, requires_grad=True)
    b = torch.tensor(float(bias), dtype=torch.float64, requires_grad=True)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ w + b, y) + l2 / 2 * (w**2).sum()
    loss.backward()
    return loss.item(), w.grad.numpy(), b.grad.item()
# %% right="message by message"
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    rows = features.toarray() if sparse.issparse(features) else np.asarray(features)
    n, loss, gw, gb = len(rows), 0.0, np.zeros(len(weights)), 0.0
    for h, y in zip(rows, labels):
        z = float(sum(w * v for w, v in zip(weights, h))) + bias
        small = math.exp(-abs(z))
        p = 1 / (1 + small) if z >= 0 else small / (1 + small)
        loss += max(z, 0) + math.log1p(small) - (z if y else 0)
        gw += (p - int(y)) * h
        gb += p - int(y)
    return loss / n + l2 * sum(w * w for w in weights) / 2, gw / n + l2 * np.array(weights), gb / n
# %% right="one column more for the bias"
from scipy.special import expit, log_expit
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    x = sparse.hstack([sparse.csr_matrix(features, dtype=float), np.ones((features.shape[0], 1))]).tocsr()
    theta, keep = np.append(weights, bias), np.append(np.ones(len(weights)), 0.0)
    z, y = x @ theta, np.asarray(labels, dtype=float)
    gradient = x.T @ (expit(z) - y) / len(y) + l2 * keep * theta
    loss = -(y * log_expit(z) + (1 - y) * log_expit(-z)).mean() + l2 / 2 * (keep * theta**2).sum()
    return np.float64(loss), gradient[:-1], gradient[-1]
# %% right="softplus and the signs of the labels"
from scipy.special import expit
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    s = 2.0 * np.asarray(labels) - 1
    margin = s * (features @ weights + bias)
    pull = -s * expit(-margin)
    return (
        float(np.logaddexp(0, -margin).mean() + l2 * np.dot(weights, weights) / 2),
        pull @ features / len(s) + l2 * np.asarray(weights),
        float(pull.mean()),
    )
# %% wrong="naive sigmoid and naive logarithms" says="overflow" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#-     p = expit(z)
#-     loss = np.mean(np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights))
#-     return [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))]
#+     p = np.exp(z) / (1 + np.exp(z))
#+     loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)) + l2 / 2 * (weights @ weights)
#+     return loss, features.T @ (p - y) / n + l2 * weights, np.mean(p - y)
# %% wrong="a small number added inside the logarithm" says="clip" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#~ np.mean(np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights)) => -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9)) + l2 / 2 * (weights @ weights)
#~ [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))] => loss, features.T @ (p - y) / n + l2 * weights, np.mean(p - y)
# %% wrong="no sigmoid: the score as the prediction" says="not with the score" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#-     p = expit(z)
#-     loss = np.mean(np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights))
#-     return [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))]
#+     loss = np.mean(np.logaddexp(0, z) - y * z) + l2 / 2 * (weights @ weights)
#+     return loss, features.T @ (z - y) / n + l2 * weights, np.mean(z - y)
# %% wrong="squared error and its own gradient" says="cross-entropy" of="maximum and log1p"
#~ small = np.exp(-np.abs(z)) => p = expit(z)
#~ p = np.where(z >= 0, 1, small) / (1 + small) => loss = np.mean((p - y) ** 2) + l2 / 2 * (weights @ weights)
#~ loss = (np.maximum(z, 0) + np.log1p(small) - y * z).sum() / n + l2 * np.linalg.norm(weights) ** 2 / 2 => error = 2 * (p - y) * p * (1 - p)
#~ (p - y) @ features / n + l2 * weights, (p - y).mean() => features.T @ error / n + l2 * weights, np.mean(error)
# %% wrong="penalty of the lasso" says="not its absolute value" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#~ (np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights)) => (np.logaddexp(0, z) - y * z) + l2 * np.abs(weights).sum()
#~ [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))] => loss, features.T @ (p - y) / n + l2 * np.sign(weights), np.mean(p - y)
# %% wrong="no gradient for the bias, a zero" says="gradient of the bias is missing" of="single precision inside, a list comes back"
#-     z = z.astype(np.float32)
#~ (np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights)) => (np.logaddexp(0, z) - y * z) + l2 / 2 * (weights @ weights)
#~ [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))] => loss, features.T @ (p - y) / n + l2 * weights, 0.0
# %% right="single precision inside, a list comes back"
from scipy.special import expit
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    y, n = np.asarray(labels, dtype=float), len(labels)
    z = features @ weights + bias
    z = z.astype(np.float32)
    p = expit(z)
    loss = np.mean(np.logaddexp(np.float32(0), z) - y.astype(np.float32) * z) + np.float32(l2 / 2 * (weights @ weights))
    return [loss, (features.T @ (p - y) / n + l2 * weights).astype(np.float32).tolist(), float(np.mean(p - y))]
# %% right="maximum and log1p"
from scipy.special import expit
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    y, n = np.asarray(labels, dtype=float), len(labels)
    z = features @ weights + bias
    small = np.exp(-np.abs(z))
    p = np.where(z >= 0, 1, small) / (1 + small)
    loss = (np.maximum(z, 0) + np.log1p(small) - y * z).sum() / n + l2 * np.linalg.norm(weights) ** 2 / 2
    return loss, (p - y) @ features / n + l2 * weights, (p - y).mean()
# %% wrong="2 y - 1 in unsigned integers, in the loss" says="255" of="the plain way"
#~ np.asarray(labels, dtype=float) => np.asarray(labels)
#~ np.logaddexp(0, z) - y * z => np.logaddexp(0, -(2 * y - 1) * z)
# %% wrong="minus y in unsigned integers" says="-1 is 255" of="the plain way"
#~ np.asarray(labels, dtype=float) => np.asarray(labels)
#~ np.logaddexp(0, z) - y * z => -y * np.logaddexp(0, -z) * -1 + (1 - y) * np.logaddexp(0, z)
# %% wrong="y z added" says="here y z is added"
def logistic_loss_and_gradient(weights, bias, features, labels, l2=0.0):
    from scipy.special import expit
    w, y = np.asarray(weights, dtype=float), np.asarray(labels, dtype=float)
    z = features @ w + bias
    loss = np.mean(np.logaddexp(0, z) + y * z) + l2 / 2 * np.sum(w**2)
    return loss, features.T @ (expit(z) - y) / len(y) + l2 * w, np.mean(expit(z) - y)
# %% wrong="the two forms of the loss mixed" says="goes with - y z" of="y z added"
#~ (0, z) + y * z => (0, -z) - y * z
# %% wrong="the loss of spam for all" says="is the loss of spam" of="y z added"
#~ (0, z) + y * z => (0, -z)
# %% wrong="bias subtracted" says="not subtracted" of="y z added"
#~ w + bias => w - bias
#~ (0, z) + y * z => (0, z) - y * z
# %% wrong="weights of the penalty not squared" says="here they are not squared" of="y z added"
#~ (0, z) + y * z => (0, z) - y * z
#~ w**2 => w
# %% wrong="np.dot in the score" says="sparse features need @" clause="features: (N, V), dense or sparse"
#~ features @ weights => np.dot(features, weights)
# %% wrong="the gradient in the weights' dtype" says="one of integers" clause="weights: (V,), floats or integers"
#~ features.T @ error / len(labels) + l2 * weights => (features.T @ error / len(labels) + l2 * weights).astype(weights.dtype)
# %% wrong="signs of labels in bytes" says="2 * 0 - 1 is 255" clause="any integer dtype; l2"
#~ np.logaddexp(0, scores) - labels * scores => np.logaddexp(0, -(2 * labels - 1) * scores)
# %% wrong="scores clipped at 500" says="cost more than 500" clause="clip neither scores nor probabilities"
#~ bias  # (N,) => bias; scores = np.clip(scores, -500, 500)
# %% wrong="a penalty by default" says="l2 is 0 where it is not given"
#~ l2=0.0 => l2=0.01
# %% wrong="minus a label in bytes, times the score" says="(-y) is 255 where y is 1"
#~ np.logaddexp(0, scores) - labels * scores => np.logaddexp(0, scores) + (-labels) * scores
# %% wrong="scores clipped at 10000" says="cost more than 10000" clause="clip neither scores nor probabilities"
#~ bias  # (N,) => bias; scores = np.clip(scores, -10_000, 10_000)
