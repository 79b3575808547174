from helpers.checks import graded


@graded("kv-cache", points=6)
def score(check):
    import torch
    from torch import nn

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

    upper = (
        "the mask begins at the upper left (is_causal, or tril without T): the new tokens see too little of the cache"
    )
    ahead = "the new tokens see those behind them"
    later = "the mask shows what comes later and hides what stands before"
    forgot = "the cache was not looked at: the new tokens see themselves alone"
    fresh = "the returned cache holds the new tokens alone: the old ones come first"
    turned = "the new keys and values stand before the old ones"
    exchanged = "keys and values are exchanged in the cache"
    itself = "a token does not see itself"
    no_out = "the output projection is missing"
    unscaled = "the scores are not divided by the root of d_k"
    module = weights(2, 1)
    x = torch.tensor([[[1.0, -1.0], [0.5, 2.0], [-1.0, 1.0]]])
    mask = "the mask does not fit the scores (n, T + n): a row for each new token, a column for each key, old or new"
    expected, cache = oracle(module, x, 2)
    first = check(cached_attention, x[:, 2:], cache, dict(module.state_dict()), 1).equals(
        expected, rtol=1e-4, atol=1e-5, near={
            fresh: ([[[-1.02915, 0.0839669]]], ([[[[0.892152, -0.708323]]]], [[[[0.378371, -0.202525]]]])),
            upper: ([[[0.315745, 2.87377]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]],
                [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            forgot: ([[[-1.03353, 0.131493]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]],
                [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            later: ([[[-1.03353, 0.131493]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]],
                [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            turned: ([[[-1.02915, 0.0839669]]], ([[[[0.892152, -0.708323], [0.53645, 0.394534], [2.54822,
                -2.08433]]]], [[[[0.378371, -0.202525], [-1.3442, 1.94071], [1.31531, -0.592125]]]])),
            exchanged: ([[[-1.02915, 0.0839669]]], ([[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371,
                -0.202525]]]], [[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152, -0.708323]]]])),
            itself: ([[[-1.02745, 0.0655118]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            no_out: ([[[0.618082, -0.0687186]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            unscaled: ([[[-1.12994, -0.129641]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
        }
    )
    expected, cache = oracle(module, x, 1)
    check(cached_attention, x[:, 1:], cache, dict(module.state_dict()), 1).equals(
        expected, rtol=1e-4, atol=1e-5, near=({mask: RuntimeError} if first.passed else {}) | {
            upper: ([[[0.315745, 2.87377], [-1.02745, 0.0655118]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            ahead: ([[[-1.41473, -0.743123], [-1.02915, 0.0839669]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            forgot: ([[[-1.42226, -0.759929], [-1.29226, -0.461816]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            fresh: ([[[-1.41991, -0.755012], [-1.02915, 0.0839669]]], ([[[[2.54822, -2.08433], [0.892152,
                -0.708323]]]], [[[[1.31531, -0.592125], [0.378371, -0.202525]]]])),
            turned: ([[[-1.41704, -0.747957], [-1.02915, 0.0839669]]], ([[[[2.54822, -2.08433], [0.892152, -0.708323],
                [0.53645, 0.394534]]]], [[[[1.31531, -0.592125], [0.378371, -0.202525], [-1.3442, 1.94071]]]])),
            exchanged: ([[[-1.41991, -0.755012], [-1.02915, 0.0839669]]], ([[[[-1.3442, 1.94071], [1.31531,
                -0.592125], [0.378371, -0.202525]]]], [[[[0.53645, 0.394534], [2.54822, -2.08433], [0.892152,
                -0.708323]]]])),
            itself: ([[[0.315745, 2.87377], [-1.02745, 0.0655118]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            no_out: ([[[1.31171, -0.588698], [0.618082, -0.0687186]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
            unscaled: ([[[-1.42211, -0.759609], [-1.12994, -0.129641]]], ([[[[0.53645, 0.394534], [2.54822, -2.08433],
                [0.892152, -0.708323]]]], [[[[-1.3442, 1.94071], [1.31531, -0.592125], [0.378371, -0.202525]]]])),
        }
    )


score
