"""A text, cut as GPT-2 cuts it, each piece with the number of its rule."""

import regex

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing

TEXT = "We'll  see 3 cats!\n"
RULES = [r"'(?:s|t|re|ve|m|ll|d)", r" ?\p{L}+", r" ?\p{N}+", r" ?[^\s\p{L}\p{N}]+", r"\s+(?!\S)", r"\s+"]
COLOURS = [PURPLE, BLUE, GREEN, ORANGE, GREY, GREY]


def draw():
    found = list(regex.finditer("|".join(f"({rule})" for rule in RULES), TEXT))
    pieces = [(match.group().replace(" ", "␣").replace("\n", "⏎"), match.lastindex) for match in found]
    picture = Drawing(
        150,
        "A text cut into pieces",
        "We'll, two blanks, see 3 cats! and a line break become eight pieces: "
        + ", ".join(f"{piece} by rule {rule}" for piece, rule in pieces) + ".",
    )
    x = 45
    for piece, rule in pieces:
        width = max(44, 13 * len(piece) + 20)
        picture.box(x + width / 2, 62, piece, COLOURS[rule - 1], width=width, height=42, size=17)
        picture.text(x + width / 2, 98, f"rule {rule}", size=12, colour=SOFT)
        x += width + 12
    picture.text(380, 128, "␣ is a blank, ⏎ a line break. Merges stay inside a piece.", size=13, colour=SOFT)
    return picture
