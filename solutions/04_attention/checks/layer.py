from helpers.checks import graded


@graded("layer", points=4)
def score(check):
    import torch
    from torch import nn

    UNFIT = "nothing: the names or shapes of the parameters are not those of the text (see case 1)"

    def sizes_of(weights):
        return {name: tuple(w.shape) for name, w in weights.items()}

    def shapes_of(C, H):
        return {name: tuple(p.shape) for name, p in MultiHeadAttention(C, H).named_parameters()}

    def begun(C, H):
        """Whether a new layer's bias is 0, and the spread of its matrix, in that of xavier_uniform_."""
        with torch.random.fork_rng():
            torch.manual_seed(C)  # two equal calls give the same
            layer = MultiHeadAttention(C, H)
        matrix, bias = (torch.as_tensor(p).detach() for p in (layer.in_proj_weight, layer.in_proj_bias))
        spread = float(matrix.std() * (2 * C) ** 0.5)
        return not bool(bias.any()), round(spread, 1 if spread < 5 else 0)

    def layer_of(p, H):
        layer = MultiHeadAttention(p["out_proj.weight"].shape[0], H)
        if sizes_of(layer.state_dict()) != sizes_of(p):
            return None
        layer.load_state_dict(p)
        return layer

    def layer_output(x, memory, mask, angles, p, H):
        layer = layer_of(p, H)
        return UNFIT if layer is None else layer(x, memory, mask, angles)

    def gradients_by_name(x, memory, mask, angles, p, H):
        layer = layer_of(p, H)
        if layer is None:
            return UNFIT
        return layer_slopes(layer, x, memory, mask, angles)

    ### BEGIN MISTAKES
    def turn(x, a):
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(a), a)).flatten(-2)

    def made(
        order=(0, 1, 2), of=lambda x, m: (x, m, m), bias=(1, 1, 1), bias_of=None, out_bias=1.0, out=True,
        turned=(True, True, False), masks=lambda m: m, weigh=lambda s: torch.softmax(s, -1).nan_to_num(),
        scale=lambda C, d: d**-0.5, heads=None, view=False, after=lambda y, x: y, mirrored=((False,) * 3, False),
        last=lambda y, w: y, cut=lambda y: y, merged=lambda y: y.transpose(1, 2), unmasked=lambda s: None,
    ):
        """The right layer, with one part exchanged for a mistake's."""

        def function(x, memory, mask, angles, p, H):
            C, H = x.shape[-1], heads or H
            matrices, biases = p["in_proj_weight"].chunk(3), p["in_proj_bias"].chunk(3)
            parts = []
            for i, y in zip(order, of(x, memory), strict=True):
                W = matrices[i] if mirrored[0][i] else matrices[i].T
                y = y @ W + bias[i] * biases[i if bias_of is None else bias_of]
                shape = (len(y), H, y.shape[1], C // H) if view else (len(y), y.shape[1], H, C // H)
                parts.append(y.reshape(shape) if view else y.reshape(shape).transpose(1, 2))
            if angles is not None and angles.shape[1] * 2 == C // H:
                parts = [turn(y, angles) if t else y for y, t in zip(parts, turned, strict=True)]
            q, k, v = parts
            s = q @ k.mT * scale(C, C // H)
            shown = masks(mask) if mask is not None else unmasked(s)
            s = s if shown is None else s.masked_fill(~shown, -torch.inf)
            w = weigh(s)
            y = merged(cut(w @ v)).reshape(x.shape)
            W_o = p["out_proj.weight"] if mirrored[1] else p["out_proj.weight"].T
            y = y @ W_o + out_bias * p["out_proj.bias"] if out else y
            return last(after(y, x), w)

        return function

    right = made()

    def slopes_of(function):
        def gradients(x, memory, mask, angles, p, H):
            p = {name: value.clone().requires_grad_() for name, value in p.items()}
            function(x, memory, mask, angles, p, H).square().sum().backward()
            return {name: w.grad for name, w in p.items()}

        return gradients

    values_turned = "the values were turned, too: rotation is for queries and keys"
    known = {
        "W_Q and W_K are exchanged: the order is queries, keys, values": made(order=(1, 0, 2)),
        "W_K and W_V are exchanged: the order is queries, keys, values": made(order=(0, 2, 1)),
        "W_Q and W_V are exchanged: the order is queries, keys, values": made(order=(2, 1, 0)),
        "the biases of queries, keys and values are missing": made(bias=(0, 0, 0)),
        "the bias of the queries is missing": made(bias=(0, 1, 1)),
        "the bias of the keys is missing": made(bias=(1, 0, 1)),
        "the bias of the values is missing": made(bias=(1, 1, 0)),
        "keys and values got the bias of the queries: each has a third of its own": made(bias_of=0),
        "the bias of out_proj is missing": made(out_bias=0.0),
        "out_proj is missing at the end": made(out=False),
        "keys and values come from x; they come from memory": made(of=lambda x, m: (x, x, x)),
        "the values come from x; they come from memory": made(of=lambda x, m: (x, m, x)),
        "the keys come from x; they come from memory": made(of=lambda x, m: (x, x, m)),
        "the queries come from memory; they come from x": made(of=lambda x, m: (m, m, m)),
        "x and memory are exchanged: x asks": made(of=lambda x, m: (m, x, x)),
        "the mask was not used": made(masks=lambda m: None),
        "the mask was used the wrong way round: True means that a key may be seen": made(masks=lambda m: ~m),
        "the angles were not used": made(turned=(False, False, False)),
        "only the queries were turned: keys, too": made(turned=(True, False, False)),
        "only the keys were turned: queries, too": made(turned=(False, True, False)),
        values_turned: made(turned=(True, True, True)),
        "the values were turned in place of the keys": made(turned=(True, False, True)),
        "there is one head only: `num_heads` was not used": made(heads=1),
        "the heads were split by a plain view, which mixes tokens with features": made(view=True),
        "merged without exchanging the axes back: tokens and heads are mixed up": made(merged=lambda y: y),
        "the scores are not scaled": made(scale=lambda C, d: 1.0),
        "the scale is that of all features; it is that of one head": made(scale=lambda C, d: C**-0.5),
        "`mask` is None, and a causal mask was used: then every key may be seen":
            made(unmasked=lambda s: torch.ones_like(s).tril().bool()),
        "where a query sees nothing, all became 0: out_proj.bias comes out":
            made(last=lambda y, w: y * (w.sum((1, 3)) > 0)[..., None]),
        "a query that sees nothing gave NaN: its weights are 0": made(weigh=lambda s: torch.softmax(s, -1)),
        "a query that sees nothing got equal weights: they are 0":
            made(weigh=lambda s: torch.softmax(s.clamp(min=-1e9), -1)),
        "the softmax runs over the queries": made(weigh=lambda s: torch.softmax(s, -2).nan_to_num()),
        "x was added to the result": made(after=lambda y, x: y + x),
        "in_proj_weight is stored as nn.Linear has it: x W^T": made(mirrored=((True,) * 3, False)),
        "W_Q is stored as nn.Linear has it: x W^T": made(mirrored=((True, False, False), False)),
        "W_K is stored as nn.Linear has it: x W^T": made(mirrored=((False, True, False), False)),
        "W_V is stored as nn.Linear has it: x W^T": made(mirrored=((False, False, True), False)),
        "out_proj.weight is stored as nn.Linear has it: x W^T": made(mirrored=((False,) * 3, True)),
        "the weights came back, too: the result alone is asked for": made(last=lambda y, w: (y, w)),
    }
    check.mistakes(known, layer_output)
    same = {words: slopes_of(f) for words, f in known.items() if "came back" not in words}
    check.mistakes(same | {
        "the gradient of the attention stops on its way: no detach, no torch.no_grad":
            slopes_of(made(cut=torch.Tensor.detach)),
    }, gradients_by_name)
    ### END MISTAKES

    shapes = {"in_proj_weight": (12, 4), "in_proj_bias": (12,), "out_proj.weight": (4, 4), "out_proj.bias": (4,)}

    def less(*names):
        return {name: shape for name, shape in shapes.items() if name not in names}

    check(shapes_of, 4, 2).equals(shapes, about="names and shapes of parameters", near={
        "in_proj_weight is a plain tensor: nn.Parameter makes it a weight of the module": less("in_proj_weight"),
        "in_proj_bias is a plain tensor, or missing: nn.Parameter makes it a weight": less("in_proj_bias"),
        "in_proj_weight and in_proj_bias are plain tensors: nn.Parameter makes them weights":
            less("in_proj_weight", "in_proj_bias"),
        "out_proj has no bias": less("out_proj.bias"),
        "out_proj is missing": less("out_proj.weight", "out_proj.bias"),
        "in_proj_weight is transposed: (3C, C)": shapes | {"in_proj_weight": (4, 12)},
        "in_proj_weight holds one matrix, not three: (3C, C)": shapes | {"in_proj_weight": (4, 4)},
        "in_proj is an nn.Linear: its weights must have the names of the text":
            {"in_proj.weight": (12, 4), "in_proj.bias": (12,)} | less("in_proj_weight", "in_proj_bias"),
        "super().__init__() must come first": AttributeError,
    })
    normal = "in_proj_weight begins from a normal distribution of size 1: nn.init.xavier_uniform_"
    begun_otherwise = {
        "in_proj_bias begins at 0, not at random": (False, 1.0),
        "in_proj_weight begins at 0: then nothing can be learned": (True, 0.0),
        normal: (True, 9.0),
        "in_proj_weight begins from a normal distribution of size 0.02: nn.init.xavier_uniform_": (True, 0.2),
        "in_proj_weight begins as nn.Linear begins its own: nn.init.xavier_uniform_": (True, 0.8),
        "W_Q, W_K and W_V began one by one: nn.init.xavier_uniform_ takes in_proj_weight as a whole": (True, 1.4),
    }
    check(begun, 40, 2).equals(
        (True, 1.0), about="the bias begins at 0; the spread of the matrix", near=begun_otherwise, atol=0.15)
    x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    one = {"in_proj_weight": torch.eye(2).repeat(3, 1), "in_proj_bias": torch.zeros(6),
           "out_proj.weight": torch.eye(2), "out_proj.bias": torch.zeros(2)}
    close = {"rtol": 1e-3, "atol": 2e-4}
    check(layer_output, x, x, None, None, one, 2).equals([[[0.7311, 1.0], [0.5, 1.9640]]], **close)
    by_name = {
        "in_proj_weight": [
            [0.2875, 0.5], [2.0, 0.555], [0.2875, -0.5749],
            [-0.2775, 0.555], [1.5689, 1.7864], [1.0707, 9.7148],
        ],
        "in_proj_bias": [0.5375, 2.2775, 0.0, 0.0, 2.4621, 5.9281],
        "out_proj.weight": [[1.5689, 3.4261], [3.4261, 9.7148]], "out_proj.bias": [2.4621, 5.9281],
    }
    check(gradients_by_name, x, x, None, None, one, 2).equals(by_name, about="gradients of the squares", **close)
    p = {
        "in_proj_weight": torch.sin(torch.arange(1.0, 49) * 1.3).view(12, 4),
        "in_proj_bias": torch.cos(torch.arange(12.0)),
        "out_proj.weight": torch.sin(torch.arange(1.0, 17) * 2.3).view(4, 4), "out_proj.bias": torch.arange(4.0),
    }
    x = torch.tensor([[[1.0, 0.0, -1.0, 0.5], [0.0, 2.0, 1.0, -1.0]]])
    memory = torch.tensor([[[0.5, 1.0, 0.0, -1.0], [1.0, -0.5, 2.0, 0.0], [0.0, 1.0, 1.0, 1.0]]])
    check(layer_output, x, memory[:, :2], None, None, p, 2).equals(
        [[[0.2341, 0.6331, 2.4813, 2.4286], [1.1139, -0.3464, 3.5111, 1.4002]]], about="a memory", **close)
    seen = torch.tensor([[True, False, True], [False, False, False]])
    check(layer_output, x, memory, seen, None, p, 2).equals(
        [[[0.1188, 0.7441, 2.3802, 2.5147],
         [0.0, 1.0, 2.0, 3.0]]],
        about="a memory and a mask; the second token sees nothing", **close)
    check(layer_output, x, x, None, torch.tensor([[0.0], [1.0]]), p, 2).equals(
        [[[0.5193, 0.3739, 2.7013, 2.2587],
         [0.7453, 0.2526, 2.7119, 2.3594]]],
        about="with angles", **close)
    ### BEGIN HIDDEN TESTS
    from helpers.checks import gradients
    from helpers.models import functional

    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def fresh(C):
        return {"in_proj_weight": draw(3 * C, C) / C**0.5 * 1.5, "in_proj_bias": draw(3 * C),
                "out_proj.weight": draw(C, C) / C**0.5, "out_proj.bias": draw(C)}

    def library(x, memory, mask, p, H):
        """What chapter 05 uses."""
        return functional.attention(x, memory, {f"a.{name}": w for name, w in p.items()}, "a", H, mask)

    near = {"rtol": 1e-3, "atol": 1e-4}
    for B, T, S, C, H in [(2, 4, 6, 12, 3), (3, 5, 3, 8, 2), (2, 3, 3, 16, 4)]:
        p, x, memory = fresh(C), draw(B, T, C), draw(B, S, C)
        check(layer_output, x, memory, None, None, p, H).equals(
            library(x, memory, None, p, H), about="two sequences", **near)
        check(layer_output, x, x, None, None, p, H).equals(library(x, x, None, p, H), about="self-attention", **near)
        causal = torch.ones(T, T, dtype=torch.bool).tril()
        check(layer_output, x, x, causal, None, p, H).equals(
            library(x, x, causal, p, H), about="with a causal mask", **near)
        padding = (torch.arange(S) < torch.tensor(check.rng.integers(1, S, size=B))[:, None])[:, None, None]
        check(layer_output, x, memory, padding, None, p, H).equals(
            library(x, memory, padding, p, H), about="with a padding mask", **near)
        angles = 3 * draw(T, C // H // 2)
        for mask in (None, causal):
            check(layer_output, x, x, mask, angles, p, H).equals(
                right(x, x, mask, angles, p, H), about="with angles", **near)
        check(gradients_by_name, x, memory, padding, None, p, H).equals(
            slopes_of(right)(x, memory, padding, None, p, H), about="gradients", rtol=1e-3, atol=1e-2)
        check(gradients_by_name, x, x, causal, angles, p, H).equals(
            slopes_of(right)(x, x, causal, angles, p, H), about="gradients, with angles", rtol=1e-3, atol=1e-2)
    nothing = causal.clone()
    nothing[1] = False
    check(layer_output, x, x, nothing, None, p, H).equals(
        right(x, x, nothing, None, p, H), about="a query that sees nothing", edge=True, **near)
    for B, T, C in [(1, 1, 4), (2, 3, 1)]:
        p, x = fresh(C), draw(B, T, C)
        check(layer_output, x, x, None, None, p, 1).equals(
            library(x, x, None, p, 1), about="one token or one feature, one head", edge=True, **near)
    p, x, memory = fresh(68), draw(70, 2, 68), draw(70, 3, 68)
    check(layer_output, x, memory, None, None, p, 68).equals(
        library(x, memory, None, p, 68), about="many texts, many heads", **near)

    def input_slopes(x, memory, p, H):
        layer = layer_of(p, H)
        return UNFIT if layer is None else slopes(layer, x, memory)

    p, x, memory = fresh(8), draw(2, 3, 8), draw(2, 4, 8)
    wanted = gradients.slopes(lambda *y: [part.square() for part in library(*y, None, p, 2)], x, memory)
    check(input_slopes, x, memory, p, 2).equals(
        wanted, about="gradients of x and memory", rtol=1e-3, atol=1e-2)
    check(begun, 34, 2).equals(
        (True, 1.0), about="how weights begin, another width", near=begun_otherwise | {normal: (True, 8.0)}, atol=0.15)
    check(shapes_of, 6, 3).equals(
        {"in_proj_weight": (18, 6), "in_proj_bias": (18,), "out_proj.weight": (6, 6), "out_proj.bias": (6,)},
        about="names and shapes, another width")
    ### END HIDDEN TESTS


score
