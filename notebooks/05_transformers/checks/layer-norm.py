from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("layer-norm", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the variance divides by C, not by C - 1: correction=0": {
            1: [[-1.16189, -0.387297, 0.387297, 1.16189]],
            2: [[[-0.755928, 0.244072, 2.43305], [1.0, -0.999999, 3.0]]],
            3: [[-0.894427, 1.0, 2.55279]],
        },
        "the median stands where the mean is asked": {
            1: [[-0.894424, 0.0, 0.894424, 1.78885]],
            2: [[[-0.46291, 1.0, 2.07418], [1.22474, -1.44949, 3.0]]],
        },
        "the range, largest less smallest, stands where the root of the variance is asked": {
            1: [[-0.499998, -0.166666, 0.166666, 0.499998]],
            2: [[[-0.399999, 0.600001, 2.7], [0.499999, 1.66893e-06, 3.0]]],
            3: [[-0.4, 1.0, 2.8]],
        },
        "the mean was not subtracted: that is RMSNorm, which divides by the root of the mean square": {
            1: [[0.365148, 0.730296, 1.09544, 1.46059]],
            2: [[[0.270501, 2.082, 2.1885], [1.58114, 0.367545, 2.68377]]],
            3: [[0.0, 2.44463, 2.27768]],
        },
        "the mean was not subtracted from x, only inside the variance": {
            1: [[0.894424, 1.78885, 2.68327, 3.57769]],
            2: [[[0.46291, 2.85164, 1.61127], [2.04124, 0.183504, 2.59175]]],
            3: [[0.0, 3.08893, 1.95553]],
        },
        "the mean square was taken for the variance: subtract the mean there too": {
            1: [[-0.547722, -0.182574, 0.182574, 0.547722]],
            2: [[[-0.541002, 0.458998, 2.59425], [0.948683, -0.897366, 3.0]]],
            3: [[-0.722315, 1.0, 2.63884]],
        },
        "the variance divides by C, not by C - 1: correction=0; eps stands inside the root, beside the variance": {
            1: [[-1.16189, -0.387295, 0.387295, 1.16189]],
            2: [[[-0.755926, 0.244074, 2.43306], [0.999997, -0.999993, 3.0]]],
            3: [[-0.666667, 1.0, 2.66667]],
        },
        "the mean was subtracted, but the size is not brought to 1: divide by the root of the variance": {
            1: [[-1.5, -0.5, 0.5, 1.5]],
            2: [[[-2.0, -1.0, 1.5], [3.0, -5.0, 3.0]]],
            3: [[-2.0, 1.0, 2.0]],
        },
        "this is normalised over the tokens of a text; each token is normalised by itself, over its numbers": {
            1: [[0.0, 0.0, 0.0, 0.0]],
            2: [[[-0.999999, 3.0, 2.5], [0.999999, -0.999996, 3.5]]],
            3: [[0.0, 1.0, 3.0]],
        },
        "this is normalised over the first axis; each token is normalised by itself, over the last": {
            1: [[0.0, 0.0, 0.0, 0.0]],
            2: [[[0.0, 1.0, 3.0], [0.0, 1.0, 3.0]]],
            3: [[0.0, 1.0, 3.0]],
        },
        "divide by the root of the variance, not by the variance": {
            1: [[-1.19999, -0.399997, 0.399997, 1.19999]],
            2: [[[-0.428571, 0.571429, 2.67857], [0.499999, 1.66893e-06, 3.0]]],
            3: [[-0.545455, 1.0, 2.72727]],
        },
        "the mean absolute deviation stands where the root of the variance is asked": {
            1: [[-1.49998, -0.499995, 0.499995, 1.49998]],
            2: [[[-0.999995, 5.00679e-06, 2.25], [1.49999, -1.99998, 3.0]]],
            3: [[-0.857143, 1.0, 2.57143]],
        },
        "the variance is the mean of the squares less the square of the mean: here the mean is not squared": {
            1: [[-0.67082, -0.223607, 0.223607, 0.67082]],
            2: [[[-0.612372, 0.387628, 2.54072], [1.06066, -1.12132, 3.0]]],
            3: [[-0.840168, 1.0, 2.57992]],
        },
        "weight and bias are exchanged": {
            1: [[1.0, 1.0, 1.0, 1.0]],
            2: [[[1.0, 1.53709, 3.66619], [1.0, 0.775256, -0.5]]],
            3: [[1.0, 2.0, 2.6334]],
        },
        "the gain is taken as 1 + weight; it is the weight itself": {
            1: [[-2.68327, -0.894424, 0.894424, 2.68327]],
            2: [[[-1.85164, -0.388729, 3.69436], [2.44949, -2.67423, 3.0]]],
            3: [[-2.08893, 1.0, 3.52223]],
        },
        "eps stands inside the root, beside the variance": {
            2: [[[-0.925816, 0.0741842, 2.30564], [1.22474, -1.44948, 3.0]]],
            3: [[-0.759592, 1.0, 2.6202]],
        },
        "mean and variance are taken over a whole text; each token has its own": {
            2: [[[-0.63481, 0.576793, 2.25939], [1.05802, -1.96245, 3.1058]]],
        },
        "one mean and variance for all numbers together; each token has its own": {
            2: [[[-0.63481, 0.576793, 2.25939], [1.05802, -1.96245, 3.1058]]],
        },
        "this is normalised over axis 1, which is the last axis only where x has two": {
            2: [[[-0.999999, 3.0, 2.5], [0.999999, -0.999996, 3.5]]],
        },
        "the bias is added after the weight, not before: (...) * weight + bias": {
            2: [[[-0.925819, 1.07418, -2.19436], [1.22474, -0.449488, -1.5]]],
            3: [[-1.04447, 2.0, -2.02223]],
        },
        "the weight is missing": {
            2: [[[-0.925819, 0.53709, 4.38873], [1.22474, -0.224744, 3.0]]],
            3: [[-1.04447, 1.0, 4.04447]],
        },
        "the bias is missing": {
            2: [[[-0.925819, -0.925819, -0.694364], [1.22474, -2.44949, 0.0]]],
            3: [[-1.04447, 0.0, -0.522233]],
        },
        "weight and bias are both missing": {
            2: [[[-0.925819, -0.46291, 1.38873], [1.22474, -1.22474, 0.0]]],
            3: [[-1.04447, 0.0, 1.04447]],
        },
        "the bias is added, not subtracted": {
            2: [[[-0.925819, -1.92582, -3.69436], [1.22474, -3.44949, -3.0]]],
            3: [[-1.04447, -1.0, -3.52223]],
        },
        "eps is missing": {
            3: [[-1.22474, 1.0, 2.38763]],
        },
        "the argument eps is ignored": {
            3: [[-1.22474, 1.0, 2.38763]],
        },
        "eps is the smallest variance here: it is added to each": {
            3: [[-1.22474, 1.0, 2.38763]],
        },
    })
    one, none = torch.ones(4), torch.zeros(4)
    check(layer_norm, torch.tensor([[1.0, 2.0, 3.0, 4.0]]), one, none).equals(
        [[-1.341635, -0.4472117, 0.4472117, 1.341635]]
    )
    weight, bias = torch.tensor([1.0, 2.0, -0.5]), torch.tensor([0.0, 1.0, 3.0])
    check(layer_norm, torch.tensor([[[1.0, 2.0, 6.0], [5.0, -1.0, 2.0]]]), weight, bias).equals(
        [[[-0.9258189, 0.0741811, 2.305636], [1.224743, -1.449486, 3.0]]], rtol=1e-5, atol=1e-6
    )
    check(layer_norm, torch.tensor([[0.0, 2.0, 4.0]]), weight, bias, eps=1.0).equals([[-1.044466, 1.0, 2.477767]])
    check(slopes, layer_norm, torch.tensor([[1.0, 2.0, 6.0]]), weight, bias).equals(
        [[[-0.4935848, 0.6169819, -0.1233970]], [1.7142819, -0.0686781, 6.4038043], [-1.8516382, 0.1483618, 4.6112714]],
        about="gradients", rtol=1e-3, atol=1e-4)
    numpy, by_torch = ["from_numpy", "Tensor.numpy", "_tensor.Tensor.__array__"], "all is computed by torch"
    by_numpy = "NumPy was used: the exercise rules it out; torch's own operations do all of it"
    check(taken, numpy, layer_norm, torch.tensor([[1.0, 2.0, 6.0]]), weight, bias).holds(
        **not_taken(by_torch, by_numpy), about="without NumPy")


score
