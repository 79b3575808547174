from helpers.checks import graded


@graded("grpo", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the advantages are not divided by the spread of their group": {
            1: [[0.5, -0.5, -0.5, 0.5], [1.25, -0.25, -1.75, 0.75]],
            2: [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
        },
        "this divides by the variance: the spread is its root": {
            1: [[1.49955, -1.49955, -1.49955, 1.49955], [0.714245, -0.142849, -0.999943, 0.428547]],
        },
        "the spread divides by G - 1 here, as torch.std does": {
            1: [[0.9998, -0.9998, -0.9998, 0.9998], [1.09099, -0.218199, -1.52739, 0.654597]],
            2: [[0.0, 0.0, 0.0], [-1.22459, 1.22459, 0.0]],
        },
        "mean and spread are of the whole batch: each row is a group of its own": {
            1: [[0.392911, -0.654852, -0.654852, 0.392911], [1.44068, -0.13097, -1.70262, 0.916793]],
            2: [[0.790507, 0.790507, 0.790507], [-1.58101, 0.0, -0.790507]],
        },
        "the mean is of the whole batch: each row is a group of its own": {
            1: [[0.649407, -1.08234, -1.08234, 0.649407], [1.03932, -0.094484, -1.22829, 0.661388]],
            2: [[10000.0, 10000.0, 10000.0], [-1.9998, 0.0, -0.9999]],
        },
        "the mean of the group is not subtracted": {
            1: [[1.73175, 0.0, 0.0, 1.73175], [1.51174, 0.377936, -0.755872, 1.13381]],
            2: [[30000.0, 30000.0, 30000.0], [0.0, 1.9998, 0.9999]],
        },
        "the spread is of the whole batch: each group has its own": {
            1: [[0.523882, -0.523882, -0.523882, 0.523882], [1.3097, -0.261941, -1.83359, 0.785823]],
            2: [[0.0, 0.0, 0.0], [-0.790507, 0.790507, 0.0]],
        },
        "the groups are the rows, not the columns": {
            1: [[-0.707007, -0.706907, 0.707007, -0.706907], [0.707007, 0.706907, -0.707007, 0.706907]],
            2: [[0.707074, 0.707007, 0.707057], [-0.707074, -0.707007, -0.707057]],
        },
        "the mean of a column is subtracted: the group is the row": {
            1: [[-0.865875, -0.432938, 0.865875, -0.432938], [0.377936, 0.188968, -0.377936, 0.188968]],
            2: [[15000.0, 5000.0, 10000.0], [-1.49985, -0.49995, -0.9999]],
        },
        "the best of the group is subtracted: its mean is asked for": {
            1: [[0.0, -1.73175, -1.73175, 0.0], [0.0, -1.13381, -2.26762, -0.377936]],
            2: [[0.0, 0.0, 0.0], [-1.9998, 0.0, -0.9999]],
        },
        "1e-4 is added, not 1e-3": {
            1: [[0.864528, -0.864528, -0.864528, 0.864528], [0.944197, -0.188839, -1.32188, 0.566518]],
            2: [[0.0, 0.0, 0.0], [-0.999001, 0.999001, 0.0]],
        },
        "the mean is of the others alone: the mean of the whole group is asked for": {
            1: [[1.1545, -1.1545, -1.1545, 1.1545], [1.25979, -0.251957, -1.7637, 0.755872]],
            2: [[0.0, 0.0, 0.0], [-1.49985, 1.49985, 0.0]],
        },
        "the median of the group is subtracted: its mean is asked for": {
            1: [[1.73175, 0.0, 0.0, 1.73175], [1.13381, 0.0, -1.13381, 0.755872]],
        },
        "the least of the group is subtracted: its mean is asked for": {
            1: [[1.73175, 0.0, 0.0, 1.73175], [2.26762, 1.13381, 0.0, 1.88968]],
            2: [[0.0, 0.0, 0.0], [0.0, 1.9998, 0.9999]],
        },
        "this divides by the range of the group: the standard deviation is asked for": {
            1: [[0.49995, -0.49995, -0.49995, 0.49995], [0.416653, -0.0833306, -0.583314, 0.249992]],
            2: [[0.0, 0.0, 0.0], [-0.499975, 0.499975, 0.0]],
        },
        "this divides by the mean distance from the mean: the standard deviation is asked for": {
            1: [[0.9998, -0.9998, -0.9998, 0.9998], [1.24987, -0.249975, -1.74983, 0.749925]],
            2: [[0.0, 0.0, 0.0], [-1.49977, 1.49977, 0.0]],
        },
        "this divides by the mean of the group: its standard deviation is asked for": {
            1: [[0.9998, -0.9998, -0.9998, 0.9998], [1.66644, -0.333289, -2.33302, 0.999867]],
        },
        "this is a softmax: the mean is subtracted, and the spread divides": {
            1: [[0.365529, 0.134471, 0.134471, 0.365529], [0.532071, 0.118721, 0.0264903, 0.322717]],
            2: [[0.333333, 0.333333, 0.333333], [0.0900306, 0.665241, 0.244728]],
        },
        "only the mean is divided by the spread: a bracket is missing": {
            1: [[0.134125, -0.865875, -0.865875, 0.134125], [1.4331, -0.0669039, -1.5669, 0.933096]],
            2: [[-29997.0, -29997.0, -29997.0], [-0.9999, 1.0001, 0.000100017]],
        },
        "the advantages have the wrong sign": {
            1: [[-0.865875, 0.865875, 0.865875, -0.865875], [-0.94484, 0.188968, 1.32278, -0.566904]],
            2: [[0.0, 0.0, 0.0], [0.9999, -0.9999, 0.0]],
        },
        "one row came back: the shape of the rewards is kept": {
            1: [0.865875, -0.865875, -0.865875, 0.865875, 0.94484, -0.188968, -1.32278, 0.566904],
            2: [0.0, 0.0, 0.0, -0.9999, 0.9999, 0.0],
        },
        "1e-4 is added to the spread of every group: here nothing, or less, is added to this one": {
            2: [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
        },
        "a group whose rewards are all equal divides 0 by 0: 1e-4 is added to the spread": {
            2: [[float("nan"), float("nan"), float("nan")], [-1.0, 1.0, 0.0]],
        },
        "1e-4 is added to the spread, not under the root": {
            2: [[0.0, 0.0, 0.0], [-0.99995, 0.99995, 0.0]],
        },
        "1e-4 is added to the spread of every group: here nothing, or less, is added to this one (1e-05?)": {
            2: [[0.0, 0.0, 0.0], [-0.99999, 0.99999, 0.0]],
        },
        "1e-4 is added to the spread of every group: here nothing, or less, is added to this one (1e-06?)": {
            2: [[0.0, 0.0, 0.0], [-0.999999, 0.999999, 0.0]],
        },
        "1e-4 is added to the spread of every group: here nothing, or less, is added to this one (1e-08?)": {
            2: [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
        },
        "1e-4 is added after the division: it is added to the spread": {
            2: [[float("nan"), float("nan"), float("nan")], [-0.9999, 1.0001, 0.0001]],
        },
        "the sign is missing: a loss falls when what was good gets likelier": {
            3: 0.175,
            4: 1.3,
            5: -1.64872,
            6: 0.606531,
            7: -0.419101,
            8: 0.745414,
        },
        "this is the sum; the mean over the answers is asked for": {
            3: -0.35,
            7: 0.838202,
            8: -1.49083,
        },
        "one mean over all tokens: first the mean of each answer, then that of the answers": {
            3: -0.5,
            7: 0.587199,
        },
        "the tokens of an answer are summed up: their mean is asked for": {
            3: -0.75,
            7: 1.468,
        },
        "this divides by the length of a row: only what was written counts": {
            3: -0.25,
            7: 0.489333,
            8: -0.248471,
        },
        "the sum of all is not divided at all": {
            3: -1.5,
            7: 2.936,
            8: -1.49083,
        },
        "tokens that the policy did not write are counted: `written` leaves them out": {
            3: -0.0680292,
            7: 4.53918,
            8: float("inf"),
        },
        "the tokens that do not count were counted, and the others not": {
            3: -0.0270439,
            8: float("inf"),
        },
        "this is one ratio for the answer as a whole (GSPO): each token has its own": {
            3: -0.2,
            7: 0.454167,
        },
        "this is one mean for each answer before the ratio: each token has its own ratio": {
            3: -0.2,
            7: 0.295118,
        },
        "the ratio is not clipped": {
            3: -0.4,
            4: -1.64872,
            7: 0.361009,
        },
        "the smaller ratio was taken before it meets A: the smaller of the two products is asked for": {
            3: -0.325,
            5: 1.2,
            7: 0.319133,
        },
        "the larger of the two products was taken: the smaller is asked for": {
            3: -0.4,
            4: -1.64872,
            5: 1.2,
            6: -0.8,
            7: 0.275258,
        },
        "the ratio is upside down: new over old": {
            3: 0.606061,
            4: -0.606531,
            5: 0.8,
            6: -1.2,
            7: 0.334652,
        },
        "this is the logarithm of the ratio: take exp": {
            3: 0.274806,
            4: -0.5,
            5: 0.8,
            6: 0.5,
            7: 0.437516,
            8: 0.00458614,
        },
        "the ratio is exp of the difference of logarithms: 1 plus the difference is near it only where it is small": {
            3: -0.173828,
            5: 1.5,
            6: -0.5,
            7: 0.395849,
        },
        "the ratio is to the policy that wrote the answers, not to the reference": {
            3: 0.0,
            7: 0.294433,
            8: -0.800097,
        },
        "this is REINFORCE: the ratio to the policy that wrote the answers is missing": {
            3: -0.35,
            4: 1.5,
            5: -1.5,
            6: 2.5,
            7: -0.45,
            8: 1.05,
        },
        "the log-probabilities are divided: the ratio is exp of their difference": {
            3: 0.313493,
            4: -0.75,
            5: 0.8,
            6: -1.2,
            7: 0.26826,
        },
        "only the upper side is clipped: both are": {
            3: -0.325,
            7: 0.397487,
        },
        "only the lower side is clipped: both are": {
            3: -0.25,
            4: -1.64872,
            7: 0.382623,
        },
        "the ratio is clipped around 1, not around 0": {
            3: 0.15,
            4: -0.3,
            6: -0.2,
            7: 0.59009,
            8: -0.145414,
        },
        "the ratio is clipped, not its logarithm": {
            3: -0.170985,
            4: -1.34986,
            7: 0.419547,
        },
        "the upper bound of the clip is 1 + clip, not 1 / (1 - clip)": {
            3: -0.1875,
            4: -1.42857,
            7: 0.412851,
        },
        "the upper bound of the clip is 1 + clip: here it is 1": {
            3: -0.1,
            4: -1.0,
            7: 0.444101,
        },
        "the lower bound of the clip is 1 - clip: here it is 1": {
            3: -0.075,
            7: 0.452434,
        },
        "the lower bound of the clip is 1 - clip, not 1 / (1 + clip)": {
            3: -0.158333,
            7: 0.424656,
        },
        "the clipped ratio is not multiplied by A": {
            3: -0.325,
            7: 0.361009,
        },
        "the product is clipped: the ratio is, before it meets A": {
            3: -0.325,
            7: 0.361009,
        },
        "1 is subtracted from the ratio: it is exp of the difference": {
            3: 0.25,
            4: -0.648721,
            5: 0.8,
            6: 0.393469,
            7: 0.420935,
            8: 0.00458614,
        },
        "beta multiplies the gain, too: it belongs before the leash only": {
            3: 0.0,
            4: 0.0,
            5: 0.0,
            6: 0.0,
            7: 0.234558,
            8: -0.0704139,
        },
        "the clip is 0.2 whatever is asked for: `clip` is an argument": {
            4: -1.2,
        },
        "the clipped ratio is always taken: it is the smaller of the two products": {
            5: 1.2,
            6: -0.8,
            7: 0.333349,
        },
        "the ratio is not multiplied by A": {
            5: 1.2,
            7: 0.333349,
        },
        "the leash is missing: beta times the estimate of KL": {
            7: 0.369085,
            8: -0.75,
        },
        "the leash pulls the wrong way: the estimate of KL must make the loss larger, here it makes it smaller": {
            7: 0.319069,
            8: -0.754586,
        },
        "this is the log-ratio alone: the estimate is exp(d) - d - 1 with d = ref - new": {
            7: 0.319085,
            8: -0.74,
        },
        "d has the wrong sign: it is the reference's log-probability less the policy's": {
            7: 0.415054,
            8: -0.744472,
        },
        "the 1 in exp(d) - d - 1 is missing": {
            7: 0.919101,
            8: -0.645414,
        },
        "d is of the policy that wrote the answers: it is the reference's less the policy's now": {
            7: 0.487181,
        },
        "d is to the policy that wrote the answers: it is to the reference": {
            7: 0.402198,
            8: -0.75,
        },
        "the leash is the absolute value of d: the estimate is exp(d) - d - 1": {
            7: 0.577418,
            8: -0.72,
        },
        "the leash is the square of d: the estimate is exp(d) - d - 1": {
            7: 0.463252,
            8: -0.74,
        },
        "the leash is half the square of d: the estimate is exp(d) - d - 1": {
            7: 0.416168,
            8: -0.745,
        },
        "the 1 is added: the estimate is exp(d) - d - 1": {
            7: 1.4191,
            8: -0.545414,
        },
        "d is added: the estimate is exp(d) - d - 1": {
            7: 0.519101,
            8: -0.765414,
        },
        "d is missing: the estimate is exp(d) - d - 1": {
            7: 0.469101,
            8: -0.755414,
        },
        "the leash is exp(d) alone: the estimate is exp(d) - d - 1": {
            7: 0.969101,
            8: -0.655414,
        },
        "the leash is weighted by the probability: the answers are drawn by it already": {
            7: 0.348036,
            8: -0.74375,
        },
        "this leash is -log-ratio: the sign of d: the estimate is exp(d) - d - 1": {
            8: -0.76,
        },
    })
    t = torch.tensor
    rewards = t([[1.0, 0.0, 0.0, 1.0], [2.0, 0.5, -1.0, 1.5]])
    check(group_advantages, rewards).equals(
        [[0.8658754, -0.8658754, -0.8658754, 0.8658754], [0.9448398, -0.188968, -1.322776, 0.5669039]], rtol=1e-3,
        about="two groups of four")
    check(group_advantages, t([[3.0, 3.0, 3.0], [0.0, 2.0, 1.0]])).equals(
        [[0.0, 0.0, 0.0], [-0.9999, 0.9999, 0.0]], about="a group of equals", rtol=1e-5)
    # By hand: ratios 1.5 and 1.1 of the good answer, 0.5 of the bad one, behind a prompt of one token.
    new = t([[-0.5, -1.0, -2.0], [-0.5, -2.2, -3.0]])
    old = t([[-0.9, -1.4054651, -2.0953102], [-0.9, -1.5068528, -2.0]])
    written = t([[False, True, True], [False, True, False]])
    check(grpo_loss, new, old, new, t([1.0, -1.0]), written, 0.2, 0.0).equals(-0.175, rtol=1e-4, about="no leash")
    one = t([[True]])
    for log_ratio, advantage, clip, value, about in [
        (0.5, 1.0, 0.3, -1.3, "one token: a good one, likelier by more than the clip"),
        (0.5, -1.0, 0.2, 1.6487213, "one token: a bad one, likelier"),
        (-0.5, 1.0, 0.2, -0.6065307, "one token: a good one, less likely"),
    ]:
        check(grpo_loss, t([[log_ratio - 2]]), t([[-2.0]]), t([[-2.0]]), t([advantage]), one, clip, 0.0).equals(
            value, rtol=1e-4, about=about)
    logps, old = t([[-2.0, -3.0, -0.7], [-1.5, -2.5, -9.0]]), t([[-2.5, -2.6, -0.9], [-1.9, -2.2, -9.0]])
    ref, advantages = t([[-2.2, -2.5, -0.4], [-1.0, -3.0, -5.0]]), t([-1.0, 0.5])
    written = t([[True, True, True], [True, True, False]])
    check(grpo_loss, logps, old, ref, advantages, written, 0.2, 0.5).equals(
        0.4191008, rtol=1e-4, about="with a leash")
    far = t([[-0.5, -1.0, -1000.0], [0.0, -2.2, -1000.0]])
    written = t([[False, True, False], [False, True, False]])
    near = t([[-0.5, -1.4, 0.0], [0.0, -2.0, 0.0]])
    check(grpo_loss, far, far, near, t([1.0, 0.5]), written, 0.2, 0.1).equals(
        -0.7454139, rtol=1e-4, about="what was not written is far away",
        near={"what was not written made the value infinite or nan: leave it out before exp()": float("nan")})
    zero = t([[0.0]])
    check(slopes, grpo_loss, zero, zero, t([[0.6931472]]), t([1.0]), one, 0.2, 0.3, fixed=(1, 2, 3, 4)).equals(
        [[[-1.3]]], rtol=1e-4, about="gradients", near={
            "no gradient comes from the leash": [[[-1.0]]], "no gradient comes from the ratio": [[[-0.3]]]})


score
