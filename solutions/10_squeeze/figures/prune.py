"""Eight weights: half of them kept by size, and two of each four."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

WEIGHTS = np.array([0.6, -2.0, 0.1, -0.5, 0.9, 0.2, -0.1, 0.3])


def kept_rows():
    order = np.argsort(np.abs(WEIGHTS), kind="stable")
    half = np.isin(np.arange(8), order[4:])
    fours = np.abs(WEIGHTS).reshape(2, 4).argsort(1, kind="stable")[:, 2:] + [[0], [4]]
    return half, np.isin(np.arange(8), fours)


def draw():
    half, fours = kept_rows()
    picture = Drawing(
        200,
        "Half of the weights",
        f"The weights {WEIGHTS.tolist()}. Half are kept by size: {WEIGHTS[half].tolist()}. "
        f"Of each four, two are kept: {WEIGHTS[fours].tolist()}.",
    )
    for y, name, keep, colour in ((40, "all", np.ones(8, dtype=bool), BLUE), (100, "half, by size", half, ORANGE),
                                  (160, "two of each four", fours, GREEN)):
        picture.text(130, y, name, size=13, colour=SOFT, anchor="end")
        for i, (value, stays) in enumerate(zip(WEIGHTS, keep, strict=True)):
            x = 185 + 66 * i + (14 if i > 3 else 0)
            picture.box(x, y, f"{value:g}" if stays else "0", colour if stays else SOFT, width=58, height=36,
                        dashed=not stays)
    return picture
