"""BERT and GPT side by side: what goes in, who sees whom, what comes out."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

STEP = 82


def machine(d: Drawing, left: int, name: str, tokens: list[str], out: list[str], sees) -> None:
    """Draw a row of tokens, the lines along which they are looked at, and what each place predicts."""
    xs = [left + 40 + STEP * i for i in range(len(tokens))]
    for i, (x, token) in enumerate(zip(xs, tokens, strict=True)):
        d.box(x, 262, token, ORANGE if token == "[MASK]" else BLUE, width=72, height=34, size=14)
        for j, other in enumerate(xs):
            if sees(i, j):
                d.line([(other, 244), (x, 162)], GREY, width=1.1)
        if out[i]:
            d.arrow((x, 129), (x, 96))
            d.box(x, 78, out[i], GREEN, width=72, height=34, size=14)
    d.text(left + 163, 30, name, bold=True)
    d.box(left + 163, 145, "blocks", GREY, width=318, height=32, size=14)


def draw() -> Drawing:
    d = Drawing(318, "BERT and GPT", "BERT fills a hole and sees both sides; GPT guesses what comes next.")
    machine(d, 22, "BERT: an encoder", ["to", "[MASK]", "or", "not"], ["", "be", "", ""], lambda i, j: True)
    machine(d, 402, "GPT: a decoder", ["to", "be", "or", "not"], ["be", "or", "not", "to"], lambda i, j: j <= i)
    d.text(185, 298, "guess what is hidden", colour=SOFT)
    d.text(565, 298, "guess what comes next", colour=SOFT)
    return d
