from helpers.checks import graded


@graded("modern", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is LayerNorm: RMSNorm takes no mean away": {
            1: [[-0.999998, 2.0], [1.0, -2.0]],
            2: [[-0.140028, 0.140028]],
        },
        "divided by the mean square: its root is meant": {
            1: [[0.24, 0.64], [0.0, -2.0]],
            2: [[1.2, 1.6]],
        },
        "divided by the length: the mean of the squares is under the root, not their sum": {
            1: [[0.6, 1.6], [0.0, -2.0]],
            2: [[0.489898, 0.653197]],
        },
        "the weight is missing": {
            1: [[0.848528, 1.13137], [0.0, -1.41421]],
        },
        "the mean runs over the tokens: each vector has its own, over the last axis": {
            1: [[1.41421, 2.52982], [0.0, -1.26491]],
            2: [[0.646997, 0.749269]],
        },
        "the mean runs over all numbers: each vector has its own, over the last axis": {
            1: [[1.11417, 2.97113], [0.0, -1.48556]],
        },
        "1 was added to the weight": {
            1: [[1.69706, 3.39411], [0.0, -4.24264]],
            2: [[1.2, 1.6]],
        },
        "divided by the standard deviation: the mean square has no mean taken away": {
            1: [[5.99999, 16.0], [0.0, -4.0]],
            2: [[0.840168, 1.12022]],
        },
        "eps stands outside the root": {
            2: [[0.626889, 0.835852]],
        },
        "eps is not used as it is given, inside the root": {
            2: [[0.848528, 1.13137]],
        },
        "the gate and the numbers are exchanged: silu is taken of x times gate": {
            3: [[1.76159, -2.85772]],
            4: [[[5.30556, 4.4051], [4.9346, 0.872616]]],
        },
        "this gate is a sigmoid: silu(z) is z times the sigmoid of z": {
            3: [[1.46212, 0.806824]],
        },
        "this gate is GELU: silu is asked": {
            3: [[1.68269, -0.475966]],
        },
        "silu was taken of both: the numbers pass as they are": {
            3: [[1.28783, -0.76856]],
        },
        "the numbers x times up are missing": {
            3: [[0.731059, -0.268941]],
        },
        "gate and numbers were added: multiply them": {
            3: [[2.73106, 2.73106]],
        },
        "silu is missing": {
            3: [[2.0, -3.0]],
        },
        "silu was taken of the product: it is taken of x times gate alone": {
            3: [[1.76159, -0.142278]],
        },
        "this gate is relu: silu is asked": {
            3: [[2.0, 0.0]],
        },
        "attention's result replaces x: it is added to it": {
            4: [[[2.20124, 1.79444], [3.51291, 0.921703]]],
        },
        "what SwiGLU gives replaces the rest: it is added to it": {
            4: [[[0.504186, -0.468304], [1.41449, -0.123939]]],
        },
        "SwiGLU reads the vectors behind attention, not those before it": {
            4: [[[5.20124, 5.79444], [4.87265, 1.12926]]],
        },
        "the norm before attention is missing": {
            4: [[[9.50419, 11.5317], [7.41715, 7.11962]]],
        },
        "the norm before SwiGLU is missing": {
            4: [[[26.56, 6.15082], [13.5238, 0.661956]]],
        },
        "a token sees those after it: causal attention is asked": {
            4: [[[6.01323, 4.73644], [4.67828, 1.00532]]],
        },
        "both norms are missing": {
            4: [[[89.99, 11.9987], [52.6203, 7.50461]]],
        },
        "nothing is rotated: queries and keys are": {
            4: [[[5.20124, 5.79444], [4.92827, 0.751424]]],
        },
        "values are rotated, too: only queries and keys are": {
            4: [[[5.20124, 5.79444], [3.44185, 1.94951]]],
        },
        "the keys are not rotated": {
            4: [[[5.20124, 5.79444], [4.35521, 1.28666]]],
        },
        "the queries are not rotated": {
            4: [[[5.20124, 5.79444], [4.63514, 1.04522]]],
        },
        "x itself is carried past attention, not its norm": {
            4: [[[3.04977, 2.92581], [5.13002, 1.02648]]],
        },
        "what attention left is carried past SwiGLU, not its norm": {
            4: [[[1.35271, 0.663067], [2.75097, 0.338476]]],
        },
        "each part is added to what the norm gave: it is added to what came in": {
            4: [[[1.35271, 0.663067], [2.80394, 0.312302]]],
        },
        "SwiGLU's result is added to x alone: what attention gave is lost": {
            4: [[[3.50419, 3.5317], [2.41449, -0.123939]]],
        },
        "SwiGLU reads attention's result alone: it reads the sum with x": {
            4: [[[5.20124, 5.79444], [4.51291, 0.921703]]],
        },
        "the values are made of x: they are made of its norm, too": {
            4: [[[9.50419, 11.5317], [5.91311, 3.65046]]],
        },
        "the keys are made of x: they are made of its norm, too": {
            4: [[[5.20124, 5.79444], [3.61602, 1.87295]]],
        },
        "this block has LayerNorm: it is asked with rms_norm": {
            4: [[[1.26895, 5.59658], [3.32419, -2.68972]]],
        },
        "1 was added to the norms' weights": {
            4: [[[8.82814, 7.8016], [11.9369, 1.81038]]],
        },
        "the norm in the block is without its root": {
            4: [[[3.50361, 4.59075], [4.77973, 0.06022]]],
        },
        "the mean in the norm runs over the tokens: each vector has its own": {
            4: [[[6.90074, 6.25776], [3.27891, 1.66123]]],
        },
        "silu is missing in the block's SwiGLU": {
            4: [[[5.41706, 4.34274], [5.04997, 0.808517]]],
        },
        "the gate of the block's SwiGLU is a sigmoid: silu is asked": {
            4: [[[5.29124, 6.67667], [4.32217, 1.39728]]],
        },
        "the gate of the block's SwiGLU has GELU: silu is asked": {
            4: [[[5.27444, 6.01516], [4.88797, 1.02601]]],
        },
        "the norms stand behind the parts: pre-norm has them before": {
            4: [[[1.26986, 0.622455], [1.31652, 0.516512]]],
        },
    })
    t = torch.tensor
    x = t([[3.0, 4.0], [0.0, -2.0]])
    check(rms_norm, x, t([1.0, 2.0])).equals([[0.8485, 2.2627], [0.0, -2.8284]], rtol=1e-3, atol=1e-3)
    check(rms_norm, t([[0.3, 0.4]]), t([1.0, 1.0]), 0.125).equals([[0.6, 0.8]], rtol=1e-3, atol=1e-3)
    eye = torch.eye(2)
    gate, up = t([[1.0, 0.0], [0.0, -1.0]]), t([[2.0, 0.0], [0.0, 3.0]])
    check(swiglu, t([[1.0, 1.0]]), gate, up, eye).equals([[1.4621, -0.8068]], rtol=1e-3, atol=1e-3)
    p = {"norm1": t([1.0, 1.0]), "norm2": t([1.0, 1.0]), "query": eye, "key": eye, "value": 2 * eye, "out": eye,
         "gate": gate, "up": up, "down": t([[0.5, 0.0], [0.0, 0.5]])}
    check(modern_block, t([[[3.0, 4.0], [1.0, 0.0]]]), p, 1).equals(
        [[[5.2012, 5.7944], [4.6783, 1.0053]]], rtol=1e-3, atol=1e-3)


score
