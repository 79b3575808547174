from helpers.checks import graded


@graded("reinforce", points=5)
def score(check):
    import torch

    added = "the leash pulls the wrong way: beta times (the policy's less the reference's) is subtracted"
    no_ref = "the reference is missing in the leash"
    no_beta = "beta is missing"
    averaged = "one mean for the batch: each text has its own log-ratio"
    no_baseline = "the baseline is missing: subtract the mean return of the batch"
    minus = "the sign is turned round: a loss falls when what was good gets likelier"
    summed = "this is the sum; the mean over the batch is asked"
    scaled = "the advantages are divided by their spread: only the mean is subtracted here"
    others = "the mean is of the others alone, or divides by B - 1: the mean of the whole batch is asked"
    positive = "what was judged badly counts, too: here it is cut at 0"
    through = "the gradient flows through the returns, too: detach them"
    t = torch.tensor
    absolute = "the leash is the absolute value of the log-ratio"
    clipped = "the log-ratio may be negative, too: here it is cut at 0"
    rewards, logps, ref = t([1.0, -0.5, 2.0]), t([-2.0, -3.0, -1.5]), t([-3.0, -1.0, -2.0])
    check(leashed, rewards, logps, ref, 0.3).equals([0.7, 0.1, 1.85], near={
            added: [1.3, -1.1, 2.15],
            no_ref: [1.6, 0.4, 2.45],
            no_beta: [0.0, 1.5, 1.5],
            averaged: [1.05, -0.45, 2.05],
            absolute: [0.7, -1.1, 1.85],
            clipped: [0.7, -0.5, 1.85],
        })
    check(carries_gradient, leashed, rewards, logps, ref, 0.3).equals(False, about="R without a gradient", near={
            "R has a gradient: detach it, the rewards and both log-probabilities": True,
        })
    check(reinforce_loss, logps, t([0.7, 0.1, 1.85])).equals(-0.4222222, rtol=1e-4, near={
            no_baseline: 1.491667,
            minus: 0.4222222,
            summed: -1.266667,
            scaled: -0.4747868,
            others: -0.6333333,
            positive: 0.4833333,
        })
    mean_alone = "the returns are to be detached, too, not their mean alone"
    check(slope_of_loss, logps, t([1.0, 0.5, -1.0])).equals(
        [4 / 9, 5 / 18, -13 / 18], rtol=1e-4, about="returns that depend on logps", near={
            through: [0.3888889, 0.4166667, -0.5],
            mean_alone: [1.111111, 0.7777778, -1.222222],
            no_baseline: [0.6666667, 0.5, -0.5],
            minus: [-0.4444444, -0.2777778, 0.7222222],
            summed: [1.333333, 0.8333333, -2.166667],
            scaled: [0.2348051, 0.1467532, -0.3815583],
            others: [0.6666667, 0.4166667, -1.083333],
            positive: [0.0, 0.0, -0.7222222],
        })


score
