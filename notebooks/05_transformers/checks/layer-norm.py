from helpers.checks import graded


@graded("layer-norm", points=4)
def score(check):
    import torch

    biased = "the variance divides by C, not by C - 1: correction=0"
    outside = "eps stands inside the root, beside the variance"
    no_eps = "eps is missing"
    fixed = "the argument eps is ignored"
    floor = "eps is the smallest variance here: it is added to each"
    no_mean = "the mean was not subtracted: that is RMSNorm, which divides by the root of the mean square"
    of_squares = "the mean square was taken for the variance: subtract the mean there too"
    one_mean = "the mean was subtracted, but the size is not brought to 1: divide by the root of the variance"
    tokens = "this is normalised over the tokens of a text; each token is normalised by itself, over its numbers"
    first_axis = "this is normalised over the first axis; each token is normalised by itself, over the last"
    whole = "mean and variance are taken over a whole text; each token has its own"
    everything = "one mean and variance for all numbers together; each token has its own"
    divided = "divide by the root of the variance, not by the variance"
    before = "the bias is added after the weight, not before: (...) * weight + bias"
    no_weight, no_bias = "the weight is missing", "the bias is missing"
    minus = "the bias is added, not subtracted"

    one, none = torch.ones(4), torch.zeros(4)
    check(layer_norm, torch.tensor([[1.0, 2.0, 3.0, 4.0]]), one, none).equals(
        [[-1.341635, -0.4472117, 0.4472117, 1.341635]], near={
            biased: [[-1.16189, -0.387297, 0.387297, 1.16189]],
            of_squares: [[-0.5477225, -0.1825742, 0.1825742, 0.5477225]],
            no_mean: [[0.365148, 0.730296, 1.09544, 1.46059]], one_mean: [[-1.5, -0.5, 0.5, 1.5]],
            tokens: [[0.0, 0.0, 0.0, 0.0]], first_axis: [[0.0, 0.0, 0.0, 0.0]],
            divided: [[-1.19999, -0.399997, 0.399997, 1.19999]],
        }
    )
    weight, bias = torch.tensor([1.0, 2.0, -0.5]), torch.tensor([0.0, 1.0, 3.0])
    check(layer_norm, torch.tensor([[1.0, 2.0, 6.0], [5.0, -1.0, 2.0]]), weight, bias).equals(
        [[-0.9258189, 0.0741811, 2.305636], [1.224743, -1.449486, 3.0]], rtol=1e-5, atol=1e-6, near={
            biased: [[-0.755928, 0.244072, 2.43305], [0.999999, -0.999999, 3]],
            outside: [[-0.925816, 0.0741842, 2.30564], [1.22474, -1.44948, 3]],
            no_mean: [[0.270501, 2.082, 2.1885], [1.58114, 0.367545, 2.68377]],
            one_mean: [[-2, -1, 1.5], [3, -5, 3]],
            tokens: [[-0.999999, 3, 2.5], [0.999999, -0.999996, 3.5]],
            first_axis: [[-0.999999, 3, 2.5], [0.999999, -0.999996, 3.5]],
            everything: [[-0.63481, 0.576793, 2.25939], [1.05802, -1.96245, 3.1058]],
            whole: [[-0.63481, 0.576793, 2.25939], [1.05802, -1.96245, 3.1058]],
            divided: [[-0.428571, 0.571429, 2.67857], [0.499999, 1.66893e-06, 3]],
            before: [[-0.925819, 1.07418, -2.19436], [1.22474, -0.449488, -1.5]],
            no_weight: [[-0.925819, 0.53709, 4.38873], [1.22474, -0.224744, 3]],
            no_bias: [[-0.925819, -0.925819, -0.694364], [1.22474, -2.44949, 0.0]],
            minus: [[-0.925819, -1.92582, -3.69436], [1.22474, -3.44949, -3]],
        }
    )
    check(layer_norm, torch.tensor([[0.0, 2.0, 4.0]]), weight, bias, eps=1.0).equals(
        [[-1.044466, 1.0, 2.477767]], near={
            biased: [[-0.894427, 1, 2.55279]], outside: [[-0.759592, 1, 2.6202]],
            f"{biased}; {outside}": [[-0.666667, 1, 2.666667]],
            no_eps: [[-1.22474, 1, 2.38763]], fixed: [[-1.22474, 1, 2.38763]],
            floor: [[-1.22474, 1, 2.38763]],
            no_mean: [[0.0, 2.44463, 2.27768]], one_mean: [[-2, 1, 2]],
            tokens: [[0.0, 1, 3]], first_axis: [[0.0, 1, 3]],
            divided: [[-0.545455, 1, 2.72727]], before: [[-1.04447, 2, -2.02223]],
            no_weight: [[-1.04447, 1, 4.04447]], no_bias: [[-1.04447, 0.0, -0.522233]],
            minus: [[-1.04447, -1, -3.52223]],
        }
    )


score
