"""A cosine and warm-up, stable, decay over a hundred steps."""

import math

from autograder.authoring.drawing import BLUE, INK, ORANGE, SOFT, Drawing

STEPS, WARMUP, DECAY = 100, 10, 20


def wsd(t: int) -> float:
    """The share of the peak in step t."""
    if t < WARMUP:
        return (t + 1) / (WARMUP + 1)
    return 1.0 if t < STEPS - DECAY else (STEPS - t) / (DECAY + 1)


def cosine(t: int) -> float:
    """The share of the peak in step t."""
    if t < WARMUP:
        return (t + 1) / (WARMUP + 1)
    return (1 + math.cos(math.pi * (t - WARMUP) / (STEPS - WARMUP))) / 2


def draw() -> Drawing:
    d = Drawing(250, "Two schedules", "The rate of a cosine and of warm-up, stable, decay over a hundred steps.")
    d.line([(80, 200), (700, 200)], SOFT)
    d.line([(80, 200), (80, 40)], SOFT)
    for share, colour, dashed in ((cosine, ORANGE, True), (wsd, BLUE, False)):
        points = [(80 + 6.1 * t, 200 - 150 * share(t)) for t in range(STEPS)]
        d.line(points, colour, width=2.4, dashed=dashed)
    d.text(380, 36, "warm-up, stable, decay", size=14, colour=INK)
    d.text(300, 150, "cosine (dashed)", size=14, colour=INK)
    for t in (0, WARMUP, STEPS - DECAY, STEPS):
        d.text(80 + 6.1 * t, 218, str(t), size=12, colour=SOFT)
    d.text(390, 238, "step", size=13, colour=SOFT)
    d.text(48, 50, "peak", size=13, colour=SOFT)
    return d
