from helpers.checks import graded


@graded("latent", points=6)
def score(check):
    import torch

    t = torch.tensor
    near = {"rtol": 1e-3, "atol": 1e-3}
    p = {"query": t([[1.0, 0.0], [0.0, 2.0]]), "down": t([[1.0, 1.0]]), "key": t([[1.0], [0.5]]),
         "value": t([[2.0], [-1.0]])}
    x = t([[[1.0, 0.0], [1.0, 1.0]]])
    no_scale = "the scores are not divided by the root of d_head"
    not_causal = "a token sees those after it"
    root_C = "the scores are divided by the root of C, not of d_head"
    root_H = "the scores are divided by the root of the number of heads, not of d_head"
    root_Hd = "the scores are divided by the root of H * d_head, not of d_head"
    uniform = "all latents weigh the same here: the weights are missing"
    one_head = "one head is not enough: num_heads of them"
    keys_values = "keys and values are exchanged"
    viewed = "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes"
    viewed_in = "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes"
    squeezed = "an axis of size 1 was squeezed away: one text, or one number, keeps its axis"
    all_first = "all heads use the first head's rows of keys and values"
    check(latent_attention, x, p, 2).equals([[[2.0, -1.0], [3.4621, -1.7311]]], **near, near={
        not_causal: [[[3.4621, -1.5], [3.4621, -1.7311]]], keys_values: [[[1.0, 0.5], [1.8808, 0.5596]]],
        one_head: [[[2.0, -1.0], [3.6089, -1.8044]]],
        all_first: [[[2.0, 2.0], [3.4621, 3.7616]]], viewed: [[[2.0, 0.5], [4.0, 3.2848]]],
        viewed_in: [[[2.0, 4.0], [0.5, 3.2848]]], squeezed: [[2.0, -1.0], [3.4621, -1.7311]],
        "the heads are not put side by side again": [[[2.0, 3.4621], [-1.0, -1.7311]]],
        root_C: [[[2.0, -1.0], [3.3395, -1.6698]]], root_H: [[[2.0, -1.0], [3.3395, -1.6698]]],
        root_Hd: [[[2.0, -1.0], [3.3395, -1.6698]]],
    })
    same_heads = "all heads use the first head's rows of the key matrix"
    turned = "the product is turned round: (H, C, r), so that x times it gives r numbers"
    scaled = "nothing is scaled here: the scores are divided in the attention"
    check(absorbed, p["query"], p["key"], 2).equals([[[1.0], [0.0]], [[0.0], [1.0]]], **near, near={
        turned: [[[1.0, 0.0]], [[0.0, 1.0]]], same_heads: [[[1.0], [0.0]], [[0.0], [2.0]]],
        "one head: num_heads of them are asked": [[[1.0], [1.0]]], "the heads are added": [[1.0], [1.0]],
        squeezed: [[1.0, 0.0], [0.0, 1.0]],
    })
    latents = t([[[1.0], [2.0]]])
    check(latent_step, t([[1.0, 1.0]]), latents, p, 2).equals([[3.4621, -1.7311]], **near, near={
        keys_values: [[1.8808, 0.5596]], one_head: [[3.6089, -1.8044]], squeezed: [3.4621, -1.7311],
        all_first: [[3.4621, 3.7616]],
        root_C: [[3.3395, -1.6698]], root_H: [[3.3395, -1.6698]], root_Hd: [[3.3395, -1.6698]],
        "the softmax runs over the heads: each head has its own, over the latents": [[3.0, -1.5]],
        uniform: [[3.0, -1.5]],
        "a head's values are made of its own mean latent alone, not of the sum over the heads": [[6.9242, -3.4621]],
        "the values are made with the key matrix: they have one of their own": [[1.7311, 0.8655]],
        "only the last latent is seen: all are": [[4.0, -2.0]],
        "the last latent is not seen: it is that of the token itself": [[2.0, -1.0]],
        "the mean latent came back: each head's values are made of it": [[1.7311, 1.7311]],
    })


score
