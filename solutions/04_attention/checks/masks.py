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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients


    def square(n):
        return torch.ones(n, n, dtype=torch.bool)

    bools = {"the mask must be a bool tensor: True and False, not numbers": lambda *a: None}
    check.mistakes({
        says["strict"]: lambda n: square(n).tril(-1),
        says["ahead"]: lambda n: square(n).tril(1),
        says["future"]: lambda n: square(n).triu(),
        says["hidden"]: lambda n: square(n).triu(1),
        says["all_true"]: square,
        "this is additive, 0 and minus infinity; a bool mask is asked for": lambda n: torch.zeros(n, n).masked_fill(
            square(n).triu(1), -torch.inf
        ),
    })
    for n in (2, 5, 8, 70):
        i = torch.arange(n)
        check(causal_mask, n).equals(i[None, :] <= i[:, None], about="another causal mask")
    check(causal_mask, 1).equals([[True]], about="one token", edge=True)
    check(causal_mask, 4).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the causal mask's dtype", edge=True,
        near={next(iter(bools)): lambda m: True},
    )
    check.mistakes({
        says["one_more"]: lambda n, t: torch.arange(t) <= n[:, None],
        says["one_less"]: lambda n, t: torch.arange(1, t + 1) < n[:, None],
        says["hidden"]: lambda n, t: torch.arange(t) >= n[:, None],
        says["front"]: lambda n, t: torch.arange(t) >= t - n[:, None],
        says["turned"]: lambda n, t: (torch.arange(t) < n[:, None]).T,
        says["all_true"]: lambda n, t: torch.ones(len(n), t, dtype=torch.bool),
        "the lengths must stand in a column, lengths[:, None], to meet each place": lambda n, t: torch.arange(t) < n,
        "a length of 0 leaves no place True": lambda n, t: torch.arange(t) < n.clamp(min=1)[:, None],
        "`longest` was ignored: the mask is as wide as it says": lambda n, t: torch.arange(n.max()) < n[:, None],
        "True stands at the last place of each sentence only": lambda n, t: torch.arange(1, t + 1) == n[:, None],
    })
    for B, T in [(3, 5), (4, 7), (5, 5), (70, 90)]:
        lengths = torch.tensor(check.rng.integers(1, T, size=B))
        wanted = torch.tensor([[j < n for j in range(T)] for n in lengths.tolist()])
        check(padding_mask, lengths, T).equals(wanted, about="other lengths")
    check(padding_mask, torch.tensor([3]), 4).equals([[True] * 3 + [False]], about="a batch of one", edge=True)
    check(padding_mask, torch.tensor([1, 0]), 1).equals([[True], [False]], about="one place", edge=True)
    check(padding_mask, torch.tensor([0, 3]), 3).equals([[False] * 3, [True] * 3], about="length 0", edge=True)
    check(padding_mask, torch.tensor([2, 1]), 3).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the padding mask's dtype", edge=True,
        near={next(iter(bools)): lambda m: True},
    )

    def made(fill=-torch.inf, last=0.0, scale=lambda q: q.shape[-1] ** -0.5, hide=None, dim=-1, mix=None, add=0):
        """Masked attention; `fill` goes where a score is hidden, `last` where a weight is (None: no second mask)."""

        def function(q, k, v, mask):
            s = torch.einsum("...qd,...kd->...qk", q.float(), k.float()) * scale(q) + add * mask
            w = torch.softmax(s.masked_fill(~(hide(mask) if hide else mask), fill), dim).to(v.dtype)
            w = w if last is None else w.masked_fill(~mask, last)
            return mix(w, v, mask) if mix else (w @ v, w)

        return function

    def unmasked(mask):
        return torch.ones_like(mask)

    def renormalised(w, v, mask):
        w = (w / w.sum(-1, keepdim=True)).nan_to_num()
        return w @ v, w

    def all_or_none(*case):
        return tuple(t * case[-1].any(-1).all() for t in made()(*case))

    known = {
        says["renormal"]: made(hide=unmasked, mix=renormalised),
        says["all_rows"]: all_or_none,
        says["causal"]: lambda q, k, v, mask: made()(
            q, k, v, torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
        ),
        says["unmasked"]: made(hide=unmasked, last=None),
        f"{says['unmasked']}, but for whole queries only: it hides keys from each query": lambda *case: tuple(
            t * case[-1].any(-1, keepdim=True) for t in made(hide=unmasked, last=None)(*case)
        ),
        "plus infinity went where minus infinity belongs": made(fill=torch.inf),
        says["inverted"]: made(hide=lambda mask: ~mask, last=None),
        "the mask was used the wrong way round: True means that a key may be seen (rows that see nothing are 0)": made(
            hide=lambda mask: ~mask, mix=lambda w, v, mask: (w.nan_to_num() @ v, w.nan_to_num()), last=None
        ),
        says["after"]: made(hide=unmasked),
        says["zero"]: made(fill=0.0, last=None),
        "the score of a hidden key was set to 0, and e to the 0 is 1: set it to minus infinity": made(fill=0.0),
        **{f"{says['small']} (not {low:g}, say)": made(fill=low, last=None) for low in (-1.0, -5.0, -10.0)},
        says["added"]: made(hide=unmasked, last=None, add=1),
        f"{says['added']} (and set to 0 later)": made(hide=unmasked, add=1),
        says["no_scale"]: made(scale=lambda q: 1),
        f"{says['no_scale']}, and {says['nan']}": made(scale=lambda q: 1, last=None),
        says["by_d"]: made(scale=lambda q: 1 / q.shape[-1]),
        says["over_queries"]: made(dim=-2),
        f"{says['over_queries']}, and what is NaN must be 0": made(dim=-2, last=None),
        "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1": made(dim=1),
        says["mean"]: made(fill=-1e9, last=None),
        says["nan"]: made(last=None),
        "the weights of a query that may see nothing are 0, its output is not": lambda *case: (
            made(fill=-1e9, last=None)(*case)[0], made()(*case)[1]
        ),
        "the weights of a query that may see nothing are 0, its output is NaN": lambda *case: (
            made(last=None)(*case)[0], made()(*case)[1]
        ),
        "the output of a query that may see nothing is 0, its weights are not": lambda *case: (
            made()(*case)[0], made(fill=-1e9, last=None)(*case)[1]
        ),
        "the output of a query that may see nothing is 0, its weights are NaN": lambda *case: (
            made()(*case)[0], made(last=None)(*case)[1]
        ),
        says["order"]: made(mix=lambda w, v, mask: (w, w @ v)),
        "0 times minus infinity is NaN: fill the hidden places, do not multiply": lambda q, k, v, mask: (
            torch.full((*q.shape[:-1], v.shape[-1]), torch.nan), torch.full((*q.shape[:-1], k.shape[-2]), torch.nan)
        ),
        "the mask is turned round: its rows belong to the queries": made(hide=lambda mask: mask.mT, last=None),
        "the hidden values were set to 0, but their keys still take weight": lambda q, k, v, mask: made(
            hide=unmasked, last=None, mix=lambda w, v, m: ((w * mask) @ v, w)
        )(q, k, v, mask),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)

    def wanted(q, k, v, mask):
        """torch's own, for each query alone; a query that sees nothing is left at zero."""
        shape = (*q.shape[:-1], k.shape[-2])
        seen = mask.expand(shape).any(-1)[..., None]
        mask = mask | ~seen
        one = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
        return tuple(scaled_dot_product_attention(q, k, x, attn_mask=mask.expand(shape)) * seen for x in (v, one))

    def some(*shape):
        """A random mask in which each query sees a key."""
        mask = torch.tensor(check.rng.random(shape) < 0.5)
        mask[..., 0] |= ~mask.any(-1)
        return mask

    close = {"rtol": 1e-4, "atol": 1e-5}
    check.mistakes(known)
    for lead, shape, about in [
        ((), (4, 6), "fresh input"), ((), (4, 6), "fresh input"), ((), (5, 5), "fresh input"),
        ((3,), (3, 4, 6), "a mask for each of a batch"), ((3,), (4, 6), "one mask for a batch"),
        ((3,), (3, 1, 6), "a padding mask"), ((2, 3), (2, 1, 1, 6), "a padding mask for heads"),
        ((2, 3), (3, 4, 6), "a mask for each head"), ((2, 3), (2, 3, 4, 6), "a mask for each head"),
    ]:
        T_q, T_k = (5, 5) if shape == (5, 5) else (4, 6)
        case = 2 * draw(*lead, T_q, 3), draw(*lead, T_k, 3), draw(*lead, T_k, 2), some(*shape)
        near = {
            "the mask must be broadcast: its shape may be smaller than that of the scores": RuntimeError,
            "the mask must be broadcast before it is an index: its shape may be smaller than the scores'": IndexError,
        }
        check(masked_attention, *case).equals(wanted(*case), about=about, near=near, **close)
    case = (60 * draw(4, 3), 60 * draw(6, 3), draw(6, 2), some(4, 6))
    check(masked_attention, *case).equals(wanted(*case), about="large scores", rtol=1e-3, atol=1e-4)
    case = (300 * draw(4, 3).abs(), -300 * draw(6, 3).abs(), draw(6, 2), some(4, 6))  # a hidden -100 would win
    others = {words: mistake for words, mistake in known.items() if "score of a hidden key" not in words}
    low = {says["small"]: made(fill=-100.0, last=None), f"{says['small']} (not -10000, say)": made(fill=-1e4)}
    check.mistakes(low | others)
    check(masked_attention, *case).equals(wanted(*case), about="scores far below zero", rtol=1e-3, atol=1e-4)
    check.mistakes(known)
    blind = some(4, 6)
    blind[[0, 2]] = False
    case = (2 * draw(4, 3), draw(6, 3), draw(6, 2), blind)
    check(masked_attention, *case).equals(wanted(*case), about="queries that see nothing", **close)
    short = torch.tensor([[[True] * 4 + [False] * 2], [[False] * 6]])
    case = (draw(2, 4, 3), draw(2, 6, 3), draw(2, 6, 2), short)
    check(masked_attention, *case).equals(wanted(*case), about="a sentence of length 0", **close)
    half = [t.half() for t in (draw(4, 3), draw(6, 3), draw(6, 2))]
    check(masked_attention, *half, blind).equals(
        wanted(*(t.float() for t in half), blind), about="half precision", rtol=0.02, atol=5e-3,
        near={"-1e9 does not fit in 16 bits: use minus infinity": RuntimeError},
    )
    check(masked_attention, *half, blind).holds(
        lambda out: all(t.dtype == torch.float16 for t in out), "two tensors of float16", edge=True,
        about="the dtype is kept", near={says["dtype"]: lambda out: out[0].dtype != torch.float16},
    )
    for dtype in (torch.float64, torch.bfloat16):
        check(masked_attention, *(t.to(dtype) for t in half), blind).holds(
            lambda out, dtype=dtype: all(t.dtype == dtype for t in out), f"two tensors of {dtype}", edge=True,
            about="the dtype is kept",
            near={says["dtype"]: lambda out, dtype=dtype: any(t.dtype != dtype for t in out)},
        )
    case = 40 * draw(80, 3), 40 * draw(90, 3) / 500, 40 * draw(90, 2), some(80, 90)
    check(masked_attention, *case).equals(wanted(*case), about="many keys, large values", rtol=1e-3, atol=1e-2)
    case = *(t.double() / 3 for t in (draw(4, 3), draw(6, 3), draw(6, 2))), some(4, 6)
    check(masked_attention, *case).equals(wanted(*case), about="64 bits", edge=True, rtol=1e-7, atol=1e-8)
    for lead, T_q, T_k, d in [((1,), 1, 1, 1), ((2,), 1, 3, 1), ((1, 2), 3, 1, 2)]:
        case = draw(*lead, T_q, d), draw(*lead, T_k, d), draw(*lead, T_k, 1), some(*lead, T_q, T_k)
        check(masked_attention, *case).equals(wanted(*case), about="axes of size 1", edge=True, **close)
    case = draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 3)
    cut_off = {
        "the gradient stops at the weights that come back: no detach": made(
            mix=lambda w, v, mask: (w @ v, w.detach())
        ),
        "the gradient stops at the weights on their way to the output: no detach": made(
            mix=lambda w, v, mask: (w.detach() @ v, w)
        ),
    }
    trained(
        masked_attention, made(), *case, torch.ones(3, 5, dtype=torch.bool).tril(1), known=known, near=cut_off
    )
    unseen = torch.ones(2, 3, 5, dtype=torch.bool)
    unseen[0, 1] = unseen[1, 2] = False

    def biased(q, k, v, mask):
        w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5 + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf), -1)
        w = w.masked_fill(~mask, 0)
        return w @ v, w

    def late(q, k, v, mask):
        w = torch.softmax((q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf), -1)
        return (w @ v).nan_to_num(), w.nan_to_num()

    trained(
        masked_attention, made(), *case, unseen, known=known, about="gradients where a query sees nothing", edge=True,
        near=cut_off | {
            "the gradient is NaN where a query sees nothing: fill the scores (masked_fill), add nothing": biased,
            "the gradient is NaN where a query sees nothing: the weights must be 0 before they meet the values": late,
        },
    )
    ### END HIDDEN TESTS


score
