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
    ### BEGIN HIDDEN TESTS
    import math

    from sklearn.metrics import ndcg_score

    check.hidden()
    names = [f"d{i}" for i in range(12)]
    check.mistakes({
        precision: lambda r, s, k: len(set(r[:k]) & set(s)) / k,
        "divided by the number of documents that came back": lambda r, s, k: (
            len(set(r[:k]) & set(s)) / max(1, len(r[:k]))
        ),
        hit: lambda r, s, k: float(bool(set(r[:k]) & set(s))),
        everything: lambda r, s, k: len(set(r) & set(s)) / len(s),
        "divided by the smaller of k and the number of relevant documents": lambda r, s, k: (
            len(set(r[:k]) & set(s)) / min(k, len(s))
        ),
        "this counts them: divide by the number of relevant documents": lambda r, s, k: len(set(r[:k]) & set(s)),
        "off by one: the first k, not k - 1": lambda r, s, k: len(set(r[: k - 1]) & set(s)) / len(s),
        "off by one: the first k, not k + 1": lambda r, s, k: len(set(r[: k + 1]) & set(s)) / len(s),
    })
    for _ in range(4):
        ranked = list(check.rng.permutation(names)[:8])
        relevant = list(check.rng.permutation(names)[: int(check.rng.integers(2, 6))])
        ranked, relevant = [str(r) for r in ranked], [str(r) for r in relevant]
        k = int(check.rng.integers(2, 7))
        right = sum(name in ranked[:k] for name in relevant) / len(relevant)
        check(recall_at, ranked, relevant, k).equals(right, about="a fresh ranking: recall")
    check(recall_at, [], ["a"], 3).equals(0, about="an empty ranking", edge=True)

    def rr(pick=min, base=1):
        return lambda r, s: 1 / (pick(places) + base) if (places := [r.index(x) for x in s if x in r]) else 0.0

    check.mistakes({
        from_zero: rr(base=0), last: rr(max), mean: rr(lambda p: 1 / (sum(1 / (q + 1) for q in p) / len(p)) - 1),
        "this is the rank: return 1 / rank": lambda r, s: 1 / v if (v := rr()(r, s)) else 0.0,
        "the first of `relevant` counts, not the first of them in the ranking": lambda r, s: (
            1 / (r.index(s[0]) + 1) if s[0] in r else 0.0
        ),
        "the sum over all relevant documents; only the first counts": lambda r, s: sum(
            1 / (r.index(x) + 1) for x in s if x in r
        ),
        "ranks count from 1, not from 2": rr(base=2),
    })
    for _ in range(4):
        ranked = [str(r) for r in check.rng.permutation(names)[:9]]
        relevant = [str(r) for r in check.rng.permutation(names[3:])[:3]]
        places = [i for i, name in enumerate(ranked) if name in relevant]
        check(reciprocal_rank, ranked, relevant).equals(1 / (places[0] + 1) if places else 0.0, about="a fresh ranking")
    check(reciprocal_rank, [], ["a"]).equals(0, about="an empty ranking", edge=True)

    def nd(d=lambda r: math.log2(r + 1), ideal=lambda r, g, k: sorted(g.values(), reverse=True)[:k],
           gain=lambda g: g, cut=True, divide=True):
        def function(ranked, gains, k):
            def total(values):
                return sum(gain(v) / d(i) for i, v in enumerate(values, 1))

            got = total([gains.get(n, 0) for n in (ranked[:k] if cut else ranked)])
            return got / total(ideal(ranked, gains, k)) if divide else got

        return function

    check.mistakes({
        found_only: nd(ideal=lambda r, g, k: sorted((g.get(n, 0) for n in r[:k]), reverse=True)),
        "the best possible order sorts all gains that there are, not those of the whole ranking alone": nd(
            ideal=lambda r, g, k: sorted((g.get(n, 0) for n in r), reverse=True)[:k]
        ),
        not_cut: nd(ideal=lambda r, g, k: sorted(g.values(), reverse=True)),
        "the best possible order was not sorted": nd(ideal=lambda r, g, k: list(g.values())[:k]),
        "the best possible order has the largest gain first": nd(ideal=lambda r, g, k: sorted(g.values())[:k]),
        undivided: nd(divide=False), everything: nd(cut=False), natural: nd(lambda r: math.log2(r + 2)),
        "the discount is log2(rank + 1): this one is the rank itself": nd(lambda r: r),
        "the discount is log2(rank + 1): the first rank is not divided by 0": nd(lambda r: math.log2(r) or 1),
        exponential: nd(gain=lambda g: 2**g - 1), "gains count, not only whether they are above 0": nd(
            gain=lambda g: float(g > 0)
        ),
    })
    for _ in range(4):
        gains = {name: float(check.rng.integers(1, 5)) for name in names[:6]}
        ranked, k = [str(r) for r in check.rng.permutation(names)], int(check.rng.integers(2, 6))
        truth = [[gains.get(name, 0.0) for name in ranked]]
        right = ndcg_score(truth, [list(range(len(ranked), 0, -1))], k=k)
        check(ndcg_at, ranked, gains, k).equals(right, about="fresh gains")
    half = names[5:9]
    right = nd()(half, {"d5": 1.0, "d1": 3.0, "d8": 2.0}, 6)
    check(ndcg_at, half, {"d5": 1.0, "d1": 3.0, "d8": 2.0}, 6).equals(right, about="a ranking shorter than k")
    check.mistakes({short: nd(
        ideal=lambda r, g, k: sorted(g.values(), reverse=True)[: min(k, len(r))])})
    gains = {"d5": 1.0, "d1": 3.0, "d8": 2.0, "d0": 2.5}
    check(ndcg_at, ["d8", "d2"], gains, 6).equals(nd()(["d8", "d2"], gains, 6), about="a ranking shorter than k", near={
        "`ranked` may be shorter than k: what it lacks counts as not found": IndexError})
    check(ndcg_at, [], {"a": 1.0}, 3).equals(0, about="an empty ranking", edge=True)
    ### END HIDDEN TESTS


score
