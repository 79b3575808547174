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
    ### BEGIN MISTAKES
    def exps(s, dim=-1):
        return torch.exp(s - s.amax(dim, keepdim=True))

    def plain(s, dim=-1):
        return torch.softmax(s, dim)

    def size(s, dim, keepdim):
        return s.abs().amax(dim, keepdim=keepdim)

    def less(of):
        def function(s, dim=-1):
            e = torch.exp(s - of(s, dim, keepdim=True))
            return e / e.sum(dim, keepdim=True)

        return function

    def whole(s, dim=-1):
        e = torch.exp(s - s.max())
        return e / e.sum(dim, keepdim=True)

    def naive(s, dim=-1):
        e = torch.exp(s)
        return e / e.sum(dim, keepdim=True)

    def lost(e, dim):
        return e / e.sum(dim, keepdim=True)

    axis = "the reduced axis is lost, and the shapes no longer fit: use keepdim=True"
    known = {
        overflow: naive,
        "one maximum of all scores was subtracted: each slice along `dim` needs its own": whole,
        "NaN came: something else than the largest score was subtracted, the smallest": less(torch.amin),
        "NaN came: something else than the largest score was subtracted, the mean": less(torch.mean),
        f"{subtracted}, the largest size without its sign": less(size),
        "the sum runs over the last axis, whatever `dim` is":
            lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(-1, keepdim=True),
        "the sum runs over the first axis, whatever `dim` is":
            lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(0, keepdim=True),
        "divided by the sum of all exponentials: each slice along `dim` has its own":
            lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(),
        "divided by the sum of the scores: divide by the sum of the exponentials":
            lambda s, dim=-1: exps(s, dim) / s.sum(dim, keepdim=True),
        "the maximum runs over the last axis, whatever `dim` is": lambda s, dim=-1: lost(exps(s, -1), dim),
        "the maximum runs over the first axis, whatever `dim` is": lambda s, dim=-1: lost(exps(s, 0), dim),
        "a score of minus infinity was taken for 0: it gets the weight 0":
            lambda s, dim=-1: plain(s.masked_fill(s == ninf, 0.0), dim),
        "the scores were cut off: their differences are lost. Subtract the largest":
            lambda s, dim=-1: naive(s.clamp(-80, 80), dim),
        "NaN was replaced when it was too late: subtract the largest score first":
            lambda s, dim=-1: naive(s, dim).nan_to_num(),
        "`dim` was ignored: the softmax always runs over the last axis": lambda s, dim=-1: plain(s, -1),
        "the softmax runs over another axis: use `dim`": lambda s, dim=-1: plain(s, (dim + 1) % s.dim()),
        "the softmax always runs over the first axis: use `dim`": lambda s, dim=-1: plain(s, 0),
        "the weights of all slices together add up to 1; those of each slice must":
            lambda s, dim=-1: plain(s.flatten(), 0).view(s.shape),
        "these are the exponentials: divide by their sum": lambda s, dim=-1: torch.exp(s),
        "divided by the largest exponential, or the maximum was subtracted and no more: divide by their sum": exps,
        "the scores were divided by their sum: take exp first": lambda s, dim=-1: s / s.sum(dim, keepdim=True),
        "this is the logarithm of the weights": lambda s, dim=-1: torch.log_softmax(s, dim),
        negative: lambda s, dim=-1: plain(-s, dim),
        "these are powers of 2: take exp": lambda s, dim=-1: plain(s * 0.6931472, dim),
        "softmax was taken twice": lambda s, dim=-1: plain(plain(s, dim), dim),
        "all the weight went to the largest score: that is no softmax": lambda s, dim=-1: (exps(s, dim) == 1).float(),
        f"{axis} (of the sum)": lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(dim),
        f"{axis} (of the maximum)": lambda s, dim=-1: lost(torch.exp(s - s.amax(dim)), dim),
        f"{axis} (of both)": lambda s, dim=-1: torch.exp(s - s.amax(dim)) / torch.exp(s - s.amax(dim)).sum(dim),
    } | {
        f"a small number, {eps:g}, was added below the fraction: the weights do not add up to 1":
            lambda s, dim=-1, eps=eps: exps(s, dim) / (exps(s, dim).sum(dim, keepdim=True) + eps)
        for eps in (1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
    }
    check.mistakes(known, softmax)
    context = {
        "divided by the sum of the weights: they are taken as they are, even where they do not add up to 1":
            lambda w, v: w @ v / w.sum(-1, keepdim=True),
        "divided by the sum of the weights' sizes: they are taken as they are":
            lambda w, v: w @ v / w.abs().sum(-1, keepdim=True),
        "divided by the length of each row of weights: they are taken as they are":
            lambda w, v: w @ v / w.norm(dim=-1, keepdim=True),
        "divided by the sum of the weights over the queries: they are taken as they are":
            lambda w, v: w / w.sum(-2, keepdim=True) @ v,
        "weights below 0 were set to 0: they are taken as they are": lambda w, v: w.clamp(min=0) @ v,
        features: lambda w, v: (w[..., None] * v[..., None, :, :]).sum(-1),
        "the values were added up without weights":
            lambda w, v: v.sum(-2, keepdim=True).expand(*w.shape[:-1], v.shape[-1]),
        "this is a mean: add up, and do not divide by the number of keys": lambda w, v: w @ v / w.shape[-1],
        "the weights are transposed: each row belongs to a query": lambda w, v: w.transpose(-2, -1) @ v,
        "the values are transposed: each row is the value of a key": lambda w, v: w @ v.transpose(-2, -1),
        "softmax was taken of the weights once more": lambda w, v: torch.softmax(w, -1) @ v,
        "only the value with the largest weight was taken: add up all":
            lambda w, v: torch.take_along_dim(v, w.argmax(-1)[..., None], -2),
        "the weights of all queries were added up: each query has a context vector of its own":
            lambda w, v: (w.sum(-2)[..., None] * v).sum(-2),
        "weights and values were multiplied entry by entry: use @": lambda w, v: w * v,
        "only the first key's value was taken: add up all": lambda w, v: w[..., :1] * v[..., :1, :],
        "an axis of size 1 was squeezed away: one query, or one feature, keeps its axis":
            lambda w, v: (w @ v).squeeze(),
    }
    check.mistakes(context, context_vectors)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    other_dtype = "another dtype came back than went in: turn the result into that of the scores"

    check.hidden()

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)

    def judge(s, about, edge=False, rtol=1e-4, atol=1e-6):
        dims = [{}]
        if s.dim() > 1:
            dims += [{"dim": d} for d in range(-2, s.dim())]
        for dim in dims:
            wanted = torch.softmax(s.double(), dim.get("dim", -1))
            check(softmax, s, **dim).equals(
                wanted, about=about, edge=edge, rtol=rtol, atol=atol, near={axis: RuntimeError} if s.dim() > 1 else {}
            )

    for shape in [(5,), (3, 4), (4, 3), (2, 3, 4), (4, 4)]:
        judge(2 * draw(*shape), "fresh scores")
    judge(draw(3, 4) + 400, "large scores")
    judge(draw(3, 4) * 300, "scores far apart")
    judge(draw(3, 4) - 400, "scores far below zero")
    judge(draw(4, 3) + torch.tensor([[0.0], [500.0], [-500.0], [90.0]]), "rows on different levels")
    judge(draw(3, 3).double() * 50, "64 bits", rtol=1e-9, atol=1e-12)
    hidden = 2 * draw(4, 5)
    hidden[0, 1:4] = hidden[2, 0] = hidden[3, 2] = ninf
    zero = {"a score of minus infinity must not spoil its row: it gets the weight 0": torch.full((4, 5), torch.nan)}
    check(softmax, hidden).equals(torch.softmax(hidden, -1), about="scores of minus infinity", near=zero, atol=1e-6)
    far = torch.tensor([[0.0, -40.0, ninf, -80.0], [-70.0, 10.0, -30.0, ninf]])
    check(softmax, far).equals(
        torch.softmax(far.double(), -1), about="tiny weights", edge=True, rtol=1e-3, atol=1e-40, near={
            f"exponents were cut at {low}, say: minus infinity gets the weight 0": torch.softmax(
                (far - far.amax(-1, keepdim=True)).clamp(min=low).double(), -1
            ) for low in (-20, -30, -50, -60, -70)
        },
    )
    judge(draw(3, 4).t(), "a transposed tensor")
    judge(3 * draw(70, 80), "many scores")
    judge(draw(1, 3, 1), "axes of size 1", edge=True)
    judge(draw(1, 1), "axes of size 1", edge=True)
    half = (3 * draw(3, 4)).half()
    wanted = torch.softmax(half.float(), -1)
    check(softmax, half).equals(wanted, about="half precision", edge=True, rtol=0.02, atol=1e-3)
    for dtype in (torch.float16, torch.float64):
        check(softmax, half.to(dtype)).holds(
            lambda w, dtype=dtype: w.dtype == dtype, f"a tensor of {dtype}", about="the dtype is kept", edge=True,
            near={other_dtype: lambda w, dtype=dtype: w.dtype != dtype},
        )
    check(softmax, draw(3, 1)).equals(torch.ones(3, 1), about="one score", edge=True)
    check(beside, "names_of", softmax, draw(3, 2, 4)).holds(
        lambda names: not by_torch(names), way, about="the way", edge=True, near={own: by_torch})
    fine = False
    for lead in [(), (), (3,), (2, 3)]:
        w, v = torch.softmax(draw(*lead, 4, 5), -1), draw(*lead, 5, 3)
        wanted = (w.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2)
        about = "context, with leading axes" if lead else "context"
        near = axes if lead and fine else {}
        judged = check(context_vectors, w, v).equals(wanted, about=about, rtol=1e-4, atol=1e-6, near=near)
        fine = fine or judged.passed
    w, v = torch.softmax(draw(4, 4), -1), draw(4, 4)
    check(context_vectors, w, v).equals(torch.einsum("qk,kd->qd", w, v), about="context, square", rtol=1e-4, atol=1e-6)
    w, v = 40 * draw(80, 70), 40 * draw(70, 5)
    check(context_vectors, w, v).equals(
        torch.einsum("qk,kd->qd", w, v), about="context, many large weights and values", rtol=1e-3, atol=0.1
    )
    for lead, T_q, T_k, d in [((1,), 1, 1, 1), ((2,), 1, 3, 1), ((1,), 2, 1, 3)]:
        w, v = draw(*lead, T_q, T_k), draw(*lead, T_k, d)
        check(context_vectors, w, v).equals(
            torch.einsum("bqk,bkd->bqd", w, v), about="context, axes of size 1", edge=True, rtol=1e-4, atol=1e-6
        )
    check(context_vectors, w.double(), v.double()).holds(
        lambda c: str(c.dtype) == "torch.float64", "a tensor of float64", about="context, the dtype is kept", edge=True,
        near={other_dtype.replace("scores", "values"): lambda c: str(c.dtype) != "torch.float64"},
    )
    trained(context_vectors, torch.matmul, draw(2, 3, 4), draw(2, 4, 2), about="context, gradients")
    known_slopes = {
        "the gradient stops at the sum: no detach":
            lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(dim, keepdim=True).detach(),
    }
    trained(softmax, plain, 2 * draw(3, 4), near=known_slopes)
    trained(softmax, plain, 2 * draw(3, 4), 0, near=known_slopes)
    trained(
        softmax, plain, hidden, about="gradients where a score is minus infinity", edge=True, near=known_slopes
    )
    ### END HIDDEN TESTS


score
