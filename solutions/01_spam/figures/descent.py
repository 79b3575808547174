import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

ORDER, SIZE = [5, 0, 3, 7, 2, 6, 1, 4], 3
MESSAGES = [(2, 1), (1, 0)]  # feature and label


def step(w, b, h, y):
    """Return weight, bias after a step of size 1, and the loss before it."""
    z = w * h + b
    error = 1 / (1 + math.exp(-z)) - y
    return w - error * h, b - error, math.log1p(math.exp(z)) - y * z


def draw():
    picture = Drawing(290, "Steps for batches", "A shuffled pass cut into batches; two steps with one message each.")
    picture.text(20, 30, "one pass: all row numbers, shuffled, cut into batches of 3", size=14, anchor="start")
    for i, row in enumerate(ORDER):
        batch = i // SIZE
        picture.box(52 + 68 * i + 36 * batch, 66, row, [BLUE, ORANGE, GREEN][batch], width=60, height=34)
    for batch, middle in enumerate((120, 360, 566)):
        picture.text(middle, 100, f"step {batch + 1}", size=13, colour=SOFT)
    picture.text(20, 150, "two steps of size 1, with one message in each batch", size=14, anchor="start")
    w, b = 0.0, 0.0
    for i, (h, y) in enumerate(MESSAGES):
        x = 92 + 250 * i
        picture.box(x, 200, f"$w$ = {w:.4g}, $b$ = {b:.4g}", BLUE, width=144, height=42)
        w, b, loss = step(w, b, h, y)
        picture.arrow((x + 74, 200), (x + 176, 200))
        picture.text(x + 125, 238, f"$h$ = {h}, $y$ = {y}\nloss {loss:.3f}", size=13, colour=SOFT)
    picture.box(620, 200, f"$w$ = {w:.3f}, $b$ = {b:.3f}", BLUE, width=200, height=42)
    return picture
