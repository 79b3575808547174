from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing


def draw():
    picture = Drawing(
        330, "A matrix as a sum of patterns", "X = U S W transposed, with singular values 5 and 2; one pattern is kept."
    )
    cell = (50, 34)
    picture.matrix(40, 60, [[3, 0], [0, 2], [4, 0]], BLUE, cell=cell)
    picture.text(90, 34, "$X$", bold=True)
    picture.text(90, 178, "(V, C)", size=12, colour=SOFT)
    picture.text(170, 110, "=", size=20)
    picture.matrix(205, 60, [[0.6, 0], [0, 1], [0.8, 0]], GREEN, cell=cell, digits=1)
    picture.text(255, 34, "$U$", bold=True)
    picture.text(325, 110, "·", size=24)
    picture.matrix(345, 77, [[5, 0], [0, 2]], ORANGE, cell=cell)
    picture.text(395, 34, "$S$", bold=True)
    picture.text(395, 163, "how important", size=12, colour=SOFT)
    picture.text(465, 110, "·", size=24)
    picture.matrix(485, 77, [[1, 0], [0, 1]], BLUE, cell=cell)
    picture.text(535, 34, "$W^T$", bold=True)
    picture.arrow((230, 205), (230, 248), label="keep the first column, times 5")
    picture.matrix(205, 252, [[3, 0, 4]], GREEN, cell=(50, 34))
    picture.text(375, 269, "the three word vectors for $k$ = 1: 0.6 · 5, 0 · 5, 0.8 · 5", size=13, anchor="start")
    picture.text(280, 305, "$U_k S_k$, (V, k), here as a row", size=12, colour=SOFT)
    picture.text(255, 178, "(V, 2)", size=12, colour=SOFT)
    return picture
