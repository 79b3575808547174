from helpers.checks import graded


@graded("masks", points=8)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "strict": "off by one: a token sees itself, too",
        "ahead": "off by one: a token sees the next one here",
        "future": "the mask is turned round: this shows the future and hides the past",
        "hidden": "True means: may be seen. This mask is True where nothing may be",
        "all_true": "nothing is hidden here",
        "one_more": "off by one: a length of n leaves n places True",
        "one_less": "off by one: one place too few is True",
        "front": "the places at the end are True; a sentence stands at the beginning",
        "turned": "this is (T, B); the batch comes first",
        "unmasked": "the mask was not used",
        "inverted": "the mask was used the wrong way round: True means that a key may be seen",
        "after": "the mask came after the softmax: what is left no longer adds up to 1. Mask the scores",
        "zero": "the score of a hidden key was set to 0 (or nearly), and e to the 0 is 1: set it to minus infinity",
        "renormal": "the mask came after the softmax: where hidden scores are the largest, nothing is left",
        "causal": "a causal mask was used, whatever `mask` says",
        "all_rows": "all became 0 because one query sees nothing: ask each query by itself",
        "dtype": "another dtype came back than that of the queries",
        "small": "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity",
        "no_scale": "the scores are not scaled by the root of d_k",
        "by_d": "the scores are divided by d_k, not by its root",
        "over_queries": "the softmax runs over the queries: use dim=-1",
        "mean": "a query that may see nothing got equal weights for all keys, as with -1e9: zeros are asked for",
        "nan": "a query that may see nothing got 0/0, which is NaN: zeros are asked for",
        "order": "the two results are exchanged: the output comes first",
        "added": "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    yes, no = True, False
    check(causal_mask, 3).equals([[yes, no, no], [yes, yes, no], [yes, yes, yes]], near={
        says["strict"]: [[False, False, False], [True, False, False], [True, True, False]],
        says["ahead"]: [[True, True, False], [True, True, True], [True, True, True]],
        says["future"]: [[True, True, True], [False, True, True], [False, False, True]],
        says["hidden"]: [[False, True, True], [False, False, True], [False, False, False]],
        says["all_true"]: [[True, True, True], [True, True, True], [True, True, True]],
    })
    check(padding_mask, torch.tensor([2, 3, 1]), 4).equals(
        [[yes, yes, no, no], [yes, yes, yes, no], [yes, no, no, no]], near={
        says["one_more"]: [[True, True, True, False], [True, True, True, True], [True, True, False, False]],
        says["one_less"]: [[True, False, False, False], [True, True, False, False], [False, False, False, False]],
        says["hidden"]: [[False, False, True, True], [False, False, False, True], [False, True, True, True]],
        says["front"]: [[False, False, True, True], [False, True, True, True], [False, False, False, True]],
        "the lengths must stand in a column, lengths[:, None], to meet each place": RuntimeError,
        says["turned"]: [[True, True, True], [True, True, False], [False, True, False], [False, False, False]],
        says["all_true"]: [[True, True, True, True], [True, True, True, True], [True, True, True, True]],
    }
    )
    q, k = torch.tensor([[1.0], [2.0]]), torch.tensor([[1.0], [2.0]])
    v, causal = torch.tensor([[1.0], [3.0]]), torch.tensor([[yes, no], [yes, yes]])
    check(masked_attention, q, k, v, causal).equals(
        ([[1.0], [2.7616]], [[1.0, 0.0], [0.1192, 0.8808]]), **loose, near={
        says["unmasked"]: ([[2.4621], [2.7616]], [[0.2689, 0.7311], [0.1192, 0.8808]]),
        says["inverted"]: ([[3.0], [torch.nan]], [[0.0, 1.0], [torch.nan, torch.nan]]),
        says["after"]: ([[0.2689], [2.7616]], [[0.2689, 0.0], [0.1192, 0.8808]]),
        says["zero"]: ([[1.5379], [2.7616]], [[0.7311, 0.2689], [0.1192, 0.8808]]),
        says["over_queries"]: ([[0.2689], [3.7311]], [[0.2689, 0.0], [0.7311, 1.0]]),
        says["order"]: ([[1.0, 0.0], [0.1192, 0.8808]], [[1.0], [2.7616]]),
        says["added"]: ([[2.0], [2.7616]], [[0.5, 0.5], [0.1192, 0.8808]]),
        f"{says['added']} (and set to 0 later)": ([[0.5], [2.7616]], [[0.5, 0.0], [0.1192, 0.8808]]),
    }
    )
    check(masked_attention, q, k, v, torch.tensor([[no, no], [yes, no]])).equals(
        ([[0.0], [1.0]], [[0.0, 0.0], [1.0, 0.0]]), **loose, near={
        says["unmasked"]: ([[2.4621], [2.7616]], [[0.2689, 0.7311], [0.1192, 0.8808]]),
        says["inverted"]: ([[2.4621], [3.0]], [[0.2689, 0.7311], [0.0, 1.0]]),
        says["mean"]: ([[2.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]]),
        says["small"]: ([[2.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]]),
        says["zero"]: ([[2.0], [1.2384]], [[0.5, 0.5], [0.8808, 0.1192]]),
        says["nan"]: ([[torch.nan], [1.0]], [[torch.nan, torch.nan], [1.0, 0.0]]),
        says["order"]: ([[0.0, 0.0], [1.0, 0.0]], [[0.0], [1.0]]),
        says["all_rows"]: ([[0.0], [0.0]], [[0.0, 0.0], [0.0, 0.0]]),
        says["after"]: ([[0.0], [0.1192]], [[0.0, 0.0], [0.1192, 0.0]]),
    }
    )


score
