from helpers.checks import graded


@graded("metrics", points=6)
def score(check):
    precision = "divided by k: that is precision; recall divides by the number of relevant documents"
    hit = "this says whether one was found at all; recall is the share of the relevant ones"
    everything = "k is ignored: only the first k count"
    from_zero = "ranks count from 1"
    last = "the first relevant document counts, not the last"
    mean = "only the first relevant document counts, not the mean over all"
    found_only = "the best possible order sorts all gains that there are, also of documents that were not found"
    not_cut = "the best possible order, too, has only k places"
    undivided = "not divided by the DCG of the best possible order"
    natural = "the discount is log2(rank + 1): this one is too strong or too weak at the start"
    exponential = "the gain is taken as it is, not as 2 to its power less 1"

    check(recall_at, ["a", "c", "b", "d", "x"], ["b", "d", "x", "y"], 3).equals(1 / 4, near={
        precision: 1 / 3, hit: 1, everything: 3 / 4, "off by one: the first k, not k - 1": 0,
        "off by one: the first k, not k + 1": 0.5,
    })
    check(recall_at, ["a", "b"], ["b", "d", "x"], 5).equals(1 / 3, near={precision: 0.2, hit: 1})
    check(reciprocal_rank, ["a", "c", "b", "d"], ["d", "b", "x"]).equals(1 / 3, near={
        from_zero: 0.5, last: 0.25, mean: 7 / 24,
    })
    check(reciprocal_rank, ["a", "b"], ["c"]).equals(0, about="nothing found")
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1}, 4).equals(0.643322, rtol=1e-4, near={
        undivided: 1.692536, exponential: 0.639910,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1, "x": 3}, 3).equals(0.264992, rtol=1e-4, near={
        found_only: 0.630930, undivided: 1.261860, everything: 0.355434,
    })
    short = "the best possible order has k places, however short the ranking is"
    check(ndcg_at, ["a", "b"], {"b": 2, "d": 1, "x": 3}, 3).equals(
        0.264993, rtol=1e-4, about="a ranking shorter than k",
        near={short: 0.296082, found_only: 0.630930, undivided: 1.261860},
    )


score
