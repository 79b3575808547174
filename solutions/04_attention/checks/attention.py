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
        "divided_too": "the scores were divided by `scale`; they are multiplied by it, by default, too",
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
        "scaled_both": "the scale was applied twice: to the queries and to the keys",
        "axis": "d was read from a fixed axis: count from the end, shape[-1]",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
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
    Q3, K3 = torch.tensor([[-1.0, -2.0, 0.0], [3.0, -1.0, 1.0]]), torch.tensor([[2.0, 2.0, 1.0], [1.0, 1.0, -1.0]])
    check(attention, Q3, K3, V).equals(
        ([[-0.5490, 0.0980], [1.7290, -4.4579]], [[0.1503, 0.8497], [0.9097, 0.0903]]), **loose, near={
        says["no_scale"]: ([[-0.8577, 0.7154], [1.946, -4.8921]], [[0.0474, 0.9526], [0.982, 0.018]]),
        says["minus"]: ([[0.1326, -1.2652], [0.9823, -2.9645]], [[0.3775, 0.6225], [0.6608, 0.3392]]),
        says["by_d"]: ([[-0.1932, -0.6136], [1.3742, -3.7483]], [[0.2689, 0.7311], [0.7914, 0.2086]]),
        says["over_queries"]: ([[-0.0869, 0.0816], [1.0869, -4.0816]], [[0.0017, 0.0903], [0.9983, 0.9097]]),
        says["all"]: ([[-0.0057, 0.001], [1.7109, -4.4113]], [[0.0016, 0.0089], [0.9001, 0.0894]]),
        says["after"]: ([[-0.4952, 0.4131], [1.1235, -2.8244]], [[0.0274, 0.55], [0.567, 0.0104]]),
        says["times"]: ([[-0.9835, 0.967], [1.9971, -4.9941]], [[0.0055, 0.9945], [0.999, 0.001]]),
        says["scores"]: ([[-0.549, 0.098], [1.729, -4.4579]], [[-3.4641, -1.7321], [2.8868, 0.5774]]),
        says["order"]: ([[0.1503, 0.8497], [0.9097, 0.0903]], [[-0.549, 0.098], [1.729, -4.4579]]),
        says["no_softmax"]: ([[-5.1962, 15.5885], [5.1962, -13.8564]], [[-3.4641, -1.7321], [2.8868, 0.5774]]),
        says["keys"]: ([[1.1503, 1.1503, -0.6993], [1.9097, 1.9097, 0.8193]], [[0.1503, 0.8497], [0.9097, 0.0903]]),
        says["exchanged"]: ([[-0.9948, 0.9895], [-0.729, 0.4579]], [[0.0017, 0.9983], [0.0903, 0.9097]]),
        says["turned"]: ([[-0.609, 0.158], [1.609, -4.158]], [[0.1503, 0.8497], [0.9097, 0.0903]]),
        says["cut"]: ([[-0.8577, 0.7154], [1.946, -4.8921]], [[0.0474, 0.9526], [0.982, 0.018]]),
        says["half_d"]: ([[-0.6424, 0.2848], [1.8051, -4.6102]], [[0.1192, 0.8808], [0.935, 0.065]]),
        says["by_keys"]: ([[-0.6789, 0.3577], [1.8326, -4.6652]], [[0.107, 0.893], [0.9442, 0.0558]]),
        says["by_values"]: ([[-0.6789, 0.3577], [1.8326, -4.6652]], [[0.107, 0.893], [0.9442, 0.0558]]),
        says["scaled_both"]: ([[-0.1932, -0.6136], [1.3742, -3.7483]], [[0.2689, 0.7311], [0.7914, 0.2086]]),
        says["divided_too"]: ([[-0.9835, 0.967], [1.9971, -4.9941]], [[0.0055, 0.9945], [0.999, 0.001]]),
    }
    )
    check(attention, Q, K, V, scale=1.0).equals(
        ([[-0.8577, 0.7154], [1.6424, -4.2848]], [[0.0474, 0.9526], [0.8808, 0.1192]]), **loose, near={
        says["root"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
        says["both"]: ([[-0.6789, 0.3577], [1.4133, -3.8266]], [[0.107, 0.893], [0.8044, 0.1956]]),
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
    from functools import partial

    from helpers.checks import gradients

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
        f"{says['by_d']}, whatever `scale` says": made(lambda q, k, v, scale: dot(q, k) / q.shape[-1]),
        says["root"]: made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5),
        says["divided"]: made(lambda q, k, v, scale: dot(q, k) / (q.shape[-1] ** 0.5 if scale is None else scale)),
        says["divided_too"]: made(
            lambda q, k, v, scale: dot(q, k) / factor(q, scale)
        ),
        says["both"]: made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5 * (1 if scale is None else scale)),
        says["minus"]: made(lambda q, k, v, scale: dot(q, k) * (0.5 / q.shape[-1] if scale is None else scale)),
        says["half_d"]: made(lambda q, k, v, scale: dot(q, k) * (2 / q.shape[-1] if scale is None else scale)),
        says["cut"]: made(lambda q, k, v, scale: dot(q, k) * (1 / int(q.shape[-1] ** 0.5) if scale is None else scale)),
        says["over_queries"]: made(weigh=lambda s: torch.softmax(s, -2)),
        "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1": made(
            weigh=lambda s: torch.softmax(s, 1)
        ),
        says["all"]: made(weigh=over_all),
        says["after"]: made(
            lambda q, k, v, scale: dot(q, k),
            mix=lambda s, w, q, k, v: (w * q.shape[-1] ** -0.5 @ v, w * q.shape[-1] ** -0.5),
        ),
        f"{says['after']} (by `scale`)": late,
        "the output was multiplied by the scale; the scores must be, before the softmax": late_output,
        "the weights came back transposed: one row for each query": made(mix=lambda s, w, q, k, v: (w @ v, w.mT)),
        says["scaled_both"]: made(
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

    trained = partial(gradients.trained, check, slopes)

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
        trained(attention, made(), *case, known=known, near={
            "the gradient stops at the weights that come back: no detach": made(
                mix=lambda s, w, q, k, v: (w @ v, w.detach())
            ),
            "the gradient stops at the weights on their way to the output: no detach": made(
                mix=lambda s, w, q, k, v: (w.detach() @ v, w)
            ),
        })
    check(attention, *(t.double() for t in case[:3])).holds(
        lambda found: [str(t.dtype) for t in found] == ["torch.float64"] * 2, "two tensors of float64",
        about="the dtype is kept", edge=True,
        near={next(iter(lost)): lambda found: any(str(t.dtype) != "torch.float64" for t in found)},
    )
    ### END HIDDEN TESTS


score
