"""A Matryoshka vector: its first numbers are a vector, too."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

VECTOR, SIZES = np.array([3, 4, 0, 12]), (2, 4)


def draw():
    short = {size: VECTOR[:size] / np.linalg.norm(VECTOR[:size]) for size in SIZES}
    picture = Drawing(
        210,
        "A vector within a vector",
        "The vector 3, 4, 0, 12. Its first two numbers, brought to length 1, are 0.6 and 0.8; all four are "
        + ", ".join(f"{v:.2f}" for v in short[4]) + ". Each prefix has a loss of its own.",
    )
    picture.matrix(50, 88, [VECTOR.tolist()], BLUE, cell=(50, 38), note="what the encoder gives (C,)", shade=False)
    for row, (size, vector) in enumerate(short.items()):
        y, colour = 50 + 90 * row, (ORANGE, GREEN)[row]
        picture.arrow((256, 107 + (14 if row else -14)), (330, y + 19), width=2)
        picture.matrix(345, y, [vector.tolist()], colour, cell=(56, 38), shade=False,
                       note=f"first {size}, brought to length 1" if row == 0 else "all 4, brought to length 1")
        picture.arrow((354 + 56 * size, y + 19), (610, y + 19))
        picture.text(620, y + 19, f"InfoNCE of {size}", size=14, anchor="start")
    picture.text(672, 114, "mean of both", size=13, colour=SOFT)
    return picture
