from helpers.checks import graded


@graded("self-attention", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the mean runs over the features of a token; it runs over the tokens": {
            1: [[0.5, 0.5], [1.0, 1.0]],
        },
        "one row came: every token of x is replaced, so the shape stays": {
            1: [0.5, 1.0],
        },
        "one row came: every token of x is replaced, so the shape stays as it is": {
            1: [[0.5, 1.0]],
        },
        "this is the sum of the tokens, not their mean": {
            1: [[1.0, 2.0], [1.0, 2.0]],
        },
        "this is softmax(X), not the mean": {
            1: [[0.731059, 0.119203], [0.268941, 0.880797]],
        },
        "this is the mean of the tokens so far; it is the mean of all": {
            1: [[1.0, 0.0], [0.5, 1.0]],
        },
        "the softmax runs over the queries, so that columns add up to 1: use dim=-1": {
            2: ([[1.0, 0.0], [0.0, 4.0]], [[0.731059, 0.0359724], [0.268941, 1.96403]]),
            3: ([[1.0, 2.0], [0.0, 4.0]], [[2.43158], [2.56842]]),
        },
        "these are scores of features with features (d by d): tokens are in rows, so it is X X^T": {
            2: ([[1.0, 0.0], [0.0, 4.0]], [[0.731059, 0.268941], [0.0359724, 1.96403]]),
        },
        "the weights came back in place of the scores": {
            2: ([[0.731059, 0.268941], [0.0179862, 0.982014]], [[0.731059, 0.537883], [0.0179862, 1.96403]]),
            3: ([[0.268941, 0.731059], [0.0179862, 0.982014]], [[2.26894], [2.01799]]),
        },
        "the scores were not put through softmax": {
            2: ([[1.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 8.0]]),
            3: ([[1.0, 2.0], [0.0, 4.0]], [[7.0], [8.0]]),
        },
        "the scores are scaled here; that is the next exercise": {
            2: ([[0.707107, 0.0], [0.0, 2.82843]], [[0.669762, 0.660477], [0.0558072, 1.88839]]),
            3: ([[0.707107, 1.41421], [0.0, 2.82843]], [[2.33024], [2.05581]]),
        },
        "the scores came back as they are, but were scaled before the softmax: not yet": {
            2: ([[1.0, 0.0], [0.0, 4.0]], [[0.669762, 0.660477], [0.0558072, 1.88839]]),
            3: ([[1.0, 2.0], [0.0, 4.0]], [[2.33024], [2.05581]]),
        },
        "later tokens are hidden here: nothing is masked yet": {
            2: ([[1.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0179862, 1.96403]]),
            3: ([[1.0, 2.0], [0.0, 4.0]], [[3.0], [2.01799]]),
        },
        "the two results are exchanged: scores first": {
            2: ([[0.731059, 0.537883], [0.0179862, 1.96403]], [[1.0, 0.0], [0.0, 4.0]]),
            3: ([[2.26894], [2.01799]], [[1.0, 2.0], [0.0, 4.0]]),
        },
        "only the result came back: return the scores first, then the result": {
            2: [[0.731059, 0.537883], [0.0179862, 1.96403]],
            3: [[2.26894], [2.01799]],
        },
        "these are cosines: the tokens are not divided by their lengths": {
            2: ([[1.0, 0.0], [0.0, 1.0]], [[0.731059, 0.537883], [0.268941, 1.46212]]),
        },
        "the diagonal was left out: a token looks at itself, too": {
            2: ([[float("-inf"), 0.0], [0.0, float("-inf")]], [[0.0, 2.0], [1.0, 0.0]]),
        },
        "the diagonal was left out of the softmax: a token looks at itself, too": {
            2: ([[1.0, 0.0], [0.0, 4.0]], [[0.0, 2.0], [1.0, 0.0]]),
        },
        "queries and keys are exchanged: the scores are turned round": {
            3: ([[1.0, 0.0], [2.0, 4.0]], [[2.73106], [2.1192]]),
        },
        "the values are x itself: they are x W_V": {
            3: ([[1.0, 2.0], [0.0, 4.0]], [[0.268941, 1.46212], [0.0179862, 1.96403]]),
        },
        "the keys were mixed in place of the values": {
            3: ([[1.0, 2.0], [0.0, 4.0]], [[0.268941, 1.46212], [0.0179862, 1.96403]]),
        },
        "the queries were mixed in place of the values": {
            3: ([[1.0, 2.0], [0.0, 4.0]], [[0.268941, 1.73106], [0.0179862, 1.98201]]),
        },
        "x was added to the result: it is softmax(...) X W_V alone": {
            3: ([[1.0, 2.0], [0.0, 4.0]], [[3.26894, 2.26894], [2.01799, 4.01799]]),
        },
        "W_Q was used for the keys, too": {
            3: ([[2.0, 2.0], [2.0, 4.0]], [[2.5], [2.1192]]),
        },
        "W_Q and W_K were left out of the scores": {
            3: ([[1.0, 0.0], [0.0, 4.0]], [[2.73106], [2.01799]]),
        },
        "W_K was used for the queries, too": {
            3: ([[1.0, 0.0], [0.0, 4.0]], [[2.73106], [2.01799]]),
        },
    })
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    check(mean_mixing, x).equals([[0.5, 1.0], [0.5, 1.0]], **loose)
    check(similarity_mixing, x).equals(([[1.0, 0.0], [0.0, 4.0]], [[0.7311, 0.5379], [0.0180, 1.9640]]), **loose)
    W_q, W_k, W_v = torch.tensor([[1.0, 1.0], [0.0, 1.0]]), torch.eye(2), torch.tensor([[3.0], [1.0]])
    check(self_attention, x, W_q, W_k, W_v).equals(([[1.0, 2.0], [0.0, 4.0]], [[2.2689], [2.0180]]), **loose)


score
