from helpers.checks import graded


@graded("scores", points=6)
def score(check):
    import torch

    says = {
        "turned": "queries belong in rows and keys in columns: the table is turned round",
        "cosine": "this is the cosine: a dot product is not divided by the lengths of the vectors",
        "scaled": "this score is divided by the square root of d: only the scaled one is",
        "no_scale": "there is no scale: divide by the square root of d",
        "by_d": "you divided by d, not by its square root",
        "times": "you multiplied by the square root of d: divide by it",
        "by_keys": "the root is that of the number of keys; d is the size of a vector, the last axis",
        "by_queries": "the root is that of the number of queries; d is the size of a vector, the last axis",
        "root_scores": "the root was taken of the score; it is taken of d",
        "no_W": "W was left out",
        "W_turned": "W is turned round: q meets its rows and k its columns, q W k",
        "twice": "W was applied to the queries and to the keys: once is enough",
        "no_tanh": "there is no tanh",
        "tanh_last": "tanh was taken of the finished sum; it belongs inside, before v",
        "tanh_each": "tanh was taken of either part alone; add the two first",
        "product": "the parts were multiplied; the additive score adds them",
        "no_v": "v was left out: the entries were only added up",
        "mean_v": "v weighs a sum, not a mean: the score is too small by the factor a",
        "sigmoid": "this is a sigmoid, not a tanh",
        "relu": "this is a ReLU, not a tanh",
        "exchanged": "W_q and W_k are exchanged: W_q belongs to the queries",
        "same": "W_q was used for the keys, too: W_k belongs to the keys",
        "paired": "each query met only the key of its own place: every query meets every key",
        "entries": "the entries were multiplied and not added up: use @",
        "only_q": "the keys' part is missing", "only_k": "the queries' part is missing",
        "minus": "the parts were subtracted; the additive score adds them",
        "softmax": "these are weights, not scores: softmax is the next exercise",
        "cut": "the root was cut to a whole number",
        "axis": "d was read from a fixed axis: count from the end, shape[-1]",
        "squeezed": "an axis of size 1 was squeezed away: one query, or one key, keeps its axis",
        "root_a": "the additive score was divided by a root; it is not scaled",
        "tanh_q": "tanh was taken of the queries' part alone; add the two first",
        "tanh_k": "tanh was taken of the keys' part alone; add the two first",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    q, k = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    one, swap, v = torch.eye(2), torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.tensor([1.0, 1.0])
    W = torch.tensor([[1.0, 2.0], [0.0, -1.0]])
    check(dot_scores, q, k).equals([[3.0, 2.0]], **loose, near={
        says["turned"]: [[3.0], [2.0]], says["cosine"]: [[0.4472, 0.8944]], says["scaled"]: [[2.1213, 1.4142]],
        says["by_d"]: [[1.5, 1.0]], says["entries"]: [[3.0, 0.0], [0.0, 2.0]], says["paired"]: [3.0, 2.0],
        says["squeezed"]: [3.0, 2.0],
        says["softmax"]: [[0.7311, 0.2689]],
        "there may be no batch: exchange the last two axes, transpose(-2, -1)": IndexError,
    })
    check(scaled_scores, q, k).equals([[2.1213, 1.4142]], **loose, near={
        says["no_scale"]: [[3.0, 2.0]],
        says["by_queries"]: [[3.0, 2.0]],
        "d ** 1 / 2 is d / 2: the root is d ** 0.5": [[3.0, 2.0]],
        says["cut"]: [[3.0, 2.0]],
        says["by_d"]: [[1.5, 1.0]], says["times"]: [[4.2426, 2.8284]], says["root_scores"]: [[1.7321, 1.4142]],
        says["cosine"]: [[0.4472, 0.8944]], says["turned"]: [[2.1213], [1.4142]], says["softmax"]: [[0.6698, 0.3302]],
        says["paired"]: [2.1213, 1.4142], says["squeezed"]: [2.1213, 1.4142],
    })
    two, three = torch.tensor([[1.0, 0, 2, 0, 1], [0, 1, 1, -1, 0]]), torch.tensor([[2.0, 1, 0, 1, 1], [0, 3, 1, 0, 2],
        [1, 1, 1, 1, 1]])
    dots = torch.tensor([[3.0, 4.0, 4.0], [0.0, 4.0, 1.0]])
    check(scaled_scores, two, three).equals([[1.3416, 1.7889, 1.7889], [0.0, 1.7889, 0.4472]], **loose, near={
        says["no_scale"]: dots, says["by_d"]: dots / 5, says["by_queries"]: dots / 1.41421,
        says["by_keys"]: dots / 1.73205, says["cut"]: dots / 2, "d ** 1 / 2 is d / 2: the root is d ** 0.5": dots / 2.5,
        says["times"]: dots * 2.23607, says["turned"]: [[1.3416, 0.0], [1.7889, 1.7889], [1.7889, 0.4472]],
    })
    check(general_scores, q, k, swap).equals([[6.0, 1.0]], **loose, near={
        says["turned"]: [[6.0], [1.0]], says["no_W"]: [[3.0, 2.0]],
        says["twice"]: [[3.0, 2.0]],
        says["scaled"]: [[4.2426, 0.7071]], says["paired"]: [6.0, 1.0],
        says["squeezed"]: [6.0, 1.0],
    })
    other = torch.tensor([[1.0, 2.0], [2.0, -1.0]])
    check(general_scores, other, k, W).equals([[3.0, 0.0], [6.0, 5.0]], **loose, near={
        says["turned"]: [[3.0, 6.0], [0.0, 5.0]], says["no_W"]: [[3.0, 2.0], [6.0, -1.0]],
        says["W_turned"]: [[15.0, -2.0], [0.0, 1.0]], says["twice"]: [[3.0, 0.0], [36.0, -5.0]],
        says["scaled"]: [[2.1213, 0.0], [4.2426, 3.5355]], says["paired"]: [3.0, 5.0],
    })
    check(additive_scores, q, k, one, one, v).equals([[1.9634, 1.7566]], **loose, near={
        says["turned"]: [[1.9634], [1.7566]], says["tanh_last"]: [[1.0, 0.9993]],
        says["no_tanh"]: [[6.0, 4.0]],
        says["relu"]: [[6.0, 4.0]],
        says["tanh_each"]: [[2.7207, 2.4872]], says["product"]: [[0.9951, 0.964]], says["minus"]: [[0.0, 1.5232]],
        says["mean_v"]: [[0.9817, 0.8783]], says["sigmoid"]: [[1.8628, 1.6836]],
        says["only_q"]: [[1.7256, 1.7256]], says["only_k"]: [[0.9951, 0.7616]], says["paired"]: [1.9634, 1.7566],
        says["squeezed"]: [1.9634, 1.7566], says["root_a"]: [[1.3883, 1.2421]], says["tanh_q"]: [[4.7256, 2.7256]],
        says["tanh_k"]: [[3.9951, 3.7616]],
    })
    less = torch.tensor([[0.5, 0.0], [-0.5, 0.5]])
    right = [[-0.4968, -1.5594], [1.1945, 2.4454]]
    check(additive_scores, other, k, less, W / 4, torch.tensor([2.0, -1.0])).equals(right, **loose, near={
        says["turned"]: [[-0.4968, 1.1945], [-1.5594, 2.4454]], says["no_tanh"]: [[-2.0, -1.75], [3.5, 3.75]],
        says["tanh_last"]: [[-0.964, -0.9414], [0.9982, 0.9989]],
        says["tanh_each"]: [[-1.3207, -1.4409], [2.6376, 2.5173]],
        says["tanh_q"]: [[-1.6858, -1.4358], [2.2724, 2.5224]], says["tanh_k"]: [[-1.6349, -1.7551], [3.8651, 3.7449]],
        says["product"]: [[-1.6219, 0.2449], [2.2538, -0.1244]],
        says["minus"]: [[-1.2345, -1.7725], [2.2343, 2.0552]], says["no_v"]: [[1.2315, 0.173], [1.7396, 0.27]],
        says["mean_v"]: [[-0.2484, -0.7797], [0.5972, 1.2227]], says["sigmoid"]: [[0.2002, 0.0759], [1.0782, 1.3143]],
        says["relu"]: [[-2.0, -0.75], [3.5, 3.0]], says["exchanged"]: [[1.8828, -0.952], [1.0798, -0.9414]],
        says["only_q"]: [[-1.6858, -1.6858], [2.2724, 2.2724]], says["only_k"]: [[0.3651, 0.2449], [0.3651, 0.2449]],
        says["same"]: [[0.7616, -2.4283], [2.4522, 1.5232]], says["root_a"]: [[-0.3513, -1.1027], [0.8446, 1.7292]],
        says["paired"]: [-0.4968, 2.4454],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients

    lost = {"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"}

    axes = "with leading axes (batch, heads) it fails: exchange only the last two axes, and unsqueeze from the end"

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
        says["no_scale"]: dot,
        says["by_d"]: lambda q, k: dot(q, k) / q.shape[-1],
        says["times"]: lambda q, k: dot(q, k) * q.shape[-1] ** 0.5,
        says["by_keys"]: lambda q, k: dot(q, k) / k.shape[-2] ** 0.5,
        says["by_queries"]: lambda q, k: dot(q, k) / q.shape[-2] ** 0.5,
        says["root_scores"]: lambda q, k: dot(q, k).sqrt(),
        "d ** 1 / 2 is d / 2: the root is d ** 0.5": lambda q, k: dot(q, k) / (q.shape[-1] / 2),
        says["cut"]: lambda q, k: dot(q, k) / int(q.shape[-1] ** 0.5),
        says["axis"]: lambda q, k: dot(q, k) / q.shape[1] ** 0.5,
        says["softmax"]: lambda q, k: torch.softmax(dot(q, k) / q.shape[-1] ** 0.5, -1),
        says["cosine"]: lambda q, k: dot(q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)),
        says["turned"]: lambda q, k: dot(k, q) / q.shape[-1] ** 0.5,
        says["paired"]: lambda q, k: (q * k).sum(-1) / q.shape[-1] ** 0.5,
        says["squeezed"]: lambda q, k: (dot(q, k) / q.shape[-1] ** 0.5).squeeze(),
    }
    known = {
        "dot": {
            says["turned"]: lambda q, k: dot(k, q),
            says["cosine"]: roots[says["cosine"]],
            says["scaled"]: lambda q, k: dot(q, k) / q.shape[-1] ** 0.5,
            says["by_d"]: roots[says["by_d"]],
            says["softmax"]: lambda q, k: torch.softmax(dot(q, k), -1),
            says["entries"]: lambda q, k: q * k,
            says["paired"]: lambda q, k: (q * k).sum(-1),
            says["squeezed"]: lambda q, k: dot(q, k).squeeze(),
        },
        "scaled": roots,
        "general": {
            says["turned"]: lambda q, k, W: dot(k, q @ W),
            says["no_W"]: lambda q, k, W: dot(q, k),
            says["W_turned"]: lambda q, k, W: dot(q @ W.T, k),
            says["twice"]: lambda q, k, W: dot(q @ W, k @ W),
            says["scaled"]: lambda q, k, W: dot(q @ W, k) / k.shape[-1] ** 0.5,
            says["paired"]: lambda q, k, W: (q @ W * k).sum(-1),
            says["squeezed"]: lambda q, k, W: dot(q @ W, k).squeeze(),
        },
        "additive": {
            says["turned"]: lambda q, k, W_q, W_k, v: additive(k, q, W_k, W_q, v),
            says["no_tanh"]: changed(lambda a, b, v: (a + b) @ v),
            says["tanh_last"]: changed(lambda a, b, v: torch.tanh((a + b) @ v)),
            says["tanh_each"]: changed(lambda a, b, v: (torch.tanh(a) + torch.tanh(b)) @ v),
            says["product"]: changed(lambda a, b, v: torch.tanh(a * b) @ v),
            says["minus"]: changed(lambda a, b, v: torch.tanh(a - b) @ v),
            says["no_v"]: changed(lambda a, b, v: torch.tanh(a + b).sum(-1)),
            says["mean_v"]: changed(lambda a, b, v: (torch.tanh(a + b) * v).mean(-1)),
            says["sigmoid"]: changed(lambda a, b, v: torch.sigmoid(a + b) @ v),
            says["relu"]: changed(lambda a, b, v: torch.relu(a + b) @ v),
            says["exchanged"]: lambda q, k, W_q, W_k, v: additive(q, k, W_k, W_q, v),
            says["same"]: lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_q, v),
            says["only_q"]: changed(lambda a, b, v: torch.tanh(a + 0 * b) @ v),
            says["only_k"]: changed(lambda a, b, v: torch.tanh(0 * a + b) @ v),
            says["tanh_q"]: changed(lambda a, b, v: (torch.tanh(a) + b) @ v),
            says["tanh_k"]: changed(lambda a, b, v: (a + torch.tanh(b)) @ v),
            says["root_a"]: lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_k, v) / len(v) ** 0.5,
            f"{says['root_a']} (that of d)": lambda q, k, W_q, W_k, v: additive(q, k, W_q, W_k, v) / q.shape[-1] ** 0.5,
            says["paired"]: lambda q, k, W_q, W_k, v: torch.tanh(q @ W_q + k @ W_k) @ v,
            says["squeezed"]: lambda *case: additive(*case).squeeze(),
        },
    }

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)

    close = {"rtol": 1e-4, "atol": 1e-5}
    fine = set()  # what works without leading axes: only then are the axes to blame for an error
    sizes = {"queries and keys may have different sizes: W is (d_q, d_k)": RuntimeError}

    def judge(lead, kind, function, case, wanted, near=None):
        about = "a batch, or heads" if lead else "fresh vectors"
        near = ({axes: RuntimeError} if kind in fine else {}) if lead else near
        check.mistakes(known[kind.split(",")[0]])
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
    check.mistakes(known["scaled"])
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
        check.mistakes(known[kind])
        check(function, *many[kind]).equals(
            oracle(*many[kind]), about="many vectors, large and small numbers", rtol=1e-3, atol=0.2
        )
    for lead, T_q, T_k, d in [((1,), 1, 1, 4), ((2,), 1, 3, 1), ((1,), 1, 1, 1), ((1, 2), 3, 1, 4)]:
        q, k, W, W_q, W_k, v = draw(*lead, T_q, d), draw(*lead, T_k, d), draw(d, d), draw(d, 1), draw(d, 1), draw(1)
        for kind, (function, oracle) in judged.items():
            case = q, k, *{"general": (W,), "additive": (W_q, W_k, v)}.get(kind, ())
            check.mistakes(known[kind])
            check(function, *case).equals(oracle(*case), about="axes of size 1", edge=True, **close)
    q, k, W, W_q, W_k, v = draw(2, 5, 4), draw(2, 3, 4), draw(4, 4), draw(4, 3), draw(4, 3), draw(3)
    for kind, (function, oracle) in judged.items():
        case = q, k, *{"general": (W,), "additive": (W_q, W_k, v)}.get(kind, ())
        trained(function, oracle, *case, known=known[kind])
        check(function, *(t.double() for t in case)).holds(
            lambda s: str(s.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
            near=lost,
        )
    ### END HIDDEN TESTS


score
