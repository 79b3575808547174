from helpers.checks import graded


@graded("heads", points=8)
def score(check):
    import torch
    from torch import nn

    says = {
        "view": "the heads were split along the wrong axis: a plain view to (B, H, T, d) mixes tokens with features",
        "every": "head h took every H-th feature; it takes d neighbouring ones",
        "unmoved": "this is (B, T, H, d): exchange the axes 1 and 2",
        "heads_first": "the heads stand before the batch: (B, H, T, d) is asked for",
        "count": "num_heads and d are exchanged",
        "merge_view": "merged without exchanging the axes back: tokens and heads are mixed up",
        "merge_23": "exchange the axes 1 and 2 to merge, not 2 and 3",
        "split_late": "a plain view to (B, H, d, T) mixes tokens with features: split the last axis, C, into (H, d)",
        "merge_order": "the heads were concatenated in the wrong order: feature by feature, not head by head",
        "reversed": "the heads were concatenated in the wrong order: head 0 comes first",
        "mean": "the heads were averaged or added; they stand one after the other",
        "no_o": "W_O is missing at the end",
        "by_C": "the scale is that of all features; it is that of one head, 1 / sqrt(C / H)",
        "no_scale": "the scores are not scaled by the root of a head's size",
        "turned_W": "the weights are turned round: x W, not x W^T as nn.Linear has it",
        "turned_o": "W_O is turned round: x W, not x W^T",
        "one_head": "there is one head only: `num_heads` was not used",
        "from_q": "keys and values come from x_q; they come from x_kv",
        "v_from_q": "the values come from x_q; they come from x_kv",
        "exchanged_kv": "W_K and W_V are exchanged",
        "exchanged_qk": "W_Q and W_K are exchanged",
        "averaged": "the weights were averaged over the heads; return those of every head",
        "unmasked": "the mask was not used",
        "inverted": "the mask was used the wrong way round: True means that a key may be seen",
        "after": "the mask came after the softmax",
        "over_queries": "the softmax runs over the queries: use dim=-1",
        "over_heads": "the softmax runs over the heads: use dim=-1",
        "tokens": "the tokens were dealt out to the heads; each head sees all tokens and a part of the features",
        "last_first": "the heads are in the reverse order: head 0 holds the first features",
        "none": "`mask` may be None: then every key may be seen",
        "causal": "`mask` is None, and a causal mask was used: then every key may be seen",
        "nan": "a query that may see nothing got 0/0, which is NaN: its weights are 0",
        "equal": "a query that may see nothing got equal weights for all keys, as with -1e9: its weights are 0",
    }
    x = torch.arange(1.0, 9.0).view(1, 2, 4)  # two tokens: (1, 2, 3, 4) and (5, 6, 7, 8)
    check(split_heads, x, 2).equals([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]], near={
        says["view"]: [
            [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]],
        says["unmoved"]: [
            [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]],
        says["every"]: [[[[1.0, 3.0], [5.0, 7.0]], [[2.0, 4.0], [6.0, 8.0]]]],
        says["split_late"]: [[[[1.0, 3.0], [2.0, 4.0]], [[5.0, 7.0], [6.0, 8.0]]]],
        says["heads_first"]: [[[[1.0, 2.0], [5.0, 6.0]]], [[[3.0, 4.0], [7.0, 8.0]]]],
        says["tokens"]: [[[[1.0, 2.0, 3.0, 4.0]], [[5.0, 6.0, 7.0, 8.0]]]],
    })
    heads = torch.tensor([[[[1.0, 2], [5, 6]], [[3, 4], [7, 8]]]])
    check(merge_heads, heads).equals([[[1, 2, 3, 4], [5, 6, 7, 8]]], near={
        says["merge_view"]: [[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 7.0, 8.0]]],
        says["merge_order"]: [[[1.0, 3.0, 2.0, 4.0], [5.0, 7.0, 6.0, 8.0]]],
        says["merge_23"]: [[[1.0, 5.0, 2.0, 6.0], [3.0, 7.0, 4.0, 8.0]]],
        says["reversed"]: [[[3.0, 4.0, 1.0, 2.0], [7.0, 8.0, 5.0, 6.0]]], says["mean"]: [[[2.0, 3.0], [6.0, 7.0]]],
        f"{says['mean']} (added)": [[[4.0, 6.0], [12.0, 14.0]]],
    })
    one, swap = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    check(multi_head_attention, x, x, one, one, one, swap, 2).equals(
        ([[[1.0, 0.7311], [1.9640, 0.5]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5], [0.0180, 0.9820]]]]),
        rtol=1e-3, atol=2e-4, near={
        says["merge_view"]: ([[[0.5, 0.7311], [1.964, 1.0]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        f"{says['view']}, and merged the same way": (
            [[[0.5, 0.7311], [1.964, 1.0]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        says["merge_23"]: ([[[0.5, 0.7311], [1.964, 1.0]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        says["reversed"]: (
            [[[0.7311, 1.0], [0.5, 1.964]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5], [0.018, 0.982]]]]),
        says["no_o"]: (
            [[[0.7311, 1.0], [0.5, 1.964]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5], [0.018, 0.982]]]]),
        says["by_C"]: ([[[1.0, 0.6698], [1.8884, 0.5]]], [[[[0.6698, 0.3302], [0.5, 0.5]], [[0.5, 0.5], [0.0558,
            0.9442]]]]),
        says["count"]: (
            [[[0.6605, 0.6698], [1.8884, 0.0558]]], [[[[0.6698, 0.3302], [0.0558, 0.9442]]]]),
        says["one_head"]: (
            [[[0.6605, 0.6698], [1.8884, 0.0558]]], [[[[0.6698, 0.3302], [0.0558, 0.9442]]]]),
        says["averaged"]: ([[[1.0, 0.7311], [1.964, 0.5]]], [[[0.6155, 0.3845], [0.259, 0.741]]]),
        says["over_queries"]: ([[[0.036, 0.7311], [1.964, 0.2689]]], [[[[0.7311, 0.5], [0.2689, 0.5]], [[0.5,
            0.018], [0.5, 0.982]]]]),
        says["over_heads"]: ([[[1.0, 0.7311], [1.964, 0.5]]], [[[[0.7311, 0.5], [0.5, 0.018]], [[0.2689, 0.5], [0.5,
            0.982]]]]),
        says["mean"]: ([[[0.8655, 0.8655], [1.232, 1.232]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5],
            [0.018, 0.982]]]]),
        says["causal"]: ([[[0.0, 1.0], [1.964, 0.5]]], [[[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.018, 0.982]]]]),
        says["none"]: TypeError,
    }
    )
    x_q = torch.tensor([[[1.0, 0.0, -1.0, 0.5], [0.0, 2.0, 1.0, -1.0]]])
    x_kv = torch.tensor([[[0.5, 1.0, 0.0, -1.0], [1.0, -0.5, 2.0, 0.0]]])
    weights = [torch.sin(torch.arange(1.0, 17) * (1.3 + i)).view(4, 4) for i in range(4)]
    mask = torch.tensor([[False, True], [True, True]])
    check(multi_head_attention, x_q, x_kv, *weights, 2, mask).equals(
        ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.2311, 0.3418, 0.9571, -1.109]]],
         [[[[0.0, 1.0], [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        about="two sequences and a mask", rtol=1e-3, atol=2e-4, near={
        says["merge_view"]: ([[[2.4879, -0.2854, -2.2591, 2.0963], [1.5182, -0.0429, -1.4839, 1.2323]]], [[[[0.0,
            1.0], [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["merge_order"]: ([[[1.0885, -5.0969, 2.9972, 2.6944], [-0.8762, -1.0483, 1.7166, -0.3277]]], [[[[0.0,
            1.0], [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["reversed"]: ([[[0.1111, 0.3394, -0.3832, -0.0322], [1.1293, -0.1226, -1.0311, 0.9491]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["no_o"]: ([[[-1.7808, 1.9045, -1.9805, 2.007], [0.0809, 0.1821, -0.7762, 0.9755]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["by_C"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.326, 0.3802, 1.0212, -1.1988]]], [[[[0.0, 1.0],
            [0.9734, 0.0266]], [[0.0, 1.0], [0.7076, 0.2924]]]]),
        "the scores are divided by d, not by its root": (
            [[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.326, 0.3802, 1.0212, -1.1988]]], [[[[0.0, 1.0],
            [0.9734, 0.0266]], [[0.0, 1.0], [0.7076, 0.2924]]]]),
        says["no_scale"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.0828, 0.2941, 0.847, -0.9731]]], [[[[0.0, 1.0],
            [0.9993, 0.0007]], [[0.0, 1.0], [0.8541, 0.1459]]]]),
        says["turned_W"]: ([[[0.5157, 0.5501, -0.6022, -0.4554], [1.4682, 2.4094, -1.8473, -2.1187]]], [[[[0.0, 1.0],
            [0.9815, 0.0185]], [[0.0, 1.0], [0.0033, 0.9967]]]]),
        says["turned_o"]: ([[[0.3809, 2.5701, -0.7853, -2.4465], [-1.1671, 1.055, 1.001, -1.2125]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["one_head"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-0.7726, 0.2046, 0.6087, -0.6925]]], [[[[0.0, 1.0],
            [0.9888, 0.0112]]]]),
        says["from_q"]: ([[[-0.869, 0.6263, 0.367, -0.9204], [1.3822, -0.0442, -1.3468, 1.1238]]], [[[[0.0, 1.0],
            [0.3393, 0.6607]], [[0.0, 1.0], [0.9577, 0.0423]]]]),
        says["v_from_q"]: ([[[-0.869, 0.6263, 0.367, -0.9204], [-1.0242, 0.1533, 0.9013, -0.8758]]], [[[[0.0, 1.0],
            [0.9939, 0.0061]], [[0.0, 1.0], [0.7773, 0.2227]]]]),
        says["exchanged_kv"]: ([[[-4.4269, -1.4145, 5.5608, -3.043], [-4.5356, 0.17, 4.3993, -3.6965]]], [[[[0.0,
            1.0], [0.0516, 0.9484]], [[0.0, 1.0], [0.969, 0.031]]]]),
        says["exchanged_qk"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-0.8802, 0.4005, 0.5592, -0.8487]]], [[[[0.0,
            1.0], [0.6403, 0.3597]], [[0.0, 1.0], [0.5185, 0.4815]]]]),
        says["averaged"]: ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[0.0, 1.0],
            [0.8856, 0.1144]]]),
        says["unmasked"]: ([[[1.2713, 0.0171, -1.285, 1.013], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[[0.06, 0.94],
            [0.9939, 0.0061]], [[0.842, 0.158], [0.7773, 0.2227]]]]),
        says["inverted"]: ([[[-0.7774, 0.2008, 0.6165, -0.6949], [0.0, 0.0, 0.0, 0.0]]], [[[[1.0, 0.0], [0.0, 0.0]],
            [[1.0, 0.0], [0.0, 0.0]]]]),
        says["after"]: ([[[1.9229, -0.0159, -1.9102, 1.5471], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[[0.0, 0.94],
            [0.9939, 0.0061]], [[0.0, 0.158], [0.7773, 0.2227]]]]),
    }
    )


score
