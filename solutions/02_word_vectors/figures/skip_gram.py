import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

V, OUTPUTS, CONTEXT = (1, 0), [(0, 1), (1, 0), (1, 1)], 1


def draw():
    scores = [V[0] * u[0] + V[1] * u[1] for u in OUTPUTS]
    weights = [math.exp(s) for s in scores]
    p = [w / sum(weights) for w in weights]
    picture = Drawing(
        230,
        "Skip-gram predicts a context word",
        "From the vector of the centre, word 0, to the scores and probabilities of words 0, 1 and 2; the observed "
        "context is word 1, and the loss is that of its probability.",
    )
    picture.box(58, 125, "word 0", ORANGE, width=76, note="centre")
    picture.arrow((97, 125), (125, 125))
    picture.box(172, 125, "$v$ = (1, 0)", BLUE, width=92, note="look-up, (d,)")
    picture.text(306, 36, "outputs", bold=True)
    for i, (u, s, share) in enumerate(zip(OUTPUTS, scores, p, strict=True)):
        y, own = 82 + 52 * i, i == CONTEXT
        picture.arrow((219, 125), (250, y))
        picture.text(256, y, f"word {i}: · {u}", size=14, anchor="start")
        picture.arrow((366, y), (396, y))
        picture.box(424, y, s, BLUE, width=50, height=36)
        picture.arrow((450, y), (494, y))
        picture.box(530, y, f"{share:.2f}", GREEN if own else BLUE, width=66, height=36)
    y = 82 + 52 * CONTEXT
    picture.text(424, 36, "scores, (V,)", bold=True)
    picture.text(530, 36, "softmax", bold=True)
    picture.arrow((564, y), (606, y), colour=GREEN)
    picture.text(674, y, f"-ln {p[CONTEXT]:.2f} = {-math.log(p[CONTEXT]):.2f}", size=14)
    picture.text(674, y - 28, f"observed context: word {CONTEXT}", size=12, colour=SOFT)
    picture.text(674, y + 26, "loss", size=12, colour=SOFT)
    return picture
