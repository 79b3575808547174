import math

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

WORDS, TF, DOCUMENTS, N = ["sentence", "not", "Yet"], [2, 2, 1], [2, 1, 1], 2


def draw():
    idf = [math.log10(N / n) for n in DOCUMENTS]
    product = [t * w for t, w in zip(TF, idf, strict=True)]
    picture = Drawing(150, "Frequent here, rare elsewhere", "Term frequencies times IDF for three words of document 2.")
    cell = (72, 36)
    picture.matrix(20, 62, [TF], BLUE, cell=cell, top=WORDS, note="TF: how often here")
    picture.text(253, 80, "×", size=20)
    picture.matrix(271, 62, [idf], ORANGE, cell=cell, digits=3, top=WORDS, note="IDF: log(2 / documents with it)")
    picture.text(505, 80, "=", size=20)
    picture.matrix(524, 62, [product], GREEN, cell=cell, digits=3, top=WORDS, note="TF-IDF")
    picture.text(379, 22, "document 2 of 2", size=12, colour=SOFT)
    return picture
