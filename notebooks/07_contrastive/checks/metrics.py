from helpers.checks import graded


@graded("metrics", points=8)
def score(check):
    ranking, relevant = ["a", "b", "c", "d"], {"b": 1, "d": 2, "x": 1}
    precision = "this is precision, a share of the k: recall is a share of the relevant"
    whole = "the ranking was not cut at k"
    hit = "recall is a share, not whether anything was found"
    smaller = "divided by the smaller of k and the number of relevant: divide by all that are relevant"
    check(recall_at, ranking, relevant, 2).equals(1 / 3, rtol=1e-4, near={
        whole: 2 / 3, hit: 1.0, precision: 0.5, smaller: 0.5,
    })
    check(recall_at, ranking, relevant, 4).equals(2 / 3, rtol=1e-4, near={precision: 0.5, hit: 1.0})

    zero = "ranks are counted from 1"
    rank = "this is the rank: 1 / rank is asked"
    times_gain = "the gain was multiplied: only the rank counts"
    gain = "the one with the largest gain was taken: the first relevant one is asked"
    every = "only the first relevant one counts"
    check(reciprocal_rank, ranking, relevant, 3).equals(0.5, rtol=1e-4, near={zero: 1.0, rank: 2.0})
    check(reciprocal_rank, ["q", "a", "b", "d", "x"], {"x": 1, "b": 2, "d": 3}, 5).equals(1 / 3, rtol=1e-4, near={
        zero: 0.5, rank: 3.0, every: 0.7833333, "the last relevant one was taken: the first is asked": 0.2,
        gain: 0.25, times_gain: 0.6666667,
    })
    check(reciprocal_rank, ranking, relevant, 1).equals(0.0, about="none among the first k", near={whole: 0.5})

    cut_short = "the best ranking is cut at k, not at the length of a short ranking"
    no_ideal = "the division by the best possible ranking is missing"
    found_only = "the best ranking has all relevant passages, also those that were not found"
    exponential = "the gain is taken as it is, not 2 to its power less 1"
    natural = "the discount has base 2, and rank + 1 inside"
    binary = "gains were all taken as 1"
    unsorted = "the best ranking begins with the largest gain"
    check(ndcg_at, ranking, relevant, 3).equals(0.2015152, rtol=1e-4, near={
        no_ideal: 0.6309298, found_only: 0.6309298, exponential: 0.1527332, binary: 0.2960819,
        whole: 0.4766262, unsorted: 0.2284438,
    })
    check(ndcg_at, ["d", "a", "b"], relevant, 2).equals(0.7601880, rtol=1e-4, near={
        no_ideal: 2.0, found_only: 1.0, binary: 0.6131472,
        "the best ranking is cut at k, too": 0.6387878, exponential: 0.8262341,
    })
    check(ndcg_at, ["b", "a"], {"a": 2, "b": 1, "c": 3, "d": 2}, 5).equals(
        0.3973378, about="a ranking shorter than k", rtol=1e-4, near={
            "the ranking may be shorter than k": IndexError, cut_short: 0.5307213, no_ideal: 2.261860,
            found_only: 0.8597187, exponential: 0.2672701, binary: 0.6366824,
        })
    for function in (recall_at, reciprocal_rank, ndcg_at):
        check(function, ["a", "b"], {}, 2).equals(0.0, about="nothing relevant", near={
            "a division by 0: nothing relevant gives 0.0": ZeroDivisionError,
            "nothing relevant gives 0.0, and is no error": ValueError,
        })


score
