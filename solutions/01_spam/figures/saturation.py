from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

K1 = 1.2


def draw():
    picture = Drawing(250, "Saturation", "BM25's score of a word grows ever more slowly with its count.")

    def score(count):
        return count * (K1 + 1) / (count + K1)

    def at(x, y):
        return 120 + 27 * x, 200 - 75 * y

    picture.line([at(0, 2.45), at(0, 0), at(21.5, 0)], GREY)
    picture.line([at(0, K1 + 1), at(21, K1 + 1)], SOFT, width=1, dashed=True)
    picture.line([at(0, 0), at(2.4, 2.4)], GREY, width=1.6)
    picture.line([at(i / 10, score(i / 10)) for i in range(211)], BLUE, width=2.6)
    for count, dx, dy in ((1, 14, 8), (5, 8, 20), (20, 0, 22)):
        picture.circle(*at(count, score(count)), colour=ORANGE, radius=5)
        words, (x, y) = f"{count}: {score(count):.4g}", at(count, score(count))
        picture.text(x + dx, y + dy, words, size=14, anchor="middle" if dx == 0 else "start")
    picture.text(*at(10.5, K1 + 1.18), "never above $k_1$ + 1 = 2.2", size=13, colour=SOFT)
    picture.text(at(2.4, 2.4)[0] + 8, at(0, 2.44)[1], "the count itself", size=13, colour=SOFT, anchor="start")
    picture.text(*at(10.5, -0.32), "count of the word in the document", size=13, colour=SOFT)
    return picture
