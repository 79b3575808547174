from helpers.checks import graded


@graded("logistic", points=9)
def score(check):
    import numpy as np
    from scipy import sparse

    ### BEGIN MISTAKES
    from helpers.chapters.spam.together import one_by_one

    class Step:
        """The numbers of one call: scores z, probabilities p, loss and gradients with and without the penalty."""

        def __init__(self, weights, bias, features, labels, l2):
            self.x, self.y = features.toarray() if sparse.issparse(features) else features, labels.astype(int)
            self.byte = labels.astype(np.uint8)
            self.w, self.b, self.l2 = weights, bias, l2
            self.n, self.m = self.x.shape
            self.z, self.root = self.x @ weights + bias, np.linalg.norm(weights)
            self.spam, self.ham = np.logaddexp(0, -self.z), np.logaddexp(0, self.z)  # -log p and -log(1 - p)
            self.p = np.exp(-self.spam)
            self.pw, self.pb = self.x.T @ (self.p - self.y) / self.n, np.mean(self.p - self.y)
            self.plain = np.mean(self.y * self.spam + (1 - self.y) * self.ham)  # without the penalty, like pw and pb
            self.loss, self.gw, self.gb = self.triple()

        def triple(self, data=None, extra=None, gw=None, pull=None, gb=None, error=None):
            """Return the result with other parts: of the loss data and penalty, of the gradients errors and pull."""
            data, extra = self.plain if data is None else data, self.l2 / 2 * self.root**2 if extra is None else extra
            gw, gb = self.pw if gw is None else gw, self.pb if gb is None else gb
            if error is not None:
                gw, gb = self.x.T @ error / self.n, np.mean(error)
            return data + extra, gw + (self.l2 * self.w if pull is None else pull), gb

    def sums_and_signs(s):
        """Sums in the place of means, and signs that are turned round."""
        n, m, y, p, spam, ham = s.n, s.m, s.y, s.p, s.spam, s.ham
        pw, pb, plain, loss, gw, gb = s.pw, s.pb, s.plain, s.loss, s.gw, s.gb
        return {
            "all three are sums over the messages: take the mean": s.triple(n * plain, gw=n * pw, gb=n * pb),
            "the loss is a sum over the messages: take the mean": s.triple(n * plain),
            "the gradients are sums over the messages: take the mean, as in the loss": s.triple(gw=n * pw, gb=n * pb),
            "the gradient of the weights is a sum: take the mean": s.triple(gw=n * pw),
            "the gradient of the bias is a sum: take the mean": s.triple(gb=n * pb),
            "the loss and the gradient of the weights are sums: take the mean": s.triple(n * plain, gw=n * pw),
            "the gradient of the weights is divided by the number of messages, not of features":
                s.triple(gw=n / m * pw),
            "the gradients are divided by the number of messages, not of features": s.triple(
                gw=n / m * pw, gb=n / m * pb),
            "the gradient of the bias is divided by the number of messages, not of features": s.triple(gb=n / m * pb),
            "all is divided by the number of messages, not of features": s.triple(
                n / m * plain, gw=n / m * pw, gb=n / m * pb),
            "the sign of the gradient is reversed: the error is p - y": s.triple(error=y - p),
            "the sign of the gradient is reversed, that of the penalty, too": (loss, -gw, -gb),
            "the sign of the gradient of the weights is reversed": s.triple(gw=-pw),
            "the sign of the gradient of the bias is reversed": s.triple(gb=-pb),
            "the sign of the loss is reversed: the logarithms are negative": s.triple(-plain),
            "the sign of the loss is reversed, that of the penalty, too": (-loss, gw, gb),
            "the part of ham has the wrong sign in the loss": s.triple(np.mean(y * spam - (1 - y) * ham)),
        }

    def penalties(s):
        """Mistakes in the penalty."""
        n, m, w, b, l2, root, pb = s.n, s.m, s.w, s.b, s.l2, s.root, s.pb
        return {
            "the penalty is missing": s.triple(extra=0, pull=0),
            "the penalty is missing from the gradient": s.triple(pull=0),
            "the penalty is missing from the loss": s.triple(extra=0),
            "the penalty lacks its 1/2 in the loss": s.triple(extra=l2 * root**2),
            "the penalty lacks its 1/2, also in the gradient": s.triple(extra=l2 * root**2, pull=2 * l2 * w),
            "the penalty has 1/2 once too often, also in the gradient":
                s.triple(extra=l2 / 4 * root**2, pull=l2 / 2 * w),
            "the gradient of the penalty has no 1/2: it is lambda times w": s.triple(pull=l2 / 2 * w),
            "the gradient of the penalty has no factor 2: it is lambda times w": s.triple(pull=2 * l2 * w),
            "the gradient of the penalty has one number for each weight: lambda times w": s.triple(
                pull=l2 / 2 * root**2),
            "the gradient of the penalty is lambda times w: the lambda is missing": s.triple(pull=w),
            "the bias is not penalised: leave it out of the penalty": s.triple(
                extra=l2 / 2 * (root**2 + b**2), gb=pb + l2 * b),
            "the bias is not penalised: leave it out of the loss's penalty": s.triple(extra=l2 / 2 * (root**2 + b**2)),
            "the bias is not penalised: its gradient has no lambda": s.triple(gb=pb + l2 * b),
            "the norm is squared in the penalty": s.triple(extra=l2 / 2 * root),
            "the norm is squared in the penalty, and its gradient is lambda times w": s.triple(
                extra=l2 / 2 * root, pull=l2 / 2 * w / (root or 1)),
            "the penalty takes the square of each weight, not its absolute value": s.triple(
                extra=l2 / 2 * np.abs(w).sum()),
            "the penalty takes the square of each weight, not its absolute value, and the gradient follows": s.triple(
                extra=l2 * np.abs(w).sum(), pull=l2 * np.sign(w)),
            "the penalty takes half the square of each weight, not its absolute value": s.triple(
                extra=l2 * np.abs(w).sum()),
            "the penalty squares each weight, then adds up; this is the square of the sum": s.triple(
                extra=l2 / 2 * w.sum() ** 2),
            "the penalty squares each weight, then adds up; here they are not squared":
                s.triple(extra=l2 / 2 * w.sum()),
            "the penalty squares each weight, then adds up; here they are not squared, nor in the gradient": s.triple(
                extra=l2 / 2 * w.sum(), pull=l2 / 2),
            "the penalty is not divided by N": s.triple(extra=l2 / 2 * root**2 / n, pull=l2 * w / n),
            "the penalty is not divided by N in the loss": s.triple(extra=l2 / 2 * root**2 / n),
            "the penalty is not divided by N in the gradient": s.triple(pull=l2 * w / n),
            "the penalty is not divided by V: it is a sum over the weights": s.triple(extra=l2 / 2 * root**2 / m),
            "the penalty is added, not multiplied by N": s.triple(extra=n * l2 / 2 * root**2, pull=n * l2 * w),
            "the penalty is added, not subtracted": s.triple(extra=-l2 / 2 * root**2, pull=-l2 * w),
            "the penalty is added, not subtracted, in the loss": s.triple(extra=-l2 / 2 * root**2),
            "the penalty is added, not subtracted, in the gradient": s.triple(pull=-l2 * w),
        }

    def scores_and_errors(s):
        """Mistakes in the score, in the probability and in the error."""
        x, y, w, b, z, p, spam, ham = s.x, s.y, s.w, s.b, s.z, s.p, s.spam, s.ham
        without = np.exp(-np.logaddexp(0, -(x @ w)))  # p without the bias
        return {
            "the bias is added to the score, not subtracted": s.triple(
                np.mean(np.logaddexp(0, x @ w - b) - y * (x @ w - b)),
                error=np.exp(-np.logaddexp(0, b - x @ w)) - y),
            "the bias is added to the score, not subtracted as in this loss": s.triple(
                np.mean(np.logaddexp(0, x @ w - b) - y * (x @ w - b))),
            "the bias is missing from the scores": s.triple(
                np.mean(np.logaddexp(0, x @ w) - y * (x @ w)), error=without - y),
            "the bias is missing from the scores of the loss": s.triple(np.mean(np.logaddexp(0, x @ w) - y * (x @ w))),
            "the bias is missing from the scores of the gradient": s.triple(error=without - y),
            "the sigmoid has a minus before z: 1 / (1 + exp(-z)); here p is the probability of ham": s.triple(
                error=1 - p - y),
            "the sigmoid has a minus before z: 1 / (1 + exp(-z)); here p is that of ham, also in the loss": s.triple(
                np.mean(y * ham + (1 - y) * spam), error=1 - p - y),
            "the error is p - y with the probability p, not with the score z": s.triple(error=z - y),
            "the error is p - y with the probability p, not with the decision": s.triple(error=(z >= 0) - y),
            "the error is p - y: the derivative of the sigmoid is in it already": s.triple(error=(p - y) * p * (1 - p)),
            "the error p - y is missing: the gradient holds p alone": s.triple(error=p),
        }

    def losses(s):
        """Mistakes with the labels and in the loss."""
        y, z, p, spam, ham, plain = s.y, s.z, s.p, s.spam, s.ham, s.plain
        return {
            "the labels are 0 and 1 here, not -1 and 1": s.triple(np.mean(np.logaddexp(0, -y * z))),
            "the labels are 0 and 1 here, not -1 and 1, also in the gradient": s.triple(
                np.mean(np.logaddexp(0, -y * z)), error=-y * (1 - p)),
            "the error is p - y with labels of 0 and 1, not -1 and 1": s.triple(error=p - (2 * y - 1)),
            "the loss of ham is missing: both classes count": s.triple(np.mean(y * spam)),
            "the loss of ham is missing, also in the gradient: both classes count": s.triple(
                np.mean(y * spam), error=y * (p - 1)),
            "the loss of spam is missing: both classes count": s.triple(np.mean((1 - y) * ham)),
            "the loss has the labels exchanged: log p belongs to spam": s.triple(np.mean(y * ham + (1 - y) * spam)),
            "the labels are exchanged: 1 is spam": s.triple(np.mean(y * ham + (1 - y) * spam), error=p - (1 - y)),
            "the loss is log(1 + exp(z)) - y z: here y z is added": s.triple(np.mean(ham + y * z)),
            "log(1 + exp(z)) goes with - y z: here it is log(1 + exp(-z))": s.triple(np.mean(spam - y * z)),
            "the loss lacks (1 - y) z: log(1 + exp(-z)) is the loss of spam": s.triple(np.mean(spam)),
            "the loss lacks y z: log(1 + exp(z)) is the loss of ham": s.triple(np.mean(ham)),
            "the loss is the cross-entropy, not the squared error": s.triple(np.mean((p - y) ** 2)),
            "the loss is the cross-entropy, not half the squared error": s.triple(np.mean((p - y) ** 2) / 2),
            "the loss is the cross-entropy, not the squared error, and so is its gradient": s.triple(
                np.mean((p - y) ** 2), error=2 * (p - y) * p * (1 - p)),
            "the loss is the cross-entropy, not half the squared error, and so is its gradient": s.triple(
                np.mean((p - y) ** 2) / 2, error=(p - y) * p * (1 - p)),
            "the logarithm is the natural one, not to base 10": s.triple(plain / np.log(10)),
            "the logarithm is the natural one, not to base 2": s.triple(plain / np.log(2)),
        }

    def results(s):
        """Mistakes in what comes back."""
        n, y, p, spam, ham, plain, loss, gw, gb = s.n, s.y, s.p, s.spam, s.ham, s.plain, s.loss, s.gw, s.gb
        return {
            "the two gradients are swapped: first that of the weights": (loss, gb, gw),
            "the order is loss, gradient of the weights, gradient of the bias": (gw, gb, loss),
            "the gradient of the weights is one number for each weight, of shape (V,)": (loss, gw[:, None], gb),
            "the gradient of the weights is one number for each weight, not one for all": (loss, np.mean(gw), gb),
            "the gradient of the bias is missing: it is the mean of the errors": (loss, gw, 0.0),
            "the gradient of the bias is one number: take the mean of the errors": (loss, gw, p - y),
            "the gradient of the bias is one number: add up over the messages": (loss, gw, (p - y) / n),
            "the loss is one number: take the mean over the messages": (
                y * spam + (1 - y) * ham + loss - plain, gw, gb),
        }

    def clipped(s):
        """Losses of large scores where scores or probabilities are clipped."""
        each = np.where(s.y == 1, -1, 1) * s.z  # what each message costs, where it costs anything
        limits = sorted({*(-np.log([1e-16, 2.220446e-16, 1.192093e-7])), *(k * np.log(10) for k in range(3, 16)),
                         10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 200, 250, 300, 500, 600, 700, 708.396, 709,
                         1000, 10_000, 100_000})
        words = "a clipped probability or score: no message can cost more than"
        return {
            f"{words} {limit if limit >= 1000 else f'{limit:.4g}'}; use np.logaddexp instead":
                s.triple(np.clip(each, 0, limit).mean())
            for limit in limits
        }

    def unsigned(s):
        """Mistakes with labels of uint8, where 2 * 0 - 1 is 255."""
        sign, words = 2 * s.byte - 1, "in unsigned integers (uint8)"
        both, one = f"{words} 2 * 0 - 1 is 255, and -1 is 255: {early}", f"{words} 2 * 0 - 1 is 255: {early}"
        found = {f"{words} -1 is 255: {early}": s.triple(np.mean((1 - s.byte) * s.ham - -s.byte * s.spam))}
        for margin, error, name in ((-sign * s.z, -sign, both), (-(sign * s.z), -sign.astype(float), one)):
            loss = np.mean(np.logaddexp(0, margin))
            found[name] = s.triple(loss, error=error / (1 + np.exp(-margin)))
            found[f"{name} (the gradient is right)"] = s.triple(loss)
        found[f"{words} (-y) is 255 where y is 1: {early}"] = s.triple(np.mean(s.ham + -s.byte * s.z))
        found[f"{words} -1 is 255 in p + (-y): take p - y"] = s.triple(error=1 / (1 + np.exp(-s.z)) + -s.byte)
        return found

    def slips(weights, bias, features, labels, l2=None):
        """What the known mistakes give."""
        s = Step(weights, bias, features, labels, l2 or 0)
        found = sums_and_signs(s) | penalties(s) | scores_and_errors(s) | losses(s) | results(s)
        if np.abs(s.z).max() > 100:
            found |= clipped(s)
        if labels.dtype == np.uint8:
            found |= unsigned(s)
        for penalty in (1, 0.1, 0.01, 0.001) if l2 is None else ():
            other = Step(weights, bias, features, labels, penalty)
            found[f"l2 is 0 where it is not given: here it is {penalty:g}"] = other.triple()
        return found

    early = "turn the labels into floats first"
    example = (np.ones(1), 1000.0, np.ones((1, 1)), np.ones(1, dtype=np.uint8))
    check.mistakes(one_by_one(slips, *example), logistic_loss_and_gradient)
    ### END MISTAKES
    first = check(logistic_loss_and_gradient, np.zeros(1), 0.0, np.array([[2.0]]), np.array([1])).equals(
        (0.693147, np.array([-1.0]), -0.5), rtol=1e-4
    )
    features, weights = np.array([[1.0, 0], [0, 2], [1, 1]]), np.array([0.5, -1.0])
    labels = np.array([1, 0, 1], dtype=np.uint8)
    grad, penalty = np.array([-0.294333, -0.088694]), np.array([0.1, -0.2])
    check(logistic_loss_and_gradient, weights, 0.25, features, labels).equals((0.457678, grad, -0.244984), rtol=1e-4)
    no_dense = {
        "sparse features need @: * multiplies entry by entry": ValueError,
        "sparse features need @: np.dot does not know them": TypeError,
    }
    if not first.error:  # not the stub's own
        no_dense["sparse features need @: np.dot makes something else of them"] = NotImplementedError
    check(logistic_loss_and_gradient, weights, 0.25, sparse.csr_matrix(features), labels.astype(int), l2=0.2).equals(
        (0.582678, grad + penalty, -0.244984), rtol=1e-4, about="sparse features", near=no_dense
    )
    large = np.array([[1000.0], [-1000.0], [1000.0]])
    floats = "integer weights must not make the gradient one of integers, as np.zeros_like does"

    def overflows(loss, gw, gb):
        both = "overflows in the loss and in the probability: use np.logaddexp and scipy.special.expit"
        return {
            "a large score overflows: use np.logaddexp, and a sigmoid that is safe": OverflowError,
            "an overflow made the loss infinite: use np.logaddexp instead of log and exp": (np.inf, gw, gb),
            "an overflow, 0 times infinity, made the loss NaN: use np.logaddexp": (np.nan, gw, gb),
            "an overflow, infinity divided by infinity, made the probability NaN: use scipy.special.expit":
                (loss, gw * np.nan, np.nan),
            both: (np.nan, gw * np.nan, np.nan),
            f"{both} (an infinite loss)": (np.inf, gw * np.nan, np.nan),
        }

    right = (333.333333, np.array([333.333333]), 0.333333)
    check(logistic_loss_and_gradient, np.array([1]), 0.0, large, np.array([1, 0, 0])).equals(
        right, rtol=1e-4, about="large scores, integer weights",
        near=overflows(*right) | {
            floats: (right[0], np.array([333]), right[2]),
            "with integer weights, too, the gradient is an array of floats": TypeError,
        },
    )
    million = (1e6, np.array([2.0]), 1.0)
    check(logistic_loss_and_gradient, np.zeros(1), 1e6, np.array([[2.0]]), np.array([0])).equals(
        million, rtol=1e-4, about="a score of a million", edge=True, near=overflows(*million))
    ### BEGIN HIDDEN TESTS
    import torch

    def autograd(w, b, x, y, l2):
        """The oracle: torch's own loss in float64, and its derivatives."""
        w, b = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (w, b))
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            torch.tensor(x) @ w + b, torch.tensor(y, dtype=torch.float64))
        loss = loss + l2 / 2 * (w**2).sum()
        loss.backward()
        return loss.item(), w.grad.numpy(), b.grad.item()

    check.hidden()
    for l2, about in [(0.0, "random features"), (0.3, "random features with a penalty"), (2.5, "sparse features")]:
        n = 130 if about == "sparse features" else 13
        x, w = check.rng.normal(size=(n, 5)), check.rng.normal(size=5)
        b, y = float(check.rng.normal()), np.append([0, 1], check.rng.integers(0, 2, size=n - 2))
        given = sparse.csr_matrix(x) if about == "sparse features" else x
        check(logistic_loss_and_gradient, w, b, given, y, l2=l2).equals(
            autograd(w, b, x, y, l2), about=about, rtol=1e-4, atol=1e-7, near={} if given is x else no_dense
        )

    x, y = np.array([[400.0, 200], [-300, -400], [500, 200], [-250, -300], [450, 1]]), np.array([1, 0, 0, 1, 0])
    w, b = np.array([2e4, 1e4]), 0.5
    right = autograd(w, b, x, y, 0.0)
    check(logistic_loss_and_gradient, w, b, x, y).equals(
        right, about="very large scores", rtol=1e-4, near=overflows(*right)
    )
    x, w, y = check.rng.normal(size=(7, 3)) * 3, np.array([1, -2, 1]), np.array([1, 0, 0, 1, 1, 0, 1])
    loss, gw, gb = autograd(w, 1.0, x, y, 0.7)
    check(logistic_loss_and_gradient, w, 1, x, y, l2=0.7).equals(
        (loss, gw, gb), about="integer weights", edge=True, rtol=1e-4,
        near={
            floats: (loss, np.trunc(gw), gb),
            "with integer weights, too, the gradient is an array of floats": TypeError,
        },
    )
    x, w, b, y = check.rng.normal(size=(9, 3)), check.rng.normal(size=3), 0.5, np.array([1, 0, 0, 1, 1, 0, 1, 0, 1])
    check(logistic_loss_and_gradient, w, b, x, y.astype(np.uint8)).equals(
        autograd(w, b, x, y, 0.0), about="labels in uint8", edge=True, rtol=1e-4
    )
    w, b, x, y = np.array([1.0, 2.0]), 0.5, np.zeros((1, 2)), np.array([0])
    check(logistic_loss_and_gradient, w, b, x, y, l2=0.004).equals(
        autograd(w, b, x, y, 0.004), about="one empty message", edge=True, rtol=1e-4
    )
    ### END HIDDEN TESTS


score
