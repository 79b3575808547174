"""A row of scores, read at once or tile by tile with three numbers kept."""

import math

from autograder.authoring.drawing import GREEN, GREY, PURPLE, Drawing


def draw():
    two = math.log(2)
    picture = Drawing(
        225,
        "Softmax in tiles",
        "Of the scores read so far three things are kept: the largest, m; the total, l; the weighted sum of values, o. "
        "When the score 0.69 arrives, what was kept is halved before the new is added.",
    )
    steps = [
        ("nothing read", "", ("-∞", 0.0, 0.0)),
        ("after the score 0", "value 0", (0.0, 1.0, 0.0)),
        ("after the score 0.69", "value 0.69", (two, 1 * math.exp(0 - two) + 1, 0 * math.exp(-two) + two)),
    ]
    for i, (when, value, kept) in enumerate(steps):
        x = 30 + 215 * i
        picture.text(x + 69, 30, when, size=14)
        picture.matrix(x, 90, [list(kept)], PURPLE, cell=(46, 34), top=["m", "l", "o"], shade=False)
        if i:
            picture.arrow((x - 73, 107), (x - 4, 107))
            picture.text(x - 38, 148, value, size=12)
            picture.text(x - 38, 170, ["", "l × 0 + 1", "l × 0.5 + 1"][i], size=12)
    picture.arrow((602, 107), (652, 107), colour=GREEN)
    picture.text(626, 148, "o / l", size=14)
    picture.matrix(658, 90, [[two / 1.5]], GREEN, cell=(66, 34), digits=4, shade=False, note="the output")
    says = "m: the largest score; l: the total of exp(s - m); o: the sum of the values, each times exp(s - m)"
    picture.text(30, 205, says, size=13, anchor="start")
    return picture
