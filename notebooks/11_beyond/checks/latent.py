from helpers.checks import graded


@graded("latent", points=6)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the scores are not divided by the root of d_head": {
            1: [[[0.5, -0.5], [0.940398, -0.940398]]],
            3: [[0.940398, -0.940398]],
            8: [[0.880797, 1.76159, 2.64239, 3.52319, 4.40399, 5.28478, 6.16558, 7.04638]],
        },
        "keys and values are exchanged": {
            1: [[[1.0, 0.5], [1.41252, 0.70626]]],
            3: [[1.41252, 0.70626]],
            4: [[[1.0, 0.5], [1.8808, 0.559601]]],
            6: [[1.8808, 0.559601]],
            8: [[0.993307, 0.0, 0.0, 0.993307, 2.0, 0.0, 0.0, 0.0]],
        },
        "the scores are divided by the root of the number of heads, not of d_head": {
            1: [[[0.5, -0.5], [0.940398, -0.940398]]],
            3: [[0.940398, -0.940398]],
            4: [[[2.0, -1.0], [3.33952, -1.66976]]],
            6: [[3.33952, -1.66976]],
            8: [[0.80443, 1.60886, 2.41329, 3.21772, 4.02215, 4.82658, 5.63101, 6.43544]],
        },
        "the scores are divided by d_head, not by its root": {
            1: [[[0.5, -0.5], [0.865529, -0.865529]]],
            3: [[0.865529, -0.865529]],
            8: [[0.622459, 1.24492, 1.86738, 2.48984, 3.1123, 3.73476, 4.35722, 4.97967]],
        },
        "the scores are multiplied by the root of d_head, not divided": {
            1: [[[0.5, -0.5], [0.972096, -0.972096]]],
            3: [[0.972096, -0.972096]],
            8: [[0.982014, 1.96403, 2.94604, 3.92806, 4.91007, 5.89208, 6.8741, 7.85611]],
        },
        "the values are made with the key matrix: they have one of their own": {
            1: [[[1.0, 0.5], [1.80443, 0.902215]]],
            3: [[1.80443, 0.902215]],
            4: [[[1.0, 0.5], [1.73106, 0.865529]]],
            6: [[1.73106, 0.865529]],
            8: [[0.731059, 0.0, 0.0, 0.731059, 1.46212, 0.0, 0.0, 0.0]],
        },
        "a token does not see itself": {
            1: [[[0.75, -0.75], [0.5, -0.5]]],
            4: [[[3.0, -1.5], [2.0, -1.0]]],
        },
        "what comes later was cut out after the softmax: the weights must sum to 1": {
            1: [[[0.165119, -0.165119], [0.902215, -0.902215]]],
            4: [[[0.537883, -0.5], [3.46212, -1.73106]]],
        },
        "an axis of size 1 was squeezed away: one text, or one number, keeps its axis": {
            1: [[0.5, -0.5], [0.902215, -0.902215]],
            2: [2.0, 1.0],
            3: [0.902215, -0.902215],
            4: [[2.0, -1.0], [3.46212, -1.73106]],
            5: [[1.0, 0.0], [0.0, 1.0]],
            6: [3.46212, -1.73106],
            7: [[2.0, 2.0], [2.0, 2.0]],
            8: [0.731059, 1.46212, 2.19318, 2.92423, 3.65529, 4.38635, 5.11741, 5.84847],
        },
        "a token sees those after it": {
            1: [[[0.834881, -0.834881], [0.902215, -0.902215]]],
            4: [[[3.46212, -1.5], [3.46212, -1.73106]]],
        },
        "the scores are divided by the root of r": {
            1: [[[0.5, -0.5], [0.940398, -0.940398]]],
        },
        "the heads are added": {
            2: [[2.0], [1.0]],
            5: [[1.0], [1.0]],
            7: [[4.0, 4.0]],
        },
        "the product is transposed: (H, C, r), so that x times it gives r numbers": {
            2: [[[2.0, 1.0]]],
            5: [[[1.0, 0.0]], [[0.0, 1.0]]],
            7: [[[2.0], [2.0]], [[2.0], [2.0]]],
        },
        "nothing is scaled here: the scores are divided in the attention": {
            2: [[[1.41421], [0.707107]]],
            7: [[[1.0, 1.0]], [[1.0, 1.0]]],
        },
        "the mean latent came back: each head's values are made of it": {
            3: [[0.902215]],
            6: [[1.73106, 1.73106]],
            8: [[0.731059, 0.0, 0.731059, 0.0]],
        },
        "the softmax runs over the heads: each head has its own, over the latents": {
            3: [[1.5, -1.5]],
            6: [[3.0, -1.5]],
            8: [[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]],
        },
        "all latents weigh the same here: the weights are missing": {
            3: [[0.75, -0.75]],
            6: [[3.0, -1.5]],
            8: [[0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]],
        },
        "the scores are divided by the root of r, not of d_head": {
            3: [[0.940398, -0.940398]],
            8: [[0.80443, 1.60886, 2.41329, 3.21772, 4.02215, 4.82658, 5.63101, 6.43544]],
        },
        "only the last latent is seen: all are": {
            3: [[1.0, -1.0]],
            6: [[4.0, -2.0]],
            8: [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]],
        },
        "the last latent is not seen: it is that of the token itself": {
            3: [[0.5, -0.5]],
            6: [[2.0, -1.0]],
            8: [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        },
        "all heads use the first head's rows of keys and values": {
            4: [[[2.0, 2.0], [3.46212, 3.76159]]],
            6: [[3.46212, 3.76159]],
            8: [[0.731059, 1.46212, 2.19318, 2.92423, 0.731059, 1.46212, 2.19318, 2.92423]],
        },
        "the heads are not put side by side again": {
            4: [[[2.0, 3.46212], [-1.0, -1.73106]]],
        },
        "the scores are divided by the root of H * d_head, not of d_head": {
            4: [[[2.0, -1.0], [3.33952, -1.66976]]],
            6: [[3.33952, -1.66976]],
            8: [[0.669762, 1.33952, 2.00928, 2.67905, 3.34881, 4.01857, 4.68833, 5.35809]],
        },
        "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes": {
            4: [[[2.0, 0.5], [4.0, 3.28478]]],
        },
        "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes": {
            4: [[[2.0, 4.0], [0.5, 3.28478]]],
        },
        "one head is not enough: num_heads of them": {
            4: [[[2.0, -1.0], [3.60886, -1.80443]]],
            6: [[3.60886, -1.80443]],
            8: [[0.80443, 1.60886, 2.41329, 3.21772, 4.02215, 4.82658, 5.63101, 6.43544]],
        },
        "the scores are divided by the root of C, not of d_head": {
            4: [[[2.0, -1.0], [3.33952, -1.66976]]],
            6: [[3.33952, -1.66976]],
            8: [[0.880797, 1.76159, 2.64239, 3.52319, 4.40399, 5.28478, 6.16558, 7.04638]],
        },
        "all heads use the first head's rows of the key matrix": {
            5: [[[1.0], [0.0]], [[0.0], [2.0]]],
        },
        "one head: num_heads of them are asked for": {
            5: [[[1.0], [1.0]]],
            7: [[[4.0, 4.0]]],
        },
        "a head's values are made of its own mean latent alone, not of the sum over the heads": {
            6: [[6.92423, -3.46212]],
            8: [[1.46212, 2.92423, 4.38635, 5.84847, 7.31059, 8.7727, 10.2348, 11.6969]],
        },
        "the heads take every H-th row: head 0 takes the first d_head rows": {
            7: [[[3.0, 0.0]], [[1.0, 4.0]]],
            8: [[0.817574, 2.45272, 4.08787, 5.72302, 1.24492, 2.48984, 3.73476, 4.97967]],
        },
        "the heads are side by side: the numbers of head 0 come first": {
            8: [[0.731059, 3.65529, 1.46212, 4.38635, 2.19318, 5.11741, 2.92423, 5.84847]],
        },
        "d_head follows from the rows of the query matrix: H times d_head need not be C": {
            8: [[0.880797, 1.76159, 2.64239, 3.52319, 4.40399, 5.28478, 6.16558, 7.04638]],
        },
    })
    t = torch.tensor
    rounded = {"rtol": 1e-3, "atol": 1e-3}
    p = {"query": torch.eye(2), "down": t([[0.2, 0.4]]), "key": t([[2.0], [1.0]]), "value": t([[1.0], [-1.0]])}
    x = t([[[0.5, 1.0], [1.0, 2.0]]])
    check(latent_attention, x, p, 1).equals([[[0.5, -0.5], [0.9022, -0.9022]]], **rounded)
    check(absorbed, p["query"], p["key"], 1).equals([[[2.0], [1.0]]], **rounded)
    check(latent_step, x[:, 1], t([[[0.5], [1.0]]]), p, 1).equals([[0.9022, -0.9022]], **rounded)
    p = {"query": t([[1.0, 0.0], [0.0, 2.0]]), "down": t([[1.0, 1.0]]), "key": t([[1.0], [0.5]]),
         "value": t([[2.0], [-1.0]])}
    x = t([[[1.0, 0.0], [1.0, 1.0]]])
    check(latent_attention, x, p, 2).equals(
        [[[2.0, -1.0], [3.4621, -1.7311]]], about="two heads of one number", **rounded)
    check(absorbed, p["query"], p["key"], 2).equals(
        [[[1.0], [0.0]], [[0.0], [1.0]]], about="two heads of one number", **rounded)
    latents = t([[[1.0], [2.0]]])
    check(latent_step, t([[1.0, 1.0]]), latents, p, 2).equals(
        [[3.4621, -1.7311]], about="two heads of one number", **rounded)
    p = {"query": torch.ones(8, 1), "key": t([[1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0], [0.0, 1.0] * 4]).T,
         "value": torch.stack([torch.arange(1.0, 9), torch.ones(8)], dim=1)}
    check(absorbed, p["query"], p["key"], 2).equals([[[2.0, 2.0]], [[2.0, 2.0]]], about="two heads of four numbers")
    check(latent_step, t([[1.0]]), t([[[0.0, 0.0], [1.0, 0.0]]]), p, 2).equals(
        [[0.7311, 1.4621, 2.1932, 2.9242, 3.6553, 4.3864, 5.1174, 5.8485]],
        about="two heads of four numbers", **rounded)
    p = {"query": torch.ones(128, 3), "key": torch.ones(128, 2), "value": torch.ones(128, 2)}
    keys = 100 * 64  # of one head, for 100 cached tokens
    check(numbers_made, latent_step, torch.ones(1, 3), torch.ones(1, 100, 2), p, 2).holds(
        lambda made: made < keys, f"fewer numbers than the keys of one head for all tokens, {keys}", about="the way",
        near={"no key and no value of a cached token is built: here some are": lambda made: made >= keys})


score
