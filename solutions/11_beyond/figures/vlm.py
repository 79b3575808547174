"""Two patches take the places of two image tokens, and every token gets its position: the worked example."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

PATCHES, MAP, BIAS = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([0.0, 1.0])
WORD, POSITIONS = np.array([0.5, 0.5]), np.array([[0.1, 0.0], [0.2, 0.0], [0.3, 0.0]])


def draw():
    seen = PATCHES @ MAP.T + BIAS
    row = np.vstack([seen, WORD])
    x = row + POSITIONS
    picture = Drawing(
        235,
        "A picture among words",
        f"Two patches, {PATCHES.tolist()}, become {seen.tolist()} by the map. They take the places of two image tokens "
        f"in front of a word, {WORD.tolist()}. With the positions {POSITIONS.tolist()} the row is "
        f"{x.round(2).tolist()}; it goes through blocks with the prefix mask, a norm, and the product with each row "
        "of the token table.",
    )
    wide = {"cell": (46, 34)}
    picture.matrix(20, 60, PATCHES.tolist(), BLUE, digits=0, left=[], note="patches (N, D)", **wide)
    picture.arrow((116, 94), (178, 94))
    picture.text(147, 76, "map", size=13, colour=SOFT)
    picture.matrix(182, 60, seen.tolist(), BLUE, digits=0, left=[], note="(N, C)", **wide)
    picture.arrow((278, 94), (320, 94))
    names = ["image", "image", "even"]
    picture.matrix(372, 60, row[:2].tolist(), BLUE, digits=1, left=names[:2], **wide)
    picture.matrix(372, 128, row[2:].tolist(), ORANGE, digits=1, left=names[2:], note="tokens (T, C)", **wide)
    picture.text(478, 111, "+", size=18)
    picture.matrix(492, 60, POSITIONS.tolist(), GREY, digits=1, left=[], note="positions", **wide)
    picture.text(598, 111, "=", size=18)
    picture.matrix(612, 60, x.tolist(), GREEN, digits=1, left=[], note="x (T, C)", **wide)
    picture.text(380, 30, "the pictures are put in, then every token gets its position", size=14)
    picture.text(380, 222, "x, blocks with the prefix mask, norm, product with the token table: logits (T, V)", size=13,
                 colour=SOFT)  # fmt: skip
    return picture
