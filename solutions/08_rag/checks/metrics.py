from helpers.checks import graded


@graded("metrics", points=4)
def score(check):
    ### BEGIN MISTAKES
    everything = "k is ignored: only the first k count"
    listed = "the first of `relevant` counts, not the first of them in the ranking"
    closed_up = "documents without a gain keep their ranks: they count, with the gain 0"
    closed_first = closed_up + ", and each takes one of the k places"
    import math

    check.mistakes({
        "divided by k: that is precision; recall divides by the number of relevant documents":
            lambda r, s, k: len(set(r[:k]) & set(s)) / k,
        "divided by the number of documents that came back; recall divides by the number of relevant documents":
            lambda r, s, k: (
            len(set(r[:k]) & set(s)) / max(1, len(r[:k]))
        ),
        "this says whether one was found at all; recall is the share of the relevant ones":
            lambda r, s, k: float(bool(set(r[:k]) & set(s))),
        everything: lambda r, s, k: len(set(r) & set(s)) / len(s),
        "divided by the smaller of k and the number of relevant documents": lambda r, s, k: (
            len(set(r[:k]) & set(s)) / min(k, len(s))
        ),
        "this counts them: divide by the number of relevant documents": lambda r, s, k: len(set(r[:k]) & set(s)),
        "off by one: the first k, not k - 1": lambda r, s, k: len(set(r[: k - 1]) & set(s)) / len(s),
        "off by one: the first k, not k + 1": lambda r, s, k: len(set(r[: k + 1]) & set(s)) / len(s),
    }, recall_at)

    def rr(pick=min, base=1):
        def function(ranked, relevant):
            places = [ranked.index(name) for name in relevant if name in ranked]
            return 1 / (pick(places) + base) if places else 0.0

        return function

    check.mistakes({
        "ranks count from 1": rr(base=0),
        "the first relevant document counts, not the last": rr(max),
        "only the first relevant document counts, not the mean over all":
            rr(lambda p: 1 / (sum(1 / (q + 1) for q in p) / len(p)) - 1),
        "this is the rank: return 1 / rank": lambda r, s: 1 / v if (v := rr()(r, s)) else 0.0,
        listed: lambda r, s: next((1 / (r.index(x) + 1) for x in s if x in r), 0.0),
        listed + ", and the others count, too": lambda r, s: (
            1 / (r.index(s[0]) + 1) if s[0] in r else 0.0
        ),
        "the sum over all relevant documents; only the first counts": lambda r, s: sum(
            1 / (r.index(x) + 1) for x in s if x in r
        ),
        "ranks count from 1, not from 2": rr(base=2),
    }, reciprocal_rank)

    def nd(d=lambda r: math.log2(r + 1), ideal=lambda r, g, k: sorted(g.values(), reverse=True)[:k],
           gain=lambda g: g, cut=True, divide=True, seen=None):
        def function(ranked, gains, k):
            def total(values):
                return sum(gain(v) / d(i) for i, v in enumerate(values, 1))

            first = ranked[:k] if cut else ranked
            if seen:
                first = seen(ranked, gains, k)
            got = total([gains.get(n, 0) for n in first])
            return got / total(ideal(ranked, gains, k)) if divide else got

        return function

    check.mistakes({
        "the best possible order sorts all gains that there are, including those of documents that were not found":
            nd(ideal=lambda r, g, k: sorted((g.get(n, 0) for n in r[:k]), reverse=True)),
        "the best possible order sorts all gains that there are, not those of the whole ranking alone": nd(
            ideal=lambda r, g, k: sorted((g.get(n, 0) for n in r), reverse=True)[:k]
        ),
        "the best possible order, too, has only k places": nd(ideal=lambda r, g, k: sorted(g.values(), reverse=True)),
        "the best possible order takes the k largest gains: sort first, then cut": nd(
            ideal=lambda r, g, k: sorted(list(g.values())[:k], reverse=True)),
        "the best possible order was not sorted": nd(ideal=lambda r, g, k: list(g.values())[:k]),
        "the best possible order has the largest gain first": nd(ideal=lambda r, g, k: sorted(g.values())[:k]),
        "not divided by the DCG of the best possible order": nd(divide=False),
        everything: nd(cut=False),
        "the discount is log2(rank + 1): this one is too strong or too weak at the start":
            nd(lambda r: math.log2(r + 2)),
        "the discount is log2(rank + 1): this one is the rank itself": nd(lambda r: r),
        "the discount is log2(rank + 1): here the 1 is added to the logarithm": nd(lambda r: math.log2(r) + 1),
        "the discount is log2(rank + 1): the first rank is not divided by 0": nd(lambda r: math.log2(r) or 1),
        closed_up: nd(seen=lambda r, g, k: [n for n in r[:k] if n in g]),
        closed_first: nd(seen=lambda r, g, k: [n for n in r if n in g][:k]),
        "the best possible order is discounted by its ranks, too":
            lambda r, g, k: nd(divide=False)(r, g, k) / sum(sorted(g.values())[::-1][:k]),
        "a gain is divided by log2(rank + 1), not multiplied by it": nd(lambda r: 1 / math.log2(r + 1)),
        "the gain is taken as it is, not as 2 to its power less 1": nd(gain=lambda g: 2**g - 1),
        "gains count, not only whether they are above 0": nd(
            gain=lambda g: float(g > 0)
        ),
    }, ndcg_at)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    from sklearn.metrics import ndcg_score

    check.hidden()
    names = [f"{c}{i:02}" for i in range(40) for c in "dD"]  # of one length: nothing else tells them apart
    for n, m, k in [(8, 4, 3), (8, 4, 6), (8, 3, 5), (8, 4, 3), (80, 70, 75), (75, 68, 70)]:
        shuffled = [str(name) for name in check.rng.permutation(names[: max(n, m, 12)])]
        ranked, relevant = shuffled[:n], [str(name) for name in check.rng.permutation(shuffled)[:m]]
        right = sum(name in ranked[:k] for name in relevant) / len(relevant)
        check(recall_at, ranked, relevant, k).equals(
            right, about="a fresh ranking: recall" if n < 64 else "a long ranking: recall")
    check(recall_at, ["a", "b", "c"], ["b", "c", "a"], 1).equals(1 / 3, about="k is 1", edge=True)
    check(recall_at, ["b", "", "B", "c"], ["c", ""], 2).equals(1 / 2, about="names as they are", edge=True)
    check(recall_at, ["np.mean_of", "np", "n", "np.mean"], ["n.", "np.mean", "np.me", "x"], 4).equals(
        1 / 4, about="names within names", near={parts: 3 / 4})
    check(reciprocal_rank, ["np.mean_of", "np", "np.mean"], ["x", "np.mean"]).equals(
        1 / 3, about="names within names", near={parts: 1.0, parts + ", the other way round": 1 / 2})
    check(recall_at, [], ["a"], 3).equals(0, about="an empty ranking", edge=True)
    for place in (0, 8, 3, 5, 2, None):  # of the first relevant one among nine
        ranked = [str(r) for r in check.rng.permutation(names[:20])]
        found = [] if place is None else [ranked[place], *ranked[place + 1 : 9][-2:]]
        relevant = [str(r) for r in check.rng.permutation([*found, *ranked[12:14]])]
        check(reciprocal_rank, ranked[:9], relevant).equals(
            0 if place is None else 1 / (place + 1), about="a fresh ranking")
    check(reciprocal_rank, names, names[78:]).equals(1 / 79, about="a long ranking", edge=True, near={
        "the whole ranking counts, however long it is": 0})
    check(reciprocal_rank, names[:3], names[::-1]).equals(1, about="many relevant documents", edge=True)
    check(reciprocal_rank, ["b", "", "B"], ["x", ""]).equals(1 / 2, about="names as they are", edge=True)
    check(reciprocal_rank, [], ["a"]).equals(0, about="an empty ranking", edge=True)
    for n, many, k in [(12, 6, 3), (12, 6, 5), (12, 6, 3), (12, 6, 1), (80, 70, 75)]:
        gains = {str(name): float(check.rng.integers(1, 5)) for name in check.rng.permutation(names[:n])[:many]}
        ranked = [str(r) for r in check.rng.permutation(names[:n])]
        truth = [[gains.get(name, 0.0) for name in ranked]]
        right = ndcg_score(truth, [list(range(len(ranked), 0, -1))], k=k)
        about = "fresh gains" if n < 64 else "a long ranking: nDCG"
        if k == 1:
            about = "one place"
        check(ndcg_at, ranked, gains, k).equals(right, about=about, edge=k == 1)
    gains = {"D": 2.0, "": 1.5, "d": 0.5}
    check(ndcg_at, ["e", "", "d", "D"], gains, 4).equals(
        nd()(["e", "", "d", "D"], gains, 4), about="names as they are", edge=True)
    half = ["d5", "d6", "d7", "d8"]
    right = nd()(half, {"d5": 1.0, "d1": 3.0, "d8": 2.0}, 6)
    check(ndcg_at, half, {"d5": 1.0, "d1": 3.0, "d8": 2.0}, 6).equals(right, about="a ranking shorter than k")
    check.mistakes({short: nd(
        ideal=lambda r, g, k: sorted(g.values(), reverse=True)[: min(k, len(r))])}, ndcg_at)
    gains = {"d5": 1.0, "d1": 3.0, "d8": 2.0, "d0": 2.5}
    check(ndcg_at, ["d8", "d2"], gains, 6).equals(nd()(["d8", "d2"], gains, 6), about="a ranking shorter than k", near={
        "`ranked` may be shorter than k: what it lacks counts as not found": IndexError})
    check(ndcg_at, [], {"a": 1.0}, 3).equals(0, about="an empty ranking", edge=True)
    ### END HIDDEN TESTS


score
