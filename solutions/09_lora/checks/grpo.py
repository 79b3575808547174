from helpers.checks import graded


@graded("grpo", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    beta_gain = "beta multiplies the gain, too: it stands before the leash only"
    always_added = "1e-4 is added to the spread of every group: here nothing, or less, is added to this one"
    no_clip = "the ratio is not clipped"
    always = "the clipped ratio is always taken: it is the smaller of the two products"
    product = "the smaller ratio was taken before it meets A: the smaller of the two products is asked"

    def scaled(mean=lambda r: r.mean(1, keepdim=True), spread=lambda r: r.std(1, keepdim=True), eps=1e-4):
        return lambda r: (r - mean(r)) / (spread(r) + eps)

    check.mistakes({
        "the advantages are not divided by the spread of their group": lambda r: r - r.mean(1, keepdim=True),
        "this divides by the variance: the spread is its root": scaled(spread=lambda r: r.var(1, keepdim=True)),
        "the spread divides by G - 1 here, as torch.std does":
            scaled(spread=lambda r: r.std(1, keepdim=True, correction=0)),
        "mean and spread are of the whole batch: each row is a group of its own": scaled(torch.mean, torch.std),
        "the mean of the group is not subtracted": scaled(lambda r: 0.0),
        "the spread is of the whole batch: each group has its own": scaled(spread=torch.std),
        "the groups are the rows, not the columns":
            scaled(lambda r: r.mean(0, keepdim=True), lambda r: r.std(0, keepdim=True)),
        "the mean of a column is subtracted: the group is the row": scaled(lambda r: r.mean(0, keepdim=True)),
        "the best of the group is subtracted: its mean is asked": scaled(lambda r: r.amax(1, keepdim=True)),
        "1e-4 is added, not 1e-3": scaled(eps=1e-3),
        always_added: lambda r: (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True).clamp(min=1e-4),
        "a group whose rewards are all equal divides 0 by 0: 1e-4 is added to the spread": scaled(eps=0.0),
        "1e-4 is added to the spread, not under the root":
            lambda r: (r - r.mean(1, keepdim=True)) / (r.var(1, keepdim=True) + 1e-4).sqrt(),
        **{f"{always_added} ({eps:g}?)": scaled(eps=eps) for eps in (1e-5, 1e-6, 1e-8)},
        "1e-4 is added behind the division: it is added to the spread":
            lambda r: (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True) + 1e-4,
        "the mean is of the others alone: the mean of the whole group is asked":
            scaled(lambda r: (r.sum(1, keepdim=True) - r) / (r.shape[1] - 1)),
        "the median of the group is subtracted: its mean is asked": scaled(lambda r: r.median(1, keepdim=True).values),
        "the least of the group is subtracted: its mean is asked": scaled(lambda r: r.amin(1, keepdim=True)),
        "this divides by the range of the group: the standard deviation is asked":
            scaled(spread=lambda r: r.amax(1, keepdim=True) - r.amin(1, keepdim=True)),
        "this divides by the mean distance from the mean: the standard deviation is asked":
            scaled(spread=lambda r: (r - r.mean(1, keepdim=True)).abs().mean(1, keepdim=True)),
        "this divides by the mean of the group: its standard deviation is asked":
            scaled(spread=lambda r: r.mean(1, keepdim=True)),
        "this is a softmax: the mean is subtracted, and the spread divides": lambda r: r.softmax(1),
        "only the mean is divided by the spread: a bracket is missing":
            lambda r: r - r.mean(1, keepdim=True) / (r.std(1, keepdim=True) + 1e-4),
        "the advantages have the sign turned round": lambda r: -scaled()(r),
        "one row came: the shape of the rewards is kept": lambda r: scaled()(r).flatten(),
    }, group_advantages)

    def estimate(new, ref):
        return (ref - new).exp() - (ref - new) - 1

    def clamped(ratio, clip):
        return ratio.clamp(1 - clip, 1 + clip)

    def smaller(ratio, other, a):
        return torch.minimum(ratio * a, other * a)

    def loss(log=lambda new, old: (new - old).exp(), clipped=clamped, pick=smaller, sign=-1.0, leash=1.0,
             total=torch.mean, kl=estimate):
        def value(new, old, ref, a, clip, beta):
            ratio = log(new, old)
            gain = pick(ratio, clipped(ratio, clip), a)
            return sign * total(gain - leash * beta * kl(new, ref))

        return value

    def product_clipped(new, old, ref, a, clip, beta):
        gain = (new - old).exp() * a
        return -(torch.minimum(gain, clamped(gain, clip)) - beta * estimate(new, ref)).mean()

    clipping = {
        no_clip: loss(clipped=lambda ratio, clip: ratio),
        always: loss(pick=lambda ratio, other, a: other * a),
        product: loss(pick=lambda ratio, other, a: torch.minimum(ratio, other) * a),
    }
    leashes = {
        "the leash is the absolute value of d": torch.abs,
        "the leash is the square of d": torch.square,
        "the leash is half the square of d": lambda d: d**2 / 2,
        "the 1 is added": lambda d: d.exp() - d + 1,
        "d is added": lambda d: d.exp() + d - 1,
        "d is missing": lambda d: d.exp() - 1,
        "the leash is exp(d) alone": torch.exp,
        "this leash is d, the wrong way round": lambda d: d,
    }
    check.mistakes({
        "the sign is turned round: a loss falls when what was good gets likelier": loss(sign=1.0),
        "this is the sum; the mean over the answers is asked": loss(total=torch.sum),
        **clipping,
        "the larger of the two products was taken: the smaller is asked":
            loss(pick=lambda ratio, other, a: torch.maximum(ratio * a, other * a)),
        "the ratio is upside down: new over old": loss(lambda new, old: (old - new).exp()),
        "this is the logarithm of the ratio: take exp": loss(lambda new, old: new - old),
        "the leash is missing: beta times the estimate of KL": loss(leash=0.0),
        "the leash pulls the wrong way: the estimate of KL must make the loss larger, here it makes it smaller":
            loss(leash=-1.0),
        "the ratio is to the policy that wrote, not to the reference":
            lambda new, old, ref, a, clip, beta: loss()(new, ref, ref, a, clip, beta),
        "this is the log-ratio alone: the estimate is exp(d) - d - 1 with d = ref - new":
            loss(kl=lambda new, ref: new - ref),
        "d is turned round: it is the reference's log-probability less the policy's":
            loss(kl=lambda new, ref: estimate(ref, new)),
        "the 1 in exp(d) - d - 1 is missing": loss(kl=lambda new, ref: (ref - new).exp() - (ref - new)),
        "this is REINFORCE: the ratio to the policy that wrote is missing":
            lambda new, old, ref, a, clip, beta: -(a * new).mean(),
        "only the upper side is clipped: both are": loss(clipped=lambda ratio, clip: ratio.clamp(max=1 + clip)),
        "only the lower side is clipped: both are": loss(clipped=lambda ratio, clip: ratio.clamp(min=1 - clip)),
        "the ratio is clipped around 1, not around 0": loss(clipped=lambda ratio, clip: ratio.clamp(-clip, clip)),
        "the ratio is clipped, not its logarithm":
            loss(clipped=lambda ratio, clip: ratio.log().clamp(-clip, clip).exp()),
        "the upper bound of the clip is 1 + clip, not 1 / (1 - clip)":
            loss(clipped=lambda ratio, clip: ratio.clamp(1 - clip, 1 / (1 - clip))),
        "the upper bound of the clip is 1 + clip: here it is 1":
            loss(clipped=lambda ratio, clip: ratio.clamp(1 - clip, 1)),
        "the lower bound of the clip is 1 - clip: here it is 1":
            loss(clipped=lambda ratio, clip: ratio.clamp(1, 1 + clip)),
        "the lower bound of the clip is 1 - clip, not 1 / (1 + clip)":
            loss(clipped=lambda ratio, clip: ratio.clamp(1 / (1 + clip), 1 + clip)),
        "the clipped ratio is not multiplied by A": loss(pick=lambda ratio, other, a: torch.minimum(ratio * a, other)),
        "the ratio is not multiplied by A": loss(pick=lambda ratio, other, a: torch.minimum(ratio, other * a)),
        "the product is clipped: the ratio is, before it meets A": product_clipped,
        "1 is subtracted from the ratio: it is exp of the difference": loss(lambda new, old: (new - old).exp() - 1),
        "the log-probabilities are divided: the ratio is exp of their difference": loss(lambda new, old: new / old),
        beta_gain: lambda new, old, ref, a, clip, beta: beta * loss()(new, old, ref, a, clip, 1.0),
        beta_gain + ", where beta stands already":
            lambda new, old, ref, a, clip, beta: beta * loss()(new, old, ref, a, clip, beta),
        "the leash is summed over the answers: the mean of gain and leash is asked":
            lambda new, old, ref, a, clip, beta: loss()(new, old, ref, a, clip, beta * len(new)),
        "d is of the policy that wrote: it is the reference's less the policy's now":
            lambda new, old, ref, a, clip, beta:
                loss(leash=0.0)(new, old, ref, a, clip, beta) + beta * estimate(old, ref).mean(),
        "d is to the policy that wrote: it is to the reference":
            lambda new, old, ref, a, clip, beta:
                loss(leash=0.0)(new, old, ref, a, clip, beta) + beta * estimate(new, old).mean(),
        **{f"{words}: the estimate is exp(d) - d - 1": loss(kl=lambda new, ref, part=part: part(ref - new))
           for words, part in leashes.items()},
        "the leash is weighted by the probability: the answers are drawn by it already":
            loss(kl=lambda new, ref: new.exp() * (new - ref)),
    }, grpo_loss)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    import math

    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def one_group(rewards):
        mean = sum(rewards) / len(rewards)
        spread = (sum((reward - mean) ** 2 for reward in rewards) / (len(rewards) - 1)) ** 0.5
        return [(reward - mean) / (spread + 1e-4) for reward in rewards]

    for shape, stretch in [((3, 5), 1.0), ((4, 4), 20.0), ((1, 6), 0.3)]:
        r = stretch * torch.randn(shape, generator=draw) + 2
        right = [one_group(rewards) for rewards in r.double().tolist()]
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
    for n, clip, beta in [(6, 0.2, 0.4), (8, 0.15, 0.0), (5, 0.2, 0.7)]:
        case = fresh(n)
        if n == 5:  # the first step, when nothing has moved yet
            case = case[0], case[0].clone(), *case[2:]
        leaf = case[0].clone().requires_grad_()
        losses = clipping | {"no gradient comes from the leash": loss(leash=0.0)}
        values = {words: [torch.autograd.grad(other(leaf, *case[1:], clip, beta), leaf)[0]]
                  for words, other in losses.items()}
        right = torch.autograd.grad(loss()(leaf, *case[1:], clip, beta), leaf)[0]
        check(slopes, grpo_loss, *case, clip, beta, fixed=(1, 2, 3)).equals(
            [right], about="the gradient of the log-probabilities", rtol=1e-3, atol=1e-5, weight=2,
            near={**values, "there is no gradient: is something detached?": RuntimeError})
    ### END HIDDEN TESTS


score
