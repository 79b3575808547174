from autograder.authoring.drawing import BLUE, GREY, ORANGE, RED, SOFT, Drawing

PIXELS, LEFT = 3.2, 60  # of a token; of the first


def draw():
    d = Drawing(
        216,
        "What goes into a prompt of 200 tokens",
        "A bar of 200 tokens: the instruction 40, passage 1 with 70, passage 2 with its first lines, 60, and the "
        "question, 30. The rest of passage 2 is cut at the end of a line, and passage 3 is left out.",
    )
    blocks = (("instruction", 40, GREY), ("[1] whole", 70, BLUE), ("[2] its first lines", 60, BLUE))
    blocks += (("question", 30, ORANGE),)
    d.text(LEFT, 28, "budget: 200 tokens", size=14, anchor="start")
    d.line([(LEFT, 48), (LEFT + 200 * PIXELS, 48)], SOFT)
    at = LEFT
    for name, tokens, colour in blocks:
        wide = tokens * PIXELS
        d.box(at + wide / 2, 82, name, colour, width=wide - 4, height=46, size=14)
        d.text(at + wide / 2, 118, tokens, size=13, colour=SOFT)
        at += wide
    cut = LEFT + 170 * PIXELS
    d.arrow((cut, 150), (cut, 110), colour=RED)
    d.text(cut, 174, "the rest of [2] is cut,\nat the end of a line", size=13)
    d.box(200, 178, "[3] left out, even if it is short", RED, width=250, height=36, dashed=True, size=14)
    return d
