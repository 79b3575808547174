"""Rotary positions: the same vector at four positions, and why only the difference matters."""

import math

from autograder.authoring.drawing import BLUE, GREY, ORANGE, Drawing

STEP = math.pi / 6


def dial(picture, x, y, radius):
    """Draw two axes and a quarter of a circle."""
    picture.line([(x, y - radius - 22), (x, y), (x + radius + 22, y)], GREY, width=1)
    arc = [(x + radius * math.cos(a / 20), y - radius * math.sin(a / 20)) for a in range(32)]
    picture.line(arc, GREY, width=1, dashed=True)


def draw():
    picture = Drawing(
        290,
        "Rotary positions",
        "The vector (1, 0) at positions 0 to 3 is turned by 30 degrees a position. A query at 2 and a key at 1 enclose "
        "the same angle as a query at 3 and a key at 2.",
    )
    dial(picture, 70, 240, 160)
    for p in range(4):
        x, y = math.cos(p * STEP), math.sin(p * STEP)
        picture.arrow((70, 240), (70 + 160 * x, 240 - 160 * y), colour=BLUE, width=2)
        words = f"position {p}: ({abs(round(x, 3)):g}, {round(y, 3):g})"
        picture.text(76 + 170 * x, 236 - 170 * y + 22 * (p == 0), words, size=13, anchor="start")
    for left, m, n in [(440, 2, 1), (600, 3, 2)]:
        dial(picture, left, 210, 110)
        for place, colour in [(m, ORANGE), (n, BLUE)]:
            x, y = math.cos(place * STEP), math.sin(place * STEP)
            picture.arrow((left, 210), (left + 110 * x, 210 - 110 * y), colour=colour, width=2.4)
        picture.text(left + 55, 235, f"query at {m}, key at {n}", size=13)
    picture.text(575, 267, "the same angle between them: the same score", size=13)
    return picture
