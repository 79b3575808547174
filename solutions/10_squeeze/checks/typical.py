from helpers.checks import graded


@graded("typical", points=5)
def score(check):
    import torch

    inf = float("inf")
    farthest = "the farthest from the entropy come first: the nearest are asked for"

    ### BEGIN MISTAKES
    import numpy as np

    ids = "the ranks were taken for ids: put what you know back in the places of the tokens"
    beyond = "those beyond the sum z stay: they are the tail"
    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked for"

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
        "the likeliest come first here, as in top-p or by a distance with its sign: the nearest on either side do":
            nearest(lambda p: -p),
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

    def bent(
        size=np.abs, first=1, scaled=True, keeps=lambda s, z: s <= z, removed=-inf, ranks=False, left=False,
        by=lambda p: -p, steps=2, own=True, always=True, late=0, short=0,
    ):
        """Tail-free sampling by a loop over the ranks."""

        def apply(logits, z):
            p = chance(logits)
            order = np.argsort(by(p), kind="stable")
            order = [i for i in order if p[i] > 0 or not left]
            q = [p[i] for i in order]
            d = [float(size(v)) for v in np.diff(q, n=steps)]
            d = d[late : len(d) - short]
            whole = sum(d) if scaled else 1.0
            if len(p) < 3 or not any(d) or whole == 0:
                return logits.clone()
            stay = [i + first for i in range(len(d)) if keeps(sum(d[: i + own]) / whole, z)]
            if always:
                stay.append(0)
            if not ranks:
                stay = [order[i] for i in stay if i < len(q)]
            return shown(logits, stay, removed)

        return apply

    def few_left(logits, z):
        return logits.clone() if (logits > -inf).sum() < 3 else bent()(logits, z)

    def flat_gone(logits, z):
        p = chance(logits)
        straight = len(p) > 2 and not np.diff(np.sort(p), n=2).any()
        return shown(logits, [int(p.argmax())]) if straight else bent()(logits, z)

    check.mistakes({
        "the sums are one rank too early: the first judges rank 1, and rank 0 stays in any case": bent(first=0),
        "the sums are one rank too early: each judges the rank after its own, and none judges rank 0, which stays":
            bent(first=0, always=False),
        "these are first differences, without the first of them: the bend is the second difference":
            bent(steps=1, late=1),
        "these are first differences, without the last of them: the bend is the second difference":
            bent(steps=1, short=1),
        "where nothing bends, 0 / 0 is no number: all tokens stay": flat_gone,
        "removed tokens count, too, when it is asked whether there are fewer than three": few_left,
        "the sums are one rank too late: the first judges rank 3, not rank 2, and rank 1 goes": bent(first=2),
        "the second differences are not divided by their sum": bent(scaled=False),
        zero: bent(removed=0.0),
        "the size of a second difference counts, not its sign": bent(size=lambda v: v),
        "a rank stays if the sum with its own d is at most z, not the sum of those before it":
            bent(keeps=lambda s, z: s < z, own=False),
        "these are first differences, how steep the curve is: its bend is the second difference": bent(steps=1),
        "removed tokens are in the curve, too, with the probability 0: here they were left out": bent(left=True),
        "the curve is that of the tokens in the order of their ids: sort the probabilities first":
            bent(by=lambda p: np.arange(len(p))),
        "the curve begins at the least likely: the likeliest comes first": bent(by=lambda p: p),
        ids: bent(ranks=True),
        "a bend of either sign counts, by its size: here one below 0 counts as none":
            bent(size=lambda v: max(v, 0.0)),
        "the squares of the second differences were added: their sizes are asked for": bent(size=np.square),
        beyond: lambda x, z: torch.where(bent()(x, z) == x, -inf, x),
        f"{beyond}, and the likeliest": bent(keeps=lambda s, z: s > z),
        "probabilities came back: return logits": lambda x, z: bent()(x, z).softmax(-1),
        "the logits of those who stay changed: leave them as they are": lambda x, z: bent()(x, z).log_softmax(-1),
        "the last rank goes, too": lambda x, z: torch.where(x == x[x > -inf].min(), x, bent()(x, z)),
    }, keep_tail_free)
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
    sharp = torch.tensor([-3.5065579, -0.1053605, -2.9957323, -3.9120230])  # probabilities .03 .9 .05 .02
    ahead = torch.tensor([0.04, 0.2, 0.03, 0.05, 0.45, 0.06, 0.035, 0.045, 0.025, 0.015, 0.028, 0.022]).log()
    check(keep_typical, ahead, 0.25).equals(
        [v if i in (1, 5) else -inf for i, v in enumerate(ahead.tolist())], about="a likely token and a long tail")
    check(keep_typical, sharp, 0.93).equals([-inf, -0.1053605, -2.9957323, -inf], about="one token far ahead")
    check(keep_tail_free, example, 0.9).equals(left(0, 1, 3, 4))
    after = torch.tensor([1.0, -inf, 0.5, 0.0, -inf, -1.0])
    check(keep_tail_free, after, 0.5).equals([1.0, -inf, 0.5, 0.0, -inf, -inf], about="tokens removed before")
    few = torch.tensor([0.5, -inf, 1.0, -inf])
    check(keep_tail_free, few, 0.2).equals([-inf, -inf, 1.0, -inf], about="two left of four")
    small = "with fewer than three tokens nothing can bend, and all stay"
    check(keep_tail_free, after[2:4], 0.5).equals(
        [0.5, 0.0], about="fewer than three tokens", near={small: [0.5, -inf]})

    def is_new(function, logits, *given):
        return function(logits, *given) is not logits

    check(is_new, keep_tail_free, after[2:4], 0.2).equals(
        True, about="logits of their own", near={"these are the very logits that came in: return new ones": False})
    check(keep_tail_free, torch.tensor([0.5, 0.5, 0.5]), 0.9).equals([0.5] * 3, about="nothing bends", edge=True)
    wavy = torch.tensor([0.1, 0.3, 0.04, 0.28, 0.2, 0.08]).log()  # a curve that bends both ways

    check(keep_tail_free, wavy, 0.6).equals(
        [z if i in (1, 3, 4) else -inf for i, z in enumerate(wavy.tolist())], about="a curve that bends both ways")
    wavy = torch.tensor([0.08, 0.11, 0.03, 0.16, 0.23, 0.14, 0.25]).log()
    check(keep_tail_free, wavy, 0.8).equals(
        [z if i in (3, 4, 6) else -inf for i, z in enumerate(wavy.tolist())], about="a curve that bends both ways")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for level in (torch.tensor([0.25]), torch.tensor([1.5, 1.5, 1.5, 1.5])):
        check(is_new, keep_tail_free, level, 0.5).equals(True, about="logits of their own, where nothing bends")

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

    def tail_free(logits, z, about, edge=False, rtol=1e-5):
        p = np.sort(chance(logits))[::-1]
        d = np.abs(np.diff(np.diff(p)))
        if np.abs(np.cumsum(d) / (d.sum() or 1) - z).min(initial=1) > 1e-4:
            check(keep_tail_free, logits, z).equals(bent()(logits, z), about=about, edge=edge, rtol=rtol)

    for z in (0.2, 0.5, 0.75, 0.9, 0.95, 0.99):
        for V, spread in [(5, 1.0), (9, 2.0), (24, 0.4)]:
            tail_free(made(V, spread), z, "fresh logits, tail-free")
        tail_free(made(9, 1.5, holes=[1, 2]), z, "tokens removed before, tail-free")
        tail_free(made(12, 2.0, torch.float64) + 700, z, "large logits, in doubles, tail-free", edge=True, rtol=1e-12)
        tail_free(made(80, 1.0), z, "many tokens, a small z, tail-free", edge=True)
    for holes in ([0, 2, 5], [1, 3, 4, 6, 7]):
        for z in (0.3, 0.6, 0.8):
            tail_free(made(len(holes) + 5, 0.7, holes=holes), z, "tokens removed before, tail-free")
    tail_free(torch.tensor([0.5, -inf, 0.3, -inf, -inf]), 0.5, "two left of five, tail-free", edge=True)
    for holes in ([0, 3], [1, 2, 4]):
        tail_free(made(len(holes) + 2, 0.5, holes=holes), 0.05, "two left, a small z, tail-free", edge=True)
    tail_free(torch.tensor([0.276, 0.3, 0.134, 0.29]).log(), 0.01, "many tokens, a small z, tail-free", edge=True)
    flat = torch.tensor([1.0, 1.0, 1.0, 1.0])
    check(keep_tail_free, flat, 0.5).equals([1.0] * 4, about="no bend at all", edge=True)
    check.mistakes({}, keep_tail_free)
    for few in ([2.0], [0.5, -1.0], [-3.0, 4.0], [-inf, 1.5], [800.12345678, 799.0]):
        check(keep_tail_free, torch.tensor(few, dtype=torch.float64), 0.5).equals(
            few, about="fewer than three tokens", edge=True, rtol=1e-12, near={
                small: [v if v == max(few) else -inf for v in few]})
    ### END HIDDEN TESTS


score
