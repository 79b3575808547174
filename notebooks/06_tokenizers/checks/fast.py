from helpers.checks import graded


@graded("fast", points=7)
def score(check):
    corpus = {tuple("raw_"): 1, tuple("how_"): 2, tuple("wow_"): 2, tuple("who_"): 1}
    stale = "counts must be true when a pair is chosen: an old entry of the heap was believed"
    never = "no count was ever brought up to date"
    gone = "pairs that are gone were still chosen: an old entry of the heap was believed"
    once = "how often each word occurs was ignored"
    light = "a change counts as often as the word occurs: there how often each word occurs was ignored"
    check(train_bpe_fast, corpus, list("_ahorw"), 8).equals([("w", "_"), ("o", "w_")], near={
        light: [("w", "_"), ("h", "o")],
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
        stale: [("w", "_"), ("o", "w_"), ("h", "o"), ("h", "ow_")],
        never: [("w", "_"), ("o", "w"), ("h", "o"), ("w", "o")],
        gone: [("w", "_"), ("o", "w"), ("o", "w_"), ("h", "ow_")],
    })


score
