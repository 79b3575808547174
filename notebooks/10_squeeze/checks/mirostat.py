from helpers.checks import graded


@graded("mirostat", points=5)
def score(check):
    import torch

    inf = float("inf")

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "nats were compared: bits are asked for, logarithms to base 2": {
            1: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, float("-inf")],
        },
        "those with at most mu bits went: they stay": {
            1: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            2: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            3: [1.0, 0.0, 1.0],
        },
        "removed tokens have the logit 0: minus infinity is asked for": {
            1: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, 0.0, 0.0],
            2: [0.0, -0.798508, 0.0, 0.0, 0.0, 0.0, 0.0],
            3: [1.0, 0.0, 1.0],
        },
        "probabilities came back: return logits": {
            1: [0.0860215, 0.483871, 0.0, 0.268817, 0.16129, 0.0, 0.0],
            2: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            3: [0.5, 0.0, 0.5],
        },
        "the logits of those who stay changed: leave them as they are": {
            1: [-2.45316, -0.725937, float("-inf"), -1.31372, -1.82455, float("-inf"), float("-inf")],
            2: [float("-inf"), 0.0, float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf")],
            3: [-0.693147, float("-inf"), -0.693147],
        },
        "every token was removed: the likeliest always stays": {
            2: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            3: [float("-inf"), float("-inf"), float("-inf")],
        },
        "the limit moves against the error: subtract it": {
            4: (0, 4.06439),
            5: (4, 4.1537),
            6: (1, 0.5352),
        },
        "the surprise is that of the tokens that are left: what the model said before is asked for": {
            4: (0, 3.94608),
            5: (4, 3.85677),
            6: (1, 0.58),
        },
        "mu stays as it is: it moves with each token": {
            4: (0, 4.0),
            5: (4, 4.0),
            6: (1, 0.5),
        },
        "the rate is missing": {
            4: (0, 3.35614),
            5: (4, 2.46303),
            6: (1, 0.147997),
        },
        "the surprise is in nats: bits are asked for": {
            4: (0, 4.04743),
            5: (4, 3.93029),
            6: (1, 0.500149),
        },
        "the error is the surprise less tau: here mu was subtracted": {
            4: (0, 4.03561),
            5: (4, 4.1263),
            6: (1, 0.4348),
        },
        "tau is missing: the error is the surprise less tau": {
            4: (0, 3.63561),
            5: (4, 3.7263),
            6: (1, 0.3848),
        },
        "u is ignored: this is the likeliest token": {
            4: (1, 4.1848),
            5: (1, 4.0048),
        },
        "the surprise is multiplied with p here: it is that of the token that came": {
            4: (0, 4.27085),
            5: (4, 4.07895),
            6: (1, 0.52816),
        },
        "the limit moves on from mu, not from twice tau": {
            4: (0, 5.93561),
            5: (4, 2.2463),
            6: (1, 1.5648),
        },
        "the limit moves on from mu, not from tau": {
            4: (0, 2.93561),
            5: (4, 1.0463),
            6: (1, 0.7648),
        },
        "this is the surprise of the token: the next limit is asked for": {
            4: (0, 3.64386),
            5: (4, 2.73697),
            6: (1, 1.152),
        },
        "the step filters with keep_surprise, which keeps the wrong ones: mend that first": {
            4: (1, 4.1848),
            5: (5, 3.65561),
            6: (3, 0.38),
        },
        "tokens are removed by tau: mu is the limit": {
            4: (1, 4.1848),
            5: (1, 4.0048),
        },
        "one of all tokens was drawn: draw from those that are left": {
            5: (5, 3.65561),
            6: (3, 0.38),
        },
        "tokens are removed by twice tau: mu is the limit, which moves": {
            5: (3, 3.92),
        },
        "the step filters with keep_surprise, which compares nats: mend that first": {
            5: (5, 3.65561),
        },
    })
    # probabilities .08 .45 .02 .25 .15 .04 .01, that is 3.64 1.15 5.64 2 2.74 4.64 6.64 bits
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def left(*ids):
        return [z if i in ids else -inf for i, z in enumerate(values)]

    check(keep_surprise, example, 4.0).equals(
        left(0, 1, 3, 4),
        near={"the surprise is the one of the logits as they are: minus the logarithm of p is asked for": left()},
    )
    check(keep_surprise, example, 0.5).equals(left(1), about="a mu below every surprise")
    check(keep_surprise, torch.tensor([1.0, 0.0, 1.0]), 0.5).equals([1.0, -inf, 1.0], about="two of the likeliest")
    check(mirostat, example, 4.0, 3.0, 0.1, 0.03).equals(
        (0, 3.935614), rtol=1e-4,
        near={"mu and the token are exchanged": (3.935614, 0)},
    )
    check(mirostat, example, 4.0, 1.2, 0.1, 0.97).equals((4, 3.846303), rtol=1e-4, about="another draw")
    check(mirostat, example, 0.5, 0.8, 0.1, 0.7).equals((1, 0.4648), rtol=1e-4, about="only the likeliest is left")


score
