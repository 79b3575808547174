"""DPO: four log-probabilities of a pair, one margin, one loss."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, RED, SOFT, Drawing

BETA, POLICY, REFERENCE = 0.5, (-10.0, -12.0), (-11.0, -11.0)


def draw():
    moved = [p - r for p, r in zip(POLICY, REFERENCE, strict=True)]
    margin = BETA * (moved[0] - moved[1])
    p = 1 / (1 + math.exp(-margin))
    picture = Drawing(
        300,
        "From a pair to the loss of DPO",
        "The chosen answer has log-probability -10 under the policy and -11 under the reference: "
        "moved by +1. The rejected one: -12 and -11, moved by -1. The difference times beta, 0.5 (1 + 1) = 1, goes "
        f"through the sigmoid: {p:.3f}. The loss is {-math.log(p):.3f}.",
    )
    picture.text(235, 30, "policy", size=13, colour=SOFT)
    picture.text(345, 30, "reference", size=13, colour=SOFT)
    picture.text(470, 30, "moved by", size=13, colour=SOFT)
    for y, name, colour, i in ((80, "chosen", GREEN, 0), (200, "rejected", RED, 1)):
        picture.box(80, y, name, colour, width=110, note="answer of the pair")
        picture.arrow((137, y), (188, y))
        picture.box(235, y, f"{POLICY[i]:g}", BLUE, width=90, note=r"log $π$")
        picture.text(290, y, "-", size=18)
        picture.box(345, y, f"{REFERENCE[i]:g}", GREY, width=90, note="frozen")
        picture.arrow((392, y), (433, y))
        picture.box(470, y, f"{moved[i]:+g}", colour, width=70)
    picture.arrow((507, 88), (546, 126))
    picture.arrow((507, 192), (546, 154))
    picture.text(610, 104, f"$β$ = {BETA:g}", size=13, colour=SOFT)
    picture.box(610, 140, f"{BETA:g} (1 + 1) = {margin:g}", ORANGE, width=124, size=14)
    picture.arrow((610, 162), (610, 206))
    picture.text(620, 184, "sigmoid", size=12, colour=SOFT, anchor="start")
    picture.box(610, 228, f"{p:.3f}", ORANGE, width=96)
    picture.text(610, 266, f"loss = -ln {p:.3f} = {-math.log(p):.3f}", size=14, colour=INK)
    return picture
