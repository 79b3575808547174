"""One step of attention: score, weigh, average. The numbers are those of the text."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, Drawing

SCORES = np.array([1.0, 3.0, 0.0])


def draw():
    weights = np.exp(SCORES) / np.exp(SCORES).sum()
    picture = Drawing(
        330,
        "Looking back: score, weigh, average",
        "Three encoder states get the scores 1, 3 and 0, from them the weights 0.11, 0.84 and 0.04, "
        "and their weighted average goes to the decoder.",
    )
    sum_of = " + ".join(f"{w:.2f} $h_{i + 1}$" for i, w in enumerate(weights))
    picture.box(250, 40, sum_of, GREEN, width=270)
    for i, (token, score, weight) in enumerate(zip(["7", "mars", "2024"], SCORES, weights, strict=True)):
        x = 90 + 160 * i
        picture.box(x, 275, token, BLUE, width=80, note=f"state $h_{i + 1}$")
        picture.arrow((x, 253), (x, 165))
        picture.text(x + 10, 208, f"score {score:.0f}", anchor="start", size=14)
        picture.box(x, 143, f"{weight:.2f}", PURPLE, width=70)
        picture.arrow((x, 121), (250 + (x - 250) * 0.5, 63), colour=PURPLE, width=0.8 + 5 * weight)
    picture.box(640, 208, "month?", ORANGE, width=110, note="the decoder's state asks")
    picture.arrow((583, 208), (482, 208), colour=ORANGE)
    picture.arrow((387, 40), (640, 185), colour=GREEN, bend=70)
    picture.text(520, 285, "1. score each state", size=14, anchor="start")
    picture.text(462, 143, "2. softmax", size=14, anchor="start")
    picture.text(404, 18, "3. average", size=14, anchor="start")
    return picture
