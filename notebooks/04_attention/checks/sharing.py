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


score
