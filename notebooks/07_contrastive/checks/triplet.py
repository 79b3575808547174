from helpers.checks import graded


@graded("triplet", points=6)
def score(check):
    import torch

    violators = "the mean of those triplets that lose was taken: all count"
    printed = "a minus stands in front: making this small pushes the negative above the positive. Turn the sign round"
    swapped = "positive and negative are exchanged: the loss is large where the negative is ahead"
    no_floor = "below 0 the loss stops: what is ahead by the margin has no loss at all"
    no_margin = "the margin is missing"
    summed = "the mean over the batch is asked, not the sum"
    minus_m = "the margin is added to the negative's lead, not subtracted"
    fixed = "the argument margin was ignored"
    smaller = "min was taken where max is asked"
    late_floor = "the floor stands at 0 of each triplet, before the mean, not after it"
    scaled = "the lead was multiplied by the margin: it is added"
    absolute = "the absolute value was taken: ahead by the margin is no loss"
    good, bad = torch.tensor([0.9]), torch.tensor([0.5])
    check(margin_loss, good, torch.tensor([0.2]), 0.5).equals(0.0, atol=1e-6, about="the good triplet", near={
        swapped: 1.2, no_floor: -0.2, smaller: -0.2,
    })
    check(margin_loss, bad, torch.tensor([0.8]), 0.5).equals(0.8, atol=1e-6, about="the bad triplet", near={
        printed: -0.8, swapped: 0.2, no_margin: 0.3, minus_m: 0.0, smaller: 0.0,
    })
    check(margin_loss, torch.tensor([0.85, 0.45, 0.9]), torch.tensor([0.8, 0.7, 0.25]), 0.2).equals(
        0.2, atol=1e-5, near={printed: -0.2, swapped: 0.3666667, no_floor: 0.05, late_floor: 0.05, summed: 0.6,
                              violators: 0.3, no_margin: 0.0833333, fixed: 0.4, minus_m: 0.0166667, smaller: -0.15,
                              absolute: 0.35, scaled: 0.0166667})

    no_tau, times = "the temperature is missing", "similarities are divided by the temperature, not multiplied"
    alone = "the positive belongs in the denominator, too"
    ignored = "the argument temperature was ignored"
    sign = "a minus is missing in front of the logarithm"
    probability = "this is the probability: its negative logarithm is asked"
    check(softmax_triplet, torch.tensor([0.9]), torch.tensor([0.2]), 0.1).equals(
        9.114665e-04, rtol=1e-3, near={no_tau: 0.403186, times: 0.658759, swapped: 7.000911, alone: -7.0,
                                       sign: -9.114665e-04, probability: 0.999089})
    check(softmax_triplet, torch.tensor([0.3, 0.5]), torch.tensor([0.4, -0.2]), 0.5).equals(
        0.5092781, rtol=1e-4, near={
            no_tau: 0.5737914, times: 0.6259209, swapped: 1.109278,
            alone: -0.6, summed: 1.018556, sign: -0.5092781,
            ignored: 0.6570866,
        })


score
