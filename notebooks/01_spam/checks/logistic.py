from helpers.checks import graded


@graded("logistic", points=9)
def score(check):
    import numpy as np
    from scipy import sparse

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the sign of the gradient is reversed: the error is p - y": {
            1: (0.693147, [1.0], 0.5),
            2: (0.457678, [0.294333, 0.088694], 0.244984),
            3: (0.582678, [0.394333, -0.111306], 0.244984),
            4: (333.333, [-333.333], -0.333333),
            5: (1000000.0, [-2.0], -1.0),
        },
        "the sign of the gradient is reversed, that of the penalty, too": {
            1: (0.693147, [1.0], 0.5),
            2: (0.457678, [0.294333, 0.088694], 0.244984),
            3: (0.582678, [0.194333, 0.288694], 0.244984),
            4: (333.333, [-333.333], -0.333333),
            5: (1000000.0, [-2.0], -1.0),
        },
        "the sign of the gradient of the weights is reversed": {
            1: (0.693147, [1.0], -0.5),
            2: (0.457678, [0.294333, 0.088694], -0.244984),
            3: (0.582678, [0.394333, -0.111306], -0.244984),
            4: (333.333, [-333.333], 0.333333),
            5: (1000000.0, [-2.0], 1.0),
        },
        "the sign of the gradient of the bias is reversed": {
            1: (0.693147, [-1.0], 0.5),
            2: (0.457678, [-0.294333, -0.088694], 0.244984),
            3: (0.582678, [-0.194333, -0.288694], 0.244984),
            4: (333.333, [333.333], -0.333333),
            5: (1000000.0, [2.0], -1.0),
        },
        "the sign of the loss is reversed: the logarithms are negative": {
            1: (-0.693147, [-1.0], -0.5),
            2: (-0.457678, [-0.294333, -0.088694], -0.244984),
            3: (-0.332678, [-0.194333, -0.288694], -0.244984),
            4: (-333.333, [333.333], 0.333333),
            5: (-1000000.0, [2.0], 1.0),
        },
        "the sign of the loss is reversed, that of the penalty, too": {
            1: (-0.693147, [-1.0], -0.5),
            2: (-0.457678, [-0.294333, -0.088694], -0.244984),
            3: (-0.582678, [-0.194333, -0.288694], -0.244984),
            4: (-333.333, [333.333], 0.333333),
            5: (-1000000.0, [2.0], 1.0),
        },
        "the error is p - y with the probability p, not with the score z": {
            1: (0.693147, [-2.0], -1.0),
            2: (0.457678, [-0.5, -1.58333], -1.08333),
            3: (0.582678, [-0.4, -1.78333], -1.08333),
            4: (333.333, [999667.0], 333.0),
            5: (1000000.0, [2000000.0], 1000000.0),
        },
        "the error is p - y with the probability p, not with the decision": {
            1: (0.693147, [0.0], 0.0),
            2: (0.457678, [-0.333333, -0.333333], -0.333333),
            3: (0.582678, [-0.233333, -0.533333], -0.333333),
        },
        "the error is p - y: the derivative of the sigmoid is in it already": {
            1: (0.693147, [-0.25], -0.125),
            2: (0.457678, [-0.0694254, -0.0336749], -0.063201),
            3: (0.582678, [0.0305746, -0.233675], -0.063201),
            4: (333.333, [0.0], 0.0),
            5: (1000000.0, [0.0], 0.0),
        },
        "the error p - y is missing: the gradient holds p alone": {
            1: (0.693147, [1.0], 0.5),
            2: (0.457678, [0.372334, 0.244639], 0.421683),
            3: (0.582678, [0.472334, 0.0446393], 0.421683),
            4: (333.333, [666.667], 0.666667),
        },
        "the loss of spam is missing: both classes count": {
            1: (0.0, [-1.0], -0.5),
            2: (0.0534081, [-0.294333, -0.088694], -0.244984),
            3: (0.178408, [-0.194333, -0.288694], -0.244984),
        },
        "the labels are exchanged: 1 is spam": {
            1: (0.693147, [1.0], 0.5),
            2: (1.20768, [0.372334, -0.422027], 0.0883498),
            3: (1.33268, [0.472334, -0.622027], 0.0883498),
            4: (666.667, [666.667], 0.0),
            5: (0.0, [0.0], 0.0),
        },
        "the loss is the cross-entropy, not the squared error": {
            1: (0.25, [-1.0], -0.5),
            2: (0.146962, [-0.294333, -0.088694], -0.244984),
            3: (0.271962, [-0.194333, -0.288694], -0.244984),
            4: (0.333333, [333.333], 0.333333),
            5: (1.0, [2.0], 1.0),
        },
        "the loss is the cross-entropy, not half the squared error": {
            1: (0.125, [-1.0], -0.5),
            2: (0.0734811, [-0.294333, -0.088694], -0.244984),
            3: (0.198481, [-0.194333, -0.288694], -0.244984),
            4: (0.166667, [333.333], 0.333333),
            5: (0.5, [2.0], 1.0),
        },
        "the loss is the cross-entropy, not the squared error, and so is its gradient": {
            1: (0.25, [-0.5], -0.25),
            2: (0.146962, [-0.138851, -0.0673498], -0.126402),
            3: (0.271962, [-0.0388508, -0.26735], -0.126402),
            4: (0.333333, [0.0], 0.0),
            5: (1.0, [0.0], 0.0),
        },
        "the loss is the cross-entropy, not half the squared error, and so is its gradient": {
            1: (0.125, [-0.25], -0.125),
            2: (0.0734811, [-0.0694254, -0.0336749], -0.063201),
            3: (0.198481, [0.0305746, -0.233675], -0.063201),
            4: (0.166667, [0.0], 0.0),
            5: (0.5, [0.0], 0.0),
        },
        "the logarithm is the natural one, not to base 10": {
            1: (0.30103, [-1.0], -0.5),
            2: (0.198767, [-0.294333, -0.088694], -0.244984),
            3: (0.323767, [-0.194333, -0.288694], -0.244984),
            4: (144.765, [333.333], 0.333333),
            5: (434294.0, [2.0], 1.0),
        },
        "the logarithm is the natural one, not to base 2": {
            1: (1.0, [-1.0], -0.5),
            2: (0.66029, [-0.294333, -0.088694], -0.244984),
            3: (0.78529, [-0.194333, -0.288694], -0.244984),
            4: (480.898, [333.333], 0.333333),
            5: (1442700.0, [2.0], 1.0),
        },
        "the two gradients are swapped: first that of the weights": {
            1: (0.693147, -0.5, [-1.0]),
            2: (0.457678, -0.244984, [-0.294333, -0.088694]),
            3: (0.582678, -0.244984, [-0.194333, -0.288694]),
            4: (333.333, 0.333333, [333.333]),
            5: (1000000.0, 1.0, [2.0]),
        },
        "the order is loss, gradient of the weights, gradient of the bias": {
            1: ([-1.0], -0.5, 0.693147),
            2: ([-0.294333, -0.088694], -0.244984, 0.457678),
            3: ([-0.194333, -0.288694], -0.244984, 0.582678),
            4: ([333.333], 0.333333, 333.333),
            5: ([2.0], 1.0, 1000000.0),
        },
        "the gradient of the weights is one number for each weight, of shape (V,)": {
            1: (0.693147, [[-1.0]], -0.5),
            2: (0.457678, [[-0.294333], [-0.088694]], -0.244984),
            3: (0.582678, [[-0.194333], [-0.288694]], -0.244984),
            4: (333.333, [[333.333]], 0.333333),
            5: (1000000.0, [[2.0]], 1.0),
        },
        "the gradient of the weights is one number for each weight, not one for all": {
            1: (0.693147, -1.0, -0.5),
            2: (0.457678, -0.191513, -0.244984),
            3: (0.582678, -0.241513, -0.244984),
            4: (333.333, 333.333, 0.333333),
            5: (1000000.0, 2.0, 1.0),
        },
        "the gradient of the bias is missing: it is the mean of the errors": {
            1: (0.693147, [-1.0], 0.0),
            2: (0.457678, [-0.294333, -0.088694], 0.0),
            3: (0.582678, [-0.194333, -0.288694], 0.0),
            4: (333.333, [333.333], 0.0),
            5: (1000000.0, [2.0], 0.0),
        },
        "the gradient of the bias is one number: take the mean of the errors": {
            1: (0.693147, [-1.0], [-0.5]),
            2: (0.457678, [-0.294333, -0.088694], [-0.320821, 0.148047, -0.562177]),
            3: (0.582678, [-0.194333, -0.288694], [-0.320821, 0.148047, -0.562177]),
            4: (333.333, [333.333], [0.0, 0.0, 1.0]),
            5: (1000000.0, [2.0], [1.0]),
        },
        "the gradient of the bias is one number: add up over the messages": {
            1: (0.693147, [-1.0], [-0.5]),
            2: (0.457678, [-0.294333, -0.088694], [-0.10694, 0.0493491, -0.187392]),
            3: (0.582678, [-0.194333, -0.288694], [-0.10694, 0.0493491, -0.187392]),
            4: (333.333, [333.333], [0.0, 0.0, 0.333333]),
            5: (1000000.0, [2.0], [1.0]),
        },
        "the loss is one number: take the mean over the messages": {
            1: ([0.693147], [-1.0], -0.5),
            2: ([0.386871, 0.160224, 0.825939], [-0.294333, -0.088694], -0.244984),
            3: ([0.511871, 0.285224, 0.950939], [-0.194333, -0.288694], -0.244984),
            4: ([0.0, 0.0, 1000.0], [333.333], 0.333333),
            5: ([1000000.0], [2.0], 1.0),
        },
        "all three are sums over the messages: take the mean": {
            2: (1.37303, [-0.882998, -0.266082], -0.734951),
            3: (1.49803, [-0.782998, -0.466082], -0.734951),
            4: (1000.0, [1000.0], 1.0),
        },
        "the loss is a sum over the messages: take the mean": {
            2: (1.37303, [-0.294333, -0.088694], -0.244984),
            3: (1.49803, [-0.194333, -0.288694], -0.244984),
            4: (1000.0, [333.333], 0.333333),
        },
        "the gradients are sums over the messages: take the mean, as in the loss": {
            2: (0.457678, [-0.882998, -0.266082], -0.734951),
            3: (0.582678, [-0.782998, -0.466082], -0.734951),
            4: (333.333, [1000.0], 1.0),
        },
        "the gradient of the weights is a sum: take the mean": {
            2: (0.457678, [-0.882998, -0.266082], -0.244984),
            3: (0.582678, [-0.782998, -0.466082], -0.244984),
            4: (333.333, [1000.0], 0.333333),
        },
        "the gradient of the bias is a sum: take the mean": {
            2: (0.457678, [-0.294333, -0.088694], -0.734951),
            3: (0.582678, [-0.194333, -0.288694], -0.734951),
            4: (333.333, [333.333], 1.0),
        },
        "the loss and the gradient of the weights are sums: take the mean": {
            2: (1.37303, [-0.882998, -0.266082], -0.244984),
            3: (1.49803, [-0.782998, -0.466082], -0.244984),
            4: (1000.0, [1000.0], 0.333333),
        },
        "the gradient of the weights is divided by the number of messages, not of features": {
            2: (0.457678, [-0.441499, -0.133041], -0.244984),
            3: (0.582678, [-0.341499, -0.333041], -0.244984),
            4: (333.333, [1000.0], 0.333333),
        },
        "the gradients are divided by the number of messages, not of features": {
            2: (0.457678, [-0.441499, -0.133041], -0.367475),
            3: (0.582678, [-0.341499, -0.333041], -0.367475),
            4: (333.333, [1000.0], 1.0),
        },
        "the gradient of the bias is divided by the number of messages, not of features": {
            2: (0.457678, [-0.294333, -0.088694], -0.367475),
            3: (0.582678, [-0.194333, -0.288694], -0.367475),
            4: (333.333, [333.333], 1.0),
        },
        "all is divided by the number of messages, not of features": {
            2: (0.686517, [-0.441499, -0.133041], -0.367475),
            3: (0.811517, [-0.341499, -0.333041], -0.367475),
            4: (1000.0, [1000.0], 1.0),
        },
        "the part of ham has the wrong sign in the loss": {
            2: (0.350862, [-0.294333, -0.088694], -0.244984),
            3: (0.475862, [-0.194333, -0.288694], -0.244984),
            4: (-333.333, [333.333], 0.333333),
            5: (-1000000.0, [2.0], 1.0),
        },
        "the gradient of the penalty is lambda times w: the lambda is missing": {
            2: (0.457678, [0.205667, -1.08869], -0.244984),
            3: (0.582678, [0.205667, -1.08869], -0.244984),
            4: (333.333, [334.333], 0.333333),
        },
        "the bias is added to the score, not subtracted": {
            2: (0.604339, [-0.372334, -0.162827], -0.340551),
            3: (0.729339, [-0.272334, -0.362827], -0.340551),
            5: (0.0, [0.0], 0.0),
        },
        "the bias is added to the score, not subtracted as in this loss": {
            2: (0.604339, [-0.294333, -0.088694], -0.244984),
            3: (0.729339, [-0.194333, -0.288694], -0.244984),
            5: (0.0, [2.0], 1.0),
        },
        "the bias is missing from the scores": {
            2: (0.525027, [-0.333333, -0.128018], -0.293599),
            3: (0.650027, [-0.233333, -0.328018], -0.293599),
            5: (0.693147, [1.0], 0.5),
        },
        "the bias is missing from the scores of the loss": {
            2: (0.525027, [-0.294333, -0.088694], -0.244984),
            3: (0.650027, [-0.194333, -0.288694], -0.244984),
            5: (0.693147, [2.0], 1.0),
        },
        "the bias is missing from the scores of the gradient": {
            2: (0.457678, [-0.333333, -0.128018], -0.293599),
            3: (0.582678, [-0.233333, -0.328018], -0.293599),
            5: (1000000.0, [1.0], 0.5),
        },
        "the sigmoid has a minus before z: 1 / (1 + exp(-z)); here p is the probability of ham": {
            2: (0.457678, [-0.372334, 0.422027], -0.0883498),
            3: (0.582678, [-0.272334, 0.222027], -0.0883498),
            4: (333.333, [-666.667], 0.0),
            5: (1000000.0, [0.0], 0.0),
        },
        "the sigmoid has a minus before z: 1 / (1 + exp(-z)); here p is that of ham, also in the loss": {
            2: (1.20768, [-0.372334, 0.422027], -0.0883498),
            3: (1.33268, [-0.272334, 0.222027], -0.0883498),
            4: (666.667, [-666.667], 0.0),
            5: (0.0, [0.0], 0.0),
        },
        "the labels are 0 and 1 here, not -1 and 1": {
            2: (0.635319, [-0.294333, -0.088694], -0.244984),
            3: (0.760319, [-0.194333, -0.288694], -0.244984),
            4: (0.462098, [333.333], 0.333333),
            5: (0.693147, [2.0], 1.0),
        },
        "the labels are 0 and 1 here, not -1 and 1, also in the gradient": {
            2: (0.635319, [-0.294333, -0.187392], -0.294333),
            3: (0.760319, [-0.194333, -0.387392], -0.294333),
            4: (0.462098, [0.0], 0.0),
            5: (0.693147, [0.0], 0.0),
        },
        "the error is p - y with labels of 0 and 1, not -1 and 1": {
            2: (0.457678, [-0.294333, 0.577973], 0.0883498),
            3: (0.582678, [-0.194333, 0.377973], 0.0883498),
            4: (333.333, [333.333], 1.0),
            5: (1000000.0, [4.0], 2.0),
        },
        "the loss of ham is missing: both classes count": {
            2: (0.40427, [-0.294333, -0.088694], -0.244984),
            3: (0.52927, [-0.194333, -0.288694], -0.244984),
            4: (0.0, [333.333], 0.333333),
            5: (0.0, [2.0], 1.0),
        },
        "the loss of ham is missing, also in the gradient: both classes count": {
            2: (0.40427, [-0.294333, -0.187392], -0.294333),
            3: (0.52927, [-0.194333, -0.387392], -0.294333),
            4: (0.0, [0.0], 0.0),
            5: (0.0, [0.0], 0.0),
        },
        "the loss has the labels exchanged: log p belongs to spam": {
            2: (1.20768, [-0.294333, -0.088694], -0.244984),
            3: (1.33268, [-0.194333, -0.288694], -0.244984),
            4: (666.667, [333.333], 0.333333),
            5: (0.0, [2.0], 1.0),
        },
        "the loss is log(1 + exp(z)) - y z: here y z is added": {
            2: (0.791012, [-0.294333, -0.088694], -0.244984),
            3: (0.916012, [-0.194333, -0.288694], -0.244984),
            4: (1000.0, [333.333], 0.333333),
        },
        "log(1 + exp(z)) goes with - y z: here it is log(1 + exp(-z))": {
            2: (0.874345, [-0.294333, -0.088694], -0.244984),
            3: (0.999345, [-0.194333, -0.288694], -0.244984),
            4: (0.0, [333.333], 0.333333),
            5: (0.0, [2.0], 1.0),
        },
        "the loss lacks (1 - y) z: log(1 + exp(-z)) is the loss of spam": {
            2: (1.04101, [-0.294333, -0.088694], -0.244984),
            3: (1.16601, [-0.194333, -0.288694], -0.244984),
            5: (0.0, [2.0], 1.0),
        },
        "the loss lacks y z: log(1 + exp(z)) is the loss of ham": {
            2: (0.624345, [-0.294333, -0.088694], -0.244984),
            3: (0.749345, [-0.194333, -0.288694], -0.244984),
            4: (666.667, [333.333], 0.333333),
        },
        "in unsigned integers (uint8) -1 is 255: turn the labels into floats first": {
            2: (-103.035, [-0.294333, -0.088694], -0.244984),
        },
        "in unsigned integers (uint8) 2 * 0 - 1 is 255, and -1 is 255: turn the labels into floats first": {
            2: (63.8034, [85.0, 0.0986981], 85.0493),
        },
        "in unsigned integers (uint8) 2 * 0 - 1 is 255, and -1 is 255: turn the labels into floats first (the gradient is right)": {
            2: (63.8034, [-0.294333, -0.088694], -0.244984),
        },
        "in unsigned integers (uint8) 2 * 0 - 1 is 255: turn the labels into floats first": {
            2: (149.154, [-0.294333, -170.187], -85.2943),
        },
        "in unsigned integers (uint8) 2 * 0 - 1 is 255: turn the labels into floats first (the gradient is right)": {
            2: (149.154, [-0.294333, -0.088694], -0.244984),
        },
        "in unsigned integers (uint8) (-y) is 255 where y is 1: turn the labels into floats first": {
            2: (43.1243, [-0.294333, -0.088694], -0.244984),
        },
        "in unsigned integers (uint8) -1 is 255 in p + (-y): take p - y": {
            2: (0.457678, [170.372, 85.2446], 170.422),
        },
        "l2 is 0 where it is not given: here it is 1": {
            2: (1.08268, [0.205667, -1.08869], -0.244984),
            4: (333.833, [334.333], 0.333333),
        },
        "l2 is 0 where it is not given: here it is 0.1": {
            2: (0.520178, [-0.244333, -0.188694], -0.244984),
            4: (333.383, [333.433], 0.333333),
        },
        "l2 is 0 where it is not given: here it is 0.01": {
            2: (0.463928, [-0.289333, -0.098694], -0.244984),
        },
        "l2 is 0 where it is not given: here it is 0.001": {
            2: (0.458303, [-0.293833, -0.089694], -0.244984),
        },
        "the penalty is missing": {
            3: (0.457678, [-0.294333, -0.088694], -0.244984),
        },
        "the penalty is missing from the gradient": {
            3: (0.582678, [-0.294333, -0.088694], -0.244984),
        },
        "the penalty is missing from the loss": {
            3: (0.457678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty lacks its 1/2 in the loss": {
            3: (0.707678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty lacks its 1/2, also in the gradient": {
            3: (0.707678, [-0.0943326, -0.488694], -0.244984),
        },
        "the penalty has 1/2 once too often, also in the gradient": {
            3: (0.520178, [-0.244333, -0.188694], -0.244984),
        },
        "the gradient of the penalty has no 1/2: it is lambda times w": {
            3: (0.582678, [-0.244333, -0.188694], -0.244984),
        },
        "the gradient of the penalty has no factor 2: it is lambda times w": {
            3: (0.582678, [-0.0943326, -0.488694], -0.244984),
        },
        "the gradient of the penalty has one number for each weight: lambda times w": {
            3: (0.582678, [-0.169333, 0.036306], -0.244984),
        },
        "the bias is not penalised: leave it out of the penalty": {
            3: (0.588928, [-0.194333, -0.288694], -0.194984),
        },
        "the bias is not penalised: leave it out of the loss's penalty": {
            3: (0.588928, [-0.194333, -0.288694], -0.244984),
        },
        "the bias is not penalised: its gradient has no lambda": {
            3: (0.582678, [-0.194333, -0.288694], -0.194984),
        },
        "the norm is squared in the penalty": {
            3: (0.569482, [-0.194333, -0.288694], -0.244984),
        },
        "the norm is squared in the penalty, and its gradient is lambda times w": {
            3: (0.569482, [-0.249611, -0.178137], -0.244984),
        },
        "the penalty takes the square of each weight, not its absolute value": {
            3: (0.607678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty takes the square of each weight, not its absolute value, and the gradient follows": {
            3: (0.757678, [-0.0943326, -0.288694], -0.244984),
        },
        "the penalty takes half the square of each weight, not its absolute value": {
            3: (0.757678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty squares each weight, then adds up; this is the square of the sum": {
            3: (0.482678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty squares each weight, then adds up; here they are not squared": {
            3: (0.407678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty squares each weight, then adds up; here they are not squared, nor in the gradient": {
            3: (0.407678, [-0.194333, 0.011306], -0.244984),
        },
        "the penalty is not divided by N": {
            3: (0.499345, [-0.260999, -0.155361], -0.244984),
        },
        "the penalty is not divided by N in the loss": {
            3: (0.499345, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty is not divided by N in the gradient": {
            3: (0.582678, [-0.260999, -0.155361], -0.244984),
        },
        "the penalty is not divided by V: it is a sum over the weights": {
            3: (0.520178, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty is added, not multiplied by N": {
            3: (0.832678, [0.0056674, -0.688694], -0.244984),
        },
        "the penalty is added, not subtracted": {
            3: (0.332678, [-0.394333, 0.111306], -0.244984),
        },
        "the penalty is added, not subtracted, in the loss": {
            3: (0.332678, [-0.194333, -0.288694], -0.244984),
        },
        "the penalty is added, not subtracted, in the gradient": {
            3: (0.582678, [-0.394333, 0.111306], -0.244984),
        },
        "a clipped probability or score: no message can cost more than 6.908; use np.logaddexp instead": {
            4: (2.30259, [333.333], 0.333333),
            5: (6.90776, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 9.21; use np.logaddexp instead": {
            4: (3.07011, [333.333], 0.333333),
            5: (9.21034, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 10; use np.logaddexp instead": {
            4: (3.33333, [333.333], 0.333333),
            5: (10.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 11.51; use np.logaddexp instead": {
            4: (3.83764, [333.333], 0.333333),
            5: (11.5129, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 13.82; use np.logaddexp instead": {
            4: (4.60517, [333.333], 0.333333),
            5: (13.8155, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 15; use np.logaddexp instead": {
            4: (5.0, [333.333], 0.333333),
            5: (15.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 15.94; use np.logaddexp instead": {
            4: (5.31413, [333.333], 0.333333),
            5: (15.9424, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 16.12; use np.logaddexp instead": {
            4: (5.3727, [333.333], 0.333333),
            5: (16.1181, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 18.42; use np.logaddexp instead": {
            4: (6.14023, [333.333], 0.333333),
            5: (18.4207, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 20; use np.logaddexp instead": {
            4: (6.66667, [333.333], 0.333333),
            5: (20.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 20.72; use np.logaddexp instead": {
            4: (6.90776, [333.333], 0.333333),
            5: (20.7233, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 23.03; use np.logaddexp instead": {
            4: (7.67528, [333.333], 0.333333),
            5: (23.0259, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 25; use np.logaddexp instead": {
            4: (8.33333, [333.333], 0.333333),
            5: (25.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 25.33; use np.logaddexp instead": {
            4: (8.44281, [333.333], 0.333333),
            5: (25.3284, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 27.63; use np.logaddexp instead": {
            4: (9.21034, [333.333], 0.333333),
            5: (27.631, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 29.93; use np.logaddexp instead": {
            4: (9.97787, [333.333], 0.333333),
            5: (29.9336, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 30; use np.logaddexp instead": {
            4: (10.0, [333.333], 0.333333),
            5: (30.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 32.24; use np.logaddexp instead": {
            4: (10.7454, [333.333], 0.333333),
            5: (32.2362, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 34.54; use np.logaddexp instead": {
            4: (11.5129, [333.333], 0.333333),
            5: (34.5388, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 35; use np.logaddexp instead": {
            4: (11.6667, [333.333], 0.333333),
            5: (35.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 36.04; use np.logaddexp instead": {
            4: (12.0146, [333.333], 0.333333),
            5: (36.0437, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 36.84; use np.logaddexp instead": {
            4: (12.2805, [333.333], 0.333333),
            5: (36.8414, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 40; use np.logaddexp instead": {
            4: (13.3333, [333.333], 0.333333),
            5: (40.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 50; use np.logaddexp instead": {
            4: (16.6667, [333.333], 0.333333),
            5: (50.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 60; use np.logaddexp instead": {
            4: (20.0, [333.333], 0.333333),
            5: (60.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 80; use np.logaddexp instead": {
            4: (26.6667, [333.333], 0.333333),
            5: (80.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 100; use np.logaddexp instead": {
            4: (33.3333, [333.333], 0.333333),
            5: (100.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 200; use np.logaddexp instead": {
            4: (66.6667, [333.333], 0.333333),
            5: (200.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 250; use np.logaddexp instead": {
            4: (83.3333, [333.333], 0.333333),
            5: (250.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 300; use np.logaddexp instead": {
            4: (100.0, [333.333], 0.333333),
            5: (300.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 500; use np.logaddexp instead": {
            4: (166.667, [333.333], 0.333333),
            5: (500.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 600; use np.logaddexp instead": {
            4: (200.0, [333.333], 0.333333),
            5: (600.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 700; use np.logaddexp instead": {
            4: (233.333, [333.333], 0.333333),
            5: (700.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 708.4; use np.logaddexp instead": {
            4: (236.132, [333.333], 0.333333),
            5: (708.396, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 709; use np.logaddexp instead": {
            4: (236.333, [333.333], 0.333333),
            5: (709.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 1000; use np.logaddexp instead": {
            5: (1000.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 10000; use np.logaddexp instead": {
            5: (10000.0, [2.0], 1.0),
        },
        "a clipped probability or score: no message can cost more than 100000; use np.logaddexp instead": {
            5: (100000.0, [2.0], 1.0),
        },
    })
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


score
