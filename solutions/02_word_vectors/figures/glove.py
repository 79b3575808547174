from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

X_MAX, ALPHA = 100, 0.75


def draw():
    picture = Drawing(230, "GloVe's weight", "The weight of a count grows to 1 at 100 and stays there.")

    def weight(x):
        return min(1, (x / X_MAX) ** ALPHA)

    def at(x, y):
        return 150 + 1.7 * x, 180 - 130 * y

    picture.line([at(0, 1.12), at(0, 0), at(295, 0)], GREY)
    picture.line([at(x, weight(x)) for x in range(0, 291, 2)], BLUE, width=2.6)
    for x, place in ((16, (14, 6)), (250, (0, -20))):
        picture.circle(*at(x, weight(x)), colour=ORANGE, radius=5)
        picture.text(
            at(x, 0)[0] + place[0], at(0, weight(x))[1] + place[1], f"$f$({x}) = {weight(x):.4g}",
            anchor="start" if place[0] else "middle",
        )
    picture.line([at(X_MAX, 0), at(X_MAX, 1)], SOFT, width=1, dashed=True)
    picture.text(*at(X_MAX, -0.12), "$x_{max}$ = 100", size=13, colour=SOFT)
    picture.text(at(0, 0)[0] - 14, at(0, 1)[1], "1", size=13, colour=SOFT)
    picture.text(at(0, 0)[0] - 14, at(0, 0)[1], "0", size=13, colour=SOFT)
    picture.text(at(265, 0)[0], at(0, -0.12)[1], "count $x$", size=13, colour=SOFT)
    picture.text(80, 110, "weight", size=13, colour=SOFT)
    return picture
