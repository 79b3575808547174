"""Easy, hard and false negatives around one query."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

TEXTS = (
    (330, 95, "Sort the list in place.", GREEN, "positive"),
    (345, 190, "Return a sorted copy of the list.", ORANGE, "hard negative: near, and wrong"),
    (250, 285, "Sort a list in place, stably.", RED, "false negative: nobody marked it, and it is right"),
    (625, 60, "Draw a circle.", GREY, "easy negative: far, teaches little"),
)


def draw():
    picture = Drawing(
        345,
        "Easy, hard and false negatives",
        "Around the query 'sort in place': the positive is near, a hard negative about sorted copies is near, too, a "
        "false negative says the same as the positive, an easy negative about circles is far.",
    )
    picture.circle(90, 180, colour=BLUE, radius=10)
    picture.text(66, 146, "sort in place", size=15)
    for x, y, words, colour, kind in TEXTS:
        width = 9 * len(words) + 20
        picture.box(x + 30 if x < 600 else x, y, words, colour, width=width, height=36, dashed=colour == RED)
        picture.text(x + 30 if x < 600 else x, y + 31, kind, size=12, colour=SOFT)
    for end in ((236, 112), (200, 186), (140, 268)):
        picture.line([(106, 180 + (end[1] - 180) * 0.17), end], SOFT, dashed=True)
    return picture
