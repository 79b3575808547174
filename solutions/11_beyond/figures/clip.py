"""CLIP's table: two pictures, two captions, four scores; rows and columns ask; with the worked example's numbers."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, SOFT, Drawing

IMAGES, TEXTS, FACTOR = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]), 5.0


def unit(v):
    return v / np.linalg.norm(v, axis=1, keepdims=True)


def draw():
    z = FACTOR * unit(IMAGES) @ unit(TEXTS).T
    rows = np.log(np.exp(z).sum(1)) - z.diagonal()
    columns = np.log(np.exp(z).sum(0)) - z.diagonal()
    picture = Drawing(
        350,
        "CLIP's table of scores",
        f"Two pictures, as rows, and two captions, as columns, give the scores {z.round(0).astype(int).tolist()}. The "
        f"rows cost {rows[0]:.2f} and {rows[1]:.2f}, the columns {columns[0]:.2f} and {columns[1]:.2f}: caption 1 "
        "is nearer to picture 2 than to its own.",
    )
    picture.box(90, 190, "eye", BLUE, width=76, height=110)
    picture.text(90, 265, "pictures", size=13, colour=SOFT)
    picture.box(400, 40, "reader", ORANGE, width=170, height=40)
    picture.text(560, 40, "captions", size=13, colour=SOFT)
    for i in range(2):
        x, y = 345 + 110 * i, 155 + 70 * i
        picture.arrow((130, y), (172, y))
        picture.box(226, y, f"$x_{i + 1}$ = {said(IMAGES[i])}", BLUE, width=104, height=36, size=14)
        picture.arrow((x, 62), (x, 78))
        picture.box(x, 96, f"$y_{i + 1}$ = {said(TEXTS[i])}", ORANGE, width=104, height=32, size=14)
        for j in range(2):
            own = i == j
            picture.box(345 + 110 * j, y, f"{z[i, j]:.0f}", GREEN if own else GREY, width=100, height=60, size=18)
        picture.arrow((512, y), (552, y))
        picture.text(560, y, f"which caption?  {rows[i]:.2f}", size=14, colour=INK, anchor="start")
        picture.arrow((x, 260), (x, 290))
        picture.text(x, 304, f"{columns[i]:.2f}", size=15, colour=INK, bold=bool(columns[i] > 1))
    picture.text(400, 330, "which picture?", size=14, colour=INK)
    picture.text(540, 304, "green: what belongs together", size=13, colour=SOFT, anchor="start")
    return picture


def said(v) -> str:
    """Return a vector as (1, 2)."""
    return "(" + ", ".join(f"{n:g}" for n in v) + ")"
