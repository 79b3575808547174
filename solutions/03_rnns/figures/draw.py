"""Drawing a word: probabilities laid end to end."""

from autograder.authoring.drawing import GREY, ORANGE, Drawing

P, R = (0.2, 0.5, 0.3), 0.6
LEFT, LONG = 70, 620


def draw():
    picture = Drawing(150, "Drawing by cumulative sums", "0.2, 0.5 and 0.3 laid end to end; 0.6 falls into the second.")
    begin = 0.0
    for word, p in enumerate(P):
        colour = ORANGE if begin <= R < begin + p else GREY
        picture.box(LEFT + LONG * (begin + p / 2), 85, f"word {word}: {p}", colour, width=LONG * p - 4, height=40)
        begin += p
        picture.text(LEFT + LONG * begin, 122, f"{begin:.1f}", size=13)
    picture.text(LEFT, 122, "0", size=13)
    picture.arrow((LEFT + LONG * R, 36), (LEFT + LONG * R, 63), width=2)
    picture.text(LEFT + LONG * R, 22, f"r = {R}: the first cumulative sum above it is 0.7, so word 1", size=14)
    return picture
