from autograder.authoring.drawing import BLUE, GREEN, GREY, RED, SOFT, Drawing


def draw():
    picture = Drawing(
        330, "A step of negative sampling", "The context is pulled towards the centre, the noise word is pushed away."
    )
    scale, x0, y0 = 110, 260, 250

    def at(x, y):
        return x0 + scale * x, y0 - scale * y

    picture.line([at(-1.1, 0), at(1.6, 0)], GREY, width=1)
    picture.line([at(0, -0.25), at(0, 2.15)], GREY, width=1)
    for point, words, colour, width, place, anchor in (
        ((0, 2), "noise $n$ = (0, 2)", RED, 1.8, (14, 0), "start"),
        ((0, 1), "context $u$ = (0, 1)", GREEN, 4, (-14, 0), "end"),
        ((1, 0), "centre $v$ = (1, 0)", BLUE, 3, (14, -14), "start"),
    ):
        picture.arrow(at(0, 0), at(*point), colour=colour, width=width)
        picture.text(at(*point)[0] + place[0], at(*point)[1] + place[1], words, anchor=anchor)
    for start, step, words, colour, place, anchor in (
        ((0, 1), (0.5, 0), "pulled by (0.5, 0)", GREEN, (8, 0), "start"),
        ((0, 2), (-0.5, 0), "pushed by (-0.5, 0)", RED, (-8, 0), "end"),
        ((1, 0), (0, -0.5), "away from $n$, by (0, -0.5)", BLUE, (12, -8), "start"),
    ):
        end = at(start[0] + step[0], start[1] + step[1])
        picture.arrow(at(*start), end, colour=colour, width=2, dashed=True)
        picture.text(end[0] + place[0], end[1] + place[1], words, size=13, colour=SOFT, anchor=anchor)
    picture.text(560, 110, "solid: the vectors", size=13, colour=SOFT, anchor="start")
    picture.text(560, 130, "dashed: one step each", size=13, colour=SOFT, anchor="start")
    return picture
