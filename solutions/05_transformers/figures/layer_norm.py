"""Layer normalisation of one token, with the numbers of exercise 1."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

X = [1.0, 2.0, 3.0, 4.0]


def draw() -> Drawing:
    mean = sum(X) / len(X)
    deviation = (sum((x - mean) ** 2 for x in X) / len(X)) ** 0.5
    centred = [x - mean for x in X]
    d = Drawing(250, "Layer normalisation", "One token less its mean, over its standard deviation.")
    cell = (76, 40)
    for y, row, colour, label in [
        (26, X, BLUE, "one token, (C,)"),
        (106, centred, ORANGE, "around 0"),
        (186, [c / deviation for c in centred], GREEN, "of size 1"),
    ]:
        d.matrix(60, y, [row], colour, cell=cell, digits=1 if colour != GREEN else 3)
        d.text(380, y + 20, label, colour=SOFT, anchor="start")
    d.arrow((212, 66), (212, 106))
    d.arrow((212, 146), (212, 186))
    d.text(500, 86, f"less the mean, {mean:g}", anchor="start")
    d.text(500, 166, f"over the standard deviation, {deviation:.3f}", size=14, anchor="start")
    return d
