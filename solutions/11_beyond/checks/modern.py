from helpers.checks import graded


@graded("modern", points=7)
def score(check):
    import torch

    t = torch.tensor
    mean_away = "this is LayerNorm: RMSNorm takes no mean away"
    no_root = "divided by the mean square: its root is meant"
    length = "divided by the length: the mean of the squares is under the root, not their sum"
    no_weight = "the weight is missing"
    over_all = "the mean runs over all numbers: each vector has its own, over the last axis"
    over_tokens = "the mean runs over the tokens: each vector has its own, over the last axis"
    outside = "eps stands outside the root"
    no_eps = "eps is not used as it is given, inside the root"
    x = t([[3.0, 4.0], [0.0, -2.0]])
    check(rms_norm, x, t([1.0, 2.0])).equals([[0.8485, 2.2627], [0.0, -2.8284]], rtol=1e-3, atol=1e-3, near={
        mean_away: [[-1.0, 2.0], [1.0, -2.0]], no_root: [[0.24, 0.64], [0.0, -2.0]],
        length: [[0.6, 1.6], [0.0, -2.0]], no_weight: [[0.8485, 1.1314], [0.0, -1.4142]],
        over_all: [[1.1142, 2.9711], [0.0, -1.4856]], over_tokens: [[1.4142, 2.5298], [0.0, -1.2649]],
        "1 was added to the weight": [[1.6971, 3.3941], [0.0, -4.2426]],
    })
    check(rms_norm, t([[0.3, 0.4]]), t([1.0, 1.0]), 0.125).equals([[0.6, 0.8]], rtol=1e-3, atol=1e-3, near={
        outside: [[0.6276, 0.8368]], no_eps: [[0.8485, 1.1314]], mean_away: [[-0.14, 0.14]],
    })
    both = "the gate and the numbers are exchanged: silu is taken of x times gate"
    glu = "this gate is a sigmoid: silu(z) is z times the sigmoid of z"
    gelu = "this gate is GELU: silu is asked"
    silu_both = "silu was taken of both: the numbers pass as they are"
    no_up = "the numbers x times up are missing"
    added = "gate and numbers were added: multiply them"
    no_gate_map = "silu is missing"
    product = "silu was taken of the product: it is taken of x times gate alone"
    eye = torch.eye(2)
    gate, up = t([[1.0, 0.0], [0.0, -1.0]]), t([[2.0, 0.0], [0.0, 3.0]])
    check(swiglu, t([[1.0, 1.0]]), gate, up, eye).equals([[1.4621, -0.8068]], rtol=1e-3, atol=1e-3, near={
        both: [[1.7616, -2.8577]], glu: [[1.4621, 0.8068]], gelu: [[1.6827, -0.476]],
        silu_both: [[1.2878, -0.7685]], no_up: [[0.7311, -0.2689]], added: [[2.7311, 2.7311]],
        no_gate_map: [[2.0, -3.0]], product: [[1.7616, -0.1423]],
    })
    p = {"norm1": t([1.0, 1.0]), "norm2": t([1.0, 1.0]), "query": eye, "key": eye, "value": 2 * eye, "out": eye,
         "gate": gate, "up": up, "down": t([[0.5, 0.0], [0.0, 0.5]])}
    no_residual1 = "attention's result replaces x: it is added to it"
    no_residual2 = "what SwiGLU gives replaces the rest: it is added to it"
    parallel = "SwiGLU reads the vectors behind attention, not those before it"
    no_norm1, no_norm2 = "the norm before attention is missing", "the norm before SwiGLU is missing"
    post = "the norms stand behind the parts: pre-norm has them before"
    not_causal = "a token sees those after it: causal attention is asked"
    check(modern_block, t([[[3.0, 4.0], [1.0, 0.0]]]), p, 1).equals(
        [[[5.2012, 5.7944], [4.6783, 1.0053]]], rtol=1e-3, atol=1e-3, near={
            no_residual1: [[[2.2012, 1.7944], [3.5129, 0.9217]]],
            no_residual2: [[[0.5042, -0.4683], [1.4145, -0.1239]]],
            parallel: [[[5.2012, 5.7944], [4.8727, 1.1293]]], no_norm1: [[[9.5042, 11.5317], [7.4171, 7.1196]]],
            no_norm2: [[[26.56, 6.1508], [13.5238, 0.662]]], post: [[[1.2699, 0.6225], [1.3165, 0.5165]]],
            not_causal: [[[6.0132, 4.7364], [4.6783, 1.0053]]],
            "nothing is rotated: queries and keys are": [[[5.2012, 5.7944], [4.9283, 0.7514]]],
            "values are rotated, too: only queries and keys are": [[[5.2012, 5.7944], [3.4418, 1.9495]]],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    import torch.nn.functional as F

    from helpers.checks.gradients import golden

    def draw(*shape, dtype=torch.float32, size=1.0):
        return size * t(check.rng.normal(size=shape), dtype=dtype)

    def norm(x, w, eps=1e-6, centre=False, axis=-1, root=True, total=False, plus=0.0, out=False):
        x = x - x.mean(-1, keepdim=True) if centre else x
        square = x.square().sum(axis, keepdim=True) / (1 if total else x.shape[axis])
        square = square.sqrt() + eps if out else (square + eps).sqrt() if root else square + eps
        return torch.einsum("...c,c->...c", x / square, w + plus)

    check.mistakes({
        mean_away: lambda x, w, eps=1e-6: norm(x, w, eps, centre=True),
        no_root: lambda x, w, eps=1e-6: norm(x, w, eps, root=False),
        length: lambda x, w, eps=1e-6: norm(x, w, eps, total=True),
        no_weight: lambda x, w, eps=1e-6: norm(x, torch.ones_like(w), eps),
        over_tokens: lambda x, w, eps=1e-6: norm(x, w, eps, axis=-2),
        outside: lambda x, w, eps=1e-6: norm(x, w, eps, out=True),
        no_eps: lambda x, w, eps=1e-6: norm(x, w, 0.0),
        "1 was added to the weight": lambda x, w, eps=1e-6: norm(x, w, eps, plus=1.0),
        "the dtype changed: float64 goes in and must come out": lambda x, w, eps=1e-6: norm(x, w, eps).float(),
        "divided by the standard deviation: the mean square has no mean taken away": lambda x, w, eps=1e-6: (
            x / (x.var(-1, keepdim=True, unbiased=False) + eps).sqrt() * w),
        "without an eps of the caller's own it is 1e-6": lambda x, w, eps=1e-5: norm(x, w, eps),
    })
    close = {"rtol": 1e-4, "atol": 1e-6}
    for shape in [(3, 5), (2, 4, 6), (2, 3, 2, 5)]:
        x, w = draw(*shape) + 0.7, draw(shape[-1])
        check(rms_norm, x, w).equals(norm(x, w), about="fresh vectors", **close)
        check(rms_norm, x, w, 0.3).equals(norm(x, w, 0.3), about="an eps of its own", **close)
    small = draw(4, 3, size=1e-3)
    check(rms_norm, small, torch.ones(3)).equals(norm(small, torch.ones(3)), about="small vectors", edge=True, **close)
    for shape in [(7,), (1, 1), (3, 1, 4), (0, 4)]:
        x, w = draw(*shape), draw(shape[-1])
        check(rms_norm, x, w).equals(norm(x, w), about="one vector, axes of size 1", edge=True, **close)
    x, w = draw(3, 6, dtype=torch.float64), draw(6, dtype=torch.float64)
    check(rms_norm, x, w).equals(norm(x, w), about="float64 stays", edge=True, rtol=1e-10)
    x, w = draw(3, 4, 5), draw(5)
    check(slopes, rms_norm, x, w).equals(golden(norm, x, w), about="gradients of the norm", rtol=1e-3, atol=1e-4)

    def gated(x, g, u, d, first=F.silu, second=lambda z: z, join=torch.mul, swap=False):
        a, b = torch.einsum("...c,fc->...f", x, g), torch.einsum("...c,fc->...f", x, u)
        a, b = (b, a) if swap else (a, b)
        return torch.einsum("...f,cf->...c", join(first(a), second(b)), d)

    check.mistakes({
        both: lambda *a: gated(*a, swap=True), glu: lambda *a: gated(*a, first=torch.sigmoid),
        gelu: lambda *a: gated(*a, first=F.gelu), silu_both: lambda *a: gated(*a, second=F.silu),
        no_up: lambda *a: gated(*a, second=torch.ones_like), added: lambda *a: gated(*a, join=torch.add),
        no_gate_map: lambda *a: gated(*a, first=lambda z: z),
        product: lambda x, g, u, d: F.linear(F.silu(F.linear(x, g) * F.linear(x, u)), d),
        "this gate is relu: silu is asked": lambda *a: gated(*a, first=torch.relu),
        "the dtype changed: float64 goes in and must come out": lambda *a: gated(*a).float(),
    })
    for lead, C, width in [((2, 3), 5, 7), ((4,), 3, 8), ((2, 1, 3), 6, 6)]:
        case = draw(*lead, C), draw(width, C), draw(width, C), draw(C, width)
        check(swiglu, *case).equals(gated(*case), about="a fresh gate", rtol=1e-4, atol=1e-4)
    case = draw(4), draw(1, 4), draw(1, 4), draw(4, 1)
    check(swiglu, *case).equals(gated(*case), about="a gate of one", edge=True, rtol=1e-4, atol=1e-5)
    case = [draw(*s, dtype=torch.float64) for s in [(2, 3), (5, 3), (5, 3), (3, 5)]]
    check(swiglu, *case).equals(gated(*case), about="float64 stays", edge=True, rtol=1e-10)
    check(slopes, swiglu, *case).equals(golden(gated, *case), about="gradients of the gate", rtol=1e-6, atol=1e-8)

    def turned(x, pairs=None):
        """Rotate by complex numbers; number i goes with number i + d/2."""
        T, half = x.shape[2], x.shape[3] // 2
        angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(half) / half)
        z = torch.complex(x[..., :half], x[..., half:]) * torch.polar(torch.ones_like(angle), angle).to(
            torch.complex128 if x.dtype == torch.float64 else torch.complex64)
        return torch.cat([z.real, z.imag], -1)

    def block(x, p, H, res1=1, res2=1, before=False, norms=(True, True), behind=False, causal=True, share="each",
              turn=(True, True, False), scale=None, merge=True, second="norm2", feed=gated, carry="x", bare="",
              out=lambda z, w: torch.einsum("btc,nc->btn", z, w), rms=norm, alone=False, own=0, viewed=False):
        d, (B, T, C) = x.shape[-1] // H, x.shape
        normed = [rms if on and not behind else lambda v, w: v for on in norms]
        h = normed[0](x, p["norm1"])
        q, k, v = (torch.einsum("btc,nc->btn", x if n in bare else h, p[n])
                   for n in ("query", "key", "value"))
        q, k, v = (y.reshape(B, -1, T, d) if viewed else y.reshape(B, T, -1, d).permute(0, 2, 1, 3) for y in (q, k, v))
        q, k, v = (turned(y) if on else y for y, on in zip((q, k, v), turn, strict=True))
        G = k.shape[1]
        index = [i * G // H if share == "each" else i % G if share == "round" else 0 for i in range(H)]
        scores = torch.einsum("bhid,bhjd->bhij", q, k[:, index]) * (d**-0.5 if scale is None else scale)
        if causal:
            scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        z = torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v[:, index])
        z = z.permute(0, 2, 1, 3).reshape(B, T, C) if merge else z.reshape(B, T, C)
        made = out(z, p["out"])
        y = res1 * (h if carry in ("h", "both") else x) + made
        y = norm(y, p["norm1"]) if behind else y
        last = normed[1](x if before else made if alone else y, p[second])
        z = res2 * (last if carry in ("n", "both") else x if own else y) + feed(last, p["gate"], p["up"], p["down"])
        return norm(z, p["norm2"]) if behind else z

    wrong = {
        no_residual1: {"res1": 0}, no_residual2: {"res2": 0}, parallel: {"before": True},
        no_norm1: {"norms": (False, True)}, no_norm2: {"norms": (True, False)}, post: {"behind": True},
        not_causal: {"causal": False}, "both norms are missing": {"norms": (False, False)},
        "the heads of keys go round: neighbouring heads of queries share one (repeat_interleave)": {"share": "round"},
        "all heads use the first head of keys and values": {"share": "first"},
        "nothing is rotated: queries and keys are": {"turn": (False, False, False)},
        "values are rotated, too: only queries and keys are": {"turn": (True, True, True)},
        "the keys are not rotated": {"turn": (True, False, False)},
        "the queries are not rotated": {"turn": (False, True, False)},
        "the scores are not divided by the root of d_head": {"scale": 1.0},
        "the heads are not put back side by side: transpose(1, 2) before they are joined": {"merge": False},
        "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes": {
            "viewed": True, "merge": False},
        "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes": {
            "viewed": True},
        "the second norm has weights of its own, norm2": {"second": "norm1"},
        both: {"feed": partial(gated, swap=True)},
        "x itself is carried past attention, not its norm": {"carry": "h"},
        "what attention left is carried past SwiGLU, not its norm": {"carry": "n"},
        "each part is added to what the norm gave: it is added to what came in": {"carry": "both"},
        "SwiGLU's result is added to x alone: what attention gave is lost": {"own": 1},
        "SwiGLU reads attention's result alone: it reads the sum with x": {"alone": True},
        "the matrix out is missing": {"out": lambda z, w: z},
        "the matrix out is turned round: (out, in) asks for z @ out.T": {"out": lambda z, w: z @ w},
        "the values are made of x: they are made of its norm, too": {"bare": ("value",)},
        "the queries are made of x: they are made of its norm, too": {"bare": ("query",)},
        "the keys are made of x: they are made of its norm, too": {"bare": ("key",)},
        "this block has LayerNorm: it is asked with rms_norm": {"rms": partial(norm, centre=True)},
        "both norms' weights are missing": {"rms": lambda v, w: norm(v, torch.ones_like(w))},
        "1 was added to the norms' weights": {"rms": partial(norm, plus=1.0)},
        "the norm in the block is without its root": {"rms": partial(norm, root=False)},
        "the mean in the norm runs over the tokens: each vector has its own": {"rms": partial(norm, axis=-2)},
        "silu is missing in the block's SwiGLU": {"feed": partial(gated, first=lambda z: z)},
        "the gate of the block's SwiGLU is a sigmoid: silu is asked": {"feed": partial(gated, first=torch.sigmoid)},
        "the gate of the block's SwiGLU has GELU: silu is asked": {"feed": partial(gated, first=F.gelu)},
    }
    def unweighted(x, p, H, name):
        return block(x, p | {name: torch.ones_like(p[name])}, H)

    check.mistakes({words: partial(block, **odd) for words, odd in wrong.items()} | {
        "the weight of the first norm is missing": partial(unweighted, name="norm1"),
        "the weight of the second norm is missing": partial(unweighted, name="norm2"),
        "the scores are divided by the root of C, not of d_head": lambda x, p, H: block(
            x, p, H, scale=x.shape[-1] ** -0.5),
        "the dtype changed: float64 goes in and must come out": lambda x, p, H: block(x, p, H).float(),
    })

    def weights(C, H, G, width, **kind):
        d = C // H
        shapes = {"norm1": (C,), "norm2": (C,), "query": (C, C), "key": (G * d, C), "value": (G * d, C), "out": (C, C),
                  "gate": (width, C), "up": (width, C), "down": (C, width)}
        return {name: draw(*shape, **kind) / (1 if len(shape) == 1 else shape[1] ** 0.5)
                for name, shape in shapes.items()}

    for B, T, C, H, G, width in [(2, 5, 12, 3, 3, 7), (3, 4, 8, 4, 2, 10), (2, 6, 12, 6, 2, 5)]:
        case = draw(B, T, C), weights(C, H, G, width), H
        check(modern_block, *case).equals(block(*case), about="a block, fresh weights", rtol=1e-3, atol=1e-4, weight=2)
    for B, T, C, H, G, width in [(1, 1, 4, 2, 1, 3), (2, 3, 8, 4, 1, 1), (1, 3, 2, 1, 1, 4)]:
        case = draw(B, T, C), weights(C, H, G, width), H
        check(modern_block, *case).equals(block(*case), about="one head of keys, axes of size 1", edge=True,
                                          rtol=1e-3, atol=1e-4)
    case = draw(3, 1, 8, dtype=torch.float64), weights(8, 4, 2, 5, dtype=torch.float64), 4  # no angle: all is exact
    check(modern_block, *case).equals(block(*case), about="float64 stays", edge=True, rtol=1e-10)
    case = draw(2, 3, 8, dtype=torch.float64), weights(8, 4, 2, 5, dtype=torch.float64), 4
    check(slopes, modern_block, *case).equals(
        golden(block, *case), about="gradients of the block", rtol=1e-4, atol=1e-5)
    check.mistakes({})
    wide, large = {"dtype": torch.float64, "size": 100.0}, {"about": "many, long, large", "edge": True}
    x, w = draw(70, 70, **wide), draw(70, **wide)
    check(rms_norm, x, w, 2.0).equals(norm(x, w, 2.0), rtol=1e-8, **large)
    case = [draw(*s, **wide) for s in [(70, 66), (68, 66), (68, 66), (66, 68)]]
    check(swiglu, *case).equals(gated(*case), rtol=1e-8, atol=10.0, **large)
    for case in [(draw(66, 1, 4, size=100.0), weights(4, 2, 1, 3), 2), (draw(1, 2, 132), weights(132, 66, 33, 2), 66)]:
        check(modern_block, *case).equals(block(*case), rtol=1e-3, atol=1e-3, **large)
    ### END HIDDEN TESTS


score
