"""Two machines that add up their vectors by a ring, with the numbers of exercise 7."""

from autograder.authoring.drawing import BLUE, GREEN, SOFT, Drawing

FIRST, SECOND = [1, 2], [10, 20]


def draw() -> Drawing:
    d = Drawing(250, "A ring of two machines", "Each machine sends one chunk to be added, then one complete sum.")
    sums = [a + b for a, b in zip(FIRST, SECOND, strict=True)]
    stages = ((FIRST, SECOND), ([FIRST[0], sums[1]], [sums[0], SECOND[1]]), (sums, sums))
    names = ("at the start", "sums collected", "sums handed round")
    for i, (name, pair) in enumerate(zip(names, stages, strict=True)):
        x = 130 + 250 * i
        d.text(x, 30, name, size=14)
        for y, numbers in zip((80, 180), pair, strict=True):
            for j, value in enumerate(numbers):
                d.box(x - 32 + 64 * j, y, str(value), GREEN if value == sums[j] else BLUE, width=58, height=36)
        if i < 2:
            d.arrow((x + 68, 80), (x + 182, 180), label="")
            d.arrow((x + 68, 180), (x + 182, 80), label="")
    sent = (f"sends {FIRST[0]}", f"sends {SECOND[1]}"), (f"sends {sums[1]}", f"sends {sums[0]}")
    for i, (above, below) in enumerate(sent):
        d.text(255 + 250 * i, 62, above, size=12, colour=SOFT)
        d.text(255 + 250 * i, 200, below, size=12, colour=SOFT)
    d.text(380, 235, "machine 0 above, machine 1 below; green: complete", size=13, colour=SOFT)
    return d
