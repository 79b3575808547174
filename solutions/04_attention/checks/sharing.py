from helpers.checks import graded


@graded("sharing", points=4)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "one_more": "off by one: the window holds `window` tokens, the token itself among them",
        "one_less": "off by one: one token too few is in the window",
        "no_sinks": "the sinks are not seen",
        "one_sink": "off by one: one sink too many",
        "future": "the future is seen: j must not lie behind i",
        "sink_rows": "the sinks see everything here; everything sees the sinks",
        "early_sinks": "a sink is seen before its time: j <= i holds for sinks, too",
        "hidden": "True means: may be seen. This mask is the reverse",
        "last": "the sinks are the first tokens, not the last",
        "no_window": "the window was not used",
        "turned": "rows and columns are exchanged: queries are in rows",
        "none": "`mask` may be None: then every key may be seen",
        "causal": "`mask` is None, and a causal mask was used: then every key may be seen",
    }
    yes, no = True, False
    check(sink_mask, 4, 2, 1).equals(
        [[yes, no, no, no], [yes, yes, no, no], [yes, yes, yes, no], [yes, no, yes, yes]], near={
        says["one_more"]: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
            [True, True, True, True]],
        says["one_less"]: [[True, False, False, False], [True, True, False, False], [True, False, True, False],
            [True, False, False, True]],
        says["no_sinks"]: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
            [False, False, True, True]],
        says["one_sink"]: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
            [True, True, True, True]],
        says["future"]: [[True, True, True, True], [True, True, True, True], [True, True, True, True], [True,
            False, True, True]],
        says["sink_rows"]: [[True, True, True, True], [True, True, False, False], [False, True, True, False],
            [False, False, True, True]],
        says["hidden"]: [[False, True, True, True], [False, False, True, True], [False, False, False, True],
            [False, True, False, False]],
        says["last"]: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
            [False, False, True, True]],
        says["no_window"]: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
            [True, True, True, True]],
        says["turned"]: [[True, True, True, True], [False, True, True, False], [False, False, True, True],
            [False, False, False, True]],
    }
    )
    check(sink_mask, 3, 1, 2).equals([[yes, no, no], [yes, yes, no], [yes, yes, yes]], near={
        says["early_sinks"]: [[True, True, False], [True, True, False], [True, True, True]],
        says["no_sinks"]: [[True, False, False], [False, True, False], [False, False, True]],
        says["hidden"]: [[False, True, True], [False, False, True], [False, False, False]],
        says["turned"]: [[True, True, True], [False, True, True], [False, False, True]],
    })
    q, k = torch.zeros(1, 4, 1, 1), torch.zeros(1, 2, 2, 1)
    v = torch.tensor([[[[1.0], [3.0]], [[10.0], [30.0]]]])
    order = "the heads of keys were used in the order 0, 1, 0, 1: neighbouring heads share, so repeat_interleave them"
    first = "all heads of queries used the first head of keys"
    check(grouped_attention, q, k, v).equals(
        [[[[2.0]], [[2.0]], [[20.0]], [[20.0]]]],
        near={order: [[[[2.0]], [[20.0]], [[2.0]], [[20.0]]]], first: [[[[2.0]]] * 4],
              says["causal"]: [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], says["none"]: TypeError},
    )
    unused = "the mask was not used"
    inverted = "the mask was used the wrong way round: True means that a key may be seen"
    check(grouped_attention, q, k, v, torch.tensor([[True, False]])).equals(
        [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], about="with a mask",
        near={unused: [[[[2.0]], [[2.0]], [[20.0]], [[20.0]]]], inverted: [[[[3.0]], [[3.0]], [[30.0]], [[30.0]]]],
              order: [[[[1.0]], [[10.0]], [[1.0]], [[10.0]]]], first: [[[[1.0]]] * 4]},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def made(rule):
        return lambda T, w, s: rule(torch.arange(T)[:, None], torch.arange(T)[None], w, s, T)

    check.mistakes({
        says["one_more"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j <= w) | (j < s))),
        says["one_less"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j < w - 1) | (j < s))),
        says["no_sinks"]: made(lambda i, j, w, s, T: (j <= i) & (i - j < w)),
        says["one_sink"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (j <= s))),
        says["future"]: made(lambda i, j, w, s, T: (i - j < w) | (j < s)),
        "the window reaches into the future": made(lambda i, j, w, s, T: ((i - j).abs() < w) | ((j < s) & (j <= i))),
        "the window reaches into the future, and a sink is seen before its time": made(
            lambda i, j, w, s, T: ((i - j).abs() < w) | (j < s)
        ),
        "the sinks are the tokens that are seen, the columns": made(
            lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (i < s))
        ),
        says["sink_rows"]: made(lambda i, j, w, s, T: ((j <= i) & (i - j < w)) | (i < s)),
        says["early_sinks"]: made(lambda i, j, w, s, T: ((j <= i) & (i - j < w)) | (j < s)),
        says["hidden"]: made(lambda i, j, w, s, T: ~((j <= i) & ((i - j < w) | (j < s)))),
        says["last"]: made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (j >= T - s))),
        says["no_window"]: made(lambda i, j, w, s, T: j <= i),
        "the sinks alone are seen: the window is missing": made(lambda i, j, w, s, T: (j <= i) & (j < s)),
        says["turned"]: made(lambda i, j, w, s, T: ((j <= i) & ((i - j < w) | (j < s))).T),
        "both conditions are asked for: inside the window, or a sink": made(
            lambda i, j, w, s, T: (j <= i) & (i - j < w) & (j < s)
        ),
        "the sinks count among the window's tokens; they come besides": made(
            lambda i, j, w, s, T: (j <= i) & ((i - j < w - s) | (j < s))
        ),
    })
    for T, w, s in [(7, 3, 2), (9, 4, 1), (6, 2, 3), (8, 3, 0), (5, 9, 1), (8, 1, 2)]:
        wanted = [[j <= i and (j > i - w or j in range(s)) for j in range(T)] for i in range(T)]
        check(sink_mask, T, w, s).equals(wanted, about="another window")
    check(sink_mask, 1, 1, 0).equals([[True]], about="one token", edge=True)
    check(sink_mask, 5, 2, 1).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the mask's dtype", edge=True,
        near={"the mask must be a bool tensor: True and False, not numbers": lambda m: True},
    )

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def shared(pick, scale=None):
        """Attention in which head h of the queries uses the head pick(h, H, G) of the keys."""

        def function(q, k, v, mask=None):
            H, G = q.shape[1], k.shape[1]
            heads = [pick(h, H, G) for h in range(H)]
            return scaled_dot_product_attention(q, k[:, heads], v[:, heads], attn_mask=mask, scale=scale)

        return function

    def right(q, k, v, mask=None):
        return shared(lambda h, H, G: h // (H // G))(q, k, v, mask)

    def filled(low):
        """A query that may see nothing gets what softmax makes of a row of `low`."""

        def function(q, k, v, mask=None):
            k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 1) for t in (k, v))
            s = q @ k.mT / q.shape[-1] ** 0.5
            return torch.softmax(s if mask is None else s.masked_fill(~mask, low), -1) @ v

        return function

    def half(which):
        def function(q, k, v, mask=None):
            share = q.shape[1] // k.shape[1]
            both = [t.repeat(1, share, 1, 1) if name in which else t.repeat_interleave(share, 1)
                    for name, t in (("k", k), ("v", v))]
            return scaled_dot_product_attention(q, *both, attn_mask=mask)

        return function

    check.mistakes({
        order: shared(lambda h, H, G: h % G),
        first: shared(lambda h, H, G: 0),
        "the keys were shared right, the values in the order 0, 1, 0, 1": half("v"),
        "the values were shared right, the keys in the order 0, 1, 0, 1": half("k"),
        "the groups are turned round: the first heads share the first head of keys": shared(
            lambda h, H, G: G - 1 - h // (H // G)
        ),
        "the keys of a group were averaged: each head of keys stays as it is": lambda q, k, v, mask=None: shared(
            lambda h, H, G: 0
        )(q, k.mean(1, keepdim=True), v.mean(1, keepdim=True), mask),
        "head h of the queries uses head h // (H // G) of the keys, not h // G": shared(
            lambda h, H, G: min(h // G, G - 1)
        ),
        unused: lambda q, k, v, mask=None: right(q, k, v),
        inverted: lambda q, k, v, mask=None: right(
            q, k, v, None if mask is None else ~mask
        ),
        says["causal"]: lambda q, k, v, mask=None: right(
            q, k, v, torch.ones(q.shape[2], k.shape[2]).tril().bool() if mask is None else mask
        ),
        "a query that may see nothing got 0/0, which is NaN: zeros are asked for": filled(-torch.inf),
        "a query that may see nothing got equal weights for all keys: zeros are asked for": filled(-1e9),
        "the scores are not scaled": shared(lambda h, H, G: h // (H // G), scale=1.0),
        "the output alone is asked for, without the weights": lambda q, k, v, mask=None: (
            right(q, k, v, mask),
            right(q, k, torch.eye(k.shape[2]).expand(*k.shape[:3], -1), mask),
        ),
    })
    for B, H, G, T_q, T_k, d in [(2, 6, 3, 4, 5, 3), (3, 8, 2, 5, 5, 4), (2, 4, 1, 3, 6, 2), (2, 4, 4, 3, 5, 3)]:
        case = 2 * draw(B, H, T_q, d), draw(B, G, T_k, d), draw(B, G, T_k, d)
        wanted = scaled_dot_product_attention(*case, enable_gqa=True)
        about = {1: "one head of keys", H: "as many heads of keys as of queries"}.get(G, "grouped heads")
        plain = check(grouped_attention, *case).equals(
            wanted, about=about, rtol=1e-4, atol=1e-5, near={says["none"]: TypeError}
        )
        mask = torch.tensor(check.rng.random((T_q, T_k)) < 0.5)
        mask[:, 0] |= ~mask.any(-1)
        wanted = scaled_dot_product_attention(*case, attn_mask=mask, enable_gqa=True)
        near = {"the mask is broadcast to (B, H, T_q, T_k) as it comes: no axis is added": RuntimeError}
        near = near if plain.passed else {}  # the mask is to blame only where it works without one
        check(grouped_attention, *case, mask).equals(wanted, about="with a mask", near=near, rtol=1e-4, atol=1e-5)
        mask = (torch.arange(T_k) < torch.tensor(check.rng.integers(1, T_k, size=B))[:, None])[:, None, None]
        wanted = scaled_dot_product_attention(*case, attn_mask=mask, enable_gqa=True)
        check(grouped_attention, *case, mask).equals(
            wanted, about="with a padding mask", near=near, rtol=1e-4, atol=1e-5
        )
        blind = torch.ones(T_q, T_k, dtype=torch.bool)
        blind[1] = False
        wanted = scaled_dot_product_attention(*case, enable_gqa=True)
        wanted[:, :, 1] = 0
        check(grouped_attention, *case, blind).equals(
            wanted, about="a query that may see nothing", near=near, rtol=1e-4, atol=1e-5
        )
    ### END HIDDEN TESTS


score
