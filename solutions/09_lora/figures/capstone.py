"""The assistant: which part of the course does what."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing


def draw():
    picture = Drawing(
        250,
        "The assistant and its parts",
        "A question goes to BM25 and to the docs-encoder. What they find is put in order, the "
        "best sections go to MiniLM with an adapter, which points at words of one of them and cites it.",
    )
    picture.box(70, 120, "question", GREY, width=104)
    picture.arrow((123, 108), (186, 72))
    picture.arrow((123, 132), (186, 168))
    picture.box(245, 60, "BM25", BLUE, width=112, note="words, chapter 01")
    picture.box(245, 180, "docs-encoder", BLUE, width=112, note="vectors, chapter 07")
    picture.arrow((303, 72), (362, 108))
    picture.arrow((303, 168), (362, 132))
    picture.box(418, 120, "sections", PURPLE, width=106, note="in order, chapter 08")
    picture.arrow((473, 120), (516, 120))
    picture.box(576, 120, "MiniLM", GREY, width=112, height=46)
    picture.box(576, 165, "+ adapter", ORANGE, width=112, height=36, note="this chapter")
    picture.arrow((634, 120), (660, 120))
    picture.box(704, 120, "words [2]", GREEN, width=84, note="answer, source")
    picture.text(576, 82, "points at words", size=12, colour=SOFT)
    return picture
