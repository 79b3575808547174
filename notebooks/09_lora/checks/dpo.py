from helpers.checks import graded


@graded("dpo", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the logits at t predict the token at t + 1: here they are compared with the token at t": {
            1: [-1.014, -1.96084],
            5: [-100.0],
        },
        "the logits at t predict the token at t + 1: here the tokens after the first are compared with those at t": {
            1: [-1.014, -0.409391],
            5: [0.0],
        },
        "all tokens count here: only those where `answer` is True do": {
            1: [-5.46722, -5.1986],
            5: [-400.0],
        },
        "this is the mean over the answer's tokens; the sum is asked for": {
            1: [-2.02981, -1.47953],
            5: [-100.0],
        },
        "these are logits, not logarithms of probabilities: log_softmax over the vocabulary first": {
            1: [1.5, 0.0],
            5: [0.0],
        },
        "these are probabilities; their logarithms are added up": {
            1: [0.315238, 0.45667],
            5: [0.0],
        },
        "the mask belongs to the token that is predicted, not to the place that predicts it": {
            1: [-2.65201, -3.79099],
            5: [-300.0],
        },
        "the sign is wrong: log p is asked for, not the loss": {
            1: [4.05961, 2.95905],
            5: [200.0],
        },
        "the softmax is over the tokens of the text; it is over the vocabulary": {
            1: [-3.77523, -5.48898],
            5: [-500.0],
        },
        "the softmax is over the places that predict; it is over the vocabulary": {
            1: [-3.3232, -3.72129],
            5: [-300.0],
        },
        "the first token never counts: here the last logits of the row predict it": {
            1: [-4.05961, -5.1289],
            5: [-400.0],
        },
        "the first token is predicted by nothing, so it never counts: here it does, as if all were equally likely": {
            1: [-4.05961, -4.05766],
            5: [-201.099],
        },
        "only the last token of the row counts here: all where `answer` is True do": {
            1: [-2.65201, -1.40761],
            5: [-100.0],
        },
        "all tokens after the first True count here: only those where `answer` is True do": {
            1: [-4.05961, -5.1986],
            5: [-400.0],
        },
        "the mask belongs on the logarithms, not on the logits": {
            1: [-5.15823, -4.05766],
            5: [-201.099],
        },
        "the shift is the wrong way round: the logits at t predict the token at t + 1": {
            1: [-1.86199, -4.64715],
            5: [-400.0],
        },
        "the shift is the wrong way round, and the mask is that of the place before": {
            1: [-4.514, -2.40939],
        },
        "this is divided by the tokens that are predicted: the sum is asked for": {
            1: [-1.3532, -0.98635],
            5: [-66.6667],
        },
        "this is divided by the length of the row: the sum is asked for": {
            1: [-1.0149, -0.739763],
            5: [-50.0],
        },
        "this is the logarithm of the sum of the probabilities: their logarithms are added up": {
            1: [-1.15443, -0.783794],
            5: [-99.2899],
        },
        "the mask is inverted: the tokens where `answer` is True count": {
            1: [-1.40761, -2.23954],
        },
        "the first token of the answer is missing: the last of the prompt predicts it": {
            1: [-2.65201, -2.95905],
        },
        "the first token that counts in each row is missing: the one before predicts it": {
            1: [-2.65201, -1.40761],
            5: [-100.0],
        },
        "a token counts here only if the one before it does, too": {
            1: [-2.65201, -1.55144],
            5: [-100.0],
        },
        "the last token of each row is missing": {
            1: [-1.40761, -1.55144],
            5: [-100.0],
        },
        "the logarithms are taken over the tokens that were picked: take them over the vocabulary": {
            1: [-1.86054, -2.19722],
            5: [-2.19722],
        },
        "the softmax is taken twice: log_softmax takes logits": {
            1: [-2.65279, -2.45298],
            5: [-3.10289],
        },
        "these are logarithms of base 2: natural ones are asked for": {
            1: [-5.85679, -4.26901],
            5: [-288.539],
        },
        "this is the sum over all texts: one number for each is asked for": {
            1: -7.01867,
            5: -200.0,
        },
        "this is the product of the probabilities: its logarithm is asked for": {
            1: [0.0172557, 0.0518681],
            5: [0.0],
        },
        "the largest log-probability is used for each token's own": {
            1: [-0.559614, -0.959051],
            5: [0.0],
        },
        "the reference is missing: the policy is measured against it": {
            2: 0.643669,
            3: 199.5,
        },
        "chosen and rejected are exchanged": {
            2: 0.725066,
            3: 0.0,
        },
        "beta is missing": {
            2: 1.16417,
            3: 400.0,
        },
        "beta multiplies the difference; it does not divide it": {
            2: 2.03337,
            3: 800.0,
        },
        "the reference's difference is subtracted, not added": {
            2: 0.472538,
            3: 199.0,
        },
        "the logarithm of the sigmoid is missing": {
            2: -0.47406,
            3: 0.0,
        },
        "beta is inside the sigmoid": {
            2: 0.582085,
        },
        "this is the sum over the pairs; the mean is asked for": {
            2: 1.70013,
        },
        "this is the loss of the mean difference: take the loss of each pair first": {
            2: 0.757599,
        },
        "beta multiplies the reference, too": {
            2: 1.08775,
            3: 200.5,
        },
        "this is a squared loss (IPO): -log of the sigmoid is asked for": {
            2: 4.625,
            3: 160801.0,
        },
        "only the chosen text counts here; the rejected one does, too": {
            2: 0.393669,
        },
        "the sign is wrong: the loss is minus the logarithm": {
            2: -0.850066,
            3: -200.0,
        },
        "beta multiplies the policy, too": {
            2: 0.930819,
            3: 399.5,
        },
        "beta multiplies the rejected text, too": {
            2: 1.68092,
        },
        "beta multiplies the chosen text, too": {
            2: 0.472538,
            3: 400.0,
        },
        "the two log-ratios are added: the rejected one's is subtracted": {
            2: 0.312263,
        },
        "the policy is missing: its log-probabilities are measured against the reference": {
            2: 0.525008,
            3: 0.474077,
        },
        "these are ratios of probabilities: their logarithms are subtracted": {
            2: 11.9515,
            3: 0.974077,
        },
        "this is a hinge loss: -log of the sigmoid is asked for": {
            2: 1.125,
            3: 201.0,
        },
        "this is minus the margin itself: -log of its sigmoid is asked for": {
            2: 0.125,
        },
        "this is 1 less the sigmoid: minus its logarithm is asked for": {
            2: 0.52594,
            3: 1.0,
        },
        "beta counts twice": {
            2: 0.7486,
            3: 100.0,
        },
        "this is the logarithm of the mean: take the mean of the logarithms": {
            2: 0.746421,
            3: float("inf"),
        },
        "the loss is in bits: natural logarithms are asked for": {
            2: 1.22639,
            3: 288.539,
        },
        "the loss is divided by two": {
            2: 0.425033,
            3: 100.0,
        },
        "probabilities are divided by those of the reference: logarithms are subtracted, not divided": {
            2: 0.681351,
            3: float("inf"),
        },
        "one loss for each pair came back: their mean is asked for": {
            2: [0.386871, 1.31326],
            3: [200.0],
        },
        "the two ratios are judged one by one: the sigmoid is of their difference": {
            2: 1.7451,
            3: 200.693,
        },
        "a small number inside the logarithm (1e-06?) bends large losses: F.logsigmoid needs none": {
            3: 13.8155,
        },
        "a small number inside the logarithm (1e-07?) bends large losses: F.logsigmoid needs none": {
            3: 16.1181,
        },
        "a small number inside the logarithm (1e-08?) bends large losses: F.logsigmoid needs none": {
            3: 18.4207,
        },
        "a small number inside the logarithm (1e-09?) bends large losses: F.logsigmoid needs none": {
            3: 20.7233,
        },
        "a small number inside the logarithm (1e-10?) bends large losses: F.logsigmoid needs none": {
            3: 23.0259,
        },
        "a small number inside the logarithm (1e-12?) bends large losses: F.logsigmoid needs none": {
            3: 27.631,
        },
        "the probability is cut off (1e-06?) before its logarithm: F.logsigmoid needs no bound": {
            3: 13.8155,
        },
        "the probability is cut off (1e-07?) before its logarithm: F.logsigmoid needs no bound": {
            3: 16.1181,
        },
        "the probability is cut off (1e-08?) before its logarithm: F.logsigmoid needs no bound": {
            3: 18.4207,
        },
        "the probability is cut off (1e-10?) before its logarithm: F.logsigmoid needs no bound": {
            3: 23.0259,
        },
        "the probability is cut off (1e-12?) before its logarithm: F.logsigmoid needs no bound": {
            3: 27.631,
        },
        "the logarithm of the sigmoid runs over for large differences: F.logsigmoid": {
            3: float("inf"),
        },
    })
    t = torch.tensor
    logits = t([[[1.0, 0.0, -1.0], [0.0, 2.0, 1.0], [0.5, 0.5, 3.0], [1.0, 1.0, 0.0]],
                [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 3.0, 1.0]]])
    ids, answer = t([[0, 1, 2, 0], [2, 0, 1, 1]]), t([[False, False, True, True], [True, True, False, True]])
    check(sequence_logprobs, logits, ids, answer).equals([-4.059614, -2.959051], rtol=1e-4)
    chosen, rejected, ref_c, ref_r = t([-10.0, -4.0]), t([-12.0, -3.0]), t([-11.0, -6.0]), t([-11.5, -7.0])
    check(dpo_loss, chosen, rejected, ref_c, ref_r, 0.5).equals(0.8500662, rtol=1e-4)
    check(dpo_loss, t([-400.0]), t([-1.0]), t([0.0]), t([-1.0]), 0.5).equals(
        200.0, about="a large difference", rtol=1e-4)
    above, zero = t([1.0986123]), t([0.0])
    check(slopes, dpo_loss, above, zero, zero, zero, 1.0, fixed=(2, 3)).equals(
        [[-0.25], [0.25]], about="gradients", rtol=1e-4,
        near={"the gradient of both texts must flow: is something detached?": RuntimeError})
    check(sequence_logprobs, 100 * logits[1:], ids[1:], answer[1:]).equals([-200.0], about="large logits", rtol=1e-4)


score
