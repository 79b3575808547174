import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

COUNTS = {"spam": [2, 0], "ham": [0, 1]}  # of win and bus


def draw():
    shares = {}
    picture = Drawing(220, "Naive Bayes counts", "Counts of two words in spam and ham, one added to each, as shares.")
    for i, (name, row) in enumerate(COUNTS.items()):
        y, colour = 62 + 74 * i, ORANGE if name == "spam" else BLUE
        added = [n + 1 for n in row]
        shares[name] = [n / sum(added) for n in added]
        top = ["win", "bus"] if i == 0 else ()
        picture.matrix(80, y, [row], colour, cell=(56, 36), left=[name], top=top)
        picture.arrow((198, y + 18), (258, y + 18))
        picture.text(228, y + 2, "+ 1", size=13)
        picture.matrix(264, y, [added], colour, cell=(56, 36), top=top)
        picture.arrow((382, y + 18), (432, y + 18))
        picture.matrix(438, y, [[f"{n} / {sum(added)}" for n in added]], colour, cell=(64, 36), top=top, shade=False)
    odds = shares["spam"][0] / shares["ham"][0]
    picture.line([(470, 40), (470, 28), (660, 28), (660, 88)], GREY)
    picture.line([(470, 176), (470, 190), (700, 190), (700, 134)], GREY)
    picture.box(660, 111, f"ln {odds:g} = {math.log(odds):.3f}", GREEN, width=150)
    picture.text(628, 147, "score of win", size=12, colour=SOFT)
    return picture
