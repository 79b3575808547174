import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

V, OUTPUTS, CONTEXT = (1, 0), [(0, 1), (1, 0), (1, 1)], 1


def draw():
    scores = [V[0] * u[0] + V[1] * u[1] for u in OUTPUTS]
    weights = [math.exp(s) for s in scores]
    p = [w / sum(weights) for w in weights]
    picture = Drawing(
        250, "Skip-gram predicts a context word", "From the vector of the centre to scores, probabilities and the loss."
    )
    picture.box(70, 120, "word 0", ORANGE, note="centre")
    picture.arrow((117, 120), (163, 120))
    picture.box(215, 120, "$v$ = (1, 0)", BLUE, width=100, note="look-up, (d,)")
    picture.text(345, 36, "outputs", bold=True)
    for i, (u, s, share) in enumerate(zip(OUTPUTS, scores, p, strict=True)):
        y, own = 80 + 52 * i, i == CONTEXT
        picture.arrow((267, 120), (300, y))
        picture.text(345, y, f"· {u}", size=14)
        picture.arrow((384, y), (424, y))
        picture.box(452, y, s, BLUE, width=50, height=36)
        picture.arrow((480, y), (530, y))
        picture.box(566, y, f"{share:.2f}", GREEN if own else BLUE, width=66, height=36)
    picture.text(452, 36, "scores, (V,)", bold=True)
    picture.text(566, 36, "softmax", bold=True)
    picture.arrow((601, 132), (632, 132), colour=GREEN)
    picture.text(690, 132, f"-ln {p[CONTEXT]:.2f} = {-math.log(p[CONTEXT]):.2f}", size=14)
    picture.text(690, 160, "loss", size=12, colour=SOFT)
    picture.text(566, 222, "observed context: word 1", size=12, colour=SOFT)
    return picture
