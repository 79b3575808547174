from helpers.checks import graded


@graded("grpo", points=6)
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
        "the best of the group is subtracted: its mean is asked": {
            1: [[0.0, -1.73175, -1.73175, 0.0], [0.0, -1.13381, -2.26762, -0.377936]],
            2: [[0.0, 0.0, 0.0], [-1.9998, 0.0, -0.9999]],
        },
        "1e-4 is added, not 1e-3": {
            1: [[0.864528, -0.864528, -0.864528, 0.864528], [0.944197, -0.188839, -1.32188, 0.566518]],
            2: [[0.0, 0.0, 0.0], [-0.999001, 0.999001, 0.0]],
        },
        "the mean is of the others alone: the mean of the whole group is asked": {
            1: [[1.1545, -1.1545, -1.1545, 1.1545], [1.25979, -0.251957, -1.7637, 0.755872]],
            2: [[0.0, 0.0, 0.0], [-1.49985, 1.49985, 0.0]],
        },
        "the median of the group is subtracted: its mean is asked": {
            1: [[1.73175, 0.0, 0.0, 1.73175], [1.13381, 0.0, -1.13381, 0.755872]],
        },
        "the least of the group is subtracted: its mean is asked": {
            1: [[1.73175, 0.0, 0.0, 1.73175], [2.26762, 1.13381, 0.0, 1.88968]],
            2: [[0.0, 0.0, 0.0], [0.0, 1.9998, 0.9999]],
        },
        "this divides by the range of the group: the standard deviation is asked": {
            1: [[0.49995, -0.49995, -0.49995, 0.49995], [0.416653, -0.0833306, -0.583314, 0.249992]],
            2: [[0.0, 0.0, 0.0], [-0.499975, 0.499975, 0.0]],
        },
        "this divides by the mean distance from the mean: the standard deviation is asked": {
            1: [[0.9998, -0.9998, -0.9998, 0.9998], [1.24987, -0.249975, -1.74983, 0.749925]],
            2: [[0.0, 0.0, 0.0], [-1.49977, 1.49977, 0.0]],
        },
        "this divides by the mean of the group: its standard deviation is asked": {
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
        "the advantages have the sign turned round": {
            1: [[-0.865875, 0.865875, 0.865875, -0.865875], [-0.94484, 0.188968, 1.32278, -0.566904]],
            2: [[0.0, 0.0, 0.0], [0.9999, -0.9999, 0.0]],
        },
        "one row came: the shape of the rewards is kept": {
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
        "1e-4 is added behind the division: it is added to the spread": {
            2: [[float("nan"), float("nan"), float("nan")], [-0.9999, 1.0001, 0.0001]],
        },
        "the sign is turned round: a loss falls when what was good gets likelier": {
            3: 0.2,
            4: -0.297438,
        },
        "this is the sum; the mean over the answers is asked": {
            3: -0.4,
            4: 1.18975,
        },
        "the ratio is not clipped": {
            3: -0.5,
            4: 0.249864,
        },
        "the smaller ratio was taken before it meets A: the smaller of the two products is asked": {
            3: -0.35,
            4: 0.174161,
        },
        "the larger of the two products was taken: the smaller is asked": {
            3: -0.5,
            4: 0.105263,
        },
        "the ratio is upside down: new over old": {
            3: 0.666667,
            4: 0.122146,
        },
        "this is the logarithm of the ratio: take exp": {
            3: 0.197267,
            4: 0.452838,
        },
        "the ratio is to the policy that wrote, not to the reference": {
            3: 0.0,
            4: 0.439875,
        },
        "this is REINFORCE: the ratio to the policy that wrote is missing": {
            3: -0.6,
            4: -0.03125,
        },
        "only the upper side is clipped: both are": {
            3: -0.35,
            4: 0.286342,
        },
        "only the lower side is clipped: both are": {
            3: -0.35,
            4: 0.26096,
        },
        "the ratio is clipped around 1, not around 0": {
            3: 0.15,
            4: 0.528922,
        },
        "the ratio is clipped, not its logarithm": {
            3: -0.201336,
            4: 0.298275,
        },
        "the upper bound of the clip is 1 + clip, not 1 / (1 - clip)": {
            3: -0.225,
            4: 0.291188,
        },
        "the upper bound of the clip is 1 + clip: here it is 1": {
            3: -0.1,
            4: 0.322438,
        },
        "the lower bound of the clip is 1 - clip: here it is 1": {
            3: -0.1,
            4: 0.334938,
        },
        "the lower bound of the clip is 1 - clip, not 1 / (1 + clip)": {
            3: -0.183333,
            4: 0.303688,
        },
        "the clipped ratio is not multiplied by A": {
            3: -0.35,
            4: 0.249864,
        },
        "the product is clipped: the ratio is, before it meets A": {
            3: -0.35,
            4: 0.249864,
        },
        "1 is subtracted from the ratio: it is exp of the difference": {
            3: 0.15,
            4: 0.42378,
        },
        "the log-probabilities are divided: the ratio is exp of their difference": {
            3: 0.374244,
            4: 0.0787604,
        },
        "beta multiplies the gain, too: it stands before the leash only": {
            3: 0.0,
            4: 0.175138,
        },
        "beta multiplies the gain, too: it stands before the leash only, where beta stands already": {
            3: 0.0,
            4: 0.148719,
        },
        "the clipped ratio is always taken: it is the smaller of the two products": {
            4: 0.152838,
        },
        "the leash is missing: beta times the estimate of KL": {
            4: 0.2446,
        },
        "the leash pulls the wrong way: the estimate of KL must make the loss larger, here it makes it smaller": {
            4: 0.191762,
        },
        "this is the log-ratio alone: the estimate is exp(d) - d - 1 with d = ref - new": {
            4: 0.2071,
        },
        "d is turned round: it is the reference's log-probability less the policy's": {
            4: 0.292498,
        },
        "the 1 in exp(d) - d - 1 is missing": {
            4: 0.797438,
        },
        "the ratio is not multiplied by A": {
            4: 0.185258,
        },
        "the leash is summed over the answers: the mean of gain and leash is asked": {
            4: 0.455952,
        },
        "d is of the policy that wrote: it is the reference's less the policy's now": {
            4: 0.352596,
        },
        "d is to the policy that wrote: it is to the reference": {
            4: 0.284417,
        },
        "the leash is the absolute value of d: the estimate is exp(d) - d - 1": {
            4: 0.4571,
        },
        "the leash is the square of d: the estimate is exp(d) - d - 1": {
            4: 0.34335,
        },
        "the leash is half the square of d: the estimate is exp(d) - d - 1": {
            4: 0.293975,
        },
        "the 1 is added: the estimate is exp(d) - d - 1": {
            4: 1.29744,
        },
        "d is added: the estimate is exp(d) - d - 1": {
            4: 0.372438,
        },
        "d is missing: the estimate is exp(d) - d - 1": {
            4: 0.334938,
        },
        "the leash is exp(d) alone: the estimate is exp(d) - d - 1": {
            4: 0.834938,
        },
        "this leash is d, the wrong way round: the estimate is exp(d) - d - 1": {
            4: 0.2821,
        },
        "the leash is weighted by the probability: the answers are drawn by it already": {
            4: 0.236057,
        },
    })
    t = torch.tensor
    rewards = t([[1.0, 0.0, 0.0, 1.0], [2.0, 0.5, -1.0, 1.5]])
    check(group_advantages, rewards).equals(
        [[0.8658754, -0.8658754, -0.8658754, 0.8658754], [0.9448398, -0.188968, -1.322776, 0.5669039]], rtol=1e-3,
        about="two groups of four")
    check(group_advantages, t([[3.0, 3.0, 3.0], [0.0, 2.0, 1.0]])).equals(
        [[0.0, 0.0, 0.0], [-0.9999, 0.9999, 0.0]], about="a group of equals", rtol=1e-5)
    new, old = t([-1.0, -2.2]), t([-1.4054651, -1.5068528])
    alone = check(grpo_loss, new, old, new, t([1.0, -1.0]), 0.2, 0.0)
    alone.equals(-0.2, rtol=1e-4, about="no leash")
    logps, old = t([-2.0, -3.0, -1.5, -2.5]), t([-2.5, -2.6, -1.9, -2.2])
    ref, advantages = t([-2.2, -2.5, -1.0, -3.0]), t([-1.0, 1.0, 0.5, -0.75])
    check(grpo_loss, logps, old, ref, advantages, 0.2, 0.5).equals(
        0.2974383, rtol=1e-4, about="with a leash")
    zero = t([0.0])
    check(slopes, grpo_loss, zero, zero, t([0.6931472]), t([1.0]), 0.2, 0.3, fixed=(1, 2, 3)).equals(
        [[-1.3]], rtol=1e-4, about="gradients", near={
            "no gradient comes from the leash": [[-1.0]], "no gradient comes from the ratio": [[-0.3]]})


score
