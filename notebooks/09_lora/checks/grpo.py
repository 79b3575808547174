from helpers.checks import graded


@graded("grpo", points=6)
def score(check):
    import torch

    t = torch.tensor
    no_spread = "the advantages are not divided by the spread of their group"
    population = "the spread divides by G - 1 here, as torch.std does"
    batch = "mean and spread are of the whole batch: each row is a group of its own"
    columns = "the groups are the rows, not the columns"
    no_mean = "the mean of the group is not subtracted"
    others = "the mean is of the others alone: the mean of the whole group is asked"
    variance = "this divides by the variance: the spread is its root"
    best = "the best of the group is subtracted: its mean is asked"
    batch_spread = "the spread is of the whole batch: each group has its own"
    rewards = t([[1.0, 0.0, 0.0, 1.0], [2.0, 0.5, -1.0, 1.5]])
    check(group_advantages, rewards).equals(
        [[0.8658754, -0.8658754, -0.8658754, 0.8658754], [0.9448398, -0.188968, -1.322776, 0.5669039]], rtol=1e-3,
        about="two groups of four", near={
            no_spread: [[0.5, -0.5, -0.5, 0.5], [1.25, -0.25, -1.75, 0.75]],
            population: [[0.9998, -0.9998, -0.9998, 0.9998], [1.090994, -0.2181988, -1.527392, 0.6545965]],
            batch: [[0.3929114, -0.6548524, -0.6548524, 0.3929114], [1.440675, -0.1309705, -1.702616, 0.9167933]],
            columns: [[-0.7070068, -0.7069069, 0.7070068, -0.7069069], [0.7070068, 0.7069069, -0.7070068, 0.7069069]],
            no_mean: [[1.731751, 0.0, 0.0, 1.731751], [1.511744, 0.3779359, -0.7558718, 1.133808]],
            variance: [[1.49955, -1.49955, -1.49955, 1.49955], [0.7142449, -0.142849, -0.9999428, 0.4285469]],
            others: [[1.154501, -1.154501, -1.154501, 1.154501], [1.259786, -0.2519573, -1.763701, 0.7558718]],
            best: [[0.0, -1.731751, -1.731751, 0.0], [0.0, -1.133808, -2.267616, -0.3779359]],
            batch_spread: [[0.5238819, -0.5238819, -0.5238819, 0.5238819], [1.309705, -0.261941, -1.833587, 0.7858229]],
        })
    nan = float("nan")
    by_zero = "a group whose rewards are all equal divides 0 by 0: 1e-4 is added to the spread"
    always_added = "1e-4 is added to the spread of every group: here nothing, or less, is added to this one"
    root = "1e-4 is added to the spread, not under the root"
    check(group_advantages, t([[3.0, 3.0, 3.0], [0.0, 2.0, 1.0]])).equals(
        [[0.0, 0.0, 0.0], [-0.9999, 0.9999, 0.0]], about="a group of equals", rtol=1e-5, near={
        by_zero: [[nan] * 3, [-1, 1, 0]],
        always_added: [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
        no_spread: [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]],
        root: [[0.0, 0.0, 0.0], [-0.99995, 0.99995, 0.0]],
        "1e-4 is added, not 1e-3": [[0.0, 0.0, 0.0], [-0.999001, 0.999001, 0.0]],
        population: [[0.0, 0.0, 0.0], [-1.224595, 1.224595, 0.0]],
        })
    minus = "the sign is turned round: a loss falls when what was good gets likelier"
    summed = "this is the sum; the mean over the answers is asked"
    no_clip = "the ratio is not clipped"
    upper = "only the upper side is clipped: both are"
    lower = "only the lower side is clipped: both are"
    gain = "the product is clipped: the ratio is, before it meets A"
    beta_gain = "beta multiplies the gain, too: it stands before the leash only"
    always = "the clipped ratio is always taken: it is the smaller of the two products"
    larger = "the larger of the two products was taken: the smaller is asked"
    turned = "the ratio is upside down: new over old"
    no_ratio = "this is the logarithm of the ratio: take exp"
    to_ref = "the ratio is to the policy that wrote, not to the reference"
    no_leash = "the leash is missing: beta times the estimate of KL"
    rewarded = "the leash pulls the wrong way: the estimate of KL must make the loss larger, here it makes it smaller"
    plain_kl = "this is the log-ratio alone: the estimate is exp(d) - d - 1 with d = ref - new"
    turned_kl = "d is turned round: it is the reference's log-probability less the policy's"
    no_one = "the 1 in exp(d) - d - 1 is missing"
    bare = "the clipped ratio is not multiplied by A"
    product = "the smaller ratio was taken before it meets A: the smaller of the two products is asked"
    reinforce_like = "this is REINFORCE: the ratio to the policy that wrote is missing"
    new, old = t([-1.0, -2.2]), t([-1.4054651, -1.5068528])
    alone = check(grpo_loss, new, old, new, t([1.0, -1.0]), 0.2, 0.0)
    alone.equals(-0.2, rtol=1e-4, about="no leash", near={
            minus: 0.2,
            summed: -0.4,
            no_clip: -0.5,
            larger: -0.5,
            upper: -0.35,
            lower: -0.35,
            product: -0.35,
            bare: -0.35,
            gain: -0.35,
            beta_gain: 0.0,
            turned: 0.6666667,
            no_ratio: 0.1972674,
            to_ref: 0.0,
            reinforce_like: -0.6,
        })
    logps, old = t([-2.0, -3.0, -1.5, -2.5]), t([-2.5, -2.6, -1.9, -2.2])
    ref, advantages = t([-2.2, -2.5, -1.0, -3.0]), t([-1.0, 1.0, 0.5, -0.75])
    check(grpo_loss, logps, old, ref, advantages, 0.2, 0.5).equals(0.2974383, rtol=1e-4, about="with a leash", near={
            minus: -0.2974383,
            summed: 1.189753,
            no_clip: 0.2498636,
            upper: 0.2863417,
            lower: 0.2609602,
            product: 0.1741614,
            bare: 0.2498636,
            gain: 0.2498636,
            beta_gain: 0.1487191,
            always: 0.152838,
            larger: 0.1052633,
            turned: 0.1221465,
            no_ratio: 0.452838,
            to_ref: 0.4398749,
            no_leash: 0.2446003,
            rewarded: 0.1917623,
            plain_kl: 0.2071003,
            turned_kl: 0.2924985,
            no_one: 0.7974383,
            reinforce_like: -0.03125,
        })


score
