"""The polynomial of Muon, applied once and five times to singular values from 0.001 to 1."""

import math

from autograder.authoring.drawing import BLUE, INK, ORANGE, SOFT, Drawing

A, B, C = 3.4445, -4.7750, 2.0315
SMALLEST = 0.001


def after(s: float, times: int) -> float:
    """A singular value after so many rounds."""
    for _ in range(times):
        s = A * s + B * s**3 + C * s**5
    return s


def at(s: float) -> float:
    """The place of a singular value on the axis, which is logarithmic."""
    return 690 + 200 * math.log10(s)


def draw() -> Drawing:
    d = Drawing(
        290,
        "Newton-Schulz",
        f"Singular values from {SMALLEST:g} to 1 on a logarithmic axis. After one round they are 3.4 times as large as "
        f"long as they are small. After five, 0.002 is {after(0.002, 5):.2f}, and all from 0.01 on are near 1.",
    )
    x = [SMALLEST ** (1 - i / 600) for i in range(601)]
    d.line([(90, 240), (700, 240)], SOFT)
    d.line([(90, 240), (90, 30)], SOFT)
    for times, colour, dashed in ((1, ORANGE, True), (5, BLUE, False)):
        d.line([(at(s), 240 - 160 * after(s, times)) for s in x], colour, width=2.2, dashed=dashed)
    d.line([(90, 80), (700, 80)], SOFT, width=0.8, dashed=True)
    d.text(70, 80, "1", size=13, colour=SOFT)
    d.text(70, 240, "0", size=13, colour=SOFT)
    for value in (0.001, 0.01, 0.1, 1):
        d.line([(at(value), 236), (at(value), 244)], SOFT)
        d.text(at(value), 258, f"{value:g}", size=12, colour=SOFT)
    d.text(390, 276, "singular value before (logarithmic)", size=13, colour=SOFT)
    d.text(135, 185, "after five rounds", size=14, colour=INK, anchor="start")
    d.text(698, 210, f"after one (dashed):\n0.5 becomes {after(0.5, 1):.4f}", size=14, colour=INK, anchor="end")
    return d
