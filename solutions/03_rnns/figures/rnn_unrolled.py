"""A recurrent network, as a loop and unrolled."""

import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

X, H0, B = (1.0, 2.0, 1.0), 0.5, -1.5


def draw():
    states = [H0]
    for x in X:
        states.append(math.tanh(x + states[-1] + B))
    picture = Drawing(
        215,
        "A recurrent network, unrolled",
        "Left one box with an arrow back to itself; right the same box three "
        f"times, each fed an input and the state before: {', '.join(f'{h:.2f}' for h in states)}.",
    )
    picture.box(90, 80, "$h$", GREEN, width=60)
    picture.arrow((90, 160), (90, 102))
    picture.box(90, 180, "$x_t$", BLUE, width=60, height=34)
    picture.line([(120, 80), (150, 80), (150, 36), (90, 36)])
    picture.arrow((90, 36), (90, 59))
    picture.text(188, 80, "unrolled:", size=14, colour=SOFT)
    picture.box(262, 80, f"{states[0]:.2f}", GREEN, width=66, note="$h_0$")
    for t, x in enumerate(X, 1):
        left = 262 + 138 * t
        picture.arrow((left - 104, 80), (left - 36, 80))
        picture.text(left - 68, 64, "$W_h$", size=13, colour=SOFT)
        picture.box(left, 80, f"{abs(states[t]) if round(states[t], 2) == 0 else states[t]:.2f}", GREEN, width=68)
        picture.text(left, 44, f"$h_{t}$", size=14)
        picture.arrow((left, 160), (left, 102))
        picture.text(left + 20, 134, "$W_x$", size=13, colour=SOFT)
        picture.box(left, 180, f"$x_{t}$ = {x:g}", ORANGE if t == 0 else BLUE, width=76, height=34)
    picture.text(262, 172, "$b$ = -1.5, all\nweights are 1", size=13, colour=SOFT)
    return picture
