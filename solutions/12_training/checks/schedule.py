from helpers.checks import graded


@graded("schedule", points=5)
def score(check):
    ### BEGIN MISTAKES
    def share(t, n, w, d):
        return min((t + 1) / (w + 1), 1.0, (n - t) / (d + 1))

    check.mistakes(
        {
            "the rate does not warm up": lambda t, n, p, w, d: p * share(max(t, w), n, w, d),
            "the rate does not fall at the end": lambda t, n, p, w, d: p * share(min(t, n - d - 1), n, w, d),
            "the first step has a rate of 0: step + 1 is counted": lambda t, n, p, w, d: (
                p * t / (w + 1) if t < w else p * share(t, n, w, d)
            ),
            "the warm-up divides by `warmup`: by warmup + 1": lambda t, n, p, w, d: (
                p * (t + 1) / w if t < w else p * share(t, n, w, d)
            ),
            "the warm-up begins at 0 and divides by `warmup`: (step + 1) / (warmup + 1)": lambda t, n, p, w, d: (
                p * t / w if t < w else p * share(t, n, w, d)
            ),
            "the last step has a rate of 0: steps - step is counted, over decay + 1": lambda t, n, p, w, d: (
                p * (n - 1 - t) / (d + 1) if t >= n - d else p * share(t, n, w, d)
            ),
            "the decay divides by `decay`: by decay + 1": lambda t, n, p, w, d: (
                p * (n - t) / d if t >= n - d else p * share(t, n, w, d)
            ),
            "the decay ends at 0 and divides by `decay`: (steps - step) / (decay + 1)": lambda t, n, p, w, d: (
                p * (n - 1 - t) / d if t >= n - d else p * share(t, n, w, d)
            ),
            "the decay begins one step late: step steps - decay is its first": lambda t, n, p, w, d: (
                p if t == n - d else p * share(t, n, w, d)
            ),
            "the decay begins one step early": lambda t, n, p, w, d: (
                p * share(t, n - 1, w, d) if t < n - 1 else p / (d + 1) / 2
            ),
            "the decay begins after the warm-up: the rate stays at the peak until step steps - decay":
                lambda t, n, p, w, d: p * (t + 1) / (w + 1) if t < w else p * (n - t) / (n - w),
            "the decay was counted from its beginning: it falls, and ends low": lambda t, n, p, w, d: (
                p * (t - (n - d) + 1) / (d + 1) if t >= n - d else p * share(t, n, w, d)
            ),
            "the peak is missing: this is a share of it": lambda t, n, p, w, d: share(t, n, w, d),
            "the rate rises after the warm-up: it stays at the peak": lambda t, n, p, w, d: (
                p * (t + 1) / (w + 1) if t < n - d else p * share(t, n, w, d)
            ),
            "the rate goes above the peak between the two ends: there it is the peak": lambda t, n, p, w, d: (
                p * min((t + 1) / (w + 1), (n - t) / (d + 1))
            ),
            "a warm-up of 0 steps was taken for one of 1: without it the first step has the peak":
                lambda t, n, p, w, d: p * share(t, n, max(w, 1), d),
            "a decay of 0 steps was taken for one of 1: without it the last step has the peak":
                lambda t, n, p, w, d: p * share(t, n, w, max(d, 1)),
            "a warm-up or a decay of 0 steps was taken for one of 1: without them the rate is the peak":
                lambda t, n, p, w, d: p * share(t, n, max(w, 1), max(d, 1)),
            "the decay is a cosine here: it falls by the same step each time":
                lambda t, n, p, w, d: p * fall((t - n + d) / d) if t >= n - d else p * share(t, n, w, d),
            "the decay is a cosine here, over decay + 1: it falls by the same step each time":
                lambda t, n, p, w, d: p * fall((t - n + d + 1) / (d + 1)) if t >= n - d else p * share(t, n, w, d),
            "this is a cosine": lambda t, n, p, w, d: p * (t + 1) / (w + 1) if t < w else cosine(t, n, p, w),
            "warm-up and decay are exchanged": lambda t, n, p, w, d: p * share(t, n, d, w),
        },
        warmup_stable_decay,
    )

    def fall(part):
        import math

        return (1 + math.cos(math.pi * part)) / 2

    def cosine(t, n, p, w):
        return p * fall((t - w) / (n - w))

    ### END MISTAKES
    check(warmup_stable_decay, 9, 12, 0.8, 3, 4).equals(0.48, about="on the way down", rtol=1e-5)
    for t, value in enumerate([0.15, 0.3, 0.3, 0.3, 0.2, 0.1]):
        check(warmup_stable_decay, t, 6, 0.3, 1, 2).equals(value, about="the rates of six steps by hand", rtol=1e-5)
    check(warmup_stable_decay, 1, 12, 0.8, 3, 4).equals(0.4, about="on the way up", rtol=1e-5)
    check(warmup_stable_decay, 3, 5, 0.6, 3, 2).equals(0.4, about="no stable part", rtol=1e-5, near={
        "the warm-up ends with step warmup - 1: step `warmup` is in the decay here": 0.6})
    check(warmup_stable_decay, 0, 3, 0.6, 0, 2).equals(0.6, about="no warm-up", edge=True, rtol=1e-5)
    check(warmup_stable_decay, 2, 3, 0.6, 2, 0).equals(0.6, about="no decay", edge=True, rtol=1e-5)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for steps, warmup, decay, most in ((30, 4, 9, 2.0), (50, 10, 5, 2.0), (200, 3, 70, 0.01), (300, 120, 13, 2.0)):
        peak = float(check.rng.uniform(0.1, 1)) * most
        up = [peak * (i + 1) / (warmup + 1) for i in range(warmup)]
        down = [peak * (decay - i) / (decay + 1) for i in range(decay)]
        rates = up + [peak] * (steps - warmup - decay) + down
        for t in sorted({0, warmup - 1, warmup, steps // 2, steps - decay - 1, steps - decay, steps - 2, steps - 1}):
            check(warmup_stable_decay, t, steps, peak, warmup, decay).equals(
                rates[t], about="rates of other runs", rtol=1e-5
            )
    for steps, warmup, decay, rates in (
        (4, 0, 0, [1, 1, 1, 1]),
        (3, 0, 2, [1, 2 / 3, 1 / 3]),
        (3, 2, 0, [1 / 3, 2 / 3, 1]),
        (4, 2, 2, [1 / 3, 2 / 3, 2 / 3, 1 / 3]),
        (1, 0, 1, [0.5]),
        (1, 1, 0, [0.5]),
    ):
        for t, rate in enumerate(rates):
            check(warmup_stable_decay, t, steps, 3.0, warmup, decay).equals(
                3.0 * rate, about="no warm-up, no decay, or nothing between them", edge=True, rtol=1e-5
            )
    ### END HIDDEN TESTS


score
