"""The lattice of the worked example: two tokens, two tags, and the one best path."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

EMISSIONS, TRANSITIONS = ((1, 0), (0, 3)), ((1, -3), (0, 0))
ROWS, COLUMNS = (80, 190), (200, 500)
LABELS = {(0, 0): (296, 64), (0, 1): (270, 116), (1, 0): (270, 154), (1, 1): (296, 206)}  # at the arrows' tails


def draw():
    first = EMISSIONS[0]
    notes = [max(range(2), key=lambda a, b=b: first[a] + TRANSITIONS[a][b]) for b in range(2)]
    best = [first[a] + TRANSITIONS[a][b] + EMISSIONS[1][b] for b, a in enumerate(notes)]
    end = max(range(2), key=lambda b: best[b])
    path = (notes[end], end)
    picture = Drawing(
        300,
        "Viterbi's lattice",
        f"Best scores of the tags: {first[0]} and {first[1]} after one token, {best[0]} and {best[1]} after two. The "
        f"best step to tag 0 is from tag {notes[0]}, to tag 1 from tag {notes[1]}. From the largest score, "
        f"{best[end]}, the notes lead back along the path {path[0]}, {path[1]}.",
    )
    for t, x in enumerate(COLUMNS):
        picture.text(x, 26, f"token {t + 1}", size=14)
    for a in range(2):
        picture.text(110, ROWS[a], f"tag {a}", size=14, anchor="end")
        for b in range(2):
            colour, width = (ORANGE if (a, b) == path else GREEN, 3) if a == notes[b] else (GREY, 1.4)
            picture.arrow((COLUMNS[0] + 46, ROWS[a]), (COLUMNS[1] - 46, ROWS[b]), colour=colour, width=width)
            picture.text(*LABELS[a, b], f"{TRANSITIONS[a][b]:+d}" if TRANSITIONS[a][b] else "0", size=14)
    for t, scores in enumerate((first, best)):
        for tag, score in enumerate(scores):
            colour = ORANGE if tag == path[t] else BLUE
            picture.box(COLUMNS[t], ROWS[tag], f"best {score}", colour, width=86, height=44)
            picture.text(COLUMNS[t], ROWS[tag] + 36, f"emission {EMISSIONS[t][tag]}", size=12, colour=SOFT)
    for b in range(2):
        sums = ", ".join(f"{first[a]} {'+-'[TRANSITIONS[a][b] < 0]} {abs(TRANSITIONS[a][b])}" for a in range(2))
        picture.text(572, ROWS[b], f"max({sums}) + {EMISSIONS[1][b]}", size=13, colour=SOFT, anchor="start")
    back = f"thick: the best step to each tag; from the largest score, {best[end]}, go back: path {path[0]}, {path[1]}"
    picture.text(386, 272, back, size=14)
    return picture
