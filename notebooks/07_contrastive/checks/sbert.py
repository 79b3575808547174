from helpers.checks import graded


@graded("sbert", points=4)
def score(check):
    import torch

    signed = "the absolute value is missing: u - v depends on the order"
    product = "this is the product of u and v: the distance in each number is asked"
    order = "the order is u, v, |u - v|"
    squared = "the differences were squared: their absolute values are asked"
    stacked = "side by side is asked, along the last axis: here they stand below each other"
    u, v = torch.tensor([[1.0, 2.0], [0.0, -1.0]]), torch.tensor([[3.0, 1.0], [1.0, 1.0]])
    check(pair_features, u, v).equals([[1.0, 2.0, 3.0, 1.0, 2.0, 1.0], [0.0, -1.0, 1.0, 1.0, 1.0, 2.0]], near={
        signed: [[1.0, 2.0, 3.0, 1.0, -2.0, 1.0], [0.0, -1.0, 1.0, 1.0, -1.0, -2.0]],
        product: [[1.0, 2.0, 3.0, 1.0, 3.0, 2.0], [0.0, -1.0, 1.0, 1.0, 0.0, -1.0]],
        order: [[2.0, 1.0, 1.0, 2.0, 3.0, 1.0], [1.0, 2.0, 0.0, -1.0, 1.0, 1.0]],
        squared: [[1.0, 2.0, 3.0, 1.0, 4.0, 1.0], [0.0, -1.0, 1.0, 1.0, 1.0, 4.0]],
        stacked: [[1.0, 2.0], [0.0, -1.0], [3.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]],
    })
    w = torch.tensor([[1.0, 0.0, -1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 0.0, 0.0, -1.0], [0.5, 0.0, 0.0, 2.0, 0.0, 0.0]])
    chances = "these are probabilities: logits are asked"
    check(pair_logits, u, v, w).equals([[3.0, 4.0, 2.5], [3.0, -2.0, 2.0]], rtol=1e-4, near={
        signed: [[-5.0, 4.0, 2.5], [-5.0, 2.0, 2.0]],
        chances: [[0.236551, 0.643012, 0.143477]],
    })


score
