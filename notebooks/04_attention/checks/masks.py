from helpers.checks import graded


@graded("masks", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "off by one: a token sees itself, too": {
            1: [[False, False, False], [True, False, False], [True, True, False]],
        },
        "off by one: a token sees the next one here": {
            1: [[True, True, False], [True, True, True], [True, True, True]],
        },
        "the mask is turned round: this shows the future and hides the past": {
            1: [[True, True, True], [False, True, True], [False, False, True]],
        },
        "True means: may be seen. This mask is True where nothing may be": {
            1: [[False, True, True], [False, False, True], [False, False, False]],
            2: [[False, False, True, True], [False, False, False, True], [False, True, True, True]],
        },
        "nothing is hidden here": {
            1: [[True, True, True], [True, True, True], [True, True, True]],
            2: [[True, True, True, True], [True, True, True, True], [True, True, True, True]],
        },
        "this is additive, 0 and minus infinity; a bool mask is asked for": {
            1: [[0.0, float("-inf"), float("-inf")], [0.0, 0.0, float("-inf")], [0.0, 0.0, 0.0]],
        },
        "off by one: a length of n leaves n places True": {
            2: [[True, True, True, False], [True, True, True, True], [True, True, False, False]],
        },
        "off by one: one place too few is True": {
            2: [[True, False, False, False], [True, True, False, False], [False, False, False, False]],
        },
        "the places at the end are True; a sentence stands at the beginning": {
            2: [[False, False, True, True], [False, True, True, True], [False, False, False, True]],
        },
        "this is (T, B); the batch comes first": {
            2: [[True, True, True], [True, True, False], [False, True, False], [False, False, False]],
        },
        "`longest` was ignored: the mask is as wide as it says": {
            2: [[True, True, False], [True, True, True], [True, False, False]],
        },
        "True stands at the last place of each sentence only": {
            2: [[False, True, False, False], [False, False, True, False], [True, False, False, False]],
        },
        "the mask was not used": {
            3: ([[2.46212], [2.76159]], [[0.268941, 0.731059], [0.119203, 0.880797]]),
            4: ([[2.46212], [2.76159]], [[0.268941, 0.731059], [0.119203, 0.880797]]),
        },
        "the mask was not used, but for whole queries only: it hides keys from each query": {
            3: ([[2.46212], [2.76159]], [[0.268941, 0.731059], [0.119203, 0.880797]]),
            4: ([[0.0], [2.76159]], [[0.0, 0.0], [0.119203, 0.880797]]),
        },
        "plus infinity went where minus infinity belongs": {
            3: ([[float("nan")], [2.76159]], [[float("nan"), 0.0], [0.119203, 0.880797]]),
            4: ([[0.0], [float("nan")]], [[0.0, 0.0], [float("nan"), 0.0]]),
        },
        "the mask was used the wrong way round: True means that a key may be seen": {
            3: ([[3.0], [float("nan")]], [[0.0, 1.0], [float("nan"), float("nan")]]),
            4: ([[2.46212], [3.0]], [[0.268941, 0.731059], [0.0, 1.0]]),
        },
        "the mask was used the wrong way round: True means that a key may be seen (rows that see nothing are 0)": {
            3: ([[3.0], [0.0]], [[0.0, 1.0], [0.0, 0.0]]),
            4: ([[2.46212], [3.0]], [[0.268941, 0.731059], [0.0, 1.0]]),
        },
        "the mask came after the softmax: what is left no longer adds up to 1. Mask the scores": {
            3: ([[0.268941], [2.76159]], [[0.268941, 0.0], [0.119203, 0.880797]]),
            4: ([[0.0], [0.119203]], [[0.0, 0.0], [0.119203, 0.0]]),
        },
        "the score of a hidden key was set to 0 (or nearly), and e to the 0 is 1: set it to minus infinity": {
            3: ([[1.53788], [2.76159]], [[0.731059, 0.268941], [0.119203, 0.880797]]),
            4: ([[2.0], [1.23841]], [[0.5, 0.5], [0.880797, 0.119203]]),
        },
        "the score of a hidden key was set to 0, and e to the 0 is 1: set it to minus infinity": {
            3: ([[0.731059], [2.76159]], [[0.731059, 0.0], [0.119203, 0.880797]]),
            4: ([[0.0], [0.880797]], [[0.0, 0.0], [0.880797, 0.0]]),
        },
        "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity": {
            3: ([[2.0], [2.76159]], [[0.5, 0.5], [0.119203, 0.880797]]),
            4: ([[2.46212], [2.46212]], [[0.268941, 0.731059], [0.268941, 0.731059]]),
        },
        "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity (and set to 0 later)": {
            3: ([[0.5], [2.76159]], [[0.5, 0.0], [0.119203, 0.880797]]),
            4: ([[0.0], [0.268941]], [[0.0, 0.0], [0.268941, 0.0]]),
        },
        "the softmax runs over the queries: use dim=-1": {
            3: ([[0.268941], [3.73106]], [[0.268941, 0.0], [0.731059, 1.0]]),
        },
        "the softmax runs over the queries: use dim=-1, and what is NaN must be 0": {
            3: ([[0.268941], [3.73106]], [[0.268941, 0.0], [0.731059, 1.0]]),
            4: ([[float("nan")], [float("nan")]], [[0.0, float("nan")], [1.0, float("nan")]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -1, say)": {
            3: ([[1.23841], [2.76159]], [[0.880797, 0.119203], [0.119203, 0.880797]]),
            4: ([[2.0], [1.09485]], [[0.5, 0.5], [0.952574, 0.0474259]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -5, say)": {
            3: ([[1.00495], [2.76159]], [[0.997527, 0.00247262], [0.119203, 0.880797]]),
            4: ([[2.0], [1.00182]], [[0.5, 0.5], [0.999089, 0.000911051]]),
        },
        "the two results are exchanged: the output comes first": {
            3: ([[1.0, 0.0], [0.119203, 0.880797]], [[1.0], [2.76159]]),
            4: ([[0.0, 0.0], [1.0, 0.0]], [[0.0], [1.0]]),
        },
        "0 times minus infinity is NaN: fill the hidden places, do not multiply": {
            3: ([[float("nan")], [float("nan")]], [[float("nan"), float("nan")], [float("nan"), float("nan")]]),
            4: ([[float("nan")], [float("nan")]], [[float("nan"), float("nan")], [float("nan"), float("nan")]]),
        },
        "the mask is turned round: its rows belong to the queries": {
            3: ([[2.46212], [3.0]], [[0.268941, 0.731059], [0.0, 1.0]]),
            4: ([[3.0], [float("nan")]], [[0.0, 1.0], [float("nan"), float("nan")]]),
        },
        "the hidden values were set to 0, but their keys still take weight": {
            3: ([[0.268941], [2.76159]], [[0.268941, 0.731059], [0.119203, 0.880797]]),
            4: ([[0.0], [0.119203]], [[0.268941, 0.731059], [0.119203, 0.880797]]),
        },
        "all became 0 because one query sees nothing: ask each query by itself": {
            4: ([[0.0], [0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        },
        "a causal mask was used, whatever `mask` says": {
            4: ([[1.0], [2.76159]], [[1.0, 0.0], [0.119203, 0.880797]]),
        },
        "a query that may see nothing got equal weights for all keys, as with -1e9: zeros are asked for": {
            4: ([[2.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -10, say)": {
            4: ([[2.0], [1.00001]], [[0.5, 0.5], [0.999994, 0.0]]),
        },
        "a query that may see nothing got 0/0, which is NaN: zeros are asked for": {
            4: ([[float("nan")], [1.0]], [[float("nan"), float("nan")], [1.0, 0.0]]),
        },
        "the scores are not scaled by the root of d_k, and a query that may see nothing got 0/0, which is NaN: zeros are asked for": {
            4: ([[float("nan")], [1.0]], [[float("nan"), float("nan")], [1.0, 0.0]]),
        },
        "the weights of a query that may see nothing are 0, its output is not": {
            4: ([[2.0], [1.0]], [[0.0, 0.0], [1.0, 0.0]]),
        },
        "the weights of a query that may see nothing are 0, its output is NaN": {
            4: ([[float("nan")], [1.0]], [[0.0, 0.0], [1.0, 0.0]]),
        },
        "the output of a query that may see nothing is 0, its weights are not": {
            4: ([[0.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]]),
        },
        "the output of a query that may see nothing is 0, its weights are NaN": {
            4: ([[0.0], [1.0]], [[float("nan"), float("nan")], [1.0, 0.0]]),
        },
    })
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    yes, no = True, False
    check(causal_mask, 3).equals([[yes, no, no], [yes, yes, no], [yes, yes, yes]])
    check(padding_mask, torch.tensor([2, 3, 1]), 4).equals(
        [[yes, yes, no, no], [yes, yes, yes, no], [yes, no, no, no]],
        near={"the lengths must stand in a column, lengths[:, None], to meet each place": RuntimeError}
    )
    q, k = torch.tensor([[1.0], [2.0]]), torch.tensor([[1.0], [2.0]])
    v, causal = torch.tensor([[1.0], [3.0]]), torch.tensor([[yes, no], [yes, yes]])
    check(masked_attention, q, k, v, causal).equals(([[1.0], [2.7616]], [[1.0, 0.0], [0.1192, 0.8808]]), **loose)
    check(masked_attention, q, k, v, torch.tensor([[no, no], [yes, no]])).equals(
        ([[0.0], [1.0]], [[0.0, 0.0], [1.0, 0.0]]), **loose
    )


score
