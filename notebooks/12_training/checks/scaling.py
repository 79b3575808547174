from helpers.checks import graded


@graded("scaling", points=7)
def score(check):
    import math

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "b is the fall: the slope with a minus": {
            1: (22.4937, -0.25),
            2: (6.9282, -0.206097),
        },
        "a is still a logarithm: take exp of the intercept": {
            1: (3.11323, 0.25),
            2: (1.9356, 0.206097),
        },
        "a and b are exchanged": {
            1: (0.25, 22.4937),
            2: (0.206097, 6.9282),
            3: 0.0,
        },
        "the logarithm is to the base 10, and exp was taken of it": {
            1: (3.86538, 0.25),
            2: (2.31781, 0.206097),
        },
        "two kinds of logarithm: base 2 of the losses, and the natural one": {
            1: (89.2504, 0.360674),
            2: (16.3215, 0.297335),
        },
        "the line goes through the sizes and losses themselves: through their logarithms": {
            1: (4.13333, 0.000133333),
            2: (3.51607, 0.00025205),
        },
        "only the sizes are logarithmic: the losses, too": {
            1: (8.98289, 0.721348),
            2: (5.0, 0.434294),
        },
        "only the losses are logarithmic: the sizes, too": {
            1: (4.18918, 4.62098e-05),
            2: (3.4902, 0.000125121),
        },
        "sizes and losses are exchanged": {
            1: (256000.0, 4.0),
            2: (11139.7, 4.76344),
        },
        "the line goes through the first and the last point alone: all count": {
            2: (6.3496, 0.200687),
        },
        "the slope is that between the first and the last point: all points count": {
            2: (6.7297, 0.200687),
        },
        "larger losses weigh more here: all points weigh alike": {
            2: (6.10821, 0.171229),
        },
        "the loss grows here: N^(-b)": {
            3: 505.965,
        },
        "this is a line, a - b N: a power is asked for": {
            3: -63977.5,
        },
        "a is missing": {
            3: 0.044457,
        },
        "this is the logarithm of the loss": {
            3: 2.08914e-06,
        },
        "this is exponential, a e^(-b N)": {
            3: 0.0,
        },
        "b ln N was subtracted from a": {
            3: 19.3805,
        },
        "the root is missing": {
            4: (10000000000.0, 200000000000.0),
            5: (50.0, 500.0),
        },
        "the 6 is missing: the budget is 6 N D": {
            4: (244948.974278, 4898979.48557),
            5: (17.3205080757, 173.205080757),
        },
        "tokens_per_weight is missing under the root": {
            4: (447213.5955, 8944271.91),
            5: (22.360679775, 223.60679775),
        },
        "weights and tokens are exchanged": {
            4: (2000000.0, 100000.0),
            5: (70.7106781187, 7.07106781187),
        },
        "the tokens are as many as the weights": {
            4: (100000.0, 100000.0),
            5: (7.07106781187, 7.07106781187),
        },
        "the tokens come from 2 N D: a step costs 6": {
            4: (100000.0, 6000000.0),
            5: (7.07106781187, 212.132034356),
        },
        "20 tokens for each weight, whatever tokens_per_weight is": {
            5: (5.0, 100.0),
        },
        "the tokens are 20 for each weight, whatever tokens_per_weight is": {
            5: (7.07106781187, 141.421356237),
        },
        "rounded: neither number is": {
            5: (7, 71),
        },
    })
    check(fit_power_law, [1000, 16000], [4.0, 2.0]).equals((22.4937, 0.25), about="two points by hand", rtol=1e-4)
    check(fit_power_law, [10, 100, 10000], [4.0, 3.0, 1.0]).equals(
        (6.928203, 0.206097), about="three points that lie on no line", rtol=1e-4
    )
    check(predicted_loss, 256000, 22.4937, 0.25).equals(1.0, about="the line extended, by hand", rtol=1e-4)
    check(best_split, 1.2e12).equals((1e5, 2e6), about="a budget by hand", rtol=1e-6)
    check(best_split, 3000.0, 10.0).equals((7.071068, 70.71068), about="ten tokens for each weight", rtol=1e-6)


score
