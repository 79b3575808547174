from helpers.checks import graded


@graded("encode", points=8)
def score(check):
    tokens = [b"t", b"h", b"e", b" ", b"i", b"\xc3", b"\xa9", b"th", b"he", b"the", b" the", b"\xc3\xa9"]
    ids = {token: i for i, token in enumerate(tokens)}
    merges = [(b"t", b"h"), (b"h", b"e"), (b"th", b"e"), (b" ", b"the"), (b"\xc3", b"\xa9")]
    ranks = {pair: i for i, pair in enumerate(merges)}
    letters = "the merges were not applied"
    alone = "only one merge was made in each piece"
    last = "the merge that was learned first goes first, here the last one did"
    once = "look again after each merge: there may be a further one"
    zero = "0 is a rank, too: the first merge of the list counts as the others do"
    ended, omitted = f"{zero}: nor does it end the merging", f"{zero}: nor is it left out"
    none_first = "a pair that is no merge must come last, not first: its rank is no 0 and no -1"
    check(encode, "thé the", ranks, ids).equals([7, 11, 10], near={
        **{words: [0, 1, 5, 6, 3, 0, 1, 2] for words in [letters, ended, none_first]},
        **{words: [7, 11, 3, 0, 8] for words in [last, zero]}, once: [7, 11, 3, 7, 2], alone: [7, 5, 6, 3, 7, 2],
    })
    absent = {"looked up where it is not: a pair that is no merge has no rank, and `ids` knows bytes only": KeyError}
    longest = "the order of the merges decides: not the length of a token, not its id, not its place in the text"
    ignored = "the ranks were ignored: merges go from left to right"
    parts = [b"t", b"h", b"e", b" ", b"i", b"s", b" t", b"th", b"he", b"es", b"the"]
    order = [(b"e", b"s"), (b" ", b"t"), (b"h", b"e"), (b"t", b"he"), (b"t", b"h")]
    check(encode, "the thesis", {pair: i for i, pair in enumerate(order)}, {t: i for i, t in enumerate(parts)}).equals(
        [10, 6, 1, 9, 4, 5], near=absent | {
            letters: [0, 1, 2, 3, 0, 1, 2, 5, 4, 5], last: [7, 2, 3, 7, 9, 4, 5],
            **{words: [10, 6, 8, 5, 4, 5] for words in [longest, zero, omitted]},
            once: [0, 8, 6, 1, 9, 4, 5], alone: [0, 8, 3, 0, 1, 9, 4, 5], ignored: [7, 2, 6, 8, 5, 4, 5],
        })
    replaced = "join all bytes first: a character may be spread over several tokens"
    dropped = "broken sequences become U+FFFD, they are not dropped"
    check(decode, [10, 3, 5, 6, 3, 11], tokens).equals(" the é é", near={
        replaced: " the �� é", dropped: " the  é", "this is Latin-1: the bytes are UTF-8": " the Ã© Ã©",
    })
    check(decode, [1, 5, 8], tokens).equals("h�he", near={
        dropped: "hhe", "only broken sequences become U+FFFD, not what stands around them": "h�",
        "broken bytes are shown as U+FFFD, not as escapes": "h\\xc3he",
    })
    whole = "the text was not cut into pieces first"
    crossing = {pair: i for i, pair in enumerate([(b"e", b" "), *merges])}
    check(encode, "he the", crossing, ids | {b"e ": 12}).equals(
        [8, 10], about="a merge that would join two pieces", near={whole: [1, 12, 9], letters: [1, 2, 3, 0, 1, 2]})


score
