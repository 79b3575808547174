"""One step of the training loop with the numbers of the example."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

W, X, Y, RATE, CLIP = 2.0, 1.0, 0.0, 0.1, 1.0


def draw():
    out = W * X
    loss, slope = (out - Y) ** 2, 2 * (out - Y) * X
    clipped = slope * min(1, CLIP / abs(slope))
    new = W - RATE * clipped
    picture = Drawing(
        300,
        "The training loop",
        f"Forward gives {out:g}, the loss is {loss:g}, the gradient {slope:g} is clipped to "
        f"{clipped:g}, and the step takes the weight from {W:g} to {new:g}; then the next batch.",
    )
    top = (
        (105, "forward", f"{W:g} · {X:g} = {out:g}", BLUE),
        (290, "loss", f"({out:g} - {Y:g})² = {loss:g}", BLUE),
        (475, "zero_grad", "w.grad = 0", GREY),
        (660, "backward", f"w.grad = {slope:g}", RED),
    )
    low = (
        (660, "clip at 1", f"w.grad = {clipped:g}", RED),
        (475, "step", f"w = {W:g} - {RATE} · {clipped:g} = {new:g}", GREEN),
        (290, "schedule", f"rate = {RATE / 2:g}", GREY),
    )
    for y, row in ((70, top), (170, low)):
        for x, name, value, colour in row:
            picture.box(x, y, f"{name}\n{value}", colour, width=164, height=54, size=14)
    for x in (187, 372, 557):
        picture.arrow((x, 70), (x + 20, 70))
    picture.arrow((660, 98), (660, 142))
    for x in (578, 393):
        picture.arrow((x, 170), (x - 20, 170))
    picture.line([(208, 170), (105, 170)])
    picture.arrow((105, 170), (105, 98))
    picture.text(100, 150, "next\nbatch", size=13, colour=SOFT, anchor="end")
    picture.arrow((290, 198), (290, 242), dashed=True)
    picture.text(300, 220, "every so many steps", size=12, colour=SOFT, anchor="start")
    picture.box(
        290, 266, "evaluate: eval mode, no gradients; then back to train mode", ORANGE, width=440, height=40, size=14
    )
    return picture
