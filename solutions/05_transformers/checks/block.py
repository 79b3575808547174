from helpers.checks import graded


@graded("block", points=8)
def score(check):
    import torch
    from torch import nn

    ### BEGIN MISTAKES
    import math
    import torch.nn.functional as F

    tanh = "this is the approximation with tanh; the exact form has erf"
    relu = "this is ReLU, which has a corner at 0"

    def erf(z, scale=math.sqrt(2)):
        return torch.erf(z / scale)

    gelu_mistakes = {
        tanh: lambda z: F.gelu(z, approximate="tanh"),
        "this is the approximation by the logistic function; the exact form has erf":
            lambda z: z * torch.sigmoid(1.702 * z),
        relu: torch.relu,
        "this is SiLU: z times the logistic function of z": F.silu,
        "inside erf, z is divided by the root of 2": lambda z: z * (1 + erf(z, 1)) / 2,
        "inside erf, z is divided by the root of 2, not by 2": lambda z: z * (1 + erf(z, 2)) / 2,
        "inside erf, z is divided by the root of 2, not multiplied by it": lambda z: z * (1 + erf(z, 0.5**0.5)) / 2,
        "the root of 2 is rounded: math.sqrt(2) has all its digits": lambda z: z * (1 + erf(z, 1.414)) / 2,
        "a factor 1/2 is missing": lambda z: z * (1 + erf(z)),
        "this is the gate alone: multiply by z": lambda z: (1 + erf(z)) / 2,
        "1 is added to erf before halving": lambda z: z * erf(z) / 2,
        "1 plus erf is asked, not 1 minus erf": lambda z: z * (1 - erf(z)) / 2,
        "the density of the normal distribution stands where its distribution function is asked":
            lambda z: z * torch.exp(-z * z / 2) / math.sqrt(2 * math.pi),
    }
    check.mistakes(gelu_mistakes, gelu)

    def network(act=F.gelu, outer=lambda y: y, first=1, second=1, skip=0):
        return lambda x, w1, b1, w2, b2: outer(F.linear(act(F.linear(x, w1, b1 * first)), w2, b2 * second)) + skip * x

    unlike = {words: network(act=act) for words, act in gelu_mistakes.items() if words not in (tanh, relu)}
    check.mistakes(unlike | {
        "the activation between the two layers is missing": network(act=lambda z: z),
        "the activation stands between the two layers, not after the second": network(act=lambda z: z, outer=F.gelu),
        "only the middle is activated: the output is not": network(outer=F.gelu),
        "the bias b1 is missing": network(first=0),
        "the bias b2 is missing": network(second=0),
        "both biases are missing": network(first=0, second=0),
        "x is not added here: the block does that": network(skip=1),
        "ReLU stands between the layers; GELU is asked": network(act=torch.relu),
        "the activation stands before the first layer; it stands between the two":
            lambda x, *rest: network(act=lambda z: z)(F.gelu(x), *rest),
        "the bias b1 is added before the activation, not after it":
            lambda x, w1, b1, w2, b2: F.linear(F.gelu(x @ w1.T) + b1, w2, b2),
        "the tanh approximation stands between the layers; GELU is asked in its exact form":
            network(act=lambda z: F.gelu(z, approximate="tanh")),
        "the first layer is linear and the second is activated twice": network(outer=lambda y: F.gelu(F.gelu(y))),
        "the matrices are used the wrong way round: x @ w1.T, as nn.Linear does":
            lambda x, w1, b1, w2, b2: F.gelu(x @ w1 + b1) @ w2 + b2,
        "the first matrix is used the wrong way round: x @ w1.T":
            lambda x, w1, b1, w2, b2: F.linear(F.gelu(x @ w1 + b1), w2, b2),
        "the second matrix is used the wrong way round":
            lambda x, w1, b1, w2, b2: F.gelu(F.linear(x, w1, b1)) @ w2 + b2,
        "w1 and w2 are exchanged": lambda x, w1, b1, w2, b2: F.linear(F.gelu(F.linear(x, w2, b1)), w1, b2),
    }, feed_forward)

    def attend(x, p, heads, mask, memory=None):
        B, T, C = x.shape
        both = torch.stack([x, x if memory is None else memory])
        qkv = F.linear(both, p["self_attn.in_proj_weight"], p["self_attn.in_proj_bias"])
        (q, _, _), (_, k, v) = qkv.view(2, B, T, 3, heads, C // heads).permute(0, 3, 1, 4, 2, 5)
        scores = q @ k.mT / (C // heads) ** 0.5
        scores = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
        chances = scores.softmax(-1).nan_to_num()  # a query that may look nowhere: zeros, as the library has it
        z = (chances @ v).transpose(1, 2).reshape(B, T, C)
        return F.linear(z, p["self_attn.out_proj.weight"], p["self_attn.out_proj.bias"])

    def pre(x, a, f, m, n):
        return (y := x + a(m(x))) + f(n(y))

    def post(x, a, f, m, n):
        return n((y := m(x + a(x))) + f(y))

    def made(before=pre, after=post, act=F.gelu, masked=True, turn=False, causal=False, heads=None):
        """A block from two recipes; each gets x, attention, feed-forward, and both norms."""

        def block(x, p, num_heads, norm_first=False, mask=None):
            def norm(i):
                return lambda v: F.layer_norm(v, v.shape[-1:], p[f"norm{i}.weight"], p[f"norm{i}.bias"])

            def feed(v):
                hidden = act(F.linear(v, p["linear1.weight"], p["linear1.bias"]))
                return F.linear(hidden, p["linear2.weight"], p["linear2.bias"])

            recipe = before if norm_first else after
            T = x.shape[1]
            if mask is None and causal:
                mask = torch.ones(T, T, dtype=torch.bool).tril()
            if turn and mask is not None:
                mask = ~mask
            mask = mask if masked else None
            return recipe(x, lambda v, m=None: attend(v, p, heads or num_heads, mask, m), feed, norm(1), norm(2))

        return block

    def without(*names, value=0.0):
        """The right block, but with some of its weights replaced by one number."""
        return lambda x, p, *rest, **more: made()(
            x, {k: torch.full_like(v, value) if k.endswith(names) else v for k, v in p.items()}, *rest, **more
        )

    check.mistakes({
        "the bias of linear1 is missing": without("linear1.bias"),
        "the bias of linear2 is missing": without("linear2.bias"),
        "both biases of the feed-forward network are missing": without("linear1.bias", "linear2.bias"),
        "the biases of the norms are missing": without("norm1.bias", "norm2.bias"),
        "the norms are without their weight and bias":
            lambda x, p, *rest, **more: without("norm1.bias", "norm2.bias")(
                x, p | {f"norm{i}.weight": torch.ones(x.shape[-1]) for i in (1, 2)}, *rest, **more),
        "the tanh approximation stands in the feed-forward network: GELU is asked in its exact form":
            made(act=lambda z: F.gelu(z, approximate="tanh")),
        "the activation of the feed-forward network is missing": made(act=lambda z: z),
        "pre-norm: the norm is of what goes into a sublayer, not of what comes out":
            made(before=lambda x, a, f, m, n: (y := x + m(a(x))) + n(f(y))),
        "post-norm: the first norm is of the sum, not of attention's output alone":
            made(after=lambda x, a, f, m, n: n((y := x + m(a(x))) + f(y))),
        "post-norm: the second norm is of the sum, not of the network's output alone":
            made(after=lambda x, a, f, m, n: (y := m(x + a(x))) + n(f(y))),
        "pre-norm: the queries, too, come from the norm of x; here only keys and values do":
            made(before=lambda x, a, f, m, n: (y := x + a(x, m(x))) + f(n(y))),
        "feed-forward comes first here, each with its own norm; attention does":
            made(lambda x, a, f, m, n: (y := x + f(n(x))) + a(m(y)),
                lambda x, a, f, m, n: m((y := n(x + f(x))) + a(y))),
        "norm_first is ignored: this is the post-norm block": made(before=post),
        "norm_first is ignored: this is the pre-norm block": made(after=pre),
        "pre-norm and post-norm are exchanged": made(before=post, after=pre),
        "the residual around attention is missing":
            made(lambda x, a, f, m, n: (y := a(m(x))) + f(n(y)), lambda x, a, f, m, n: n((y := m(a(x))) + f(y))),
        "the residual around feed-forward is missing":
            made(lambda x, a, f, m, n: f(n(x + a(m(x)))), lambda x, a, f, m, n: n(f(m(x + a(x))))),
        "both residuals are missing": made(lambda x, a, f, m, n: f(n(a(m(x)))), lambda x, a, f, m, n: n(f(m(a(x))))),
        "pre-norm: what is added is x itself, not its norm":
            made(before=lambda x, a, f, m, n: (u := n((w := m(x)) + a(w))) + f(u)),
        "pre-norm: the second residual adds y itself, not its norm":
            made(before=lambda x, a, f, m, n: (u := n(x + a(m(x)))) + f(u)),
        "pre-norm: the first residual adds x itself, not its norm":
            made(before=lambda x, a, f, m, n: (y := (w := m(x)) + a(w)) + f(n(y))),
        "norm1 is used twice; the second sublayer has norm2":
            made(lambda x, a, f, m, n: pre(x, a, f, m, m), lambda x, a, f, m, n: post(x, a, f, m, m)),
        "norm1 and norm2 are exchanged":
            made(lambda x, a, f, m, n: pre(x, a, f, n, m), lambda x, a, f, m, n: post(x, a, f, n, m)),
        "the norms are missing":
            made(lambda x, a, f, m, n: (y := x + a(x)) + f(y), lambda x, a, f, m, n: (y := x + a(x)) + f(y)),
        "the first norm is missing":
            made(lambda x, a, f, m, n: (y := x + a(x)) + f(n(y)), lambda x, a, f, m, n: n((y := x + a(x)) + f(y))),
        "the second norm is missing":
            made(lambda x, a, f, m, n: (y := x + a(m(x))) + f(y), lambda x, a, f, m, n: (y := m(x + a(x))) + f(y)),
        "post-norm: the norm is of the sum, not of the sublayer's output alone":
            made(after=lambda x, a, f, m, n: (y := x + m(a(x))) + n(f(y))),
        "the second sublayer works on the output of the first (y), not on x":
            made(lambda x, a, f, m, n: x + a(m(x)) + f(n(x)), lambda x, a, f, m, n: n(m(x + a(x)) + f(x))),
        "the second residual adds y, not x":
            made(lambda x, a, f, m, n: x + f(n(x + a(m(x)))), lambda x, a, f, m, n: n(x + f(m(x + a(x))))),
        "ReLU stands in the feed-forward network; GELU is asked": made(act=torch.relu),
        "the mask is ignored": made(masked=False),
        "the mask was cut to its first part, of one text or one query: it is handed on as it comes":
            lambda x, p, heads, norm_first=False, mask=None:
                made()(x, p, heads, norm_first, None if mask is None else mask[:1]),
        "the feed-forward half is missing": made(lambda x, a, f, m, n: x + a(m(x)), lambda x, a, f, m, n: m(x + a(x))),
        "the attention half is missing": made(lambda x, a, f, m, n: x + f(n(x)), lambda x, a, f, m, n: n(x + f(x))),
        "feed-forward comes first here; attention does":
            made(lambda x, a, f, m, n: (y := x + f(m(x))) + a(n(y)),
                lambda x, a, f, m, n: n((y := m(x + f(x))) + a(y))),
        "one more norm stands at the end of the pre-norm block; that belongs to the whole stack":
            made(before=lambda x, a, f, m, n: n(pre(x, a, f, m, n))),
        "the mask is turned round: True is where a query may look": made(turn=True),
        "without a mask each token sees all the others: an encoder's attention is not causal": made(causal=True),
        "num_heads is ignored: this is one head": made(heads=1),
        "pre-norm: keys and values, too, come from the norm of x; here only the queries do":
            made(before=lambda x, a, f, m, n: (y := x + a(m(x), x)) + f(n(y))),
    }, encoder_block)
    ### END MISTAKES
    check(gelu, torch.tensor([-1.0, 0.0, 1.0, 2.0])).equals([-0.1586553, 0.0, 0.8413447, 1.9544997])
    changed = {"the dtype changed: float64 goes in and must come out": lambda v: str(v.dtype) != "torch.float64"}
    check(gelu, torch.tensor([1.0, -1.0], dtype=torch.float64)).holds(
        lambda v: str(v.dtype) == "torch.float64", "a tensor of float64", about="GELU of float64", near=changed)
    x, w1 = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    b1, b2 = torch.tensor([0.0, 0.5, 1.0]), torch.tensor([1.0, -1.0])
    w2 = torch.tensor([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
    turned = {"w1 is (F, C) and w2 (C, F), as nn.Linear keeps them: x @ w1.T": RuntimeError}
    any_axes = "x is (..., C): there may be any number of axes before the last, or none"
    of_rows, of_texts = check(feed_forward, x, w1, b1, w2, b2), check(feed_forward, x[None], w1, b1, w2, b2)
    three_axes = of_texts.equals([[[1.532807, -1.321697]]], about="three axes", edge=True, near=turned).passed
    axes = {any_axes: RuntimeError, f"{any_axes} ": ValueError} if three_axes else {}
    of_rows.equals([[1.532807, -1.321697]], near=axes or turned)

    def layer(C, H, width, norm_first, k=0):
        """The library's layer with weights that are fixed numbers, none of them special."""
        made = nn.TransformerEncoderLayer(C, H, width, 0.0, "gelu", batch_first=True, norm_first=norm_first).eval()
        for i, (_, v) in enumerate(made.named_parameters()):
            v.data = torch.sin(torch.arange(1.0, v.numel() + 1) * (1.3 + i) + k).reshape(v.shape) * 0.8
        return made

    x = torch.tensor([[[1.0, -2.0, 0.5, 3.0], [0.0, 1.0, -1.0, 2.0]]])
    after, before = layer(4, 2, 5, False), layer(4, 2, 5, True)
    with torch.no_grad():
        expected, expected_before = after(x), before(x)
    check(encoder_block, x, dict(after.state_dict()), 2).equals(expected, rtol=1e-4, atol=1e-4)
    check(encoder_block, x, dict(before.state_dict()), 2, norm_first=True).equals(expected_before, rtol=1e-4, atol=1e-4)
    seen = torch.tensor([[[[True, False], [True, False]]]])
    with torch.no_grad():
        expected = after(x, src_mask=~seen[0, 0])
    check(encoder_block, x, dict(after.state_dict()), 2, mask=seen).equals(
        expected, about="a mask", rtol=1e-4, atol=1e-4)
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden_of_all as golden

    check.hidden()
    cut = "the gradient is cut: no detach, no_grad, item or NumPy on the way from what goes in to what comes"
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for shape in [(3, 4), (2, 3, 5), (2, 3, 5), (70, 2)]:
        z = torch.randn(shape, generator=draw) * 2
        check(gelu, z).equals(F.gelu(z), about="fresh numbers", rtol=1e-5, atol=1e-6)
    for shape in [(1, 1, 3), ()]:
        z = torch.randn(shape, generator=draw)
        check(gelu, z).equals(F.gelu(z), about="GELU of one row, of one number", edge=True, rtol=1e-5, atol=1e-6)
    z = torch.linspace(-4, 4, 33, dtype=torch.float64)
    check(gelu, z).equals(F.gelu(z), about="double precision", rtol=1e-6, atol=1e-8)
    check(gelu, z).holds(
        lambda v: str(v.dtype) == "torch.float64", "a tensor of float64", edge=True, about="GELU keeps the dtype",
        near=changed,
    )
    z = torch.randn(2, 3, generator=draw)
    check(slopes, gelu, z).equals(
        golden(F.gelu, z), about="gradient of GELU", rtol=1e-3, atol=1e-5, near={cut: [z * 0]}
    )
    check(gelu, torch.tensor([-60.0, 60.0, 1e4])).equals([0.0, 60.0, 1e4], about="large numbers", edge=True, atol=1e-6)
    for shape, width, about in [
        ((2, 3, 4), 7, "fresh weights"), ((2, 3, 4), 7, "fresh weights"), ((5, 6), 24, "fresh weights"),
        ((3, 4, 5), 5, "as wide in the middle as outside"), ((3,), 8, "fresh weights"),
        ((70, 66), 68, "many and large"),
        ((1, 1, 3), 4, "sizes of one"), ((2, 3, 4), 1, "sizes of one"), ((2, 3, 1), 4, "sizes of one"),
    ]:
        C, scale = shape[-1], 20 if about == "many and large" else 1
        case = [torch.randn(s, generator=draw) * scale for s in (shape, (width, C), (width,), (C, width), (C,))]
        check(feed_forward, *case).equals(
            network()(*case), about=about, rtol=1e-4, atol=2e-5 * scale**4, edge=about == "sizes of one",
            near={} if len(shape) == 3 else axes
        )
    case = [torch.randn(s, generator=draw, dtype=torch.float64) for s in ((2, 3, 4), (7, 4), 7, (4, 7), 4)]
    check(feed_forward, *case).equals(
        network()(*case), about="the network in double precision", edge=True, rtol=1e-7, atol=1e-8
    )
    check(feed_forward, *case).holds(
        lambda v: str(v.dtype) == "torch.float64", "a tensor of float64", about="the network keeps the dtype",
        edge=True,
        near=changed,
    )
    wanted = golden(network(), *case)
    cuts = {cut: [v * 0 for v in wanted]}
    for i, name in enumerate(("x", "w1", "b1", "w2", "b2")):
        cuts[f"the gradient is cut on its way to {name}"] = [v * (i != j) for j, v in enumerate(wanted)]
    check(slopes, feed_forward, *case).equals(
        wanted, about="gradients of the network", rtol=1e-3, atol=1e-5, near=cuts
    )
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def cuts_of(first, *case):
        """Gradients that are cut within the block, in words."""
        def off(v):
            return v.detach()

        recipes = {
            "the gradient is cut around attention": (
                lambda x, a, f, m, n: (y := x + off(a(m(x)))) + f(n(y)),
                lambda x, a, f, m, n: n((y := m(x + off(a(x)))) + f(y))),
            "the gradient is cut around the feed-forward network": (
                lambda x, a, f, m, n: (y := x + a(m(x))) + off(f(n(y))),
                lambda x, a, f, m, n: n((y := m(x + a(x))) + off(f(y)))),
            "the gradient is cut on the residual stream": (
                lambda x, a, f, m, n: (y := off(x) + a(m(x))).detach() + f(n(y)),
                lambda x, a, f, m, n: n((y := m(off(x) + a(x))).detach() + f(y))),
        }
        return {words: golden(made(*pair), *case) for words, pair in recipes.items()}

    for B, T, C, H, width in [(2, 5, 12, 3, 20), (3, 4, 8, 2, 8), (1, 6, 8, 8, 16)]:
        for norm_first in (False, True):
            made_layer = layer(C, H, width, norm_first, k=float(torch.rand((), generator=draw)) * 6)
            x = torch.randn(B, T, C, generator=draw) * 1.5 + 0.3
            later, rest = torch.ones(T, T, dtype=torch.bool).triu(1), torch.rand(B, T, generator=draw) < 0.3
            rest[:, 0] = False
            with torch.no_grad():
                whole, causal = made_layer(x), made_layer(x, src_mask=later)
                padded = made_layer(x, src_key_padding_mask=rest)
            p, options = dict(made_layer.state_dict()), {"norm_first": True} if norm_first else {}
            kind = "pre-norm" if norm_first else "post-norm"
            near = {"rtol": 1e-3, "atol": 1e-4}
            check(encoder_block, x, p, H, **options).equals(whole, about=kind, **near)
            check(encoder_block, x, p, H, mask=~later, **options).equals(causal, about=f"{kind}, causal mask", **near)
            check(encoder_block, x, p, H, mask=~rest[:, None, None], **options).equals(
                padded, about=f"{kind}, padding mask", **near
            )
    for norm_first in (False, True):
        p = dict(layer(8, 2, 12, norm_first).double().state_dict())
        x = torch.randn(2, 3, 8, generator=draw, dtype=torch.float64)
        check(encoder_block, x, p, 2, norm_first).equals(
            made()(x, p, 2, norm_first), about="double precision", rtol=1e-9, atol=1e-10
        )
        p = dict(layer(3, 1, 4, norm_first).state_dict())
        for shape in [(2, 1, 3), (1, 1, 3), (1, 4, 3)]:
            x = torch.randn(shape, generator=draw)
            check(encoder_block, x, p, 1, norm_first).equals(
                made()(x, p, 1, norm_first), about="one token, one text, one head", edge=True, rtol=1e-3, atol=1e-4
            )
        p, x = dict(layer(4, 2, 5, norm_first).state_dict()), torch.randn(2, 3, 4, generator=draw)
        rest = torch.rand(2, 2, 3, 3, generator=draw) < 0.6
        rest |= torch.eye(3).bool()
        check(encoder_block, x, p, 2, norm_first, rest).equals(
            made()(x, p, 2, norm_first, rest), about="each head with a mask of its own", rtol=1e-3, atol=1e-4
        )
    check.mistakes({}, encoder_block)
    for norm_first in (False, True):
        p = dict(layer(66, 66, 4, norm_first).double().state_dict())
        x, rest = torch.randn(68, 2, 66, generator=draw).double() * 40, torch.rand(68, 1, 1, 2, generator=draw) < 0.6
        rest[..., 0] = True
        check(encoder_block, x, p, 66, norm_first, rest).equals(
            made()(x, p, 66, norm_first, rest), about="many texts, many heads, large numbers", rtol=1e-6, atol=1e-6
        )
        p, x = dict(layer(4, 2, 5, norm_first).state_dict()), torch.randn(2, 3, 4, generator=draw)
        rest = torch.rand(2, 2, 3, 3, generator=draw) < 0.6
        rest |= torch.eye(3).bool()
        wanted = golden(made(), x, p, 2, norm_first, rest)
        check(slopes, encoder_block, x, p, 2, norm_first, rest).equals(
            wanted, about="gradients of the block", rtol=2e-3, atol=1e-3,
            near={cut: [v * 0 for v in wanted], "the gradient is cut on its way to x": [wanted[0] * 0, *wanted[1:]],
                  "the gradient is cut on its way to the weights": [wanted[0], *(v * 0 for v in wanted[1:])]}
            | cuts_of(norm_first, x, p, 2, norm_first, rest),
        )
    ### END HIDDEN TESTS


score
