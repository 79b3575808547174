from helpers.checks import graded


@graded("noise", points=4)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the sentinel that ends the targets is missing": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last']),
            2: ([7, 99, 98, 6], [99, 8, 9, 98, 5]),
            3: ([7, 8], []),
        },
        "the cut words are in the inputs still: a sentinel belongs in their place": {
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
        "in the targets the sentinel belongs in front of its words, not after them": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['for', 'inviting', '<X>', 'last', '<Y>', '<Z>']),
            2: ([7, 99, 98, 6], [8, 9, 99, 5, 98, 97]),
        },
        "the targets hold the words alone: each span belongs after its sentinel": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'], ['for', 'inviting', 'last']),
            2: ([7, 99, 98, 6], [8, 9, 5]),
            3: ([7, 8], []),
        },
        "the targets hold what was kept: what was cut out is asked for": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<Z>']),
            2: ([7, 99, 98, 6], [99, 7, 98, 97]),
        },
        "a span is (start, length), not (start, end)": {
            1: (['Thank', 'you', 'for', 'inviting', 'me', 'to', 'your', 'party', 'last', 'week'],
             ['<X>', '<Y>', '<Z>']),
            2: ([7, 99, 9, 5, 6], [99, 8, 98, 97]),
            4: ['Thank', '[MASK]', 'inviting', 'me', '[MASK]', 'to', '[MASK]'],
        },
        "a span is (start, length), not (start, end): some tokens are there twice": {
            1: (['Thank', 'you', '<X>', 'for', 'inviting', 'me', 'to', 'your', 'party', '<Y>', 'you', 'for',
              'inviting', 'me', 'to', 'your', 'party', 'last', 'week'],
             ['<X>', '<Y>', '<Z>']),
            2: ([7, 99, 9, 98, 8, 9, 5, 6], [99, 8, 98, 97]),
            4: ['Thank', '[MASK]', 'inviting', 'me', '[MASK]', 'Thank', 'you', 'for', 'inviting', 'me', 'to',
             '[MASK]', 'Thank', 'you', 'for', 'inviting', 'me', 'to'],
        },
        "what is after the last span is lost": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>']),
            2: ([7, 99, 98], [99, 8, 9, 98, 5, 97]),
        },
        "the targets are the whole text: T5 writes only what was cut out": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['Thank', 'you', 'for', 'inviting', 'me', 'to', 'your', 'party', 'last', 'week']),
            2: ([7, 99, 98, 6], [7, 8, 9, 5, 6]),
            3: ([7, 8], [7, 8]),
        },
        "the targets end with the last sentinel of the list: it is the one after those used": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<W>']),
            3: ([7, 8], [98]),
        },
        "the last sentinel used is at the end, too: the next one ends the targets": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Y>']),
            2: ([7, 99, 98, 6], [99, 8, 9, 98, 5, 98]),
            3: ([7, 8], [98]),
        },
        "the end belongs in the targets alone": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', '<Y>', 'week', '<Z>'],
             ['<X>', 'for', 'inviting', '<Y>', 'last', '<Z>']),
            2: ([7, 99, 98, 6, 97], [99, 8, 9, 98, 5, 97]),
            3: ([7, 8, 99], [99]),
        },
        "the places are those of the text: they moved here when the spans before were cut out": {
            1: (['Thank', 'you', '<X>', 'me', 'to', 'your', 'party', 'last', '<Y>'],
             ['<X>', 'for', 'inviting', '<Y>', 'week', '<Z>']),
            2: ([7, 99, 5, 98], [99, 8, 9, 98, 6, 97]),
            4: ['Thank', '[MASK]', 'me', 'to', '[MASK]', '[MASK]'],
        },
        "the first span gets the first sentinel": {
            1: (['Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<Z>', 'week'],
             ['<Y>', 'for', 'inviting', '<Z>', 'last', '<W>']),
            3: ([7, 8], [98]),
        },
        "the first span gets the first sentinel, and the one after those used ends the targets": {
            1: (['Thank', 'you', '<Y>', 'me', 'to', 'your', 'party', '<Z>', 'week'],
             ['<Y>', 'for', 'inviting', '<Z>', 'last', '<X>']),
        },
        "each span of the targets belongs after its sentinel: the sentinels are missing": {
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
            3: ([99], [7, 8]),
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
            3: ([7, 8], [98]),
        },
        "two spans that touch were joined: each has its own sentinel": {
            2: ([7, 99, 6], [99, 8, 9, 5, 98]),
        },
        "without spans the targets are the first sentinel alone": {
            3: ([7, 8], []),
        },
        "a span becomes one mask, not one for each of its tokens": {
            4: ['Thank', '[MASK]', '[MASK]', '[MASK]', 'me', 'to'],
        },
        "the masked tokens are left in": {
            4: ['Thank', '[MASK]', 'you', 'for', 'inviting', 'me', '[MASK]', 'to', '[MASK]'],
        },
        "no mask is put in: the span is only deleted": {
            4: ['Thank', 'me', 'to'],
        },
        "a mask of length 0 belongs in front of token `start`, not after it": {
            4: ['Thank', '[MASK]', 'me', 'to', '[MASK]'],
        },
        "a mask of length 0 at the end of the text is missing": {
            4: ['Thank', '[MASK]', 'me', '[MASK]', 'to'],
        },
        "a span of length 0 puts in a mask, too": {
            4: ['Thank', '[MASK]', 'me', 'to'],
        },
        "a span of length 0 covers no token: this one lost one": {
            4: ['Thank', '[MASK]', 'me', '[MASK]', '[MASK]'],
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
    check(span_corruption, [7, 8], [], [99, 98]).equals(([7, 8], [99]), about="no spans")
    check(infill, text[:6], [(1, 3), (5, 0), (6, 0)], "[MASK]").equals(
        ["Thank", "[MASK]", "me", "[MASK]", "to", "[MASK]"])
    check(is_new, infill, [1, 2], [], 9).equals(
        True, about="a list of its own", near={"this is the very list that came in: return a new one": False})


score
