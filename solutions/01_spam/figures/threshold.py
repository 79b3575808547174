from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

LABELS, SCORES = [1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]


def draw():
    picture = Drawing(290, "Thresholds and the ROC curve", "Four messages by score; each threshold is a point.")

    def height(score):
        return 250 - 230 * score

    picture.arrow((70, height(0)), (70, 30), colour=GREY)
    picture.text(70, 18, "score", size=13, colour=SOFT)
    places = {0.9: [150], 0.8: [150, 225], 0.1: [150]}
    for label, score in sorted(zip(LABELS, SCORES, strict=True), reverse=True):
        x = places[score].pop(0)
        words, colour = ("spam", ORANGE) if label else ("ham", BLUE)
        picture.box(x, height(score), words, colour, width=62, height=19, size=13)
    for score in places:
        picture.text(54, height(score), f"{score}", size=12, colour=SOFT, anchor="end")
    picture.text(272, height(0.9), "$t$ = 0.9: 1 of 2 spam, 0 of 2 ham", size=13, anchor="start")
    picture.text(272, height(0.8), "$t$ = 0.8: 2 of 2 spam, 1 of 2 ham", size=13, anchor="start")

    def at(x, y):
        return 560 + 150 * x, 235 - 150 * y

    points = [(0, 0), (0, 0.5), (0.5, 1), (1, 1)]
    picture.line([at(0, 1.1), at(0, 0), at(1.1, 0)], GREY)
    picture.line([at(*point) for point in points], GREEN, width=2.4)
    for point in points:
        picture.circle(*at(*point), colour=GREEN, radius=5)
    picture.text(*at(0.55, -0.16), "FPR", size=13, colour=SOFT)
    picture.text(*at(-0.17, 0.75), "TPR", size=13, colour=SOFT)
    picture.text(at(0, 0.5)[0] + 12, at(0, 0.5)[1] + 6, "$t$ = 0.9", size=13, anchor="start")
    picture.text(at(0.5, 1)[0] + 6, at(0, 1)[1] + 18, "$t$ = 0.8", size=13, anchor="start")
    return picture
