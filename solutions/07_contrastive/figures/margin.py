"""The margin loss of a good triplet and of a bad one, on a line of similarities."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, Drawing

MARGIN, TRIPLETS = 0.5, {"good": (0.9, 0.2), "bad": (0.5, 0.8)}


def draw():
    losses = {name: max(low - high + MARGIN, 0) for name, (high, low) in TRIPLETS.items()}
    picture = Drawing(
        235,
        "The margin of a triplet",
        f"Good triplet: the positive at similarity 0.9 is more than the margin 0.5 ahead of the negative at 0.2, loss "
        f"{losses['good']:.1f}. Bad triplet: positive 0.5, negative 0.8, loss {losses['bad']:.1f}.",
    )
    left, scale = 180, 400
    for row, (name, (positive, negative)) in enumerate(TRIPLETS.items()):
        y = 62 + 105 * row
        at = {key: left + scale * s for key, s in (("+", positive), ("-", negative), ("goal", negative + MARGIN))}
        picture.text(30, y, f"{name} triplet", size=15, anchor="start")
        picture.line([(left, y), (left + scale * 1.32, y)], GREY, width=1.2)
        picture.line([(at["goal"], y - 16), (at["goal"], y + 16)], BLUE, width=2)
        picture.arrow((at["-"], y + 32), (at["goal"], y + 32), colour=BLUE)
        picture.text((at["-"] + at["goal"]) / 2, y + 46, "margin 0.5", size=12)
        for key, colour, words in (("-", ORANGE, f"$s^-$ = {negative:g}"), ("+", GREEN, f"$s^+$ = {positive:g}")):
            picture.circle(at[key], y, colour=colour, radius=7)
            picture.text(at[key], y - 24, words, size=14)
        if losses[name]:
            picture.arrow((at["+"] + 9, y), (at["goal"], y), colour=RED, width=3)
        picture.text(745, y - 36, f"loss {losses[name]:.1f}", size=15, anchor="end", bold=True)
    return picture
