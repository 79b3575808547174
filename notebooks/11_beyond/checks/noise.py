from helpers.checks import graded


@graded("noise", points=8)
def score(check):
    import torch

    def spans_of(length, hidden, count, seed):
        return random_spans(length, hidden, count, torch.Generator().manual_seed(seed))

    def shuffled(tokens, stop, seed):
        return shuffle_sentences(tokens, stop, torch.Generator().manual_seed(seed))

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the sentinel that ends the targets is missing": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last']),
            2: ([7, 99, 98, 6], [99, 8, 9, 98, 5]),
        },
        "the cut words are in the inputs still: a sentinel stands in their place": {
            1: (['Thank', 'you', '<X>', 'for', 'inviting', 'me', 'to', 'your', 'party', '<Y>', 'last', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>']),
            2: ([7, 99, 8, 9, 98, 5, 6], [99, 8, 9, 98, 5, 97]),
        },
        "all spans got the same sentinel: the decoder must tell them apart": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<X>', 'week'],
             ['<X>', 'for', 'inviting', '<X>', 'last', '<Z>']),
            2: ([7, 99, 99, 6], [99, 8, 9, 99, 5, 97]),
        },
        "all spans got the same sentinel: the decoder must tell them apart (here the end of the targets has it, too)": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<X>', 'week'],
             ['<X>', 'for', 'inviting', '<X>', 'last', '<X>']),
            2: ([7, 99, 99, 6], [99, 8, 9, 99, 5, 99]),
        },
        "in the targets the sentinel stands in front of its words, not behind them": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['for', 'inviting', '<X>', 'last', '<Y>', '<Z>']),
            2: ([7, 99, 98, 6], [8, 9, 99, 5, 98, 97]),
        },
        "the targets hold the words alone: each piece stands behind its sentinel": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'], ['for', 'inviting', 'last']),
            2: ([7, 99, 98, 6], [8, 9, 5]),
        },
        "the targets hold what was kept: what was cut out is asked": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<Z>']),
            2: ([7, 99, 98, 6], [99, 7, 98, 97]),
        },
        "a span is (start, length), not (start, end)": {
            1: (['Thank', 'you', 'for', 'inviting', 'me', 'to', 'your', 'party', 'last', 'week'],
             ['<X>', '<Y>', '<Z>']),
            2: ([7, 99, 9, 5, 6], [99, 8, 98, 97]),
            3: [(5, 7), (8, 9), (11, 13)],
            6: ['Thank', '[MASK]', 'inviting', 'me', 'to', '[MASK]'],
        },
        "what stands behind the last span is lost": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>']),
            2: ([7, 99, 98], [99, 8, 9, 98, 5, 97]),
        },
        "the targets are the whole text: T5 writes only what was cut out": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['Thank', 'you', 'for', 'inviting', 'me', 'to', 'your', 'party', 'last', 'week']),
            2: ([7, 99, 98, 6], [7, 8, 9, 5, 6]),
        },
        "the targets end with the last sentinel of the list: it is the one after those used": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<W>']),
        },
        "the last sentinel used stands at the end, too: the next one ends the targets": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Y>']),
            2: ([7, 99, 98, 6], [99, 8, 9, 98, 5, 98]),
        },
        "the end stands in the targets alone": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week', '<Z>'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>']),
            2: ([7, 99, 98, 6, 97], [99, 8, 9, 98, 5, 97]),
        },
        "the places are those of the text: they moved here when the spans before were cut out": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', 'last', '<Y>'],
             ['<X>', 'for', 'inviting', '<Y>', 'week', '<Z>']),
            2: ([7, 99, 5, 98], [99, 8, 9, 98, 6, 97]),
        },
        "the first span gets the first sentinel": {
            1: (['Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<Z>', 'week'],
             ['<Y>', 'for', 'inviting', '<Z>', 'last', '<W>']),
        },
        "the first span gets the first sentinel, and the one after those used ends the targets": {
            1: (['Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<Z>', 'week'],
             ['<Y>', 'for', 'inviting', '<Z>', 'last', '<X>']),
        },
        "each piece of the targets stands behind its sentinel: the sentinels are missing": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['for', 'inviting', 'last', '<Z>']),
            2: ([7, 99, 98, 6], [8, 9, 5, 97]),
        },
        "the sentinels go up with the spans: here they go down": {
            1: (['Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<X>', 'week'],
             ['<Y>', 'for', 'inviting', '<X>', 'last', '<Z>']),
            2: ([7, 98, 99, 6], [98, 8, 9, 99, 5, 97]),
        },
        "the inputs come first, then the targets": {
            1: (['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>'],
             ['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week']),
            2: ([99, 8, 9, 98, 5, 97], [7, 99, 98, 6]),
        },
        "the last word of each span stays in the inputs: `length` tokens are cut out": {
            1: (['Thank', 'you', '<X>', 'inviting', 'me', 'to', 'your', 'party', '<Y>', 'last', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>']),
            2: ([7, 99, 9, 98, 5, 6], [99, 8, 9, 98, 5, 97]),
        },
        "sentinels are counted from the end of the list": {
            1: (['Thank', 'you', '<W>', 'me', 'to', 'your', 'party', '<Z>', 'week'],
             ['<W>', 'for', 'inviting', '<Z>', 'last', '<Y>']),
            2: ([7, 97, 98, 6], [97, 8, 9, 98, 5, 99]),
        },
        "two spans that touch were joined: each has its own sentinel": {
            2: ([7, 99, 6], [99, 8, 9, 5, 98]),
        },
        "the hidden tokens are cut first, then the kept ones: the draws are exchanged": {
            3: [(3, 2), (7, 2), (12, 1)],
        },
        "a kept piece comes first, then a hidden one": {
            3: [(0, 2), (7, 1), (9, 2)],
        },
        "the cuts are not sorted": {
            3: [(5, 3), (9, -1), (10, 3)],
        },
        "1 is missing: a cut c stands behind the first c tokens, and c is at least 1": {
            3: [(4, 1), (6, 1), (10, 3)],
        },
        "the generator is not used: torch.randperm(n - 1, generator=generator)": {
            3: [(1, 1), (4, 1), (10, 3)],
        },
        "the cuts are torch.randperm(n - 1) + 1: n was taken in place of n - 1": {
            3: [(2, 1), (4, 2), (11, 2)],
        },
        "n was taken in place of n - 1, and 1 is missing": {
            3: [(1, 0), (2, 2), (10, 3)],
        },
        "the hidden tokens before it were left out of a span's start": {
            3: [(5, 2), (6, 1), (8, 2)],
        },
        "the pieces were sorted: only the cuts are": {
            3: [(1, 1), (4, 2), (11, 2)],
        },
        "the pieces were turned round": {
            3: [(2, 2), (5, 1), (11, 2)],
        },
        "the kept pieces were turned round": {
            3: [(2, 2), (5, 1), (11, 2)],
        },
        "a span becomes one mask, not one for each of its tokens": {
            6: ['Thank', '[MASK]', '[MASK]', '[MASK]', 'me', 'to'],
        },
        "the masked tokens are left in": {
            6: ['Thank', '[MASK]', 'you', 'for', 'inviting', 'me', 'to', '[MASK]'],
        },
        "no mask is put in: the span is only deleted": {
            6: ['Thank', 'me', 'to'],
        },
        "a span is (start, length), not (start, end): tokens came twice": {
            6: ['Thank', '[MASK]', 'inviting', 'me', 'to', '[MASK]', 'Thank', 'you', 'for', 'inviting', 'me', 'to'],
        },
        "a mask of length 0 stands in front of token `start`, not behind it": {
            6: ['Thank', '[MASK]', 'me', 'to'],
        },
        "a mask of length 0 at the end of the text is missing": {
            6: ['Thank', '[MASK]', 'me', 'to'],
        },
        "a span of length 0 puts in a mask, too": {
            6: ['Thank', '[MASK]', 'me', 'to'],
        },
        "the tokens are shuffled: sentences stay whole": {
            8: ['b', 'd', '<s>', 'a', 'c', '<s>'],
            9: [7, 5, 0, 6, 0, 0],
        },
        "the tokens of a sentence stay in their order": {
            8: ['<s>', 'c', 'd', '<s>', 'b', 'a'],
            9: [0, 6, 0, 5, 0, 7],
        },
        "the stop belongs to the sentence that it ends, not to the next one": {
            8: ['<s>', 'c', '<s>', 'd', 'a', 'b'],
            9: [0, 7, 0, 0, 6, 5],
        },
        "the stops are lost": {
            8: ['c', 'd', 'a', 'b'],
            9: [7, 6, 5],
        },
        "what stands behind the last stop is a sentence, too: it is lost here": {
            8: ['c', '<s>', 'a', 'b', '<s>'],
        },
        "this is the inverse: sentence order[i] comes at place i": {
            8: ['d', 'a', 'b', '<s>', 'c', '<s>'],
        },
        "what stands behind the last stop is a sentence, too: here it stays at the end": {
            8: ['c', '<s>', 'a', 'b', '<s>', 'd'],
        },
        "the order was used twice": {
            8: ['d', 'a', 'b', '<s>', 'c', '<s>'],
            9: [5, 0, 6, 0, 7, 0],
        },
        "the sentences came in the reverse order": {
            8: ['a', 'b', '<s>', 'd', 'c', '<s>'],
            9: [7, 0, 5, 0, 6, 0],
        },
        "nothing is shuffled: a stop is found by ==, not by `is`": {
            8: ['a', 'b', '<s>', 'c', '<s>', 'd'],
            9: [5, 0, 6, 0, 7, 0],
        },
        "an empty sentence was counted behind the last stop": {
            9: [7, 0, 6, 0, 5, 0],
        },
    })
    one_each = "each span gets one sentinel, however long it is"
    text = "Thank you for inviting me to your party last week".split()
    marks = ["<X>", "<Y>", "<Z>", "<W>"]
    check(span_corruption, text, [(2, 2), (8, 1)], marks).equals(
        ("Thank you <X> me to your party <Y> week".split(), "<X> for inviting <Y> last <Z>".split()),
        near={one_each: ("Thank you <X> <Y> me to your party <Z> week".split(),
                         "<X> for <Y> inviting <Z> last <W>".split())})
    check(span_corruption, [7, 8, 9, 5, 6], [(1, 2), (3, 1)], [99, 98, 97]).equals(
        ([7, 99, 98, 6], [99, 8, 9, 98, 5, 97]), about="ids in place of words, spans that touch")
    check(spans_of, 13, 5, 3, 6).equals([(5, 2), (8, 1), (11, 2)])

    def plain(value):
        return all(type(number) is int for span in value for number in span)

    check(spans_of, 13, 5, 3, 6).holds(plain, "spans of plain numbers", about="plain numbers",
                                       near={"these are no plain numbers: int or tolist": lambda v: not plain(v)})
    back = {"the generator is copied or set back: a second call must draw anew": lambda v: v[0] == v[1]}
    check(twice, random_spans, 30, 12, 4, torch.Generator().manual_seed(8)).holds(
        lambda v: v[0] != v[1], "two draws that differ", about="the generator goes on", near=back)
    check(infill, text[:6], [(1, 3), (6, 0)], "[MASK]").equals(["Thank", "[MASK]", "me", "to", "[MASK]"])
    check(is_new, infill, [1, 2], [], 9).equals(
        True, about="a list of its own", near={"this is the very list that came in: return a new one": False})
    words = "a b <s> c <s> d".split()
    check(shuffled, words, "<s>", 1).equals("c <s> d a b <s>".split())
    check(shuffled, [5, 0, 6, 0, 7, 0], 0, 3).equals([6, 0, 5, 0, 7, 0], about="a stop at the end")


score
