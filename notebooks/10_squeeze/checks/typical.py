from helpers.checks import graded


@graded("typical", points=4)
def score(check):
    import torch

    inf = float("inf")
    farthest = "the farthest from the entropy come first: the nearest are asked"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the likeliest come first here, as in top-p: the nearest to the entropy come first": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
        },
        "the farthest from the entropy come first: the nearest are asked": {
            1: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            2: [-2.52573, -0.798508, -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
            3: [float("-inf"), 0.0, float("-inf"), 1.5, -1.0],
        },
        "the token with which the mass is reached belongs to it": {
            1: [float("-inf"), float("-inf"), float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            2: [float("-inf"), float("-inf"), float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), 0.5, float("-inf"), float("-inf")],
        },
        "the surprise is in bits and the entropy in nats: take both in nats": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
        },
        "the distances are multiplied with p: the plain distance from the entropy counts": {
            1: [float("-inf"), float("-inf"), -3.91202, -1.38629, -1.89712, float("-inf"), -4.60517],
            2: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            3: [float("-inf"), 0.0, 0.5, float("-inf"), -1.0],
        },
        "the probabilities are compared with the entropy: their surprise -ln p is": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
        },
        "only tokens above the entropy have a distance here: it counts on either side": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), -0.798508, float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf"), 1.5, float("-inf")],
        },
        "the ranks were taken for ids: put what you know back in the places of the tokens": {
            1: [-2.52573, -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            2: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            3: [float("-inf"), 0.0, float("-inf"), float("-inf"), float("-inf")],
        },
        "one token more than asked stays: it ends with the one at which the mass is reached": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            2: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
        },
        "the token with which the mass is reached belongs to it: here there may be none at all": {
            1: [float("-inf"), float("-inf"), float("-inf"), -1.38629, float("-inf"), float("-inf"), float("-inf")],
            2: [float("-inf"), float("-inf"), float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), 0.5, float("-inf"), float("-inf")],
        },
        "the least likely come first here: the distance from the entropy counts, on either side": {
            1: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            2: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            3: [float("-inf"), 0.0, 0.5, float("-inf"), -1.0],
        },
        "the entropy is in bits and the surprise in nats: take both in nats": {
            1: [-2.52573, float("-inf"), float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            2: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
        },
        "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked": {
            1: [0.0, 0.0, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            2: [0.0, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            3: [0.0, 0.0, 0.5, 1.5, 0.0],
        },
        "the likeliest token was kept as well: this filter may drop it": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "probabilities came back: return logits": {
            1: [0.0, 0.0, 0.0, 0.625, 0.375, 0.0, 0.0],
            2: [0.0, 0.529412, 0.0, 0.294118, 0.176471, 0.0, 0.0],
            3: [0.0, 0.0, 0.268941, 0.731059, 0.0],
        },
        "the logits of those who stay changed: leave them as they are": {
            1: [float("-inf"), float("-inf"), float("-inf"), -0.470004, -0.980829, float("-inf"), float("-inf")],
            2: [float("-inf"), -0.635989, float("-inf"), -1.22378, -1.7346, float("-inf"), float("-inf")],
            3: [float("-inf"), float("-inf"), -1.31326, -0.313262, float("-inf")],
        },
        "the order of the tokens changed: each keeps its place": {
            1: [-1.38629, -1.89712, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            2: [-1.38629, -1.89712, -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            3: [0.5, 1.5, float("-inf"), float("-inf"), float("-inf")],
        },
        "probabilities were compared with e to the minus entropy: the distance of surprise and entropy counts": {
            2: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, -3.21888, float("-inf")],
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
        },
        "the entropy is nan where a token was removed: 0 times the logarithm of 0 counts as 0": {
            3: [float("-inf"), 0.0, 0.5, 1.5, float("-inf")],
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


score
