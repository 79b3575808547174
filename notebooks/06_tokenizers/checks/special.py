from helpers.checks import graded


@graded("special", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "a name that is not allowed was dropped: it is plain text": {
            1: [97, 900, 98],
            2: [901, 33],
            3: [],
        },
        "one list of ids is asked: put the stretch's ids into it one by one (extend, not append)": {
            1: [[97], 900, [98, 91, 83, 69, 80, 93]],
            2: [[91, 83, 69, 80, 93], 901, [33]],
            3: [[60, 124, 101, 110, 100, 124, 62]],
            4: [902, [3], 900, [2], 902],
        },
        "the special tokens were lost: only with a group in brackets does split keep what it splits at": {
            1: [97, 98, 91, 83, 69, 80, 93],
            2: [91, 83, 69, 80, 93, 33],
            4: [3, 2],
        },
        "a name that is not allowed is plain text": {
            1: [97, 900, 98, 902],
            2: [902, 901, 33],
            3: [900],
        },
        "an allowed name becomes its id (in a pattern its signs need regex.escape)": {
            1: [97, 60, 124, 101, 110, 100, 124, 62, 98, 91, 83, 69, 80, 93],
            2: [91, 83, 69, 80, 93, 60, 124, 101, 110, 100, 124, 62, 62, 33],
            4: [22],
        },
        "allowed and forbidden are exchanged": {
            1: [97, 60, 124, 101, 110, 100, 124, 62, 98, 902],
            2: [902, 60, 124, 101, 110, 100, 124, 62, 62, 33],
            3: [900],
            4: [22],
        },
        "the text behind the last special token is missing": {
            1: [97, 900],
            2: [91, 83, 69, 80, 93, 901],
            3: [],
        },
        "the text in front of the first special token is missing": {
            1: [900, 98, 91, 83, 69, 80, 93],
            2: [901, 33],
        },
        "the name is there as an id and as text, too": {
            1: [97, 900, 60, 124, 101, 110, 100, 124, 62, 98, 91, 83, 69, 80, 93],
            2: [91, 83, 69, 80, 93, 901, 60, 124, 101, 110, 100, 124, 62, 62, 33],
            4: [902, 8, 900, 9, 902, 5],
        },
        "special tokens alone came back: the text is missing": {
            1: [900],
            2: [901],
            3: [],
            4: [902, 900, 902],
        },
        "of several names at one place the longest counts": {
            2: [91, 83, 69, 80, 93, 900, 62, 33],
        },
        "white space around special tokens belongs to the text": {
            4: [902, 1, 900, 1, 902],
        },
        "the text between special tokens is missing": {
            4: [902, 900, 902],
        },
        "each stretch is encoded as a whole, not character by character": {
            4: [902, 1, 1, 1, 900, 1, 1, 902],
        },
        "only the first special token was found": {
            4: [902, 17],
        },
    })
    special = {"<|end|>": 900, "<|end|>>": 901, "[SEP]": 902}

    def codes(text):
        return [ord(c) for c in text]

    nothing = "with nothing allowed the text is encoded as it is"
    check(encode_special, "a<|end|>b[SEP]", codes, special, {"<|end|>"}).equals([97, 900, 98, 91, 83, 69, 80, 93])
    check(encode_special, "[SEP]<|end|>>!", codes, special, {"<|end|>", "<|end|>>"}).equals([*codes("[SEP]"), 901, 33])
    check(encode_special, "<|end|>", codes, special, set()).equals(codes("<|end|>"), near={nothing: []})

    def lengths(text):
        """An encoder that shows how the text was handed to it."""
        return [len(text)]

    no_stretch = "an empty stretch gives no ids"
    check(encode_special, "[SEP] a <|end|> b[SEP]", lengths, special, {"[SEP]", "<|end|>"}).equals(
        [902, 3, 900, 2, 902], about="whole stretches",
        near={no_stretch: [0, 902, 3, 900, 2, 902, 0]},
    )


score
