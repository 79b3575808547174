from helpers.checks import graded


@graded("lines", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    def softplus(x):
        return torch.nn.functional.softplus(x.double())

    def total(s, p, a, m, w, pool=lambda x: x.mean(1)):
        return (softplus(-s) * p).sum() + w * (m * pool(softplus(a))).sum()

    check.mistakes({
        "the noise words are averaged, not added up": lambda s, p, a, m, w: total(
            s, p, a, m, w, lambda x: x.sum(1)) / p.sum(),
        "the weight was not used": lambda s, p, a, m, w: total(s, p, a, m, 1) / p.sum(),
        "times was not used: a centre's noise counts once for each of its pairs": lambda s, p, a, m, w: total(
            s, p, a, torch.ones_like(m), w) / p.sum(),
        "this is the sum; divide by the number of pairs": total,
        "divided by the number of all scores; only the pairs count":
            lambda s, p, a, m, w: total(s, p, a, m, w) / p.numel(),
        "divided by the number of centres; divide by that of the pairs":
            lambda s, p, a, m, w: total(s, p, a, m, w) / len(m),
        "the noise has the sign of the context: log σ(-a)": lambda s, p, a, m, w: total(s, p, -a, m, w) / p.sum(),
        "the context has the sign of the noise: log σ(s)": lambda s, p, a, m, w: total(-s, p, a, m, w) / p.sum(),
        "the scores outside the mask are no pairs": lambda s, p, a, m, w: total(
            s, torch.ones_like(p), a, m, w) / p.sum(),
        "the mask is inverted": lambda s, p, a, m, w: total(s, ~p, a, m, w) / p.sum(),
        "the sign is reversed: a loss is positive": lambda s, p, a, m, w: -total(s, p, a, m, w) / p.sum(),
        "the masked scores became 0, and log σ(0) is not 0": lambda s, p, a, m, w: total(
            s * p, torch.ones_like(p), a, m, w) / p.sum(),
        "the noise is divided by the number of centres, too": lambda s, p, a, m, w: (
            (softplus(-s) * p).sum() + w * (m * softplus(a).mean(1)).mean()) / p.sum(),
        "the weight belongs to the noise alone": lambda s, p, a, m, w: w * total(s, p, a, m, 1) / p.sum(),
        "the noise is missing": lambda s, p, a, m, w: total(s, p, a, m, 0) / p.sum(),
        "the mean over the noise words was divided by K once more": lambda s, p, a, m, w: total(
            s, p, a, m, w / a.shape[1]) / p.sum(),
        "the weight is an argument: do not write 5": lambda s, p, a, m, w: total(s, p, a, m, 5) / p.sum(),
        "P is the number of pairs, whatever the times add up to": lambda s, p, a, m, w: total(s, p, a, m, w) / m.sum(),
        "the scores outside the mask are neither context nor noise":
            lambda s, p, a, m, w: (total(s, p, a, m, w) + (softplus(s) * ~p).sum()) / p.sum(),
        "the noise, too, is divided by the number of pairs, not by that of the centres": lambda s, p, a, m, w: (
            softplus(-s) * p).sum() / p.sum() + w * (m * softplus(a).mean(1)).mean(),
        "each centre's noise counts its own number of times: here all centres' noise was averaged first":
            lambda s, p, a, m, w: ((softplus(-s) * p).sum() + w * m.sum() * softplus(a).mean()) / p.sum(),
        "the noise was divided by the sum of times; the number of pairs divides both parts": lambda s, p, a, m, w: (
            softplus(-s) * p).sum() / p.sum() + w * (m * softplus(a).mean(1)).sum() / m.sum(),
        "times was not used: the noise is a plain mean over centres and noise words": lambda s, p, a, m, w: (
            softplus(-s) * p).sum() / p.sum() + w * softplus(a).mean(),
        "times was not used: the noise is a plain mean, and was divided by the number of pairs besides":
            lambda s, p, a, m, w: ((softplus(-s) * p).sum() + w * softplus(a).mean()) / p.sum(),
        "each centre's noise counts its own number of times: here each counts as often as there are pairs":
            lambda s, p, a, m, w: ((softplus(-s) * p).sum() + w * p.sum() * softplus(a).mean(1).sum()) / p.sum(),
        "times belongs outside the logarithm: m log σ(-a), not log σ(-m a)": lambda s, p, a, m, w: (
            (softplus(-s) * p).sum() + w * softplus(a * m[:, None]).mean(1).sum()) / p.sum(),
        "the weight belongs outside the logarithm: w log σ(-a), not log σ(-w a)": lambda s, p, a, m, w: (
            (softplus(-s) * p).sum() + (m * softplus(w * a).mean(1)).sum()) / p.sum(),
        "the mean is over the logarithms, not over the scores before them": lambda s, p, a, m, w: (
            (softplus(-s) * p).sum() + w * (m * softplus(a.mean(1))).sum()) / p.sum(),
        "the mean over the pairs was taken, but the noise was not divided": lambda s, p, a, m, w: (
            softplus(-s) * p).sum() / p.sum() + w * (m * softplus(a).mean(1)).sum(),
    }, line_loss)
    ### END MISTAKES
    import numpy as np

    itself, both = "a word is not its own context", "the reach is the centre's: rows are centres"
    signed = "the distance has no sign: here every word to the right is context"
    largest = "each centre has a reach of its own: the largest was taken for all"
    one_line = "one table (T, T) for each line: shape (L, T, T)"
    same_text = "words of the same text are context; here those of different texts are"
    either = "one of the two reaches is enough; only the centre's counts"
    left_missing = "the window goes to both sides: the left one is missing"
    one = torch.tensor([[0, 0, 0]])
    check(pair_mask, one, torch.tensor([[1, 1, 2]])).equals(
        [[[False, True, False], [True, False, True], [True, True, False]]],
        near={itself: [[[True, True, False], [True, True, True], [True, True, True]]],
              both: [[[False, True, True], [True, False, True], [False, True, False]]],
              "words at a distance of exactly the reach are context": [
                  [[False, False, False], [False, False, False], [False, True, False]]],
              left_missing: [[[False, True, False], [False, False, True], [False, False, False]]],
              one_line: [[False, True, False], [True, False, True], [True, True, False]]}, dtype="b",
    )

    def mask(*rows):
        return np.array([rows]) == 1

    check(pair_mask, torch.zeros(1, 4, dtype=torch.long), torch.tensor([[1, 3, 1, 1]])).equals(
        mask([0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0]),
        near={signed: mask([0, 1, 1, 1], [1, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0]),
              largest: mask([0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]),
              either: mask([0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]),
              both: mask([0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 1, 0])}, dtype="b",
    )
    texts, reaches = torch.tensor([[4, 4, 7], [1, 2, 2]]), torch.tensor([[2, 2, 2], [1, 1, 1]])
    none, first, last = [False, False, False], [True, False, False], [False, False, True]
    middle, ends, right, left = [False, True, False], [True, False, True], [False, True, True], [True, True, False]
    check(pair_mask, texts, reaches).equals(
        [[middle, first, none], [none, last, middle]],
        near={"words of different texts are no context": [[right, ends, left], [middle, ends, middle]],
              same_text: [[last, last, left], [middle, first, none]],
              "each line has texts of its own: the first line's were taken": [[middle, first, none]] * 2,
              itself: [[left, left, last], [first, right, right]]}, dtype="b",
    )
    scores, pairs = torch.tensor([[0.5, 1], [2, -1]]), torch.tensor([[False, True], [True, False]])
    against, times = torch.tensor([[0.0, 1, 0], [2, 0, -1]]), torch.tensor([1.0, 2])
    check(line_loss, scores, pairs, against, times, 4.0).equals(
        6.1975814, rtol=1e-4,
    )
    far = torch.tensor([-500.0, 3]), torch.tensor([True, False]), torch.tensor([[100.0]]), torch.tensor([1.0])
    check(line_loss, *far, 2.0).holds(
        lambda loss: abs(float(loss) - 700) < 0.1,
        "700: the score of the pair is -500, that of the noise word 100, which counts twice",
        near={
            "an exponential overflowed, or σ(x) became 0 before its logarithm: use logsigmoid": lambda loss: (
                not np.isfinite(float(loss))
            ),
            "a number was added inside the logarithm, or it was clipped: the loss comes out in full": lambda loss: (
                5 < float(loss) < 200
            ),
        },
        about="scores in the hundreds",
    )
    nothing = torch.zeros(2, 2), pairs, torch.zeros(3, 4), torch.tensor([2.0, 0, 0])
    check(line_loss, *nothing, 5.0).equals(4.1588831, rtol=1e-4)
    by_against = [[0.3333, 0.4874, 0.3333], [1.1744, 0.6667, 0.3586]]
    check(gradients, line_loss, scores, pairs, against, times, 4.0, fixed=(3,)).equals(
        (6.1976, [[0, -0.1345], [-0.0596, 0]], by_against), about="loss and gradients", rtol=1e-3, atol=1e-4,
        near={"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def context(texts, reaches, fine):
        places = torch.arange(texts.shape[1])
        same = texts[:, :, None] == texts[:, None, :]  # (L, T, T)
        return fine(places[:, None], places, reaches[:, :, None], reaches[:, None, :], same)

    def right(i, j, r, r_j, same):
        return (i != j) & (abs(i - j) <= r) & same

    check.mistakes(
        {
            itself: lambda t, r: context(t, r, lambda i, j, r, _, same: (abs(i - j) <= r) & same),
            both: lambda t, r: context(t, r, lambda i, j, _, r, same: (i != j) & (abs(i - j) <= r) & same),
            "words at a distance of exactly the reach are context": lambda t, r: context(
                t, r, lambda i, j, r, _, same: (i != j) & (abs(i - j) < r) & same
            ),
            "words of different texts are no context": lambda t, r: context(
                t, r, lambda i, j, r, _, s: (i != j) & (abs(i - j) <= r)
            ),
            left_missing: lambda t, r: context(
                t, r, lambda i, j, r, _, same: (j > i) & (j - i <= r) & same
            ),
            "the window goes to both sides: the right one is missing": lambda t, r: context(
                t, r, lambda i, j, r, _, same: (i > j) & (i - j <= r) & same
            ),
            largest: lambda t, r: context(
                t, r.max() + 0 * r, right
            ),
            "each line has reaches of its own: the first line's were taken": lambda t, r: context(
                t, r[:1].expand_as(r), right
            ),
            "each line has texts of its own: the first line's were taken": lambda t, r: context(
                t[:1].expand_as(t), r, right
            ),
            "this is the opposite: True says that it is a pair": lambda t, r: ~context(t, r, right),
            signed: lambda t, r: context(t, r, lambda i, j, r, _, same: (i != j) & (i - j <= r) & same),
            one_line: lambda t, r: context(t, r, right)[0],
            same_text: lambda t, r: context(t, r, lambda i, j, r, _, same: (i != j) & (abs(i - j) <= r) & ~same),
            either: lambda t, r: context(
                t, r, lambda i, j, a, b, same: (i != j) & (abs(i - j) <= torch.maximum(a, b)) & same
            ),
            "only the centre's reach counts, not the smaller of the two": lambda t, r: context(
                t, r, lambda i, j, a, b, same: (i != j) & (abs(i - j) <= torch.minimum(a, b)) & same
            ),
        }
    )
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))
    for L, T in [(2, 5), (3, 7), (3, 7), (4, 4)]:
        texts = torch.randint(0, 2, (L, T), generator=generator).cumsum(1)
        reaches = torch.randint(1, 4, (L, T), generator=generator)
        reaches[0, :2], texts[0] = torch.tensor([1, 3]), 0
        check(pair_mask, texts, reaches).equals(context(texts, reaches, right), about="random lines", dtype="b")
    check.mistakes({
        "only the number of the text decides, not what is between: texts may alternate": lambda t, r: context(
            torch.cat([0 * t[:, :1], (t[:, 1:] != t[:, :-1]).cumsum(1)], 1), r, right)
    })
    texts = torch.tensor([[7, 7, 2, 7, 2], [5, 0, 0, 9, 5]])
    reaches = torch.randint(2, 5, (2, 5), generator=generator)
    check(pair_mask, texts, reaches).equals(
        context(texts, reaches, right), about="texts in no order", edge=True, dtype="b"
    )
    check.mistakes({})
    check(pair_mask, torch.tensor([[3]]), torch.tensor([[2]])).equals([[[False]]], about="a single word", edge=True)
    for L, T in [(70, 2), (2, 70)]:
        texts = torch.randint(0, 2, (L, T), generator=generator).cumsum(1) // 8
        reaches = torch.randint(0, T, (L, T), generator=generator)
        texts[0], reaches[0, 0] = 0, T - 1
        check(pair_mask, texts, reaches).equals(
            context(texts, reaches, right), about="many lines, long lines", edge=True, dtype="b"
        )
    scale = {"random scores": 1.0, "large scores": 200.0}
    for about, shape, centres, K in [
        ("random scores", (2, 4, 4), 5, 3), ("random scores", (3, 5), 4, 6), ("large scores", (2, 3, 3), 3, 4)
    ]:
        scores = scale[about] * torch.randn(shape, generator=generator)
        pairs = torch.rand(shape, generator=generator) < 0.4
        pairs.view(-1)[:2] = torch.tensor([True, False])
        against = scale[about] * torch.randn(centres, K, generator=generator)
        times = torch.randint(0, 5, (centres,), generator=generator).float()
        args = (scores, pairs, against, times, float(check.rng.integers(2, 9)) + 0.5)  # no whole number: it is never K
        oracle = total(*args) / pairs.sum()
        check(line_loss, *args).equals(
            oracle, about=about, rtol=1e-4, near={"the logarithm of 0 is infinite: use logsigmoid": float("inf"),
                                                   "infinity times 0: use logsigmoid": float("nan")}
        )
    rest = torch.rand(70, generator=generator, dtype=torch.float64) < 0.5
    many = [3 * torch.randn(70, *more, generator=generator, dtype=torch.float64) for more in ((), (70,))]
    rest[0], times70 = True, torch.arange(70.0, dtype=torch.float64)
    leaves = [part.clone().requires_grad_() for part in many]
    value = total(leaves[0], rest, leaves[1], times70, 0.03) / rest.sum()
    found = torch.autograd.grad(value, leaves)
    check.mistakes({}, gradients, line_loss)
    check(gradients, line_loss, many[0], rest, many[1], times70, 0.03, fixed=(3,)).equals(
        (value.detach(), *found), about="many scores in float64", edge=True, rtol=1e-10, atol=1e-13
    )
    args = many[0][:1], rest[:1], many[1][:1, :1], times70[1:2], 2.0
    check(line_loss, *args).equals(total(*args), about="one pair, one centre, one noise word", edge=True)
    args = (*args[:4], 0.0)
    check(line_loss, *args).equals(total(*args), about="a weight of 0", edge=True)
    leaves = [scores.clone().div(100).requires_grad_(), against.clone().div(100).requires_grad_()]
    value = total(leaves[0], pairs, leaves[1], times, 3.0) / pairs.sum()
    check.mistakes({})
    found = torch.autograd.grad(value, leaves)
    arguments = (leaves[0].detach(), pairs, leaves[1].detach(), times, 3.0)
    check(gradients, line_loss, *arguments, fixed=(3,)).equals(
        (value.detach(), *found),
        about="its gradient",
        rtol=1e-3,
        atol=1e-6,
        near={"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError,
              "the graph is cut: return a tensor, not a Python number": AttributeError},
    )
    ### END HIDDEN TESTS


score
