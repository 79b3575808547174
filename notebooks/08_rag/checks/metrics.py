from helpers.checks import graded


@graded("metrics", points=6)
def score(check):
    precision = "divided by k: that is precision; recall divides by the number of relevant documents"
    hit = "this says whether one was found at all; recall is the share of the relevant ones"
    everything = "k is ignored: only the first k count"
    from_zero = "ranks count from 1"
    last = "the first relevant document counts, not the last"
    mean = "only the first relevant document counts, not the mean over all"
    came = "divided by the number of documents that came back; recall divides by the number of relevant documents"
    counted = "this counts them: divide by the number of relevant documents"
    one_less, one_more = "off by one: the first k, not k - 1", "off by one: the first k, not k + 1"
    listed = "the first of `relevant` counts, not the first of them in the ranking"
    from_two = "ranks count from 1, not from 2"
    added = "the sum over all relevant documents; only the first counts"
    found_only = "the best possible order sorts all gains that there are, also of documents that were not found"
    of_ranked = "the best possible order sorts all gains that there are, not those of the whole ranking alone"
    binary = "gains count, not only whether they are above 0"
    not_cut = "the best possible order, too, has only k places"
    undivided = "not divided by the DCG of the best possible order"
    natural = "the discount is log2(rank + 1): this one is too strong or too weak at the start"
    exponential = "the gain is taken as it is, not as 2 to its power less 1"
    closed_up = "documents without a gain keep their ranks: they count, with the gain 0"
    closed_first = closed_up + ", and each takes one of the k places"
    no_gain = "what is not in `gains` has the gain 0"
    flat = "the best possible order is discounted by its ranks, too"
    rank = "the discount is log2(rank + 1): this one is the rank itself"
    undiscounted = "the discount is log2(rank + 1): the first rank is not divided by 0"
    times = "a gain is divided by log2(rank + 1), not multiplied by it"
    nothing = "0 where no relevant document is there"

    check(recall_at, list("acbefdxw"), ["b", "d", "x", "w", "y"], 6).equals(2 / 5, near={
        precision: 1 / 3, came: 1 / 3, hit: 1, counted: 2, everything: 4 / 5, one_less: 1 / 5, one_more: 3 / 5,
    })
    check(recall_at, ["a", "b", "c", "d"], ["b", "d", "x"], 5).equals(2 / 3, near={
        precision: 2 / 5, came: 1 / 2, hit: 1, counted: 2,
    })
    check(reciprocal_rank, list("acbefdg"), ["d", "b", "g", "x"]).equals(1 / 3, near={
        from_zero: 1 / 2, from_two: 1 / 4, last: 1 / 7, listed: 1 / 6, mean: 3 / 14, added: 9 / 14,
    })
    check(reciprocal_rank, ["a", "b"], ["c"]).equals(0, about="nothing found", near={
        nothing: ValueError, nothing + ": `next` finds nothing": StopIteration,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1}, 4).equals(0.643322, rtol=1e-4, near={
        undivided: 1.692536, exponential: 0.639910, closed_up: 1, closed_first: 1, times: 1.531914, no_gain: KeyError,
        flat: 0.564179, natural: 0.787153, rank: 0.5, undiscounted: 0.833333,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1, "x": 3}, 3).equals(0.264992, rtol=1e-4, near={
        found_only: 0.630930, of_ranked: 0.479626, undivided: 1.261860, everything: 0.355434,
        closed_up: 0.420004, closed_first: 0.552500, times: 0.387999, no_gain: KeyError,
        flat: 0.210310, natural: 0.300891, rank: 0.230769, undiscounted: 0.355181,
    })
    short = "the best possible order has k places, however short the ranking is"
    check(ndcg_at, ["a", "b"], {"b": 2, "d": 1, "x": 5}, 3).equals(
        0.186614, rtol=1e-4, about="a ranking shorter than k",
        near={short: 0.201515, found_only: 0.630930, of_ranked: 0.630930, undivided: 1.261860, binary: 0.296082,
              closed_up: 0.295777, closed_first: 0.295777, times: 0.311696, no_gain: KeyError,
              flat: 0.157732, natural: 0.218087, rank: 0.157895, undiscounted: 0.262091},
    )


score
