from helpers.checks import graded


@graded("nf4", points=6)
def score(check):
    import torch

    published = torch.tensor([
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
        -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
        0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ])

    ### BEGIN MISTAKES
    from functools import partial

    signed = "the scale is of the largest absolute value: a block's largest number may be negative"
    even_codes = "the codes are of sixteen even levels"
    even = torch.linspace(-1, 1, 16)
    quantile = torch.special.ndtri
    offset = 1 - (1 / 32 + 1 / 30) / 2

    def points(count, begin=offset):
        return torch.linspace(begin, 0.5, count, dtype=torch.float64)

    nine, eight = points(9), points(8)

    def levels(above=nine[:-1], below=eight[:-1], inverse=quantile, zero=1, order=-1):
        """Levels of points above and below 0; order: 1 to keep those above as they were made."""
        up = inverse(above).numpy()[::order].copy()
        found = torch.cat([-inverse(below), torch.zeros(zero), torch.from_numpy(up)])
        return (found / found.max()).float()

    in_one_piece = quantile(torch.linspace(1 - offset, offset, 16, dtype=torch.float64))
    other_levels = {
        "the levels are not divided by the largest: they go from -1 to 1": published * float(quantile(nine[0])),
        "there are eight levels above 0 and seven below: these are the other way round": -published.flip(0),
        "above 0 the point that is left out is the last, 0.5, not the first": levels(above=nine[1:]),
        "the point that is left out is the last, 0.5, not the first": levels(above=nine[1:], below=eight[1:]),
        "above 0 there are nine points less the last: here eight, and 0 came twice": levels(above=eight),
        "below 0 there are eight points less the last: here seven, and 0 came twice": levels(below=points(7)),
        "this is the distribution function: its inverse, the quantile function, is asked":
            levels(inverse=torch.special.ndtr),
        "the levels come in ascending order: those above 0 come as they were made": levels(order=1),
        "the points begin at OFFSET: here they begin at 1 - 1/32":
            levels(above=points(9, 1 - 1 / 32)[:-1], below=points(8, 1 - 1 / 32)[:-1]),
        "below 0 there are eight points, less the last: here some of the nine above were taken": levels(below=nine[:7]),
        "sixteen quantiles in one piece have no level at 0: make both sides apart":
            (in_one_piece / in_one_piece.max()).float(),
        "eight levels on each side leave none for 0": levels(below=nine[:-1], zero=0),
    }
    known = other_levels | {
        "the levels come in ascending order": published.flip(0),
        "these are even steps: the levels are quantiles of the normal distribution": even,
    }
    check.mistakes({words: lambda found=found: found for words, found in known.items()}, nf4_levels)
    other_levels |= {
        "a level is missing: nine points less the last are eight, eight less the last are seven, and 0":
            torch.cat([published[:8], -published[:7].flip(0)]),
    }
    middles = (published[1:] + published[:-1]) / 2

    def made(size=lambda b: b.abs().max(dim=1).values, places=None, divide=True, turn=False):
        def change(weight, block):
            blocks = (weight.T.contiguous() if turn else weight).reshape(-1, block)
            s = size(blocks)
            s = torch.where(s == 0, torch.ones_like(s), s)
            scaled = (blocks / s[:, None] if divide else blocks).contiguous()
            found = torch.bucketize(scaled, middles if places is None else places)
            return found.clamp(0, 15).to(torch.uint8), s

        return change

    def with_levels(levels):
        def change(weight, block):
            scales = made()(weight, block)[1]
            parts = weight.reshape(-1, block) / scales[:, None]
            return (parts[..., None] - levels).abs().argmin(-1).to(torch.uint8), scales

        return change

    def with_codes(change):
        """The right codes and scales, and then a change of the codes."""
        def changed(weight, block):
            codes, scales = made()(weight, block)
            return change(codes), scales

        return changed

    def nearest_even(weight, block):
        scales = made()(weight, block)[1]
        parts = weight.reshape(-1, block) / scales[:, None]
        return ((parts + 1) * 7.5).round().to(torch.uint8), scales

    def next_to_zero(weight, block):
        below, scales = made(places=published[1:] + 1e-7)(weight, block)
        above, _ = made(places=published[:-1] + 1e-7)(weight, block)
        return torch.where(weight.reshape(-1, block) > 0, below, above), scales

    check.mistakes({
        **{words: with_levels(levels) for words, levels in other_levels.items()},
        "one scale for all: each block has its own": made(lambda b: b.abs().max().expand(len(b))),
        signed: made(lambda b: b.amax(1)),
        signed + ", and 1 was taken then": made(lambda b: b.amax(1).where(b.amax(1) > 0, 1.0)),
        "an axis of size 1 was squeezed away: one block, or a block of one, keeps its axis": with_codes(torch.squeeze),
        even_codes: made(places=(even[1:] + even[:-1]) / 2),
        "the level below was taken: the nearest is asked": made(places=published[1:] + 1e-7),
        "the weights are not divided by the scale before the nearest level is sought": made(divide=False),
        "the scale is the mean absolute value: it is the largest": made(lambda b: b.abs().mean(1)),
        "the blocks run down the columns: they run along the rows": made(turn=True),
        "each row got one scale: a block is `block` numbers long": lambda w, block: made()(w, w.shape[1]),
        "the level above was taken: the nearest is asked": made(places=published[:-1] + 1e-7),
        "without the absolute value of the distance one end is nearest to all":
            with_codes(lambda codes: torch.full_like(codes, 15)),
        "with the distance turned round one end is nearest to all: take its absolute value":
            with_codes(torch.zeros_like),
        "the farthest level was taken: the nearest is asked":
            with_codes(lambda codes: 15 * (codes < 8).to(torch.uint8)),
        "the codes count from the lowest level, -1: here they count from the highest":
            with_codes(lambda codes: 15 - codes),
        "the codes count from 0, not from 1": with_codes(lambda codes: codes + 1),
        "the scale is the root of the mean of squares: it is the largest absolute value":
            made(lambda b: b.square().mean(1).sqrt()),
        "the scale is the spread of the block: it is the largest absolute value": made(lambda b: b.std(1)),
        "the scale is half the range of the block: it is the largest absolute value":
            made(lambda b: (b.amax(1) - b.amin(1)) / 2),
        "the scale is the range of the block: it is the largest absolute value": made(lambda b: b.amax(1) - b.amin(1)),
        "the scale is divided by 7: it is the largest absolute value itself": made(lambda b: b.abs().amax(1) / 7),
        f"{even_codes}, rounded": nearest_even,
        "the level next to zero was taken: the nearest is asked": next_to_zero,
        "codes of a byte are asked: .to(torch.uint8)": with_codes(torch.Tensor.long),
        "the codes come as one row: one row for each block is asked": with_codes(torch.flatten),
        "the scales come as a column: (blocks,) is asked":
            lambda w, block: (made()(w, block)[0], made()(w, block)[1][:, None]),
    }, nf4_quantize)

    def weight_of(codes, scales, shape, levels=published, join=torch.mul):
        return join(levels[codes.long()], scales[:, None]).reshape(shape)

    check.mistakes({
        **{words: partial(weight_of, levels=levels) for words, levels in other_levels.items()},
        "the scales are missing": lambda c, s, shape: published[c.long()].reshape(shape),
        "the levels are divided by the scales: multiply": partial(weight_of, join=torch.div),
        "the codes are used as numbers: each is the place of a level":
            lambda c, s, shape: (c.float() * s[:, None]).reshape(shape),
        "the blocks fill the matrix along its rows, not down its columns":
            lambda c, s, shape: weight_of(c, s, shape[::-1]).T,
        "the weights are those of sixteen even levels": partial(weight_of, levels=even),
        "the scales are added: they multiply": partial(weight_of, join=torch.add),
        "the codes count from the lowest level, -1: here they count from the highest":
            partial(weight_of, levels=published.flip(0)),
        "the largest scale was used for all blocks": lambda c, s, shape: (published[c.long()] * s.max()).reshape(shape),
        "one scale was used for all blocks": lambda c, s, shape: (published[c.long()] * s[0]).reshape(shape),
    }, nf4_weight)
    ### END MISTAKES
    t = torch.tensor
    check(nf4_levels).equals(published, about="the sixteen levels", rtol=1e-4, atol=1e-6)
    check(lambda: len(nf4_levels())).equals(16, about="how many levels", near={
        "a level is missing: nine points less the last are eight, eight less the last are seven, and 0": 15,
        "a level too many: the last point of each side, 0.5, is left out, and 0 is put in once": 17,
        "two levels too many: the last point of each side, 0.5, is left out, and 0 is put in once": 18,
        "0 is missing, or one side lacks two levels": 14,
    })
    W = t([[0.5, -2.0, 0.1, 1.0], [0.03, -0.3, 0.2, -0.09]])
    check(nf4_quantize, W, 4).equals(
        (t([[10, 0, 8, 12], [8, 0, 14, 4]], dtype=torch.uint8), t([2.0, 0.3])), rtol=1e-4, about="fours")
    check(nf4_quantize, W, 2).equals(
        (t([[10, 0], [8, 15], [8, 0], [15, 3]], dtype=torch.uint8), t([2.0, 1.0, 0.3, 0.2])), rtol=1e-4,
        about="twos")
    check(nf4_quantize, t([[0.0, 0.0], [3.0, -1.5]]), 2).equals(
        (t([[7, 7], [15, 2]], dtype=torch.uint8), t([1.0, 3.0])), rtol=1e-4, about="a block of zeros")
    codes, scales = t([[0, 15, 7, 8], [12, 3, 10, 1]], dtype=torch.uint8), t([2.0, 0.5])
    check(nf4_weight, codes, scales, (4, 2)).equals(
        [[-2.0, 2.0], [0.0, 0.1591606], [0.2203549, -0.1974587], [0.1230561, -0.3480964]], rtol=1e-4, atol=1e-6,
        near={"uint8 as an index is a mask in torch: codes.long() first": IndexError})
    ### BEGIN HIDDEN TESTS
    check.hidden()
    draw = torch.Generator().manual_seed(int(check.rng.integers(2**31)))

    def apart(W, block):
        """The weights, none so near to the middle of two levels that the last digit decides which is nearer."""
        for _ in range(3):
            blocks = W.reshape(-1, block)
            part = (blocks / blocks.abs().amax(1, keepdim=True))[..., None]
            W = torch.where(((part - middles).abs() < 1e-4).any(-1), 0.99 * blocks, blocks).view(W.shape)
        return W

    for shape, block, spread in [((6, 8), 4, 1.0), ((3, 10), 5, 0.02), ((4, 6), 12, 7.0)]:
        W = spread * torch.randn(shape, generator=draw)
        W[1] *= 10
        W.view(-1)[int(W.abs().argmax())] = -float(W.abs().max())
        W = apart(W, block)
        check(nf4_quantize, W, block).equals(made()(W, block), about="fresh weights", rtol=1e-4, weight=2)
    check(lambda: nf4_quantize(W, 12)[0].dtype == torch.uint8).equals(True, about="fresh weights", near={
        "the codes must be uint8: .to(torch.uint8)": False})
    W = apart(torch.randn(5, 128, generator=draw), 64)
    check(nf4_quantize, W).equals(made()(W, 64), about="blocks of 64 unless told otherwise", rtol=1e-4)
    for shape, block in [((70, 3), 3), ((4, 128), 128), ((2, 150), 75)]:
        W = apart(torch.randn(shape, generator=draw), block)
        check(nf4_quantize, W, block).equals(made()(W, block), about="many blocks, long ones", edge=True, rtol=1e-4)
    for shape, block in [((1, 6), 3), ((4, 1), 2), ((2, 3), 1), ((1, 1), 1), ((1, 4), 4)]:
        W = apart(torch.randn(shape, generator=draw), block)
        check(nf4_quantize, W, block).equals(made()(W, block), about="blocks of one, one block", edge=True, rtol=1e-4)
    W = apart(torch.randn(4, 3, generator=draw), 6).T.contiguous().T  # not contiguous
    check(nf4_quantize, W, 6).equals(
        made()(W, 6), about="a transposed weight", edge=True, rtol=1e-4,
        near={"a transposed weight has no such view: reshape makes a copy where it must": RuntimeError})
    check(nf4_levels).holds(lambda v: v.dtype == torch.float32, "levels in float32", about="float32", edge=True,
                            near={"the levels are float32": lambda v: v.dtype == torch.float64})
    zeros = "a block of zeros gets the scale 1, and the code of 0"
    W = t([[0.0, 0.0, 0.3, -0.15]])
    right = t([[7, 7], [15, 2]], dtype=torch.uint8), t([1.0, 0.3])
    check(nf4_quantize, W, 2).equals(right, about="a block of zeros", edge=True, rtol=1e-4, near={
        zeros: (t([[0, 0], [15, 2]], dtype=torch.uint8), t([0.0, 0.3]))})
    W = t([[3e-9, -1e-9, 3e-9, 1e-9]])
    check(nf4_quantize, W, 4).equals((t([[15, 4, 15, 11]], dtype=torch.uint8), t([3e-9])), about="tiny weights",
                                     edge=True, rtol=1e-4, atol=1e-12, near={
        "only a block of zeros gets the scale 1, not one of small weights": (
            t([[7, 7, 7, 7]], dtype=torch.uint8), t([1.0]))})

    def restored(shape, block, about, size=1.0, edge=True):
        count = shape[0] * shape[1] // block
        codes = torch.randint(0, 16, (count, block), generator=draw).to(torch.uint8)
        scales = size * (torch.rand(count, generator=draw) + 0.1)
        right = torch.stack([published[row.tolist()] * s for row, s in zip(codes, scales, strict=True)]).view(shape)
        check(nf4_weight, codes, scales, shape).equals(
            right, about=about, edge=edge, rtol=1e-4, atol=1e-6 * size, weight=1 if edge else 2,
            near={"uint8 as an index is a mask in torch: codes.long() first": IndexError})

    for shape, block in [((5, 6), 3), ((2, 8), 16), ((7, 4), 2), ((5, 6), 3)]:
        restored(shape, block, "fresh codes", edge=False)
    for shape, block in [((75, 2), 2), ((2, 150), 150)]:
        restored(shape, block, "many codes, large scales", size=100.0)
    for shape, block in [((1, 6), 3), ((4, 1), 2), ((2, 3), 1), ((1, 1), 1), ((3, 2), 6)]:
        restored(shape, block, "codes in blocks of one, in one block")
    ### END HIDDEN TESTS


score
