from helpers.checks import graded


@graded("clip-loss", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import torch.nn.functional as F

    dot = "the vectors are not brought to length 1"
    no_exp = "log_scale is a logarithm: the factor is exp(log_scale)"
    divided = "the cosines are multiplied by the factor, not divided"
    no_scale = "the factor is missing"

    def cosines(x, y, norm=True):
        return x @ y.T / (x.norm(dim=1)[:, None] * y.norm(dim=1) if norm else 1)

    def floored(least):
        return lambda x, y, norm: F.normalize(x, dim=1, eps=least) @ F.normalize(y, dim=1, eps=least).T

    short = {f"a length below {least:g} counts as {least:g}: short vectors have cosines, too": floored(least)
             for least in (1e-2, 1e-3, 1e-4, 1e-5)}

    def made(factor=lambda tau: torch.minimum(tau.exp(), torch.full_like(tau, 100)), weigh=(0.5, 0.5), norm=True,
             per=lambda n: n, cos=cosines):
        def loss(x, y, tau):
            z = factor(tau) * cos(x, y, norm)
            each = [z.logsumexp(axis) - z.diagonal() for axis in (1, 0)]
            return sum(w * part.sum() for w, part in zip(weigh, each, strict=True)) / per(len(z))

        return loss

    def softmax_twice(x, y, tau):
        scores = tau.exp().clamp(max=100) * cosines(x, y)
        return F.cross_entropy(scores.softmax(1), torch.arange(len(x)))

    check.mistakes({
        "the rows alone were asked, or twice: the columns are questions, too (transpose the table)": made(weigh=(1, 0)),
        "only the columns were asked": made(weigh=(0, 1)),
        "this is the sum of both directions, or of all pairs: their mean is asked for": made(weigh=(1, 1)),
        dot: made(norm=False),
        no_exp: made(lambda tau: tau),
        divided: made(lambda tau: 1 / tau.exp()),
        no_scale: made(lambda tau: 1.0),
        "the cap is missing, or is on the scores or the logarithm: the factor is 100 at most": made(torch.exp),
        "the cap is 100 to the last digit: the logarithm of 100 is 4.6052": made(lambda tau: tau.clamp(max=4.6).exp()),
        "the exponential was taken twice": made(lambda tau: tau.exp().exp().clamp(max=100)),
        "the cap is 100: 1/0.07 is where the factor begins": made(lambda tau: tau.exp().clamp(max=1 / 0.07)),
        "cross_entropy takes the softmax itself: here it is taken twice":
            lambda x, y, tau: (softmax_twice(x, y, tau) + softmax_twice(y, x, tau)) / 2,
        "the factor is e to the log_scale, not 2": made(lambda tau: 2**tau),
        "the factor is e to the log_scale, not 10": made(lambda tau: 10**tau),
        "100 is the most that the factor can be, not the least": made(lambda tau: tau.exp().clamp(min=100)),
        "the vectors are divided by their squared length: length 1 is asked for":
            made(cos=lambda x, y, n: (x / x.square().sum(1, keepdim=True)) @ (y / y.square().sum(1, keepdim=True)).T),
        "the pictures alone were divided by their squared length: length 1 is asked for":
            made(cos=lambda x, y, n: (x / x.square().sum(1, keepdim=True)) @ F.normalize(y, dim=1).T),
        "these are distances: cosines are asked for":
            made(cos=lambda x, y, n: -torch.cdist(F.normalize(x, dim=1), F.normalize(y, dim=1))),
        "the right caption of picture i is caption i: the diagonal": made(cos=lambda x, y, n: cosines(x, y.flip(0))),
        "only the captions are brought to length 1": made(cos=lambda x, y, n: x @ F.normalize(y, dim=1).T),
        "the factor has a floor here: only a cap is asked for": made(lambda tau: tau.exp().clamp(1, 100)),
        "only one of both sides is brought to length 1": made(cos=lambda x, y, n: F.normalize(x, dim=1) @ y.T),
        "the vectors are normalised down the columns: length 1 is along the last axis":
            made(cos=lambda x, y, n: F.normalize(x, dim=0) @ F.normalize(y, dim=0).T),
        "a softmax underflows for large scores: cross_entropy or logsumexp does not":
            lambda x, y, tau: torch.tensor(torch.inf),
    } | {words: made(cos=cos) for words, cos in short.items()}, clip_loss)

    def cells(factor=torch.exp, join=lambda z, b: z + b, off=-1.0, on=1.0, per=lambda n: n, norm=True, part=1.0,
              cos=cosines, bias=False):
        def loss(x, y, tau, b):
            z = join(factor(tau) * (cos(x, y, norm) + (b if bias else 0)), b)
            n = len(z)
            same = torch.eye(n, dtype=bool)
            signs = torch.where(same, on, off).to(z.dtype)
            each = torch.logaddexp(-signs * z, torch.zeros_like(z))
            return (each * torch.where(same, 1.0, part).to(z.dtype)).sum() / per(n)

        return loss

    check.mistakes({
        "the sum is divided by N, not by the number of cells": cells(per=lambda n: n * n),
        "this is the sum over all cells: divide it by N": cells(per=lambda n: 1),
        "the bias is missing": cells(join=lambda z, b: z),
        "the bias is added to the scores, not subtracted": cells(join=lambda z, b: z - b),
        "only the pairs themselves count here: the other cells say no": cells(part=0.0),
        "all cells were asked for a yes: off the diagonal the sign is -1": cells(off=1.0),
        "the signs are flipped: yes is on the diagonal": cells(off=1.0, on=-1.0),
        "the sign off the diagonal is -1, not 0": cells(off=0.0),
        dot: cells(norm=False),
        no_exp: cells(lambda tau: tau),
        no_scale: cells(lambda tau: 1.0),
        divided: cells(lambda tau: 1 / tau.exp()),
        "only the pictures are brought to length 1: the texts are, too":
            cells(cos=lambda x, y, n: F.normalize(x, dim=1) @ y.T),
        "only the texts are brought to length 1: the pictures are, too":
            cells(cos=lambda x, y, n: x @ F.normalize(y, dim=1).T),
        "the vectors are normalised down the columns: length 1 is along the last axis":
            cells(cos=lambda x, y, n: F.normalize(x, dim=0) @ F.normalize(y, dim=0).T),
        "the factor multiplies the cosines alone, not the bias": cells(join=lambda z, b: z, bias=True),
        "the bias is added as it is: no exponential of it": cells(join=lambda z, b: z + b.exp()),
        "the bias multiplies the scores: it is added": cells(join=lambda z, b: z * b),
        "the bias is added to all cells, not to the pairs alone":
            cells(join=lambda z, b: z + b * torch.eye(len(z), dtype=z.dtype)),
        "the bias is added to all cells, the pairs among them":
            cells(join=lambda z, b: z + b * (1 - torch.eye(len(z), dtype=z.dtype))),
        "the logarithm of the sigmoid is missing":
            lambda x, y, tau, b: -torch.sigmoid((2 * torch.eye(len(x), dtype=x.dtype) - 1) * (
                tau.exp() * cosines(x, y) + b)).sum() / len(x),
        "the factor is e to the log_scale, not 10": cells(lambda tau: 10**tau),
        "the factor is e to the log_scale, not 2": cells(lambda tau: 2**tau),
        "there is no cap here": cells(lambda tau: tau.exp().clamp(max=100)),
        "the bias belongs inside the sign: sign times (score + bias)":
            lambda x, y, tau, b: F.softplus(
                -((2 * torch.eye(len(x)) - 1) * tau.exp() * cosines(x, y) + b)).sum() / len(x),
        "the logarithm of the sigmoid runs over for large scores: F.logsigmoid": lambda *given: torch.tensor(torch.inf),
    } | {words: cells(cos=cos) for words, cos in short.items()}, siglip_loss)
    ### END MISTAKES
    t = torch.tensor
    images, texts = t([[1.0, 0.0], [0.0, 2.0]]), t([[3.0, 4.0], [0.0, 1.0]])
    scale, bias = t(5.0).log(), t(-3.0)
    check(clip_loss, images, texts, scale).equals(0.420456, rtol=1e-4)
    check(siglip_loss, images, texts, scale, bias).equals(1.090962, rtol=1e-4)
    scale = t(200.0).log()
    check(clip_loss, images, texts, scale).equals(5.0, about="the factor is 100 at most", rtol=1e-4)
    check(siglip_loss, images, texts, scale, bias).equals(78.5243, about="no cap", rtol=1e-4)
    check(loss_slopes, clip_loss, images, texts, scale).equals(
        [[[0.0, -200.0], [75.0, 0.0]], [[-56.0, 42.0], [0.0, 0.0]], 0.0], about="gradients where the cap holds",
        rtol=1e-3, atol=1e-3)
    ### BEGIN HIDDEN TESTS
    from helpers.checks.gradients import golden

    check.hidden()
    seed = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def draw(*shape, dtype=torch.float32):
        return torch.randn(*shape, generator=seed, dtype=torch.float64).to(dtype)

    cut = ("the gradient is cut (no detach, no_grad, item or NumPy on the way, nor a factor kept as a plain number), "
           "or an argument is not used")

    right = made()
    through = made(lambda tau: tau.exp() * (100 / tau.exp()).clamp(max=1).detach())
    for N, C, tau in [(3, 5, 1.2), (6, 4, 2.66), (4, 4, -0.7), (5, 7, 4.2)]:
        case = draw(N, C), 3 * draw(N, C), t(tau)
        check(clip_loss, *case).equals(right(*case), about="fresh pairs", rtol=1e-4, atol=1e-6, weight=2)
        case = *(v.double() for v in case),
        check(loss_slopes, clip_loss, *case).equals(
            golden(right, *case), about="gradients of CLIP's loss", rtol=1e-6, atol=1e-9, weight=2,
            near={cut: RuntimeError})
    for tau in (4.9, 6.0):
        case = draw(4, 3, dtype=torch.float64), draw(4, 3, dtype=torch.float64), t(tau, dtype=torch.float64)
        check(loss_slopes, clip_loss, *case).equals(
            golden(right, *case), about="gradients where the cap holds", edge=True, rtol=1e-6, atol=1e-9, near={
                "where the cap holds, the gradient of log_scale is 0: take the smaller of the two in torch": golden(
                    through, *case), cut: RuntimeError})
    for tau in (4.7, 6.0, 9.0):
        case = draw(4, 3), draw(4, 3), t(tau)
        check(clip_loss, *case).equals(right(*case), about="the cap", edge=True, rtol=1e-4, atol=1e-4)
    far = t([[1.0, 0.0], [0.0, 1.0]]), t([[-1.0, 0.0], [0.0, -1.0]]), t(5.0)
    check(clip_loss, *far).equals(100.0, about="captions on the other side", edge=True, rtol=1e-4)
    far = draw(3, 4), draw(3, 4), t(4.6)
    check(clip_loss, far[0], -far[0], far[2]).equals(
        right(far[0], -far[0], far[2]), about="captions on the other side", edge=True, rtol=1e-4)
    one = "one pair, one number"
    for N, C, about in [(1, 3, one), (3, 1, one), (1, 1, one), (140, 70, "many pairs")]:
        case = draw(N, C), draw(N, C), t(2.0)
        check(clip_loss, *case).equals(right(*case), about=about, edge=True, rtol=1e-4, atol=1e-6)
    case = draw(4, 6, dtype=torch.float64), draw(4, 6, dtype=torch.float64), t(2.1, dtype=torch.float64)
    check(clip_loss, *case).equals(right(*case), about="float64 stays", edge=True, rtol=1e-11, atol=1e-14)
    for sizes in [(1e-6, 1e4), (1e4, 1e-6)]:
        case = sizes[0] * draw(3, 4), sizes[1] * draw(3, 4), t(2.0)
        check(clip_loss, *case).equals(right(*case), about="short vectors, long ones", edge=True, rtol=1e-3, atol=1e-5)

    right = cells()
    for N, C, tau, b in [(3, 5, 1.2, -1.0), (6, 4, 2.3, -10.0), (4, 4, -0.7, 0.8), (5, 7, 3.1, -4.0)]:
        case = draw(N, C), 3 * draw(N, C), t(tau), t(b)
        check(siglip_loss, *case).equals(right(*case), about="fresh cells", rtol=1e-4, atol=1e-6, weight=2)
        case = *(v.double() for v in case),
        check(loss_slopes, siglip_loss, *case).equals(
            golden(right, *case), about="gradients of SigLIP's loss", rtol=1e-6, atol=1e-9, weight=2,
            near={cut: RuntimeError})
    case = draw(4, 3), draw(4, 3), t(5.2), t(-60.0)
    check(siglip_loss, *case).equals(right(*case), about="large scores", edge=True, rtol=1e-4)
    one = "one pair, one cell"
    for N, C, about in [(1, 3, one), (3, 1, one), (1, 1, one), (140, 70, "many cells")]:
        case = draw(N, C), draw(N, C), t(2.0), t(-5.0)
        check(siglip_loss, *case).equals(right(*case), about=about, edge=True, rtol=1e-4)
    case = [draw(4, 6, dtype=torch.float64), draw(4, 6, dtype=torch.float64), *t([2.1, -5.3], dtype=torch.float64)]
    check(siglip_loss, *case).equals(right(*case), about="float64 stays, cells", edge=True, rtol=1e-11, atol=1e-14)
    for sizes in [(1e-6, 1e4), (1e4, 1e-6)]:
        case = sizes[0] * draw(3, 4), sizes[1] * draw(3, 4), t(2.0), t(-3.0)
        check(siglip_loss, *case).equals(
            right(*case), about="short vectors, long ones, cells", edge=True, rtol=1e-3, atol=1e-5)
    ### END HIDDEN TESTS


score
