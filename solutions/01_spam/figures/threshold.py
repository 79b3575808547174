from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

LABELS, SCORES = [1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]
POINTS = [("∞", 0, 0), ("0.9", 0, 0.5), ("0.8", 0.5, 1), ("0.1", 1, 1)]  # threshold, FPR, TPR
SIDE = 150  # pixels of the ROC plot


def draw():
    picture = Drawing(290, "Thresholds and the ROC curve", "Four messages by score; each threshold is a point.")

    def height(score):
        return 250 - 230 * score

    picture.arrow((60, height(0)), (60, 30), colour=GREY)
    picture.text(60, 18, "score", size=13, colour=SOFT)
    places = {0.9: [130], 0.8: [130, 202], 0.1: [130]}
    for label, score in sorted(zip(LABELS, SCORES, strict=True), reverse=True):
        x = places[score].pop(0)
        words, colour = ("spam", ORANGE) if label else ("ham", BLUE)
        picture.box(x, height(score), words, colour, width=62, height=19, size=13)
    for score in places:
        picture.text(46, height(score), f"{score}", size=12, colour=SOFT, anchor="end")
    for threshold, fpr, tpr in POINTS[1:]:
        caught = f"$t$ = {threshold}: {2 * tpr:g} of 2 spam, {2 * fpr:g} of 2 ham"
        picture.text(248, height(float(threshold)), caught, size=13, anchor="start")

    def at(x, y):
        return 535 + SIDE * x, 225 - SIDE * y

    picture.line([at(0, 1.1), at(0, 0), at(1.1, 0)], GREY)
    for share, words in ((0, "0"), (0.5, "½"), (1, "1")):
        (x, y), (left, level) = at(share, 0), at(0, share)
        picture.line([(x, y), (x, y + 5)], GREY)
        picture.text(x, y + 16, words, size=13, colour=SOFT)
        picture.line([(left - 5, level), (left, level)], GREY)
        picture.text(left - 12, level, words, size=13, colour=SOFT, anchor="end")
    picture.line([at(x, y) for _, x, y in POINTS], GREEN, width=2.4)
    for threshold, x, y in POINTS:
        picture.circle(*at(x, y), colour=GREEN, radius=5)
        dx, dy = (12, -10) if threshold == "∞" else (10, 14)
        picture.text(at(x, y)[0] + dx, at(x, y)[1] + dy, f"$t$ = {threshold}", size=13, anchor="start")
    picture.text(*at(0.5, -0.26), "FPR", size=13, colour=SOFT)
    picture.text(at(0, 0.75)[0] - 16, at(0, 0.75)[1], "TPR", size=13, colour=SOFT, anchor="end")
    return picture
