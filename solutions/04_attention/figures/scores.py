"""Every query with every key: one product of matrices."""

import numpy as np

from autograder.authoring.drawing import BLUE, ORANGE, PURPLE, Drawing


def draw():
    queries, keys = np.array([[1, 2]]), np.array([[3, 0], [0, 1]])
    picture = Drawing(
        150,
        "All scores at once",
        "One query, (1, 2), times two keys, (3, 0) and (0, 1), turned into columns: the scores 3 and 2.",
    )
    picture.matrix(90, 70, queries.tolist(), ORANGE, left=["query"], note="Q, $(T_q, d)$", shade=False)
    picture.text(230, 85, "@")
    picture.matrix(290, 55, keys.T.tolist(), BLUE, top=["key 1", "key 2"], note="$K^T$, $(d, T_k)$", shade=False)
    picture.text(430, 85, "=")
    scores, names = (queries @ keys.T).tolist(), ["key 1", "key 2"]
    picture.matrix(490, 70, scores, PURPLE, top=names, note="scores, $(T_q, T_k)$", shade=False)
    picture.text(665, 85, "a row for each query,\na column for each key", size=13)
    return picture
