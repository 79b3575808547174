from helpers.checks import graded


@graded("repeats", points=7)
def score(check):
    import torch

    inf = float("inf")

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the logit was divided by the penalty: subtract it": {
            1: [1.0, 0.5, -0.5, 2.0, 1.22449, 0.0],
            2: [1.0, 0.714286, -0.5, 2.0, 1.07143, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 6.0, 0.0],
            4: [1.0, 0.5, -0.111111, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -0.0625, 2.0, 3.0, 0.0],
        },
        "the token that ends the text was penalised: it is the one that followed it before": {
            1: [1.0, 0.5, -0.5, -0.45, 3.0, 0.0],
            2: [1.0, 0.5, -0.5, -0.8, 3.0, 0.0],
            3: [1.0, 0.5, -0.5, 1.5, 3.0, 0.0],
        },
        "the allowed length is not taken off the exponent": {
            1: [1.0, 0.5, -0.5, 2.0, -4.50313, 0.0],
            2: [1.0, -0.9, -0.5, 2.0, -2.6, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, -1.68945, 0.0],
            4: [1.0, 0.5, -41.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -8192.5, 2.0, 3.0, 0.0],
        },
        "the penalty grows as a product here: base to the power of n - allowed is asked for": {
            1: [1.0, 0.5, -0.5, 2.0, 0.2, 0.0],
            2: [1.0, 0.5, -0.5, 2.0, 0.2, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
            4: [1.0, 0.5, -3.5, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -6.5, 2.0, 3.0, 0.0],
        },
        "the multiplier is missing": {
            1: [1.0, 0.5, -0.5, 2.0, -0.0625, 0.0],
            2: [1.0, -0.5, -0.5, 2.0, -1.0, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 2.0, 0.0],
            4: [1.0, 0.5, -9.5, 2.0, 3.0, 0.0],
        },
        "multiplier and base are exchanged": {
            1: [1.0, 0.5, -0.5, 2.0, 1.88, 0.0],
            2: [1.0, -1.5, -0.5, 2.0, 2.02, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 1.25, 0.0],
            4: [1.0, 0.5, -1.25, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -2.5, 2.0, 3.0, 0.0],
        },
        "the multiplier is outside the power: here the power is taken of the product": {
            1: [1.0, 0.5, -0.5, 2.0, 1.04, 0.0],
            2: [1.0, -0.5, -0.5, 2.0, 1.04, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 2.0, 0.0],
            4: [1.0, 0.5, -2.75, 2.0, 3.0, 0.0],
        },
        "the match is one token too short: the token before the place counts as the first": {
            1: [1.0, 0.5, -0.5, 2.0, 1.6, 0.0],
            2: [1.0, 0.5, -0.5, 2.0, 1.6, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
            4: [1.0, 0.5, -2.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -4.5, 2.0, 3.0, 0.0],
        },
        "the match is one token too long: the token itself does not count": {
            1: [1.0, 0.5, -0.5, 2.0, -1.2875, 0.0],
            2: [0.3, -0.9, -1.2, 1.3, -2.6, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 2.125, 0.0],
            4: [1.0, 0.5, -14.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -16.5, 2.0, 3.0, 0.0],
        },
        "the penalty was added: it is subtracted": {
            1: [1.0, 0.5, -0.5, 2.0, 5.45, 0.0],
            2: [1.0, 1.2, -0.5, 2.0, 5.8, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 3.5, 0.0],
            4: [1.0, 0.5, 4.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, 7.5, 2.0, 3.0, 0.0],
        },
        "the match ends where the text begins: an index below 0 counts from the end of the text": {
            2: [1.0, -0.2, -0.5, 2.0, -2.6, 0.0],
            4: [1.0, 0.5, -14.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -16.5, 2.0, 3.0, 0.0],
        },
        "the lengths of several places were added up: the longest match alone counts": {
            2: [1.0, -0.2, -0.5, 2.0, -8.2, 0.0],
            4: [1.0, 0.5, -1094.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -68719500000.0, 2.0, 3.0, 0.0],
        },
        "the last place counts here: the longest match is asked for": {
            2: [1.0, -0.2, -0.5, 2.0, 1.6, 0.0],
        },
        "a match of just the allowed length counts, too": {
            2: [1.0, 0.5, -0.5, 2.0, 0.2, 0.0],
            3: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
        },
        "the penalties of several places were added up: the longest match alone counts": {
            2: [1.0, -0.2, -0.5, 2.0, -1.2, 0.0],
            4: [1.0, 0.5, -7.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -15.5, 2.0, 3.0, 0.0],
        },
        "the first place counts here: the longest match is asked for": {
            4: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
        },
        "the two runs may overlap": {
            4: [1.0, 0.5, -1.0, 2.0, 3.0, 0.0],
            5: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
        },
        "the length of a match is capped: it is not": {
            5: [1.0, 0.5, -0.5, 2.0, 3.0, 0.0],
        },
        "only the likeliest went: all but the least likely that reach it go": {
            6: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            7: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            10: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "the likeliest stayed and the others that reach it went: the least likely stays": {
            6: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            8: [1.5, float("-inf"), 0.5],
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, -0.798508, -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
        },
        "the least likely of those that reach the threshold stays": {
            6: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            12: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "of those that reach the threshold the least likely stays: here all went": {
            6: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
        },
        "compared with a share of the largest probability: the threshold itself counts": {
            6: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            9: [float("-inf"), 1.0, 0.5],
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, float("-inf"), -3.91202, float("-inf"), float("-inf"), -3.21888, -4.60517],
            12: [-2.52573, float("-inf"), -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
        },
        "those below the threshold went: XTC removes the best": {
            6: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            8: [1.5, 1.0, float("-inf")],
            9: [float("-inf"), float("-inf"), float("-inf")],
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            12: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "removed tokens have the logit 0: minus infinity is asked for": {
            6: [-2.52573, 0.0, -3.91202, 0.0, -1.89712, -3.21888, -4.60517],
            10: [-2.52573, 0.0, -3.91202, 0.0, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, 0.0, -3.91202, 0.0, -1.89712, -3.21888, -4.60517],
        },
        "probabilities came back: return logits": {
            6: [0.266667, 0.0, 0.0666667, 0.0, 0.5, 0.133333, 0.0333333],
            7: [0.08, 0.45, 0.02, 0.25, 0.15, 0.04, 0.01],
            8: [0.50648, 0.307196, 0.186324],
            9: [0.50648, 0.307196, 0.186324],
            10: [0.266667, 0.0, 0.0666667, 0.0, 0.5, 0.133333, 0.0333333],
            11: [0.266667, 0.0, 0.0666667, 0.0, 0.5, 0.133333, 0.0333333],
            12: [0.08, 0.45, 0.02, 0.25, 0.15, 0.04, 0.01],
        },
        "the logits of those who stay changed: leave them as they are": {
            6: [-1.32176, float("-inf"), -2.70805, float("-inf"), -0.693147, -2.0149, -3.4012],
            8: [-0.68027, -1.18027, -1.68027],
            9: [-0.68027, -1.18027, -1.68027],
            10: [-1.32176, float("-inf"), -2.70805, float("-inf"), -0.693147, -2.0149, -3.4012],
            11: [-1.32176, float("-inf"), -2.70805, float("-inf"), -0.693147, -2.0149, -3.4012],
        },
        "logits were compared: probabilities are asked for": {
            6: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            9: [float("-inf"), 1.0, 0.5],
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "one guarded token stays and the others go: then nothing may go": {
            7: [-2.52573, float("-inf"), -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "a guarded token was removed: then nothing may go": {
            7: [-2.52573, float("-inf"), -3.91202, float("-inf"), -1.89712, -3.21888, -4.60517],
            8: [float("-inf"), 1.0, 0.5],
        },
        "a guarded token reaches the threshold but would stay: then the others go all the same": {
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "any guarded token stops all here: only one that would go does": {
            10: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            11: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
    })
    logits = torch.tensor([1.0, 0.5, -0.5, 2.0, 3.0, 0.0])
    text = [0, 1, 2, 3, 4, 5, 0, 1, 2, 3]

    def with_(token, value, start=logits):
        return [value if i == token else v for i, v in enumerate(start.tolist())]

    check(dry, logits, text, 0.8, 1.75, 2).equals(
        with_(4, 0.55), rtol=1e-4,
        near={
            "nothing was taken off": logits.tolist(),
        },
    )
    check(dry, logits, [1, 2, 3, 4, 0, 2, 3, 4, 3, 1, 2, 3], 0.7, 2.0, 1).equals(
        [1.0, -0.2, -0.5, 2.0, 0.2, 0.0], about="a token at two places", rtol=1e-4
    )
    check(dry, logits, text, 0.5, 1.75, 4).equals(with_(4, 2.5), about="a match of just the allowed length")
    check(dry, logits, [2, 2, 2, 2, 2], 0.5, 3.0, 2).equals(with_(2, -5.0), about="runs that overlap")
    check(dry, logits, [2] * 14, 1.0, 2.0, 10).equals(with_(2, -8.5), about="a long match", rtol=1e-4)
    # probabilities .08 .45 .02 .25 .15 .04 .01
    values = [-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702]
    example = torch.tensor(values)

    def without(*ids):
        return [-inf if i in ids else z for i, z in enumerate(values)]

    check(xtc, example, 0.1, []).equals(
        without(1, 3),
        near={"all but the least likely of the threshold went": [z if i == 4 else -inf for i, z in enumerate(values)]},
    )
    check(xtc, example, 0.1, [3, 2]).equals(values, about="a guarded token")
    level = torch.tensor([1.5, 1.0, 0.5])
    check(xtc, level, 0.2, [0]).equals([1.5, 1.0, 0.5], about="the token 0 is guarded")
    check(xtc, level, 0.6, []).equals([1.5, 1.0, 0.5], about="no token reaches the threshold", near={
        "it may be that no token reaches the threshold: then all stay": IndexError,
        "it may be that none reaches the threshold: then all stay": ValueError})
    check(xtc, example, 0.1, [4, 2]).equals(without(1, 3), about="guarded tokens that would stay")
    check(xtc, example, 0.1, [2, 5]).equals(without(1, 3), about="guarded tokens below the threshold")
    check(xtc, example, 0.3, []).equals(values, about="one token reaches the threshold")


score
