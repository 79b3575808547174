from helpers.checks import graded


@graded("special", points=6)
def score(check):
    special = {"<|end|>": 900, "<|end|>>": 901, "[SEP]": 902}

    def codes(text):
        return [ord(c) for c in text]

    always = "a name that is not allowed is plain text"
    never = "an allowed name becomes its id (in a pattern its signs need regex.escape)"
    shorter = "of several names at one place the longest counts"
    tail = "the text behind the last special token is missing"
    alone = "special tokens alone came back: the text is missing"
    exchanged = "allowed and forbidden are exchanged"
    dropped = "a name that is not allowed was dropped: it is plain text"
    nothing = "with nothing allowed the text is encoded as it is"
    check(encode_special, "a<|end|>b[SEP]", codes, special, {"<|end|>"}).equals(
        [97, 900, 98, 91, 83, 69, 80, 93], near={
            always: [97, 900, 98, 902], never: codes("a<|end|>b[SEP]"), tail: [97, 900],
            "the name is there as an id and as text, too": [97, 900, *codes("<|end|>"), 98, *codes("[SEP]")],
            alone: [900], exchanged: [*codes("a<|end|>b"), 902],
        }
    )
    check(encode_special, "[SEP]<|end|>>!", codes, special, {"<|end|>", "<|end|>>"}).equals(
        [*codes("[SEP]"), 901, 33], near={
            shorter: [*codes("[SEP]"), 900, 62, 33], never: codes("[SEP]<|end|>>!"), tail: [*codes("[SEP]"), 901],
            always: [902, 901, 33], alone: [901], exchanged: [902, *codes("<|end|>>!")],
        }
    )
    check(encode_special, "<|end|>", codes, special, set()).equals(codes("<|end|>"), near={
        always: [900], exchanged: [900], **{words: [] for words in [nothing, tail, alone, dropped]},
    })

    def lengths(text):
        """An encoder that shows how the text was handed to it."""
        return [len(text)]

    no_stretch = "an empty stretch gives no ids"
    spaces = "white space around special tokens belongs to the text"
    by_character = "each stretch is encoded as a whole, not character by character"
    check(encode_special, "[SEP] a <|end|> b[SEP]", lengths, special, {"[SEP]", "<|end|>"}).equals(
        [902, 3, 900, 2, 902], about="whole stretches", near={
            no_stretch: [0, 902, 3, 900, 2, 902, 0], spaces: [902, 1, 900, 1, 902],
            by_character: [902, 1, 1, 1, 900, 1, 1, 902],
        }
    )


score
