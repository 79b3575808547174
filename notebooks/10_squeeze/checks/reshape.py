from helpers.checks import graded


@graded("reshape", points=3)
def score(check):
    import torch

    inf = float("inf")
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    times = "the logits were multiplied by the temperature: divide"
    raw = "the entropy is not divided by the largest one, ln n"
    upside = "low and high are exchanged: the flatter, the hotter"
    whole = "high alone is multiplied with the share: the difference of high and low is"
    middle = "the temperature lies in the middle, whatever the entropy"
    mixed = "the entropy and its largest value are in different units"
    counted = "removed tokens count in n: only those that are left do"
    nan = "the entropy is nan where a token was removed: 0 times the logarithm of 0 counts as 0"
    ordered = "high may be below low: then low is still what a sure model gets, so do not put the two in order"
    some = [-2.03215, -0.64246, -3.14754, -1.11539, -1.52639, -2.58984, -3.70523]
    check(dynamic_temperature, example, 0.5, 1.5).equals(
        some,
        rtol=1e-4,
        near={
            times: [-3.13921, -0.99246, -4.86223, -1.72302, -2.35791, -4.00072, -5.72373],
            raw: [-1.29817, -0.41042, -2.01073, -0.71254, -0.97509, -1.65445, -2.367],
            upside: [-3.33599, -1.05467, -5.167, -1.83102, -2.50572, -4.25149, -6.08251],
            whole: [-1.56457, -0.49464, -2.42332, -0.85875, -1.17518, -1.99394, -2.85269],
            middle: example.tolist(),
        },
    )
    removed = torch.tensor([0.0, -inf, 1.0, 2.0, -inf])
    check(dynamic_temperature, removed, 1.0, 2.0).equals(
        [0.0, -inf, 0.56893, 1.13786, -inf],
        about="tokens removed before",
        rtol=1e-4,
        near={
            counted: [0.0, -inf, 0.65911, 1.31822, -inf],
            times: [0.0, -inf, 1.75768, 3.51536, -inf],
            nan: [float("nan")] * 5,
        },
    )
    first = "the first power stands where the square is asked"
    down = "s times the square is subtracted, not added"
    alone = "the largest logit is missing: the square is taken off it"
    own = "the logits themselves were squared: their distances to the largest are"
    check(quadratic, torch.tensor([1.0, 3.0, -1.0, 2.0]), 0.5).equals(
        [1.0, 3.0, -5.0, 2.5],
        near={
            first: [2.0, 3.0, 1.0, 2.5],
            down: [5.0, 3.0, 11.0, 3.5],
            alone: [-2.0, 0.0, -8.0, -0.5],
            own: [2.5, -1.5, 2.5, 1.0],
            "z itself stands where the largest logit is asked": [-1.0, 3.0, -9.0, 1.5],
            "distances to the mean are squared: to the largest are asked": [2.96875, 1.46875, 0.46875, 2.71875],
            "s is squared, too": [2.0, 3.0, -1.0, 2.75],
            "s is missing": [-1.0, 3.0, -13.0, 2.0],
        },
    )


score
