from helpers.checks import graded


@graded("links", points=4)
def score(check):
    import numpy as np

    ### BEGIN MISTAKES
    def odd(ranking, links, scores, first=5, k=10, *, of=lambda ranking, first: ranking[:first], order="best",
            kept_first=True, again=False, rest=True, hops=1, back=False, cut=lambda found, k: found[:k], every=False,
            stay=False, twice=False):
        kept = list(ranking[:first])
        start = of(ranking, first)
        named = set()
        for d in start:
            pointed = set(links[d])
            if back:
                pointed = {e for e in range(len(links)) if d in links[e]}
            if hops == 2:
                pointed = pointed.union(*(links[e] for e in pointed))
            named |= pointed
        if every:
            named = named.intersection(*(links[d] for d in start))
        named = named if again else named - set(kept)
        named = named - set(ranking) if stay else named
        keys = {"best": lambda d: (-scores[d], d), "worst": lambda d: (scores[d], d), "number": lambda d: d,
                "higher": lambda d: (-scores[d], -d), "largest": lambda d: -d}
        best = sorted(named, key=keys[order])
        found = [*kept, *best] if kept_first else [*best, *kept]
        found = found if again else list(dict.fromkeys(found))
        if rest:
            found = found + [d for d in ranking[first if twice else 0 :] if twice or d not in found]
        return cut(found, k)

    def each_in_turn(ranking, links, scores, first=5, k=10):
        named = []
        for d in ranking[:first]:
            named += sorted(links[d], key=lambda e: (-scores[e], e))
        return list(dict.fromkeys([*ranking[:first], *named, *ranking]))[:k]

    def ran(**changed):
        return lambda *a, **how: odd(*a, **how, **changed)

    def all_by_score(ranking, links, scores, first=5, k=10):
        return sorted(odd(ranking, links, scores, first, k), key=lambda d: (-scores[d], d))

    def rest_by_score(ranking, links, scores, first=5, k=10):
        found = odd(ranking, links, scores, first, 10**6)
        return [*found[:first], *sorted(found[first:], key=lambda d: (-scores[d], d))][:k]

    check.mistakes({
        "named documents are sorted by score, the best first: here they are sorted by number": ran(order="number"),
        "the best score comes first: here the lowest is first": ran(order="worst"),
        "for equal scores the lower number comes first": ran(order="higher"),
        "named documents are sorted by score: here the largest number is first": ran(order="largest"),
        "the first documents of the ranking stay in front, before those that they name": ran(kept_first=False),
        "a document that is already among the first is not repeated": ran(again=True),
        "a named document comes before the rest of the ranking, even if it is in the ranking itself": ran(stay=True),
        "a document that was named is not repeated in the rest of the ranking": ran(twice=True),
        "the rest of the ranking keeps its order: here the scores sorted it, too": rest_by_score,
        "the rest of the ranking follows if there is room": ran(rest=False),
        "only the links of the first documents of the ranking count, not those of all": ran(of=lambda r, first: r),
        "the links of all the first documents count, not those of the best alone": ran(of=lambda r, first: r[:1]),
        "the named documents of all the first are sorted together: here those of each by themselves": each_in_turn,
        "links are followed once: here they were followed a second time": ran(hops=2),
        "links[d] holds the documents that d names, not those that name d": ran(back=True),
        "a document counts if one of the first names it: not all of them have to name it": ran(every=True),
        "return at most k documents: here is one more": ran(cut=lambda found, k: found[: k + 1]),
        "k was ignored: here is all that was found": ran(cut=lambda found, k: found),
        "document 0 names others, as any document may": ran(of=lambda r, first: [d for d in r[:first] if d]),
        "`first` was ignored: it is not always 5":
            lambda ranking, links, scores, first=5, k=10: odd(ranking, links, scores, 5, k),
        "the first documents keep the ranking's order: here the scores sorted them, too": all_by_score,
    })
    ### END MISTAKES
    links = [{4, 5}, {0, 6}, {3}, {1, 7}, {2}, set(), {5}, {0}]
    scores = np.array([0.5, 2.0, 1.0, 3.0, 1.5, 2.5, 1.5, 0.0])
    check(linked, [0, 1, 2], links, scores, 2, 4).equals([0, 1, 5, 4])
    check(linked, [0, 1, 3, 2], links, scores, 2, 7).equals([0, 1, 5, 4, 6, 3, 2], about="equal scores, and room")
    check(linked, [2, 4, 1, 0], links, scores, 3, 3).equals([2, 4, 1], about="no room for others")
    check(linked, [1, 7, 0], links, scores, 1, 3).equals([1, 6, 0], about="the best document alone")
    check(linked, [3, 5, 2, 1, 0, 4, 6], links, scores).equals([3, 5, 2, 1, 0, 4, 6, 7], about="5 and 10")
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def told(ranking, links, scores, first, k):
        """What should come, one document after the other."""
        found = list(ranking[:first])
        named = set()
        for d in found:
            named |= links[d]
        left = sorted(named - set(found))
        while left:
            best = max(left, key=lambda d: (scores[d], -d))
            left.remove(best)
            found.append(best)
        return (found + [d for d in ranking if d not in found])[:k]

    for n, length, first, k, share in [(12, 6, 3, 8, 0.2), (30, 10, 4, 9, 0.1), (40, 20, 5, 10, 0.05),
                                       (9, 9, 2, 5, 0.3), (150, 100, 70, 120, 0.005), (25, 12, 6, 12, 0.02)]:
        drawn = [set(np.flatnonzero(check.rng.random(n) < share).tolist()) - {d} for d in range(n)]
        marks = check.rng.integers(0, 8, size=n) / 4
        ranking = check.rng.permutation(n)[:length].tolist()
        right = told(ranking, drawn, marks, first, k)
        check(linked, ranking, drawn, marks, first, k).equals(right, about="fresh links")
    near = scores + np.array([0, 0, 0, 0, 1e-9, 0, 2e-9, 0])
    check(linked, [0, 1, 2], links, near, 2, 6).equals([0, 1, 5, 6, 4, 2], about="scores that are close")
    check(linked, [0, 1, 2], links, scores, 2, 1).equals([0], about="k is 1", edge=True)
    check(linked, [0], [set()], np.array([1.0])).equals([0], about="a single document", edge=True)
    low = -scores - 40.0
    check(linked, [0, 1, 2], links, low, 2, 6).equals(told([0, 1, 2], links, low, 2, 6), about="scores below 0")
    check(linked, [5, 3], links, scores, 1, 2).equals([5, 3], about="no document is named", edge=True)
    check(linked, [], links, scores).equals([], about="nothing is found", edge=True)
    check(linked, [6], links, scores, 3, 9).equals([6, 5], about="a ranking shorter than `first`", edge=True)
    check(linked, [0, 1], links, scores, 0, 2).equals([0, 1], about="first is 0", edge=True)
    ### END HIDDEN TESTS


score
