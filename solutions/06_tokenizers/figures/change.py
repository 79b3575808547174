"""What one merge changes in the counts of pairs."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, RED, SOFT, Drawing


def draw():
    picture = Drawing(
        205,
        "What one merge changes",
        "The word w o w _ holds the pairs w o, o w and w _. After the merge of w and _ it is w o w_ with the pairs w o "
        "and o w_. So w o stays as it was, o w and w _ lose one each, and o w_ gains one.",
    )
    before = picture.tokens(60, 50, ["w", "o", "w", "_"], BLUE, gap=34)
    after = picture.tokens(470, 50, ["w", "o", "w_"], BLUE, gap=34, mark=[2])
    picture.arrow((335, 50), (450, 50), width=2)
    picture.text(392, 30, "merge w + _", size=13)
    changes = [(before, ["w o", "o w", "w _"], ["stays", "-1", "-1"]), (after, ["w o", "o w_"], ["stays", "+1"])]
    for middles, pairs, said in changes:
        for i, (pair, words) in enumerate(zip(pairs, said, strict=True)):
            x = (middles[i] + middles[i + 1]) / 2
            colour = {"stays": GREY, "-1": RED, "+1": GREEN}[words]
            for end in (middles[i], middles[i + 1]):
                picture.line([(end, 69), (x, 98)], colour)
            picture.text(x, 112, pair, size=14, mono=True)
            picture.text(x, 136, words, size=15, colour=colour, bold=words != "stays")
    picture.text(380, 178, "A word is touched only if it holds the pair, and then only at the pair's neighbours.",
                 size=13, colour=SOFT)
    return picture
