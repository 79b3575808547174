"""The same three merges in two orders give two encodings of "the"."""

from itertools import pairwise

from autograder.authoring.drawing import BLUE, EDGE, SOFT, Drawing

ORDERS = ([("t", "h"), ("h", "e"), ("th", "e")], [("h", "e"), ("t", "h"), ("th", "e")])


def steps(merges):
    word = ["t", "h", "e"]
    yield list(word), None
    while found := [pair for pair in merges if pair in pairwise(word)]:
        at = list(pairwise(word)).index(found[0])
        word[at : at + 2] = ["".join(found[0])]
        yield list(word), found[0]


def draw():
    picture = Drawing(
        235,
        "The order of the merges decides",
        "With the merges t h, h e, th e in this order, t h e becomes th e and then the. With h e learned first it "
        "becomes t he, and stays so.",
    )
    for column, merges in enumerate(ORDERS):
        left = 50 + 370 * column
        told = ",  ".join(f"{rank}: {a} {b}" for rank, (a, b) in enumerate(merges))
        picture.text(left + 140, 28, told, size=13, mono=True)
        for row, (word, pair) in enumerate(steps(merges)):
            y = 72 + 56 * row
            picture.tokens(left + 60, y, word, BLUE, gap=6, mark=[word.index("".join(pair))] if pair else ())
            if pair:
                picture.text(left + 205, y, f"merged {pair[0]} + {pair[1]}", size=13, colour=SOFT, anchor="start")
        if row == 1:
            picture.text(left + 60, 184, "no pair left that is a merge", size=13, colour=SOFT, anchor="start")
    picture.line([(400, 20), (400, 215)], EDGE)
    return picture
