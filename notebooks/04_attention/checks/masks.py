from helpers.checks import graded


@graded("masks", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "off by one: a token sees itself, too": {
            1: [[False, False, False], [True, False, False], [True, True, False]],
        },
        "off by one: a token sees the next one here": {
            1: [[True, True, False], [True, True, True], [True, True, True]],
        },
        "the mask is reversed: this shows the future and hides the past": {
            1: [[True, True, True], [False, True, True], [False, False, True]],
        },
        "True means: may be seen. This mask is True where nothing may be": {
            1: [[False, True, True], [False, False, True], [False, False, False]],
            3: [[False, False, True, True], [False, False, False, True], [True, True, True, True]],
        },
        "nothing is hidden here": {
            1: [[True, True, True], [True, True, True], [True, True, True]],
            3: [[True, True, True, True], [True, True, True, True], [True, True, True, True]],
        },
        "this is additive, 0 and minus infinity; a bool mask is asked for": {
            1: [[0.0, float("-inf"), float("-inf")], [0.0, 0.0, float("-inf")], [0.0, 0.0, 0.0]],
        },
        "off by one: a length of n leaves n positions True": {
            3: [[True, True, True, False], [True, True, True, True], [True, False, False, False]],
        },
        "off by one: one position too few is True": {
            3: [[True, False, False, False], [True, True, False, False], [False, False, False, False]],
        },
        "the positions at the end are True; a sentence is at the beginning": {
            3: [[False, False, True, True], [False, True, True, True], [False, False, False, False]],
        },
        "this is (T, B); the batch comes first": {
            3: [[True, True, False], [True, True, False], [False, True, False], [False, False, False]],
        },
        "a length of 0 leaves no position True": {
            3: [[True, True, False, False], [True, True, True, False], [True, False, False, False]],
        },
        "`longest` was ignored: the mask is as wide as it says": {
            3: [[True, True, False], [True, True, True], [False, False, False]],
        },
        "True is at the last position of each sentence only": {
            3: [[False, True, False, False], [False, False, True, False], [False, False, False, False]],
        },
        "the mask was not used": {
            4: ([[2.33952], [2.33952]], [[0.330238, 0.669762], [0.330238, 0.669762]]),
            5: ([[2.33984], [2.33984]], [[0.330322, 0.669922], [0.330322, 0.669922]]),
            6: ([[2.33952], [2.33952]], [[0.330238, 0.669762], [0.330238, 0.669762]]),
        },
        "the mask was not used, but for whole queries only: it hides keys from each query": {
            4: ([[2.33952], [2.33952]], [[0.330238, 0.669762], [0.330238, 0.669762]]),
            5: ([[2.33984], [2.33984]], [[0.330322, 0.669922], [0.330322, 0.669922]]),
            6: ([[0.0], [2.33952]], [[0.0, 0.0], [0.330238, 0.669762]]),
        },
        "plus infinity went where minus infinity belongs": {
            4: ([[float("nan")], [2.33952]], [[float("nan"), 0.0], [0.330238, 0.669762]]),
            5: ([[float("nan")], [2.33984]], [[float("nan"), 0.0], [0.330322, 0.669922]]),
            6: ([[0.0], [float("nan")]], [[0.0, 0.0], [float("nan"), 0.0]]),
            7: ([[float("nan")]], [[float("nan"), 0.0]]),
        },
        "the mask was used the wrong way round: True means that a key may be seen": {
            4: ([[3.0], [float("nan")]], [[0.0, 1.0], [float("nan"), float("nan")]]),
            5: ([[3.0], [float("nan")]], [[0.0, 1.0], [float("nan"), float("nan")]]),
            6: ([[2.33952], [3.0]], [[0.330238, 0.669762], [0.0, 1.0]]),
            7: ([[3.0]], [[0.0, 1.0]]),
        },
        "the mask was used the wrong way round: True means that a key may be seen (rows that see nothing are 0)": {
            4: ([[3.0], [0.0]], [[0.0, 1.0], [0.0, 0.0]]),
            5: ([[3.0], [0.0]], [[0.0, 1.0], [0.0, 0.0]]),
            6: ([[2.33952], [3.0]], [[0.330238, 0.669762], [0.0, 1.0]]),
            7: ([[3.0]], [[0.0, 1.0]]),
        },
        "the mask came after the softmax: what is left no longer adds up to 1. Mask the scores": {
            4: ([[0.330238], [2.33952]], [[0.330238, 0.0], [0.330238, 0.669762]]),
            5: ([[0.330322], [2.33984]], [[0.330322, 0.0], [0.330322, 0.669922]]),
            6: ([[0.0], [0.330238]], [[0.0, 0.0], [0.330238, 0.0]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -10000, say). Here it was 0, or nearly, and e to the 0 is 1": {
            4: ([[1.66048], [2.33952]], [[0.669762, 0.330238], [0.330238, 0.669762]]),
            5: ([[1.66113], [2.33984]], [[0.669922, 0.330322], [0.330322, 0.669922]]),
            6: ([[2.0], [1.21408]], [[0.5, 0.5], [0.892958, 0.107042]]),
            7: ([[3.0]], [[0.0, 1.0]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -10000, say). Here it was 0, and e to the 0 is 1": {
            4: ([[0.669762], [2.33952]], [[0.669762, 0.0], [0.330238, 0.669762]]),
            5: ([[0.669922], [2.33984]], [[0.669922, 0.0], [0.330322, 0.669922]]),
            6: ([[0.0], [0.892958]], [[0.0, 0.0], [0.892958, 0.0]]),
            7: ([[0.0]], [[0.0, 0.0]]),
        },
        "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity": {
            4: ([[1.85459], [2.33952]], [[0.572704, 0.427296], [0.330238, 0.669762]]),
            5: ([[1.85449], [2.33984]], [[0.572754, 0.427246], [0.330322, 0.669922]]),
            6: ([[2.33952], [1.85459]], [[0.330238, 0.669762], [0.572704, 0.427296]]),
        },
        "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity (and set to 0 later)": {
            4: ([[0.572704], [2.33952]], [[0.572704, 0.0], [0.330238, 0.669762]]),
            5: ([[0.572754], [2.33984]], [[0.572754, 0.0], [0.330322, 0.669922]]),
            6: ([[0.0], [0.572704]], [[0.0, 0.0], [0.572704, 0.0]]),
        },
        "the scores are divided by d_k, not by its root": {
            4: ([[1.0], [2.24492]], [[1.0, 0.0], [0.377541, 0.622459]]),
            5: ([[1.0], [2.24609]], [[1.0, 0.0], [0.377441, 0.622559]]),
        },
        "the softmax runs over the queries: use dim=-1": {
            4: ([[0.19557], [3.80443]], [[0.19557, 0.0], [0.80443, 1.0]]),
            5: ([[0.195557], [3.80469]], [[0.195557, 0.0], [0.804199, 1.0]]),
        },
        "the softmax runs over the queries: use dim=-1, and what is NaN must be 0": {
            4: ([[0.19557], [3.80443]], [[0.19557, 0.0], [0.80443, 1.0]]),
            5: ([[0.195557], [3.80469]], [[0.195557, 0.0], [0.804199, 1.0]]),
            6: ([[float("nan")], [float("nan")]], [[0.0, float("nan")], [1.0, float("nan")]]),
            7: ([[float("nan")]], [[1.0, float("nan")]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -1, say)": {
            4: ([[1.30708], [2.33952]], [[0.846461, 0.153539], [0.330238, 0.669762]]),
            5: ([[1.30762], [2.33984]], [[0.84668, 0.153564], [0.330322, 0.669922]]),
            6: ([[2.0], [1.08447]], [[0.5, 0.5], [0.957764, 0.0422363]]),
            7: ([[3.0]], [[0.0, 1.0]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -5, say)": {
            4: ([[1.00662], [2.33952]], [[0.996689, 0.00331127], [0.330238, 0.669762]]),
            6: ([[2.0], [1.00161]], [[0.5, 0.5], [0.999193, 0.000807048]]),
            7: ([[3.0]], [[0.0, 1.0]]),
        },
        "the scores are not scaled by the root of d_k": {
            4: ([[1.0], [2.46212]], [[1.0, 0.0], [0.268941, 0.731059]]),
            5: ([[1.0], [2.46094]], [[1.0, 0.0], [0.269043, 0.730957]]),
        },
        "the scores are not scaled by the root of d_k, and a query that may see nothing got 0/0, which is NaN: zeros are asked for": {
            4: ([[1.0], [2.46212]], [[1.0, 0.0], [0.268941, 0.731059]]),
            5: ([[1.0], [2.46094]], [[1.0, 0.0], [0.269043, 0.730957]]),
            6: ([[float("nan")], [1.0]], [[float("nan"), float("nan")], [1.0, 0.0]]),
        },
        "the two results are exchanged: the output comes first": {
            4: ([[1.0, 0.0], [0.330238, 0.669762]], [[1.0], [2.33952]]),
            5: ([[1.0, 0.0], [0.330322, 0.669922]], [[1.0], [2.33984]]),
            6: ([[0.0, 0.0], [1.0, 0.0]], [[0.0], [1.0]]),
            7: ([[1.0, 0.0]], [[1.0]]),
        },
        "0 times minus infinity is NaN: fill the hidden positions, do not multiply": {
            4: ([[float("nan")], [float("nan")]], [[float("nan"), float("nan")], [float("nan"), float("nan")]]),
            5: ([[float("nan")], [float("nan")]], [[float("nan"), float("nan")], [float("nan"), float("nan")]]),
            6: ([[float("nan")], [float("nan")]], [[float("nan"), float("nan")], [float("nan"), float("nan")]]),
            7: ([[float("nan")]], [[float("nan"), float("nan")]]),
        },
        "the mask is transposed: its rows belong to the queries": {
            4: ([[2.33952], [3.0]], [[0.330238, 0.669762], [0.0, 1.0]]),
            5: ([[2.33984], [3.0]], [[0.330322, 0.669922], [0.0, 1.0]]),
            6: ([[3.0], [float("nan")]], [[0.0, 1.0], [float("nan"), float("nan")]]),
            7: ([[1.0], [float("nan")]], [[1.0, 0.0], [float("nan"), float("nan")]]),
        },
        "the hidden values were set to 0, but their keys still take weight": {
            4: ([[0.330238], [2.33952]], [[0.330238, 0.669762], [0.330238, 0.669762]]),
            5: ([[0.330322], [2.33984]], [[0.330322, 0.669922], [0.330322, 0.669922]]),
            6: ([[0.0], [0.330238]], [[0.330238, 0.669762], [0.330238, 0.669762]]),
        },
        "all became 0 because one query sees nothing: ask each query by itself": {
            6: ([[0.0], [0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        },
        "a causal mask was used, whatever `mask` says": {
            6: ([[1.0], [2.33952]], [[1.0, 0.0], [0.330238, 0.669762]]),
        },
        "a query that may see nothing got equal weights for all keys, as with -1e9: zeros are asked for": {
            6: ([[2.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]]),
        },
        "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity (not -10, say)": {
            6: ([[2.0], [1.00001]], [[0.5, 0.5], [0.999995, 0.0]]),
            7: ([[3.0]], [[0.0, 1.0]]),
        },
        "a query that may see nothing got 0/0, which is NaN: zeros are asked for": {
            6: ([[float("nan")], [1.0]], [[float("nan"), float("nan")], [1.0, 0.0]]),
        },
        "the weights of a query that may see nothing are 0, its output is not": {
            6: ([[2.0], [1.0]], [[0.0, 0.0], [1.0, 0.0]]),
        },
        "the weights of a query that may see nothing are 0, its output is NaN": {
            6: ([[float("nan")], [1.0]], [[0.0, 0.0], [1.0, 0.0]]),
        },
        "the output of a query that may see nothing is 0, its weights are not": {
            6: ([[0.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]]),
        },
        "the output of a query that may see nothing is 0, its weights are NaN": {
            6: ([[0.0], [1.0]], [[float("nan"), float("nan")], [1.0, 0.0]]),
        },
    })
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    yes, no = True, False
    check(causal_mask, 3).equals([[yes, no, no], [yes, yes, no], [yes, yes, yes]])
    numbers = "the mask must be a bool tensor: True and False, not numbers"
    check(causal_mask, 2).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="its dtype", near={numbers: lambda m: m is not None}
    )
    check(padding_mask, torch.tensor([2, 3, 0]), 4).equals(
        [[yes, yes, no, no], [yes, yes, yes, no], [no, no, no, no]],
        near={"the lengths must be a column, lengths[:, None], to meet each position": RuntimeError}
    )
    q, k = torch.tensor([[1.0, 0.0], [2.0, 1.0]]), torch.tensor([[1.0, 1.0], [2.0, 0.0]])
    v, causal = torch.tensor([[1.0], [3.0]]), torch.tensor([[yes, no], [yes, yes]])
    usual = check(masked_attention, q, k, v, causal).equals(
        ([[1.0], [2.3395]], [[1.0, 0.0], [0.3302, 0.6698]]), **loose
    )
    check(masked_attention, q.half(), k.half(), v.half(), causal).equals(
        ([[1.0], [2.3395]], [[1.0, 0.0], [0.3302, 0.6698]]), about="float16", rtol=1e-2, atol=1e-2, dtype="float16",
        near={"float16 ends at 65,504: hide with minus infinity, not with -1e9": RuntimeError},
    )
    check(masked_attention, q, k, v, torch.tensor([[no, no], [yes, no]])).equals(
        ([[0.0], [1.0]], [[0.0, 0.0], [1.0, 0.0]]), **loose
    )
    far = torch.tensor([[300.0]]), torch.tensor([[-200.0], [-204.0]]), v, torch.tensor([[yes, no]])
    check(masked_attention, *far).equals(
        ([[1.0]], [[1.0, 0.0]]), about="a score of -60,000", **loose,
        near={"a hidden score of -10,000, say, can win over real ones: hide with minus infinity":
              ([[0.0]], [[0.0, 0.0]])},
    )
    by_q, by_k = [[0.0, 0.0], [1.6760, -1.6760]], [[-3.3520, -1.6760], [3.3520, 1.6760]]
    check(slopes, masked_attention, q, k, v, torch.tensor([[no, no], [yes, yes]]), fixed=(3,)).equals(
        [by_q, by_k, [[1.5452], [3.1338]]], about="gradients of the squares, where a query sees nothing", **loose,
        near=cut(usual),
    )


score
