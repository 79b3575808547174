from autograder.authoring.drawing import BLUE, EDGE, GREEN, GREY, INK, ORANGE, SOFT, Drawing

PLACES = {"the docs answer": (-3.0, 0.5, 2.0, 4.5, 6.0), "they do not": (-7.0, -5.5, -4.0, -1.0)}
MIDDLE, UNIT = 380, 44


def draw():
    d = Drawing(
        250,
        "A threshold decides when to be silent",
        "Scores for nine questions, that of the best span less that of [CLS], on a line from -8 to 8. Questions that "
        "the docs answer lie mostly to the right, the others mostly to the left, and they overlap. Right of the "
        "threshold the reader answers, left of it it is silent. At -2.1 it answers four of five and one of the four "
        "that it should not.",
    )
    cut = MIDDLE - 2.1 * UNIT
    for score in (-8, -4, 0, 4, 8):
        x = MIDDLE + UNIT * score
        d.line([(x, 130), (x, 137)], EDGE)
        d.text(x, 150, score, size=12, colour=SOFT)
    for y, (name, scores), colour in zip((78, 130), PLACES.items(), (BLUE, ORANGE), strict=True):
        d.text(30, y - 22, name, size=13, colour=SOFT, anchor="start")
        d.line([(30, y), (730, y)], EDGE)
        for score in scores:
            d.circle(MIDDLE + UNIT * score, y, colour=colour, radius=7)
    d.text(560, 168, "score of the best span less that of [CLS]", size=13, colour=SOFT)
    d.line([(cut, 50), (cut, 172)], INK, dashed=True)
    d.text(cut, 36, "threshold -2.1", size=14)
    d.box(160, 210, "silent", GREY, width=150, height=40)
    d.box(560, 210, "answers", GREEN, width=150, height=40)
    d.arrow((cut - 8, 210), (240, 210))
    d.arrow((cut + 8, 210), (480, 210))
    return d
