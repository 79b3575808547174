from helpers.checks import graded


@graded("tiles", points=6)
def score(check):
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    says = {
        "uncorrected": "what was added up before was not corrected by exp(m - m')",
        "total_only": "the output was not corrected by exp(m - m'); only the total was",
        "output_only": "the total was not corrected by exp(m - m'); only the output was",
        "inverse": "the correction is turned round: it is exp(m - m'), at most 1",
        "tile_max": "the maximum is that of the tile alone; it is that of all keys so far",
        "kept_max": "the maximum before the tile was kept",
        "divided": "the output is divided by the total already; that is done once, at the end",
        "old_max": "the tile's exponentials use the old maximum; they use the new one",
        "own_max": "the tile's exponentials use the tile's own maximum; they use that of all keys so far",
        "global": "one maximum for all queries: each query has its own",
        "mean": "this is the mean of the tiles' outputs; tiles weigh as much as their total",
        "undivided": "the output was not divided by the total at the end",
        "no_scale": "the scores are not scaled by the root of d_k",
        "dropped": "the last tile, which is shorter, was left out",
        "final": "only the last tile counts here",
        "first": "only the first tile counts here",
        "old_back": "the maximum came back as it was given: return the new one",
        "no_max": "no maximum is kept here: large scores overflow",
        "softmax": "the tile's softmax times its values was added; add the exponentials times the values",
        "same_values": "the first values were used for every tile: cut the values as the keys",
        "overlap": "the tiles overlap, and keys count more than once: go on by `tile`",
        "axis": "there is one factor and one total for each query: it needs an axis more, [:, None]",
        "own_fix": "the correction uses the tile's own maximum; it uses that of all keys so far",
        "over_queries": "the maximum runs over the queries; each query has one over its keys, dim=-1",
        "width": "the sum o is as wide as the values: (T_q, d_v)",
        "table": "all scores were there at once: make them tile by tile, and keep none of them",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4, "dtype": "float32"}
    start = torch.tensor([-torch.inf]), torch.tensor([0.0]), torch.tensor([[0.0]])
    check(add_tile, *start, torch.tensor([[0.0]]), torch.tensor([[0.0]])).equals(
        ([0.0], [1.0], [[0.0]]), **loose, near={
        says["inverse"]: ([0.0], [torch.nan], [[torch.nan]]),
        says["kept_max"]: ([-torch.inf], [torch.nan], [[torch.nan]]),
        says["old_max"]: ([0.0], [torch.inf], [[torch.nan]]), says["old_back"]: ([-torch.inf], [1.0], [[0.0]]),
        says["no_max"]: ([-torch.inf], [1.0], [[0.0]]),
    }
    )
    before = torch.tensor([0.0, 2.6931]), torch.tensor([1.0, 3.0]), torch.tensor([[0.5], [1.0]])
    scores, values = torch.tensor([[0.6931, 0.0], [1.3069, 2.0]]), torch.tensor([[2.0], [4.0]])
    second = check(add_tile, *before, scores, values).equals(
        ([0.6931, 2.6931], [2.0, 3.75], [[4.25], [3.5]]), **loose, near={
        says["uncorrected"]: ([0.6931, 2.6931], [2.5, 3.75], [[4.5001], [3.5]]),
        says["total_only"]: ([0.6931, 2.6931], [2.0, 3.75], [[4.5001], [3.5]]),
        says["output_only"]: ([0.6931, 2.6931], [2.5, 3.75], [[4.2501], [3.5]]),
        says["inverse"]: ([0.6931, 2.6931], [3.4999, 3.75], [[5.0], [3.5]]),
        says["tile_max"]: ([0.6931, 2.0], [2.0, 7.4997], [[4.2501], [7.0]]),
        says["kept_max"]: ([0.0, 2.6931], [3.9999, 3.75], [[8.4998], [3.5]]),
        says["divided"]: ([0.6931, 2.6931], [2.0, 3.75], [[2.125], [0.9334]]),
        says["old_max"]: ([0.6931, 2.6931], [3.4999, 3.75], [[8.2498], [3.5]]),
        says["own_max"]: ([0.6931, 2.6931], [2.0, 4.5], [[4.2501], [6.0]]),
        says["old_back"]: ([0.0, 2.6931], [2.0, 3.75], [[4.25], [3.5]]),
        says["no_max"]: ([0.0, 2.6931], [4.0, 14.0838], [[8.5], [37.9458]]),
        says["softmax"]: ([0.6931, 2.6931], [2.0, 3.75], [[2.9167], [4.3333]]),
        says["global"]: ([2.6931, 2.6931], [0.2707, 3.75], [[0.5752], [3.5]]),
        says["own_fix"]: ([0.6931, 2.6931], [2.0, 6.7498], [[4.2501], [4.5]]),
        says["over_queries"]: ([1.3069, 2.6931], [1.0826, 3.75], [[2.3005], [3.5]]),
        says["axis"]: ([0.6931, 2.6931], [2.0, 3.75], [[4.2501, 4.5001], [3.0002, 3.5001]]),
    }
    )
    q, k, v = torch.tensor([[1.0]]), torch.tensor([[0.0], [0.6931], [1.3863]]), torch.tensor([[7.0], [0.0], [14.0]])
    check(tiled_attention, q, k, v, 2).equals([[9.0]], **loose, near={
        says["uncorrected"]: [[7.0]], says["inverse"]: [[torch.nan]], says["mean"]: [[8.1667]],
        says["final"]: [[14.0]], says["first"]: [[2.3334]],
        says["dropped"]: [[2.3334]],
        says["total_only"]: [[10.0003]], says["output_only"]: [[6.2999]],
        says["undivided"]: [[15.75]], says["same_values"]: [[5.0]],
    })
    table = 128 * 128 * 4 / 1e6  # MB of float32
    check(memory_of, tiled_attention, *[torch.ones(128, 2)] * 3, 8).holds(
        lambda mb: mb < table, f"fewer MB than the table of all scores takes, {table:.4f}", about="memory",
        near={says["table"]: lambda mb: mb >= table},
    )


score
