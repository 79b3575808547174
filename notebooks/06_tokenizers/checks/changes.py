from helpers.checks import graded


@graded("changes", points=5)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the joined symbol is left + right, not the pair as a tuple": {
            1: (('w', 'o', ('w', '_')), {('o', ('w', '_')): 1, ('o', 'w'): -1, ('w', '_'): -1}),
            2: ((('a', 'b'), 'c', ('a', 'b'), 'c'),
             {(('a', 'b'), 'c'): 2, ('c', ('a', 'b')): 1, ('a', 'b'): -2, ('b', 'c'): -2, ('c', 'a'): -1}),
            3: ((('a', 'b'), ('a', 'b'), 'c', 'd'),
             {(('a', 'b'), ('a', 'b')): 1,
              (('a', 'b'), 'c'): 1,
              ('a', 'b'): -2,
              ('b', 'a'): -1,
              ('b', 'c'): -1}),
        },
        "the joined symbol is left + right, not right + left": {
            1: (('w', 'o', '_w'), {('o', '_w'): 1, ('o', 'w'): -1, ('w', '_'): -1}),
            2: (('ba', 'c', 'ba', 'c'),
             {('ba', 'c'): 2, ('c', 'ba'): 1, ('a', 'b'): -2, ('b', 'c'): -2, ('c', 'a'): -1}),
            3: (('ba', 'ba', 'c', 'd'),
             {('ba', 'ba'): 1, ('ba', 'c'): 1, ('a', 'b'): -2, ('b', 'a'): -1, ('b', 'c'): -1}),
        },
        "the merged pair itself is gone, too": {
            1: (('w', 'o', 'w_'), {('o', 'w_'): 1, ('o', 'w'): -1}),
            2: (('ab', 'c', 'ab', 'c'), {('ab', 'c'): 2, ('c', 'ab'): 1, ('b', 'c'): -2, ('c', 'a'): -1}),
            3: (('ab', 'ab', 'c', 'd'), {('ab', 'ab'): 1, ('ab', 'c'): 1, ('b', 'a'): -1, ('b', 'c'): -1}),
        },
        "what is gone must be subtracted: only new pairs are here": {
            1: (('w', 'o', 'w_'), {('o', 'w_'): 1}),
            2: (('ab', 'c', 'ab', 'c'), {('ab', 'c'): 2, ('c', 'ab'): 1}),
            3: (('ab', 'ab', 'c', 'd'), {('ab', 'ab'): 1, ('ab', 'c'): 1}),
        },
        "new pairs are missing: only what is gone is here": {
            1: (('w', 'o', 'w_'), {('o', 'w'): -1, ('w', '_'): -1}),
            2: (('ab', 'c', 'ab', 'c'), {('a', 'b'): -2, ('b', 'c'): -2, ('c', 'a'): -1}),
            3: (('ab', 'ab', 'c', 'd'), {('a', 'b'): -2, ('b', 'a'): -1, ('b', 'c'): -1}),
        },
        "the sign is turned round: after less before": {
            1: (('w', 'o', 'w_'), {('o', 'w_'): -1, ('o', 'w'): 1, ('w', '_'): 1}),
            2: (('ab', 'c', 'ab', 'c'),
             {('ab', 'c'): -2, ('c', 'ab'): -1, ('a', 'b'): 2, ('b', 'c'): 2, ('c', 'a'): 1}),
            3: (('ab', 'ab', 'c', 'd'),
             {('ab', 'ab'): -1, ('ab', 'c'): -1, ('a', 'b'): 2, ('b', 'a'): 1, ('b', 'c'): 1}),
        },
        "pairs without change are left out": {
            1: (('w', 'o', 'w_'), {('w', 'o'): 0, ('o', 'w_'): 1, ('o', 'w'): -1, ('w', '_'): -1}),
            3: (('ab', 'ab', 'c', 'd'),
             {('ab', 'ab'): 1, ('ab', 'c'): 1, ('c', 'd'): 0, ('a', 'b'): -2, ('b', 'a'): -1, ('b', 'c'): -1}),
        },
        "the pairs that the neighbours had before are not taken off": {
            1: (('w', 'o', 'w_'), {('w', 'o'): 1, ('o', 'w_'): 1, ('w', '_'): -1}),
            2: (('ab', 'c', 'ab', 'c'), {('ab', 'c'): 2, ('c', 'ab'): 1, ('a', 'b'): -2}),
            3: (('ab', 'ab', 'c', 'd'), {('ab', 'ab'): 1, ('ab', 'c'): 1, ('c', 'd'): 1, ('a', 'b'): -2}),
        },
        "the left neighbour is missing": {
            1: (('w', 'o', 'w_'), {('w', '_'): -1}),
            2: (('ab', 'c', 'ab', 'c'), {('a', 'b'): -2, ('b', 'c'): -2, ('ab', 'c'): 2}),
            3: (('ab', 'ab', 'c', 'd'),
             {('a', 'b'): -2, ('b', 'a'): -1, ('ab', 'a'): 1, ('b', 'c'): -1, ('ab', 'c'): 1}),
        },
        "these are all pairs after the merge: the change is asked": {
            1: (('w', 'o', 'w_'), {('w', 'o'): 1, ('o', 'w_'): 1}),
            2: (('ab', 'c', 'ab', 'c'), {('ab', 'c'): 2, ('c', 'ab'): 1}),
            3: (('ab', 'ab', 'c', 'd'), {('ab', 'ab'): 1, ('ab', 'c'): 1, ('c', 'd'): 1}),
        },
        "the sizes of the changes lost their signs": {
            1: (('w', 'o', 'w_'), {('o', 'w_'): 1, ('o', 'w'): 1, ('w', '_'): 1}),
            2: (('ab', 'c', 'ab', 'c'),
             {('ab', 'c'): 2, ('c', 'ab'): 1, ('a', 'b'): 2, ('b', 'c'): 2, ('c', 'a'): 1}),
            3: (('ab', 'ab', 'c', 'd'),
             {('ab', 'ab'): 1, ('ab', 'c'): 1, ('a', 'b'): 2, ('b', 'a'): 1, ('b', 'c'): 1}),
        },
        "the first of the two is the word *after* the merge": {
            1: (('w', 'o', 'w', '_'), {('o', 'w_'): 1, ('o', 'w'): -1, ('w', '_'): -1}),
            2: (('a', 'b', 'c', 'a', 'b', 'c'),
             {('ab', 'c'): 2, ('c', 'ab'): 1, ('a', 'b'): -2, ('b', 'c'): -2, ('c', 'a'): -1}),
            3: (('a', 'b', 'a', 'b', 'c', 'd'),
             {('ab', 'ab'): 1, ('ab', 'c'): 1, ('a', 'b'): -2, ('b', 'a'): -1, ('b', 'c'): -1}),
        },
        "the two come in the other order: first the word, then the changes": {
            1: ({('o', 'w_'): 1, ('o', 'w'): -1, ('w', '_'): -1}, ('w', 'o', 'w_')),
            2: ({('ab', 'c'): 2, ('c', 'ab'): 1, ('a', 'b'): -2, ('b', 'c'): -2, ('c', 'a'): -1},
             ('ab', 'c', 'ab', 'c')),
            3: ({('ab', 'ab'): 1, ('ab', 'c'): 1, ('a', 'b'): -2, ('b', 'a'): -1, ('b', 'c'): -1},
             ('ab', 'ab', 'c', 'd')),
        },
        "only the changes came back: the word after the merge is asked, too": {
            1: {('o', 'w_'): 1, ('o', 'w'): -1, ('w', '_'): -1},
            2: {('ab', 'c'): 2, ('c', 'ab'): 1, ('a', 'b'): -2, ('b', 'c'): -2, ('c', 'a'): -1},
            3: {('ab', 'ab'): 1, ('ab', 'c'): 1, ('a', 'b'): -2, ('b', 'a'): -1, ('b', 'c'): -1},
        },
        "only the first occurrence was merged": {
            2: (('ab', 'c', 'a', 'b', 'c'), {('ab', 'c'): 1, ('a', 'b'): -1, ('b', 'c'): -1}),
            3: (('ab', 'a', 'b', 'c', 'd'), {('ab', 'a'): 1, ('a', 'b'): -1, ('b', 'a'): -1}),
        },
        "each occurrence counts, not each kind of pair": {
            2: (('ab', 'c', 'ab', 'c'),
             {('ab', 'c'): 1, ('c', 'ab'): 1, ('a', 'b'): -1, ('b', 'c'): -1, ('c', 'a'): -1}),
            3: (('ab', 'ab', 'c', 'd'),
             {('ab', 'ab'): 1, ('ab', 'c'): 1, ('a', 'b'): -1, ('b', 'a'): -1, ('b', 'c'): -1}),
        },
        "the right neighbour is missing": {
            2: (('ab', 'c', 'ab', 'c'), {('a', 'b'): -2, ('c', 'a'): -1, ('c', 'ab'): 1}),
            3: (('ab', 'ab', 'c', 'd'), {('a', 'b'): -2, ('b', 'a'): -1, ('b', 'ab'): 1}),
        },
        "neighbours that were merged themselves are no longer the old symbols": {
            3: (('ab', 'ab', 'c', 'd'),
             {('a', 'b'): -2, ('b', 'a'): -2, ('ab', 'a'): 1, ('b', 'ab'): 1, ('b', 'c'): -1, ('ab', 'c'): 1}),
        },
    })
    word, changes = ("w", "o", "w_"), {("o", "w"): -1, ("w", "_"): -1, ("o", "w_"): 1}
    check(merge_changes, ("w", "o", "w", "_"), ("w", "_")).equals((word, changes))
    check(merge_changes, ("a", "b", "c", "a", "b", "c"), ("a", "b")).equals(
        (("ab", "c", "ab", "c"), {("a", "b"): -2, ("b", "c"): -2, ("c", "a"): -1, ("ab", "c"): 2, ("c", "ab"): 1})
    )
    after = ("ab", "ab", "c", "d")
    check(merge_changes, ("a", "b", "a", "b", "c", "d"), ("a", "b")).equals(
        (after, {("a", "b"): -2, ("b", "a"): -1, ("b", "c"): -1, ("ab", "ab"): 1, ("ab", "c"): 1})
    )

    def as_key(value):
        return not hasattr(value[0], "append")

    a_tuple = "the word is a tuple: a list cannot be compared with a pair"
    check(merge_changes, ("a", "n"), ("a", "n")).holds(as_key, a_tuple, about="a word is a tuple", edge=True)


score
