"""A GRU cell of one number: all sums are 0 and the state is 1."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

H = 1.0


def draw():
    gate, content = 1 / (1 + math.exp(0)), math.tanh(0)
    new = (1 - gate) * content + gate * H
    picture = Drawing(
        330,
        "A GRU cell",
        f"The state {H:g} times the update gate {gate}, plus the content {content:g} times "
        f"{1 - gate}, is {new:g}. The reset gate acts inside the content.",
    )
    picture.box(66, 60, f"$h$ = {H:g}", GREEN, width=80)
    picture.arrow((106, 60), (174, 60), width=2.4, colour=GREEN)
    picture.circle(192, 60, "×", GREY)
    picture.arrow((209, 60), (364, 60), width=2.4, colour=GREEN)
    picture.circle(382, 60, "+", GREY)
    picture.arrow((399, 60), (646, 60), width=2.4, colour=GREEN)
    picture.box(694, 60, f"$h'$ = {new:g}", GREEN, width=92)
    boxes = (
        (192, "update gate", f"$z$ = {gate}", ORANGE, 88),
        (314, "the rest", f"1 - $z$ = {1 - gate}", ORANGE, 104),
        (478, "content", f"$n$ = tanh($a_n + r d_n$) = {content:g}", BLUE, 200),
        (664, "reset gate", f"$r$ = {gate}", ORANGE, 90),
    )
    for x, name, value, colour, width in boxes:
        picture.box(x, 212, value, colour, width=width, height=38)
        picture.text(x + 8, 242, name, size=13, colour=SOFT, anchor="start")
    for x in (192, 478, 664):
        picture.arrow((x, 276), (x, 233))
    picture.arrow((192, 192), (192, 78))
    picture.arrow((236, 212), (261, 212))
    picture.circle(382, 134, "×", GREY)
    picture.arrow((326, 192), (371, 149))
    picture.arrow((446, 192), (395, 148))
    picture.arrow((382, 117), (382, 78))
    picture.arrow((618, 212), (579, 212))
    picture.box(
        428,
        296,
        "$a = x W_x + b_x$ and $d = h W_h + b_h$ in three parts each: here all are 0",
        GREY,
        width=600,
        height=38,
    )
    return picture
