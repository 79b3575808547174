from helpers.checks import graded


@graded("fertility", points=6)
def score(check):
    turned = "upside down: tokens stand above"
    distinct = "different tokens were counted, over all texts: each token counts, however often it comes"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "each text is encoded by itself: here they were joined first, with nothing between": {
            1: 1.71429,
            2: 2.33333,
        },
        "divide the sums: long texts count more than short ones": {
            1: 2.0,
            2: 1.83333,
            3: 0.515152,
            4: 1.38889,
        },
        "upside down: tokens stand above": {
            1: 0.692308,
            2: 0.571429,
            3: 1.92308,
            4: 0.764706,
        },
        "these are characters: words are asked": {
            1: 0.565217,
            2: 0.518519,
        },
        "these are bytes: words are asked": {
            1: 0.52,
            2: 0.518519,
        },
        "blanks were counted, not words": {
            1: 1.85714,
            2: 2.33333,
        },
        "divide the sums: this is the median of the texts": {
            1: 2.0,
            2: 1.66667,
            3: 0.545455,
            4: 1.5,
        },
        "each word was encoded by itself: the texts are encoded whole": {
            1: 1.33333,
            2: 1.5,
        },
        "the number of texts stands below": {
            1: 4.33333,
            2: 4.66667,
            3: 4.33333,
        },
        "the texts were joined before their words were counted: the last word of one ran into the next": {
            1: 1.85714,
            2: 2.33333,
        },
        "only the first text was looked at": {
            1: 2.0,
            2: 1.66667,
            3: 0.571429,
            4: 1.5,
        },
        "each text is encoded by itself: here they were joined first, with blanks or line breaks between": {
            2: 1.875,
        },
        "words stand between any white space, several blanks are one gap: split()": {
            2: 1.55556,
        },
        "words stand between white space: these are the pieces of the pattern": {
            2: 0.933333,
        },
        "words stand between white space, whatever signs they hold: don't and 3.5 are one each": {
            2: 1.27273,
        },
        "words stand between white space, numbers and signs among them": {
            2: 1.4,
        },
        "different tokens were counted: all are": {
            2: 1.625,
        },
        "different tokens were counted, over all texts: each token counts, however often it comes": {
            2: 1.625,
            4: 1.15385,
        },
        "different words were counted: all are": {
            2: 2.33333,
        },
        "each text is encoded by itself: here they were joined first": {
            3: 0.48,
            4: 1.41667,
        },
        "each text is encoded by itself: here they were joined first, with blanks between": {
            3: 0.481481,
        },
        "each text is encoded by itself: here they were joined first, with line breaks between": {
            3: 0.481481,
            4: 1.46154,
        },
        "these are characters: in UTF-8 some have two bytes or more": {
            3: 0.565217,
        },
        "these are words: bytes are asked": {
            3: 1.44444,
        },
        "this is UTF-16": {
            3: 0.282609,
        },
        "this is UTF-16, with a mark in front": {
            3: 0.25,
        },
        "this is UTF-32": {
            3: 0.141304,
        },
        "each character counts with all its bytes, also what is no ASCII": {
            3: 0.619048,
        },
        "white space has bytes, too": {
            3: 0.684211,
        },
        "the difference was taken: how many *times* fewer is asked": {
            4: 4,
        },
        "the share of the difference is no factor: old over new is asked": {
            4: 30.7692,
        },
        "this is the share that is saved: how many times fewer is asked": {
            4: 0.235294,
        },
        "old over new, not less one": {
            4: 0.307692,
        },
        "the result was rounded": {
            4: 1.3,
        },
    })
    def pairs(text):
        return [text[i : i + 2] for i in range(0, len(text), 2)]

    def single(text):
        return list(text.replace(" ", ""))

    texts = ["zu viel", "Größe", "a b c d e f"]
    check(tokens_per_word, pairs, texts).equals(13 / 9)
    more = ["zu  viel x", "z.B.x.y 3", "aa aa aa"]
    check(tokens_per_word, pairs, more).equals(14 / 8, about="two blanks, full stops, a word twice")
    check(tokens_per_byte, pairs, texts).equals(13 / 25)
    check(times_fewer, single, pairs, texts).equals(17 / 13)
    old = {"Gujarati": 145, "Telugu": 159, "Tamil": 116, "Marathi": 96, "Hindi": 90, "Urdu": 82, "Arabic": 53}
    new = {"Gujarati": 33, "Telugu": 45, "Tamil": 35, "Marathi": 33, "Hindi": 31, "Urdu": 33, "Arabic": 26}
    printed = {"Gujarati": 4.4, "Telugu": 3.5, "Tamil": 3.3, "Marathi": 2.9, "Hindi": 2.9, "Urdu": 2.5, "Arabic": 2.0}
    for name, expected in printed.items():
        check(times_fewer, lambda text: [0] * old[text], lambda text: [0] * new[text], [name]).holds(
            lambda v, expected=expected: abs(v - expected) <= 0.05, f"{expected} for {name}, as OpenAI counted",
            about="seven languages of GPT-4o",
            near={turned: lambda v, expected=expected: abs(1 / v - expected) < 0.06, distinct: lambda v: v == 1},
        )


score
