from helpers.checks import graded


@graded("metrics", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "divided by k: that is precision; recall divides by the number of relevant documents": {
            1: 0.333333,
            2: 0.4,
        },
        "divided by the number of documents that came back; recall divides by the number of relevant documents": {
            1: 0.333333,
            2: 0.5,
        },
        "this says whether one was found at all; recall is the share of the relevant ones": {
            1: 1.0,
            2: 1.0,
        },
        "k is ignored: only the first k count": {
            1: 0.8,
            6: 0.355436,
        },
        "this counts them: divide by the number of relevant documents": {
            1: 2,
            2: 2,
        },
        "off by one: the first k, not k - 1": {
            1: 0.2,
        },
        "off by one: the first k, not k + 1": {
            1: 0.6,
        },
        "ranks count from 1": {
            3: 0.5,
        },
        "the first relevant document counts, not the last": {
            3: 0.142857,
        },
        "only the first relevant document counts, not the mean over all": {
            3: 0.214286,
        },
        "this is the rank: return 1 / rank": {
            3: 3.0,
        },
        "the first of `relevant` counts, not the first of them in the ranking": {
            3: 0.166667,
        },
        "the first of `relevant` counts, not the first of them in the ranking, and the others count, too": {
            3: 0.166667,
        },
        "the sum over all relevant documents; only the first counts": {
            3: 0.642857,
        },
        "ranks count from 1, not from 2": {
            3: 0.25,
        },
        "the best possible order has the largest gain first": {
            5: 0.748294,
            6: 0.335435,
            7: 0.264993,
        },
        "not divided by the DCG of the best possible order": {
            5: 1.69254,
            6: 1.26186,
            7: 1.26186,
        },
        "the discount is log2(rank + 1): this one is too strong or too weak at the start": {
            5: 0.787153,
            6: 0.300891,
            7: 0.218087,
        },
        "the discount is log2(rank + 1): this one is the rank itself": {
            5: 0.5,
            6: 0.230769,
            7: 0.157895,
        },
        "the discount is log2(rank + 1): the first rank is not divided by 0": {
            5: 0.833333,
            6: 0.355181,
            7: 0.262091,
        },
        "documents without a gain keep their ranks: they count, with the gain 0": {
            5: 1.0,
            6: 0.420004,
            7: 0.295777,
        },
        "documents without a gain keep their ranks: they count, with the gain 0, and each takes one of the k places": {
            5: 1.0,
            6: 0.5525,
            7: 0.295777,
        },
        "the best possible order is discounted by its ranks, too": {
            5: 0.564179,
            6: 0.21031,
            7: 0.157732,
        },
        "a gain is divided by log2(rank + 1), not multiplied by it": {
            5: 1.53191,
            6: 0.387999,
            7: 0.311696,
        },
        "the gain is taken as it is, not as 2 to its power less 1": {
            5: 0.639909,
            6: 0.201515,
            7: 0.0566826,
        },
        "gains count, not only whether they are above 0": {
            5: 0.650921,
            6: 0.296082,
            7: 0.296082,
        },
        "the best possible order sorts all gains that there are, also of documents that were not found": {
            6: 0.63093,
            7: 0.63093,
        },
        "the best possible order sorts all gains that there are, not those of the whole ranking alone": {
            6: 0.479625,
            7: 0.63093,
        },
        "the best possible order was not sorted": {
            6: 0.305466,
            7: 0.245932,
        },
    })
    no_gain = "what is not in `gains` has the gain 0"
    nothing = "0 where no relevant document is there"
    check(recall_at, list("acbefdxw"), ["b", "d", "x", "w", "y"], 6).equals(2 / 5)
    check(recall_at, ["a", "b", "c", "d"], ["b", "d", "x"], 5).equals(2 / 3)
    check(reciprocal_rank, list("acbefdg"), ["d", "b", "g", "x"]).equals(1 / 3)
    check(reciprocal_rank, ["a", "b"], ["c"]).equals(0, about="nothing found", near={
        nothing: ValueError, nothing + ": `next` finds nothing": StopIteration,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1}, 4).equals(0.643322, rtol=1e-4, near={no_gain: KeyError})
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1, "x": 3}, 3).equals(0.264992, rtol=1e-4,
        near={no_gain: KeyError})
    short = "the best possible order has k places, however short the ranking is"
    check(ndcg_at, ["a", "b"], {"b": 2, "d": 1, "x": 5}, 3).equals(
        0.186614, rtol=1e-4, about="a ranking shorter than k",
        near={short: 0.201515, no_gain: KeyError},
    )


score
