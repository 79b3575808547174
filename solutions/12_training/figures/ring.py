"""Three machines that add up their vectors by a ring, with the numbers of exercise 7."""

from autograder.authoring.drawing import BLUE, GREEN, SOFT, Drawing

VECTORS = [[1, 2, 3], [10, 20, 30], [100, 200, 300]]
ROWS, COLUMNS, CELL = (84, 150, 216), (94, 284, 474, 664), 42


def rounds() -> tuple[list[list[list[int]]], list[list[int]]]:
    """Return what the machines hold at first and after each round of adding, and what each sends in these rounds."""
    R, held = len(VECTORS), [VECTORS]
    sent = []
    for k in range(R - 1):
        sent.append([held[-1][r][(r - k) % R] for r in range(R)])
        after = [[*vector] for vector in held[-1]]
        for r, number in enumerate(sent[-1]):
            after[(r + 1) % R][(r - k) % R] += number
        held.append(after)
    return held, sent


def draw() -> Drawing:
    R, sums = len(VECTORS), [sum(column) for column in zip(*VECTORS, strict=True)]
    held, sent = rounds()
    sent.append([held[-1][r][(r + 1) % R] for r in range(R)])
    held.append([sums] * R)
    d = Drawing(
        290,
        "A ring of three machines",
        f"In each round a machine sends one chunk to the next, the last one to the first. First {sent[0]} are sent and "
        f"added, then {sent[1]}: now each machine has one complete sum. In two more rounds {sums} reach all.",
    )
    names = ("at the start", "round 1 has added", "round 2 has added", "handed on twice")
    for i, (x, name, vectors) in enumerate(zip(COLUMNS, names, held, strict=True)):
        d.text(x, 34, name, size=14)
        for r, vector in enumerate(vectors):
            for j, number in enumerate(vector):
                colour = GREEN if number == sums[j] else BLUE
                d.box(x + (CELL + 2) * (j - 1), ROWS[r], str(number), colour, width=CELL, height=34, size=14)
        if i == R:
            break
        left, right = x + 70, COLUMNS[i + 1] - 70
        for r, number in enumerate(sent[i]):
            d.arrow((left, ROWS[r]), (right, ROWS[(r + 1) % R]))
            below = r == R - 1  # its arrow leads up
            d.text(left + 3, ROWS[r] + (15 if below else -13), number, size=12, colour=SOFT, anchor="start")
    d.text(380, 268, "machines 0, 1, 2 from above; at an arrow the number that is sent; green: complete", size=13,
           colour=SOFT)  # fmt: skip
    return d
