from helpers.checks import graded


@graded("masks", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    small = "the score of a hidden key is not low enough: some weight leaks to it. Use minus infinity"
    hidden = "True means: may be seen. This mask is True where nothing may be"
    all_true = "nothing is hidden here"
    mask_unused = "the mask was not used"
    over_queries = "the softmax runs over the queries: use dim=-1"
    nan = "a query that may see nothing got 0/0, which is NaN: zeros are asked for"
    added = "the mask was added to the scores as it is, 0 and 1: what is hidden needs minus infinity"
    no_scale = "the scores are not scaled by the root of d_k"

    def square(n):
        return torch.ones(n, n, dtype=torch.bool)

    check.mistakes({
        "off by one: a token sees itself, too": lambda n: square(n).tril(-1),
        "off by one: a token sees the next one here": lambda n: square(n).tril(1),
        "the mask is reversed: this shows the future and hides the past": lambda n: square(n).triu(),
        hidden: lambda n: square(n).triu(1),
        all_true: square,
        "this is additive, 0 and minus infinity; a bool mask is asked for":
            lambda n: torch.zeros(n, n).masked_fill(square(n).triu(1), -torch.inf),
    }, causal_mask)
    check.mistakes({
        "off by one: a length of n leaves n positions True": lambda n, t: torch.arange(t) <= n[:, None],
        "off by one: one position too few is True": lambda n, t: torch.arange(1, t + 1) < n[:, None],
        hidden: lambda n, t: torch.arange(t) >= n[:, None],
        "the positions at the end are True; a sentence is at the beginning":
            lambda n, t: torch.arange(t) >= t - n[:, None],
        "this is (T, B); the batch comes first": lambda n, t: (torch.arange(t) < n[:, None]).T,
        all_true: lambda n, t: torch.ones(len(n), t, dtype=torch.bool),
        "the lengths must be a column, lengths[:, None], to meet each position": lambda n, t: torch.arange(t) < n,
        "a length of 0 leaves no position True": lambda n, t: torch.arange(t) < n.clamp(min=1)[:, None],
        "`longest` was ignored: the mask is as wide as it says": lambda n, t: torch.arange(n.max()) < n[:, None],
        "True is at the last position of each sentence only": lambda n, t: torch.arange(1, t + 1) == n[:, None],
    }, padding_mask)

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
        "the mask came after the softmax: where hidden scores are the largest, nothing is left":
            made(hide=unmasked, mix=renormalised),
        "all became 0 because one query sees nothing: ask each query by itself": all_or_none,
        "a causal mask was used, whatever `mask` says":
            lambda q, k, v, mask: made()(q, k, v, torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()),
        mask_unused: made(hide=unmasked, last=None),
        f"{mask_unused}, but for whole queries only: it hides keys from each query":
            lambda *case: tuple(t * case[-1].any(-1, keepdim=True) for t in made(hide=unmasked, last=None)(*case)),
        "plus infinity went where minus infinity belongs": made(fill=torch.inf),
        "the mask was used the wrong way round: True means that a key may be seen":
            made(hide=lambda mask: ~mask, last=None),
        "the mask was used the wrong way round: True means that a key may be seen (rows that see nothing are 0)":
            made(hide=lambda mask: ~mask, mix=lambda w, v, mask: (w.nan_to_num() @ v, w.nan_to_num()), last=None),
        "the mask came after the softmax: what is left no longer adds up to 1. Mask the scores": made(hide=unmasked),
        f"{small} (not -10000, say). Here it was 0, or nearly, and e to the 0 is 1": made(fill=0.0, last=None),
        f"{small} (not -10000, say). Here it was 0, and e to the 0 is 1": made(fill=0.0),
        added: made(hide=unmasked, last=None, add=1),
        f"{added} (and set to 0 later)": made(hide=unmasked, add=1),
        "the scores are divided by d_k, not by its root": made(scale=lambda q: 1 / q.shape[-1]),
        over_queries: made(dim=-2),
        f"{over_queries}, and what is NaN must be 0": made(dim=-2, last=None),
        "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1": made(dim=1),
        "a query that may see nothing got equal weights for all keys, as with -1e9: zeros are asked for":
            made(fill=-1e9, last=None),
        **{f"{small} (not {low:g}, say)": made(fill=low, last=None) for low in (-1.0, -5.0, -10.0)},
        nan: made(last=None),
        no_scale: made(scale=lambda q: 1),
        f"{no_scale}, and {nan}": made(scale=lambda q: 1, last=None),
        "the weights of a query that may see nothing are 0, its output is not":
            lambda *case: (made(fill=-1e9, last=None)(*case)[0], made()(*case)[1]),
        "the weights of a query that may see nothing are 0, its output is NaN":
            lambda *case: (made(last=None)(*case)[0], made()(*case)[1]),
        "the output of a query that may see nothing is 0, its weights are not":
            lambda *case: (made()(*case)[0], made(fill=-1e9, last=None)(*case)[1]),
        "the output of a query that may see nothing is 0, its weights are NaN":
            lambda *case: (made()(*case)[0], made(last=None)(*case)[1]),
        "the two results are exchanged: the output comes first": made(mix=lambda w, v, mask: (w, w @ v)),
        "0 times minus infinity is NaN: fill the hidden positions, do not multiply":
            lambda q, k, v, mask: (torch.full((*q.shape[:-1], v.shape[-1]), torch.nan),
                torch.full((*q.shape[:-1], k.shape[-2]), torch.nan)),
        "the mask is transposed: its rows belong to the queries": made(hide=lambda mask: mask.mT, last=None),
        "the hidden values were set to 0, but their keys still take weight":
            made(hide=unmasked, last=None, mix=lambda w, v, mask: ((w * mask) @ v, w)),
    }
    of_low_scores = {words: mistake for words, mistake in known.items() if "score of a hidden key" not in words}
    of_low_scores |= {small: made(fill=-100.0, last=None), f"{small} (not -10000, say)": made(fill=-1e4)}
    check.mistakes(known, masked_attention)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from torch.nn.functional import scaled_dot_product_attention

    from helpers.checks import gradients

    other_dtype = "another dtype came back than that of the queries"

    check.hidden()
    for n in (2, 5, 8, 70):
        i = torch.arange(n)
        check(causal_mask, n).equals(i[None, :] <= i[:, None], about="another causal mask")
    check(causal_mask, 1).equals([[True]], about="one token", edge=True)
    check(causal_mask, 4).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the causal mask's dtype", edge=True,
        near={numbers: lambda m: m is not None},
    )
    for B, T in [(3, 5), (4, 7), (5, 5), (70, 90)]:
        lengths = torch.tensor(check.rng.integers(1, T, size=B))
        wanted = torch.stack([torch.arange(T) < n for n in lengths])
        check(padding_mask, lengths, T).equals(wanted, about="other lengths")
    check(padding_mask, torch.tensor([3]), 4).equals([[True] * 3 + [False]], about="a batch of one", edge=True)
    check(padding_mask, torch.tensor([1, 0]), 1).equals([[True], [False]], about="one place", edge=True)
    check(padding_mask, torch.tensor([0, 3]), 3).equals([[False] * 3, [True] * 3], about="length 0", edge=True)
    check(padding_mask, torch.tensor([2, 1]), 3).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the padding mask's dtype", edge=True,
        near={numbers: lambda m: m is not None},
    )

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
    check.mistakes(of_low_scores, masked_attention)
    check(masked_attention, *case).equals(wanted(*case), about="scores far below zero", rtol=1e-3, atol=1e-4)
    check.mistakes(known, masked_attention)
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
        about="the dtype is kept", near={other_dtype: lambda out: out[0].dtype != torch.float16},
    )
    for dtype in (torch.float64, torch.bfloat16):
        check(masked_attention, *(t.to(dtype) for t in half), blind).holds(
            lambda out, dtype=dtype: all(t.dtype == dtype for t in out), f"two tensors of {dtype}", edge=True,
            about="the dtype is kept",
            near={other_dtype: lambda out, dtype=dtype: any(t.dtype != dtype for t in out)},
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
    trained(masked_attention, made(), *case, torch.ones(3, 5, dtype=torch.bool).tril(1), near=cut_off)
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
        masked_attention, made(), *case, unseen, about="gradients where a query sees nothing", edge=True,
        near=cut_off | {
            "the gradient is NaN where a query sees nothing: fill the scores (masked_fill), add nothing": biased,
            "the gradient is NaN where a query sees nothing: the weights must be 0 before they meet the values": late,
        },
    )
    ### END HIDDEN TESTS


score
