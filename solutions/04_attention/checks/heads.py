from helpers.checks import graded


@graded("heads", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    view = "the heads were split along the wrong axis: a plain view to (B, H, T, d) mixes tokens with features"
    every = "head h took every H-th feature; it takes d neighbouring ones"
    merge_view = "merged without exchanging the axes back: tokens and heads are mixed up"
    merge_23 = "exchange the axes 1 and 2 to merge, not 2 and 3"
    merge_order = "the heads were concatenated in the wrong order: feature by feature, not head by head"
    backwards = "the heads were concatenated in the wrong order: head 0 comes first"
    mean = "the heads were averaged or added; they are set one after the other"

    def split(x, H):
        return torch.stack(x.chunk(H, dim=-1), dim=1)

    def merge(x):
        return torch.cat(x.unbind(1), dim=-1)

    splits = {
        view: lambda x, H: x.reshape(x.shape[0], H, x.shape[1], -1),
        every: lambda x, H: x.reshape(*x.shape[:2], -1, H).permute(0, 3, 1, 2),
        "this is (B, T, H, d): exchange the axes 1 and 2": lambda x, H: x.reshape(*x.shape[:2], H, -1),
        "a plain view to (B, H, d, T) mixes tokens with features: split the last axis, C, into (H, d)":
            lambda x, H: x.reshape(x.shape[0], H, -1, x.shape[1]).mT,
        "the heads come before the batch here: (B, H, T, d) is asked for": lambda x, H: split(x, H).transpose(0, 1),
        "num_heads and d are exchanged": lambda x, H: split(x, x.shape[-1] // H),
        "the heads are in the reverse order: head 0 holds the first features": lambda x, H: split(x, H).flip(1),
        "the tokens were dealt out to the heads; each head sees all tokens and a part of the features":
            lambda x, H: torch.stack(x.chunk(H, dim=1), dim=1),
    }
    merges = {
        merge_view: lambda x: x.reshape(x.shape[0], x.shape[2], -1),
        merge_order: lambda x: x.permute(0, 2, 3, 1).reshape(x.shape[0], x.shape[2], -1),
        merge_23: lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
        backwards: lambda x: merge(x.flip(1)),
        mean: lambda x: x.mean(1),
        f"{mean} (added)": lambda x: x.sum(1),
    }
    check.mistakes(splits, split_heads)
    check.mistakes(merges, merge_heads)

    def made(
        split=split, merge=merge, scale=lambda C, d: d**-0.5, dim=-1, hide=None, after=False, last=None,
        k_of=lambda x_q, x_kv: x_kv, v_of=lambda x_q, x_kv: x_kv, fill=-torch.inf, filled=lambda seen: seen,
    ):
        """Multi-head attention, with one part exchanged for a mistake's; filled: which weights stay (None: all)."""

        def function(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
            q, k, v = (split(x @ W, H) for x, W in [(x_q, W_q), (k_of(x_q, x_kv), W_k), (v_of(x_q, x_kv), W_v)])
            s = torch.einsum("bhqd,bhkd->bhqk", q, k) * scale(W_q.shape[-1], q.shape[-1])
            seen = torch.ones_like(s, dtype=torch.bool) if mask is None else mask
            if hide and mask is not None:
                seen = hide(mask)
            w = torch.softmax(s if after else s.masked_fill(~seen, fill), dim)
            w = w.masked_fill(~filled(seen), 0) if filled else w
            return last(w, v, W_o) if last else (merge(w @ v) @ W_o, w)

        return function

    right = made()
    known = {
        **{words: made(split=wrong) for words, wrong in splits.items()},
        f"{view}, and merged the same way": made(split=splits[view], merge=merges[merge_view]),
        f"{every}, and merged the same way": made(split=splits[every], merge=merges[merge_order]),
        merge_view: made(merge=merges[merge_view]),
        merge_order: made(merge=merges[merge_order]),
        merge_23: made(merge=merges[merge_23]),
        backwards: made(merge=merges[backwards]),
        "W_O is missing at the end": made(last=lambda w, v, W_o: (merge(w @ v), w)),
        "the scale is that of all features; it is that of one head, 1 / sqrt(C / H)": made(scale=lambda C, d: C**-0.5),
        "the scores are not scaled by the root of a head's size": made(scale=lambda C, d: 1),
        "the scores are divided by d, not by its root": made(scale=lambda C, d: 1 / d),
        "the weights are transposed: x W, not x W^T as nn.Linear has it":
            lambda a, b, q, k, v, o, H, mask=None: right(a, b, q.T, k.T, v.T, o.T, H, mask),
        "W_Q, W_K and W_V are transposed: x W, not x W^T":
            lambda a, b, q, k, v, o, H, mask=None: right(a, b, q.T, k.T, v.T, o, H, mask),
        "W_O is transposed: x W, not x W^T": made(last=lambda w, v, W_o: (merge(w @ v) @ W_o.T, w)),
        "there is one head only: `num_heads` was not used":
            lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, k, v, o, 1, mask),
        "keys and values come from x_q; they come from x_kv":
            lambda a, b, q, k, v, o, H, mask=None: right(a, a, q, k, v, o, H, mask),
        "the values come from x_q; they come from x_kv": made(v_of=lambda x_q, x_kv: x_q),
        "the keys come from x_q; they come from x_kv": made(k_of=lambda x_q, x_kv: x_q),
        "the queries come from x_kv; they come from x_q":
            lambda a, b, q, k, v, o, H, mask=None: right(b, b, q, k, v, o, H, mask),
        "W_K and W_V are exchanged": lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, v, k, o, H, mask),
        "W_Q and W_K are exchanged": lambda a, b, q, k, v, o, H, mask=None: right(a, b, k, q, v, o, H, mask),
        "the weights were averaged over the heads; return those of every head":
            made(last=lambda w, v, W_o: (merge(w @ v) @ W_o, w.mean(1))),
        "the mask was not used": made(hide=torch.ones_like),
        "the mask was used the wrong way round: True means that a key may be seen": made(hide=torch.logical_not),
        "the mask came after the softmax": made(after=True),
        "the softmax runs over the queries: use dim=-1": made(dim=-2),
        "the softmax runs over the heads: use dim=-1": made(dim=1),
        mean: made(last=lambda w, v, W_o: ((w @ v).mean(1).repeat(1, 1, w.shape[1]) @ W_o, w)),
        "W_V is missing: the values are x_kv W_V":
            lambda a, b, q, k, v, o, H, mask=None: right(a, b, q, k, torch.eye(len(v)), o, H, mask),
        "x was split as it is: W_Q and W_K are missing":
            lambda a, b, q, k, v, o, H, mask=None: right(a, b, torch.eye(len(q)), torch.eye(len(k)), v, o, H, mask),
        "x was split as it is: W_Q, W_K and W_V are missing":
            lambda a, b, q, k, v, o, H, mask=None: right(a, b, *[torch.eye(len(q))] * 3, o, H, mask),
        "the two results are exchanged: the result comes first": made(last=lambda w, v, W_o: (w, merge(w @ v) @ W_o)),
        "only the result came back: return the weights, too": made(last=lambda w, v, W_o: merge(w @ v) @ W_o),
        "x_q and x_kv are exchanged: the queries come from x_q": lambda a, b, *more: right(b, a, *more),
        "x_q was added to the result": lambda a, *more: (a + right(a, *more)[0], right(a, *more)[1]),
        "`mask` is None, and a causal mask was used: then every key may be seen":
            lambda a, b, q, k, v, o, H, mask=None: right(
                a, b, q, k, v, o, H, torch.ones(a.shape[1], b.shape[1]).tril().bool() if mask is None else mask),
    }

    def all_or_none(*case):
        mask = case[7] if len(case) > 7 else None
        all_see = mask is None or mask.any(-1).all()
        return tuple(t * all_see for t in right(*case))

    nothing = {
        "a query that may see nothing got 0/0, which is NaN: its weights are 0": made(filled=None),
        "a query that may see nothing got equal weights for all keys, as with -1e9: its weights are 0":
            made(fill=-1e9, filled=None),
        "the weights of a query that may see nothing are 0, but their values were mixed before":
            lambda *case: (made(fill=-1e9, filled=None)(*case)[0], right(*case)[1]),
        "the weights of a query that may see nothing are 0, but NaN had reached the result before":
            lambda *case: (made(filled=None)(*case)[0], right(*case)[1]),
        "the result of a query that may see nothing is made 0, its weights are NaN":
            lambda *case: (right(*case)[0], made(filled=None)(*case)[1]),
        "the result of a query that may see nothing is made 0, its weights are not":
            lambda *case: (right(*case)[0], made(fill=-1e9, filled=None)(*case)[1]),
        "all became 0 because one query sees nothing: ask each query by itself": all_or_none,
        "a query that sees nothing in one head became 0 in all: ask each head by itself":
            made(filled=lambda mask: mask & mask.any(-1, keepdim=True).all(1, keepdim=True)),
    }
    check.mistakes(known | nothing, multi_head_attention)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    no_mask = "`mask` may be None: then every key may be seen"
    x = torch.arange(1.0, 13.0).view(1, 3, 4)  # three tokens: (1, 2, 3, 4), (5, 6, 7, 8) and (9, 10, 11, 12)
    parted = check(split_heads, x, 2).equals([[[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]])
    heads = torch.tensor([[[[1.0, 2], [5, 6]], [[3, 4], [7, 8]]]])
    merged = check(merge_heads, heads).equals([[[1, 2, 3, 4], [5, 6, 7, 8]]])
    no_masks = {no_mask: TypeError} if parted.passed and merged.passed else {}  # else its own calls may fail
    one, swap = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    check(multi_head_attention, x, x, one, one, one, swap, 2).equals(
        ([[[1.0, 0.7311], [1.9640, 0.5]]], [[[[0.7311, 0.2689], [0.5, 0.5]], [[0.5, 0.5], [0.0180, 0.9820]]]]),
        rtol=1e-3, atol=2e-4, near=no_masks
    )
    asks, found = torch.tensor([[-1.0, -2.0], [1.5, -0.5]]), torch.tensor([[2.0, 2.0], [0.5, 0.5]])
    gives = torch.tensor([[2.0, -5.0], [-0.5, 0.5]])
    unmasked = check(multi_head_attention, x, x, asks, found, gives, swap, 2).equals(
        ([[[0.2848, -0.1932], [-0.6136, 1.8577]]],
         [[[[0.2689, 0.7311], [0.9526, 0.0474]], [[0.1192, 0.8808], [0.2689, 0.7311]]]]),
        rtol=1e-3, atol=2e-4, near=no_masks,
    )
    apart = torch.tensor([[[[True, False], [True, True]], [[False, False], [False, True]]]])
    check(multi_head_attention, x, x, one, one, one, swap, 2, apart).equals(
        ([[[0.0, 1.0], [2.0, 0.5]]], [[[[1.0, 0.0], [0.5, 0.5]], [[0.0, 0.0], [0.0, 1.0]]]]),
        about="a mask for each head; a query that sees nothing in one", rtol=1e-3, atol=2e-4, near={
            "the mask of the first head was used for all": (
                [[[0.0, 1.0], [1.9640, 0.5]]], [[[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.0180, 0.9820]]]]),
            "the query sees something in the other head: only what this head adds is 0": (
                [[[0.0, 0.0], [2.0, 0.5]]], [[[[1.0, 0.0], [0.5, 0.5]], [[0.0, 0.0], [0.0, 1.0]]]]),
        },
    )
    by_x_q, by_x_kv = [[[0.6509, 2.0], [0.25, 0.4137]]], [[[2.2198, 0.6569], [0.2423, 5.2711]]]
    by_W_q, by_W_k = [[0.6509, 2.0], [0.5, 0.8275]], [[0.6509, -0.4137], [-1.3018, 0.8275]]
    by_W_v, by_W_o = [[1.5689, 1.0707], [1.7864, 9.7148]], [[3.4261, 1.5689], [9.7148, 3.4261]]
    check(slopes, multi_head_attention, x, x, one, one, one, swap, 2, fixed=(6,)).equals(
        [by_x_q, by_x_kv, by_W_q, by_W_k, by_W_v, by_W_o], about="gradients of the squares", rtol=1e-3, atol=2e-4,
        near=cut(unmasked),
    )
    x_q = torch.tensor([[[1.0, 0.0, -1.0, 0.5], [0.0, 2.0, 1.0, -1.0]]])
    x_kv = torch.tensor([[[0.5, 1.0, 0.0, -1.0], [1.0, -0.5, 2.0, 0.0]]])
    weights = [torch.sin(torch.arange(1.0, 17) * (1.3 + i)).view(4, 4) for i in range(4)]
    mask = torch.tensor([[False, True], [True, True]])
    check(multi_head_attention, x_q, x_kv, *weights, 2, mask).equals(
        ([[[-0.3502, 0.5388, -0.0817, -0.4733], [-1.2311, 0.3418, 0.9571, -1.109]]], [[[[0.0, 1.0], [0.9939, 0.0061]],
        [[0.0, 1.0], [0.7773, 0.2227]]]]),
        about="two sequences and a mask", rtol=1e-3, atol=2e-4
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from torch import nn

    from helpers.checks import gradients

    check.hidden()
    trained = partial(gradients.trained, check, slopes)
    lost = {
        "the dtype changed: float64 goes in and must come out":
            lambda t: any(str(part.dtype) != "torch.float64" for part in t),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for B, T, C, H in [(2, 5, 12, 3), (3, 4, 12, 4), (3, 3, 9, 3), (2, 4, 8, 2)]:
        x = draw(B, T, C)
        check(split_heads, x, H).equals(split(x, H), about="fresh features, split")
        check(merge_heads, split(x, H)).equals(x, about="fresh heads, merged")
        check(merge_heads, split(x, H).contiguous()).equals(x, about="fresh heads, contiguous")

    def library(x_q, x_kv, W_q, W_k, W_v, W_o, H, mask=None):
        """nn.MultiheadAttention with these weights; its matrices and its mask are turned round."""
        layer = nn.MultiheadAttention(W_q.shape[0], H, bias=False, batch_first=True).requires_grad_(False)
        layer.in_proj_weight.copy_(torch.cat([W_q.T, W_k.T, W_v.T]))
        layer.out_proj.weight.copy_(W_o.T)
        B, T_q, T_k = len(x_q), x_q.shape[1], x_kv.shape[1]
        hidden = None if mask is None else ~mask.expand(B, H, T_q, T_k).reshape(B * H, T_q, T_k)
        return layer(x_q, x_kv, x_kv, attn_mask=hidden, average_attn_weights=False)

    close = {"rtol": 1e-4, "atol": 1e-5}
    whole = {"the mask is broadcast to (B, H, T_q, T_k) as it comes: no axis is added": RuntimeError}
    for B, T_q, T_k, C, H in [(2, 5, 5, 12, 3), (3, 4, 6, 12, 4), (2, 3, 5, 8, 2)]:
        weights = [draw(C, C) / C**0.5 * 1.5 for _ in range(4)]
        x_q, x_kv = draw(B, T_q, C), draw(B, T_k, C)
        case = (x_q, x_kv, *weights, H)
        none = no_masks
        two = check(multi_head_attention, *case).equals(library(*case), about="two sequences", near=none, **close)
        case = (x_kv, x_kv, *weights, H)
        plain = check(multi_head_attention, *case).equals(library(*case), about="self-attention", near=none, **close)
        near = whole if plain.passed and two.passed else {}  # the mask is to blame only where it works without one
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
    check(multi_head_attention, *case).equals(
        right(*case), about="a query that may see nothing", edge=True, near=near, **close
    )
    case = (x_q, x_kv, *weights, 1)
    check(multi_head_attention, *case).equals(library(*case), about="one head", edge=True, near=none, **close)
    for B, T_q, T_k, C, H in [(1, 1, 1, 1, 1), (1, 3, 1, 2, 2), (2, 1, 4, 1, 1), (1, 1, 2, 4, 2)]:
        x_q, x_kv, weights = draw(B, T_q, C), draw(B, T_k, C), [draw(C, C) for _ in range(4)]
        case = x_q, x_kv, *weights, H
        check(multi_head_attention, *case).equals(library(*case), about="axes of size 1", edge=True, **close)
        check(split_heads, x_q, H).equals(split(x_q, H), about="axes of size 1", edge=True)
        check(merge_heads, split(x_q, H)).equals(x_q, about="axes of size 1", edge=True)
    x = 40 * draw(70, 3, 68)
    check(split_heads, x, 68).equals(split(x, 68), about="many heads, large numbers")
    check(merge_heads, split(x, 68)).equals(x, about="many heads, large numbers")
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
        trained(multi_head_attention, right, *case, mask, near={
            "the gradient stops at the weights that come back: no detach": made(
                last=lambda w, v, W_o: (merge(w @ v) @ W_o, w.detach())
            ),
            "the gradient stops at the weights on their way to the result: no detach": made(
                last=lambda w, v, W_o: (merge(w.detach() @ v) @ W_o, w)
            ),
        })
    trained(split_heads, split, draw(2, 3, 6), 2)
    trained(merge_heads, merge, draw(2, 3, 4, 2))
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
