"""Two rows in four bits: one scale for both, and one for each."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

ROWS = np.array([[2.1, -7.0, 1.4, 0.7], [0.2, 0.7, -0.3, -0.6]])


def draw():
    shared = np.abs(ROWS).max() / 7
    own = np.abs(ROWS).max(1, keepdims=True) / 7
    coarse, fine = (np.round(ROWS / s).astype(int).tolist() for s in (shared, own))
    picture = Drawing(
        190,
        "One scale, or one for each row",
        f"A matrix of the rows 2.1, -7, 1.4, 0.7 and 0.2, 0.7, -0.3, -0.6. With one scale of {shared:g} the numbers "
        f"are {coarse[0]} and {coarse[1]}; with the scales {own[0, 0]:g} and {own[1, 0]:.1f} they are {fine[0]} and "
        f"{fine[1]}.",
    )
    picture.matrix(24, 66, ROWS.tolist(), BLUE, cell=(48, 34), digits=1, note="weights")
    picture.matrix(290, 66, coarse, ORANGE, cell=(44, 34), note="one scale for all: 1")
    picture.matrix(548, 66, fine, GREEN, cell=(44, 34), note="a scale for each row", shade=True)
    picture.arrow((222, 100), (282, 100))
    for y, scale in zip((83, 117), own[:, 0], strict=True):
        picture.text(535, y, f"{scale:.1f}", size=13, colour=SOFT, anchor="end")
    picture.text(484, 100, "or", size=13, colour=SOFT)
    picture.text(535, 54, "scales", size=12, colour=SOFT, anchor="end")
    picture.text(378, 38, "the second row is nearly lost", size=13, colour=SOFT)
    picture.text(636, 38, "both rows use all of -7 to 7", size=13, colour=SOFT)
    return picture
