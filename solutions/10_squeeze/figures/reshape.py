"""The example as it is, with dynamic temperature and with the quadratic: seven bars three times."""

import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

P, LOW, HIGH, S = [0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01], 0.5, 1.5, 0.3
BOTTOM, SCALE = 184, 260


def softmax(logits):
    whole = sum(math.exp(z) for z in logits)
    return [math.exp(z) / whole for z in logits]


def draw() -> Drawing:
    z = [math.log(p) for p in P]
    entropy = -sum(p * math.log(p) for p in P)
    temperature = LOW + (HIGH - LOW) * entropy / math.log(len(P))
    shapes = [
        ("as it is", P, BLUE),
        (f"dynamic temperature, $T$ = {temperature:.4f}", softmax([v / temperature for v in z]), ORANGE),
        ("quadratic, $s$ = 0.3", softmax([max(z) - S * (v - max(z)) ** 2 for v in z]), GREEN),
    ]
    said = "; ".join(f"{name.replace('$', '')}: {', '.join(f'{p:.3f}' for p in shape)}" for name, shape, _ in shapes)
    d = Drawing(222, "Reshaped logits", f"Probabilities of seven tokens. {said}.")
    for k, (name, shape, colour) in enumerate(shapes):
        left = 30 + 245 * k
        d.text(left + 104, 30, name, size=13, colour=SOFT)
        for i, p in enumerate(shape):
            x, height = left + 14 + 31 * i, max(2.0, p * SCALE)
            d.box(x, BOTTOM - height / 2, "", colour, width=26, height=height)
            d.text(x, BOTTOM + 14, f".{round(100 * p):02d}", size=12, colour=SOFT)
    return d
