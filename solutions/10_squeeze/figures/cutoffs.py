"""Four lines across the probabilities of the example, on a logarithmic axis."""

import math

from autograder.authoring.drawing import BLUE, GREEN, INK, ORANGE, PURPLE, RED, SOFT, Drawing

P = [0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01]
BOTTOM, FLOOR, SCALE = 292, 0.006, 58  # pixels for a factor of e


def up(p: float) -> float:
    return BOTTOM - SCALE * math.log(p / FLOOR)


def draw() -> Drawing:
    entropy = -sum(p * math.log(p) for p in P)
    logits = [math.log(p) for p in P]
    mean = sum(logits) / len(P)
    sigma = math.sqrt(sum((z - mean) ** 2 for z in logits) / len(P))
    lines = [
        (math.sqrt(0.5) * math.exp(-entropy), "eta 0.5", ORANGE),
        (math.exp(max(logits) - sigma), "top-$nσ$, $n$ = 1", GREEN),
        (0.25 * max(P) ** 2, "top-a 0.25", PURPLE),
        (0.015, "epsilon", RED),
    ]
    said = "; ".join(f"{name.replace('$', '')} at {line:.3f}" for line, name, _ in lines)
    d = Drawing(344, "Four cutoffs", f"Bars of seven probabilities on a logarithmic axis, crossed by lines: {said}.")
    d.line([(40, BOTTOM), (40, up(max(P)))], SOFT)
    for p in (0.01, 0.03, 0.1, 0.3):
        d.line([(36, up(p)), (40, up(p))], SOFT)
        d.text(34, up(p), f"{p:g}", size=12, colour=SOFT, anchor="end")
    for i, p in enumerate(P):
        x = 70 + 72 * i
        d.box(x, (up(p) + BOTTOM) / 2, "", BLUE, width=44, height=BOTTOM - up(p))
        d.text(x, BOTTOM + 16, f"{p:.2f}", size=14)
        d.text(x, BOTTOM + 34, f"token {i}", size=12, colour=SOFT)
    for line, name, colour in lines:
        d.line([(40, up(line)), (556, up(line))], colour, width=2, dashed=True)
        d.text(
            564,
            up(line) + (3 if line < 0.15 else -3) * (line > 0.1),
            f"{name}:  {line:.4g}",
            size=14,
            colour=INK,
            anchor="start",
        )
    d.text(640, 40, "a line keeps all\nthat reach it", size=13, colour=SOFT)
    d.text(640, 300, "bars: logarithm\nof the probability", size=13, colour=SOFT)
    return d
