from helpers.checks import graded


@graded("modern", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    from functools import partial

    import torch.nn.functional as F

    both = "the gate and the numbers are exchanged: silu is taken of x times gate"

    def rooted(square, eps):
        return (square + eps).sqrt()

    def norm(x, w, eps=1e-6, centre=False, axis=-1, total=False, plus=0.0, by=rooted):
        x = x - x.mean(-1, keepdim=True) if centre else x
        square = x.square().sum(axis, keepdim=True) / (1 if total else x.shape[axis])
        return torch.einsum("...c,c->...c", x / by(square, eps), w + plus)

    check.mistakes({
        "this is LayerNorm: RMSNorm takes no mean away": lambda x, w, eps=1e-6: norm(x, w, eps, centre=True),
        "divided by the mean square: its root is meant": lambda x, w, eps=1e-6: norm(x, w, eps, by=torch.add),
        "divided by the length: the mean of the squares is under the root, not their sum":
            lambda x, w, eps=1e-6: norm(x, w, eps, total=True),
        "the weight is missing": lambda x, w, eps=1e-6: norm(x, torch.ones_like(w), eps),
        "the mean runs over the tokens: each vector has its own, over the last axis":
            lambda x, w, eps=1e-6: norm(x, w, eps, axis=-2),
        "the mean runs over all numbers: each vector has its own, over the last axis":
            lambda x, w, eps=1e-6: x / (x.square().mean() + eps).sqrt() * w,
        "eps is outside the root":
            lambda x, w, eps=1e-6: norm(x, w, eps, by=lambda square, eps: square.sqrt() + eps),
        "eps is not used as it is given, inside the root": lambda x, w, eps=1e-6: norm(x, w, 0.0),
        "1 was added to the weight": lambda x, w, eps=1e-6: norm(x, w, eps, plus=1.0),
        "the dtype changed: float64 goes in and must come out": lambda x, w, eps=1e-6: norm(x, w, eps).float(),
        "divided by the standard deviation: the mean square has no mean taken away":
            lambda x, w, eps=1e-6: x / (x.var(-1, keepdim=True, unbiased=False) + eps).sqrt() * w,
        "without an eps of the caller's own it is 1e-6": lambda x, w, eps=1e-5: norm(x, w, eps),
    }, rms_norm)

    def gated(x, g, u, d, first=F.silu, second=lambda z: z, join=torch.mul, swap=False):
        a, b = torch.einsum("...c,fc->...f", x, g), torch.einsum("...c,fc->...f", x, u)
        a, b = (b, a) if swap else (a, b)
        return torch.einsum("...f,cf->...c", join(first(a), second(b)), d)

    check.mistakes({
        both: lambda *a: gated(*a, swap=True),
        "this gate is a sigmoid: silu(z) is z times the sigmoid of z": lambda *a: gated(*a, first=torch.sigmoid),
        "this gate is GELU: silu is asked for": lambda *a: gated(*a, first=F.gelu),
        "silu was taken of both: the numbers pass as they are": lambda *a: gated(*a, second=F.silu),
        "the numbers x times up are missing": lambda *a: gated(*a, second=torch.ones_like),
        "gate and numbers were added: multiply them": lambda *a: gated(*a, join=torch.add),
        "silu is missing": lambda *a: gated(*a, first=lambda z: z),
        "silu was taken of the product: it is taken of x times gate alone":
            lambda x, g, u, d: F.linear(F.silu(F.linear(x, g) * F.linear(x, u)), d),
        "this gate is relu: silu is asked for": lambda *a: gated(*a, first=torch.relu),
        "the dtype changed: float64 goes in and must come out": lambda *a: gated(*a).float(),
    }, swiglu)

    def turned(x, pairs=None):
        """Rotate by complex numbers; number i goes with number i + d/2."""
        T, half = x.shape[2], x.shape[3] // 2
        angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(half) / half)
        turn = torch.polar(torch.ones_like(angle), angle)
        z = torch.complex(x[..., :half], x[..., half:])
        z = z * turn.to(torch.complex128 if x.dtype == torch.float64 else torch.complex64)
        return torch.cat([z.real, z.imag], -1)

    def by_matrix(x, w):
        return torch.einsum("btc,nc->btn", x, w)

    def attention(x, h, p, H, causal=True, head=lambda i, G, H: i * G // H, turn=("query", "key"), scale=None,
                  merge=True, bare="", out=by_matrix, viewed=False):
        """h: x after the norm; head(i, G, H): which of G heads of keys and values head i of H uses."""
        d, (B, T, C) = x.shape[-1] // H, x.shape

        def heads(name):
            y = by_matrix(x if name == bare else h, p[name])
            y = y.reshape(B, -1, T, d) if viewed else y.reshape(B, T, -1, d).transpose(1, 2)
            return turned(y) if name in turn else y

        q, k, v = heads("query"), heads("key"), heads("value")
        index = [head(i, k.shape[1], H) for i in range(H)]
        scores = torch.einsum("bhid,bhjd->bhij", q, k[:, index]) * (d**-0.5 if scale is None else scale)
        if causal:
            scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
        z = torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v[:, index])
        z = z.transpose(1, 2) if merge else z
        return out(z.reshape(B, T, C), p["out"])

    def block(x, p, H, norm1=norm, norm2=norm, carry1="x", reads="y", carry2="y", second="norm2", feed=gated,
              **changed):
        """carry1, carry2: what is carried past attention and past SwiGLU, which reads `reads`."""
        h = norm1(x, p["norm1"])
        made = attention(x, h, p, H, **changed)
        y = {"x": x, "h": h, "nothing": 0}[carry1] + made
        last = norm2({"x": x, "made": made, "y": y}[reads], p[second])
        past = {"x": x, "y": y, "last": last, "nothing": 0}[carry2]
        return past + feed(last, p["gate"], p["up"], p["down"])

    def post_norm(x, p, H):
        y = norm(x + attention(x, x, p, H), p["norm1"])
        return norm(y + gated(y, p["gate"], p["up"], p["down"]), p["norm2"])

    def no_norm(x, w):
        return x

    def both_norms(**changed):
        return {"norm1": partial(norm, **changed), "norm2": partial(norm, **changed)}

    def one_weight(x, w):
        return norm(x, torch.ones_like(w))

    wrong = {
        "attention's result replaces x: it is added to it": {"carry1": "nothing"},
        "what SwiGLU gives replaces the rest: it is added to it": {"carry2": "nothing"},
        "SwiGLU reads the vectors after attention, not those before it": {"reads": "x"},
        "the norm before attention is missing": {"norm1": no_norm},
        "the norm before SwiGLU is missing": {"norm2": no_norm},
        "a token sees those after it: causal attention is asked for": {"causal": False},
        "both norms are missing": {"norm1": no_norm, "norm2": no_norm},
        "the heads of keys go round: neighbouring heads of queries share one (repeat_interleave)":
            {"head": lambda i, G, H: i % G},
        "all heads use the first head of keys and values": {"head": lambda i, G, H: 0},
        "nothing is rotated: queries and keys are": {"turn": ()},
        "values are rotated, too: only queries and keys are": {"turn": ("query", "key", "value")},
        "the keys are not rotated": {"turn": ("query",)},
        "the queries are not rotated": {"turn": ("key",)},
        "the scores are not divided by the root of d_head": {"scale": 1.0},
        "the heads are not put back side by side: transpose(1, 2) before they are joined": {"merge": False},
        "tokens and heads are mixed by view(B, H, T, d): split the last axis into heads, then exchange two axes":
            {"viewed": True, "merge": False},
        "tokens and heads are mixed by view(B, H, T, d) on the way in: split the last axis, then exchange axes":
            {"viewed": True},
        "the second norm has weights of its own, norm2": {"second": "norm1"},
        both: {"feed": partial(gated, swap=True)},
        "x itself is carried past attention, not its norm": {"carry1": "h"},
        "what attention left is carried past SwiGLU, not its norm": {"carry2": "last"},
        "each part is added to what the norm gave: it is added to what came in": {"carry1": "h", "carry2": "last"},
        "SwiGLU's result is added to x alone: what attention gave is lost": {"carry2": "x"},
        "SwiGLU reads attention's result alone: it reads the sum with x": {"reads": "made"},
        "the matrix out is missing": {"out": lambda z, w: z},
        "the matrix out is transposed: (out, in) asks for z @ out.T": {"out": lambda z, w: z @ w},
        "the values are made of x: they are made of its norm, too": {"bare": "value"},
        "the queries are made of x: they are made of its norm, too": {"bare": "query"},
        "the keys are made of x: they are made of its norm, too": {"bare": "key"},
        "this block has LayerNorm: it is asked for with rms_norm": both_norms(centre=True),
        "both norms' weights are missing": {"norm1": one_weight, "norm2": one_weight},
        "1 was added to the norms' weights": both_norms(plus=1.0),
        "the norm in the block is without its root": both_norms(by=torch.add),
        "the mean in the norm runs over the tokens: each vector has its own": both_norms(axis=-2),
        "silu is missing in the block's SwiGLU": {"feed": partial(gated, first=lambda z: z)},
        "the gate of the block's SwiGLU is a sigmoid: silu is asked for": {"feed": partial(gated, first=torch.sigmoid)},
        "the gate of the block's SwiGLU has GELU: silu is asked for": {"feed": partial(gated, first=F.gelu)},
    }

    check.mistakes({words: partial(block, **changed) for words, changed in wrong.items()} | {
        "the norms are after the parts: pre-norm has them before": post_norm,
        "the weight of the first norm is missing": partial(block, norm1=one_weight),
        "the weight of the second norm is missing": partial(block, norm2=one_weight),
        "the scores are divided by the root of C, not of d_head":
            lambda x, p, H: block(x, p, H, scale=x.shape[-1] ** -0.5),
        "the dtype changed: float64 goes in and must come out": lambda x, p, H: block(x, p, H).float(),
    }, modern_block)
    ### END MISTAKES
    t = torch.tensor
    x = t([[3.0, 4.0], [0.0, -2.0]])
    check(rms_norm, x, t([1.0, 2.0])).equals([[0.8485, 2.2627], [0.0, -2.8284]], rtol=1e-3, atol=1e-3)
    check(rms_norm, t([[0.3, 0.4]]), t([1.0, 1.0]), 0.125).equals([[0.6, 0.8]], rtol=1e-3, atol=1e-3)
    eye = torch.eye(2)
    gate, up = t([[1.0, 0.0], [0.0, -1.0]]), t([[2.0, 0.0], [0.0, 3.0]])
    check(swiglu, t([[1.0, 1.0]]), gate, up, eye).equals([[1.4621, -0.8068]], rtol=1e-3, atol=1e-3)
    p = {"norm1": t([1.0, 1.0]), "norm2": t([1.0, 1.0]), "query": eye, "key": eye, "value": 2 * eye, "out": eye,
         "gate": gate, "up": up, "down": t([[0.5, 0.0], [0.0, 0.5]])}
    check(modern_block, t([[[3.0, 4.0], [1.0, 0.0]]]), p, 1).equals(
        [[[5.2012, 5.7944], [4.6783, 1.0053]]], rtol=1e-3, atol=1e-3)
    eye = torch.eye(8)
    p = {"norm1": torch.ones(8), "norm2": t([1.0, 2.0] * 4), "query": eye, "key": eye[:4], "value": eye[2:6],
         "out": eye, "gate": eye[:2], "up": eye[1:3], "down": eye[:, :2]}
    x = t([[[1.0, 2.0, 3.0, 4.0, -1.0, -2.0, -3.0, -4.0], [2.0, 0.0, 1.0, 0.0, 3.0, 0.0, 1.0, 0.0]]])
    check(modern_block, x, p, 4).equals(
        [[[2.79622, 5.32235, 4.09545, 5.46059, -1.36515, -2.7303, -3.36515, -4.7303],
          [3.62299, 0.88122, 1.88257, 0.60909, 3.03316, -0.61649, 1.5622, -0.46534]]],
        rtol=1e-3, atol=1e-3, about="four heads of queries, two of keys")
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()

    def draw(*shape, dtype=torch.float32, size=1.0):
        return size * t(check.rng.normal(size=shape), dtype=dtype)

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
    for lead, C, width in [((2, 3), 5, 7), ((4,), 3, 8), ((2, 1, 3), 6, 6)]:
        case = draw(*lead, C), draw(width, C), draw(width, C), draw(C, width)
        check(swiglu, *case).equals(gated(*case), about="a fresh gate", rtol=1e-4, atol=1e-4)
    case = draw(4), draw(1, 4), draw(1, 4), draw(4, 1)
    check(swiglu, *case).equals(gated(*case), about="a gate of one", edge=True, rtol=1e-4, atol=1e-5)
    case = [draw(*s, dtype=torch.float64) for s in [(2, 3), (5, 3), (5, 3), (3, 5)]]
    check(swiglu, *case).equals(gated(*case), about="float64 stays", edge=True, rtol=1e-10)
    check(slopes, swiglu, *case).equals(golden(gated, *case), about="gradients of the gate", rtol=1e-6, atol=1e-8)

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
    check.mistakes({}, rms_norm, swiglu, modern_block)
    wide, large = {"dtype": torch.float64, "size": 100.0}, {"about": "many, long, large", "edge": True}
    x, w = draw(70, 70, **wide), draw(70, **wide)
    check(rms_norm, x, w, 2.0).equals(norm(x, w, 2.0), rtol=1e-8, **large)
    case = [draw(*s, **wide) for s in [(70, 66), (68, 66), (68, 66), (66, 68)]]
    check(swiglu, *case).equals(gated(*case), rtol=1e-8, atol=10.0, **large)
    for case in [(draw(66, 1, 4, size=100.0), weights(4, 2, 1, 3), 2), (draw(1, 2, 132), weights(132, 66, 33, 2), 66)]:
        check(modern_block, *case).equals(block(*case), rtol=1e-3, atol=1e-3, **large)
    ### END HIDDEN TESTS


score
