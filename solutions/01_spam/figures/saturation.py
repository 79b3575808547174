from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

K1 = 1.2
MARKED = (1, 5, 20)


def draw():
    picture = Drawing(280, "Saturation", "BM25's score of a word grows ever more slowly with its count.")

    def score(count):
        return count * (K1 + 1) / (count + K1)

    def at(x, y):
        return 120 + 28 * x, 220 - 75 * y

    picture.line([at(0, 2.5), at(0, 0), at(21.5, 0)], GREY)
    for y in (0, 1, 2):
        picture.line([(116, at(0, y)[1]), at(0, y)], GREY)
        picture.text(108, at(0, y)[1], f"{y}", size=13, colour=SOFT, anchor="end")
    for x in (0, *MARKED, 10, 15):
        picture.line([at(x, 0), (at(x, 0)[0], 225)], GREY)
        picture.text(at(x, 0)[0], 237, f"{x}", size=13, colour=SOFT)
    picture.line([at(0, K1 + 1), at(21, K1 + 1)], SOFT, width=1, dashed=True)
    picture.line([at(0, 0), at(2.4, 2.4)], GREY, width=1.6)
    picture.line([at(i / 10, score(i / 10)) for i in range(211)], BLUE, width=2.6)
    for count, dx, dy in zip(MARKED, (14, 6, 0), (8, 22, 22), strict=True):
        x, y = at(count, score(count))
        picture.circle(x, y, colour=ORANGE, radius=5)
        picture.text(x + dx, y + dy, f"{score(count):.4g}", size=14, anchor="start" if dx else "middle")
    picture.text(*at(10.5, K1 + 1.18), "never above $k_1$ + 1 = 2.2", size=13, colour=SOFT)
    picture.text(at(2.4, 2.4)[0] + 8, at(0, 2.44)[1], "the count itself", size=13, colour=SOFT, anchor="start")
    picture.text(at(10.5, 0)[0], 262, "count of the word in the document", size=13, colour=SOFT)
    picture.text(84, 98, "score\nof the\nword", size=13, colour=SOFT, anchor="end")
    return picture
