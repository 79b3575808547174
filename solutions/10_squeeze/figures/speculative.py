"""Target and draft as bars: what both share is kept, what the target has above the draft is the residual."""

from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

TARGET, DRAFT = (0.5, 0.3, 0.2), (0.3, 0.6, 0.1)
SCALE, BASE, WIDE = 240, 190, 62


def bar(picture, x, low, high, colour, **more):
    """Draw one bar from probability `low` to `high`, with its height in it."""
    height = SCALE * (high - low)
    picture.box(x, BASE - SCALE * low - height / 2, f"{high - low:.1f}", colour, width=WIDE, height=height, **more)


def draw():
    kept = [min(p, q) for p, q in zip(TARGET, DRAFT, strict=True)]
    picture = Drawing(
        250,
        "Keep, or draw from the rest",
        "Three tokens. The target has probabilities 0.5, 0.3 and 0.2, the draft 0.3, 0.6 and 0.1. Kept of the draft "
        "are the smaller of both, 0.3, 0.3 and 0.1. Rejected is 0.3 of the second token; it goes to the residual, "
        "0.2 to the first token and 0.1 to the third, which makes the target.",
    )
    for i, (p, q, k) in enumerate(zip(TARGET, DRAFT, kept, strict=True)):
        left, right = 90 + 76 * i, 490 + 76 * i
        bar(picture, left, 0, k, BLUE)
        if q > k:
            bar(picture, left, k, q, GREY, dashed=True)
        bar(picture, right, 0, k, BLUE)
        if p > k:
            bar(picture, right, k, p, ORANGE)
        picture.text(left, 206, f"token {i}", size=12, colour=SOFT)
        picture.text(right, 206, f"token {i}", size=12, colour=SOFT)
    picture.text(166, 230, "the draft $q$")
    picture.text(566, 230, "the target $p$")
    picture.text(340, 160, "kept: 0.7", size=14, colour=BLUE)
    picture.text(243, 66, "rejected: 0.3", size=14, colour=SOFT, anchor="start")
    picture.arrow((345, 66), (445, 66), colour=ORANGE)
    picture.text(538, 66, "drawn from the residual:\n0.2 and 0.1, divided by 0.3", size=13, anchor="start")
    return picture
