from helpers.checks import graded


@graded("self-attention", points=4)
def score(check):
    import torch

    says = {
        "features": "the mean runs over the features of a token; it runs over the tokens",
        "kept": "one row came: every token of x is replaced, so the shape stays",
        "sum": "this is the sum of the tokens, not their mean",
        "over_queries": "the softmax runs over the queries, so that columns add up to 1: use dim=-1",
        "d_by_d": "these are scores of features with features (d by d): tokens are in rows, so it is X X^T",
        "weights": "the weights came back in place of the scores",
        "scores_x": "the scores were not put through softmax",
        "exchanged": "queries and keys are exchanged: the scores are turned round",
        "x_values": "the values are x itself: they are x W_V",
        "k_values": "the keys were mixed in place of the values",
        "q_values": "the queries were mixed in place of the values",
        "W_turned": "the weights are turned round: tokens are in rows, so it is x W, not x W^T",
        "scaled": "the scores are scaled here; that is the next exercise",
        "order": "the two results are exchanged: scores first",
        "same_W": "W_Q was used for the keys, too",
        "no_W": "W_Q and W_K were left out of the scores",
        "axis_1": "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1",
        "one": "only the result came back: return the scores first, then the result",
        "cosine": "these are cosines: the tokens are not divided by their lengths",
        "so_far": "this is the mean of the tokens so far; it is the mean of all",
        "scaled_later": "the scores came back as they are, but were scaled before the softmax: not yet",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    check(mean_mixing, x).equals([[0.5, 1.0], [0.5, 1.0]], **loose, near={
        says["so_far"]: [[1.0, 0.0], [0.5, 1.0]],
        says["features"]: [[0.5, 0.5], [1.0, 1.0]], says["kept"]: [0.5, 1.0], says["sum"]: [[1.0, 2.0], [1.0, 2.0]],
    })
    check(similarity_mixing, x).equals(
        ([[1.0, 0.0], [0.0, 4.0]], [[0.7311, 0.5379], [0.0180, 1.9640]]), **loose, near={
            says["one"]: [[0.7311, 0.5379], [0.0180, 1.9640]],
            says["cosine"]: ([[1.0, 0.0], [0.0, 1.0]], [[0.7311, 0.5379], [0.2689, 1.4621]]),
            says["weights"]: ([[0.7311, 0.2689], [0.018, 0.982]], [[0.7311, 0.5379], [0.018, 1.964]]),
            says["scores_x"]: ([[1.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 8.0]]),
            says["scaled"]: ([[0.7071, 0.0], [0.0, 2.8284]], [[0.6698, 0.6605], [0.0558, 1.8884]]),
            says["scaled_later"]: ([[1.0, 0.0], [0.0, 4.0]], [[0.6698, 0.6605], [0.0558, 1.8884]]),
            says["order"]: ([[0.7311, 0.5379], [0.0180, 1.9640]], [[1.0, 0.0], [0.0, 4.0]]),
        },
    )
    W_q, W_k, W_v = torch.tensor([[1.0, 1.0], [0.0, 1.0]]), torch.eye(2), torch.tensor([[3.0], [1.0]])
    check(self_attention, x, W_q, W_k, W_v).equals(
        ([[1.0, 2.0], [0.0, 4.0]], [[2.2689], [2.0180]]), **loose, near={
        says["over_queries"]: ([[1.0, 2.0], [0.0, 4.0]], [[2.4316], [2.5684]]),
        says["weights"]: ([[0.2689, 0.7311], [0.018, 0.982]], [[2.2689], [2.018]]),
        says["scores_x"]: ([[1.0, 2.0], [0.0, 4.0]], [[7.0], [8.0]]),
        says["exchanged"]: ([[1.0, 0.0], [2.0, 4.0]], [[2.7311], [2.1192]]),
        says["x_values"]: (
            [[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.4621], [0.018, 1.964]]),
        says["k_values"]: (
            [[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.4621], [0.018, 1.964]]),
        says["q_values"]: ([[1.0, 2.0], [0.0, 4.0]], [[0.2689, 1.7311], [0.018, 1.982]]),
        says["scaled"]: ([[0.7071, 1.4142], [0.0, 2.8284]], [[2.3302], [2.0558]]),
        says["order"]: ([[2.2689], [2.018]], [[1.0, 2.0], [0.0, 4.0]]),
        says["same_W"]: ([[2.0, 2.0], [2.0, 4.0]], [[2.5], [2.1192]]),
        says["no_W"]: ([[1.0, 0.0], [0.0, 4.0]], [[2.7311], [2.018]]),
        "W_K was used for the queries, too": ([[1.0, 0.0], [0.0, 4.0]], [[2.7311], [2.018]]),
        says["one"]: [[2.2689], [2.018]],
    }
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients

    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}


    def soft(s, dim=-1):
        return torch.softmax(s, dim)

    def dot(a, b):
        return torch.einsum("...id,...jd->...ij", a, b)

    def mixed(x, W_q, W_k, W_v):
        s = dot(x @ W_q, x @ W_k)
        return s, soft(s) @ (x @ W_v)

    def of_scores(s, v, weigh=soft):
        return s, weigh(s) @ v

    def unit(x):
        return x / x.norm(dim=-1, keepdim=True)

    def over_queries(s):
        return soft(s, -2)

    def causal(s):
        return soft(s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -torch.inf))

    masked = "later tokens are hidden here: nothing is masked yet"

    means = {
        says["features"]: lambda x: x.mean(-1, keepdim=True).expand_as(x),
        says["kept"]: lambda x: x.mean(-2),
        "one row came: every token of x is replaced, so the shape stays as it is": lambda x: x.mean(-2, keepdim=True),
        says["sum"]: lambda x: x.sum(-2, keepdim=True).expand_as(x),
        "the mean runs over the batch, too: each sequence has its own": lambda x: x.mean(
            tuple(range(x.dim() - 1)), keepdim=True
        ).expand_as(x),
        "the mean runs over the first axis; the tokens lie on the last but one": lambda x: x.mean(
            0, keepdim=True
        ).expand_as(x),
        "the sum was divided by the number of features, not by that of the tokens": lambda x: (
            x.sum(-2, keepdim=True) / x.shape[-1]
        ).expand_as(x),
        "this is softmax(X), not the mean": lambda x: soft(x, -2),
        says["so_far"]: lambda x: x.cumsum(-2) / torch.arange(1, x.shape[-2] + 1)[:, None],
    }
    alike = {
        says["over_queries"]: lambda x: of_scores(dot(x, x), x, over_queries),
        says["axis_1"]: lambda x: of_scores(dot(x, x), x, lambda s: soft(s, 1)),
        says["d_by_d"]: lambda x: (x.mT @ x, x @ soft(x.mT @ x)),
        says["weights"]: lambda x: (soft(dot(x, x)), soft(dot(x, x)) @ x),
        says["scores_x"]: lambda x: (dot(x, x), dot(x, x) @ x),
        says["scaled"]: lambda x: of_scores(dot(x, x) / x.shape[-1] ** 0.5, x),
        says["scaled_later"]: lambda x: of_scores(dot(x, x), x, lambda s: soft(s / x.shape[-1] ** 0.5)),
        masked: lambda x: of_scores(dot(x, x), x, causal),
        says["order"]: lambda x: (soft(dot(x, x)) @ x, dot(x, x)),
        says["one"]: lambda x: soft(dot(x, x)) @ x,
        says["cosine"]: lambda x: of_scores(dot(unit(x), unit(x)), x),
        "the diagonal was left out: a token looks at itself, too": lambda x: of_scores(
            dot(x, x).masked_fill(torch.eye(x.shape[-2], dtype=torch.bool), -torch.inf), x
        ),
        "the diagonal was left out of the softmax: a token looks at itself, too": lambda x: of_scores(
            dot(x, x), x, lambda s: soft(s.masked_fill(torch.eye(s.shape[-1], dtype=torch.bool), -torch.inf))
        ),
    }
    learned = {
        says["over_queries"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, over_queries),
        says["axis_1"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, lambda s: soft(s, 1)),
        says["d_by_d"]: lambda x, q, k, v: ((x @ q).mT @ (x @ k), (x @ v) @ soft((x @ q).mT @ (x @ k))),
        says["weights"]: lambda x, q, k, v: (soft(dot(x @ q, x @ k)), mixed(x, q, k, v)[1]),
        says["scores_x"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, lambda s: s),
        says["exchanged"]: lambda x, q, k, v: of_scores(dot(x @ k, x @ q), x @ v),
        says["x_values"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x),
        says["k_values"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ k),
        says["q_values"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ q),
        says["W_turned"]: lambda x, q, k, v: mixed(x, q.T, k.T, v.T),
        says["scaled"]: lambda x, q, k, v: of_scores(dot(x @ q, x @ k) / q.shape[-1] ** 0.5, x @ v),
        says["scaled_later"]: lambda x, q, k, v: of_scores(
            dot(x @ q, x @ k), x @ v, lambda s: soft(s / q.shape[-1] ** 0.5)
        ),
        masked: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, causal),
        "x was added to the result: it is softmax(...) X W_V alone": lambda x, q, k, v: (
            dot(x @ q, x @ k), x + mixed(x, q, k, v)[1]
        ),
        says["order"]: lambda x, q, k, v: mixed(x, q, k, v)[::-1],
        says["same_W"]: lambda x, q, k, v: mixed(x, q, q, v),
        says["no_W"]: lambda x, q, k, v: of_scores(dot(x, x), x @ v),
        says["one"]: lambda x, q, k, v: mixed(x, q, k, v)[1],
        "W_K was used for the queries, too": lambda x, q, k, v: mixed(x, k, k, v),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = "with leading axes it fails: work on the last two axes, and exchange only these", set()

    trained = partial(gradients.trained, check, slopes)

    def judge(function, args, wanted, kind):
        """Judge one call; the axes are to blame for an error only where it works without them."""
        near = {axes: RuntimeError} if lead and kind in fine else {}
        about = "with a batch" if lead else "fresh tokens"
        if check(function, *args).equals(wanted, about=f"{kind}, {about}", near=near, **close).passed:
            fine.add(kind)

    for lead in [(), (), (3,), (2, 3)]:
        x = draw(*lead, 5, 4)
        check.mistakes(means)
        judge(mean_mixing, (x,), torch.full((5, 5), 0.2) @ x, "the mean")
        check.mistakes(alike)
        judge(similarity_mixing, (x,), of_scores(dot(x, x), x), "similarity")
        check.mistakes(learned)
        for d, e in [(3, 6), (4, 4)]:
            W = draw(4, d), draw(4, d), draw(4, e)
            judge(self_attention, (x, *W), mixed(x, *W), "learned")
    W = [30 * w for w in W]
    check(self_attention, x, *W).equals(mixed(x, *W), about="large scores", rtol=1e-3, atol=1e-3)
    x = draw(1, 4)
    check(similarity_mixing, x).equals((x @ x.T, x), about="one token", edge=True, **close)
    def mean(x):
        return torch.full((x.shape[-2],) * 2, 1 / x.shape[-2], dtype=x.dtype) @ x

    def similar(x):
        return of_scores(dot(x, x), x)

    x, W = 40 * draw(80, 70), (draw(70, 68) / 300, draw(70, 68) / 300, draw(70, 3))
    for known, function, oracle, case in [
        (means, mean_mixing, mean, (x,)), (learned, self_attention, mixed, (x, *W)),
        (alike, similarity_mixing, similar, (x[:, :3],)),
    ]:
        check.mistakes(known)
        check(function, *case).equals(oracle(*case), about="many tokens, large numbers", rtol=1e-3, atol=1e-3)
    for shape, d, e in [((1, 1, 1), 1, 1), ((2, 3, 1), 1, 1), ((1, 4), 1, 1), ((1, 2, 3), 1, 2)]:
        x, W = draw(*shape), (draw(shape[-1], d), draw(shape[-1], d), draw(shape[-1], e))
        for known, function, oracle, case in [
            (means, mean_mixing, mean, (x,)), (alike, similarity_mixing, similar, (x,)),
            (learned, self_attention, mixed, (x, *W)),
        ]:
            check.mistakes(known)
            check(function, *case).equals(oracle(*case), about="axes of size 1", edge=True, **close)
    def cut_off(oracle):
        """Mistakes that give the right values, and some gradients."""
        return {
            "the gradient stops at the scores that come back: no detach": lambda *a: [
                part.detach() if i == 0 else part for i, part in enumerate(oracle(*a))
            ],
            "the gradient stops at the weights: no detach": lambda x, *W: (
                (s := oracle(x, *W)[0]), soft(s).detach() @ (x @ W[2] if W else x)
            ),
        }

    x, W = draw(2, 5, 4), (draw(4, 3), draw(4, 3), draw(4, 6))
    for known, function, oracle, case in [
        (means, mean_mixing, mean, (x,)), (alike, similarity_mixing, similar, (x,)),
        (learned, self_attention, mixed, (x, *W)),
    ]:
        trained(function, oracle, *case, known=known, near=cut_off(oracle) if oracle is not mean else None)
        fine = [t.double() / 3 for t in case]
        check.mistakes({})
        check(function, *fine).equals(oracle(*fine), about="64 bits", edge=True, rtol=1e-9, atol=1e-9)
        check(function, *(t.double() for t in case)).holds(
            lambda found: all(str(t.dtype) == "torch.float64" for t in found), "float64 in all that comes back",
            about="the dtype is kept", edge=True,
            near={next(iter(lost)): lambda found: any(str(t.dtype) != "torch.float64" for t in found)},
        )
    ### END HIDDEN TESTS


score
