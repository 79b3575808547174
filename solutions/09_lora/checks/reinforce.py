from helpers.checks import graded


@graded("reinforce", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    no_baseline = "the baseline is missing: subtract the mean return of the batch"

    check.mistakes({
        "the leash pulls the wrong way: beta times (the policy's less the reference's) is subtracted":
            lambda w, p, q, b: w + b * (p - q),
        "the reference is missing in the leash": lambda w, p, q, b: w - b * p,
        "beta is missing": lambda w, p, q, b: w - (p - q),
        "one mean for the batch: each text has its own log-ratio": lambda w, p, q, b: w - b * (p - q).mean(),
        "this is the leash alone: the rewards are missing": lambda w, p, q, b: -b * (p - q),
        "the reward is multiplied by beta": lambda w, p, q, b: b * (w - (p - q)),
        "the ratio of the probabilities is taken; its logarithm is asked for": lambda w, p, q, b: w - b * (p - q).exp(),
        "the leash is the absolute value of the log-ratio": lambda w, p, q, b: w - b * (p - q).abs(),
        "the log-ratio may be negative, too: here it is cut at 0": lambda w, p, q, b: w - b * (p - q).clamp(min=0),
        "the log-ratio is weighted by the probability: the texts are drawn by it already":
            lambda w, p, q, b: w - b * p.exp() * (p - q),
        "the ratio of the probabilities, less 1, is taken; the log-ratio is asked for":
            lambda w, p, q, b: w - b * ((p - q).exp() - 1),
        "this is GRPO's estimate, exp(d) - d - 1: here the leash is the log-ratio":
            lambda w, p, q, b: w - b * ((q - p).exp() - (q - p) - 1),
        "one sum for the batch: each text has its own log-ratio": lambda w, p, q, b: w - b * (p - q).sum(),
        "beta multiplies the log-ratio; it does not divide it": lambda w, p, q, b: w - (p - q) / b,
        "the log-probabilities are divided: they are subtracted": lambda w, p, q, b: w - b * p / q,
        "the policy is missing in the leash": lambda w, p, q, b: w + b * q,
        "the policy is missing in the leash, and the sign is wrong": lambda w, p, q, b: w - b * q,
        "beta belongs before the log-ratio, not before the reward": lambda w, p, q, b: b * w - (p - q),
        "the log-ratio is multiplied by the reward: it is subtracted from it": lambda w, p, q, b: w * b * (p - q),
        "the log-ratio is weighted by the reference's probability: the texts are drawn already":
            lambda w, p, q, b: w - b * q.exp() * (p - q),
        "the mean of the rewards is subtracted here: that is the baseline, in the loss":
            lambda w, p, q, b: w - w.mean() - b * (p - q),
        "the reference's share of beta is missing: beta belongs before both": lambda w, p, q, b: w - b * p + q,
        "the rewards are multiplied by 1 - beta": lambda w, p, q, b: (1 - b) * w - b * (p - q),
        "the leash is the square of the log-ratio": lambda w, p, q, b: w - b * (p - q) ** 2,
    }, leashed)
    losses = {
        no_baseline: lambda p, w: -(w * p).mean(),
        "the sign is wrong: a loss falls when what was good gets likelier":
            lambda p, w: ((w - w.mean()) * p).mean(),
        "this is the sum; the mean over the batch is asked for": lambda p, w: -((w - w.mean()) * p).sum(),
        "the advantages are divided by their spread: only the mean is subtracted here":
            lambda p, w: -((w - w.mean()) / w.std() * p).mean(),
        "the advantages are divided by their spread (of the population): only the mean is subtracted here":
            lambda p, w: -((w - w.mean()) / w.std(correction=0) * p).mean(),
        "the mean is of the others alone, or divides by B - 1: the mean of the whole batch is asked for":
            lambda p, w: -((w - w.mean()) * len(w) / (len(w) - 1) * p).mean(),
        "the probabilities are multiplied, not their logarithms": lambda p, w: -((w - w.mean()) * p.exp()).mean(),
        "the baseline is the median, the mean is asked for": lambda p, w: -((w - w.median()) * p).mean(),
        "the mean return is added: it is subtracted": lambda p, w: -((w + w.mean()) * p).mean(),
        "the baseline is the largest return, the mean is asked for": lambda p, w: -((w - w.max()) * p).mean(),
        "the baseline is the least return, the mean is asked for": lambda p, w: -((w - w.min()) * p).mean(),
        "the baseline is half the mean: the whole is asked for": lambda p, w: -((w - w.mean() / 2) * p).mean(),
        "the baseline is the sum of the returns: their mean is asked for": lambda p, w: -((w - w.sum()) * p).mean(),
        "the baseline is the mean of the log-probabilities: that of the returns is asked for":
            lambda p, w: -((w - p.mean()) * p).mean(),
        "what was judged badly counts, too: here it is cut at 0":
            lambda p, w: -((w - w.mean()).clamp(min=0) * p).mean(),
        "the sign of the advantage alone counts here: its size does, too":
            lambda p, w: -((w - w.mean()).sign() * p).mean(),
        "the absolute value of the advantage is taken: its sign counts":
            lambda p, w: -((w - w.mean()).abs() * p).mean(),
        "the square of the advantage is taken: the advantage itself is asked for":
            lambda p, w: -((w - w.mean()) ** 2 * p).mean(),
        "the baseline is missing in the product: it is subtracted from each return, not at the end":
            lambda p, w: -((w * p).mean() - w.mean()),
        "the baseline is missing in the product: each return has it, not the mean at the end":
            lambda p, w: -(w * p).mean() - w.mean(),
        "two means were multiplied: the mean of the products is asked for": lambda p, w: -w.mean() * p.mean(),
        "the mean of the advantages is 0 by itself: each meets its own log-probability first":
            lambda p, w: -(w - w.mean()).mean() * p.mean(),
        "one number for each text came back: their mean is asked for": lambda p, w: -(w - w.mean()) * p,
    }
    check.mistakes(losses, reinforce_loss)

    def slope(loss):
        """What `slope_of_loss` gives for a loss."""
        def gradient(logps, factors):
            leaf = logps.detach().clone().requires_grad_()
            return torch.autograd.grad(loss(leaf, factors * leaf), leaf)[0]

        return gradient

    def detached(loss):
        return lambda p, w: loss(p, w.detach())

    through = "the gradient flows through the returns, too: detach them"
    check.mistakes({words: slope(detached(loss)) for words, loss in losses.items()} | {
        through: slope(lambda p, w: -((w - w.mean()) * p).mean()),
        "the returns are to be detached, too, not their mean alone":
            slope(lambda p, w: -((w - w.mean().detach()) * p).mean()),
    }, slope_of_loss)
    ### END MISTAKES
    t = torch.tensor
    rewards, logps, ref = t([1.0, -0.5, 2.0]), t([-2.0, -3.0, -1.5]), t([-3.0, -1.0, -2.0])
    check(leashed, rewards, logps, ref, 0.3).equals([0.7, 0.1, 1.85])
    check(carries_gradient, leashed, rewards, logps, ref, 0.3).equals(
        False, about="R without a gradient",
        near={"R has a gradient: detach it, the rewards and both log-probabilities": True})
    check(reinforce_loss, logps, t([0.7, 0.1, 1.85])).equals(-0.4222222, rtol=1e-4)
    check(slope_of_loss, logps, t([1.0, 0.5, -1.0])).equals(
        [4 / 9, 5 / 18, -13 / 18], rtol=1e-4, about="returns that depend on logps")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def fresh(n):
        return tuple(torch.randn(n, generator=draw) + shift for shift in (2, -9, -8))

    def returns(w, p, q, beta):
        return [a - beta * (b - c) for a, b, c in zip(w.tolist(), p.tolist(), q.tolist(), strict=True)]

    for n, beta in [(4, 0.1), (7, 1.5), (4, 0.1)]:
        case = *fresh(n), beta
        check(leashed, *case).equals(returns(*case), about="fresh rewards", rtol=1e-4, atol=1e-5)
    for n, beta, size, about in [
        (1, 0.4, 1.0, "one text"), (90, 0.4, 60.0, "many texts, large numbers"), (3, 0.02, 1.0, "a leash near 0"),
        (3, 0.0, 1.0, "a leash near 0"),
    ]:
        case = *(size * v for v in fresh(n)), beta
        check(leashed, *case).equals(returns(*case), about=about, edge=True, rtol=1e-4, atol=1e-5 * size, near={
            "one text, too, gives a tensor of shape (1,)": returns(*case)[0]})
    case = *(torch.pi * v.double() for v in fresh(3)), 1 / 3
    check(leashed, *case).equals(returns(*case), about="float64", edge=True, rtol=1e-10, atol=1e-12)
    for n in (4, 7):
        w, p, _ = fresh(n)
        centred = w.double() - w.double().mean()
        right = -float(centred @ p.double()) / n
        check(reinforce_loss, p, w).equals(right, about="fresh returns", rtol=1e-3, atol=1e-5)
    for n, size, scale in [(90, 1.0, 20.0), (5, 60.0, 1.0)]:
        w, p, _ = fresh(n)
        w, p = size * w.double(), scale * p.double()
        right = -float((w - w.mean()) @ p) / n
        check(reinforce_loss, p, w).equals(right, about="many texts, large returns", edge=True, rtol=1e-9, atol=1e-10)

    def bent(p, q, w, beta, advantage=True):
        p = p.clone().requires_grad_()
        back = w - beta * (p - q)
        loss = -((back - back.mean() * advantage) * p).mean()
        return [torch.autograd.grad(loss, p)[0]]

    def straight(p, q, w, beta, centre=True):
        back = w - beta * (p - q)
        return [-(back - back.mean() * centre) / len(p)]

    check.mistakes({}, reinforce_loss)
    w, p, _ = fresh(5)
    back = w * p
    no_flow = "the log-probabilities have no gradient: the returns alone are plain numbers"
    check(slope_of_loss, p, w).equals(
        -(back - back.mean()) / 5, about="the gradient flows to logps only", rtol=1e-3, atol=1e-5, weight=2,
        near={no_flow: RuntimeError})
    for n, beta in [(5, 0.4), (6, 1.1)]:
        w, p, q = fresh(n)
        check(slopes, leashed_loss, p, q, w, beta, fixed=(1, 2)).equals(
            straight(p, q, w, beta), about="the gradient of both together", rtol=1e-3, atol=1e-5,
            near={through: bent(p, q, w, beta), no_baseline: straight(p, q, w, beta, centre=False)},
        )
    w, p, _ = fresh(3)
    check(reinforce_loss, p, torch.full((3,), 5.0)).equals(0.0, about="all returns equal", edge=True, atol=1e-4)
    check(reinforce_loss, p[:1], w[:1]).equals(0.0, about="one text alone", edge=True, atol=1e-5)
    ### END HIDDEN TESTS


score
