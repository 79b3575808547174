"""One step of the training loop with the numbers of the example."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

W, X, Y, RATE, CLIP = 2.0, 1.0, 0.0, 0.1, 1.0


def draw():
    out = W * X
    loss, slope = (out - Y) ** 2, 2 * (out - Y) * X
    clipped = slope * min(1, CLIP / abs(slope))
    new = W - RATE * clipped
    picture = Drawing(300, "The training loop", f"Forward gives {out:g}, the loss is {loss:g}, the gradient {slope:g} is clipped to "
                      f"{clipped:g}, and the step takes the weight from {W:g} to {new:g}; then the next batch.")
    top = ((110, "forward", f"{W:g} · {X:g} = {out:g}", BLUE), (290, "loss", f"({out:g} - {Y:g})² = {loss:g}", BLUE),
           (470, "zero_grad", "w.grad = 0", GREY), (650, "backward", f"w.grad = {slope:g}", RED))
    low = ((650, "clip at 1", f"w.grad = {clipped:g}", RED), (470, "step", f"w = {W:g} - {RATE} · {clipped:g} = {new:g}", GREEN),
           (290, "schedule", f"rate = {RATE / 2:g}", GREY))
    for y, row in ((70, top), (170, low)):
        for x, name, value, colour in row:
            picture.box(x, y, f"{name}\n{value}", colour, width=150, height=54, size=14)
    for x in (185, 365, 545):
        picture.arrow((x, 70), (x + 29, 70), dashed=False)
    picture.arrow((650, 98), (650, 142))
    for x in (575, 395):
        picture.arrow((x, 170), (x - 29, 170))
    picture.line([(215, 170), (110, 170)])
    picture.arrow((110, 170), (110, 98))
    picture.text(100, 150, "next\nbatch", size=13, colour=SOFT, anchor="end")
    picture.arrow((290, 198), (290, 242), dashed=True)
    picture.text(300, 220, "every so many steps", size=12, colour=SOFT, anchor="start")
    picture.box(290, 266, "evaluate: eval mode, no gradients; then back to train mode", ORANGE, width=440, height=40, size=14)
    return picture
