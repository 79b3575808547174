"""Three pairs, two of which say the same: the keys that are left out."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

GROUPS = (0, 0, 1)


def draw():
    picture = Drawing(
        215,
        "Left out of the denominator",
        "Three pairs in the groups 0, 0, 1. Query 1 leaves out key 2, query 2 leaves out key 1; their own keys and all "
        "keys of other groups stay.",
    )
    for i, own in enumerate(GROUPS):
        for j, other in enumerate(GROUPS):
            words = "right" if i == j else "left out" if own == other else "negative"
            colour = {"right": GREEN, "left out": GREY, "negative": BLUE}[words]
            picture.matrix(240 + 96 * j, 56 + 44 * i, [[words]], colour, cell=(96, 44))
        picture.text(225, 78 + 44 * i, f"query {i + 1} (group {own})", size=14, anchor="end")
        picture.text(288 + 96 * i, 36, f"key {i + 1}", size=14)
    picture.text(384, 203, "(N, N)", size=12, colour=SOFT)
    return picture
