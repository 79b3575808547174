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


score
