from helpers.checks import graded


@graded("logistic", points=9)
def score(check):
    import numpy as np
    from scipy import sparse

    check(logistic_loss_and_gradient, np.zeros(1), 0.0, np.array([[2.0]]), np.array([1])).equals(
        (0.693147, np.array([-1.0]), -0.5), rtol=1e-4,
        near={
            "the sign of the gradient is turned round: the error is p - y": (0.693147, np.array([1.0]), 0.5),
            "the sign of the loss is turned round: the logarithms are negative": (-0.693147, np.array([-1.0]), -0.5),
            "the error p - y is missing: the gradient holds p alone": (0.693147, np.array([1.0]), 0.5),
            "the labels are exchanged: 1 is spam": (0.693147, np.array([1.0]), 0.5),
            "the error is p - y with the probability p, not with the score z": (0.693147, np.array([-2.0]), -1.0),
            "the error is p - y with the probability p, not with the decision": (0.693147, np.array([0.0]), 0.0),
            "the error is p - y: the derivative of the sigmoid is in it already": (0.693147, np.array([-0.25]), -0.125),
            "the loss is the cross-entropy, not the squared error": (0.25, np.array([-1.0]), -0.5),
            "the loss is the cross-entropy, not the squared error, and so is its gradient": (
                0.25, np.array([-0.5]), -0.25),
            "the logarithm is the natural one, not to base 10": (0.30103, np.array([-1.0]), -0.5),
            "the logarithm is the natural one, not to base 2": (1.0, np.array([-1.0]), -0.5),
            "the two gradients are swapped: first that of the weights": (0.693147, -0.5, np.array([-1.0])),
        },
    )
    features, labels, weights = np.array([[1.0, 0], [0, 2], [1, 1]]), np.array([1, 0, 1]), np.array([0.5, -1.0])
    grad, penalty = np.array([-0.294333, -0.088694]), np.array([0.1, -0.2])
    check(logistic_loss_and_gradient, weights, 0.25, features, labels).equals(
        (0.457678, grad, -0.244984), rtol=1e-4,
        near={
            "all three are sums over the messages: take the mean": (1.373035, 3 * grad, -0.734951),
            "the loss is a sum over the messages: take the mean": (1.373035, grad, -0.244984),
            "the gradients are sums over the messages: take the mean, as in the loss": (0.457678, 3 * grad, -0.734951),
            "the gradient of the weights is a sum: take the mean": (0.457678, 3 * grad, -0.244984),
            "the gradient of the bias is a sum: take the mean": (0.457678, grad, -0.734951),
            "the gradient of the weights is divided by the number of messages, not of features": (
                0.457678, 3 / 2 * grad, -0.244984),
            "the gradients are divided by the number of messages, not of features": (0.457678, 3 / 2 * grad, -0.367475),
            "the sign of the gradient is turned round: the error is p - y": (0.457678, -grad, 0.244984),
            "the sign of the loss is turned round: the logarithms are negative": (-0.457678, grad, -0.244984),
            "the error p - y is missing: the gradient holds p alone": (
                0.457678, np.array([0.372334, 0.244639]), 0.421683),
            "the labels are exchanged: 1 is spam": (1.207678, np.array([0.372334, -0.422027]), 0.08835),
            "the bias is missing from the scores": (0.525027, np.array([-0.333333, -0.128018]), -0.293599),
            "the error is p - y with the probability p, not with the score z": (
                0.457678, np.array([-0.5, -1.583333]), -1.083333),
            "the error is p - y with the probability p, not with the decision": (
                0.457678, np.array([-0.333333, -0.333333]), -0.333333),
            "the loss is log(1 + exp(z)) - y z: here y z is added": (0.791012, grad, -0.244984),
            "log(1 + exp(z)) goes with - y z: here it is log(1 + exp(-z))": (0.874345, grad, -0.244984),
            "the loss lacks (1 - y) z: log(1 + exp(-z)) is the loss of spam": (1.041012, grad, -0.244984),
            "the bias is added to the score, not subtracted": (0.604339, np.array([-0.372334, -0.162827]), -0.340551),
            "the bias is added to the score, not subtracted as in this loss": (0.604339, grad, -0.244984),
            "the labels are 0 and 1 here, not -1 and 1": (0.635319, grad, -0.244984),
            "the labels are 0 and 1 here, not -1 and 1, also in the gradient": (
                0.635319, np.array([-0.294333, -0.187392]), -0.294333),
            "the loss of ham is missing: both classes count": (0.40427, grad, -0.244984),
            "the logarithm is the natural one, not to base 10": (0.198767, grad, -0.244984),
            "the logarithm is the natural one, not to base 2": (0.66029, grad, -0.244984),
            "the two gradients are swapped: first that of the weights": (0.457678, -0.244984, grad),
        },
    )
    check(logistic_loss_and_gradient, weights, 0.25, features, labels, l2=0.2).equals(
        (0.582678, grad + penalty, -0.244984), rtol=1e-4,
        near={
            "the sign of the gradient is turned round: the error is p - y": (0.582678, penalty - grad, 0.244984),
            "the sign of the gradient is turned round, that of the penalty, too": (0.582678, -grad - penalty, 0.244984),
            "the sign of the loss is turned round: the logarithms are negative": (-0.332678, grad + penalty, -0.244984),
            "the sign of the loss is turned round, that of the penalty, too": (-0.582678, grad + penalty, -0.244984),
            "the penalty is missing": (0.457678, grad, -0.244984),
            "the penalty is missing from the gradient": (0.582678, grad, -0.244984),
            "the penalty is missing from the loss": (0.457678, grad + penalty, -0.244984),
            "the penalty lacks its 1/2 in the loss": (0.707678, grad + penalty, -0.244984),
            "the penalty lacks its 1/2, also in the gradient": (0.707678, grad + 2 * penalty, -0.244984),
            "the gradient of the penalty has no 1/2: it is lambda times w": (0.582678, grad + penalty / 2, -0.244984),
            "the gradient of the penalty has no factor 2: it is lambda times w": (
                0.582678, grad + 2 * penalty, -0.244984),
            "the bias is not penalised: leave it out of the penalty": (0.588928, grad + penalty, -0.194984),
            "the bias is not penalised: leave it out of the loss's penalty": (0.588928, grad + penalty, -0.244984),
            "the bias is not penalised: its gradient has no lambda": (0.582678, grad + penalty, -0.194984),
            "the norm is squared in the penalty": (0.569482, grad + penalty, -0.244984),
            "the penalty squares each weight, then adds up; here they are not squared": (
                0.407678, grad + penalty, -0.244984),
            "the penalty squares each weight, then adds up; here they are not squared, nor in the gradient": (
                0.407678, grad + 0.1, -0.244984),
            "the penalty is not divided by N": (0.499345, grad + penalty / 3, -0.244984),
            "the penalty is added, not subtracted": (0.332678, grad - penalty, -0.244984),
        },
    )
    large = np.array([[1000.0], [-1000.0], [1000.0]])
    check(logistic_loss_and_gradient, np.array([1.0]), 0.0, large, np.array([1, 0, 0])).equals(
        (333.333333, np.array([333.333333]), 0.333333), rtol=1e-4,
        near={
            "a large score overflows: use np.logaddexp, and a sigmoid that is safe": OverflowError,
            "an overflow made the loss infinite: use np.logaddexp instead of log and exp": (
                np.inf, np.array([333.333333]), 0.333333),
            "an overflow, 0 times infinity, made the loss NaN: use np.logaddexp": (
                np.nan, np.array([333.333333]), 0.333333),
        },
    )
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

    def known(w, b, x, y, l2):
        """The known mistakes, each with the triple that it gives: one place differs from the right one."""
        n, m = x.shape
        z, root = x @ w + b, np.linalg.norm(w)
        spam, ham = np.logaddexp(0, -z), np.logaddexp(0, z)  # -log p and -log(1 - p)
        p = np.exp(-spam)
        pw, pb, plain = x.T @ (p - y) / n, np.mean(p - y), np.mean(y * spam + (1 - y) * ham)  # without the penalty

        def triple(data=plain, extra=l2 / 2 * root**2, gw=pw, pull=l2 * w, gb=pb, error=None):
            if error is not None:
                gw, gb = x.T @ error / n, np.mean(error)
            return data + extra, gw + pull, gb

        loss, gw, gb = triple()
        without = np.exp(-np.logaddexp(0, -(x @ w)))  # p without the bias
        return {
            # sums
            "all three are sums over the messages: take the mean": triple(n * plain, gw=n * pw, gb=n * pb),
            "the loss is a sum over the messages: take the mean": triple(n * plain),
            "the gradients are sums over the messages: take the mean, as in the loss": triple(gw=n * pw, gb=n * pb),
            "the gradient of the weights is a sum: take the mean": triple(gw=n * pw),
            "the gradient of the bias is a sum: take the mean": triple(gb=n * pb),
            "the loss and the gradient of the weights are sums: take the mean": triple(n * plain, gw=n * pw),
            "the gradient of the weights is divided by the number of messages, not of features": triple(gw=n / m * pw),
            "the gradients are divided by the number of messages, not of features": triple(
                gw=n / m * pw, gb=n / m * pb),
            "the gradient of the bias is divided by the number of messages, not of features": triple(gb=n / m * pb),
            "all is divided by the number of messages, not of features": triple(
                n / m * plain, gw=n / m * pw, gb=n / m * pb),
            # signs
            "the sign of the gradient is turned round: the error is p - y": triple(error=y - p),
            "the sign of the gradient is turned round, that of the penalty, too": (loss, -gw, -gb),
            "the sign of the gradient of the weights is turned round": triple(gw=-pw),
            "the sign of the gradient of the bias is turned round": triple(gb=-pb),
            "the sign of the loss is turned round: the logarithms are negative": triple(-plain),
            "the sign of the loss is turned round, that of the penalty, too": (-loss, gw, gb),
            "the part of ham has the wrong sign in the loss": triple(np.mean(y * spam - (1 - y) * ham)),
            # the penalty
            "the penalty is missing": triple(extra=0, pull=0),
            "the penalty is missing from the gradient": triple(pull=0),
            "the penalty is missing from the loss": triple(extra=0),
            "the penalty lacks its 1/2 in the loss": triple(extra=l2 * root**2),
            "the penalty lacks its 1/2, also in the gradient": triple(extra=l2 * root**2, pull=2 * l2 * w),
            "the penalty has 1/2 once too often, also in the gradient": triple(extra=l2 / 4 * root**2, pull=l2 / 2 * w),
            "the gradient of the penalty has no 1/2: it is lambda times w": triple(pull=l2 / 2 * w),
            "the gradient of the penalty has no factor 2: it is lambda times w": triple(pull=2 * l2 * w),
            "the gradient of the penalty has one number for each weight: lambda times w": triple(
                pull=l2 / 2 * root**2),
            "the gradient of the penalty is lambda times w: the lambda is missing": triple(pull=w),
            "the bias is not penalised: leave it out of the penalty": triple(
                extra=l2 / 2 * (root**2 + b**2), gb=pb + l2 * b),
            "the bias is not penalised: leave it out of the loss's penalty": triple(extra=l2 / 2 * (root**2 + b**2)),
            "the bias is not penalised: its gradient has no lambda": triple(gb=pb + l2 * b),
            "the norm is squared in the penalty": triple(extra=l2 / 2 * root),
            "the norm is squared in the penalty, and its gradient is lambda times w": triple(
                extra=l2 / 2 * root, pull=l2 / 2 * w / root),
            "the penalty takes the square of each weight, not its absolute value": triple(
                extra=l2 / 2 * np.abs(w).sum()),
            "the penalty takes the square of each weight, not its absolute value, and the gradient follows": triple(
                extra=l2 * np.abs(w).sum(), pull=l2 * np.sign(w)),
            "the penalty takes half the square of each weight, not its absolute value": triple(
                extra=l2 * np.abs(w).sum()),
            "the penalty squares each weight, then adds up; this is the square of the sum": triple(
                extra=l2 / 2 * w.sum() ** 2),
            "the penalty squares each weight, then adds up; here they are not squared": triple(extra=l2 / 2 * w.sum()),
            "the penalty squares each weight, then adds up; here they are not squared, nor in the gradient": triple(
                extra=l2 / 2 * w.sum(), pull=l2 / 2),
            "the penalty is not divided by N": triple(extra=l2 / 2 * root**2 / n, pull=l2 * w / n),
            "the penalty is not divided by N in the loss": triple(extra=l2 / 2 * root**2 / n),
            "the penalty is not divided by N in the gradient": triple(pull=l2 * w / n),
            "the penalty is not divided by M: it is a sum over the weights": triple(extra=l2 / 2 * root**2 / m),
            "the penalty is added, not multiplied by N": triple(extra=n * l2 / 2 * root**2, pull=n * l2 * w),
            "the penalty is added, not subtracted": triple(extra=-l2 / 2 * root**2, pull=-l2 * w),
            "the penalty is added, not subtracted, in the loss": triple(extra=-l2 / 2 * root**2),
            "the penalty is added, not subtracted, in the gradient": triple(pull=-l2 * w),
            # the score and the probability
            "the bias is added to the score, not subtracted": triple(
                np.mean(np.logaddexp(0, x @ w - b) - y * (x @ w - b)),
                error=np.exp(-np.logaddexp(0, b - x @ w)) - y),
            "the bias is added to the score, not subtracted as in this loss": triple(
                np.mean(np.logaddexp(0, x @ w - b) - y * (x @ w - b))),
            "the bias is missing from the scores": triple(
                np.mean(np.logaddexp(0, x @ w) - y * (x @ w)), error=without - y),
            "the bias is missing from the scores of the loss": triple(np.mean(np.logaddexp(0, x @ w) - y * (x @ w))),
            "the bias is missing from the scores of the gradient": triple(error=without - y),
            "the sigmoid has a minus before z: 1 / (1 + exp(-z)); here p is the probability of ham": triple(
                error=1 - p - y),
            "the sigmoid has a minus before z: 1 / (1 + exp(-z)); here p is that of ham, also in the loss": triple(
                np.mean(y * ham + (1 - y) * spam), error=1 - p - y),
            "the error is p - y with the probability p, not with the score z": triple(error=z - y),
            "the error is p - y with the probability p, not with the decision": triple(error=(z >= 0) - y),
            "the error is p - y: the derivative of the sigmoid is in it already": triple(error=(p - y) * p * (1 - p)),
            "the error p - y is missing: the gradient holds p alone": triple(error=p),
            # the labels and the loss
            "the labels are 0 and 1 here, not -1 and 1": triple(np.mean(np.logaddexp(0, -y * z))),
            "the labels are 0 and 1 here, not -1 and 1, also in the gradient": triple(
                np.mean(np.logaddexp(0, -y * z)), error=-y * (1 - p)),
            "the error is p - y with labels of 0 and 1, not -1 and 1": triple(error=p - (2 * y - 1)),
            "the loss of ham is missing: both classes count": triple(np.mean(y * spam)),
            "the loss of ham is missing, also in the gradient: both classes count": triple(
                np.mean(y * spam), error=y * (p - 1)),
            "the loss of spam is missing: both classes count": triple(np.mean((1 - y) * ham)),
            "the loss has the labels exchanged: log p belongs to spam": triple(np.mean(y * ham + (1 - y) * spam)),
            "the labels are exchanged: 1 is spam": triple(np.mean(y * ham + (1 - y) * spam), error=p - (1 - y)),
            "the loss is log(1 + exp(z)) - y z: here y z is added": triple(np.mean(ham + y * z)),
            "log(1 + exp(z)) goes with - y z: here it is log(1 + exp(-z))": triple(np.mean(spam - y * z)),
            "the loss lacks (1 - y) z: log(1 + exp(-z)) is the loss of spam": triple(np.mean(spam)),
            "the loss lacks y z: log(1 + exp(z)) is the loss of ham": triple(np.mean(ham)),
            "the loss is the cross-entropy, not the squared error": triple(np.mean((p - y) ** 2)),
            "the loss is the cross-entropy, not half the squared error": triple(np.mean((p - y) ** 2) / 2),
            "the loss is the cross-entropy, not the squared error, and so is its gradient": triple(
                np.mean((p - y) ** 2), error=2 * (p - y) * p * (1 - p)),
            "the loss is the cross-entropy, not half the squared error, and so is its gradient": triple(
                np.mean((p - y) ** 2) / 2, error=(p - y) * p * (1 - p)),
            "the logarithm is the natural one, not to base 10": triple(plain / np.log(10)),
            "the logarithm is the natural one, not to base 2": triple(plain / np.log(2)),
            # what comes back
            "the two gradients are swapped: first that of the weights": (loss, gb, gw),
            "the order is loss, gradient of the weights, gradient of the bias": (gw, gb, loss),
            "the gradient of the weights is one number for each weight, of shape (M,)": (loss, gw[:, None], gb),
            "the gradient of the weights is one number for each weight, not one for all": (loss, np.mean(gw), gb),
            "the gradient of the bias is missing: it is the mean of the errors": (loss, gw, 0.0),
            "the gradient of the bias is one number: take the mean of the errors": (loss, gw, p - y),
            "the gradient of the bias is one number: add up over the messages": (loss, gw, (p - y) / n),
            "the loss is one number: take the mean over the messages": (
                y * spam + (1 - y) * ham + loss - plain, gw, gb),
        }

    check.hidden()
    for l2, about in [(0.0, "random features"), (0.3, "random features with a penalty"), (2.5, "sparse features")]:
        n = 130 if about == "sparse features" else 13
        x, w = check.rng.normal(size=(n, 5)), check.rng.normal(size=5)
        b, y = float(check.rng.normal()), np.append([0, 1], check.rng.integers(0, 2, size=n - 2))
        right, near = autograd(w, b, x, y, l2), known(w, b, x, y, l2)
        if about == "sparse features":
            near |= {"sparse features need @: * multiplies entry by entry": ValueError,
                     "sparse features need @: np.dot does not know them": TypeError}
        given = sparse.csr_matrix(x) if about == "sparse features" else x
        check(logistic_loss_and_gradient, w, b, given, y, l2=l2).equals(
            right, about=about, rtol=1e-4, atol=1e-7, near=near
        )

    x, y = np.array([[400.0, 200], [-300, -400], [500, 200], [-250, -300], [450, 1]]), np.array([1, 0, 0, 1, 0])
    w, b = np.array([2.0, 1.0]), 0.5
    (loss, gw, gb), near = autograd(w, b, x, y, 0.0), known(w, b, x, y, 0.0)
    each = np.where(y == 1, -1, 1) * (x @ w + b)  # what each message costs, where it costs anything
    limits = sorted({*(-np.log([1e-16, 2.220446e-16, 1.192093e-7])), *(k * np.log(10) for k in range(3, 16)),
                     10, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 200, 250, 300, 500, 600, 700, 708.396, 709})
    check(logistic_loss_and_gradient, w, b, x, y).equals(
        (loss, gw, gb), about="very large scores", rtol=1e-4,
        near=near | {
            f"a clipped probability or score: no message can cost more than {limit:.4g}; use np.logaddexp instead":
                (np.clip(each, 0, limit).mean(), gw, gb) for limit in limits
        } | {
            "a large score overflows: use np.logaddexp, and a sigmoid that is safe": OverflowError,
            "an overflow made the loss infinite: use np.logaddexp instead of log and exp": (np.inf, gw, gb),
            "an overflow, 0 times infinity, made the loss NaN: use np.logaddexp": (np.nan, gw, gb),
            "an overflow, infinity divided by infinity, made the probability NaN: use scipy.special.expit": (
                loss, gw * np.nan, np.nan),
            "overflows in the loss and in the probability: use np.logaddexp and scipy.special.expit": (
                np.nan, gw * np.nan, np.nan),
            "overflows in the loss, and in the probability: use np.logaddexp and scipy.special.expit": (
                np.inf, gw * np.nan, np.nan),
        },
    )
    x, w, y = check.rng.normal(size=(7, 3)) * 3, np.array([1, -2, 1]), np.array([1, 0, 0, 1, 1, 0, 1])
    (loss, gw, gb), near = autograd(w, 1.0, x, y, 0.7), known(w, 1, x, y, 0.7)
    check(logistic_loss_and_gradient, w, 1, x, y, l2=0.7).equals(
        (loss, gw, gb), about="integer weights", edge=True, rtol=1e-4,
        near=near | {
            "integer weights must not make the gradient one of integers, as np.zeros_like does": (
                loss, np.trunc(gw), gb),
            "with integer weights, too, the gradient is an array of floats": TypeError,
        },
    )
    x, w, b, y = check.rng.normal(size=(9, 3)), check.rng.normal(size=3), 0.5, np.array([1, 0, 0, 1, 1, 0, 1, 0, 1])
    (loss, gw, gb), near = autograd(w, b, x, y, 0.0), known(w, b, x, y, 0.0)
    z, first = x @ w + b, "turn the labels into floats first"
    byte, ones = y.astype(np.uint8), "in unsigned integers (uint8) 2 * 0 - 1 is 255, and -1 is 255"
    sign = 2 * byte - 1
    slips = {f"in unsigned integers (uint8) -1 is 255: {first}": (
        np.mean((1 - byte) * np.logaddexp(0, z) - -byte * np.logaddexp(0, -z)), gw, gb)}
    for margin, error, words in [
        (-sign * z, -sign, f"{ones}: {first}"),
        (-(sign * z), -sign.astype(float), f"in unsigned integers (uint8) 2 * 0 - 1 is 255: {first}"),
    ]:
        error, turned = error / (1 + np.exp(-margin)), np.mean(np.logaddexp(0, margin))
        slips |= {words: (turned, x.T @ error / 9, error.mean()), f"{words} (the gradient is right)": (turned, gw, gb)}
    check(logistic_loss_and_gradient, w, b, x, byte).equals(
        (loss, gw, gb), about="labels in uint8", edge=True, rtol=1e-4, near=near | slips
    )
    w, b, x, y = np.array([1.0, 2.0]), 0.5, np.zeros((1, 2)), np.array([0])
    right, near = autograd(w, b, x, y, 0.004), known(w, b, x, y, 0.004)
    check(logistic_loss_and_gradient, w, b, x, y, l2=0.004).equals(
        right, about="one empty message", edge=True, rtol=1e-4, near=near
    )
    ### END HIDDEN TESTS


score
