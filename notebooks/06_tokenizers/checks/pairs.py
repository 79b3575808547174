from helpers.checks import graded


@graded("pairs", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "how often each word occurs was ignored": {
            1: {('h', 'o'): 2, ('o', 'w'): 1, ('w', 'h'): 1},
            2: {('o', 'o'): 2, ('o', 'h'): 3, ('h', 'o'): 2},
        },
        "the last pair of each word is missing": {
            1: {('h', 'o'): 2, ('w', 'h'): 1},
            2: {('o', 'o'): 6, ('h', 'o'): 4, ('o', 'h'): 2},
        },
        "the last symbol and the first are no neighbours": {
            1: {('h', 'o'): 3, ('o', 'w'): 3, ('w', 'h'): 3},
            2: {('o', 'o'): 6, ('o', 'h'): 7, ('h', 'o'): 7, ('h', 'h'): 2},
        },
        "the first pair of each word is missing": {
            1: {('o', 'w'): 2, ('h', 'o'): 1},
            2: {('o', 'o'): 3, ('o', 'h'): 7, ('h', 'o'): 2},
        },
        "only every second place was looked at": {
            1: {('h', 'o'): 2, ('w', 'h'): 1},
            2: {('o', 'o'): 3, ('o', 'h'): 3, ('h', 'o'): 4},
        },
        "the pair is (left, right): here it is turned round": {
            1: {('o', 'h'): 3, ('w', 'o'): 2, ('h', 'w'): 1},
            2: {('o', 'o'): 6, ('h', 'o'): 7, ('o', 'h'): 4},
        },
        "left and right are not the same: the pairs were sorted": {
            1: {('h', 'o'): 3, ('o', 'w'): 2, ('h', 'w'): 1},
            2: {('o', 'o'): 6, ('h', 'o'): 11},
        },
        "the pair is a tuple of two symbols, not their sum": {
            1: {'ho': 3, 'ow': 2, 'wh': 1},
            2: {'oo': 6, 'oh': 7, 'ho': 4},
        },
        "single symbols were counted": {
            1: {'h': 3, 'o': 3, 'w': 3},
            2: {'o': 13, 'h': 9},
        },
        "all pairs of a word were counted, not only neighbours": {
            1: {('h', 'o'): 3, ('h', 'w'): 2, ('o', 'w'): 2, ('w', 'h'): 1, ('w', 'o'): 1},
            2: {('o', 'o'): 11, ('o', 'h'): 15, ('h', 'o'): 6, ('h', 'h'): 6},
        },
        "a word's count replaced that of the words before": {
            1: {('h', 'o'): 1, ('o', 'w'): 2, ('w', 'h'): 1},
            2: {('o', 'o'): 3, ('o', 'h'): 2, ('h', 'o'): 2},
        },
        "the last symbol of a word and the first of the next are no neighbours": {
            1: {('h', 'o'): 3, ('o', 'w'): 2, ('w', 'h'): 2, ('w', 'w'): 1},
            2: {('o', 'o'): 6, ('o', 'h'): 7, ('h', 'o'): 6, ('h', 'h'): 2},
        },
        "a pair that stands twice in a word counts twice": {
            2: {('o', 'o'): 3, ('o', 'h'): 5, ('h', 'o'): 2},
        },
        "places overlap: (a, a, a) holds (a, a) twice": {
            2: {('o', 'o'): 3, ('o', 'h'): 7, ('h', 'o'): 4},
        },
        "only the first occurrence was merged": {
            3: ('b', 'AN', 'a', 'n', 'd'),
            5: ('th', 'e', 'he', 'h', 'ey', 'h', 'e'),
        },
        "what was merged is not used again: go on behind it": {
            3: ('b', 'AN', 'n', 'AN', 'n', 'd'),
            4: ('oo', 'oo', 'o', 'h'),
            5: ('th', 'e', 'he', 'e', 'h', 'ey', 'he', 'e'),
        },
        "a symbol was lost: the last one must come along, too": {
            3: ('b', 'AN', 'AN'),
            4: ('oo', 'o'),
        },
        "`joined` is one symbol: append it whole": {
            3: ('b', 'A', 'N', 'A', 'N', 'd'),
            4: ('o', 'o', 'o', 'h'),
            5: ('th', 'e', 'h', 'e', 'h', 'ey', 'h', 'e'),
        },
        "both symbols stay where one should stand": {
            3: ('b', 'AN', 'AN', 'AN', 'AN', 'd'),
            4: ('oo', 'oo', 'o', 'h'),
            5: ('th', 'e', 'he', 'he', 'h', 'ey', 'he', 'he'),
        },
        "the pair was left out and nothing put in its place": {
            3: ('b', 'd'),
            4: ('o', 'h'),
            5: ('th', 'e', 'h', 'ey'),
        },
        "the symbols were joined and searched as text: (ab, c) is not (a, bc)": {
            3: ('b', 'a', 'n', 'a', 'n', 'd'),
            5: ('t', 'he', 'he', 'he', 'y', 'he'),
        },
        "the symbols were joined with blanks and replaced as text: of two pairs side by side the second was lost": {
            3: ('b', 'AN', 'a', 'n', 'd'),
        },
        "the joined symbol is the third argument, not always the sum of the pair": {
            3: ('b', 'an', 'an', 'd'),
        },
        "two neighbours were joined and compared with `joined`: both must be those of the pair": {
            3: ('b', 'a', 'n', 'a', 'n', 'd'),
        },
        "either symbol of the pair was replaced: both must stand there, in this order": {
            3: ('b', 'AN', 'AN', 'AN', 'AN', 'd'),
            4: ('oo', 'oo', 'oo', 'h'),
            5: ('th', 'he', 'he', 'he', 'he', 'ey', 'he', 'he'),
        },
        "the right symbol alone was looked at": {
            3: ('b', 'a', 'AN', 'a', 'AN', 'd'),
            4: ('oo', 'oo', 'oo', 'h'),
            5: ('th', 'he', 'h', 'he', 'h', 'ey', 'h', 'he'),
        },
        "the word is a tuple of symbols: a text came back": {
            3: 'bANANd',
            4: 'oooh',
            5: 'theheheyhe',
        },
        "what was merged is not used again: go on behind it; here each place was looked at for itself": {
            4: ('oo', 'oo', 'h'),
        },
        "merge from left to right": {
            4: ('o', 'oo', 'h'),
        },
        "one symbol of the pair was enough: both are needed, in this order": {
            4: ('oo', 'oo'),
            5: ('th', 'he', 'he', 'ey', 'he'),
        },
        "the symbols were joined with blanks and replaced as text: a pair's text may end one symbol and begin another": {
            5: ('the', 'he', 'hey', 'he'),
        },
        "the pair is ordered: (b, a) was joined as (a, b) is": {
            5: ('th', 'he', 'he', 'ey', 'he'),
        },
    })
    check(count_pairs, {("h", "o", "w"): 2, ("w", "h", "o"): 1}).equals({("h", "o"): 3, ("o", "w"): 2, ("w", "h"): 1})
    oo, oh, ho = ("o", "o"), ("o", "h"), ("h", "o")
    check(count_pairs, {("o", "o", "o", "h"): 3, ("h", "o", "h", "o", "h"): 2}).equals({oo: 6, oh: 7, ho: 4})
    check(merge, ("b", "a", "n", "a", "n", "d"), ("a", "n"), "AN").equals(("b", "AN", "AN", "d"))
    check(merge, ("o", "o", "o", "h"), ("o", "o"), "oo").equals(("oo", "o", "h"))
    check(merge, ("th", "e", "h", "e", "h", "ey", "h", "e"), ("h", "e"), "he").equals(
        ("th", "e", "he", "h", "ey", "he"), about="longer symbols")

    def as_key(value):
        return not hasattr(value, "append")

    of_words = "a tuple: a list cannot be a key of `words`"
    a_list = {"a list came back: a word is a tuple": lambda value: not as_key(value)}
    check(merge, ("a", "n"), ("a", "n"), "an").holds(as_key, of_words, about="a word is a tuple", near=a_list)


score
