from helpers.checks import graded


@graded("variants", points=6)
def score(check):
    import torch

    t = torch.tensor
    plain_scale = "this is alpha / r, LoRA's own scale: rsLoRA divides by the root of r"
    root_of_all = "the root is taken of r alone, not of the whole fraction"
    root_above = "alpha stays as it is: only r is under the root"
    check(rs_scale, 12.0, 9).equals(4.0, near={
            plain_scale: 1.3333333,
            root_of_all: 1.1547005,
            root_above: 0.3849002,
            "alpha is divided by the root of r, not multiplied": 36.0,
            "the fraction is upside down": 0.25,
            "alpha is divided by r squared; the root of r is asked": 0.1481481,
        })
    columns = "the norms are of the columns: each row (one output) has its own, dim=1"
    whole = "one norm for the whole matrix: each row has its own"
    no_norm = "the rows are not brought to length 1 before the magnitude"
    old_norm = "the norm is that of W alone: divide by that of W + scale B A"
    no_magnitude = "the magnitude is missing: the rows have length 1"
    unscaled = "`scale` is missing in front of B A alone"
    signed = "a magnitude may be negative: here its absolute value is taken"
    squares = "this divides by the squared length: take the root"
    late = "the update is added after W was normalised: normalise the sum"
    alone = "only the update is normalised: W is missing"
    plain = "this is LoRA itself, W + scale B A"
    absolute = "this divides by the sum of absolute values: the length is the root of the sum of squares"
    W, m = t([[3.0, 0.0], [0.0, 1.0]]), t([3.0, 2.0])
    A, B = t([[0.0, 1.0]]), t([[8.0], [-6.0]])
    check(dora_weight, W, m, A, B, 0.5).equals([[1.8, 2.4], [0.0, -2.0]], rtol=1e-4, atol=1e-6, near={
            columns: [[3.0, 2.683281], [0.0, -0.8944272]],
            whole: [[1.671258, 2.228344], [0.0, -0.7427813]],
            no_norm: [[9.0, 12.0], [0.0, -4.0]],
            old_norm: [[3.0, 4.0], [0.0, -4.0]],
            no_magnitude: [[0.6, 0.8], [0.0, -1.0]],
            unscaled: [[1.05337, 2.808988], [0.0, -2.0]],
            squares: [[0.36, 0.48], [0.0, -1.0]],
            late: [[3.0, 4.0], [0.0, -1.0]],
            alone: [[0.0, 3.0], [0.0, -2.0]],
            plain: [[3.0, 4.0], [0.0, -2.0]],
            absolute: [[1.285714, 1.714286], [0.0, -2.0]],
        })
    W, m = t([[1.0, 2.0, -1.0], [0.5, 0.0, 2.0]]), t([2.5, -1.5])
    A, B = t([[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]]), t([[1.0, 2.0], [-1.0, 0.5]])
    right = [[1.720618, 1.720618, -0.5735393], [-0.3049183, 0.1219673, -1.463608]]
    check(dora_weight, W, m, A, B, 0.25).equals(right, rtol=1e-4, atol=1e-6, near={
            columns: [[2.447451, 2.491364, -0.7905694], [-0.3059314, 0.1245682, -1.423025]],
            whole: [[1.406036, 1.406036, -0.4686785], [-0.1757544, 0.07030178, -0.8436213]],
            no_norm: [[3.75, 3.75, -1.25], [-0.46875, 0.1875, -2.25]],
            old_norm: [[1.530931, 1.530931, -0.5103104], [-0.2273772, 0.09095086, -1.09141]],
            no_magnitude: [[0.6882472, 0.6882472, -0.2294157], [0.2032789, -0.08131156, 0.9757387]],
            unscaled: [[2.371708, 0.0, 0.7905694], [0.6708204, 1.341641, 0.0]],
            squares: [[0.7894737, 0.7894737, -0.2631579], [-0.1983471, 0.07933884, -0.9520661]],
            late: [[1.520621, 1.541241, -0.5206207], [-0.5513034, -0.125, -1.955214]],
            alone: [[1.443376, -1.443376, 1.443376], [0.5128226, 0.3418817, 1.367527]],
            plain: [[1.5, 1.5, -0.5], [0.3125, -0.125, 1.5]],
            signed: [[1.720618, 1.720618, -0.5735393], [0.3049183, -0.1219673, 1.463608]],
            absolute: [[1.071429, 1.071429, -0.3571429], [-0.2419355, 0.09677419, -1.16129]],
        })


score
