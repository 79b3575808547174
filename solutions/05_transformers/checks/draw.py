from helpers.checks import graded


@graded("draw", points=3)
def score(check):
    import torch

    greedy = "u is ignored: this is the likeliest token"
    order = "the probabilities were sorted first: they lie in the order of the ids"
    one = "one id too far: the first sum that is greater than u"
    before = "one id too low: the first sum that is greater than u"
    raw = "logits were added up: take their softmax first"
    above = "the first token whose own probability is greater than u: the sums count"
    above_last = "the first token whose own probability is greater than u, or the last one: the sums count"
    back = "the stretches were laid from the last id on"
    logits = torch.tensor([0.2, 0.5, 0.3]).log()
    check(draw_token, logits, 0.1).equals(0, near={
        greedy: 1, order: 1, one: 1, raw: 3, back: 2,
    })
    check(draw_token, logits, 0.65).equals(1, near={
        order: 2, one: 2, before: 0, raw: 3, above: 0, above_last: 2,
    })
    check(draw_token, logits, 0.95).equals(2, near={
        greedy: 1, order: 0, one: 3, before: 1, raw: 3, above: 0, back: 0,
    })
    check(draw_token, torch.tensor([1.0, -1.0, 0.5, 2.0]), 0.6).equals(3, near={
        one: 4, before: 2, raw: 2,
    })
    later = "u = a sum belongs to the next stretch: greater, not greater or equal"
    check(draw_token, torch.zeros(4), 0.25).equals(1, about="u equal to a sum", edge=True, near={later: 0, one: 2})
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def by(p, u, side="right"):
        return int(np.searchsorted(np.cumsum(p), u, side=side))

    def chance(z):
        return z.double().softmax(-1).numpy()

    check.mistakes({
        greedy: lambda z, u: int(z.argmax()),
        order: lambda z, u: int(z.argsort(descending=True)[min(by(np.sort(chance(z))[::-1], u), len(z) - 1)]),
        "the probabilities were sorted, and the place in that order came back": lambda z, u: by(
            np.sort(chance(z))[::-1], u),
        "the probabilities were sorted upwards first": lambda z, u: int(
            z.argsort()[min(by(np.sort(chance(z)), u), len(z) - 1)]),
        one: lambda z, u: by(chance(z), u) + 1, before: lambda z, u: max(by(chance(z), u) - 1, 0),
        "one id too low: -1 is no id": lambda z, u: by(chance(z), u) - 1,
        raw: lambda z, u: int((z.cumsum(-1) <= u).sum()),
        above: lambda z, u: int((chance(z) > u).argmax()),
        above_last: lambda z, u: int((chance(z) > u).argmax()) if (chance(z) > u).any() else len(z) - 1,
        back: lambda z, u: len(z) - 1 - by(chance(z)[::-1], u),
        "u and 1 - u are exchanged": lambda z, u: by(chance(z), 1 - u),
        "the exponentials were not divided by their sum": lambda z, u: int((z.exp().cumsum(-1) <= u).sum()),
        later: lambda z, u: by(chance(z), u, "left"),
        "u was taken as a share of the ids: the probabilities count": lambda z, u: int(u * len(z)),
        "the sum nearest to u was taken: the first sum that is greater than u": lambda z, u: int(
            np.abs(np.cumsum(chance(z)) - u).argmin()),
        "the place among the tokens that are left came back: the id is asked": lambda z, u: by(
            chance(z[z > -torch.inf]), u),
        "the sum came back: the id is asked": lambda z, u: float(np.cumsum(chance(z))[by(chance(z), u)]),
        "the probability came back: the id is asked": lambda z, u: float(chance(z)[by(chance(z), u)]),
        "logits were added up and divided by their sum: take their softmax first": lambda z, u: int(
            (z.double().cumsum(-1) / z.double().sum() <= u).sum()),
        "the last sum that is below u": lambda z, u: max(int((np.cumsum(chance(z)) < u).sum()) - 1, 0),
    })
    for V in (3, 8, 30):
        z = torch.from_numpy(check.rng.normal(size=V) * 1.5).float()
        sums = np.cumsum(np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum())
        for u in check.rng.random(6):
            if np.abs(sums - u).min() > 1e-5:
                check(draw_token, z, float(u)).equals(int(np.argmax(sums > u)), about="fresh logits")
    z = torch.tensor([1.0, 0.0, -2.0, 0.5])
    numbers = np.random.default_rng(5).random(300)
    sums = np.cumsum(np.exp(z.double().numpy()) / np.exp(z.double().numpy()).sum())
    expected = [int(np.argmax(sums > u)) for u in numbers]
    check(lambda: [int(draw_token(z, float(u))) for u in numbers]).equals(
        expected, about="three hundred draws", near={
            "u is ignored: this is the likeliest token each time": [0] * 300,
        },
    )
    check(draw_token, torch.zeros(4), 0.5).equals(2, about="u equal to a sum", edge=True)
    removed = torch.tensor([-torch.inf, 1.0, -torch.inf, 1.0, -torch.inf])
    for u, i in [(0.0, 1), (0.5, 3), (0.9999999, 3)]:
        check(draw_token, removed, u).equals(
            i, about="removed tokens are never drawn", edge=True,
            near={"a token of probability 0 was drawn: the first sum *greater* than u": 0,
                  "a token of probability 0 was drawn, at the end of the line": 4},
        )
    trials = (torch.randn(50, generator=torch.Generator().manual_seed(s)) * 2 for s in range(2000))
    short = next(v for v in trials if v.softmax(0).cumsum(0)[-1].item() < 1)  # in float32
    check.mistakes({})
    for behind in (0, 2):
        z = torch.cat([short, torch.full((behind,), -torch.inf)])
        check(draw_token, z, 1 - 2**-24).equals(  # the largest u below 1 that float32 knows
            49, about="u behind the last sum, which float32 leaves below 1", edge=True,
            near={"no sum is greater than u here, and argmax of nothing is 0": 0,
                  "this id does not exist: the rounded sums end below u": 50 + behind,
                  "a removed token was drawn: the rounded sums end below u": 51},
        )
    check(draw_token, torch.tensor([1000.0, 1000.0]), 0.75).equals(
        1, about="large logits", edge=True,
        near={"e to a large logit is infinite: softmax keeps clear of that": 0,
              "e to a large logit is infinite: softmax keeps clear of that, and of an id that does not exist": 2},
    )
    ### END HIDDEN TESTS


score
