"""The table of scores: twice the length, four times the cells."""

from autograder.authoring.drawing import BLUE, PURPLE, Drawing


def draw():
    picture = Drawing(
        285,
        "The price: a table of T x T",
        "Four tokens have 16 scores, eight tokens 64. Read in tiles of keys, only one strip exists at a time.",
    )
    for x, length, note in [(60, 4, "T = 4: 16 scores"), (250, 8, "T = 8: 64 scores")]:
        picture.matrix(x, 50, [[""] * length] * length, PURPLE, cell=(24, 24))
        picture.text(x + 12 * length, 25, note, size=14)
    for column in range(8):
        here = column in (2, 3)
        picture.matrix(530 + 24 * column, 50, [["" if here else None]] * 8, PURPLE, cell=(24, 24))
    picture.text(626, 25, "in tiles: one strip at a time", size=14)
    picture.text(215, 264, "twice the length, four times the table", size=13)
    picture.text(626, 264, "the same work, memory T x tile", size=13)
    picture.line([(486, 30), (486, 250)], BLUE, width=1, dashed=True)
    return picture
