from helpers.checks import graded


@graded("self-attention", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    queries_axis = "the softmax runs over the queries, so that columns add up to 1: use dim=-1"
    weights = "the weights came back in place of the scores"
    scores_x = "the scores were not put through softmax"
    scaled = "the scores are scaled here; that is the next exercise"
    order = "the two results are exchanged: scores first"
    one = "only the result came back: return the scores first, then the result"
    scaled_later = "the scores came back as they are, but were scaled before the softmax: not yet"
    d_by_d = "these are scores of features with features (d by d): tokens are in rows, so it is X X^T"
    axis_1 = "the softmax runs over axis 1, which is that of the keys only without leading axes: use dim=-1"

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

    def without_itself(s):
        return s.masked_fill(torch.eye(s.shape[-1], dtype=torch.bool), -torch.inf)

    masked = "later tokens are hidden here: nothing is masked yet"
    means = {
        "the mean runs over the features of a token; it runs over the tokens":
            lambda x: x.mean(-1, keepdim=True).expand_as(x),
        "one row came: every token of x is replaced, so the shape stays": lambda x: x.mean(-2),
        "one row came: every token of x is replaced, so the shape stays as it is": lambda x: x.mean(-2, keepdim=True),
        "the token itself was left out: the mean is over all tokens":
            lambda x: (x.sum(-2, keepdim=True) - x) / max(1, x.shape[-2] - 1),
        "this is the sum of the tokens, not their mean": lambda x: x.sum(-2, keepdim=True).expand_as(x),
        "the mean runs over the batch, too: each sequence has its own":
            lambda x: x.mean(tuple(range(x.dim() - 1)), keepdim=True).expand_as(x),
        "the mean runs over the first axis; the tokens are on the last but one":
            lambda x: x.mean(0, keepdim=True).expand_as(x),
        "the sum was divided by the number of features, not by that of the tokens":
            lambda x: (x.sum(-2, keepdim=True) / x.shape[-1]).expand_as(x),
        "this is softmax(X), not the mean": lambda x: soft(x, -2),
        "this is the mean of the tokens so far; it is the mean of all":
            lambda x: x.cumsum(-2) / torch.arange(1, x.shape[-2] + 1)[:, None],
    }
    alike = {
        queries_axis: lambda x: of_scores(dot(x, x), x, over_queries),
        axis_1: lambda x: of_scores(dot(x, x), x, lambda s: soft(s, 1)),
        d_by_d: lambda x: (x.mT @ x, x @ soft(x.mT @ x)),
        weights: lambda x: (soft(dot(x, x)), soft(dot(x, x)) @ x),
        scores_x: lambda x: (dot(x, x), dot(x, x) @ x),
        scaled: lambda x: of_scores(dot(x, x) / x.shape[-1] ** 0.5, x),
        scaled_later: lambda x: of_scores(dot(x, x), x, lambda s: soft(s / x.shape[-1] ** 0.5)),
        masked: lambda x: of_scores(dot(x, x), x, causal),
        order: lambda x: (soft(dot(x, x)) @ x, dot(x, x)),
        one: lambda x: soft(dot(x, x)) @ x,
        "these are cosines: the tokens are not divided by their lengths": lambda x: of_scores(dot(unit(x), unit(x)), x),
        "the diagonal was left out: a token looks at itself, too":
            lambda x: of_scores(without_itself(dot(x, x)), x),
        "the diagonal was left out of the softmax: a token looks at itself, too":
            lambda x: of_scores(dot(x, x), x, lambda s: soft(without_itself(s))),
    }
    learned = {
        queries_axis: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, over_queries),
        axis_1: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, lambda s: soft(s, 1)),
        d_by_d: lambda x, q, k, v: ((x @ q).mT @ (x @ k), (x @ v) @ soft((x @ q).mT @ (x @ k))),
        weights: lambda x, q, k, v: (soft(dot(x @ q, x @ k)), mixed(x, q, k, v)[1]),
        scores_x: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, lambda s: s),
        "queries and keys are exchanged: the scores are transposed":
            lambda x, q, k, v: of_scores(dot(x @ k, x @ q), x @ v),
        "the values are x itself: they are x W_V": lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x),
        "the keys were mixed in place of the values": lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ k),
        "the queries were mixed in place of the values": lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ q),
        "the weights are transposed: tokens are in rows, so it is x W, not x W^T":
            lambda x, q, k, v: mixed(x, q.T, k.T, v.T),
        scaled: lambda x, q, k, v: of_scores(dot(x @ q, x @ k) / q.shape[-1] ** 0.5, x @ v),
        scaled_later: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, lambda s: soft(s / q.shape[-1] ** 0.5)),
        masked: lambda x, q, k, v: of_scores(dot(x @ q, x @ k), x @ v, causal),
        "x was added to the result: it is softmax(...) X W_V alone":
            lambda x, q, k, v: (dot(x @ q, x @ k), x + mixed(x, q, k, v)[1]),
        order: lambda x, q, k, v: mixed(x, q, k, v)[::-1],
        "W_Q was used for the keys, too": lambda x, q, k, v: mixed(x, q, q, v),
        "W_Q and W_K were left out of the scores": lambda x, q, k, v: of_scores(dot(x, x), x @ v),
        one: lambda x, q, k, v: mixed(x, q, k, v)[1],
        "W_K was used for the queries, too": lambda x, q, k, v: mixed(x, k, k, v),
    }
    check.mistakes(means, mean_mixing)
    check.mistakes(alike, similarity_mixing)
    check.mistakes(learned, self_attention)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    of_mean = check(mean_mixing, x).equals([[0.5, 1.0], [0.5, 1.0]], **loose)
    of_similar = check(similarity_mixing, x).equals(
        ([[1.0, 0.0], [0.0, 4.0]], [[0.7311, 0.5379], [0.0180, 1.9640]]), **loose
    )
    asks, found = torch.tensor([[-1.0, -2.0], [1.5, -0.5]]), torch.tensor([[2.0, 2.0], [0.5, 0.5]])
    gives = torch.tensor([[2.0, -5.0], [-0.5, 0.5]])
    check(self_attention, x, asks, found, gives).equals(
        ([[-6.0, -3.0], [4.0, 2.0]], [[-0.8577, 0.7154], [1.6424, -4.2848]]), **loose
    )
    W_q, W_k, W_v = torch.tensor([[1.0, 1.0], [0.0, 1.0]]), torch.eye(2), torch.tensor([[3.0], [1.0]])
    of_learned = check(self_attention, x, W_q, W_k, W_v).equals(
        ([[1.0, 2.0], [0.0, 4.0]], [[2.2689], [2.0180]]), **loose
    )
    batch, square = torch.stack([x, torch.tensor([[3.0, 1.0], [1.0, 1.0]])]), torch.tensor([[3.0, 1.0], [1.0, 0.0]])
    check(mean_mixing, batch).equals([[[0.5, 1.0]] * 2, [[2.0, 1.0]] * 2], about="a batch of two", **loose)
    asked = [[[1.0, 2.0], [0.0, 4.0]], [[13.0, 7.0], [5.0, 3.0]]]
    results = [[[2.2689, 0.2689], [2.0180, 0.0180]], [[9.9852, 2.9951], [9.2848, 2.7616]]]
    check(self_attention, batch, W_q, W_k, square).equals((asked, results), about="a batch of two", **loose)
    flow = {"about": "gradients of the squares", **loose}
    check(slopes, mean_mixing, x).equals([[[1.5, 3.0], [1.5, 3.0]]], near=cut(of_mean), **flow)
    check(slopes, similarity_mixing, x).equals(
        [[[5.5969, 1.7039], [0.8519, 41.3984]]], near=cut(of_similar), **flow
    )
    by_x, by_W_q = [[19.7581, 11.0868], [61.7580, 48.2070]], [[3.7844, 4.4312], [0.2851, 31.4297]]
    by_W_k, by_W_v = [[3.7844, 4.0695], [4.4312, 35.8609]], [[2.5860], [29.1234]]
    check(slopes, self_attention, x, W_q, W_k, W_v).equals(
        [by_x, by_W_q, by_W_k, by_W_v], near=cut(of_learned), **flow
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    lost = "the dtype changed: float64 goes in and must come out"

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    close = {"rtol": 1e-4, "atol": 1e-5}
    axes, fine = "with leading axes it fails: work on the last two axes, and exchange only these", set()
    works = set()
    mixed_dtypes = "x of float64 met a tensor of float32 here: make new tensors with dtype=x.dtype"
    trained = partial(gradients.trained, check, slopes)

    def judge(function, args, wanted, kind):
        """Judge one call; the axes are to blame for an error only where it works without them."""
        near = {axes: RuntimeError} if lead and kind in fine else {}
        about = "with a batch" if lead else "fresh tokens"
        if check(function, *args).equals(wanted, about=f"{kind}, {about}", near=near, **close).passed:
            fine.add(kind)
            works.add(function)

    for lead in [(), (), (3,), (2, 3)]:
        x = draw(*lead, 5, 4)
        judge(mean_mixing, (x,), torch.full((5, 5), 0.2) @ x, "the mean")
        judge(similarity_mixing, (x,), of_scores(dot(x, x), x), "similarity")
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
    for function, oracle, case in [
        (mean_mixing, mean, (x,)), (self_attention, mixed, (x, *W)), (similarity_mixing, similar, (x[:, :3],)),
    ]:
        check(function, *case).equals(oracle(*case), about="many tokens, large numbers", rtol=1e-3, atol=1e-3)
    for shape, d, e in [((1, 1, 1), 1, 1), ((2, 3, 1), 1, 1), ((1, 4), 1, 1), ((1, 2, 3), 1, 2)]:
        x, W = draw(*shape), (draw(shape[-1], d), draw(shape[-1], d), draw(shape[-1], e))
        for function, oracle, case in [
            (mean_mixing, mean, (x,)), (similarity_mixing, similar, (x,)), (self_attention, mixed, (x, *W)),
        ]:
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
    for function, oracle, case in [
        (mean_mixing, mean, (x,)), (similarity_mixing, similar, (x,)), (self_attention, mixed, (x, *W)),
    ]:
        trained(function, oracle, *case, near=cut_off(oracle) if oracle is not mean else None)
        double = [t.double() / 3 for t in case]
        met = {mixed_dtypes: RuntimeError} if function in works else {}
        check(function, *double).equals(oracle(*double), about="64 bits", edge=True, rtol=1e-9, atol=1e-9, near=met)
        check(function, *(t.double() for t in case)).holds(
            lambda found: all(str(t.dtype) == "torch.float64" for t in found), "float64 in all that comes back",
            about="the dtype is kept", edge=True,
            near={lost: lambda found: any(str(t.dtype) != "torch.float64" for t in found)} | met,
        )
    ### END HIDDEN TESTS


score
