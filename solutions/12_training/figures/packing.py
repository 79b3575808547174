"""Three documents in two rows, with the numbers of exercise 1."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

DOCUMENTS, LENGTH, END = [[5, 6, 7], [8], [9, 5]], 4, 0
COLOURS = (BLUE, ORANGE, GREEN)


def rows() -> tuple[list, list]:
    """The tokens and owners of the stream, as many as fill whole rows."""
    tokens, owners = [], []
    for i, document in enumerate(DOCUMENTS):
        tokens += [*document, END]
        owners += [i] * (len(document) + 1)
    whole = len(tokens) // LENGTH * LENGTH
    return tokens[:whole], owners[:whole]


def draw() -> Drawing:
    d = Drawing(330, "Packed rows", "Two rows of four tokens from three documents, with the mask of the second row.")
    tokens, owners = rows()
    labels = ("token", "position", "target")
    for row in range(2):
        y = 70 + 140 * row
        for j, label in enumerate(labels):
            d.text(60, y + 36 * j, label, size=13, colour=SOFT)
        position = 0
        for t in range(LENGTH):
            k = row * LENGTH + t
            position = position + 1 if t and owners[k] == owners[k - 1] else 0
            x, last = 140 + 60 * t, t + 1 == LENGTH
            d.box(x, y, str(tokens[k]), COLOURS[owners[k]], width=48, height=30)
            d.text(x, y + 36, str(position))
            leaves = last or owners[k + 1] != owners[k]
            d.text(x, y + 72, "-100" if leaves else str(tokens[k + 1]), colour=GREY if leaves else SOFT)
    d.text(230, 28, "5 6 7 0 | 8 0 | 9 5 0, cut into rows of 4", size=14)
    d.text(575, 60, "who sees whom in the second row", size=13, colour=SOFT)
    inside = owners[LENGTH:]
    for i in range(LENGTH):
        for j in range(LENGTH):
            sees = j <= i and inside[i] == inside[j]
            d.box(
                500 + 50 * j,
                110 + 50 * i,
                "1" if sees else "0",
                COLOURS[inside[i]] if sees else GREY,
                width=44,
                height=44,
            )
    return d
