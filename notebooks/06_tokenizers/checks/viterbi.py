from helpers.checks import graded


@graded("viterbi", points=8)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "this is the greedy longest match: the sum of the log-probabilities decides": {
            1: ['ab', 'a'],
            2: ['cbb', 'a', 'z', 'bcb'],
        },
        "the cut is read from the end: turn it round": {
            1: ['ba', 'a'],
            2: ['b', 'bc', 'z', 'bba', 'c'],
        },
        "the least probable cut was taken": {
            1: ['a', 'b', 'a'],
            2: ['c', 'b', 'b', 'a', 'z', 'bcb'],
            3: ['a', 'b', 'c'],
        },
        "single characters came back: longer pieces may be more probable": {
            1: ['a', 'b', 'a'],
            2: ['c', 'b', 'b', 'a', 'z', 'b', 'c', 'b'],
            3: ['a', 'b', 'c'],
        },
        "the text came back as one piece: no cut led to its end. Does i begin at 0, and is the last j its length?": {
            1: ['aba'],
            2: ['cbbazbcb'],
            5: ['bzzb'],
        },
        "a single character may be a piece, too: i goes up to j - 1": {
            1: ['aba'],
            2: ['cbbazbcb'],
            5: ['bzzb'],
        },
        "the probabilities were added: in a cut they are multiplied": {
            1: ['a', 'b', 'a'],
            2: ['c', 'b', 'b', 'a', 'z', 'b', 'c', 'b'],
            3: ['a', 'b', 'c'],
        },
        "a piece that is not in log_probs has no log-probability of 0: that would be certain": {
            1: ['aba'],
            2: ['cbbazbcb'],
            3: ['ab', 'c'],
            5: ['bzzb'],
        },
        "only the last piece counted: add what was best up to its begin": {
            1: ['a', 'b', 'a'],
        },
        "pieces as long as the longest were never tried: i goes from j minus the greatest length to j - 1": {
            1: ['a', 'b', 'a'],
            2: ['c', 'b', 'b', 'a', 'z', 'bc', 'b'],
            3: ['a', 'b', 'c'],
        },
        "a piece may end with the text: j goes up to its length": {
            1: ['ab'],
            2: ['c', 'bba', 'z', 'bc'],
            3: ['a', 'b'],
            5: ['b', 'z', 'z'],
        },
        "the sum was asked for by no one: return the pieces": {
            1: -2.5,
            2: -25.5,
            3: -23.0,
            5: -31.0,
        },
        "the longest match was taken from the right": {
            2: ['c', 'bba', 'z', 'bcb'],
        },
        "the best piece at each place was taken: the whole cut counts": {
            2: ['cbb', 'a', 'z', 'b', 'c', 'b'],
            3: ['a', 'b', 'c'],
        },
        "the fewest pieces were taken: the sum of the log-probabilities decides": {
            2: ['c', 'bba', 'z', 'bcb'],
        },
        "the mean of the log-probabilities was maximised: their sum is asked": {
            2: ['c', 'bba', 'z', 'b', 'c', 'b'],
            3: ['a', 'b', 'c'],
        },
        "an unknown character is a piece of its own": {
            2: ['c', 'bba', 'bc', 'b'],
            5: ['b', 'b'],
        },
        "an unknown character costs 10 less than the smallest log-probability": {
            2: ['cbb', 'a', 'z', 'bc', 'b'],
        },
        "only a single character may be unknown: a longer piece must be in log_probs": {
            2: ['cbbazbcb'],
            5: ['bzzb'],
        },
        "a character that is not in log_probs has no log-probability of 0: that would be certain": {
            2: ['cbb', 'a', 'z', 'bc', 'b'],
            3: ['a', 'b', 'c'],
        },
        "each known piece cost the same: its own log-probability counts": {
            2: ['c', 'bba', 'z', 'bcb'],
        },
        "the log-probabilities were multiplied: they are added": {
            2: ['c', 'b', 'b', 'a', 'z', 'bcb'],
        },
        "the unknown character itself is the piece, no <unk>": {
            2: ['c', 'bba', '<unk>', 'bc', 'b'],
            5: ['b', '<unk>', '<unk>', 'b'],
        },
        "the unknown character itself is the piece, no [UNK]": {
            2: ['c', 'bba', '[UNK]', 'bc', 'b'],
            5: ['b', '[UNK]', '[UNK]', 'b'],
        },
        "an unknown character costs 10 less than the smallest log-probability, not 10 more": {
            2: ['cbb', 'a', 'z', 'bc', 'b'],
            3: ['a', 'b', 'c'],
        },
        "an unknown character costs 10 less than the smallest log-probability, not 10 in all": {
            3: ['a', 'b', 'c'],
        },
        "an unknown character costs 10 less than the smallest log-probability: here it is cheaper (10 below the largest, or the mean?)": {
            3: ['a', 'b', 'c'],
        },
        "a piece may begin where the text begins, too": {
            3: ['a', 'b', 'c'],
        },
    })
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    check(viterbi, "aba", pieces).equals(["a", "ba"])
    pieces = {"b": -0.5, "c": -3.5, "bc": -3.0, "bba": -3.5, "cbb": -1.9, "bcb": -5.0}
    check(viterbi, "cbbazbcb", pieces).equals(["c", "bba", "z", "bc", "b"])
    check(viterbi, "abc", {"abc": -23.0, "a": -1.0, "b": -1.0}).equals(["abc"], about="an unknown c would cost 33")
    nested = {"a call inside a call for each character: Python stops at about 1,000, so use a loop": RecursionError}
    aba = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    check(viterbi, "aba" * 700, aba).equals(["a", "ba"] * 700, about="2,100 characters", edge=True, near=nested)
    fused = "each unknown character is a piece of its own: they are not put together"
    check(viterbi, "bzzb", pieces).equals(["b", "z", "z", "b"], near={fused: ["b", "zz", "b"]})


score
