from helpers.checks import graded


@graded("int8", points=8)
def score(check):
    import torch

    ### BEGIN MISTAKES
    signed = "the scale is of the largest absolute value: a row's largest number may be negative"
    beyond = "the scale is of the largest absolute value: what is beyond the scale was cut"

    def made(largest=lambda w: w.abs().amax(1, keepdim=True), top=127, rounded=torch.round, given=lambda s: s,
             filled=lambda s: s > 0):
        def change(weight):
            s = largest(weight) / top
            s = torch.where(filled(s), s, torch.ones_like(s)) if top else s
            return rounded(weight / s).to(torch.int8), given(s.expand(len(weight), -1)[:, 0].float())

        return change

    def by_columns(weight):
        s = weight.abs().amax(0) / 127
        return torch.round(weight / s).to(torch.int8), s

    def ranged(weight):
        low, high = weight.amin(1, keepdim=True), weight.amax(1, keepdim=True)
        s = (high - low) / 255
        return (torch.round((weight - low) / s) - 128).to(torch.int8), s[:, 0]

    def cut(w):
        return w.round().clamp(-127, 127)

    sizes = {
        "half the range from the smallest to the largest": lambda w: (
            w.amax(1, keepdim=True) - w.amin(1, keepdim=True)) / 2,
        "the range from the smallest to the largest": lambda w: w.amax(1, keepdim=True) - w.amin(1, keepdim=True),
        "the spread of the row": lambda w: w.std(1, keepdim=True),
        "the length of the row": lambda w: w.norm(dim=1, keepdim=True),
    }
    other_sizes = {}
    for words, size in sizes.items():
        sentence = f"the scale is {words}: the largest absolute value is asked for"
        other_sizes[sentence] = made(size, rounded=cut)
        other_sizes[sentence + " (and what is beyond runs over)"] = made(size)
    check.mistakes({
        "one scale for the whole matrix; each row has its own": made(lambda w: w.abs().max().view(1, 1)),
        "the scales are of the columns; each row (one output) has its own": by_columns,
        "the largest number of a column was used for the row of the same number: each row has its own":
            made(lambda w: w.abs().amax(0)[:, None]),
        "the numbers are cut off, not rounded: torch.round before the change to int8": made(rounded=torch.trunc),
        "127 is the largest number: with 128 it runs over to -128": made(top=128),
        signed: made(lambda w: w.amax(1, keepdim=True)),
        beyond: made(lambda w: w.amax(1, keepdim=True), rounded=cut),
        signed + ", and so was the scale": made(lambda w: w.amax(1, keepdim=True), filled=lambda s: s != 0),
        beyond + ", and a scale below 0 was kept":
            made(lambda w: w.amax(1, keepdim=True), rounded=cut, filled=lambda s: s != 0),
        "these are the numbers 127 / max: the scale is max / 127": made(given=lambda s: 1 / s),
        "this maps the range from the smallest to the largest; zero stays zero here": ranged,
        "halves go to the even number: torch.round": made(rounded=lambda w: (w + 0.5).floor()),
        "halves go to the even number: here they go away from zero, torch.round does not":
            made(rounded=lambda w: w.sign() * (w.abs() + 0.5).floor()),
        "these are rounded downwards": made(rounded=torch.floor),
        "these are rounded upwards": made(rounded=torch.ceil),
        "127 is the largest number: this divides by 128": made(top=128, rounded=cut),
        "127 is the largest number, and -127 the least: this divides by 128":
            made(top=128, rounded=lambda w: w.round().clamp(-128, 127)),
        **other_sizes,
        "these are integers from -7 to 7: from -127 to 127 is asked for": made(top=7),
        "the scale is the largest absolute value: it is divided by 127": made(given=lambda s: 127 * s),
        "the scale divides by 255: 127 on each side of zero": made(top=127.5),
        "the scales come as a column: (out,) is asked for": lambda w: (made()(w)[0], made()(w)[1][:, None]),
        "the scale is the mean absolute value over 127: it is the largest":
            made(lambda w: w.abs().mean(1, keepdim=True)),
        "q are floats: int8 is asked for": lambda w: (made()(w)[0].float(), made()(w)[1]),
    }, quantize)

    def layer(scaled=True, update=1.0, base=1.0, by=True, bias=1.0, late=False, turned=False):
        def output(x, q, s, b, A, B, scale):
            w = q.float() * (s[:, None] if scaled else 1)
            y = x @ w.T + bias * b
            y = (x @ q.float().T + b) * s if late else y
            return base * y + update * (scale if by else 1) * x @ (B @ A).T

        return output

    check.mistakes({
        "the scales are missing: q alone are whole numbers, not weights": layer(scaled=False),
        "the low-rank update is missing": layer(update=0.0),
        "the base's output is missing": layer(base=0.0),
        "`scale` is missing in front of the update": layer(by=False),
        "the bias is missing": layer(bias=0.0),
        "the bias is not multiplied by the scales": layer(late=True),
        "the scales belong to the rows of q, its outputs":
            lambda x, q, s, b, A, B, scale: layer()(x, q.float() * s, torch.ones(len(q)), b, A, B, scale),
        "the update is multiplied by the scales of the base, too":
            lambda x, q, s, b, A, B, scale: (x @ q.float().T) * s + b + s * scale * (x @ (B @ A).T),
        "the update is subtracted": layer(update=-1.0),
        "`scale` multiplies the bias, too: it belongs before the update only":
            lambda x, q, s, b, A, B, scale: layer()(x, q, s, scale * b, A, B, scale),
        "`scale` multiplies the base's output, too: it belongs before the update only":
            lambda x, q, s, b, A, B, scale: scale * layer(by=False)(x, q, s, b, A, B, scale),
        "`scale` counts twice": lambda x, q, s, b, A, B, scale: layer()(x, q, s, b, A, B, scale**2),
        "the update is divided by `scale`: it is multiplied":
            lambda x, q, s, b, A, B, scale: layer()(x, q, s, b, A, B, 1 / scale),
        "one scale for all rows, the mean of theirs: each row has its own":
            lambda x, q, s, b, A, B, scale: layer()(x, q, s.mean().expand(s.shape), b, A, B, scale),
        "one scale for all rows, the first: each row has its own":
            lambda x, q, s, b, A, B, scale: layer()(x, q, s[:1].expand(s.shape), b, A, B, scale),
        "the scales are divided by 127 again": lambda x, q, s, b, A, B, scale: layer()(x, q, s / 127, b, A, B, scale),
        "x is rounded: only the weights are integers":
            lambda x, q, s, b, A, B, scale: layer(update=0.0)(x.round(), q, s, b, A, B, scale) + scale * x @ (
                B @ A).T,
        "the bias is subtracted": layer(bias=-1.0),
        "the bias is added twice": layer(bias=2.0),
        "`scale` is alpha / r already: it is divided by the rank again":
            lambda x, q, s, b, A, B, scale: layer()(x, q, s, b, A, B, scale / len(A)),
        "the weights are q divided by the scales": lambda x, q, s, b, A, B, scale: layer()(x, q, 1 / s, b, A, B, scale),
    }, int8_lora)
    ### END MISTAKES
    t = torch.tensor
    W = t([[0.5, -2.54, 1.0], [1.27, 0.014, -0.326], [-0.5, -1.27, -0.03]])
    rows = t([[25, -127, 50], [127, 1, -33], [-50, -127, -3]], dtype=torch.int8)
    check(quantize, W).equals((rows, t([0.02, 0.01, 0.01])), rtol=1e-4)
    zeros = "a row of zeros gets the scale 1"
    none = [0, 0, 0, 0, 0]
    check(quantize, t([[0.0, 0.0, 0.0, 0.0, 0.0], [0.5, -127.0, 2.5, 7.25, -3.5]])).equals(
        (t([none, [0, -127, 2, 7, -4]], dtype=torch.int8), t([1.0, 1.0])), rtol=1e-4,
        near={zeros: ([none, [0, -127, 2, 7, -4]], [0.0, 1.0])})
    q, scales = t([[25, -127, 50], [127, 1, -33]], dtype=torch.int8), t([0.02, 0.5])
    A, B = t([[1.0, 0.0, -1.0], [0.5, 1.0, 0.0]]), t([[2.0, 1.0], [3.0, -1.0]])
    bias = t([0.5, -1.0])
    check(int8_lora, t([[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0]]), q, scales, bias, A, B, 0.25).equals(
        [[-1.455, 11.875], [-0.77, -99.5]], rtol=1e-4)
    ### BEGIN HIDDEN TESTS
    import math
    import torch.nn.functional as F

    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def no_halves(W):
        """The weights, none so near to a half that the last digit decides how it is rounded."""
        for _ in range(3):
            W = torch.where((127 * W / W.abs().amax(1, keepdim=True) % 1 - 0.5).abs() < 1e-3, 0.997 * W, W)
        return W

    for shape, spread in [((4, 7), 1.0), ((3, 5), 0.02), ((6, 6), 3.0)]:
        W = spread * torch.randn(shape, generator=draw)
        W[1] *= 10
        W[0, int(W[0].abs().argmax())] = -float(W[0].abs().max())
        W = no_halves(W)
        s = W.abs().max(1).values / 127
        q = torch.round(W / s[:, None])
        check(quantize, W).equals((q.to(torch.int8), s), about="fresh weights", rtol=1e-4, weight=2)
        check(lambda W=W: quantize(W)[0]).holds(
            lambda v, W=W: v.dtype == torch.int8 and v.shape == W.shape, "int8", about="fresh weights",
            near={"q must be int8: .to(torch.int8)": lambda v: v.dtype != torch.int8},
        )
    for shape in ((1, 4), (3, 1), (1, 1), (70, 66)):
        W = no_halves(torch.randn(shape, generator=draw))
        s = W.abs().max(1).values / 127
        check(quantize, W).equals(
            (torch.round(W / s[:, None]).to(torch.int8), s), edge=True, rtol=1e-4,
            about="many rows" if shape == (70, 66) else "one row or column")
    W = t([[127.0, 0.5, 2.5, -1.5], [-4.5, 3.5, 127.0, -0.5]])
    check(quantize, W).equals(
        (t([[127, 0, 2, -2], [-4, 4, 127, 0]], dtype=torch.int8), t([1.0, 1.0])), about="halves", edge=True
    )
    W = t([[2.54e-9, -1.2e-9], [1.27, -0.5]])
    check(quantize, W).equals(
        (t([[127, -60], [127, -50]], dtype=torch.int8), t([2e-11, 0.01])), about="tiny weights", edge=True, rtol=1e-4,
        near={"only a row of zeros gets the scale 1, not a row of small weights": (
            t([[0, 0], [127, -50]], dtype=torch.int8), t([1.0, 0.01]))},
    )
    W = t([[0.0, 0.0], [1.27, -0.5]])
    check(quantize, W).equals(
        (t([[0, 0], [127, -50]], dtype=torch.int8), t([1.0, 0.01])), about="a row of zeros", edge=True, rtol=1e-4,
        near={zeros: (t([[0, 0], [127, -50]], dtype=torch.int8), t([0.0, 0.01]))},
    )

    def fresh(shape, out, r, dtype=torch.float32, size=1.0):
        n = shape[-1]
        sizes = shape, (r, n), (out, r), (out,)
        x, A, B, b = (size * torch.randn(v, generator=draw).to(dtype) for v in sizes)
        q = torch.randint(-127, 128, (out, n), generator=draw).to(torch.int8)
        return x, q, 2.0 ** torch.randint(-4, 3, (out,), generator=draw), b, A, B  # products of q and scales are exact

    def right(x, q, s, b, A, B, scale):
        return F.linear(x, torch.diag(s).to(x.dtype) @ q.to(x.dtype) + scale * B @ A, b)

    for shape, out, r, scale in [((2, 3, 5), 4, 2, 1.5), ((4, 6), 6, 3, 0.7)]:
        case = fresh(shape, out, r)
        case = *case[:2], torch.rand(out, generator=draw) + 0.05, *case[3:], scale
        check(int8_lora, *case).equals(right(*case), about="fresh layers", rtol=1e-3, atol=1e-2, weight=2)
    case = *fresh((3, 5), 4, 2), 0.001
    case[4].mul_(100)  # A
    check(int8_lora, *case).equals(right(*case), about="a small scale", edge=True, rtol=1e-4, atol=1e-3)
    kept = "an axis of size 1 is kept, too"
    one = [((1, 5), 3, 2), ((2, 1, 4), 3, 1), ((3, 1), 2, 2), ((4, 3), 1, 1), ((1, 1), 1, 1), ((5,), 2, 1)]
    for shape, out, r in one:
        case = *fresh(shape, out, r), 1.5
        check(int8_lora, *case).equals(
            right(*case), about="one vector, one number", edge=True, rtol=1e-3, atol=1e-2,
            near=lambda case=case: {kept: right(*case).squeeze()})
    many = fresh((80, 70), 66, 68, size=50.0)
    few = fresh((3, 4), 2, 1)
    for case, atol in [((*many, 1.5), 1000.0), ((*few[:2], 50 * few[2], 40 * few[3] + 40, *few[4:], 1.5), 1.0)]:
        check(int8_lora, *case).equals(
            right(*case), about="many vectors, large numbers", edge=True, rtol=1e-3, atol=atol)
    case = *fresh((3, 5), 4, 2, torch.float64), 1 / 3
    case = math.pi * case[0], *case[1:3], *(math.pi * v for v in case[3:6]), 1 / 3
    check(int8_lora, *case).equals(right(*case), about="float64", edge=True, rtol=1e-9, atol=1e-12, near={
        "with x in float64 the weights are taken in its dtype: .to(x.dtype)": RuntimeError})
    for shape, out, r in [((2, 3, 5), 4, 2), ((4, 6), 3, 3)]:
        case = *fresh(shape, out, r), 1.5
        leaves = [case[i].clone().requires_grad_() for i in (0, 4, 5)]
        x, A, B = leaves
        right(x, *case[1:4], A, B, 1.5).sum().backward()
        only_base = torch.diag(case[2]) @ case[1].float()
        check(slopes, int8_lora, *case, fixed=(2, 3)).equals(
            [v.grad for v in leaves], about="the gradients of x, A and B", rtol=1e-3, atol=1e-2, weight=2,
            near={"x, A or B get no gradient: is something detached?": RuntimeError,
                  "x has no gradient from the low-rank path: the layers below learn by it, too": [
                      only_base.sum(0).expand(shape), A.grad, B.grad],
                  "x has no gradient from the base: the layers below learn by it, too": [
                      x.grad - only_base.sum(0), A.grad, B.grad]},
        )
    ### END HIDDEN TESTS


score
