import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, Drawing

COUNTS, IDF = [1, 2, 0], [1, 0.5, 2]


def draw():
    product = [c * w for c, w in zip(COUNTS, IDF, strict=True)]
    norm = math.hypot(*product)
    picture = Drawing(140, "Weigh, then scale to length 1", "Counts times IDF, divided by the Euclidean norm.")
    cell, y = (54, 36), 52
    picture.matrix(18, y, [COUNTS], BLUE, cell=cell, note="counts")
    picture.text(194, y + 18, "×", size=20)
    picture.matrix(208, y, [[f"{w:g}" for w in IDF]], ORANGE, cell=cell, note="IDF", shade=False)
    picture.text(384, y + 18, "=", size=20)
    picture.matrix(398, y, [[f"{v:g}" for v in product]], BLUE, cell=cell, note=f"norm √2 = {norm:.3f}", shade=False)
    picture.arrow((562, y + 18), (576, y + 18))
    picture.matrix(580, y, [[v / norm for v in product]], GREEN, cell=cell, digits=3, note="length 1")
    picture.text(571, 28, "÷ norm", size=13)
    return picture
