"""A padded row, reversed within its length and as a whole."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, RED, SOFT, Drawing

ROW, LENGTH = list("abc__"), 3


def draw():
    rows = (
        (45, "as given", ROW, SOFT),
        (105, "reversed within its length", ROW[:LENGTH][::-1] + ROW[LENGTH:], GREEN),
        (165, "reversed as a whole", ROW[::-1], RED),
    )
    picture = Drawing(
        205,
        "A padded row, reversed",
        "a b c and two positions of padding; c b a and then padding is right, padding and then c b a is wrong.",
    )
    for y, words, tokens, colour in rows:
        picture.text(40, y, words, size=14, colour=colour, anchor="start")
        for t, token in enumerate(tokens):
            picture.box(
                300 + 52 * t, y, token, GREY if token == "_" else BLUE, width=42, height=36, dashed=token == "_"
            )
    picture.arrow((268, 74), (500 - 92, 74), colour=SOFT)
    picture.text(566, 105, "the reader begins with c", size=13, colour=GREEN, anchor="start")
    picture.text(566, 165, "it begins with padding", size=13, colour=RED, anchor="start")
    picture.text(420, 74, "read in this direction", size=12, colour=SOFT, anchor="start")
    return picture
