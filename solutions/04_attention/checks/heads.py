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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients


    trained = partial(gradients.trained, check, slopes)

    lost = {"the dtype changed: float64 goes in and must come out": lambda t: any(
        str(part.dtype) != "torch.float64" for part in t)}

    def split(x, H):
        return torch.stack(x.chunk(H, dim=-1), dim=1)

    def merge(x):
        return torch.cat(x.unbind(1), dim=-1)

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    splits = {
        says["view"]: lambda x, H: x.reshape(x.shape[0], H, x.shape[1], -1),
        says["every"]: lambda x, H: x.reshape(*x.shape[:2], -1, H).permute(0, 3, 1, 2),
        says["unmoved"]: lambda x, H: x.reshape(*x.shape[:2], H, -1),
        says["split_late"]: lambda x, H: x.reshape(x.shape[0], H, -1, x.shape[1]).mT,
        says["heads_first"]: lambda x, H: split(x, H).transpose(0, 1),
        says["count"]: lambda x, H: split(x, x.shape[-1] // H),
        says["last_first"]: lambda x, H: split(x, H).flip(1),
        says["tokens"]: lambda x, H: torch.stack(x.chunk(H, dim=1), dim=1),
    }
    merges = {
        says["merge_view"]: lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        says["merge_order"]: lambda x: x.permute(0, 2, 3, 1).reshape(x.shape[0], x.shape[2], -1),
        says["merge_23"]: lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
        says["reversed"]: lambda x: merge(x.flip(1)),
        says["mean"]: lambda x: x.mean(1),
        f"{says['mean']} (added)": lambda x: x.sum(1),
    }
    for B, T, C, H in [(2, 5, 12, 3), (3, 4, 12, 4), (3, 3, 9, 3), (2, 4, 8, 2)]:
        x = draw(B, T, C)
        check.mistakes(splits)
        check(split_heads, x, H).equals(split(x, H), about="fresh features, split")
        check.mistakes(merges)
        check(merge_heads, split(x, H)).equals(x, about="fresh heads, merged")
        check(merge_heads, split(x, H).contiguous()).equals(x, about="fresh heads, contiguous")

    def made(
        split=split, merge=merge, scale=lambda C, d: d**-0.5, dim=-1, hide=None, after=False, last=None, v_of=None,
        fill=-torch.inf, filled=lambda seen: seen,
    ):
        """Multi-head attention, with one part exchanged for a mistake's; filled: which weights stay (None: all)."""

        def function(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
            q, k, v = split(x_q @ W_q, H), split(x_kv @ W_k, H), split((v_of(x_q) if v_of else x_kv) @ W_v, H)
            s = torch.einsum("bhqd,bhkd->bhqk", q, k) * scale(W_q.shape[-1], q.shape[-1])
            seen = torch.ones_like(s, dtype=torch.bool) if mask is None else (hide(mask) if hide else mask)
            w = torch.softmax(s if after else s.masked_fill(~seen, fill), dim)
            w = w.masked_fill(~filled(seen), 0) if filled else w
            return last(w, v, W_o) if last else (merge(w @ v) @ W_o, w)

        return function

    right = made()
    known = {
        **{words: made(split=wrong) for words, wrong in splits.items() if wrong is not splits[says["unmoved"]]},
        f"{says['view']}, and merged the same way": made(split=splits[says["view"]], merge=merges[says["merge_view"]]),
        f"{says['every']}, and merged the same way": made(
            split=splits[says["every"]], merge=merges[says["merge_order"]]
        ),
        says["merge_view"]: made(merge=merges[says["merge_view"]]),
        says["merge_order"]: made(merge=merges[says["merge_order"]]),
        says["merge_23"]: made(merge=merges[says["merge_23"]]),
        says["reversed"]: made(merge=merges[says["reversed"]]),
        says["no_o"]: made(last=lambda w, v, W_o: (merge(w @ v), w)),
        says["by_C"]: made(scale=lambda C, d: C**-0.5),
        says["no_scale"]: made(scale=lambda C, d: 1),
        "the scores are divided by d, not by its root": made(scale=lambda C, d: 1 / d),
        says["turned_W"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, q.T, k.T, v.T, o.T, H, mask),
        "W_Q, W_K and W_V are turned round: x W, not x W^T": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, q.T, k.T, v.T, o, H, mask
        ),
        says["turned_o"]: made(last=lambda w, v, W_o: (merge(w @ v) @ W_o.T, w)),
        says["one_head"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, k, v, o, 1, mask),
        says["from_q"]: lambda a, b, q, k, v, o, H, mask=None: right(a, a, q, k, v, o, H, mask),
        says["v_from_q"]: made(v_of=lambda x_q: x_q),
        "the queries come from x_kv; they come from x_q": lambda a, b, q, k, v, o, H, mask=None: right(
            b, b, q, k, v, o, H, mask
        ),
        says["exchanged_kv"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, v, k, o, H, mask),
        says["exchanged_qk"]: lambda a, b, q, k, v, o, H, mask=None: right(a, b, k, q, v, o, H, mask),
        says["averaged"]: made(last=lambda w, v, W_o: (merge(w @ v) @ W_o, w.mean(1))),
        says["unmasked"]: made(hide=torch.ones_like),
        says["inverted"]: made(hide=torch.logical_not),
        says["after"]: made(after=True),
        says["over_queries"]: made(dim=-2),
        says["over_heads"]: made(dim=1),
        says["mean"]: made(last=lambda w, v, W_o: ((w @ v).mean(1).repeat(1, 1, w.shape[1]) @ W_o, w)),
        "W_V is missing: the values are x_kv W_V": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, q, k, torch.eye(len(v)), o, H, mask
        ),
        "x was split as it is: W_Q and W_K are missing": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, torch.eye(len(q)), torch.eye(len(k)), v, o, H, mask
        ),
        "x was split as it is: W_Q, W_K and W_V are missing": lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, *[torch.eye(len(q))] * 3, o, H, mask
        ),
        "the two results are exchanged: the result comes first": made(last=lambda w, v, W_o: (w, merge(w @ v) @ W_o)),
        "only the result came back: return the weights, too": made(last=lambda w, v, W_o: merge(w @ v) @ W_o),
        "x_q and x_kv are exchanged: the queries come from x_q": lambda a, b, *more: right(b, a, *more),
        "x_q was added to the result": lambda a, *more: (a + right(a, *more)[0], right(a, *more)[1]),
        says["causal"]: lambda a, b, q, k, v, o, H, mask=None: right(
            a, b, q, k, v, o, H, torch.ones(a.shape[1], b.shape[1]).tril().bool() if mask is None else mask
        ),
    }

    def library(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
        """nn.MultiheadAttention with these weights; its matrices and its mask are turned round."""
        layer = nn.MultiheadAttention(W_q.shape[0], H, bias=False, batch_first=True).requires_grad_(False)
        layer.in_proj_weight.copy_(torch.cat([W_q.T, W_k.T, W_v.T]))
        layer.out_proj.weight.copy_(W_o.T)
        B, T_q, T_k = len(x_q), x_q.shape[1], x_kv.shape[1]
        hidden = None if mask is None else ~mask.expand(B, H, T_q, T_k).reshape(B * H, T_q, T_k)
        return layer(x_q, x_kv, x_kv, attn_mask=hidden, average_attn_weights=False)

    check.mistakes(known)
    close = {"rtol": 1e-4, "atol": 1e-5}
    whole = {"the mask is broadcast to (B, H, T_q, T_k) as it comes: no axis is added": RuntimeError}
    for B, T_q, T_k, C, H in [(2, 5, 5, 12, 3), (3, 4, 6, 12, 4), (2, 3, 5, 8, 2)]:
        weights = [draw(C, C) / C**0.5 * 1.5 for _ in range(4)]
        x_q, x_kv = draw(B, T_q, C), draw(B, T_k, C)
        case = (x_q, x_kv, *weights, H)
        none = {says["none"]: TypeError}
        check(multi_head_attention, *case).equals(library(*case), about="two sequences", near=none, **close)
        case = (x_kv, x_kv, *weights, H)
        plain = check(multi_head_attention, *case).equals(library(*case), about="self-attention", near=none, **close)
        near = whole if plain.passed else {}  # the mask is to blame only where it works without one
        causal = torch.ones(T_k, T_k).tril().bool()
        check(multi_head_attention, *case, causal).equals(
            library(*case, causal), about="with a causal mask", near=near, **close
        )
        padding = (torch.arange(T_k) < torch.tensor(check.rng.integers(1, T_k, size=B))[:, None])[:, None, None]
        case = (x_q, x_kv, *weights, H, padding)
        check(multi_head_attention, *case).equals(library(*case), about="with a padding mask", near=near, **close)
        apart = torch.tensor(check.rng.random((B, H, T_q, T_k)) < 0.5)
        apart[..., 0] |= ~apart.any(-1)
        for mask in (apart, apart[0]):
            case = (x_q, x_kv, *weights, H, mask)
            check(multi_head_attention, *case).equals(
                library(*case), about="with a mask for each head", near=near, **close
            )
    apart[0, 1, 2], apart[1, :, 0] = False, False  # in one head, and in all
    case = (x_q, x_kv, *weights, H, apart)
    nothing = {
        says["nan"]: made(filled=None), says["equal"]: made(fill=-1e9, filled=None),
        "the weights of a query that may see nothing are 0, but their values were mixed before": lambda *case: (
            made(fill=-1e9, filled=None)(*case)[0], right(*case)[1]
        ),
        "the weights of a query that may see nothing are 0, but NaN had reached the result before": lambda *case: (
            made(filled=None)(*case)[0], right(*case)[1]
        ),
        "the result of a query that may see nothing is made 0, its weights are NaN": lambda *case: (
            right(*case)[0], made(filled=None)(*case)[1]
        ),
        "the result of a query that may see nothing is made 0, its weights are not": lambda *case: (
            right(*case)[0], made(fill=-1e9, filled=None)(*case)[1]
        ),
        "all became 0 because one query sees nothing: ask each query by itself": lambda *case: tuple(
            t * case[-1].any(-1).all() for t in right(*case)
        ),
        "a query that sees nothing in one head became 0 in all: ask each head by itself": lambda *case: (
            made(filled=lambda mask: mask & mask.any(-1, keepdim=True).all(1, keepdim=True))(*case)
        ),
    }
    check.mistakes(known | nothing)
    check(multi_head_attention, *case).equals(
        right(*case), about="a query that may see nothing", edge=True, near=near, **close
    )
    check.mistakes(known)
    case = (x_q, x_kv, *weights, 1)
    check(multi_head_attention, *case).equals(library(*case), about="one head", edge=True, near=none, **close)
    for B, T_q, T_k, C, H in [(1, 1, 1, 1, 1), (1, 3, 1, 2, 2), (2, 1, 4, 1, 1), (1, 1, 2, 4, 2)]:
        x_q, x_kv, weights = draw(B, T_q, C), draw(B, T_k, C), [draw(C, C) for _ in range(4)]
        case = x_q, x_kv, *weights, H
        check(multi_head_attention, *case).equals(library(*case), about="axes of size 1", edge=True, **close)
        check(split_heads, x_q, H).equals(split(x_q, H), about="axes of size 1", edge=True)
        check(merge_heads, split(x_q, H)).equals(x_q, about="axes of size 1", edge=True)
    x = 40 * draw(70, 3, 68)
    check.mistakes(splits)
    check(split_heads, x, 68).equals(split(x, 68), about="many heads, large numbers")
    check.mistakes(merges)
    check(merge_heads, split(x, 68)).equals(x, about="many heads, large numbers")
    check.mistakes(known)
    size = torch.where(torch.arange(68) % 2 == 0, 60.0, 0.002)  # some features are large, and their weights small
    case = x[:, :2] / 40 * size, x / 40 * size, *(draw(68, 68) / size[:, None] / 8 for _ in range(3)), 40 * draw(68, 68)
    seen = torch.ones(70, 1, 2, 3).bernoulli(0.7, generator=torch.Generator().manual_seed(1)).bool()
    seen[..., 0] = True
    for mask in (None, seen):
        check(multi_head_attention, *case, 68, mask).equals(
            library(*case, 68, mask), about="many heads, large numbers", rtol=1e-3, atol=0.2
        )
    case = draw(2, 3, 6), draw(2, 4, 6), *(draw(6, 6) / 2 for _ in range(4)), 2
    for mask in (None, torch.ones(3, 4, dtype=torch.bool).tril()):
        trained(multi_head_attention, right, *case, mask, known=known, near={
            "the gradient stops at the weights that come back: no detach": made(
                last=lambda w, v, W_o: (merge(w @ v) @ W_o, w.detach())
            ),
            "the gradient stops at the weights on their way to the result: no detach": made(
                last=lambda w, v, W_o: (merge(w.detach() @ v) @ W_o, w)
            ),
        })
    trained(split_heads, split, draw(2, 3, 6), 2, known=splits)
    trained(merge_heads, merge, draw(2, 3, 4, 2), known=merges)
    double = [t.double() if isinstance(t, torch.Tensor) else t for t in case]
    for function, given in [
        (split_heads, (double[0], 2)), (merge_heads, (split(double[0], 2),)), (multi_head_attention, double),
        (multi_head_attention, (*double, mask)),
    ]:
        check(function, *given).holds(
            lambda t: all(str(part.dtype) == "torch.float64" for part in t), "float64 in all that comes back",
            about="the dtype is kept", edge=True, near=lost,
        )
    ### END HIDDEN TESTS


score
