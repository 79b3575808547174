from helpers.checks import graded


@graded("reward", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np
    import torch.nn.functional as F

    turned = "chosen and rejected are exchanged"
    alone = "the rejected reward is missing: only differences count"

    sigmoid = torch.sigmoid
    check.mistakes({
        turned: lambda c, r: sigmoid(r - c),
        "this is the ratio of the rewards: they may be negative, only their difference counts":
            lambda c, r: c / (c + r),
        alone: lambda c, r: sigmoid(c),
        "these are the differences: their sigmoid is asked for": lambda c, r: c - r,
        "each sigmoid by itself: take the sigmoid of the difference": lambda c, r: sigmoid(c) - sigmoid(r),
        "the share of the sigmoids is taken: the sigmoid of the difference is asked for":
            lambda c, r: sigmoid(c) / (sigmoid(c) + sigmoid(r)),
        "the softmax is over the pairs: each pair has a probability of its own": lambda c, r: (c - r).softmax(0),
        "the softmax of the chosen is over the pairs: each has a probability of its own": lambda c, r: c.softmax(0),
        "the rewards are divided: their difference counts": lambda c, r: sigmoid(c / r),
        "each sigmoid by itself, multiplied: take the sigmoid of the difference":
            lambda c, r: sigmoid(c) * (1 - sigmoid(r)),
        "the absolute value of the difference is taken: its sign counts": lambda c, r: sigmoid((c - r).abs()),
        "this is half the difference, or twice: it counts as it is": lambda c, r: sigmoid((c - r) / 2),
        "the exponential of the difference is not a probability: 1 / (1 + exp(-d)) is": lambda c, r: (c - r).exp(),
        "these are logarithms of probabilities": lambda c, r: sigmoid(c - r).log(),
        "this is the mean: one probability for each pair is asked for": lambda c, r: sigmoid(c - r).mean(),
        "this is 0 or 1, which reward is larger: the probability is asked for": lambda c, r: (c > r).float(),
        "this is tanh; the sigmoid is asked for": lambda c, r: torch.tanh(c - r),
        "the rewards are added; their difference counts": lambda c, r: sigmoid(c + r),
    }, preference)

    def loss(each=lambda d: -torch.nn.functional.logsigmoid(d), reduce=lambda v: v.mean()):
        return lambda c, r: reduce(each(c - r))

    check.mistakes({
        turned: lambda c, r: loss()(r, c),
        alone: lambda c, r: loss()(c, 0 * r),
        "this is the sum over the pairs; the mean is asked for": loss(reduce=lambda v: v.sum()),
        "the logarithm is missing": loss(lambda d: -sigmoid(d)),
        "this is the loss of the mean difference: take the loss of each pair first":
            lambda c, r: loss()(c.mean()[None], r.mean()[None]),
        "this is a hinge loss: -log of the sigmoid is asked for": loss(lambda d: (1 - d).clamp(min=0)),
        "for large differences the logarithm of the sigmoid runs over: F.logsigmoid does not":
            loss(lambda d: -sigmoid(d).log()),
        "the sign is wrong: the loss is minus the logarithm": loss(lambda d: torch.nn.functional.logsigmoid(d)),
        "one loss for each pair came back: their mean is asked for": loss(reduce=lambda v: v),
        "this is the probability of the rejected one, not minus the logarithm": loss(lambda d: 1 - sigmoid(d)),
        "this is a squared error: the logarithm of the probability is asked for": loss(lambda d: (1 - sigmoid(d)) ** 2),
        **{f"a small number inside the logarithm ({eps:g}?) bends large losses: F.logsigmoid needs none": loss(
            lambda d, eps=eps: -(sigmoid(d) + eps).log()) for eps in (1e-6, 1e-8, 1e-9, 1e-10, 1e-12)},
        "chosen and rejected are judged one by one: the sigmoid of their difference is asked for":
            lambda c, r: -(F.logsigmoid(c) + F.logsigmoid(-r)).mean(),
        "each logarithm of a sigmoid by itself: take that of the difference":
            lambda c, r: -(F.logsigmoid(c) - F.logsigmoid(r)).mean(),
        "this is the logarithm of the mean probability: take the mean of the logarithms":
            lambda c, r: -sigmoid(c - r).mean().log(),
        "the loss of both sides was added: only the chosen one's wins":
            lambda c, r: -(F.logsigmoid(c - r) + F.logsigmoid(r - c)).mean(),
        "the logarithm is multiplied by the probability: that is an entropy":
            loss(lambda d: -sigmoid(d) * F.logsigmoid(d)),
        "the sigmoid is taken twice: logsigmoid holds one": loss(lambda d: -F.logsigmoid(sigmoid(d))),
        **{f"the probability is cut off ({eps:g}?) before its logarithm: F.logsigmoid needs no bound": loss(
             lambda d, eps=eps: -sigmoid(d).clamp(eps, 1 - eps if eps > 1e-7 else 1).log())
            for eps in (1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12)},
        "this is the square of the difference from 1": loss(lambda d: (1 - d) ** 2),
        "the loss is divided by two": loss(lambda d: -F.logsigmoid(d) / 2),
        "this is minus the difference itself": loss(lambda d: -d),
        "the logarithm is of base 2: natural logarithms are asked for":
            loss(lambda d: -torch.nn.functional.logsigmoid(d) / np.log(2)),
    }, reward_loss)
    ### END MISTAKES
    chosen, rejected = torch.tensor([2.0, -1.0, 0.5]), torch.tensor([1.0, 1.0, -2.5])
    check(preference, chosen, rejected).equals([0.7310586, 0.1192029, 0.9525741], rtol=1e-4)
    check(reward_loss, chosen, rejected).equals(0.8295926, rtol=1e-4)
    check(reward_loss, torch.tensor([-200.0]), torch.tensor([0.0])).equals(200.0, about="a large difference", rtol=1e-4)
    above, zero = torch.tensor([1.0986123]), torch.tensor([0.0])
    flows = "the gradient of both rewards must flow: is something detached, or a plain number?"
    check(slopes, preference, above, zero).equals(
        [[0.1875], [-0.1875]], about="gradients", rtol=1e-4, near={flows: RuntimeError})
    check(slopes, reward_loss, above, zero).equals([[-0.25], [0.25]], about="gradients", rtol=1e-4, near={
        flows: RuntimeError, flows + " (a float has none)": AttributeError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for n in (4, 7):
        c, r = (3 * torch.randn(n, generator=draw) for _ in "cr")
        right = c.double().exp() / (c.double().exp() + r.double().exp())
        check(preference, c, r).equals(right.float(), about="fresh rewards", rtol=1e-4)
    kept = "one pair, too, gives a tensor of shape (1,)"
    for n, dtype, about in [
        (1, torch.float32, "one pair"), (90, torch.float32, "many pairs"), (3, torch.float64, "float64"),
    ]:
        c, r = (torch.randn(n, generator=draw, dtype=torch.float64).to(dtype) for _ in "cr")
        right = 1 / (1 + (r - c).exp())
        rtol = 1e-9 if dtype == torch.float64 else 1e-4
        check(preference, c, r).equals(right, about=about, edge=True, rtol=rtol, atol=1e-12,
                                       near={kept: right.squeeze()})
    NO_SLOPE = "the gradient of both rewards must flow: is something detached, or a plain number?"
    c, r = (torch.randn(4, generator=draw) for _ in "cr")
    slope = sigmoid(c - r) * sigmoid(r - c)
    check(slopes, preference, c, r).equals([slope, -slope], about="the gradient of the probability", edge=True,
                                           rtol=1e-3, atol=1e-6, near={NO_SLOPE: RuntimeError})
    large = torch.tensor([200.0, -300.0, 400.0])
    check(preference, large, torch.tensor([199.0, 0.0, 300.0])).equals(
        [0.7310586, 0.0, 1.0], about="large rewards", rtol=1e-4, edge=True,
        near={"exp of a reward runs over: take the sigmoid of the difference": [torch.nan, 0.0, torch.nan]},
    )
    for n in (4, 7):
        c, r = (3 * torch.randn(n, generator=draw) for _ in "cr")
        right = np.log1p(np.exp((r - c).double().numpy())).mean()
        check(reward_loss, c, r).equals(right, about="fresh pairs", rtol=1e-4)
        slope = [-(1 - sigmoid(c - r)) / n, (1 - sigmoid(c - r)) / n]
        check(slopes, reward_loss, c, r).equals(slope, about="the gradient", rtol=1e-3, atol=1e-6,
                                             near={NO_SLOPE: RuntimeError})
    for n, dtype, about in [
        (1, torch.float32, "the loss of one pair"), (90, torch.float32, "the loss of many pairs"),
        (3, torch.float64, "the loss in float64"),
    ]:
        c, r = (torch.randn(n, generator=draw, dtype=torch.float64).to(dtype) for _ in "cr")
        right = np.log1p(np.exp((r - c).double().numpy())).mean()
        rtol = 1e-9 if dtype == torch.float64 else 1e-4
        check(reward_loss, c, r).equals(right, about=about, edge=True, rtol=rtol, atol=1e-12)
    far = torch.tensor([-300.0, 0.0, 250.0])
    check(reward_loss, far, -far).equals((600 + np.log(2)) / 3, about="rewards far apart", rtol=1e-5, edge=True)
    far = torch.tensor([-300.0, 0.5, 250.0])  # not 0, where max(0, x) and |x| have no slope
    check(slopes, reward_loss, far, -far).equals(
        [[-1 / 3, -0.08964714, 0.0], [1 / 3, 0.08964714, 0.0]], about="the gradient of rewards far apart", edge=True,
        rtol=1e-3, atol=1e-6, near={NO_SLOPE: RuntimeError})
    ### END HIDDEN TESTS


score
