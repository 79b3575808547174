from helpers.checks import graded


@graded("fertility", points=4)
def score(check):
    def pairs(text):
        return [text[i : i + 2] for i in range(0, len(text), 2)]

    def single(text):
        return list(text.replace(" ", ""))

    texts = ["zu viel", "Größe", "a b c d e f"]
    pieces = "words stand between white space: these are the pieces of the pattern"
    lone = "only the first text was looked at"
    middle = "divide the sums: this is the median of the texts"
    averaged = "divide the sums: long texts count more than short ones"
    turned = "upside down: tokens stand above"
    check(tokens_per_word, pairs, texts).equals(13 / 9, near={
        averaged: 2.0, turned: 9 / 13, lone: 2.0, middle: 2.0,
        "these are characters: words are asked": 13 / 23, "the number of texts stands below": 13 / 3,
    })
    more = ["zu  viel x", "Größe.", "a b a"]
    check(tokens_per_word, pairs, more).equals(11 / 7, about="two blanks, a full stop, a word twice", near={
        "words stand between any white space, several blanks are one gap: split()": 11 / 8,
        pieces: 11 / 9,
        "each text is encoded by itself: here they were joined first": 12 / 7,
        "each text is encoded by itself: here they were joined first, with nothing between": 11 / 5,
        "different words were counted: all are": 11 / 6, "blanks were counted, not words": 11 / 6,
        averaged: 17 / 9, turned: 7 / 11,
    })
    joined = "each text is encoded by itself: here they were joined first"
    check(tokens_per_byte, pairs, texts).equals(13 / 25, near={
        joined: 12 / 25,
        f"{joined}, with blanks between": 13 / 27, f"{joined}, with line breaks between": 13 / 27,
        "these are characters: in UTF-8 some have two bytes or more": 13 / 23,
        "this is Latin-1: bytes of UTF-8 are asked": 13 / 23, averaged: 0.515152, turned: 25 / 13,
        "these are words: bytes are asked": 13 / 9, lone: 4 / 7,
    })
    check(times_fewer, single, pairs, texts).equals(17 / 13, near={
        joined: 17 / 12,
        turned: 13 / 17, averaged: 1.388889, "the difference was taken: how many *times* fewer is asked": 4.0,
    })
    old = {"Gujarati": 145, "Telugu": 159, "Tamil": 116, "Marathi": 96, "Hindi": 90, "Urdu": 82, "Arabic": 53}
    new = {"Gujarati": 33, "Telugu": 45, "Tamil": 35, "Marathi": 33, "Hindi": 31, "Urdu": 33, "Arabic": 26}
    printed = {"Gujarati": 4.4, "Telugu": 3.5, "Tamil": 3.3, "Marathi": 2.9, "Hindi": 2.9, "Urdu": 2.5, "Arabic": 2.0}
    for name, expected in printed.items():
        check(times_fewer, lambda text: [0] * old[text], lambda text: [0] * new[text], [name]).holds(
            lambda v, expected=expected: abs(v - expected) <= 0.05, f"{expected} for {name}, as OpenAI counted",
            about="seven languages of GPT-4o",
            near={turned: lambda v, expected=expected: abs(1 / v - expected) < 0.06},
        )


score
