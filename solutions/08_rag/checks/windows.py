from helpers.checks import graded


@graded("windows", points=4)
def score(check):
    ### BEGIN MISTAKES
    step = "the next window begins size - overlap words later, not overlap words later"

    def made(step, last=True, stop=True):
        def function(words, size, overlap=0):
            found = []
            for start in range(0, len(words), max(1, step(size, overlap))):
                part = words[start : start + size]
                if last or len(part) == size:
                    found.append(part)
                if stop and start + size >= len(words):
                    break
            return found

        return function

    def to_the_end(words, size, overlap=0):
        found = made(lambda s, o: s - o)(words, size, overlap)
        return [*found[:-1], words[-size:]] if found else []

    def joined(words, size, overlap=0):
        found = made(lambda s, o: s - o)(words, size, overlap)
        if len(found) > 1 and len(found[-1]) < size:
            found[-2:] = [found[-2] + found[-1][overlap:]]
        return found

    check.mistakes({
        "overlap is ignored": made(lambda s, o: s),
        "one window too many: stop with the first one that reaches the end": made(lambda s, o: s - o, stop=False),
        "the last, shorter window is missing": made(lambda s, o: s - o, last=False),
        step: made(lambda s, o: o),
        "each window begins one word later; it is size - overlap words": made(lambda s, o: 1),
        "off by one: neighbours share overlap words, not one more": made(lambda s, o: s - o - 1),
        "off by one: neighbours share overlap words, not one less": made(lambda s, o: s - o + 1),
        "the last window may be shorter: it, too, begins size - overlap words after the one before": to_the_end,
        "the last, shorter window is one of its own: its words do not go into the one before": joined,
        "words that fit into one window give one, also where they are no more than the overlap":
            lambda w, s, o=0: [w[i : i + s] for i in range(0, len(w) - o, max(1, s - o))],
        "each window is joined to a text: a list of words is asked": lambda w, s, o=0: [
            " ".join(part) for part in made(lambda s, o: s - o)(w, s, o)
        ],
    }, windows)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for n, size, overlap in [(17, 5, 2), (20, 5, 0), (23, 7, 6), (16, 6, 1), (9, 4, 1)]:
        words = [f"w{int(i)}" for i in check.rng.integers(0, 50, size=n)]
        starts = [0]
        while starts[-1] + size < n:
            starts.append(starts[-1] + size - overlap)
        right = [words[start : start + size] for start in starts]
        check(windows, words, size, overlap).equals(right, about="fresh words", near={
            "every overlap from 0 to size - 1 is allowed": ValueError})
    for n, size, overlap in [(150, 90, 70), (70, 68, 3), (70, 68, 66), (150, 3, 1)]:
        words = [f"w{i}" for i in range(n)]
        starts = range(0, n - overlap, size - overlap)
        check(windows, words, size, overlap).equals([words[s : s + size] for s in starts], about="many words")
    check(windows, ["a", "b", "a"], 1).equals([["a"], ["b"], ["a"]], about="windows of one word", edge=True)
    check(windows, ["A", "", "a", "a", "b c"], 2, 1).equals(
        [["A", ""], ["", "a"], ["a", "a"], ["a", "b c"]], about="words as they are", edge=True)
    check(windows, ["a", "b"], 5, 2).equals([["a", "b"]], about="a text shorter than a window", edge=True)
    check(windows, ["a", "b", "c"], 5, 2).equals(
        [["a", "b", "c"]], about="a text shorter than a window", edge=True)
    check(windows, [], 5, 2).equals([], about="no words", edge=True, near={"no words give no windows": [[]]})
    check.mistakes({})
    for size, overlap in [(3, 3), (3, 4), (3, -1)]:
        check(refused, ["a", "b"], size, overlap).equals(True, about="an overlap that does not fit", edge=True, near={
            refuse: False, "a ValueError is asked, not an AssertionError": AssertionError})
    check(refused, [], 3, 4).equals(True, about="an overlap that does not fit", edge=True, near={
        refuse + ", also where there are no words": False})
    ### END HIDDEN TESTS


score
