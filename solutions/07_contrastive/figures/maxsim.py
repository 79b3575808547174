"""Late interaction: for each query token its best passage token, then the sum."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, RED, SOFT, Drawing

QUERY = np.array([[1, 0], [0, 1]])
PASSAGES = [np.array([[0.6, 0.8], [1, 0], [0.8, 0.6]]), np.array([[0.8, 0.6], [-0.6, 0.8]])]


def draw():
    tables = [QUERY @ passage.T for passage in PASSAGES]
    sums = [float(table.max(1).sum()) for table in tables]
    picture = Drawing(
        210,
        "MaxSim",
        f"Two query tokens against the tokens of two passages. Each query token takes its largest cosine: "
        f"{tables[0].max(1).tolist()} and {tables[1].max(1).tolist()}; the sums are {sums[0]:.1f} and {sums[1]:.1f}.",
    )
    for column, table in enumerate(tables):
        left, width = 100 + 350 * column, 56
        picture.text(left + width * table.shape[1] / 2, 24, f"passage {column + 1}", size=14, bold=True)
        picture.matrix(left, 68, [[float(v) for v in row] for row in table], BLUE, below=RED, cell=(width, 40),
                       digits=1, top=[f"token {j + 1}" for j in range(table.shape[1])],
                       left=["query token 1", "query token 2"] if column == 0 else ())
        for i, row in enumerate(table):
            x, y = left + width * int(row.argmax()), 68 + 40 * i
            picture.line([(x, y), (x + width, y), (x + width, y + 40), (x, y + 40), (x, y)], GREEN, width=3)
        at = left + width * table.shape[1]
        for i, best in enumerate(table.max(1)):
            picture.arrow((at + 8, 88 + 40 * i), (at + 36, 88 + 40 * i))
            picture.text(at + 56, 88 + 40 * i, f"{best:.1f}", size=15)
        picture.text(at + 56, 172, f"sum {sums[column]:.1f}", size=15, bold=True)
    told = "green frame: the best token of the passage for this token of the query; orange: below 0"
    picture.text(330, 196, told, size=13, colour=SOFT)
    return picture
