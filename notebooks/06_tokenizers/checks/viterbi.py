from helpers.checks import graded


@graded("viterbi", points=6)
def score(check):
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    longest = "this is the greedy longest match: the sum of the log-probabilities decides"
    turned = "the cut is read from the end: turn it round"
    worst = "the least probable cut was taken"
    single = "single characters came back: longer pieces may be more probable"
    check(viterbi, "aba", pieces).equals(["a", "ba"], near={
        longest: ["ab", "a"], turned: ["ba", "a"], worst: ["a", "b", "a"], single: ["a", "b", "a"],
    })
    check(viterbi, "bazab", pieces).equals(["ba", "z", "ab"], near={
        "an unknown character is a piece of its own": ["ba", "ab"], turned: ["ab", "z", "ba"],
        worst: ["b", "a", "z", "a", "b"], single: ["b", "a", "z", "a", "b"],
    })
    fewest = "the fewest pieces were taken: the sum of the log-probabilities decides"
    dear = "an unknown character costs 10 less than the smallest log-probability"
    fused = "each unknown character is a piece of its own: they are not put together"
    pieces = {"a": -1.0, "b": -1.0, "ab": -2.5, "abc": -30.0}
    check(viterbi, "abzzabc", pieces).equals(["a", "b", "z", "z", "abc"], near={
        fewest: ["ab", "z", "z", "abc"], dear: ["a", "b", "z", "z", "a", "b", "c"], fused: ["a", "b", "zz", "abc"],
        worst: ["ab", "z", "z", "ab", "c"], single: ["a", "b", "z", "z", "a", "b", "c"],
    })


score
