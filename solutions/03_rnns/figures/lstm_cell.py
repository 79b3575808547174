"""An LSTM cell of one number: the cell is 2, the sum of the content is 1 and those of the gates are 0."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

C, CONTENT = 2.0, 1.0


def draw():
    gate, content = 1 / (1 + math.exp(0)), math.tanh(CONTENT)
    kept, written = gate * C, gate * content
    new = kept + written
    shown = gate * math.tanh(new)
    picture = Drawing(
        330,
        "An LSTM cell",
        f"The forget gate {gate} keeps {kept:g} of the cell {C:g}. The input gate {gate} adds {written:.2f} of the "
        f"content {content:.2f}: {new:.2f}. The output gate lets half of its tanh through: {shown:.2f}.",
    )
    picture.box(66, 60, f"$c$ = {C:g}", GREEN, width=80)
    picture.arrow((106, 60), (174, 60), width=2.4, colour=GREEN)
    picture.circle(192, 60, "×", GREY)
    picture.arrow((209, 60), (364, 60), width=2.4, colour=GREEN)
    picture.text(286, 42, f"{kept:g}", size=14)
    picture.circle(382, 60, "+", GREY)
    picture.arrow((399, 60), (640, 60), width=2.4, colour=GREEN)
    picture.box(694, 60, f"$c'$ = {new:.2f}", GREEN, width=104)
    gates = (
        (192, "forget gate", f"σ($f$) = {gate}"),
        (318, "input gate", f"σ($i$) = {gate}"),
        (446, "content", f"tanh($g$) = {content:.2f}"),
        (580, "output gate", f"σ($o$) = {gate}"),
    )
    for x, name, value in gates:
        colour, width = (BLUE, 126) if name == "content" else (ORANGE, 114)
        picture.box(x, 212, value, colour, width=width, height=38)
        picture.text(x + 8, 242, name, size=13, colour=SOFT, anchor="start")
        picture.arrow((x, 276), (x, 233))
    picture.arrow((192, 192), (192, 78))
    picture.circle(382, 134, "×", GREY)
    picture.arrow((326, 192), (371, 149))
    picture.arrow((438, 192), (393, 149))
    picture.arrow((382, 117), (382, 78))
    picture.text(392, 98, f"{written:.2f}", size=14, anchor="start")
    picture.arrow((580, 62), (580, 115))
    picture.text(590, 88, "tanh", size=14, anchor="start")
    picture.circle(580, 134, "×", GREY)
    picture.arrow((580, 192), (580, 152))
    picture.arrow((597, 134), (640, 134))
    picture.box(694, 134, f"$h'$ = {shown:.2f}", GREEN, width=104)
    parts = f"$x W_x + h W_h + b$ in four parts: here $g$ = {CONTENT:g}, and $i$, $f$, $o$ are 0"
    picture.box(386, 296, parts, GREY, width=520, height=38)
    return picture
