from helpers.checks import graded


@graded("reshape", points=3)
def score(check):
    import torch

    inf = float("inf")
    nan = "the entropy is nan where a token was removed: 0 times the logarithm of 0 counts as 0"

    alone = "with one token the share counts as 0: here as 1"
    one = "with one token ln n is 0, by which nothing can be divided: the temperature is low"

    ### BEGIN MISTAKES
    import numpy as np

    def heat(z, count=lambda z: int(np.isfinite(z).sum()), base=1.0):
        z = z.double().numpy()
        p = np.exp(z - z.max())
        p = p[p > 0] / p.sum()
        return float(-(p * np.log(p)).sum() / base / np.log(count(z))) if count(z) > 1 else 0.0

    def cooled(rule=lambda h, low, high: low + (high - low) * h, back=False, **how):
        def apply(z, low, high):
            temperature = rule(heat(z, **how), low, high)
            return z * temperature if back else z / temperature

        return apply

    def undivided(z, low, high):
        """The entropy as it is: heat times what it was divided by."""
        largest = float(np.log(max(np.isfinite(z.numpy()).sum(), 2)))
        return z / (low + (high - low) * heat(z) * largest)

    def in_numbers(z, low, high):
        n = int(np.isfinite(z.numpy()).sum())
        return z / (low + (high - low) * n ** heat(z) / n)

    check.mistakes({
        "the logits were multiplied by the temperature: divide": cooled(back=True),
        "low and high are exchanged: the flatter, the hotter": cooled(lambda h, low, high: high + (low - high) * h),
        "high alone is multiplied with the share: the difference of high and low is":
            cooled(lambda h, low, high: low + high * h),
        "the temperature lies in the middle, whatever the entropy": cooled(lambda h, low, high: (low + high) / 2),
        "high may be below low: then the temperature is, too":
            cooled(lambda h, low, high: max(low + (high - low) * h, low)),
        "high may be below low: then low is still what a sure model gets, so do not put the two in order":
            cooled(lambda h, low, high: min(low, high) + abs(high - low) * h),
        "high may be below low: their difference is negative then":
            cooled(lambda h, low, high: low + abs(high - low) * h),
        nan: lambda z, low, high: cooled()(z, low, high) if (z > -inf).all() else z * np.nan,
        "the entropy and its largest value are in different units": cooled(base=np.log(2)),
        "removed tokens count in n: only those that are left do": cooled(count=len),
        "the entropy is not divided by the largest one, ln n": undivided,
        "the share is H / ln n: this is e^H / n": in_numbers,
        "probabilities came back: return logits": lambda z, low, high: cooled()(z, low, high).softmax(-1),
    }, dynamic_temperature)

    def parabola(power=2, sign=-1.0, top=1.0, scale=lambda s: s):
        def apply(z, s):
            far = (z - z.max()).abs()
            return top * z.max() + sign * scale(s) * far**power

        return apply

    check.mistakes({
        "the first power stands where the square is asked": parabola(power=1),
        "the third power stands where the square is asked": parabola(power=3),
        "s times the square is subtracted, not added": parabola(sign=1.0),
        "the largest logit is missing: the square is taken off it": parabola(top=0.0),
        "the logits themselves were squared: their distances to the largest are": lambda z, s: z.max() - s * z**2,
        "s is missing": parabola(scale=lambda s: 1.0),
        "z itself stands where the largest logit is asked": lambda z, s: z - s * (z - z.max()) ** 2,
        "distances to the mean are squared: to the largest are asked":
            lambda z, s: (z.max() - s * (z - z[z > -inf].mean()) ** 2),
        "s is squared, too": parabola(scale=lambda s: s * s),
        "probabilities came back: return logits": lambda z, s: parabola()(z, s).softmax(-1),
    }, quadratic)
    ### END MISTAKES
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    some = [-2.03215, -0.64246, -3.14754, -1.11539, -1.52639, -2.58984, -3.70523]
    check(dynamic_temperature, example, 0.5, 1.5).equals(some, rtol=1e-4)
    removed = torch.tensor([0.0, -inf, 1.0, 2.0, -inf])
    check(dynamic_temperature, removed, 1.0, 2.0).equals(
        [0.0, -inf, 0.56893, 1.13786, -inf], about="tokens removed before", rtol=1e-4,
        near={f"{nan} (and the temperature is nan, too)": [float("nan")] * 5},
    )
    check(dynamic_temperature, torch.tensor([-inf, 3.0, -inf]), 0.5, 1.5).equals(
        [-inf, 6.0, -inf], about="one token is left", near={
            alone: [-inf, 2.0, -inf], one: ZeroDivisionError})
    check(dynamic_temperature, torch.tensor([1.0, 1.0]), 2.0, 0.5).equals(
        [2.0, 2.0], about="high is below low", rtol=1e-4)
    check(quadratic, torch.tensor([1.0, 3.0, -1.0, 2.0]), 0.5).equals([1.0, 3.0, -5.0, 2.5])
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(V, dtype=torch.float32, holes=()):
        z = torch.from_numpy(check.rng.normal(0.4, 1.7, size=V)).to(dtype)
        z[list(holes)] = -inf
        return z

    for low, high in [(0.5, 1.5), (0.2, 3.0), (1.0, 0.4), (0.8, 0.8), (0.02, 0.7), (0.6, 0.01)]:
        for V in (3, 8, 40, 80):
            z = made(V)
            check(dynamic_temperature, z, low, high).equals(cooled()(z, low, high), about="fresh logits", rtol=1e-4)
        z = made(3, holes=[1])
        check(dynamic_temperature, z, low, high).equals(cooled()(z, low, high), about="some were removed", rtol=1e-4)
        z = made(11, holes=[0, 4, 5])
        check(dynamic_temperature, z, low, high).equals(cooled()(z, low, high), about="some were removed", rtol=1e-4)
        z = made(9, torch.float64) + 400
        check(dynamic_temperature, z, low, high).equals(
            cooled()(z, low, high), about="far logits, in doubles", edge=True, rtol=1e-9
        )
    for z in ([3.0], [-inf, 3.0]):
        check(dynamic_temperature, torch.tensor(z), 0.5, 2.0).equals(
            [2 * v for v in z],
            about="one token is left",
            edge=True,
            near={one: ZeroDivisionError, f"{one} (0 / 0 is nan)": [np.nan] * len(z), alone: np.array(z) / 2},
        )
    for s in (0.02, 0.1, 0.3, 0.8, 2.5):
        for V, holes in [(4, ()), (9, ()), (30, ()), (80, ()), (8, (1, 2))]:
            z = made(V, holes=holes)
            expected = [float(z.max()) - s * (v - float(z.max())) ** 2 for v in z.tolist()]
            check(quadratic, z, s).equals(expected, about="fresh logits, quadratic", rtol=1e-4, atol=1e-5)
        z = made(6, torch.float64) - 300
        check(quadratic, z, s).equals(
            parabola()(z, s), about="far logits, in doubles, quadratic", edge=True, rtol=1e-10
        )
    check(quadratic, torch.tensor([3.0]), 0.3).equals([3.0], about="one token, quadratic", edge=True)
    ### END HIDDEN TESTS


score
