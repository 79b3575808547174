"""An update of rank one: every row is a multiple of one row, one singular value is not zero."""

import numpy as np

from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing

B, A = np.array([[2.0], [0.0], [-1.0]]), np.array([[3.0, 1.0]])


def draw():
    delta = B @ A
    values = np.linalg.svd(delta, compute_uv=False)
    picture = Drawing(
        250,
        "A matrix of rank one",
        "B, a column of three numbers, times A, a row of two, is a matrix of six numbers whose rows "
        f"are all multiples of A. Its singular values are {values[0]:.2f} and 0.",
    )
    picture.matrix(40, 70, B.tolist(), ORANGE, digits=0, note="B (3, 1)")
    picture.text(112, 115, "times", size=13, colour=SOFT)
    picture.matrix(140, 100, A.tolist(), ORANGE, digits=0, note="A (1, 2)")
    picture.text(260, 115, "=", size=18)
    picture.matrix(290, 70, delta.astype(int).tolist(), BLUE, note="BA (3, 2): five numbers make six",
                   cell=(50, 30))
    for i, times in enumerate(B[:, 0]):
        picture.text(400, 85 + 30 * i, f"{times:g} times (3, 1)", size=12, colour=SOFT, anchor="start")
    picture.text(620, 38, "singular values of BA", size=13)
    for i, value in enumerate(values):
        x, height = 585 + 70 * i, 120 * value / values[0]
        picture.polygon([(x - 20, 185), (x - 20, 185 - height), (x + 20, 185 - height), (x + 20, 185)], BLUE, 0.5)
        picture.text(x, 172 - height if height < 1 else 58, f"{abs(value):.2f}", size=13)
        picture.text(x, 202, ("first", "second")[i], size=12, colour=SOFT)
    picture.line([(550, 185), (690, 185)])
    picture.text(380, 230, "in docs-gpt: 192 x 192 = 36,864 numbers; with rank 4: 192 x 4 + 4 x 192 = 1,536", size=13)
    return picture
