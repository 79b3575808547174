"""Two vectors, their signs, and the places where these differ."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, RED, SOFT, Drawing

A, B = np.array([0.4, -0.1, 0.3, 0.2]), np.array([0.5, 0.2, 0.1, -0.3])


def draw():
    a, b = ((v > 0).astype(int) for v in (A, B))
    differ = a ^ b
    picture = Drawing(
        200,
        "Signs, and where they differ",
        f"The vector {A.tolist()} has the signs {a.tolist()}, the vector {B.tolist()} the signs {b.tolist()}. "
        f"They differ in {differ.sum()} places.",
    )
    picture.matrix(40, 44, [A.tolist()], BLUE, cell=(58, 34), digits=1)
    picture.matrix(40, 118, [B.tolist()], BLUE, cell=(58, 34), digits=1)
    picture.text(156, 172, "four numbers, 16 bytes", size=12, colour=SOFT)
    picture.arrow((278, 61), (334, 61))
    picture.arrow((278, 135), (334, 135))
    picture.matrix(344, 44, [a.tolist()], ORANGE, cell=(38, 34), shade=False)
    picture.matrix(344, 118, [b.tolist()], ORANGE, cell=(38, 34), shade=False)
    picture.text(420, 172, "four bits", size=12, colour=SOFT)
    picture.arrow((504, 66), (548, 92))
    picture.arrow((504, 132), (548, 104))
    for i, bit in enumerate(differ):
        picture.box(577 + 40 * i, 98, str(bit), RED if bit else GREEN, width=34, height=34)
    picture.text(637, 66, "exclusive or", size=13, colour=SOFT)
    picture.text(637, 136, f"Hamming distance {differ.sum()}", size=14)
    return picture
