from helpers.checks import graded


@graded("sharing", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from torch.nn.functional import scaled_dot_product_attention

    def made(rule):
        return lambda T, w, s: rule(torch.arange(T)[:, None], torch.arange(T)[None], w, s, T)

    check.mistakes({
        "off by one: the window holds `window` tokens, the token itself among them":
            made(lambda i, j, w, s, T: (j <= i) & ((i - j <= w) | (j < s))),
        "off by one: one token too few is in the window":
            made(lambda i, j, w, s, T: (j <= i) & ((i - j < w - 1) | (j < s))),
        "the sinks are not seen": made(lambda i, j, w, s, T: (j <= i) & (i - j < w)),
        "off by one: one sink too many": made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (j <= s))),
        "the future is seen: j must not lie behind i": made(lambda i, j, w, s, T: (i - j < w) | (j < s)),
        "the window reaches into the future": made(lambda i, j, w, s, T: ((i - j).abs() < w) | ((j < s) & (j <= i))),
        "the window reaches into the future, and a sink is seen before its time":
            made(lambda i, j, w, s, T: ((i - j).abs() < w) | (j < s)),
        "the sinks are the tokens that are seen, the columns":
            made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (i < s))),
        "the sinks see everything here; everything sees the sinks":
            made(lambda i, j, w, s, T: ((j <= i) & (i - j < w)) | (i < s)),
        "a sink is seen before its time: j <= i holds for sinks, too":
            made(lambda i, j, w, s, T: ((j <= i) & (i - j < w)) | (j < s)),
        "True means: may be seen. This mask is the reverse":
            made(lambda i, j, w, s, T: ~((j <= i) & ((i - j < w) | (j < s)))),
        "the sinks are the first tokens, not the last":
            made(lambda i, j, w, s, T: (j <= i) & ((i - j < w) | (j >= T - s))),
        "the window was not used": made(lambda i, j, w, s, T: j <= i),
        "the sinks alone are seen: the window is missing": made(lambda i, j, w, s, T: (j <= i) & (j < s)),
        "rows and columns are exchanged: queries are in rows":
            made(lambda i, j, w, s, T: ((j <= i) & ((i - j < w) | (j < s))).T),
        "both conditions are asked for: inside the window, or a sink":
            made(lambda i, j, w, s, T: (j <= i) & (i - j < w) & (j < s)),
        "the sinks count among the window's tokens; they come besides":
            made(lambda i, j, w, s, T: (j <= i) & ((i - j < w - s) | (j < s))),
    }, sink_mask)

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

    def half_shared(which):
        def function(q, k, v, mask=None):
            share = q.shape[1] // k.shape[1]
            both = [t.repeat(1, share, 1, 1) if name in which else t.repeat_interleave(share, 1)
                    for name, t in (("k", k), ("v", v))]
            return scaled_dot_product_attention(q, *both, attn_mask=mask)

        return function

    known = {
        "the heads of keys were used in the order 0, 1, 0, 1: neighbouring heads share, so repeat_interleave them":
            shared(lambda h, H, G: h % G),
        "all heads of queries used the first head of keys": shared(lambda h, H, G: 0),
        "the keys were shared right, the values in the order 0, 1, 0, 1": half_shared("v"),
        "the values were shared right, the keys in the order 0, 1, 0, 1": half_shared("k"),
        "the groups are reversed: the first heads share the first head of keys":
            shared(lambda h, H, G: G - 1 - h // (H // G)),
        "the keys of a group were averaged: each head of keys stays as it is":
            lambda q, k, v, mask=None: shared(lambda h, H, G: 0)(
                q, k.mean(1, keepdim=True), v.mean(1, keepdim=True), mask),
        "head h of the queries uses head h // (H // G) of the keys, not h // G":
            shared(lambda h, H, G: min(h // G, G - 1)),
        "the mask was not used": lambda q, k, v, mask=None: right(q, k, v),
        "the mask was used the wrong way round: True means that a key may be seen":
            lambda q, k, v, mask=None: right(q, k, v, None if mask is None else ~mask),
        "`mask` is None, and a causal mask was used: then every key may be seen":
            lambda q, k, v, mask=None: right(
                q, k, v, torch.ones(q.shape[2], k.shape[2]).tril().bool() if mask is None else mask),
        "a query that may see nothing got 0/0, which is NaN: zeros are asked for": filled(-torch.inf),
        "a query that may see nothing got equal weights for all keys: zeros are asked for": filled(-1e9),
        "the scores are divided by d, not by its root":
            lambda q, k, v, mask=None: shared(lambda h, H, G: h // (H // G), scale=1 / q.shape[-1])(q, k, v, mask),
        "the scores are not scaled": shared(lambda h, H, G: h // (H // G), scale=1.0),
        "the output alone is asked for, without the weights":
            lambda q, k, v, mask=None: (
                right(q, k, v, mask), right(q, k, torch.eye(k.shape[2]).expand(*k.shape[:3], -1), mask)),
    }
    check.mistakes(known, grouped_attention)

    def counted(change=None, tokens=None, times=None):
        """The right count, with one kind's numbers or the tokens exchanged."""

        def function(kind, length, layers, heads, width, groups=1, latent=0, rotary=0, window=0, sinks=0, itemsize=2):
            n = {"mha": 2 * heads * width, "gqa": 2 * groups * width, "mqa": 2 * width, "mla": latent + rotary}
            n["window"] = n["mha"]
            if change:
                n |= change(heads, width, groups, latent, rotary)
            kept = min(length, window + sinks) if kind == "window" else length
            kept = tokens(kind, length, window, sinks) if tokens else kept
            return n[kind] * kept * (times(layers, itemsize) if times else layers * itemsize)

        return function

    def windowed(kept):
        return counted(tokens=lambda kind, T, w, s: kept(T, w, s) if kind == "window" else T)

    check.mistakes({
        "keys and values are kept: twice as much":
            counted(lambda H, d, G, r, p: {"mha": H * d, "window": H * d, "gqa": G * d, "mqa": d}),
        "the latent vector serves keys and values: it is kept once":
            counted(lambda H, d, G, r, p: {"mla": 2 * (r + p)}),
        "the latent vector serves keys and values: it is kept once, and the rotated part, too":
            counted(lambda H, d, G, r, p: {"mla": 2 * r + p}),
        "the latent vector is kept once, and the rotated part besides it: r + p":
            counted(lambda H, d, G, r, p: {"mla": 2 * r}),
        "the latent vector and the rotated part stand side by side: r + p numbers, not r times p":
            counted(lambda H, d, G, r, p: {"mla": r * p}),
        "r and p count all numbers that are kept; `width` has no part in them":
            counted(lambda H, d, G, r, p: {"mla": (r + p) * d}),
        "multi-query keeps one head of `width` numbers, not one number for each head":
            counted(lambda H, d, G, r, p: {"mqa": 2 * H}),
        "a text just longer than the window is kept whole: min(length, window + sinks) tokens":
            windowed(lambda T, w, s: w + s if w < T else T),
        "the latent vector serves all heads: it is not kept once for each":
            counted(lambda H, d, G, r, p: {"mla": H * (r + p)}),
        "the rotated part of the key is kept, too": counted(lambda H, d, G, r, p: {"mla": r}),
        "the rotated part is shared by all heads: it is kept once": counted(lambda H, d, G, r, p: {"mla": r + H * p}),
        "one layer only was counted": counted(times=lambda L, b: b),
        "these are numbers, not bytes: times `itemsize`": counted(times=lambda L, b: L),
        "`itemsize` was ignored": counted(times=lambda L, b: 2 * L),
        "these are bits, not bytes": counted(times=lambda L, b: 8 * L * b),
        "these are the bytes of one token; the whole text is asked for": counted(tokens=lambda kind, T, w, s: 1),
        "a number takes 2 bytes where `itemsize` is not given: this is twice as much":
            counted(times=lambda L, b: L * (4 if b == 2 else b)),
        "the sinks are kept besides the window": windowed(lambda T, w, s: min(T, w)),
        "the window keeps at most window + sinks tokens": windowed(lambda T, w, s: T),
        "a text shorter than the window needs less": windowed(lambda T, w, s: w + s),
        "the sinks are kept besides the window: min(length, window + sinks)": windowed(lambda T, w, s: min(T, w) + s),
        "grouped: G heads of keys are kept, not H": counted(lambda H, d, G, r, p: {"gqa": 2 * H * d}),
        "H / G heads were counted; G are kept": counted(lambda H, d, G, r, p: {"gqa": 2 * (H // G) * d}),
        "multi-query keeps one head": counted(lambda H, d, G, r, p: {"mqa": 2 * H * d}),
        "G heads of keys are kept in all, not G for each of the H":
            counted(lambda H, d, G, r, p: {"gqa": 2 * H * G * d}),
        '"mha" keeps all H heads, whatever `groups` says': counted(lambda H, d, G, r, p: {"mha": 2 * G * d}),
        '"window" keeps all H heads, whatever `groups` says': counted(lambda H, d, G, r, p: {"window": 2 * G * d}),
        "the window was used here, too: this kind has none": counted(tokens=lambda kind, T, w, s: min(T, w + s)),
        "these are MiB; bytes are asked for": counted(times=lambda L, b: L * b / 2**20),
        "multi-query keeps one head, whatever `groups` says": counted(lambda H, d, G, r, p: {"mqa": 2 * G * d}),
    }, cache_bytes)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    none = "`mask` may be None: then every key may be seen"

    def seen(rows):
        mask = []
        for row in rows.split():
            mask.append([place == "x" for place in row])
        return mask

    check(sink_mask, 4, 2, 1).equals(seen("x... xx.. xxx. x.xx"))
    check(sink_mask, 7, 2, 3).equals(seen("x...... xx..... xxx.... xxxx... xxxxx.. xxx.xx. xxx..xx"))
    q, k = torch.ones(1, 4, 1, 2), torch.zeros(1, 2, 2, 2)
    k[0, 1, 1, 0] = 1.5537  # ln 3, times the root of 2
    v = torch.tensor([[[[1.0, 0.0], [3.0, 0.0]], [[10.0, 1.0], [30.0, 5.0]]]])
    unmasked = check(grouped_attention, q, k, v).equals(
        [[[[2.0, 0.0]], [[2.0, 0.0]], [[25.0, 4.0]], [[25.0, 4.0]]]], rtol=1e-4, near={none: TypeError}
    )
    apart = torch.tensor([[[[True, False]], [[False, True]], [[False, False]], [[True, True]]]])
    check(grouped_attention, q, k, v, apart).equals(
        [[[[1.0, 0.0]], [[3.0, 0.0]], [[0.0, 0.0]], [[25.0, 4.0]]]], about="a mask for each head; one sees nothing",
        rtol=1e-4, near={"the mask of the first head was used for all": [[[[1.0, 0.0]]] * 2 + [[[10.0, 1.0]]] * 2]},
    )
    by_q = [[[[0.0, 0.0]], [[0.0, 0.0]], [[212.58, 0.0]], [[212.58, 0.0]]]]
    by_k = [[[[-2.828, -2.828], [2.828, 2.828]], [[-273.65, -273.65], [273.65, 273.65]]]]
    by_v = [[[[4.0, 0.0], [4.0, 0.0]], [[25.0, 4.0], [75.0, 12.0]]]]
    check(slopes, grouped_attention, q, k, v).equals(
        [by_q, by_k, by_v], about="gradients of the squares", rtol=1e-3, atol=1e-3, near=cut(unmasked)
    )
    model = {"layers": 3, "heads": 6, "width": 8}
    check(cache_bytes, "mha", 10, **model, groups=2).equals(5760)
    check(cache_bytes, "window", 10, **model, window=3, sinks=1).equals(2304)
    check(cache_bytes, "window", 2, **model, window=3, sinks=1).equals(1152)
    check(cache_bytes, "gqa", 10, **model, groups=2).equals(1920)
    check(cache_bytes, "mqa", 10, **model, itemsize=4).equals(1920)
    check(cache_bytes, "mla", 10, **model, latent=12, rotary=4, window=3).equals(960)
    def refused(kind):
        """Whether an unknown kind raises ValueError."""
        try:
            cache_bytes(kind, 3, 1, 1, 1)
        except ValueError:
            return True
        return False

    of_kind = {
        "for another kind no error came: raise ValueError, which a return or a print does not": False,
        "for another kind a KeyError came, as of a look-up in a dict: raise ValueError": KeyError,
        "for another kind no branch made the number: raise ValueError in an else": UnboundLocalError,
        "for another kind an AssertionError came: raise ValueError, an assert may be switched off": AssertionError,
        "for another kind a TypeError came: raise ValueError, before anything is computed": TypeError,
        "for another kind a NotImplementedError came: raise ValueError": NotImplementedError,
    }
    check(refused, "gka").equals(True, about="an unknown kind raises ValueError", edge=True, near=of_kind)
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    for T, w, s in [(7, 3, 2), (9, 4, 1), (6, 2, 3), (8, 3, 0), (5, 9, 1), (8, 1, 2), (80, 70, 2), (80, 2, 70)]:
        wanted = []
        for i in range(T):
            wanted.append([j <= i and (j > i - w or j in range(s)) for j in range(T)])
        check(sink_mask, T, w, s).equals(wanted, about="another window")
    check(sink_mask, 1, 1, 0).equals([[True]], about="one token", edge=True)
    check(sink_mask, 5, 2, 1).holds(
        lambda m: m.dtype == torch.bool, "a tensor of bool", about="the mask's dtype", edge=True,
        near={"the mask must be a bool tensor: True and False, not numbers": lambda m: True},
    )

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)
    for B, H, G, T_q, T_k, d in [(2, 6, 3, 4, 5, 3), (3, 8, 2, 5, 5, 4), (2, 4, 1, 3, 6, 2), (2, 4, 4, 3, 5, 3)]:
        case = 2 * draw(B, H, T_q, d), draw(B, G, T_k, d), draw(B, G, T_k, d)
        wanted = scaled_dot_product_attention(*case, enable_gqa=True)
        about = {1: "one head of keys", H: "as many heads of keys as of queries"}.get(G, "grouped heads")
        plain = check(grouped_attention, *case).equals(
            wanted, about=about, rtol=1e-4, atol=1e-5, near={none: TypeError}
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
        trained(grouped_attention, right, *case, mask)
        check(grouped_attention, *(t.double() for t in case), mask).holds(
            lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near={"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"},
        )
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

    check(refused, "mhq").equals(True, about="an unknown kind raises ValueError", edge=True, near=of_kind)
    ### END HIDDEN TESTS


score
