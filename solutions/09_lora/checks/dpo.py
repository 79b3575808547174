from helpers.checks import graded


@graded("dpo", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np

    def made(shift=1, masked=True, mean=False, soft=lambda z: z.log_softmax(-1), mask_at=1, sign=1):
        def sums(logits, ids, answer):
            T = ids.shape[1]
            z = soft(logits)[:, : T - shift] if shift else soft(logits)
            logp = z.gather(-1, ids[:, shift:, None])[..., 0]
            mask = answer[:, shift:] if mask_at == shift else answer[:, : T - shift]
            mask = mask.to(logp.dtype) if masked else torch.ones_like(logp)
            return sign * (logp * mask).sum(1) / (mask.sum(1) if mean else 1)

        return sums

    check.mistakes({
        "the logits at t predict the token at t + 1: here they are compared with the token at t": made(0, mask_at=0),
        "the logits at t predict the token at t + 1: here the tokens after the first are compared with those at t":
            lambda z, i, a: made(0, mask_at=0)(z[:, 1:], i[:, 1:], a[:, 1:]),
        "all tokens count here: only those where `answer` is True do": made(masked=False),
        "this is the mean over the answer's tokens; the sum is asked for": made(mean=True),
        "these are logits, not logarithms of probabilities: log_softmax over the vocabulary first":
            made(soft=lambda z: z),
        "these are probabilities; their logarithms are added up": made(soft=lambda z: z.softmax(-1)),
        "the mask belongs to the token that is predicted, not to the place that predicts it": made(mask_at=0),
        "the sign is wrong: log p is asked for, not the loss": made(sign=-1),
        "the softmax is over the tokens of the text; it is over the vocabulary": made(soft=lambda z: z.log_softmax(1)),
        "the softmax is over the places that predict; it is over the vocabulary":
            lambda z, i, a: (z[:, :-1].log_softmax(1).gather(-1, i[:, 1:, None])[..., 0] * a[:, 1:]).sum(1),
        "the first token never counts: here the last logits of the row predict it":
            lambda z, i, a: (z.roll(1, dims=1).log_softmax(-1).gather(-1, i[..., None])[..., 0] * a).sum(1),
        "the first token is predicted by nothing, so it never counts: here it does, as if all were equally likely":
            lambda z, i, a: made()(z, i, a) - a[:, 0] * np.log(z.shape[-1]),
        "only the last token of the row counts here: all where `answer` is True do":
            lambda z, i, a: made()(z, i, a & (torch.arange(i.shape[1]) == i.shape[1] - 1)),
        "all tokens after the first True count here: only those where `answer` is True do":
            lambda z, i, a: made()(z, i, torch.cat([a[:, :1] & False, a[:, 1:]], 1).cumsum(1) > 0),
        "the mask belongs on the logarithms, not on the logits":
            lambda z, i, a: made(masked=False)(torch.cat([z[:, :-1] * a[:, 1:, None], z[:, -1:]], 1), i, a),
        "the shift is the wrong way round: the logits at t predict the token at t + 1":
            lambda z, i, a: (z[:, 1:].log_softmax(-1).gather(-1, i[:, :-1, None])[..., 0] * a[:, :-1]).sum(1),
        "the shift is the wrong way round, and the mask is that of the place before":
            lambda z, i, a: (z[:, 1:].log_softmax(-1).gather(-1, i[:, :-1, None])[..., 0] * a[:, 1:]).sum(1),
        "this is divided by the tokens that are predicted: the sum is asked for":
            lambda z, i, a: made()(z, i, a) / (i.shape[1] - 1),
        "this is divided by the length of the row: the sum is asked for": lambda z, i, a: made()(z, i, a) / i.shape[1],
        "this is the logarithm of the sum of the probabilities: their logarithms are added up":
            lambda z, i, a: made(soft=lambda z: z.softmax(-1))(z, i, a).log(),
        "the mask is inverted: the tokens where `answer` is True count": lambda z, i, a: made()(z, i, ~a),
        "the first token of the answer is missing: the last of the prompt predicts it":
            lambda z, i, a: made()(z, i, a & (a.cumsum(1) > 1)),
        "the first token that counts in each row is missing: the one before predicts it":
            lambda z, i, a: made()(z, i, torch.cat([a[:, :1], a[:, 1:] & (a[:, 1:].cumsum(1) > 1)], 1)),
        "a token counts here only if the one before it does, too":
            lambda z, i, a: made()(z, i, torch.cat([a[:, :1], a[:, 1:] & a[:, :-1]], 1)),
        "the last token of each row is missing": lambda z, i, a: made()(z[:, :-1], i[:, :-1], a[:, :-1]),
        "the logarithms are taken over the tokens that were picked: take them over the vocabulary":
            lambda z, i, a: (z[:, :-1].gather(-1, i[:, 1:, None])[..., 0].log_softmax(-1) * a[:, 1:]).sum(1),
        "the softmax is taken twice: log_softmax takes logits": made(soft=lambda z: z.softmax(-1).log_softmax(-1)),
        "these are logarithms of base 2: natural ones are asked for": lambda *a: made()(*a) / np.log(2),
        "this is the sum over all texts: one number for each is asked for": lambda *a: made()(*a).sum(),
        "this is the product of the probabilities: its logarithm is asked for": lambda *a: made()(*a).exp(),
        "the largest log-probability is used for each token's own":
            lambda z, i, a: (z[:, :-1].log_softmax(-1).amax(-1) * a[:, 1:]).sum(1),
    }, sequence_logprobs)

    def loss(margin=lambda c, r, a, b: c - a - (r - b), scaled=lambda m, beta: beta * m, reduce=lambda v: v.mean(),
             each=lambda m: -torch.nn.functional.logsigmoid(m)):
        return lambda c, r, a, b, beta: reduce(each(scaled(margin(c, r, a, b), beta)))

    check.mistakes({
        "the reference is missing: the policy is measured against it": loss(lambda c, r, a, b: c - r),
        "chosen and rejected are exchanged": loss(lambda c, r, a, b: r - b - (c - a)),
        "beta is missing": loss(scaled=lambda m, beta: m),
        "beta multiplies the difference; it does not divide it": loss(scaled=lambda m, beta: m / beta),
        "the reference's difference is subtracted, not added": loss(lambda c, r, a, b: c - r + a - b),
        "the logarithm of the sigmoid is missing": loss(each=lambda m: -torch.sigmoid(m)),
        "beta is inside the sigmoid": lambda c, r, a, b, beta: beta * loss()(c, r, a, b, 1.0),
        "this is the sum over the pairs; the mean is asked for": loss(reduce=lambda v: v.sum()),
        "this is the loss of the mean difference: take the loss of each pair first":
            loss(lambda c, r, a, b: (c - a - (r - b)).mean()),
        "beta multiplies the reference, too": lambda c, r, a, b, beta: loss()(beta * c, beta * r, a, b, 1.0),
        "this is a squared loss (IPO): -log of the sigmoid is asked for":
            lambda c, r, a, b, beta: ((c - a - (r - b) - 1 / (2 * beta)) ** 2).mean(),
        "only the chosen text counts here; the rejected one does, too": loss(lambda c, r, a, b: c - a),
        "the sign is wrong: the loss is minus the logarithm":
            loss(each=lambda m: torch.nn.functional.logsigmoid(m)),
        "beta multiplies the policy, too": lambda c, r, a, b, beta: loss()(c, r, beta * a, beta * b, 1.0),
        "beta multiplies the rejected text, too": lambda c, r, a, b, beta: loss()(beta * c, r, beta * a, b, 1.0),
        "beta multiplies the chosen text, too": lambda c, r, a, b, beta: loss()(c, beta * r, a, beta * b, 1.0),
        "the two log-ratios are added: the rejected one's is subtracted": loss(lambda c, r, a, b: c - a + (r - b)),
        "the policy is missing: its log-probabilities are measured against the reference":
            loss(lambda c, r, a, b: a - b),
        "these are ratios of probabilities: their logarithms are subtracted":
            loss(lambda c, r, a, b: (c - a).exp() - (r - b).exp()),
        "this is a hinge loss: -log of the sigmoid is asked for": loss(each=lambda m: (1 - m).clamp(min=0)),
        "this is minus the margin itself: -log of its sigmoid is asked for": loss(each=lambda m: -m),
        "this is 1 less the sigmoid: minus its logarithm is asked for": loss(each=lambda m: 1 - torch.sigmoid(m)),
        "beta counts twice": loss(scaled=lambda m, beta: beta**2 * m),
        "this is the logarithm of the mean: take the mean of the logarithms":
            lambda c, r, a, b, beta: -torch.sigmoid(beta * (c - a - (r - b))).mean().log(),
        "the loss is in bits: natural logarithms are asked for": lambda *v: loss()(*v) / np.log(2),
        "the loss is divided by two": lambda *v: loss()(*v) / 2,
        **{f"a small number inside the logarithm ({eps:g}?) bends large losses: F.logsigmoid needs none": loss(
            each=lambda m, eps=eps: -(torch.sigmoid(m) + eps).log()) for eps in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)},
        **{f"the probability is cut off ({eps:g}?) before its logarithm: F.logsigmoid needs no bound": loss(
             each=lambda m, eps=eps: -torch.sigmoid(m).clamp(min=eps).log())
            for eps in (1e-6, 1e-7, 1e-8, 1e-10, 1e-12)},
        "probabilities are divided by those of the reference: logarithms are subtracted, not divided":
            loss(lambda c, r, a, b: c / a - r / b),
        "the logarithm of the sigmoid runs over for large differences: F.logsigmoid":
            loss(each=lambda m: -torch.sigmoid(m).log()),
        "one loss for each pair came back: their mean is asked for": loss(reduce=lambda v: v),
        "the two ratios are judged one by one: the sigmoid is of their difference":
            lambda c, r, a, b, beta: loss()(c, a * 0, a, a * 0, beta) + loss()(r * 0, r, b * 0, b, beta),
    }, dpo_loss)
    ### END MISTAKES
    t = torch.tensor
    logits = t([[[1.0, 0.0, -1.0], [0.0, 2.0, 1.0], [0.5, 0.5, 3.0], [1.0, 1.0, 0.0]],
                [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [0.0, 3.0, 1.0]]])
    ids, answer = t([[0, 1, 2, 0], [2, 0, 1, 1]]), t([[False, False, True, True], [True, True, False, True]])
    check(sequence_logprobs, logits, ids, answer).equals([-4.059614, -2.959051], rtol=1e-4)
    chosen, rejected, ref_c, ref_r = t([-10.0, -4.0]), t([-12.0, -3.0]), t([-11.0, -6.0]), t([-11.5, -7.0])
    check(dpo_loss, chosen, rejected, ref_c, ref_r, 0.5).equals(0.8500662, rtol=1e-4)
    check(dpo_loss, t([-400.0]), t([-1.0]), t([0.0]), t([-1.0]), 0.5).equals(
        200.0, about="a large difference", rtol=1e-4)
    above, zero = t([1.0986123]), t([0.0])
    check(slopes, dpo_loss, above, zero, zero, zero, 1.0, fixed=(2, 3)).equals(
        [[-0.25], [0.25]], about="gradients", rtol=1e-4,
        near={"the gradient of both texts must flow: is something detached?": RuntimeError})
    check(sequence_logprobs, 100 * logits[1:], ids[1:], answer[1:]).equals([-200.0], about="large logits", rtol=1e-4)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for B, T, V in [(2, 5, 7), (4, 3, 6), (3, 7, 4)]:
        z, ids = 3 * torch.randn(B, T, V, generator=draw), torch.randint(V, (B, T), generator=draw)
        answer = torch.rand(B, T, generator=draw) < 0.6
        answer[0, 0], answer[:, -1] = True, True
        p = z.double().exp() / z.double().exp().sum(-1, keepdim=True)
        right = [
            sum(np.log(p[b, i - 1, ids[b, i]].item()) for i in range(1, T) if answer[b, i]) for b in range(B)
        ]
        check(sequence_logprobs, z, ids, answer).equals(right, about="fresh texts", rtol=1e-4, atol=1e-5)
    check(sequence_logprobs, z, ids, torch.zeros_like(answer)).equals(
        torch.zeros(B), about="no answer at all", edge=True,
        near={"this divides by the number of tokens": [torch.nan] * B},
    )
    for B, T, V, dtype, about in [
        (1, 2, 3, torch.float32, "one text, one token"), (3, 2, 4, torch.float32, "one text, one token"),
        (1, 6, 3, torch.float32, "one text, one token"),
        (80, 4, 5, torch.float32, "many texts, long ones"), (2, 700, 3, torch.float32, "many texts, long ones"),
        (2, 3, 300, torch.float32, "many texts, long ones"), (2, 5, 6, torch.float64, "sums in float64"),
        (3, 1, 4, torch.float32, "texts of one token"),
    ]:
        case = torch.randn(B, T, V, generator=draw).to(dtype), torch.randint(V, (B, T), generator=draw)
        case = *case, torch.arange(T).expand(B, T) % 3 < 2
        right = [-torch.nn.functional.cross_entropy(u[:-1][m[1:]].double(), i[1:][m[1:]], reduction="sum")
                 for u, i, m in zip(*case, strict=True)]
        check(sequence_logprobs, *case).equals(
            right, about=about, edge=True, rtol=1e-9 if dtype == torch.float64 else 1e-4, atol=1e-12,
            near={"one text, too, gives a tensor of shape (1,)": right[0]})
    hard = torch.tensor([[[300.0, 0.0], [0.0, 1.0], [0.0, 0.0]]])
    check(sequence_logprobs, hard, torch.tensor([[0, 1, 1]]), torch.tensor([[False, True, True]])).equals(
        [-300.3132617], about="large logits", edge=True, rtol=1e-5,
        near={"a probability rounds to 0 before its logarithm: log_softmax does not": [-torch.inf],
              "a small number inside the logarithm bends it: log_softmax needs none": [np.log(1e-10) - 0.3132617]},
    )
    leaf = z.clone().requires_grad_()
    made()(leaf, ids, answer).sum().backward()
    check(slopes, sequence_logprobs, z, ids, answer).equals(
        [leaf.grad], about="the gradient of the sums", rtol=1e-3, atol=1e-6, weight=2,
        near={"no gradient flows: is something detached?": RuntimeError},
    )
    for n, beta in [(3, 0.1), (5, 0.7), (4, 2.0)]:
        c, r, a, b = (5 * torch.randn(n, generator=draw) - 20 for _ in range(4))
        m = beta * (c - a - r + b).double().numpy()
        check(dpo_loss, c, r, a, b, beta).equals(np.logaddexp(0, -m).mean(), about="fresh pairs", rtol=1e-4)
        push = torch.from_numpy(beta / (1 + np.exp(m)) / n).float()
        check(slopes, dpo_loss, c, r, a, b, beta, fixed=(2, 3)).equals(
            [-push, push], about="the gradient", rtol=1e-3, atol=1e-6, weight=2,
            near={"the gradient of both texts must flow: is something detached?": RuntimeError},
        )
    zero = torch.zeros(2)
    check(dpo_loss, zero - 900, zero, zero, zero, 0.5).equals(450.0, about="policies far apart", edge=True)
    for i, size in enumerate((-80.0, 80.0, 80.0, -80.0)):  # each far away by itself
        case = [zero + size * (k == i) for k in range(4)]
        check(dpo_loss, *case, 0.5).equals(40.0, about="policies far apart", edge=True, rtol=1e-5)
        check(dpo_loss, *(-v for v in case), 0.5).equals(
            0.0, about="policies far apart", edge=True, atol=1e-6, near={"a good pair costs nothing": 40.0})
    check(dpo_loss, c, r, a, b, 0.01).equals(
        np.logaddexp(0, -m / 200).mean(), about="a short leash, a long one", edge=True, rtol=1e-5)
    check(dpo_loss, c, r, a, b, 6.0).equals(
        np.logaddexp(0, -m * 3).mean(), about="a short leash, a long one", edge=True, rtol=1e-4)
    for n, dtype, about in [
        (1, torch.float32, "one pair"), (90, torch.float32, "many pairs"), (12, torch.float64, "a loss in float64"),
    ]:
        case = [3 * torch.randn(n, generator=draw, dtype=torch.float64).to(dtype) - 8 for _ in range(4)]
        far = 0.3 * (case[0] - case[2] - case[1] + case[3]).double().numpy()
        check(dpo_loss, *case, 0.3).equals(np.logaddexp(0, -far).mean(), about=about, edge=True, atol=1e-12,
                                           rtol=1e-9 if dtype == torch.float64 else 1e-4)
    check(dpo_loss, c, r, c, r, 0.3).equals(np.log(2), about="the policy is the reference", rtol=1e-4)
    ### END HIDDEN TESTS


score
