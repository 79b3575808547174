"""The lattice of the worked example: two tokens, two tags."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

EMISSIONS, TRANSITIONS = ((1, 0), (0, 2)), ((1, -3), (0, 0))


def draw():
    first = EMISSIONS[0]
    best = [max(first[a] + TRANSITIONS[a][b] for a in range(2)) + EMISSIONS[1][b] for b in range(2)]
    picture = Drawing(
        260,
        "Viterbi's lattice",
        f"Best scores of the tags: {first[0]} and {first[1]} after one token, {best[0]} and "
        f"{best[1]} after two; tag 0 is best reached from tag 0, tag 1 from tag 1.",
    )
    rows, columns = (80, 190), (200, 500)
    for t, x in enumerate(columns):
        picture.text(x, 26, f"token {t + 1}", size=14)
    for a in range(2):
        picture.text(110, rows[a], f"tag {a}", size=14, anchor="end")
        for b in range(2):
            chosen = a == max(range(2), key=lambda i, b=b: first[i] + TRANSITIONS[i][b])
            start, end = (columns[0] + 46, rows[a]), (columns[1] - 46, rows[b])
            picture.arrow(start, end, colour=GREEN if chosen else GREY, width=3 if chosen else 1.4)
            x, y = (start[i] + 0.36 * (end[i] - start[i]) for i in (0, 1))
            aside = (0, -14) if a == b else (18, -8) if b else (26, 6)
            picture.text(x + aside[0], y + aside[1], f"{TRANSITIONS[a][b]:+d}" if TRANSITIONS[a][b] else "0", size=14)
    for t, scores in enumerate((first, best)):
        for tag, score in enumerate(scores):
            picture.box(columns[t], rows[tag], f"best {score}", BLUE, width=86, height=44)
            picture.text(columns[t], rows[tag] + 36, f"emission {EMISSIONS[t][tag]}", size=12, colour=SOFT)
    picture.text(572, 80, "max(1 + 1, 0 + 0) + 0", size=13, colour=SOFT, anchor="start")
    picture.text(572, 190, "max(1 - 3, 0 + 0) + 2", size=13, colour=SOFT, anchor="start")
    return picture
