from helpers.checks import graded


@graded("choose", points=5)
def score(check):
    import torch

    inf = float("inf")
    zero = "removed tokens have the logit 0, which is a probability like any other: minus infinity is asked"
    renormalised = "the logits of those who stay changed: leave them as they are"
    chances = "these are probabilities: return logits"
    absolute = "compared with min_p itself: the threshold is min_p times the largest probability"
    of_logits = "logits were compared: probabilities are asked"
    of_logarithms = "the logarithms of the probabilities were compared"
    # probabilities .08 .45 .02 .25 .15 .04 .01
    example = torch.tensor([-2.5257286, -0.7985077, -3.912023, -1.3862944, -1.89712, -3.2188758, -4.6051702])
    kept = [-2.5257286, -0.7985077, -inf, -1.3862944, -1.89712, -3.2188758, -inf]
    check(keep_min_p, example, 0.05).equals(kept, near={
        absolute: [-2.52573, -0.798508, -inf, -1.38629, -1.89712, -inf, -inf],
        of_logits: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        of_logarithms: [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
        zero: [-2.52573, -0.798508, 0.0, -1.38629, -1.89712, -3.21888, 0.0],
        renormalised: [-2.49527, -0.768048, -inf, -1.35584, -1.86666, -3.18842, -inf],
        chances: [0.0824742, 0.463918, 0.0, 0.257732, 0.154639, 0.0412371, 0.0],
    })

    divided = "negative logits were divided by the repetition penalty, which makes the token likelier: multiply them"
    multiplied = "positive logits were multiplied by the repetition penalty: divide them"
    each_time = "the repetition penalty was applied once for each occurrence: once is asked"
    turns = "the repetition penalty was applied once for each occurrence, by turns with frequency: once is asked, first"
    all_tokens = "all tokens were penalised: only those that were generated are"
    once = "the frequency penalty counts each occurrence"
    often = "the presence penalty counts once, however often the token occurs"
    exchanged = "frequency and presence are exchanged"
    plus = "penalties are subtracted, not added"
    last = "frequency and presence come after the repetition penalty"
    logits = torch.tensor([2.0, -1.0, 0.5, 1.5])
    check(penalise, logits, [0, 1, 0], repetition=2.0).equals([1.0, -2.0, 0.5, 1.5], near={
        divided: [1, -0.5, 0.5, 1.5], multiplied: [4, -2, 0.5, 1.5], each_time: [0.5, -2, 0.5, 1.5],
        turns: [0.5, -2, 0.5, 1.5], all_tokens: [1, -2, 0.25, 0.75],
    })
    check(penalise, logits, [0, 1, 0], frequency=0.5).equals([1.0, -1.5, 0.5, 1.5], near={
        once: [1.5, -1.5, 0.5, 1.5], exchanged: [1.5, -1.5, 0.5, 1.5], plus: [3, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0], presence=0.5).equals([1.5, -1.5, 0.5, 1.5], near={
        all_tokens: [1.5, -1.5, 0.0, 1], often: [1, -1.5, 0.5, 1.5], exchanged: [1, -1.5, 0.5, 1.5],
        plus: [2.5, -0.5, 0.5, 1.5],
    })
    check(penalise, logits, [0, 1, 0, 3], 2.0, 0.5, 0.25).equals([-0.25, -2.75, 0.5, 0.0], near={
        divided: [-0.25, -1.25, 0.5, 0.0], multiplied: [2.75, -2.75, 0.5, 2.25],
        each_time: [-0.75, -2.75, 0.5, 0.0], turns: [-0.5, -2.75, 0.5, 0.0], all_tokens: [-0.25, -2.75, 0.0, 0.0],
        once: [0.25, -2.75, 0.5, 0.0], often: [-0.5, -2.75, 0.5, 0.0], exchanged: [0.0, -2.75, 0.5, 0.0],
        plus: [2.25, -1.25, 0.5, 1.5], last: [0.375, -3.5, 0.5, 0.375],
    })

    greedy = "u is ignored: this is the likeliest token"
    order = "the probabilities were sorted first: they lie in the order of the ids"
    one = "one id too far: the first sum that is greater than u"
    before = "one id too low: the first sum that is greater than u"
    raw = "logits were added up: take their softmax first"
    above = "the first token whose own probability is greater than u: the sums count"
    above_last = "the first token whose own probability is greater than u, or the last one: the sums count"
    back = "the stretches were laid from the last id on"
    logits = torch.tensor([0.2, 0.5, 0.3]).log()
    turned = "u and 1 - u are exchanged"
    logarithms = "logarithms were added up: add the probabilities, softmax and not log_softmax"
    check(draw_token, logits, 0.1).equals(0, near={back: 2, turned: 2, logarithms: 2, raw: 3})
    check(draw_token, logits, 0.65).equals(1, near={raw: 3})
    check(draw_token, logits, 0.95).equals(2, near={one: 3, raw: 3})
    check(draw_token, torch.tensor([0.5, 0.3, 0.2]).log(), 0.3).equals(0, near={logarithms: 2, raw: 3})
    undivided = "the exponentials were not divided by their sum"
    nearest = "the sum nearest to u was taken: the first sum that is greater than u"
    place = "the probabilities were sorted, and the place in that order came back"
    upwards = "the probabilities were sorted upwards first"
    equally = "u was taken as a share of the ids: the probabilities count"
    by_logits = "logits were added up and divided by their sum: take their softmax first"
    many = torch.tensor([-0.5, 3.0, 0.0, 1.0, -2.0, 3.5, 0.5, 2.0, -1.5, -1.0, 2.5, 1.5])
    check(draw_token, many, 0.75).equals(7, near={
        greedy: 5, upwards: 5, order: 10, place: 2, back: 2, turned: 2, one: 8, before: 6, nearest: 6, raw: 1,
        undivided: 1, above: 0, above_last: 11, logarithms: 11, equally: 9, by_logits: 9,
    })
    later = "u = a sum belongs to the next stretch: greater, not greater or equal"
    check(draw_token, torch.zeros(8), 0.75).equals(
        6, about="u equal to a sum", edge=True, near={later: 5, before: 5, nearest: 5}
    )


score
