from helpers.checks import graded


@graded("triplet", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    swapped = "positive and negative are exchanged: the loss is large where the negative is ahead"
    summed = "the mean over the batch is asked, not the sum"
    no_tau, times = "the temperature is missing", "similarities are divided by the temperature, not multiplied"
    alone = "the positive belongs in the denominator, too"
    ignored = "the argument temperature was ignored"
    sign = "a minus is missing in front of the logarithm"
    probability = "this is the probability: its negative logarithm is asked"
    import numpy as np
    import torch.nn.functional as F

    ahead = "the exponent was cut off at {}: a larger loss stays there, without a gradient; softplus needs no cut"

    def hinge(lead=lambda p, n, m: n - p + m, end=lambda v: v.clamp(min=0), mean=torch.mean, sign=1):
        return lambda p, n, margin=0.5: sign * mean(end(lead(p, n, margin)))

    check.mistakes({
        "a minus stands in front: making this small pushes the negative above the positive. Turn the sign round":
            hinge(sign=-1),
        swapped: hinge(lead=lambda p, n, m: p - n + m),
        "below 0 the loss stops: what is ahead by the margin has no loss at all": hinge(end=lambda v: v),
        "the margin is missing": hinge(lead=lambda p, n, m: n - p),
        summed: hinge(mean=torch.sum),
        "the margin is added to the negative's lead, not subtracted": hinge(lead=lambda p, n, m: n - p - m),
        "the argument margin was ignored": lambda p, n, margin=0.5: hinge()(p, n),
        "the floor stands at 0 of each triplet, before the mean, not after it": hinge(
            end=lambda v: v, mean=lambda v: v.mean().clamp(min=0)),
        "the floor stands under the lead; the margin is added before it": hinge(
            lead=lambda p, n, m: (n - p).clamp(min=0) + m),
        "min was taken where max is asked": hinge(end=lambda v: v.clamp(max=0)),
        "the loss is squared": hinge(end=lambda v: v.clamp(min=0) ** 2),
        "the absolute value was taken: ahead by the margin is no loss": hinge(end=torch.abs),
        "one loss for each triplet came: their mean is asked": hinge(mean=lambda v: v),
        "the mean of those triplets that lose was taken: all count": hinge(mean=lambda v: v.sum() / (v > 0).sum()),
        "a positive that is ahead by less than the margin has a loss, too": lambda p, n, margin=0.5: (
            torch.where(p > n, 0.0, n - p + margin).mean()),
        "a margin of 0 is a margin, too: here another took its place": lambda p, n, margin=0.5: (
            hinge()(p, n, margin or 0.5)),
        "the largest loss of the batch came: the mean is asked": hinge(mean=torch.amax),
        **{f"without an argument the margin is 0.5, not {m}": lambda p, n, margin=m: hinge()(p, n, margin)
           for m in (0, 0.1, 0.2, 1)},
        "the margin was multiplied with the positive: it is added": hinge(lead=lambda p, n, m: n - m * p),
        "the lead was multiplied by the margin: it is added": hinge(lead=lambda p, n, m: (n - p) * m),
        "this is the share of triplets that lose: by how much is asked": hinge(end=lambda v: (v > 0).float()),
    }, margin_loss)

    def soft(s=lambda p, n, t: (n - p) / t, end=F.softplus, mean=torch.mean):
        return lambda p, n, temperature=0.1: mean(end(s(p, n, temperature)))

    check.mistakes({
        no_tau: soft(lambda p, n, t: n - p), times: soft(lambda p, n, t: (n - p) * t),
        swapped: soft(lambda p, n, t: (p - n) / t), alone: soft(end=lambda v: v), summed: soft(mean=torch.sum),
        sign: soft(end=lambda v: -F.softplus(v)), probability: soft(end=lambda v: torch.sigmoid(-v)),
        "the logarithm of the mean was taken: the mean of the logarithms is asked": soft(
            end=lambda v: torch.sigmoid(-v), mean=lambda v: -v.mean().log()),
        "this is the loss of the mean similarities: the mean of the losses is asked": soft(
            lambda p, n, t: (n - p).mean()[None] / t),
        ignored: lambda p, n, temperature=0.1: soft()(p, n),
        "one loss for each triplet came: their mean is asked": soft(mean=lambda v: v),
        "the softmax ran over the batch: it belongs to the two scores of each triplet": lambda p, n, temperature=0.1: (
            -(p / temperature).log_softmax(0).mean()),
        "softmax ran over the whole batch: each triplet is a choice for itself": lambda p, n, temperature=0.1: (
            -(torch.cat([p, n]) / temperature).log_softmax(0)[: len(p)].mean()),
        "base 2 was taken: the natural logarithm is asked": soft(end=lambda v: F.softplus(v) / np.log(2)),
        "the temperature divides the loss: inside, it divides the similarities": lambda p, n, temperature=0.1: (
            soft(lambda p, n, t: n - p)(p, n) / temperature),
        "multiplied by the temperature at the end (F.softplus does so with its beta)": lambda p, n, temperature=0.1: (
            soft()(p, n, temperature) * temperature),
        "a margin was added to the similarities: this loss has none": soft(lambda p, n, t: (n - p + 0.5) / t),
        "a margin was added to the exponent: this loss has none": soft(lambda p, n, t: (n - p) / t + 0.5),
        "the temperature divides twice": soft(lambda p, n, t: (n - p) / t / t),
        "the largest loss of the batch came: the mean is asked": soft(mean=torch.amax),
    } | {
        ahead.format(most): soft(lambda p, n, t, most=most: ((n - p) / t).clamp(max=most))
        for most in (1, 5, 10, 15, 20, 30, 40, 50, 60, 64, 70, 80, 85, 87, 88)
    }, softmax_triplet)
    ### END MISTAKES
    good, bad = torch.tensor([0.9]), torch.tensor([0.5])
    check(margin_loss, good, torch.tensor([0.2]), 0.5).equals(0.0, atol=1e-6, about="the good triplet")
    check(margin_loss, bad, torch.tensor([0.8]), 0.5).equals(0.8, atol=1e-6, about="the bad triplet")
    check(margin_loss, torch.tensor([0.85, 0.45, 0.9]), torch.tensor([0.8, 0.7, 0.25]), 0.2).equals(
        0.2, atol=1e-5)
    check(softmax_triplet, torch.tensor([0.9]), torch.tensor([0.2]), 0.1).equals(
        9.114665e-04, rtol=1e-3)
    check(softmax_triplet, torch.tensor([0.3, 0.5]), torch.tensor([0.4, -0.2]), 0.5).equals(
        0.5092781, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    p, q = torch.tensor([0.9, 0.1]), torch.tensor([0.2, 0.4])
    pull, share = torch.tensor([0.0, -0.5]), torch.tensor([-0.1978161, -0.6456563])
    for function, want in [(margin_loss, pull), (softmax_triplet, share)]:
        check(slopes, function, p, q, 0.5).equals([want, -want], about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    infinite, nan = float("inf"), float("nan")
    check(softmax_triplet, torch.tensor([-1.0]), torch.tensor([1.0]), 0.004).equals(
        500.0, about="a low temperature", edge=True, rtol=1e-4, near={
            "overflow: exp of hundreds is infinite, and of minus hundreds 0; softplus needs neither": infinite,
            "overflow: exp of hundreds is infinite, and infinity over infinity no number; call softplus": nan})
    ### BEGIN HIDDEN TESTS
    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def draw(n, scale=1.0):
        return [torch.from_numpy(check.rng.uniform(-scale, scale, size=n)) for _ in "pq"]

    def short(p, q, m):
        return float(np.mean([max(b - a + m, 0.0) for a, b in zip(p.tolist(), q.tolist(), strict=True)]))

    for n, m in [(4, 0.5), (7, 0.2), (3, 1.3), (5, 0.01), (6, 0)]:
        p, q = (v.float() for v in draw(n))
        check(margin_loss, p, q, m).equals(short(p, q, m), about="fresh triplets", rtol=1e-4, atol=1e-6)
    for n, scale in [(90, 1), (5, 100)]:
        p, q = (v.float() for v in draw(n, scale))
        check(margin_loss, p, q, 0.7).equals(short(p, q, 0.7), about="large batches, large similarities", rtol=1e-4)
    p, q = draw(5)
    check(margin_loss, p, q, 0.3).holds(**float64_kept(short(p, q, 0.3)))
    check(margin_loss, p.float(), q.float()).equals(
        short(p, q, 0.5), about="the margin by default", edge=True, rtol=1e-4)
    check(margin_loss, p + 3, q).equals(0.0, about="all ahead by the margin", edge=True, atol=1e-6,
                                        near={"0 divided by 0: the mean is over all triplets": float("nan")})
    check(margin_loss, p[:1].float(), q[:1].float() + 2, 0.3).equals(
        short(p[:1], q[:1] + 2, 0.3), about="a single triplet", edge=True, rtol=1e-4)

    def choice(p, q, t):
        return F.cross_entropy(torch.stack([p, q], 1).double() / t, torch.zeros(len(p), dtype=torch.long))

    for n, t in [(4, 0.1), (6, 0.7), (3, 2.0), (5, 0.02)]:
        p, q = (v.float() for v in draw(n))
        check(softmax_triplet, p, q, t).equals(choice(p, q, t), about="fresh triplets for softmax", rtol=1e-4)
    for n, scale in [(90, 1), (5, 100)]:
        p, q = (v.float() for v in draw(n, scale))
        check(softmax_triplet, p, q, 0.8).equals(
            choice(p, q, 0.8), about="large batches, large similarities, for softmax", rtol=1e-4)
    p, q = draw(5)
    check(softmax_triplet, p, q).holds(**float64_kept(choice(p, q, 0.1)))
    check(softmax_triplet, p[:1].float(), q[:1].float(), 0.6).equals(
        choice(p[:1], q[:1], 0.6), about="a single triplet", edge=True, rtol=1e-4)
    check(softmax_triplet, torch.tensor([-1.0, 1.0, 0.5]), torch.tensor([1.0, -1.0, 0.8]), 0.002).equals(
        383.3333, about="a low temperature", edge=True, rtol=1e-4,
        near={"overflow: exp of hundreds is infinite": float("nan"),
              "overflow: exp of minus hundreds is 0, and its logarithm infinite": float("inf"),
              "a small number inside the logarithm hides how large the loss is": 12.28045},
    )
    p, q = torch.tensor([0.9, 0.1, -0.4, 0.3]), torch.tensor([0.2, 0.4, -0.3, -0.1])
    pull = torch.tensor([0.0, -0.25, -0.25, -0.25])  # the first is ahead by the margin
    share = -torch.sigmoid((q - p) / 0.3) / 0.3 / 4
    for function, last, want in [(margin_loss, 0.5, pull), (softmax_triplet, 0.3, share)]:
        check.mistakes({})
        check(slopes, function, p, q, last).equals(
            [want, -want], about="the gradients of both losses", rtol=1e-3, atol=1e-6, weight=2,
            near=lost,
        )
    p, q = torch.tensor([-1.0, 1.0, 0.5]), torch.tensor([1.0, -1.0, 0.501])
    pull = torch.tensor([-1.0, 0.0, -0.6224633]) / 0.002 / 3
    check(slopes, softmax_triplet, p, q, 0.002).equals(
        [pull, -pull], about="the gradients at a low temperature", rtol=1e-3, atol=1e-6, edge=True,
        near={"the gradient is NaN: torch.where lets that of an infinity through; call softplus or logsumexp": [
            torch.tensor([torch.nan, *pull[1:]]), torch.tensor([torch.nan, *-pull[1:]])],
              "no gradient where the loss is largest: a clamp cut it off; softplus or logsumexp needs none": [
            torch.tensor([0.0, *pull[1:]]), torch.tensor([0.0, *-pull[1:]])]},
    )
    ### END HIDDEN TESTS


score
