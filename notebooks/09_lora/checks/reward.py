from helpers.checks import graded


@graded("reward", points=4)
def score(check):
    import torch

    turned = "chosen and rejected are exchanged"
    ratio = "this is the ratio of the rewards: they may be negative, only their difference counts"
    alone = "the rejected reward is missing: only differences count"
    summed = "this is the sum over the pairs; the mean is asked"
    no_log = "the logarithm is missing"
    mean_first = "this is the loss of the mean difference: take the loss of each pair first"
    hinge = "this is a hinge loss: -log of the sigmoid is asked"
    infinite = "for large differences the logarithm of the sigmoid runs over: F.logsigmoid does not"
    chosen, rejected = torch.tensor([2.0, -1.0, 0.5]), torch.tensor([1.0, 1.0, -2.5])
    check(preference, chosen, rejected).equals([0.7310586, 0.1192029, 0.9525741], rtol=1e-4, near={
            turned: [0.2689414, 0.880797, 0.04742587],
            ratio: [0.6666667, float("-inf"), -0.25],
            alone: [0.880797, 0.2689414, 0.6224594],
            "these are the differences: their sigmoid is asked": [1.0, -2.0, 3.0],
            "each sigmoid by itself: take the sigmoid of the difference": [0.1497385, -0.4621171, 0.5466012],
        })
    check(reward_loss, chosen, rejected).equals(0.8295926, rtol=1e-4, near={
            turned: 1.496259,
            alone: 0.6380891,
            summed: 2.488777,
            no_log: -0.6009452,
            mean_first: 0.4143701,
            hinge: 1.0,
        })


score
