"""The window model of 2003 with the numbers of the first visible case."""

import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

E = (1, 2, 3)
W_H, B_H, W_O, B_O = (0.1, -0.2), 0.3, (1.0, -1.0, 2.0), (0.5, 0.0, -0.5)
W_D = ((0.1, 0.2, 0.3), (-0.1, 0.4, 0.0))


def draw():
    x = [E[2], E[0]]
    hidden = math.tanh(sum(a * w for a, w in zip(x, W_H, strict=True)) + B_H)
    scores = [hidden * W_O[j] + B_O[j] + sum(a * W_D[i][j] for i, a in enumerate(x)) for j in range(3)]
    picture = Drawing(
        262,
        "A window of two words",
        "Words 2 and 0 become the row (3, 1); it goes through a hidden layer and along a direct path to three scores.",
    )
    for i, (word, y) in enumerate(((2, 65), (0, 135))):
        picture.box(80, y, f"word {word}", BLUE, width=90)
        picture.text(80, y - 33 + 66 * i, ("oldest", "newest")[i], size=12, colour=SOFT)
        picture.arrow((125, y), (208, 100), label="")
        picture.text(156, 62 if i == 0 else 144, f"row {word} of $E$", size=12, colour=SOFT, anchor="start")
    picture.matrix(210, 82, [[float(v) for v in x]], BLUE, cell=(46, 36), digits=0, note="$x$ (1, 2)", shade=False)
    picture.arrow((304, 100), (340, 100))
    picture.box(440, 100, f"tanh($x W_h + b_h$) = {hidden:.2f}", ORANGE, width=196, height=44, note="hidden (1, 1)")
    picture.arrow((540, 100), (570, 100))
    picture.matrix(572, 82, [scores], GREEN, cell=(56, 36), note="scores (1, 3)", shade=False)
    picture.line([(256, 80), (256, 36), (656, 36)])
    picture.arrow((656, 36), (656, 80))
    picture.text(440, 22, "the direct path, $x W_d$", size=13, colour=SOFT)
    weights = (
        f"$W_h$ = ({W_H[0]:g}, {W_H[1]:g}),  $b_h$ = {B_H:g},  $W_o$ = ({', '.join(f'{w:g}' for w in W_O)}),  "
        f"$b_o$ = ({', '.join(f'{b:g}' for b in B_O)})"
    )
    direct = ",  ".join(f"({', '.join(f'{w:g}' for w in row)})" for row in W_D)
    picture.text(380, 202, f"the weights:  $E$ = ({', '.join(str(e) for e in E)}),  {weights}", size=13)
    picture.text(380, 232, f"the rows of $W_d$:  {direct}", size=13)
    return picture
