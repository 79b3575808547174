"""A row with a large weight in four bits: one scale for the row, and one for each group of two."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

ROW, SIZE = np.array([[0.7, -0.2, 7.0, 3.0]]), 2


def draw() -> Drawing:
    shared = np.abs(ROW).max() / 7
    groups = ROW.reshape(-1, SIZE)
    own = np.abs(groups).max(axis=1, keepdims=True) / 7
    coarse = np.round(ROW / shared).astype(int).tolist()
    fine = np.round(groups / own).astype(int)
    d = Drawing(
        196,
        "One scale for a row, or one for each group",
        f"The row {ROW[0].tolist()}. With one scale of {shared:g} its numbers are {coarse[0]}. In groups of two, with "
        f"the scales {own[0, 0]:.1f} and {own[1, 0]:g}, they are {fine.flatten().tolist()}.",
    )
    d.matrix(30, 82, ROW.tolist(), BLUE, cell=(52, 36), digits=1, note="a row, 7 sets the scale")
    d.arrow((248, 92), (322, 62))
    d.arrow((248, 108), (322, 138))
    d.matrix(340, 36, coarse, ORANGE, cell=(52, 36), note="")
    d.text(570, 54, f"scale {shared:g}: -0.2 is gone", size=13, colour=SOFT, anchor="start")
    for i, group in enumerate(fine.tolist()):
        d.matrix(340 + 114 * i, 122, [group], GREEN, cell=(52, 36), note=f"scale {own[i, 0]:.1f}")
    d.text(570, 140, "-0.2 becomes -2 times 0.1", size=13, colour=SOFT, anchor="start")
    return d
