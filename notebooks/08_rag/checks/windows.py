from helpers.checks import graded


@graded("windows", points=4)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "overlap is ignored": {
            1: [['a', 'b', 'c', 'd'], ['e', 'f', 'g']],
            2: [['a', 'b', 'c', 'd'], ['e', 'f', 'g']],
        },
        "one window too many: stop with the first one that reaches the end": {
            1: [['a', 'b', 'c', 'd'], ['d', 'e', 'f', 'g'], ['g']],
            2: [['a', 'b', 'c', 'd'], ['c', 'd', 'e', 'f'], ['e', 'f', 'g'], ['g']],
        },
        "the next window begins size - overlap words later, not overlap words later": {
            1: [['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'e'], ['c', 'd', 'e', 'f'], ['d', 'e', 'f', 'g']],
            3: [['a', 'b', 'c'], ['b', 'c', 'd'], ['c', 'd', 'e'], ['d', 'e', 'f'], ['e', 'f', 'g'],
             ['f', 'g', 'h']],
        },
        "each window begins one word later; it is size - overlap words": {
            1: [['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'e'], ['c', 'd', 'e', 'f'], ['d', 'e', 'f', 'g']],
            2: [['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'e'], ['c', 'd', 'e', 'f'], ['d', 'e', 'f', 'g']],
            3: [['a', 'b', 'c'], ['b', 'c', 'd'], ['c', 'd', 'e'], ['d', 'e', 'f'], ['e', 'f', 'g'],
             ['f', 'g', 'h']],
        },
        "off by one: neighbours share overlap words, not one more": {
            1: [['a', 'b', 'c', 'd'], ['c', 'd', 'e', 'f'], ['e', 'f', 'g']],
            2: [['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'e'], ['c', 'd', 'e', 'f'], ['d', 'e', 'f', 'g']],
            3: [['a', 'b', 'c'], ['c', 'd', 'e'], ['e', 'f', 'g'], ['g', 'h']],
        },
        "off by one: neighbours share overlap words, not one less": {
            1: [['a', 'b', 'c', 'd'], ['e', 'f', 'g']],
            2: [['a', 'b', 'c', 'd'], ['d', 'e', 'f', 'g']],
            3: [['a', 'b', 'c'], ['e', 'f', 'g']],
        },
        "each window is joined to a text: a list of words is asked": {
            1: ['a b c d', 'd e f g'],
            2: ['a b c d', 'c d e f', 'e f g'],
            3: ['a b c', 'd e f', 'g h'],
        },
        "the last, shorter window is missing": {
            2: [['a', 'b', 'c', 'd'], ['c', 'd', 'e', 'f']],
            3: [['a', 'b', 'c'], ['d', 'e', 'f']],
        },
        "the last window may be shorter: it, too, begins size - overlap words after the one before": {
            2: [['a', 'b', 'c', 'd'], ['c', 'd', 'e', 'f'], ['d', 'e', 'f', 'g']],
            3: [['a', 'b', 'c'], ['d', 'e', 'f'], ['f', 'g', 'h']],
        },
        "the last, shorter window is one of its own: its words do not go into the one before": {
            2: [['a', 'b', 'c', 'd'], ['c', 'd', 'e', 'f', 'g']],
            3: [['a', 'b', 'c'], ['d', 'e', 'f', 'g', 'h']],
        },
    })
    wide = "a window has size words in all, those that it shares with its neighbour included"
    check(windows, list("abcdefg"), 4, 1).equals([list("abcd"), list("defg")],
        near={wide: [list("abcde"), list("efg")]})
    check(windows, list("abcdefg"), 4, 2).equals([list("abcd"), list("cdef"), list("efg")],
        near={wide: [list("abcdef"), list("efg")]})
    check(windows, list("abcdefgh"), 3).equals([list("abc"), list("def"), list("gh")])
    check(windows, [], 5, 2).equals([], about="no words", near={"no words give no windows": [[]]})

    def refused(words, size, overlap):
        """Whether it is a ValueError."""
        try:
            windows(words, size, overlap)
        except ValueError:
            return True
        return False

    refuse = "an overlap as large as the window, or a negative one, must raise a ValueError"
    for words, overlap in [(["a", "b"], 3), (["a", "b"], -1), ([], 4)]:
        check(refused, words, 3, overlap).equals(True, about="an overlap that does not fit", near={
            refuse: False, "a ValueError is asked, not an AssertionError": AssertionError})


score
