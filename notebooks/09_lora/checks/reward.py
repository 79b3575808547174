from helpers.checks import graded


@graded("reward", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "chosen and rejected are exchanged": {
            1: [0.268941, 0.880797, 0.0474259],
            2: 1.49626,
            3: 0.0,
        },
        "this is the ratio of the rewards: they may be negative, only their difference counts": {
            1: [0.666667, float("-inf"), -0.25],
        },
        "the rejected reward is missing: only differences count": {
            1: [0.880797, 0.268941, 0.622459],
            2: 0.638089,
        },
        "these are the differences: their sigmoid is asked for": {
            1: [1.0, -2.0, 3.0],
        },
        "each sigmoid by itself: take the sigmoid of the difference": {
            1: [0.149738, -0.462117, 0.546601],
        },
        "the share of the sigmoids is taken: the sigmoid of the difference is asked for": {
            1: [0.546449, 0.268941, 0.89137],
        },
        "the softmax is over the pairs: each pair has a probability of its own": {
            1: [0.1185, 0.00589975, 0.875601],
        },
        "the softmax of the chosen is over the pairs: each has a probability of its own": {
            1: [0.785597, 0.0391126, 0.17529],
        },
        "the rewards are divided: their difference counts": {
            1: [0.880797, 0.268941, 0.450166],
        },
        "each sigmoid by itself, multiplied: take the sigmoid of the difference": {
            1: [0.236883, 0.0723295, 0.575241],
        },
        "the absolute value of the difference is taken: its sign counts": {
            1: [0.731059, 0.880797, 0.952574],
        },
        "this is half the difference, or twice: it counts as it is": {
            1: [0.622459, 0.268941, 0.817574],
        },
        "the exponential of the difference is not a probability: 1 / (1 + exp(-d)) is": {
            1: [2.71828, 0.135335, 20.0855],
        },
        "these are logarithms of probabilities": {
            1: [-0.313262, -2.12693, -0.0485873],
        },
        "this is the mean: one probability for each pair is asked for": {
            1: 0.600945,
        },
        "this is 0 or 1, which reward is larger: the probability is asked for": {
            1: [1.0, 0.0, 1.0],
        },
        "this is tanh; the sigmoid is asked for": {
            1: [0.761594, -0.964028, 0.995055],
        },
        "the rewards are added; their difference counts": {
            1: [0.952574, 0.5, 0.119203],
        },
        "this is the sum over the pairs; the mean is asked for": {
            2: 2.48878,
        },
        "the logarithm is missing": {
            2: -0.600945,
            3: 0.0,
        },
        "this is the loss of the mean difference: take the loss of each pair first": {
            2: 0.41437,
        },
        "this is a hinge loss: -log of the sigmoid is asked for": {
            2: 1.0,
            3: 201.0,
        },
        "the sign is wrong: the loss is minus the logarithm": {
            2: -0.829592,
            3: -200.0,
        },
        "one loss for each pair came back: their mean is asked for": {
            2: [0.313262, 2.12693, 0.0485874],
            3: [200.0],
        },
        "this is the probability of the rejected one, not minus the logarithm": {
            2: 0.399055,
            3: 1.0,
        },
        "this is a squared error: the logarithm of the probability is asked for": {
            2: 0.283461,
            3: 1.0,
        },
        "chosen and rejected are judged one by one: the sigmoid of their difference is asked for": {
            2: 1.53989,
            3: 200.693,
        },
        "each logarithm of a sigmoid by itself: take that of the difference": {
            2: -0.430382,
            3: 199.307,
        },
        "this is the logarithm of the mean probability: take the mean of the logarithms": {
            2: 0.509251,
            3: float("inf"),
        },
        "the loss of both sides was added: only the chosen one's wins": {
            2: 2.32585,
        },
        "the logarithm is multiplied by the probability: that is an entropy": {
            2: 0.176277,
            3: 0.0,
        },
        "the sigmoid is taken twice: logsigmoid holds one": {
            2: 0.451516,
            3: 0.693147,
        },
        "this is the square of the difference from 1": {
            2: 4.33333,
            3: 40401.0,
        },
        "the loss is divided by two": {
            2: 0.414796,
            3: 100.0,
        },
        "this is minus the difference itself": {
            2: -0.666667,
        },
        "the logarithm is of base 2: natural logarithms are asked for": {
            2: 1.19685,
            3: 288.539,
        },
        "for large differences the logarithm of the sigmoid runs over: F.logsigmoid does not": {
            3: float("inf"),
        },
        "a small number inside the logarithm (1e-06?) bends large losses: F.logsigmoid needs none": {
            3: 13.8155,
        },
        "a small number inside the logarithm (1e-08?) bends large losses: F.logsigmoid needs none": {
            3: 18.4207,
        },
        "a small number inside the logarithm (1e-09?) bends large losses: F.logsigmoid needs none": {
            3: 20.7233,
        },
        "a small number inside the logarithm (1e-10?) bends large losses: F.logsigmoid needs none": {
            3: 23.0259,
        },
        "a small number inside the logarithm (1e-12?) bends large losses: F.logsigmoid needs none": {
            3: 27.631,
        },
        "the probability is cut off (1e-05?) before its logarithm: F.logsigmoid needs no bound": {
            3: 11.5129,
        },
        "the probability is cut off (1e-06?) before its logarithm: F.logsigmoid needs no bound": {
            3: 13.8155,
        },
        "the probability is cut off (1e-07?) before its logarithm: F.logsigmoid needs no bound": {
            3: 16.1181,
        },
        "the probability is cut off (1e-08?) before its logarithm: F.logsigmoid needs no bound": {
            3: 18.4207,
        },
        "the probability is cut off (1e-10?) before its logarithm: F.logsigmoid needs no bound": {
            3: 23.0259,
        },
        "the probability is cut off (1e-12?) before its logarithm: F.logsigmoid needs no bound": {
            3: 27.631,
        },
    })
    chosen, rejected = torch.tensor([2.0, -1.0, 0.5]), torch.tensor([1.0, 1.0, -2.5])
    check(preference, chosen, rejected).equals([0.7310586, 0.1192029, 0.9525741], rtol=1e-4)
    check(reward_loss, chosen, rejected).equals(0.8295926, rtol=1e-4)
    check(reward_loss, torch.tensor([-200.0]), torch.tensor([0.0])).equals(200.0, about="a large difference", rtol=1e-4)
    above, zero = torch.tensor([1.0986123]), torch.tensor([0.0])
    flows = "the gradient of both rewards must flow: is something detached, or a plain number?"
    check(slopes, preference, above, zero).equals(
        [[0.1875], [-0.1875]], about="gradients", rtol=1e-4, near={flows: RuntimeError})
    check(slopes, reward_loss, above, zero).equals([[-0.25], [0.25]], about="gradients", rtol=1e-4, near={
        flows: RuntimeError, flows + " (a float has none)": AttributeError})


score
