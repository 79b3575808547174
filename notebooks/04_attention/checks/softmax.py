from helpers.checks import graded


@graded("softmax", points=6)
def score(check):
    import torch

    from helpers.checks.gradients import cut

    overflow = "large scores overflow: subtract the largest score of each slice first"
    subtracted = "NaN came: something else than the largest score was subtracted"
    negative = "the sign is reversed: the largest score gets the smallest weight"
    ninf = -torch.inf

    features = "the sum runs over the features: add up over the keys"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "divided by the sum of the scores: divide by the sum of the exponentials": {
            1: [0.30342, 0.910249],
            2: [[3.3807, 10.142, 1.24369], [0.333333, 0.0451118, 0.122626]],
            3: [[0.0676676, 0.910249, float("inf")], [0.5, 0.30342, float("inf")]],
            4: [[0.000166582, 0.000499726], [0.30342, 0.910249]],
            5: [0.0, 0.0, 0.0],
        },
        "these are the exponentials: divide by their sum": {
            1: [1.0, 2.99996],
            2: [[1.0, 2.99996, 0.367879], [7.38906, 1.0, 2.71828]],
            3: [[1.0, 2.99996, 0.367879], [7.38906, 1.0, 2.71828]],
            4: [[float("inf"), float("inf")], [1.0, 2.99996]],
            5: [1.0, 0.0, 2.99996],
        },
        "divided by the largest exponential, or the maximum was subtracted and no more: divide by their sum": {
            1: [0.333337, 1.0],
            2: [[0.333337, 1.0, 0.122628], [1.0, 0.135335, 0.367879]],
            3: [[0.135335, 1.0, 0.135335], [1.0, 0.333337, 1.0]],
            4: [[0.333347, 1.0], [0.333337, 1.0]],
            5: [0.333337, 0.0, 1.0],
        },
        "the scores were divided by their sum: take exp first": {
            1: [0.0, 1.0],
            2: [[0.0, 11.142, -10.142], [0.666667, 0.0, 0.333333]],
            3: [[0.0, 1.0, float("-inf")], [1.0, 0.0, float("inf")]],
            4: [[0.499725, 0.500274], [0.0, 1.0]],
            5: [0.0, float("nan"), 0.0],
        },
        "this is the logarithm of the weights": {
            1: [-1.38629, -0.287685],
            2: [[-1.47427, -0.375669, -2.47427], [-0.407606, -2.40761, -1.40761]],
            3: [[-2.12693, -0.287685, -2.12693], [-0.126928, -1.38629, -0.126928]],
            4: [[-1.38626, -0.287692], [-1.38629, -0.287685]],
            5: [-1.38629, float("-inf"), -0.287685],
        },
        "the sign is reversed: the largest score gets the smallest weight": {
            1: [0.749998, 0.250002],
            2: [[0.246815, 0.0822726, 0.670912], [0.0900306, 0.665241, 0.244728]],
            3: [[0.880797, 0.250002, 0.880797], [0.119203, 0.749998, 0.119203]],
            4: [[0.749992, 0.250008], [0.749998, 0.250002]],
        },
        "these are powers of 2: take exp": {
            1: [0.318323, 0.681678],
            2: [[0.274615, 0.588078, 0.137307], [0.571429, 0.142857, 0.285714]],
            3: [[0.2, 0.681678, 0.2], [0.8, 0.318323, 0.8]],
            4: [[0.318326, 0.681674], [0.318323, 0.681678]],
            5: [0.318323, 0.0, 0.681678],
        },
        "softmax was taken twice": {
            1: [0.377542, 0.622458],
            2: [[0.290193, 0.458715, 0.251093], [0.450593, 0.253498, 0.295909]],
            3: [[0.3183, 0.622458, 0.3183], [0.6817, 0.377542, 0.6817]],
            4: [[0.377544, 0.622456], [0.377542, 0.622458]],
            5: [0.291757, 0.22722, 0.481023],
        },
        "all the weight went to the largest score: that is no softmax": {
            1: [0.0, 1.0],
            2: [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
            3: [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]],
            4: [[0.0, 1.0], [0.0, 1.0]],
            5: [0.0, 0.0, 1.0],
        },
        "the sum runs over the first axis, whatever `dim` is": {
            2: [[0.250002, 0.880797, 0.250002], [0.749998, 0.119203, 0.749998]],
            4: [[0.500007, 0.5], [0.499993, 0.5]],
        },
        "divided by the sum of all exponentials: each slice along `dim` has its own": {
            2: [[0.112645, 0.337931, 0.0414399], [0.337931, 0.045734, 0.124318]],
            3: [[0.0375513, 0.277469, 0.0375513], [0.277469, 0.0924908, 0.277469]],
            4: [[0.125004, 0.374998], [0.125001, 0.374998]],
        },
        "the maximum runs over the first axis, whatever `dim` is": {
            2: [[0.106507, 0.786986, 0.106507], [0.428571, 0.142859, 0.428571]],
            4: [[0.5, 0.5], [float("nan"), float("nan")]],
        },
        "the softmax runs over another axis: use `dim`": {
            2: [[0.119203, 0.749998, 0.119203], [0.880797, 0.250002, 0.880797]],
            3: [[0.228946, 0.68683, 0.0842245], [0.665241, 0.0900306, 0.244728]],
            4: [[1.0, 1.0], [0.0, 0.0]],
        },
        "the softmax always runs over the first axis: use `dim`": {
            2: [[0.119203, 0.749998, 0.119203], [0.880797, 0.250002, 0.880797]],
            4: [[1.0, 1.0], [0.0, 0.0]],
        },
        "the weights of all slices together add up to 1; those of each slice must": {
            2: [[0.0646196, 0.193856, 0.0237722], [0.477478, 0.0646196, 0.175654]],
            3: [[0.0646196, 0.193856, 0.0237722], [0.477478, 0.0646196, 0.175654]],
            4: [[0.250008, 0.749992], [0.0, 0.0]],
        },
        "the sum runs over the last axis, whatever `dim` is": {
            3: [[0.106507, 0.786986, 0.106507], [0.428571, 0.142859, 0.428571]],
        },
        "the maximum runs over the last axis, whatever `dim` is": {
            3: [[0.250002, 0.880797, 0.250002], [0.749998, 0.119203, 0.749998]],
        },
        "`dim` was ignored: the softmax always runs over the last axis": {
            3: [[0.228946, 0.68683, 0.0842245], [0.665241, 0.0900306, 0.244728]],
        },
        "large scores overflow: subtract the largest score of each slice first": {
            4: [[float("nan"), float("nan")], [0.250002, 0.749998]],
        },
        "one maximum of all scores was subtracted: each slice along `dim` needs its own": {
            4: [[0.250008, 0.749992], [float("nan"), float("nan")]],
        },
        "the scores were cut off: their differences are lost. Subtract the largest": {
            4: [[0.5, 0.5], [0.250002, 0.749998]],
        },
        "NaN was replaced when it was too late: subtract the largest score first": {
            4: [[0.0, 0.0], [0.250002, 0.749998]],
        },
        "the reduced axis is lost, and the shapes no longer fit: use keepdim=True (of the maximum)": {
            4: [[0.0, float("nan")], [0.0, 1.0]],
        },
        "the reduced axis is lost, and the shapes no longer fit: use keepdim=True (of both)": {
            4: [[0.0, float("inf")], [0.0, 1.0]],
        },
        "a small number, 0.001, was added below the fraction: the weights do not add up to 1": {
            4: [[0.24982, 0.74943], [0.249815, 0.749436]],
        },
        "a score of minus infinity was taken for 0: it gets the weight 0": {
            5: [0.200001, 0.200001, 0.599997],
        },
        "divided by the sum of the weights: they are taken as they are, even where they do not add up to 1": {
            6: [[1.0, 6.0], [5.33333, -2.66667]],
            7: [[[1.0, 6.0]], [[0.666667, 1.33333]]],
        },
        "divided by the sum of the weights' sizes: they are taken as they are": {
            6: [[1.0, 6.0], [3.2, -1.6]],
            7: [[[1.0, 6.0]], [[0.4, 0.8]]],
        },
        "divided by the length of each row of weights: they are taken as they are": {
            6: [[1.26491, 7.58947], [3.88057, -1.94029]],
            7: [[[1.26491, 7.58947]], [[0.485071, 0.970143]]],
        },
        "divided by the sum of the weights over the queries: they are taken as they are": {
            6: [[0.444444, 24.0], [3.55556, -16.0]],
            7: [[[4.0, 8.0]], [[3.0, 6.0]]],
        },
        "weights below 0 were set to 0: they are taken as they are": {
            6: [[1.0, 6.0], [8.0, 0.0]],
            7: [[[1.0, 6.0]], [[2.0, 4.0]]],
        },
        "the values were added up without weights": {
            6: [[4.0, 8.0], [4.0, 8.0]],
            7: [[[4.0, 8.0]], [[3.0, 6.0]]],
        },
        "this is a mean: add up, and do not divide by the number of keys": {
            6: [[0.5, 3.0], [4.0, -2.0]],
            7: [[[0.5, 3.0]], [[0.5, 1.0]]],
        },
        "the weights are transposed: each row belongs to a query": {
            6: [[1.0, 16.0], [3.0, -4.0]],
        },
        "softmax was taken of the weights once more": {
            6: [[1.51016, 4.97967], [3.69657, 0.606865]],
            7: [[[1.51016, 4.97967]], [[1.07586, 2.15172]]],
        },
        "only the value with the largest weight was taken: add up all": {
            6: [[0.0, 8.0], [4.0, 0.0]],
            7: [[[0.0, 8.0]], [[1.0, 2.0]]],
        },
        "the weights of all queries were added up: each query has a context vector of its own": {
            6: [9.0, 2.0],
            7: [[1.0, 6.0], [1.0, 2.0]],
        },
        "weights and values were multiplied entry by entry: use @": {
            6: [[1.0, 0.0], [0.0, -4.0]],
            7: [[[1.0, 0.0], [0.0, 6.0]], [[2.0, -1.0], [4.0, -2.0]]],
        },
        "only the first key's value was taken: add up all": {
            6: [[1.0, 0.0], [8.0, 0.0]],
            7: [[[1.0, 0.0]], [[2.0, 4.0]]],
        },
        "the sum runs over the features: add up over the keys": {
            7: [[[1.0, 6.0]], [[6.0, -3.0]]],
        },
        "an axis of size 1 was squeezed away: one query, or one feature, keeps its axis": {
            7: [[1.0, 6.0], [1.0, 2.0]],
        },
    })
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    scores = torch.tensor([[0.0, 1.0986, -1.0], [2.0, 0.0, 1.0]])
    check(softmax, torch.tensor([0.0, 1.0986])).equals([0.25, 0.75], **loose)
    check(softmax, scores).equals([[0.2290, 0.6869, 0.0842], [0.6652, 0.0900, 0.2447]], **loose)
    columns = check(softmax, scores, dim=0).equals([[0.1192, 0.75, 0.1192], [0.8808, 0.25, 0.8808]], **loose)
    check(softmax, torch.tensor([[1000.0, 1001.0986], [0.0, 1.0986]])).equals(
        [[0.25, 0.75], [0.25, 0.75]], rtol=1e-4, atol=1e-4,
        near={f"{overflow} (NaN came)": [[torch.nan, torch.nan], [0.25, 0.75]]},
    )
    cut_off = {}
    for low in (-20, -30):
        words = f"minus infinity gets the weight 0: here an exponent was cut at {low}, say"
        cut_off[words] = [0.25, 0.75 * torch.exp(torch.tensor(float(low))), 0.75]
    check(softmax, torch.tensor([0.0, ninf, 1.0986])).equals(
        [0.25, 0.0, 0.75], rtol=1e-3, atol=1e-15, near=cut_off
        | {subtracted: [torch.nan] * 3, f"{negative} (NaN came)": [torch.nan] * 3}
    )
    weights, values = torch.tensor([[0.25, 0.75], [2.0, -0.5]]), torch.tensor([[4.0, 0.0], [0.0, 8.0]])
    of_context = check(context_vectors, weights, values).equals([[1.0, 6.0], [8.0, -4.0]], **loose)
    axes = {"with leading axes (batch, heads) it fails: @ works on the last two axes": RuntimeError}
    check(context_vectors, weights[:, None], torch.stack([values, torch.tensor([[1.0, 2.0], [2.0, 4.0]])])).equals(
        [[[1.0, 6.0]], [[1.0, 2.0]]], about="two texts", near=axes if of_context.passed else {}, **loose)
    flow = {"about": "gradients of the squares", **loose}
    check(slopes, softmax, torch.tensor([[0.0, 1.0986]])).equals(
        [[[-0.1875, 0.1875]]], near=cut(columns), **flow
    )
    check(slopes, context_vectors, torch.tensor([[0.25, 0.75]]), values).equals(
        [[[8.0, 96.0]], [[0.5, 3.0], [1.5, 9.0]]], **flow,
        near=cut(of_context) | {features: [[[8.0, 96.0]], [[0.5, 0.5], [9.0, 9.0]]]},
    )
    way = "exp, the maximum and the sum"
    own = "this is torch's softmax: write it from exp, the maximum and the sum"

    def by_torch(names):
        return any(part in name for name in names for part in ("softmax", "softmin"))

    check(beside, "names_of", softmax, scores).holds(
        lambda names: not by_torch(names), way, about="the way", near={own: by_torch})


score
