from helpers.checks import graded


@graded("fast", points=7)
def score(check):
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    stale = "counts must be true when a pair is chosen: an old entry of the heap was believed"
    never = "no count was ever brought up to date"
    gone = "pairs that are gone were still chosen: an old entry of the heap was believed"
    once = "how often each word occurs was ignored"
    light = "a change counts as often as the word occurs: there how often each word occurs was ignored"
    rose = "a pair that became more frequent, or is new, needs a new entry, too"
    fresh = "a new pair needs an entry, too, not only those that were there"
    useless = "no new entry was ever of use: each pair whose count changed needs one with its true count, as -count"
    narrow = "`where` held only one word for each pair: it holds all"
    above = "an old entry of the heap was believed, with a count above the truth: throw away what is not true now"
    over = "an entry above the true count was believed, also where no such pair is left"
    single = "only one of the words that hold the pair was merged: all of `where[pair]` are"
    check(train_bpe_fast, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], near={
        **{words: [("w", "_"), ("h", "o")] for words in [rose, fresh, useless, narrow]},
        **{words: [("w", "_"), ("o", "w")] for words in [over, single]},
        **{words: [("w", "_"), ("h", "o")] for words in [light, f"{light}, in each merge"]},
        never: [("w", "_"), ("o", "w")], gone: [("w", "_"), ("o", "w")], once: [("w", "_"), ("h", "o")],
        "new pairs never came into the heap": [("w", "_"), ("h", "o")],
    })
    check(train_bpe_fast, {tuple("bac"): 2, tuple("cbb"): 2}, list("bca"), 5).equals([("b", "b"), ("b", "a")], near={
        "a tie: the ids decide, the places in the alphabet, not the order of the letters": [("a", "c"), ("b", "ac")],
        "a tie: the ids decide, not which pair was seen first": [("b", "a"), ("ba", "c")],
    })
    lost = "a merge makes new pairs: `where` must learn, too, which words hold them"
    four = [("w", "_"), ("o", "w_"), ("h", "ow_"), ("w", "ow_")]
    check(train_bpe_fast, corpus, list("_ahorw"), 10).equals(four, about="new pairs are merged", near={
        lost: [("w", "_"), ("o", "w_"), ("h", "o"), ("o", "w_"), ("w", "o")],
        once: [("w", "_"), ("h", "o"), ("a", "w_"), ("o", "w_")],
        light: [("w", "_"), ("h", "o"), ("o", "w"), ("w", "o")],
        f"{light}, in each merge": [("w", "_"), ("h", "o"), ("o", "w"), ("w", "_"), ("w", "o")],
        **{words: [("w", "_"), ("o", "w_"), ("h", "o"), ("h", "ow_")] for words in [stale, above]},
        never: [("w", "_"), ("o", "w"), ("h", "o"), ("w", "o")],
        gone: [("w", "_"), ("o", "w"), ("o", "w_"), ("h", "ow_")],
    })


score
