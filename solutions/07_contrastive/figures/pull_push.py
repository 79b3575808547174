"""Three pairs on a circle: at the start, pulled only, pulled and pushed."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

STAGES = {
    "at the start": ((70, 250), (150, 20), (330, 190)),
    "only pulled together": ((96, 100), (86, 91), (79, 83)),
    "pulled together, pushed apart": ((84, 96), (204, 216), (324, 336)),
}


def draw():
    picture = Drawing(
        255,
        "Why negatives matter",
        "Three pairs of vectors on a circle. First they lie anywhere. With pulling alone all six end in one place: "
        "collapse. With pulling and pushing each pair lies together and the pairs lie far from one another.",
    )
    for column, (title, pairs) in enumerate(STAGES.items()):
        cx, cy, radius = 135 + 245 * column, 135, 78
        ring = [(cx + radius * math.cos(t / 30 * math.pi), cy + radius * math.sin(t / 30 * math.pi)) for t in range(61)]
        picture.line(ring, GREY, width=1.2)
        picture.text(cx, 26, title, size=14, bold=True)
        for pair, colour in zip(pairs, (BLUE, ORANGE, GREEN), strict=True):
            at = [(cx + radius * math.cos(math.radians(a)), cy - radius * math.sin(math.radians(a))) for a in pair]
            picture.line(at, colour, dashed=True)
            for x, y in at:
                picture.circle(x, y, colour=colour, radius=6)
        said = ("a colour is a pair", "perfect agreement, nothing told", "agreement and information")[column]
        picture.text(cx, 237, said, size=13, colour=SOFT)
    return picture
