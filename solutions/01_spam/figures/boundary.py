import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

SPAM, HAM = [(2, 0), (3, 1), (3.3, 0.3), (2.6, 1.4), (3.6, 1.8)], [(0, 2), (1, 3), (0.6, 1.5), (1.6, 2.4), (0.3, 0.6)]


def sigmoid(z):
    return 1 / (1 + math.exp(-z))


def draw():
    picture = Drawing(320, "A line between spam and ham", "Messages and the line where z is 0; the sigmoid.")
    points_and_line(picture)
    curve(picture)
    return picture


def points_and_line(picture):
    def at(x, y):
        return 80 + 74 * x, 265 - 68 * y

    picture.polygon([at(0.4, 0), at(4.2, 0), at(4.2, 3.3), at(3.15, 3.3)], ORANGE, 0.08)
    picture.line([at(0, 3.35), at(0, 0), at(4.25, 0)], GREY)
    picture.line([at(0.4, 0), at(3.15, 3.3)], SOFT, width=2.4)
    for points, colour in ((SPAM, ORANGE), (HAM, BLUE)):
        for point in points:
            picture.circle(*at(*point), colour=colour, radius=6)
    picture.text(*at(3.15, 3.45), "$z = 0$", size=15)
    picture.text(*at(3.6, 2.6), "spam: $z > 0$", size=14)
    picture.text(*at(1.15, 3.45), "ham: $z < 0$", size=14)
    picture.text(*at(2.1, -0.3), "TF-IDF of prize", size=13, colour=SOFT)
    picture.text(40, 150, "TF-IDF\nof bus", size=13, colour=SOFT)


def curve(picture):
    def at(z, p):
        return 600 + 32 * z, 250 - 190 * p

    picture.line([at(-4.2, 0), at(4.2, 0)], GREY)
    picture.line([at(0, 0), at(0, 1.05)], GREY, width=1, dashed=True)
    picture.line([at(-4.2, 1), at(4.2, 1)], SOFT, width=1, dashed=True)
    picture.line([at(i / 10, sigmoid(i / 10)) for i in range(-42, 43)], GREEN, width=2.6)
    for z, dx, dy in ((-2, -10, -18), (0, 32, 4), (2, 24, 16)):
        picture.circle(*at(z, sigmoid(z)), colour=GREEN, radius=5)
        x, y = at(z, sigmoid(z))
        picture.text(x + dx, y + dy, f"{sigmoid(z):.2f}", size=14)
        picture.text(x, 262, f"{z}", size=12, colour=SOFT)
    picture.text(600, 285, "score $z$", size=13, colour=SOFT)
    picture.text(*at(-3.2, 1.12), "$p = σ(z)$", size=14)
