from helpers.checks import graded


@graded("negative", points=9)
def score(check):
    import torch

    alone = "the noise is missing in the loss"
    no_pair = "the context is missing in the loss"
    ### BEGIN MISTAKES
    flipped = "of -log σ(x) the derivative is σ(x) - 1, not 1 - σ(x)"
    itself = "this is the derivative of σ itself; that of -log σ is asked for"
    bare = "of -log σ(x) the derivative is σ(x) - 1, not σ(x)"

    def loss_of(v, u, n, sign=-1, pool=torch.sum, over=torch.mean):
        own = torch.einsum("bd,bd->b", v, u)
        against = torch.einsum("bd,bkd->bk", v, n)
        softplus = torch.nn.functional.softplus
        return over(softplus(-own) + pool(softplus(-sign * against), 1))

    def with_gradients(v, u, n, **how):
        leaves = [t.detach().double().requires_grad_() for t in (v, u, n)]
        value = loss_of(*leaves, **how)
        return value.detach(), *torch.autograd.grad(value, leaves)

    def bent(change, **how):
        """A mistake: the right parts, changed."""

        def mistake(v, u, n):
            return change(*with_gradients(v, u, n, **how), v.double(), u.double(), n.double())

        return mistake

    def own(v, u):
        return ((torch.sigmoid((v * u).sum(-1)) - 1) / len(v))[:, None]

    def other(v, n):
        return (torch.sigmoid((n * v[:, None]).sum(-1)) / len(v))[..., None]

    def slope(v, u):
        return own(v, u) * (1 + own(v, u) * len(v))

    def noise_slope(v, n):
        return other(v, n) * (1 - other(v, n) * len(v))

    known = {
        "this is the sum over the pairs; the mean is asked for":
            bent(lambda s, a, b, c, *_: (s, a, b, c), over=torch.sum),
        "the loss is the mean, but its gradients lack 1/B": bent(
            lambda s, a, b, c, v, *_: (s, a * len(v), b * len(v), c * len(v))),
        "the gradients hold 1/B, but the loss is a sum": bent(lambda s, a, b, c, v, *_: (s * len(v), a, b, c)),
        "the noise words are added up, not averaged": bent(lambda s, a, b, c, *_: (s, a, b, c), pool=torch.mean),
        "the loss averages the noise words; it should add them up": bent(
            lambda s, a, b, c, v, u, n: (loss_of(v, u, n, pool=torch.mean), a, b, c)),
        "the noise has the sign of the context: its term is -log σ(-x)": bent(
            lambda s, a, b, c, *_: (s, a, b, c), sign=1),
        "the loss gives the noise the sign of the context: -log σ(-x)": bent(
            lambda s, a, b, c, v, u, n: (loss_of(v, u, n, sign=1), a, b, c)),
        "the loss has the wrong sign": bent(lambda s, a, b, c, *_: (-s, a, b, c)),
        "the gradients have the wrong signs: of -log σ(x) it is σ(x) - 1": bent(
            lambda s, a, b, c, *_: (s, -a, -b, -c)),
        alone: bent(lambda s, a, b, c, v, u, n: (torch.nn.functional.softplus(-(v * u).sum(1)).mean(), a, b, c)),
        flipped: bent(lambda s, a, b, c, v, u, n: (s, (other(v, n) * n).sum(1) - own(v, u) * u, -b, c)),
        itself: bent(lambda s, a, b, c, v, u, n: (
            s, slope(v, u) * u + (noise_slope(v, n) * n).sum(1), slope(v, u) * v, noise_slope(v, n) * v[:, None])),
        "of -log σ(-x) the derivative is σ(x), not σ(-x)": bent(lambda s, a, b, c, v, u, n: (
            s, own(v, u) * u + (other(-v, n) * n).sum(1), b, other(-v, n) * v[:, None])),
        "the gradient of the noise lacks 1/B": bent(lambda s, a, b, c, v, *_: (s, a, b, c * len(v))),
        "the noise's own gradients are divided by K, too: over the noise words the loss is a sum": bent(
            lambda s, a, b, c, v, u, n: (s, a, b, c / n.shape[1])),
        "the gradient of the context lacks 1/B": bent(lambda s, a, b, c, v, *_: (s, a, b * len(v), c)),
        "the gradient of the centres lacks 1/B": bent(lambda s, a, b, c, v, *_: (s, a * len(v), b, c)),
        "the noise is missing in the gradient of the centres": bent(
            lambda s, a, b, c, v, u, n: (s, own(v, u) * u, b, c)),
        "the context is missing in the gradient of the centres": bent(
            lambda s, a, b, c, v, u, n: (s, (other(v, n) * n).sum(1), b, c)),
        "the gradient of the context is along v, the centre":
            bent(lambda s, a, b, c, v, u, n: (s, a, own(v, u) * u, c)),
        "the gradient of the noise is along v, the centre":
            bent(lambda s, a, b, c, v, u, n: (s, a, b, other(v, n) * n)),
        "the gradient of the noise is along v, the centre, not along the context":
            bent(lambda s, a, b, c, v, u, n: (s, a, b, other(v, n) * u[:, None])),
        "of -log σ(-x) the derivative is σ(x), not σ(x) - 1": bent(lambda s, a, b, c, v, u, n: (
            s, own(v, u) * u + ((other(v, n) - 1 / len(v)) * n).sum(1), b, (other(v, n) - 1 / len(v)) * v[:, None])),
        no_pair: bent(lambda s, a, b, c, v, u, n: (
            torch.nn.functional.softplus((n * v[:, None]).sum(-1)).sum(1).mean(), a, b, c)),
        bare: bent(lambda s, a, b, c, v, u, n: (
            s, (own(v, u) + 1 / len(v)) * u + (other(v, n) * n).sum(1), (own(v, u) + 1 / len(v)) * v, c)),
        "the gradient of the noise is one for each noise word, not their sum": bent(
            lambda s, a, b, c, *_: (s, a, b, c.sum(1))),
        "in the gradient of the centres the noise words are averaged; add them up": bent(
            lambda s, a, b, c, v, u, n: (s, own(v, u) * u + (other(v, n) * n).mean(1), b, c)),
        "the gradients of centres and contexts are exchanged": bent(lambda s, a, b, c, *_: (s, b, a, c)),
        "there is one loss for each pair; their mean is asked for": bent(lambda s, a, b, c, v, u, n: (
            loss_of(v, u, n, over=lambda x: x), a, b, c)),
    }
    check.mistakes(known, negative_sampling)
    ### END MISTAKES
    import numpy as np
    from helpers.checks.forms import base

    def negative_sampling_loss(v, u, n):
        out = base(negative_sampling(v, u, n))
        return out[0] if type(out) in (tuple, list) else out

    v, u, n = torch.tensor([[1.0, 0]]), torch.tensor([[0.0, 1]]), torch.tensor([[[0.0, 2]]])
    check(negative_sampling, v, u, n).equals(
        (1.3862944, [[0, 0.5]], [[-0.5, 0]], [[[0.5, 0]]]), about="by hand"
    )
    v, u = torch.tensor([[1.0, 0], [0, 1]]), torch.tensor([[1.0, 1], [2, 0]])
    n = torch.tensor([[[0.0, 1], [1, 0]], [[1, 1], [0, 0]]])
    check(negative_sampling_loss, v, u, n).equals(
        2.5096135, about="two pairs, the loss",
        near={"this is the sum over the pairs; the mean is asked for": 5.0192270,
              "the noise words are added up, not averaged": 1.5064089,
              "the noise has the sign of the context: -log σ(-x)": 1.5096134, alone: 0.5032043,
              no_pair: 2.0064089}, rtol=1e-4,
    )
    v, u = torch.tensor([[1.0, -1], [2, 0.5]]), torch.tensor([[0.5, 2], [-1, 1]])
    n = torch.tensor([[[0.0, 1], [2, 0]], [[0.5, 1], [-1, 0]]])
    loss, centre = 3.83568, [[0.67640, -0.68310], [0.55358, 0]]
    context = [[-0.40879, 0.40879], [-0.81757, -0.20439]]
    drawn = [[[0.13447, -0.13447], [0.44040, -0.44040]], [[0.81757, 0.20439], [0.11920, 0.02980]]]
    check(negative_sampling, v, u, n).equals(
        (loss, centre, context, drawn), about="two pairs", rtol=1e-3, atol=1e-4
    )
    far = torch.tensor([[100.0, 0]]), torch.tensor([[-5.0, 1]]), torch.tensor([[[1.0, 0]]])
    check(negative_sampling_loss, *far).holds(
        lambda loss: abs(float(loss) - 600) < 0.1,
        "600: the score of the pair is -500, that of the noise word 100",
        near={
            "an exponential overflowed, or σ(x) became 0 before its logarithm: use logsigmoid": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added inside the logarithm, or it was clipped: the loss comes out in full": lambda loss: (
                5 < float(loss) < 200
            ),
        },
        about="scores in the hundreds, the loss",
    )
    by_autograd = "this is autograd's work, and here autograd is off: write the gradients by the formulas"
    v, u, n = torch.tensor([[1.0, 0]]), torch.tensor([[0.0, 1]]), torch.tensor([[[0.0, 2]]])
    check(without_autograd, negative_sampling, v, u, n).equals(
        (1.3862944, [[0, 0.5]], [[-0.5, 0]], [[[0.5, 0]]]), about="by hand, with autograd off",
        near={by_autograd: RuntimeError},
    )
    same_dtype = {
        "test": lambda found: [str(g.dtype) for g in found[1:]] == ["torch.float32"] * 3,
        "says": "gradients of float32, as the vectors",
        "about": "the dtype of the gradients", "edge": True,
        "near": {"the gradients came in float64: they have the dtype of the vectors, so that `step` can subtract them":
            lambda found: "torch.float64" in [str(g.dtype) for g in found[1:]]},
    }
    check(negative_sampling, v, u, n).holds(**same_dtype)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))

    def fresh(rows, many, width, scale=1.0):
        return [scale * torch.randn(*s, width, generator=generator) for s in ((rows,), (rows,), (rows, many))]

    ordinary = []
    for shape in [(3, 2, 4), (4, 5, 3), (5, 4, 6)]:
        args = fresh(*shape)
        ordinary.append(check(negative_sampling, *args).equals(
            with_gradients(*args), about="random vectors", rtol=1e-4, atol=1e-6))
    check(without_autograd, negative_sampling, *args).equals(
        with_gradients(*args), about="random vectors, with autograd off", rtol=1e-4, atol=1e-6,
        near={by_autograd: RuntimeError} if ordinary[-1].passed else {},
    )
    args = fresh(3, 2, 4, scale=20.0)
    infinite = "the logarithm of σ(x) = 0 is infinite: use logsigmoid"
    check(negative_sampling, *args).equals(
        with_gradients(*args), about="large scores", rtol=1e-4, atol=1e-5,
        near={infinite: (float("inf"), *with_gradients(*args)[1:]), infinite + " (it became NaN)": (
            float("nan"), *with_gradients(*args)[1:])},
    )
    flat = "an axis of length 1 was dropped, as squeeze() does without a number: name the axis, squeeze(-1)"

    def squeezed(v, u, n):
        """Scores whose axes of length 1 are gone; then all goes on as if they were there."""
        p, q = (v * u).sum(-1), (n @ v[:, :, None]).squeeze()
        loss = (softplus(-p) + softplus(q).sum(-1)).mean()
        own, other = (torch.sigmoid(p) - 1)[:, None] / len(v), torch.sigmoid(q)[..., None] / len(v)
        return loss, own * u + (other * n).sum(-2), own * v, other * v[:, None]

    softplus = torch.nn.functional.softplus
    squeezed_away = {
        flat: squeezed,
        flat + " (the gradients)": bent(lambda s, a, b, c, *_: (s, a.squeeze(), b.squeeze(), c.squeeze())),
        flat + " (that of the centres)": bent(lambda s, a, b, c, *_: (s, a.squeeze(), b, c)),
        flat + " (that of the context)": bent(lambda s, a, b, c, *_: (s, a, b.squeeze(), c)),
        flat + " (that of the noise)": bent(lambda s, a, b, c, *_: (s, a, b, c.squeeze())),
    }
    no_axis = {flat + ", and an axis is missed later": IndexError}
    if not all(case.passed for case in ordinary):
        squeezed_away, no_axis = {}, {}
    check.mistakes(known | squeezed_away, negative_sampling)
    args = fresh(1, 1, 2)
    check(negative_sampling, *args).equals(
        with_gradients(*args), about="one pair, one noise word", rtol=1e-4, atol=1e-6, edge=True, near=no_axis
    )
    args = fresh(3, 1, 2)
    check(negative_sampling, *args).equals(
        with_gradients(*args), about="one noise word for each of three pairs", rtol=1e-4, atol=1e-6, edge=True,
        near=no_axis,
    )

    def exactly(v, u, n, about):
        check(negative_sampling, v, u, n).equals(
            with_gradients(v, u, n), about=about, rtol=1e-10, atol=1e-13, edge=True, near=no_axis
        )

    check(negative_sampling, *fresh(3, 2, 4)).holds(**same_dtype)
    exactly(*[part.double() / 3 for part in fresh(70, 2, 3)], "many pairs in float64")
    exactly(*[part.double() for part in fresh(3, 2, 1)], "vectors of one number, in float64")
    ### END HIDDEN TESTS


score
