"""The roofline of a laptop, with one token of a model and a prompt on it."""

import math

from autograder.authoring.drawing import BLUE, GREEN, INK, ORANGE, SOFT, Drawing

PEAK, BANDWIDTH = 1e12, 50e9
LEFT, BOTTOM, STEP = 120, 240, 62  # pixels of a tenfold


def place(intensity: float) -> tuple[float, float]:
    """Where the roof stands over an intensity: operations a byte along, billions of operations a second up."""
    speed = min(PEAK, intensity * BANDWIDTH)
    return LEFT + 1.9 * STEP * math.log10(intensity / 0.3), BOTTOM - STEP * math.log10(speed / 1e10)


def draw():
    ridge = PEAK / BANDWIDTH
    picture = Drawing(
        310,
        "A roofline",
        f"Operations a second over operations a byte. Up to {ridge:g} operations a byte the line rises, from there "
        "it is flat at a thousand billion. Writing one token, one operation a byte, reaches 50 billion. A prompt of a "
        "thousand tokens, a thousand operations a byte, reaches the roof.",
    )
    picture.line([(LEFT, 40), (LEFT, BOTTOM + 12), (700, BOTTOM + 12)], SOFT)
    picture.line([place(0.3), place(ridge), place(2000)], ORANGE, width=3)
    for intensity in (1, 10, 100, 1000):
        x = place(intensity)[0]
        picture.line([(x, BOTTOM + 12), (x, BOTTOM + 18)], SOFT)
        picture.text(x, BOTTOM + 30, f"{intensity:,}", size=12, colour=SOFT)
    picture.text(410, BOTTOM + 49, "operations for each byte that is fetched", size=13, colour=SOFT)
    for speed, words in ((1e12, "1,000"), (5e10, "50")):
        picture.text(LEFT - 10, BOTTOM - STEP * math.log10(speed / 1e10), words, size=12, colour=SOFT, anchor="end")
    picture.text(60, 62, "billion\noperations\na second", size=12, colour=SOFT)
    for intensity, colour, words, dx, dy in ((1, BLUE, "one token", 20, 14), (1000, GREEN, "a prompt of 1,000", 0, 26)):
        x, y = place(intensity)
        picture.circle(x, y, colour=colour, radius=6)
        picture.text(x + dx, y + dy, words, size=14, colour=INK, anchor="start" if dx else "middle")
    x, y = place(ridge)
    picture.text(x, y - 18, f"at {ridge:g} tokens both take equally long", size=13, colour=SOFT)
    picture.text(place(5)[0] + 20, place(5)[1] + 12, "waits for memory", size=13, colour=SOFT, anchor="start")
    return picture
