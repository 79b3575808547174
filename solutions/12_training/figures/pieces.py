"""Four targets in two pieces, with the numbers of exercise 3."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, RED, SOFT, Drawing

PIECES = ([1, 1, 1], [3])


def slopes(piece: list[int]) -> list[int]:
    """The gradients of (w x)^2 at w = 1."""
    return [2 * x * x for x in piece]


def draw() -> Drawing:
    d = Drawing(
        260, "A batch in pieces", "The mean over all four targets is 6, the mean of the means of two pieces is 10."
    )
    every = [s for piece in PIECES for s in slopes(piece)]
    means = [sum(slopes(piece)) / len(piece) for piece in PIECES]
    for y, piece, colour in zip((70, 170), PIECES, (BLUE, ORANGE), strict=True):
        d.tokens(60, y, [str(x) for x in piece], colour)
        d.text(110, y + 36, f"gradients {', '.join(map(str, slopes(piece)))}", size=13, colour=SOFT)
        d.arrow((230, y), (300, 70), colour=SOFT)
        d.arrow((230, y), (300, 190), colour=SOFT, dashed=True)
    d.box(470, 70, f"({' + '.join(map(str, every))}) / {len(every)} = {sum(every) / len(every):g}", GREEN, width=310)
    d.text(470, 106, "the sum of all, over the number of all targets: right", size=13, colour=SOFT)
    d.box(470, 190, f"({means[0]:g} + {means[1]:g}) / 2 = {sum(means) / 2:g}", RED, width=310)
    d.text(470, 226, "the mean of the pieces' means: wrong", size=13, colour=SOFT)
    return d
