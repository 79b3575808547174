"""A transformer block, and where prompt, prefix, adapter and LoRA are put."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SOFT, Drawing


def draw():
    picture = Drawing(
        400,
        "Four places in a block",
        "A block of a transformer from below: tokens, attention with its query, key, value and output"
        " matrices, a feed-forward network. Prompt tuning puts trained vectors in front of the "
        "tokens; prefix tuning puts trained keys and values into the attention; an adapter is a small"
        " network after a layer; LoRA is beside the matrices.",
    )
    x = 250
    picture.box(x, 355, "vectors of the tokens", GREY, width=190, height=36)
    picture.arrow((x, 336), (x, 286))
    picture.box(x, 260, "attention: $W_Q$ $W_K$ $W_V$ $W_O$", GREY, width=250, height=48)
    picture.arrow((x, 235), (x, 196))
    picture.box(x, 180, "adapter", GREEN, width=110, height=30)
    picture.arrow((x, 164), (x, 141))
    picture.box(x, 118, "feed-forward: $W_1$ $W_2$", GREY, width=250, height=44)
    picture.arrow((x, 95), (x, 66))
    picture.box(x, 50, "adapter", GREEN, width=110, height=30)
    picture.box(75, 355, "prompt", PURPLE, width=86, height=36)
    picture.arrow((119, 355), (154, 355), colour=PURPLE)
    picture.box(65, 260, "prefix", BLUE, width=76, height=36)
    picture.arrow((104, 260), (124, 260), colour=BLUE)
    picture.box(440, 260, "$BA$", ORANGE, width=60, height=36)
    picture.box(440, 118, "$BA$", ORANGE, width=60, height=36)
    picture.arrow((409, 260), (377, 260), colour=ORANGE)
    picture.arrow((409, 118), (377, 118), colour=ORANGE)
    for y, head, told, colour in (
        (60, "Adapter (2019)", "a small network after a layer;\none more step in every pass", GREEN),
        (150, "LoRA (2021)", "a product of two thin matrices\nbeside a matrix; can be merged", ORANGE),
        (245, "Prefix tuning (2021)", "trained keys and values, in front\nof those of the tokens", BLUE),
        (335, "Prompt tuning (2021)", "trained vectors in front of the\ntokens; the block is untouched", PURPLE),
    ):
        picture.text(520, y, head, size=14, anchor="start", bold=True, colour=INK)
        picture.text(520, y + 32, told, size=12, colour=SOFT, anchor="start")
        picture.line([(508, y - 10), (508, y + 50)], colour, width=3)
    picture.text(x, 18, "to the next block", size=12, colour=SOFT)
    return picture
