from helpers.checks import graded


@graded("sbert", points=4)
def score(check):
    import torch
    ### BEGIN MISTAKES
    import torch.nn.functional as F

    def beside(*parts):
        return torch.cat(parts, dim=-1)

    features = {
        "the absolute value is missing: u - v depends on the order": lambda u, v: beside(u, v, u - v),
        "this is v - u, without the absolute value": lambda u, v: beside(u, v, v - u),
        "this is the product of u and v: the distance in each number is asked": lambda u, v: beside(u, v, u * v),
        "the differences were squared: their absolute values are asked": lambda u, v: beside(u, v, (u - v) ** 2),
        "the order is u, v, |u - v|: here the distances come first": lambda u, v: beside((u - v).abs(), u, v),
        "the order is u, v, |u - v|: here the distances stand between the two": lambda u, v: beside(
            u, (u - v).abs(), v),
        "u comes first, then v": lambda u, v: beside(v, u, (u - v).abs()),
        "|u - v| is missing": lambda u, v: beside(u, v),
        "only |u - v| came: u and v themselves stand in front of it": lambda u, v: (u - v).abs(),
        "side by side is asked, along the last axis: here they stand below each other": lambda u, v: torch.cat(
            [u, v, (u - v).abs()]),
        "one distance for each pair came: one for each number is asked": lambda u, v: beside(
            u, v, (u - v).norm(dim=-1, keepdim=True)),
        "the distances of each pair were added up: one for each number is asked": lambda u, v: beside(
            u, v, (u - v).abs().sum(dim=-1, keepdim=True)),
        "they were stacked along a new axis: (B, 3C) is asked": lambda u, v: torch.stack([u, v, (u - v).abs()], -1),
        "they were stacked along a new axis in the middle: (B, 3C) is asked": lambda u, v: torch.stack(
            [u, v, (u - v).abs()], 1),
        "stacked along a new last axis, then flattened: the numbers of u, v and |u - v| alternate": lambda u, v: (
            torch.stack([u, v, (u - v).abs()], -1).flatten(1)),
        "u + v stands where |u - v| is asked": lambda u, v: beside(u, v, (u + v).abs()),
        "this is the difference of the absolute values": lambda u, v: beside(u, v, u.abs() - v.abs()),
        "negative differences became 0: their absolute values are asked": lambda u, v: beside(u, v, F.relu(u - v)),
        "u and v were brought to length 1: take them as they are": lambda u, v: beside(
            a := F.normalize(u, dim=-1), b := F.normalize(v, dim=-1), (a - b).abs()),
        "the distances were brought to length 1: take them as they are": lambda u, v: beside(
            u, v, F.normalize((u - v).abs(), dim=-1)),
    }
    check.mistakes(features, pair_features)

    def right(u, v):
        return beside(u, v, (u - v).abs())

    def read(made, weight, bias):
        return made @ weight.T + bias  # a RuntimeError, which tells nothing, where the features do not fit

    def head(end=lambda x: x, sign=1.0):
        return lambda u, v, w, b: end(right(u, v) @ w.T + sign * b)

    logits = {words: lambda u, v, w, b, made=made: read(made(u, v), w, b) for words, made in features.items()} | {
        "these are probabilities: logits are asked": head(lambda x: x.softmax(-1)),
        "these are logarithms of probabilities: logits are asked": head(lambda x: x.log_softmax(-1)),
        "these are the chosen classes: logits are asked": head(lambda x: x.argmax(-1)),
        "the bias is missing": head(sign=0.0),
        "the bias was subtracted: it is added": head(sign=-1.0),
        "W was reshaped: it is to be transposed": lambda u, v, w, b: right(u, v) @ w.reshape(-1, len(w)) + b,
        "|u - v| has no part in the logits": lambda u, v, w, b: beside(u, v) @ w[:, : 2 * u.shape[1]].T + b,
        "only |u - v| has a part in the logits": lambda u, v, w, b: (u - v).abs() @ w[:, 2 * u.shape[1] :].T + b,
        "a row for each pair is asked, (B, K): here each class has one": head(lambda x: x.T),
        "the product was divided by the root of its width: take it as it is": lambda u, v, w, b: (
            right(u, v) @ w.T / w.shape[1] ** 0.5 + b),
    }
    check.mistakes(logits, pair_logits)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    import numpy as np

    from helpers.chapters.contrastive.precision import float64_kept

    check.hidden()

    def drawn(*shape):
        return torch.from_numpy(check.rng.normal(size=shape) * 2)

    def wanted(u, v):
        return np.concatenate([u, v, np.abs(u.numpy() - v.numpy())], axis=1)

    def summed(u, v, w, b):
        """The logits, number by number."""
        table = np.zeros((len(u), len(w)))
        for i, row in enumerate(wanted(u, v)):
            for k, weights in enumerate(w.numpy()):
                table[i, k] = (row * weights).sum() + float(b[k])
        return table

    def asked(B, C, K, about, edge=False):
        u, v, w, b = (drawn(*shape) for shape in ((B, C), (B, C), (K, 3 * C), (K,)))
        check(pair_features, u.float(), v.float()).equals(wanted(u, v), about=about, edge=edge, rtol=1e-4, atol=1e-6)
        check(pair_logits, u.float(), v.float(), w.float(), b.float()).equals(
            summed(u, v, w, b), about=about, edge=edge, rtol=1e-3, atol=1e-4)

    for B, C, K in [(3, 4, 2), (5, 2, 3), (2, 6, 4), (4, 3, 5)]:
        asked(B, C, K, "fresh pairs")
    for B, C, K in [(1, 4, 3), (3, 1, 2), (4, 2, 1), (1, 1, 1)]:
        asked(B, C, K, "axes of size 1", edge=True)
    asked(70, 40, 30, "many pairs", edge=True)
    asked(2, 2, 70, "many classes", edge=True)
    large = [100 * drawn(*shape).float() for shape in ((3, 2), (3, 2), (2, 6), (2,))]
    check(pair_logits, *large).equals(summed(*large), about="large numbers", edge=True, rtol=1e-3, atol=1.0)
    u, v, w, b = drawn(3, 4), drawn(3, 4), drawn(2, 12), drawn(2)
    check(pair_features, u * 1e5, v).holds(**float64_kept(wanted(u * 1e5, v)))
    check(pair_logits, u, v, w, b).holds(**float64_kept(summed(u, v, w, b)))
    big = torch.tensor([[3e30, -2.0]]), torch.tensor([[-1e30, 5.0]])
    check(pair_features, *big).equals(wanted(*big), about="large numbers", edge=True, rtol=1e-4)
    check.mistakes({})
    u, v, w, b = (part.float() for part in (u, v, w, b))
    sign = np.sign(u.numpy() - v.numpy())
    check(slopes, pair_features, u, v).equals([1 + sign, 1 - sign], about="the gradients", near={cut: RuntimeError})
    first, second, third = (w.numpy()[:, 4 * i : 4 * i + 4].sum(0) for i in range(3))
    rows = np.repeat(wanted(u, v).sum(0)[None], 2, axis=0)
    check(slopes, pair_logits, u, v, w, b).equals(
        [first + sign * third, second - sign * third, rows, [3.0, 3.0]], about="the gradients", rtol=1e-3, atol=1e-4,
        near={"no gradient flows to u, v, W and b: is something detached?": RuntimeError})

    check(slopes, pair_features, u, u.clone()).holds(finite, "finite gradients", about=equal, edge=True)
    ### END HIDDEN TESTS


score
