from helpers.checks import graded


@graded("train", points=8)
def score(check):
    same = "two words became the same: add up their counts"
    there = "a token that is there already does not make the vocabulary grow"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "how often each word occurs was ignored": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('ab', 'c'), ('a', 'd')],
            4: [('a', 'b'), ('ab', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'c'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "vocab_size is the number of tokens in all, alphabet and merges together": {
            1: [('w', '_'), ('o', 'w_'), ('h', 'ow_'), ('w', 'ow_'), ('a', 'w_'), ('h', 'o'), ('r', 'aw_'),
             ('w', 'ho')],
            2: [('b', 'b'), ('b', 'a'), ('c', 'bb'), ('ba', 'c')],
            3: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "one merge too few": {
            1: [('w', '_')],
            2: [('b', 'b')],
            3: [('a', 'b'), ('ab', 'c')],
        },
        "one merge too many": {
            1: [('w', '_'), ('o', 'w_'), ('h', 'ow_')],
            2: [('b', 'b'), ('b', 'a'), ('c', 'bb')],
            3: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd')],
        },
        "counts are taken anew after each merge": {
            1: [('w', '_'), ('o', 'w')],
            3: [('a', 'b'), ('b', 'c'), ('d', 'c')],
            4: [('a', 'b'), ('b', 'c'), ('d', 'c'), ('ab', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'),
             ('ee', 'c'), ('e', 'c')],
        },
        "the rarest pair was merged": {
            1: [('a', 'w'), ('o', '_')],
            3: [('ee', 'c'), ('e', 'c')],
            4: [('ee', 'c'), ('e', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'), ('ab', 'c'), ('d', 'c'),
             ('a', 'b'), ('ab', 'c')],
        },
        "a merge is a pair, not the joined symbol": {
            1: ['w_', 'ow_'],
            2: ['bb', 'ba'],
            3: ['ab', 'abc', 'dc'],
            4: ['ab', 'abc', 'dc', 'ad', 'abe', 'db', 'de', 'eec', 'ec'],
        },
        "only one merge was made": {
            1: [('w', '_')],
            2: [('b', 'b')],
            3: [('a', 'b')],
            4: [('a', 'b')],
        },
        "the words stay as they were: a merge is made in all of them, then pairs are counted anew": {
            1: [('w', '_'), ('w', '_')],
            2: [('b', 'b'), ('b', 'b')],
            3: [('a', 'b'), ('a', 'b')],
            4: [('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'),
             ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'),
             ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b'), ('a', 'b')],
        },
        "the vocabulary came back: the merges are asked": {
            1: ['_', 'a', 'h', 'o', 'r', 'w', 'w_', 'ow_'],
            2: ['b', 'c', 'a', 'bb', 'ba'],
            3: ['a', 'b', 'ab', 'c', 'd', 'ee', 'e', 'ab', 'abc', 'dc'],
            4: ['a', 'b', 'ab', 'c', 'd', 'ee', 'e', 'ab', 'abc', 'dc', 'ad', 'abe', 'db', 'de', 'eec', 'ec'],
        },
        "a tie: the ids decide, not which pair was seen first": {
            2: [('b', 'a'), ('ba', 'c')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('d', 'e'), ('d', 'b'), ('ab', 'e'), ('a', 'd'), ('e', 'c'),
             ('ee', 'c')],
        },
        "a tie: the ids decide, not which pair was seen last": {
            2: [('b', 'b'), ('c', 'bb')],
            3: [('b', 'c'), ('a', 'bc')],
            4: [('b', 'c'), ('a', 'bc'), ('d', 'c'), ('ab', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'),
             ('ee', 'c'), ('e', 'c')],
        },
        "a tie: the ids decide, the places in the alphabet, not the order of the letters": {
            2: [('a', 'c'), ('b', 'ac')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'), ('e', 'c'),
             ('ee', 'c')],
        },
        "a tie: here the largest pair in the order of letters wins": {
            2: [('c', 'b'), ('cb', 'b')],
            3: [('b', 'c'), ('a', 'bc')],
            4: [('b', 'c'), ('a', 'bc'), ('d', 'c'), ('ab', 'c'), ('d', 'e'), ('d', 'b'), ('a', 'd'), ('ab', 'e'),
             ('e', 'c'), ('ee', 'c')],
        },
        "a tie: the smallest ids win, here it is the largest": {
            2: [('a', 'c'), ('c', 'b')],
            3: [('b', 'c'), ('a', 'bc')],
            4: [('b', 'c'), ('a', 'bc'), ('d', 'c'), ('ab', 'c'), ('d', 'e'), ('d', 'b'), ('ab', 'e'), ('a', 'd'),
             ('e', 'c'), ('ee', 'c')],
        },
        "a tie: the left symbol decides before the right one": {
            2: [('b', 'b'), ('a', 'c')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('d', 'b'), ('a', 'd'), ('ab', 'e'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "a tie of the left symbols: then the smallest id of the right symbol": {
            2: [('b', 'a'), ('b', 'b')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'e'), ('d', 'b'), ('ee', 'c'),
             ('e', 'c')],
        },
        "the longest joined symbol was preferred": {
            2: [('b', 'b'), ('c', 'bb')],
            3: [('ab', 'c'), ('ab', 'e')],
            4: [('ab', 'c'), ('ab', 'e'), ('ee', 'c'), ('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('d', 'b'),
             ('d', 'e'), ('e', 'c')],
        },
        "a tie: the left id decides first, here only the right one did": {
            2: [('c', 'b'), ('cb', 'b')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('d', 'b'), ('a', 'd'), ('d', 'e'), ('ab', 'e'), ('e', 'c'),
             ('ee', 'c')],
        },
        "a tie: the ids decide, not the joined text": {
            2: [('a', 'c'), ('b', 'ac')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('ab', 'e'), ('a', 'd'), ('d', 'b'), ('d', 'e'), ('e', 'c'),
             ('ee', 'c')],
        },
        "a tie: the ids decide, here the longer joined symbol came first": {
            2: [('b', 'b'), ('c', 'bb')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('ab', 'e'), ('a', 'd'), ('d', 'b'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "the ids are the places in `alphabet` as it is given: it was sorted": {
            2: [('a', 'c'), ('b', 'b')],
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'), ('e', 'c'),
             ('ee', 'c')],
        },
        "a merge whose joined symbol is a token already is listed all the same": {
            3: [('ab', 'c'), ('d', 'c')],
            4: [('ab', 'c'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'), ('ee', 'c'), ('e', 'c')],
        },
        "a pair whose joined symbol is a token already is merged and listed all the same": {
            3: [('b', 'c'), ('a', 'bc')],
            4: [('b', 'c'), ('a', 'bc'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "a joined symbol that is a token already does not end the training": {
            3: [],
            4: [],
        },
        "a token that is there already does not make the vocabulary grow": {
            3: [('a', 'b'), ('ab', 'c')],
        },
        "a tie: the left id decides, then the right one: here their sum did": {
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('d', 'b'), ('ab', 'e'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "a tie: the left id decides, then the right one: here the larger or smaller of the two did": {
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('d', 'b'), ('ab', 'e'), ('d', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "a token that is made again keeps its id": {
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('d', 'b'), ('d', 'e'), ('ab', 'e'), ('ee', 'c'),
             ('e', 'c')],
        },
        "a tie: the ids decide, not the length of the joined symbol": {
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('d', 'b'), ('d', 'e'), ('ab', 'e'), ('e', 'c'),
             ('ee', 'c')],
        },
        "a pair that occurs once is merged, too: only without any pair it ends": {
            4: [('a', 'b'), ('ab', 'c'), ('d', 'c'), ('a', 'd'), ('ab', 'e'), ('d', 'b'), ('d', 'e')],
        },
    })
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    check(train_bpe, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], about="the four words")
    check(train_bpe, {tuple("bac"): 2, tuple("cbb"): 2}, list("bca"), 5).equals([("b", "b"), ("b", "a")])
    words = {tuple("abc"): 5, ("ab", "c"): 3, tuple("dc"): 4, tuple("de"): 2, tuple("db"): 2, ("ab", "e"): 2,
             tuple("ad"): 2, tuple("ec"): 1, ("ee", "c"): 1}
    known, all_of_them = ["a", "b", "ab", "c", "d", "ee", "e"], [
        ("a", "b"), ("ab", "c"), ("d", "c"), ("a", "d"), ("ab", "e"), ("d", "b"), ("d", "e"), ("ee", "c"), ("e", "c")]
    check(train_bpe, words, known, 9).equals(
        all_of_them[:3], about="ab is known",
        near={
            f"{there}; {same}": [("a", "b"), ("d", "c")],
            same: [("a", "b"), ("d", "c"), ("ab", "c")],
        },
    )
    left_none = "where no pair is left it ends"
    ended = {f"{left_none}: min or max of nothing is an error": ValueError,
             f"{left_none}: an empty list has no first item": IndexError, f"{left_none}: None is no pair": TypeError}
    check(train_bpe, words, known, 30).equals(
        all_of_them, about="until no pair is left",
        near={
            same: [("a", "b"), ("d", "c"), ("ab", "c"), *all_of_them[3:]],
            **ended,
        },
    )


score
