from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

WORDS = "the rows of a matrix are the columns of its transpose".split()
CENTRE, REACH = 4, 2


def draw():
    picture = Drawing(
        230, "A word and its context", "A window of two words to each side of matrix, and the four pairs that it gives."
    )
    context = [i for i in range(CENTRE - REACH, CENTRE + REACH + 1) if i != CENTRE]
    middles = []
    x = 88
    for i, word in enumerate(WORDS):
        colour = ORANGE if i == CENTRE else BLUE if i in context else GREY
        middles += picture.tokens(x, 70, [word], colour, size=13)
        x = 2 * middles[-1] - x + 6
    picture.text(middles[CENTRE], 28, "centre", colour=SOFT, size=13)
    for side, words in ((context[0], "context"), (context[-1], "context")):
        picture.text(middles[side], 28, words, colour=SOFT, size=13)
    for k, i in enumerate(context):
        at = 112 + 180 * k
        picture.box(at, 180, f"{WORDS[CENTRE]}, {WORDS[i]}", GREEN, width=130, note="a pair")
        picture.arrow((middles[i], 89), (at, 158))
    return picture
