from helpers.checks import graded


@graded("scores", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    turned = "queries belong in rows and keys in columns: the table is transposed"
    cosine = "this is the cosine: a dot product is not divided by the lengths of the vectors"
    scaled = "this score is divided by the square root of d: only the scaled one is"
    by_d = "you divided by d, not by its square root"
    paired = "each query met only the key of its own position: every query meets every key"
    softmax = "these are weights, not scores: softmax is the next exercise"
    squeezed = "an axis of size 1 was squeezed away: one query, or one key, keeps its axis"
    root_a = "the additive score was divided by a root; it is not scaled"

    def dot(q, k):
        return torch.einsum("...qd,...kd->...qk", q, k)

    def pairs(q, k, W_q, W_k):
        return (q @ W_q).unsqueeze(-2), (k @ W_k).unsqueeze(-3)

    def additive(q, k, W_q, W_k, v):
        a, b = pairs(q, k, W_q, W_k)
        return (torch.tanh(a + b) * v).sum(-1)

    def changed(function):
        return lambda q, k, W_q, W_k, v: function(*pairs(q, k, W_q, W_k), v)

    roots = {
        "there is no scale: divide by the square root of d": dot,
        by_d: lambda q, k: dot(q, k) / q.shape[-1],
        "you multiplied by the square root of d: divide by it": lambda q, k: dot(q, k) * q.shape[-1] ** 0.5,
        "the root is that of the number of keys; d is the size of a vector, the last axis":
            lambda q, k: dot(q, k) / k.shape[-2] ** 0.5,
        "the root is that of the number of queries; d is the size of a vector, the last axis":
            lambda q, k: dot(q, k) / q.shape[-2] ** 0.5,
        "the root was taken of the score; it is taken of d": lambda q, k: dot(q, k).sqrt(),
        "d ** 1 / 2 is d / 2: the root is d ** 0.5": lambda q, k: dot(q, k) / (q.shape[-1] / 2),
        "the root was cut to a whole number": lambda q, k: dot(q, k) / int(q.shape[-1] ** 0.5),
        "d was read from a fixed axis: count from the end, shape[-1]": lambda q, k: dot(q, k) / q.shape[1] ** 0.5,
        softmax: lambda q, k: torch.softmax(dot(q, k) / q.shape[-1] ** 0.5, -1),
        cosine: lambda q, k: dot(q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)),
        cosine + ", nor a scaled one": lambda q, k: dot(
            q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)) / q.shape[-1] ** 0.5,
        turned: lambda q, k: dot(k, q) / q.shape[-1] ** 0.5,
        paired: lambda q, k: (q * k).sum(-1) / q.shape[-1] ** 0.5,
        squeezed: lambda q, k: (dot(q, k) / q.shape[-1] ** 0.5).squeeze(),
    }
    check.mistakes(roots, scaled_scores)
    check.mistakes({
        turned: lambda q, k: dot(k, q),
        cosine: roots[cosine],
        scaled: lambda q, k: dot(q, k) / q.shape[-1] ** 0.5,
        by_d: roots[by_d],
        softmax: lambda q, k: torch.softmax(dot(q, k), -1),
        "the entries were multiplied and not added up: use @": lambda q, k: q * k,
        paired: lambda q, k: (q * k).sum(-1),
        squeezed: lambda q, k: dot(q, k).squeeze(),
    }, dot_scores)
    check.mistakes({
        turned: lambda q, k, W: dot(k, q @ W),
        "W was left out": lambda q, k, W: dot(q, k),
        "W is transposed: q meets its rows and k its columns, q W k": lambda q, k, W: dot(q @ W.T, k),
        "W was applied to the queries and to the keys: once is enough": lambda q, k, W: dot(q @ W, k @ W),
        scaled: lambda q, k, W: dot(q @ W, k) / k.shape[-1] ** 0.5,
        paired: lambda q, k, W: (q @ W * k).sum(-1),
        squeezed: lambda q, k, W: dot(q @ W, k).squeeze(),
    }, general_scores)
    check.mistakes({
        turned: lambda q, k, W_q, W_k, v: additive(k, q, W_k, W_q, v),
        "there is no tanh": changed(lambda a, b, v: (a + b) @ v),
        "tanh was taken of the finished sum; it belongs inside, before v":
            changed(lambda a, b, v: torch.tanh((a + b) @ v)),
        "tanh was taken of either part alone; add the two first":
            changed(lambda a, b, v: (torch.tanh(a) + torch.tanh(b)) @ v),
        "the parts were multiplied; the additive score adds them": changed(lambda a, b, v: torch.tanh(a * b) @ v),
        "the parts were subtracted; the additive score adds them": changed(lambda a, b, v: torch.tanh(a - b) @ v),
        "v was left out: the entries were only added up": changed(lambda a, b, v: torch.tanh(a + b).sum(-1)),
        "v weighs a sum, not a mean: the score is too small by the factor a":
            changed(lambda a, b, v: (torch.tanh(a + b) * v).mean(-1)),
        "this is a sigmoid, not a tanh": changed(lambda a, b, v: torch.sigmoid(a + b) @ v),
        "this is a ReLU, not a tanh": changed(lambda a, b, v: torch.relu(a + b) @ v),
        "W_q and W_k are exchanged: W_q belongs to the queries": lambda q, k, W_q, W_k, v: additive(q, k, W_k, W_q, v),
        "W_q was used for the keys, too: W_k belongs to the keys":
            lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_q, v),
        "the keys' part is missing": changed(lambda a, b, v: torch.tanh(a + 0 * b) @ v),
        "the queries' part is missing": changed(lambda a, b, v: torch.tanh(0 * a + b) @ v),
        "tanh was taken of the queries' part alone; add the two first":
            changed(lambda a, b, v: (torch.tanh(a) + b) @ v),
        "tanh was taken of the keys' part alone; add the two first": changed(lambda a, b, v: (a + torch.tanh(b)) @ v),
        "all texts were compared with the keys of the first: leading axes stay apart":
            changed(lambda a, b, v: torch.tanh(a + b[(0,) * (b.dim() - 3)]) @ v),
        root_a: lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_k, v) / len(v) ** 0.5,
        f"{root_a} (that of d)": lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_k, v) / q.shape[-1] ** 0.5,
        paired: lambda q, k, W_q, W_k, v: torch.tanh(q @ W_q + k @ W_k) @ v,
        squeezed: lambda *case: additive(*case).squeeze(),
    }, additive_scores)
    ### END MISTAKES
    from helpers.checks.gradients import cut

    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    one, swap, v = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1.0, 1.0])
    W = torch.tensor([[1.0, 2.0], [0.0, -1.0]])
    check(dot_scores, q, k).equals(
        [[3.0, 2.0]], **loose,
        near={"there may be no batch: exchange the last two axes, transpose(-2, -1)": IndexError}
    )
    batch = torch.tensor([[[1.0, 2.0]], [[0.0, 1.0]]]), torch.tensor(
        [[[3.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [2.0, -1.0]]]
    )
    of_dot = check(dot_scores, *batch).equals(
        [[[3.0, 2.0]], [[1.0, -1.0]]], about="a batch of two", **loose,
        near={"the first axis is the batch: exchange the last two, transpose(-2, -1)": [[[3.0, 5.0]], [[1.0, -1.0]]]},
    )
    check(scaled_scores, q, k).equals([[2.1213, 1.4142]], **loose)
    two = torch.tensor([[1.0, 0, 2, 0, 1], [0, 1, 1, -1, 0]])
    three = torch.tensor([[2.0, 1, 0, 1, 1], [0, 3, 1, 0, 2], [1, 1, 1, 1, 1]])
    check(scaled_scores, two, three).equals([[1.3416, 1.7889, 1.7889], [0.0, 1.7889, 0.4472]], **loose)
    check(general_scores, q, k, swap).equals([[6.0, 1.0]], **loose)
    other = torch.tensor([[1.0, 2.0], [2.0, -1.0]])
    of_general = check(general_scores, other, k, W).equals([[3.0, 0.0], [6.0, 5.0]], **loose)
    check(additive_scores, q, k, one, one, v).equals([[1.9634, 1.7566]], **loose)
    less = torch.tensor([[0.5, 0.0], [-0.5, 0.5]])
    right = [[-0.4968, -1.5594], [1.1945, 2.4454]]
    of_additive = check(additive_scores, other, k, less, W / 4, torch.tensor([2.0, -1.0])).equals(right, **loose)
    check(additive_scores, *batch, one, one, v).equals(
        [[[1.9634, 1.7566]], [[1.7256, 0.9640]]], about="a batch of two, additive", **loose)
    flow = {"about": "gradients of the squared scores", **loose}
    check(slopes, dot_scores, q, k).equals([[[18.0, 4.0]], [[6.0, 12.0], [4.0, 8.0]]], near=cut(of_dot), **flow)
    check(slopes, general_scores, q, k, swap).equals(
        [[[2.0, 36.0]], [[24.0, 12.0], [4.0, 2.0]], [[36.0, 2.0], [72.0, 4.0]]], near=cut(of_general), **flow
    )
    by_q, by_k = [[1.4808, 0.3121]], [[0.0053, 0.2774], [1.4755, 0.0347]]
    by_W_q, by_W_k = [[1.4808, 0.3121], [2.9615, 0.6242]], [[0.0158, 0.8323], [1.4755, 0.0347]]
    check(slopes, additive_scores, q, k, one, one, v).equals(
        [by_q, by_k, by_W_q, by_W_k, [6.5998, 7.2814]], near=cut(of_additive), **flow
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}
    axes = "with leading axes (batch, heads) it fails: exchange only the last two axes, and unsqueeze from the end"

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)
    close = {"rtol": 1e-4, "atol": 1e-5}
    fine = set()  # what works without leading axes: only then are the axes to blame for an error
    sizes = {"queries and keys may have different sizes: W is (d_q, d_k)": RuntimeError}

    def judge(lead, kind, function, case, wanted, near=None):
        about = "a batch, or heads" if lead else "fresh vectors"
        if lead:
            near = {axes: RuntimeError} if kind in fine else {}
        judged = check(function, *case).equals(wanted, about=f"{about}, {kind}", near=near, **close)
        if judged.passed:
            fine.add(kind)

    for lead, T_q in [((), 8), ((), 6), ((3,), 8), ((2, 3), 8)]:
        q, k, wide = draw(*lead, T_q, 5), draw(*lead, 6, 5), draw(*lead, 6, 7)
        same, W = draw(5, 5), draw(5, 7)
        W_q, W_k, W_wide, v = draw(5, 3), draw(5, 3), draw(7, 3), draw(3)
        judge(lead, "dot", dot_scores, (q, k), dot(q, k))
        judge(lead, "scaled", scaled_scores, (3 * q, k), 3 * dot(q, k) / 5**0.5)
        wanted = torch.einsum("...qa,ab,...kb->...qk", q, same, k)
        judge(lead, "general", general_scores, (q, k, same), wanted)
        wanted = torch.einsum("...qa,ab,...kb->...qk", q, W, wide)
        judge(lead, "general, two sizes", general_scores, (q, wide, W), wanted, near=sizes)
        judge(lead, "additive", additive_scores, (q, k, W_q, W_k, v), additive(q, k, W_q, W_k, v))
        wanted = additive(q, wide, W_q, W_wide, v)
        judge(lead, "additive, two sizes", additive_scores, (q, wide, W_q, W_wide, v), wanted)
    q, k = draw(1, 4), draw(1, 4)
    check(scaled_scores, q, k).equals(dot(q, k) / 2, about="one query, one key", edge=True, **close)
    judged = {
        "dot": (dot_scores, dot),
        "scaled": (scaled_scores, lambda q, k: dot(q, k) / q.shape[-1] ** 0.5),
        "general": (general_scores, lambda q, k, W: dot(q @ W, k)),
        "additive": (additive_scores, additive),
    }
    size = torch.where(torch.arange(70) % 2 == 0, 60.0, 0.002)  # some features are large, and their weights small
    q, k = draw(80, 70) * size, draw(90, 70) * size
    W_q, W_k = draw(70, 66) / size[:, None] / 9, draw(70, 66) / size[:, None] / 9
    many = {"dot": (q, k), "scaled": (q, k), "general": (q, 40 * draw(90, 66), W_q)}
    many["additive"] = q, k, W_q, W_k, 40 * draw(66)
    for kind, (function, oracle) in judged.items():
        check(function, *many[kind]).equals(
            oracle(*many[kind]), about="many vectors, large and small numbers", rtol=1e-3, atol=0.2
        )
    for lead, T_q, T_k, d in [((1,), 1, 1, 4), ((2,), 1, 3, 1), ((1,), 1, 1, 1), ((1, 2), 3, 1, 4)]:
        q, k, W, W_q, W_k, v = draw(*lead, T_q, d), draw(*lead, T_k, d), draw(d, d), draw(d, 1), draw(d, 1), draw(1)
        for kind, (function, oracle) in judged.items():
            case = q, k, *{"general": (W,), "additive": (W_q, W_k, v)}.get(kind, ())
            check(function, *case).equals(oracle(*case), about="axes of size 1", edge=True, **close)
    q, k, W, W_q, W_k, v = draw(2, 5, 4), draw(2, 3, 4), draw(4, 4), draw(4, 3), draw(4, 3), draw(3)
    for kind, (function, oracle) in judged.items():
        case = q, k, *{"general": (W,), "additive": (W_q, W_k, v)}.get(kind, ())
        trained(function, oracle, *case)
        check(function, *(t.double() for t in case)).holds(
            lambda s: str(s.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near=lost,
        )
    ### END HIDDEN TESTS


score
