"""One pre-norm block: the residual stream, and what reads from it and writes to it."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, SOFT, Drawing

STREAM = 250


def branch(d: Drawing, left: int, name: str, colour: str, note: str) -> int:
    """Draw a sublayer above the stream from `left` on; returns where its sum stands."""
    reads, sums = left, left + 270
    d.line([(reads, STREAM), (reads, 190)])
    d.arrow((reads, 190), (reads, 162))
    d.box(reads, 142, "norm", GREY, width=80)
    d.arrow((reads + 40, 142), (reads + 82, 142))
    d.box(reads + 152, 142, name, colour, width=140, height=56, note=note)
    d.line([(reads + 222, 142), (sums, 142)])
    d.arrow((sums, 142), (sums, STREAM - 16))
    d.circle(sums, STREAM, "+", ORANGE, radius=16, size=20)
    return sums


def draw() -> Drawing:
    d = Drawing(320, "A transformer block", "The residual stream with two branches that read from it and add to it.")
    d.text(380, 70, "each branch reads a normalised copy and adds its result", colour=SOFT)
    d.box(50, STREAM, "$x$", BLUE, width=60, note="(T, C)")
    first = branch(d, 120, "attention", BLUE, "tokens exchange")
    second = branch(d, 440, "feed-forward", GREEN, "each token alone")
    d.arrow((80, STREAM), (first - 16, STREAM), width=3.2, colour=INK)
    d.arrow((first + 16, STREAM), (second - 16, STREAM), width=3.2, colour=INK)
    d.arrow((second + 16, STREAM), (748, STREAM), width=3.2, colour=INK)
    d.text(415, STREAM + 20, "$y$")
    d.text(738, STREAM + 24, "$z$")
    d.text(240, STREAM + 46, "the residual stream: nothing but additions", colour=SOFT, anchor="start")
    return d
