from helpers.checks import graded


@graded("dpo", points=7)
def score(check):
    import torch

    unshifted = "the logits at t predict the token at t + 1: here they are compared with the token at t"
    all_tokens = "all tokens count here: only those where `answer` is True do"
    mean = "this is the mean over the answer's tokens; the sum is asked"
    raw = "these are logits, not logarithms of probabilities: log_softmax over the vocabulary first"
    chances = "these are probabilities; their logarithms are added up"
    mask_shifted = "the mask belongs to the token that is predicted, not to the place that predicts it"
    minus = "the sign is turned round: log p is asked, not the loss"
    no_ref = "the reference is missing: the policy is measured against it"
    turned = "chosen and rejected are exchanged"
    no_beta = "beta is missing"
    divided = "beta multiplies the difference; it does not divide it"
    ref_added = "the reference's difference is subtracted, not added"
    chosen_too = "beta multiplies the chosen text, too"
    outside = "beta stands inside the sigmoid"
    no_log = "the logarithm of the sigmoid is missing"
    summed = "this is the sum over the pairs; the mean is asked"
    t = torch.tensor
    logits = t([[[1.0, 0.0, -1.0], [0.0, 2.0, 1.0], [0.5, 0.5, 3.0], [1.0, 1.0, 0.0]],
                [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 3.0, 1.0]]])
    ids, answer = t([[0, 1, 2, 0], [2, 0, 1, 1]]), t([[False, False, True, True], [True, True, False, True]])
    check(sequence_logprobs, logits, ids, answer).equals([-4.059614, -2.959051], rtol=1e-4, near={
            unshifted: [-1.014003, -1.960836],
            all_tokens: [-5.46722, -5.198595],
            mean: [-2.029807, -1.479525],
            raw: [1.5, 0.0],
            chances: [0.3152379, 0.45667],
            mask_shifted: [-2.652009, -3.790989],
            minus: [4.059615, 2.959051],
        })
    chosen, rejected, ref_c, ref_r = t([-10.0, -4.0]), t([-12.0, -3.0]), t([-11.0, -6.0]), t([-11.5, -7.0])
    check(dpo_loss, chosen, rejected, ref_c, ref_r, 0.5).equals(0.8500662, rtol=1e-4, near={
            no_ref: 0.6436694,
            turned: 0.7250663,
            no_beta: 1.164171,
            divided: 2.033369,
            ref_added: 0.4725381,
            chosen_too: 0.4725381,
            no_log: -0.4740601,
            outside: 0.5820854,
            summed: 1.700133,
        })


score
