from helpers.checks import graded


@graded("utf8", points=4)
def score(check):
    points = "these are code points: above 127 they take two to four bytes"
    no_mark = "each byte after the first begins with the bits 10: add 0x80 (with |: after a + the rest needs brackets)"
    turned = "the highest bits come first"
    no_first = "the first byte says by its leading ones how many bytes there are"
    three = "a code point from 0x10000 on takes four bytes, not more and not fewer"
    no_last = "the last row of the table is missing: from 0x10000 on there are four bytes"
    no_mask = "only the lowest six bits of what was shifted belong to a byte: & 0x3F"
    third = "byte 3 of 4 keeps too many bits: only the lowest six of what was shifted, & 0x3F"
    brackets = "+ binds tighter than >> and &: put shift and mask in brackets, or use | for the +"
    in_all, in_first, in_later = (f"{brackets}, in {which}" for which in ("all bytes", "the first byte", "later bytes"))
    shift_set = f"{in_all}, also where the shift has its own"
    check(utf8_bytes, "é€").equals([195, 169, 226, 130, 172], near={
        in_all: [6, 41, 2, 4, 44], shift_set: [6, 41, 2, 2, 44], in_first: [6, 169, 2, 130, 172],
        in_later: [195, 41, 226, 4, 44],
        points: [233, 8364], no_mark: [195, 41, 226, 2, 44], turned: [169, 195, 172, 130, 226],
        no_first: [3, 169, 2, 130, 172],
    })
    check(utf8_bytes, "a🙂").equals([97, 240, 159, 153, 130], near={
        in_all: [97, 0, 31, 27, 2], shift_set: [97, 0, 31, 25, 2],
        **{words: [97, 0, 159, 153, 130] for words in [in_first, no_first]},
        in_later: [97, 240, 31, 27, 2],
        points: [97, 128578], no_mark: [97, 240, 31, 25, 2], turned: [97, 130, 153, 159, 240],
        three: [97, 237, 160, 189, 237, 185, 130],
        **{words: [97, 240, 159, 2009, 130] for words in [no_mask, third]},
        no_last: [97, 255, 153, 130],
    })
    limit = "a limit is one too high"
    check(utf8_bytes, "e\u0301\x80\x81\u0800\u0801\U00010000🙂").equals(
        [101, 204, 129, 194, 128, 194, 129, 224, 160, 128, 224, 160, 129, 240, 144, 128, 128, 240, 159, 153, 130],
        about="an accent apart, the first of each row, and a face", near={
            f"{limit}: 0x80 itself takes two bytes": [
                101, 204, 129, 128, 194, 129, 224, 160, 128, 224, 160, 129, 240, 144, 128, 128, 240, 159, 153, 130],
            f"{limit}: 0x800 itself takes three bytes": [
                101, 204, 129, 194, 128, 194, 129, 224, 128, 224, 160, 129, 240, 144, 128, 128, 240, 159, 153, 130],
            f"{limit}: 0x10000 itself takes four bytes": [
                101, 204, 129, 194, 128, 194, 129, 224, 160, 128, 224, 160, 129, 240, 128, 128, 240, 159, 153, 130],
            f"{limit}: 0x80 itself takes two bytes, 0x800 itself takes three bytes, 0x10000 itself takes four bytes": [
                101, 204, 129, 128, 194, 129, 224, 128, 224, 160, 129, 240, 128, 128, 240, 159, 153, 130],
            "the text was normalised first: e and an accent are two code points": [
                195, 169, 194, 128, 194, 129, 224, 160, 128, 224, 160, 129, 240, 144, 128, 128, 240, 159, 153, 130],
            points: [101, 769, 128, 129, 2048, 2049, 65536, 128578],
        },
    )


score
