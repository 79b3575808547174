"""SimCLR in training and afterwards: the loss sees g(f(x)), the probe sees f(x)."""

import inspect

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing
from helpers.chapters.contrastive.encoders import ImageEncoder

SIZES = inspect.signature(ImageEncoder).parameters
WIDE, NARROW = SIZES["d_model"].default, SIZES["projected"].default
ENCODER, VECTOR, HEAD, AFTER = 262, 376, 494, 596  # the middles of f, f(x), g and g(f(x))
CELL = 12  # pixels of a cell, which stands for 16 numbers


def vector(d: Drawing, x: float, y: float, size: int, colour: str) -> None:
    """Draw a vector around (x, y), the longer the more numbers it has."""
    cells = size // 16
    d.matrix(x - CELL * cells / 2, y - 12, [[""] * cells], colour, cell=(CELL, 24))


def draw() -> Drawing:
    d = Drawing(
        392,
        "Encoder, projection head and probe",
        f"In training two views of an image go through the encoder f, which gives {WIDE} numbers, and the head "
        f"g, which makes {NARROW} of them; the loss compares what comes out of g, and its gradient goes back into "
        "g and f. Afterwards f is frozen, and a linear probe learns from f(x) and a few labels. g is thrown away.",
    )
    d.text(20, 28, "training, without labels", bold=True, anchor="start")
    d.box(58, 108, "image $x$", GREY, width=80)
    for side, name in ((-1, "x′"), (1, "x″")):
        y = 108 + 34 * side
        d.arrow((99, 108 + 8 * side), (129, y))
        d.box(156, y, f"${name}$", GREY, width=50, height=34)
        d.arrow((182, y), (218, y))
        d.arrow((304, y), (338, y))
        vector(d, VECTOR, y, WIDE, BLUE)
        d.arrow((414, y), (450, y))
        d.arrow((538, y), (580, y))
        vector(d, AFTER, y, NARROW, GREEN)
        d.arrow((610, y), (640, 108 + 12 * side))
    d.text(156, 48, "two views", size=12, colour=SOFT)
    d.text(VECTOR, 50, f"$f(x)$: {WIDE} numbers", size=13)
    d.text(HEAD + 52, 50, f"$g(f(x))$: {NARROW} numbers", size=13, anchor="start")
    d.box(ENCODER, 108, "$f$\nencoder", PURPLE, width=84, height=110)
    d.box(HEAD, 108, "$g$\nhead", GREEN, width=84, height=110)
    d.box(690, 108, "NT-Xent", ORANGE, width=94, height=48)
    d.line([(690, 134), (690, 192), (ENCODER, 192)], ORANGE, dashed=True)
    for x in (HEAD, ENCODER):
        d.arrow((x, 192), (x, 166), colour=ORANGE, dashed=True)
    d.text(596, 207, "the gradient", size=12, colour=SOFT)

    d.text(20, 236, "afterwards, with a few labels", bold=True, anchor="start")
    d.box(58, 284, "image $x$", GREY, width=80, note="its label: 3")
    d.arrow((99, 284), (218, 284))
    d.box(ENCODER, 284, "$f$\nfrozen", PURPLE, width=84, height=60)
    d.arrow((304, 284), (338, 284))
    vector(d, VECTOR, 284, WIDE, BLUE)
    d.text(VECTOR, 260, "$f(x)$", size=13)
    d.arrow((414, 284), (450, 284), colour=BLUE, width=2.2)
    d.box(523, 284, "linear probe", BLUE, width=142, height=48)
    d.arrow((596, 284), (640, 284), colour=BLUE, width=2.2)
    d.box(690, 284, "3?", BLUE, width=94, height=40)
    d.line([(VECTOR, 297), (VECTOR, 352)], GREY, dashed=True)
    d.arrow((VECTOR, 352), (450, 352), colour=GREY, dashed=True)
    d.box(HEAD, 352, "$g$", GREY, width=84, height=36, dashed=True)
    d.arrow((538, 352), (580, 352), colour=GREY, dashed=True)
    vector(d, AFTER, 352, NARROW, GREY)
    d.text(620, 352, "thrown away", size=13, colour=SOFT, anchor="start")
    return d
