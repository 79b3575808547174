from helpers.checks import graded


@graded("reinforce", points=6)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the leash pulls the wrong way: beta times (the policy's less the reference's) is subtracted": {
            1: [1.3, -1.1, 2.15],
        },
        "the reference is missing in the leash": {
            1: [1.6, 0.4, 2.45],
        },
        "beta is missing": {
            1: [0.0, 1.5, 1.5],
        },
        "one mean for the batch: each text has its own log-ratio": {
            1: [1.05, -0.45, 2.05],
        },
        "this is the leash alone: the rewards are missing": {
            1: [-0.3, 0.6, -0.15],
        },
        "the reward is multiplied by beta": {
            1: [0.0, 0.45, 0.45],
        },
        "the ratio of the probabilities is taken; its logarithm is asked for": {
            1: [0.184515, -0.540601, 1.50538],
        },
        "the leash is the absolute value of the log-ratio": {
            1: [0.7, -1.1, 1.85],
        },
        "the log-ratio may be negative, too: here it is cut at 0": {
            1: [0.7, -0.5, 1.85],
        },
        "the log-ratio is weighted by the probability: the texts are drawn by it already": {
            1: [0.959399, -0.470128, 1.96653],
        },
        "the ratio of the probabilities, less 1, is taken; the log-ratio is asked for": {
            1: [0.484515, -0.240601, 1.80538],
        },
        "this is GRPO's estimate, exp(d) - d - 1: here the leash is the log-ratio": {
            1: [0.889636, -1.81672, 1.96804],
        },
        "one sum for the batch: each text has its own log-ratio": {
            1: [1.15, -0.35, 2.15],
        },
        "beta multiplies the log-ratio; it does not divide it": {
            1: [-2.33333, 6.16667, 0.333333],
        },
        "the log-probabilities are divided: they are subtracted": {
            1: [0.8, -1.4, 1.775],
        },
        "the policy is missing in the leash": {
            1: [0.1, -0.8, 1.4],
        },
        "the policy is missing in the leash, and the sign is wrong": {
            1: [1.9, -0.2, 2.6],
        },
        "beta belongs before the log-ratio, not before the reward": {
            1: [-0.7, 1.85, 0.1],
        },
        "the log-ratio is multiplied by the reward: it is subtracted from it": {
            1: [0.3, 0.3, 0.3],
        },
        "the log-ratio is weighted by the reference's probability: the texts are drawn already": {
            1: [0.985064, -0.279272, 1.9797],
        },
        "the mean of the rewards is subtracted here: that is the baseline, in the loss": {
            1: [-0.133333, -0.733333, 1.01667],
        },
        "the reference's share of beta is missing: beta belongs before both": {
            1: [-1.4, -0.6, 0.45],
        },
        "the rewards are multiplied by 1 - beta": {
            1: [0.4, 0.25, 1.25],
        },
        "the leash is the square of the log-ratio": {
            1: [0.7, -1.7, 1.925],
        },
        "the baseline is missing: subtract the mean return of the batch": {
            3: 1.49167,
            4: [0.666667, 0.5, -0.5],
        },
        "the sign is wrong: a loss falls when what was good gets likelier": {
            3: 0.422222,
            4: [-0.444444, -0.277778, 0.722222],
        },
        "this is the sum; the mean over the batch is asked for": {
            3: -1.26667,
            4: [1.33333, 0.833333, -2.16667],
        },
        "the advantages are divided by their spread: only the mean is subtracted here": {
            3: -0.474787,
            4: [0.234787, 0.146742, -0.381529],
        },
        "the advantages are divided by their spread (of the population): only the mean is subtracted here": {
            3: -0.581493,
            4: [0.287554, 0.179721, -0.467275],
        },
        "the mean is of the others alone, or divides by B - 1: the mean of the whole batch is asked for": {
            3: -0.633333,
            4: [0.666667, 0.416667, -1.08333],
        },
        "the probabilities are multiplied, not their logarithms": {
            3: -0.050627,
            4: [0.060149, 0.0138297, -0.16115],
        },
        "the baseline is the median, the mean is asked for": {
            3: -0.0249999,
            4: [0.166667, 0.0, -1.0],
        },
        "the mean return is added: it is subtracted": {
            3: 3.40556,
            4: [0.888889, 0.722222, -0.277778],
        },
        "the baseline is the largest return, the mean is asked for": {
            3: -2.51667,
            4: [1.16667, 1.0, 0.0],
        },
        "the baseline is the least return, the mean is asked for": {
            3: 1.275,
            4: [0.0, -0.166667, -1.16667],
        },
        "the baseline is half the mean: the whole is asked for": {
            3: 0.534722,
            4: [0.555556, 0.388889, -0.611111],
        },
        "the baseline is the sum of the returns: their mean is asked for": {
            3: -4.25,
            4: [0.0, -0.166667, -1.16667],
        },
        "the baseline is the mean of the log-probabilities: that of the returns is asked for": {
            3: 6.18611,
            4: [-0.777778, -0.944445, -1.94444],
        },
        "what was judged badly counts, too: here it is cut at 0": {
            3: 0.483333,
            4: [0.0, 0.0, -0.722222],
        },
        "the sign of the advantage alone counts here: its size does, too": {
            3: -1.16667,
            4: [0.333333, 0.333333, -0.333333],
        },
        "the absolute value of the advantage is taken: its sign counts": {
            3: 1.38889,
            4: [-0.444444, -0.277778, -0.722222],
        },
        "the square of the advantage is taken: the advantage itself is asked for": {
            3: 1.10324,
            4: [-0.592593, -0.231481, -1.56481],
        },
        "the baseline is missing in the product: it is subtracted from each return, not at the end": {
            3: 2.375,
            4: [0.666667, 0.5, -0.5],
        },
        "the baseline is missing in the product: each return has it, not the mean at the end": {
            3: 0.608333,
            4: [0.666667, 0.5, -0.5],
        },
        "two means were multiplied: the mean of the products is asked for": {
            3: 1.91389,
            4: [0.222222, 0.222222, 0.222222],
        },
        "the mean of the advantages is 0 by itself: each meets its own log-probability first": {
            3: -8.60956e-08,
            4: [-2.6491e-08, -2.6491e-08, -2.6491e-08],
        },
        "one number for each text came back: their mean is asked for": {
            3: [-0.366667, -2.35, 1.45],
        },
        "the gradient flows through the returns, too: detach them": {
            4: [0.388889, 0.416667, -0.5],
        },
        "the returns are to be detached, too, not their mean alone": {
            4: [1.11111, 0.777778, -1.22222],
        },
    })
    t = torch.tensor
    rewards, logps, ref = t([1.0, -0.5, 2.0]), t([-2.0, -3.0, -1.5]), t([-3.0, -1.0, -2.0])
    check(leashed, rewards, logps, ref, 0.3).equals([0.7, 0.1, 1.85])
    check(carries_gradient, leashed, rewards, logps, ref, 0.3).equals(
        False, about="R without a gradient",
        near={"R has a gradient: detach it, the rewards and both log-probabilities": True})
    check(reinforce_loss, logps, t([0.7, 0.1, 1.85])).equals(-0.4222222, rtol=1e-4)
    check(slope_of_loss, logps, t([1.0, 0.5, -1.0])).equals(
        [4 / 9, 5 / 18, -13 / 18], rtol=1e-4, about="returns that depend on logps")


score
