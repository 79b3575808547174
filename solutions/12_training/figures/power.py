"""A power law through two points, with the numbers of exercise 9."""

import math

from autograder.authoring.drawing import BLUE, INK, ORANGE, SOFT, Drawing

SIZES, LOSSES, NEXT = (1_000, 16_000), (4.0, 2.0), 256_000


def law() -> tuple[float, float]:
    """(a, b) of L = a N^-b through both points."""
    b = math.log(LOSSES[0] / LOSSES[1]) / math.log(SIZES[1] / SIZES[0])
    return LOSSES[0] * SIZES[0] ** b, b


def draw() -> Drawing:
    d = Drawing(265, "A power law", "Losses 4 and 2 at 1,000 and 16,000 weights; the line gives 1 at 256,000.")
    a, b = law()
    points = [*zip(SIZES, LOSSES, strict=True), (NEXT, a * NEXT**-b)]
    x = {n: 150 + 90 * math.log(n / SIZES[0]) for n, _ in points}
    y = {loss: 195 - 70 * math.log2(loss) for _, loss in points}
    d.line([(100, 215), (720, 215)], SOFT)
    d.line([(100, 215), (100, 30)], SOFT)
    d.line([(x[n], y[loss]) for n, loss in points[:: len(points) - 1]], SOFT, dashed=True)
    for n, loss in points:
        d.circle(x[n], y[loss], "", ORANGE if n == NEXT else BLUE, radius=8)
        d.text(x[n] + 18, y[loss] - 10, f"L = {loss:.3g}", size=13, colour=INK, anchor="start")
        d.text(x[n], 232, f"{n:,}", size=12, colour=SOFT)
    d.text(410, 252, "weights, logarithmic", size=13, colour=SOFT)
    d.text(90, 24, "loss, logarithmic", size=13, colour=SOFT, anchor="start")
    d.text(500, 80, f"b = {b:.2f}, a = {a:.2f}", size=14, colour=INK)
    return d
