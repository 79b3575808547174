"""The cuts of "aba": positions are circles, pieces are arrows, the best way to each position is green."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, SOFT, Drawing

TEXT, LOG_PROBS = "aba", {"a": -1, "b": -2, "ab": -2.5, "ba": -1.5}


def draw():
    edges = [(i, j, LOG_PROBS[TEXT[i:j]]) for j in range(1, 4) for i in range(j) if TEXT[i:j] in LOG_PROBS]
    best, came = [0.0], [None]
    for j in range(1, 4):
        scores = {i: best[i] + p for i, k, p in edges if k == j}
        came.append(max(scores, key=scores.get))
        best.append(scores[came[-1]])
    way, j = set(), 3
    while j:
        way.add((came[j], j))
        j = came[j]
    picture = Drawing(
        310,
        "All cuts of aba, and the best one",
        f"Four positions, around each letter; an arrow for each piece with its log-probability. The best sums are "
        f"{', '.join(f'{b:g}' for b in best)}; the best cut is a, then ba.",
    )
    at = [90 + 190 * i for i in range(4)]
    for i, j, p in edges:
        chosen, y = (i, j) in way, 150
        colour, width = (GREEN, 3.4) if chosen else (GREY, 1.6)
        if j == i + 1:
            picture.arrow((at[i] + 28, y), (at[j] - 28, y), colour=colour, width=width)
            picture.text((at[i] + at[j]) / 2, y - 18, f"{TEXT[i:j]}  {p:g}", size=15)
        else:
            up = 1 if i == 0 else -1
            picture.arrow((at[i], y - 28 * up), (at[j], y - 28 * up), colour=colour, width=width, bend=130 * up)
            picture.text((at[i] + at[j]) / 2, y - 110 * up, f"{TEXT[i:j]}  {p:g}", size=15)
    for x, b in zip(at, best, strict=True):
        picture.circle(x, 150, f"{b:g}", BLUE, radius=26)
    told = "On an arrow: a piece and its log-probability. In a circle: the best sum up to there."
    picture.text(380, 290, told, size=13, colour=SOFT)
    return picture
