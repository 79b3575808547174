from helpers.checks import difference, graded


@graded("bengio", points=4)
def score(check):
    import torch
    from torch.nn import functional as F

    direct = "the direct path is missing: add x W_d"
    no_tanh = "the hidden layer has no tanh"
    mean = "the vectors of the window were averaged or added: lay them one after another"
    newest = "the oldest word comes first in x: here the window was turned round"
    no_b_h = "the bias b_h of the hidden layer is missing"
    no_b_o = "the bias b_o of the scores is missing"
    inside = "the direct path goes round the tanh, not through it"

    E = torch.tensor([[1.0], [2.0], [3.0]])
    args = (torch.tensor([[2, 0]]), E, torch.tensor([[0.1], [-0.2]]), torch.tensor([0.3]),
        torch.tensor([[1.0, -1.0, 2.0]]),
            torch.tensor([0.5, 0.0, -0.5]), torch.tensor([[0.1, 0.2, 0.3], [-0.1, 0.4, 0.0]]))
    check(bengio_logits, *args).equals([[1.0799, 0.6201, 1.1599]], rtol=1e-4,
        near={direct: [[0.87995, -0.37995, 0.2599]], no_tanh: [[1.1, 0.6, 1.2]],
        no_b_h: [[0.79967, 0.90033, 0.59934]], no_b_o: [[0.57995, 0.62005, 1.6599]],
        newest: [[0.10262, 1.5974, -0.59475]], mean: [[0.59967, 1.1003, 0.29934]],
        inside: [[0.9033, 0.1237, 0.55841]],
        "these are probabilities: return the scores, without a softmax": [[0.36838, 0.23258, 0.39904]],
        "these are log-probabilities: return the scores as they are": [[-0.99864, -1.45852, -0.9187]]})
    by_dimension = "x holds word after word: here all first numbers of the vectors came first"
    batch_mixed = "reshape mixed the batch: x needs one row for each window"
    one_answer = "all rows of the batch got the answer of the first window"
    one_score = "all rows of the batch got the scores of the first window"
    ids, E = torch.tensor([[2, 0], [1, 2]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]])
    W_h, b_h, W_o = torch.tensor([[0.1], [0.2], [-0.1], [0.3]]), torch.tensor([0.1]), torch.tensor([[1.0, 0.0, -1.0]])
    W_d = torch.tensor([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]])
    check(bengio_logits, ids, E, W_h, b_h, W_o, torch.tensor([0.0, 0.5, 0.0]), W_d).equals(
        [[1.0, 0.0, 0.5], [-0.69738, 0.5, 1.19738]], rtol=1e-4, about="two windows, two dimensions", near={
        by_dimension: [[1.53705, 1.0, -1.03705], [-0.40033, 1.0, 0.40033]],
        batch_mixed: [[1.87995, 0.5, -0.37995], [-0.29131, 0.0, 1.29131]],
        newest: [[-0.29131, 0.0, 1.29131], [1.87995, 0.5, -0.37995]],
        one_answer: [[1.0, 0.0, 0.5]], one_score: [[1.0, 0.0, 0.5], [1.0, 0.0, 0.5]]})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def scores(ids, E, W_h, b_h, W_o, b_o, W_d, *, act=torch.tanh, join=lambda e: e.flatten(1), d=1, bh=1, bo=1):
        x = join(E[ids])
        return act(x @ W_h + bh * b_h) @ W_o + d * (x @ W_d) + bo * b_o

    def variant(**changed):
        return lambda *args: scores(*args, **changed)

    check.mistakes({
        direct: variant(d=0), no_tanh: variant(act=lambda z: z), no_b_h: variant(bh=0), no_b_o: variant(bo=0),
        newest: variant(join=lambda e: e.flip(1).flatten(1)),
        mean: variant(join=lambda e: e.mean(1).repeat(1, e.shape[1])),
        "the vectors of the window were added: lay them one after another": variant(join=lambda e: e.sum(1).repeat(1,
            e.shape[1])),
        by_dimension: variant(join=lambda e: e.transpose(1, 2).flatten(1)),
        "a ReLU came in place of the tanh": variant(act=torch.relu),
        "a sigmoid came in place of the tanh": variant(act=torch.sigmoid),
        "the tanh goes round the hidden layer only, not round the scores": lambda *a: torch.tanh(scores(*a,
            act=lambda z: z)),
        inside: lambda i, E, W_h, b_h, W_o, b_o, W_d: torch.tanh(E[i].flatten(1) @ W_h + b_h) @ W_o
            + torch.tanh(E[i].flatten(1)) @ W_d + b_o,
        "the tanh went round the hidden layer's share of the scores: it goes round x W_h + b_h":
            lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(i, E, 0 * W_h, 0 * b_h, W_o, b_o, W_d) + torch.tanh(
                (E[i].flatten(1) @ W_h + b_h) @ W_o),
        "the scores went through a tanh, too: only the hidden layer does": lambda *a: torch.tanh(scores(*a)),
        "b_h was added outside of the tanh: it belongs inside": lambda i, E, W_h, b_h, W_o, b_o, W_d: scores(
            i, E, W_h, 0 * b_h, W_o, b_o, W_d) + b_h @ W_o,
        "the hidden layer is missing: this is the direct path alone": variant(act=torch.zeros_like),
        "the bias b_o was added twice": variant(bo=2), "the direct path was counted twice": variant(d=2),
        one_answer: lambda i, *a: scores(i[:1], *a),
        one_score: lambda i, *a: scores(i[:1].expand_as(i), *a),
        "the scores are asked, not the likeliest word": lambda *a: scores(*a).argmax(-1),
        "these are probabilities: return the scores, without a softmax": lambda *a: scores(*a).softmax(-1),
        "these are log-probabilities: return the scores as they are": lambda *a: scores(*a).log_softmax(-1),
        batch_mixed: variant(
            join=lambda e: e.permute(1, 0, 2).reshape(e.shape[0], -1)),
    })
    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    for B, n, V, d, H in ((3, 4, 9, 2, 5), (2, 3, 6, 4, 7), (5, 1, 8, 3, 2)):
        args = (draw(V, d), draw(n * d, H), draw(H), draw(H, V), draw(V), draw(n * d, V))
        ids = torch.tensor(check.rng.integers(V, size=(B, n)))
        E, W_h, b_h, W_o, b_o, W_d = args
        x = torch.cat([F.embedding(ids[:, t], E) for t in range(n)], dim=1)
        expected = F.linear(torch.tanh(F.linear(x, W_h.T, b_h)), W_o.T, b_o) + F.linear(x, W_d.T)
        check(bengio_logits, ids, *args).equals(expected, about="random weights", rtol=1e-4, atol=1e-5)
    doubles = [a.double() for a in args]
    exact = scores(ids, *doubles)
    check(bengio_logits, ids, *doubles).holds(
        lambda v: difference(v, exact, rtol=1e-10) is None, "float64 in, float64 out",
        about="float64", near={"float64 was rounded to float32 on the way": lambda v: difference(v, exact, 1e-4, 1e-5)
        is None})
    check(bengio_logits, ids, E.clone().requires_grad_(), *args[1:]).holds(lambda v: v.requires_grad,
        "autograd finds its way back to E", near={"the gradient is cut on its way to E: no detach, no item, no NumPy":
        lambda v: difference(v, expected, 1e-4, 1e-5) is None})
    check(bengio_logits, ids[:1], *args).equals(expected[:1], about="one window", edge=True, rtol=1e-4, atol=1e-5)
    ### END HIDDEN TESTS


score
