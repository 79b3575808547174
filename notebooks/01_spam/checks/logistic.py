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


score
