"""Top-p on three words."""

from autograder.authoring.drawing import BLUE, GREY, ORANGE, SOFT, Drawing

P, LIMIT = {"word 1": 0.5, "word 2": 0.3, "word 0": 0.2}, 0.6
LEFT, LONG = 110, 600


def draw():
    kept, total = {}, 0.0
    for word, p in P.items():
        if total < LIMIT:
            kept[word], total = p, total + p
    picture = Drawing(
        215, "Top-p", f"0.5 and 0.3 are kept, since 0.5 alone is less than {LIMIT}; scaled they are 0.625 and 0.375."
    )
    picture.text(LEFT - 12, 70, "sorted", size=13, colour=SOFT, anchor="end")
    picture.text(LEFT - 12, 170, "kept", size=13, colour=SOFT, anchor="end")
    begin = 0.0
    for word, p in P.items():
        picture.box(
            LEFT + LONG * (begin + p / 2),
            70,
            f"{word}: {p}",
            BLUE if word in kept else GREY,
            width=LONG * p - 4,
            height=38,
            dashed=word not in kept,
        )
        begin += p
    x = LEFT + LONG * LIMIT
    picture.arrow((x, 32), (x, 50), colour=ORANGE, width=2)
    picture.text(x, 22, f"p = {LIMIT}", size=14)
    begin = 0.0
    for word, p in kept.items():
        picture.box(
            LEFT + LONG * (begin + p / total / 2),
            170,
            f"{word}: {p / total:.3f}",
            BLUE,
            width=LONG * p / total - 4,
            height=38,
        )
        begin += p / total
    picture.text(
        LEFT + 8, 124, f"0.5 < {LIMIT}, but 0.5 + 0.3 is enough: divide by 0.8", size=13, colour=SOFT, anchor="start"
    )
    return picture
