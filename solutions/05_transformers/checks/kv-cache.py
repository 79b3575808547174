from helpers.checks import graded


@graded("kv-cache", points=6)
def score(check):
    import torch
    from torch import nn

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    ahead = "the new tokens see those behind them"

    def made(shift=0, keep="both", look="both", order=1, swap=False, out=True, scale=True, causal=True, split="heads",
             merge="heads", read=(0, 1), roles=(0, 1, 2), bias_in=1, bias_out=1, heads=None, wide=False, over=-1,
             late=False, skip=0, rows=slice(None), leave=lambda kept: kept):
        def attend(x, cache, p, num_heads):
            B, n, C = x.shape
            H = heads or num_heads
            parts = F.linear(x, p["in_proj_weight"], p["in_proj_bias"] * bias_in).split(C, -1)
            parts = [parts[i] for i in roles]
            if split == "mixed":
                q, k, v = (s.reshape(B, n, -1, H).permute(0, 3, 1, 2) for s in parts)
            elif split == "heads":
                q, k, v = (s.reshape(B, n, H, -1).transpose(1, 2) for s in parts)
            else:
                q, k, v = (s.reshape(B, H, n, -1) for s in parts)
            K, W = k, v
            if cache is not None:
                cache = [cache[i] for i in read]
                K, W = (torch.cat([c, s][::order], 2) for c, s in zip(cache, (k, v), strict=True))
            kept = (K, W) if keep == "both" else (k, v)
            if look != "both":
                K, W = k, v
            T = K.shape[2]
            size = C if wide else C // H
            scores = q @ K.mT * (size**-0.5 if scale else 1)
            if causal:
                diagonal = 0 if causal == "upper" else T - n + shift
                seen = torch.ones(n, T).tril(diagonal).bool()
                seen = {"turned": ~seen, "future": torch.ones(n, T).triu(T - n).bool()}.get(causal, seen)
                scores = scores if late else scores.masked_fill(~seen, -torch.inf)
            chances = scores.softmax(over).nan_to_num()  # a query that may look nowhere: zeros, as the library has it
            z = (chances * seen if late else chances) @ W
            z = (z.transpose(1, 2) if merge == "heads" else z).reshape(B, n, C)
            z = F.linear(z, p["out_proj.weight"], p["out_proj.bias"] * bias_out) if out else z
            z, kept = (z + skip * x)[:, rows], leave(kept)
            return z, kept[::-1] if swap else kept

        return attend

    def with_zeros_before(x, cache, p, h):
        z, kept = made()(x, cache, p, h)
        old = 0 if cache is None else cache[0].shape[2]
        return torch.cat([torch.zeros(len(x), old, x.shape[2]), z], 1), kept

    check.mistakes({
        "the mask begins at the upper left (is_causal, or tril without T): the new tokens see too little of the cache":
            made(causal="upper"),
        ahead: made(causal=False),
        "the cache was not looked at: the new tokens see themselves alone": made(look="new"),
        "the cache was neither looked at nor kept": made(look="new", keep="new"),
        "the returned cache holds the new tokens alone: the old ones come first": made(keep="new"),
        "the new keys and values stand before the old ones": made(order=-1),
        "keys and values are exchanged in the cache": made(swap=True),
        "a token does not see itself": made(shift=-1),
        f"{ahead}: the mask is one too wide": made(shift=1),
        "the output projection is missing": made(out=False),
        "the scores are not divided by the root of d_k": made(scale=False),
        "the heads were cut out with `view` alone: split the last axis, then move heads forward": made(split="view"),
        "the heads were cut out and put together with `view` alone: split the last axis, then move heads forward":
            made(split="view", merge="view"),
        "the heads were put together with `view` alone: move the axis of heads back first": made(merge="view"),
        "keys and values are exchanged when the cache is read: it is (keys, values)": made(read=(1, 0)),
        "the old keys were taken for the old values, too: the cache is (keys, values)": made(read=(0, 0)),
        "the keys were taken for the values, too":
            lambda x, cache, p, h: (made(roles=(0, 1, 1), read=(0, 0))(x, cache, p, h)[0], made()(x, cache, p, h)[1]),
        "the heads are mixed: the first d_k numbers belong to the first head, the next to the second":
            made(split="mixed"),
        "the mask is turned round: True is where a query may look": made(causal="turned"),
        "the mask shows what comes later and hides what stands before": made(causal="future"),
        "softmax is over the keys, not over the queries": made(over=-2),
        "masked weights were set to 0 after the softmax: the others no longer add up to 1": made(late=True),
        "x is not added here: the block does that": made(skip=1),
        "the output of all new tokens is asked, not of the last alone": made(rows=slice(-1, None)),
        "the returned cache has lost its heads: (B, H, T, d_k) is asked":
            made(leave=lambda kept: tuple(t.transpose(1, 2).flatten(2) for t in kept)),
        "keys and values came in one tensor: a pair is asked": made(leave=lambda kept: torch.cat(kept, 2)),
        "keys and values came stacked in one tensor: a pair is asked": made(leave=lambda kept: torch.stack(kept)),
        "queries and keys are exchanged: in_proj_weight has queries, keys, values in this order": made(roles=(1, 0, 2)),
        "keys and values are exchanged: in_proj_weight has queries, keys, values in this order": made(roles=(0, 2, 1)),
        "queries and values are exchanged: in_proj_weight has queries, keys, values in this order":
            made(roles=(2, 1, 0)),
        "in_proj_bias is missing": made(bias_in=0),
        "out_proj.bias is missing": made(bias_out=0),
        "both biases are missing": made(bias_in=0, bias_out=0),
        "the scores are divided by the root of d_k, not of C": made(wide=True),
        "num_heads is ignored: this is one head": made(heads=1),
        "the cache has its tokens before its heads: (B, H, T, d_k) is asked":
            lambda x, cache, p, h: ((a := made()(x, cache, p, h))[0], tuple(t.transpose(1, 2) for t in a[1])),
        "the cache is returned as it came": lambda x, cache, p, h: (made()(x, cache, p, h)[0], cache),
        "the output is for the new tokens alone: (B, n, C)": with_zeros_before,
        "only the output came: the cache is asked, too": lambda x, cache, p, h: made()(x, cache, p, h)[0],
    }, cached_attention)
    ### END MISTAKES

    def weights(C, H, k=0.0):
        """The library's module with weights that are fixed numbers, none of them special."""
        made = nn.MultiheadAttention(C, H, batch_first=True)
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.4 + i) + k).reshape(v.shape) * 0.9
        return made

    def oracle(module, x, done, dtype=torch.float32):
        """The library's answer on the whole text: (the new tokens' output, (keys, values) of all, those of `done`)."""
        module = module.to(dtype)
        T, C, H = x.shape[1], x.shape[2], module.num_heads
        with torch.no_grad():
            out = module(x, x, x, attn_mask=torch.ones(T, T).triu(1).bool(), need_weights=False)[0]
            keys, values = (
                (x @ module.in_proj_weight[i * C : (i + 1) * C].T + module.in_proj_bias[i * C : (i + 1) * C])
                .view(*x.shape[:2], H, C // H).permute(0, 2, 1, 3) for i in (1, 2)
            )
        return (out[:, done:], (keys, values)), (keys[:, :, :done], values[:, :, :done])

    module = weights(2, 1)
    x = torch.tensor([[[1.0, -1.0], [0.5, 2.0], [-1.0, 1.0]]])
    mask = "the mask does not fit the scores (n, T + n): a row for each new token, a column for each key, old or new"
    expected, cache = oracle(module, x, 2)
    first = check(cached_attention, x[:, 2:], cache, dict(module.state_dict()), 1).equals(
        expected, rtol=1e-4, atol=1e-5
    )
    module = weights(4, 2)
    x = torch.tensor([[[1.0, -1.0, 0.5, 0.0], [0.5, 2.0, -0.5, 1.0], [-1.0, 1.0, 0.0, 2.0], [0.0, 0.5, 1.5, -1.0]]])
    expected, cache = oracle(module, x, 1)
    check(cached_attention, x[:, 1:], cache, dict(module.state_dict()), 2).equals(
        expected, about="two heads, three new tokens", rtol=1e-4, atol=1e-5,
        near={mask: RuntimeError} if first.passed else {}
    )
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden_of_all as golden

    check.hidden()
    cut = "the gradient is cut: no detach, no_grad, item or NumPy on the way from what goes in to what comes"

    draw, single = torch.Generator().manual_seed(int(check.rng.integers(2**31))), False
    for B, T, C, H, done, about in [
        (2, 6, 8, 2, 5, "one new token"), (3, 5, 12, 3, 4, "one new token"), (2, 7, 8, 4, 3, "several new tokens"),
        (3, 6, 6, 3, 2, "several new tokens"), (2, 5, 8, 2, 0, "a prompt, no cache yet"),
        (2, 5, 6, 2, 0, "a prompt, no cache yet"),
    ]:
        module = weights(C, H, k=float(torch.rand((), generator=draw)) * 6)
        x = torch.randn(B, T, C, generator=draw) * 1.5
        expected, cache = oracle(module, x, done)
        keys = "the new keys do not fit the cache (B, H, T, d_k): num_heads heads, tokens are the third axis"
        near = {"at the beginning the cache is None": TypeError, "at the beginning the cache is None ": AttributeError}
        if done:
            near = {mask if single else f"{keys}; or {mask}": RuntimeError}
        judged = check(cached_attention, x[:, done:], cache if done else None, dict(module.state_dict()), H).equals(
            expected, about=about, rtol=1e-3, atol=1e-4, near=near
        )
        single = single or (judged.passed and about == "one new token")  # then keys fit, and no mask is needed
    module, x = weights(6, 2, k=1.0), torch.randn(2, 4, 6, generator=draw)
    expected, cache = oracle(module, x, 0)
    p = dict(module.state_dict())

    def step_by_step():
        out, cache = [], None
        for t in range(4):
            z, cache = cached_attention(x[:, t : t + 1], cache, p, 2)
            out.append(torch.as_tensor(z))
        return torch.cat(out, 1)

    check(step_by_step).equals(expected[0], about="token after token", rtol=1e-3, atol=1e-4)
    x = torch.randn(2, 3, 6, generator=draw, dtype=torch.float64)
    expected, cache = oracle(weights(6, 2, k=2.0), x, 1, torch.float64)
    doubles = dict(weights(6, 2, k=2.0).double().state_dict())
    check(cached_attention, x[:, 1:], cache, doubles, 2).equals(
        expected, about="double precision", rtol=1e-9, atol=1e-10
    )
    x = x[:, :1].float()
    check(cached_attention, x, None, p, 2).equals(
        oracle(module, x, 0)[0], about="the first token", edge=True, rtol=1e-3, atol=1e-4
    )
    check.mistakes({}, cached_attention)
    for B, T, C, H, done in [(1, 3, 2, 1, 2), (1, 3, 4, 4, 1), (1, 1, 1, 1, 0), (68, 3, 66, 66, 1)]:
        x = torch.randn(B, T, C, generator=draw, dtype=torch.float64) * (40 if B > 1 else 1)
        module = weights(C, H, k=3.0)
        expected, cache = oracle(module, x, done, torch.float64)
        check(cached_attention, x[:, done:], cache if done else None, dict(module.state_dict()), H).equals(
            expected, about="one of each, many of each", edge=True, rtol=1e-6, atol=1e-6
        )
    p, x = dict(weights(6, 3, k=4.0).state_dict()), torch.randn(2, 3, 6, generator=draw)
    kept = tuple(torch.randn(2, 3, 2, 2, generator=draw) for _ in "kv")
    wanted = golden(made(), x, kept, p, 3)
    both = [wanted[0], *(v * 0 for v in wanted[1:3]), *wanted[3:]]
    check(slopes, cached_attention, x, kept, p, 3).equals(
        wanted, about="gradients of all that goes in", rtol=1e-3, atol=1e-3,
        near={cut: [v * 0 for v in wanted], "the gradient is cut on its way to x": [wanted[0] * 0, *wanted[1:]],
              "the gradient is cut on its way to the cache": both,
              "the gradient is cut on its way to the cached keys": [wanted[0], wanted[1] * 0, *wanted[2:]],
              "the gradient is cut on its way to the cached values": [*wanted[:2], wanted[2] * 0, *wanted[3:]],
              "the gradient is cut on its way to the weights": [*wanted[:3], *(v * 0 for v in wanted[3:])]},
    )
    ### END HIDDEN TESTS


score
