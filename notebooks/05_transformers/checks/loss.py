from helpers.checks import graded


@graded("loss", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "each token predicts itself: the logits at t belong to the token at t + 1": {
            1: 1.19655,
            2: 0.675058,
            4: 0.714083,
        },
        "shifted the wrong way: the logits at t were judged by the token at t - 1": {
            1: 0.959907,
            2: 0.959907,
            4: 1.00614,
        },
        "each token predicts itself, but for the last: the logits at t belong to the token at t + 1": {
            1: 0.675058,
            2: 0.675058,
            4: 0.585907,
        },
        "each token predicts itself, but for the first: the logits at t belong to the token at t + 1": {
            1: 1.70991,
            2: 1.18027,
            4: 0.895496,
        },
        "the tokens were rolled: the first one became the target of the last": {
            1: 2.02989,
            2: 2.7047,
            4: 2.55615,
        },
        "shifted by two: the logits at t belong to the token at t + 1": {
            1: 2.16985,
            4: 0.407606,
        },
        "this is the sum: the mean over the predictions is asked": {
            1: 3.85012,
            4: 7.98506,
        },
        "this is in bits: nats are asked": {
            1: 2.77727,
            2: 4.57312,
            4: 3.84,
        },
        "only the last prediction of each text counts here": {
            1: 0.68027,
            2: 0.68027,
            4: 1.54394,
        },
        "this is the sum over each text, and their mean": {
            1: 3.85012,
            4: 3.99253,
        },
        "softmax was taken twice: F.cross_entropy wants logits": {
            1: 1.19695,
            2: 1.45963,
            4: 1.40148,
        },
        "divided by B T: there are B (T - 1) predictions": {
            1: 1.28337,
            2: 1.05662,
            4: 1.33084,
        },
        "the sign is turned round: a loss is minus the logarithm": {
            1: -1.92506,
            2: -3.16985,
            4: -2.66169,
        },
        "softmax over the places: it is over the vocabulary": {
            1: 1.00734,
            2: 1.70141,
            4: 2.02109,
        },
        "F.nll_loss wants log-probabilities, and these are logits": {
            1: 0.0,
            2: 1.0,
            4: 0.666667,
        },
        "this is the perplexity: the mean loss is asked": {
            1: 6.85555,
            2: 23.8038,
            4: 14.3204,
        },
        "targets equal to ignore_id were counted": {
            2: 1.92506,
            4: 2.16633,
        },
        "ignored targets were left out of the sum but counted in the mean": {
            2: 1.58492,
            4: 1.99626,
        },
        "predictions *from* ignore_id were left out: those *of* it are to be": {
            2: 1.92506,
            4: 2.08591,
        },
        "the mean of the texts' means: each prediction has the same weight": {
            4: 2.78873,
        },
        "shifted along the batch: the logits at t belong to the token at t + 1 of the same text": {
            4: 0.959907,
        },
        "only the first text counts here": {
            4: 3.16985,
        },
        "2 to the power of nats: the base is e": {
            5: 2.2974,
        },
        "e to the sum of the losses: take their mean": {
            5: 36.5982,
        },
        "the mean of the single perplexities: e to the mean loss is asked": {
            5: 4.01398,
        },
        "this is the mean loss: take e to its power": {
            5: 1.2,
        },
        "e to minus the mean loss is a probability: perplexity is its inverse": {
            5: 0.301194,
        },
        "the losses are logarithms already: do not take the logarithm again": {
            5: 1.03228,
        },
        "the median loss was taken: the mean is asked": {
            5: 3.00417,
        },
        "the sum was divided by N - 1: take the mean": {
            5: 6.04965,
        },
        "the loss is in nats: 10 is not its base": {
            5: 15.8489,
        },
        "these are characters: in UTF-8 some have more than one byte": {
            6: 3.46247,
        },
        "these are nats: divide by ln 2": {
            6: 2.0,
        },
        "bits are nats divided by ln 2, not times ln 2": {
            6: 1.38629,
        },
        "per byte is asked, not per word": {
            6: 17.3123,
        },
        "these are nats for each character: bits for each byte are asked": {
            6: 2.4,
        },
        "UTF-16 with its mark of two bytes was taken: UTF-8 is asked": {
            6: 1.4427,
        },
        "the letters that ASCII lacks were dropped: UTF-8 has bytes for all": {
            6: 4.32809,
        },
        "the bytes are those of UTF-8, not of UTF-16": {
            6: 1.73123,
        },
        "bits for the whole text: divide by its bytes": {
            6: 17.3123,
        },
        "upside down: bits over bytes": {
            6: 0.346574,
        },
        "this is divided by 8: the bits of the model are asked for each byte, not for each bit": {
            6: 0.360674,
        },
        "log2 of the loss was taken: nats become bits by a division": {
            6: 0.597494,
        },
        "2 was raised to the bits: the bits themselves are asked": {
            6: 7.38906,
        },
        "these are nats over log10": {
            6: 0.868589,
        },
    })
    logits = torch.tensor([[[2.0, 0.0, -1.0], [0.0, 1.0, 0.5], [1.0, 1.0, 3.0]]])
    check(next_token_loss, logits, torch.tensor([[0, 2, 1]])).equals(1.925054)
    check(next_token_loss, logits, torch.tensor([[0, 2, 1]]), 1).equals(3.169846)
    check(slopes, next_token_loss, logits, torch.tensor([[0, 2, 1]])).equals(
        [[[[1.6243536, 0.2198324, -1.8441860], [0.3586839, -0.9500538, 0.5913698], [0.0, 0.0, 0.0]]]],
        about="gradients", rtol=1e-3, atol=1e-5)
    logits = torch.cat([logits, torch.tensor([[[0.0, 1.0, 2.0], [1.0, 0.0, -1.0], [0.0, 0.0, 0.0]]])])
    check(next_token_loss, logits, torch.tensor([[0, 2, 1], [1, 0, 2]]), 1).equals(2.6617, rtol=1e-4, about="two texts")
    check(perplexity, torch.tensor([0.5, 2.0, 1.1])).equals(3.320117)
    check(bits_per_byte, 12.0, "naïve").equals(2.885390)


score
