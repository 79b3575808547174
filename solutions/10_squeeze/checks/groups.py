from helpers.checks import graded


@graded("groups", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    def rounded(W, bits, most, way=torch.round, more=0, empty=1.0):
        """Numbers and scales, from the largest magnitude that is used for each weight, a tensor like W."""
        m = 2 ** (bits - 1) - 1 + more
        s = most / m
        q = way(W / torch.where(s > 0, s, torch.ones_like(s))).clamp(-m, m)
        return q.to(torch.int8), torch.where(s > 0, s, torch.full_like(s, empty)).float()

    def made(W, bits, size=32, **how):
        """Each weight looks for the largest of its group by itself."""
        most = torch.stack([
            W.abs()[:, j // size * size : (j // size + 1) * size].amax(1) for j in range(W.shape[1])
        ], dim=1)  # fmt: skip
        q, s = rounded(W, bits, most, **how)
        return q, s[:, ::size]

    def by_row(W, bits, size=32):
        q, s = rounded(W, bits, W.abs().amax(1, keepdim=True).expand(W.shape))
        return q, s[:, ::size]

    def one_for_all(W, bits, size=32):
        q, s = rounded(W, bits, W.abs().max().expand(W.shape))
        return q, s[:, ::size]

    def far_apart(W, bits, size=32):
        """Groups of every so-manieth weight of a row."""
        groups = W.shape[1] // size
        most = W.abs().unflatten(1, (size, groups)).amax(1)
        q, s = rounded(W, bits, most.repeat(1, size))
        return q, s[:, :groups]

    def side_by_side(W, bits, size=32):
        q, s = far_apart(W, bits, size)
        return q.unflatten(1, (size, -1)).transpose(1, 2).flatten(1), s

    def so_many_groups(W, bits, size=32):
        return made(W, bits, W.shape[1] // size)

    def in_columns(W, bits, size=32):
        return tuple(part.T for part in made(W.T, bits, size))

    def down_columns(W, bits, size=32):
        """Groups of neighbours in the turned matrix, whose scales are laid out as those of rows."""
        flat = W.T.reshape(-1, size)
        q, s = rounded(flat, bits, flat.abs().amax(1, keepdim=True).expand(flat.shape))
        return q.reshape(W.T.shape).T, s[:, 0].reshape(len(W), -1)

    def own(W, bits, size=32):
        """Right groups of the student's own to_bits."""
        q, s = (torch.as_tensor(part) for part in to_bits(W.reshape(-1, size), bits))
        return q.reshape(W.shape), s.reshape(len(W), -1)

    check.mistakes({
        "one scale for each row: here each `size` neighbours of a row have one": by_row,
        "one scale for the whole matrix: here each `size` neighbours of a row have one": one_for_all,
        "a group is `size` neighbours: here it is every so-manieth weight of the row": far_apart,
        "a group is `size` neighbours: here it is every so-manieth weight, and q stands group by group": side_by_side,
        "`size` is the number of weights in a group, not the number of groups": so_many_groups,
        "groups run along the rows, not down the columns": in_columns,
        "groups run along the rows: here they run down the columns, and their scales are in rows": down_columns,
        "q has the shape of the weights: here each group is a row":
            lambda W, b, n=32: (made(W, b, n)[0].reshape(-1, n), made(W, b, n)[1]),
        "the scales are (out, in / size), the groups of a row side by side: here one below the other":
            lambda W, b, n=32: (made(W, b, n)[0], made(W, b, n)[1].reshape(-1, 1)),
        "the scales are (out, in / size): here each is there once for every weight":
            lambda W, b, n=32: (made(W, b, n)[0], made(W, b, n)[1].repeat_interleave(n, dim=1)),
        "`size` was not used: groups of 32 were used": lambda W, b, n=32: made(W, b, 32),
        "`size` was not used: groups of two were used": lambda W, b, n=32: made(W, b, 2),
        "`bits` was not used: four bits were used": lambda W, b, n=32: made(W, 4, n),
        "m is 2^(bits - 1) - 1: here it is one more":
            lambda W, b, n=32: (torch.round(W / (s := made(W, b, n)[1] * (2 ** (b - 1) - 1) / 2 ** (b - 1))
                .repeat_interleave(n, dim=1)).to(torch.int8), s[:, ::n]),
        "m is 2^(bits - 1) - 1: here it is one more, and q goes as far":
            lambda W, b, n=32: made(W, b, n, more=1),
        "the digits after the point were cut off: torch.round is asked for":
            lambda W, b, n=32: made(W, b, n, way=torch.trunc),
        "rounded down: torch.round goes to the nearest": lambda W, b, n=32: made(W, b, n, way=torch.floor),
        "a group of zeros has the scale 0 here: such a scale becomes 1": lambda W, b, n=32: made(W, b, n, empty=0.0),
        "the weights came back: q and the scales are asked for separately":
            lambda W, b, n=32: made(W, b, n)[0] * made(W, b, n)[1].repeat_interleave(n, dim=1),
        "the two are exchanged: q comes first": lambda W, b, n=32: made(W, b, n)[::-1],
        "the groups are right, and your `to_bits` is not: mend that first": own,
    }, to_groups)

    def spread(q, scales):
        size = q.shape[1] // scales.shape[1]
        return torch.stack([scales[:, j // size] for j in range(q.shape[1])], dim=1)

    check.mistakes({
        "neighbours share a scale: here the scales were repeated as a whole":
            lambda q, s: q * s.repeat(1, q.shape[1] // s.shape[1]),
        "a number times its scale: here it was divided": lambda q, s: q / spread(q, s),
        "the first scale of each row was used for all of it": lambda q, s: q * s[:, :1],
        "the mean scale of each row was used for all of it": lambda q, s: q * s.mean(1, keepdim=True),
        "the scales of the first row were used for all rows": lambda q, s: q * spread(q, s)[:1],
        "the scales alone came back: times the numbers": spread,
        "the numbers came without their scales": lambda q, s: q.float(),
        "the weights are (out, in): here each group is a row":
            lambda q, s: (q * spread(q, s)).reshape(s.numel(), -1),
        "whole numbers came back: the weights are floats": lambda q, s: (q * spread(q, s)).to(torch.int8),
        "groups of 32 are not the only ones: q and the scales tell their size":
            lambda q, s: q * s.repeat_interleave(32, dim=1)[:, : q.shape[1]],
    }, from_groups)
    check.mistakes({
        "the weight's own bits alone: its share of the scale comes on top": lambda b, n, s=16: b,
        "one scale is shared by `size` weights: here each weight pays all of it": lambda b, n, s=16: b + s,
        "the scale alone was counted": lambda b, n, s=16: s / n,
        "the scale's bits are divided by `size`, not multiplied with it": lambda b, n, s=16: b + s * n,
        "the weight's own bits are not shared: here both were divided": lambda b, n, s=16: (b + s) / n,
        "these are the bits of a whole group: of one weight are asked for": lambda b, n, s=16: b * n + s,
        "`scale_bits` was not used": lambda b, n, s=16: b + 16 / n,
        "these are bytes: bits are asked for": lambda b, n, s=16: (b + s / n) / 8,
        "a part of a bit counts: here whole bits came back": lambda b, n, s=16: b + s // n,
        "upside down: the scale's bits over `size`": lambda b, n, s=16: b + n / s,
    }, bits_of_weight)
    ### END MISTAKES
    t = torch.tensor
    row = t([[0.7, -0.2, 7.0, 3.0]])
    check(to_groups, row, 4, 2).equals(
        (t([[7, -2, 7, 3]], dtype=torch.int8), t([[0.1, 1.0]])), about="the text's row", rtol=1e-4)
    W = t([[3.0, -1.2, 0.3, 0.4, 0.0, 0.0], [1.0, 2.0, 0.9, -0.6, 30.0, 8.0]])
    check(to_groups, W, 3, 2).equals(
        (t([[3, -1, 2, 3, 0, 0], [2, 3, 3, -2, 3, 1]], dtype=torch.int8),
         t([[1.0, 0.1333333, 1.0], [0.6666667, 0.3, 10.0]])), about="three groups in a row", rtol=1e-4)
    check(to_groups, W, 3, 3).equals(
        (t([[3, -1, 0, 3, 0, 0], [2, 3, 1, 0, 3, 1]], dtype=torch.int8),
         t([[1.0, 0.1333333], [0.6666667, 10.0]])), about="groups of three", rtol=1e-4)
    q, scales = t([[7, -2, 7, 3], [1, 2, -3, 4]], dtype=torch.int8), t([[0.1, 1.0], [2.0, 0.5]])
    check(from_groups, q, scales).equals([[0.7, -0.2, 7.0, 3.0], [2.0, 4.0, -1.5, 2.0]], about="and back", rtol=1e-4)
    check(bits_of_weight, 4, 32).equals(4.5, about="four bits, groups of 32")
    check(bits_of_weight, 3, 16, 24).equals(4.5, about="a scale of 24 bits")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draws = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def clear(W, bits, size):
        """The weights, none so near to a half that the last digit decides how it is rounded."""
        for _ in range(4):
            exact = W / made(W.double(), bits, size)[1].repeat_interleave(size, dim=1)
            W = torch.where((exact % 1 - 0.5).abs() < 1e-3, 0.99 * W, W)
        return W

    for bits, size, groups in [(4, 4, 3), (3, 5, 2), (2, 8, 4), (8, 2, 5), (5, 3, 4)]:
        W = torch.randn(4, size * groups, generator=draws)
        W[torch.rand(W.shape, generator=draws) > 0.9] *= 10
        W = clear(W, bits, size)
        right = made(W, bits, size)
        check(to_groups, W, bits, size).equals(right, about="fresh weights", rtol=1e-5)
        check(from_groups, *right).equals(right[0] * spread(*right), about="fresh numbers and scales", rtol=1e-5)
    W = clear(torch.randn(3, 64, generator=draws), 4, 32)
    check(to_groups, W, 4).equals(made(W, 4), about="groups of 32 unless told otherwise", rtol=1e-5)
    check(lambda W=W: [str(v.dtype) for v in to_groups(W, 4)]).equals(
        ["torch.int8", "torch.float32"], about="int8 and float32", edge=True)
    for shape, size in [((1, 6), 3), ((5, 4), 4), ((1, 1), 1), ((6, 3), 1), ((70, 64), 16)]:
        W = clear(torch.randn(shape, generator=draws), 4, size)
        right = made(W, 4, size)
        check(to_groups, W, 4, size).equals(
            right, about="one row, one group, groups of one, many", edge=True, rtol=1e-5)
        check(from_groups, *right).equals(
            right[0] * spread(*right), about="one row, one group, groups of one, many, back", edge=True, rtol=1e-5)
    for _ in range(2):  # of one shape
        W = clear(1e4 * torch.randn(2, 160, generator=draws), 8, 80)
        right = made(W, 8, 80)
        check(to_groups, W, 8, 80).equals(right, about="large weights, wide groups", edge=True, rtol=1e-5)
        check(from_groups, *right).equals(
            right[0] * spread(*right), about="large weights, wide groups, back", edge=True, rtol=1e-5)
    W = clear(torch.randn(8, 6, generator=draws), 4, 2)
    check(to_groups, W.T, 4, 4).equals(
        made(W.T.contiguous(), 4, 4), about="a turned matrix, zeros", edge=True, rtol=1e-5)
    W[2:4, :2] = 0.0
    check(to_groups, W, 4, 2).equals(made(W, 4, 2), about="a turned matrix, zeros", edge=True, rtol=1e-5)
    for _ in range(4):
        b, n, s = (int(v) for v in (check.rng.integers(2, 9), check.rng.integers(3, 200), check.rng.integers(5, 33)))
        check(bits_of_weight, b, n, s).equals(b + s / n, about="fresh sizes", rtol=1e-9)
    check(bits_of_weight, 8, 1, 32).equals(40.0, about="groups of one weight", edge=True)
    ### END HIDDEN TESTS


score
