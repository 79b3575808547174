from autograder.authoring.drawing import BLUE, GREY, SOFT, Drawing

K1, LEFT, BOTTOM, WIDE, UNIT = 1.2, 90, 216, 26, 74
RUST = "#b45309"  # as dark as words must be


def worth(tf, length=1.0, b=0.75):
    return tf * (K1 + 1) / (tf + K1 * (1 - b + b * length))


def draw():
    d = Drawing(
        260,
        "What one more occurrence is worth in BM25",
        "Curves of the BM25 fraction over the count of a word, k1 = 1.2. In a document of average length: 1 for one "
        "occurrence, 1.77 for five, 2.08 for twenty, never above 2.2. In a document twice as long it rises later.",
    )
    at = {n: (LEFT + WIDE * n, BOTTOM - UNIT * worth(n)) for n in (1, 5, 20)}
    top = BOTTOM - UNIT * (K1 + 1)
    d.line([(LEFT, 30), (LEFT, BOTTOM), (640, BOTTOM)], GREY)
    d.line([(LEFT, top), (640, top)], GREY, dashed=True)
    d.text(LEFT + 8, 22, "the fraction", size=13, anchor="start", colour=SOFT)
    d.text(LEFT - 12, top, "2.2", size=13, anchor="end")
    d.text(LEFT - 12, BOTTOM - UNIT, "1", size=13, anchor="end")
    d.line([(LEFT, BOTTOM - UNIT), at[1]], GREY, dashed=True)
    steps = [n / 4 for n in range(85)]
    d.line([(LEFT + WIDE * n, BOTTOM - UNIT * worth(n)) for n in steps], BLUE, width=2.4)
    d.line([(LEFT + WIDE * n, BOTTOM - UNIT * worth(n, 2)) for n in steps], RUST, width=2.4)
    for n, (x, y) in at.items():
        d.circle(x, y, colour=BLUE, radius=4)
        if n > 1:
            d.text(x, y + (20 if n == 20 else -16), f"{worth(n):.2f}", size=13)
        d.text(x, BOTTOM + 16, n, size=13)
    d.text(380, BOTTOM + 34, "how often the word occurs in the document", size=13, colour=SOFT)
    d.text(650, at[20][1] - 2, "average length", size=13, anchor="start", colour=BLUE)
    d.text(650, at[20][1] + 22, "twice as long", size=13, anchor="start", colour=RUST)
    return d
