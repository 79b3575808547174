from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

X, Y = (1.0, 0.8), (0.0, 0.2)


def draw():
    means = [sum(side) / len(side) for side in (X, Y)]
    picture = Drawing(190, "What WEAT measures", "Four target words on the line of their association s, and two means.")

    def at(s):
        return 110 + 540 * s

    picture.line([(at(-0.05), 100), (at(1.05), 100)], GREY)
    for side, name, colour in ((X, "x", BLUE), (Y, "y", ORANGE)):
        for i, s in enumerate(side):
            picture.circle(at(s), 100, colour=colour, radius=7)
            picture.text(at(s), 76, f"${name}_{i + 1}$: {s:g}", size=14)
    for mean in means:
        picture.line([(at(mean), 92), (at(mean), 140)], GREEN, width=2)
        picture.text(at(mean), 158, f"mean {mean:.1f}", size=13, colour=SOFT)
    picture.arrow((at(means[1]), 132), (at(means[0]), 132), colour=GREEN, width=2)
    picture.text(380, 152, f"difference {means[0] - means[1]:.1f}", size=14)
    picture.text(at(0), 30, "closer to B", size=13, colour=SOFT)
    picture.text(at(1), 30, "closer to A", size=13, colour=SOFT)
    return picture
