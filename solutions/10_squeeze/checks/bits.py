from helpers.checks import graded


@graded("bits", points=7)
def score(check):
    import torch

    ### BEGIN MISTAKES
    turned = "the first of two takes the lower half of the byte"

    def truncated(x):
        return (x.contiguous().view(torch.int32) & -65536).view(torch.float32)

    def always_up(x):
        return ((x.contiguous().view(torch.int32) + 0x8000) & -65536).view(torch.float32)

    check.mistakes({
        "the lower half is cut off: round to the nearest": truncated,
        "from the middle it goes to the even last bit, not always up": always_up,
        "this is float16: bfloat16 has eight bits of exponent and seven of fraction": lambda x: x.half().float(),
    }, to_bfloat16)

    def made(
        bits_of=lambda b: 2 ** (b - 1) - 1, largest=torch.abs, rounded=torch.round, by=None, flat=False, least=None
    ):
        def change(weight, bits, by_row=True):
            by_row = by_row if by is None else by
            size = largest(weight)
            most = size.max(1, keepdim=True).values if by_row else size.max().reshape(1, 1)
            s = most / bits_of(bits)
            s = torch.where(s == 0, torch.ones_like(s), s) if least is None else least(s)
            return rounded(weight / s).to(torch.int8), (s.flatten() if flat else s).float()

        return change

    def by_column(weight, bits, by_row=True):
        if not by_row:
            return made()(weight, bits, False)
        scales = weight.abs().amax(0, keepdim=True) / (2 ** (bits - 1) - 1)
        return torch.round(weight / scales.where(scales > 0, torch.ones(()))).to(torch.int8), scales.float()

    def by_width(weight, bits, by_row=True):
        """Half the way from the smallest to the largest number, of each row or of all."""
        rows = weight if by_row else weight.reshape(1, -1)
        width = rows.amax(1, keepdim=True) - rows.amin(1, keepdim=True)
        return made(largest=lambda w: (width / 2).expand_as(w))(weight, bits, by_row)

    def by_average(weight, bits, by_row=True):
        rows = weight if by_row else weight.reshape(1, -1)
        mean = rows.abs().mean(1, keepdim=True)
        return made(largest=lambda w: mean.expand_as(w))(weight, bits, by_row)

    check.mistakes({
        "one scale was taken for the whole tensor: each row has its own": made(by=False),
        "by_row=False asks for one scale: here each row has its own": made(by=True),
        "m is 2 to the power b - 1, minus 1: here m is one more": made(lambda b: 2 ** (b - 1)),
        "the scale is the largest size by m: here by 2 m": made(lambda b: 2**b - 2),
        "the scales have the shape (out,): (out, 1) is asked for": made(flat=True),
        "m is 2 to the power b - 1, minus 1: here m is 2 to the power b, minus 1": made(lambda b: 2**b - 1),
        "the numbers are cut off or rounded down: torch.round": made(rounded=torch.floor),
        "the scale is of the largest absolute value: a row's largest number may be negative": made(largest=lambda w: w),
        "a tiny scale became 1: one of exactly 0 does": made(least=lambda s: torch.where(s < 1e-8, 1.0, s)),
        "a tiny scale was raised: it is as small as its row": made(least=lambda s: s.clamp(min=1e-8)),
        "a row of zeros has the scale 1": made(least=lambda s: s),
        "each column has a scale of its own here: each row has": by_column,
        "the scale is of half the way from smallest to largest: the largest absolute value is asked for": by_width,
        "the scale is of the mean size: the largest absolute value is asked for": by_average,
        "numbers are cut off toward zero: torch.round": made(rounded=torch.trunc),
        "halves go to the even number: torch.round": made(rounded=lambda v: (v + 0.5).floor()),
    }, to_bits)

    def oracle(q):
        """The bytes as whole numbers: the first of two in the lower half, both shifted by 8."""
        rows = []
        for row in q.tolist():
            rows.append([first + 8 + 16 * (second + 8) for first, second in zip(row[::2], row[1::2], strict=True)])
        return torch.tensor(rows, dtype=torch.uint8)

    check.mistakes({
        turned: lambda q: ((q + 8)[:, 1::2] | ((q + 8)[:, ::2].to(torch.uint8) << 4)).to(torch.uint8),
        "each number was shifted by 7: by 8 is asked for": lambda q: (oracle(q).int() - 17).to(torch.uint8),
        "each number is shifted by 8": lambda q: (q[:, ::2].int() % 16 + 16 * (q[:, 1::2].int() % 16)).to(torch.uint8),
        "the second number counts 16 times: here 15 times":
            lambda q: (q[:, ::2].int() + 8 + 15 * (q[:, 1::2].int() + 8)).to(torch.uint8),
        "the bytes are int8: uint8 is asked for": lambda q: oracle(q).to(torch.int8),
    }, pack)
    check.mistakes({
        "each number was shifted by 8, not by 7":
            lambda p: torch.stack([p & 15, p >> 4], -1).flatten(1).to(torch.int8) - 7,
        "the upper half of a byte has to move down by four bits":
            lambda p: torch.stack([(p & 15).to(torch.int8) - 8, (p & 240).to(torch.int8) - 8], -1).flatten(1),
        "each number was shifted by 8: take that back": lambda p: torch.stack([p & 15, p >> 4], -1).flatten(1),
        turned: lambda p: torch.stack([p >> 4, p & 15], -1).flatten(1).to(torch.int8) - 8,
        "the two of a byte are neighbours: they come one after the other":
            lambda p: (torch.cat([p & 15, p >> 4], 1).to(torch.int8) - 8),
    }, unpack)
    ### END MISTAKES
    t = torch.tensor
    x = t([1.0, 1.00390625, 1.01171875, 3.14159274, -0.1, 70000.0])
    check(to_bfloat16, x).equals(
        [1.0, 1.0, 1.015625, 3.140625, -0.10009765625, 70144.0], about="bfloat16", rtol=1e-7,
        near={
            "from the middle it goes to the even last bit, not always down":
                [1.0, 1.0, 1.0078125, 3.140625, -0.10009765625, 70144.0],
        },
    )
    changed_to = {"this is a change to torch.bfloat16: by the bits is asked for": lambda kinds: "bfloat16" in kinds}
    check(kinds_of_numbers, to_bfloat16, x).holds(
        lambda kinds: "bfloat16" not in kinds, "no bfloat16 on the way", about="by the bits", near=changed_to)
    W = t([[2.1, -7.0, 1.4, 0.7], [0.2, 0.7, -0.3, -0.6]])
    coarse = t([[2, -7, 1, 1], [0, 1, 0, -1]], dtype=torch.int8), t([[1.0]])
    fine = t([[2, -7, 1, 1], [2, 7, -3, -6]], dtype=torch.int8), t([[1.0], [0.1]])
    check(to_bits, W, 4).equals(fine, about="four bits by row", rtol=1e-4)
    check(to_bits, W, 4, False).equals(
        coarse, about="four bits, one scale", rtol=1e-4,
        near={"the scale has the shape (): (1, 1) is asked for": (coarse[0], 1.0)},
    )
    check(to_bits, t([[0.0, 0.0, 0.0], [3.5, -1.5, 7.0]]), 4).equals(
        (t([[0, 0, 0], [4, -2, 7]], dtype=torch.int8), t([[1.0], [1.0]])), about="a row of zeros, and halves", atol=0)
    wide = {"the scales are float32, of float64 weights too": ["torch.int8", "torch.float64"]}
    check(lambda: [str(part.dtype) for part in to_bits(W.double(), 4)]).equals(
        ["torch.int8", "torch.float32"], about="the dtypes of float64 weights", edge=True, near=wide)
    q = t([[2, 7, -3, -6], [0, -7, 1, 5]], dtype=torch.int8)
    check(pack, q).equals(
        t([[250, 37], [24, 217]], dtype=torch.uint8), about="two numbers to a byte",
        near={
            "the two of a byte are neighbours: columns 0 and 1, then 2 and 3": [[90, 47], [152, 209]],
            "the two of a byte are in one row": [[138, 31, 149, 210]],
        },
    )
    check(unpack, t([[250, 37], [24, 217]], dtype=torch.uint8)).equals(q, about="and back")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draws = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def library(x):
        return x.to(torch.bfloat16).float()

    for shape, size in [((40, 7), 1.0), ((3, 4, 5), 300.0), ((64,), 1e-3)]:
        x = size * torch.randn(shape, generator=draws)
        check(to_bfloat16, x).equals(library(x), about="fresh numbers", rtol=0, atol=0)
    odd = torch.arange(1, 41).float() / 256 + 1  # every second one stands in the middle
    check(to_bfloat16, torch.cat([odd, -odd])).equals(
        library(torch.cat([odd, -odd])), about="in the middle", rtol=0, atol=0)
    x = t([0.0, -0.0, 1e-40, -1e-45, 3.3e38, 3.4028235e38, float("inf"), -float("inf"), 2.0**-126, 1.9999999])
    check(to_bfloat16, x).equals(library(x), about="zero, tiny, huge, infinite", edge=True, rtol=0, atol=0)
    whole = torch.randn(6, 5, generator=draws)
    for x in (whole.T, whole[::2, 1:4], whole[:1, :1], whole[0, 0], whole[:0]):
        check(to_bfloat16, x).equals(
            library(x), about="a part of a tensor, one number, none", edge=True, rtol=0, atol=0)

    check(kinds_of_numbers, to_bfloat16, torch.randn(4, 3, generator=draws)).holds(
        lambda kinds: "bfloat16" not in kinds, "no bfloat16 on the way", about="the way to bfloat16", edge=True,
        near=changed_to)

    def clear(W, bits):
        """The weights, none so near to a half that the last digit decides how it is rounded."""
        m = 2 ** (bits - 1) - 1
        for _ in range(4):
            for most in (W.abs().amax(1, keepdim=True), W.abs().max()):
                W = torch.where((m * W / most % 1 - 0.5).abs() < 1e-3, 0.99 * W, W)
        return W

    for bits in (2, 3, 5, 6, 8):
        W = torch.randn(int(check.rng.integers(2, 6)), int(check.rng.integers(6, 10)), generator=draws)
        W[0] *= 6
        W[0, int(W[0].abs().argmax())] *= -1 if W[0].abs().argmax() == W[0].argmax() else 1
        W = clear(W, bits)
        for by_row in (True, False):
            check(to_bits, W, bits, by_row).equals(
                made()(W, bits, by_row), about="fresh weights by row" if by_row else "fresh weights, one scale",
                rtol=1e-5)
        check(lambda W=W, bits=bits: [str(v.dtype) for v in to_bits(W, bits)]).equals(
            ["torch.int8", "torch.float32"], about="int8 and float32", edge=True)
    W = t([[0.0, 0.0, 0.0], [3.5, -1.5, 7.0], [0.5, 2.5, -7.0]])
    check(to_bits, W, 4).equals(made()(W, 4), about="zeros and halves", edge=True)
    check(to_bits, torch.zeros(2, 3), 5, False).equals(
        (torch.zeros(2, 3).to(torch.int8), t([[1.0]])), about="zeros and halves", edge=True)
    for shape in [(1, 5), (4, 1), (1, 1), (60, 70)]:
        W = clear(torch.randn(shape, generator=draws), 3)
        for by_row in (True, False):
            check(to_bits, W, 3, by_row).equals(
                made()(W, 3, by_row), about="one row, one column, many", edge=True, rtol=1e-5)
    W = clear(1e-9 * torch.randn(3, 6, generator=draws), 4)
    W[1] *= 1e-4
    check(to_bits, W, 4).equals(made()(W, 4), about="tiny weights", edge=True, rtol=1e-5, atol=1e-20)
    for _ in range(2):  # of the same shape, many rows and large weights
        W = clear(100 * torch.randn(70, 6, generator=draws), 4)
        check(to_bits, W, 4).equals(made()(W, 4), about="many rows, large weights", edge=True, rtol=1e-5)
    W = clear(torch.randn(5, 4, generator=draws, dtype=torch.float64), 4)
    check(lambda W=W: [str(v.dtype) for v in to_bits(W, 4)]).equals(
        ["torch.int8", "torch.float32"], about="int8 and float32", edge=True, near=wide)
    check(to_bits, W.T, 4).equals(made()(W.T.contiguous(), 4), about="turned, in float64", edge=True, rtol=1e-5)
    kept = []
    for shape, edge in [((3, 8), False), ((3, 8), False), ((5, 6), False), ((4, 10), False), ((1, 6), True),
                        ((5, 2), True), ((1, 2), True), ((70, 64), True)]:
        q = torch.randint(-7, 8, shape, generator=draws).to(torch.int8)
        kept.append((q, edge))
        check(pack, q).equals(oracle(q), about="one row, one byte, many" if edge else "fresh numbers packed", edge=edge)
    check(lambda: [str(pack(kept[0][0].clone()).dtype), str(unpack(oracle(kept[0][0])).dtype)]).equals(
        ["torch.uint8", "torch.int8"], about="uint8, and back int8", edge=True)
    for q, edge in kept:
        check(unpack, oracle(q)).equals(
            q, about="one row, one byte, many unpacked" if edge else "fresh bytes unpacked", edge=edge)
    everything = torch.tensor([[a, b] for a in range(-7, 8) for b in range(-7, 8)], dtype=torch.int8)
    check(pack, everything).equals(oracle(everything), about="every pair", edge=True)
    check(unpack, oracle(everything)).equals(everything, about="every pair unpacked", edge=True)
    check(pack, everything.T[:, :20].T.flip(1)).equals(oracle(everything[:20].flip(1)), about="every pair", edge=True)
    ### END HIDDEN TESTS


score
