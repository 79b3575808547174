"""The same layer with the adapter beside the weight, and inside of it."""

import numpy as np

from autograder.authoring.drawing import GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing

W, b = np.array([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]]), np.array([0.0, 1.0, 2.0])
A, B, x, scale = np.array([[3.0, 1.0]]), np.array([[2.0], [0.0], [-1.0]]), np.array([1.0, 2.0]), 0.5


def said(v) -> str:
    """Return a vector as (1, 2)."""
    return "(" + ", ".join(f"{n:g}" for n in v) + ")"


def draw():
    whole = W + scale * B @ A
    y = said(whole @ x + b)
    picture = Drawing(
        270,
        "Unmerged and merged",
        "On the left W and the adapter side by side, two products. On the right one weight, W plus "
        f"half of BA, one product. Both give {y} for the input {said(x)}.",
    )
    picture.text(190, 24, "unmerged: two ways, one can be taken away", size=13)
    picture.matrix(60, 62, W.tolist(), GREY, digits=1, cell=(48, 30))
    picture.text(108, 51, "$W$", size=12, colour=SOFT)
    picture.text(190, 107, "and", size=13, colour=SOFT)
    picture.matrix(225, 62, (scale * B @ A).tolist(), ORANGE, digits=1, cell=(48, 30))
    picture.text(273, 51, "0.5 $BA$, kept as $B$ and $A$", size=12, colour=SOFT)
    picture.box(190, 225, y, GREEN, width=110)
    picture.arrow((108, 155), (150, 203))
    picture.arrow((273, 155), (230, 203))
    picture.arrow((345, 92), (462, 92), colour=ORANGE)
    picture.text(403, 76, "merge: add", size=13)
    picture.arrow((462, 122), (345, 122), colour=SOFT)
    picture.text(403, 139, "unmerge: subtract", size=13)
    picture.text(580, 24, "merged: one product, as fast as before", size=13)
    picture.matrix(532, 62, whole.tolist(), PURPLE, digits=1, cell=(48, 30))
    picture.text(580, 51, "$W$ + 0.5 $BA$", size=12, colour=SOFT)
    picture.box(580, 225, y, GREEN, width=110)
    picture.arrow((580, 155), (580, 203))
    return picture
