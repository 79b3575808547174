import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

VOCABULARY, TEXT = ["win", "prize", "bus", "a", "the"], "win a prize"
WEIGHTS, BIAS = [1.2, 1.5, -2.0, 0.1, -0.1], -0.8


def draw():
    counts = [TEXT.split().count(word) for word in VOCABULARY]
    score = sum(w * h for w, h in zip(WEIGHTS, counts, strict=True)) + BIAS
    p = 1 / (1 + math.exp(-score))
    picture = Drawing(
        200, "From a message to a decision", "A message becomes counts, the counts a score, the score a decision."
    )
    picture.box(72, 85, TEXT, ORANGE, width=108, note="message x")
    picture.arrow((128, 85), (170, 85))
    picture.matrix(178, 69, [counts], BLUE, cell=(46, 32), top=VOCABULARY, note="vector h, (V,)", shade=False)
    picture.arrow((412, 85), (466, 85))
    numbers = f"$z$ = {score:.1f}\n$p$ = {p:.2f}"
    picture.box(520, 85, numbers, BLUE, width=100, height=52, note="score, probability", size=14)
    picture.arrow((574, 85), (640, 85))
    picture.text(606, 68, "$p ≥ t$", size=13, colour=SOFT)
    picture.box(690, 85, "spam", GREEN, width=90, note="label y")
    picture.text(293, 168, "embedding $g(x)$", bold=True)
    picture.text(520, 168, "classifier $c(h)$", bold=True)
    picture.text(690, 168, "decision", bold=True)
    return picture
