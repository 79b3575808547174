from helpers.checks import graded


@graded("typical", points=4)
def score(check):
    import torch

    inf = float("inf")
    farthest = "the farthest from the entropy come first: the nearest are asked"

    ### BEGIN MISTAKES
    import numpy as np

    ids = "the ranks were taken for ids: put what you know back in the places of the tokens"
    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"

    def chance(logits):
        z = logits.double().numpy()
        return np.exp(z - z.max()) / np.exp(z - z.max()).sum()

    def shown(logits, stay, removed=-inf):
        keep = torch.tensor([i in set(stay) for i in range(len(logits))])
        return torch.where(keep, logits, removed)

    def surprise(p):
        return np.array([-np.log(v) if v > 0 else 1e9 for v in p])

    def mean(p):
        return sum(-v * np.log(v) for v in p if v > 0)

    def nearest(order=lambda p: np.abs(surprise(p) - mean(p)), crossing=True, removed=-inf, top=False, more=0,
                ranks=False):
        """Typical sampling by a loop over the tokens, in the order of some number."""

        def apply(logits, mass):
            p, stay, so_far = chance(logits), [], 0.0
            for i in np.argsort(order(p), kind="stable"):
                so_far += p[i]
                if crossing or so_far <= mass:
                    stay.append(i)
                if so_far >= mass:
                    break
            stay += [i for i in np.argsort(order(p), kind="stable") if p[i] > 0][len(stay) :][:more]
            if top:
                stay.append(int(p.argmax()))
            stay = range(len(stay)) if ranks else stay
            return shown(logits, stay, removed)

        return apply

    def first_in(rule):
        """The same, but the nearest token stays in any case."""

        def apply(logits, mass):
            far = int(np.argmin(np.abs(surprise(chance(logits)) - mean(chance(logits)))))
            return torch.where(torch.arange(len(logits)) == far, logits, rule(logits, mass))

        return apply

    check.mistakes({
        "the likeliest come first here, as in top-p: the nearest to the entropy come first": nearest(lambda p: -p),
        farthest: nearest(lambda p: -np.abs(surprise(p) - mean(p))),
        "the token with which the mass is reached belongs to it": first_in(nearest(crossing=False)),
        "the surprise is in bits and the entropy in nats: take both in nats":
            nearest(lambda p: np.abs(surprise(p) / np.log(2) - mean(p))),
        "the distances are multiplied with p: the plain distance from the entropy counts":
            nearest(lambda p: np.where(p > 0, p * np.abs(surprise(p) - mean(p)), 9.0)),
        "the entropy is nan where a token was removed: 0 times the logarithm of 0 counts as 0":
            nearest(lambda p: np.abs(surprise(p) - mean(p)) * (p > 0).all()),
        "the probabilities are compared with the entropy: their surprise -ln p is":
            nearest(lambda p: np.abs(p - mean(p))),
        "only tokens above the entropy have a distance here: it counts on either side":
            nearest(lambda p: np.maximum(surprise(p) - mean(p), 0)),
        "probabilities were compared with e to the minus entropy: the distance of surprise and entropy counts":
            nearest(lambda p: np.abs(p - np.exp(-mean(p)))),
        ids: nearest(ranks=True),
        "one token more than asked stays: it ends with the one at which the mass is reached": nearest(more=1),
        "the token with which the mass is reached belongs to it: here there may be none at all":
            nearest(crossing=False),
        "the least likely come first here: the distance from the entropy counts, on either side":
            nearest(lambda p: np.where(p > 0, p, 2.0)),
        "the entropy is in bits and the surprise in nats: take both in nats":
            nearest(lambda p: np.abs(surprise(p) - mean(p) / np.log(2))),
        zero: nearest(removed=0.0),
        "the likeliest token was kept as well: this filter may drop it": nearest(top=True),
        "probabilities came back: return logits": lambda z, m: nearest()(z, m).softmax(-1),
        "the logits of those who stay changed: leave them as they are": lambda z, m: nearest()(z, m).log_softmax(-1),
        "the order of the tokens changed: each keeps its place":
            lambda z, m: nearest()(z, m)[torch.from_numpy(np.argsort(np.abs(surprise(chance(z)) - mean(chance(z)))))],
    }, keep_typical)
    ### END MISTAKES
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    check(keep_typical, example, 0.3).equals(left(3, 4))
    check(keep_typical, example, 0.6).equals(
        left(1, 3, 4),
        near={farthest + " (the mass is reached just here)": left(0, 1, 2, 5, 6)},
    )
    after = torch.tensor([-inf, 0.0, 0.5, 1.5, -1.0])
    check(keep_typical, after, 0.4).equals([-inf, -inf, 0.5, 1.5, -inf], about="a token removed before")
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def typical(logits, mass, about, edge=False, rtol=1e-5):
        p = chance(logits)
        far = np.abs(surprise(p) - mean(p))
        sums = np.cumsum(p[np.argsort(far)])
        near_tie = np.diff(np.sort(far[p > 0])).min(initial=1) < 1e-4 or np.abs(sums - mass).min() < 1e-4
        if not near_tie or mass == 1:
            check(keep_typical, logits, mass).equals(
                nearest()(logits, mass), about=about, edge=edge, rtol=rtol)

    def made(V, spread, dtype=torch.float32, holes=()):
        logits = torch.from_numpy(check.rng.normal(0.3, spread, size=V)).to(dtype)
        logits[list(holes)] = -inf
        return logits

    for mass in (0.15, 0.3, 0.5, 0.7, 0.9, 0.97):
        for V, spread in [(6, 1.0), (11, 2.0), (30, 1.5)]:
            typical(made(V, spread), mass, "fresh logits, typical")
        typical(made(9, 1.5, holes=[0, 4, 5]), mass, "tokens removed before, typical")
        typical(made(12, 2.0, torch.float64) + 700, mass, "large logits, in doubles, typical", edge=True, rtol=1e-12)
        typical(made(80, 1.0), mass, "many tokens, a small mass, typical", edge=True)
    for _ in range(4):
        typical(made(80, 0.5), 0.015, "many tokens, a small mass, typical", edge=True)
    typical(torch.tensor([2.0]), 0.4, "one token, typical", edge=True)
    typical(torch.tensor([-inf, 5.0, -inf]), 0.4, "one token, typical", edge=True)
    typical(made(7, 1.0), 1.0, "a mass of 1", edge=True)
    ### END HIDDEN TESTS


score
