"""A picture as tokens: patches, a linear map, [CLS], positions, blocks; with the numbers of the worked example."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SOFT, Drawing

IMAGE = np.array([[0, 1, 2, 0], [1, 2, 0, 1], [3, 0, 1, 1], [0, 3, 0, 1]])
W = np.array([[1, 1, 1, 1], [1, -1, 1, -1]])
COLOURS = (BLUE, GREEN, ORANGE, PURPLE)


def draw():
    patches = [IMAGE[r : r + 2, c : c + 2] for r in (0, 2) for c in (0, 2)]
    vectors = [(W @ patch.reshape(4)).tolist() for patch in patches]
    told = ", ".join(f"({a}, {b})" for a, b in vectors)
    picture = Drawing(
        330,
        "A vision transformer",
        "A picture of four by four pixels is cut into four patches of two by two. A linear map makes two numbers of "
        f"each: {told}. A vector for CLS is put in front, a position is added to each of the five, and all go "
        "through the blocks; the class is read above CLS.",
    )
    for k, (patch, colour) in enumerate(zip(patches, COLOURS, strict=True)):
        x, y = 28 + 76 * (k % 2), 150 + 76 * (k // 2)
        picture.matrix(x, y, patch.tolist(), colour, cell=(34, 34), shade=False)
    picture.text(100, 126, "the picture (4, 4),", size=13, colour=SOFT)
    picture.text(100, 312, "in patches (2, 2)", size=13, colour=SOFT)
    picture.arrow((182, 222), (262, 222))
    picture.text(222, 206, "$W$ patch + $b$", size=13)
    xs = [310, 402, 494, 586, 678]
    for x, vector, colour, name in zip(
        xs, [None, *vectors], (GREY, *COLOURS), ["[CLS]", "patch 1", "patch 2", "patch 3", "patch 4"], strict=True
    ):
        words = "learned" if vector is None else f"({vector[0]}, {vector[1]})"
        picture.box(x, 222, words, colour, width=82, height=38, size=14)
        picture.text(x, 254, name, size=12, colour=SOFT)
        picture.text(x, 186, "+", size=16)
        picture.arrow((x, 142), (x, 122))
    for n, x in enumerate(xs):
        picture.box(x, 158, f"$P_{n}$", GREY, width=82, height=30, size=14)
    picture.box(494, 98, "blocks: each token looks at all others", GREY, width=452, height=44)
    picture.arrow((310, 75), (310, 50))
    picture.text(310, 34, "class", size=15, colour=INK, bold=True)
    picture.text(494, 290, "tokens (1 + N, C), here (5, 2)", size=13, colour=SOFT)
    return picture
