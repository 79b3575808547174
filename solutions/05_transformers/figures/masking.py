"""Masked language modelling of one sentence: what goes in, and what is to be guessed."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

WORDS = ["your", "parcel", "will", "be", "here", "on", "monday"]
INPUTS = {1: ("[MASK]", "80 %"), 4: ("of", "10 %"), 6: ("monday", "10 %")}


def draw() -> Drawing:
    d = Drawing(232, "Holes in a text", "Three of seven tokens are chosen: one is hidden, one exchanged, one kept.")
    for i, word in enumerate(WORDS):
        x = 142 + 92 * i
        shown, share = INPUTS.get(i, (word, ""))
        d.box(x, 36, word, BLUE, width=84, height=32, size=13)
        d.arrow((x, 52), (x, 94), colour=SOFT)
        d.box(x, 110, shown, ORANGE if share else BLUE, width=84, height=32, size=13)
        d.box(x, 166, word if share else "-100", GREEN if share else GREY, width=84, height=32, size=13)
        if share:
            d.text(x + 22, 73, share, size=12, colour=SOFT)
    for y, name in [(36, "text"), (110, "inputs"), (166, "labels")]:
        d.text(88, y, name, size=13, colour=SOFT, anchor="end")
    d.text(420, 208, "orange: hidden, exchanged or kept; the loss sees the green labels only", size=13, colour=SOFT)
    return d
