from autograder.authoring.drawing import BLUE, EDGE, GREEN, ORANGE, PURPLE, SOFT, Drawing


def draw():
    d = Drawing(
        300,
        "Two towers against a cross-encoder",
        "Left, two towers: question and passage go through the encoder apart, become one vector each, and meet in a "
        "dot product; the passage's vector is made once. Right, a cross-encoder: both stand in one input, so every "
        "word of the question attends to every word of the passage; one score comes out, anew for each pair.",
    )
    d.text(170, 26, "two towers (exercise 4)", size=15, bold=True)
    for x, words in ((90, "question"), (250, "passage")):
        d.box(x, 258, words, BLUE, width=110, height=38)
        d.arrow((x, 237), (x, 207))
        d.box(x, 185, "encoder", PURPLE, width=110, height=40)
        d.arrow((x, 163), (x, 137))
        d.box(x, 117, "vector", ORANGE, width=90, height=36)
        d.arrow((x, 97), (170 + (x - 170) * 0.35, 72))
    d.text(170, 58, "dot product", size=14)
    d.line([(355, 40), (355, 280)], EDGE)
    d.text(560, 26, "cross-encoder (exercise 8)", size=15, bold=True)
    d.tokens(386, 258, ["[CLS]", "question", "[SEP]", "passage", "[SEP]"], BLUE, gap=6, size=12, height=36)
    d.arrow((560, 237), (560, 207))
    d.box(560, 185, "encoder: all attend to all", PURPLE, width=300, height=40)
    d.arrow((560, 163), (560, 137))
    d.box(560, 117, "vector of [CLS]", ORANGE, width=140, height=36)
    d.arrow((560, 97), (560, 76))
    d.text(560, 58, "score", size=14)
    d.text(170, 290, "millions of passages, made once", size=13, colour=SOFT)
    d.text(560, 290, "a handful of passages, each question anew", size=13, colour=SOFT)
    return d
