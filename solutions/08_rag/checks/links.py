from helpers.checks import graded


@graded("links", points=5)
def score(check):
    added = "the larger of both counts; they are not added"
    lent_on = "what is lent is not lent on: use the scores as they came"
    overwritten = "a document keeps its own score where that is larger"
    fixed = "share is ignored"
    backwards = "the links point from the document that lends to the one that gets"
    absent = "a document that is not in `links` links to none"
    own = "the found documents are missing: only those that are linked to came back"
    no_new = "a document that was only linked to is there, too"

    links = {"a": ["b", "c"], "c": ["d"]}
    check(spread, {"a": 8.0, "b": 1.0}, links, 0.5).equals({"a": 8, "b": 4, "c": 4}, near={
        added: {"a": 8, "b": 5, "c": 4}, lent_on: {"a": 8, "b": 4, "c": 4, "d": 2}, no_new: {"a": 8, "b": 4},
        absent: KeyError, own: {"b": 4, "c": 4},
    })
    chain, chained = {"a": ["b"], "b": ["c"]}, {"a": 8, "b": 4, "c": 0.5}
    check(spread, {"a": 8.0, "b": 1.0, "c": 0.25}, chain, 0.5).equals(chained, near={
        lent_on: {"a": 8, "b": 4, "c": 2}, added: {"a": 8, "b": 5, "c": 0.75}, absent: KeyError,
    })
    check(spread, {"a": 8.0, "b": 5.0, "c": 6.0}, links, 0.25).equals({"a": 8, "b": 5, "c": 6, "d": 1.5}, near={
        overwritten: {"a": 8, "b": 2, "c": 2, "d": 1.5}, fixed: {"a": 8, "b": 5, "c": 6, "d": 3},
        added: {"a": 8, "b": 7, "c": 8, "d": 1.5}, absent: KeyError, own: {"b": 2, "c": 2, "d": 1.5},
    })
    largest = "of several that lend the largest part counts, not the last"
    whole = "the score is lent whole: a share of it"
    links = {"a": ["b", "c"], "c": ["d"], "e": ["c", "b"]}
    check(spread, {"a": 8.0, "b": 3.0, "e": 7.0, "c": 0.0}, links).equals(
        {"a": 8, "b": 4, "c": 4, "d": 0, "e": 7}, about="the share that is not given, and two that lend", near={
        largest: {"a": 8, "b": 3.5, "e": 7, "c": 3.5, "d": 0}, whole: {"a": 8, "b": 8, "e": 7, "c": 8, "d": 0},
        "those that a document with the score 0 links to are there, too": {"a": 8, "b": 4, "e": 7, "c": 4},
        added: {"a": 8, "b": 10.5, "e": 7, "c": 7.5, "d": 0}, lent_on: {"a": 8, "b": 4, "e": 7, "c": 4, "d": 2},
        absent: KeyError, own: {"b": 4, "c": 4, "d": 0},
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    names = [f"d{i}" for i in range(9)]

    def made(join=max, share_is=None, steps=1, back=False, new=True, last=False):
        def function(scores, links, share=0.5):
            share = share if share_is is None else share_is
            edges = [(a, b) for a, bs in links.items() for b in bs]
            edges = [(b, a) for a, b in edges] if back else edges
            found = dict(scores)
            for _ in range(steps):
                before = dict(found)
                for a, b in edges:
                    if a in before and (new or b in scores):
                        found[b] = share * before[a] if last else join(found.get(b, 0.0), share * before[a])
            return found

        return function

    def in_place(scores, links, share=0.5):
        found = dict(scores)
        for a in list(links):
            for b in links[a]:
                if a in found:
                    found[b] = max(found.get(b, 0.0), share * found[a])
        return found

    def in_turn(scores, links, share=0.5):
        found = dict(scores)
        for a in scores:
            for b in links.get(a, []):
                found[b] = max(found.get(b, 0.0), share * found[a])
        return found

    check.mistakes({
        added: made(join=lambda a, b: a + b), fixed: made(share_is=0.5), lent_on: made(steps=9),
        "two steps were taken: one is asked": made(steps=2), backwards: made(back=True), no_new: made(new=False),
        overwritten: made(last=True), whole: made(share_is=1.0),
        lent_on + " ": in_place, lent_on + "  ": in_turn,
        "a link lends one way, to the document that it points to": lambda s, li, share=0.5: made()(
            s, {n: li.get(n, []) + [a for a in s if n in li.get(a, [])] for n in {*s, *li}}, share),
        "the share is not divided among the links": lambda s, li, share=0.5: s | {
            b: max([s.get(b, 0.0), *(share * s[a] / len(li[a]) for a in s if b in li.get(a, []))])
            for a in s for b in li.get(a, [])},
        largest: lambda s, li, share=0.5: s | {
            b: max(s.get(b, 0.0), share * v) for a, v in s.items() for b in li.get(a, [])},
        "the mean was taken: the larger of both counts": made(join=lambda a, b: (a + b) / 2),
        own: lambda s, li, share=0.5: {
            n: v for n, v in made()(s, li, share).items() if n not in s
        },
    })
    for share in (0.5, 0.8, 0.3, 0.6):
        links = {n: [str(x) for x in check.rng.permutation(names)[:3] if x != n] for n in names[:6]}
        scores = {n: float(10 ** check.rng.uniform(-2, 1)) for n in names[1:5]}
        right = {}
        for n in names:
            lent = [share * v for e, v in scores.items() if n in links.get(e, [])]
            if n in scores or lent:
                right[n] = max([scores.get(n, 0.0), *lent])
        options = () if share == 0.5 else (share,)
        check(spread, scores, links, *options).equals(right, about="a fresh graph")
    check(spread, {"a": 1.0}, {}).equals({"a": 1.0}, about="no links", edge=True)
    check.mistakes({})  # the other mistakes would look alike here
    check(spread, {"a": 0.0, "b": 2.0}, {"a": ["c"]}).equals({"a": 0, "b": 2, "c": 0}, edge=True, near={
        "a document that was found with the score 0 is there, too": {"b": 2, "c": 0},
        "found with the score 0 is found: it and those that it links to are there": {"b": 2},
        "those that a document with the score 0 links to are there, too": {"a": 0, "b": 2}}, about="a score of 0")
    check(spread, {}, {"a": ["b"]}).equals({}, about="nothing found", edge=True)
    ### END HIDDEN TESTS


score
