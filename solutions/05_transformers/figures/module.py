"""What a module knows of: its parameters and modules, not lists and plain tensors."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

PARTS = ["token_embedding", "position_embedding", "blocks", "final_norm"]


def draw() -> Drawing:
    d = Drawing(300, "A tree of modules", "GPT knows its modules and their parameters, not a plain list.")
    d.box(330, 40, "GPT", BLUE, width=110)
    for i, name in enumerate(PARTS):
        x = 90 + 160 * i
        d.arrow((330, 60), (x, 106))
        d.box(x, 125, name, BLUE, width=150, height=38, size=13)
        below = {"blocks": "blocks.0, blocks.1, ...", "final_norm": "weight, bias"}.get(name, "weight")
        d.arrow((x, 144), (x, 182))
        d.box(x, 200, below, GREEN, width=154, height=36, size=13)
    d.text(330, 246, "green: parameters, trained, moved and saved", size=13, colour=SOFT)
    d.box(690, 40, "[Block, Block]", GREY, width=124, dashed=True, size=13)
    d.text(690, 76, "a Python list:\nunknown", size=12, colour=SOFT)
    d.line([(385, 40), (628, 40)], GREY, dashed=True)
    d.text(330, 276, "named_parameters() walks the tree", size=13, colour=SOFT)
    return d
