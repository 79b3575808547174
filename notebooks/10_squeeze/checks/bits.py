from helpers.checks import graded


@graded("bits", points=8)
def score(check):
    import torch

    t = torch.tensor
    cut = "the lower half is cut off: round to the nearest"
    up = "from the middle it goes to the even last bit, not always up"
    half = "this is float16: bfloat16 has eight bits of exponent and seven of fraction"
    x = t([1.0, 1.00390625, 1.01171875, 3.14159274, -0.1, 70000.0])
    check(to_bfloat16, x).equals(
        [1.0, 1.0, 1.015625, 3.140625, -0.10009765625, 70144.0], about="bfloat16", rtol=1e-7, near={
            cut: [1.0, 1.0, 1.0078125, 3.140625, -0.099609375, 69632.0],
            up: [1.0, 1.0078125, 1.015625, 3.140625, -0.10009765625, 70144.0],
            "from the middle it goes to the even last bit, not always down": [
                1.0, 1.0, 1.0078125, 3.140625, -0.10009765625, 70144.0],
            half: [1.0, 1.00390625, 1.01171875, 3.140625, -0.0999755859375, float("inf")]})
    tensor, row = "one scale was taken for the whole tensor: each row has its own", "by_row was not looked at"
    W = t([[2.1, -7.0, 1.4, 0.7], [0.2, 0.7, -0.3, -0.6]])
    coarse = t([[2, -7, 1, 1], [0, 1, 0, -1]], dtype=torch.int8), t([[1.0]])
    fine = t([[2, -7, 1, 1], [2, 7, -3, -6]], dtype=torch.int8), t([[1.0], [0.1]])
    steps = "m is 2 to the power b - 1, minus 1: here m is one more"
    all_bits = "m is 2 to the power b - 1, minus 1: here m is 2 to the power b, minus 1"
    columnwise = "each column has a scale of its own here: each row has"
    width = "the scale is of half the way from smallest to largest: the largest absolute value is asked"
    average = "the scale is of the mean size: the largest absolute value is asked"
    seven = "each number was shifted by 7: by 8 is asked"
    signed = "the scale is of the largest absolute value: a row's largest number may be negative"
    floor = "the numbers are cut off or rounded down: torch.round"
    flat = "the scales have the shape (out,): (out, 1) is asked"
    check(to_bits, W, 4).equals(fine, about="four bits by row", rtol=1e-4, near={
        tensor: coarse, flat: (fine[0], [1.0, 0.1]),
        steps: ([[2, -8, 2, 1], [2, 8, -3, -7]], [[0.875], [0.0875]]),
        all_bits: ([[4, -15, 3, 2], [4, 15, -6, -13]], [[7 / 15], [0.7 / 15]]),
        signed: (
            [[7, -23, 5, 2], [2, 7, -3, -6]], [[0.3], [0.1]])})
    check(to_bits, W, 4, False).equals(coarse, about="four bits, one scale", rtol=1e-4, near={
        row: fine, "the scale has the shape (): (1, 1) is asked": (coarse[0], 1.0),
        steps: ([[2, -8, 2, 1], [0, 1, 0, -1]], [[0.875]]), all_bits: ([[4, -15, 3, 2], [0, 2, -1, -1]], [[7 / 15]]),
        signed: ([[7, -23, 5, 2], [1, 2, -1, -2]], [[0.3]])})
    q = t([[2, 7, -3, -6], [0, -7, 1, 5]], dtype=torch.int8)
    upper = "the upper half of a byte has to move down by four bits"
    turned = "the first of two takes the lower half of the byte"
    check(pack, q).equals(t([[250, 37], [24, 217]], dtype=torch.uint8), about="two numbers to a byte", near={
        turned: [[175, 82], [129, 157]],
        seven: [[233, 20], [7, 200]],
        "each number is shifted by 8": [[114, 173], [144, 81]],
        "the two of a byte are neighbours: columns 0 and 1, then 2 and 3": [[90, 47], [152, 209]],
        "the two of a byte stand in one row": [[138, 31, 149, 210]]})
    check(unpack, t([[250, 37], [24, 217]], dtype=torch.uint8)).equals(q, about="and back", near={
        "each number was shifted by 8: take that back": [[10, 15, 5, 2], [8, 1, 9, 13]],
        turned: [[7, 2, -6, -3], [-7, 0, 5, 1]],
        "the two of a byte are neighbours: they come one behind the other": [[2, -3, 7, -6], [0, 1, -7, 5]]})


score
