"""Features split into heads, and joined again."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, Drawing

ROWS = [[1, 2, 3, 4], [5, 6, 7, 8]]


def draw():
    picture = Drawing(
        260,
        "Two heads",
        "Two tokens with four features are split by columns: head 0 gets features 0 and 1 of both tokens, head 1 "
        "features 2 and 3. Each attends by itself, and the results are joined and mixed by W_O.",
    )
    half = (32, 30)
    for at, colour in [(0, ORANGE), (2, BLUE)]:
        picture.matrix(62 + 32 * at, 100, [row[at : at + 2] for row in ROWS], colour, cell=half, shade=False)
    for i in range(2):
        picture.text(55, 115 + 30 * i, f"token {i}", size=12, anchor="end")
    picture.text(126, 178, "(T, C) = (2, 4)", size=12)
    for y, h, colour in [(50, 0, ORANGE), (155, 1, BLUE)]:
        picture.arrow((194, 130), (262, y + 30), colour=colour)
        part = [row[2 * h : 2 * h + 2] for row in ROWS]
        picture.matrix(268, y, part, colour, cell=half, shade=False, note=f"head {h}: (2, 2)")
        picture.arrow((336, y + 30), (392, y + 30), colour=colour)
        picture.box(438, y + 30, "attention", PURPLE, width=88, height=38)
        picture.arrow((484, y + 30), (544, 130), colour=colour)
    for at, colour in [(0, ORANGE), (2, BLUE)]:
        picture.matrix(550 + 24 * at, 100, [["", ""], ["", ""]], colour, cell=(24, 30))
    picture.text(598, 178, "joined: (2, 4)", size=12)
    picture.arrow((650, 130), (688, 130), colour=GREEN)
    picture.text(668, 110, "$W_O$", size=14)
    picture.box(718, 130, "Y", GREEN, width=46, height=60)
    picture.text(300, 25, "split by columns", size=13)
    picture.text(598, 85, "side by side", size=13)
    return picture
