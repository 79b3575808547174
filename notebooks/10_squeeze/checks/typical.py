from helpers.checks import graded


@graded("typical", points=5)
def score(check):
    import torch

    inf = float("inf")
    farthest = "the farthest from the entropy come first: the nearest are asked for"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the likeliest come first here, as in top-p or by a distance with its sign: the nearest on either side do": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
            4: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), -0.798508, float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "the farthest from the entropy come first: the nearest are asked for": {
            1: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            2: [-2.52573, -0.798508, -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
            3: [float("-inf"), 0.0, float("-inf"), 1.5, -1.0],
            4: [-3.21888, float("-inf"), -3.50656, -2.99573, float("-inf"), float("-inf"), -3.35241, -3.10109,
             -3.68888, -4.19971, -3.57555, -3.81671],
            5: [-3.50656, -0.105361, -2.99573, -3.91202],
        },
        "the token with which the mass is reached belongs to it": {
            1: [float("-inf"), float("-inf"), float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            2: [float("-inf"), float("-inf"), float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), 0.5, float("-inf"), float("-inf")],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [float("-inf"), -0.105361, float("-inf"), float("-inf")],
        },
        "the surprise is in bits and the entropy in nats: take both in nats": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), -0.798508, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "the distances are multiplied with p: the plain distance from the entropy counts": {
            1: [float("-inf"), float("-inf"), -3.91202, -1.38629, -1.89712, float("-inf"), -4.60517],
            2: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            3: [float("-inf"), 0.0, 0.5, float("-inf"), -1.0],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), -3.68888, -4.19971, float("-inf"), -3.81671],
            5: [-3.50656, -0.105361, -2.99573, -3.91202],
        },
        "the probabilities are compared with the entropy: their surprise -ln p is": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
            4: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), -0.798508, float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [-3.50656, -0.105361, -2.99573, -3.91202],
        },
        "only tokens above the entropy have a distance here: it counts on either side": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), -0.798508, float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "the ranks were taken for ids: put what you know back in the places of the tokens": {
            1: [-2.52573, -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            2: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), 0.0, float("-inf"), float("-inf"), float("-inf")],
            4: [-3.21888, -1.60944, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [-3.50656, -0.105361, float("-inf"), float("-inf")],
            6: [-2.52573, -0.798508, -3.91202, -1.38629, float("-inf"), float("-inf"), float("-inf")],
            7: [1.0, float("-inf"), 0.5, float("-inf"), float("-inf"), float("-inf")],
            8: [0.5, float("-inf"), float("-inf"), float("-inf")],
            12: [-2.30259, -1.20397, -3.21888, float("-inf"), float("-inf"), float("-inf")],
            13: [-2.52573, -2.20727, -3.50656, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "one token more than asked stays: it ends with the one at which the mass is reached": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            2: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), -0.798508, -2.81341, float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [-3.50656, -0.105361, -2.99573, float("-inf")],
        },
        "the token with which the mass is reached belongs to it: here there may be none at all": {
            1: [float("-inf"), float("-inf"), float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            2: [float("-inf"), float("-inf"), float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), 0.5, float("-inf"), float("-inf")],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [float("-inf"), -0.105361, float("-inf"), float("-inf")],
        },
        "the least likely come first here: the distance from the entropy counts, on either side": {
            1: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            2: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            3: [float("-inf"), 0.0, 0.5, float("-inf"), -1.0],
            4: [-3.21888, float("-inf"), -3.50656, -2.99573, float("-inf"), float("-inf"), -3.35241, -3.10109,
             -3.68888, -4.19971, -3.57555, -3.81671],
            5: [-3.50656, -0.105361, -2.99573, -3.91202],
        },
        "the entropy is in bits and the surprise in nats: take both in nats": {
            1: [-2.52573, float("-inf"), float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            2: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
            4: [-3.21888, float("-inf"), -3.50656, -2.99573, float("-inf"), -2.81341, -3.35241, -3.10109,
             float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked for": {
            1: [0.0, 0.0, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            2: [0.0, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            3: [0.0, 0.0, 0.5, 1.5, 0.0],
            4: [0.0, -1.60944, 0.0, 0.0, 0.0, -2.81341, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            5: [0.0, -0.105361, -2.99573, 0.0],
            6: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            7: [1.0, 0.0, 0.5, 0.0, 0.0, 0.0],
            8: [0.0, 0.0, 1.0, 0.0],
            12: [0.0, -1.20397, 0.0, -1.27297, -1.60944, 0.0],
            13: [0.0, 0.0, 0.0, -1.83258, -1.46968, 0.0, -1.38629],
        },
        "the likeliest token was kept as well: this filter may drop it": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            4: [float("-inf"), -1.60944, float("-inf"), float("-inf"), -0.798508, -2.81341, float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "probabilities came back: return logits": {
            1: [0.0, 0.0, 0.0, 0.625, 0.375, 0.0, 0.0],
            2: [0.0, 0.529412, 0.0, 0.294118, 0.176471, 0.0, 0.0],
            3: [0.0, 0.0, 0.268941, 0.731059, 0.0],
            4: [0.0, 0.769231, 0.0, 0.0, 0.0, 0.230769, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            5: [0.0, 0.947368, 0.0526316, 0.0],
            6: [0.0860215, 0.483871, 0.0, 0.268817, 0.16129, 0.0, 0.0],
            7: [0.50648, 0.0, 0.307196, 0.186324, 0.0, 0.0],
            8: [0.0, 0.0, 1.0, 0.0],
            9: [0.622459, 0.377541],
            11: [0.333333, 0.333333, 0.333333],
            12: [0.0, 0.384615, 0.0, 0.358974, 0.25641, 0.0],
            13: [0.0, 0.0, 0.0, 0.25, 0.359375, 0.0, 0.390625],
        },
        "the logits of those who stay changed: leave them as they are": {
            1: [float("-inf"), float("-inf"), float("-inf"), -0.470004, -0.980829, float("-inf"), float("-inf")],
            2: [float("-inf"), -0.635989, float("-inf"), -1.22378, -1.7346, float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), -1.31326, -0.313262, float("-inf")],
            4: [float("-inf"), -0.262364, float("-inf"), float("-inf"), float("-inf"), -1.46634, float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [float("-inf"), -0.0540672, -2.94444, float("-inf")],
            6: [-2.45316, -0.725937, float("-inf"), -1.31372, -1.82455, float("-inf"), float("-inf")],
            7: [-0.68027, float("-inf"), -1.18027, -1.68027, float("-inf"), float("-inf")],
            8: [float("-inf"), float("-inf"), 0.0, float("-inf")],
            9: [-0.474077, -0.974077],
            11: [-1.09861, -1.09861, -1.09861],
            12: [float("-inf"), -0.955511, float("-inf"), -1.0245, -1.36098, float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), -1.38629, -1.02339, float("-inf"), -0.940007],
        },
        "the order of the tokens changed: each keeps its place": {
            1: [-1.38629, -1.89712, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            2: [-1.38629, -1.89712, -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            3: [0.5, 1.5, float("-inf"), float("-inf"), float("-inf")],
            4: [-1.60944, -2.81341, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            5: [-0.105361, -2.99573, float("-inf"), float("-inf")],
        },
        "probabilities were compared with e to the minus entropy: the distance of surprise and entropy counts": {
            2: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
        },
        "the entropy is nan where a token was removed: 0 times the logarithm of 0 counts as 0": {
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
        },
        "the sums are one rank too early: the first judges rank 1, and rank 0 stays in any case": {
            6: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            7: [1.0, float("-inf"), 0.5, float("-inf"), float("-inf"), float("-inf")],
            12: [float("-inf"), -1.20397, float("-inf"), -1.27297, float("-inf"), float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), -1.46968, float("-inf"), -1.38629],
        },
        "the sums are one rank too early: each judges the rank after its own, and none judges rank 0, which stays": {
            6: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            7: [1.0, float("-inf"), 0.5, float("-inf"), float("-inf"), float("-inf")],
            8: [float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            12: [float("-inf"), -1.20397, float("-inf"), -1.27297, float("-inf"), float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), -1.46968, float("-inf"), -1.38629],
        },
        "the sums are one rank too late: the first judges rank 3, not rank 2, and rank 1 goes": {
            6: [-2.52573, -0.798508, float("-inf"), float("-inf"), -1.89712, -3.21888, float("-inf")],
            7: [1.0, float("-inf"), float("-inf"), 0.0, float("-inf"), -1.0],
            12: [-2.30259, -1.20397, float("-inf"), float("-inf"), -1.60944, float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), -1.83258, float("-inf"), -1.96611, -1.38629],
        },
        "the second differences are not divided by their sum": {
            6: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
            7: [1.0, float("-inf"), 0.5, 0.0, float("-inf"), -1.0],
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            12: [-2.30259, -1.20397, float("-inf"), -1.27297, -1.60944, -2.52573],
            13: [-2.52573, -2.20727, float("-inf"), -1.83258, -1.46968, -1.96611, -1.38629],
        },
        "a rank stays if the sum with its own d is at most z, not the sum of those before it": {
            6: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            7: [1.0, float("-inf"), 0.5, 0.0, float("-inf"), -1.0],
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            12: [-2.30259, -1.20397, float("-inf"), -1.27297, -1.60944, float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), -1.83258, -1.46968, -1.96611, -1.38629],
        },
        "the curve is that of the tokens in the order of their ids: sort the probabilities first": {
            6: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            7: [1.0, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            8: [0.5, float("-inf"), float("-inf"), float("-inf")],
            12: [-2.30259, -1.20397, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            13: [-2.52573, -2.20727, -3.50656, -1.83258, -1.46968, float("-inf"), float("-inf")],
        },
        "the curve begins at the least likely: the likeliest comes first": {
            6: [-2.52573, float("-inf"), -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
            7: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            8: [float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            12: [-2.30259, float("-inf"), -3.21888, float("-inf"), float("-inf"), -2.52573],
            13: [-2.52573, -2.20727, -3.50656, -1.83258, float("-inf"), -1.96611, float("-inf")],
        },
        "the squares of the second differences were added: their sizes are asked for": {
            6: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), -1.46968, float("-inf"), -1.38629],
        },
        "those beyond the sum z stay: they are the tail": {
            6: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            7: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), -1.0],
            8: [0.5, float("-inf"), float("-inf"), float("-inf")],
            9: [float("-inf"), float("-inf")],
            11: [float("-inf"), float("-inf"), float("-inf")],
            12: [-2.30259, float("-inf"), -3.21888, float("-inf"), float("-inf"), -2.52573],
            13: [-2.52573, -2.20727, -3.50656, float("-inf"), float("-inf"), -1.96611, float("-inf")],
        },
        "those beyond the sum z stay: they are the tail, and the likeliest": {
            6: [float("-inf"), -0.798508, -3.91202, float("-inf"), float("-inf"), -3.21888, float("-inf")],
            7: [1.0, float("-inf"), float("-inf"), float("-inf"), float("-inf"), -1.0],
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            12: [-2.30259, -1.20397, float("-inf"), float("-inf"), float("-inf"), -2.52573],
            13: [-2.52573, -2.20727, float("-inf"), float("-inf"), float("-inf"), -1.96611, -1.38629],
        },
        "the last rank goes, too": {
            6: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), -4.60517],
            7: [1.0, float("-inf"), 0.5, 0.0, float("-inf"), -1.0],
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            12: [float("-inf"), -1.20397, -3.21888, -1.27297, -1.60944, float("-inf")],
            13: [float("-inf"), float("-inf"), -3.50656, -1.83258, -1.46968, float("-inf"), -1.38629],
        },
        "these are first differences, without the first of them: the bend is the second difference": {
            7: [1.0, float("-inf"), 0.5, float("-inf"), float("-inf"), float("-inf")],
            12: [float("-inf"), -1.20397, float("-inf"), -1.27297, float("-inf"), float("-inf")],
            13: [float("-inf"), -2.20727, float("-inf"), -1.83258, -1.46968, -1.96611, -1.38629],
        },
        "these are first differences, without the last of them: the bend is the second difference": {
            7: [1.0, float("-inf"), 0.5, float("-inf"), float("-inf"), float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), -1.83258, -1.46968, -1.96611, -1.38629],
        },
        "these are first differences, how steep the curve is: its bend is the second difference": {
            7: [1.0, float("-inf"), 0.5, float("-inf"), float("-inf"), float("-inf")],
            13: [-2.52573, -2.20727, float("-inf"), -1.83258, -1.46968, -1.96611, -1.38629],
        },
        "removed tokens are in the curve, too, with the probability 0: here they were left out": {
            7: [1.0, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            8: [0.5, float("-inf"), 1.0, float("-inf")],
        },
        "removed tokens count, too, when it is asked whether there are fewer than three": {
            8: [0.5, float("-inf"), 1.0, float("-inf")],
        },
        "the size of a second difference counts, not its sign": {
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            12: [-2.30259, -1.20397, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            13: [float("-inf"), -2.20727, float("-inf"), -1.83258, float("-inf"), -1.96611, -1.38629],
        },
        "a bend of either sign counts, by its size: here one below 0 counts as none": {
            8: [0.5, float("-inf"), 1.0, float("-inf")],
            13: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), -1.46968, float("-inf"), -1.38629],
        },
        "where nothing bends, 0 / 0 is no number: all tokens stay": {
            11: [0.5, float("-inf"), float("-inf")],
        },
    })
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


score
