"""Three tokens, three experts with two places each: the worked example."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, RED, SOFT, Drawing

P, K, PLACES = np.array([[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.5, 0.1, 0.4]]), 2, 2


def draw():
    chosen = np.argsort(-P, axis=1)[:, :K]
    gates = np.zeros_like(P)
    for n, pair in enumerate(chosen):
        gates[n, pair] = P[n, pair] / P[n, pair].sum()
    used, kept = [0] * 3, np.zeros_like(P, dtype=bool)
    for rank in range(K):
        for n in range(len(P)):
            expert = chosen[n, rank]
            kept[n, expert] = used[expert] < PLACES
            used[expert] += 1
    picture = Drawing(
        300,
        "Routing with places",
        f"Three tokens with the probabilities {P.tolist()} choose two of three experts each, and each expert has two "
        "places. Expert 0 is full when the third token comes: that choice is dropped. The gates that stay are "
        f"{(gates * kept).round(3).tolist()}.",
    )
    picture.matrix(80, 75, P.tolist(), BLUE, digits=1, left=["A", "B", "C"], top=["0", "1", "2"],
                   note="probabilities (N, E)", cell=(46, 46))  # fmt: skip
    xs = (330, 430, 530)
    for x, expert in zip(xs, range(3), strict=True):
        picture.text(x, 40, f"expert {expert}", size=13, colour=SOFT)
        places = [n for n in range(3) if kept[n, expert]]
        for i in range(PLACES):
            word = "ABC"[places[i]] if i < len(places) else ""
            picture.box(x, 95 + 46 * i, word, ORANGE if word else GREY, width=76, height=38, dashed=not word)
    picture.box(330, 215, "C", RED, width=76, height=38, dashed=True, note="no place: dropped")
    picture.arrow((225, 145), (286, 120), colour=INK)
    left = 590
    cells = [[float(g) if k else 0.0 for g, k in zip(row, keep, strict=True)] for row, keep in
             zip(gates, kept, strict=True)]  # fmt: skip
    picture.matrix(left, 75, cells, GREEN, left=[], top=["0", "1", "2"], note="gates (N, E)", cell=(52, 46), digits=3)
    picture.arrow((570, 145), (586, 145), colour=INK)
    return picture
