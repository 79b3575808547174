from helpers.checks import graded


@graded("cutoffs", points=7)
def score(check):
    import torch

    inf = float("inf")

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "these are bits: the entropy is asked for in nats, with the natural logarithm": {
            1: 2.08552,
            2: 1.0,
        },
        "the sign is wrong: the entropy is never negative": {
            1: -1.44558,
            2: -0.693147,
        },
        "the entropy in bits to base 10": {
            1: 0.627805,
            2: 0.30103,
        },
        "each token's share came back: their sum is asked for": {
            1: [0.202058, 0.359328, 0.0782405, 0.346574, 0.284568, 0.128755, 0.0460517],
            2: [0.346574, 0.0, 0.346574],
        },
        "one axis too many: a tensor without axes is asked for": {
            1: [1.44558],
            2: [0.693147],
        },
        "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked for": {
            3: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
            4: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
            5: [0.0, -0.798508, 0.0, 0.0, 0.0, 0.0, 0.0],
            6: [2.0, 0.0, 2.0],
            7: [0.0, -0.798508, 0.0, -1.38629, 0.0, 0.0, 0.0],
            8: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, 0.0],
            9: [0.0, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            10: [0.0, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            11: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
            12: [0.0, -0.798508, 0.0, -1.38629, 0.0, 0.0, 0.0],
            13: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
        "removed tokens have a large negative number: minus infinity is asked for": {
            3: [-2.52573, -0.798508, -10000.0, -1.38629, -1.89712, -3.21888, -10000.0],
            4: [-2.52573, -0.798508, -10000.0, -1.38629, -1.89712, -3.21888, -10000.0],
            5: [-10000.0, -0.798508, -10000.0, -10000.0, -10000.0, -10000.0, -10000.0],
            6: [2.0, -10000.0, 2.0],
            7: [-10000.0, -0.798508, -10000.0, -1.38629, -10000.0, -10000.0, -10000.0],
            8: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -10000.0],
            9: [-10000.0, -0.798508, -10000.0, -1.38629, -1.89712, -10000.0, -10000.0],
            10: [-10000.0, -0.798508, -10000.0, -1.38629, -1.89712, -10000.0, -10000.0],
            11: [-2.52573, -0.798508, -10000.0, -1.38629, -1.89712, -3.21888, -10000.0],
            12: [-10000.0, -0.798508, -10000.0, -1.38629, -10000.0, -10000.0, -10000.0],
            13: [-2.52573, -0.798508, -10000.0, -1.38629, -1.89712, -10000.0, -10000.0, -10000.0, -10000.0,
             -10000.0],
        },
        "these are probabilities: return logits": {
            3: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
            4: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
            5: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            6: [0.5, 0.0, 0.5],
            7: [0.0, 0.642857, 0.0, 0.357143, 0.0, 0.0, 0.0],
            8: [0.0808081, 0.454545, 0.020202, 0.252525, 0.151515, 0.040404, 0.0],
            9: [0.0, 0.529412, 0.0, 0.294118, 0.176471, 0.0, 0.0],
            10: [0.0, 0.529412, 0.0, 0.294118, 0.176471, 0.0, 0.0],
            11: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
            12: [0.0, 0.642857, 0.0, 0.357143, 0.0, 0.0, 0.0],
            13: [0.0860215, 0.483871, 0.0, 0.268817, 0.16129, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
        "these are the probabilities before tokens were removed: return logits": {
            3: [0.08, 0.45, float("-inf"), 0.25, 0.15, 0.04, float("-inf")],
            4: [0.08, 0.45, float("-inf"), 0.25, 0.15, 0.04, float("-inf")],
            5: [float("-inf"), 0.45, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            6: [0.422319, float("-inf"), 0.422319],
            7: [float("-inf"), 0.45, float("-inf"), 0.25, float("-inf"), float("-inf"), float("-inf")],
            8: [0.08, 0.45, 0.02, 0.25, 0.15, 0.04, float("-inf")],
            9: [float("-inf"), 0.45, float("-inf"), 0.25, 0.15, float("-inf"), float("-inf")],
            10: [float("-inf"), 0.45, float("-inf"), 0.25, 0.15, float("-inf"), float("-inf")],
            11: [0.08, 0.45, float("-inf"), 0.25, 0.15, 0.04, float("-inf")],
            12: [float("-inf"), 0.45, float("-inf"), 0.25, float("-inf"), float("-inf"), float("-inf")],
            13: [0.0808081, 0.454545, float("-inf"), 0.252525, 0.151515, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
        },
        "the logits of those who stay changed: leave them as they are": {
            3: [-2.49527, -0.768048, float("-inf"), -1.35584, -1.86666, -3.18842, float("-inf")],
            4: [-2.49527, -0.768048, float("-inf"), -1.35584, -1.86666, -3.18842, float("-inf")],
            5: [float("-inf"), 0.0, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            6: [-0.693147, float("-inf"), -0.693147],
            7: [float("-inf"), -0.441833, float("-inf"), -1.02962, float("-inf"), float("-inf"), float("-inf")],
            8: [-2.51568, -0.788457, -3.90197, -1.37624, -1.88707, -3.20883, float("-inf")],
            9: [float("-inf"), -0.635989, float("-inf"), -1.22378, -1.7346, float("-inf"), float("-inf")],
            10: [float("-inf"), -0.635989, float("-inf"), -1.22378, -1.7346, float("-inf"), float("-inf")],
            11: [-2.49527, -0.768048, float("-inf"), -1.35584, -1.86666, -3.18842, float("-inf")],
            12: [float("-inf"), -0.441833, float("-inf"), -1.02962, float("-inf"), float("-inf"), float("-inf")],
            13: [-2.45316, -0.725937, float("-inf"), -1.31372, -1.82455, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
        },
        "those below the line stay, or all do: those that reach it are kept": {
            3: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), float("-inf"), -4.60517],
            4: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), float("-inf"), -4.60517],
            5: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            6: [2.0, 1.0, 2.0],
            7: [-2.52573, float("-inf"), -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
            8: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), -4.60517],
            9: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            10: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            11: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), float("-inf"), -4.60517],
            12: [-2.52573, float("-inf"), -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
            13: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
        },
        "the largest probability is not squared: that is min-p": {
            3: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "compared with a itself: the threshold is a times the largest probability squared": {
            3: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
        },
        "a is squared, the largest probability does not: it is the other way round": {
            3: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
        },
        "each probability was squared, not the largest": {
            3: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "the root of the largest probability: its square is asked for": {
            3: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "the largest probability squared is taken without a": {
            3: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
        },
        "a was squared, too: the threshold is a times the largest probability squared": {
            3: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "compared with epsilon times the largest probability: that is min-p": {
            4: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
        },
        "the logits were compared with epsilon: probabilities are": {
            4: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            6: [2.0, 1.0, 2.0],
        },
        "every token was removed: the likeliest always stays": {
            5: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            6: [float("-inf"), float("-inf"), float("-inf")],
        },
        "e^z was compared with epsilon without the division by their sum: probabilities are": {
            6: [2.0, 1.0, 2.0],
        },
        "the larger of the two lines was taken: the lower of the two lines counts": {
            7: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            8: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            9: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "this is epsilon alone: the other line is root(epsilon) * e^-H, and the minus in e^-H lowers it": {
            7: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            9: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "the root goes over the whole product: it is over epsilon alone, times e^-H": {
            7: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            9: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
        },
        "this is 2^-H: e^-H is asked for, for H is in nats": {
            7: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            9: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
        },
        "the root of epsilon is the line here, whatever the entropy: e^-H is missing": {
            7: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            8: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            9: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "epsilon is squared where its root is asked for": {
            7: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            8: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            9: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
        },
        "the entropy is divided by its largest value, ln V: take it as it is": {
            7: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            9: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
        },
        "keep_eta goes by keep_epsilon, which compares with the largest probability: mend that first": {
            7: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            8: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            9: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "the root of epsilon is missing": {
            7: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            8: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            9: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "the entropy is in bits here: nats are asked for": {
            7: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            9: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "epsilon itself is missing: the lower of epsilon and root(epsilon) * e^-H counts": {
            8: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
        },
        "sigma is divided by V - 1: divide by V (correction=0)": {
            10: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            13: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf"), float("-inf"),
             float("-inf"), float("-inf")],
        },
        "n deviations below the mean: below the largest is asked for": {
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
            11: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            12: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            13: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf"), float("-inf"),
             float("-inf"), float("-inf")],
        },
        "n deviations above the mean: n below the largest is asked for": {
            10: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            11: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            13: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "probabilities were compared: this filter looks at logits": {
            10: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            11: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            13: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
        },
        "the variance is used where the standard deviation is asked for": {
            10: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            11: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
            13: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf"), float("-inf"),
             float("-inf"), float("-inf")],
        },
        "the line is n sigma below 0: below the largest logit is asked for": {
            10: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            11: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            13: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
        },
        "sigma is that of the probabilities: of the logits is asked for": {
            10: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            11: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            13: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "n deviations above the mean: n below the largest is asked for, and the likeliest always stays": {
            10: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            11: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "sigma is missing: n times the standard deviation": {
            11: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "n is missing": {
            11: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            12: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            13: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf")],
        },
        "removed tokens count as logits of 0 in sigma": {
            13: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf"), float("-inf"),
             float("-inf"), float("-inf")],
        },
        "removed tokens count in sigma as the smallest logit that is left: they have none": {
            13: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf"), float("-inf"),
             float("-inf"), float("-inf")],
        },
    })
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


score
