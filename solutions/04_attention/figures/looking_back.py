"""One step of attention: score, weigh, average. The numbers are those of the text."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, Drawing

SCORES = np.array([1.0, 3.0, 0.0])


def draw():
    weights = np.exp(SCORES) / np.exp(SCORES).sum()
    picture = Drawing(
        370,
        "Looking back: score, weigh, average",
        "The decoder's question meets three encoder states, which get the scores 1, 3 and 0, and from them the weights "
        "0.114, 0.844 and 0.042; their weighted average goes back to the decoder.",
    )
    sum_of = " + ".join(f"{w:.3f} $h_{i + 1}$" for i, w in enumerate(weights))
    picture.box(250, 40, sum_of, GREEN, width=310)
    for i, (token, score, weight) in enumerate(zip(["7", "mars", "2024"], SCORES, weights, strict=True)):
        x = 90 + 160 * i
        picture.box(x, 300, token, BLUE, width=80, note=f"state $h_{i + 1}$")
        picture.arrow((x, 278), (x, 165))
        picture.text(x - 10, 192, f"score {score:.0f}", anchor="end", size=14)
        picture.arrow((x + 30, 232), (x + 3, 232), colour=ORANGE)
        picture.box(x, 143, f"{weight:.3f}", PURPLE, width=70)
        picture.arrow((x, 121), (250 + (x - 250) * 0.5, 63), colour=PURPLE, width=0.8 + 5 * weight)
    picture.line([(583, 232), (120, 232)], ORANGE)
    picture.box(640, 232, "month?", ORANGE, width=110, note="the decoder's state asks all")
    picture.arrow((408, 40), (640, 209), colour=GREEN, bend=70)
    picture.text(520, 300, "1. score each state", size=14, anchor="start")
    picture.text(462, 143, "2. softmax", size=14, anchor="start")
    picture.text(430, 18, "3. average", size=14, anchor="start")
    return picture
