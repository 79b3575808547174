from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

TABLE = [[17, 24, 1], [23, 5, 7], [4, 6, 13], [10, 12, 19], [11, 18, 25]]
WORD = 3


def draw():
    one_hot = [int(i == WORD) for i in range(len(TABLE))]
    picture = Drawing(
        240, "A one-hot product is a look-up", "The one-hot vector of word 3 times a table of five rows gives row 3."
    )
    picture.matrix(30, 100, [one_hot], ORANGE, cell=(44, 34), top=range(5), note="one-hot b(w), (1, V)")
    picture.text(272, 117, "·", size=24)
    picture.matrix(330, 35, TABLE, BLUE, cell=(54, 34), left=range(5), shade=False, note="table E, (V, d)")
    picture.line([(330, 137), (492, 137), (492, 171), (330, 171), (330, 137)], ORANGE, width=3)
    picture.arrow((496, 154), (570, 126), colour=ORANGE)
    product = [sum(b * row[j] for b, row in zip(one_hot, TABLE, strict=True)) for j in range(3)]
    picture.matrix(574, 100, [product], GREEN, cell=(54, 34), shade=False, note="row 3, (1, d)")
    picture.text(533, 196, "just read it", size=13, colour=SOFT)
    return picture
