from helpers.checks import graded


@graded("attention", points=6)
def score(check):
    import torch

    ### BEGIN MISTAKES
    by_d = "you divided by d_k, not by its square root"
    after = "the weights were scaled; the scores must be, before the softmax"

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
        "the scores are not scaled": made(lambda q, k, v, scale: dot(q, k)),
        by_d: made(lambda q, k, v, scale: dot(q, k) * (1 / q.shape[-1] if scale is None else scale)),
        f"{by_d}, whatever `scale` says": made(lambda q, k, v, scale: dot(q, k) / q.shape[-1]),
        "`scale` was ignored: these are the numbers with 1 / sqrt(d_k)":
            made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5),
        "the scores were divided by `scale`; they are multiplied by it":
            made(lambda q, k, v, scale: dot(q, k) / (q.shape[-1] ** 0.5 if scale is None else scale)),
        "the scores were divided by `scale`; they are multiplied by it, by default, too":
            made(lambda q, k, v, scale: dot(q, k) / factor(q, scale)),
        "the scores were scaled twice: by `scale` and by the root of d_k":
            made(lambda q, k, v, scale: dot(q, k) * q.shape[-1] ** -0.5 * (1 if scale is None else scale)),
        "d ** -1 / 2 is one over twice d: write d ** -0.5":
            made(lambda q, k, v, scale: dot(q, k) * (0.5 / q.shape[-1] if scale is None else scale)),
        "d ** 1 / 2 is d / 2: write d ** 0.5":
            made(lambda q, k, v, scale: dot(q, k) * (2 / q.shape[-1] if scale is None else scale)),
        "the scores are not scaled where `scale` is None, or the root was cut to a whole number":
            made(lambda q, k, v, scale: dot(q, k) * (1 / int(q.shape[-1] ** 0.5) if scale is None else scale)),
        "the softmax runs over the queries, so that columns add up to 1: use dim=-1":
            made(weigh=lambda s: torch.softmax(s, -2)),
        "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1":
            made(weigh=lambda s: torch.softmax(s, 1)),
        "all weights together add up to 1; those of each query must": made(weigh=over_all),
        after: lambda q, k, v, scale=None: late(q, k, v),
        f"{after} (by `scale`)": late,
        "the output was multiplied by the scale; the scores must be, before the softmax": late_output,
        "the weights came back transposed: one row for each query": made(mix=lambda s, w, q, k, v: (w @ v, w.mT)),
        "the scale was applied twice: to the queries and to the keys":
            made(lambda q, k, v, scale: dot(q, k) * factor(q, scale) ** 2),
        "the root was taken twice: this is d_k ** 0.25":
            made(lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** -0.25 if scale is None else scale)),
        "d was read from a fixed axis: count from the end, shape[-1]":
            made(lambda q, k, v, scale: dot(q, k) * (q.shape[1] ** -0.5 if scale is None else scale)),
        "a negative `scale` was not taken: any number stands for itself":
            made(lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** -0.5 if scale is None or scale < 0 else scale)),
        "the root is that of the number of keys; d_k is the size of a query":
            made(lambda q, k, v, scale: dot(q, k) * (k.shape[-2] ** -0.5 if scale is None else scale)),
        "the root is that of d_v, the size of a value; d_k is that of a query":
            made(lambda q, k, v, scale: dot(q, k) * (v.shape[-1] ** -0.5 if scale is None else scale)),
        "the scores were multiplied by the root of d_k":
            made(lambda q, k, v, scale: dot(q, k) * (q.shape[-1] ** 0.5 if scale is None else scale)),
        "the scores came back in place of the weights": made(mix=lambda s, w, q, k, v: (w @ v, s)),
        "the two results are exchanged: the output comes first": made(mix=lambda s, w, q, k, v: (w, w @ v)),
        "the scores were not put through softmax": made(weigh=lambda s: s),
        "the keys were mixed in place of the values": made(mix=lambda s, w, q, k, v: (w @ k, w)),
        "queries and keys are exchanged": made(lambda q, k, v, scale: dot(k, q) * factor(q, scale)),
        "the weights are transposed before they meet the values": made(mix=lambda s, w, q, k, v: (w.mT @ v, w)),
        "only the output came back: return the weights, too": made(mix=lambda s, w, q, k, v: w @ v),
        "`scale or ...` takes 0 for None: ask `scale is None`":
            made(lambda q, k, v, scale: dot(q, k) * (scale or q.shape[-1] ** -0.5)),
    }
    check.mistakes(known, attention)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    Q, K = torch.tensor([[-1.0, -2.0], [3.0, -1.0]]), torch.tensor([[2.0, 2.0], [1.0, 1.0]])
    V = torch.tensor([[2.0, -5.0], [-1.0, 1.0]])  # Q K^T is [[-6, -3], [4, 2]], as in the lecture
    check(attention, Q, K, V, scale=1 / 2).equals(
        ([[-0.4527, -0.0946], [1.1932, -3.3864]], [[0.1824, 0.8176], [0.7311, 0.2689]]), **loose
    )
    Q3, K3 = torch.tensor([[-1.0, -2.0, 0.0], [3.0, -1.0, 1.0]]), torch.tensor([[2.0, 2.0, 1.0], [1.0, 1.0, -1.0]])
    usual = check(attention, Q3, K3, torch.cat([V, V + 1], 1)).equals(
        ([[-0.5490, 0.0980, 0.4510, 1.0980], [1.7290, -4.4579, 2.7290, -3.4579]],
         [[0.1503, 0.8497], [0.9097, 0.0903]]), **loose
    )
    check(attention, Q, K, V, scale=0).equals(([[0.5, -2.0], [0.5, -2.0]], [[0.5, 0.5], [0.5, 0.5]]), **loose)
    check(attention, Q, K, V, scale=-0.25).equals(
        ([[1.0375, -3.0751], [0.1326, -1.2652]], [[0.6792, 0.3208], [0.3775, 0.6225]]), **loose,
        near={"a negative `scale` lost its sign: any number stands for itself":
              ([[-0.0375, -0.9249], [0.8674, -2.7348]], [[0.3208, 0.6792], [0.6225, 0.3775]])},
    )
    nothing = [[torch.nan] * 2] * 2
    check(attention, 100 * Q, K, V).equals(
        ([[-1.0, 1.0], [2.0, -5.0]], [[0.0, 1.0], [1.0, 0.0]]), about="large scores", **loose,
        near={"large scores overflow: your softmax of exercise 2 takes them": (nothing, nothing)},
    )
    by_Q, by_K = [[-0.7779, -0.7779], [6.3224, 6.3224]], [[19.7453, -4.7666], [-19.7453, 4.7666]]
    check(slopes, attention, Q, K, V).equals(
        [by_Q, by_K, [[2.1284, -6.0798], [-0.6596, -0.8578]]], about="gradients of the squares", **loose,
        near=cut(usual),
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from torch.nn.functional import scaled_dot_product_attention

    from helpers.checks import gradients

    check.hidden()
    lost = "the dtype changed: float64 goes in and must come out"

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
        trained(attention, made(), *case, near={
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
        near={lost: lambda found: any(str(t.dtype) != "torch.float64" for t in found)},
    )
    ### END HIDDEN TESTS


score
