"""An encoder-decoder of two layers each: one memory, at which every decoder layer looks; shapes of one date."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

SOURCE, TARGET, SEEN = "3 Feb 2015", "<2015-02-03>", 6
READ, NEXT = TARGET[:SEEN], TARGET[1 : SEEN + 1]  # what the decoder reads; what it has to say at each place
LEFT, RIGHT, TRUNK, CELL = 175, 555, 372, 29
BLOCKS, LAYERS = (364, 264), (344, 194)  # where their middles are


def signs(d: Drawing, x: float, y: float, text: str, colour: str) -> None:
    """Draw a text around x, a box for each sign."""
    row = [sign.replace(" ", "␣") for sign in text]
    d.matrix(x - CELL * len(row) / 2, y - 16, [row], colour, cell=(CELL, 32))


def layer(d: Drawing, x: float, y: float, below: float, name: str, parts: dict[str, str]) -> list[float]:
    """Draw a layer around (x, y), its first sublayer at the bottom, fed from `below`; returns where they are."""
    high, places = 42 * len(parts), []
    d.box(x, y, "", GREY, width=226, height=high + 8, dashed=True)
    for i, (words, colour) in enumerate(parts.items()):
        places.append(y + high / 2 - 21 - 42 * i)
        d.box(x, places[i], words, colour, width=196, height=30, size=14)
        d.arrow((x, places[i] + 27 if i else below), (x, places[i] + 15))
    d.text(x + 122, y, name, size=12, colour=SOFT, anchor="start")
    return places


def draw() -> Drawing:
    s, t, edge = len(SOURCE), len(READ), LEFT - CELL * len(SOURCE) / 2
    d = Drawing(
        478,
        "An encoder and a decoder as stacks",
        f"Left, two encoder blocks turn {s} signs into a memory ({s}, C). Right, two decoder layers, each of causal "
        f"self-attention, cross-attention and feed-forward, turn {t} signs into logits ({t}, V). The cross-attention "
        "of both layers gets its keys and values from the same memory, the output of the last encoder block.",
    )
    d.text(LEFT, 28, "encoder", bold=True)
    d.text(RIGHT, 28, "decoder", bold=True)
    d.text(LEFT, 76, "each sublayer adds its input,\nthen normalises", size=13, colour=SOFT)
    signs(d, LEFT, 452, SOURCE, BLUE)
    below = 434.0
    for i, y in enumerate(BLOCKS, start=1):
        *_, last = layer(d, LEFT, y, below, f"block {i}", {"self-attention": BLUE, "feed-forward": BLUE})
        below = last - 15
    d.arrow((LEFT, below), (LEFT, 196))
    d.matrix(edge, 146, [[""] * s] * 2, BLUE, cell=(CELL, 24))
    d.text(LEFT, 132, f"memory ({s}, C): a vector for each sign", size=13)
    d.line([(edge + CELL * s, 170), (TRUNK, 170), (TRUNK, 344)], BLUE, width=2.2)
    parts = {"causal self-attention": ORANGE, "cross-attention": GREEN, "feed-forward": ORANGE}
    signs(d, RIGHT, 452, READ, ORANGE)
    below = 434.0
    for i, y in enumerate(LAYERS, start=1):
        _, cross, last = layer(d, RIGHT, y, below, f"layer {i}", parts)
        below = last - 15
        d.arrow((TRUNK, cross), (RIGHT - 99, cross), colour=BLUE, width=2.2)
        d.text(TRUNK + 8, cross, "keys\n \nvalues", size=12, colour=SOFT, anchor="start")
    d.arrow((RIGHT, below), (RIGHT, 96))
    signs(d, RIGHT, 76, NEXT, GREEN)
    d.text(RIGHT + 96, 76, f"logits ({t}, V):\nthe next sign", size=12, colour=SOFT, anchor="start")
    return d
