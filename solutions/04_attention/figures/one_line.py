"""Scaled dot-product attention from left to right: it and dog, with the Q, K and V of views.svg."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, Drawing

QUERIES, KEYS = np.array([[-1, -2], [3, -1]]), np.array([[2, 2], [1, 1]])
VALUES = np.array([[2, -5], [-1, 1]])
WHO = ["it", "dog"]


def draw():
    products = QUERIES @ KEYS.T
    scores = products / np.sqrt(2)
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    picture = Drawing(
        270,
        "Attention in one line",
        "Queries of it and dog times their keys, turned into columns: -6, -3, 4, 2. Divided by the root of 2, through "
        "softmax, times the values, they give the output.",
    )
    small, wide = (40, 32), (58, 32)
    picture.matrix(60, 40, QUERIES.tolist(), ORANGE, cell=small, left=WHO, note="Q", shade=False)
    picture.text(166, 72, "@")
    picture.matrix(192, 40, KEYS.T.tolist(), BLUE, cell=small, top=WHO, note="$K^T$", shade=False)
    picture.text(298, 72, "=")
    picture.matrix(324, 40, products.tolist(), GREY, cell=small, top=WHO, note="$QK^T$", shade=False)
    picture.arrow((412, 72), (514, 72))
    picture.text(462, 55, "÷ √2", size=14)
    picture.matrix(522, 40, scores.tolist(), GREY, cell=wide, top=WHO, note="scores", shade=False)
    picture.arrow((648, 72), (690, 72))
    picture.text(722, 72, "softmax", size=13)
    picture.arrow((10, 197), (52, 197))
    picture.matrix(60, 165, weights.tolist(), PURPLE, cell=wide, top=WHO, note="weights, rows sum to 1")
    picture.text(206, 197, "@")
    picture.matrix(236, 165, VALUES.tolist(), GREEN, cell=small, note="V", shade=False)
    picture.text(346, 197, "=")
    output = (weights @ VALUES).tolist()
    picture.matrix(374, 165, output, GREEN, cell=(64, 32), note="output, one row per token", shade=False)
    return picture
