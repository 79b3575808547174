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


score
