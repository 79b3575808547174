from helpers.checks import graded


@graded("sharing", points=8)
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

    def seen(rows):
        return [[place == "x" for place in row] for row in rows.split()]

    check(sink_mask, 4, 2, 1).equals(seen("x... xx.. xxx. x.xx"), near={
        says["future"]: seen("xxxx xxxx xxxx x.xx"), says["hidden"]: seen(".xxx ..xx ...x .x.."),
    })
    check(sink_mask, 7, 2, 3).equals(seen("x...... xx..... xxx.... xxxx... xxxxx.. xxx.xx. xxx..xx"), near={
        says["one_more"]: seen("x...... xx..... xxx.... xxxx... xxxxx.. xxxxxx. xxx.xxx"),
        says["one_less"]: seen("x...... xx..... xxx.... xxxx... xxx.x.. xxx..x. xxx...x"),
        says["no_sinks"]: seen("x...... xx..... .xx.... ..xx... ...xx.. ....xx. .....xx"),
        says["one_sink"]: seen("x...... xx..... xxx.... xxxx... xxxxx.. xxxxxx. xxxx.xx"),
        says["future"]: seen("xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxxxxxx xxx.xxx xxx..xx"),
        says["sink_rows"]: seen("xxxxxxx xxxxxxx xxxxxxx ..xx... ...xx.. ....xx. .....xx"),
        says["early_sinks"]: seen("xxx.... xxx.... xxx.... xxxx... xxxxx.. xxx.xx. xxx..xx"),
        says["hidden"]: seen(".xxxxxx ..xxxxx ...xxxx ....xxx .....xx ...x..x ...xx.."),
        says["last"]: seen("x...... xx..... .xx.... ..xx... ...xx.. ....xx. ....xxx"),
        says["no_window"]: seen("x...... xx..... xxx.... xxxx... xxxxx.. xxxxxx. xxxxxxx"),
        says["turned"]: seen("xxxxxxx .xxxxxx ..xxxxx ...xx.. ....xx. .....xx ......x"),
    })
    q, k = torch.ones(1, 4, 1, 1), torch.tensor([[[[0.0], [0.0]], [[0.0], [1.0986]]]])  # 1.0986 is ln 3
    v = torch.tensor([[[[1.0], [3.0]], [[10.0], [30.0]]]])
    order = "the heads of keys were used in the order 0, 1, 0, 1: neighbouring heads share, so repeat_interleave them"
    values = "the keys were shared right, the values in the order 0, 1, 0, 1"
    keys = "the values were shared right, the keys in the order 0, 1, 0, 1"
    first = "all heads of queries used the first head of keys"
    check(grouped_attention, q, k, v).equals(
        [[[[2.0]], [[2.0]], [[25.0]], [[25.0]]]], rtol=1e-4,
        near={order: [[[[2.0]], [[25.0]], [[2.0]], [[25.0]]]], first: [[[[2.0]]] * 4],
              values: [[[[2.0]], [[20.0]], [[2.5]], [[25.0]]]], keys: [[[[2.0]], [[2.5]], [[20.0]], [[25.0]]]],
              says["causal"]: [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], says["none"]: TypeError},
    )
    unused = "the mask was not used"
    inverted = "the mask was used the wrong way round: True means that a key may be seen"
    check(grouped_attention, q, k, v, torch.tensor([[True, False]])).equals(
        [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], about="with a mask",
        near={unused: [[[[2.0]], [[2.0]], [[25.0]], [[25.0]]]], inverted: [[[[3.0]], [[3.0]], [[30.0]], [[30.0]]]],
              order: [[[[1.0]], [[10.0]], [[1.0]], [[10.0]]]], first: [[[[1.0]]] * 4],
              values: [[[[1.0]], [[10.0]], [[1.0]], [[10.0]]]]}, rtol=1e-4,
    )
    terms = {
        "keys": "keys and values are kept: twice as much",
        "mla_twice": "the latent vector serves keys and values: it is kept once",
        "mla_heads": "the latent vector serves all heads: it is not kept once for each",
        "no_rotary": "the rotated part of the key is kept, too",
        "layers": "one layer only was counted",
        "itemsize": "these are numbers, not bytes: times `itemsize`",
        "two_bytes": "`itemsize` was ignored",
        "token": "these are the bytes of one token; the whole text is asked for",
        "no_sinks": "the sinks are kept besides the window",
        "whole": "the window keeps at most window + sinks tokens",
        "filled": "a text shorter than the window needs less",
        "gqa_heads": "grouped: G heads of keys are kept, not H",
        "gqa_share": "H / G heads were counted; G are kept",
        "mqa": "multi-query keeps one head",
        "mla_latent": "the latent vector is kept once, and the rotated part besides it: r + p",
        "mla_product": "the latent vector and the rotated part stand side by side: r + p numbers, not r times p",
        "mla_width": "r and p count all numbers that are kept; `width` has no part in them",
        "mla_rotary": "the rotated part is shared by all heads: it is kept once",
        "mla_both": "the latent vector serves keys and values: it is kept once, and the rotated part, too",
        "mqa_heads": "multi-query keeps one head of `width` numbers, not one number for each head",
        "between": "a text just longer than the window is kept whole: min(length, window + sinks) tokens",
        "bits": "these are bits, not bytes",
        "four": "a number takes 2 bytes where `itemsize` is not given: this is twice as much",
    }
    model = {"layers": 3, "heads": 6, "width": 8}
    check(cache_bytes, "mha", 10, **model).equals(5760, near={
        terms["keys"]: 2880, terms["itemsize"]: 2880, terms["layers"]: 1920, terms["token"]: 576, terms["four"]: 11520,
    })
    check(cache_bytes, "window", 10, **model, window=3, sinks=1).equals(2304, near={
        terms["keys"]: 1152, terms["itemsize"]: 1152, terms["layers"]: 768, terms["token"]: 576,
        terms["no_sinks"]: 1728, terms["whole"]: 5760, terms["four"]: 4608,
    })
    check(cache_bytes, "gqa", 10, **model, groups=2).equals(1920, near={
        terms["keys"]: 960, terms["itemsize"]: 960, terms["layers"]: 640, terms["token"]: 192,
        terms["gqa_heads"]: 5760, terms["gqa_share"]: 2880, terms["four"]: 3840,
    })
    check(cache_bytes, "mqa", 10, **model).equals(960, near={
        terms["keys"]: 480, terms["itemsize"]: 480, terms["layers"]: 320, terms["token"]: 96, terms["mqa"]: 5760,
        terms["mqa_heads"]: 720,
        terms["four"]: 1920,
    })
    check(cache_bytes, "mla", 10, **model, latent=12, rotary=4).equals(960, near={
        terms["mla_twice"]: 1920, terms["four"]: 1920, terms["mla_heads"]: 5760, terms["no_rotary"]: 720,
        terms["layers"]: 320, terms["itemsize"]: 480, terms["token"]: 96, terms["mla_latent"]: 1440,
        terms["bits"]: 7680,
        terms["mla_product"]: 2880, terms["mla_width"]: 7680, terms["mla_rotary"]: 2160, terms["mla_both"]: 1680,
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients

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
    for T, w, s in [(7, 3, 2), (9, 4, 1), (6, 2, 3), (8, 3, 0), (5, 9, 1), (8, 1, 2), (80, 70, 2), (80, 2, 70)]:
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

    trained = partial(gradients.trained, check, slopes)

    def half_shared(which):
        def function(q, k, v, mask=None):
            share = q.shape[1] // k.shape[1]
            both = [t.repeat(1, share, 1, 1) if name in which else t.repeat_interleave(share, 1)
                    for name, t in (("k", k), ("v", v))]
            return scaled_dot_product_attention(q, *both, attn_mask=mask)

        return function

    known = {
        order: shared(lambda h, H, G: h % G),
        first: shared(lambda h, H, G: 0),
        values: half_shared("v"),
        keys: half_shared("k"),
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
        "the scores are divided by d, not by its root": lambda q, k, v, mask=None: shared(
            lambda h, H, G: h // (H // G), scale=1 / q.shape[-1]
        )(q, k, v, mask),
        "the scores are not scaled": shared(lambda h, H, G: h // (H // G), scale=1.0),
        "the output alone is asked for, without the weights": lambda q, k, v, mask=None: (
            right(q, k, v, mask),
            right(q, k, torch.eye(k.shape[2]).expand(*k.shape[:3], -1), mask),
        ),
    }
    check.mistakes(known)
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
        mask = torch.tensor(check.rng.random((B, H, T_q, T_k)) < 0.5)
        mask[..., 0] |= ~mask.any(-1)
        for apart in (mask, mask[0]):
            wanted = scaled_dot_product_attention(*case, attn_mask=apart, enable_gqa=True)
            check(grouped_attention, *case, apart).equals(
                wanted, about="with a mask for each head", near=near, rtol=1e-4, atol=1e-5
            )
        blind = torch.ones(T_q, T_k, dtype=torch.bool)
        blind[1] = False
        wanted = scaled_dot_product_attention(*case, enable_gqa=True)
        wanted[:, :, 1] = 0
        check(grouped_attention, *case, blind).equals(
            wanted, about="a query that may see nothing", near=near, rtol=1e-4, atol=1e-5
        )
    size = torch.tensor([60.0, 0.02])
    case = draw(70, 4, 3, 2) * size, draw(70, 2, 5, 2) * size.flip(0), 60 * draw(70, 2, 5, 2)
    seen = torch.tensor(check.rng.random((70, 1, 3, 5)) < 0.5)
    seen[..., 0] = True
    for mask in (None, seen):
        wanted = scaled_dot_product_attention(*case, attn_mask=mask, enable_gqa=True)
        check(grouped_attention, *case, mask).equals(
            wanted, about="a large batch, large values", rtol=1e-3, atol=1e-2
        )
    for B, H, G, T_q, T_k, d in [(1, 1, 1, 1, 1, 1), (1, 2, 1, 1, 3, 1), (2, 2, 2, 1, 1, 2), (1, 4, 2, 1, 2, 1)]:
        case = draw(B, H, T_q, d), draw(B, G, T_k, d), draw(B, G, T_k, d)
        for mask in (None, torch.ones(T_q, T_k, dtype=torch.bool)):
            check(grouped_attention, *case, mask).equals(
                scaled_dot_product_attention(*case, enable_gqa=True), about="axes of size 1", edge=True, rtol=1e-4,
                atol=1e-5,
            )
    case = draw(2, 4, 3, 4), draw(2, 2, 5, 4), draw(2, 2, 5, 4)
    for mask in (None, torch.ones(3, 5, dtype=torch.bool).tril(1)):
        trained(grouped_attention, right, *case, mask, known=known)
        check(grouped_attention, *(t.double() for t in case), mask).holds(
            lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near={"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"},
        )

    def counted(change=None, tokens=None, times=None):
        """The right count, with one kind's numbers or the tokens exchanged."""

        def function(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
            n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary}
            n["window"] = n["mha"]
            n |= change(heads, width, groups, latent, rotary) if change else {}
            kept = min(length, window + sinks) if kind == "window" else length
            kept = tokens(kind, length, window, sinks) if tokens else kept
            return n[kind] * kept * (times(layers, itemsize) if times else layers * itemsize)

        return function

    def windowed(kept):
        return counted(tokens=lambda kind, T, w, s: kept(T, w, s) if kind == "window" else T)

    check.mistakes({
        terms["keys"]: counted(lambda H, d, G, r, p: {"mha": H * d, "window": H * d, "gqa": G * d, "mqa": d}),
        terms["mla_twice"]: counted(lambda H, d, G, r, p: {"mla": 2 * (r + p)}),
        terms["mla_both"]: counted(lambda H, d, G, r, p: {"mla": 2 * r + p}),
        terms["mla_latent"]: counted(lambda H, d, G, r, p: {"mla": 2 * r}),
        terms["mla_product"]: counted(lambda H, d, G, r, p: {"mla": r * p}),
        terms["mla_width"]: counted(lambda H, d, G, r, p: {"mla": (r + p) * d}),
        terms["mqa_heads"]: counted(lambda H, d, G, r, p: {"mqa": 2 * H}),
        terms["between"]: windowed(lambda T, w, s: w + s if w < T else T),
        terms["mla_heads"]: counted(lambda H, d, G, r, p: {"mla": H * (r + p)}),
        terms["no_rotary"]: counted(lambda H, d, G, r, p: {"mla": r}),
        terms["mla_rotary"]: counted(lambda H, d, G, r, p: {"mla": r + H * p}),
        terms["layers"]: counted(times=lambda L, b: b),
        terms["itemsize"]: counted(times=lambda L, b: L),
        terms["two_bytes"]: counted(times=lambda L, b: 2 * L),
        terms["bits"]: counted(times=lambda L, b: 8 * L * b),
        terms["token"]: counted(tokens=lambda kind, T, w, s: 1),
        terms["four"]: counted(times=lambda L, b: L * (4 if b == 2 else b)),
        terms["no_sinks"]: windowed(lambda T, w, s: min(T, w)),
        terms["whole"]: windowed(lambda T, w, s: T),
        terms["filled"]: windowed(lambda T, w, s: w + s),
        "the sinks are kept besides the window: min(length, window + sinks)": windowed(lambda T, w, s: min(T, w) + s),
        terms["gqa_heads"]: counted(lambda H, d, G, r, p: {"gqa": 2 * H * d}),
        terms["gqa_share"]: counted(lambda H, d, G, r, p: {"gqa": 2 * (H // G) * d}),
        terms["mqa"]: counted(lambda H, d, G, r, p: {"mqa": 2 * H * d}),
        "G heads of keys are kept in all, not G for each of the H": counted(
            lambda H, d, G, r, p: {"gqa": 2 * H * G * d}
        ),
        '"mha" keeps all H heads, whatever `groups` says': counted(lambda H, d, G, r, p: {"mha": 2 * G * d}),
        '"window" keeps all H heads, whatever `groups` says': counted(lambda H, d, G, r, p: {"window": 2 * G * d}),
        "the window was used here, too: this kind has none": counted(tokens=lambda kind, T, w, s: min(T, w + s)),
        "these are MiB; bytes are asked for": counted(times=lambda L, b: L * b / 2**20),
        "multi-query keeps one head, whatever `groups` says": counted(lambda H, d, G, r, p: {"mqa": 2 * G * d}),
    })
    table = {"mha": 2, "gqa": 2, "mqa": 2, "mla": 1, "window": 2}
    for least, most in [(2, 30), (2, 30), (70, 130), (1, 2)]:
        L, d, G, r, p, w, s, b = (int(n) for n in check.rng.integers(least, most, size=8))
        H = 3 * G if least > 1 else 1
        more = {"groups": G, "latent": r, "rotary": p, "window": w, "sinks": s, "itemsize": b}
        for kind, both in table.items():
            for T in (w + s + 17, max(w + s - 3, 1)):
                each = {"gqa": G * d, "mqa": d, "mla": r + p}.get(kind, H * d)
                tokens = sorted([T, w + s])[0] if kind == "window" else T
                wanted = sum([both * each * b] * L) * tokens
                check(cache_bytes, kind, T, L, H, d, **more).equals(wanted, about=f"another model, {kind}")
    check(cache_bytes, "window", 6, 3, 7, 5, window=5, sinks=2, itemsize=4).equals(
        2 * 7 * 5 * 4 * 3 * 6, about="a text shorter than window and sinks"
    )
    for kind, given, wanted in [
        ("window", {"window": 3, "sinks": 0}, 2 * 4 * 5 * 2 * 2 * 3), ("mla", {"latent": 7}, 7 * 2 * 2 * 9),
        ("mla", {"rotary": 5}, 5 * 2 * 2 * 9),
    ]:
        check(cache_bytes, kind, 9, 2, 4, 5, **given).equals(wanted, about="no sinks, no latent, no rotary", edge=True)
    check(cache_bytes, "mha", 0, 2, 4, 5).equals(0, about="no token yet", edge=True)
    check(cache_bytes, "mla", 1, 60, 128, 128, latent=512, rotary=64).equals(69120, about="DeepSeek-V2's cache")

    def refused(kind):
        """Whether an unknown kind raises ValueError."""
        try:
            cache_bytes(kind, 3, 1, 1, 1)
        except ValueError:
            return True
        return False

    check.mistakes({})
    check(refused, "mhq").equals(True, about="an unknown kind raises ValueError", edge=True, near={
        "for another kind no error came: raise ValueError, which a return or a print does not": False,
        "for another kind a KeyError came, as of a look-up in a dict: raise ValueError": KeyError,
        "for another kind no branch made the number: raise ValueError in an else": UnboundLocalError,
        "for another kind an AssertionError came: raise ValueError, an assert may be switched off": AssertionError,
        "for another kind a TypeError came: raise ValueError, before anything is computed": TypeError,
        "for another kind a NotImplementedError came: raise ValueError": NotImplementedError,
    })
    ### END HIDDEN TESTS


score
