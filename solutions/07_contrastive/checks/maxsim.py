from helpers.checks import graded


@graded("maxsim", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    import torch.nn.functional as F

    no_number = "minus infinity at the query's padding times 0 is NaN: let padding of a query add 0"

    def made(norm=True, fill=-torch.inf, best=lambda s: s.amax(-1), add=lambda b, m: (b * m[:, None]).sum(-1)):
        def scores(q, qm, p, pm):
            a, b = (F.normalize(v, dim=-1) if norm else v for v in (q, p))
            s = torch.einsum("qic,ptc->qpit", a, b)
            s = s if fill is None else s.masked_fill(~pm[None, :, None], fill)
            return add(best(s), qm)

        return scores

    def floored(least):
        def unit(x):
            return F.normalize(x, dim=-1, eps=least)

        return lambda q, qm, p, pm: made(norm=False)(unit(q), qm, unit(p), pm)

    check.mistakes({
        "the token vectors were not brought to length 1": made(norm=False),
        "the maxima were averaged over the query's tokens: add them up":
            made(add=lambda b, m: (b * m[:, None]).sum(-1) / m.sum(-1)[:, None]),
        "the maxima were averaged over all places of the query, padding too: add them up": made(
            add=lambda b, m: (b * m[:, None]).mean(-1)),
        "each passage token took its best query token: it is the query's tokens that choose":
            lambda q, qm, p, pm: made()(p, pm, q, qm).T,
        "each passage token took its best query token, padding among them: the query's tokens choose":
            lambda q, qm, p, pm: made()(p, pm, q, torch.ones_like(qm)).T,
        "padding may be at any position: here the first tokens were kept, as many as a passage has":
            lambda q, qm, p, pm: made()(q, qm, p, torch.arange(pm.shape[1]) < pm.sum(1, keepdim=True)),
        "all cosines were added up: only the largest for each token of the query counts":
            made(fill=0.0, best=lambda s: s.sum(-1)),
        "the mean over the passage's tokens was taken: the largest is asked": lambda q, qm, p, pm: (
            made(fill=0.0, best=lambda s: s.sum(-1))(q, qm, p, pm) / pm.sum(-1)[None]),
        "an axis of size 1 was squeezed away: one query, or one passage, keeps its axis":
            lambda *a: made()(*a).squeeze(),
        "each query was scored with the passage of its own number only: all (Q, P) are asked":
            lambda *a: made()(*a).diagonal(),
        "padding of the query was counted": made(add=lambda b, m: b.sum(-1)),
        "padding of a passage won a maximum": made(fill=None),
        "padding of query and passage was counted": made(fill=None, add=lambda b, m: b.sum(-1)),
        "padding became 0, and 0 won a maximum: use minus infinity": made(fill=0.0),
        "the largest of all cosines was taken: each token of the query has its own": made(
            add=lambda b, m: b.masked_fill(~m[:, None], -torch.inf).amax(-1)),
        "the scores are (passages, queries): (queries, passages) is asked": lambda *a: made()(*a).T,
        "added over the query's tokens before the maximum: each of its tokens has a best match of its own":
            lambda q, qm, p, pm: made(best=lambda s: (s * qm[:, None, :, None]).nan_to_num(0.0, neginf=-9e9).sum(2),
                                      add=lambda b, m: b.masked_fill(~pm[None], -torch.inf).amax(-1))(q, qm, p, pm),
        "brought to length 1 along the tokens: F.normalize needs dim=-1 here": lambda q, qm, p, pm: made(norm=False)(
            F.normalize(q, dim=1), qm, F.normalize(p, dim=1), pm),
        "the tokens without padding were brought to length 1 along the tokens: F.normalize needs dim=-1 here":
            lambda q, qm, p, pm: made(norm=False)(
                F.normalize(q * qm[..., None], dim=1), qm, F.normalize(p * pm[..., None], dim=1), pm),
        f"{no_number}; a row of zeros has no length to divide by, either": lambda q, qm, p, pm: (
            made()(q, qm, p, pm).masked_fill(~qm.all(1)[:, None], torch.nan)),
        "minus infinity at the query's padding was added up: let padding of a query add 0": lambda q, qm, p, pm: (
            made()(q, qm, p, pm).masked_fill(~qm.all(1)[:, None], -torch.inf)),
        "divided by the number of the passage's places: add the maxima up": made(
            best=lambda s: s.amax(-1) / s.shape[-1]),
        "divided by the number of the passage's tokens: add the maxima up": lambda q, qm, p, pm: (
            made()(q, qm, p, pm) / pm.sum(-1)[None]),
        "logsumexp was taken: the largest cosine is asked": made(best=lambda s: s.logsumexp(-1)),
        "only the query's tokens were brought to length 1": lambda q, qm, p, pm: made(norm=False)(
            F.normalize(q, dim=-1), qm, p, pm),
        "only the passage's tokens were brought to length 1": lambda q, qm, p, pm: made(norm=False)(
            q, qm, F.normalize(p, dim=-1), pm),
        "these are places of tokens: the largest cosine itself is asked": made(best=lambda s: s.argmax(-1)),
        "maxima below 0 became 0: they count as they are": made(best=lambda s: s.amax(-1).clamp(min=0)),
        "distances were compared: cosines are asked": lambda q, qm, p, pm: -(
            torch.cdist(q[:, None], p[None]).masked_fill(~pm[None, :, None], torch.inf).amin(-1) * qm[:, None]).sum(-1),
        **{f"lengths below {least:g} count as {least:g}: short vectors have cosines, too": floored(least)
           for least in (1e-2, 1e-3, 1e-4)},
        "absolute cosines were compared": made(best=lambda s: s.abs().nan_to_num(posinf=-9).amax(-1)),
    }, max_sim)
    ### END MISTAKES
    queries = torch.tensor([[[2.0, 0.0], [0.0, 3.0], [9.0, 9.0]]])  # the third is padding
    asked = torch.tensor([[True, True, False]])
    passages = torch.tensor([[[0.6, 0.8], [1.0, 0.0], [0.8, 0.6]], [[1.6, 1.2], [-0.6, 0.8], [3.0, 0.0]]])
    held = torch.tensor([[True, True, True], [True, True, False]])
    check(max_sim, queries, asked, passages, held).equals([[1.8, 1.6]], rtol=1e-4)
    queries = torch.tensor([[[0.0, 2.0], [0.0, 0.0], [3.0, 4.0]]])  # padding is often zeros, here in the middle
    asked = torch.tensor([[True, False, True]])
    passages = torch.tensor([[[0.0, 0.0], [-3.0, -4.0], [0.0, -5.0]], [[-3.0, -4.0], [0.0, 0.0], [4.0, 3.0]],
                             [[-3.0, -4.0], [-4.0, -3.0], [0.0, -1.0]]])
    held = torch.tensor([[False, True, True], [True, False, True], [True, True, True]])
    check(max_sim, queries, asked, passages, held).equals([[-1.6, 1.56, -1.4]], rtol=1e-4, about="padding of zeros")

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    def not_a_number(gradients):
        return any(bool(torch.isnan(gradient).any()) for gradient in gradients)

    of_zeros = {
        "about": "gradients beside zeros", "edge": True, "near": {
            "the gradient is NaN: that of a root is infinite at 0, and 0 / 0 is no number; F.normalize avoids both":
                not_a_number}}

    check(slopes, max_sim, queries, asked, passages, held).holds(finite, "finite gradients", **of_zeros)
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def oracle(q, qm, p, pm):
        out = np.zeros((len(q), len(p)))
        for i, j in np.ndindex(out.shape):
            asked, held = (x.double().numpy()[m.numpy()] for x, m in ((q[i], qm[i]), (p[j], pm[j])))
            for a in asked:
                out[i, j] += max(a @ b / np.linalg.norm(a) / np.linalg.norm(b) for b in held)
        return out

    def fresh(count, length, width, scale=2.0):
        mask = torch.from_numpy(check.rng.random((count, length)) < 0.6)
        mask[:, int(check.rng.integers(length))] = True
        return torch.from_numpy(check.rng.normal(size=(count, length, width)) * scale), mask

    draws = [((2, 4), (3, 5), 3), ((3, 3), (2, 6), 4), ((4, 2), (4, 4), 2), ((2, 5), (5, 2), 6)]
    for of_queries, of_passages, width in draws:
        (q, qm), (p, pm) = fresh(*of_queries, width), fresh(*of_passages, width)
        check(max_sim, q.float(), qm, p.float(), pm).equals(
            oracle(q, qm, p, pm), about="fresh queries and passages", rtol=1e-4, atol=1e-5
        )
    check(max_sim, q * 1e5, qm, p * 1e5, pm).holds(**float64_kept(oracle(q, qm, p, pm)))
    large = [((70, 2), (2, 3), 3, 90), ((2, 3), (70, 2), 3, 3e-5), ((1, 80), (2, 3), 3, 1), ((2, 3), (2, 80), 70, 1)]
    for of_queries, of_passages, width, scale in large:
        (a, am), (b, bm) = fresh(*of_queries, width, scale), fresh(*of_passages, width, 0.9 / scale)
        check(max_sim, a.float(), am, b.float(), bm).equals(
            oracle(a, am, b, bm), about="many texts, long texts, long and short vectors", rtol=1e-3, atol=1e-4
        )
    for of_queries, of_passages, width in [((1, 3), (4, 2), 3), ((3, 1), (1, 4), 3), ((2, 3), (3, 1), 2),
                                           ((3, 2), (2, 4), 1)]:
        (a, am), (b, bm) = fresh(*of_queries, width), fresh(*of_passages, width)
        check(max_sim, a.float(), am, b.float(), bm).equals(
            oracle(a, am, b, bm), about="axes of size 1", rtol=1e-4, atol=1e-5, edge=True
        )
    q, p = q.float(), p.float()
    away, single = torch.full((2, 3, 2), -2.0), torch.ones(2, 3, dtype=torch.bool)
    single[:, 1:] = False
    check(max_sim, -away, single, away, single).equals(
        np.full((2, 2), -1.0), about="every cosine below 0", rtol=1e-4, edge=True,
        near={"padding became 0, and 0 won a maximum: use minus infinity": np.zeros((2, 2))},
    )
    one = torch.ones(1, 1, dtype=torch.bool)
    check(max_sim, q[:1, :1], one, p[:1, :1], one).equals(
        oracle(q[:1, :1], one, p[:1, :1], one), about="one token each", rtol=1e-4, atol=1e-6, edge=True
    )
    check.mistakes({})
    empty, padded = (q * qm[..., None], p * pm[..., None])
    nan = {"the padding is zeros, whose length is 0: it is not to become NaN": np.full((len(q), len(p)), np.nan)}
    check(max_sim, empty, qm, padded, pm).equals(
        oracle(empty, qm, padded, pm), about="padding of zeros", rtol=1e-4, atol=1e-5, near=nan)
    check(slopes, max_sim, empty, qm, padded, pm).holds(finite, "finite gradients", **of_zeros)
    leaves = [q.double().requires_grad_(), p.double().requires_grad_()]
    want = torch.autograd.grad(made()(leaves[0], qm, leaves[1], pm).sum(), leaves)
    check(slopes, max_sim, q, qm, p, pm).equals(
        list(want), about="the gradients", rtol=1e-3, atol=1e-5,
        near={"no gradient flows to queries or passages: is something detached?": RuntimeError},
    )
    ### END HIDDEN TESTS


score
