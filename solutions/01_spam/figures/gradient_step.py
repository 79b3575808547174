import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, RED, SOFT, Drawing

H, Y = 2, 1


def forward(w, b):
    z = w * H + b
    p = 1 / (1 + math.exp(-z))
    return z, p, -math.log(p)


def draw():
    w, b = 0.0, 0.0
    z, p, loss = forward(w, b)
    error = p - Y
    picture = Drawing(300, "One step of gradient descent", "Forward to the loss, back to the gradients, then one step.")
    row = [(80, f"$w$ = {w:g}, $b$ = {b:g}", ORANGE, 120), (265, f"$z$ = {z:g}", BLUE, 100)]
    row += [(430, f"$p$ = {p:g}", BLUE, 100), (640, f"loss = {loss:.3f}", GREEN, 130)]
    notes = ("weights", "$wh + b$, $h$ = 2", "$σ(z)$", "$-ln p$, $y$ = 1")
    for (x, words, colour, width), note in zip(row, notes, strict=True):
        picture.box(x, 60, words, colour, width=width, note=note)
    for start, end in ((142, 212), (317, 377), (482, 572)):
        picture.arrow((start, 60), (end, 60))
    picture.arrow((640, 108), (495, 150), colour=RED, dashed=True)
    picture.box(415, 155, f"$p - y$ = {error:g}", RED, width=150, note="error")
    picture.arrow((338, 155), (243, 155), colour=RED, dashed=True)
    picture.box(132, 155, f"gradients {error * H:g}, {error:g}", RED, width=216, note="error · $h$, error")
    z2, p2, loss2 = forward(w - error * H, b - error)
    picture.arrow((44, 178), (44, 233), label="minus the gradient, step size 1")
    words = f"$w$ = {w - error * H:g}, $b$ = {b - error:g}:   $z$ = {z2:g},   $p$ = {p2:.3f},   loss = {loss2:.3f}"
    picture.box(252, 256, words, GREEN, width=460, height=42)
    picture.text(605, 256, "less surprised than before", size=13, colour=SOFT)
    return picture
