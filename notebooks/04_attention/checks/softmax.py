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


score
