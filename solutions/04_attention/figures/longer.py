"""Rotation beyond the trained length: the angles of a fast and a slow pair, as they are and repaired."""

import math

from autograder.authoring.drawing import BLUE, GREY, ORANGE, RED, SOFT, Drawing

TRAINED, FACTOR, POSITION, RATES = 8, 2, 16, (1.0, 0.25)
RADIUS = 44
WAYS = [
    ("as trained", (1, 1)),
    ("interpolated", (FACTOR, FACTOR)),
    ("larger base", (1, FACTOR)),
]


def draw():
    picture = Drawing(
        330,
        "Longer than in training",
        "Dials of two pairs at position 16 of a model trained on positions up to 8. The slow pair has seen angles up "
        "to 2: as trained its angle is 4, outside; interpolated or with a larger base it is 2. The fast pair has seen "
        "all angles; interpolation halves it, a larger base leaves it.",
    )
    for row, (label, rate) in enumerate(zip(["fast pair", "slow pair"], RATES, strict=True)):
        y = 105 + 140 * row
        picture.text(20, y - 8, label, anchor="start", size=14)
        picture.text(20, y + 14, f"θ = {rate:g}", anchor="start", size=13, colour=SOFT)
        seen = min(TRAINED * rate, 2 * math.pi)
        for column, (_, slower) in enumerate(WAYS):
            angle = POSITION * rate / slower[row]
            new = seen < 2 * math.pi and angle > seen
            dial(picture, 220 + 200 * column, y, seen, angle, RED if new else ORANGE)
    for column, (name, _) in enumerate(WAYS):
        picture.text(220 + 200 * column, 28, name, size=14, bold=True)
    picture.text(380, 312, "blue: the angles that were seen in training, positions 0 to 8", size=12, colour=SOFT)
    return picture


def dial(picture: Drawing, x: float, y: float, seen: float, angle: float, colour: str) -> None:
    """Draw a circle with the part that was seen, from angle 0 on, and a hand at an angle, counter-clockwise."""
    rim = [(x, y)]
    for step in range(41):
        at = seen * step / 40
        rim.append((x + RADIUS * math.cos(at), y - RADIUS * math.sin(at)))
    picture.polygon(rim, BLUE, 0.2)
    whole = [(x + RADIUS * math.cos(a / 20 * math.pi), y - RADIUS * math.sin(a / 20 * math.pi)) for a in range(41)]
    picture.line(whole, GREY)
    picture.arrow((x, y), (x + RADIUS * math.cos(angle), y - RADIUS * math.sin(angle)), colour=colour, width=2.4)
    picture.text(x + RADIUS + 10, y, f"{angle:g}", anchor="start", size=14)
