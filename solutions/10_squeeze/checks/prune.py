from helpers.checks import graded


@graded("prune", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np

    signed = "the smallest in magnitude go, not the most negative"
    other = "True says that a weight stays: these are those that go"

    def mask_of(weight, share, key=abs, part=round, last=False):
        values = weight.flatten().tolist()
        places = sorted(range(len(values)), key=lambda i: (key(values[i]), -i if last else i))
        out = np.ones(len(values), dtype=bool)
        out[places[: int(part(share * len(values)))]] = False
        return torch.from_numpy(out).reshape(tuple(weight.shape))

    check.mistakes({
        signed: lambda w, s: mask_of(w, s, key=lambda v: v),
        other: lambda w, s: ~mask_of(w, s),
        "the largest went: the smallest do": lambda w, s: mask_of(w, s, key=lambda v: -abs(v)),
        "the share is of those that go: here it is of those that stay": lambda w, s: mask_of(w, 1 - s),
        "with a share of 1 all stayed: [-0:] takes everything":
            lambda w, s: mask_of(w, s) | (round(s * w.numel()) == w.numel()),
        "the share is of the whole tensor, not of each row": lambda w, s: torch.stack([mask_of(row, s) for row in w]),
        "the number that go is rounded, not cut off": lambda w, s: mask_of(w, s, part=int),
        "of equally large weights those that come first go, not the last": lambda w, s: mask_of(w, s, last=True),
        "weights came back: booleans are asked for": lambda w, s: w * mask_of(w, s),
    }, keep_largest)

    def fours(weight, key=abs, last=False, share=0.5):
        rows = [mask_of(four, share, key, last=last) for four in weight.reshape(-1, 4)]
        return torch.stack(rows).view(weight.shape)

    check.mistakes({
        signed: lambda w: fours(w, key=lambda v: v),
        other: lambda w: ~fours(w),
        "of each four three stay: two do": lambda w: fours(w, share=0.25),
        "half of all weights stay, wherever they are: two of each four are asked for": lambda w: mask_of(w, 0.5),
        "the fours run down the columns: they run along the rows": lambda w: fours(w.T.contiguous()).T,
        "of equally large weights those that come first go, not the last": lambda w: fours(w, last=True),
    }, two_of_four)
    check.mistakes({
        "the mask was not used: pruned weights move": lambda w, g, m, lr: w - lr * g,
        "only the gradient is masked: what is pruned is 0 after the step, whatever it was":
            lambda w, g, m, lr: (w - lr * g * m),
        "lr was not used": lambda w, g, m, lr: torch.where(m, w - g, 0.0),
        "the step goes against the gradient": lambda w, g, m, lr: (w + lr * g) * m,
    }, masked_step)
    ### END MISTAKES
    t = torch.tensor
    W = t([[0.6, -2.0, 0.1, -0.5], [0.9, 0.2, -0.1, 0.3]])
    T, N = True, False
    check(keep_largest, W, 0.375).equals([[T, T, N, T], [T, N, N, T]], about="three of eight go")
    check(keep_largest, W, 0.35).equals(
        [[T, T, N, T], [T, N, N, T]], about="2.8 of eight go")
    check(keep_largest, W, 0.3125).equals(
        [[T, T, N, T], [T, T, N, T]], about="2.5 of eight go")
    check(keep_largest, t([[0.5, -0.5, 0.5], [2.0, 0.5, 0.5]]), 0.34).equals(
        [[N, N, T], [T, T, T]], about="equally large ones",
        near={
            "of equally large weights too many went: round(share * n) go, those that come first":
                [[N, N, N], [T, N, N]],
            "of equally large weights none went: round(share * n) go, those that come first": [[T, T, T], [T, T, T]],
        },
    )
    check(two_of_four, W).equals(
        [[T, T, N, N], [T, N, N, T]], about="two of each four",
        near={
            "two of all in the row or matrix stay: two of each four are asked for": [[N, T, N, N], [T, N, N, N]],
            "of each four one stays: two are asked for": [[N, T, N, N], [T, N, N, N]],
        },
    )
    check(two_of_four, t([[0.5, -0.5, 0.5, 0.5]])).equals([[N, N, T, T]], about="equally large ones of four")
    check(masked_step, t([1.0, 2.0]), t([float("inf"), 1.0]), t([N, T]), 0.5).equals(
        [0.0, 1.5], about="0 whatever the gradient is", near={
            "0 times infinity is nan: torch.where puts an exact 0": [float("nan"), 1.5]})
    G, M = t([[1.0, 2.0], [-3.0, 4.0]]), t([[T, N], [T, N]])
    check(masked_step, t([[0.5, 0.0], [1.0, 0.3]]), G, M, 0.1).equals(
        [[0.4, 0.0], [1.3, 0.0]], about="a step under the mask",
        near={
            "the gradient of what is pruned is kept, that of the others is not": [[0.5, -0.2], [1.0, -0.1]],
        },
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draws = torch.Generator().manual_seed(int(check.rng.integers(2**31)))
    for shape, share in [((5, 7), 0.29), ((3, 4, 6), 0.63), ((40,), 0.8), ((9, 3), 0.5)]:
        W = torch.randn(shape, generator=draws)
        check(keep_largest, W, share).equals(mask_of(W, share), about="fresh weights", weight=2)
    for shape, share in [((5, 7), 0.4), ((40,), 0.55)]:
        W = torch.randint(-3, 4, shape, generator=draws).float() / 2
        check(keep_largest, W, share).equals(mask_of(W, share), about="many equal ones")
    W = torch.randn(10, 10, generator=draws)
    for share in (0.0, 1.0, 0.29, 0.57, 0.999):
        check(keep_largest, W, share).equals(mask_of(W, share), about="none, all, and shares that do not divide",
                                             edge=True)
    for shape, share in [((5,), 0.5), ((13,), 0.5), ((3, 2), 0.75)]:
        W = torch.randn(shape, generator=draws)
        up, down = (mask_of(W, share, part=part) for part in (lambda v: int(v + 0.5), int))
        check(keep_largest, W, share).equals(
            mask_of(W, share), about="a share that ends on a half", edge=True, near={
                "Python's round takes a half to the even number: here it went up": up,
                "Python's round takes a half to the even number: here it went down": down})
    for shape, share in [((1, 5), 0.4), ((5, 1), 0.6), ((1, 1), 0.3), ((1, 1), 0.7), ((0, 3), 0.5), ((70, 60), 0.9)]:
        W = torch.randn(shape, generator=draws)
        check(keep_largest, W, share).equals(mask_of(W, share), about="one row, one weight, none, many", edge=True)
    W = 100 * torch.randn(7, 9, generator=draws)
    check(keep_largest, W, 0.4).equals(mask_of(W, 0.4), about="large weights", edge=True, dtype="b")
    W = torch.randn(6, 5, generator=draws, dtype=torch.float64)
    check(keep_largest, (1 + 1e-12 * W).T, 0.5).equals(
        mask_of((1 + 1e-12 * W).T, 0.5), about="turned, in float64", edge=True)
    for shape in [(8, 12), (4, 20), (12, 4)]:
        W = torch.randn(shape, generator=draws)
        check(two_of_four, W).equals(fours(W), about="fresh fours", weight=2)
    W = torch.randint(-2, 3, (12, 8), generator=draws).float()
    check(two_of_four, W).equals(fours(W), about="equal ones in a four")
    for W in (100 * torch.randn(70, 8, generator=draws), 1 + 1e-12 * torch.randn(5, 8, generator=draws).double(),
              torch.randn(5, 8, generator=draws).double()):
        check(two_of_four, W).equals(fours(W), about="large weights, weights nearly the same", edge=True, dtype="b")
    for shape in [(1, 4), (1, 8), (3, 4), (60, 64)]:
        W = torch.randn(shape, generator=draws)
        check(two_of_four, W).equals(fours(W), about="one four, many", edge=True)
    W = torch.randn(8, 4, generator=draws).T
    check(two_of_four, W).equals(fours(W.contiguous()), about="turned", edge=True)

    def stepped(w, g, m, lr):
        return torch.from_numpy(np.where(m.numpy(), w.numpy() - lr * g.numpy(), 0.0)).to(w.dtype)

    for shape, lr in [((4, 6), 0.3), ((2, 3, 5), 1.5), ((7,), 0.01)]:
        w, g = torch.randn(shape, generator=draws), torch.randn(shape, generator=draws)
        m = torch.rand(shape, generator=draws) < 0.6
        check(masked_step, w, g, m, lr).equals(stepped(w, g, m, lr), about="fresh steps")
    w, g = (100 * torch.randn(70, 3, generator=draws) for _ in range(2))
    m = torch.rand(70, 3, generator=draws) < 0.6
    check(masked_step, w, g, m, 0.3).equals(stepped(w, g, m, 0.3), about="many rows, large numbers", edge=True)
    for shape in [(1, 3), (3, 1), (1, 1), (0, 2)]:
        w, g = torch.randn(shape, generator=draws).double() / 3, torch.randn(shape, generator=draws).double()
        for m in (torch.ones(shape, dtype=torch.bool), torch.zeros(shape, dtype=torch.bool)):
            check(masked_step, w, g, m, 0.7).equals(
                stepped(w, g, m, 0.7), about="all kept, none kept, one weight, in float64", edge=True, rtol=1e-12,
                atol=1e-14)
    w, g = t([1.0, 2.0]), t([float("inf"), 1.0])
    check(masked_step, w, g, t([N, T]), 0.5).equals(
        [0.0, 1.5], about="a gradient that is not finite, of a pruned weight", edge=True,
        near={"0 times infinity is nan: torch.where puts an exact 0": [float("nan"), 1.5]})
    ### END HIDDEN TESTS


score
