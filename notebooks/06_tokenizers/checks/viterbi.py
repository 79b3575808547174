from helpers.checks import graded


@graded("viterbi", points=6)
def score(check):
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    alone = "only the last piece counted: add what was best up to its begin"
    longest = "this is the greedy longest match: the sum of the log-probabilities decides"
    turned = "the cut is read from the end: turn it round"
    nowhere = "the text came back as one piece: no cut led to its end. Does i begin at 0, and is the last j its length?"
    no_single = "a single character may be a piece, too: i goes up to j - 1"
    long_unknown = "only a single character may be unknown: a longer piece must be in log_probs"
    free_piece = "a piece that is not in log_probs has no log-probability of 0: that would be certain"
    short = "pieces as long as the longest were never tried: i goes from j minus the greatest length to j - 1"
    worst = "the least probable cut was taken"
    single = "single characters came back: longer pieces may be more probable"
    added = "the probabilities were added: in a cut they are multiplied"
    check(viterbi, "aba", pieces).equals(["a", "ba"], near={
        longest: ["ab", "a"], turned: ["ba", "a"], worst: ["a", "b", "a"], single: ["a", "b", "a"],
        added: ["a", "b", "a"], alone: ["a", "b", "a"], short: ["a", "b", "a"],
        **{words: ["aba"] for words in [nowhere, no_single, free_piece]},
    })
    fewest = "the fewest pieces were taken: the sum of the log-probabilities decides"
    from_right = "the longest match was taken from the right"
    dear = "an unknown character costs 10 less than the smallest log-probability"
    certain = "a character that is not in log_probs has no log-probability of 0: that would be certain"
    too_cheap = f"{dear}, not 10 more"
    mean = "the mean of the log-probabilities was maximised: their sum is asked"
    locally_best = "the best piece at each place was taken: the whole cut counts"
    left_out = "an unknown character is a piece of its own"
    pieces = {"b": -0.5, "c": -3.5, "bc": -3.0, "bba": -3.5, "cbb": -1.9, "bcb": -5.0}
    check(viterbi, "cbbazbcb", pieces).equals(["c", "bba", "z", "bc", "b"], near={
        longest: ["cbb", "a", "z", "bcb"], from_right: ["c", "bba", "z", "bcb"], fewest: ["c", "bba", "z", "bcb"],
        turned: ["b", "bc", "z", "bba", "c"], worst: ["c", "b", "b", "a", "z", "bcb"],
        left_out: ["c", "bba", "bc", "b"],
        short: ["c", "b", "b", "a", "z", "bc", "b"],
        **{words: ["cbbazbcb"] for words in [nowhere, no_single, free_piece, long_unknown]},
        locally_best: ["cbb", "a", "z", "b", "c", "b"], mean: ["c", "bba", "z", "b", "c", "b"],
        **{words: ["cbb", "a", "z", "bc", "b"] for words in [certain, dear, too_cheap]},
        single: list("cbbazbcb"), added: list("cbbazbcb"),
    })
    fused = "each unknown character is a piece of its own: they are not put together"
    check(viterbi, "bzzb", pieces).equals(["b", "z", "z", "b"], near={
        fused: ["b", "zz", "b"], left_out: ["b", "b"],
        **{words: ["bzzb"] for words in [nowhere, no_single, free_piece, long_unknown]},
    })


score
