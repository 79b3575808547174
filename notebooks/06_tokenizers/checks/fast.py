from helpers.checks import graded
from helpers.checks.ways import not_taken


@graded("fast", points=7)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a change counts as often as the word occurs: there how often each word occurs was ignored, in each merge": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('h', 'o'), ('o', 'w'), ('w', '_'), ('w', 'o')],
        },
        "a pair that became more frequent, or is new, needs a new entry, too": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('h', 'o'), ('o', 'w_'), ('r', 'a')],
        },
        "a new pair needs an entry, too, not only those that were there": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('h', 'o'), ('o', 'w_'), ('r', 'a')],
        },
        "no new entry was ever of use: each pair whose count changed needs one with its true count, as -count": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b')],
            4: [('w', '_'), ('h', 'o'), ('w', 'o'), ('r', 'a')],
        },
        "pairs that are gone were still chosen: an old entry of the heap was believed, without a look at its true count": {
            1: [('w', '_'), ('o', 'w')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('o', 'w'), ('o', 'w_'), ('h', 'o')],
        },
        "an entry above the true count was believed, also where no such pair is left": {
            1: [('w', '_'), ('o', 'w')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('o', 'w'), ('o', 'w_'), ('h', 'o')],
        },
        "an entry that is no longer true ended the training: throw it away and go on": {
            1: [('w', '_')],
            3: [('a', 'b')],
            4: [('w', '_')],
        },
        "only one of the words that hold the pair was merged: all of `where[pair]` are": {
            1: [('w', '_'), ('o', 'w')],
            4: [('w', '_'), ('o', 'w'), ('h', 'ow'), ('o', 'w'), ('w', '_'), ('w', 'o')],
        },
        "`where` held only one word for each pair: it holds all": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'b'), ('a', 'b'), ('b', 'a')],
            4: [('w', '_'), ('h', 'o'), ('w', '_'), ('h', 'o'), ('o', 'w'), ('o', 'w_')],
        },
        "how often each word occurs was ignored": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('h', 'o'), ('a', 'w_'), ('o', 'w_')],
        },
        "an entry that was thrown away counted as a merge: only merges count": {
            1: [('w', '_')],
            3: [('a', 'b')],
            4: [('w', '_'), ('o', 'w_')],
        },
        "heapq.heapify is missing: a list is no heap until it is made one": {
            1: [('r', 'a'), ('w', '_')],
            2: [('b', 'a'), ('b', 'b')],
            4: [('r', 'a'), ('w', '_'), ('o', 'w_'), ('h', 'ow_')],
        },
        "no count was ever brought up to date": {
            1: [('w', '_'), ('o', 'w')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('o', 'w'), ('h', 'o'), ('w', 'o')],
        },
        "new pairs never came into the heap": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('h', 'o'), ('w', 'o'), ('r', 'a')],
        },
        "pairs that are gone were still chosen: an old entry of the heap was believed": {
            1: [('w', '_'), ('o', 'w')],
            4: [('w', '_'), ('o', 'w'), ('o', 'w_'), ('h', 'ow_')],
        },
        "a change counts as often as the word occurs: there how often each word occurs was ignored": {
            1: [('w', '_'), ('h', 'o')],
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('h', 'o'), ('o', 'w'), ('w', 'o')],
        },
        "vocab_size is the number of tokens in all, alphabet and merges together": {
            1: [('w', '_'), ('o', 'w_'), ('h', 'ow_'), ('w', 'ow_'), ('a', 'w_'), ('h', 'o'), ('r', 'aw_'),
             ('w', 'ho')],
            2: [('b', 'b'), ('b', 'a'), ('c', 'bb'), ('ba', 'c')],
            3: [('a', 'b'), ('b', 'a'), ('ab', 'ba'), ('b', 'b'), ('bb', 'ab')],
            4: [('w', '_'), ('o', 'w_'), ('h', 'ow_'), ('w', 'ow_'), ('a', 'w_'), ('h', 'o'), ('r', 'aw_'),
             ('w', 'ho'), ('who', '_')],
        },
        "one merge too few": {
            1: [('w', '_')],
            2: [('b', 'b')],
            3: [('a', 'b'), ('b', 'a')],
            4: [('w', '_'), ('o', 'w_'), ('h', 'ow_')],
        },
        "one merge too many": {
            1: [('w', '_'), ('o', 'w_'), ('h', 'ow_')],
            2: [('b', 'b'), ('b', 'a'), ('c', 'bb')],
            3: [('a', 'b'), ('b', 'a'), ('ab', 'ba'), ('b', 'b')],
            4: [('w', '_'), ('o', 'w_'), ('h', 'ow_'), ('w', 'ow_'), ('a', 'w_')],
        },
        "a heap gives the smallest entry first: the rarest pair was merged": {
            1: [('a', 'w'), ('o', '_')],
            3: [('a', 'b'), ('b', 'b'), ('bb', 'ab')],
            4: [('a', 'w'), ('o', '_'), ('h', 'o_'), ('r', 'aw')],
        },
        "the first counts, too, count each word as often as it occurs": {
            2: [('b', 'b'), ('c', 'bb')],
            3: [('a', 'b'), ('ab', 'b'), ('abb', 'a')],
        },
        "a tie: the ids decide, the places in the alphabet, not the order of the letters": {
            2: [('a', 'c'), ('b', 'ac')],
            3: [('a', 'b'), ('ab', 'b'), ('abb', 'a')],
        },
        "a tie: the ids decide, not which pair was seen first": {
            2: [('b', 'a'), ('ba', 'c')],
            3: [('a', 'b'), ('ab', 'b'), ('abb', 'a')],
        },
        "a tie: the smallest ids win, here it is the largest": {
            2: [('a', 'c'), ('c', 'b')],
            3: [('b', 'b'), ('bb', 'a'), ('a', 'bba')],
            4: [('w', '_'), ('o', 'w_'), ('w', 'ow_'), ('h', 'ow_')],
        },
        "a tie: the left symbol decides before the right one": {
            2: [('b', 'b'), ('a', 'c')],
            3: [('b', 'a'), ('b', 'ba'), ('a', 'bba')],
        },
        "a tie: only the left symbol was looked at": {
            2: [('b', 'a'), ('b', 'b')],
        },
        "a pair that became rarer needs a new entry, too: its old one is thrown away, and then it has none": {
            3: [('a', 'b'), ('ab', 'b'), ('abb', 'a')],
        },
        "the words were not kept after the merge: the next merge must find them as they are now": {
            3: [('a', 'b'), ('b', 'a'), ('b', 'ba')],
            4: [('w', '_'), ('o', 'w_'), ('h', 'o'), ('w', 'o')],
        },
        "an old entry of the heap was believed, with a count above the truth: throw away what is not true now": {
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('o', 'w_'), ('h', 'o'), ('h', 'ow_')],
        },
        "counts must be true when a pair is chosen: an old entry of the heap was believed": {
            3: [('a', 'b'), ('b', 'a'), ('b', 'b')],
            4: [('w', '_'), ('o', 'w_'), ('h', 'o'), ('h', 'ow_')],
        },
        "a merge makes new pairs: `where` must learn, too, which words hold them": {
            4: [('w', '_'), ('o', 'w_'), ('h', 'o'), ('o', 'w_'), ('w', 'o')],
        },
    })
    missing = {"`where` does not know this pair: one that is new must be noted there, one that is gone left": KeyError}
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    check(train_bpe_fast, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], near=missing)
    check(train_bpe_fast, {tuple("bac"): 2, tuple("cbb"): 2}, list("bca"), 5).equals([("b", "b"), ("b", "a")])
    fallen = [("a", "b"), ("b", "a"), ("ab", "ba")]
    check(train_bpe_fast, {tuple("abba"): 3, tuple("bbab"): 1}, ["a", "b"], 5).equals(
        fallen, about="counts fall", near=missing)
    four = [("w", "_"), ("o", "w_"), ("h", "ow_"), ("w", "ow_")]
    check(train_bpe_fast, corpus, list("_ahorw"), 10).equals(
        four, about="new pairs are merged", near=missing)
    own, called = "train_bpe was not called", "train_bpe was called: write the way with a heap out"
    check(taken, ["train_bpe"], train_bpe_fast, {("a", "b"): 2}, ["a", "b"], 3).holds(
        **not_taken(own, called), about="without train_bpe")
    letters = [chr(i) for i in range(200, 700)]
    apart = {(letter,): 1 for letter in letters}
    apart |= {(letters[i], letters[i + 1]): 2 for i in range(0, 80, 2)}

    def work(words, started, size):
        """How many lines run for each word."""
        return lines_run(train_bpe_fast, words, started, size) / len(words)

    touched = {"each merge goes through all words again: only those of `where[pair]` are touched": lambda n: n >= 20}
    check(work, apart, letters, 540).holds(
        lambda n: n < 20, "fewer than 20 lines for each of 540 words, though there are 40 merges",
        about="the work of a merge", edge=True, near=touched)


score
