from helpers.checks import graded


@graded("loss", points=5)
def score(check):
    import torch

    unshifted = "each token predicts itself: the logits at t belong to the token at t + 1"
    but_last = "each token predicts itself, but for the last: the logits at t belong to the token at t + 1"
    ignored = "predictions *from* ignore_id were left out: those *of* it are to be"
    of_texts = "this is the sum over each text, and their mean"
    backwards = "shifted the wrong way: the logits at t were judged by the token at t - 1"
    summed = "this is the sum: the mean over the predictions is asked"
    ln2 = "this is in bits: nats are asked"
    counted = "targets equal to ignore_id were counted"
    chances = "softmax was taken twice: F.cross_entropy wants logits"
    everywhere = "divided by B T: there are B (T - 1) predictions"
    logits = torch.tensor([[[2.0, 0.0, -1.0], [0.0, 1.0, 0.5], [1.0, 1.0, 3.0]]])
    check(next_token_loss, logits, torch.tensor([[0, 2, 1]])).equals(1.925054, near={
        unshifted: 1.19655, backwards: 0.959907, summed: 3.85012, of_texts: 3.85012, ln2: 2.77727, chances: 1.19695,
        everywhere: 1.28337, but_last: 0.675058,
    })
    check(next_token_loss, logits, torch.tensor([[0, 2, 1]]), 1).equals(3.169846, near={
        unshifted: 0.675058, but_last: 0.675058, backwards: 0.959907, ln2: 4.57312, counted: 1.92506,
        ignored: 1.92506, chances: 1.45963,
        everywhere: 1.05662,
    })

    base2 = "2 to the power of nats: the base is e"
    products = "e to the sum of the losses: take their mean"
    mean_of = "the mean of the single perplexities: e to the mean loss is asked"
    raw = "this is the mean loss: take e to its power"
    check(perplexity, torch.tensor([0.5, 2.0, 1.1])).equals(3.320117, near={
        base2: 2.2974, products: 36.5982, mean_of: 4.01398, raw: 1.2,
    })

    letters = "these are characters: in UTF-8 some have more than one byte"
    nats = "these are nats: divide by ln 2"
    times = "bits are nats divided by ln 2, not times ln 2"
    words = "per byte is asked, not per word"
    in_all = "bits for the whole text: divide by its bytes"
    check(bits_per_byte, 12.0, "naïve").equals(2.885390, near={
        letters: 3.46247, nats: 2, times: 1.38629, words: 17.3123, in_all: 17.3123,
    })


score
