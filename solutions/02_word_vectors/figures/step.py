from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

CENTRES, STEPS = [0, 2, 0], [(0.0, -0.5), (0.2, 0.0), (0.1, -0.1)]
TABLE = [(1.0, 0.0), (0.0, 1.0), (2.0, 1.0)]


def draw():
    moved = [list(row) for row in TABLE]
    for i, (x, y) in zip(CENTRES, STEPS, strict=True):
        moved[i][0] += x
        moved[i][1] += y
    picture = Drawing(
        250, "A row that comes twice moves twice", "Three steps go back to a table; row 0 moves by the sum of two."
    )
    cell = (58, 36)
    picture.matrix(50, 70, TABLE, BLUE, cell=cell, left=range(3), shade=False, digits=1, note="inputs, (V, d)")
    picture.text(108, 36, "before", bold=True)
    for k, (i, step) in enumerate(zip(CENTRES, STEPS, strict=True)):
        y = 70 + 54 * k
        picture.box(330, y, f"{step[0]:g}, {step[1]:g}", ORANGE, width=112, height=38)
        picture.text(240, y, f"centre {i}", size=13, colour=SOFT)
        picture.arrow((388, y), (534, 88 + 36 * i), colour=ORANGE)
    picture.text(330, 36, "steps of three pairs", bold=True)
    picture.text(330, 218, "minus rate times gradient, (B, d)", size=12, colour=SOFT)
    picture.matrix(560, 70, moved, GREEN, cell=cell, left=range(3), shade=False, digits=1, note="inputs, (V, d)")
    picture.text(618, 36, "after", bold=True)
    picture.text(618, 218, "row 0: both steps", size=12, colour=SOFT)
    return picture
