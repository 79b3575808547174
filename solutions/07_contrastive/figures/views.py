"""SimCLR's table for three images: six views, the diagonal left out, the partner marked."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

N = 3


def draw():
    names = [f"{image}{view}" for view in "′″" for image in "abc"[:N]]
    picture = Drawing(
        300,
        "Two views of three images",
        "A table of six views with themselves. The diagonal, a view with itself, is left out. In each row the partner, "
        "the other view of the same image, is the right answer; the other four are negatives.",
    )
    rows = [["partner" if j == (i + N) % (2 * N) else "itself" if i == j else "other" for j in range(2 * N)]
            for i in range(2 * N)]
    cell, left, top = (62, 36), 90, 50
    for i, row in enumerate(rows):
        for j, kind in enumerate(row):
            words = {"partner": "partner", "itself": "-∞", "other": ""}[kind]
            colour = {"partner": GREEN, "itself": GREY, "other": BLUE}[kind]
            picture.matrix(left + cell[0] * j, top + cell[1] * i, [[words]], colour, cell=cell)
    for i, name in enumerate(names):
        picture.text(left - 22, top + cell[1] * (i + 0.5), name, size=15)
        picture.text(left + cell[0] * (i + 0.5), top - 16, name, size=15)
    picture.text(left + 186, 284, "scores (2N, 2N)", size=13, colour=SOFT)
    for y, words in ((100, "a′ and a″ are two views of image a"), (135, "each row: one right answer,"),
                     (157, "2N - 2 = 4 negatives,"), (179, "never the view itself")):
        picture.text(490, y, words, size=14, anchor="start")
    return picture
