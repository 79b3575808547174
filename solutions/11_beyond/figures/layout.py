"""PaliGemma's layout: tokens of the picture, the prompt, the answer, padding; and who looks at whom."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, SOFT, Drawing

WORDS = ["patch", "patch", "is", "it", "even", "?", "yes", "<eos>", "<pad>"]
KINDS = [BLUE, BLUE, ORANGE, ORANGE, ORANGE, ORANGE, GREEN, GREEN, GREY]
PREFIX, LENGTH = 6, 8


def draw():
    T = len(WORDS)
    picture = Drawing(
        430,
        "PaliGemma's layout",
        "A row of nine tokens: two patches of a picture, the prompt is it even ?, the answer yes and its end, padding. "
        "The table below says who may look at whom: the first six at one another, the answer at them and at what "
        "comes before it, and no token at padding. Only the answer has labels.",
    )
    width, left = 62, 150
    for i, (word, colour) in enumerate(zip(WORDS, KINDS, strict=True)):
        x = left + width * (i + 0.5)
        picture.box(x, 62, word, colour, width=56, height=34, size=14)
        picture.text(x, 92, str(i), size=12, colour=SOFT)
        picture.text(x, 404, word if PREFIX <= i < LENGTH else "-100", size=13, colour=INK)
    for name, a, b in (("picture", 0, 2), ("prompt", 2, 6), ("answer", 6, 8)):
        picture.text(left + width * (a + b) / 2, 28, name, size=14, colour=INK, bold=True)
    for t in range(T):
        y = 112 + 30 * t
        picture.text(left - 12, y + 15, f"{WORDS[t]}  {t}", size=13, colour=SOFT, anchor="end")
        row = ["" if s < LENGTH and (s < PREFIX or s <= t) else None for s in range(T)]
        picture.matrix(left, y, [row], KINDS[t] if t < LENGTH else GREY, cell=(width, 30))
    picture.text(left - 12, 404, "labels", size=13, colour=INK, anchor="end")
    picture.text(44, 62, "tokens", size=13, colour=INK)
    return picture
