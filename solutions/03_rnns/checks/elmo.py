from helpers.checks import difference, graded


@graded("elmo", points=3)
def score(check):
    import numpy as np
    import torch

    raw = "the weights go through a softmax first"
    no_gamma = "gamma is missing"
    mean = "all layers got the same weight: the softmax of w says how much each counts"
    inside = "gamma stands outside the softmax"
    wrong_axis = "the softmax goes over the layers"
    summed = "the weights were divided by their sum: a softmax takes exponentials first"

    layers = torch.tensor([[[[1.0, 2.0]]], [[[3.0, -1.0]]]])
    check(elmo_mix, layers, torch.tensor([0.5, -1.0]), 3.0).equals([[[4.09455, 4.35817]]], rtol=1e-4, near={
        raw: [[[-7.5, 6.0]]], no_gamma: [[[1.36485, 1.45272]]], mean: [[[6.0, 1.5]]],
        inside: [[[1.02197, 1.96704]]], summed: [[[15.0, -12.0]]], wrong_axis: [[[3.0, 3.0]]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def mix(layers, s, gamma):
        return gamma * (s[:, None, None, None] * layers).sum(0)

    check.mistakes({
        raw: lambda h, w, g: mix(h, w, g), no_gamma: lambda h, w, g: mix(h, w.softmax(0), 1.0),
        mean: lambda h, w, g: g * h.mean(0), inside: lambda h, w, g: mix(h, (g * w).softmax(0), 1.0),
            summed: lambda h, w, g: mix(h, w / w.sum(), g),
        "gamma went into the softmax, too: it stands outside only": lambda h, w, g: mix(h, (g * w).softmax(0), g),
        wrong_axis: lambda h, w, g: g * (h * w[:, None, None, None]).softmax(0).sum(0),
        "the layers are summed, not put side by side": lambda h, w,
            g: torch.cat(list(g * w.softmax(0)[:, None, None, None] * h), -1),
        "the layers were weighted, but not added up": lambda h, w, g: g * w.softmax(0)[:, None, None, None] * h,
        "a mean over the layers came after the weights: add them up": lambda h, w,
            g: mix(h, w.softmax(0), g) / len(h),
        "the layers were multiplied in the wrong order: weight 0 belongs to layer 0": lambda h, w,
            g: mix(h, w.softmax(0).flip(0), g),
        "a sigmoid of each weight: a softmax makes them sum to 1": lambda h, w, g: mix(h, w.sigmoid(), g),
        "gamma is added: it multiplies": lambda h, w, g: mix(h, w.softmax(0), 1.0) + g,
        "the largest weight took all: it is a mix": lambda h, w, g: g * h[w.argmax()],
        "the last layer alone was taken: it is a mix": lambda h, w, g: g * h[-1],
        "layer 0, the static vectors, is left out: it belongs to the mix": lambda h, w, g: mix(
            h[1:], w[1:].softmax(0), g),
        "exponentials of the weights: a softmax divides them by their sum": lambda h, w, g: mix(h, w.exp(), g),
        "gamma divides: it multiplies": lambda h, w, g: mix(h, w.softmax(0), 1 / g),
        "a softmax of the layers was taken, too: only the weights have one": lambda h, w, g: mix(
            h.softmax(0), w.softmax(0), g),
        "the logarithm of the softmax was taken": lambda h, w, g: mix(h, w.log_softmax(0), g),
    })
    for L, B, T, C in ((3, 2, 4, 5), (2, 3, 5, 4), (4, 2, 3, 2), (3, 3, 3, 3)):
        h, w = torch.tensor(check.rng.normal(size=(L, B, T, C))), torch.tensor(check.rng.normal(size=L) * 1.5)
        g = float(check.rng.uniform(0.3, 3))
        e = np.exp(w.numpy())
        expected = g * np.tensordot(e / e.sum(), h.numpy(), axes=(0, 0))
        check(elmo_mix, h, w, g).equals(expected, about="random layers", rtol=1e-4)
    check(elmo_mix, h.float(), w.float(), torch.tensor(0.7)).equals(expected * 0.7 / g, about="gamma as a tensor",
        rtol=1e-3, atol=1e-5)
    check(elmo_mix, h, w + 2000, g).equals(expected, about="large weights", edge=True, rtol=1e-4, near={
        "an exponential overflowed: use torch.softmax": np.full(h.shape[1:], np.nan)})
    check(elmo_mix, h[:1], w[:1], g).equals(g * h[0], about="one layer", edge=True, rtol=1e-4)
    leaf = torch.tensor(g, dtype=h.dtype, requires_grad=True)
    for name, arguments in (("the weights", (h, w.clone().requires_grad_(), g)), ("gamma", (h, w, leaf))):
        check(elmo_mix, *arguments).holds(lambda v: v.requires_grad, f"autograd finds its way back to {name}", near={
            f"the gradient is cut on its way to {name}: no detach, no item, no float": lambda v: difference(
                v, expected, 1e-4) is None})
    ### END HIDDEN TESTS


score
