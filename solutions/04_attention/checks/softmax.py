from helpers.checks import graded


@graded("softmax", points=6)
def score(check):
    import torch

    says = {
        "no_max": "large scores overflow: subtract the largest score of each slice first",
        "one_max": "one maximum of all scores was subtracted: each slice along `dim` needs its own",
        "subtracted": "NaN came: something else than the largest score was subtracted",
        "min": "NaN came: something else than the largest score was subtracted, the smallest",
        "middle": "NaN came: something else than the largest score was subtracted, the mean",
        "cut": "the scores were cut off: their differences are lost. Subtract the largest",
        "repaired": "NaN was replaced when it was too late: subtract the largest score first",
        "other": "the softmax runs over another axis: use `dim`",
        "first": "the softmax always runs over the first axis: use `dim`",
        "last": "`dim` was ignored: the softmax always runs over the last axis",
        "all": "the weights of all slices together add up to 1; those of each slice must",
        "raw": "these are the exponentials: divide by their sum",
        "top": "divided by the largest exponential, or the maximum was subtracted and no more: divide by their sum",
        "linear": "the scores were divided by their sum: take exp first",
        "log": "this is the logarithm of the weights",
        "negative": "the sign is turned round: the largest score gets the smallest weight",
        "two": "these are powers of 2: take exp",
        "twice": "softmax was taken twice",
        "hard": "all the weight went to the largest score: that is no softmax",
        "added": "a small number was added below the fraction: the weights do not add up to 1",
        "sum_v": "the values were added up without weights",
        "mean": "this is a mean: add up, and do not divide by the number of keys",
        "turned": "the weights are turned round: each row belongs to a query",
        "again": "softmax was taken of the weights once more",
        "over_sum": "divided by the sum of the weights: they are taken as they are, also where they do not add up to 1",
        "by_query": "divided by the sum of the weights over the queries: they are taken as they are",
        "best": "only the value with the largest weight was taken: add up all",
        "one_c": "the weights of all queries were added up: each query has a context vector of its own",
        "last_sum": "the sum runs over the last axis, whatever `dim` is",
        "all_sum": "divided by the sum of all exponentials: each slice along `dim` has its own",
        "last_max": "the maximum runs over the last axis, whatever `dim` is",
        "first_max": "the maximum runs over the first axis, whatever `dim` is",
        "first_sum": "the sum runs over the first axis, whatever `dim` is",
        "dtype": "another dtype came back than went in: turn the result into that of the scores",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    scores = torch.tensor([[0.0, 1.0986, -1.0], [2.0, 0.0, 1.0]])
    ninf = -torch.inf
    check(softmax, torch.tensor([0.0, 1.0986])).equals([0.25, 0.75], **loose, near={
        says["raw"]: [1.0, 3.0], says["top"]: [0.3333, 1.0],
        says["linear"]: [0.0, 1.0], says["hard"]: [0.0, 1.0],
        says["log"]: [-1.3863, -0.2877], says["negative"]: [0.75, 0.25], says["two"]: [0.3183, 0.6817],
        says["twice"]: [0.3775, 0.6225],
    })
    check(softmax, scores).equals([[0.2290, 0.6869, 0.0842], [0.6652, 0.0900, 0.2447]], **loose, near={
        says["first"]: [[0.1192, 0.75, 0.1192], [0.8808, 0.25, 0.8808]],
        says["other"]: [[0.1192, 0.75, 0.1192], [0.8808, 0.25, 0.8808]],
        says["all"]: [[0.0646, 0.1939, 0.0238], [0.4775, 0.0646, 0.1757]],
        says["raw"]: [[1.0, 3.0, 0.3679], [7.3891, 1.0, 2.7183]],
        says["top"]: [[0.3333, 1.0, 0.1226], [1.0, 0.1353, 0.3679]],
        says["linear"]: [[0.0, 11.142, -10.142], [0.6667, 0.0, 0.3333]],
        says["log"]: [[-1.4743, -0.3757, -2.4743], [-0.4076, -2.4076, -1.4076]],
        says["negative"]: [[0.2468, 0.0823, 0.6709], [0.09, 0.6652, 0.2447]],
        says["two"]: [[0.2746, 0.5881, 0.1373], [0.5714, 0.1429, 0.2857]],
        says["twice"]: [[0.2902, 0.4587, 0.2511], [0.4506, 0.2535, 0.2959]],
        says["hard"]: [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        says["first_max"]: [[0.1065, 0.7870, 0.1065], [0.4286, 0.1429, 0.4286]],
        says["first_sum"]: [[0.25, 0.8808, 0.25], [0.75, 0.1192, 0.75]],
    })
    check(softmax, scores, dim=0).equals([[0.1192, 0.75, 0.1192], [0.8808, 0.25, 0.8808]], **loose, near={
        says["last"]: [[0.2289, 0.6868, 0.0842], [0.6652, 0.09, 0.2447]],
        says["other"]: [[0.2289, 0.6868, 0.0842], [0.6652, 0.09, 0.2447]],
        says["all"]: [[0.0646, 0.1939, 0.0238], [0.4775, 0.0646, 0.1757]],
        says["raw"]: [[1.0, 3.0, 0.3679], [7.3891, 1.0, 2.7183]],
        says["top"]: [[0.1353, 1.0, 0.1353], [1.0, 0.3333, 1.0]],
        says["linear"]: [[0.0, 1.0, -torch.inf], [1.0, 0.0, torch.inf]],
        says["log"]: [[-2.1269, -0.2877, -2.1269], [-0.1269, -1.3863, -0.1269]],
        says["negative"]: [[0.8808, 0.25, 0.8808], [0.1192, 0.75, 0.1192]],
        says["two"]: [[0.2, 0.6817, 0.2], [0.8, 0.3183, 0.8]],
        says["twice"]: [[0.3183, 0.6225, 0.3183], [0.6817, 0.3775, 0.6817]],
        says["hard"]: [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]],
        says["last_sum"]: [[0.1065, 0.7870, 0.1065], [0.4286, 0.1429, 0.4286]],
        says["last_max"]: [[0.25, 0.8808, 0.25], [0.75, 0.1192, 0.75]],
        says["all_sum"]: [[0.0376, 0.2775, 0.0376], [0.2775, 0.0925, 0.2775]],
    })
    check(softmax, torch.tensor([1000.0, 1001.0986])).equals([0.25, 0.75], rtol=1e-4, atol=1e-4, near={
        says["no_max"]: [torch.nan, torch.nan], says["raw"]: [torch.inf, torch.inf],
        says["cut"]: [0.5, 0.5], says["repaired"]: [0.0, 0.0], says["top"]: [0.33333, 1.0],
        says["log"]: [-1.38629, -0.28768], says["linear"]: [0.49973, 0.50027],
        says["negative"]: [0.75, 0.25], says["two"]: [0.31831, 0.68169], says["twice"]: [0.37754, 0.62246],
        says["hard"]: [0.0, 1.0],
    })
    check(softmax, torch.tensor([0.0, ninf, 1.0986])).equals([0.25, 0.0, 0.75], **loose, near={
        says["subtracted"]: [torch.nan] * 3, says["negative"]: [torch.nan] * 3,
        says["raw"]: [1.0, 0.0, 3.0],
        says["top"]: [0.3333, 0.0, 1.0], says["linear"]: [0.0, torch.nan, 0.0],
        says["log"]: [-1.3863, -torch.inf, -0.2877],
        says["two"]: [0.3183, 0.0, 0.6817], says["twice"]: [0.2918, 0.2272, 0.481], says["hard"]: [0.0, 0.0, 1.0],
    })
    weights, values = torch.tensor([[0.25, 0.75], [1.0, 0.0]]), torch.tensor([[4.0, 0.0], [0.0, 8.0]])
    check(context_vectors, weights, values).equals([[1.0, 6.0], [4.0, 0.0]], **loose, near={
        says["sum_v"]: [[4.0, 8.0], [4.0, 8.0]], says["mean"]: [[0.5, 3.0], [2.0, 0.0]],
        says["turned"]: [[1.0, 8.0], [3.0, 0.0]], says["again"]: [[1.5102, 4.9797], [2.9242, 2.1515]],
        says["best"]: [[0.0, 8.0], [4.0, 0.0]], says["one_c"]: [5.0, 6.0], says["by_query"]: [[0.8, 8.0], [3.2, 0.0]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients


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
        says["no_max"]: naive,
        says["one_max"]: whole,
        says["min"]: less(torch.amin),
        says["middle"]: less(torch.mean),
        f"{says['subtracted']}, the largest size without its sign": less(size),
        says["last_sum"]: lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(-1, keepdim=True),
        says["first_sum"]: lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(0, keepdim=True),
        says["all_sum"]: lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(),
        says["last_max"]: lambda s, dim=-1: lost(exps(s, -1), dim),
        says["first_max"]: lambda s, dim=-1: lost(exps(s, 0), dim),
        "a score of minus infinity was taken for 0: it gets the weight 0": lambda s, dim=-1: plain(
            s.masked_fill(s == ninf, 0.0), dim
        ),
        says["cut"]: lambda s, dim=-1: naive(s.clamp(-80, 80), dim),
        says["repaired"]: lambda s, dim=-1: naive(s, dim).nan_to_num(),
        says["last"]: lambda s, dim=-1: plain(s, -1),
        says["other"]: lambda s, dim=-1: plain(s, (dim + 1) % s.dim()),
        says["first"]: lambda s, dim=-1: plain(s, 0),
        says["all"]: lambda s, dim=-1: plain(s.flatten(), 0).view(s.shape),
        says["raw"]: lambda s, dim=-1: torch.exp(s),
        says["top"]: exps,
        says["linear"]: lambda s, dim=-1: s / s.sum(dim, keepdim=True),
        says["log"]: lambda s, dim=-1: torch.log_softmax(s, dim),
        says["negative"]: lambda s, dim=-1: plain(-s, dim),
        says["two"]: lambda s, dim=-1: plain(s * 0.6931472, dim),
        says["twice"]: lambda s, dim=-1: plain(plain(s, dim), dim),
        says["hard"]: lambda s, dim=-1: (exps(s, dim) == 1).float(),
        says["added"]: lambda s, dim=-1: exps(s, dim) / (exps(s, dim).sum(dim, keepdim=True) + 1e-3),
        f"{axis} (of the sum)": lambda s, dim=-1: exps(s, dim) / exps(s, dim).sum(dim),
        f"{axis} (of the maximum)": lambda s, dim=-1: lost(torch.exp(s - s.amax(dim)), dim),
        f"{axis} (of both)": lambda s, dim=-1: torch.exp(s - s.amax(dim)) / torch.exp(s - s.amax(dim)).sum(dim),
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)

    def judge(s, about, edge=False, rtol=1e-4, atol=1e-6):
        dims = [{}] if s.dim() == 1 else [{}, *({"dim": d} for d in range(-2, s.dim()))]
        for dim in dims:
            wanted = torch.softmax(s.double(), dim.get("dim", -1))
            check(softmax, s, **dim).equals(
                wanted, about=about, edge=edge, rtol=rtol, atol=atol, near={axis: RuntimeError} if s.dim() > 1 else {}
            )

    check.mistakes(known)
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
            near={says["dtype"]: lambda w, dtype=dtype: w.dtype != dtype},
        )
    check(softmax, draw(3, 1)).equals(torch.ones(3, 1), about="one score", edge=True)

    context = {
        says["over_sum"]: lambda w, v: w @ v / w.sum(-1, keepdim=True),
        "divided by the sum of the weights' sizes: they are taken as they are": lambda w, v: (
            w @ v / w.abs().sum(-1, keepdim=True)
        ),
        "divided by the length of each row of weights: they are taken as they are": lambda w, v: (
            w @ v / w.norm(dim=-1, keepdim=True)
        ),
        says["by_query"]: lambda w, v: w / w.sum(-2, keepdim=True) @ v,
        "weights below 0 were set to 0: they are taken as they are": lambda w, v: w.clamp(min=0) @ v,
        says["sum_v"]: lambda w, v: v.sum(-2, keepdim=True).expand(*w.shape[:-1], v.shape[-1]),
        says["mean"]: lambda w, v: w @ v / w.shape[-1],
        says["turned"]: lambda w, v: w.transpose(-2, -1) @ v,
        "the values are turned round: each row is the value of a key": lambda w, v: w @ v.transpose(-2, -1),
        says["again"]: lambda w, v: torch.softmax(w, -1) @ v,
        says["best"]: lambda w, v: torch.take_along_dim(v, w.argmax(-1)[..., None], -2),
        says["one_c"]: lambda w, v: (w.sum(-2)[..., None] * v).sum(-2),
        "weights and values were multiplied entry by entry: use @": lambda w, v: w * v,
        "an axis of size 1 was squeezed away: one query, or one feature, keeps its axis": lambda w, v: (
            w @ v
        ).squeeze(),
    }
    check.mistakes(context)
    axes, fine = {"with leading axes (batch, heads) it fails: @ works on the last two axes": RuntimeError}, False
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
        near={says["dtype"].replace("scores", "values"): lambda c: str(c.dtype) != "torch.float64"},
    )
    trained(context_vectors, torch.matmul, draw(2, 3, 4), draw(2, 4, 2), known=context, about="context, gradients")
    known_slopes = {"the gradient stops at the sum: no detach": lambda s, dim=-1: (
        exps(s, dim) / exps(s, dim).sum(dim, keepdim=True).detach())}
    trained(softmax, plain, 2 * draw(3, 4), known=known, near=known_slopes)
    trained(softmax, plain, 2 * draw(3, 4), 0, known=known, near=known_slopes)
    trained(
        softmax, plain, hidden, about="gradients where a score is minus infinity", edge=True, known=known,
        near=known_slopes,
    )
    ### END HIDDEN TESTS


score
