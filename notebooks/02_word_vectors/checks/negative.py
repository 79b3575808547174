from helpers.checks import graded


@graded("negative", points=9)
def score(check):
    import numpy as np
    import torch

    from helpers.checks.forms import base

    alone = "the noise is missing in the loss"
    flipped = "of -log σ(x) the derivative is σ(x) - 1, not 1 - σ(x)"
    itself = "this is the derivative of σ itself; that of -log σ is asked"
    no_pair = "the context is missing in the loss"
    bare = "of -log σ(x) the derivative is σ(x) - 1, not σ(x)"

    def negative_sampling_loss(v, u, n):
        out = base(negative_sampling(v, u, n))
        return out[0] if type(out) in (tuple, list) else out

    v, u, n = torch.tensor([[1.0, 0]]), torch.tensor([[0.0, 1]]), torch.tensor([[[0.0, 2]]])
    check(negative_sampling, v, u, n).equals(
        (1.3862944, [[0, 0.5]], [[-0.5, 0]], [[[0.5, 0]]]), about="by hand",
        near={
            "the noise is missing in the gradient of the centres": (1.3862944, [[0, -0.5]], [[-0.5, 0]], [[[0.5, 0]]]),
            "the gradients have their signs turned round: of -log σ(x) it is σ(x) - 1": (
                1.3862944, [[0, -0.5]], [[0.5, 0]], [[[-0.5, 0]]]),
            "the loss has its sign turned round": (-1.3862944, [[0, 0.5]], [[-0.5, 0]], [[[0.5, 0]]]),
            alone: (0.6931472, [[0, 0.5]], [[-0.5, 0]], [[[0.5, 0]]]),
            no_pair: (0.6931472, [[0, 0.5]], [[-0.5, 0]], [[[0.5, 0]]]),
            bare: (1.3862944, [[0, 1.5]], [[0.5, 0]], [[[0.5, 0]]]),
            flipped: (1.3862944, [[0, 1.5]], [[0.5, 0]], [[[0.5, 0]]]),
            itself: (1.3862944, [[0, 0.25]], [[-0.25, 0]], [[[0.25, 0]]]),
        },
    )
    v, u = torch.tensor([[1.0, 0], [0, 1]]), torch.tensor([[1.0, 1], [2, 0]])
    n = torch.tensor([[[0.0, 1], [1, 0]], [[1, 1], [0, 0]]])
    check(negative_sampling_loss, v, u, n).equals(
        2.5096135, about="two pairs, the loss",
        near={"this is the sum over the pairs; the mean is asked": 5.0192270,
              "the noise words are added up, not averaged": 1.5064089,
              "the noise has the sign of the context: -log σ(-x)": 1.5096134, alone: 0.5032043,
              no_pair: 2.0064089}, rtol=1e-4,
    )
    v, u = torch.tensor([[1.0, -1], [2, 0.5]]), torch.tensor([[0.5, 2], [-1, 1]])
    n = torch.tensor([[[0.0, 1], [2, 0]], [[0.5, 1], [-1, 0]]])
    loss, centre = 3.83568, [[0.67640, -0.68310], [0.55358, 0]]
    context = [[-0.40879, 0.40879], [-0.81757, -0.20439]]
    drawn = [[[0.13447, -0.13447], [0.44040, -0.44040]], [[0.81757, 0.20439], [0.11920, 0.02980]]]
    doubled = [[[0.26894, -0.26894], [0.88080, -0.88080]], [[1.63515, 0.40879], [0.23841, 0.05960]]]
    check(negative_sampling, v, u, n).equals(
        (loss, centre, context, drawn), about="two pairs", rtol=1e-3, atol=1e-4,
        near={"the loss is the mean, but its gradients lack 1/B": (
                  loss, [[1.35281, -1.36621], [1.10716, 0]], [[-0.81757, 0.81757], [-1.63515, -0.40879]], doubled),
              "this is the sum over the pairs; the mean is asked": (
                  7.67136, [[1.35281, -1.36621], [1.10716, 0]], [[-0.81757, 0.81757], [-1.63515, -0.40879]], doubled),
              "the gradient of the noise lacks 1/B": (loss, centre, context, doubled),
              "the gradients hold 1/B, but the loss is a sum": (7.67136, centre, context, drawn),
              "in the gradient of the centres the noise words are averaged; add them up": (
                  loss, [[0.23600, -0.75034], [0.48118, -0.20439]], context, drawn),
              "of -log σ(-x) the derivative is σ(x), not σ(-x)": (
                  loss, [[-0.08519, -0.45205], [0.01400, -0.31757]], context,
                  [[[0.36553, -0.36553], [0.05960, -0.05960]], [[0.18243, 0.04561], [0.88080, 0.22020]]])},
    )
    far = torch.tensor([[100.0, 0]]), torch.tensor([[-5.0, 1]]), torch.tensor([[[1.0, 0]]])
    check(negative_sampling_loss, *far).holds(
        lambda loss: abs(float(loss) - 600) < 0.1,
        "600: the score of the pair is -500, that of the noise word 100",
        near={
            "an exponential overflowed, or σ(x) became 0 before its logarithm: use logsigmoid": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added inside of the logarithm, or it was clipped: the loss comes out in full": lambda loss: (
                5 < float(loss) < 200
            ),
        },
        about="scores of hundreds, the loss",
    )


score
