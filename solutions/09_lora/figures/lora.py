"""LoRA beside a linear layer, with the numbers of the worked example."""

import numpy as np

from autograder.authoring.drawing import GREEN, GREY, INK, ORANGE, SOFT, Drawing

W, b = np.array([[1.0, 0.0], [2.0, -1.0], [0.5, 0.5]]), np.array([0.0, 1.0, 2.0])
A, B, x, scale = np.array([[3.0, 1.0]]), np.array([[2.0], [0.0], [-1.0]]), np.array([1.0, 2.0]), 0.5


def said(v) -> str:
    """Return a vector as (1, 2)."""
    return "(" + ", ".join(f"{n:g}" for n in v) + ")"


def draw():
    base, low = W @ x + b, A @ x
    update = scale * (B @ low)
    picture = Drawing(
        330,
        "LoRA beside W",
        f"x = {said(x)} takes two ways. Through the frozen W it becomes {said(W @ x)}; with "
        f"b = {said(b)} added, {said(base)}. Through A it becomes the single number {low[0]:g}, through B and the "
        f"scale {said(update)}. Their sum is {said(base + update)}.",
    )
    picture.box(75, 165, said(x), GREY, width=90, note="x (in = 2)")
    picture.arrow((122, 150), (262, 92))
    picture.arrow((122, 180), (217, 246))
    picture.matrix(265, 45, W.tolist(), GREY, digits=1, note=f"W (3, 2) and b = {said(b)}, frozen", cell=(50, 30))
    picture.arrow((368, 90), (552, 152))
    picture.text(470, 86, f"{said(W @ x)} + $b$\n= {said(base)}", anchor="start")
    picture.matrix(220, 232, A.tolist(), ORANGE, digits=0, note="A (1, 2), trained")
    picture.arrow((314, 247), (388, 247))
    picture.text(351, 232, f"{low[0]:g}")
    picture.matrix(391, 202, B.tolist(), ORANGE, digits=0, note="B (3, 1), trained")
    picture.arrow((440, 232), (554, 178), colour=ORANGE)
    picture.text(505, 231, f"times $α/r$ = {scale:g}\n{said(update)}", anchor="start")
    picture.circle(572, 165, "+", SOFT, radius=18, size=18)
    picture.arrow((592, 165), (642, 165))
    picture.box(693, 165, said(base + update), GREEN, width=98, note="y (out = 3)")
    picture.text(75, 120, "the input", size=13, colour=SOFT)
    picture.text(330, 24, "the layer as it was", size=13, colour=INK)
    return picture
