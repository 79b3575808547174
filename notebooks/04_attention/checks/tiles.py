from helpers.checks import graded


@graded("tiles", points=6)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the correction is inverted: it is exp(m - m'), at most 1": {
            1: ([0.0], [float("nan")], [[float("nan")]]),
            2: ([0.6931, 2.6931], [3.49993, 3.75005], [[5.00005], [3.50014]]),
        },
        "the maximum before the tile was kept": {
            1: ([float("-inf")], [float("nan")], [[float("nan")]]),
            2: ([0.0, 2.6931], [3.99991, 3.75005], [[8.49981], [3.50014]]),
        },
        "the tile's exponentials use the old maximum; they use the new one": {
            1: ([0.0], [float("inf")], [[float("nan")]]),
            2: ([0.6931, 2.6931], [3.49993, 3.75005], [[8.24982], [3.50014]]),
        },
        "the maximum came back as it was given: return the new one": {
            1: ([float("-inf")], [1.0], [[0.0]]),
            2: ([0.0, 2.6931], [2.00005, 3.75005], [[4.25011], [3.50014]]),
        },
        "no maximum is kept here: large scores overflow": {
            1: ([float("-inf")], [1.0], [[0.0]]),
            2: ([0.0, 2.6931], [3.99991, 14.0838], [[8.49981], [37.9456]]),
        },
        "the correction uses the tile's own maximum; it uses that of all keys so far": {
            2: ([0.6931, 2.6931], [2.00005, 6.74976], [[4.25011], [4.50005]]),
        },
        "the maximum runs over the queries; each query has one over its keys, dim=-1": {
            2: ([1.3069, 2.6931], [1.08261, 3.75005], [[2.30054], [3.50014]]),
            3: [[9.00001, 6.0], [9.00001, 6.0]],
        },
        "what was added up before was not corrected by exp(m - m')": {
            2: ([0.6931, 2.6931], [2.50002, 3.75005], [[4.50009], [3.50014]]),
            3: [[7.0, 5.6]],
            4: [[2.0]],
        },
        "the output was not corrected by exp(m - m'); only the total was": {
            2: ([0.6931, 2.6931], [2.00005, 3.75005], [[4.50009], [3.50014]]),
            3: [[10.0, 8.00001]],
        },
        "the total was not corrected by exp(m - m'); only the output was": {
            2: ([0.6931, 2.6931], [2.50002, 3.75005], [[4.25011], [3.50014]]),
            3: [[6.3, 4.2]],
            4: [[2.0]],
        },
        "the maximum is that of the tile alone; it is that of all keys so far": {
            2: ([0.6931, 2.0], [2.00005, 7.49974], [[4.25011], [6.99995]]),
        },
        "the output is divided by the total already; that is done once, at the end": {
            2: ([0.6931, 2.6931], [2.00005, 3.75005], [[2.125], [0.933359]]),
            3: [[8.66668, 5.33334]],
        },
        "the tile's exponentials use the tile's own maximum; they use that of all keys so far": {
            2: ([0.6931, 2.6931], [2.00005, 4.50002], [[4.25011], [6.00005]]),
        },
        "one maximum for all queries: each query has its own": {
            2: ([2.6931, 2.6931], [0.270677, 3.75005], [[0.575189], [3.50014]]),
        },
        "no maximum was subtracted from the tile's scores": {
            2: ([0.6931, 2.6931], [3.49993, 14.0838], [[8.24982], [37.9456]]),
            3: [[10.8182, 6.36364]],
        },
        "the tile's softmax times its values was added; add the exponentials times the values": {
            2: ([0.6931, 2.6931], [2.00005, 3.75005], [[2.9167], [4.33331]]),
            3: [[8.66668, 5.33334]],
        },
        "the old total is missing": {
            2: ([0.6931, 2.6931], [1.50002, 0.750047], [[4.25011], [3.50014]]),
        },
        "the old output is missing": {
            2: ([0.6931, 2.6931], [2.00005, 3.75005], [[4.00009], [2.50014]]),
        },
        "the first values were used for every tile: cut the values as the keys": {
            3: [[5.0, 2.0]],
            4: [[0.0]],
        },
        "the tiles overlap, and keys count more than once: go on by `tile`": {
            3: [[9.15386, 6.46154]],
        },
        "the root is that of the number of keys in the tile; it is that of d_k": {
            3: [[11.7467, 6.64404]],
        },
        "this is the mean of the tiles' outputs; tiles weigh as much as their total": {
            3: [[8.16666, 5.83334]],
            4: [[2.0]],
        },
        "the tiles' outputs were added up": {
            3: [[16.3333, 11.6667]],
            4: [[4.0]],
        },
        "only the last tile counts here": {
            3: [[14.0, 7.0]],
            4: [[4.0]],
        },
        "only the first tile counts here": {
            3: [[2.33333, 4.66667]],
            4: [[0.0]],
        },
        "the output was not divided by the total at the end": {
            3: [[15.75, 10.5]],
            4: [[4.0]],
        },
        "the scores are not scaled by the root of d_k": {
            3: [[11.0, 6.66667]],
        },
        "the root is that of d_v, the size of a value; it is that of d_k": {
            3: [[9.88491, 6.34994]],
        },
        "the last tile, which is shorter, was left out": {
            3: [[2.33333, 4.66667]],
        },
        "the scores are divided by d_k, not by its root": {
            3: [[7.92894, 5.41422]],
        },
        "the output was divided at every tile, and at the end": {
            3: [[4.9524, 3.04763]],
            4: [[2.25002]],
        },
    })
    axis_missing = "there is one factor and one total for each query: it needs an axis more, [:, None]"
    all_scores = "all scores were there at once: make them tile by tile, and keep none of them"
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    start = torch.tensor([-torch.inf]), torch.tensor([0.0]), torch.tensor([[0.0]])
    check(add_tile, *start, torch.tensor([[0.0]]), torch.tensor([[0.0]])).equals(([0.0], [1.0], [[0.0]]), **loose)
    before = torch.tensor([0.0, 2.6931]), torch.tensor([1.0, 3.0]), torch.tensor([[0.5], [1.0]])
    scores, values = torch.tensor([[0.6931, 0.0], [1.3069, 2.0]]), torch.tensor([[2.0], [4.0]])
    second = check(add_tile, *before, scores, values).equals(
        ([0.6931, 2.6931], [2.0, 3.75], [[4.25], [3.5]]), **loose,
        near={axis_missing: ([0.6931, 2.6931], [2.0, 3.75], [[4.2501, 4.5001], [3.0002, 3.5001]])}
    )
    q, v = torch.tensor([[1.0, 0.0, 1.0, 0.0]]), torch.tensor([[7.0, 0.0], [0.0, 7.0], [14.0, 7.0]])
    k = torch.tensor([[0.0, 5.0, 0.0, 5.0], [1.3863, 0.0, 0.0, 5.0], [0.0, 5.0, 2.7726, 0.0]])
    check(tiled_attention, q, k, v, 2).equals([[9.0, 6.0]], **loose)
    low = torch.tensor([[-1000.0]]), torch.tensor([[2.0], [1.9989014]]), torch.tensor([[0.0], [4.0]])
    check(tiled_attention, *low, 1).equals(
        [[3.0]], about="scores of -2000", **loose,
    )
    table = 128 * 128 * 4 / 1e6  # MB of float32
    check(memory_of, tiled_attention, *[torch.ones(128, 2)] * 3, 8).holds(
        lambda mb: mb < table, f"fewer MB than the table of all scores takes, {table:.4f}", about="memory",
        near={all_scores: lambda mb: mb >= table},
    )
    too_many = "exponentials of more than two tiles of scores were taken at once: go through the keys, `tile` at a time"
    check(beside, "largest_exponential", tiled_attention, torch.ones(3, 2), *[torch.ones(40, 2)] * 2, 4).holds(
        lambda n: n <= 2 * 3 * 4, "exponentials of 3 queries and twice 4 keys at most at once", about="tile by tile",
        near={too_many: lambda n: n > 2 * 3 * 4},
    )


score
