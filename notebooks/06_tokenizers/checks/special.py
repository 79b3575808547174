from helpers.checks import graded


@graded("special", points=7)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a name that is not allowed was dropped: it is plain text": {
            1: [97, 0, 98],
            2: [901, 33],
            3: [],
            4: [902, 3, 2, 902, 901],
        },
        "one list of ids is asked: put the stretch's ids into it one by one (extend, not append)": {
            1: [[97], 0, [98, 91, 83, 69, 80, 93]],
            2: [[91, 83, 69, 80, 93], 901, [33]],
            3: [[60, 124, 101, 110, 100, 124, 62]],
            4: [902, [12], 902, 901],
            5: [[60, 124, 69, 78, 68, 124, 62], 2, [79, 87, 93]],
        },
        "the special tokens were lost: only with a group in brackets does split keep what it splits at": {
            1: [97, 98, 91, 83, 69, 80, 93],
            2: [91, 83, 69, 80, 93, 33],
            4: [12],
            5: [60, 124, 69, 78, 68, 124, 62, 79, 87, 93],
        },
        "a name that is not allowed is plain text": {
            1: [97, 0, 98, 902],
            2: [902, 901, 33],
            3: [0],
            4: [902, 3, 0, 2, 902, 901],
        },
        "an allowed name becomes its id (in a pattern its signs need regex.escape)": {
            1: [97, 60, 124, 101, 110, 100, 124, 62, 98, 91, 83, 69, 80, 93],
            2: [91, 83, 69, 80, 93, 60, 124, 101, 110, 100, 124, 62, 62, 33],
            4: [30],
            5: [60, 124, 69, 78, 68, 124, 62, 110, 111, 91, 78, 79, 87, 93],
        },
        "allowed and forbidden are exchanged": {
            1: [97, 60, 124, 101, 110, 100, 124, 62, 98, 902],
            2: [902, 60, 124, 101, 110, 100, 124, 62, 62, 33],
            3: [0],
            4: [8, 0, 7, 0, 1],
            5: [60, 124, 69, 78, 68, 124, 62, 110, 111, 91, 78, 79, 87, 93],
        },
        "the text behind the last special token is missing": {
            1: [97, 0],
            2: [91, 83, 69, 80, 93, 901],
            3: [],
            5: [60, 124, 69, 78, 68, 124, 62, 2],
        },
        "the text in front of the first special token is missing": {
            1: [0, 98, 91, 83, 69, 80, 93],
            2: [901, 33],
            5: [2, 79, 87, 93],
        },
        "the name is there as an id and as text, too": {
            1: [97, 0, 60, 124, 101, 110, 100, 124, 62, 98, 91, 83, 69, 80, 93],
            2: [91, 83, 69, 80, 93, 901, 60, 124, 101, 110, 100, 124, 62, 62, 33],
            4: [902, 17, 902, 5, 901, 8],
            5: [60, 124, 69, 78, 68, 124, 62, 2, 110, 111, 91, 78, 79, 87, 93],
        },
        "special tokens alone came back: the text is missing": {
            1: [0],
            2: [901],
            3: [],
            4: [902, 902, 901],
            5: [2],
        },
        "of several names at one place the longest counts": {
            2: [91, 83, 69, 80, 93, 0, 62, 33],
        },
        "a name that is not allowed is plain text: the stretch goes on through it": {
            4: [902, 3, 7, 2, 902, 901],
        },
        "white space around special tokens belongs to the text": {
            4: [902, 11, 902, 901],
        },
        "the text between special tokens is missing": {
            4: [902, 902, 901],
        },
        "each stretch is encoded as a whole, not character by character": {
            4: [902, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 902, 901],
        },
        "only the first special token was found": {
            4: [902, 25],
        },
    })
    special = {"<|end|>": 0, "<|end|>>": 901, "[SEP]": 902}

    def codes(text):
        return [ord(c) for c in text]

    no_name = {"what was found is no name: signs such as | mean something in a pattern, so escape the names": KeyError}
    first_longest = "from left to right: the longest name counts only among those that begin at one place"
    nothing = "with nothing allowed the text is encoded as it is"
    check(encode_special, "a<|end|>b[SEP]", codes, special, {"<|end|>"}).equals(
        [97, 0, 98, 91, 83, 69, 80, 93], near=no_name)
    check(encode_special, "[SEP]<|end|>>!", codes, special, {"<|end|>", "<|end|>>"}).equals(
        [*codes("[SEP]"), 901, 33], near=no_name)
    check(encode_special, "<|end|>", codes, special, set()).equals(codes("<|end|>"), near={nothing: []})

    def lengths(text):
        """An encoder that shows how the text was handed to it."""
        return [len(text)]

    no_stretch = "an empty stretch gives no ids"
    check(encode_special, "[SEP] a <|end|> b[SEP]<|end|>>", lengths, special, {"[SEP]", "<|end|>>"}).equals(
        [902, 12, 902, 901], about="whole stretches",
        near={no_stretch: [0, 902, 12, 902, 0, 901, 0]},
    )
    overlap = {"<|end|>": 1, "no[N": 2, "[NOW]": 3}
    check(encode_special, "<|END|>no[NOW]", codes, overlap, set(overlap)).equals(
        [*codes("<|END|>"), 2, 79, 87, 93], about="names that overlap, and one in capitals", near={
            first_longest: [*codes("<|END|>no"), 3]})


score
