from helpers.checks import graded


@graded("self-attention", points=4)
def score(check):
    import torch

    says = {
        "features": "the mean runs over the features of a token; it runs over the tokens",
        "kept": "one row came: every token of x is replaced, so the shape stays",
        "sum": "this is the sum of the tokens, not their mean",
        "over_queries": "the softmax runs over the queries, so that columns add up to 1: use dim=-1",
        "d_by_d": "these are scores of features with features (d by d): tokens are in rows, so it is X X^T",
        "weights": "the weights came back in place of the scores",
        "scores_x": "the scores were not put through softmax",
        "exchanged": "queries and keys are exchanged: the scores are turned round",
        "x_values": "the values are x itself: they are x W_V",
        "k_values": "the keys were mixed in place of the values",
        "q_values": "the queries were mixed in place of the values",
        "W_turned": "the weights are turned round: tokens are in rows, so it is x W, not x W^T",
        "scaled": "the scores are scaled here; that is the next exercise",
        "order": "the two results are exchanged: scores first",
        "same_W": "W_Q was used for the keys, too",
        "no_W": "W_Q and W_K were left out of the scores",
        "axis_1": "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1",
        "one": "only the result came back: return the scores first, then the result",
        "cosine": "these are cosines: the tokens are not divided by their lengths",
        "so_far": "this is the mean of the tokens so far; it is the mean of all",
        "scaled_later": "the scores came back as they are, but were scaled before the softmax: not yet",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    check(mean_mixing, x).equals([[0.5, 1.0], [0.5, 1.0]], **loose, near={
        says["so_far"]: [[1.0, 0.0], [0.5, 1.0]],
        says["features"]: [[0.5, 0.5], [1.0, 1.0]], says["kept"]: [0.5, 1.0], says["sum"]: [[1.0, 2.0], [1.0, 2.0]],
    })
    check(similarity_mixing, x).equals(
        ([[1.0, 0.0], [0.0, 4.0]], [[0.7311, 0.5379], [0.0180, 1.9640]]), **loose, near={
            says["one"]: [[0.7311, 0.5379], [0.0180, 1.9640]],
            says["cosine"]: ([[1.0, 0.0], [0.0, 1.0]], [[0.7311, 0.5379], [0.2689, 1.4621]]),
            says["weights"]: ([[0.7311, 0.2689], [0.018, 0.982]], [[0.7311, 0.5379], [0.018, 1.964]]),
            says["scores_x"]: ([[1.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 8.0]]),
            says["scaled"]: ([[0.7071, 0.0], [0.0, 2.8284]], [[0.6698, 0.6605], [0.0558, 1.8884]]),
            says["scaled_later"]: ([[1.0, 0.0], [0.0, 4.0]], [[0.6698, 0.6605], [0.0558, 1.8884]]),
            says["order"]: ([[0.7311, 0.5379], [0.0180, 1.9640]], [[1.0, 0.0], [0.0, 4.0]]),
        },
    )
    W_q, W_k, W_v = torch.tensor([[1.0, 1.0], [0.0, 1.0]]), torch.eye(2), torch.tensor([[3.0], [1.0]])
    check(self_attention, x, W_q, W_k, W_v).equals(
        ([[1.0, 2.0], [0.0, 4.0]], [[2.2689], [2.0180]]), **loose, near={
        says["over_queries"]: ([[1.0, 2.0], [0.0, 4.0]], [[2.4316], [2.5684]]),
        says["weights"]: ([[0.2689, 0.7311], [0.018, 0.982]], [[2.2689], [2.018]]),
        says["scores_x"]: ([[1.0, 2.0], [0.0, 4.0]], [[7.0], [8.0]]),
        says["exchanged"]: ([[1.0, 0.0], [2.0, 4.0]], [[2.7311], [2.1192]]),
        says["x_values"]: (
            [[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.4621], [0.018, 1.964]]),
        says["k_values"]: (
            [[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.4621], [0.018, 1.964]]),
        says["q_values"]: ([[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.7311], [0.018, 1.982]]),
        says["scaled"]: ([[0.7071, 1.4142], [0.0, 2.8284]], [[2.3302], [2.0558]]),
        says["order"]: ([[2.2689], [2.018]], [[1.0, 2.0], [0.0, 4.0]]),
        says["same_W"]: ([[2.0, 2.0], [2.0, 4.0]], [[2.5], [2.1192]]),
        says["no_W"]: ([[1.0, 0.0], [0.0, 4.0]], [[2.7311], [2.018]]),
        "W_K was used for the queries, too": ([[1.0, 0.0], [0.0, 4.0]], [[2.7311], [2.018]]),
        says["one"]: [[2.2689], [2.018]],
    }
    )


score
