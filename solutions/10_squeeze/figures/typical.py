"""The surprise of seven tokens beside the entropy: who is nearest to it stays."""

import math

from autograder.authoring.drawing import BLUE, GREY, INK, ORANGE, RED, SOFT, Drawing

P = [0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]
MASS, LEFT, SCALE, Y = 0.3, 60, 138, 118


def place(surprise: float) -> float:
    return LEFT + SCALE * surprise


def draw() -> Drawing:
    entropy = -sum(p * math.log(p) for p in P)
    order = sorted(range(len(P)), key=lambda i: abs(-math.log(P[i]) - entropy))
    stay, mass = [], 0.0
    for i in order:
        if mass < MASS:
            stay.append(i)
            mass += P[i]
    d = Drawing(
        220,
        "Typical tokens",
        f"Seven tokens on an axis of surprise, the likeliest at the left. The entropy is at {entropy:.2f}; tokens "
        f"{stay[0]} and {stay[1]} lie nearest to it on either side and stay. The likeliest token, 0, goes.",
    )
    d.line([(LEFT - 20, Y), (LEFT + 660, Y)], SOFT)
    for i, p in enumerate(P):
        x = place(-math.log(p))
        d.circle(x, Y, str(i), ORANGE if i in stay else GREY, radius=17)
        d.text(x, Y + 34, f"$p$ = {p:.2f}", size=13)
        d.text(x, Y + 53, f"{-math.log(p):.2f}", size=13, colour=SOFT)
    d.line([(place(entropy), 44), (place(entropy), Y + 20)], RED, width=2, dashed=True)
    d.text(place(entropy), 30, f"$H$ = {entropy:.4f}", colour=RED)
    d.text(LEFT - 20, 76, "less surprising", size=12, colour=BLUE, anchor="start")
    d.text(LEFT + 660, 76, "more surprising", size=12, colour=BLUE, anchor="end")
    d.text(LEFT + 320, 198, "surprise -ln $p$ in nats; orange stays at a mass of 0.3", size=13, colour=INK)
    return d
