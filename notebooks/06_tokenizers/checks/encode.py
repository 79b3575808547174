from helpers.checks import graded


@graded("encode", points=8)
def score(check):
    tokens = [b"t", b"h", b"e", b" ", b"i", b"\xc3", b"\xa9", b"th", b"he", b"the", b" the", b"\xc3\xa9"]
    ids = {token: i for i, token in enumerate(tokens)}
    merges = [(b"t", b"h"), (b"h", b"e"), (b"th", b"e"), (b" ", b"the"), (b"\xc3", b"\xa9")]
    ranks = {pair: i for i, pair in enumerate(merges)}
    letters = "the merges were not applied"
    last = "the merge that was learned first goes first, here the last one did"
    once = "look again after each merge: there may be a further one"
    check(encode, "the hé", ranks, ids).equals([9, 3, 1, 11], near={
        letters: [0, 1, 2, 3, 1, 5, 6], last: [0, 8, 3, 1, 11], once: [7, 2, 3, 1, 11],
    })
    turned = {pair: i for i, pair in enumerate([merges[1], merges[0], *merges[2:]])}
    longest = "the order of the merges decides: not the length of a token, not its id, not its place in the text"
    check(encode, "the the", turned, ids).equals([0, 8, 3, 0, 8], near={
        letters: [0, 1, 2, 3, 0, 1, 2], longest: [9, 10],
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
