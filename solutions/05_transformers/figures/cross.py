"""An encoder-decoder: the memory, and the queries that look at it."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing


def draw() -> Drawing:
    d = Drawing(
        330,
        "Encoder and decoder",
        "The decoder's cross-attention looks at the encoder's memory at each step. Each sublayer adds its input, then "
        "normalises.",
    )
    d.text(150, 30, "encoder", bold=True)
    d.text(560, 30, "decoder", bold=True)
    d.box(150, 296, "3 Feb 2015", BLUE, width=170, height=36, note="")
    d.arrow((150, 278), (150, 236))
    d.box(150, 205, "blocks", BLUE, width=170, height=60, note="")
    d.arrow((150, 175), (150, 140))
    d.box(150, 118, "memory", BLUE, width=170, height=42, note="")
    d.text(58, 158, "(S, C)", size=12, colour=SOFT)
    d.box(560, 296, "<2015-", ORANGE, width=170, height=36)
    d.arrow((560, 278), (560, 262))
    d.box(560, 242, "causal self-attention", ORANGE, width=190, height=38, size=14)
    d.arrow((560, 223), (560, 190), label="queries")
    d.box(560, 168, "cross-attention", GREEN, width=190, height=42)
    d.arrow((235, 118), (464, 160), colour=BLUE, width=2.2)
    d.text(345, 116, "keys and values", size=13, colour=SOFT)
    d.text(345, 212, "each sublayer adds its input,", size=12, colour=SOFT)
    d.text(345, 228, "then normalises", size=12, colour=SOFT)
    d.arrow((560, 147), (560, 128))
    d.box(560, 108, "feed-forward", ORANGE, width=190, height=38, size=14)
    d.arrow((560, 89), (560, 76))
    d.box(560, 58, "0", ORANGE, width=70, height=34)
    return d
