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
    ### BEGIN HIDDEN TESTS
    import math

    import numpy as np
    from sklearn.metrics import ndcg_score

    check.hidden()

    def drawn(count, ties=False):
        names = [f"p{i}" for i in check.rng.permutation(40)[:count]]
        held = [f"p{i}" for i in check.rng.permutation(40)[: int(check.rng.integers(2, 7))]] + [names[2]]
        gains = [int(g) for g in check.rng.integers(1, 2 if ties else 5, size=len(held))]
        return names, dict(zip(held, gains, strict=True))

    check.mistakes({
        precision: lambda r, d, k: sum(i in d for i in r[:k]) / k,
        whole: lambda r, d, k: sum(i in d for i in r) / len(d),
        hit: lambda r, d, k: float(any(i in d for i in r[:k])),
        "this is the number found: divide by the number of relevant": lambda r, d, k: float(sum(i in d for i in r[:k])),
        smaller: lambda r, d, k: (
            sum(i in d for i in r[:k]) / min(k, len(d))),
        "cut at k - 1: the k-th counts": lambda r, d, k: sum(i in d for i in r[: k - 1]) / len(d),
        "gains were summed: each relevant passage counts once": lambda r, d, k: (
            sum(d.get(i, 0) for i in r[:k]) / sum(d.values())),
        "one too many: the first k, not k + 1": lambda r, d, k: sum(i in d for i in r[: k + 1]) / len(d),
    })
    for count, k in [(12, 5), (30, 10), (8, 3), (6, 9)]:
        r, d = drawn(count)
        check(recall_at, r, d, k).equals(len(set(r[:k]) & set(d)) / len(d), about="recall of fresh rankings", rtol=1e-4)

    def first(r, d, k, start=1):
        places = [i for i, name in enumerate(r[:k], start) if name in d]
        return places[0] if places else None

    check.mistakes({
        zero: lambda r, d, k: 1 / max(first(r, d, k, 0), 1) if first(r, d, k, 0) is not None else 0.0,
        gain: lambda r, d, k: 1 / (1 + r.index(max(r[:k], key=lambda n: d.get(n, 0)))),
        rank: lambda r, d, k: float(first(r, d, k) or 0), whole: lambda r, d, k: 1 / (first(r, d, 99) or math.inf),
        every: lambda r, d, k: sum(1 / i for i, n in enumerate(r[:k], 1) if n in d),
        "the last relevant one was taken: the first is asked": lambda r, d, k: max(
            [0.0] + [1 / i for i, n in list(enumerate(r[:k], 1))[::-1] if n in d][:1]),
        "the mean over the relevant ones was taken: only the first counts": lambda r, d, k: float(np.mean(
            [1 / i for i, n in enumerate(r[:k], 1) if n in d] or [0.0])),
        times_gain: lambda r, d, k: (
            d[r[p - 1]] / p if (p := first(r, d, k)) else 0.0),
        "1 / (rank + 1): ranks are counted from 1": lambda r, d, k: 1 / (p + 1) if (p := first(r, d, k)) else 0.0,
        "cut at k - 1: the k-th counts": lambda r, d, k: 1 / (first(r, d, k - 1) or math.inf),
    })
    for count, k in [(12, 5), (30, 10), (8, 3), (20, 2)]:
        r, d = drawn(count)
        d[r[k - 1]] = 9
        want = max([0.0, *(1 / (r.index(n) + 1) for n in d if n in r[:k])])
        check(reciprocal_rank, r, d, k).equals(want, about="reciprocal rank of fresh rankings", rtol=1e-4)

    def best_first(r, d, k):
        return sorted(d.values(), reverse=True)[:k]

    def ndcg(gain=float, log=lambda rank: math.log2(rank + 1), ideal=best_first, cut=lambda r, k: r[:k]):
        def value(r, d, k):
            total, best = (
                sum(gain(g) / log(i) for i, g in enumerate(gains, 1))
                for gains in ([d.get(n, 0) for n in cut(r, k)], ideal(r, d, k))
            )
            return total / best if best else 0.0

        return value

    check.mistakes({
        no_ideal: ndcg(ideal=lambda r, d, k: [1]), found_only: ndcg(
            ideal=lambda r, d, k: sorted((d.get(n, 0) for n in r[:k]), reverse=True)),
        "the best ranking was made of all of the ranking, not of all that is relevant": ndcg(
            ideal=lambda r, d, k: sorted((d.get(n, 0) for n in r), reverse=True)[:k]),
        exponential: ndcg(gain=lambda g: 2.0**g - 1), natural: ndcg(log=lambda i: max(math.log2(i), 1)),
        binary: ndcg(gain=lambda g: float(g > 0)), unsorted: ndcg(ideal=lambda r, d, k: list(d.values())[:k]),
        "the best ranking is cut at k, too": ndcg(ideal=lambda r, d, k: sorted(d.values(), reverse=True)),
        whole: ndcg(cut=lambda r, k: r), "the discount is log2(rank + 1), not the rank": ndcg(log=float),
        "1 + log(rank) is not log2(rank + 1)": ndcg(log=lambda i: 1 + math.log(i)),
        cut_short: ndcg(
            ideal=lambda r, d, k: best_first(r, d, min(k, len(r)))),
        "the discount is missing": ndcg(log=lambda i: 1.0),
        "log2(rank + 2) was taken: ranks are counted from 1": ndcg(log=lambda i: math.log2(i + 2)),
        "the best ranking begins with the largest gain, not with the smallest": ndcg(
            ideal=lambda r, d, k: sorted(d.values())[:k]),
    })
    for count, k in [(12, 5), (30, 10), (8, 3), (10, 4)]:
        r, d = drawn(count)
        rest = [n for n in d if n not in r]
        gains = [d.get(n, 0) for n in r + rest]
        want = ndcg_score([gains], [list(range(len(gains), 0, -1))], k=k)
        check(ndcg_at, r, d, k).equals(want, about="nDCG of fresh rankings", rtol=1e-4, atol=1e-6)
    for function in (recall_at, reciprocal_rank, ndcg_at):
        division = {"a division by 0: nothing relevant gives 0.0": ZeroDivisionError}
        check(function, ["a", "b"], {}, 2).equals(0.0, about="nothing relevant", edge=True, near=division)
        check(function, [], {"a": 1}, 5).equals(0.0, about="an empty ranking", edge=True)
    ### END HIDDEN TESTS


score
