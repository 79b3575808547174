from helpers.checks import graded


@graded("nt-xent", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    diagonal = "the diagonal was kept: a view is no candidate for itself"
    import numpy as np
    import torch.nn.functional as F

    def table(first, second, norm=True):
        z = torch.cat([first, second])
        z = F.normalize(z, dim=-1) if norm else z
        return z @ z.T, torch.arange(len(z)).roll(len(first)), torch.arange(len(z))

    def made(norm=True, tau=lambda s, t: s / t, diagonal=False, lower=None, end=torch.mean, pick=None):
        def loss(first, second, temperature=0.5):
            s, partner, own = table(first, second, norm)
            s = tau(s, temperature)
            logits = s if diagonal else s.masked_fill(torch.eye(len(s), dtype=torch.bool), -torch.inf)
            partner = pick(partner, own) if pick else partner
            denominator = (lower or (lambda z, s, p, o: z.logsumexp(-1)))(logits, s, partner, own)
            return end(denominator - s[own, partner])

        return loss

    def doubled(logits, s, partner, own):
        return torch.cat([logits, s[own, partner][:, None]], 1).logsumexp(-1)

    def dropped(logits, s, partner, own):
        return logits.masked_fill(F.one_hot(partner, len(s)).bool(), -torch.inf).logsumexp(-1)

    def other_side(logits, s, partner, own):
        n = len(s) // 2
        return torch.cat([logits[:n, n:], logits[n:, :n]]).logsumexp(-1)

    def zeroed(logits, s, partner, own):
        return logits.masked_fill(torch.isinf(logits), 0.0).logsumexp(-1)

    def first_only(logits, s, partner, own):
        return torch.cat([logits[: len(s) // 2], s[len(s) // 2 :]]).logsumexp(-1)

    def own_rivals(logits, s, partner, own):
        other = (own[:, None] < len(s) // 2) != (own < len(s) // 2)
        rivals = logits.masked_fill(other & (partner[:, None] != own), -torch.inf)
        return rivals.logsumexp(-1)

    def one_off(logits, s, partner, own):
        return (s.exp().sum(-1) - 1).log()

    check.mistakes({
        "the diagonal was put out for the views of `first` only": made(lower=first_only),
        "the diagonal was set to -1, which still counts: set it to minus infinity": made(
            diagonal=True, tau=lambda s, t: s.clone().fill_diagonal_(-1) / t),
        "the logarithm of the mean was taken: the mean of the logarithms is asked": made(
            end=lambda v: -(-v).exp().mean().log()),
        "the columns were brought to length 1: a vector is a row": lambda f, s, t=0.5: made(norm=False)(
            *F.normalize(torch.cat([f, s]), dim=0).chunk(2), t),
        "the temperature divides above only: below, too": lambda f, s, t=0.5: (
            made(tau=lambda s, t: s)(f, s) + F.cosine_similarity(f, s).mean() * (1 - 1 / t)),
        "the positive is in the denominator twice: the sum over k runs over it once": made(lower=doubled),
        diagonal: made(diagonal=True),
        "similarities are divided by the temperature, not multiplied by it": made(tau=lambda s, t: s * t),
        "the diagonal was kept, and the positive added once more": made(diagonal=True, lower=doubled),
        "the temperature is missing": made(tau=lambda s, t: s),
        "the vectors were not brought to length 1": made(norm=False),
        "neither normalised nor divided by the temperature": made(norm=False, tau=lambda s, t: s),
        "the labels are off: the partner of view i stands N rows further, not beside it":
            made(pick=lambda p, o: o.view(-1, 2).flip(1).flatten()),
        "the labels are off: the partner is N rows further, this is the next row": made(pick=lambda p, o: o.roll(-1)),
        "the labels are off by N: each view was to find itself": made(diagonal=True, pick=lambda p, o: o),
        "the diagonal must not be a candidate, and no label either": lambda f, s, t=0.5: torch.tensor(torch.inf),
        "the mean over the 2N views is missing: this is the sum": made(end=torch.sum),
        "divided by N: there are 2N views": made(end=lambda v: v.mean() * 2),
        "divided by the square of 2N: the mean is over the views": made(end=lambda v: v.mean() / len(v)),
        "only the views of `first` ask here: all 2N do": made(end=lambda v: v[: len(v) // 2].mean()),
        "only the views of `second` ask here: all 2N do": made(end=lambda v: v[len(v) // 2 :].mean()),
        "a view chooses among all 2N - 1 others, not only among the views of the other side": made(lower=other_side),
        "the positive is missing in the denominator": made(lower=dropped),
        "the sign is turned round": made(end=lambda v: -v.mean()),
        "the diagonal was set to 0, and exp(0) is 1: set it to minus infinity": made(lower=zeroed),
        "one loss for each view came: their mean is asked": made(end=lambda v: v),
        "the labels run backwards: the partner of view i stands N rows further, or N rows before": made(
            pick=lambda p, o: o.flip(0)),
        "each view of `first` was to find itself: its partner stands N rows further": made(
            tau=lambda s, t: (s / t).fill_diagonal_(-1e9), diagonal=True, pick=lambda p, o: o % (len(o) // 2)),
        "1 was subtracted for the view itself: its cosine is 1, so what counts is exp(1 / temperature)": made(
            diagonal=True, lower=one_off),
        "only the views of the own side are negatives here: those of the other side are, too": made(lower=own_rivals),
        "the mean over the others stands in the denominator: their sum is asked": made(
            lower=lambda logits, s, p, o: logits.logsumexp(-1) - np.log(len(s) - 1)),
        "the logarithm is missing": made(end=lambda v: -(-v).exp().mean()),
        "the temperature divides twice": made(tau=lambda s, t: s / t / t),
        "multiplied by the temperature at the end": lambda f, s, t=0.5: made()(f, s, t) * t,
        "the views of one side are negatives, too; here only one direction across is left":
            lambda f, s, t=0.5: F.cross_entropy(F.normalize(f) @ F.normalize(s).T / t, torch.arange(len(f))),
        "the temperature was ignored": lambda f, s, t=0.5: made()(f, s),
    }, nt_xent)
    ### END MISTAKES
    eye = torch.eye(4)
    for t, want in [(1.0, 1.165422), (0.5, 0.594438)]:
        check(nt_xent, eye, eye, t).equals(want, rtol=1e-4, about="four orthogonal pairs")
    check(nt_xent, torch.eye(8), torch.eye(8), 0.5).equals(1.062879, rtol=1e-4, about="eight orthogonal pairs")
    a, b = torch.tensor([[1.0, 0.5], [-1.0, 2.0], [0.3, -1.0]]), torch.tensor([[2.0, 0.0], [0.5, 1.0], [1.0, -1.0]])
    check(nt_xent, a, b, 0.5).equals(0.7676868, rtol=1e-4, near={
        "a label is out of range: columns count from 0 to 2N - 1, or to 2N - 2 without the diagonal": IndexError,
    })
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, nt_xent, a[:2], b[:2], 0.5).equals(
        [[[-0.2377994, 0.4755988], [-0.0753182, -0.0376591]], [[0.0, 0.0507088], [0.7073693, -0.3536847]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    ### BEGIN HIDDEN TESTS
    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def oracle(first, second, t):
        z = np.concatenate([first.numpy(), second.numpy()]).astype(np.float64)
        z, n, total = z / np.linalg.norm(z, axis=1, keepdims=True), len(first), 0.0
        for i in range(2 * n):
            others = [np.exp(z[i] @ z[k] / t) for k in range(2 * n) if k != i]
            total -= np.log(np.exp(z[i] @ z[(i + n) % (2 * n)] / t) / sum(others))
        return total / (2 * n)

    for n, c, t in [(3, 5, 0.5), (5, 3, 0.2), (2, 4, 1.5), (6, 6, 0.1), (4, 5, 0.03)]:
        f, s = (torch.from_numpy(check.rng.normal(size=(n, c)) * scale).float() for scale in (2, 0.7))
        check(nt_xent, f, s, t).equals(oracle(f, s, t), about="fresh views", rtol=1e-4, atol=1e-6)
    for n, c, scale in [(70, 4, 90), (3, 90, 1e-4)]:
        f, s = (torch.from_numpy(check.rng.normal(size=(n, c)) * by).float() for by in (scale, 0.9 / scale))
        check(nt_xent, f, s, 0.3).equals(oracle(f, s, 0.3), about="large batches, long and short vectors", rtol=1e-3)
    f, s = (torch.from_numpy(check.rng.normal(size=(3, 4))) for _ in "fs")
    check(nt_xent, f * 1e5, s * 1e5).holds(**float64_kept(oracle(f, s, 0.5)))
    f, s = torch.tensor([[2.0], [-1.0], [3.0]]), torch.tensor([[1.0], [4.0], [0.5]])
    check(nt_xent, f, s, 0.6).equals(oracle(f, s, 0.6), about="one number in a vector", edge=True, rtol=1e-4)
    for n, t in [(4, 0.1), (5, 0.3), (7, 2.0)]:
        turn = torch.from_numpy(np.linalg.qr(check.rng.normal(size=(n, n)))[0]).float() * 3
        want = float(np.log1p((2 * n - 2) * np.exp(-1 / t)))
        check(nt_xent, turn, turn * 0.5, t).equals(want, about="orthogonal pairs", rtol=1e-3, atol=1e-6)
    f = torch.from_numpy(check.rng.normal(size=(4, 3))).float()
    far = F.cross_entropy(table(f, -f)[0].fill_diagonal_(-torch.inf) / 0.002, torch.arange(8).roll(4))
    check.mistakes({}, nt_xent, slopes)  # so many of them are infinite here
    check(nt_xent, f, -f, 0.002).equals(far, about="a low temperature", edge=True, rtol=1e-3, near={
        "overflow: exp of hundreds is infinite, or its inverse 0": float("inf"),
        "overflow: exp of hundreds is infinite, and one infinity by another NaN": float("nan"),
    })
    check(nt_xent, f[:1], f[1:2], 0.5).equals(0.0, about="a single image", edge=True, atol=1e-6)
    check(nt_xent, f[:1], -f[:1], 0.001).equals(
        0.0, about="a single image", edge=True, atol=1e-6,
        near={"the diagonal got a number that is not low enough: set it to minus infinity": 900.0})
    g = torch.from_numpy(check.rng.normal(size=(4, 3)) * 2).float()
    for t, about in [(0.4, ""), (0.003, " at a low temperature")]:
        leaves = [v.double().requires_grad_() for v in (f, g)]
        check(slopes, nt_xent, f, g, t).equals(
            list(torch.autograd.grad(made()(*leaves, t), leaves)), about=f"the gradients of both views{about}",
            rtol=1e-3, atol=1e-4 if about else 1e-6, edge=bool(about), weight=1 if about else 2,
            near=lost | {"the lengths were detached: the gradient flows through them, too": list(torch.autograd.grad(
                made(norm=False)(*(v / v.detach().norm(dim=1, keepdim=True) for v in leaves), t), leaves))},
        )
    ### END HIDDEN TESTS


score
