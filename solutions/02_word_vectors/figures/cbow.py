from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

VECTORS, OUTPUTS = [(2, 0), (0, 4)], [(1, 0), (0, 1), (1, 1)]


def draw():
    h = tuple(sum(v[k] for v in VECTORS) // len(VECTORS) for k in range(2))
    picture = Drawing(
        220, "CBoW guesses the word in the middle", "The mean of the context's vectors, scored against all outputs."
    )
    for i, v in enumerate(VECTORS):
        y = 70 + 80 * i
        picture.box(70, y, f"word {i}", BLUE, note="context")
        picture.arrow((117, y), (160, y))
        picture.box(212, y, f"$v_{i}$ = {v}", BLUE, width=100)
        picture.arrow((264, y), (330, 110))
    picture.box(384, 110, f"$h$ = {h}", ORANGE, width=104, note="mean, (d,)")
    for i, u in enumerate(OUTPUTS):
        y = 50 + 60 * i
        picture.arrow((438, 110), (500, y))
        picture.text(543, y, f"· {u}", size=14)
        picture.arrow((584, y), (640, y))
        picture.box(676, y, h[0] * u[0] + h[1] * u[1], GREEN, width=66, height=38)
    picture.text(676, 206, "scores, (V,)", size=12, colour=SOFT)
    return picture
