"""The two tables of scores whose losses one training step averages."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

GROUPS = (0, 0, 1)
COLOURS = {"right": GREEN, "out": GREY, "wrong": BLUE, "hard": ORANGE}
CELL = 58


def draw():
    picture = Drawing(
        235,
        "The two losses of a step",
        "Three queries and three passages in the groups 0, 0, 1, and two hard negatives. In the first table query 1 "
        "leaves out passage 2 and query 2 passage 1. In the second, of all three passages and both hard negatives, "
        "nothing is left out.",
    )
    tables(picture, 90, 3, "masked_info_nce", leave_out=True)
    tables(picture, 400, 5, "info_nce", leave_out=False)
    picture.text(332, 122, "+", size=22)
    picture.text(380, 222, "the loss is the mean of both", size=14, colour=SOFT)
    return picture


def tables(picture, x, columns, name, *, leave_out):
    picture.text(x + CELL * columns / 2, 24, name, size=14, mono=True)
    for j in range(columns):
        column = f"p{j + 1}" if j < 3 else f"h{j - 2}"
        picture.text(x + CELL * (j + 0.5), 52, column, size=13)
        for i in range(3):
            alike = leave_out and j < 3 and GROUPS[i] == GROUPS[j]
            words = "right" if i == j else "hard"
            if i != j and j < 3:
                words = "out" if alike else "wrong"
            picture.matrix(x + CELL * j, 62 + 44 * i, [[words]], COLOURS[words], cell=(CELL, 44))
    for i in range(3):
        picture.text(x - 12, 84 + 44 * i, f"q{i + 1}", size=13, anchor="end")
