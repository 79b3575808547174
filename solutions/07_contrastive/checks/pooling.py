from helpers.checks import graded


@graded("pooling", points=5)
def score(check):
    import torch
    ### BEGIN MISTAKES
    def way(cls=None, mean=None, most=None):
        ways = {"cls": cls or (lambda h, m: h[:, 0]),
                "mean": mean or (lambda h, m: (h * m[..., None]).sum(1) / m.sum(1)[:, None]),
                "max": most or (lambda h, m: h.masked_fill(~m[..., None], -torch.inf).amax(1))}
        return lambda h, m, how: ways[how](h, m)

    def farthest(h, m):
        place = h.abs().masked_fill(~m[..., None], -torch.inf).argmax(1, keepdim=True)
        return h.gather(1, place)[:, 0]

    check.mistakes({
        "this is the last token: [CLS] is the first": way(cls=lambda h, m: h[:, -1]),
        "this is the last token that is no padding: [CLS] is the first": way(
            cls=lambda h, m: h[torch.arange(len(h)), m.long().cumsum(1).argmax(1)]),
        "padding was counted in the mean": way(mean=lambda h, m: h.mean(1)),
        "the sum is right, but divide by the number of tokens, not by the length with padding":
            way(mean=lambda h, m: (h * m[..., None]).mean(1)),
        "this is the mean over the numbers of each token: average over the tokens":
            way(cls=lambda h, m: h.mean(-1), mean=lambda h, m: h.mean(-1), most=lambda h, m: h.amax(-1)),
        "this is the sum: divide by the number of tokens": way(mean=lambda h, m: (h * m[..., None]).sum(1)),
        "padding was summed, too, then divided by the number of tokens": way(
            mean=lambda h, m: h.sum(1) / m.sum(1)[:, None]),
        "padding took part in the maximum": way(most=lambda h, m: h.amax(1)),
        "padding became 0, and 0 won the maximum: use minus infinity":
            way(most=lambda h, m: (h * m[..., None]).amax(1)),
        "this is the minimum": way(most=lambda h, m: h.masked_fill(~m[..., None], torch.inf).amin(1)),
        "the largest absolute value was taken: the largest number is asked": way(
            most=lambda h, m: h.abs().masked_fill(~m[..., None], -torch.inf).amax(1)),
        "the number farthest from 0 was taken: the largest number is asked": way(most=farthest),
        "divide each text by its own number of tokens, not by the mean number in the batch":
            way(mean=lambda h, m: (h * m[..., None]).sum(1) / m.sum() * len(m)),
        "padding may stand anywhere, not only at the end":
            way(mean=lambda h, m: torch.stack([x[: int(n)].mean(0) for x, n in zip(h, m.sum(1), strict=True)]),
                    most=lambda h, m: torch.stack([x[: int(n)].amax(0) for x, n in zip(h, m.sum(1), strict=True)])),
        "[CLS] is a token, too: it was left out of the mean":
            way(mean=lambda h, m: (h * m[..., None])[:, 1:].sum(1) / (m.sum(1)[:, None] - 1).clamp(min=1)),
        "this went over the texts of the batch: go over the tokens of each":
            way(cls=lambda h, m: h[0], mean=lambda h, m: (h * m[..., None]).mean(0),
                   most=lambda h, m: h.masked_fill(~m[..., None], -torch.inf).amax(0)),
        "the mask is True at tokens: here it was read the other way round": lambda h, m, how: way()(h, ~m, how),
        "all texts were divided by the number of tokens of the first": way(
            mean=lambda h, m: (h * m[..., None]).sum(1) / m[0].sum()),
        "divided by the number of all tokens of the batch": way(mean=lambda h, m: (h * m[..., None]).sum(1) / m.sum()),
        "the vector of the longest token was taken whole: each of the C numbers has its own maximum": way(
            most=lambda h, m: h[torch.arange(len(h)), h.norm(dim=-1).masked_fill(~m, -torch.inf).argmax(1)]),
        "the vector with the largest sum was taken whole: each of the C numbers has its own maximum": way(
            most=lambda h, m: h[torch.arange(len(h)), h.sum(-1).masked_fill(~m, -torch.inf).argmax(1)]),
        "divided by the root of the number of tokens: divide by their number": way(
            mean=lambda h, m: (h * m[..., None]).sum(1) / m.sum(1)[:, None].sqrt()),
        "divided by one less than the number of tokens": way(
            mean=lambda h, m: (h * m[..., None]).sum(1) / (m.sum(1)[:, None] - 1).clamp(min=1)),
        "divided by one more than the number of tokens": way(
            mean=lambda h, m: (h * m[..., None]).sum(1) / (m.sum(1)[:, None] + 1)),
        "the mean was brought to length 1: leave it as it is": way(
            mean=lambda h, m: torch.nn.functional.normalize((h * m[..., None]).sum(1), dim=-1)),
        "this is the median: the mean is asked": way(
            mean=lambda h, m: torch.stack([x[k].median(0).values for x, k in zip(h, m, strict=True)])),
        "this is the second token: [CLS] is the first, at 0": way(cls=lambda h, m: h[:, min(1, h.shape[1] - 1)]),
        "the tokens of all texts went into one: each text has its own": way(
            mean=lambda h, m: h[m].mean(0).expand(len(h), -1), most=lambda h, m: h[m].amax(0).expand(len(h), -1)),
        "the result has one axis too many: (B, C) is asked": lambda h, m, how: way()(h, m, how)[:, None],
        "an axis of size 1 was squeezed away: one text, or one number, keeps its axis": lambda h, m, how: (
            way()(h, m, how).squeeze()),
        "all ways give the mean: mind `how`": lambda h, m, how: way()(h, m, "mean"),
    }, pool)
    ### END MISTAKES
    hidden = torch.tensor([
        [[1.0, -2.0], [8.0, 9.0], [3.0, -4.0], [10.0, 6.0]], [[-1.0, -8.0], [11.0, -7.0], [9.0, 7.0], [-4.0, -3.0]],
    ])
    mask = torch.tensor([[True, False, True, False], [True, True, False, True]])
    check(pool, hidden, mask, "cls").equals([[1.0, -2.0], [-1.0, -8.0]], about="[CLS]")
    check(pool, hidden, mask, "mean").equals([[2.0, -3.0], [2.0, -6.0]], about="mean")
    check(pool, hidden, mask, "max").equals([[3.0, -2.0], [11.0, -3.0]], about="max")
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def draw(B, T, C):
        h = torch.from_numpy(check.rng.normal(size=(B, T, C)) * 3 - 1)
        m = torch.from_numpy(check.rng.random((B, T)) < 0.6)
        m[:, 0], m[0, T // 2 :], m[1:2] = True, T < 2, True
        h[~m] += 20
        return h, m

    def pooled(h, m):
        texts = [v[k].double().numpy() for v, k in zip(h, m, strict=True)]
        ways = {"cls": lambda v: v[0], "mean": lambda v: v.sum(0) / len(v), "max": lambda v: v.max(0)}
        found = []
        for how, way in ways.items():
            found.append((how, np.stack([way(text) for text in texts])))
        return found

    for B, T, C in [(3, 5, 4), (2, 7, 3), (4, 4, 4), (3, 5, 4)]:
        h, m = draw(B, T, C)
        for how, want in pooled(h, m):
            check(pool, h.float(), m, how).equals(want, about=f"fresh vectors, {how}", rtol=1e-4, atol=1e-6)
    exact, ones = draw(3, 4, 2), [draw(*shape) for shape in ((1, 4, 3), (3, 1, 4), (3, 4, 1), (1, 1, 1))]
    for size in [(90, 4, 2), (3, 80, 2), (2, 3, 90)]:
        big, m_big = draw(*size)
        for how, want in pooled(big * 20, m_big):
            check(pool, (big * 20).float(), m_big, how).equals(want, about="many texts, long texts, long vectors",
                                                               rtol=1e-3, atol=1e-5)
    for some, m_some in ones:
        for how, want in pooled(some, m_some):
            check(pool, some.float(), m_some, how).equals(want, about="axes of size 1", rtol=1e-4, atol=1e-6, edge=True)
    for how, want in pooled(exact[0] / 3, exact[1]):
        check(pool, exact[0] / 3, exact[1], how).holds(**float64_kept(want, 1e-8))
    loud = h.float().masked_fill(~m[..., None], 1e6)
    for how, want in pooled(h, m):
        added = {}
        if how == "max":
            added = {f"{-less:g} was added to padding, which may still win the maximum: use minus infinity":
                         (loud - less * ~m[..., None]).amax(1) for less in (1e3, 1e4, 1e5)}
        check(pool, loud, m, how).equals(
            want, about="large numbers at padding", rtol=1e-4, atol=1e-6, edge=True, near=added)
    low, m = h.float() - 200_000, m.clone()
    want = np.stack([v[k].numpy().max(0) for v, k in zip(low, m, strict=True)])
    check(pool, low, m, "max").equals(want, about="numbers far below 0", rtol=1e-4, edge=True, near={
        f"padding became {fill}, and that won the maximum: use minus infinity": (
            np.where(m.all(1)[:, None], want, fill))
        for fill in (-1.0, -10.0, -100.0, -1000.0, -10_000.0)
    })
    check.mistakes({})
    h = torch.from_numpy(check.rng.normal(size=(2, 4, 3))).float()
    m = torch.tensor([[True, True, False, True], [True, False, True, False]])
    for how in ("cls", "mean", "max"):
        leaf = h.clone().requires_grad_()
        check(slopes, pool, h, m, how).equals(
            list(torch.autograd.grad(way()(leaf, m, how).sum(), [leaf])), about="the gradients", rtol=1e-3, atol=1e-6,
            near={"no gradient flows back: is something detached?": RuntimeError},
        )
    ### END HIDDEN TESTS


score
