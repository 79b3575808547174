"""Two queries, three keys: cosines, softmax over each row, the loss of the diagonal."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, RED, SOFT, Drawing

QUERIES, KEYS, TAU = np.array([[1, 2], [0.5, -1]]), np.array([[2, 1], [1, 0], [-1, 3]]), 0.5


def draw():
    unit = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (QUERIES, KEYS)]
    cosines = (unit[0] @ unit[1].T).round(9) + 0.0
    chances = np.exp(cosines / TAU) / np.exp(cosines / TAU).sum(1, keepdims=True)
    losses = -np.log(np.diag(chances))
    picture = Drawing(
        215,
        "InfoNCE as a table",
        f"Two queries, three keys. Cosines; after softmax with temperature 0.5 the right keys, on the diagonal, "
        f"have {chances[0, 0]:.2f} and {chances[1, 1]:.2f}; the losses are {losses[0]:.2f} and {losses[1]:.2f}, their "
        f"mean is {losses.mean():.3f}.",
    )
    top = ["key 1", "key 2", "key 3"]
    for left, table, note in ((80, cosines, "cosines (N, M)"), (380, chances, "probabilities (N, M)")):
        picture.matrix(left, 70, table.tolist(), BLUE, below=RED, cell=(62, 42), top=top, note=note,
                       left=["query 1", "query 2"] if left == 80 else ())
        for i in range(2):
            x, y = left + 62 * i, 70 + 42 * i
            picture.line([(x, y), (x + 62, y), (x + 62, y + 42), (x, y + 42), (x, y)], GREEN, width=3)
    picture.arrow((276, 112), (366, 112), width=2)
    picture.text(321, 92, "divided by 0.5", size=12)
    picture.text(321, 132, "softmax by row", size=12)
    for i, loss in enumerate(losses):
        picture.arrow((572, 91 + 42 * i), (606, 91 + 42 * i))
        picture.text(615, 91 + 42 * i, f"-log {chances[i, i]:.2f} = {loss:.2f}", size=14, anchor="start")
    picture.text(672, 172, f"mean {losses.mean():.3f}", size=15, bold=True)
    picture.text(240, 34, "green frame: what belongs together; orange: below 0", size=13, colour=SOFT)
    return picture
