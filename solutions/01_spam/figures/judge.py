from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

LABELS, PREDICTIONS = [1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 1, 0, 0, 0]
CELLS = {(1, 1): ("TP", GREEN), (1, 0): ("FN", RED), (0, 1): ("FP", RED), (0, 0): ("TN", GREY)}


def draw():
    pairs = list(zip(LABELS, PREDICTIONS, strict=True))
    tp, fp, fn = (pairs.count(cell) for cell in [(1, 1), (0, 1), (1, 0)])
    picture = Drawing(240, "Two kinds of error", "Nine messages: what they are, what was predicted, and which cell.")
    for y, name in ((40, "actual"), (90, "predicted"), (140, "counts as")):
        picture.text(112, y, name, anchor="end", size=14, colour=SOFT)
    for i, pair in enumerate(pairs):
        x = 155 + 68 * i
        for y, value in zip((40, 90), pair, strict=True):
            picture.box(x, y, "spam" if value else "ham", ORANGE if value else BLUE, width=60, height=34, size=14)
        name, colour = CELLS[pair]
        picture.box(x, 140, name, colour, width=60, height=34, size=14)
    picture.text(220, 205, f"precision = {tp} / ({tp} + {fp}) = {tp / (tp + fp):.2f}")
    picture.text(540, 205, f"recall = {tp} / ({tp} + {fn}) = {tp / (tp + fn):.2f}")
    return picture
