from helpers.checks import graded


@graded("sharing", points=8)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "off by one: the window holds `window` tokens, the token itself among them": {
            1: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
             [True, True, True, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, True, False, False, False],
             [True, True, True, True, True, False, False], [True, True, True, True, True, True, False],
             [True, True, True, False, True, True, True]],
        },
        "off by one: one token too few is in the window": {
            1: [[True, False, False, False], [True, True, False, False], [True, False, True, False],
             [True, False, False, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, True, False, False, False],
             [True, True, True, False, True, False, False], [True, True, True, False, False, True, False],
             [True, True, True, False, False, False, True]],
        },
        "the sinks are not seen": {
            1: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
             [False, False, True, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [False, True, True, False, False, False, False], [False, False, True, True, False, False, False],
             [False, False, False, True, True, False, False], [False, False, False, False, True, True, False],
             [False, False, False, False, False, True, True]],
        },
        "off by one: one sink too many": {
            1: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
             [True, True, True, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, True, False, False, False],
             [True, True, True, True, True, False, False], [True, True, True, True, True, True, False],
             [True, True, True, True, False, True, True]],
        },
        "the future is seen: j must not lie behind i": {
            1: [[True, True, True, True], [True, True, True, True], [True, True, True, True],
             [True, False, True, True]],
            2: [[True, True, True, True, True, True, True], [True, True, True, True, True, True, True],
             [True, True, True, True, True, True, True], [True, True, True, True, True, True, True],
             [True, True, True, True, True, True, True], [True, True, True, False, True, True, True],
             [True, True, True, False, False, True, True]],
        },
        "the window reaches into the future": {
            1: [[True, True, False, False], [True, True, True, False], [True, True, True, True],
             [True, False, True, True]],
            2: [[True, True, False, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, True, False, False, False], [True, True, True, True, True, False, False],
             [True, True, True, True, True, True, False], [True, True, True, False, True, True, True],
             [True, True, True, False, False, True, True]],
        },
        "the window reaches into the future, and a sink is seen before its time": {
            1: [[True, True, False, False], [True, True, True, False], [True, True, True, True],
             [True, False, True, True]],
            2: [[True, True, True, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, True, False, False, False], [True, True, True, True, True, False, False],
             [True, True, True, True, True, True, False], [True, True, True, False, True, True, True],
             [True, True, True, False, False, True, True]],
        },
        "the sinks are the tokens that are seen, the columns": {
            1: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
             [False, False, True, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [False, False, True, True, False, False, False],
             [False, False, False, True, True, False, False], [False, False, False, False, True, True, False],
             [False, False, False, False, False, True, True]],
        },
        "the sinks see everything here; everything sees the sinks": {
            1: [[True, True, True, True], [True, True, False, False], [False, True, True, False],
             [False, False, True, True]],
            2: [[True, True, True, True, True, True, True], [True, True, True, True, True, True, True],
             [True, True, True, True, True, True, True], [False, False, True, True, False, False, False],
             [False, False, False, True, True, False, False], [False, False, False, False, True, True, False],
             [False, False, False, False, False, True, True]],
        },
        "True means: may be seen. This mask is the reverse": {
            1: [[False, True, True, True], [False, False, True, True], [False, False, False, True],
             [False, True, False, False]],
            2: [[False, True, True, True, True, True, True], [False, False, True, True, True, True, True],
             [False, False, False, True, True, True, True], [False, False, False, False, True, True, True],
             [False, False, False, False, False, True, True], [False, False, False, True, False, False, True],
             [False, False, False, True, True, False, False]],
        },
        "the sinks are the first tokens, not the last": {
            1: [[True, False, False, False], [True, True, False, False], [False, True, True, False],
             [False, False, True, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [False, True, True, False, False, False, False], [False, False, True, True, False, False, False],
             [False, False, False, True, True, False, False], [False, False, False, False, True, True, False],
             [False, False, False, False, True, True, True]],
        },
        "the window was not used": {
            1: [[True, False, False, False], [True, True, False, False], [True, True, True, False],
             [True, True, True, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, True, False, False, False],
             [True, True, True, True, True, False, False], [True, True, True, True, True, True, False],
             [True, True, True, True, True, True, True]],
        },
        "the sinks alone are seen: the window is missing": {
            1: [[True, False, False, False], [True, False, False, False], [True, False, False, False],
             [True, False, False, False]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, False, False, False, False]],
        },
        "rows and columns are exchanged: queries are in rows": {
            1: [[True, True, True, True], [False, True, True, False], [False, False, True, True],
             [False, False, False, True]],
            2: [[True, True, True, True, True, True, True], [False, True, True, True, True, True, True],
             [False, False, True, True, True, True, True], [False, False, False, True, True, False, False],
             [False, False, False, False, True, True, False], [False, False, False, False, False, True, True],
             [False, False, False, False, False, False, True]],
        },
        "both conditions are asked for: inside the window, or a sink": {
            1: [[True, False, False, False], [True, False, False, False], [False, False, False, False],
             [False, False, False, False]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [False, True, True, False, False, False, False], [False, False, True, False, False, False, False],
             [False, False, False, False, False, False, False],
             [False, False, False, False, False, False, False],
             [False, False, False, False, False, False, False]],
        },
        "the sinks count among the window's tokens; they come besides": {
            1: [[True, False, False, False], [True, True, False, False], [True, False, True, False],
             [True, False, False, True]],
            2: [[True, False, False, False, False, False, False], [True, True, False, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, False, False, False, False]],
        },
        "a sink is seen before its time: j <= i holds for sinks, too": {
            2: [[True, True, True, False, False, False, False], [True, True, True, False, False, False, False],
             [True, True, True, False, False, False, False], [True, True, True, True, False, False, False],
             [True, True, True, True, True, False, False], [True, True, True, False, True, True, False],
             [True, True, True, False, False, True, True]],
        },
        "the heads of keys were used in the order 0, 1, 0, 1: neighbouring heads share, so repeat_interleave them": {
            3: [[[[2.0]], [[25.0]], [[2.0]], [[25.0]]]],
            4: [[[[1.0]], [[10.0]], [[1.0]], [[10.0]]]],
        },
        "all heads of queries used the first head of keys": {
            3: [[[[2.0]], [[2.0]], [[2.0]], [[2.0]]]],
            4: [[[[1.0]], [[1.0]], [[1.0]], [[1.0]]]],
        },
        "the keys were shared right, the values in the order 0, 1, 0, 1": {
            3: [[[[2.0]], [[20.0]], [[2.5]], [[25.0]]]],
            4: [[[[1.0]], [[10.0]], [[1.0]], [[10.0]]]],
        },
        "the values were shared right, the keys in the order 0, 1, 0, 1": {
            3: [[[[2.0]], [[2.5]], [[20.0]], [[25.0]]]],
        },
        "the groups are turned round: the first heads share the first head of keys": {
            3: [[[[25.0]], [[25.0]], [[2.0]], [[2.0]]]],
            4: [[[[10.0]], [[10.0]], [[1.0]], [[1.0]]]],
        },
        "the keys of a group were averaged: each head of keys stays as it is": {
            3: [[[[12.4737]], [[12.4737]], [[12.4737]], [[12.4737]]]],
            4: [[[[5.5]], [[5.5]], [[5.5]], [[5.5]]]],
        },
        "`mask` is None, and a causal mask was used: then every key may be seen": {
            3: [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]],
        },
        "the output alone is asked for, without the weights": {
            3: ([[[[2.0]], [[2.0]], [[25.0]], [[25.0]]]],
             [[[[0.5, 0.5]], [[0.5, 0.5]], [[0.250002, 0.749998]], [[0.250002, 0.749998]]]]),
            4: ([[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]],
             [[[[1.0, 0.0]], [[1.0, 0.0]], [[1.0, 0.0]], [[1.0, 0.0]]]]),
        },
        "the mask was not used": {
            4: [[[[2.0]], [[2.0]], [[25.0]], [[25.0]]]],
        },
        "the mask was used the wrong way round: True means that a key may be seen": {
            4: [[[[3.0]], [[3.0]], [[30.0]], [[30.0]]]],
        },
        "keys and values are kept: twice as much": {
            5: 2880,
            6: 1152,
            7: 960,
            8: 480,
        },
        "one layer only was counted": {
            5: 1920,
            6: 768,
            7: 640,
            8: 320,
            9: 320,
        },
        "these are numbers, not bytes: times `itemsize`": {
            5: 2880,
            6: 1152,
            7: 960,
            8: 480,
            9: 480,
        },
        "these are bits, not bytes": {
            5: 46080,
            6: 18432,
            7: 15360,
            8: 7680,
            9: 7680,
        },
        "these are the bytes of one token; the whole text is asked for": {
            5: 576,
            6: 576,
            7: 192,
            8: 96,
            9: 96,
        },
        "a number takes 2 bytes where `itemsize` is not given: this is twice as much": {
            5: 11520,
            6: 4608,
            7: 3840,
            8: 1920,
            9: 1920,
        },
        "\"mha\" keeps all H heads, whatever `groups` says": {
            5: 960,
        },
        "the window was used here, too: this kind has none": {
            5: 0,
            7: 0,
            8: 0,
            9: 0,
        },
        "these are MiB; bytes are asked for": {
            5: 0.00549316,
            6: 0.00219727,
            7: 0.00183105,
            8: 0.000915527,
            9: 0.000915527,
        },
        "the sinks are kept besides the window": {
            6: 1728,
        },
        "the window keeps at most window + sinks tokens": {
            6: 5760,
        },
        "\"window\" keeps all H heads, whatever `groups` says": {
            6: 384,
        },
        "grouped: G heads of keys are kept, not H": {
            7: 5760,
        },
        "H / G heads were counted; G are kept": {
            7: 2880,
        },
        "G heads of keys are kept in all, not G for each of the H": {
            7: 11520,
        },
        "multi-query keeps one head of `width` numbers, not one number for each head": {
            8: 720,
        },
        "multi-query keeps one head": {
            8: 5760,
        },
        "the latent vector serves keys and values: it is kept once": {
            9: 1920,
        },
        "the latent vector serves keys and values: it is kept once, and the rotated part, too": {
            9: 1680,
        },
        "the latent vector is kept once, and the rotated part besides it: r + p": {
            9: 1440,
        },
        "the latent vector and the rotated part stand side by side: r + p numbers, not r times p": {
            9: 2880,
        },
        "r and p count all numbers that are kept; `width` has no part in them": {
            9: 7680,
        },
        "the latent vector serves all heads: it is not kept once for each": {
            9: 5760,
        },
        "the rotated part of the key is kept, too": {
            9: 720,
        },
        "the rotated part is shared by all heads: it is kept once": {
            9: 2160,
        },
    })
    none = "`mask` may be None: then every key may be seen"

    def seen(rows):
        mask = []
        for row in rows.split():
            mask.append([place == "x" for place in row])
        return mask

    check(sink_mask, 4, 2, 1).equals(seen("x... xx.. xxx. x.xx"))
    check(sink_mask, 7, 2, 3).equals(seen("x...... xx..... xxx.... xxxx... xxxxx.. xxx.xx. xxx..xx"))
    q, k = torch.ones(1, 4, 1, 1), torch.tensor([[[[0.0], [0.0]], [[0.0], [1.0986]]]])  # 1.0986 is ln 3
    v = torch.tensor([[[[1.0], [3.0]], [[10.0], [30.0]]]])
    check(grouped_attention, q, k, v).equals(
        [[[[2.0]], [[2.0]], [[25.0]], [[25.0]]]], rtol=1e-4, near={none: TypeError}
    )
    check(grouped_attention, q, k, v, torch.tensor([[True, False]])).equals(
        [[[[1.0]], [[1.0]], [[10.0]], [[10.0]]]], about="with a mask", rtol=1e-4
    )
    model = {"layers": 3, "heads": 6, "width": 8}
    check(cache_bytes, "mha", 10, **model).equals(5760)
    check(cache_bytes, "window", 10, **model, window=3, sinks=1).equals(2304)
    check(cache_bytes, "gqa", 10, **model, groups=2).equals(1920)
    check(cache_bytes, "mqa", 10, **model).equals(960)
    check(cache_bytes, "mla", 10, **model, latent=12, rotary=4).equals(960)


score
