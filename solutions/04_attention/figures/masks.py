"""Masks as tables: what each query may see, and what becomes of hidden scores."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREY, INK, PURPLE, SOFT, Drawing

SIZE = 30


def table(picture, x, y, mask, left, top):
    """Draw a mask, what may be seen in blue."""
    for i, row in enumerate(mask):
        for j, seen in enumerate(row):
            picture.matrix(x + j * SIZE, y + i * SIZE, [["✓" if seen else None]], BLUE, cell=(SIZE, SIZE))
    for i, word in enumerate(left):
        picture.text(x - 8, y + (i + 0.5) * SIZE, word, size=12, colour=SOFT, anchor="end")
    for j, word in enumerate(top):
        picture.text(x + (j + 0.5) * SIZE, y - 10, word, size=12, colour=SOFT)


def draw():
    picture = Drawing(
        245,
        "Masks",
        "A causal mask is a lower triangle with its diagonal; a padding mask is a row for each text. Hidden scores "
        "become minus infinity, and their weights 0.",
    )
    words = ["the", "dog", "ate", "fish"]
    picture.text(130, 25, "causal: not the future", colour=INK)
    table(picture, 72, 70, np.tril(np.ones((4, 4), bool)), words, words)
    picture.text(130, 215, "(T, T), queries in rows", size=12, colour=SOFT)
    picture.text(352, 25, "padding: real tokens only", colour=INK)
    table(picture, 302, 70, np.arange(4) < np.array([[4], [2]]), ["text 1", "text 2"], "0123")
    picture.text(352, 155, "(B, T)", size=12, colour=SOFT)
    picture.text(610, 25, "before the softmax", colour=INK)
    picture.matrix(530, 70, [[0, "-∞"], [0, 0]], GREY, cell=(40, 30), top=["key 1", "key 2"], shade=False)
    picture.text(570, 142, "scores", size=12, colour=SOFT)
    picture.arrow((616, 100), (656, 100))
    picture.matrix(662, 70, [[1.0, 0.0], [0.5, 0.5]], PURPLE, cell=(40, 30), digits=1)
    picture.text(702, 142, "weights", size=12, colour=SOFT)
    picture.text(616, 190, "hidden scores: -∞, then weight 0;\neach row still sums to 1", size=13)
    return picture
