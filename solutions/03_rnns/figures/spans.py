"""Spans in BIO tags."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

TAGS = ("B-A", "I-A", "O", "I-B", "B-B")
SPANS = (("A", 0, 2), ("B", 3, 4), ("B", 4, 5))


def draw():
    picture = Drawing(165, "Spans of BIO tags", "B-A I-A O I-B B-B: the spans (A, 0, 2), (B, 3, 4) and (B, 4, 5).")
    left, step = 150, 115
    for i, tag in enumerate(TAGS):
        colour = {"A": ORANGE, "B": GREEN}.get(tag[-1], GREY)
        picture.box(left + step * i, 55, tag, colour, width=84, height=38)
        picture.text(left + step * i, 20, str(i), size=12, colour=SOFT)
    for label, first, end in SPANS:
        begin, stop = left + step * first - 40, left + step * (end - 1) + 40
        picture.line([(begin, 86), (begin, 98), (stop, 98), (stop, 86)], BLUE)
        picture.text((begin + stop) / 2, 118, f"({label}, {first}, {end})", size=14)
    picture.text(left + step * 3, 142, "an I- that continues nothing begins a span", size=12, colour=SOFT)
    return picture
