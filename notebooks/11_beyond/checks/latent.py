from helpers.checks import graded


@graded("latent", points=6)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "keys and values are exchanged": {
            1: [[[1.0, 0.5], [1.8808, 0.559601]]],
            3: [[1.8808, 0.559601]],
        },
        "all heads use the first head's rows of keys and values": {
            1: [[[2.0, 2.0], [3.46212, 3.76159]]],
            3: [[3.46212, 3.76159]],
        },
        "the heads are not put side by side again": {
            1: [[[2.0, 3.46212], [-1.0, -1.73106]]],
        },
        "the scores are divided by the root of the number of heads, not of d_head": {
            1: [[[2.0, -1.0], [3.33952, -1.66976]]],
            3: [[3.33952, -1.66976]],
        },
        "the scores are divided by the root of H * d_head, not of d_head": {
            1: [[[2.0, -1.0], [3.33952, -1.66976]]],
            3: [[3.33952, -1.66976]],
        },
        "the values are made with the key matrix: they have one of their own": {
            1: [[[1.0, 0.5], [1.73106, 0.865529]]],
            3: [[1.73106, 0.865529]],
        },
        "a token does not see itself": {
            1: [[[3.0, -1.5], [2.0, -1.0]]],
        },
        "what comes later was cut out after the softmax: the weights must sum to 1": {
            1: [[[0.537883, -0.5], [3.46212, -1.73106]]],
        },
        "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes": {
            1: [[[2.0, 0.5], [4.0, 3.28478]]],
        },
        "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes": {
            1: [[[2.0, 4.0], [0.5, 3.28478]]],
        },
        "an axis of size 1 was squeezed away: one text, or one number, keeps its axis": {
            1: [[2.0, -1.0], [3.46212, -1.73106]],
            2: [[1.0, 0.0], [0.0, 1.0]],
            3: [3.46212, -1.73106],
        },
        "a token sees those after it": {
            1: [[[3.46212, -1.5], [3.46212, -1.73106]]],
        },
        "one head is not enough: num_heads of them": {
            1: [[[2.0, -1.0], [3.60886, -1.80443]]],
            3: [[3.60886, -1.80443]],
        },
        "the scores are divided by the root of C, not of d_head": {
            1: [[[2.0, -1.0], [3.33952, -1.66976]]],
            3: [[3.33952, -1.66976]],
        },
        "all heads use the first head's rows of the key matrix": {
            2: [[[1.0], [0.0]], [[0.0], [2.0]]],
        },
        "the heads are added": {
            2: [[1.0], [1.0]],
        },
        "one head: num_heads of them are asked": {
            2: [[[1.0], [1.0]]],
        },
        "the product is turned round: (H, C, r), so that x times it gives r numbers": {
            2: [[[1.0, 0.0]], [[0.0, 1.0]]],
        },
        "the mean latent came back: each head's values are made of it": {
            3: [[1.73106, 1.73106]],
        },
        "the softmax runs over the heads: each head has its own, over the latents": {
            3: [[3.0, -1.5]],
        },
        "a head's values are made of its own mean latent alone, not of the sum over the heads": {
            3: [[6.92423, -3.46212]],
        },
        "all latents weigh the same here: the weights are missing": {
            3: [[3.0, -1.5]],
        },
        "only the last latent is seen: all are": {
            3: [[4.0, -2.0]],
        },
        "the last latent is not seen: it is that of the token itself": {
            3: [[2.0, -1.0]],
        },
    })
    t = torch.tensor
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    p = {"query": t([[1.0, 0.0], [0.0, 2.0]]), "down": t([[1.0, 1.0]]), "key": t([[1.0], [0.5]]),
         "value": t([[2.0], [-1.0]])}
    x = t([[[1.0, 0.0], [1.0, 1.0]]])
    check(latent_attention, x, p, 2).equals([[[2.0, -1.0], [3.4621, -1.7311]]], **rounded)
    check(absorbed, p["query"], p["key"], 2).equals([[[1.0], [0.0]], [[0.0], [1.0]]], **rounded)
    latents = t([[[1.0], [2.0]]])
    check(latent_step, t([[1.0, 1.0]]), latents, p, 2).equals([[3.4621, -1.7311]], **rounded)


score
