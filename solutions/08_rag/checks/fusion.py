from helpers.checks import graded


@graded("fusion", points=5)
def score(check):
    ### BEGIN MISTAKES
    def made(base=1, c_is=None, pick=sum, keep=lambda found, n: True, key=lambda i: (-i[1], i[0]), value=None):
        def function(rankings, c=60.0):
            k = c if c_is is None else c_is
            parts = {}
            for r in rankings:
                for n in r:
                    rank = r.index(n) + base
                    parts.setdefault(n, []).append(value(k, rank) if value else 1 / (k + rank))
            return sorted(((n, pick(v)) for n, v in parts.items() if keep(v, len(rankings))), key=key)

        return function

    def behind_the_last(rankings, c=60.0):
        """A document that a ranking lacks gets the rank behind that ranking's last one."""
        added = []
        for number, value in made()(rankings, c):
            lacking = [r for r in rankings if number not in r]
            added.append((number, value + sum(1 / (c + len(r) + 1) for r in lacking)))
        return sorted(added, key=lambda i: (-i[1], i[0]))

    c_ignored = {"c is ignored": made(c_is=60.0)}
    check.mistakes(c_ignored | {
        "ranks count from 1": made(base=0),
        "the scores of a document in several rankings are added": made(pick=lambda v: v[-1]),
        "only the best rank counted: add over all rankings": made(pick=max),
        "a document that a ranking lacks gets nothing from it": behind_the_last,
        "the parts are added, and not divided by the number of rankings":
            lambda r, c=60.0: [(n, v / len(r)) for n, v in made()(r, c)],
        "rankings may differ in length: each counts to its end":
            lambda r, c=60.0: made()([x[: min(map(len, r))] for x in r], c),
        "c is 60 where it is not given": lambda r, c=1.0: made()(r, c),
        "the mean of the parts: add them": made(pick=lambda v: sum(v) / len(v)),
        "a document that only one ranking holds is there, too": made(keep=lambda v, n: len(v) == n),
        "document 0 counts like any other: here it is left out":
            lambda r, c=60.0: [(n, v) for n, v in made()(r, c) if n],
        "the largest score first": made(key=lambda i: (i[1], i[0])),
        "equal scores: the lower number first": made(key=lambda i: (-i[1], -i[0])),
        "sorted by number: the largest score first": made(key=lambda i: i[0]),
        "c is added to the rank, not to its reciprocal": made(value=lambda k, r: k + 1 / r),
        "the reciprocal is asked, 1 / (c + rank): mind the brackets": made(value=lambda k, r: 1 / k + r),
        "the reciprocal of c + rank is asked: 1 / (c + rank)": made(value=lambda k, r: k + r),
        "c is added to the rank: here it is divided by it": made(value=lambda k, r: k / r),
        "equal rankings count, each of them": lambda r, c=60.0: made()(list(dict.fromkeys(map(tuple, r))), c),
        "c divides here: 1 / (c + rank)": made(value=lambda k, r: 1 / (k * r)),
        "a pair is (number, score), not the reverse": lambda r, c=60.0: [(s, n) for n, s in made()(r, c)],
        "only the scores came back: pairs (number, score)": lambda r, c=60.0: [s for _, s in made()(r, c)],
        "only the numbers came back: pairs (number, score)": lambda r, c=60.0: [n for n, _ in made()(r, c)],
    })
    ### END MISTAKES
    check(fuse, [[7, 3], [3, 9]], 1.0).equals([(3, 5 / 6), (7, 1 / 2), (9, 1 / 3)])
    check(fuse, [[5, 2], [1, 8]], 1.0).equals([(1, 0.5), (5, 0.5), (2, 1 / 3), (8, 1 / 3)])
    check(fuse, [[1], []], 0.5).equals([(1, 2 / 3)], about="half of 1, and an empty ranking",
                                       near={"c need not be a whole number": [(1, 1.0)]})
    check(fuse, [[3, 0], [7, 3, 5]]).equals(
        [(3, 1 / 62 + 1 / 61), (7, 1 / 61), (0, 1 / 62), (5, 1 / 63)], about="c is not given"
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for c, sizes in [((), (6, 4)), ((5.0,), (7, 7, 3)), ((0.5,), (5, 8)), ((20.0,), (4, 5, 6, 7)),
                     ((30.0,), (9,) * 90)]:
        rankings = [check.rng.permutation(12)[:n].tolist() for n in sizes]
        k = c[0] if c else 60.0
        scores = {}
        for ranking in rankings:
            for rank, number in enumerate(ranking, 1):
                scores[number] = scores.get(number, 0) + 1 / (k + rank)
        right = sorted(scores.items(), key=lambda item: (-round(item[1], 12), item[0]))
        check(fuse, rankings, *c).equals(right, about="fresh rankings" if len(sizes) < 64 else "many rankings")
    long = [check.rng.permutation(90).tolist() for _ in range(2)]
    check(fuse, long, 3.0).equals(made()(long, 3.0), about="long rankings")
    check(fuse, [[5, 1], [5, 1], [1]], 3.0).equals([(1, 0.65), (5, 0.5)], about="equal rankings", edge=True)
    check(fuse, [[0, 4], [4, 0], [0]], 2.0).equals([(0, 11 / 12), (4, 7 / 12)], about="document 0", edge=True)
    check.mistakes(c_ignored)
    check(fuse, [[5, 3, 8], [3, 9]], 0.0).equals([(3, 1.5), (5, 1.0), (9, 0.5), (8, 1 / 3)], about="c is 0", edge=True)
    check(fuse, [[4, 2], []], 1.0).equals([(4, 0.5), (2, 1 / 3)], about="an empty ranking beside another", edge=True)
    check(fuse, []).equals([], about="no rankings", edge=True)
    ### END HIDDEN TESTS


score
