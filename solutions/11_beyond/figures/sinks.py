"""What a cache of two sinks and a window of four holds after ten tokens: the worked example."""

from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

LENGTH, WINDOW, SINKS = 10, 4, 2


def draw():
    kept = [i for i in range(LENGTH) if i < SINKS or i >= LENGTH - WINDOW]
    picture = Drawing(
        170,
        "A streaming cache",
        f"{LENGTH} tokens. The cache keeps the first {SINKS}, the sinks, and the last {WINDOW}, the window: {kept}. "
        "When the next token comes, position 6 is dropped.",
    )
    for i in range(LENGTH + 1):
        x, colour = 66 + 63 * i, ORANGE if i < SINKS else BLUE if i in kept else GREY
        picture.box(x, 80, str(i), colour, width=50, dashed=i not in kept)
    picture.text(97, 30, "sinks", size=13, colour=SOFT)
    picture.text(286, 30, "dropped", size=13, colour=SOFT)
    picture.text(538, 30, "window", size=13, colour=SOFT)
    picture.text(696, 30, "next", size=13, colour=SOFT)
    picture.arrow((696, 106), (444, 106), bend=34, dashed=True)
    picture.text(570, 152, "when it comes, 6 goes", size=12, colour=SOFT)
    return picture
