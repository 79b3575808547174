"""Min-p on the example of exercise 10."""

from autograder.authoring.drawing import BLUE, GREY, RED, SOFT, Drawing

P = [0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]
MIN_P, BOTTOM, SCALE = 0.05, 220, 400


def draw() -> Drawing:
    line = MIN_P * max(P)
    d = Drawing(270, "Min-p", "Bars of seven probabilities; a line at 0.05 times the largest parts those that stay.")
    for i, p in enumerate(P):
        x, height = 90 + 84 * i, max(2.0, p * SCALE)
        d.box(x, BOTTOM - height / 2, "", BLUE if p >= line else GREY, width=52, height=height)
        d.text(x, BOTTOM - height - 14, f"{p:.2f}", size=13)
        d.text(x, BOTTOM + 16, f"token {i}", size=12, colour=SOFT)
    y = BOTTOM - line * SCALE
    d.line([(44, y), (640, y)], RED, dashed=True)
    d.text(648, y - 10, "0.05 · 0.45", size=13, colour=RED, anchor="start")
    d.text(648, y + 8, f"= {line:.4f}", size=13, colour=RED, anchor="start")
    d.text(400, 46, "blue stays, grey gets $-∞$", colour=SOFT, anchor="start")
    return d
