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

    check(recall_at, list("acbefdxw"), ["b", "d", "x", "w", "y"], 6).equals(2 / 5, near={
        precision: 1 / 3, came: 1 / 3, hit: 1, counted: 2, everything: 4 / 5, one_less: 1 / 5, one_more: 3 / 5,
    })
    check(recall_at, ["a", "b", "c", "d"], ["b", "d", "x"], 5).equals(2 / 3, near={
        precision: 2 / 5, came: 1 / 2, hit: 1, counted: 2,
    })
    check(reciprocal_rank, list("acbefdg"), ["d", "b", "g", "x"]).equals(1 / 3, near={
        from_zero: 1 / 2, from_two: 1 / 4, last: 1 / 7, listed: 1 / 6, mean: 3 / 14, added: 9 / 14,
    })
    check(reciprocal_rank, ["a", "b"], ["c"]).equals(0, about="nothing found")
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1}, 4).equals(0.643322, rtol=1e-4, near={
        undivided: 1.692536, exponential: 0.639910,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1, "x": 3}, 3).equals(0.264992, rtol=1e-4, near={
        found_only: 0.630930, of_ranked: 0.479626, undivided: 1.261860, everything: 0.355434,
    })
    short = "the best possible order has k places, however short the ranking is"
    check(ndcg_at, ["a", "b"], {"b": 2, "d": 1, "x": 5}, 3).equals(
        0.186614, rtol=1e-4, about="a ranking shorter than k",
        near={short: 0.201515, found_only: 0.630930, of_ranked: 0.630930, undivided: 1.261860, binary: 0.296082},
    )


score
