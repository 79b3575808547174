"""The sixteen levels of NF4 under the normal density, and sixteen even ones."""

import math

import numpy as np
from scipy.stats import norm

from autograder.authoring.drawing import BLUE, GREY, INK, ORANGE, SOFT, Drawing

LEFT, WIDE = 60, 640


def levels():
    """Return the sixteen levels (Dettmers et al. 2023, as bitsandbytes makes them)."""
    offset = 1 - (1 / 32 + 1 / 30) / 2
    positive = norm.ppf(np.linspace(offset, 0.5, 9)[:-1])
    negative = -norm.ppf(np.linspace(offset, 0.5, 8)[:-1])
    found = np.sort(np.concatenate([positive, [0.0], negative]))
    return found / found.max()


def place(value: float) -> float:
    return LEFT + WIDE * (value + 1) / 2


def draw():
    nf4 = levels()
    picture = Drawing(
        260,
        "The sixteen levels of NF4",
        "A bell curve over the numbers from -1 to 1. Below it the sixteen levels of NF4, close "
        "together around 0, where most weights are, and far apart at the ends; below these sixteen "
        "levels in even steps.",
    )
    curve = [(place(v), 138 - 100 * math.exp(-((v * 2.4) ** 2) / 2)) for v in np.linspace(-1, 1, 61)]
    picture.polygon([(LEFT, 138), *curve, (LEFT + WIDE, 138)], GREY, 0.2)
    picture.line(curve, SOFT)
    picture.line([(LEFT, 138), (LEFT + WIDE, 138)], SOFT)
    picture.text(LEFT + 10, 48, "how often a weight of", size=12, colour=SOFT, anchor="start")
    picture.text(LEFT + 10, 64, "this size occurs", size=12, colour=SOFT, anchor="start")
    for value in nf4:
        picture.line([(place(value), 126), (place(value), 150)], ORANGE, width=3)
    for i in (0, 1, 3, 7, 12, 14, 15):
        picture.text(place(nf4[i]), 164, f"{nf4[i]:.2f}", size=12)
    picture.text(LEFT - 8, 186, "NF4", size=13, colour=INK, anchor="start")
    picture.text(LEFT + 60, 186, "eight steps up, seven down, and 0 itself", size=12, colour=SOFT, anchor="start")
    for value in np.linspace(-1, 1, 16):
        picture.line([(place(value), 210), (place(value), 226)], BLUE, width=3)
    told = "16 even levels: no level at 0, few where the weights are"
    picture.text(LEFT - 8, 242, told, size=12, colour=SOFT, anchor="start")
    return picture
