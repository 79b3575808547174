"""A row of scores, read at once or tile by tile with three numbers kept."""

import math

from autograder.authoring.drawing import GREEN, PURPLE, SOFT, Drawing

TWO = math.log(2)
READ = [(0.0, 0.0), (TWO, TWO)]  # score and value of each tile


def draw():
    picture = Drawing(
        245,
        "Softmax in tiles",
        "Of the scores read so far three things are kept: the largest, m; the total, l; the weighted sum of values, o. "
        "At the score 0 nothing is kept of what was there; at the score 0.69 half of it, before the new is added.",
    )
    steps = [(-math.inf, 0.0, 0.0)]
    for i, (score, value) in enumerate(READ):
        m, total, output = steps[-1]
        largest = max(m, score)
        keep, new = math.exp(m - largest), math.exp(score - largest)
        steps.append((largest, keep * total + new, keep * output + new * value))
        x = 245 + 200 * i
        was = "(-∞ - 0)" if i == 0 else f"({m:g} - {largest:.2f})"
        picture.text(x - 26, 145, f"keeps e^{was} = {keep:.2g}", size=13, anchor="start")
        picture.text(x - 26, 169, f"l: {keep:.2g} × {total:g} + {new:g} = {steps[-1][1]:g}", size=13, anchor="start")
        words = f"o: {keep:.2g} × {output:g} + {new:g} × {value:.2g} = {steps[-1][2]:.2g}"
        picture.text(x - 26, 193, words, size=13, anchor="start")
    titles = ("nothing read", "score 0, value 0", "score 0.69, value 0.69")
    for i, (when, kept) in enumerate(zip(titles, steps, strict=True)):
        x = 30 + 200 * i
        picture.text(x + 66, 30, when, size=14)
        cells = ["-∞" if kept[0] == -math.inf else kept[0], *kept[1:]]
        picture.matrix(x, 82, [cells], PURPLE, cell=(44, 34), top=["m", "l", "o"], shade=False)
        if i:
            picture.arrow((x - 64, 99), (x - 6, 99))
    picture.arrow((566, 99), (634, 99), colour=GREEN)
    picture.text(598, 84, "o / l", size=14)
    picture.matrix(642, 82, [[steps[-1][2] / steps[-1][1]]], GREEN, cell=(66, 34), digits=4, shade=False)
    picture.text(675, 128, "the output", size=12, colour=SOFT)
    says = "m: the largest score; l: the total of exp(s - m); o: the sum of the values, each times exp(s - m)"
    picture.text(30, 225, says, size=12, colour=SOFT, anchor="start")
    return picture
