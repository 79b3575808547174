from helpers.checks import graded


@graded("choose", points=5)
def score(check):
    import torch

    inf = float("inf")

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "compared with min_p itself: the threshold is min_p times the largest probability": {
            1: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "logits were compared: probabilities are asked": {
            1: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
        },
        "the logarithms of the probabilities were compared": {
            1: [float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), float("-inf"), float("-inf"), float("-inf")],
        },
        "compared with the largest logit minus min_p: probabilities are asked": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), float("-inf"), 2.0, float("-inf")],
        },
        "the threshold is min_p times the largest probability, not over it": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
        },
        "compared with min_p times the mean probability: the largest counts": {
            1: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "compared with min_p times the smallest probability: the largest counts": {
            1: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
            2: [0.5, float("-inf"), 2.0, -2.0],
        },
        "min_p was subtracted from the largest probability: the threshold is min_p times that": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), float("-inf"), 2.0, float("-inf")],
        },
        "those below the threshold were kept, and those on it": {
            1: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), float("-inf"), -4.60517],
            2: [float("-inf"), float("-inf"), float("-inf"), -2.0],
        },
        "the logarithm of min_p is the natural one, not to base 2": {
            1: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "the logarithm of min_p is the natural one, not to base 10": {
            1: [float("-inf"), -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            2: [float("-inf"), float("-inf"), 2.0, float("-inf")],
        },
        "exponentials were compared with min_p itself: the threshold is min_p times the largest probability": {
            1: [-2.52573, -0.798508, float("-inf"), -1.38629, -1.89712, float("-inf"), float("-inf")],
            2: [0.5, float("-inf"), 2.0, -2.0],
        },
        "those below the threshold were kept": {
            1: [float("-inf"), float("-inf"), -3.91202, float("-inf"), float("-inf"), float("-inf"), -4.60517],
            2: [float("-inf"), float("-inf"), float("-inf"), -2.0],
        },
        "the threshold is 1 - min_p times the largest": {
            1: [float("-inf"), -0.798508, float("-inf"), float("-inf"), float("-inf"), float("-inf"),
             float("-inf")],
            2: [float("-inf"), float("-inf"), 2.0, float("-inf")],
        },
        "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked": {
            1: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
            2: [0.5, 0.0, 2.0, 0.0],
        },
        "the logits of those who stay changed: leave them as they are": {
            1: [-2.49527, -0.768048, float("-inf"), -1.35584, -1.86666, -3.18842, float("-inf")],
            2: [-1.70141, float("-inf"), -0.201413, float("-inf")],
        },
        "these are probabilities: return logits": {
            1: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
            2: [0.182426, 0.0, 0.817574, 0.0],
        },
        "removed tokens have a large negative number: minus infinity is asked": {
            1: [-2.52573, -0.798508, -100.0, -1.38629, -1.89712, -3.21888, -100.0],
            2: [0.5, -100.0, 2.0, -100.0],
        },
        "these are the probabilities of those who stay: return their logits": {
            1: [0.08, 0.45, float("-inf"), 0.25, 0.15, 0.04, float("-inf")],
            2: [0.179734, float("-inf"), 0.805512, float("-inf")],
        },
        "the first token was taken for the likeliest: logits come in any order": {
            1: [-2.52573, -0.798508, -3.91202, -1.38629, -1.89712, -3.21888, -4.60517],
        },
        "these are probabilities, not shared out anew: return logits": {
            1: [0.08, 0.45, 0.0, 0.25, 0.15, 0.04, 0.0],
            2: [0.179734, 0.0, 0.805512, 0.0],
        },
        "log-softmax came first: the logits of those who stay keep their values": {
            2: [-1.71628, float("-inf"), -0.216277, float("-inf")],
        },
        "where a token was removed before, nothing more is removed: is there NaN, of infinity minus infinity?": {
            2: [0.5, float("-inf"), 2.0, -2.0],
        },
        "negative logits were divided by the repetition penalty, which makes the token likelier: multiply them": {
            3: [1.0, -0.5, 0.5, 1.5],
            6: [-0.25, -1.25, 0.5, 0.0],
        },
        "positive logits were multiplied by the repetition penalty: divide them": {
            3: [4.0, -2.0, 0.5, 1.5],
            6: [2.75, -2.75, 0.5, 2.25],
        },
        "divide positive logits and multiply negative ones: here it is the other way round": {
            3: [4.0, -0.5, 0.5, 1.5],
            6: [2.75, -1.25, 0.5, 2.25],
        },
        "the repetition penalty was applied once for each occurrence: once is asked": {
            3: [0.5, -2.0, 0.5, 1.5],
            6: [-0.75, -2.75, 0.5, 0.0],
        },
        "the repetition penalty was subtracted: divide or multiply": {
            3: [0.0, -3.0, 0.5, 1.5],
            4: [0.0, -2.5, 0.5, 1.5],
            5: [0.5, -2.5, 0.5, 1.5],
            6: [-1.25, -3.75, 0.5, -1.25],
        },
        "the logarithm of the repetition penalty was subtracted: divide or multiply": {
            3: [1.30685, -1.69315, 0.5, 1.5],
            6: [0.0568528, -2.44315, 0.5, 0.0568528],
        },
        "all tokens were penalised: only those that were generated are": {
            3: [1.0, -2.0, 0.25, 0.75],
            5: [1.5, -1.5, 0.0, 1.0],
            6: [-0.25, -2.75, 0.0, 0.0],
        },
        "all tokens were penalised: only those that were generated are (by the repetition penalty)": {
            3: [1.0, -2.0, 0.25, 0.75],
            6: [-0.25, -2.75, 0.25, 0.0],
        },
        "the tokens that were *not* generated were penalised": {
            3: [2.0, -1.0, 0.25, 0.75],
            5: [2.0, -1.0, 0.0, 1.0],
            6: [1.0, -1.5, 0.0, 1.0],
        },
        "repetition is ignored": {
            3: [2.0, -1.0, 0.5, 1.5],
            6: [0.75, -1.75, 0.5, 0.75],
        },
        "only tokens that occur more than once were penalised": {
            3: [1.0, -1.0, 0.5, 1.5],
            4: [1.5, -1.0, 0.5, 1.5],
            5: [1.5, -1.0, 0.5, 1.5],
            6: [0.25, -1.0, 0.5, 1.5],
        },
        "the repetition penalty was applied once for each occurrence: once is asked; the presence penalty counts once, however often the token occurs": {
            3: [0.5, -2.0, 0.5, 1.5],
            5: [1.0, -1.5, 0.5, 1.5],
            6: [-1.0, -2.75, 0.5, 0.0],
        },
        "only the last token was penalised": {
            3: [1.0, -1.0, 0.5, 1.5],
            4: [1.5, -1.0, 0.5, 1.5],
            5: [1.5, -1.0, 0.5, 1.5],
            6: [2.0, -1.0, 0.5, 0.0],
        },
        "the repetition penalty was applied once for each occurrence, by turns with frequency: once is asked, first": {
            3: [0.5, -2.0, 0.5, 1.5],
            6: [-0.5, -2.75, 0.5, 0.0],
        },
        "the frequency penalty counts each occurrence": {
            4: [1.5, -1.5, 0.5, 1.5],
            6: [0.25, -2.75, 0.5, 0.0],
        },
        "frequency and presence are exchanged": {
            4: [1.5, -1.5, 0.5, 1.5],
            5: [1.0, -1.5, 0.5, 1.5],
            6: [0.0, -2.75, 0.5, 0.0],
        },
        "the frequency is a share of all tokens here: it is the count": {
            4: [1.66667, -1.16667, 0.5, 1.5],
            6: [0.5, -2.375, 0.5, 0.375],
        },
        "the logarithm of the count stands where the count is asked": {
            4: [1.45069, -1.34657, 0.5, 1.5],
            6: [0.200694, -2.59657, 0.5, 0.153426],
        },
        "penalties are subtracted, not added": {
            4: [3.0, -0.5, 0.5, 1.5],
            5: [2.5, -0.5, 0.5, 1.5],
            6: [2.25, -1.25, 0.5, 1.5],
        },
        "frequency is ignored": {
            4: [2.0, -1.0, 0.5, 1.5],
            6: [0.75, -2.25, 0.5, 0.5],
        },
        "the first occurrence counts, too": {
            4: [1.5, -1.0, 0.5, 1.5],
            6: [0.25, -2.25, 0.5, 0.5],
        },
        "the presence penalty counts once, however often the token occurs": {
            5: [1.0, -1.5, 0.5, 1.5],
            6: [-0.5, -2.75, 0.5, 0.0],
        },
        "all tokens were penalised: only those that were generated are (by the presence penalty)": {
            5: [1.5, -1.5, 0.0, 1.0],
            6: [-0.25, -2.75, 0.25, 0.0],
        },
        "presence is ignored": {
            5: [2.0, -1.0, 0.5, 1.5],
            6: [0.0, -2.5, 0.5, 0.25],
        },
        "the presence penalty counts from the first occurrence on": {
            5: [1.5, -1.0, 0.5, 1.5],
            6: [-0.25, -2.5, 0.5, 0.25],
        },
        "frequency and presence come after the repetition penalty": {
            6: [0.375, -3.5, 0.5, 0.375],
        },
        "the presence penalty comes after the repetition penalty": {
            6: [-0.125, -3.0, 0.5, 0.125],
        },
        "the frequency penalty comes after the repetition penalty": {
            6: [0.25, -3.25, 0.5, 0.25],
        },
        "softmax was taken first: penalties change the logits": {
            6: [-0.983964, -0.736755, 0.118721, -0.588641],
        },
        "log-softmax was taken first: penalties change the logits as they are": {
            6: [-2.51196, -8.01196, -2.13098, -3.01196],
        },
        "the last of the generated tokens counts, too": {
            6: [-0.25, -2.75, 0.5, 1.5],
        },
        "the repetition penalty was applied once for each occurrence, by turns with frequency: once is asked, first; the presence penalty counts once, however often the token occurs": {
            6: [-0.625, -2.75, 0.5, 0.0],
        },
        "u is ignored: this is the likeliest token": {
            7: 1,
            9: 1,
            11: 5,
            12: 0,
            15: 1,
        },
        "the probabilities were sorted first: they lie in the order of the ids": {
            7: 1,
            8: 2,
            11: 10,
            14: 0,
            15: 0,
        },
        "one id too far: the first sum that is greater than u": {
            7: 1,
            8: 2,
            9: 3,
            10: 1,
            11: 8,
            12: 7,
            13: 2,
            14: 4,
            15: 6,
        },
        "one id too low: the first sum that is greater than u; -1 is no id": {
            7: -1,
            8: 0,
            9: 1,
            10: -1,
            11: 6,
            12: 5,
            13: 0,
            14: 2,
            15: 4,
        },
        "logits were added up: take their softmax first": {
            7: 3,
            8: 3,
            9: 3,
            10: 3,
            11: 1,
            12: 8,
            13: 5,
            14: 5,
            15: 2,
        },
        "the stretches were laid from the last id on": {
            7: 2,
            9: 1,
            10: 1,
            11: 2,
            12: 1,
            13: 3,
            14: 0,
            15: -1,
        },
        "logarithms were added up: add the probabilities, softmax and not log_softmax": {
            7: 2,
            8: 2,
            10: 2,
            11: 11,
            12: 7,
            13: 3,
        },
        "u and 1 - u are exchanged": {
            7: 2,
            9: 1,
            10: 1,
            11: 2,
            12: 2,
            13: 5,
            14: 0,
            15: 0,
        },
        "the sum came back: the id is asked": {
            7: 0.2,
            8: 0.7,
            9: 1.0,
            10: 0.5,
            11: 0.794469,
            12: 0.875,
            13: 0.5,
            14: 1.0,
        },
        "the probability came back: the id is asked": {
            7: 0.2,
            8: 0.5,
            9: 0.3,
            10: 0.5,
            11: 0.088013,
            12: 0.125,
            13: 0.5,
            14: 0.30583,
        },
        "one id too low: the first sum that is greater than u": {
            8: 0,
            9: 1,
            11: 6,
            12: 5,
            13: 0,
            14: 2,
            15: 4,
        },
        "the first token whose own probability is greater than u: the sums count": {
            8: 0,
            9: 0,
            11: 0,
            12: 0,
            14: 0,
            15: 0,
        },
        "the first token whose own probability is greater than u, or the last one: the sums count": {
            8: 2,
            11: 11,
            12: 7,
            14: 4,
            15: 4,
        },
        "one id too low: the first sum that is greater than u, not the last that is below u": {
            8: 0,
            9: 1,
            11: 6,
            12: 4,
            13: 0,
            14: 2,
            15: 4,
        },
        "the probabilities were sorted, and the place in that order came back": {
            9: 1,
            11: 2,
            13: 0,
            15: 5,
        },
        "the probabilities were sorted upwards first": {
            9: 1,
            10: 1,
            11: 5,
        },
        "the sum nearest to u was taken: the first sum that is greater than u": {
            9: 1,
            11: 6,
            12: 5,
            13: 0,
        },
        "logits were added up and divided by their sum: take their softmax first": {
            10: 1,
            11: 9,
            12: 0,
            13: 0,
            14: 4,
            15: 4,
        },
        "the exponentials were not divided by their sum": {
            11: 1,
            12: 0,
            14: 0,
            15: 0,
        },
        "u was taken as a share of the ids: the probabilities count": {
            11: 9,
            13: 0,
            14: 4,
            15: 4,
        },
        "u = a sum belongs to the next stretch: greater, not greater or equal": {
            12: 5,
            13: 0,
        },
        "the place among the tokens that are left came back: the id is asked": {
            13: 0,
            15: 4,
        },
    })
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -3.2188758, -inf]
    check(keep_min_p, example, 0.05).equals(kept)
    check(keep_min_p, torch.tensor([0.5, -inf, 2.0, -2.0]), 0.1).equals(
        [0.5, -inf, 2.0, -inf], about="a token removed before", edge=True)
    logits = torch.tensor([2.0, -1.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], repetition=2.0).equals([1.0, -2.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], frequency=0.5).equals([1.0, -1.5, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], presence=0.5).equals([1.5, -1.5, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0, 3], 2.0, 0.5, 0.25).equals([-0.25, -2.75, 0.5, 0.0])
    logits = torch.tensor([0.2, 0.5, 0.3]).log()
    check(draw_token, logits, 0.1).equals(0)
    check(draw_token, logits, 0.65).equals(1)
    check(draw_token, logits, 0.75).equals(2)
    check(draw_token, torch.tensor([0.5, 0.3, 0.2]).log(), 0.3).equals(0)
    many = torch.tensor([-0.5, 3.0, 0.0, 1.0, -2.0, 3.5, 0.5, 2.0, -1.5, -1.0, 2.5, 1.5])
    usual = check(draw_token, many, 0.75).equals(7)
    check(draw_token, torch.zeros(8), 0.75).equals(6, about="u equal to a sum", edge=True)
    zero = "a token of probability 0 was drawn: the first sum *greater* than u"
    zero_at_the_end = "a token of probability 0 was drawn, at the end of the line"
    removed = torch.tensor([-inf, 1.0, -inf, 1.0, -inf])
    check(draw_token, removed, 0.0).equals(1, about="a removed token is never drawn", edge=True, near={zero: 0})

    def past_the_end(V, removed):
        """What may come where no sum is greater than u, of V tokens and some removed ones behind them."""
        no_sum = "no sum is greater than u here, and"
        found = {
            "this id does not exist: the rounded sums end below u": V + removed,
            f"{no_sum} argmax of nothing is 0": 0,
            f"{no_sum} the loop ends without a return": None,
            f"{no_sum} next finds nothing": StopIteration,
            f"{no_sum} an empty tensor or list has no first item": IndexError,
            f"{no_sum} min of nothing is an error": ValueError,
        }
        if removed:
            found[zero_at_the_end] = V + removed - 1
        return found

    largest = {torch.float32: 1 - 2**-24, torch.float64: 1 - 2**-53}  # below 1, and above a sum that rounding cuts
    for dtype, values in ((torch.float32, [0.0, 1 / 7, 2 / 7, 3 / 7]), (torch.float64, [0.0, 2.0, 1.5, 2.0])):
        check(draw_token, torch.tensor([*values, -inf], dtype=dtype), largest[dtype]).equals(
            3, about=f"u behind the last sum, and a token removed, {str(dtype)[6:]}", edge=True,
            near=past_the_end(4, 1) if usual.passed else {})


score
