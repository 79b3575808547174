from helpers.checks import graded


@graded("hybrid", points=4)
def score(check):
    import numpy as np

    ### BEGIN MISTAKES
    from helpers.chapters.rag import own_pipeline

    def fused(rankings, c=60.0, pick=sum):
        parts = {}
        for ranking in rankings:
            for rank, number in enumerate(ranking, start=1):
                parts.setdefault(number, []).append(1 / (c + rank))
        return sorted(parts, key=lambda number: (-pick(parts[number]), number))

    def odd(question, searches, owners, k, *, n=lambda k: 2 * k, c=60.0, pick=sum, keep="first", cut=None, early=False,
            apart=False, used=None, joined=fused, given=lambda numbers, owners: numbers, more=0):
        rankings = [list(search(question, n(k))) for search in searches[:used]]
        if apart:
            rankings = [of_each(ranking, owners) for ranking in rankings]
        c = c(k) if callable(c) else c
        numbers = joined(rankings) if joined is not fused else fused(rankings, c, pick)
        numbers = numbers[:k] if early else numbers
        best = {"first": of_each, "last": last_of_each, "all": lambda numbers, owners: numbers}[keep](numbers, owners)
        return given(best[: k + more] if cut is None else best[:cut], owners)

    def of_each(numbers, owners):
        first = {}
        for number in numbers:
            first.setdefault(int(owners[number]), number)
        return list(first.values())

    def last_of_each(numbers, owners):
        last = {}
        for number in numbers:
            last[int(owners[number])] = number
        return list(last.values())

    def by_turns(rankings):
        longest = max(map(len, rankings), default=0)
        found = {}
        for i in range(longest):
            found |= {r[i]: None for r in rankings if i < len(r)}
        return list(found)

    def joined_up(rankings):
        return list(dict.fromkeys(number for ranking in rankings for number in ranking))

    def ran(**changed):
        return lambda *run: own_pipeline.found(lambda *a: odd(*a, **changed), *run)

    check.mistakes({
        "keep one chunk of each document: here are several": ran(keep="all"),
        "keep the chunk of a document that is first after fusing, not the last": ran(keep="last"),
        "the ranking was cut to k before further chunks of a document were dropped: fewer than k are left":
            ran(early=True),
        "chunks were dropped before fusing: fuse whole rankings, and keep one chunk of each document afterwards":
            ran(apart=True),
        "ask each search for 2 * k chunks, not for k": ran(n=lambda k: k),
        "ask each search for 2 * k chunks, however small k is": ran(n=lambda k: max(100, 2 * k)),
        "all searches count, not only the first": ran(used=1),
        "all searches count, not only the first two": ran(used=2),
        "the rankings take turns here: fuse them": ran(joined=by_turns),
        "the rankings were appended to each other here: fuse them": ran(joined=joined_up),
        "c is 60, the default of fuse": ran(c=1e-9),
        "fuse was given k for its c: leave it out": ran(c=lambda k: k),
        "fuse was given 2 * k for its c: leave it out": ran(c=lambda k: 2 * k),
        "fuse adds what a chunk gets from each ranking: here only its best rank counts": ran(pick=max),
        "return the numbers of chunks, not those of documents":
            ran(given=lambda numbers, owners: [int(owners[number]) for number in numbers]),
        "fuse returns pairs (number, score): return the numbers alone":
            ran(given=lambda numbers, owners: [(number, 1 / 61) for number in numbers]),
        "return at most k chunks: here is one more": ran(more=1),
        "everything that was found was returned: return at most k chunks": ran(cut=10**6),
        "the best comes first: these are sorted by number": ran(given=lambda numbers, owners: sorted(numbers)),
        "the best comes first: this is the reverse order": ran(given=lambda numbers, owners: numbers[::-1]),
        "document 0 is a document like others": ran(given=lambda numbers, owners: [
            number for number in numbers if owners[number]]),
        "chunk 0 is a chunk like others": ran(given=lambda numbers, owners: [n for n in numbers if n]),
    }, hybrid_of)
    ### END MISTAKES
    def right(numbers, n, searches):
        return {"numbers": numbers, "asked": [[("Which one?", n)] for _ in range(searches)]}

    def near(right):
        asked = right["asked"]
        lower = [[(calls[0][0].lower(), calls[0][1])] for calls in asked]
        return {"each search is to be asked once, and only once": right | {"asked": [calls * 2 for calls in asked]},
                "the searches must get the question as it is": right | {"asked": lower}}

    apart, close = [[0, 2, 4, 3, 5, 6], [2, 4, 3, 5, 7, 6]], [[3, 6, 0, 1, 2, 4], [4, 1, 6, 5, 3, 2]]
    rankings, owners = [[4, 5, 0, 2, 7, 1], [1, 2, 4, 3, 6, 0], [2, 6, 5, 7, 3, 4]], [0, 0, 1, 1, 2, 2, 3, 3]
    for k, of, numbers, about in [(3, rankings, [2, 4, 1], "three searches"), (2, rankings[:2], [4, 2], "two searches"),
                                  (4, rankings, [2, 4, 1, 6], "k is 4"), (3, apart, [2, 4, 6], "found by both"),
                                  (3, close, [6, 3, 1], "ranks where c decides")]:
        expected = right(numbers, 2 * k, len(of))
        check(hybrid_of, of, owners, k).equals(expected, about=about, near=near(expected))
    expected = right([0, 3, 4], 6, 2)
    rankings = [[0, 3, 1, 4], []]
    check(hybrid_of, rankings, owners, 3).equals(expected, about="one search finds nothing", near=near(expected))
    ### BEGIN HIDDEN TESTS
    check.hidden()
    beyond = "there may be fewer than k documents: stop at the end of the fused ranking, too"

    def told(rankings, owners, k, question="Which one?"):
        """What should come, by another way: ranks looked up for each chunk."""
        cut = [list(ranking[: 2 * k]) for ranking in rankings]
        scores = {}
        for number in {n for ranking in cut for n in ranking}:
            scores[number] = sum(1 / (61 + ranking.index(number)) for ranking in cut if number in ranking)
        numbers, seen = [], set()
        for number in sorted(scores, key=lambda n: (-round(scores[n], 12), n)):
            if owners[number] not in seen:
                numbers.append(number)
                seen.add(owners[number])
        return {"numbers": numbers[:k], "asked": [[(question, 2 * k)] for _ in rankings]}

    for searches, chunks, documents, k in [(2, 40, 9, 5), (3, 60, 20, 8), (2, 50, 50, 6), (4, 30, 6, 10),
                                           (1, 20, 5, 3), (2, 400, 300, 80), (3, 40, 12, 1)]:
        sizes = check.rng.integers(k, 4 * k + 1, size=searches)
        drawn = [check.rng.permutation(chunks)[:size].tolist() for size in sizes]
        owners = np.sort(check.rng.integers(documents, size=chunks)).tolist()
        due = told(drawn, owners, k)
        check(hybrid_of, drawn, owners, k).equals(due, about="fresh rankings", near=near(due) | (
            {beyond: IndexError} if len(due["numbers"]) < k else {}))
    shuffled = check.rng.permutation(owners).tolist()
    due = told(drawn, shuffled, 4)
    check(hybrid_of, drawn, shuffled, 4).equals(due, about="chunks of a document that are not neighbours",
                                                near=near(due))
    typed = "  Where  do I find cafe\u0301s,\n and " + "so on and " * 60 + "more? "
    due = told(drawn, shuffled, 4, typed)
    check(hybrid_of, drawn, shuffled, 4, typed).equals(due, about="a question as people type it", near=near(due))
    check(hybrid_of, [[0], [0]], [0], 2).equals(
        told([[0], [0]], [0], 2), about="a single chunk", edge=True, near={beyond: IndexError})
    for of in ([[], []], [[2, 0]], [[0], [0], [1]]):
        about = "short rankings" if of[0] else "nothing is found"
        due = told(of, [0, 1, 0], 2)
        check(hybrid_of, of, [0, 1, 0], 2).equals(
            due, about=about, edge=True, near={beyond: IndexError} if len(due["numbers"]) < 2 else {})
    ### END HIDDEN TESTS


score
