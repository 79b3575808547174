from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing


def draw():
    d = Drawing(
        220,
        "Two rankings fused by their ranks",
        "The first ranking is 7, then 3; the second 3, then 9. With c = 1 the first rank gives 1/2, the second 1/3. "
        "Document 3 gets 1/3 + 1/2 = 0.83 and comes first; 7 has 0.50, 9 has 0.33.",
    )
    for x, name in ((160, "by words"), (330, "by meaning"), (600, "fused")):
        d.text(x, 26, name, size=14, colour=SOFT)
    for row, part in ((0, "1 / (1 + 1)"), (1, "1 / (1 + 2)")):
        d.text(62, 74 + 58 * row, part, size=13, colour=SOFT)
    for x, ranking, colour in ((160, (7, 3), BLUE), (330, (3, 9), ORANGE)):
        for row, number in enumerate(ranking):
            d.box(x, 74 + 58 * row, number, colour, width=80, height=40)
    d.arrow((390, 103), (470, 103))
    fused = ((3, "1/3 + 1/2 = 0.83"), (7, "1/2 = 0.50"), (9, "1/3 = 0.33"))
    for row, (number, said) in enumerate(fused):
        y = 66 + 50 * row
        d.box(530, y, number, GREEN, width=80, height=38)
        d.text(590, y, said, size=14, anchor="start")
    d.text(380, 202, "Found by both, 3 wins, though only one search had it first.", size=14)
    return d
