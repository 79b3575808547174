import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

COUNTS = [[4, 0], [1, 1]]


def draw():
    rows, columns = [sum(row) for row in COUNTS], [sum(column) for column in zip(*COUNTS, strict=True)]
    total = sum(rows)
    chance = [[r * c / total for c in columns] for r in rows]
    ratio = zip(COUNTS, chance, strict=True)
    pmi = [[math.log2(n / e) if n else 0 for n, e in zip(*pair, strict=True)] for pair in ratio]
    picture = Drawing(
        226, "From counts to PPMI", "Counts, what chance expects, PMI as the logarithm of their ratio, and PPMI."
    )
    cell, y = (60, 38), 80
    for x, title, values, colour in (
        (45, "counts X", COUNTS, BLUE),
        (255, "expected by chance", chance, GREY),
        (435, "PMI", pmi, GREEN),
        (605, "PPMI", [[max(v, 0) for v in row] for row in pmi], GREEN),
    ):
        picture.matrix(x, y, values, colour, cell=cell, digits=3 if "PMI" in title else 2)
        picture.text(x + 60, 50, title, bold=True)
    for i, r in enumerate(rows):
        picture.text(184, y + 38 * i + 19, r, colour=SOFT)
    for j, c in enumerate(columns):
        picture.text(75 + 60 * j, y + 96, c, colour=SOFT)
    picture.text(184, y + 96, f"$n$ = {total}", colour=SOFT)
    picture.text(315, y + 96, "row × column / $n$", size=13, colour=SOFT)
    picture.text(495, y + 96, "$log_2$(X / expected)", size=13, colour=SOFT)
    picture.text(495, y + 118, "never seen: put 0", size=13, colour=SOFT)
    picture.text(665, y + 96, "below 0: put 0", size=13, colour=SOFT)
    for start, end in ((207, 249), (381, 429), (561, 599)):
        picture.arrow((start, y + 38), (end, y + 38))
    return picture
