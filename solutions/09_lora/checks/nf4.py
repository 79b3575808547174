from helpers.checks import graded


@graded("nf4", points=6)
def score(check):
    import torch

    t = torch.tensor
    published = t([
        -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
        -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
        0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0,
    ])
    even = torch.linspace(-1, 1, 16)
    first_out = "above 0 the point that is left out is the last, 0.5, not the first"
    long_side = "there are eight levels above 0 and seven below: these are the other way round"
    other_levels = {
        "the levels are not divided by the largest: they go from -1 to 1": published * 1.8481308,
        long_side: -published.flip(0),
        first_out: [
            -1.383209, -0.96298, -0.7262855, -0.5462533, -0.3934417, -0.2555802, -0.1259411, 0.0, 0.0, 0.1100762,
            0.2226, 0.3404246, 0.4674072, 0.6095936, 0.7782166, 1.0],
        "the point that is left out is the last, 0.5, not the first": [
            -0.96298, -0.7262855, -0.5462533, -0.3934417, -0.2555802, -0.1259411, 0.0, 0.0, 0.0, 0.1100762,
            0.2226, 0.3404246, 0.4674072, 0.6095936, 0.7782166, 1.0],
        "above 0 there are nine points less the last: here eight, and 0 came twice": [
            -1.0, -0.6961928, -0.525073, -0.3949175, -0.2844414, -0.1847734, -0.09105, 0.0, 0.0, 0.09105, 0.1847734,
            0.2844414, 0.3949175, 0.525073, 0.6961928, 1.0],
        "below 0 there are eight points less the last: here seven, and 0 came twice": [
            -1.0, -0.6629596, -0.4786291, -0.3379151, -0.2171418, -0.1064077, 0.0, 0.0, 0.0795803, 0.1609301,
            0.2461123, 0.3379151, 0.4407097, 0.5626169, 0.7229566, 1.0],
        "this is the distribution function: its inverse, the quantile function, is asked": [
            -1.0, -0.9793286, -0.9573753, -0.9341642, -0.9097327, -0.884131, -0.8574226, 0.0, 0.8540098, 0.8775549,
            0.900266, 0.9220982, 0.9430137, 0.9629827, 0.981983, 1.0],
        "the levels come in ascending order: those above 0 come as they were made": [
            -1.0, -0.6961928, -0.525073, -0.3949174, -0.2844413, -0.1847734, -0.09105, 0.0, 1.0, 0.7229566,
            0.5626169, 0.4407097, 0.3379151, 0.2461123, 0.1609301, 0.07958031],
        "the points begin at OFFSET: here they begin at 1 - 1/32": [
            -1.0, -0.6934942, -0.522563, -0.3928682, -0.2829018, -0.1837497, -0.0905394, 0.0, 0.0791337, 0.1600351,
            0.2447663, 0.3361187, 0.4384772, 0.5600153, 0.7202957, 1.0],
        "below 0 there are eight points, less the last: here some of the nine above were taken": [
            -1.0, -0.7229566, -0.5626169, -0.4407097, -0.3379151, -0.2461123, -0.1609301, 0.0, 0.0795803, 0.1609301,
            0.2461123, 0.3379151, 0.4407097, 0.5626169, 0.7229566, 1.0],
        "sixteen quantiles in one piece have no level at 0: make both sides apart": [
            -1.0, -0.7102505, -0.54477, -0.4189668, -0.3125816, -0.2171418, -0.1280564, -0.04233346, 0.04233346,
            0.1280564, 0.2171418, 0.3125816, 0.4189668, 0.54477, 0.7102505, 1.0],
        "eight levels on each side leave none for 0": [
            -1.0, -0.7229566, -0.5626169, -0.4407097, -0.3379151, -0.2461123, -0.1609301, -0.07958031, 0.07958031,
            0.1609301, 0.2461123, 0.3379151, 0.4407097, 0.5626169, 0.7229566, 1.0],
    }
    check(nf4_levels).equals(published, about="the sixteen levels", rtol=1e-4, atol=1e-6, near=other_levels | {
        "the levels come in ascending order": published.flip(0),
        "these are even steps: the levels are quantiles of the normal distribution": even,
    })
    short = "a level is missing: nine points less the last are eight, eight less the last are seven, and 0"
    check(lambda: len(nf4_levels())).equals(16, about="how many levels", near={
            short: 15,
            "a level too many: the last point of each side, 0.5, is left out, and 0 is put in once": 17,
            "two levels too many: the last point of each side, 0.5, is left out, and 0 is put in once": 18,
            "0 is missing, or one side lacks two levels": 14,
        })
    ends = "without the absolute value of the distance one end is nearest to all"
    from_top = "the codes count from the lowest level, -1: here they count from the highest"
    one_scale = "one scale for all: each block has its own"
    signed = "the scale is of the largest absolute value: a block's largest number may be negative"
    even_codes = "the codes are of sixteen even levels"
    below = "the level below was taken: the nearest is asked"
    unscaled = "the weights are not divided by the scale before the nearest level is sought"
    mean = "the scale is the mean absolute value: it is the largest"
    by_columns = "the blocks run down the columns: they run along the rows"
    W = t([[0.5, -2.0, 0.1, 1.0], [0.03, -0.3, 0.2, -0.09]])
    check(nf4_quantize, W, 4).equals(
        (t([[10, 0, 8, 12], [8, 0, 14, 4]], dtype=torch.uint8), t([2.0, 0.3])), rtol=1e-4, about="fours", near={
            one_scale: ([[10, 0, 8, 12], [7, 5, 8, 7]], [2.0, 2.0]),
            signed: ([[12, 0, 8, 15], [9, 0, 15, 3]], [1.0, 0.2]),
            by_columns: ([[10, 7, 0, 5], [8, 9, 15, 6]], [2.0, 1.0]),
            even_codes: ([[9, 0, 8, 11], [8, 0, 12, 5]], [2.0, 0.3]),
            below: ([[10, 0, 7, 12], [8, 0, 13, 3]], [2.0, 0.3]),
            unscaled: ([[12, 0, 8, 15], [7, 4, 9, 6]], [2.0, 0.3]),
            ends: ([[15, 15, 15, 15], [15, 15, 15, 15]], [2.0, 0.3]),
            from_top: ([[5, 15, 7, 3], [7, 15, 1, 11]], [2.0, 0.3]),
            mean: ([[13, 0, 8, 15], [9, 0, 15, 2]], [0.9, 0.155]),
        })
    rows = "each row got one scale: a block is `block` numbers long"
    check(nf4_quantize, W, 2).equals(
        (t([[10, 0], [8, 15], [8, 0], [15, 3]], dtype=torch.uint8), t([2.0, 1.0, 0.3, 0.2])), rtol=1e-4,
        about="twos", near={
            rows: ([[10, 0, 8, 12], [8, 0, 14, 4]], [2.0, 0.3]),
            signed: ([[15, 0], [8, 15], [15, 0], [15, 3]], [0.5, 1.0, 0.03, 0.2]),
            one_scale: ([[10, 0], [8, 12], [7, 5], [8, 7]], [2.0, 2.0, 2.0, 2.0]),
            by_columns: ([[15, 8], [0, 5], [12, 15], [15, 6]], [0.5, 2.0, 0.2, 1.0]),
            ends: ([[15, 15]] * 4, [2.0, 1.0, 0.3, 0.2]),
            from_top: ([[5, 15], [7, 0], [7, 15], [0, 12]], [2.0, 1.0, 0.3, 0.2]),
        })
    no_scales = "the scales are missing"
    divided = "the levels are divided by the scales: multiply"
    as_numbers = "the codes are used as numbers: each is the place of a level"
    turned = "the blocks fill the matrix along its rows, not down its columns"
    codes, scales = t([[0, 15, 7, 8], [12, 3, 10, 1]], dtype=torch.uint8), t([2.0, 0.5])
    check(nf4_weight, codes, scales, (4, 2)).equals(
        [[-2.0, 2.0], [0.0, 0.1591606], [0.2203549, -0.1974587], [0.1230561, -0.3480964]], rtol=1e-4, atol=1e-6, near={
            no_scales: [[-1.0, 1.0], [0.0, 0.07958031], [0.4407097, -0.3949174], [0.2461123, -0.6961928]],
            divided: [[-0.5, 0.5], [0.0, 0.03979016], [0.8814195, -0.7898349], [0.4922245, -1.392386]],
            as_numbers: [[0.0, 30.0], [14.0, 16.0], [6.0, 1.5], [5.0, 0.5]],
            turned: [[-2.0, 0.2203549], [2.0, -0.1974587], [0.0, 0.1230561], [0.1591606, -0.3480964]],
            "the weights are those of sixteen even levels": [
                [-2.0, 2.0], [-0.1333332, 0.1333332], [0.3, -0.3], [0.1666667, -0.4333333]],
        })
    ### BEGIN HIDDEN TESTS
    check.hidden()
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
            return (parts[..., None] - torch.as_tensor(levels)).abs().argmin(-1).to(torch.uint8), scales

        return change

    seven = published[:7]
    other_levels |= {short: torch.cat([seven, t([0.0]), -seven.flip(0)])}
    check.mistakes({
        **{words: with_levels(levels) for words, levels in other_levels.items()},
        one_scale: made(lambda b: b.abs().max().expand(len(b))), signed: made(lambda b: b.amax(1)),
        signed + ", and 1 was taken then": made(
            lambda b: b.amax(1).where(b.amax(1) > 0, 1.0)),
        "an axis of size 1 was squeezed away: one block, or a block of one, keeps its axis": lambda w, block: (
            made()(w, block)[0].squeeze(), made()(w, block)[1]),
        even_codes: made(places=(even[1:] + even[:-1]) / 2), below: made(places=published[1:] + 1e-7),
        unscaled: made(divide=False), mean: made(lambda b: b.abs().mean(1)), by_columns: made(turn=True),
        rows: lambda w, block: made()(w, w.shape[1]),
        "the level above was taken: the nearest is asked": made(places=published[:-1] + 1e-7),
        ends: lambda w, block: (torch.full_like(made()(w, block)[0], 15), made()(w, block)[1]),
        "with the distance turned round one end is nearest to all: take its absolute value": lambda w, block: (
            0 * made()(w, block)[0], made()(w, block)[1]),
        "the farthest level was taken: the nearest is asked": lambda w, block: (
            15 * (made()(w, block)[0] < 8).to(torch.uint8), made()(w, block)[1]),
        from_top: lambda w, block: (15 - made()(w, block)[0], made()(w, block)[1]),
        "the codes count from 0, not from 1": lambda w, block: (made()(w, block)[0] + 1, made()(w, block)[1]),
        "the scale is the root of the mean of squares: it is the largest absolute value": made(
            lambda b: b.square().mean(1).sqrt()),
        "the scale is the spread of the block: it is the largest absolute value": made(lambda b: b.std(1)),
        "the scale is half the range of the block: it is the largest absolute value": made(
            lambda b: (b.amax(1) - b.amin(1)) / 2),
        "the scale is the range of the block: it is the largest absolute value": made(lambda b: b.amax(1) - b.amin(1)),
        "the scale is divided by 7: it is the largest absolute value itself": made(lambda b: b.abs().amax(1) / 7),
        f"{even_codes}, rounded": lambda w, block: (
            ((w.reshape(-1, block) / made()(w, block)[1][:, None] + 1) * 7.5).round().to(torch.uint8),
            made()(w, block)[1]),
        "the level next to zero was taken: the nearest is asked": lambda w, block: (
            torch.where(w.reshape(-1, block) > 0, made(places=published[1:] + 1e-7)(w, block)[0],
                        made(places=published[:-1] + 1e-7)(w, block)[0]), made()(w, block)[1]),
        "codes of a byte are asked: .to(torch.uint8)": lambda w, block: (
            made()(w, block)[0].long(), made()(w, block)[1]),
        "the codes come as one row: one row for each block is asked": lambda w, block: (
            made()(w, block)[0].flatten(), made()(w, block)[1]),
        "the scales come as a column: (blocks,) is asked": lambda w, block: (
            made()(w, block)[0], made()(w, block)[1][:, None]),
    })
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
    W = apart(torch.randn(4, 3, generator=draw), 3).T.contiguous().T  # not contiguous
    check(nf4_quantize, W, 3).equals(made()(W, 3), about="a transposed weight", edge=True, rtol=1e-4)
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
    check.mistakes({
        **{words: lambda c, s, shape, levels=levels: (torch.as_tensor(levels)[c.long()] * s[:, None]).reshape(shape)
           for words, levels in other_levels.items()},
        no_scales: lambda c, s, shape: published[c.long()].reshape(shape),
        divided: lambda c, s, shape: (published[c.long()] / s[:, None]).reshape(shape),
        as_numbers: lambda c, s, shape: (c.float() * s[:, None]).reshape(shape),
        turned: lambda c, s, shape: (published[c.long()] * s[:, None]).reshape(shape[::-1]).T,
        "the weights are those of sixteen even levels": lambda c, s, shape: (
            even[c.long()] * s[:, None]).reshape(shape),
        "the scales are added: they multiply": lambda c, s, shape: (published[c.long()] + s[:, None]).reshape(shape),
        "the codes count from the lowest level, -1: here they count from the highest": lambda c, s, shape: (
            published.flip(0)[c.long()] * s[:, None]).reshape(shape),
        "the largest scale was used for all blocks": lambda c, s, shape: (published[c.long()] * s.max()).reshape(shape),
        "one scale was used for all blocks": lambda c, s, shape: (published[c.long()] * s[0]).reshape(shape),
    })

    def restored(shape, block, about, size=1.0, edge=True):
        count = shape[0] * shape[1] // block
        codes = torch.randint(0, 16, (count, block), generator=draw).to(torch.uint8)
        scales = size * (torch.rand(count, generator=draw) + 0.1)
        right = torch.stack([published[row.tolist()] * s for row, s in zip(codes, scales, strict=True)]).view(shape)
        check(nf4_weight, codes, scales, shape).equals(
            right, about=about, edge=edge, rtol=1e-4, atol=1e-6 * size, weight=1 if edge else 2)

    for shape, block in [((5, 6), 3), ((2, 8), 16), ((7, 4), 2), ((5, 6), 3)]:
        restored(shape, block, "fresh codes", edge=False)
    for shape, block in [((75, 2), 2), ((2, 150), 150)]:
        restored(shape, block, "many codes, large scales", size=100.0)
    for shape, block in [((1, 6), 3), ((4, 1), 2), ((2, 3), 1), ((1, 1), 1), ((3, 2), 6)]:
        restored(shape, block, "codes in blocks of one, in one block")
    ### END HIDDEN TESTS


score
