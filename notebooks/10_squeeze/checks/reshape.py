from helpers.checks import graded


@graded("reshape", points=3)
def score(check):
    import torch

    inf = float("inf")
    nan = "the entropy is nan where a token was removed: 0 times the logarithm of 0 counts as 0"

    alone = "with one token the share counts as 0: here as 1"
    one = "with one token ln n is 0, by which nothing can be divided: the temperature is low"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the logits were multiplied by the temperature: divide": {
            1: [-3.13917, -0.992448, -4.86217, -1.723, -2.35789, -4.00067, -5.72367],
            2: [0.0, float("-inf"), 1.75768, 3.51536, float("-inf")],
            3: [float("-inf"), 1.5, float("-inf")],
            4: [0.5, 0.5],
        },
        "low and high are exchanged: the flatter, the hotter": {
            1: [-3.33596, -1.05466, -5.16697, -1.83101, -2.5057, -4.25147, -6.08247],
            2: [0.0, float("-inf"), 0.804945, 1.60989, float("-inf")],
            3: [float("-inf"), 2.0, float("-inf")],
            4: [0.5, 0.5],
        },
        "high alone is multiplied with the share: the difference of high and low is": {
            1: [-1.56458, -0.494641, -2.42333, -0.858749, -1.17518, -1.99395, -2.8527],
            2: [0.0, float("-inf"), 0.397558, 0.795115, float("-inf")],
            4: [0.4, 0.4],
        },
        "the temperature lies in the middle, whatever the entropy": {
            1: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            2: [0.0, float("-inf"), 0.666667, 1.33333, float("-inf")],
            3: [float("-inf"), 3.0, float("-inf")],
            4: [0.8, 0.8],
        },
        "the entropy and its largest value are in different units": {
            1: [-1.60696, -0.508038, -2.48896, -0.882008, -1.20701, -2.04796, -2.92997],
            2: [0.0, float("-inf"), 0.47776, 0.955521, float("-inf")],
            4: [-6.09598, -6.09598],
        },
        "the entropy is not divided by the largest one, ln n": {
            1: [-1.29819, -0.410422, -2.01073, -0.712537, -0.975095, -1.65446, -2.367],
            2: [0.0, float("-inf"), 0.545734, 1.09147, float("-inf")],
            4: [1.04136, 1.04136],
        },
        "the share is H / ln n: this is e^H / n": {
            1: [-2.28298, -0.721764, -3.53604, -1.25306, -1.71479, -2.90951, -4.16257],
            2: [0.0, float("-inf"), 0.566164, 1.13233, float("-inf")],
            3: [float("-inf"), 2.0, float("-inf")],
        },
        "probabilities came back: return logits": {
            1: [0.0974558, 0.391151, 0.0319448, 0.243756, 0.161607, 0.0557961, 0.0182893],
            2: [0.169881, 0.0, 0.300074, 0.530045, 0.0],
            3: [0.0, 1.0, 0.0],
            4: [0.5, 0.5],
            5: [0.0776806, 0.573986, 0.000192551, 0.34814],
        },
        "removed tokens count in n: only those that are left do": {
            2: [0.0, float("-inf"), 0.65911, 1.31822, float("-inf")],
        },
        "high may be below low: then the temperature is, too": {
            4: [0.5, 0.5],
        },
        "high may be below low: then low is still what a sure model gets, so do not put the two in order": {
            4: [0.5, 0.5],
        },
        "high may be below low: their difference is negative then": {
            4: [0.285714, 0.285714],
        },
        "the first power stands where the square is asked": {
            5: [2.0, 3.0, 1.0, 2.5],
        },
        "the third power stands where the square is asked": {
            5: [-1.0, 3.0, -29.0, 2.5],
        },
        "s times the square is subtracted, not added": {
            5: [5.0, 3.0, 11.0, 3.5],
        },
        "the largest logit is missing: the square is taken off it": {
            5: [-2.0, 0.0, -8.0, -0.5],
        },
        "the logits themselves were squared: their distances to the largest are": {
            5: [2.5, -1.5, 2.5, 1.0],
        },
        "s is missing": {
            5: [-1.0, 3.0, -13.0, 2.0],
        },
        "z itself stands where the largest logit is asked": {
            5: [-1.0, 3.0, -9.0, 1.5],
        },
        "distances to the mean are squared: to the largest are asked": {
            5: [2.96875, 1.46875, 0.46875, 2.71875],
        },
        "s is squared, too": {
            5: [2.0, 3.0, -1.0, 2.75],
        },
    })
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


score
