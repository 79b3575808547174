from helpers.checks import graded


@graded("sbert", points=4)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the absolute value is missing: u - v depends on the order": {
            1: [[1.0, 2.0, 3.0, 1.0, -2.0, 1.0], [0.0, -1.5, 1.0, 1.0, -1.0, -2.5]],
            2: [[-4.5, 5.5, 0.5], [-5.0, 3.5, 0.0]],
        },
        "this is v - u, without the absolute value": {
            1: [[1.0, 2.0, 3.0, 1.0, 2.0, -1.0], [0.0, -1.5, 1.0, 1.0, 1.0, 2.5]],
            2: [[1.5, 7.5, 0.5], [4.0, -1.5, 0.0]],
        },
        "this is the product of u and v: the distance in each number is asked": {
            1: [[1.0, 2.0, 3.0, 1.0, 3.0, 2.0], [0.0, -1.5, 1.0, 1.0, 0.0, -1.5]],
            2: [[6.5, 4.5, 0.5], [-2.0, 2.5, 0.0]],
        },
        "the differences were squared: their absolute values are asked": {
            1: [[1.0, 2.0, 3.0, 1.0, 4.0, 1.0], [0.0, -1.5, 1.0, 1.0, 1.0, 6.25]],
            2: [[7.5, 5.5, 0.5], [7.75, -5.25, 0.0]],
        },
        "the order is u, v, |u - v|: here the distances come first": {
            1: [[2.0, 1.0, 1.0, 2.0, 3.0, 1.0], [1.0, 2.5, 0.0, -1.5, 1.0, 1.0]],
            2: [[8.5, 3.0, 3.0], [4.5, 1.75, -4.5]],
        },
        "the order is u, v, |u - v|: here the distances stand between the two": {
            1: [[1.0, 2.0, 2.0, 1.0, 3.0, 1.0], [0.0, -1.5, 1.0, 2.5, 1.0, 1.0]],
            2: [[6.5, 4.5, 0.5], [2.5, 0.75, 3.0]],
        },
        "u comes first, then v": {
            1: [[3.0, 1.0, 1.0, 2.0, 2.0, 1.0], [1.0, 1.0, 0.0, -1.5, 1.0, 2.5]],
            2: [[7.5, 3.0, 3.5], [6.0, -1.25, -4.5]],
        },
        "|u - v| is missing": {
            1: [[1.0, 2.0, 3.0, 1.0], [0.0, -1.5, 1.0, 1.0]],
        },
        "only |u - v| came: u and v themselves stand in front of it": {
            1: [[2.0, 1.0], [1.0, 2.5]],
        },
        "side by side is asked, along the last axis: here they stand below each other": {
            1: [[1.0, 2.0], [0.0, -1.5], [3.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.5]],
        },
        "one distance for each pair came: one for each number is asked": {
            1: [[1.0, 2.0, 3.0, 1.0, 2.23607], [0.0, -1.5, 1.0, 1.0, 2.69258]],
        },
        "the distances of each pair were added up: one for each number is asked": {
            1: [[1.0, 2.0, 3.0, 1.0, 3.0], [0.0, -1.5, 1.0, 1.0, 3.5]],
        },
        "they were stacked along a new axis: (B, 3C) is asked": {
            1: [[[1.0, 3.0, 2.0], [2.0, 1.0, 1.0]], [[0.0, 1.0, 1.0], [-1.5, 1.0, 2.5]]],
        },
        "they were stacked along a new axis in the middle: (B, 3C) is asked": {
            1: [[[1.0, 2.0], [3.0, 1.0], [2.0, 1.0]], [[0.0, -1.5], [1.0, 1.0], [1.0, 2.5]]],
        },
        "stacked along a new last axis, then flattened: the numbers of u, v and |u - v| alternate": {
            1: [[1.0, 3.0, 2.0, 2.0, 1.0, 1.0], [0.0, 1.0, 1.0, -1.5, 1.0, 2.5]],
            2: [[2.5, 6.0, 2.5], [4.0, -0.25, -5.0]],
        },
        "u + v stands where |u - v| is asked": {
            1: [[1.0, 2.0, 3.0, 1.0, 4.0, 3.0], [0.0, -1.5, 1.0, 1.0, 1.0, 0.5]],
            2: [[9.5, 3.5, 0.5], [2.0, 0.5, 0.0]],
        },
        "this is the difference of the absolute values": {
            1: [[1.0, 2.0, 3.0, 1.0, -2.0, 1.0], [0.0, -1.5, 1.0, 1.0, -1.0, 0.5]],
            2: [[-4.5, 5.5, 0.5], [-2.0, 0.5, 0.0]],
        },
        "negative differences became 0: their absolute values are asked": {
            1: [[1.0, 2.0, 3.0, 1.0, 0.0, 1.0], [0.0, -1.5, 1.0, 1.0, 0.0, 0.0]],
            2: [[-0.5, 5.5, 0.5], [-0.5, 1.0, 0.0]],
        },
        "u and v were brought to length 1: take them as they are": {
            1: [[0.447214, 0.894427, 0.948683, 0.316228, 0.50147, 0.578199],
             [0.0, -1.0, 0.707107, 0.707107, 0.707107, 1.70711]],
            2: [[1.57967, 2.42302, -1.14394], [2.91421, -0.646447, -0.585786]],
        },
        "the distances were brought to length 1: take them as they are": {
            1: [[1.0, 2.0, 3.0, 1.0, 0.894427, 0.447214], [0.0, -1.5, 1.0, 1.0, 0.371391, 0.928477]],
            2: [[0.736068, 6.05279, 0.5], [1.17126, 0.0715233, 0.0]],
        },
        "these are probabilities: logits are asked": {
            2: [[0.1185, 0.875601, 0.00589975], [0.978088, 0.00399722, 0.0179143]],
        },
        "these are logarithms of probabilities: logits are asked": {
            2: [[-2.13285, -0.132845, -5.13285], [-0.0221552, -5.52216, -4.02216]],
        },
        "these are the chosen classes: logits are asked": {
            2: [1, 0],
        },
        "the bias is missing": {
            2: [[3.0, 4.5, 2.5], [3.5, -2.5, 2.0]],
        },
        "the bias was subtracted: it is added": {
            2: [[2.5, 3.5, 4.5], [3.0, -3.5, 4.0]],
        },
        "W was reshaped: it is to be transposed": {
            2: [[5.0, 8.0, 1.0], [6.5, -1.0, -3.5]],
        },
        "|u - v| has no part in the logits": {
            2: [[-1.5, 6.5, 0.5], [-0.5, 1.0, 0.0]],
        },
        "only |u - v| has a part in the logits": {
            2: [[5.5, 0.0, -2.0], [5.0, -1.5, -2.0]],
        },
        "a row for each pair is asked, (B, K): here each class has one": {
            2: [[3.5, 4.0], [5.5, -1.5], [0.5, 0.0]],
        },
        "the product was divided by the root of its width: take it as it is": {
            2: [[1.72474, 2.83712, -0.979379], [1.92887, -0.0206207, -1.1835]],
        },
    })
    u, v = torch.tensor([[1.0, 2.0], [0.0, -1.5]]), torch.tensor([[3.0, 1.0], [1.0, 1.0]])
    check(pair_features, u, v).equals([[1.0, 2.0, 3.0, 1.0, 2.0, 1.0], [0.0, -1.5, 1.0, 1.0, 1.0, 2.5]])
    w = torch.tensor([[1.0, 0.0, -1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 0.5, 0.0, -1.0], [0.5, 0.0, 0.0, 2.0, 0.0, 0.0]])
    b = torch.tensor([0.5, 1.0, -2.0])
    check(pair_logits, u, v, w, b).equals([[3.5, 5.5, 0.5], [4.0, -1.5, 0.0]], rtol=1e-4, atol=1e-6)
    cut = "no gradient flows to both vectors: is something detached?"
    check(slopes, pair_features, u, v).equals(
        [[[0.0, 2.0], [0.0, 0.0]], [[2.0, 0.0], [2.0, 2.0]]], about="gradients", near={cut: RuntimeError})

    def finite(gradients):
        return all(bool(torch.isfinite(gradient).all()) for gradient in gradients)

    equal = "gradients where u and v are equal"
    check(slopes, pair_features, u, u).holds(finite, "finite gradients", about=equal, edge=True)


score
