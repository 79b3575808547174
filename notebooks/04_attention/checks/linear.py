from helpers.checks import graded


@graded("linear", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a token sees those after it: the sums run to j <= i only": {
            1: [[3.0], [3.0]],
            2: [[3.23921], [3.32823]],
        },
        "off by one: a token sees itself, too": {
            1: [[float("nan")], [2.0]],
            2: [[float("nan")], [2.0]],
        },
        "off by one: a token sees itself, too, and the first sees nothing": {
            1: [[0.0], [2.0]],
            2: [[0.0], [2.0]],
        },
        "the mask is turned round: a token sees those after it, not those before": {
            1: [[3.0], [4.0]],
            2: [[3.23921], [4.0]],
        },
        "divided by the sum over the queries; it runs over the keys, dim=-1": {
            1: [[1.0], [5.0]],
            2: [[0.952057], [5.04794]],
        },
        "the feature map was applied to the values, too": {
            1: [[3.0], [4.0]],
            2: [[3.0], [4.32824]],
            3: ([[17.0], [6.0]], [4.0, 2.0], [4.0]),
        },
        "the sum was not divided by the sum of the weights": {
            1: [[2.0], [6.0]],
            2: [[8.27067], [45.1036]],
            3: ([[14.0], [5.0]], [4.0, 2.0], [33.0]),
        },
        "divided by the number of all keys, not by the sum of the weights": {
            1: [[1.0], [3.0]],
            2: [[4.13534], [22.5518]],
        },
        "the feature map is missing at the query below the line": {
            1: [[float("inf")], [float("inf")]],
            2: [[5.06744], [7.29367]],
            3: ([[14.0], [5.0]], [4.0, 2.0], [8.25]),
        },
        "the feature map is missing at the query above the line": {
            1: [[0.0], [0.0]],
            2: [[0.789353], [1.50296]],
            3: ([[14.0], [5.0]], [4.0, 2.0], [1.4]),
        },
        "the denominator sums over all keys, those after the token too": {
            1: [[1.0], [3.0]],
            2: [[0.760795], [3.32823]],
        },
        "a small number was added to the denominator": {
            1: [[1.9802], [2.98507]],
            2: [[1.99518], [3.32578]],
        },
        "the feature map was applied to the products; it is applied to queries and keys": {
            2: [[2.0], [3.4]],
        },
        "this is relu; the feature map is elu(x) + 1": {
            2: [[2.0], [3.42857]],
        },
        "the feature map is missing": {
            2: [[2.0], [3.66667]],
            3: ([[10.0], [1.0]], [3.0, 1.0], [3.33333]),
        },
        "the feature map was applied to the queries only": {
            2: [[2.0], [3.83333]],
            3: ([[10.0], [1.0]], [3.0, 1.0], [3.0]),
        },
        "the feature map was applied to the keys only": {
            2: [[2.0], [3.29367]],
            3: ([[14.0], [5.0]], [4.0, 2.0], [3.5]),
        },
        "this is softmax attention; here the products of the feature maps are the weights": {
            2: [[2.0], [3.76159]],
        },
        "softmax was taken of the products; they are the weights, divided by their sum": {
            2: [[2.0], [3.97687]],
        },
        "this is softmax attention; here the products of the feature maps are the weights (with scaled scores)": {
            2: [[2.0], [3.60886]],
        },
        "divided by the number of keys, not by the sum of the weights": {
            2: [[8.27067], [22.5518]],
        },
        "this is the plain mean of the values so far: where are the weights?": {
            2: [[2.0], [3.0]],
        },
        "the products were divided by the root of d before the feature map; nothing is scaled": {
            2: [[2.0], [3.33357]],
        },
        "elu was taken without the + 1": {
            2: [[2.0], [3.57038]],
        },
        "the query is missing below the line: divide by phi(q) times z": {
            2: [[3.49286], [6.12166]],
        },
        "asked before the token was taken in: take it in first": {
            3: ([[14.0], [5.0]], [4.0, 2.0], [1.66667]),
        },
        "the denominator is that before the token: take it into z, too, first": {
            3: ([[14.0], [5.0]], [4.0, 2.0], [11.0]),
        },
        "the numerator is that before the token: take it into S, too, first": {
            3: ([[14.0], [5.0]], [4.0, 2.0], [0.5]),
        },
        "z counts the tokens here; it adds up phi(k)": {
            3: ([[14.0], [5.0]], [2.0, 2.0], [5.5]),
        },
        "S takes phi(k), not phi(q)": {
            3: ([[10.0], [5.0]], [4.0, 2.0], [2.5]),
        },
        "S and z came back as they were given": {
            3: ([[2.0], [1.0]], [1.0, 1.0], [3.3]),
        },
        "z takes phi(k), not the key itself": {
            3: ([[14.0], [5.0]], [3.0, 1.0], [4.71429]),
        },
        "S takes phi(k), not the key itself": {
            3: ([[10.0], [1.0]], [4.0, 2.0], [2.1]),
        },
        "divided by the sum of z; it is the product of phi(q) and z": {
            3: ([[14.0], [5.0]], [4.0, 2.0], [5.5]),
        },
        "z came back as it was given": {
            3: ([[14.0], [5.0]], [1.0, 1.0], [3.3]),
        },
        "S is turned round: (d, d_v), the features of the key in rows": {
            3: ([[14.0, 6.0], [13.0, 5.0]], [4.0, 2.0], [3.4, 3.1]),
        },
        "the old S and z are missing: add the token to them": {
            3: ([[12.0], [4.0]], [3.0, 1.0], [4.0]),
        },
        "only the output came back: return S and z, too": {
            3: [3.3],
        },
        "the output came first; the order is S, z, output": {
            3: ([3.3], [[14.0], [5.0]], [4.0, 2.0]),
        },
    })
    axis = "the summed axis is lost, so that the wrong numbers were divided: use keepdim=True"
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    zero, values = torch.zeros(2, 1), torch.tensor([[2.0], [4.0]])
    check(linear_attention, zero, zero, values).equals([[2.0], [3.0]], **loose, near={axis: [[2.0, 1.0], [6.0, 3.0]]})
    q, k = torch.tensor([[1.0, -1.0], [1.0, 0.5]]), torch.tensor([[1.0, -1.0], [2.0, 1.0]])
    check(linear_attention, q, k, values).equals(
        [[2.0], [3.3282]], **loose, near={axis: [[2.0, 0.6103], [10.9069, 3.3282]]}
    )
    S, z = torch.tensor([[2.0], [1.0]]), torch.tensor([1.0, 1.0])
    q, k, v = torch.tensor([1.0, 0.0]), torch.tensor([2.0, 0.0]), torch.tensor([4.0])
    check(linear_step, S, z, q, k, v).equals(([[14.0], [5.0]], [4.0, 2.0], [3.3]), **loose)


score
