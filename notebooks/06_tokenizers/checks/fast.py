from helpers.checks import graded


@graded("fast", points=7)
def score(check):
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    stale = "counts must be true when a pair is chosen: an old entry of the heap was believed"
    once = "how often each word occurs was ignored"
    check(train_bpe_fast, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], near={
        stale: [("w", "_"), ("o", "w")], once: [("w", "_"), ("h", "o")],
        "new pairs never came into the heap": [("w", "_"), ("h", "o")],
    })
    check(train_bpe_fast, {tuple("cab"): 2, tuple("bad"): 2}, list("dbca"), 6).equals([("b", "a"), ("c", "a")], near={
        "a tie: the ids decide, the places in the alphabet, not the order of the letters": [("a", "b"), ("a", "d")],
        "a tie: the ids decide, not which pair was seen first": [("c", "a"), ("ca", "b")],
    })
    lost = "a merge makes new pairs: `where` must learn, too, which words hold them"
    four = [("w", "_"), ("o", "w_"), ("h", "ow_"), ("w", "ow_")]
    check(train_bpe_fast, corpus, list("_ahorw"), 10).equals(four, about="new pairs are merged", near={
        lost: [("w", "_"), ("o", "w_"), ("h", "o"), ("o", "w_"), ("w", "o")],
        once: [("w", "_"), ("h", "o"), ("a", "w_"), ("o", "w_")],
    })


score
