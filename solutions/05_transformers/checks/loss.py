from helpers.checks import graded


@graded("loss", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np

    def each(logits, ids, over=-1):
        scores = logits if over is None else logits.log_softmax(over)
        return -scores.gather(-1, ids[..., None])[..., 0]

    def reduced(pairs, how=lambda v, keep: (v * keep).sum() / keep.sum(), obey=True, over=-1):
        def loss(logits, ids, ignore_id=None):
            z, y = pairs(logits, ids)
            keep = torch.ones_like(y) if ignore_id is None or not obey else (y != ignore_id).long()
            return how(each(z, y, over), keep)

        return loss

    def shift(z, y):
        return z[:, :-1], y[:, 1:]

    check.mistakes({
        "each token predicts itself: the logits at t belong to the token at t + 1": reduced(lambda z, y: (z, y)),
        "shifted the wrong way: the logits at t were judged by the token at t - 1":
            reduced(lambda z, y: (z[:, 1:], y[:, :-1])),
        "each token predicts itself, but for the last: the logits at t belong to the token at t + 1":
            reduced(lambda z, y: (z[:, :-1], y[:, :-1])),
        "each token predicts itself, but for the first: the logits at t belong to the token at t + 1":
            reduced(lambda z, y: (z[:, 1:], y[:, 1:])),
        "the tokens were rolled: the first one became the target of the last": reduced(lambda z, y: (z, y.roll(-1, 1))),
        "shifted by two: the logits at t belong to the token at t + 1": reduced(lambda z, y: (z[:, :-2], y[:, 2:])),
        "this is the sum: the mean over the predictions is asked": reduced(shift, how=lambda v, keep: (v * keep).sum()),
        "this is in bits: nats are asked": lambda z, y, i=None: reduced(shift)(z, y, i) / np.log(2),
        "targets equal to ignore_id were counted": reduced(shift, obey=False),
        "ignored targets were left out of the sum but counted in the mean":
            reduced(shift, how=lambda v, keep: (v * keep).mean()),
        "the mean of the texts' means: each prediction has the same weight":
            reduced(shift, how=lambda v, keep: ((v * keep).sum(1) / keep.sum(1)).mean()),
        "predictions *from* ignore_id were left out: those *of* it are to be":
            lambda z, y, i=None: each(*shift(z, y))[y[:, :-1] != (-1 if i is None else i)].mean(),
        "only the last prediction of each text counts here": reduced(shift, how=lambda v, keep: v[:, -1].mean()),
        "this is the sum over each text, and their mean": reduced(shift, how=lambda v, keep: (v * keep).sum(1).mean()),
        "softmax was taken twice: F.cross_entropy wants logits":
            lambda z, y, i=None: reduced(shift)(z.softmax(-1), y, i),
        "divided by B T: there are B (T - 1) predictions":
            reduced(shift, how=lambda v, keep: (v * keep).sum() / (len(v) * (v.shape[1] + 1))),
        "the sign is turned round: a loss is minus the logarithm": lambda z, y, i=None: -reduced(shift)(z, y, i),
        "shifted along the batch: the logits at t belong to the token at t + 1 of the same text":
            reduced(lambda z, y: (z[:-1], y[1:])),
        "the texts were joined before the shift: the end of one does not predict the beginning of the next":
            reduced(lambda z, y: (z.flatten(0, 1)[:-1], y.flatten()[1:])),
        "softmax over the places: it is over the vocabulary": reduced(shift, over=1),
        "F.nll_loss wants log-probabilities, and these are logits": reduced(shift, over=None),
        "without ignore_id every target counts, also 0": lambda z, y, i=0: reduced(shift)(z, y, i),
        "only the first text counts here": lambda z, y, i=None: reduced(shift)(z[:1], y[:1], i),
        "this is the perplexity: the mean loss is asked": lambda z, y, i=None: reduced(shift)(z, y, i).exp(),
    }, next_token_loss)
    check.mistakes({
        "2 to the power of nats: the base is e": lambda v: 2 ** v.mean().item(),
        "e to the sum of the losses: take their mean": lambda v: v.sum().exp().item(),
        "the mean of the single perplexities: e to the mean loss is asked": lambda v: v.exp().mean().item(),
        "this is the mean loss: take e to its power": lambda v: v.mean().item(),
        "e to minus the mean loss is a probability: perplexity is its inverse": lambda v: (-v.mean()).exp().item(),
        "the losses are logarithms already: do not take the logarithm again": lambda v: v.log().mean().exp().item(),
        "the median loss was taken: the mean is asked": lambda v: v.median().exp().item(),
        "the sum was divided by N - 1: take the mean": lambda v: (v.sum() / max(len(v) - 1, 1)).exp().item(),
        "the loss is in nats: 10 is not its base": lambda v: 10 ** v.mean().item(),
    }, perplexity)
    check.mistakes({
        "these are characters: in UTF-8 some have more than one byte": lambda n, s: n / np.log(2) / len(s),
        "these are nats: divide by ln 2": lambda n, s: n / len(s.encode()),
        "bits are nats divided by ln 2, not times ln 2": lambda n, s: n * np.log(2) / len(s.encode()),
        "per byte is asked, not per word": lambda n, s: n / np.log(2) / len(s.split()),
        "these are nats for each character: bits for each byte are asked": lambda n, s: n / len(s),
        "UTF-16 with its mark of two bytes was taken: UTF-8 is asked":
            lambda n, s: n / np.log(2) / len(s.encode("utf-16")),
        "the letters that ASCII lacks were dropped: UTF-8 has bytes for all":
            lambda n, s: n / np.log(2) / len(s.encode("ascii", "ignore")),
        "the bytes are those of UTF-8, not of UTF-16": lambda n, s: n / np.log(2) / len(s.encode("utf-16-le")),
        "bits for the whole text: divide by its bytes": lambda n, s: n / np.log(2),
        "upside down: bits over bytes": lambda n, s: len(s.encode()) * np.log(2) / n,
        "this is divided by 8: the bits of the model are asked for each byte, not for each bit":
            lambda n, s: n / np.log(2) / len(s.encode()) / 8,
        "log2 of the loss was taken: nats become bits by a division": lambda n, s: np.log2(n) / len(s.encode()),
        "2 was raised to the bits: the bits themselves are asked": lambda n, s: 2 ** (n / np.log(2) / len(s.encode())),
        "the text was stripped: each of its bytes counts, blanks and line ends, too":
            lambda n, s: n / np.log(2) / len(s.strip().encode()),
        "these are nats over log10": lambda n, s: n / np.log(10) / len(s.encode()),
    }, bits_per_byte)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    import torch.nn.functional as F

    check.hidden()
    for B, T, V in [(2, 6, 5), (4, 3, 9), (3, 9, 4)]:
        z = torch.from_numpy(check.rng.normal(size=(B, T, V)) * 3).float()
        ids = torch.from_numpy(check.rng.integers(0, V, size=(B, T)))
        right = F.nll_loss(z[:, :-1].log_softmax(-1).flatten(0, 1), ids[:, 1:].flatten())
        check(next_token_loss, z, ids).equals(right, about="fresh logits", rtol=1e-4)
        ids[0, T // 2 :], ids[1, 0] = 1, 1
        near = F.nll_loss(z[:, :-1].log_softmax(-1).flatten(0, 1), ids[:, 1:].flatten(), ignore_index=1)
        check(next_token_loss, z, ids, 1).equals(near, about="with padding", rtol=1e-4)
    ids = torch.tensor([[2, 1, 0, 3], [0, 2, 0, 0]])
    z = torch.from_numpy(check.rng.normal(size=(2, 4, 5)) * 3).float()
    check(next_token_loss, z, ids, 0).equals(
        each(*shift(z, ids))[ids[:, 1:] != 0].mean(), about="padding is the id 0", rtol=1e-4,
        near={"0 is an ignore_id like any other: ask `is None`": reduced(shift, obey=False)(z, ids)},
    )
    z, ids = torch.tensor([[[900.0, -900.0], [-900.0, 900.0]]]), torch.tensor([[0, 1]])
    check(next_token_loss, z, ids).equals(
        1800.0, about="large logits", edge=True, rtol=1e-4,
        near={"e to a large logit is infinite: F.cross_entropy and log_softmax keep clear of that": torch.inf},
    )
    for B, T, V in [(70, 3, 80), (1, 2, 3), (2, 2, 70)]:
        z = torch.from_numpy(check.rng.normal(size=(B, T, V)) * 3)
        ids = torch.from_numpy(check.rng.integers(V - 3, V, size=(B, T)))
        ids[0, -1], ids[-1, 0] = V - 2, V - 1
        for ignored in (None, V - 1) if V > 3 else (None,):
            keep = ids[:, 1:] != (-1 if ignored is None else ignored)
            check(next_token_loss, z, ids, *([] if ignored is None else [ignored])).equals(
                each(*shift(z, ids))[keep].mean(), about="many texts, large ids, doubles", edge=True, rtol=1e-9
            )
    z = torch.from_numpy(check.rng.normal(size=(2, 4, 5))).float().requires_grad_()
    ids = torch.tensor([[2, 1, 0, 3], [0, 2, 1, 0]])
    cut = "the gradient is cut on its way to the logits: no item, no detach, no float, no NumPy"
    for ignored in (None, 1):
        keep = ids[:, 1:] != (-1 if ignored is None else ignored)
        wanted = torch.autograd.grad(each(*shift(z, ids))[keep].mean().square(), z)[0]
        check(slopes, next_token_loss, z.detach(), ids, *([] if ignored is None else [ignored])).equals(
            [wanted], about="gradients: what training needs", rtol=1e-3, atol=1e-6,
            near={cut: [wanted * 0], "the gradient is cut: a number came, not a tensor": AttributeError},
        )
    for n in (3, 40):
        v = torch.from_numpy(check.rng.gamma(2.0, 1.0, size=n))
        check(perplexity, v).equals(2 ** (v / np.log(2)).mean().item(), about="fresh losses", rtol=1e-4)
    v = torch.from_numpy(np.concatenate([check.rng.gamma(2.0, 1.0, size=90), [35.0, 41.0]]))
    check(perplexity, v).equals(float(np.exp(v.mean().item())), about="many losses, some large, in doubles", rtol=1e-9)
    check(perplexity, torch.full((5,), float(np.log(50)))).equals(50.0, about="uniform over 50", rtol=1e-4)
    check(perplexity, torch.full((2000,), 2.5)).equals(
        float(np.exp(2.5)), about="two thousand predictions", edge=True, rtol=1e-4
    )
    check(perplexity, torch.tensor([0.7])).equals(2.01375, about="one prediction", edge=True, rtol=1e-4)

    def bytes_of(character):
        """How many bytes a character has in UTF-8, up to three."""
        return 1 + (ord(character) >= 128) + (ord(character) >= 2048)

    texts = ("the shape of the tensor", "größer als 3 €", "日本語です", " two\nlines\n\n")
    for text in (*texts, "İ, e\u0301", "line " * 200, "a"):
        total = float(check.rng.random() * 40 + 3) if len(text) > 1 else 0.01
        bits = total * np.log2(np.e) / sum(map(bytes_of, text))
        check(bits_per_byte, total, text).equals(bits, about="fresh text", rtol=1e-4)
    ### END HIDDEN TESTS


score
