from helpers.checks import graded


@graded("variants", points=6)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is alpha / r, LoRA's own scale: rsLoRA divides by the root of r": {
            1: 1.33333,
        },
        "the root is taken of r alone, not of the whole fraction": {
            1: 1.1547,
        },
        "alpha stays as it is: only r is under the root": {
            1: 0.3849,
        },
        "alpha is divided by the root of r, not multiplied": {
            1: 36.0,
        },
        "the fraction is upside down": {
            1: 0.25,
        },
        "the root is taken of alpha, too: alpha stays as it is, and r is not in it": {
            1: 3.4641,
        },
        "alpha is multiplied by r under the root": {
            1: 10.3923,
        },
        "alpha is divided by r squared; the root of r is asked": {
            1: 0.148148,
        },
        "the norms are of the columns: each row (one output) has its own, dim=1": {
            2: [[3.0, 2.68328], [0.0, -0.894427]],
            3: [[2.44745, 2.49136, -0.790569], [-0.305931, 0.124568, -1.42302]],
        },
        "one norm for the whole matrix: each row has its own": {
            2: [[1.67126, 2.22834], [0.0, -0.742781]],
            3: [[1.40604, 1.40604, -0.468679], [-0.175754, 0.0703018, -0.843621]],
        },
        "the rows are not brought to length 1 before the magnitude": {
            2: [[9.0, 12.0], [0.0, -4.0]],
            3: [[3.75, 3.75, -1.25], [-0.46875, 0.1875, -2.25]],
        },
        "the norm is that of W alone: divide by that of W + scale B A": {
            2: [[3.0, 4.0], [0.0, -4.0]],
            3: [[1.53093, 1.53093, -0.51031], [-0.227377, 0.0909509, -1.09141]],
        },
        "the magnitude is missing: the rows have length 1": {
            2: [[0.6, 0.8], [0.0, -1.0]],
            3: [[0.688247, 0.688247, -0.229416], [0.203279, -0.0813116, 0.975739]],
        },
        "`scale` is missing in front of B A alone": {
            2: [[1.05337, 2.80899], [0.0, -2.0]],
            3: [[2.37171, 0.0, 0.790569], [0.67082, 1.34164, 0.0]],
        },
        "this divides by the squared length: take the root": {
            2: [[0.36, 0.48], [0.0, -1.0]],
            3: [[0.789474, 0.789474, -0.263158], [-0.198347, 0.0793388, -0.952066]],
        },
        "this divides by the sum of absolute values: the length is the root of the sum of squares": {
            2: [[1.28571, 1.71429], [0.0, -2.0]],
            3: [[1.07143, 1.07143, -0.357143], [-0.241935, 0.0967742, -1.16129]],
        },
        "the update is added after W was normalised: normalise the sum": {
            2: [[3.0, 4.0], [0.0, -1.0]],
            3: [[1.52062, 1.54124, -0.520621], [-0.551303, -0.125, -1.95521]],
        },
        "only the update is normalised: W is missing": {
            2: [[0.0, 3.0], [0.0, -2.0]],
            3: [[1.44338, -1.44338, 1.44338], [0.512823, 0.341882, 1.36753]],
        },
        "this is LoRA itself, W + scale B A": {
            2: [[3.0, 4.0], [0.0, -2.0]],
            3: [[1.5, 1.5, -0.5], [0.3125, -0.125, 1.5]],
        },
        "1 is added to the magnitude: it is the row's new length": {
            2: [[2.4, 3.2], [0.0, -3.0]],
            3: [[2.40887, 2.40887, -0.802955], [-0.101639, 0.0406558, -0.487869]],
        },
        "the learned magnitude is not used: the rows have their old length": {
            2: [[1.8, 2.4], [0.0, -1.0]],
            3: [[1.68585, 1.68585, -0.561952], [0.41907, -0.167628, 2.01154]],
        },
        "the magnitude is multiplied by the old length: it is the new length itself": {
            2: [[5.4, 7.2], [0.0, -2.0]],
            3: [[4.21464, 4.21464, -1.40488], [-0.628605, 0.251442, -3.01731]],
        },
        "this divides by the largest absolute value: the length is the root of the sum of squares": {
            2: [[2.25, 3.0], [0.0, -2.0]],
            3: [[2.5, 2.5, -0.833333], [-0.3125, 0.125, -1.5]],
        },
        "this divides by the root of the mean of squares: the length is the root of their sum": {
            2: [[2.54558, 3.39411], [0.0, -2.82843]],
            3: [[2.9802, 2.9802, -0.993399], [-0.528134, 0.211254, -2.53504]],
        },
        "this divides by the spread of the row: the length is the root of the sum of squares": {
            2: [[12.7279, 16.9706], [0.0, -2.82843]],
            3: [[3.2476, 3.2476, -1.08253], [-0.557471, 0.222988, -2.67586]],
        },
        "this divides by the sum of the row: the length is the root of the sum of squares": {
            2: [[1.28571, 1.71429], [0.0, 2.0]],
            3: [[1.5, 1.5, -0.5], [-0.277778, 0.111111, -1.33333]],
        },
        "a small number (0.01?) is added to the length: none is asked, no row is zero": {
            2: [[1.79641, 2.39521], [0.0, -1.99005]],
            3: [[1.71276, 1.71276, -0.57092], [-0.302948, 0.121179, -1.45415]],
        },
        "a small number (0.001?) is added to the length: none is asked, no row is zero": {
            2: [[1.79964, 2.39952], [0.0, -1.999]],
            3: [[1.71983, 1.71983, -0.573276], [-0.30472, 0.121888, -1.46266]],
        },
        "W is normalised, and the update added to it before the magnitude: normalise the sum": {
            2: [[3.0, 12.0], [0.0, -4.0]],
            3: [[2.27062, 0.791241, 0.229379], [-0.0825535, 0.1875, -0.705214]],
        },
        "the update is added behind the division: it stands above the line, too": {
            2: [[1.8, 4.0], [0.0, -2.0]],
            3: [[1.64708, 1.79416, -0.647079], [-0.675369, -0.125, -2.45148]],
        },
        "W is missing above the line": {
            2: [[0.0, 2.4], [0.0, -3.0]],
            3: [[0.573539, -0.573539, 0.573539], [0.182951, 0.121967, 0.487869]],
        },
        "the update is missing above the line": {
            2: [[1.8, 0.0], [0.0, 1.0]],
            3: [[1.14708, 2.29416, -1.14708], [-0.487869, 0.0, -1.95148]],
        },
        "this is W with the magnitude: the update is missing": {
            2: [[3.0, 0.0], [0.0, 2.0]],
            3: [[1.02062, 2.04124, -1.02062], [-0.363803, 0.0, -1.45521]],
        },
        "W and the update are normalised apart: normalise their sum": {
            2: [[3.0, 1.5], [0.0, 1.0]],
            3: [[1.38146, 1.6804, -0.659777], [-0.235598, 0.0854704, -1.11333]],
        },
        "W and the update are normalised apart, and their sum again: once, the sum": {
            2: [[2.68328, 1.34164], [0.0, 2.0]],
            3: [[1.51929, 1.84804, -0.7256], [-0.309673, 0.112344, -1.46338]],
        },
        "the update is subtracted: it is added": {
            2: [[1.8, -2.4], [0.0, 2.0]],
            3: [[0.422577, 2.11289, -1.26773], [-0.397273, -0.0722315, -1.44463]],
        },
        "the magnitudes divide: they multiply": {
            2: [[0.2, 0.266667], [0.0, -0.5]],
            3: [[0.275299, 0.275299, -0.0917663], [-0.135519, 0.0542077, -0.650492]],
        },
        "the magnitudes are added: they multiply": {
            2: [[3.6, 3.8], [2.0, 1.0]],
            3: [[3.18825, 3.18825, 2.27058], [-1.29672, -1.58131, -0.524261]],
        },
        "the magnitudes belong to the rows: here they multiply the columns": {
            2: [[1.8, 1.6], [0.0, -2.0]],
        },
        "a magnitude may be negative: here its absolute value is taken": {
            3: [[1.72062, 1.72062, -0.573539], [0.304918, -0.121967, 1.46361]],
        },
        "the scale is divided by the rank again: `scale` is ready": {
            3: [[1.37205, 1.92087, -0.823232], [-0.338989, 0.0521522, -1.46026]],
        },
    })
    t = torch.tensor
    check(rs_scale, 12.0, 9).equals(4.0)
    W, m = t([[3.0, 0.0], [0.0, 1.0]]), t([3.0, 2.0])
    A, B = t([[0.0, 1.0]]), t([[8.0], [-6.0]])
    check(dora_weight, W, m, A, B, 0.5).equals([[1.8, 2.4], [0.0, -2.0]], rtol=1e-4, atol=1e-6)
    W, m = t([[1.0, 2.0, -1.0], [0.5, 0.0, 2.0]]), t([2.5, -1.5])
    A, B = t([[1.0, 0.0, 2.0], [0.5, -1.0, 0.0]]), t([[1.0, 2.0], [-1.0, 0.5]])
    right = [[1.720618, 1.720618, -0.5735393], [-0.3049183, 0.1219673, -1.463608]]
    check(dora_weight, W, m, A, B, 0.25).equals(right, rtol=1e-4, atol=1e-6)
    W, m, A, B = t([[3.0, 0.0]]), t([3.0]), t([[0.0, 1.0]]), t([[4.0]])
    flows = "the magnitude, A or B has no gradient: only the norm is detached"
    check(slopes, dora_weight, W, m, A, B, 1.0, fixed=(0,)).equals(
        [[1.4], [[2.4, 2.4]], [[0.6]]], about="gradients of magnitude, A and B", rtol=1e-4, near={
            flows: RuntimeError,
            "the gradient flows through the norm, too: it counts as a number (detach)": [
                [1.4], [[0.384, -0.288]], [[-0.072]]]})


score
