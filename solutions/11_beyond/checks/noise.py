from helpers.checks import graded


@graded("noise", points=4)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np

    same = "all spans got the same sentinel: the decoder must tell them apart"

    def pair(sentinel=lambda marks, k: [marks[k]], piece=lambda mark, words: mark + words, end=True, stay=False,
             tail=True, shift=0, stop=lambda start, length: start + length):
        def cut(tokens, spans, marks):
            hidden, inputs, targets = {}, [], []
            for k, (start, length) in enumerate(spans):
                hidden |= {i: k for i in range(start, stop(start, length))}
            for i, token in enumerate(tokens):
                if i in hidden and (i - 1 not in hidden or hidden[i - 1] != hidden[i]):
                    inputs += sentinel(marks, hidden[i])
                if i not in hidden or stay:
                    inputs.append(token)
            for k, (start, length) in enumerate(spans):
                targets += piece(sentinel(marks, k), tokens[start : stop(start, length)])
            if not tail and spans:
                inputs = inputs[: len(inputs) - (len(tokens) - sum(spans[-1]))]
            return inputs, targets + ([marks[len(spans) + shift]] if end else [])

        return cut

    right = pair()

    def moved(tokens, spans, marks):
        inputs, targets = list(tokens), []
        for (start, length), mark in zip(spans, marks, strict=False):
            targets += [mark, *inputs[start : start + length]]
            inputs[start : start + length] = [mark]
        return inputs, [*targets, marks[len(spans)]]

    def to_the_end(tokens, spans, marks):
        inputs, targets, at = [], [], 0
        for (start, end), mark in zip(spans, marks, strict=False):
            inputs, targets, at = [*inputs, *tokens[at:start], mark], [*targets, mark, *tokens[start:end]], end
        return inputs + tokens[at:], [*targets, marks[len(spans)]]

    def kept_in_targets(tokens, spans, marks):
        targets, end = [], 0
        for (start, length), mark in zip(spans, marks, strict=False):
            targets, end = [*targets, mark, *tokens[end:start]], start + length
        return right(tokens, spans, marks)[0], [*targets, marks[len(spans)]]

    def shorter(tokens, spans, marks):
        out, end = [], 0
        for (start, length), mark in zip(spans, marks, strict=False):
            out, end = [*out, *tokens[end:start], mark], start + length - 1
        return out + tokens[end:]

    check.mistakes({
        "the sentinel that ends the targets is missing": pair(end=False),
        "the cut words are in the inputs still: a sentinel belongs in their place": pair(stay=True),
        same: pair(lambda marks, k: [marks[0]]),
        same + " (here the end of the targets has it, too)":
            lambda tokens, spans, marks: right(tokens, spans, marks[:1] * len(marks)),
        "in the targets the sentinel belongs in front of its words, not after them":
            pair(piece=lambda mark, words: words + mark),
        "the targets hold the words alone: each span belongs after its sentinel":
            pair(piece=lambda mark, words: words, end=False),
        "the targets hold what was kept: what was cut out is asked for": kept_in_targets,
        "a span is (start, length), not (start, end)": pair(stop=lambda start, length: length),
        "a span is (start, length), not (start, end): some tokens are there twice": to_the_end,
        "what is after the last span is lost": pair(tail=False),
        "the targets are the whole text: T5 writes only what was cut out":
            lambda tokens, spans, marks: (right(tokens, spans, marks)[0], tokens),
        "the targets end with the last sentinel of the list: it is the one after those used":
            lambda tokens, spans, marks: (right(tokens, spans, marks)[0],
                right(tokens, spans, marks)[1][:-1] + marks[-1:]),
        "the last sentinel used is at the end, too: the next one ends the targets": pair(shift=-1),
        "the end belongs in the targets alone":
            lambda tokens, spans, marks: (right(tokens, spans, marks)[0] + [marks[len(spans)]],
                right(tokens, spans, marks)[1]),
        "the places are those of the text: they moved here when the spans before were cut out": moved,
        "the first span gets the first sentinel": lambda tokens, spans, marks: right(tokens, spans, marks[1:]),
        "the first span gets the first sentinel, and the one after those used ends the targets":
            lambda tokens, spans, marks: (right(tokens, spans, marks[1:])[0],
                right(tokens, spans, marks[1:])[1][:-1] + marks[:1]),
        "each span of the targets belongs after its sentinel: the sentinels are missing":
            pair(piece=lambda mark, words: words),
        "the sentinels go up with the spans: here they go down":
            lambda tokens, spans, marks: right(tokens, spans, marks[: len(spans)][::-1] + marks[len(spans) :]),
        "the inputs come first, then the targets": lambda *given: right(*given)[::-1],
        "without spans the targets are the first sentinel alone":
            lambda tokens, spans, marks: right(tokens, spans, marks) if spans else (tokens, []),
        "the last word of each span stays in the inputs: `length` tokens are cut out":
            lambda tokens, spans, marks: (shorter(tokens, spans, marks), right(tokens, spans, marks)[1]),
        "two spans that touch were joined: each has its own sentinel":
            lambda tokens, spans, marks: right(tokens, joined(spans), marks),
        "sentinels are counted from the end of the list":
            lambda tokens, spans, marks: right(tokens, spans, marks[::-1]),
    }, span_corruption)

    def joined(spans):
        out = []
        for start, length in spans:
            if out and sum(out[-1]) == start:
                out[-1] = (out[-1][0], out[-1][1] + length)
            else:
                out.append((start, length))
        return out

    def filled(tokens, spans, mask):
        starts = dict(spans)
        out, skip = [], 0
        for i in range(len(tokens) + 1):
            if i in starts:
                out.append(mask)
                skip = starts[i]
            if i < len(tokens) and skip <= 0:
                out.append(tokens[i])
            skip -= 1
        return out

    def twice_there(tokens, spans, mask):
        out, end = [], 0
        for start, length in spans:
            out, end = [*out, *tokens[end:start], mask], length
        return out + tokens[end:]

    def one_mask_each(tokens, spans, mask):
        out = list(tokens)
        for start, length in spans:
            out[start : start + length] = [mask] * length
        return out

    check.mistakes({
        "a span becomes one mask, not one for each of its tokens": one_mask_each,
        "the masked tokens are left in":
            lambda tokens, spans, mask: filled(tokens, [(start, 0) for start, _ in spans], mask),
        "no mask is put in: the span is only deleted":
            lambda tokens, spans, mask: [token for token in filled(tokens, spans, mask) if token != mask],
        "what is after the last span is lost":
            lambda tokens, spans, mask: filled(tokens[: sum(spans[-1])] if spans else tokens, spans, mask),
        "a span is (start, length), not (start, end)":
            lambda tokens, spans, mask: filled(tokens, [(s, max(n - s, 0)) for s, n in spans], mask),
        "a span is (start, length), not (start, end): some tokens are there twice": twice_there,
        "two spans that touch were joined: each has its own mask":
            lambda tokens, spans, mask: filled(tokens, joined(spans), mask),
        "the places are those of the text: they moved here when the spans before were cut out":
            lambda tokens, spans, mask: moved(tokens, spans, [mask] * (len(spans) + 1))[0],
        "a mask of length 0 belongs in front of token `start`, not after it":
            lambda tokens, spans, mask: filled(tokens, [(s + (n == 0), n) for s, n in spans], mask),
        "a mask of length 0 at the end of the text is missing":
            lambda tokens, spans, mask: filled(tokens, [(s, n) for s, n in spans if s < len(tokens)], mask),
        "a span of length 0 puts in a mask, too":
            lambda tokens, spans, mask: filled(tokens, [span for span in spans if span[1]], mask),
        "a span of length 0 covers no token: this one lost one":
            lambda tokens, spans, mask: filled(tokens, [(s, max(n, 1)) for s, n in spans], mask),
    }, infill)

    ### END MISTAKES
    one_each = "each span gets one sentinel, however long it is"
    text = "Thank you for inviting me to your party last week".split()
    marks = ["<X>", "<Y>", "<Z>", "<W>"]
    check(span_corruption, text, [(2, 2), (8, 1)], marks).equals(
        ("Thank you <X> me to your party <Y> week".split(), "<X> for inviting <Y> last <Z>".split()),
        near={one_each: ("Thank you <X> <Y> me to your party <Z> week".split(),
                         "<X> for <Y> inviting <Z> last <W>".split())})
    check(span_corruption, [7, 8, 9, 5, 6], [(1, 2), (3, 1)], [99, 98, 97]).equals(
        ([7, 99, 98, 6], [99, 8, 9, 98, 5, 97]), about="ids in place of words, spans that touch")
    check(span_corruption, [7, 8], [], [99, 98]).equals(([7, 8], [99]), about="no spans")
    check(infill, text[:6], [(1, 3), (5, 0), (6, 0)], "[MASK]").equals(
        ["Thank", "[MASK]", "me", "[MASK]", "to", "[MASK]"])
    check(is_new, infill, [1, 2], [], 9).equals(
        True, about="a list of its own", near={"this is the very list that came in: return a new one": False})
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def drawn(n, count, touching=False):
        """Spans in n tokens: random places where something begins, hidden and kept by turns."""
        cuts = np.sort(check.rng.choice(np.arange(1, n), size=2 * count, replace=False)).tolist()
        cuts = cuts[: count + 1] if touching else cuts
        pairs = zip(cuts[:-1], cuts[1:], strict=True) if touching else zip(cuts[::2], cuts[1::2], strict=True)
        return [(a, b - a) for a, b in pairs]

    for n, count in [(17, 3), (30, 5), (300, 70), (17, 3)]:
        tokens = check.rng.integers(0, 50, n).tolist()
        spans, marks = drawn(n, count), list(range(1000, 1000 - count - 3, -1))
        check(span_corruption, tokens, spans, marks).equals(right(tokens, spans, marks), about="fresh texts", weight=2)
    for n, count in [(14, 3), (25, 6)]:
        tokens, marks = check.rng.integers(0, 9, n).tolist(), list(range(100, 120))
        spans = drawn(n, count, touching=True)
        check(span_corruption, tokens, spans, marks).equals(
            right(tokens, spans, marks), about="spans that touch", edge=True)
    for tokens, spans in [([0, 1, 0, 2], [(0, 1)]), ([3, 0, 0], [(1, 2)]), ([4, 5], [(0, 2)]), ([6], [(0, 1)]),
                          ([7, 8], []), ([], []), (["", "a", ""], [(0, 1), (2, 1)])]:
        check(span_corruption, tokens, spans, [90, 91, 92, 93]).equals(
            right(tokens, spans, [90, 91, 92, 93]), about="spans at the ends, all, none", edge=True)
    shared = "this is the very list that came in: return a new one"
    check(is_new, span_corruption, [1, 2], [], [90, 91]).equals(
        True, about="lists of their own", edge=True, near={shared: False})
    check(is_new, infill, [1, 2], [], 9).equals(True, about="lists of their own", edge=True, near={shared: False})
    for n, count in [(16, 3), (40, 7), (300, 70), (16, 3)]:
        tokens, spans = check.rng.integers(0, 9, n).tolist(), drawn(n, count)
        check(infill, tokens, spans, 77).equals(filled(tokens, spans, 77), about="fresh masks")
    for n, count in [(14, 3), (25, 6)]:
        tokens, spans = check.rng.integers(0, 9, n).tolist(), drawn(n, count, touching=True)
        check(infill, tokens, spans, 77).equals(filled(tokens, spans, 77), about="spans that touch", edge=True)
    for tokens, spans in [([4, 5, 6], [(1, 0)]), ([4, 5, 6], [(0, 0), (3, 0)]), ([4, 5, 6, 7], [(0, 2), (3, 0)]),
                          ([], [(0, 0)])]:
        check(infill, tokens, spans, 0).equals(
            filled(tokens, spans, 0), about="spans of length 0", edge=True)
    ### END HIDDEN TESTS


score
