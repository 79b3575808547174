import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

A, B = (1, 1), (0, 3)


def draw():
    cosine = sum(a * b for a, b in zip(A, B, strict=True)) / (math.hypot(*A) * math.hypot(*B))
    angle = math.acos(cosine)
    picture = Drawing(270, "The angle between two vectors", "Two arrows of different length, and the angle they form.")

    def at(x, y):
        return 230 + 64 * x, 230 - 64 * y

    picture.line([at(0, 3.3), at(0, 0), at(2.2, 0)], GREY)
    for vector, name, colour, (dx, dy) in ((A, "a", ORANGE, (44, -8)), (B, "b", BLUE, (44, 6))):
        picture.arrow(at(0, 0), at(*vector), colour=colour, width=3)
        x, y = at(*vector)
        picture.text(x + dx, y + dy, f"${name}$ = {vector}", size=15)
    turned = [math.pi / 2 - angle * i / 12 for i in range(13)]
    picture.line([at(0.7 * math.cos(t), 0.7 * math.sin(t)) for t in turned], GREEN, width=2.2)
    picture.text(*at(0.45, 1.02), f"{math.degrees(angle):.0f}°", size=14)
    picture.text(*at(1.1, -0.28), "first word", size=13, colour=SOFT)
    picture.text(at(0, 1.5)[0] - 14, at(0, 1.5)[1], "second word", size=13, colour=SOFT, anchor="end")
    picture.text(560, 100, f"cos = 3 / (√2 · 3) = {cosine:.3f}", size=16)
    picture.text(560, 140, "a longer arrow, the same angle,\nthe same cosine", size=13, colour=SOFT)
    return picture
