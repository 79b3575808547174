from helpers.checks import graded


@graded("bits", points=7)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the lower half is cut off: round to the nearest": {
            1: [1.0, 1.0, 1.0078125, 3.140625, -0.099609375, 69632.0],
        },
        "from the middle it goes to the even last bit, not always up": {
            1: [1.0, 1.0078125, 1.015625, 3.140625, -0.10009765625, 70144.0],
        },
        "this is float16: bfloat16 has eight bits of exponent and seven of fraction": {
            1: [1.0, 1.00390625, 1.01171875, 3.140625, -0.0999755859375, float("inf")],
        },
        "one scale was taken for the whole tensor: each row has its own": {
            3: ([[2, -7, 1, 1], [0, 1, 0, -1]], [[1.0]]),
            5: ([[0, 0, 0], [4, -2, 7]], [[1.0]]),
        },
        "m is 2 to the power b - 1, minus 1: here m is one more": {
            3: ([[2, -8, 2, 1], [2, 8, -3, -7]], [[0.875], [0.0875]]),
            4: ([[2, -8, 2, 1], [0, 1, 0, -1]], [[0.875]]),
            5: ([[0, 0, 0], [4, -2, 8]], [[1.0], [0.875]]),
        },
        "the scale is the largest size by m: here by 2 m": {
            3: ([[4, -14, 3, 1], [4, 14, -6, -12]], [[0.5], [0.05]]),
            4: ([[4, -14, 3, 1], [0, 1, -1, -1]], [[0.5]]),
            5: ([[0, 0, 0], [7, -3, 14]], [[1.0], [0.5]]),
        },
        "the scales have the shape (out,): (out, 1) is asked for": {
            3: ([[2, -7, 1, 1], [2, 7, -3, -6]], [1.0, 0.1]),
            4: ([[2, -7, 1, 1], [0, 1, 0, -1]], [1.0]),
            5: ([[0, 0, 0], [4, -2, 7]], [1.0, 1.0]),
        },
        "m is 2 to the power b - 1, minus 1: here m is 2 to the power b, minus 1": {
            3: ([[4, -15, 3, 2], [4, 15, -6, -13]], [[0.466667], [0.0466667]]),
            4: ([[4, -15, 3, 2], [0, 2, -1, -1]], [[0.466667]]),
            5: ([[0, 0, 0], [8, -3, 15]], [[1.0], [0.466667]]),
        },
        "the numbers are cut off or rounded down: torch.round": {
            3: ([[2, -7, 1, 0], [2, 7, -3, -6]], [[1.0], [0.1]]),
            4: ([[2, -7, 1, 0], [0, 0, -1, -1]], [[1.0]]),
            5: ([[0, 0, 0], [3, -2, 7]], [[1.0], [1.0]]),
        },
        "the scale is of the largest absolute value: a row's largest number may be negative": {
            3: ([[7, -23, 5, 2], [2, 7, -3, -6]], [[0.3], [0.1]]),
            4: ([[7, -23, 5, 2], [1, 2, -1, -2]], [[0.3]]),
        },
        "each column has a scale of its own here: each row has": {
            3: ([[7, -7, 7, 7], [1, 1, -2, -6]], [[0.3, 1.0, 0.2, 0.1]]),
            5: ([[0, 0, 0], [7, -7, 7]], [[0.5, 0.214286, 1.0]]),
        },
        "the scale is of half the way from smallest to largest: the largest absolute value is asked for": {
            3: ([[3, -11, 2, 1], [2, 8, -3, -6]], [[0.65], [0.0928571]]),
            4: ([[3, -11, 2, 1], [0, 1, 0, -1]], [[0.65]]),
            5: ([[0, 0, 0], [6, -2, 12]], [[1.0], [0.607143]]),
        },
        "the scale is of the mean size: the largest absolute value is asked for": {
            3: ([[5, -18, 4, 2], [3, 11, -5, -9]], [[0.4], [0.0642857]]),
            4: ([[9, -30, 6, 3], [1, 3, -1, -3]], [[0.232143]]),
            5: ([[0, 0, 0], [6, -3, 12]], [[1.0], [0.571429]]),
        },
        "numbers are cut off toward zero: torch.round": {
            3: ([[2, -7, 1, 0], [2, 7, -3, -6]], [[1.0], [0.1]]),
            4: ([[2, -7, 1, 0], [0, 0, 0, 0]], [[1.0]]),
            5: ([[0, 0, 0], [3, -1, 7]], [[1.0], [1.0]]),
        },
        "by_row=False asks for one scale: here each row has its own": {
            4: ([[2, -7, 1, 1], [2, 7, -3, -6]], [[1.0], [0.1]]),
        },
        "a tiny scale was raised: it is as small as its row": {
            5: ([[0, 0, 0], [4, -2, 7]], [[1e-08], [1.0]]),
        },
        "a row of zeros has the scale 1": {
            5: ([[0, 0, 0], [4, -2, 7]], [[0.0], [1.0]]),
        },
        "halves go to the even number: torch.round": {
            5: ([[0, 0, 0], [4, -1, 7]], [[1.0], [1.0]]),
        },
        "the first of two takes the lower half of the byte": {
            7: [[175, 82], [129, 157]],
            8: [[7, 2, -6, -3], [-7, 0, 5, 1]],
        },
        "each number was shifted by 7: by 8 is asked for": {
            7: [[233, 20], [7, 200]],
        },
        "each number is shifted by 8": {
            7: [[114, 173], [144, 81]],
        },
        "the second number counts 16 times: here 15 times": {
            7: [[235, 35], [23, 204]],
        },
        "the bytes are int8: uint8 is asked for": {
            7: [[-6, 37], [24, -39]],
        },
        "each number was shifted by 8, not by 7": {
            8: [[3, 8, -2, -5], [1, -6, 2, 6]],
        },
        "the upper half of a byte has to move down by four bits": {
            8: [[2, -24, -3, 24], [0, 8, 1, -56]],
        },
        "each number was shifted by 8: take that back": {
            8: [[10, 15, 5, 2], [8, 1, 9, 13]],
        },
        "the two of a byte are neighbours: they come one after the other": {
            8: [[2, -3, 7, -6], [0, 1, -7, 5]],
        },
    })
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


score
