from helpers.checks import graded


@graded("pairs", points=6)
def score(check):
    once = "how often each word occurs was ignored"
    per_word = "a pair that stands twice in a word counts twice"
    last = "the last pair of each word is missing"
    wrapped = "the last symbol and the first are no neighbours"
    second = "only every second place was looked at"
    begin = "the first pair of each word is missing"
    replaced = "a word's count replaced that of the words before"
    overlap = "places overlap: (a, a, a) holds (a, a) twice"
    check(count_pairs, {("h", "o", "w"): 2, ("w", "h", "o"): 1}).equals(
        {("h", "o"): 3, ("o", "w"): 2, ("w", "h"): 1}, near={
            once: {("h", "o"): 2, ("o", "w"): 1, ("w", "h"): 1}, last: {("h", "o"): 2, ("w", "h"): 1},
            second: {("h", "o"): 2, ("w", "h"): 1},
        }
    )
    oo, oh, ho = ("o", "o"), ("o", "h"), ("h", "o")
    check(count_pairs, {("o", "o", "o", "h"): 3, ("h", "o", "h", "o", "h"): 2}).equals({oo: 6, oh: 7, ho: 4}, near={
        per_word: {oo: 3, oh: 5, ho: 2}, once: {oo: 2, oh: 3, ho: 2}, second: {oo: 3, oh: 3, ho: 4},
        begin: {oo: 3, oh: 7, ho: 2}, last: {oo: 6, oh: 2, ho: 4}, replaced: {oo: 3, oh: 2, ho: 2},
        overlap: {oo: 3, oh: 7, ho: 4}, wrapped: {oo: 6, oh: 7, ho: 7, ("h", "h"): 2},
    })
    first = "only the first occurrence was merged"
    again = "what was merged is not used again: go on behind it"
    lost = "a symbol was lost: the last one must come along, too"
    pieces = "`joined` is one symbol: append it whole"
    third = "the joined symbol is the third argument, not always the sum of the pair"
    check(merge, ("b", "a", "n", "a", "n", "d"), ("a", "n"), "AN").equals(("b", "AN", "AN", "d"), near={
        first: ("b", "AN", "a", "n", "d"), lost: ("b", "AN", "AN"), pieces: ("b", "A", "N", "A", "N", "d"),
        third: ("b", "an", "an", "d"),
    })
    check(merge, ("o", "o", "o", "h"), ("o", "o"), "oo").equals(("oo", "o", "h"), near={
        "merge from left to right": ("o", "oo", "h"), again: ("oo", "oo", "h"),
    })

    def as_key(value):
        return not hasattr(value, "append")

    of_words = "a tuple: a list cannot be a key of `words`"
    check(merge, ("a", "n"), ("a", "n"), "an").holds(as_key, of_words, about="a word is a tuple", edge=True)


score
