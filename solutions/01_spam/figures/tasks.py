from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

TASKS = [
    ("classify", "ham", "one of a few labels", BLUE),
    ("regress", "3 replies", "a number", BLUE),
    ("extract", "Dana, Friday", "spans of the text", BLUE),
    ("generate", "Ask at the desk.", "more text", BLUE),
    ("retrieve", "Found: a blue bike", "the best of many", GREEN),
]


def draw():
    picture = Drawing(330, "Five tasks", "One message goes into five tasks; what comes out differs.")
    picture.box(130, 165, width=210, height=70, colour=ORANGE, note="goes in: text")
    picture.text(130, 165, "Dana lost her bike near\nthe library on Friday", size=15)
    for i, (task, out, kind, colour) in enumerate(TASKS):
        y = 42 + 61 * i
        picture.arrow((237, 165), (306, y))
        picture.text(352, y, task, bold=True)
        picture.arrow((396, y), (436, y))
        picture.box(526, y, out, colour, width=170)
        picture.text(622, y, kind, size=12, colour=SOFT, anchor="start")
    return picture
