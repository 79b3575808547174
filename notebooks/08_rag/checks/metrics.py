from helpers.checks import graded


@graded("metrics", points=4)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "divided by k: that is precision; recall divides by the number of relevant documents": {
            1: 0.333333,
            2: 0.4,
            3: 0.5,
        },
        "divided by the number of documents that came back; recall divides by the number of relevant documents": {
            1: 0.333333,
            2: 0.5,
            3: 0.5,
        },
        "this says whether one was found at all; recall is the share of the relevant ones": {
            1: 1.0,
            2: 1.0,
            3: 1.0,
        },
        "k is ignored: only the first k count": {
            1: 0.8,
            3: 0.666667,
            4: 0.5,
            9: 0.397136,
        },
        "this counts them: divide by the number of relevant documents": {
            1: 2,
            2: 2,
            3: 1,
        },
        "off by one: the first k, not k - 1": {
            1: 0.2,
            3: 0.0,
        },
        "off by one: the first k, not k + 1": {
            1: 0.6,
            4: 0.5,
        },
        "divided by the smaller of k and the number of relevant documents": {
            3: 0.5,
        },
        "ranks count from 1": {
            5: 0.5,
            6: 0.5,
        },
        "this is the rank: return 1 / rank": {
            5: 3.0,
            6: 3.0,
        },
        "ranks count from 1, not from 2": {
            5: 0.25,
            6: 0.25,
        },
        "the first relevant document counts, not the last": {
            6: 0.142857,
        },
        "only the first relevant document counts, not the mean over all": {
            6: 0.214286,
        },
        "the first of `relevant` counts, not the first of them in the ranking": {
            6: 0.166667,
        },
        "the first of `relevant` counts, not the first of them in the ranking, and the others count, too": {
            6: 0.166667,
        },
        "the sum over all relevant documents; only the first counts": {
            6: 0.642857,
        },
        "the best possible order has the largest gain first": {
            8: 0.748294,
            9: 0.557886,
            10: 0.264993,
        },
        "not divided by the DCG of the best possible order": {
            8: 1.69254,
            9: 1.26186,
            10: 1.26186,
        },
        "the discount is log2(rank + 1): this one is too strong or too weak at the start": {
            8: 0.787153,
            9: 0.345687,
            10: 0.218087,
        },
        "the discount is log2(rank + 1): this one is the rank itself": {
            8: 0.5,
            9: 0.25,
            10: 0.157895,
        },
        "the discount is log2(rank + 1): here the 1 is added to the logarithm": {
            8: 0.533333,
            9: 0.25,
            10: 0.156572,
        },
        "the discount is log2(rank + 1): the first rank is not divided by 0": {
            8: 0.833333,
            9: 0.4,
            10: 0.262091,
        },
        "documents without a gain keep their ranks: they count, with the gain 0": {
            8: 1.0,
            9: 0.469279,
            10: 0.295777,
        },
        "documents without a gain keep their ranks: they count, with the gain 0, and each takes one of the k places": {
            8: 1.0,
            9: 0.61732,
            10: 0.295777,
        },
        "the best possible order is discounted by its ranks, too": {
            8: 0.564179,
            9: 0.252372,
            10: 0.157732,
        },
        "a gain is divided by log2(rank + 1), not multiplied by it": {
            8: 1.53191,
            9: 0.51377,
            10: 0.311696,
        },
        "the gain is taken as it is, not as 2 to its power less 1": {
            8: 0.639909,
            9: 0.212845,
            10: 0.0566826,
        },
        "gains count, not only whether they are above 0": {
            8: 0.650921,
            9: 0.386853,
            10: 0.296082,
        },
        "the best possible order sorts all gains that there are, including those of documents that were not found": {
            9: 0.63093,
            10: 0.63093,
        },
        "the best possible order sorts all gains that there are, not those of the whole ranking alone": {
            9: 0.479625,
            10: 0.63093,
        },
        "the best possible order, too, has only k places": {
            9: 0.264993,
        },
        "the best possible order takes the k largest gains: sort first, then cut": {
            9: 0.479625,
        },
        "the best possible order was not sorted": {
            9: 0.479625,
            10: 0.245932,
        },
    })
    no_gain = "what is not in `gains` has the gain 0"
    nothing = "0 where no relevant document is there"
    check(recall_at, list("acbefdxw"), ["b", "d", "x", "w", "y"], 6).equals(2 / 5)
    check(recall_at, ["a", "b", "c", "d"], ["b", "d", "x"], 5).equals(2 / 3)
    check(recall_at, ["a", "b", "c", "d"], ["b", "d", "x"], 2).equals(1 / 3)
    similar = ["numpy.mean_of", "numpy", "numpy.mean"]
    parts = "names are compared as a whole: here a part of one was enough"
    check(recall_at, similar, ["numpy.mean", "x"], 2).equals(0, about="names within names", near={parts: 1 / 2})
    check(reciprocal_rank, similar, ["numpy.mean"]).equals(
        1 / 3, about="names within names", near={parts: 1.0, parts + ", the other way round": 1 / 2})
    check(reciprocal_rank, list("acbefdg"), ["d", "b", "g", "x"]).equals(1 / 3)
    check(reciprocal_rank, ["a", "b"], ["c"]).equals(0, about="nothing found", near={
        nothing: ValueError, nothing + ": `next` finds nothing": StopIteration,
    })
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1}, 4).equals(
        0.643322, rtol=1e-4, near={no_gain: KeyError, "there may be fewer gains than places": IndexError})
    check(ndcg_at, ["a", "b", "c", "d"], {"b": 2, "d": 1, "x": 3}, 2).equals(0.296082, rtol=1e-4,
        near={no_gain: KeyError})
    short = "the best possible order has k places, however short the ranking is"
    check(ndcg_at, ["a", "b"], {"b": 2, "d": 1, "x": 5}, 3).equals(
        0.186614, rtol=1e-4, about="a ranking shorter than k",
        near={short: 0.201515, no_gain: KeyError},
    )


score
