import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

CURVES = {"raw": (lambda c: c, BLUE), "log": (lambda c: 1 + math.log(c), ORANGE), "binary": (lambda c: 1, GREEN)}


def draw():
    picture = Drawing(270, "Three term frequencies", "How raw, log and binary term frequency grow with the count.")

    def at(x, y):
        return 150 + 100 * x, 220 - 45 * y

    for height in range(1, 5):
        picture.line([at(0, height), at(4.2, height)], GREY, width=0.5)
    picture.line([at(0, 4.4), at(0, 0), at(4.3, 0)], GREY)
    for name, (kind, colour) in CURVES.items():
        picture.line([at(c / 20, kind(c / 20)) for c in range(20, 81)], colour, width=2.4)
        for count in range(1, 5):
            picture.circle(*at(count, kind(count)), colour=colour, radius=4)
        x, y = at(4, kind(4))
        picture.text(x + 16, y, f"{name}: {kind(4):.4g}", size=14, anchor="start")
    for count in range(5):
        picture.text(at(count, 0)[0], 236, count, size=12, colour=SOFT)
        picture.text(at(0, count)[0] - 12, at(0, count)[1], count, size=12, colour=SOFT, anchor="end")
    picture.text(at(2, 2)[0] - 12, at(2, 2)[1] - 12, "2", size=13, anchor="end")
    picture.text(at(2, 2)[0] + 10, at(2, 1.69)[1] + 16, f"{1 + math.log(2):.3f}", size=13, anchor="start")
    picture.text(350, 258, "count of the word in the document", size=13, colour=SOFT)
    picture.text(65, 120, "term\nfrequency", size=13, colour=SOFT)
    return picture
