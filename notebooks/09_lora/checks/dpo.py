from helpers.checks import graded


@graded("dpo", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the logits at t predict the token at t + 1: here they are compared with the token at t": {
            1: [-1.014, -1.96084],
        },
        "all tokens count here: only those where `answer` is True do": {
            1: [-5.46722, -5.1986],
        },
        "this is the mean over the answer's tokens; the sum is asked": {
            1: [-2.02981, -1.47953],
        },
        "these are logits, not logarithms of probabilities: log_softmax over the vocabulary first": {
            1: [1.5, 0.0],
        },
        "these are probabilities; their logarithms are added up": {
            1: [0.315238, 0.45667],
        },
        "the mask belongs to the token that is predicted, not to the place that predicts it": {
            1: [-2.65201, -3.79099],
        },
        "the sign is turned round: log p is asked, not the loss": {
            1: [4.05961, 2.95905],
        },
        "the softmax is over the tokens of the text; it is over the vocabulary": {
            1: [-3.77523, -5.48898],
        },
        "the softmax is over the places that predict; it is over the vocabulary": {
            1: [-3.3232, -3.72129],
        },
        "the first token never counts: here the last logits of the row predict it": {
            1: [-4.05961, -5.1289],
        },
        "all tokens behind the first True count here: only those where `answer` is True do": {
            1: [-4.05961, -5.1986],
        },
        "the mask belongs on the logarithms, not on the logits": {
            1: [-5.15823, -4.05766],
        },
        "the shift is the wrong way round: the logits at t predict the token at t + 1": {
            1: [-1.86199, -4.64715],
        },
        "the shift is the wrong way round, and the mask is that of the place before": {
            1: [-4.514, -2.40939],
        },
        "this is divided by the tokens that are predicted: the sum is asked": {
            1: [-1.3532, -0.98635],
        },
        "this is divided by the length of the row: the sum is asked": {
            1: [-1.0149, -0.739763],
        },
        "this is the logarithm of the sum of the probabilities: their logarithms are added up": {
            1: [-1.15443, -0.783794],
        },
        "the mask is turned round: the tokens where `answer` is True count": {
            1: [-1.40761, -2.23954],
        },
        "the first token of the answer is missing: the last of the prompt predicts it": {
            1: [-2.65201, -2.95905],
        },
        "the first token that counts in each row is missing: the one before predicts it": {
            1: [-2.65201, -1.40761],
        },
        "a token counts here only if the one before it does, too": {
            1: [-2.65201, -1.55144],
        },
        "the last token of each row is missing": {
            1: [-1.40761, -1.55144],
        },
        "the logarithms are taken over the tokens that were picked: take them over the vocabulary": {
            1: [-1.86054, -2.19722],
        },
        "the softmax is taken twice: log_softmax takes logits": {
            1: [-2.65279, -2.45298],
        },
        "these are logarithms of base 2: natural ones are asked": {
            1: [-5.85679, -4.26901],
        },
        "this is the sum over all texts: one number for each is asked": {
            1: -7.01867,
        },
        "this is the product of the probabilities: its logarithm is asked": {
            1: [0.0172557, 0.0518681],
        },
        "the largest log-probability stands for each token's own": {
            1: [-0.559614, -0.959051],
        },
        "the reference is missing: the policy is measured against it": {
            2: 0.643669,
        },
        "chosen and rejected are exchanged": {
            2: 0.725066,
        },
        "beta is missing": {
            2: 1.16417,
        },
        "beta multiplies the difference; it does not divide it": {
            2: 2.03337,
        },
        "the reference's difference is subtracted, not added": {
            2: 0.472538,
        },
        "the logarithm of the sigmoid is missing": {
            2: -0.47406,
        },
        "beta stands inside the sigmoid": {
            2: 0.582085,
        },
        "this is the sum over the pairs; the mean is asked": {
            2: 1.70013,
        },
        "this is the loss of the mean difference: take the loss of each pair first": {
            2: 0.757599,
        },
        "beta multiplies the reference, too": {
            2: 1.08775,
        },
        "this is a squared loss (IPO): -log of the sigmoid is asked": {
            2: 4.625,
        },
        "only the chosen text counts here; the rejected one does, too": {
            2: 0.393669,
        },
        "the sign is turned round: the loss is minus the logarithm": {
            2: -0.850066,
        },
        "beta multiplies the policy, too": {
            2: 0.930819,
        },
        "beta multiplies the rejected text, too": {
            2: 1.68092,
        },
        "beta multiplies the chosen text, too": {
            2: 0.472538,
        },
        "the two log-ratios are added: the rejected one's is subtracted": {
            2: 0.312263,
        },
        "the policy is missing: its log-probabilities are measured against the reference": {
            2: 0.525008,
        },
        "these are ratios of probabilities: their logarithms are subtracted": {
            2: 11.9515,
        },
        "this is a hinge loss: -log of the sigmoid is asked": {
            2: 1.125,
        },
        "this is minus the margin itself: -log of its sigmoid is asked": {
            2: 0.125,
        },
        "this is 1 less the sigmoid: minus its logarithm is asked": {
            2: 0.52594,
        },
        "beta counts twice": {
            2: 0.7486,
        },
        "this is the logarithm of the mean: take the mean of the logarithms": {
            2: 0.746421,
        },
        "the loss is in bits: natural logarithms are asked": {
            2: 1.22639,
        },
        "the loss is divided by two": {
            2: 0.425033,
        },
        "probabilities are divided by those of the reference: logarithms are subtracted, not divided": {
            2: 0.681351,
        },
        "one loss for each pair came: their mean is asked": {
            2: [0.386871, 1.31326],
        },
        "the two ratios are judged one by one: the sigmoid is of their difference": {
            2: 1.7451,
        },
    })
    t = torch.tensor
    logits = t([[[1.0, 0.0, -1.0], [0.0, 2.0, 1.0], [0.5, 0.5, 3.0], [1.0, 1.0, 0.0]],
                [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 3.0, 1.0]]])
    ids, answer = t([[0, 1, 2, 0], [2, 0, 1, 1]]), t([[False, False, True, True], [True, True, False, True]])
    check(sequence_logprobs, logits, ids, answer).equals([-4.059614, -2.959051], rtol=1e-4)
    chosen, rejected, ref_c, ref_r = t([-10.0, -4.0]), t([-12.0, -3.0]), t([-11.0, -6.0]), t([-11.5, -7.0])
    check(dpo_loss, chosen, rejected, ref_c, ref_r, 0.5).equals(0.8500662, rtol=1e-4)


score
