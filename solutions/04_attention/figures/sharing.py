"""Heads of keys and values shared by heads of queries, and what a window with a sink sees."""

import numpy as np

from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing


def draw():
    picture = Drawing(
        225,
        "See less, keep less",
        "Four heads of queries with four, two and one heads of keys and values. Beside them a table of four tokens "
        "with a window of 2 and one sink: the last token sees the first and the last two.",
    )
    for x, name, groups in [(95, "multi-head", 4), (275, "grouped-query", 2), (455, "multi-query", 1)]:
        picture.text(x, 25, name)
        for h in range(4):
            at = x - 60 + 40 * h
            picture.box(at, 75, f"$q_{h}$", ORANGE, width=34, height=34)
            g = h * groups // 4
            key = x - 60 + 40 * (4 / groups) * (g + 0.5) - 20
            picture.arrow((at, 94), (at + (key - at) * 0.8, 136), width=1.2)
            if h % (4 // groups) == 0:
                picture.box(key, 155, f"$kv_{g}$", BLUE, width=36, height=34)
        picture.text(x, 200, f"{groups} kept of 4" if groups < 4 else "all 4 kept", size=13, colour=SOFT)
    mask = np.tril(np.ones((4, 4), bool)) & ~np.tril(np.ones((4, 4), bool), -2)
    mask[:, 0] = True
    picture.text(660, 25, "window 2, one sink")
    for i, row in enumerate(mask):
        for j, seen in enumerate(row):
            picture.matrix(600 + 30 * j, 60 + 30 * i, [["✓" if seen else None]], BLUE, cell=(30, 30))
    picture.text(660, 200, "keys in columns", size=13, colour=SOFT)
    return picture
