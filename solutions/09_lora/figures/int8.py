"""A row of a weight matrix as integers, with one scale for the row."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, RED, SOFT, Drawing

ROW = np.array([0.5, -2.54, 1.0, 0.013])


def draw():
    scale = np.abs(ROW).max() / 127
    q = np.round(ROW / scale).astype(int)
    again = q * scale
    picture = Drawing(
        230,
        "A row in int8",
        f"The row 0.5, -2.54, 1.0, 0.013 has the scale {scale:.2f}. Divided by it and rounded it is "
        "25, -127, 50, 1; times the scale it is 0.5, -2.54, 1.0, 0.02.",
    )
    for i, (value, number, back) in enumerate(zip(ROW, q, again, strict=True)):
        x = 165 + 105 * i
        picture.box(x, 50, f"{value:g}", BLUE, width=86, height=36)
        picture.arrow((x, 70), (x, 98))
        picture.box(x, 118, str(number), ORANGE, width=86, height=36)
        picture.arrow((x, 138), (x, 166))
        picture.box(x, 186, f"{back:g}", GREEN if abs(back - value) < 1e-9 else RED, width=86, height=36)
    picture.text(72, 50, "float32\n4 bytes each", size=13, colour=SOFT)
    picture.text(72, 118, "int8\n1 byte each", size=13, colour=SOFT)
    picture.text(72, 186, "used as", size=13, colour=SOFT)
    picture.text(545, 84, f"divide by $s$ = 2.54 / 127 = {scale:.2f},\nround", size=12, anchor="start")
    picture.text(545, 152, f"times {scale:.2f}", size=12, anchor="start")
    picture.text(545, 186, f"the last one is off by {abs(again - ROW).max():.3f}", size=12, colour=SOFT, anchor="start")
    return picture
