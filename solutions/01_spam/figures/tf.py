import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing


def draw():
    picture = Drawing(250, "Three term frequencies", "How raw, log and binary term frequency grow with the count.")

    def at(x, y):
        return 120 + 80 * x, 200 - 40 * y

    picture.line([at(0, 4.5), at(0, 0), at(5.2, 0)], GREY)
    curves = {"raw": (lambda c: c, BLUE), "log": (lambda c: 1 + math.log(c), ORANGE), "binary": (lambda c: 1, GREEN)}
    for name, (kind, colour) in curves.items():
        last = 4 if name == "raw" else 5
        picture.line([at(c / 20, kind(c / 20)) for c in range(20, 20 * last + 1)], colour, width=2.4)
        for count in range(1, last + 1):
            picture.circle(*at(count, kind(count)), colour=colour, radius=4)
        x, y = at(last, kind(last))
        picture.text(x + 12, y, f"{name}: {kind(2):.4g} at a count of 2", size=14, anchor="start")
    for count in range(6):
        picture.text(at(count, 0)[0], 214, count, size=12, colour=SOFT)
    picture.text(320, 236, "count of the word in the document", size=13, colour=SOFT)
    picture.text(65, 100, "term\nfrequency", size=13, colour=SOFT)
    return picture
