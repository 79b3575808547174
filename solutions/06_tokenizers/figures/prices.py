"""Three causes why one word costs more in one language than in another.

The Hindi word is drawn as its letters and marks: not every machine has a font for its script.
"""

import unicodedata

import regex

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

WORDS = {"English": "Hindi", "Hindi": "हिन्दी"}
LETTERS, MARKS = r"\p{L}+|[^\s\p{L}\p{N}]+", r"[\p{L}\p{M}]+"


def draw():
    rows = {name: (word, len(word.encode()), len(regex.findall(LETTERS, word)), len(regex.findall(MARKS, word)))
            for name, word in WORDS.items()}
    (_, *english), (_, *hindi) = rows.values()
    picture = Drawing(
        242,
        "Why the same word costs more",
        f"The word Hindi, in English {english[0]} bytes and one piece. In Hindi {hindi[0]} bytes; GPT-2's pattern cuts "
        f"it at its vowel signs into {hindi[1]} pieces; a pattern that keeps marks leaves one.",
    )
    heads = ("word", "cause 1:\nbytes", "cause 2: pieces,\nGPT-2's pattern", "pieces,\nmarks kept", "cause 3:\nmerges")
    at = (150, 260, 395, 545, 670)
    for x, words in zip(at, heads, strict=True):
        picture.text(x, 36, words, size=13, colour=SOFT)
    for y, (name, (word, octets, cut, kept)) in zip((95, 155), rows.items(), strict=True):
        picture.text(20, y, name, size=14, anchor="start")
        kinds = [unicodedata.category(character)[0] for character in word]
        if "M" in kinds:
            for i, kind in enumerate(kinds):
                picture.box(at[0] + 16 * (i - 2.5), y, kind, BLUE, width=15, height=30, size=11)
        else:
            picture.box(at[0], y, word, BLUE, width=84, height=38, size=16)
        for x, value, colour in zip(at[1:], (octets, cut, kept), (BLUE, ORANGE, GREEN), strict=False):
            picture.box(x, y, value, colour, width=84, height=38, size=16)
        for x, end in ((201, 216), (305, 350)):
            picture.arrow((x, y), (end, y))
        picture.text(at[4], y, "learned" if name == "English" else "not learned", size=14)
    told = "In Hindi the word has three letters (L), each with a mark (M) behind it."
    picture.text(380, 198, told, size=13, colour=SOFT)
    picture.text(380, 220, "A tokenizer of English text: no merge crosses a cut, and none was learned for these bytes.",
                 size=13, colour=SOFT)
    return picture
