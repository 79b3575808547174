from helpers.checks import graded


@graded("linear", points=4)
def score(check):
    import torch

    says = {
        "not_causal": "a token sees those after it: the sums run to j <= i only",
        "strict": "off by one: a token sees itself, too",
        "no_map": "the feature map is missing",
        "map_q": "the feature map was applied to the queries only",
        "map_k": "the feature map was applied to the keys only",
        "map_v": "the feature map was applied to the values, too",
        "softmax": "this is softmax attention; here the products of the feature maps are the weights",
        "undivided": "the sum was not divided by the sum of the weights",
        "by_count": "divided by the number of keys, not by the sum of the weights",
        "scaled": "the products were divided by the root of d before the feature map; nothing is scaled",
        "old": "asked before the token was taken in: take it in first",
        "old_z": "the denominator is that before the token: take it into z, too, first",
        "unchanged": "S and z came back as they were given",
        "turned": "S is turned round: (d, d_v), the features of the key in rows",
        "axis": "the summed axis is lost, so that the wrong numbers were divided: use keepdim=True",
        "mean": "this is the plain mean of the values so far: where are the weights?",
        "relu": "this is relu; the feature map is elu(x) + 1",
        "elu": "elu was taken without the + 1",
        "one": "only the output came back: return S and z, too",
        "plain_z": "z takes phi(k), not the key itself",
        "plain_S": "S takes phi(k), not the key itself",
        "sum_z": "divided by the sum of z; it is the product of phi(q) and z",
        "all_keys": "the denominator sums over all keys, those after the token too",
        "by_all": "divided by the number of all keys, not by the sum of the weights",
        "no_query": "the query is missing below the line: divide by phi(q) times z",
        "raw_below": "the feature map is missing at the query below the line",
        "raw_above": "the feature map is missing at the query above the line",
        "old_S": "the numerator is that before the token: take it into S, too, first",
        "counted": "z counts the tokens here; it adds up phi(k)",
        "S_query": "S takes phi(k), not phi(q)",
        "ahead": "the mask is turned round: a token sees those after it, not those before",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    zero, values = torch.zeros(2, 1), torch.tensor([[2.0], [4.0]])
    check(linear_attention, zero, zero, values).equals([[2.0], [3.0]], **loose, near={
        says["not_causal"]: [[3.0], [3.0]], says["strict"]: [[torch.nan], [2.0]],
        says["undivided"]: [[2.0], [6.0]], says["axis"]: [[2.0, 1.0], [6.0, 3.0]],
        says["ahead"]: [[3.0], [4.0]], says["map_v"]: [[3.0], [4.0]],
        says["all_keys"]: [[1.0], [3.0]], says["by_all"]: [[1.0], [3.0]],
    })
    q, k = torch.tensor([[1.0, -1.0], [1.0, 0.5]]), torch.tensor([[1.0, -1.0], [2.0, 1.0]])
    check(linear_attention, q, k, values).equals([[2.0], [3.3282]], **loose, near={
        says["not_causal"]: [[3.2392], [3.3282]], says["strict"]: [[torch.nan], [2.0]],
        says["no_map"]: [[2.0], [3.6667]], says["map_v"]: [[3.0], [4.3282]], says["mean"]: [[2.0], [3.0]],
        says["softmax"]: [[2.0], [3.7616]], says["undivided"]: [[8.2707], [45.1036]],
        says["by_count"]: [[8.2707], [22.5518]], says["axis"]: [[2.0, 0.6103], [10.9069, 3.3282]],
        says["relu"]: [[2.0], [3.4286]], says["map_q"]: [[2.0], [3.8333]], says["map_k"]: [[2.0], [3.2937]],
        says["elu"]: [[2.0], [3.5704]], says["scaled"]: [[2.0], [3.3336]],
        says["all_keys"]: [[0.7608], [3.3282]], says["by_all"]: [[4.1353], [22.5518]],
        says["no_query"]: [[3.4929], [6.1217]], says["raw_below"]: [[5.0674], [7.2937]],
        says["raw_above"]: [[0.7894], [1.503]],
    })
    S, z = torch.tensor([[2.0], [1.0]]), torch.tensor([1.0, 1.0])
    q, k, v = torch.tensor([1.0, 0.0]), torch.tensor([2.0, 0.0]), torch.tensor([4.0])
    check(linear_step, S, z, q, k, v).equals(([[14.0], [5.0]], [4.0, 2.0], [3.3]), **loose, near={
        says["old"]: ([[14.0], [5.0]], [4.0, 2.0], [1.6667]), says["old_z"]: ([[14.0], [5.0]], [4.0, 2.0], [11.0]),
        says["no_map"]: ([[10.0], [1.0]], [3.0, 1.0], [3.3333]), says["map_q"]: ([[10.0], [1.0]], [3.0, 1.0], [3.0]),
        says["map_k"]: ([[14.0], [5.0]], [4.0, 2.0], [3.5]), says["map_v"]: ([[17.0], [6.0]], [4.0, 2.0], [4.0]),
        says["unchanged"]: ([[2.0], [1.0]], [1.0, 1.0], [3.3]),
        says["undivided"]: ([[14.0], [5.0]], [4.0, 2.0], [33.0]),
        says["one"]: [3.3], says["plain_z"]: ([[14.0], [5.0]], [3.0, 1.0], [4.7143]),
        says["plain_S"]: ([[10.0], [1.0]], [4.0, 2.0], [2.1]), says["sum_z"]: ([[14.0], [5.0]], [4.0, 2.0], [5.5]),
        says["raw_below"]: ([[14.0], [5.0]], [4.0, 2.0], [8.25]),
        says["raw_above"]: ([[14.0], [5.0]], [4.0, 2.0], [1.4]),
        says["old_S"]: ([[14.0], [5.0]], [4.0, 2.0], [0.5]), says["counted"]: ([[14.0], [5.0]], [2.0, 2.0], [5.5]),
        says["S_query"]: ([[10.0], [5.0]], [4.0, 2.0], [2.5]),
        says["turned"]: ([[14.0, 6.0], [13.0, 5.0]], [4.0, 2.0], [3.4, 3.1]),
    })


score
