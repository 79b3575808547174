from helpers.checks import graded


@graded("cutoffs", points=7)
def score(check):
    import torch

    inf = float("inf")

    ### BEGIN MISTAKES
    import numpy as np

    nothing = "every token was removed: the likeliest always stays"

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

    def of_any(rule):
        """What can go wrong in each of the four filters."""
        return {
            "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked for":
                kept_by(rule, removed=0.0),
            "removed tokens have a large negative number: minus infinity is asked for": kept_by(rule, removed=-1e4),
            "these are probabilities: return logits": lambda z, x: kept_by(rule)(z, x).softmax(-1),
            "these are the probabilities before tokens were removed: return logits":
                lambda z, x: torch.where(kept_by(rule)(z, x) > -inf, z.softmax(-1), -inf),
            "the logits of those who stay changed: leave them as they are":
                lambda z, x: kept_by(rule)(z, x).log_softmax(-1),
            nothing: kept_by(rule, floor=False),
            "those below the line stay, or all do: those that reach it are kept":
                kept_by(lambda z, p, x: ~np.asarray(rule(z, p, x)), floor=False),
        }

    def filters(wrong):
        return {words: kept_by(rule) for words, rule in wrong.items()}

    check.mistakes(of_any(rules[keep_top_a]) | filters({
        "the largest probability is not squared: that is min-p": lambda z, p, a: p >= a * p.max(),
        "compared with a itself: the threshold is a times the largest probability squared": lambda z, p, a: p >= a,
        "a is squared, the largest probability does not: it is the other way round":
            lambda z, p, a: p >= a**2 * p.max(),
        "each probability was squared, not the largest": lambda z, p, a: p**2 >= a * p.max(),
        "the root of the largest probability: its square is asked for": lambda z, p, a: p >= a * p.max() ** 0.5,
        "the largest probability squared is taken without a": lambda z, p, a: p >= p.max() ** 2,
        "a was squared, too: the threshold is a times the largest probability squared":
            lambda z, p, a: p >= (a * p.max()) ** 2,
    }), keep_top_a)
    check.mistakes(of_any(rules[keep_epsilon]) | filters({
        "compared with epsilon times the largest probability: that is min-p": lambda z, p, e: p >= e * p.max(),
        "e^z was compared with epsilon without the division by their sum: probabilities are":
            lambda z, p, e: np.exp(z) >= e,
        "the logits were compared with epsilon: probabilities are": lambda z, p, e: z >= e,
    }), keep_epsilon)
    check.mistakes(of_any(rules[keep_eta]) | filters({
        "the larger of the two lines was taken: the lower of the two lines counts":
            lambda z, p, e: p >= max(e, e**0.5 * np.exp(-H(p))),
        "this is epsilon alone: the other line is root(epsilon) * e^-H, and the minus in e^-H lowers it":
            lambda z, p, e: p >= e,
        "the root goes over the whole product: it is over epsilon alone, times e^-H":
            lambda z, p, e: p >= min(e, (e * np.exp(-H(p))) ** 0.5),
        "this is 2^-H: e^-H is asked for, for H is in nats": lambda z, p, e: p >= min(e, e**0.5 * 2.0 ** -H(p)),
        "epsilon itself is missing: the lower of epsilon and root(epsilon) * e^-H counts":
            lambda z, p, e: p >= e**0.5 * np.exp(-H(p)),
        "the root of epsilon is the line here, whatever the entropy: e^-H is missing": lambda z, p, e: p >= e**0.5,
        "epsilon is squared where its root is asked for": lambda z, p, e: p >= min(e, e**2 * np.exp(-H(p))),
        "the entropy is divided by its largest value, ln V: take it as it is":
            lambda z, p, e: p >= min(e, e**0.5 * np.exp(-H(p) / np.log(max(2, np.isfinite(z).sum())))),
        "the entropy is nan where a token was removed, and nothing reaches nan: 0 times the logarithm of 0 is 0":
            lambda z, p, e: rules[keep_eta](z, p, e) & (p > 0).all(),
        "the entropy is nan where a token was removed, and epsilon alone counts: 0 times the logarithm of 0 is 0":
            lambda z, p, e: rules[keep_eta](z, p, e) if (p > 0).all() else p >= e,
        "keep_eta goes by keep_epsilon, which compares with the largest probability: mend that first":
            lambda z, p, e: p >= p.max() * min(e, e**0.5 * np.exp(-H(p))),
        "the root of epsilon is missing": lambda z, p, e: p >= min(e, e * np.exp(-H(p))),
        "the entropy is in bits here: nats are asked for":
            lambda z, p, e: p >= min(e, e**0.5 * np.exp(-H(p) / np.log(2))),
    }), keep_eta)

    def above_mean(z, p, n):
        return z >= z[np.isfinite(z)].mean() + n * sigma(z)

    above = "n deviations above the mean: n below the largest is asked for"
    check.mistakes(of_any(rules[keep_top_n_sigma]) | filters({
        "sigma is divided by V - 1: divide by V (correction=0)": lambda z, p, n: z >= z.max() - n * sigma(z, 1),
        "n deviations below the mean: below the largest is asked for":
            lambda z, p, n: z >= z[np.isfinite(z)].mean() - n * sigma(z),
        above: above_mean,
        "probabilities were compared: this filter looks at logits": lambda z, p, n: p >= p.max() - n * p.std(),
        "the variance is used where the standard deviation is asked for":
            lambda z, p, n: z >= z.max() - n * sigma(z) ** 2,
        "sigma is missing: n times the standard deviation": lambda z, p, n: z >= z.max() - n,
        "n is missing": lambda z, p, n: z >= z.max() - sigma(z),
        "removed tokens count as logits of 0 in sigma":
            lambda z, p, n: z >= z.max() - n * np.std(np.where(np.isfinite(z), z, 0)),
        "removed tokens count in sigma as the smallest logit that is left: they have none":
            lambda z, p, n: z >= z.max() - n * np.std(np.maximum(z, z[np.isfinite(z)].min())),
        "removed tokens count in the number that sigma is divided by":
            lambda z, p, n: z >= z.max() - n * sigma(z) * (np.isfinite(z).mean()) ** 0.5,
        "the line is n sigma below 0: below the largest logit is asked for": lambda z, p, n: z >= -n * sigma(z),
        "sigma is that of the probabilities: of the logits is asked for": lambda z, p, n: z >= z.max() - n * p.std(),
    }) | {f"{above}, and the likeliest always stays": kept_by(above_mean, floor=False)}, keep_top_n_sigma)

    def said(z, base=1.0):
        p = np.exp(z.double().numpy() - float(z.max()))
        return H(p / p.sum()) / base

    check.mistakes({
        "these are bits: the entropy is asked for in nats, with the natural logarithm":
            lambda z: torch.tensor(said(z, np.log(2)), dtype=z.dtype),
        "the sign is wrong: the entropy is never negative": lambda z: torch.tensor(-said(z), dtype=z.dtype),
        "the entropy in bits to base 10": lambda z: torch.tensor(said(z, np.log(10)), dtype=z.dtype),
        "nan came back where a token was removed: 0 times the logarithm of 0 counts as 0":
            lambda z: torch.tensor(said(z) if z.isfinite().all() else torch.nan, dtype=z.dtype),
        "each token's share came back: their sum is asked for": lambda z: torch.special.entr(z.softmax(-1)),
        "one axis too many: a tensor without axes is asked for": lambda z: torch.tensor([said(z)], dtype=z.dtype),
    }, entropy)
    ### END MISTAKES
    check.built_on("keep_eta", "entropy")
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    check(entropy, example).equals(
        1.445585, rtol=1e-4,
        near={
            "this is the mean over the tokens: the sum is asked for": 0.206512,
            "this is divided by the largest entropy there is: leave that out": 0.742895,
            "the sum of the surprises -ln p: each is weighted with its p": 18.34372,
            "the sum of p squared: the sum of p ln p is asked for, with a minus": 0.2960,
        },
    )
    check(entropy, torch.tensor([0.0, -inf, 0.0])).equals(
        0.693147, about="the entropy where a token was removed", rtol=1e-4)
    none_left = "not one token is left: the likeliest always stays"
    check(keep_top_a, example, 0.15).equals(left(0, 1, 3, 4, 5), near={none_left: left()})
    check(keep_epsilon, example, 0.03).equals(
        left(0, 1, 3, 4, 5),
        near={
            "logits were compared with epsilon, or nothing reached it": left(),
            "only the likeliest is left: all that reach epsilon stay": left(1),
        },
    )
    check(keep_epsilon, example, 0.6).equals(left(1), about="an epsilon above every probability")
    check(keep_epsilon, torch.tensor([2.0, 1.0, 2.0]), 0.6).equals([2.0, -inf, 2.0], about="two of the likeliest")
    check(keep_eta, example, 0.5).equals(
        left(1, 3),
        near={
            "e^-H is missing: the other line is root(epsilon) * e^-H": left(1),
            none_left: left(),
        },
    )
    check(keep_eta, example, 0.012).equals(left(0, 1, 2, 3, 4, 5), about="a smaller epsilon for eta")
    check(keep_eta, example, 0.26).equals(left(1, 3, 4), about="another epsilon for eta")
    check(keep_top_n_sigma, example, 1.3).equals(left(1, 3, 4), near={none_left: left()})
    check(keep_top_n_sigma, example, 2.0).equals(left(0, 1, 3, 4, 5), about="a larger n")
    check(keep_top_n_sigma, example, 0.5).equals(left(1, 3), about="a small n")
    after = [-inf if v < -4.6 else v for v in values] + [-inf, -inf, -inf]
    stays = [v if v > -3.0 else -inf for v in after]
    check(keep_top_n_sigma, torch.tensor(after), 2.26).equals(
        stays, about="sigma after an earlier filter",
        near={
            "sigma is nan, and nothing reaches nan: removed tokens do not count in sigma": [-inf] * 10,
            "sigma is nan, and only the likeliest is left: removed tokens do not count in sigma":
                [v if v == max(after) else -inf for v in after],
            "none is removed: sigma is nan, or far too large. Removed tokens do not count in it": after,
        },
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    names = {keep_top_a: "top-a", keep_epsilon: "epsilon", keep_eta: "eta", keep_top_n_sigma: "top-n-sigma"}

    def clear(z, x, rule, gap=2e-4):
        """Whether no token is within rounding of the line: those a little above and below it are judged alike."""
        arrays = z.double().numpy()
        p = np.exp(arrays - arrays.max()) / np.exp(arrays - arrays.max()).sum()
        same = np.asarray(rule(arrays, p, x))
        for i in range(len(p)):
            here = np.arange(len(p)) == i
            for s in (gap, -gap):
                moved = rule(np.where(here, arrays + s, arrays), np.where(here, p * (1 + s), p), x)
                if np.asarray(moved)[i] != same[i]:
                    return False
        return True

    def made(V, spread=2.0, dtype=torch.float32):
        return torch.from_numpy(check.rng.normal(0.5, spread, size=V)).to(dtype)

    arguments = {
        keep_top_a: [0.1, 0.3, 0.6, 0.02, 1.0], keep_epsilon: [0.01, 0.05, 0.1, 0.003, 0.2],
        keep_eta: [0.002, 0.02, 0.1, 0.4, 0.9], keep_top_n_sigma: [0.5, 1.0, 1.3, 2.0, 0.2],
    }
    for function, rule in rules.items():
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
    check.mistakes({}, *rules)
    for function, x in [(keep_epsilon, 0.5), (keep_eta, 0.9), (keep_top_n_sigma, 0.0)]:
        z = torch.tensor([1.0, 0.0, 1.0, -1.0, 1.0])
        check(function, z, x).equals([1.0, -inf, 1.0, -inf, 1.0], about="several likeliest", edge=True, near={
            "of several likeliest tokens all stay": [1.0, -inf, -inf, -inf, -inf]})
    check(keep_top_n_sigma, torch.tensor([1.0, 0.99, -5.0]), 0.001).equals(
        [1.0, -inf, -inf], about="a small n", edge=True)
    check(keep_top_a, torch.tensor([1.0, -30.0, 0.0]), 0.0).equals([1.0, -30.0, 0.0], about="a of 0", edge=True)
    for V, spread in [(5, 1.0), (50, 2.0), (300, 0.5), (20, 12.0)]:
        z = made(V, spread)
        expected = torch.tensor(said(z), dtype=z.dtype)
        check(entropy, z).equals(expected, about="fresh logits, entropy", rtol=1e-4, atol=1e-5)
        z = made(V, spread, torch.float64) - 900
        expected = torch.tensor(said(z), dtype=z.dtype)
        check(entropy, z).equals(expected, about="far logits, in doubles, entropy", rtol=1e-9, edge=True)
        z = torch.cat([made(V, spread), torch.full((3,), -inf)])
        expected = torch.tensor(said(z), dtype=z.dtype)
        check(entropy, z).equals(expected, about="tokens removed before, entropy", rtol=1e-4, atol=1e-5)
    check(entropy, torch.tensor([4.0])).equals(torch.tensor(0.0), about="one token, entropy", edge=True, atol=1e-7)
    ### END HIDDEN TESTS


score
