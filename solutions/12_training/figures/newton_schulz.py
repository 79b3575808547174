"""The polynomial of Muon, applied once and five times to singular values from 0 to 1."""

from autograder.authoring.drawing import BLUE, INK, ORANGE, SOFT, Drawing

A, B, C = 3.4445, -4.7750, 2.0315


def after(s: float, times: int) -> float:
    """A singular value after so many rounds."""
    for _ in range(times):
        s = A * s + B * s**3 + C * s**5
    return s


def draw() -> Drawing:
    d = Drawing(290, "Newton-Schulz", "Singular values from 0 to 1 after one round and after five.")
    x = [0.004 * i for i in range(251)]
    d.line([(90, 240), (700, 240)], SOFT)
    d.line([(90, 240), (90, 30)], SOFT)
    for times, colour, dashed in ((1, ORANGE, True), (5, BLUE, False)):
        d.line([(90 + 600 * s, 240 - 160 * after(s, times)) for s in x], colour, width=2.2, dashed=dashed)
    d.line([(90, 80), (700, 80)], SOFT, width=0.8, dashed=True)
    d.text(70, 80, "1", size=13, colour=SOFT)
    d.text(70, 240, "0", size=13, colour=SOFT)
    for value in (0, 0.5, 1):
        d.text(90 + 600 * value, 258, f"{value:g}", size=12, colour=SOFT)
    d.text(390, 276, "singular value before", size=13, colour=SOFT)
    d.text(560, 160, "after five rounds", size=14, colour=INK)
    d.text(330, 190, f"after one (dashed): 0.5 becomes {after(0.5, 1):.4f}", size=14, colour=INK)
    return d
