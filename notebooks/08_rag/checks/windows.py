from helpers.checks import graded


@graded("windows", points=4)
def score(check):
    ignored = "overlap is ignored"
    extra = "one window too many: stop with the first one that reaches the end"
    dropped = "the last, shorter window is missing"
    step = "the next window begins size - overlap words later, not overlap words later"
    more = "off by one: neighbours share overlap words, not one more"
    less = "off by one: neighbours share overlap words, not one less"
    wide = "a window has size words in all, those that it shares with its neighbour included"
    filled = "the last window may be shorter: it, too, begins size - overlap words after the one before"
    all_shared = "words that fit into one window give one, also where they are no more than the overlap"
    merged = "the last, shorter window is one of its own: its words do not go into the one before"
    refuse = "an overlap as large as the window, or a negative one, must raise a ValueError"

    check(windows, list("abcdefg"), 4, 1).equals([list("abcd"), list("defg")], near={
        extra: [list("abcd"), list("defg"), ["g"]], ignored: [list("abcd"), list("efg")],
        more: [list("abcd"), list("cdef"), list("efg")], less: [list("abcd"), list("efg")],
        wide: [list("abcde"), list("efg")],
    })
    check(windows, list("abcdefg"), 4, 2).equals([list("abcd"), list("cdef"), list("efg")], near={
        extra: [list("abcd"), list("cdef"), list("efg"), ["g"]], ignored: [list("abcd"), list("efg")],
        dropped: [list("abcd"), list("cdef")], less: [list("abcd"), list("defg")], wide: [list("abcdef"), list("efg")],
        filled: [list("abcd"), list("cdef"), list("defg")], merged: [list("abcd"), list("cdefg")],
    })
    check(windows, list("abcdefgh"), 3).equals([list("abc"), list("def"), list("gh")], near={
        dropped: [list("abc"), list("def")], filled: [list("abc"), list("def"), list("fgh")],
        merged: [list("abc"), list("defgh")],
    })


score
