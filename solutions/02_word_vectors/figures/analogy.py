from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

A, B, C, D = (1.0, 0.0), (0.8, 0.6), (0.0, 1.0), (-0.28, 0.96)


def draw():
    target = tuple(b - a + c for a, b, c in zip(A, B, C, strict=True))
    picture = Drawing(
        424, "An analogy is a parallelogram", "row is to rows as column is to columns: the same step from both."
    )
    scale, x0, y0 = 230, 330, 396

    def at(point):
        return x0 + scale * point[0], y0 - scale * point[1]

    picture.line([at((-0.5, 0)), at((1.25, 0))], GREY, width=1)
    picture.line([at((0, 0)), at((0, 1))], GREY, width=1)
    for ends in ((A, C), (B, target)):
        picture.line([at(end) for end in ends], GREY, dashed=True)
    picture.arrow(at((0, 0)), at(D), colour=GREEN)
    picture.arrow(at((0, 0)), at(target), colour=SOFT, dashed=True)
    picture.arrow(at(A), at(B), colour=BLUE, width=2.6)
    picture.arrow(at(C), at(target), colour=ORANGE, width=2.6)
    for point, words, colour, dx, dy, anchor in (
        (A, "$a$: row (1, 0)", BLUE, 14, -12, "start"),
        (B, "$b$: rows (0.8, 0.6)", BLUE, 14, -4, "start"),
        (C, "$c$: column", ORANGE, 12, 1, "start"),
        (D, f"columns {D}", GREEN, -14, -4, "end"),
        (target, f"$b - a + c$ = ({target[0]:.1f}, {target[1]:.1f})", RED, 14, -2, "start"),
    ):
        picture.circle(*at(point), colour=colour, radius=5)
        picture.text(at(point)[0] + dx, at(point)[1] + dy, words, anchor=anchor, size=14)
    return picture
