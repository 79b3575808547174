"""Greedy and beam search on the example of exercise 14."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

FIRST = [0.5, 0.4, 0.1]
SECOND = {0: [0.3, 0.3, 0.4], 1: [0.05, 0.05, 0.9]}


def draw() -> Drawing:
    d = Drawing(330, "Beam search", "Greedy ends with 0.20; a second live beginning ends with 0.36.")
    d.box(70, 165, "nothing", GREY, width=90, height=36, size=14)
    ys = {0: 90, 1: 240, 2: 308}
    for token, p in enumerate(FIRST):
        live = token in SECOND
        d.arrow((115, 165), (242, ys[token]), width=1 + 5 * p, colour=BLUE if live else GREY)
        d.text(300, ys[token], f"{token}: {p:.2f}", size=15) if not live else None
        if live:
            d.box(300, ys[token], f"{token}: {p:.2f}", BLUE, width=116, height=40)
    for token, chances in SECOND.items():
        for other, p in enumerate(chances):
            y = ys[token] + 50 * (other - 1)
            best = other == 2
            d.arrow((358, ys[token]), (490, y), width=1 + 5 * p, colour=(GREEN if token else ORANGE) if best else GREY)
            total = f"{token} {other}: {FIRST[token]:.1f} · {p:g} = {FIRST[token] * p:.3g}"
            d.text(500, y, total, size=14, anchor="start", bold=best)
    d.text(25, 36, "width 2 keeps 0 and 1", size=13, colour=SOFT, anchor="start")
    return d
