from helpers.checks import graded


@graded("draw", points=3)
def score(check):
    import torch

    greedy = "u is ignored: this is the likeliest token"
    order = "the probabilities were sorted first: they lie in the order of the ids"
    one = "one id too far: the first sum that is greater than u"
    before = "one id too low: the first sum that is greater than u"
    raw = "logits were added up: take their softmax first"
    above = "the first token whose own probability is greater than u: the sums count"
    above_last = "the first token whose own probability is greater than u, or the last one: the sums count"
    back = "the stretches were laid from the last id on"
    logits = torch.tensor([0.2, 0.5, 0.3]).log()
    check(draw_token, logits, 0.1).equals(0, near={
        greedy: 1, order: 1, one: 1, raw: 3, back: 2,
    })
    check(draw_token, logits, 0.65).equals(1, near={
        order: 2, one: 2, before: 0, raw: 3, above: 0, above_last: 2,
    })
    check(draw_token, logits, 0.95).equals(2, near={
        greedy: 1, order: 0, one: 3, before: 1, raw: 3, above: 0, back: 0,
    })
    check(draw_token, torch.tensor([1.0, -1.0, 0.5, 2.0]), 0.6).equals(3, near={
        one: 4, before: 2, raw: 2,
    })
    later = "u = a sum belongs to the next stretch: greater, not greater or equal"
    check(draw_token, torch.zeros(4), 0.25).equals(1, about="u equal to a sum", edge=True, near={later: 0, one: 2})


score
