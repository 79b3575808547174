"""Powers of ten, what float16 holds of them, and how a scale moves a gradient, with the numbers of exercise 4."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

SMALLEST, LARGEST, GRADIENT, SCALE = 2.0**-24, 65504.0, 1e-8, 1024


def at(value: float) -> float:
    """The place of a value on the line, from 10^-10 to 10^6."""
    return 60 + 40 * (math.log10(value) + 10)


def draw() -> Drawing:
    d = Drawing(200, "Loss scaling", "A gradient of 1e-8 is below what float16 holds; times 1024 it is inside.")
    d.line([(60, 110), (700, 110)], SOFT)
    for power in range(-10, 7, 2):
        d.line([(at(10.0**power), 105), (at(10.0**power), 115)], SOFT)
        d.text(at(10.0**power), 130, f"$10^{{{power}}}$", size=12, colour=SOFT)
    d.box((at(SMALLEST) + at(LARGEST)) / 2, 110, "", GREEN, width=at(LARGEST) - at(SMALLEST), height=26)
    d.text((at(SMALLEST) + at(LARGEST)) / 2, 160, f"float16: {SMALLEST:.1g} to {LARGEST:,.0f}", size=13, colour=SOFT)
    d.circle(at(GRADIENT), 70, "", GREY, radius=7)
    d.text(at(GRADIENT), 44, f"{GRADIENT:g} becomes 0", size=13)
    d.circle(at(GRADIENT * SCALE), 70, "", BLUE, radius=7)
    d.text(at(GRADIENT * SCALE) + 40, 44, f"{GRADIENT * SCALE:.3g}", size=13)
    d.arrow((at(GRADIENT) + 10, 70), (at(GRADIENT * SCALE) - 10, 70), colour=ORANGE)
    d.text((at(GRADIENT) + at(GRADIENT * SCALE)) / 2, 86, f"times {SCALE}", size=12, colour=SOFT)
    return d
