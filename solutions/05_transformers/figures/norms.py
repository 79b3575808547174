"""Where the norm stands: on the stream (post-norm) or on the branches (pre-norm)."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, SOFT, Drawing


def column(d: Drawing, x: int, pre: bool) -> None:
    """Draw one block from bottom to top, its stream at x and its branches to the right."""
    steps = [("attention", BLUE, 400), ("feed-forward", GREEN, 190)]
    stops = [470]  # what the stream passes, from the bottom
    for name, colour, y in steps:
        plus = y - 90
        reads = y + 42
        d.line([(x, reads), (x + 150, reads)])
        d.arrow((x + 150, reads), (x + 150, y + (22 if pre else 20)))
        if pre:
            d.box(x + 150, y + 6, "norm", GREY, width=120, height=30, size=14)
            d.arrow((x + 150, y - 9), (x + 150, y - 24))
            d.box(x + 150, y - 40, name, colour, width=120, height=32, size=14)
            d.line([(x + 150, y - 56), (x + 150, plus)])
        else:
            d.box(x + 150, y, name, colour, width=120, height=40, size=14)
            d.line([(x + 150, y - 20), (x + 150, plus)])
        d.arrow((x + 150, plus), (x + 15, plus))
        d.circle(x, plus, "+", ORANGE, radius=15, size=19)
        stops += [plus + 15, plus - 15]
        if not pre:
            d.box(x, plus - 46, "norm", GREY, width=84, height=30, size=14)
            stops += [plus - 31, plus - 61]
    stops.append(16)
    for a, b in zip(stops[::2], stops[1::2], strict=True):
        d.arrow((x, a), (x, b), width=3, colour=INK)
    d.text(x - 20, 460, "$x$", anchor="end")
    d.text(x - 20, 24, "$z$", anchor="end")


def draw() -> Drawing:
    d = Drawing(520, "Post-norm and pre-norm", "Post-norm has a norm on the line from x to z, pre-norm on each branch.")
    column(d, 110, pre=False)
    column(d, 500, pre=True)
    d.text(185, 498, "post-norm: the norm stands on the line", colour=SOFT)
    d.text(575, 498, "pre-norm: the line is free", colour=SOFT)
    return d
