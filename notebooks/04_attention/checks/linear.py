from helpers.checks import graded


@graded("linear", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a token sees those after it: the sums run to j <= i only": {
            1: [[3.0], [3.0]],
            2: [[3.23921], [3.32823]],
            3: [[[3.0], [3.0]], [[3.0], [3.0]]],
        },
        "off by one: a token sees itself, too": {
            1: [[float("nan")], [2.0]],
            2: [[float("nan")], [2.0]],
            3: [[[float("nan")], [2.0]], [[float("nan")], [6.0]]],
        },
        "off by one: a token sees itself, too, and the first sees nothing": {
            1: [[0.0], [2.0]],
            2: [[0.0], [2.0]],
            3: [[[0.0], [2.0]], [[0.0], [6.0]]],
            4: [[0.0]],
        },
        "the mask is reversed: a token sees those after it, not those before": {
            1: [[3.0], [4.0]],
            2: [[3.23921], [4.0]],
            3: [[[3.0], [4.0]], [[3.0], [0.0]]],
        },
        "divided by the sum over the queries; it runs over the keys, dim=-1": {
            1: [[1.0], [5.0]],
            2: [[0.952057], [5.04794]],
            3: [[[1.0], [5.0]], [[3.0], [3.0]]],
        },
        "the feature map was applied to the values, too": {
            1: [[3.0], [4.0]],
            2: [[3.0], [4.32824]],
            3: [[[3.0], [4.0]], [[7.0], [4.0]]],
            4: [[6.0]],
            6: ([[17.0, 6.0], [6.0, 5.0]], [4.0, 2.0], [4.0, 1.7]),
            7: ([[0.000740459]], [0.00012341], [6.0]),
        },
        "the sum was not divided by the sum of the weights": {
            1: [[2.0], [6.0]],
            2: [[8.27067], [45.1036]],
            3: [[[2.0], [6.0]], [[6.0], [6.0]]],
            4: [[7.61499e-08]],
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [33.0, 10.0]),
            7: ([[0.000617049]], [0.00012341], [7.61499e-08]),
        },
        "divided by the number of all keys, not by the sum of the weights": {
            1: [[1.0], [3.0]],
            2: [[4.13534], [22.5518]],
            3: [[[1.0], [3.0]], [[3.0], [3.0]]],
            4: [[7.61499e-08]],
        },
        "the feature map is missing at the query below the line": {
            1: [[float("inf")], [float("inf")]],
            2: [[5.06744], [7.29367]],
            3: [[[float("inf")], [float("inf")]], [[float("inf")], [float("inf")]]],
            4: [[-6.8561e-05]],
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [8.25, 2.5]),
            7: ([[0.000617049]], [0.00012341], [-6.8561e-05]),
        },
        "the feature map is missing at the query above the line": {
            1: [[0.0], [0.0]],
            2: [[0.789353], [1.50296]],
            3: [[[0.0], [0.0]], [[0.0], [0.0]]],
            4: [[-364639.0]],
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [1.4, 0.3]),
            7: ([[0.000617049]], [0.00012341], [-364639.0]),
        },
        "the denominator sums over all keys, those after the token too": {
            1: [[1.0], [3.0]],
            2: [[0.760795], [3.32823]],
            3: [[[1.0], [3.0]], [[3.0], [3.0]]],
        },
        "a small number, 0.01, was added to the denominator": {
            1: [[1.9802], [2.98507]],
            2: [[1.99518], [3.32578]],
            3: [[[1.9802], [2.98507]], [[5.94059], [2.98507]]],
            4: [[7.61498e-06]],
            7: ([[0.000617049]], [0.00012341], [7.61498e-06]),
        },
        "the feature map was applied to the products; it is applied to queries and keys": {
            2: [[2.0], [3.4]],
        },
        "this is relu; the feature map is elu(x) + 1": {
            2: [[2.0], [3.42857]],
        },
        "the feature map is missing": {
            2: [[2.0], [3.66667]],
            6: ([[10.0, 2.0], [1.0, 3.0]], [3.0, 1.0], [3.33333, 0.666667]),
            7: ([[-45.0]], [-9.0], [5.0]),
        },
        "the feature map was applied to the queries only": {
            2: [[2.0], [3.83333]],
            6: ([[10.0, 2.0], [1.0, 3.0]], [3.0, 1.0], [3.0, 1.0]),
            7: ([[-45.0]], [-9.0], [5.0]),
        },
        "the feature map was applied to the keys only": {
            2: [[2.0], [3.29367]],
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [3.5, 0.75]),
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
            4: [[7.61499e-08]],
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
            4: [[0.000617049]],
        },
        "a small number, 0.001, was added to the denominator": {
            4: [[7.61487e-05]],
            7: ([[0.000617049]], [0.00012341], [7.61487e-05]),
        },
        "a small number, 0.0001, was added to the denominator": {
            4: [[0.000761383]],
            7: ([[0.000617049]], [0.00012341], [0.000761383]),
        },
        "a small number, 1e-05, was added to the denominator": {
            4: [[0.00760341]],
            7: ([[0.000617049]], [0.00012341], [0.00760341]),
        },
        "a small number, 1e-06, was added to the denominator": {
            4: [[0.0750075]],
            7: ([[0.000617049]], [0.00012341], [0.0750075]),
        },
        "a small number, 1e-08, was added to the denominator": {
            4: [[3.01823]],
            7: ([[0.000617049]], [0.00012341], [3.01823]),
        },
        "asked before the token was taken in: take it in first": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [1.66667, 1.0]),
            7: ([[0.000617049]], [0.00012341], [float("nan")]),
        },
        "asked before the token was taken in, and a small number is added below the line: take it in first": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [1.66667, 1.0]),
            7: ([[0.000617049]], [0.00012341], [0.0]),
        },
        "the denominator is that before the token: take it into z, too, first": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [11.0, 3.33333]),
            7: ([[0.000617049]], [0.00012341], [float("inf")]),
        },
        "the numerator is that before the token: take it into S, too, first": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [0.5, 0.3]),
            7: ([[0.000617049]], [0.00012341], [0.0]),
        },
        "z counts the tokens here; it adds up phi(k)": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [2.0, 2.0], [5.5, 1.66667]),
            7: ([[0.000617049]], [1.0], [0.000617049]),
        },
        "S takes phi(k), not phi(q)": {
            6: ([[10.0, 2.0], [5.0, 4.0]], [4.0, 2.0], [2.5, 0.8]),
        },
        "S and z came back as they were given": {
            6: ([[2.0, 0.0], [1.0, 3.0]], [1.0, 1.0], [3.3, 1.0]),
            7: ([[0.0]], [0.0], [5.0]),
        },
        "z takes phi(k), not the key itself": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [3.0, 1.0], [4.71429, 1.42857]),
            7: ([[0.000617049]], [-9.0], [-6.8561e-05]),
        },
        "S takes phi(k), not the key itself": {
            6: ([[10.0, 2.0], [1.0, 3.0]], [4.0, 2.0], [2.1, 0.7]),
            7: ([[-45.0]], [0.00012341], [-364639.0]),
        },
        "divided by the sum of z; it is the product of phi(q) and z": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [5.5, 1.66667]),
            7: ([[0.000617049]], [0.00012341], [0.000617049]),
        },
        "z came back as it was given": {
            6: ([[14.0, 3.0], [5.0, 4.0]], [1.0, 1.0], [3.3, 1.0]),
            7: ([[0.000617049]], [0.0], [5.0]),
        },
        "S is transposed: (d, d_v), the features of the key in rows": {
            6: ([[14.0, 4.0], [4.0, 4.0]], [4.0, 2.0], [3.2, 1.2]),
        },
        "the old S and z are missing: add the token to them": {
            6: ([[12.0, 3.0], [4.0, 1.0]], [3.0, 1.0], [4.0, 1.0]),
        },
        "only the output came back: return S and z, too": {
            6: [3.3, 1.0],
            7: [5.0],
        },
        "the output came first; the order is S, z, output": {
            6: ([3.3, 1.0], [[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0]),
            7: ([5.0], [[0.000617049]], [0.00012341]),
        },
    })
    from helpers.checks.gradients import cut

    axis = "the summed axis is lost, so that the wrong numbers were divided: use keepdim=True"
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    zero, values = torch.zeros(2, 1), torch.tensor([[2.0], [4.0]])
    check(linear_attention, zero, zero, values).equals([[2.0], [3.0]], **loose, near={axis: [[2.0, 1.0], [6.0, 3.0]]})
    q, k = torch.tensor([[1.0, -1.0], [1.0, 0.5]]), torch.tensor([[1.0, -1.0], [2.0, 1.0]])
    usual = check(linear_attention, q, k, values).equals(
        [[2.0], [3.3282]], **loose, near={axis: [[2.0, 0.6103], [10.9069, 3.3282]]}
    )
    batch = torch.zeros(2, 2, 1), torch.zeros(2, 2, 1), torch.tensor([[[2.0], [4.0]], [[6.0], [0.0]]])
    check(linear_attention, *batch).equals(
        [[[2.0], [3.0]], [[6.0], [3.0]]], about="a batch of two", **loose,
        near={"the sums run along the first axis, the batch: they run over the tokens":
              [[[2.0], [4.0]], [[4.0], [2.0]]]},
    )
    clamped = "the sum below the line was clamped: it may be small"
    fine = {"rtol": 2e-3, "atol": 1e-9, "dtype": "float32"}
    low = torch.tensor([[-9.0]])
    check(linear_attention, low, low, torch.tensor([[5.0]])).equals(
        [[5.0]], about="a sum of 0.00000002", **fine, near={clamped: [[0.0762]]}
    )
    flow = {"about": "gradients of the squares", **loose}
    check(slopes, linear_attention, q, k, values).equals(
        [[[0.0, 0.0], [-0.6299, 0.8398]], [[-2.6096, -0.7200], [1.3198, 0.9899]], [[8.4716], [8.8414]]],
        near=cut(usual), **flow
    )
    S, z = torch.tensor([[2.0, 0.0], [1.0, 3.0]]), torch.tensor([1.0, 1.0])
    token = S, z, torch.tensor([1.0, 0.0]), torch.tensor([2.0, 0.0]), torch.tensor([4.0, 1.0])
    of_one = check(linear_step, *token).equals(([[14.0, 3.0], [5.0, 4.0]], [4.0, 2.0], [3.3, 1.0]), **loose)
    first = torch.zeros(1, 1), torch.zeros(1), low[0], low[0], torch.tensor([5.0])
    check(linear_step, *first).equals(
        ([[6.1705e-4]], [1.2341e-4], [5.0]), about="the first token, all small", **fine,
        near={clamped: ([[6.1705e-4]], [1.2341e-4], [0.0762])},
    )
    by_S, by_z = [[31.9600, 7.2000], [11.9800, 8.6000]], [1.7320, 0.8660]
    check(slopes, linear_step, *token).equals(
        [by_S, by_z, [0.9840, -1.9680], [136.7720, 57.3860], [107.8600, 30.2000]], near=cut(of_one), **flow
    )


score
