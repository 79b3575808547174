"""A power law through two points, with the numbers of exercise 9."""

import math

from autograder.authoring.drawing import BLUE, INK, ORANGE, SOFT, Drawing

SIZES, LOSSES, NEXT = (1_000, 16_000), (4.0, 2.0), 256_000


def law() -> tuple[float, float]:
    """(a, b) of L = a N^-b through both points."""
    b = math.log(LOSSES[0] / LOSSES[1]) / math.log(SIZES[1] / SIZES[0])
    return LOSSES[0] * SIZES[0] ** b, b


def draw() -> Drawing:
    d = Drawing(260, "A power law", "Losses 4 and 2 at 1,000 and 16,000 weights; the line gives 1 at 256,000.")
    a, b = law()
    x = {n: 120 + 110 * math.log(n / SIZES[0]) for n in (*SIZES, NEXT)}
    y = {loss: 200 - 100 * math.log2(loss) for loss in (1.0, *LOSSES)}
    d.line([(90, 215), (730, 215)], SOFT)
    d.line([(90, 215), (90, -10 + 10)], SOFT)
    d.line([(x[SIZES[0]], y[4.0] + 0), (x[NEXT], y[1.0])], SOFT, dashed=True)
    for n, loss in (*zip(SIZES, LOSSES, strict=True), (NEXT, a * NEXT**-b)):
        d.circle(x[n], 200 - 100 * math.log2(loss), "", ORANGE if n == NEXT else BLUE, radius=8)
        d.text(x[n] + 46, 188 - 100 * math.log2(loss), f"L = {loss:.3g}", size=13, colour=INK)
        d.text(x[n], 232, f"{n:,}", size=12, colour=SOFT)
    d.text(410, 250, "weights, logarithmic", size=13, colour=SOFT)
    d.text(520, 60, f"b = {b:.2f}, a = {a:.2f}", size=14, colour=INK)
    return d
