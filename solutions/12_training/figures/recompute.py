"""What three blocks keep for the backward pass, with and without activation checkpointing."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing


def draw() -> Drawing:
    d = Drawing(290, "Activation checkpointing", "Three blocks keep all of their insides, or their inputs alone.")
    for y, title, inside in ((90, "as usual", True), (220, "recomputed", False)):
        d.text(70, y, title, size=14)
        for i in range(3):
            x = 230 + 190 * i
            d.circle(x - 88, y, "x" if i == 0 else "", BLUE, radius=13)
            d.box(x, y, "", GREEN if inside else GREY, width=120, height=56, dashed=not inside)
            for j in range(3):
                if inside:
                    d.circle(x - 34 + 34 * j, y, "", ORANGE, radius=11)
            if not inside:
                d.text(x, y, "computed again", size=12, colour=SOFT)
            d.arrow((x - 74, y), (x - 61, y))
            d.arrow((x + 61, y), (x + 88, y), head=i == 2)
        kept = "kept: 3 inputs and 9 numbers inside" if inside else "kept: 3 inputs, and one block's inside at a time"
        d.text(420, y + 50, kept, size=13, colour=SOFT)
    return d
