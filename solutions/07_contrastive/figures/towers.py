"""Two towers: each side alone through the encoder, then one number."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, SOFT, Drawing


def draw():
    picture = Drawing(
        290,
        "Two towers",
        "A query and a text that belongs to it each go through the encoder by themselves and become a vector; the two "
        "vectors meet in a cosine. Dashed arrows: the gradient of the loss goes back into both towers.",
    )
    for x, words, colour in ((220, "how many rows?", BLUE), (540, "len: return the number of items", GREEN)):
        picture.box(x, 250, words, colour, width=260, height=40)
        picture.arrow((x, 228), (x, 202))
        picture.box(x, 180, "encoder", PURPLE, width=130, height=42)
        picture.arrow((x, 157), (x, 131))
        picture.matrix(x - 60, 100, [[0.6, 0.8, 0.0] if x < 400 else [0.8, 0.6, 0.0]], colour, cell=(40, 28), digits=1)
        picture.arrow((x, 97), (380 + (x - 380) * 0.42, 62))
    picture.text(380, 48, "cosine  0.6 · 0.8 + 0.8 · 0.6 = 0.96", size=15)
    picture.text(380, 180, "the same weights", size=13, colour=SOFT)
    for end in (288, 472):
        picture.line([(380 + (end - 380) * 0.7, 180), (end, 180)], SOFT)
    for side in (-1, 1):
        x = 380 + side * 160
        picture.arrow((x - side * 62, 64), (x + side * 16, 93), colour=ORANGE, dashed=True)
        picture.arrow((x + side * 20, 131), (x + side * 20, 156), colour=ORANGE, dashed=True)
    picture.text(380, 215, "dashed: the gradient", size=13, colour=SOFT)
    return picture
