from helpers.checks import graded


@graded("modern", points=7)
def score(check):
    import torch

    t = torch.tensor
    mean_away = "this is LayerNorm: RMSNorm takes no mean away"
    no_root = "divided by the mean square: its root is meant"
    length = "divided by the length: the mean of the squares is under the root, not their sum"
    no_weight = "the weight is missing"
    over_all = "the mean runs over all numbers: each vector has its own, over the last axis"
    over_tokens = "the mean runs over the tokens: each vector has its own, over the last axis"
    outside = "eps stands outside the root"
    no_eps = "eps is not used as it is given, inside the root"
    x = t([[3.0, 4.0], [0.0, -2.0]])
    check(rms_norm, x, t([1.0, 2.0])).equals([[0.8485, 2.2627], [0.0, -2.8284]], rtol=1e-3, atol=1e-3, near={
        mean_away: [[-1.0, 2.0], [1.0, -2.0]], no_root: [[0.24, 0.64], [0.0, -2.0]],
        length: [[0.6, 1.6], [0.0, -2.0]], no_weight: [[0.8485, 1.1314], [0.0, -1.4142]],
        over_all: [[1.1142, 2.9711], [0.0, -1.4856]], over_tokens: [[1.4142, 2.5298], [0.0, -1.2649]],
        "1 was added to the weight": [[1.6971, 3.3941], [0.0, -4.2426]],
    })
    check(rms_norm, t([[0.3, 0.4]]), t([1.0, 1.0]), 0.125).equals([[0.6, 0.8]], rtol=1e-3, atol=1e-3, near={
        outside: [[0.6276, 0.8368]], no_eps: [[0.8485, 1.1314]], mean_away: [[-0.14, 0.14]],
    })
    both = "the gate and the numbers are exchanged: silu is taken of x times gate"
    glu = "this gate is a sigmoid: silu(z) is z times the sigmoid of z"
    gelu = "this gate is GELU: silu is asked"
    silu_both = "silu was taken of both: the numbers pass as they are"
    no_up = "the numbers x times up are missing"
    added = "gate and numbers were added: multiply them"
    no_gate_map = "silu is missing"
    product = "silu was taken of the product: it is taken of x times gate alone"
    eye = torch.eye(2)
    gate, up = t([[1.0, 0.0], [0.0, -1.0]]), t([[2.0, 0.0], [0.0, 3.0]])
    check(swiglu, t([[1.0, 1.0]]), gate, up, eye).equals([[1.4621, -0.8068]], rtol=1e-3, atol=1e-3, near={
        both: [[1.7616, -2.8577]], glu: [[1.4621, 0.8068]], gelu: [[1.6827, -0.476]],
        silu_both: [[1.2878, -0.7685]], no_up: [[0.7311, -0.2689]], added: [[2.7311, 2.7311]],
        no_gate_map: [[2.0, -3.0]], product: [[1.7616, -0.1423]],
    })
    p = {"norm1": t([1.0, 1.0]), "norm2": t([1.0, 1.0]), "query": eye, "key": eye, "value": 2 * eye, "out": eye,
         "gate": gate, "up": up, "down": t([[0.5, 0.0], [0.0, 0.5]])}
    no_residual1 = "attention's result replaces x: it is added to it"
    no_residual2 = "what SwiGLU gives replaces the rest: it is added to it"
    parallel = "SwiGLU reads the vectors behind attention, not those before it"
    no_norm1, no_norm2 = "the norm before attention is missing", "the norm before SwiGLU is missing"
    post = "the norms stand behind the parts: pre-norm has them before"
    not_causal = "a token sees those after it: causal attention is asked"
    check(modern_block, t([[[3.0, 4.0], [1.0, 0.0]]]), p, 1).equals(
        [[[5.2012, 5.7944], [4.6783, 1.0053]]], rtol=1e-3, atol=1e-3, near={
            no_residual1: [[[2.2012, 1.7944], [3.5129, 0.9217]]],
            no_residual2: [[[0.5042, -0.4683], [1.4145, -0.1239]]],
            parallel: [[[5.2012, 5.7944], [4.8727, 1.1293]]], no_norm1: [[[9.5042, 11.5317], [7.4171, 7.1196]]],
            no_norm2: [[[26.56, 6.1508], [13.5238, 0.662]]], post: [[[1.2699, 0.6225], [1.3165, 0.5165]]],
            not_causal: [[[6.0132, 4.7364], [4.6783, 1.0053]]],
            "nothing is rotated: queries and keys are": [[[5.2012, 5.7944], [4.9283, 0.7514]]],
            "values are rotated, too: only queries and keys are": [[[5.2012, 5.7944], [3.4418, 1.9495]]],
        })


score
