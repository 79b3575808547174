"""Two steps of a scalar network, and the way back of the gradient."""

import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, RED, SOFT, Drawing

W, U, X, Y = 1.0, 0.5, (1.0, 0.0), (0.0, 1.0)


def draw():
    h = [0.0]
    for x in X:
        h.append(math.tanh(W * x + U * h[-1]))
    errors = [h[t + 1] - Y[t] for t in range(2)]
    second = (1 - h[2] ** 2) * errors[1]
    first = (1 - h[1] ** 2) * (errors[0] + U * second)
    picture = Drawing(
        265,
        "Back through time",
        f"Dashed arrows carry gradients: delta 2 is {second:.2f}; delta 1, made from its own "
        f"error and from delta 2, is {first:.2f}.",
    )
    picture.box(80, 150, "$h_0$ = 0", GREEN, width=84)
    for t, (error, delta) in enumerate(zip(errors, (first, second), strict=True), 1):
        x = 80 + 260 * t
        picture.arrow((x - (217 if t == 1 else 206), 150), (x - 54, 150))
        picture.box(x, 150, f"$h_{t}$ = {h[t]:.2f}", GREEN, width=104)
        picture.arrow((x, 220), (x, 172))
        picture.box(x, 238, f"$x_{t}$ = {X[t - 1]:g}", BLUE, width=84, height=32)
        picture.box(x, 48, f"$h_{t} - y_{t}$ = {error:.2f}", ORANGE, width=138, height=36)
        picture.arrow((x, 68), (x, 128), colour=RED, dashed=True)
        picture.text(x + 62, 190, f"$δ_{t}$ = {delta:.2f}", size=14, colour=RED, anchor="start")
    picture.arrow((547, 134), (393, 134), colour=RED, dashed=True)
    picture.text(470, 112, f"$u δ_2$ = {U * second:.2f}", size=14, colour=RED)
    picture.text(210, 170, "$u$ = 0.5, $b$ = 0", size=13, colour=SOFT)
    picture.text(328, 202, "$w$ = 1", size=13, colour=SOFT, anchor="end")
    picture.text(14, 48, "dashed: gradients", size=13, colour=RED, anchor="start")
    picture.text(14, 68, "solid: values", size=13, colour=SOFT, anchor="start")
    return picture
