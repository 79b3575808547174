"""Everything that a decoder knows passes through one vector."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, RED, Drawing


def draw():
    picture = Drawing(
        230, "The bottleneck", "Three dates are read into one vector of 64 numbers, and all is written from it."
    )
    dates = [("7 mars 2024", "2024-03-07"), ("1/5/98", "1998-05-01"), ("2. Juni 2031", "2031-06-02")]
    for y, (source, target) in zip((55, 115, 175), dates, strict=True):
        picture.box(105, y, source, BLUE, width=150)
        picture.box(655, y, target, GREEN, width=150)
        picture.arrow((182, y), (318, 115 + (y - 115) * 0.15), colour=GREY)
        picture.arrow((442, 115 + (y - 115) * 0.15), (578, y), colour=GREY)
    picture.box(380, 115, "one vector", RED, width=120, height=46, note="(64,), however long the source")
    picture.text(250, 35, "encoder reads", size=13)
    picture.text(510, 35, "decoder writes", size=13)
    return picture
