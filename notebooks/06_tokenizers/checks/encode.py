from helpers.checks import graded


@graded("encode", points=10)
def score(check):
    refused = "a lone surrogate needs the error handler surrogatepass"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "0 is a rank, too: the first merge of the list counts as the others do": {
            1: [7, 11, 3, 0, 8],
            2: [10, 6, 8, 5, 4, 11, 5],
        },
        "0 is a rank, too: the first merge of the list counts as the others do: nor does it end the merging": {
            1: [0, 1, 5, 6, 3, 0, 1, 2],
            2: [10, 3, 0, 1, 2, 5, 4, 5, 5, 5],
        },
        "0 is a rank, too: the first merge of the list counts as the others do: nor is it left out": {
            1: [0, 1, 11, 3, 0, 8],
            2: [10, 6, 8, 5, 4, 11, 5],
        },
        "a pair that is no merge must come last, not first: its rank is no 0 and no -1": {
            1: [0, 1, 5, 6, 3, 0, 1, 2],
            2: [10, 3, 0, 1, 2, 5, 4, 5, 5, 5],
            7: [8, 3, 0, 1, 2],
        },
        "a pair that is no merge has no rank: with 0 it comes before the merges": {
            1: [7, 5, 6, 3, 0, 1, 2],
            2: [10, 3, 0, 1, 9, 4, 5, 5, 5],
            7: [8, 3, 0, 1, 2],
        },
        "the text is cut by `pre_tokenize`, not by '\\\\S+|\\\\s+'": {
            1: [7, 11, 3, 9],
            2: [10, 3, 7, 9, 4, 11, 5],
            7: [8, 3, 9],
        },
        "the text is cut by `pre_tokenize`, not by '\\\\w+|\\\\W+'": {
            1: [7, 11, 3, 9],
            2: [10, 3, 7, 9, 4, 11, 5],
            7: [8, 3, 9],
        },
        "the merges were not applied": {
            1: [0, 1, 5, 6, 3, 0, 1, 2],
            2: [0, 1, 2, 3, 0, 1, 2, 5, 4, 5, 5, 5],
            7: [1, 2, 3, 0, 1, 2],
        },
        "the merge that was learned first goes first, here the last one did": {
            1: [7, 11, 3, 0, 8],
            2: [7, 2, 3, 7, 9, 4, 11, 5],
            7: [8, 3, 0, 8],
        },
        "look again after each merge: there may be a further one": {
            1: [7, 11, 3, 7, 2],
            2: [0, 8, 6, 1, 9, 4, 11, 5],
            7: [8, 3, 7, 2],
        },
        "only one merge was made in each piece": {
            1: [7, 5, 6, 3, 7, 2],
            2: [0, 8, 3, 0, 1, 9, 4, 5, 5, 5],
            7: [8, 3, 7, 2],
        },
        "the pieces are those of pre_tokenize, not of str.split": {
            1: [7, 11, 9],
            2: [10, 7, 9, 4, 11, 5],
            7: [8, 9],
        },
        "these are the tokens: their ids are asked": {
            1: [b'th', b'\xc3\xa9', b' the'],
            2: [b'the', b' t', b'h', b'es', b'i', b'ss', b's'],
            4: [b'e', b'?'],
            7: [b'he', b' the'],
        },
        "one list for the whole text is asked, not one for each piece": {
            1: [[7, 11], [10]],
            2: [[10], [6, 1, 9, 4, 11, 5]],
            4: [[2], [12, 13, 14]],
            7: [[8], [10]],
        },
        "ids begin at 0": {
            1: [8, 12, 11],
            2: [11, 7, 2, 10, 5, 12, 6],
            4: [3, 13, 14, 15],
            7: [9, 11],
        },
        "the result is in the wrong order": {
            1: [10, 11, 7],
            2: [5, 11, 4, 9, 1, 6, 10],
            4: [14, 13, 12, 2],
            7: [10, 8],
        },
        "of several occurrences the leftmost is joined first: here it was the rightmost": {
            2: [10, 6, 1, 9, 4, 5, 11],
        },
        "the order of the merges decides: not the length of a token, not its id, not its place in the text": {
            2: [10, 6, 8, 5, 4, 11, 5],
        },
        "the ranks were ignored: merges go from left to right": {
            2: [7, 2, 6, 8, 5, 4, 11, 5],
        },
        "join all bytes first: a character may be spread over several tokens": {
            3: ' the �� é',
            5: 'e���',
        },
        "broken sequences become U+FFFD, they are not dropped; and join all bytes first": {
            3: ' the  é',
            5: 'e',
            6: 'hhe',
        },
        "this is Latin-1: the bytes are UTF-8": {
            3: ' the Ã© Ã©',
            5: 'eí\xa0½',
            6: 'hÃhe',
        },
        "this is ASCII: the bytes are UTF-8": {
            3: ' the �� ��',
            5: 'e���',
        },
        "this is UTF-16: the bytes are UTF-8": {
            3: '琠敨쌠₩꧃',
            5: '\ued65붠',
            6: '써敨',
        },
        "white space at the ends belongs to the text": {
            3: 'the é é',
        },
        "the bytes came back: a str is asked": {
            3: b' the \xc3\xa9 \xc3\xa9',
            5: b'e\xed\xa0\xbd',
            6: b'h\xc3he',
        },
        "tokens bring their blanks along: join them with nothing between": {
            3: ' the   � �   é',
            5: 'e � � �',
            6: 'h � he',
        },
        "strange characters were dropped: use surrogatepass": {
            4: [2],
        },
        "broken sequences become U+FFFD, they are not dropped": {
            5: 'e',
            6: 'hhe',
        },
        "a surrogate is read with surrogatepass; U+FFFD is for what fails even so": {
            5: 'e���',
        },
        "broken bytes are shown as U+FFFD, not as escapes": {
            5: 'e\\xed\\xa0\\xbd',
            6: 'h\\xc3he',
        },
        "broken bytes are shown as U+FFFD, not as surrogates": {
            5: 'e\udced\udca0\udcbd',
            6: 'h\udcc3he',
        },
        "broken bytes are shown as U+FFFD, not as ?": {
            6: 'h?he',
        },
        "the text was not cut into pieces first": {
            7: [1, 12, 9],
        },
    })
    tokens = [b"t", b"h", b"e", b" ", b"i", b"\xc3", b"\xa9", b"th", b"he", b"the", b" the", b"\xc3\xa9"]
    ids = {token: i for i, token in enumerate(tokens)}
    merges = [(b"t", b"h"), (b"h", b"e"), (b"th", b"e"), (b" ", b"the"), (b"\xc3", b"\xa9")]
    ranks = {pair: i for i, pair in enumerate(merges)}
    check(encode, "thé the", ranks, ids).equals([7, 11, 10])
    absent = {"looked up where it is not: a pair that is no merge has no rank, and `ids` knows bytes only": KeyError}
    parts = [b"t", b"h", b"e", b" ", b"i", b"s", b" t", b"th", b"he", b"es", b"the", b"ss"]
    order = [(b"e", b"s"), (b" ", b"t"), (b"h", b"e"), (b"t", b"he"), (b"t", b"h"), (b"s", b"s")]
    by_order = {pair: i for i, pair in enumerate(order)}
    by_part = {token: i for i, token in enumerate(parts)}
    check(encode, "the thesisss", by_order, by_part).equals([10, 6, 1, 9, 4, 11, 5], near=absent)
    check(decode, [10, 3, 5, 6, 3, 11], tokens).equals(" the é é")
    halves = [b"\xed", b"\xa0", b"\xbd"]  # of a lone surrogate
    more = ids | {half: i for i, half in enumerate(halves, 12)}
    check(encode, "e\ud83d", ranks, more).equals(
        [2, 12, 13, 14], about="half a character", edge=True, near={refused: UnicodeEncodeError})
    check(decode, [2, 12, 13, 14], [*tokens, *halves]).equals("e\ud83d", about="half a character", edge=True)
    check(decode, [1, 5, 8], tokens).equals(
        "h�he",
        near={"only broken sequences become U+FFFD, not what stands around them": "h�"},
    )
    crossing = {pair: i for i, pair in enumerate([(b"e", b" "), *merges])}
    check(encode, "he the", crossing, ids | {b"e ": 12}).equals([8, 10], about="a merge that would join two pieces")


score
