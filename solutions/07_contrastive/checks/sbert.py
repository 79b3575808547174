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
    ### BEGIN HIDDEN TESTS
    import numpy as np

    check.hidden()

    def made(parts=lambda u, v: (u, v, (u - v).abs()), dim=-1):
        return lambda u, v: torch.cat(parts(u, v), dim)

    wrong = {
        signed: made(lambda u, v: (u, v, u - v)), "this is v - u, without the absolute value": made(
            lambda u, v: (u, v, v - u)),
        product: made(lambda u, v: (u, v, u * v)), squared: made(lambda u, v: (u, v, (u - v) ** 2)),
        order: made(lambda u, v: ((u - v).abs(), u, v)), "u comes first, then v": made(
            lambda u, v: (v, u, (u - v).abs())),
        "|u - v| is missing": made(lambda u, v: (u, v)), stacked: made(dim=0),
        "one distance for each pair came: one for each number is asked": made(
            lambda u, v: (u, v, (u - v).norm(dim=-1, keepdim=True))),
        "they were stacked along a new axis: (B, 3C) is asked": lambda u, v: torch.stack([u, v, (u - v).abs()], -1),
        "stacked along a new last axis, then flattened: the numbers of u, v and |u - v| alternate": lambda u, v: (
            torch.stack([u, v, (u - v).abs()], -1).flatten(1)),
        "u + v stands where |u - v| is asked": made(lambda u, v: (u, v, (u + v).abs())),
        "this is the difference of the absolute values": made(lambda u, v: (u, v, u.abs() - v.abs())),
        "u and v were brought to length 1: take them as they are": made(
            lambda u, v: (a := u / u.norm(dim=-1, keepdim=True), b := v / v.norm(dim=-1, keepdim=True), (a - b).abs())),
    }
    check.mistakes(wrong)
    draws = []
    for B, C, K in [(3, 4, 2), (5, 2, 3), (2, 6, 4)]:
        u, v, w = (torch.from_numpy(check.rng.normal(size=s) * 2).float() for s in ((B, C), (B, C), (K, 3 * C)))
        want = np.concatenate([u, v, np.abs(np.asarray(u) - np.asarray(v))], axis=1)
        draws.append((u, v, w, want))
        check(pair_features, u, v).equals(want, about="fresh pairs", rtol=1e-4, atol=1e-6)
    check.mistakes({words: lambda u, v, w, f=f: f(u, v) @ w.T for words, f in wrong.items()} | {
        chances: lambda u, v, w: (made()(u, v) @ w.T).softmax(-1),
        "W was reshaped: it is to be transposed": lambda u, v, w: made()(u, v) @ w.reshape(-1, len(w)),
        "|u - v| has no part in the logits": lambda u, v, w: (
            made(lambda u, v: (u, v, 0 * u))(u, v) @ w.T),
        "W has a row for each class: logits are (B, K)": lambda u, v, w: w @ made()(u, v).T,
    })
    for u, v, w, want in draws:
        check(pair_logits, u, v, w).equals(want @ w.double().numpy().T, about="fresh logits", rtol=1e-3, atol=1e-4)
    ### END HIDDEN TESTS


score
