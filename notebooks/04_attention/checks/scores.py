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


score
