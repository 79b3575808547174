from helpers.checks import graded


@graded("fusion", points=5)
def score(check):
    from_zero = "ranks count from 1"
    fixed = "c is ignored"
    overwritten = "the scores of a document in several rankings are added"
    ties = "equal scores: the lower number first"
    both = "a document that only one ranking holds is there, too"
    lacks = "a document that a ranking lacks gets nothing from it"
    shared = "the parts are added, and not divided by the number of rankings"
    ascending = "the largest score first"
    best_only = "only the best rank counted: add over all rankings"
    divides = "c divides here: 1 / (c + rank)"

    check(fuse, [[7, 3], [3, 9]], 1.0).equals([(3, 5 / 6), (7, 1 / 2), (9, 1 / 3)], near={
        from_zero: [(3, 1.5), (7, 1.0), (9, 0.5)], fixed: [(3, 0.0325225), (7, 1 / 61), (9, 1 / 62)],
        overwritten: [(3, 0.5), (7, 0.5), (9, 1 / 3)], best_only: [(3, 0.5), (7, 0.5), (9, 1 / 3)], both: [(3, 5 / 6)],
        divides: [(3, 1.5), (7, 1.0), (9, 0.5)],
        ascending: [(9, 1 / 3), (7, 1 / 2), (3, 5 / 6)],
        "a pair is (number, score), not the reverse": [(5 / 6, 3), (1 / 2, 7), (1 / 3, 9)],
        "the reciprocal is asked, 1 / (c + rank): mind the brackets": [(3, 5), (9, 3), (7, 2)],
        lacks: [(3, 5 / 6), (7, 3 / 4), (9, 7 / 12)], shared: [(3, 5 / 12), (7, 1 / 4), (9, 1 / 6)],
    })
    check(fuse, [[5, 2], [1, 8]], 1.0).equals([(1, 0.5), (5, 0.5), (2, 1 / 3), (8, 1 / 3)], near={
        ties: [(5, 0.5), (1, 0.5), (2, 1 / 3), (8, 1 / 3)], from_zero: [(1, 1.0), (5, 1.0), (2, 0.5), (8, 0.5)],
        divides: [(1, 1.0), (5, 1.0), (2, 0.5), (8, 0.5)],
        fixed: [(1, 1 / 61), (5, 1 / 61), (2, 1 / 62), (8, 1 / 62)],
    })
    length = "rankings may differ in length: each counts to its end"
    default = "c is 60 where it is not given"
    check(fuse, [[3, 9], [7, 3, 5]]).equals(
        [(3, 1 / 62 + 1 / 61), (7, 1 / 61), (9, 1 / 62), (5, 1 / 63)], about="c is not given", near={
        length: [(3, 1 / 62 + 1 / 61), (7, 1 / 61), (9, 1 / 62)],
        default: [(3, 5 / 6), (7, 1 / 2), (9, 1 / 3), (5, 1 / 4)],
        from_zero: [(3, 1 / 61 + 1 / 60), (7, 1 / 60), (9, 1 / 61), (5, 1 / 62)], both: [(3, 1 / 62 + 1 / 61)],
        overwritten: [(7, 1 / 61), (3, 1 / 62), (9, 1 / 62), (5, 1 / 63)],
        best_only: [(3, 1 / 61), (7, 1 / 61), (9, 1 / 62), (5, 1 / 63)],
    })


score
