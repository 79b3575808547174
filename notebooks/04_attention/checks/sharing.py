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
            3: [[[[2.0, 0.0]], [[25.0001, 4.00001]], [[2.0, 0.0]], [[25.0001, 4.00001]]]],
            4: [[[[1.0, 0.0]], [[30.0, 5.0]], [[0.0, 0.0]], [[25.0001, 4.00001]]]],
        },
        "all heads of queries used the first head of keys": {
            3: [[[[2.0, 0.0]], [[2.0, 0.0]], [[2.0, 0.0]], [[2.0, 0.0]]]],
            4: [[[[1.0, 0.0]], [[3.0, 0.0]], [[0.0, 0.0]], [[2.0, 0.0]]]],
        },
        "the keys were shared right, the values in the order 0, 1, 0, 1": {
            3: [[[[2.0, 0.0]], [[20.0, 3.0]], [[2.50001, 0.0]], [[25.0001, 4.00001]]]],
            4: [[[[1.0, 0.0]], [[30.0, 5.0]], [[0.0, 0.0]], [[25.0001, 4.00001]]]],
        },
        "the values were shared right, the keys in the order 0, 1, 0, 1": {
            3: [[[[2.0, 0.0]], [[2.50001, 0.0]], [[20.0, 3.0]], [[25.0001, 4.00001]]]],
        },
        "the groups are reversed: the first heads share the first head of keys": {
            3: [[[[25.0001, 4.00001]], [[25.0001, 4.00001]], [[2.0, 0.0]], [[2.0, 0.0]]]],
            4: [[[[10.0, 1.0]], [[30.0, 5.0]], [[0.0, 0.0]], [[2.0, 0.0]]]],
        },
        "the keys of a group were averaged: each head of keys stays as it is": {
            3: [[[[12.4737, 1.76795]], [[12.4737, 1.76795]], [[12.4737, 1.76795]], [[12.4737, 1.76795]]]],
            4: [[[[5.5, 0.5]], [[16.5, 2.5]], [[0.0, 0.0]], [[12.4737, 1.76795]]]],
        },
        "`mask` is None, and a causal mask was used: then every key may be seen": {
            3: [[[[1.0, 0.0]], [[1.0, 0.0]], [[10.0, 1.0]], [[10.0, 1.0]]]],
        },
        "the scores are divided by d, not by its root": {
            3: [[[[2.0, 0.0]], [[2.0, 0.0]], [[23.7, 3.74]], [[23.7, 3.74]]]],
            4: [[[[1.0, 0.0]], [[3.0, 0.0]], [[0.0, 0.0]], [[23.7, 3.74]]]],
        },
        "the scores are not scaled": {
            3: [[[[2.0, 0.0]], [[2.0, 0.0]], [[26.5089, 4.30179]], [[26.5089, 4.30179]]]],
            4: [[[[1.0, 0.0]], [[3.0, 0.0]], [[0.0, 0.0]], [[26.5089, 4.30179]]]],
        },
        "the output alone is asked for, without the weights": {
            3: ([[[[2.0, 0.0]], [[2.0, 0.0]], [[25.0001, 4.00001]], [[25.0001, 4.00001]]]],
             [[[[0.5, 0.5]], [[0.5, 0.5]], [[0.249996, 0.750004]], [[0.249996, 0.750004]]]]),
            4: ([[[[1.0, 0.0]], [[3.0, 0.0]], [[0.0, 0.0]], [[25.0001, 4.00001]]]],
             [[[[1.0, 0.0]], [[0.0, 1.0]], [[0.0, 0.0]], [[0.249996, 0.750004]]]]),
        },
        "the mask was not used": {
            4: [[[[2.0, 0.0]], [[2.0, 0.0]], [[25.0001, 4.00001]], [[25.0001, 4.00001]]]],
        },
        "the mask was used the wrong way round: True means that a key may be seen": {
            4: [[[[3.0, 0.0]], [[1.0, 0.0]], [[25.0001, 4.00001]], [[0.0, 0.0]]]],
        },
        "a query that may see nothing got 0/0, which is NaN: zeros are asked for": {
            4: [[[[1.0, 0.0]], [[3.0, 0.0]], [[float("nan"), float("nan")]], [[25.0001, 4.00001]]]],
        },
        "a query that may see nothing got equal weights for all keys: zeros are asked for": {
            4: [[[[1.0, 0.0]], [[3.0, 0.0]], [[20.0, 3.0]], [[25.0001, 4.00001]]]],
        },
        "keys and values are kept: twice as much": {
            6: 2880,
            7: 1152,
            8: 576,
            9: 960,
            10: 960,
        },
        "one layer only was counted": {
            6: 1920,
            7: 768,
            8: 384,
            9: 640,
            10: 640,
            11: 320,
        },
        "these are numbers, not bytes: times `itemsize`": {
            6: 2880,
            7: 1152,
            8: 576,
            9: 960,
            10: 480,
            11: 480,
        },
        "these are bits, not bytes": {
            6: 46080,
            7: 18432,
            8: 9216,
            9: 15360,
            10: 15360,
            11: 7680,
        },
        "these are the bytes of one token; the whole text is asked for": {
            6: 576,
            7: 576,
            8: 576,
            9: 192,
            10: 192,
            11: 96,
        },
        "a number takes 2 bytes where `itemsize` is not given: this is twice as much": {
            6: 11520,
            7: 4608,
            8: 2304,
            9: 3840,
            11: 1920,
        },
        "\"mha\" keeps all H heads, whatever `groups` says": {
            6: 1920,
        },
        "the window was used here, too: this kind has none": {
            6: 0,
            9: 0,
            10: 0,
            11: 288,
        },
        "these are MiB; bytes are asked for": {
            6: 0.00549316,
            7: 0.00219727,
            8: 0.00109863,
            9: 0.00183105,
            10: 0.00183105,
            11: 0.000915527,
        },
        "the sinks are kept besides the window": {
            7: 1728,
        },
        "the window keeps at most window + sinks tokens": {
            7: 5760,
        },
        "\"window\" keeps all H heads, whatever `groups` says": {
            7: 384,
            8: 192,
        },
        "a text shorter than the window needs less": {
            8: 2304,
        },
        "the sinks are kept besides the window: min(length, window + sinks)": {
            8: 1728,
        },
        "grouped: G heads of keys are kept, not H": {
            9: 5760,
        },
        "H / G heads were counted; G are kept": {
            9: 2880,
        },
        "G heads of keys are kept in all, not G for each of the H": {
            9: 11520,
        },
        "multi-query keeps one head of `width` numbers, not one number for each head": {
            10: 1440,
        },
        "`itemsize` was ignored": {
            10: 960,
        },
        "multi-query keeps one head": {
            10: 11520,
        },
        "the latent vector serves keys and values: it is kept once": {
            11: 1920,
        },
        "the latent vector serves keys and values: it is kept once, and the rotated part, too": {
            11: 1680,
        },
        "the latent vector is kept once, and the rotated part besides it: r + p": {
            11: 1440,
        },
        "the latent vector and the rotated part stand side by side: r + p numbers, not r times p": {
            11: 2880,
        },
        "r and p count all numbers that are kept; `width` has no part in them": {
            11: 7680,
        },
        "the latent vector serves all heads: it is not kept once for each": {
            11: 5760,
        },
        "the rotated part of the key is kept, too": {
            11: 720,
        },
        "the rotated part is shared by all heads: it is kept once": {
            11: 2160,
        },
    })
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


score
