"""Sinusoidal positions as the hands of clocks: a fast one and a slow one."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, Drawing


def draw():
    picture = Drawing(
        270,
        "Positions as hands of a clock",
        "With width 4 there are two hands. The fast one turns by 1 radian with each position, the slow one by 0.01. "
        "The table holds the sine and cosine of each.",
    )
    for p in range(4):
        x = 130 + 170 * p
        for y, rate, colour in [(75, 1.0, ORANGE), (160, 0.01, BLUE)]:
            picture.circle(x, y, " ", GREY, radius=32)
            angle = p * rate
            picture.arrow((x, y), (x + 30 * math.sin(angle), y - 30 * math.cos(angle)), colour=colour, width=2)
        numbers = [math.sin(p), math.cos(p), math.sin(p / 100), math.cos(p / 100)]
        picture.matrix(x - 76, 215, [numbers], GREEN, cell=(38, 28), shade=False)
        picture.text(x, 24, f"position {p}", size=13)
    picture.text(26, 75, "fast", size=13, anchor="start")
    picture.text(26, 160, "slow", size=13, anchor="start")
    return picture
