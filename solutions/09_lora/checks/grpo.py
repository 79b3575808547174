from helpers.checks import graded


@graded("grpo", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    always_added = "1e-4 is added to the spread of every group: here nothing, or less, is added to this one"

    def scaled(mean=lambda r: r.mean(1, keepdim=True), spread=lambda r: r.std(1, keepdim=True), eps=1e-4):
        return lambda r: (r - mean(r)) / (spread(r) + eps)

    check.mistakes({
        "the advantages are not divided by the spread of their group": lambda r: r - r.mean(1, keepdim=True),
        "this divides by the variance: the spread is its root": scaled(spread=lambda r: r.var(1, keepdim=True)),
        "the spread divides by G - 1 here, as torch.std does":
            scaled(spread=lambda r: r.std(1, keepdim=True, correction=0)),
        "mean and spread are of the whole batch: each row is a group of its own": scaled(torch.mean, torch.std),
        "the mean is of the whole batch: each row is a group of its own": scaled(torch.mean),
        "the mean of the group is not subtracted": scaled(lambda r: 0.0),
        "the spread is of the whole batch: each group has its own": scaled(spread=torch.std),
        "the groups are the rows, not the columns":
            scaled(lambda r: r.mean(0, keepdim=True), lambda r: r.std(0, keepdim=True)),
        "the mean of a column is subtracted: the group is the row": scaled(lambda r: r.mean(0, keepdim=True)),
        "the best of the group is subtracted: its mean is asked for": scaled(lambda r: r.amax(1, keepdim=True)),
        "1e-4 is added, not 1e-3": scaled(eps=1e-3),
        always_added: lambda r: (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True).clamp(min=1e-4),
        "a group whose rewards are all equal divides 0 by 0: 1e-4 is added to the spread": scaled(eps=0.0),
        "1e-4 is added to the spread, not under the root":
            lambda r: (r - r.mean(1, keepdim=True)) / (r.var(1, keepdim=True) + 1e-4).sqrt(),
        **{f"{always_added} ({eps:g}?)": scaled(eps=eps) for eps in (1e-5, 1e-6, 1e-8)},
        "1e-4 is added after the division: it is added to the spread":
            lambda r: (r - r.mean(1, keepdim=True)) / r.std(1, keepdim=True) + 1e-4,
        "the mean is of the others alone: the mean of the whole group is asked for":
            scaled(lambda r: (r.sum(1, keepdim=True) - r) / (r.shape[1] - 1)),
        "the median of the group is subtracted: its mean is asked for":
            scaled(lambda r: r.median(1, keepdim=True).values),
        "the least of the group is subtracted: its mean is asked for": scaled(lambda r: r.amin(1, keepdim=True)),
        "this divides by the range of the group: the standard deviation is asked for":
            scaled(spread=lambda r: r.amax(1, keepdim=True) - r.amin(1, keepdim=True)),
        "this divides by the mean distance from the mean: the standard deviation is asked for":
            scaled(spread=lambda r: (r - r.mean(1, keepdim=True)).abs().mean(1, keepdim=True)),
        "this divides by the mean of the group: its standard deviation is asked for":
            scaled(spread=lambda r: r.mean(1, keepdim=True)),
        "this is a softmax: the mean is subtracted, and the spread divides": lambda r: r.softmax(1),
        "only the mean is divided by the spread: a bracket is missing":
            lambda r: r - r.mean(1, keepdim=True) / (r.std(1, keepdim=True) + 1e-4),
        "the advantages have the wrong sign": lambda r: -scaled()(r),
        "one row came back: the shape of the rewards is kept": lambda r: scaled()(r).flatten(),
    }, group_advantages)

    def estimate(new, ref):
        return (ref - new).exp() - (ref - new) - 1

    def clamped(ratio, clip):
        return ratio.clamp(1 - clip, 1 + clip)

    def smaller(ratio, other, a):
        return torch.minimum(ratio * a, other * a)

    def of_answers(each, m):
        return ((each * m).sum(1) / m.sum(1)).mean()

    def loss(log=lambda new, old: (new - old).exp(), clipped=clamped, pick=smaller, sign=-1.0, leash=1.0,
             total=of_answers, kl=estimate):
        def value(new, old, ref, a, m, clip, beta):
            new, old, ref = (torch.where(m, part, 0.0) for part in (new, old, ref))
            ratio = log(new, old)
            gain = pick(ratio, clipped(ratio, clip), a[:, None])
            return sign * total(torch.where(m, gain - leash * beta * kl(new, ref), 0.0), m)

        return value

    def product_clipped(new, old, ref, a, m, clip, beta):
        new, old, ref = (torch.where(m, part, 0.0) for part in (new, old, ref))
        gain = (new - old).exp() * a[:, None]
        return -of_answers(torch.minimum(gain, clamped(gain, clip)) - beta * estimate(new, ref), m)

    def by_answer(new, old, ref, a, m, clip, beta):
        """One ratio for an answer: the sums of its tokens."""
        whole = [(part * m).sum(1, keepdim=True) for part in (new, old, ref)]
        return loss()(*whole, a, torch.ones_like(m[:, :1]), clip, beta)

    def by_mean(new, old, ref, a, m, clip, beta):
        whole = [(part * m).sum(1, keepdim=True) / m.sum(1, keepdim=True) for part in (new, old, ref)]
        return loss()(*whole, a, torch.ones_like(m[:, :1]), clip, beta)

    def read_all(new, old, ref, a, m, clip, beta):
        return loss()(new, old, ref, a, torch.ones_like(m), clip, beta)

    def others_read(new, old, ref, a, m, clip, beta):
        return loss()(new, old, ref, a, ~m, clip, beta)

    clipping = {
        "the ratio is not clipped": loss(clipped=lambda ratio, clip: ratio),
        "the clipped ratio is always taken: it is the smaller of the two products":
            loss(pick=lambda ratio, other, a: other * a),
        "the smaller ratio was taken before it meets A: the smaller of the two products is asked for":
            loss(pick=lambda ratio, other, a: torch.minimum(ratio, other) * a),
    }
    leashes = {
        "the leash is the absolute value of d": torch.abs,
        "the leash is the square of d": torch.square,
        "the leash is half the square of d": lambda d: d**2 / 2,
        "the 1 is added": lambda d: d.exp() - d + 1,
        "d is added": lambda d: d.exp() + d - 1,
        "d is missing": lambda d: d.exp() - 1,
        "the leash is exp(d) alone": torch.exp,
        "this leash is -log-ratio: the sign of d": lambda d: d,
    }
    check.mistakes({
        "the sign is missing: a loss falls when what was good gets likelier": loss(sign=1.0),
        "this is the sum; the mean over the answers is asked for":
            loss(total=lambda each, m: (each.sum(1) / m.sum(1)).sum()),
        "one mean over all tokens: first the mean of each answer, then that of the answers":
            loss(total=lambda each, m: each.sum() / m.sum()),
        "the tokens of an answer are summed up: their mean is asked for":
            loss(total=lambda each, m: each.sum(1).mean()),
        "this divides by the length of a row: only what was written counts": loss(total=lambda each, m: each.mean()),
        "the sum of all is not divided at all": loss(total=lambda each, m: each.sum()),
        "tokens that the policy did not write are counted: `written` leaves them out": read_all,
        "the tokens that do not count were counted, and the others not": others_read,
        "this is one ratio for the answer as a whole (GSPO): each token has its own": by_answer,
        "this is one mean for each answer before the ratio: each token has its own ratio": by_mean,
        **clipping,
        "the larger of the two products was taken: the smaller is asked for":
            loss(pick=lambda ratio, other, a: torch.maximum(ratio * a, other * a)),
        "the ratio is upside down: new over old": loss(lambda new, old: (old - new).exp()),
        "this is the logarithm of the ratio: take exp": loss(lambda new, old: new - old),
        "the ratio is exp of the difference of logarithms: 1 plus the difference is near it only where it is small":
            loss(lambda new, old: 1 + new - old),
        "the leash is missing: beta times the estimate of KL": loss(leash=0.0),
        "the leash pulls the wrong way: the estimate of KL must make the loss larger, here it makes it smaller":
            loss(leash=-1.0),
        "the ratio is to the policy that wrote the answers, not to the reference":
            lambda new, old, ref, a, m, clip, beta: loss()(new, ref, ref, a, m, clip, beta),
        "this is the log-ratio alone: the estimate is exp(d) - d - 1 with d = ref - new":
            loss(kl=lambda new, ref: new - ref),
        "d has the wrong sign: it is the reference's log-probability less the policy's":
            loss(kl=lambda new, ref: estimate(ref, new)),
        "the 1 in exp(d) - d - 1 is missing": loss(kl=lambda new, ref: (ref - new).exp() - (ref - new)),
        "this is REINFORCE: the ratio to the policy that wrote the answers is missing":
            lambda new, old, ref, a, m, clip, beta: -of_answers(a[:, None] * torch.where(m, new, 0.0), m),
        "the log-probabilities are divided: the ratio is exp of their difference":
            loss(lambda new, old: torch.where(old != 0, new / torch.where(old != 0, old, 1.0), 1.0)),
        "the clip is 0.2 whatever is asked for: `clip` is an argument":
            lambda new, old, ref, a, m, clip, beta: loss()(new, old, ref, a, m, 0.2, beta),
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
        "beta multiplies the gain, too: it belongs before the leash only":
            lambda new, old, ref, a, m, clip, beta: beta * loss()(new, old, ref, a, m, clip, 1.0),
        "d is of the policy that wrote the answers: it is the reference's less the policy's now":
            lambda new, old, ref, a, m, clip, beta:
                loss(leash=0.0)(new, old, ref, a, m, clip, beta)
                + beta * of_answers(torch.where(m, estimate(old, ref), 0.0), m),
        "d is to the policy that wrote the answers: it is to the reference":
            lambda new, old, ref, a, m, clip, beta:
                loss(leash=0.0)(new, old, ref, a, m, clip, beta)
                + beta * of_answers(torch.where(m, estimate(new, old), 0.0), m),
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

    def fresh(n, T=4, stretch=0.4):
        new = -4 * torch.rand(n, T, generator=draw) - 1
        old = new + stretch * torch.randn(n, T, generator=draw)
        ref = new + 0.5 * torch.randn(n, T, generator=draw)
        written = torch.rand(n, T, generator=draw) < 0.6
        written[torch.arange(n), torch.randint(T, (n,), generator=draw)] = True
        return new, old, ref, torch.randn(n, generator=draw), written

    def by_hand(new, old, ref, a, written, clip, beta):
        """The same in plain numbers: the ratio stays the same where it would gain by going further."""
        found = 0.0
        plain = [v.double().tolist() for v in (new, old, ref, a)]
        for row in zip(*plain, written.tolist(), strict=True):
            advantage, each = row[3], []
            for p, o, f, counts in zip(row[0], row[1], row[2], row[4], strict=True):
                if not counts:
                    continue
                ratio = math.exp(p - o)
                ratio = min(ratio, 1 + clip) if advantage > 0 else max(ratio, 1 - clip)
                each.append(ratio * advantage - beta * (math.exp(f - p) - (f - p) - 1))
            found += sum(each) / len(each)
        return -found / len(new)

    for n, T, clip, beta in [(6, 4, 0.2, 0.3), (9, 3, 0.1, 1.5), (4, 6, 0.3, 0.2), (7, 5, 0.2, 0.0)]:
        case = fresh(n, T)
        check(grpo_loss, *case, clip, beta).equals(
            by_hand(*case, clip, beta), about="fresh answers", rtol=1e-3, atol=1e-5)
    for n, T, clip, beta, stretch, about in [
        (90, 3, 0.2, 0.1, 0.4, "many answers"), (6, 4, 0.02, 0.1, 0.4, "a narrow clip, a wide one"),
        (30, 4, 0.98, 0.1, 1.6, "a narrow clip, a wide one"), (1, 5, 0.2, 0.3, 0.4, "one answer, answers of one token"),
        (5, 1, 0.2, 0.3, 0.4, "one answer, answers of one token"),
    ]:
        case = fresh(n, T, stretch)
        check(grpo_loss, *case, clip, beta).equals(
            by_hand(*case, clip, beta), about=about, edge=True, rtol=1e-3, atol=1e-5)
    new, old, ref, a, written = fresh(5)
    for case in [(new - 90, old - 90, ref - 90, a), (new, old, ref, 70 * a), (new, new, new, a)]:
        check(grpo_loss, *case, written, 0.2, 0.3).equals(
            by_hand(*case, written, 0.2, 0.3), about="unlikely answers, large advantages, nothing moved yet", edge=True,
            rtol=1e-3, atol=1e-4)
    away = torch.where(written, 0.0, 2000.0)
    right = by_hand(new, old, ref, a, written, 0.2, 0.3)
    for shifts in [(0, -1, 0), (0, 0, 1), (-1, 0, 0)]:
        case = [part + shift * away for part, shift in zip((new, old, ref), shifts, strict=True)]
        check(grpo_loss, *case, a, written, 0.2, 0.3).equals(
            right, about="what was not written is far away", edge=True, rtol=1e-3, atol=1e-5,
            near={"what was not written made the value infinite or nan: leave it out before exp()": float("nan")})
    *case, written = fresh(5)
    *probabilities, advantages = (v.double() * torch.pi / 3 for v in case)
    case = *(v - 500 for v in probabilities), advantages, written  # float32 has a few digits left of a ratio
    check(grpo_loss, *case, 0.2, 0.3).equals(  # a share of float32, such as 1 / written.sum(1), does no harm
        by_hand(*case, 0.2, 0.3), about="a loss in float64", edge=True, rtol=1e-6, atol=1e-6)
    for n, clip, beta in [(6, 0.2, 0.4), (8, 0.15, 0.0), (5, 0.2, 0.7)]:
        case = fresh(n)
        if n == 5:  # the first step, when nothing has moved yet
            case = case[0], case[0].clone(), *case[2:]
        leaf = case[0].clone().requires_grad_()
        losses = clipping | {"no gradient comes from the leash": loss(leash=0.0)}
        values = {words: [torch.autograd.grad(other(leaf, *case[1:], clip, beta), leaf)[0]]
                  for words, other in losses.items()}
        right = torch.autograd.grad(loss()(leaf, *case[1:], clip, beta), leaf)[0]
        check(slopes, grpo_loss, *case, clip, beta, fixed=(1, 2, 3, 4)).equals(
            [right], about="the gradient of the log-probabilities", rtol=1e-3, atol=1e-5, weight=2,
            near={**values, "there is no gradient: is something detached?": RuntimeError})

    def left_out_late(new, old, ref, a, m, clip, beta):
        ratio, clipped = (new - old).exp(), clamped((new - old).exp(), clip)
        gain = smaller(ratio, clipped, a[:, None]) - beta * estimate(new, ref)
        return -of_answers(torch.where(m, gain, 0.0), m)

    new, old, ref, a, written = fresh(5)
    away = torch.where(written, 0.0, 1000.0)
    case = new, old - away, ref + away, a, written, 0.2, 0.3
    leaf = new.clone().requires_grad_()
    right, late = (torch.autograd.grad(way(leaf, *case[1:]), leaf)[0] for way in (loss(), left_out_late))
    check(slopes, grpo_loss, *case, fixed=(1, 2, 3, 4)).equals(
        [right], about="gradients where what was not written is far away", edge=True, rtol=1e-3, atol=1e-5, near={
            "the gradient is nan where nothing was written: leave that out before exp(), not behind it": [late]})
    ### END HIDDEN TESTS


score
