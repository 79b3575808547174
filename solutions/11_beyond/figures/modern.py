"""LayerNorm and RMSNorm of one vector, and the gate of SwiGLU, with the numbers of the worked example."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

X, GATE, VALUE = np.array([3.0, 4.0]), np.array([1.0, -1.0]), np.array([2.0, 3.0])
UNIT, OX, OY = 38, 105, 225  # pixels, and where (0, 0) lies


def at(v) -> tuple[float, float]:
    return OX + UNIT * v[0], OY - UNIT * v[1]


def said(v) -> str:
    """Return a vector as (1, 2)."""
    return "(" + ", ".join(f"{n:.2f}".rstrip("0").rstrip(".") for n in v) + ")"


def draw():
    layer = (X - X.mean()) / X.std()
    rms = X / np.sqrt((X**2).mean())
    opened = GATE / (1 + np.exp(-GATE))
    picture = Drawing(
        300,
        "RMSNorm and SwiGLU",
        f"Left, the vector {said(X)} in a plane. LayerNorm makes {said(layer)} of it, in another direction; RMSNorm "
        f"makes {said(rms)}, in the same direction. Right, SwiGLU: the gate {said(GATE)} goes through silu, which "
        f"gives {said(opened)}, and is multiplied number by number with {said(VALUE)}: {said(opened * VALUE)}.",
    )
    picture.line([(OX - 70, OY), (OX + 200, OY)], GREY)
    picture.line([(OX, OY + 40), (OX, OY - 175)], GREY)
    picture.arrow((OX, OY), at(X), colour=SOFT, width=2)
    picture.text(at(X)[0] + 10, at(X)[1] - 2, f"x = {said(X)}", anchor="start")
    picture.arrow((OX, OY), at(rms), colour=GREEN, width=3.4)
    picture.text(at(rms)[0] + 14, at(rms)[1] + 8, f"RMSNorm: {said(rms)}", anchor="start")
    picture.arrow((OX, OY), at(layer), colour=ORANGE, width=3.4)
    picture.text(at(layer)[0] - 10, at(layer)[1] - 22, f"LayerNorm:\n{said(layer)}")
    picture.line([(385, 30), (385, 270)], GREY, dashed=True)
    picture.matrix(415, 60, [GATE.tolist()], ORANGE, digits=0, note="x $W_g$, the gate", shade=False)
    picture.arrow((512, 75), (592, 75))
    picture.text(552, 58, "silu")
    picture.matrix(598, 60, [opened.tolist()], ORANGE, note="how much passes", shade=False, cell=(52, 30))
    picture.matrix(415, 165, [VALUE.tolist()], BLUE, digits=0, note="x $W_u$, the numbers", shade=False)
    picture.arrow((650, 118), (650, 160))
    picture.arrow((512, 180), (629, 180))
    picture.circle(650, 180, "⊙", SOFT, radius=18, size=18)
    picture.arrow((650, 200), (650, 226))
    picture.matrix(598, 230, [(opened * VALUE).tolist()], GREEN, note="then times $W_d$", shade=False, cell=(52, 30))
    return picture
