"""One row of similarities, sharpened by temperature."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

SCORES, TEMPERATURES = (0.9, 0.7, 0.1), (1.0, 0.2, 0.05)


def draw():
    table = []
    for t in TEMPERATURES:
        weights = [math.exp(s / t) for s in SCORES]
        table.append([w / sum(weights) for w in weights])
    told = "; ".join(f"temperature {t:g}: " + ", ".join(f"{p:.2f}" for p in row)
                     for t, row in zip(TEMPERATURES, table, strict=True))
    picture = Drawing(240, "Temperature sharpens a row", f"Similarities 0.9, 0.7, 0.1 become probabilities. {told}.")
    picture.matrix(40, 100, [list(SCORES)], BLUE, cell=(56, 36), digits=1, top=["right", "near", "far"],
                   note="similarities")
    for column, (t, row) in enumerate(zip(TEMPERATURES, table, strict=True)):
        left, floor = 285 + 165 * column, 180
        picture.text(left + 48, 28, f"$τ$ = {t:g}", size=16, bold=True)
        for i, p in enumerate(row):
            x, top = left + 48 * i, floor - 110 * p
            colour = GREEN if i == 0 else GREY
            picture.polygon([(x - 18, floor), (x - 18, top), (x + 18, top), (x + 18, floor)], colour, 0.55)
            picture.text(x, top - 12, f"{p:.2f}", size=14)
        picture.line([(left - 24, floor), (left + 120, floor)], SOFT)
        picture.text(left + 48, 203, ("nearly even", "clear", "all or nothing")[column], size=13, colour=SOFT)
    picture.arrow((215, 118), (244, 118), width=2)
    picture.text(440, 226, "a grey bar: how hard that text is pushed away, times 1/$τ$", size=13, colour=SOFT)
    return picture
