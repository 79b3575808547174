"""Accumulated gradients, with the numbers of exercise 12."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

ROWS, PIECES = [1, 2, 4], [[1, 2], [4]]


def gradient(rows: list[int]) -> float:
    """The gradient of the mean of (w x)^2 at w = 1."""
    return sum(2 * x * x for x in rows) / len(rows)


def draw() -> Drawing:
    d = Drawing(290, "Gradients in pieces", "The weighed gradients of two pieces add up to that of the whole batch.")
    d.matrix(40, 40, [[x] for x in ROWS], BLUE, cell=(60, 36), shade=False, note="a batch of 3 rows")
    d.arrow((104, 94), (540, 60), label="")
    d.box(625, 60, f"gradient {gradient(ROWS):g}", GREEN, width=160)
    joint = 0.0
    for y, rows in zip((150, 220), PIECES, strict=True):
        share = len(rows) / len(ROWS)
        joint += share * gradient(rows)
        d.arrow((104, 110), (188, y), colour=ORANGE)
        d.box(250, y, "rows " + ", ".join(map(str, rows)), ORANGE, width=120)
        d.arrow((310, y), (386, y))
        d.text(450, y, f"{len(rows)}/{len(ROWS)} of {gradient(rows):g}")
        d.arrow((510, y), (543, 185))
    d.box(625, 185, f"gradient {joint:g}", GREEN, width=160, note="one piece in memory at a time")
    d.text(330, 268, "weighed by their rows, pieces make the same step", size=13, colour=SOFT)
    return d
