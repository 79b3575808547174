from helpers.checks import graded


@graded("triplet", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "positive and negative are exchanged: the loss is large where the negative is ahead": {
            1: 1.2,
            2: 0.2,
            3: 0.366667,
            4: 7.00091,
            5: 1.10928,
            8: 0.0,
        },
        "below 0 the loss stops: what is ahead by the margin has no loss at all": {
            1: -0.2,
            3: 0.05,
        },
        "the floor stands under the lead; the margin is added before it": {
            1: 0.5,
            3: 0.283333,
        },
        "min was taken where max is asked": {
            1: -0.2,
            2: 0.0,
            3: -0.15,
        },
        "the absolute value was taken: ahead by the margin is no loss": {
            1: 0.2,
            3: 0.35,
        },
        "one loss for each triplet came: their mean is asked": {
            1: [0.0],
            2: [0.8],
            3: [0.15, 0.45, 0.0],
            4: [0.000911466],
            5: [0.798139, 0.220417],
            8: [500.0],
        },
        "a minus stands in front: making this small pushes the negative above the positive. Turn the sign round": {
            2: -0.8,
            3: -0.2,
        },
        "the margin is missing": {
            2: 0.3,
            3: 0.0833333,
        },
        "the margin is added to the negative's lead, not subtracted": {
            2: 0.0,
            3: 0.0166667,
        },
        "the loss is squared": {
            2: 0.64,
            3: 0.075,
        },
        "the margin was multiplied with the positive: it is added": {
            2: 0.55,
            3: 0.436667,
        },
        "the lead was multiplied by the margin: it is added": {
            2: 0.15,
            3: 0.0166667,
        },
        "this is the share of triplets that lose: by how much is asked": {
            2: 1.0,
            3: 0.666667,
        },
        "the mean over the batch is asked, not the sum": {
            3: 0.6,
            5: 1.01856,
        },
        "the argument margin was ignored": {
            3: 0.4,
        },
        "the floor stands at 0 of each triplet, before the mean, not after it": {
            3: 0.05,
        },
        "the mean of those triplets that lose was taken: all count": {
            3: 0.3,
        },
        "a positive that is ahead by less than the margin has a loss, too": {
            3: 0.15,
        },
        "the largest loss of the batch came: the mean is asked": {
            3: 0.45,
            5: 0.798139,
        },
        "the temperature is missing": {
            4: 0.403186,
            5: 0.573791,
            8: 2.12693,
        },
        "similarities are divided by the temperature, not multiplied": {
            4: 0.65876,
            5: 0.625921,
            8: 0.697155,
        },
        "the positive belongs in the denominator, too": {
            4: -7.0,
            5: -0.6,
        },
        "a minus is missing in front of the logarithm": {
            4: -0.000911466,
            5: -0.509278,
            8: -500.0,
        },
        "this is the probability: its negative logarithm is asked": {
            4: 0.999089,
            5: 0.626175,
            8: 0.0,
        },
        "the softmax ran over the batch: it belongs to the two scores of each triplet": {
            4: 0.0,
            5: 0.713015,
            8: 0.0,
        },
        "base 2 was taken: the natural logarithm is asked": {
            4: 0.00131497,
            5: 0.734733,
            8: 721.347,
        },
        "the temperature divides the loss: inside, it divides the similarities": {
            4: 4.03186,
            5: 1.14758,
            8: 531.732,
        },
        "multiplied by the temperature at the end (F.softplus does so with its beta)": {
            4: 9.11466e-05,
            5: 0.254639,
            8: 2.0,
        },
        "a margin was added to the similarities: this loss has none": {
            4: 0.126928,
            5: 0.988149,
            8: 625.0,
        },
        "a margin was added to the exponent: this loss has none": {
            4: 0.00150231,
            5: 0.72217,
            8: 500.5,
        },
        "the temperature divides twice": {
            4: 0.0,
            5: 0.486024,
            8: 125000.0,
        },
        "the logarithm of the mean was taken: the mean of the logarithms is asked": {
            5: 0.468125,
            8: float("inf"),
        },
        "this is the loss of the mean similarities: the mean of the losses is asked": {
            5: 0.437488,
        },
        "the argument temperature was ignored": {
            5: 0.657087,
            8: 20.0,
        },
        "softmax ran over the whole batch: each triplet is a choice for itself": {
            5: 1.20637,
        },
        "the exponent was cut off at 1: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 1.31326,
        },
        "the exponent was cut off at 5: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 5.00672,
        },
        "the exponent was cut off at 10: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 10.0,
        },
        "the exponent was cut off at 15: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 15.0,
        },
        "the exponent was cut off at 20: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 20.0,
        },
        "the exponent was cut off at 30: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 30.0,
        },
        "the exponent was cut off at 40: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 40.0,
        },
        "the exponent was cut off at 50: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 50.0,
        },
        "the exponent was cut off at 60: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 60.0,
        },
        "the exponent was cut off at 64: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 64.0,
        },
        "the exponent was cut off at 70: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 70.0,
        },
        "the exponent was cut off at 80: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 80.0,
        },
        "the exponent was cut off at 85: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 85.0,
        },
        "the exponent was cut off at 87: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 87.0,
        },
        "the exponent was cut off at 88: a larger loss stays there, without a gradient; softplus needs no cut": {
            8: 88.0,
        },
    })
    good, bad = torch.tensor([0.9]), torch.tensor([0.5])
    check(margin_loss, good, torch.tensor([0.2]), 0.5).equals(0.0, atol=1e-6, about="the good triplet")
    check(margin_loss, bad, torch.tensor([0.8]), 0.5).equals(0.8, atol=1e-6, about="the bad triplet")
    check(margin_loss, torch.tensor([0.85, 0.45, 0.9]), torch.tensor([0.8, 0.7, 0.25]), 0.2).equals(
        0.2, atol=1e-5)
    check(softmax_triplet, torch.tensor([0.9]), torch.tensor([0.2]), 0.1).equals(
        9.114665e-04, rtol=1e-3)
    check(softmax_triplet, torch.tensor([0.3, 0.5]), torch.tensor([0.4, -0.2]), 0.5).equals(
        0.5092781, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    p, q = torch.tensor([0.9, 0.1]), torch.tensor([0.2, 0.4])
    pull, share = torch.tensor([0.0, -0.5]), torch.tensor([-0.1978161, -0.6456563])
    for function, want in [(margin_loss, pull), (softmax_triplet, share)]:
        check(slopes, function, p, q, 0.5).equals([want, -want], about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    infinite, nan = float("inf"), float("nan")
    check(softmax_triplet, torch.tensor([-1.0]), torch.tensor([1.0]), 0.004).equals(
        500.0, about="a low temperature", edge=True, rtol=1e-4, near={
            "overflow: exp of hundreds is infinite, and of minus hundreds 0; softplus needs neither": infinite,
            "overflow: exp of hundreds is infinite, and infinity over infinity no number; call softplus": nan})


score
