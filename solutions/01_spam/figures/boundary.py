from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

SPAM, HAM = [(2, 0), (3, 1), (3.3, 0.3), (2.6, 1.4), (3.6, 1.8)], [(0, 2), (1, 3), (0.6, 1.5), (1.6, 2.4), (0.3, 0.6)]


def draw():
    picture = Drawing(320, "A line between spam and ham", "Messages as points; where the score is 0 runs the border.")

    def at(x, y):
        return 170 + 95 * x, 265 - 72 * y

    picture.polygon([at(0.4, 0), at(4.2, 0), at(4.2, 3.3), at(3.15, 3.3)], ORANGE, 0.08)
    picture.line([at(0, 3.35), at(0, 0), at(4.25, 0)], GREY)
    picture.line([at(0.4, 0), at(3.15, 3.3)], SOFT, width=2.4)
    for points, colour in ((SPAM, ORANGE), (HAM, BLUE)):
        for point in points:
            picture.circle(*at(*point), colour=colour, radius=6)
    picture.text(*at(3.15, 3.42), "$z = 0$", size=15)
    picture.text(*at(3.75, 2.6), "spam: $z > 0$")
    picture.text(*at(0.95, 3.42), "ham: $z < 0$")
    picture.text(*at(2.1, -0.36), "TF-IDF of prize", size=13, colour=SOFT)
    picture.text(95, 150, "TF-IDF\nof bus", size=13, colour=SOFT)
    return picture
