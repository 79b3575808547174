"""What three tokens weigh for the third, and the mean: the worked example of RWKV's time mixing."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

VALUES, DECAY = [4.0, 0.0, 8.0], 0.5


def draw():
    weights = [DECAY ** max(0, 1 - i) for i in range(2)] + [1.0]
    mean = float(np.dot(weights, VALUES) / sum(weights))
    picture = Drawing(
        250,
        "Time mixing",
        f"The third token sees three values, {VALUES}. With all keys 0 and a decay of one half they weigh {weights}: "
        f"the token before counts whole, the one before it half. The weighted mean is {mean:g}.",
    )
    for i, (value, weight) in enumerate(zip(VALUES, weights, strict=True)):
        x = 120 + 150 * i
        picture.box(x, 205, f"{value:g}", BLUE, width=80, note="")
        picture.polygon([(x - 24, 160), (x - 24, 160 - 80 * weight), (x + 24, 160 - 80 * weight), (x + 24, 160)],
                        ORANGE, 0.5)  # fmt: skip
        picture.text(x, 160 - 80 * weight - 12, f"{weight:g}", size=13)
    for i, word in enumerate(("$e^{-w}$, decayed once", "the token before", "$e^u$, the token itself")):
        picture.text(120 + 150 * i, 40, word, size=12, colour=SOFT)
    picture.text(26, 120, "weight", size=12, colour=SOFT, anchor="start")
    picture.text(26, 205, "value", size=12, colour=SOFT, anchor="start")
    picture.arrow((480, 160), (560, 160))
    picture.box(640, 160, f"{mean:g}", GREEN, width=110, note="weighted mean")
    picture.text(640, 110, f"({' + '.join(f'{w:g}·{v:g}' for w, v in zip(weights, VALUES, strict=True))}) / "
                 f"{sum(weights):g}", size=12, colour=SOFT)  # fmt: skip
    return picture
