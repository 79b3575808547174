"""The worked exercise of scaled dot-product attention, from left to right."""

import numpy as np

from autograder.authoring.drawing import GREEN, GREY, PURPLE, Drawing


def draw():
    products, values = np.array([[-6.0, -3.0], [4.0, 2.0]]), np.array([[2, -5], [-1, 1]])
    scores = products / np.sqrt(2)
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    picture = Drawing(
        165,
        "Attention in one line",
        "Products of queries with keys, divided by the root of 2, through softmax, times the values.",
    )
    picture.matrix(18, 55, products.astype(int).tolist(), GREY, cell=(40, 32), note="$QK^T$", shade=False)
    picture.arrow((104, 87), (176, 87))
    picture.text(140, 68, "÷ √2", size=14)
    picture.matrix(182, 55, scores.tolist(), GREY, cell=(56, 32), note="scores", shade=False)
    picture.arrow((300, 87), (372, 87))
    picture.text(336, 68, "softmax", size=13)
    picture.matrix(378, 55, weights.tolist(), PURPLE, cell=(50, 32), note="weights, rows sum to 1")
    picture.text(494, 87, "@")
    picture.matrix(510, 55, values.tolist(), GREEN, cell=(38, 32), note="V", shade=False)
    picture.text(602, 87, "=")
    picture.matrix(620, 55, (weights @ values).tolist(), GREEN, cell=(60, 32), note="output", shade=False)
    return picture
