"""A teacher's logits as probabilities at two temperatures."""

import numpy as np

from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing

LOGITS = np.array([6.0, 2.0, 0.0])
NAMES = ("an 8", "a 3", "a 1")
SCALE, BASE = 110, 160


def at(temperature: float):
    e = np.exp(LOGITS / temperature)
    return e / e.sum()


def draw():
    sharp, flat = at(1.0), at(4.0)
    picture = Drawing(
        210,
        "What a teacher knows",
        f"The logits 6, 2, 0 of an 8, a 3 and a 1 are the probabilities {np.round(sharp, 2)} at temperature 1 and "
        f"{np.round(flat, 2)} at temperature 4, where one sees that it looks more like a 3 than like a 1.",
    )
    for x, colour, shares, temperature in ((90, BLUE, sharp, 1), (330, ORANGE, flat, 4)):
        for i, (share, name) in enumerate(zip(shares, NAMES, strict=True)):
            height = max(2, SCALE * share)
            picture.box(x + 70 * i, BASE - height / 2, "", colour, width=52, height=height)
            picture.text(x + 70 * i, BASE - height - 11, f"{share:.2f}", size=13)
            picture.text(x + 70 * i, BASE + 14, name, size=12, colour=SOFT)
        picture.text(x + 70, 192, f"$T$ = {temperature}", size=14)
    picture.text(555, 70, "The label says: an 8.", size=13, anchor="start")
    told = "At $T$ = 4 the teacher says:\nit looks like a 3,\nmore than like a 1."
    picture.text(555, 116, told, size=13, anchor="start")
    return picture
