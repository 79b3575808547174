"""WordPiece takes the longest token that fits, from the left."""

from autograder.authoring.drawing import BLUE, GREEN, RED, SOFT, Drawing

VOCABULARY = {"un", "##aff", "##a", "##ff", "##able"}


def draw():
    picture = Drawing(
        225,
        "Greedy longest match",
        "unaffable is cut into un, ##aff and ##able, each time the longest token that fits. unaffected begins alike, "
        "nothing fits, so the whole word is [UNK].",
    )
    told = "vocabulary:  un   ##aff   ##a   ##ff   ##able"
    picture.text(30, 25, told, size=13, mono=True, colour=SOFT, anchor="start")
    for row, word in enumerate(("unaffable", "unaffected")):
        y, start, x = 75 + 90 * row, 0, 190
        picture.text(30, y, word, size=17, anchor="start")
        picture.arrow((140, y), (180, y))
        while start < len(word):
            mark = "##" * (start > 0)
            end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in VOCABULARY), None)
            token = mark + word[start:end] if end else "ected: nothing fits"
            width = 12 * len(token) + 24 if end else 190
            picture.box(x + width / 2, y, token, GREEN if end else RED, width=width, dashed=not end)
            x, start = x + width + 10, end or len(word)
        if not end:
            picture.arrow((x, y), (x + 40, y))
            picture.box(x + 90, y, "[UNK]", BLUE, width=86)
            picture.text(x + 90, y + 35, "the whole word", size=13, colour=SOFT)
    return picture
