"""Two heads: each reads all of X through matrices of its own. The numbers are those of views.svg."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing

TOKENS = np.array([[1, 0], [0, 2]])  # it, dog
ASKS, FOUND, GIVES = np.array([[-1, -2], [1.5, -0.5]]), np.array([[2, 2], [0.5, 0.5]]), np.array([[2, -5], [-0.5, 0.5]])
MIX = np.array([[0, 1], [1, 0]])


def draw():
    picture = Drawing(
        320,
        "Two heads",
        "Both tokens, with all their features, go into two heads. Head 0 makes its queries, keys and values with the "
        "first columns of W_Q, W_K and W_V, head 1 with the second. Each attends by itself; the results are joined and "
        "multiplied by W_O, which swaps the two columns here.",
    )
    who, cell, results = ["it", "dog"], (34, 28), []
    picture.matrix(40, 132, TOKENS.tolist(), GREY, cell=(30, 28), left=who, note="X, all of it", shade=False)
    for h, y in [(0, 50), (1, 210)]:
        column = slice(h, h + 1)
        q, k, v = TOKENS @ ASKS[:, column], TOKENS @ FOUND[:, column], TOKENS @ GIVES[:, column]
        weights = np.exp(q @ k.T) / np.exp(q @ k.T).sum(1, keepdims=True)
        results.append(weights @ v)
        picture.arrow((104, 160), (150, y + 28))
        parts = [("Q", q, ORANGE), ("K", k, BLUE), ("V", v, GREEN)]
        for i, (name, rows, colour) in enumerate(parts):
            picture.matrix(156 + 54 * i, y, rows.astype(int).tolist(), colour, cell=cell, shade=False)
            picture.text(173 + 54 * i, y - 14, f"$XW_{name}^{{({h})}}$", size=13)
        picture.text(227, y + 74, f"head {h}: column {h} of each", size=12, colour=SOFT)
        picture.arrow((304, y + 28), (332, y + 28))
        picture.matrix(338, y, weights.tolist(), PURPLE, cell=(42, 28), top=who, note="its weights")
        picture.arrow((426, y + 28), (454, 160), colour=GREEN)
    joined = np.concatenate(results, axis=1)
    picture.matrix(460, 132, joined.tolist(), GREEN, cell=(45, 28), note="joined, (T, C)", shade=False)
    picture.text(562, 160, "@")
    picture.matrix(576, 132, MIX.tolist(), GREY, cell=(26, 28), note="$W_O$", shade=False)
    picture.text(641, 160, "=")
    picture.matrix(654, 132, (joined @ MIX).tolist(), GREEN, cell=(45, 28), note="$Y$, (T, C)", shade=False)
    return picture
