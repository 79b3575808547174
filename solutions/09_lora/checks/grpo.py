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
    ### BEGIN HIDDEN TESTS
    import math

    check.hidden()

    def scaled(mean=lambda r: r.mean(1, keepdim=True), spread=lambda r: r.std(1, keepdim=True)):
        return lambda r: (r - mean(r)) / (spread(r) + 1e-4)

    check.mistakes({
        no_spread: lambda r: r - r.mean(1, keepdim=True), variance: scaled(spread=lambda r: r.var(1, keepdim=True)),
        population: scaled(spread=lambda r: r.std(1, keepdim=True, correction=0)),
        batch: scaled(torch.mean, torch.std), no_mean: scaled(lambda r: 0.0), batch_spread: scaled(spread=torch.std),
        columns: scaled(lambda r: r.mean(0, keepdim=True), lambda r: r.std(0, keepdim=True)),
        best: scaled(lambda r: r.amax(1, keepdim=True)),
        "1e-4 is added, not 1e-3": lambda r: (r - r.mean(1, keepdim=True)) / (r.std(1, keepdim=True) + 1e-3),
        always_added: lambda r: (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True).clamp(min=1e-4),
        by_zero: lambda r: (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True),
        root: lambda r: (r - r.mean(1, keepdim=True)) / (r.var(1, keepdim=True) + 1e-4).sqrt(),
        **{f"{always_added} ({eps:g}?)": lambda r, eps=eps: (
            (r - r.mean(1, keepdim=True)) / (r.std(1, keepdim=True) + eps)) for eps in (1e-5, 1e-6, 1e-8)},
        "1e-4 is added behind the division: it is added to the spread": lambda r: (
            (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True) + 1e-4),
        others: scaled(
            lambda r: (r.sum(1, keepdim=True) - r) / (r.shape[1] - 1)),
        "the median of the group is subtracted: its mean is asked": scaled(lambda r: r.median(1, keepdim=True).values),
        "the least of the group is subtracted: its mean is asked": scaled(lambda r: r.amin(1, keepdim=True)),
        "this divides by the range of the group: the standard deviation is asked": scaled(
            spread=lambda r: r.amax(1, keepdim=True) - r.amin(1, keepdim=True)),
        "this divides by the mean distance from the mean: the standard deviation is asked": scaled(
            spread=lambda r: (r - r.mean(1, keepdim=True)).abs().mean(1, keepdim=True)),
        "this divides by the mean of the group: its standard deviation is asked": scaled(
            spread=lambda r: r.mean(1, keepdim=True)),
        "this is a softmax: the mean is subtracted, and the spread divides": lambda r: r.softmax(1),
        "only the mean is divided by the spread: a bracket is missing": lambda r: (
            r - r.mean(1, keepdim=True) / (r.std(1, keepdim=True) + 1e-4)),
        "the advantages have the sign turned round": lambda r: -scaled()(r),
        "one row came: the shape of the rewards is kept": lambda r: scaled()(r).flatten(),
    })
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for shape, stretch in [((3, 5), 1.0), ((4, 4), 20.0), ((1, 6), 0.3)]:
        r = stretch * torch.randn(shape, generator=draw) + 2
        rows = [[(v - sum(row) / len(row)) for v in row] for row in r.double().tolist()]
        right = [[v / ((sum(u * u for u in row) / (len(row) - 1)) ** 0.5 + 1e-4) for v in row] for row in rows]
        check(group_advantages, r).equals(right, about="fresh rewards", rtol=1e-3, atol=1e-5)
    for shape, stretch, about in [
        ((90, 3), 1.0, "many groups, large ones"), ((2, 200), 50.0, "many groups, large ones"),
        ((3, 5), 2e-4, "rewards close together"), ((3, 2), 1.0, "groups of two"), ((2, 5), 1.0, "float64"),
        ((2, 5), 1.0, "float64"),
    ]:
        r = stretch * torch.randn(shape, generator=draw, dtype=torch.float64)
        r = r if about == "float64" else r.float()
        centred = r.double() - r.double().mean(1, keepdim=True)
        right = centred / ((centred.square().sum(1, keepdim=True) / (shape[1] - 1)).sqrt() + 1e-4)
        check(group_advantages, r).equals(
            right, about=about, edge=True, rtol=1e-9 if about == "float64" else 1e-3,
            atol=1e-11 if about == "float64" else 1e-5)

    def estimate(new, ref):
        return (ref - new).exp() - (ref - new) - 1

    def loss(log=lambda new, old: (new - old).exp(), cut=True, pick=torch.minimum, sign=-1.0, leash=1.0,
             total=torch.mean, kl=estimate):
        def value(new, old, ref, a, clip, beta):
            ratio = log(new, old)
            other = ratio.clamp(1 - clip, 1 + clip) if cut else ratio
            return sign * total(pick(ratio * a, other * a) - leash * beta * kl(new, ref))

        return value

    check.mistakes({
        minus: loss(sign=1.0), summed: loss(total=torch.sum), no_clip: loss(cut=False),
        always: loss(pick=lambda x, y: y), larger: loss(pick=torch.maximum),
        turned: loss(lambda new, old: (old - new).exp()),
        no_ratio: loss(lambda new, old: new - old), no_leash: loss(leash=0.0), rewarded: loss(leash=-1.0),
        to_ref: lambda new, old, ref, a, clip, beta: loss()(new, ref, ref, a, clip, beta),
        plain_kl: loss(kl=lambda new, ref: new - ref), turned_kl: loss(kl=lambda new, ref: estimate(ref, new)),
        no_one: loss(kl=lambda new, ref: (ref - new).exp() - (ref - new)),
        reinforce_like: lambda new, old, ref, a, clip, beta: -(a * new).mean(),
        upper: lambda new, old, ref, a, clip, beta: -(torch.minimum(
            (new - old).exp() * a, (new - old).exp().clamp(max=1 + clip) * a)
            - beta * estimate(new, ref)).mean(),
        product: lambda new, old, ref, a, clip, beta: -(torch.minimum(
            (new - old).exp(), (new - old).exp().clamp(1 - clip, 1 + clip)) * a - beta * estimate(new, ref)).mean(),
        **{words: lambda new, old, ref, a, clip, beta, cut=cut: -(torch.minimum(
            (new - old).exp() * a, cut(new - old, clip) * a) - beta * estimate(new, ref)).mean()
           for words, cut in {
            lower: lambda v, clip: v.exp().clamp(min=1 - clip),
            "the ratio is clipped around 1, not around 0": lambda v, clip: v.exp().clamp(-clip, clip),
            "the ratio is clipped, not its logarithm": lambda v, clip: v.clamp(-clip, clip).exp(),
            "the upper bound of the clip is 1 + clip, not 1 / (1 - clip)": lambda v, clip: (
                v.exp().clamp(1 - clip, 1 / (1 - clip))),
            "the upper bound of the clip is 1 + clip: here it is 1": lambda v, clip: v.exp().clamp(1 - clip, 1),
            "the lower bound of the clip is 1 - clip: here it is 1": lambda v, clip: v.exp().clamp(1, 1 + clip),
           }.items()},
        bare: lambda new, old, ref, a, clip, beta: -(torch.minimum(
            (new - old).exp() * a, (new - old).exp().clamp(1 - clip, 1 + clip)) - beta * estimate(new, ref)).mean(),
        "the ratio is not multiplied by A": lambda new, old, ref, a, clip, beta: -(torch.minimum(
            (new - old).exp(), (new - old).exp().clamp(1 - clip, 1 + clip) * a) - beta * estimate(new, ref)).mean(),
        gain: lambda new, old, ref, a, clip, beta: -(torch.minimum(
            (new - old).exp() * a, ((new - old).exp() * a).clamp(1 - clip, 1 + clip))
            - beta * estimate(new, ref)).mean(),
        "1 is subtracted from the ratio: it is exp of the difference": loss(lambda new, old: (new - old).exp() - 1),
        "the log-probabilities are divided: the ratio is exp of their difference": loss(lambda new, old: new / old),
        beta_gain: lambda new, old, ref, a, clip, beta: (
            beta * loss()(new, old, ref, a, clip, 1.0)),
        "the leash is summed over the answers: the mean of gain and leash is asked": (
            lambda new, old, ref, a, clip, beta: loss()(new, old, ref, a, clip, beta * len(new))),
        "d is of the policy that wrote: it is the reference's less the policy's now": (
            lambda new, old, ref, a, clip, beta: loss(leash=0.0)(new, old, ref, a, clip, beta)
            + beta * estimate(old, ref).mean()),
        "d is to the policy that wrote: it is to the reference": lambda new, old, ref, a, clip, beta: (
            loss(leash=0.0)(new, old, ref, a, clip, beta) + beta * estimate(new, old).mean()),
        **{f"{words}: the estimate is exp(d) - d - 1": loss(kl=lambda new, ref, part=part: part(ref - new))
           for words, part in {
            "the leash is the absolute value of d": torch.abs, "the leash is the square of d": torch.square,
            "the leash is half the square of d": lambda d: d**2 / 2, "the 1 is added": lambda d: d.exp() - d + 1,
            "d is added": lambda d: d.exp() + d - 1, "d is missing": lambda d: d.exp() - 1,
            "the leash is exp(d) alone": torch.exp,
            "this leash is d, the wrong way round": lambda d: d}.items()},
        "the leash is weighted by the probability: the answers are drawn by it already": loss(
            kl=lambda new, ref: new.exp() * (new - ref)),
        "the lower bound of the clip is 1 - clip, not 1 / (1 + clip)": lambda new, old, ref, a, clip, beta: -(
            torch.minimum((new - old).exp() * a, (new - old).exp().clamp(1 / (1 + clip), 1 + clip) * a)
            - beta * estimate(new, ref)).mean(),
    })

    def fresh(n):
        new = -4 * torch.rand(n, generator=draw) - 1
        return new, new + 0.4 * torch.randn(n, generator=draw), new + 0.5 * torch.randn(n, generator=draw), torch.randn(
            n, generator=draw)

    def by_hand(new, old, ref, a, clip, beta):
        """The same in plain numbers: the ratio stands still where it would gain by going further."""
        found = 0.0
        for p, o, f, g in zip(*(v.double().tolist() for v in (new, old, ref, a)), strict=True):
            ratio = math.exp(p - o)
            ratio = min(ratio, 1 + clip) if g > 0 else max(ratio, 1 - clip)
            found += ratio * g - beta * (math.exp(f - p) - (f - p) - 1)
        return -found / len(new)

    for n, clip, beta in [(6, 0.2, 0.3), (9, 0.1, 1.5), (1, 0.3, 0.2), (7, 0.2, 0.0)]:
        case = fresh(n)
        right = by_hand(*case, clip, beta)
        check(grpo_loss, *case, clip, beta).equals(right, about="fresh answers", rtol=1e-3, atol=1e-5)
    for n, clip, beta, about in [
        (90, 0.2, 0.1, "many answers"), (6, 0.02, 0.1, "a narrow clip, a wide one"),
        (30, 0.98, 0.1, "a narrow clip, a wide one"),
    ]:
        new, old, ref, a = fresh(n)
        case = new, new + 4 * (old - new) if clip > 0.9 else old, ref, a
        check(grpo_loss, *case, clip, beta).equals(
            by_hand(*case, clip, beta), about=about, edge=True, rtol=1e-3, atol=1e-5)
    new, old, ref, a = fresh(5)
    for case in [(new - 90, old - 90, ref - 90, a), (new, old, ref, 70 * a), (new, new, new, a)]:
        check(grpo_loss, *case, 0.2, 0.3).equals(
            by_hand(*case, 0.2, 0.3), about="unlikely answers, large advantages, nothing moved yet", edge=True,
            rtol=1e-3, atol=1e-4)
    case = [v.double() * torch.pi / 3 for v in fresh(5)]
    check(grpo_loss, *case, 0.2, 0.3).equals(
        by_hand(*case, 0.2, 0.3), about="a loss in float64", edge=True, rtol=1e-9, atol=1e-12)

    check.mistakes({})
    for n, clip, beta in [(6, 0.2, 0.4), (8, 0.15, 0.0), (5, 0.2, 0.7)]:
        case = fresh(n)
        if n == 5:  # the first step, when nothing has moved yet
            case = case[0], case[0].clone(), *case[2:]
        leaf = case[0].clone().requires_grad_()
        values = {}
        for name, other in (("right", loss()), (always, loss(pick=lambda x, y: y)), (no_clip, loss(cut=False)),
                            ("no gradient comes from the leash", loss(leash=0.0)),
                            (product, lambda p, o, f, a, clip, beta: -(torch.minimum(
                                (p - o).exp(), (p - o).exp().clamp(1 - clip, 1 + clip)) * a
                                - beta * estimate(p, f)).mean())):
            values[name] = [torch.autograd.grad(other(leaf, *case[1:], clip, beta), leaf)[0]]
        check(slopes, grpo_loss, *case, clip, beta, fixed=(1, 2, 3)).equals(
            values.pop("right"), about="the gradient of the log-probabilities", rtol=1e-3, atol=1e-5, weight=2,
            near={**values, "there is no gradient: is something detached?": RuntimeError})
    ### END HIDDEN TESTS


score
