"""The five layouts of networks over time."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

LAYOUTS = (  # name, example, steps with an input, steps with an output, steps
    ("one to one", "no time", {0}, {0}, 1),
    ("one to many", "describe", {0}, {0, 1, 2}, 3),
    ("many to one", "classify", {0, 1, 2}, {2}, 3),
    ("many to many", "tag, predict", {0, 1, 2}, {0, 1, 2}, 3),
    ("through one state", "translate", {0, 1}, {2, 3}, 4),
)


def draw():
    picture = Drawing(
        235,
        "Five layouts",
        "One to one, one to many, many to one, many to many in step, and an encoder that reads "
        "two inputs before a decoder writes two outputs.",
    )
    left = 44
    for name, example, reads, writes, steps in LAYOUTS:
        for t in range(steps):
            x = left + 38 * t
            if t in writes:
                picture.box(x, 40, "$y$", ORANGE, width=29, height=30)
                picture.arrow((x, 80), (x, 57))
            picture.box(x, 96, "$h$", GREEN, width=29, height=30)
            if t in reads:
                picture.box(x, 152, "$x$", BLUE, width=29, height=30)
                picture.arrow((x, 136), (x, 113))
            if t:
                picture.arrow((x - 23, 96), (x - 15.5, 96), width=1.2)
        middle = left + 19 * (steps - 1)
        picture.text(middle + (12 if steps == 1 else 0), 192, name, size=13)
        picture.text(middle + (12 if steps == 1 else 0), 211, example, size=12, colour=SOFT)
        left += 38 * steps + (62 if steps == 1 else 28)
    return picture
