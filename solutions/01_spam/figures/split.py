from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

PARTS = [("training", 0.8 * 0.8, "fit the weights", BLUE), ("validation", 0.8 * 0.2, "choose the\nthreshold", ORANGE)]
PARTS += [("test", 0.2, "measure once,\nat the end", GREEN)]


def draw():
    picture = Drawing(190, "Three parts", "All messages in three parts: training 64 %, validation 16 %, test 20 %.")
    x, whole = 30, 700
    for name, share, use, colour in PARTS:
        width = whole * share
        picture.box(x + width / 2, 75, f"{share:.0%}", colour, width=width - 6, height=54)
        picture.text(x + width / 2, 28, name, bold=True)
        picture.text(x + width / 2, 130, use, size=14)
        x += width
    picture.text(380, 172, "all messages of one core sentence are in the same part", size=12, colour=SOFT)
    return picture
