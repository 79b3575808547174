from helpers.checks import graded


@graded("noise", points=8)
def score(check):
    import torch

    no_end = "the sentinel that ends the targets is missing"
    words_stay = "the cut words are in the inputs still: a sentinel stands in their place"
    one_each = "each span gets one sentinel, however long it is"
    same = "all spans got the same sentinel: the decoder must tell them apart"
    used = "the last sentinel used stands at the end, too: the next one ends the targets"
    behind = "in the targets the sentinel stands in front of its words, not behind them"
    bare = "the targets hold the words alone: each piece stands behind its sentinel"
    whole = "the targets are the whole text: T5 writes only what was cut out"
    ends = "a span is (start, length), not (start, end)"
    tail_lost = "what stands behind the last span is lost"
    text = "Thank you for inviting me to your party last week".split()
    marks = ["<X>", "<Y>", "<Z>", "<W>"]
    check(span_corruption, text, [(2, 2), (8, 1)], marks).equals(
        ("Thank you <X> me to your party <Y> week".split(), "<X> for inviting <Y> last <Z>".split()), near={
            no_end: ("Thank you <X> me to your party <Y> week".split(), "<X> for inviting <Y> last".split()),
            words_stay: ("Thank you <X> for inviting me to your party <Y> last week".split(),
                         "<X> for inviting <Y> last <Z>".split()),
            one_each: ("Thank you <X> <Y> me to your party <Z> week".split(),
                       "<X> for <Y> inviting <Z> last <W>".split()),
            same: ("Thank you <X> me to your party <X> week".split(), "<X> for inviting <X> last <X>".split()),
            used: ("Thank you <X> me to your party <Y> week".split(), "<X> for inviting <Y> last <Y>".split()),
            behind: ("Thank you <X> me to your party <Y> week".split(), "for inviting <X> last <Y> <Z>".split()),
            bare: ("Thank you <X> me to your party <Y> week".split(), "for inviting last".split()),
            whole: ("Thank you <X> me to your party <Y> week".split(), text),
            tail_lost: ("Thank you <X> me to your party <Y>".split(), "<X> for inviting <Y> last <Z>".split()),
            "the inputs come first, then the targets": (
                "<X> for inviting <Y> last <Z>".split(), "Thank you <X> me to your party <Y> week".split()),
            "the first span gets the first sentinel, and so on": (
                "Thank you <Y> me to your party <Z> week".split(), "<Y> for inviting <Z> last <W>".split()),
            "the first span gets the first sentinel, and the one after those used ends the targets": (
                "Thank you <Y> me to your party <Z> week".split(), "<Y> for inviting <Z> last <X>".split()),
            "the places are those of the text: they moved here when the spans before were cut out": (
                "Thank you <X> me to your party last <Y>".split(), "<X> for inviting <Y> week <Z>".split()),
        })
    check(span_corruption, [7, 8, 9, 5, 6], [(1, 3)], [99, 98]).equals(
        ([7, 99, 6], [99, 8, 9, 5, 98]), about="ids in place of words", near={
            ends: ([7, 99, 5, 6], [99, 8, 9, 98]), no_end: ([7, 99, 6], [99, 8, 9, 5]),
            tail_lost: ([7, 99], [99, 8, 9, 5, 98]),
        })

    def spans_of(length, hidden, count, seed):
        return random_spans(length, hidden, count, torch.Generator().manual_seed(seed))

    kept_drawn_first = "the hidden tokens are cut first, then the kept ones: the draws are exchanged"
    hidden_first = "a kept piece comes first, then a hidden one"
    unsorted = "the cuts are not sorted"
    own_draw = "the generator is not used: torch.randperm(n - 1, generator=generator)"
    by_one = "1 is missing: a cut c stands behind the first c tokens, and c is at least 1"
    check(spans_of, 13, 5, 3, 6).equals([(5, 2), (8, 1), (11, 2)], near={
        kept_drawn_first: [(3, 2), (7, 2), (12, 1)], hidden_first: [(0, 2), (7, 1), (9, 2)],
        unsorted: [(5, 3), (9, -1), (10, 3)], by_one: [(4, 1), (6, 1), (10, 3)],
    })
    by_length = "a span becomes one mask, not one for each of its tokens"
    check(infill, text[:6], [(1, 3)], "[MASK]").equals(
        ["Thank", "[MASK]", "me", "to"], near={
            by_length: ["Thank", "[MASK]", "[MASK]", "[MASK]", "me", "to"],
            "the masked tokens are left in": ["Thank", "[MASK]", "you", "for", "inviting", "me", "to"],
            "no mask is put in: the span is only deleted": ["Thank", "me", "to"],
        })
    def shuffled(tokens, stop, seed):
        return shuffle_sentences(tokens, stop, torch.Generator().manual_seed(seed))

    letters = list("ab.c.d")
    stop_front = "the stop belongs to the sentence that it ends, not to the next one"
    check(shuffled, letters, ".", 1).equals(list("c.dab."), near={
        "the tokens are shuffled: sentences stay whole": list("cb.da."),
        stop_front: list(".c.dab"),
        "what stands behind the last stop is a sentence, too: it is lost here": list("c.ab."),
        "the stops are lost": list("cdab"),
        "this is the inverse: sentence order[i] comes at place i": list("dab.c."),
        "the order was used twice": list("dab.c."), "the tokens of a sentence stay in their order": list(".cd.ba"),
        "nothing is shuffled": letters, "the sentences came in the reverse order": list("ab.dc."),
        "what stands behind the last stop is a sentence, too: here it stays at the end": list("c.ab.d"),
    })


score
