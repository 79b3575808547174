"""Softmax, and the average that its weights make."""

import numpy as np

from autograder.authoring.drawing import GREEN, GREY, PURPLE, Drawing


def draw():
    scores, values = np.log([[1.0, 3.0]]), np.array([[4, 0], [0, 8]])
    exps = np.exp(scores - scores.max())
    weights = exps / exps.sum()
    picture = Drawing(
        150,
        "From scores to weights to an average",
        "The scores 0 and 1.10, minus the largest, through exp, divided by their sum: weights 0.25 and 0.75. "
        "Times the values (4, 0) and (0, 8): the context vector (1, 6).",
    )
    cell = (52, 30)
    picture.matrix(22, 60, scores.tolist(), GREY, cell=cell, note="scores", shade=False)
    picture.arrow((132, 75), (222, 75))
    picture.text(177, 48, "minus the\nlargest, exp", size=12)
    picture.matrix(228, 60, exps.tolist(), GREY, cell=cell, note="largest is 1", shade=False)
    picture.arrow((338, 75), (408, 75))
    picture.text(373, 48, "divide by\nthe sum", size=12)
    picture.matrix(414, 60, weights.tolist(), PURPLE, cell=cell, note="weights, sum 1")
    picture.text(534, 75, "@")
    picture.matrix(550, 45, values.tolist(), GREEN, cell=(34, 30), note="values", shade=False)
    picture.text(636, 75, "=")
    picture.matrix(654, 60, (weights @ values).tolist(), GREEN, cell=(42, 30), digits=0, note="context", shade=False)
    return picture
