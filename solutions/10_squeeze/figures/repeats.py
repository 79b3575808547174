"""DRY: the end of the text has been there before, and the token that followed it then is made dearer."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, RED, SOFT, Drawing

WORDS = ["a", "b", "c", "d", "e", "x", "a", "b", "c", "d"]
MULTIPLIER, BASE, ALLOWED = 0.8, 1.75, 2


def draw() -> Drawing:
    length = 4
    penalty = MULTIPLIER * BASE ** (length - ALLOWED)
    d = Drawing(
        220,
        "DRY",
        "The text a b c d e x a b c d. Its last four tokens stood at the beginning, too, where e followed. "
        f"The logit of e loses 0.8 times 1.75 to the power of 2, which is {penalty:.2f}.",
    )
    xs = [56 + 58 * i for i in range(len(WORDS) + 1)]
    for i, (x, word) in enumerate(zip(xs, WORDS, strict=False)):
        colour = ORANGE if i < length or i >= len(WORDS) - length else GREEN if i == length else GREY
        d.box(x, 96, word, colour, width=46, height=40)
    d.box(xs[-1], 96, "?", BLUE, width=46, height=40, dashed=True)
    for first in (0, len(WORDS) - length):
        d.line([(xs[first] - 22, 68), (xs[first] - 22, 58), (xs[first + 3] + 22, 58), (xs[first + 3] + 22, 68)], ORANGE)
    d.text((xs[0] + xs[3]) / 2, 40, "the same four tokens", size=13, colour=SOFT)
    d.text((xs[6] + xs[9]) / 2, 40, "end the text", size=13, colour=SOFT)
    d.arrow((xs[4], 120), (xs[-1], 120), bend=-34, colour=RED)
    d.text((xs[4] + xs[-1]) / 2, 178, f"$e$ would go on with the repetition: its logit loses 0.8 · 1.75² = "
           f"{penalty:.2f}", size=14, colour=INK)  # fmt: skip
    return d
