"""Queries, keys and values: three views of the same rows."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, Drawing

TOKENS = np.array([[1, 0], [0, 2]])  # it, dog
ASKS, FOUND, GIVES = np.array([[-1, -2], [1.5, -0.5]]), np.array([[2, 2], [0.5, 0.5]]), np.array([[2, -5], [-0.5, 0.5]])


def whole(rows: np.ndarray) -> list[list[int]]:
    """Return rows of whole numbers as such."""
    return rows.astype(int).tolist()


def draw():
    q, k, v = TOKENS @ ASKS, TOKENS @ FOUND, TOKENS @ GIVES
    scores = q @ k.T
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    picture = Drawing(
        340,
        "Q, K and V are three views of the rows of X",
        "Two tokens, it and dog, multiplied by three matrices, give queries, keys and values. Queries with keys give "
        "scores and weights, and these mix the values.",
    )
    left = ["it", "dog"]
    picture.matrix(60, 140, TOKENS.tolist(), GREY, cell=(40, 32), left=left, note="X, $(T, C)$", shade=False)
    for y, name, rows, colour, says in [
        (46, "Q", q, ORANGE, "what it asks"),
        (146, "K", k, BLUE, "how it is found"),
        (246, "V", v, GREEN, "what it gives"),
    ]:
        picture.arrow((146, 172), (258, y + 30), colour=colour)
        picture.text(198, {46: 98, 146: 152, 246: 248}[y], f"$W_{name}$", size=14)
        picture.matrix(264, y, whole(rows), colour, cell=(40, 30), note=f"{name}: {says}", shade=False)
    picture.arrow((350, 76), (428, 110), colour=ORANGE)
    picture.arrow((350, 176), (428, 130), colour=BLUE)
    picture.matrix(434, 90, whole(scores), GREY, cell=(40, 30), top=left, note="scores $QK^T$", shade=False)
    picture.arrow((520, 120), (600, 120))
    picture.text(560, 105, "softmax", size=12)
    picture.matrix(606, 90, weights.tolist(), PURPLE, cell=(56, 30), top=left, note="weights: rows sum to 1")
    picture.arrow((662, 176), (662, 238), colour=PURPLE)
    picture.arrow((350, 276), (600, 276), colour=GREEN)
    output = (weights @ v).tolist()
    picture.matrix(606, 246, output, GREEN, cell=(56, 30), note="output, one row per token", shade=False)
    return picture
