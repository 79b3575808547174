from helpers.checks import graded


@graded("attention", points=7)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "no_scale": "the scores are not scaled",
        "by_d": "you divided by d_k, not by its square root",
        "root": "`scale` was ignored: these are the numbers with 1 / sqrt(d_k)",
        "divided": "the scores were divided by `scale`; they are multiplied by it",
        "both": "the scores were scaled twice: by `scale` and by the root of d_k",
        "over_queries": "the softmax runs over the queries, so that columns add up to 1: use dim=-1",
        "all": "all weights together add up to 1; those of each query must",
        "after": "the weights were scaled; the scores must be, before the softmax",
        "by_values": "the root is that of d_v, the size of a value; d_k is that of a query",
        "by_keys": "the root is that of the number of keys; d_k is the size of a query",
        "times": "the scores were multiplied by the root of d_k",
        "scores": "the scores came back in place of the weights",
        "order": "the two results are exchanged: the output comes first",
        "no_softmax": "the scores were not put through softmax",
        "keys": "the keys were mixed in place of the values",
        "exchanged": "queries and keys are exchanged",
        "turned": "the weights are turned round before they meet the values",
        "minus": "d ** -1 / 2 is one over twice d: write d ** -0.5",
        "half_d": "d ** 1 / 2 is d / 2: write d ** 0.5",
        "cut": "the root was cut to a whole number",
        "axis": "d was read from a fixed axis: count from the end, shape[-1]",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    Q, K = torch.tensor([[-1.0, -2.0], [3.0, -1.0]]), torch.tensor([[2.0, 2.0], [1.0, 1.0]])
    V = torch.tensor([[2.0, -5.0], [-1.0, 1.0]])  # Q K^T is [[-6, -3], [4, 2]], as in the lecture
    check(attention, Q, K, V, scale=1 / 2).equals(
        ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[0.1824, 0.8176], [0.7311, 0.2689]]), **loose, near={
        says["no_scale"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["root"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["divided"]: ([[-0.9926, 0.9852], [1.946, -4.8921]], [[0.0025, 0.9975], [0.982, 0.018]]),
        says["both"]: ([[-0.2285, -0.5431], [1.0093, -3.0186]], [[0.2572, 0.7428], [0.6698, 0.3302]]),
        says["over_queries"]: ([[-0.0625, 0.0424], [1.0625, -4.0424]], [[0.0067, 0.0759], [0.9933, 0.9241]]),
        says["all"]: ([[-0.0119, -0.0025], [1.1618, -3.2973]], [[0.0048, 0.0215], [0.7118, 0.2619]]),
        says["after"]: ([[-0.6065, 0.5059], [1.1613, -3.0298]], [[0.0335, 0.6736], [0.6228, 0.0843]]),
        says["scores"]: ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[-3.0, -1.5], [2.0, 1.0]]),
        says["order"]: ([[0.1824, 0.8176], [0.7311, 0.2689]], [[-0.4527, -0.0946], [1.1932, -3.3864]]),
        says["no_softmax"]: ([[-4.5, 13.5], [3.0, -9.0]], [[-3.0, -1.5], [2.0, 1.0]]),
        says["keys"]: ([[1.1824, 1.1824], [1.7311, 1.7311]], [[0.1824, 0.8176], [0.7311, 0.2689]]),
        says["exchanged"]: ([[-0.9799, 0.9598], [-0.7724, 0.5449]], [[0.0067, 0.9933], [0.0759, 0.9241]]),
        says["turned"]: ([[-0.3662, -0.1811], [1.3662, -3.8189]], [[0.1824, 0.8176], [0.7311, 0.2689]]),
    }
    )
    check(attention, Q, K, V).equals(
        ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.1070, 0.8930], [0.8044, 0.1956]]), **loose, near={
        f"{says['no_scale']}, or by 1: d ** 1 / 2 is d / 2, and a root cut to a whole number is 1 here": (
            [[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["minus"]: ([[-0.0375, -0.9249], [0.8674, -2.7348]], [[0.3208, 0.6792], [0.6225, 0.3775]]),
        says["by_d"]: ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[0.1824, 0.8176], [0.7311, 0.2689]]),
        says["over_queries"]: ([[-0.0266, 0.0241], [1.0266, -4.0241]], [[0.0008, 0.0283], [0.9992, 0.9717]]),
        says["all"]: ([[-0.0043, 0.0023], [1.4043, -3.8023]], [[0.0007, 0.0057], [0.7993, 0.1943]]),
        says["after"]: ([[-0.6065, 0.5059], [1.1613, -3.0298]], [[0.0335, 0.6736], [0.6228, 0.0843]]),
        says["times"]: ([[-0.9575, 0.915], [1.8326, -4.6652]], [[0.0142, 0.9858], [0.9442, 0.0558]]),
        says["scores"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[-4.2426, -2.1213], [2.8284, 1.4142]]),
        says["order"]: ([[0.107, 0.893], [0.8044, 0.1956]], [[-0.6789, 0.3577], [1.4133, -3.8266]]),
        says["no_softmax"]: ([[-6.364, 19.0919], [4.2426, -12.7279]], [[-4.2426, -2.1213], [2.8284, 1.4142]]),
        says["keys"]: ([[1.107, 1.107], [1.8044, 1.8044]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["exchanged"]: ([[-0.9975, 0.9949], [-0.915, 0.8301]], [[0.0008, 0.9992], [0.0283, 0.9717]]),
        says["turned"]: ([[-0.5903, 0.2692], [1.5903, -4.2692]], [[0.107, 0.893], [0.8044, 0.1956]]),
    }
    )
    check(attention, Q, K, V, scale=1.0).equals(
        ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]), **loose, near={
        "these are the numbers with 1 / sqrt(d_k): was `scale` ignored, or applied besides?": (
            [[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["over_queries"]: ([[-0.0066, 0.0065], [1.0066, -4.0065]], [[0.0, 0.0067], [1.0, 0.9933]]),
        says["all"]: ([[-0.0007, 0.0006], [1.641, -4.2812]], [[0.0, 0.0008], [0.8801, 0.1191]]),
        says["after"]: ([[-0.6065, 0.5059], [1.1613, -3.0298]], [[0.0335, 0.6736], [0.6228, 0.0843]]),
        says["scores"]: ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[-6.0, -3.0], [4.0, 2.0]]),
        says["order"]: ([[0.0474, 0.9526], [0.8808, 0.1192]], [[-0.8577, 0.7154], [1.6424, -4.2848]]),
        says["no_softmax"]: ([[-9.0, 27.0], [6.0, -18.0]], [[-6.0, -3.0], [4.0, 2.0]]),
        says["keys"]: ([[1.0474, 1.0474], [1.8808, 1.8808]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
        says["exchanged"]: ([[-0.9999, 0.9997], [-0.9799, 0.9598]], [[0.0, 1.0], [0.0067, 0.9933]]),
        says["turned"]: ([[-0.7859, 0.6437], [1.7859, -4.6437]], [[0.0474, 0.9526], [0.8808, 0.1192]]),
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from helpers.checks import gradients

    cut = "the gradient is cut: no detach, item, data or NumPy on the way from the arguments to the result"
    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}


    def dot(q, k):
        return torch.einsum("...qd,...kd->...qk", q, k)

    def factor(q, scale):
        return q.shape[-1] ** -0.5 if scale is None else scale

    def made(scaled=None, weigh=None, mix=None):
        """The right function, with one part exchanged for a mistake's."""

        def function(q, k, v, scale=None):
            s = scaled(q, k, v, scale) if scaled else dot(q, k) * factor(q, scale)
            w = weigh(s) if weigh else torch.softmax(s, -1)
            return mix(s, w, q, k, v) if mix else (w @ v, w)

        return function

    def late(q, k, v, scale=None):
        w = torch.softmax(dot(q, k), -1) * factor(q, scale)
        return w @ v, w

    def late_output(q, k, v, scale=None):
        w = torch.softmax(dot(q, k), -1)
        return w @ v * factor(q, scale), w

    def over_all(s):
        return torch.softmax(s.flatten(-2), -1).view(s.shape)

    known = {
        says["no_scale"]: made(lambda q, k, v, scale: dot(q, k)),
        says["by_d"]: made(lambda q, k, v, scale: dot(q, k) * (1 / q.shape[-1] if scale is None else scale)),
        "you divided by d_k, whatever `scale` says": made(lambda q, k, v, scale: dot(q, k) / q.shape[-1]),
        says["root"]: made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5),
        says["divided"]: made(lambda q, k, v, scale: dot(q, k) / (q.shape[-1] ** 0.5 if scale is None else scale)),
        "the default scale is the root itself; the scores are multiplied by one over it": made(
            lambda q, k, v, scale: dot(q, k) / factor(q, scale)
        ),
        says["both"]: made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5 * (1 if scale is None else scale)),
        says["minus"]: made(lambda q, k, v, scale: dot(q, k) * (0.5 / q.shape[-1] if scale is None else scale)),
        says["half_d"]: made(lambda q, k, v, scale: dot(q, k) * (2 / q.shape[-1] if scale is None else scale)),
        says["cut"]: made(lambda q, k, v, scale: dot(q, k) * (1 / int(q.shape[-1] ** 0.5) if scale is None else scale)),
        says["over_queries"]: made(weigh=lambda s: torch.softmax(s, -2)),
        says["all"]: made(weigh=over_all),
        says["after"]: made(
            lambda q, k, v, scale: dot(q, k),
            mix=lambda s, w, q, k, v: (w * q.shape[-1] ** -0.5 @ v, w * q.shape[-1] ** -0.5),
        ),
        "the weights were multiplied by `scale`; the scores must be, before the softmax": late,
        "the output was multiplied by the scale; the scores must be, before the softmax": late_output,
        "the weights came back transposed: one row for each query": made(mix=lambda s, w, q, k, v: (w @ v, w.mT)),
        "the scale was applied twice: to the queries and to the keys": made(
            lambda q, k, v, scale: dot(q, k) * factor(q, scale) ** 2
        ),
        "the root was taken twice: this is d_k ** 0.25": made(
            lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** -0.25 if scale is None else scale)
        ),
        says["axis"]: made(lambda q, k, v, scale: dot(q, k) * (q.shape[1] ** -0.5 if scale is None else scale)),
        "a negative `scale` was not taken: any number stands for itself": made(
            lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** -0.5 if scale is None or scale < 0 else scale)
        ),
        says["by_values"]: made(
            lambda q, k, v, scale: dot(q, k) * (v.shape[-1] ** -0.5 if scale is None else scale)
        ),
        says["by_keys"]: made(lambda q, k, v, scale: dot(q, k) * (k.shape[-2] ** -0.5 if scale is None else scale)),
        says["times"]: made(lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** 0.5 if scale is None else scale)),
        says["scores"]: made(mix=lambda s, w, q, k, v: (w @ v, s)),
        says["order"]: made(mix=lambda s, w, q, k, v: (w, w @ v)),
        says["no_softmax"]: made(weigh=lambda s: s),
        says["keys"]: made(mix=lambda s, w, q, k, v: (w @ k, w)),
        says["exchanged"]: made(lambda q, k, v, scale: dot(k, q) * factor(q, scale)),
        says["turned"]: made(mix=lambda s, w, q, k, v: (w.mT @ v, w)),
        "only the output came back: return the weights, too": made(mix=lambda s, w, q, k, v: w @ v),
        "`scale or ...` takes 0 for None: ask `scale is None`": made(
            lambda q, k, v, scale: dot(q, k) * (scale or q.shape[-1] ** -0.5)
        ),
    }
    check.mistakes(known)

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    def golden(function, *case, fixed=()):
        """What the notebook's `slopes` gives, which runs where the student's functions do."""
        return gradients.slopes(lambda *a: [part.square() for part in function(*a)], *case, fixed=fixed)

    def trained(function, oracle, *case, known=None, fixed=(), about="gradients", edge=False):
        """Judge the value, then the gradients; only where the value is right is an error one of the gradient."""
        check.mistakes(known or {})
        right = check(function, *case).equals(oracle(*case), about=about, edge=edge, rtol=1e-4, atol=1e-5).passed
        check.mistakes({})
        check(slopes, function, *case, fixed=fixed).equals(
            golden(oracle, *case, fixed=fixed), about=about, edge=edge, near={cut: RuntimeError} if right else {},
            rtol=1e-3, atol=1e-4,
        )

    def wanted(q, k, v, scale=None):
        """torch's own; its weights are the output of values that are the unit matrix."""
        one = torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], k.shape[-2])
        return tuple(scaled_dot_product_attention(q, k, x, scale=scale) for x in (v, one))

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = {"with leading axes it fails: work on the last two axes, and exchange only these": RuntimeError}, False
    for lead in [(), (), (3,), (2, 3)]:
        about, near = "with leading axes" if lead else "fresh input", axes if lead and fine else {}
        case = 2 * draw(*lead, 8, 5), draw(*lead, 6, 5), draw(*lead, 6, 7)
        fine = check(attention, *case).equals(wanted(*case), about=about, near=near, **close).passed or fine
        scale = float(check.rng.uniform(0.2, 2))
        check(attention, *case, scale=scale).equals(
            wanted(*case, scale), about=f"another scale, {about}", near=near, **close
        )
        check(attention, *case, scale=-scale).equals(
            wanted(*case, -scale), about="a negative scale", near=near, **close
        )
    case = 2 * draw(4, 4), draw(4, 4), draw(4, 4)
    check(attention, *case).equals(wanted(*case), about="all sizes equal", **close)
    case = 40 * draw(3, 9), 40 * draw(5, 9), draw(5, 2)
    check(attention, *case).equals(wanted(*case), about="large scores", rtol=1e-3, atol=1e-4)
    case = draw(3, 4).double(), draw(5, 4).double(), draw(5, 3).double()
    check(attention, *case).equals(wanted(*case), about="64 bits", rtol=1e-7, atol=1e-8)
    check(attention, *case, scale=0.0).equals(wanted(*case, 0.0), about="scale 0", edge=True, **close)
    case = draw(2, 4), draw(1, 4), draw(1, 3)
    check(attention, *case).equals(wanted(*case), about="one key", edge=True, **close)
    for lead, T_q, T_k, d, e in [((1,), 1, 1, 1, 1), ((1,), 1, 3, 1, 1), ((2,), 1, 3, 2, 1), ((1, 2), 2, 1, 3, 1)]:
        case = draw(*lead, T_q, d), draw(*lead, T_k, d), draw(*lead, T_k, e)
        check(attention, *case).equals(wanted(*case), about="axes of size 1", edge=True, **close)
    case = 40 * draw(80, 3), 40 * draw(90, 3) / 500, 40 * draw(90, 2)
    check(attention, *case).equals(wanted(*case), about="many keys, large values", rtol=1e-3, atol=1e-2)
    for scale in (None, 0.7):
        case = draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 3), scale
        trained(attention, made(), *case, known=known)
    check(attention, *(t.double() for t in case[:3])).holds(
        lambda found: [str(t.dtype) for t in found] == ["torch.float64"] * 2, "two tensors of float64",
        about="the dtype is kept", edge=True,
        near={next(iter(lost)): lambda found: any(str(t.dtype) != "torch.float64" for t in found)},
    )
    ### END HIDDEN TESTS


score
