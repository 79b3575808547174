from helpers.checks import graded


@graded("changes", points=6)
def score(check):
    word, changes = ("w", "o", "w_"), {("o", "w"): -1, ("w", "_"): -1, ("o", "w_"): 1}
    itself = "the merged pair itself is gone, too"
    only_new = "what is gone must be subtracted: only new pairs are here"
    only_gone = "new pairs are missing: only what is gone is here"
    turned = "the sign is turned round: after less before"
    zeros = "pairs without change are left out"
    kinds = "each occurrence counts, not each kind of pair"
    whole = "these are all pairs after the merge: the change is asked"
    check(merge_changes, ("w", "o", "w", "_"), ("w", "_")).equals((word, changes), near={
        itself: (word, {("o", "w"): -1, ("o", "w_"): 1}), only_new: (word, {("o", "w_"): 1}),
        only_gone: (word, {("o", "w"): -1, ("w", "_"): -1}), turned: (word, {p: -n for p, n in changes.items()}),
        zeros: (word, changes | {("w", "o"): 0}),
    })
    check(merge_changes, ("a", "b", "c", "a", "b", "c"), ("a", "b")).equals(
        (("ab", "c", "ab", "c"), {("a", "b"): -2, ("b", "c"): -2, ("c", "a"): -1, ("ab", "c"): 2, ("c", "ab"): 1}),
        near={
            kinds: (("ab", "c", "ab", "c"), {
                ("a", "b"): -1, ("b", "c"): -1, ("c", "a"): -1, ("ab", "c"): 1, ("c", "ab"): 1}),
            itself: (("ab", "c", "ab", "c"), {("b", "c"): -2, ("c", "a"): -1, ("ab", "c"): 2, ("c", "ab"): 1}),
        },
    )
    alone = "neighbours that were merged themselves are no longer the old symbols"
    after = ("ab", "ab", "c", "d")
    check(merge_changes, ("a", "b", "a", "b", "c", "d"), ("a", "b")).equals(
        (after, {("a", "b"): -2, ("b", "a"): -1, ("b", "c"): -1, ("ab", "ab"): 1, ("ab", "c"): 1}), near={
            alone: (after, {
                ("a", "b"): -2, ("b", "a"): -2, ("b", "c"): -1, ("ab", "a"): 1, ("b", "ab"): 1, ("ab", "c"): 1}),
            itself: (after, {("b", "a"): -1, ("b", "c"): -1, ("ab", "ab"): 1, ("ab", "c"): 1}),
            only_new: (after, {("ab", "ab"): 1, ("ab", "c"): 1}),
            whole: (after, {("ab", "ab"): 1, ("ab", "c"): 1, ("c", "d"): 1}),
        },
    )


score
