"""Four places of a text, two of them padding; three ways to one vector."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

HIDDEN, MASK = np.array([[1, -2], [8, 9], [3, -4], [10, 6]]), np.array([True, False, True, False])


def draw():
    kept = HIDDEN[MASK]
    ways = {"cls": kept[0], "mean": kept.mean(0), "max": kept.max(0)}
    picture = Drawing(
        175,
        "Three ways from token vectors to one vector",
        "Places with the vectors (1, -2), padding, (3, -4), padding. "
        + "; ".join(f"{how}: ({v[0]:g}, {v[1]:g})" for how, v in ways.items()) + ".",
    )
    for i, (vector, real) in enumerate(zip(HIDDEN, MASK, strict=True)):
        x = 60 + 90 * i
        picture.matrix(x, 55, [[int(n)] for n in vector], BLUE if real else GREY, cell=(60, 38), shade=False)
        picture.text(x + 30, 36, ("[CLS]", "padding", "token", "padding")[i], size=13, colour=SOFT)
    picture.text(225, 152, "hidden (T, C): what padding holds must not matter", size=13, colour=SOFT)
    picture.arrow((415, 93), (470, 93), width=2)
    for i, (how, vector) in enumerate(ways.items()):
        x = 490 + 85 * i
        picture.matrix(x, 55, [[int(n)] for n in vector], GREEN, cell=(60, 38), shade=False)
        picture.text(x + 30, 36, f'"{how}"', size=14, mono=True)
    picture.text(605, 152, "(C,)", size=13, colour=SOFT)
    return picture
