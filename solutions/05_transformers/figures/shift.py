"""The shift by one: which logits are judged by which token."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

TOKENS = ["to", "be", "or", "not"]


def draw() -> Drawing:
    d = Drawing(206, "The shift", "The logits behind a token are judged by the token that follows.")
    xs = [190 + 140 * i for i in range(len(TOKENS))]
    for i, (x, token) in enumerate(zip(xs, TOKENS, strict=True)):
        last = i == len(TOKENS) - 1
        d.box(x, 160, token, BLUE, width=96, height=36)
        d.arrow((x, 142), (x, 68))
        d.box(x, 48, "no target" if last else f"logits {i}", GREY if last else GREEN, width=104, height=38, size=14)
        if not last:
            d.arrow((xs[i + 1] - 30, 141), (x + 36, 69), colour=GREEN, dashed=True)
    d.text(110, 160, "tokens", size=13, colour=SOFT, anchor="end")
    d.text(110, 48, "(T, V)", size=13, colour=SOFT, anchor="end")
    d.text(110, 104, "dashed: judged by", size=12, colour=SOFT)
    return d
