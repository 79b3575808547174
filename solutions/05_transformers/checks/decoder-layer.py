from helpers.checks import graded


@graded("decoder-layer", points=5)
def score(check):
    import torch
    from torch import nn

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    def attend(x, keys, values, p, name, heads, mask=None, causal=False):
        C = x.shape[-1]
        weights, biases = p[f"{name}.in_proj_weight"].split(C), p[f"{name}.in_proj_bias"].split(C)
        q, k, v = (
            F.linear(s, w, b).view(*s.shape[:2], heads, -1).transpose(1, 2)
            for s, w, b in zip((x, keys, values), weights, biases, strict=True)
        )
        scores = q @ k.mT / (C // heads) ** 0.5
        scores = scores.masked_fill(~mask, -torch.inf) if mask is not None else scores
        if causal is not False:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(int(causal)).bool(), -torch.inf)
        chances = scores.softmax(-1).nan_to_num()  # a query that may look nowhere: zeros, as the library has it
        z = (chances @ v).transpose(1, 2).flatten(2)
        return F.linear(z, p[f"{name}.out_proj.weight"], p[f"{name}.out_proj.bias"])

    def standard(y, a, c, f, k, m, n):
        return n((v := m((u := k(y + a(y))) + c(u))) + f(v))

    def made(recipe=standard, causal=True, crossed=False, name="multihead_attn", masked=True, act=F.gelu, values=None,
             turn=False, heads=None, looks_at=None, own_heads=None, own_name="self_attn", reverse=False):
        """A decoder layer from a recipe that gets y, self-attention, cross-attention, feed-forward and three norms."""

        def decoder(y, memory, p, num_heads, memory_mask=None):
            def norm(i):
                return lambda v: F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

            def cross(u):
                seen = memory if looks_at is None else looks_at(u, memory)
                taken = seen if values is None else values(u, memory)
                mask = memory_mask if masked else None
                if turn and mask is not None:
                    mask = ~mask
                if reverse:
                    return attend(memory, u, u, p, name, num_heads)
                return attend(u, seen, taken, p, name, heads or num_heads, mask, crossed)

            def feed(v):
                hidden = act(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
                return F.linear(hidden, p["linear2.weight"], p["linear2.bias"])

            def own(v):
                return attend(v, v, v, p, own_name, own_heads or num_heads, causal=causal)

            return recipe(y, own, cross, feed, norm(1), norm(2), norm(3))

        return decoder

    check.mistakes({
        "self-attention looks ahead: it is causal in a decoder": made(causal=False),
        "cross-attention was masked causally, too: the whole memory may be read": made(crossed=True),
        "cross-attention used the weights of self_attn: its own are multihead_attn": made(name="self_attn"),
        "self-attention looks ahead and cross-attention does not: it is the other way round":
            made(causal=False, crossed=True),
        "the cross-attention is missing: the memory changes nothing":
            made(lambda y, a, c, f, k, m, n: n((u := k(y + a(y))) + f(u))),
        "the cross-attention is missing, its norm is there":
            made(lambda y, a, c, f, k, m, n: n((v := m(k(y + a(y)))) + f(v))),
        "the self-attention is missing": made(lambda y, a, c, f, k, m, n: n((v := m((u := k(y)) + c(u))) + f(v))),
        "the keys come from the memory, but the values do not":
            made(values=lambda u, memory: torch.cat([u] * len(memory[0]), 1)[:, : len(memory[0])]),
        "cross-attention stands after self-attention, not before it":
            made(lambda y, a, c, f, k, m, n: n((v := m((u := k(y + c(y))) + a(u))) + f(v))),
        "self-attention and cross-attention stand beside each other: one follows the other":
            made(lambda y, a, c, f, k, m, n: n((v := m(k(y + a(y) + c(y)))) + f(v))),
        "cross-attention looks from y, not from the output of self-attention":
            made(lambda y, a, c, f, k, m, n: n((v := m(k(y + a(y)) + c(y))) + f(v))),
        "the residual around self-attention is missing":
            made(lambda y, a, c, f, k, m, n: n((v := m((u := k(a(y))) + c(u))) + f(v))),
        "the residual around cross-attention is missing":
            made(lambda y, a, c, f, k, m, n: n((v := m(c(k(y + a(y))))) + f(v))),
        "the residual around feed-forward is missing":
            made(lambda y, a, c, f, k, m, n: n(f(m((u := k(y + a(y))) + c(u))))),
        "all residuals are missing": made(lambda y, a, c, f, k, m, n: n(f(m(c(k(a(y))))))),
        "norm2 and norm3 are exchanged": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, n, m)),
        "norm1 is used three times": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, k, k)),
        "norm2 is used twice, norm3 not at all": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, m, m)),
        "norm1 is used twice, and norm2 at the end": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, k, k, m)),
        "the norms are missing": made(lambda y, a, c, f, k, m, n: (v := (u := y + a(y)) + c(u)) + f(v)),
        "the norm behind the feed-forward network is missing":
            made(lambda y, a, c, f, k, m, n: (v := m((u := k(y + a(y))) + c(u))) + f(v)),
        "these are pre-norm sublayers: post-norm is asked":
            made(lambda y, a, c, f, k, m, n: (v := (u := y + a(k(y))) + c(m(u))) + f(n(v))),
        "ReLU stands in the feed-forward network; GELU is asked": made(act=torch.relu),
        "memory_mask is ignored": made(masked=False),
        "memory_mask was cut to its first part, of one text or one query: it is handed on as it comes":
            lambda y, memory, p, heads, memory_mask=None:
                made()(y, memory, p, heads, None if memory_mask is None else memory_mask[:1]),
        "memory_mask is turned round: True is where a query may look": made(turn=True),
        "the feed-forward half is missing": made(lambda y, a, c, f, k, m, n: m((u := k(y + a(y))) + c(u))),
        "the memory looks at y here: the queries come from y":
            lambda y, memory, p, h, memory_mask=None: made()(memory, y, p, h),
        "cross-attention looks at y itself: keys and values come from the memory":
            made(looks_at=lambda u, memory: u, masked=False),
        "the feed-forward half is missing, its norm is there":
            made(lambda y, a, c, f, k, m, n: n(m((u := k(y + a(y))) + c(u)))),
        "the residual around cross-attention adds u, not y":
            made(lambda y, a, c, f, k, m, n: n((v := m(y + c(k(y + a(y))))) + f(v))),
        "the feed-forward network works on the output of cross-attention (v), not on u":
            made(lambda y, a, c, f, k, m, n: n(m((u := k(y + a(y))) + c(u)) + f(u))),
        "num_heads is ignored: this is one head": made(heads=1, own_heads=1),
        "num_heads is ignored in self-attention: this is one head": made(own_heads=1),
        "num_heads is ignored in cross-attention: this is one head": made(heads=1),
        "self-attention used the weights of multihead_attn: its own are self_attn": made(own_name="multihead_attn"),
        "the weights of the two attentions are exchanged: the memory is for multihead_attn":
            made(own_name="multihead_attn", name="self_attn"),
        "norm1 and norm2 are exchanged": made(lambda y, a, c, f, k, m, n: standard(y, a, c, f, m, k, n)),
        "the norm behind self-attention is missing":
            made(lambda y, a, c, f, k, m, n: n((v := m((u := y + a(y)) + c(u))) + f(v))),
        "the norm behind cross-attention is missing":
            made(lambda y, a, c, f, k, m, n: n((v := (u := k(y + a(y))) + c(u)) + f(v))),
        "the residual around feed-forward adds v, not u":
            made(lambda y, a, c, f, k, m, n: n((u := k(y + a(y))) + f(m(u + c(u))))),
        "the residual around feed-forward adds v, not y":
            made(lambda y, a, c, f, k, m, n: n(y + f(m((u := k(y + a(y))) + c(u))))),
        "cross-attention stands after self-attention, not before it; here each has its own norm":
            made(lambda y, a, c, f, k, m, n: n((v := k((u := m(y + c(y))) + a(u))) + f(v))),
        "the memory is taken as it is, without a norm":
            lambda y, memory, p, *rest: made()(
                y, F.layer_norm(memory, memory.shape[-1:], p["norm2.weight"], p["norm2.bias"]), p, *rest),
        "SiLU stands in the feed-forward network; GELU is asked": made(act=F.silu),
        "the tanh approximation stands in the feed-forward network; GELU is asked in its exact form":
            made(act=lambda z: F.gelu(z, approximate="tanh")),
        "the bias of linear1 is missing":
            lambda y, memory, p, *rest: made()(y, memory, p | {"linear1.bias": 0 * p["linear1.bias"]}, *rest),
        "the bias of linear2 is missing":
            lambda y, memory, p, *rest: made()(y, memory, p | {"linear2.bias": 0 * p["linear2.bias"]}, *rest),
        "a token does not see itself: causal means itself and what stands before": made(causal=0),
        "in cross-attention the memory asks: queries come from u, keys and values from the memory": made(reverse=True),
    }, decoder_layer)
    ### END MISTAKES

    def layer(C, H, width, k=0.0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerDecoderLayer(C, H, width, 0.0, "gelu", batch_first=True)
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.2 + i) + k).reshape(v.shape) * 0.8
        return made

    def oracle(made, y, memory, rest=None):
        with torch.no_grad():
            T = y.shape[1]
            return made(y, memory, tgt_mask=torch.ones(T, T).triu(1).bool(), memory_key_padding_mask=rest)

    made_layer = layer(4, 2, 5)
    y = torch.tensor([[[0.5, -0.5, 0.0, 1.0], [1.0, 0.0, -1.0, 0.5]]])
    memory = torch.tensor([[[0.5, 1.0, -1.0, 0.0], [2.0, 0.0, 1.0, -1.0], [-1.0, 0.5, 0.0, 1.0]]])
    check(decoder_layer, y, memory, dict(made_layer.state_dict()), 2).equals(
        oracle(made_layer, y, memory), rtol=1e-4, atol=1e-4
    )
    seen = torch.tensor([[[[True, False, True]]]])
    check(decoder_layer, y, memory, dict(made_layer.state_dict()), 2, seen).equals(
        oracle(made_layer, y, memory, ~seen[0, 0]), about="a memory of which one token is hidden", rtol=1e-4, atol=1e-4
    )
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden_of_all as golden

    check.hidden()
    cut = "the gradient is cut: no detach, no_grad, item or NumPy on the way from what goes in to what comes"
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    near = {"rtol": 1e-3, "atol": 2e-4}
    for B, T, S, C, H, width in [(2, 4, 6, 8, 2, 12), (3, 5, 3, 12, 3, 12), (2, 5, 5, 8, 4, 20)]:
        made_layer = layer(C, H, width, k=float(torch.rand((), generator=draw)) * 6)
        y, memory = (torch.randn(B, n, C, generator=draw) * 1.5 for n in (T, S))
        rest = torch.rand(B, S, generator=draw) < 0.35
        rest[:, 0], rest[0, 1] = False, True
        p = dict(made_layer.state_dict())
        check(decoder_layer, y, memory, p, H).equals(oracle(made_layer, y, memory), about="fresh inputs", **near)
        check(decoder_layer, y, memory, p, H, ~rest[:, None, None]).equals(
            oracle(made_layer, y, memory, rest), about="memory with padding", **near
        )
    p = dict(layer(3, 1, 4).state_dict())
    for B, T, S in [(2, 1, 1), (1, 1, 3), (1, 3, 1)]:
        y, memory = (torch.randn(B, n, 3, generator=draw) for n in (T, S))
        check(decoder_layer, y, memory, p, 1).equals(
            made()(y, memory, p, 1), about="one token, one text, one head", edge=True, **near
        )
    p = dict(layer(6, 2, 9).double().state_dict())
    y, memory = (torch.randn(2, n, 6, generator=draw, dtype=torch.float64) for n in (3, 4))
    check(decoder_layer, y, memory, p, 2).equals(
        made()(y, memory, p, 2), about="double precision", rtol=1e-9, atol=1e-10
    )
    p = dict(layer(6, 2, 9, 1.0).state_dict())
    y, memory = (torch.randn(2, n, 6, generator=draw) for n in (3, 4))
    rest = torch.rand(2, 2, 3, 4, generator=draw) < 0.6
    rest[..., 1] = True
    check(decoder_layer, y, memory, p, 2, rest).equals(
        made()(y, memory, p, 2, rest), about="each head and query with a mask of its own", **near
    )
    check.mistakes({}, decoder_layer)
    q = dict(layer(66, 66, 4).double().state_dict())
    big, seen = (torch.randn(68, n, 66, generator=draw).double() * 40 for n in (2, 3))
    much = torch.rand(68, 1, 1, 3, generator=draw) < 0.6
    much[..., 0] = True
    check(decoder_layer, big, seen, q, 66, much).equals(
        made()(big, seen, q, 66, much), about="many texts, many heads, large numbers", rtol=1e-6, atol=1e-6
    )
    wanted = golden(made(), y, memory, p, 2, rest)

    def off(v):
        return v.detach()

    recipes = {
        "self-attention": lambda y, a, c, f, k, m, n: n((v := m((u := k(y + off(a(y)))) + c(u))) + f(v)),
        "cross-attention": lambda y, a, c, f, k, m, n: n((v := m((u := k(y + a(y))) + off(c(u)))) + f(v)),
        "the feed-forward network": lambda y, a, c, f, k, m, n: n((v := m((u := k(y + a(y))) + c(u))) + off(f(v))),
    }
    check(slopes, decoder_layer, y, memory, p, 2, rest).equals(
        wanted, about="gradients of the layer", rtol=2e-3, atol=1e-3,
        near={cut: [v * 0 for v in wanted], "the gradient is cut on its way to y": [wanted[0] * 0, *wanted[1:]],
              "the gradient is cut on its way to the memory": [wanted[0], wanted[1] * 0, *wanted[2:]],
              "the gradient is cut on its way to the weights": [*wanted[:2], *(v * 0 for v in wanted[2:])]}
        | {f"the gradient is cut around {name}": golden(made(recipe), y, memory, p, 2, rest)
           for name, recipe in recipes.items()},
    )
    ### END HIDDEN TESTS


score
