from helpers.checks import graded


@graded("longer", points=4)
def score(check):
    import math

    import torch

    ### BEGIN MISTAKES
    def rates(d, base):
        return torch.tensor([base ** (-2 * i / d) for i in range(d // 2)])

    def angles(p, d, base):
        return p[:, None] * rates(d, base)

    check.mistakes({
        "the positions are multiplied by s; they are divided": lambda p, d, s, base=1e4: angles(p * s, d, base),
        "nothing was changed: divide the positions by s": lambda p, d, s, base=1e4: angles(p, d, base),
        "the positions were cut to whole numbers: p / s may be any": lambda p, d, s, base=1e4: angles(p // s, d, base),
        "the positions were rounded: p / s may be any": lambda p, d, s, base=1e4: angles((p / s).round(), d, base),
        "the base was multiplied by s; the positions are divided": lambda p, d, s, base=1e4: angles(p, d, base * s),
        "`base` was ignored": lambda p, d, s, base=1e4: angles(p / s, d, 1e4),
        "the positions were divided by the root of s": lambda p, d, s, base=1e4: angles(p / s**0.5, d, base),
        "s was cut to a whole number": lambda p, d, s, base=1e4: angles(p / int(s), d, base),
        "the base was divided by s; the positions are": lambda p, d, s, base=1e4: angles(p, d, base / s),
        "the positions were numbered from 0: take those that come":
            lambda p, d, s, base=1e4: angles(torch.arange(len(p)) / s, d, base),
        "this is the larger base: interpolation changes the positions":
            lambda p, d, s, base=1e4: angles(p, d, base * s ** (d / (d - 2))),
    }, interpolated_angles)

    def based(power, divide=False):
        def function(p, d, s, base=1e4):
            return angles(p, d, base / s ** power(d) if divide else base * s ** power(d))

        return function

    check.mistakes({
        "the exponent d / (d - 2) is missing: base times s": based(lambda d: 1),
        "the exponent is d / (d - 2), not (d - 2) / d": based(lambda d: (d - 2) / d),
        "the exponent is d / (d - 2), with the width d and not the number of pairs": based(lambda d: d / (d - 1)),
        "s was cut to a whole number":
            lambda p, d, s, base=1e4: angles(p, d, base * int(s) ** (d / (d - 2))),
        "the exponent is d / (d - 2); here d is the number of pairs":
            based(lambda d: (d / 2) / (d / 2 - 2) if d > 4 else 1.0),
        "the base becomes larger: it is multiplied, not divided": based(lambda d: d / (d - 2), divide=True),
        "nothing was changed: the base is multiplied": based(lambda d: 0),
        "the base was raised to the power: base times s to the power": lambda p, d, s, base=1e4: angles(
            p, d, (base * s) ** (d / (d - 2))),
        "`base` was ignored": lambda p, d, s, base=1e4: angles(p, d, 1e4 * s ** (d / (d - 2))),
        "this is position interpolation: the base changes, not the positions":
            lambda p, d, s, base=1e4: angles(p / s, d, base),
        "the positions were divided, too": lambda p, d, s, base=1e4: angles(p / s, d, base * s ** (d / (d - 2))),
    }, larger_base_angles)

    def parts(turns=None, share=None, mix=None, bounds=None, fixed_base=None, fixed_trained=lambda n, s: n, half=1):
        """By parts, with one part exchanged for a mistake's."""

        def function(p, d, s, trained, low=1.0, high=32.0, base=1e4):
            r = rates(d, fixed_base or base) ** half
            n = fixed_trained(trained, s)
            t = turns(n, r) if turns else n * r / (2 * math.pi)
            low, high = bounds or (low, high)
            g = share(t, low, high) if share else ((t - low) / (high - low)).clamp(0, 1)
            return p[:, None] * (mix(g, r, s) if mix else g * r + (1 - g) * r / s)

        return function

    def by_index(p, d, s, trained, low=1.0, high=32.0, base=1e4):
        """As in the code of YaRN and `transformers`: the share falls along the number of the pair."""
        i = torch.arange(d // 2)
        ends = [d * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (high, low)]
        first, last = max(math.floor(ends[0]), 0), min(math.ceil(ends[1]), d - 1)
        g = 1 - ((i - first) / max(last - first, 0.001)).clamp(0, 1)
        return p[:, None] * (g * rates(d, base) + (1 - g) * rates(d, base) / s)

    check.mistakes({
        "the shares are reversed: many turns keep the rate, few are divided":
            parts(mix=lambda g, r, s: (1 - g) * r + g * r / s),
        "the turns are not divided by 2 pi": parts(turns=lambda n, r: n * r),
        "the turns were divided by pi: a turn is 2 pi": parts(turns=lambda n, r: n * r / math.pi),
        "these are the turns of the longer text: take those over the trained length":
            parts(fixed_trained=lambda n, s: n * s),
        "the share was not cut to 0 ... 1": parts(share=lambda t, low, high: (t - low) / (high - low)),
        "the share was cut at 0 only: it is at most 1":
            parts(share=lambda t, low, high: ((t - low) / (high - low)).clamp(min=0)),
        "the share was cut at 1 only: it is at least 0":
            parts(share=lambda t, low, high: ((t - low) / (high - low)).clamp(max=1)),
        "each pair was kept or divided, at high: between low and high both are mixed":
            parts(share=lambda t, low, high: (t >= high).float()),
        "each pair was kept or divided, halfway: between low and high both are mixed":
            parts(share=lambda t, low, high: (t > (low + high) / 2).float()),
        "each pair was kept or divided, at low: between low and high both are mixed":
            parts(share=lambda t, low, high: (t > low).float()),
        "the share is (r - low) / (high - low); low was not subtracted":
            parts(share=lambda t, low, high: (t / (high - low)).clamp(0, 1)),
        "the share is (r - low) / (high - low); here it is divided by high":
            parts(share=lambda t, low, high: ((t - low) / high).clamp(0, 1)),
        "the share is (r - low) / (high - low); the denominator was reversed":
            parts(share=lambda t, low, high: ((t - low) / (low - high)).clamp(0, 1)),
        "`low` and `high` were ignored": parts(bounds=(1.0, 32.0)),
        "`base` was ignored": parts(fixed_base=1e4),
        "the slow rates are multiplied by s; they are divided": parts(mix=lambda g, r, s: g * r + (1 - g) * r * s),
        "all rates were divided: that is interpolation": parts(mix=lambda g, r, s: r / s),
        "nothing was changed": parts(mix=lambda g, r, s: r),
        "the second rate is missing: (1 - gamma) theta / s is added": parts(mix=lambda g, r, s: g * r),
        "theta / s counts whole here; its share is 1 - gamma": parts(mix=lambda g, r, s: g * r + r / s),
        "rates were mixed as divisors: mix theta and theta / s": parts(mix=lambda g, r, s: r / (g + (1 - g) * s)),
        "the share falls along the number of the pair, as in the library; here it follows the turns": by_index,
        "the 2 is missing in the rates: base to the power -2i / d": parts(half=0.5),
        "s was cut to a whole number": parts(mix=lambda g, r, s: g * r + (1 - g) * r / int(s)),
        "this is the length of a wave over the trained length; the turns are the trained length over it":
            parts(turns=lambda n, r: 2 * math.pi / (r * n)),
        "the turns are those of one position: multiply by the trained length":
            parts(turns=lambda n, r: r / (2 * math.pi)),
    }, angles_by_parts)
    ### END MISTAKES

    close = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    p = torch.tensor([16.0, 3.0])
    check(interpolated_angles, p, 4, 2, 16.0).equals([[8.0, 2.0], [1.5, 0.375]], **close)
    check(interpolated_angles, torch.tensor([5, 8]), 4, 2.5).equals([[2.0, 0.02], [3.2, 0.032]], **close)
    check(larger_base_angles, p, 4, 2, 16.0).equals([[16.0, 2.0], [3.0, 0.375]], **close)
    check(larger_base_angles, p, 8, 2.5).equals(
        [[16.0, 1.17889, 0.08686, 0.0064], [3.0, 0.22104, 0.01629, 0.0012]], rtol=1e-3, atol=1e-5, dtype="float32")
    check(angles_by_parts, p, 4, 2, 8, 0.5, 2.0, 16.0).equals([[12.1239, 2.0], [2.2732, 0.375]], **close)
    check(angles_by_parts, p, 6, 2.5, 200, base=100.0).equals(
        [[15.9477, 1.7697, 0.3039], [2.9902, 0.3318, 0.057]], **close)
    check(angles_by_parts, p, 4, 2, 40, 0.5, 2.0, 16.0).equals(
        [[16.0, 3.4554], [3.0, 0.6479]], about="a pair above both bounds", **close)
    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}
    for function, more in [(interpolated_angles, (4, 2)), (larger_base_angles, (4, 2)), (angles_by_parts, (4, 2, 8))]:
        check(function, torch.tensor([3, 1]), *more).holds(
            lambda t: str(t.dtype) == "torch.float32", "a tensor of float32", about="integers give float32",
            near={"another dtype than float32 came": lambda t: str(t.dtype) != "torch.float32"},
        )
        check(function, torch.tensor([3.0, 1.0], dtype=torch.float64), *more).holds(
            lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near=lost,
        )
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def one_by_one(p, d, new_rate):
        rates = [new_rate(i) for i in range(d // 2)]
        return np.outer([float(x) for x in p], rates).tolist()

    def llama(i, d, s, trained, low=1.0, high=32.0, base=1e4):
        """The rate of a pair as Llama's code has it, from the length of its wave."""
        rate = base ** (-2 * i / d)
        wave = 2 * math.pi / rate
        if wave > trained / low:
            return rate / s
        if wave < trained / high:
            return rate
        smooth = (trained / wave - low) / (high - low)
        return (1 - smooth) * rate / s + smooth * rate

    loose = {"rtol": 1e-4, "atol": 1e-6}
    for d, T in [(8, 5), (4, 3), (16, 6), (6, 4)]:
        p = torch.tensor(check.rng.integers(1, 400, size=T) / 4, dtype=torch.float32)
        s, base = float(check.rng.choice([1.5, 3.0, 4.0, 7.3])), float(check.rng.choice([50.0, 300.0, 5e5]))
        trained = int(check.rng.integers(20, 300))
        for more in ({}, {"base": base}):
            b = more.get("base", 1e4)
            kind = "another base" if more else "the usual base"
            check(interpolated_angles, p, d, s, **more).equals(
                one_by_one(p / s, d, lambda i: b ** (-2 * i / d)), about=f"interpolated, {kind}", **loose)
            check(larger_base_angles, p, d, s, **more).equals(
                one_by_one(p, d, lambda i: (b * s ** (d / (d - 2))) ** (-2 * i / d)),
                about=f"larger base, {kind}", **loose)
            check(angles_by_parts, p, d, s, trained, **more).equals(
                one_by_one(p, d, lambda i: llama(i, d, s, trained, **more)), about=f"by parts, {kind}", **loose)
            bounds = {"low": 0.7, "high": 3.0}
            check(angles_by_parts, p, d, s, trained, **bounds, **more).equals(
                one_by_one(p, d, lambda i: llama(i, d, s, trained, **bounds, **more)),
                about="by parts, other bounds", **loose)
    p = torch.arange(900, 980)
    for function, case, rate in [
        (interpolated_angles, (70, 8), lambda i: 1e4 ** (-2 * i / 70) / 8),
        (larger_base_angles, (70, 8), lambda i: (1e4 * 8 ** (70 / 68)) ** (-2 * i / 70)),
        (angles_by_parts, (70, 8, 700), lambda i: llama(i, 70, 8, 700)),
    ]:
        check(function, p, *case).equals(
            one_by_one(p, 70, rate), about="many positions, far away", rtol=1e-4, atol=1e-4
        )
    p = torch.tensor([0.0, 7.0])
    for function, case in [(interpolated_angles, (4, 1)), (larger_base_angles, (4, 1)), (angles_by_parts, (4, 1, 30))]:
        check(function, p, *case).equals([[0.0, 0.0], [7.0, 0.07]], about="a factor of 1", edge=True, **loose)
    for function, case, rate in [
        (interpolated_angles, (4, 3), lambda i: 0.01**i / 3), (larger_base_angles, (4, 3), lambda i: (0.01 / 3) ** i),
        (angles_by_parts, (4, 3, 90), lambda i: llama(i, 4, 3, 90)),
    ]:
        check(function, torch.tensor([5.0]), *case).equals(
            one_by_one([5.0], 4, rate), about="one position", edge=True, **loose)
        exact = torch.tensor([1.0, 4.0], dtype=torch.float64) / 3
        check(function, exact, *case).holds(
            lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near=lost,
        )
    ### END HIDDEN TESTS


score
