from helpers.checks import graded


@graded("cutoffs", points=8)
def score(check):
    import torch

    inf = float("inf")
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    nothing = "every token was removed: the likeliest always stays"
    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    chances = "these are probabilities: return logits"
    bits = "these are bits: the entropy is asked in nats, with the natural logarithm"
    minus = "the sign is turned round: the entropy is never negative"
    below = "those below the line stay, or all do: those that reach it are kept"
    check(entropy, example).equals(1.445585, rtol=1e-4, near={
        bits: 2.085539, minus: -1.445585, "this is the mean over the tokens: the sum is asked": 0.206512,
        "this is divided by the largest entropy there is: leave that out": 0.742895,
        "the sum of the surprises -ln p: each is weighted with its p": 18.34372,
        "the sum of p squared: the sum of p ln p is asked, with a minus": 0.2960,
    })
    linear = "the largest probability is not squared: that is min-p"
    alone = "compared with a itself: the threshold is a times the largest probability squared"
    both = "a was squared, too: the threshold is a times the largest probability squared"
    check(keep_top_a, example, 0.15).equals(left(0, 1, 3, 4, 5), near={
        linear: left(0, 1, 3, 4), alone: left(1, 3),
        "the largest probability squared is taken without a": left(1, 3), both: left(0, 1, 2, 3, 4, 5, 6),
        nothing: left(),
        "a stands squared, the largest probability does not: it is the other way round": left(0, 1, 2, 3, 4, 5),
        "the root of the largest probability: its square is asked": left(1, 3, 4),
        "each probability was squared, not the largest": left(1),
        zero: [z if i in (0, 1, 3, 4, 5) else 0.0 for i, z in enumerate(values)],
    })
    relative = "compared with epsilon times the largest probability: that is min-p"
    check(keep_epsilon, example, 0.03).equals(left(0, 1, 3, 4, 5), near={
        relative: left(0, 1, 2, 3, 4, 5), "logits were compared with epsilon, or nothing reached it": left(),
        below: left(2, 6), "only the likeliest is left: all that reach epsilon stay": left(1),
        "the logits were compared with epsilon: probabilities are": left(1),
        zero: [z if i in (0, 1, 3, 4, 5) else 0.0 for i, z in enumerate(values)],
    })
    check(keep_epsilon, example, 0.6).equals(left(1), about="an epsilon above every probability", near={
        nothing: left(), below: values})
    larger = "the larger of the two lines was taken: the lower of the two lines counts"
    only = "this is epsilon alone: the other line is root(epsilon) * e^-H, and the minus in e^-H lowers it"
    two = "this is 2^-H: e^-H is asked, for H is in nats"
    rooted = "the root goes over the whole product: it is over epsilon alone, times e^-H"
    bare = "epsilon itself is missing: the lower of epsilon and root(epsilon) * e^-H counts"
    unweighted = "e^-H is missing: the other line is root(epsilon) * e^-H"
    unrooted = "the root of epsilon is missing"
    in_bits = "the entropy is in bits here: nats are asked"
    check(keep_eta, example, 0.5).equals(left(1, 3), near={
        larger: left(1), only: left(1), two: left(1), rooted: left(1), unweighted: left(1), unrooted: left(1, 3, 4),
        in_bits: left(1, 3, 4), nothing: left(), below: left(0, 2, 4, 5, 6),
        "the root of epsilon is the line here, whatever the entropy: e^-H is missing": left(1),
        "the entropy is divided by its largest value, ln V: take it as it is": left(1),
        zero: [z if i in (1, 3) else 0.0 for i, z in enumerate(values)],
    })
    check(keep_eta, example, 0.05).equals(left(0, 1, 3, 4), about="a smaller epsilon for eta", near={
        in_bits: left(0, 1, 3, 4, 5), unrooted: left(0, 1, 2, 3, 4, 5), below: left(2, 5, 6),
        "the root of epsilon is the line here, whatever the entropy: e^-H is missing": left(1, 3),
    })
    mean = "n deviations below the mean: below the largest is asked"
    above = "n deviations above the mean: n below the largest is asked"
    above_all = above + ", and the likeliest always stays"
    of_chances = "probabilities were compared: this filter looks at logits"
    variance = "the variance stands where the standard deviation is asked"
    fixed = "sigma is missing: n times the standard deviation"
    below_0 = "the line lies n sigma below 0: below the largest logit is asked"
    other_sigma = "sigma is that of the probabilities: of the logits is asked"
    check(keep_top_n_sigma, example, 1.0).equals(left(1, 3, 4), near={
        below_0: left(1), other_sigma: left(1), mean: left(0, 1, 3, 4, 5), above: left(1), of_chances: left(1),
        fixed: left(1, 3), nothing: left(),
        zero: [z if i in (1, 3, 4) else 0.0 for i, z in enumerate(values)],
    })
    check(keep_top_n_sigma, example, 2.0).equals(left(0, 1, 3, 4, 5), about="a larger n", near={
        variance: left(0, 1, 2, 3, 4, 5), mean: values, above: left(1), above_all: left(), of_chances: left(1, 3),
        fixed: left(0, 1, 3, 4), below_0: left(0, 1, 3, 4), other_sigma: left(1), "n is missing": left(1, 3, 4),
    })
    after = [-inf if v < -4.6 else v for v in values] + [-inf, -inf, -inf]
    stays = [v if v > -1.5 else -inf for v in after]
    check(keep_top_n_sigma, torch.tensor(after), 0.9).equals(stays, about="sigma after an earlier filter", near={
        "removed tokens count as logits of 0 in sigma": [
            v if v > -2 else -inf for v in after],
        "removed tokens count in sigma as minus infinity, which leaves nothing to compare with": [-inf] * 10,
        "removed tokens come back, or none is removed": after,
        **{words: [v if v > -1 else -inf for v in after] for words in (above, of_chances, below_0, other_sigma)},
    })
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def kept_by(rule, floor=True, removed=-inf):
        """A filter from a rule that tells from (logits, probabilities, argument), as numpy arrays, who stays."""

        def apply(logits, x):
            z = logits.double().numpy()
            p = np.exp(z - z.max()) / np.exp(z - z.max()).sum()
            keep = rule(z, p, x) | ((z == z.max()) & floor)
            return torch.where(torch.from_numpy(np.asarray(keep)), logits, removed)

        return apply

    def H(p):
        return -sum(v * np.log(v) for v in p if v > 0)

    def sigma(z, ddof=0):
        return np.std(z[np.isfinite(z)], ddof=ddof)

    rules = {
        keep_top_a: lambda z, p, a: p >= a * max(p) * max(p),
        keep_epsilon: lambda z, p, e: p >= e,
        keep_eta: lambda z, p, e: p >= np.minimum(e, e**0.5 / np.exp(H(p))),
        keep_top_n_sigma: lambda z, p, n: z >= max(z) - n * sigma(z),
    }
    common = {
        zero: lambda rule: kept_by(rule, removed=0.0),
        "removed tokens have a large negative number: minus infinity is asked": lambda rule: kept_by(
            rule, removed=-1e4),
        chances: lambda rule: lambda z, x: kept_by(rule)(z, x).softmax(-1),
        "the logits of those who stay changed: leave them as they are": lambda rule: lambda z, x: kept_by(rule)(
            z, x).log_softmax(-1),
        nothing: lambda rule: kept_by(rule, floor=False),
        below: lambda rule: kept_by(
            lambda z, p, x: ~np.asarray(rule(z, p, x)), floor=False),
    }
    own = {
        keep_top_a: {
            linear: lambda z, p, a: p >= a * p.max(), alone: lambda z, p, a: p >= a,
            "a stands squared, the largest probability does not: it is the other way round":
                lambda z, p, a: p >= a**2 * p.max(),
            "each probability was squared, not the largest": lambda z, p, a: p**2 >= a * p.max(),
            "the root of the largest probability: its square is asked": lambda z, p, a: p >= a * p.max() ** 0.5,
            "the largest probability squared is taken without a": lambda z, p, a: p >= p.max() ** 2,
            both: lambda z, p, a: p >= (a * p.max()) ** 2,
        },
        keep_epsilon: {
            relative: lambda z, p, e: p >= e * p.max(),
            "e^z was compared with epsilon without the division by their sum: probabilities are":
                lambda z, p, e: np.exp(z) >= e,
            "the logits were compared with epsilon: probabilities are":
                lambda z, p, e: z >= e,
        },
        keep_eta: {
            larger: lambda z, p, e: p >= max(e, e**0.5 * np.exp(-H(p))), only: lambda z, p, e: p >= e,
            rooted: lambda z, p, e: p >= min(e, (e * np.exp(-H(p))) ** 0.5),
            two: lambda z, p, e: p >= min(e, e**0.5 * 2.0 ** -H(p)),
            bare: lambda z, p, e: p >= e**0.5 * np.exp(-H(p)),
            "the root of epsilon is the line here, whatever the entropy: e^-H is missing":
                lambda z, p, e: p >= e**0.5,
            "epsilon stands squared where its root is asked": lambda z, p, e: p >= min(e, e**2 * np.exp(-H(p))),
            "the entropy is divided by its largest value, ln V: take it as it is":
                lambda z, p, e: p >= min(e, e**0.5 * np.exp(-H(p) / np.log(max(2, np.isfinite(z).sum())))),
            "the entropy is nan where a token was removed, and nothing reaches nan: 0 times the logarithm of 0 is 0":
                lambda z, p, e: rules[keep_eta](z, p, e) & (p > 0).all(),
            "the entropy is nan where a token was removed, and epsilon alone counts: 0 times the logarithm of 0 is 0":
                lambda z, p, e: rules[keep_eta](z, p, e) if (p > 0).all() else p >= e,
            unrooted: lambda z, p, e: p >= min(e, e * np.exp(-H(p))),
            in_bits: lambda z, p, e: p >= min(e, e**0.5 * np.exp(-H(p) / np.log(2))),
        },
        keep_top_n_sigma: {
            "sigma is divided by V - 1: divide by V (correction=0)": lambda z, p, n: z >= z.max() - n * sigma(z, 1),
            mean: lambda z, p, n: z >= z[np.isfinite(z)].mean() - n * sigma(z),
            above: lambda z, p, n: z >= z[np.isfinite(z)].mean() + n * sigma(z),
            above_all: lambda z, p, n: z >= z[np.isfinite(z)].mean() + n * sigma(z),
            of_chances: lambda z, p, n: p >= p.max() - n * p.std(),
            variance: lambda z, p, n: z >= z.max() - n * sigma(z) ** 2, fixed: lambda z, p, n: z >= z.max() - n,
            "n is missing": lambda z, p, n: z >= z.max() - sigma(z),
            "removed tokens count as logits of 0 in sigma": lambda z, p, n: (
                z >= z.max() - n * np.std(np.where(np.isfinite(z), z, 0))),
            "removed tokens count in the number that sigma is divided by": lambda z, p, n: (
                z >= z.max() - n * sigma(z) * (np.isfinite(z).mean()) ** 0.5),
            below_0: lambda z, p, n: z >= -n * sigma(z),
            other_sigma: lambda z, p, n: z >= z.max() - n * p.std(),
        },
    }
    names = {keep_top_a: "top-a", keep_epsilon: "epsilon", keep_eta: "eta", keep_top_n_sigma: "top-n-sigma"}

    def clear(z, x, rule, gap=2e-4):
        """Whether no token is within rounding of the line: those a little above and below it are judged alike."""
        arrays = z.double().numpy()
        p = np.exp(arrays - arrays.max()) / np.exp(arrays - arrays.max()).sum()
        looser, stricter = rule(arrays + gap, p * (1 + gap), x), rule(arrays - gap, p * (1 - gap), x)
        at = np.arange(len(p))
        same = rule(arrays, p, x)
        moved = [np.asarray(rule(np.where(at == i, arrays + s, arrays), np.where(at == i, p * (1 + s), p), x))[i]
                 == np.asarray(same)[i] for i in at for s in (gap, -gap)]
        return all(moved) and len(looser) == len(stricter)

    def made(V, spread=2.0, dtype=torch.float32):
        return torch.from_numpy(check.rng.normal(0.5, spread, size=V)).to(dtype)

    arguments = {
        keep_top_a: [0.1, 0.3, 0.6, 0.02, 1.0], keep_epsilon: [0.01, 0.05, 0.1, 0.003, 0.2],
        keep_eta: [0.002, 0.02, 0.1, 0.4, 0.9], keep_top_n_sigma: [0.5, 1.0, 1.3, 2.0, 0.2],
    }
    for function, rule in rules.items():
        check.mistakes({words: change(rule) for words, change in common.items()}
                       | {words: kept_by(other, words != above_all) for words, other in own[function].items()})
        right, name = kept_by(rule), names[function]

        def fresh(about, x, z, edge=False, rtol=1e-5, near=None, function=function, rule=rule, right=right):
            if clear(z, x, rule):
                check(function, z, x).equals(right(z, x), about=about, edge=edge, rtol=rtol, near=near)

        for x in arguments[function]:
            for V in (6, 12, 40, 90):
                fresh(f"fresh logits, {name}", x, made(V))
            fresh(f"very flat, and very sharp, {name}", x, made(30, 0.05))
            fresh(f"very flat, and very sharp, {name}", x, made(15, 8.0))
            holes = made(14) + 5  # their mean is far from 0
            holes[[0, 3, 4, 13]] = -inf
            fresh(f"tokens removed before, {name}", x, holes)
            fresh(f"large logits, in doubles, {name}", x, made(9, 3.0, torch.float64) + 800, edge=True, rtol=1e-12)
            single = torch.tensor([-inf, -3.0, -inf])
            fresh(f"only one is left, {name}", x, single, edge=True, near={nothing: [-inf] * 3})
            fresh(f"one token, {name}", x, torch.tensor([-2.0]), edge=True, near={nothing: [-inf]})
    check.mistakes({})
    for function, x in [(keep_epsilon, 0.5), (keep_eta, 0.9), (keep_top_n_sigma, 0.0)]:
        z = torch.tensor([1.0, 0.0, 1.0, -1.0, 1.0])
        check(function, z, x).equals([1.0, -inf, 1.0, -inf, 1.0], about="several likeliest", edge=True, near={
            "of several likeliest tokens all stay": [1.0, -inf, -inf, -inf, -inf]})
    check(keep_top_n_sigma, torch.tensor([1.0, 0.99, -5.0]), 0.001).equals(
        [1.0, -inf, -inf], about="a small n", edge=True)
    check(keep_top_a, torch.tensor([1.0, -30.0, 0.0]), 0.0).equals([1.0, -30.0, 0.0], about="a of 0", edge=True)

    def said(z, base=1.0):
        p = np.exp(z.double().numpy() - float(z.max()))
        return H(p / p.sum()) / base

    check.mistakes({
        bits: lambda z: torch.tensor(said(z, np.log(2)), dtype=z.dtype),
        minus: lambda z: torch.tensor(-said(z), dtype=z.dtype),
        "the entropy in bits to base 10": lambda z: torch.tensor(said(z, np.log(10)), dtype=z.dtype),
        "nan came back: 0 times the logarithm of 0 counts as 0": lambda z: torch.tensor(torch.nan),
        "each token's share came back: their sum is asked": lambda z: torch.special.entr(z.softmax(-1)),
        "one axis too many: a tensor without axes is asked": lambda z: torch.tensor([said(z)], dtype=z.dtype),
    })
    for V, spread in [(5, 1.0), (50, 2.0), (300, 0.5), (20, 12.0)]:
        z = made(V, spread)
        check(entropy, z).equals(torch.tensor(said(z), dtype=z.dtype),
            about="fresh logits, entropy", rtol=1e-4, atol=1e-5)
        z = made(V, spread, torch.float64) - 900
        check(entropy, z).equals(torch.tensor(said(z), dtype=z.dtype),
            about="far logits, in doubles, entropy", rtol=1e-9,
                                 edge=True)
        z = torch.cat([made(V, spread), torch.full((3,), -inf)])
        check(entropy, z).equals(torch.tensor(said(z), dtype=z.dtype),
            about="tokens removed before, entropy", rtol=1e-4,
                                 atol=1e-5)
    check(entropy, torch.tensor([4.0])).equals(torch.tensor(0.0), about="one token, entropy", edge=True, atol=1e-7)
    ### END HIDDEN TESTS


score
