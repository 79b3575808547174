from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("similarity", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the vectors were not brought to length 1: this is the dot product": {
            1: [[3.0, 14.0], [0.0, 16.0], [0.0, 0.0]],
        },
        "only the first argument was brought to length 1": {
            1: [[0.6, 2.8], [0.0, 8.0], [0.0, 0.0]],
        },
        "only the second argument was brought to length 1": {
            1: [[3.0, 1.4], [0.0, 1.6], [0.0, 0.0]],
        },
        "the columns were brought to length 1: a vector is a row": {
            1: [[0.164399, -0.0919667], [0.0, 0.447214], [0.0, 0.0]],
        },
        "of the first argument the columns were brought to length 1: a vector is a row": {
            1: [[1.0, 0.115542], [0.0, 0.357771], [0.0, 0.0]],
        },
        "rows are for a, columns for b: this is the transpose": {
            1: [[0.6, 0.0, 0.0], [0.28, 0.8, 0.0]],
        },
        "divide by the lengths, not by their squares": {
            1: [[0.12, 0.0056], [0.0, 0.04], [float("nan"), float("nan")]],
        },
        "these are distances: similarities are asked": {
            1: [[0.894427, 1.2], [1.41421, 0.632456], [1.0, 1.0]],
        },
        "the mean was subtracted first: that is the correlation": {
            1: [[-1.0, 1.0], [-1.0, 1.0], [0.0, 0.0]],
        },
        "the lengths are sums of absolute values: the root of the sum of squares is asked": {
            1: [[0.428571, 0.142857], [0.0, 0.571429], [0.0, 0.0]],
        },
        "row i was compared with row i only: the table of all pairs is asked": {
            1: [0.6, 0.8],
        },
        "the whole table was divided by one length: each row has its own": {
            1: [[0.0554321, 0.258683], [0.0, 0.295638], [0.0, 0.0]],
        },
        "divided by the sum of the lengths: by their product": {
            1: [[0.5, 0.933333], [0.0, 1.33333], [0.0, 0.0]],
        },
        "1 was added to the lengths below: short vectors lose by it": {
            1: [[0.5, 0.27451], [0.0, 0.761905], [0.0, 0.0]],
        },
        "0.01 was added to the lengths below: short vectors lose by it": {
            1: [[0.598802, 0.279944], [0.0, 0.7996], [0.0, 0.0]],
        },
        "0.001 was added to the lengths below: short vectors lose by it": {
            1: [[0.59988, 0.279994], [0.0, 0.79996], [0.0, 0.0]],
        },
        "0.01 was added to each length: short vectors lose by it": {
            1: [[0.592874, 0.279162], [0.0, 0.795225], [0.0, 0.0]],
        },
        "0.001 was added to each length: short vectors lose by it": {
            1: [[0.599281, 0.279916], [0.0, 0.79952], [0.0, 0.0]],
        },
        "0.0001 was added to each length: short vectors lose by it": {
            1: [[0.599928, 0.279992], [0.0, 0.799952], [0.0, 0.0]],
        },
        "1 / temperature is missing in front: the chain rule brings it": {
            3: [[-0.142547, 0.0293415, 0.102412, 0.0107941], [0.0884407, 0.145814, -0.474661, 0.240407]],
        },
        "the mean over the N queries is missing: divide by N": {
            3: [[-0.712737, 0.146707, 0.512059, 0.0539707], [0.442203, 0.72907, -2.37331, 1.20203]],
        },
        "divided by the number of candidates, M: the mean is over the N queries": {
            3: [[-0.178184, 0.0366769, 0.128015, 0.0134927], [0.110551, 0.182268, -0.593327, 0.300508]],
        },
        "divided by N times M: the mean is over the N queries": {
            3: [[-0.0890922, 0.0183384, 0.0640074, 0.00674633], [0.0552754, 0.0911338, -0.296663, 0.150254]],
        },
        "the sign is turned round: at the right candidate the gradient is below 0": {
            3: [[0.356369, -0.0733537, -0.25603, -0.0269853], [-0.221102, -0.364535, 1.18665, -0.601017]],
        },
        "subtract 1 at the right candidate": {
            3: [[0.893631, 0.0733537, 0.25603, 0.0269853], [0.221102, 0.364535, 0.0633467, 0.601017]],
        },
        "the similarities are divided by the temperature, not multiplied": {
            3: [[-0.841538, 0.2738, 0.33442, 0.233317], [0.306709, 0.332254, -0.998888, 0.359926]],
        },
        "softmax over the whole table: each row is a choice for itself": {
            3: [[-0.672341, 0.0474171, 0.165502, 0.0174438], [0.0781776, 0.128893, -1.2276, 0.212509]],
        },
        "softmax over the queries: each row is a choice among candidates": {
            3: [[-0.149004, 0.336177, 1.101, 0.0948227], [0.149004, 0.913823, -1.101, 1.15518]],
        },
        "softmax was taken without the temperature": {
            3: [[-0.687192, 0.207045, 0.34136, 0.138787], [0.289368, 0.353435, -1.07449, 0.431686]],
        },
        "multiplied by the temperature in front: divide": {
            3: [[-0.057019, 0.0117366, 0.0409647, 0.00431765], [0.0353763, 0.0583256, -0.189865, 0.0961627]],
        },
        "1 / temperature and the mean over the queries are both missing": {
            3: [[-0.285095, 0.058683, 0.204824, 0.0215883], [0.176881, 0.291628, -0.949323, 0.480813]],
        },
        "this is the gradient of the mean probability, not of its logarithm": {
            3: [[-0.25477, 0.0524409, 0.183037, 0.0192919], [0.0112048, 0.0184737, -0.0601364, 0.0304579]],
        },
        "the right candidates are those of `right`, not the diagonal": {
            3: [[-0.356369, 0.0733537, 0.25603, 0.0269853], [0.221102, -0.885465, 0.0633467, 0.601017]],
        },
        "only the 1 was divided by N and the temperature: the whole difference is": {
            3: [[-0.535095, 0.058683, 0.204824, 0.0215883], [0.176881, 0.291628, -1.19932, 0.480813]],
        },
        "only p was divided by N and the temperature: the whole difference is": {
            3: [[-0.106369, 0.0733537, 0.25603, 0.0269853], [0.221102, 0.364535, -0.936653, 0.601017]],
        },
        "p alone was divided by the temperature: the whole difference is": {
            3: [[0.393631, 0.0733537, 0.25603, 0.0269853], [0.221102, 0.364535, -0.436653, 0.601017]],
        },
        "the 1 alone was divided by the temperature: the whole difference is": {
            3: [[-0.892547, 0.0293415, 0.102412, 0.0107941], [0.0884407, 0.145814, -1.22466, 0.240407]],
        },
        "p alone was divided by N: the whole difference is": {
            3: [[-1.60637, 0.0733537, 0.25603, 0.0269853], [0.221102, 0.364535, -2.43665, 0.601017]],
        },
        "the 1 alone was divided by N: the whole difference is": {
            3: [[0.537263, 0.146707, 0.512059, 0.0539707], [0.442203, 0.72907, -1.12331, 1.20203]],
        },
        "1 was subtracted in a whole column, for all queries: each row has its own right candidate": {
            3: [[-0.356369, 0.0733537, -0.99397, 0.0269853], [-1.0289, 0.364535, -1.18665, 0.601017]],
        },
        "only the right candidates have a gradient here: the negatives are pushed, too": {
            3: [[-0.356369, 0.0, 0.0, 0.0], [0.0, 0.0, -1.18665, 0.0]],
        },
        "only the negatives have a gradient here: the right candidates are pulled, too": {
            3: [[0.0, 0.0733537, 0.25603, 0.0269853], [0.221102, 0.364535, 0.0, 0.601017]],
        },
        "inside the softmax the temperature divides twice": {
            3: [[-0.0550009, 0.00230689, 0.0525046, 0.000189361], [0.0747752, 0.260991, -1.24671, 0.910948]],
        },
        "1 / temperature stands in front twice": {
            3: [[-0.890922, 0.183384, 0.640074, 0.0674633], [0.552754, 0.911338, -2.96663, 1.50254]],
        },
        "the logarithm of the softmax stands where p is asked": {
            3: [[-1.66951, -3.54451, -1.98201, -4.79451], [-2.16535, -1.54035, -4.97785, -0.915345]],
        },
        "the highest score was taken for the right one: `right` tells which it is": {
            3: [[-0.356369, 0.0733537, 0.25603, 0.0269853], [0.221102, 0.364535, 0.0633467, -0.648983]],
        },
    })
    no_direction = "a row of zeros has no direction: its similarity is 0, not NaN"
    a, b = torch.tensor([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [-6.0, 8.0]])
    check(cosine_similarities, a, b).equals([[0.6, 0.28], [0.0, 0.8], [0.0, 0.0]], rtol=1e-4, atol=1e-6, near={
        no_direction: [[0.6, 0.28], [0.0, 0.8], [float("nan")] * 2],
    })

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    def no_number(gradients):
        return any(bool(torch.isnan(gradient).any()) for gradient in gradients)

    of_zeros = {
        "about": "gradients beside zeros", "edge": True, "near": {
            "the gradient is NaN: that of a root is infinite at 0, and 0 / 0 is no number; F.normalize avoids both":
                no_number}}

    check(slopes, cosine_similarities, a, b).holds(finite, "finite gradients", **of_zeros)
    s = torch.tensor([[1.0, 0.0, 0.5, -0.4], [0.2, 0.4, -0.3, 0.6]])
    right = torch.tensor([0, 2])
    want = [[-0.3563687, 0.07335372, 0.2560297, 0.02698533], [0.2211017, 0.364535, -1.186653, 0.6010167]]
    check(score_gradient, s, right, 0.4).equals(want, rtol=1e-4, atol=1e-6)
    autograd = ["autograd.grad", "autograd.backward", "torch._functorch.eager_transforms"]
    by_formula = "no way through autograd was taken"
    by_autograd = "autograd computed this: compute it by the formula"
    check(taken, autograd, score_gradient, torch.tensor([[1.0, 0.0]]), torch.tensor([0]), 1.0).holds(
        **not_taken(by_formula, by_autograd), about="by the formula")


score
