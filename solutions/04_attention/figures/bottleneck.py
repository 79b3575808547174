"""Everything that a decoder knows passes through one vector."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, RED, Drawing

SOURCE, TARGET = "7 mars 2024; 1/5/98; 2. Juni 2031", "2024-03-07 1998-05-01 2031-06-02"


def draw():
    picture = Drawing(
        150,
        "The bottleneck",
        f"A source of three dates, {SOURCE}, is read into one vector, and the three ISO dates are written from that "
        "vector alone.",
    )
    picture.box(138, 75, SOURCE, BLUE, width=248, note=f"source: {len(SOURCE)} characters", size=13)
    picture.arrow((264, 75), (314, 75), colour=GREY)
    picture.box(375, 75, "one vector", RED, width=118, height=46, note="64 numbers here, 256 in chapter 03")
    picture.arrow((436, 75), (486, 75), colour=GREY)
    picture.box(616, 75, TARGET, GREEN, width=256, note=f"target: {len(TARGET)} characters", size=13)
    picture.text(289, 34, "encoder reads", size=13)
    picture.text(461, 34, "decoder writes", size=13)
    return picture
