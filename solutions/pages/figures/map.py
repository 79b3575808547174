"""The map of the course: its chapters, and which builds on which; those without a place get a row below."""

from autograder import paths
from autograder.authoring import start_page
from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, SOFT, Drawing

COLUMNS, ROWS = (100, 285, 470, 655), (70, 205, 340, 475)
CHAPTERS = {  # number: name, what it is about, column, row
    "01": ("Spam", "bags of words", 0, 0),
    "02": ("Word vectors", "meaning from context", 1, 0),
    "03": ("RNNs", "memory and gates", 2, 0),
    "04": ("Attention", "look at what you need", 3, 0),
    "06": ("Tokenizers", "text into numbers", 0, 1),
    "12": ("Training", "runs that you can trust", 1, 1),
    "05": ("Transformers", "BERT, GPT", 2, 1),
    "11": ("Beyond", "other blocks, images", 3, 1),
    "07": ("Contrastive", "search by meaning", 0, 2),
    "08": ("RAG", "retrieve, then read", 1, 2),
    "09": ("LoRA", "adapt and align", 2, 2),
    "10": ("Squeeze", "choose well, take less", 3, 2),
}
COLOURS = (BLUE, ORANGE, GREEN)  # of a row
LABELS = ("words and sequences", "the machine of today", "put to use")
BESIDE = ["01 02", "02 03", "03 04", "06 12", "05 12", "05 11", "07 08", "08 09"]  # an arrow from side to side
OVER = ["06 05"]  # an arrow over the box between them
BELOW = ["04 11", "06 07", "05 09"]
ACROSS = ["04 05", "05 10"]  # down, and one column to the left or to the right
BELOW_BOX, ABOVE_BOX = 44, 25  # from a box's middle to below its note, and to above it
ROW = 3  # further chapters in a row below


def place(number):
    column, row = CHAPTERS[number][2:]
    return COLUMNS[column], ROWS[row]


def arrows():
    """Where each arrow begins and ends."""
    for way in BESIDE:
        (x0, y), (x1, _) = map(place, way.split())
        side = 1 if x1 > x0 else -1
        yield (x0 + 77 * side, y), (x1 - 78 * side, y)
    for way in BELOW:
        (x, y0), (_, y1) = map(place, way.split())
        yield (x, y0 + BELOW_BOX), (x, y1 - ABOVE_BOX)
    for way in ACROSS:
        (x0, y0), (x1, y1) = map(place, way.split())
        step = 60 if x1 > x0 else -60
        yield (x0 + step, y0 + BELOW_BOX), (x1 - step, y1 - ABOVE_BOX)


def draw():
    further = [start_page.title(name) for name in paths.chapters() if name.partition("_")[0] not in CHAPTERS]
    picture = Drawing(
        535 + 135 * -(-len(further) // ROW),
        "The map of the course",
        "An arrow leads from a chapter to one that builds on it. Chapters 01 to 04 lead from bags of words over word "
        "vectors and RNNs to attention. 05 builds transformers from 04 with the tokens of 06; 11 continues 04 and 05, "
        "and 12 trains what 05 builds. 07 searches with the tokens of 06, 08 answers from what 07 finds, 09 adapts "
        "the models of 05 and the answers of 08, and 10 makes the model of 05 small. The assistant at the end uses "
        "07, 08 and 09.",
    )
    for number, (name, what, column, row) in CHAPTERS.items():
        picture.box(COLUMNS[column], ROWS[row], f"{number} {name}", COLOURS[row], width=150, height=46, note=what)
    for start, end in arrows():
        picture.arrow(start, end)
    for way in OVER:
        (x0, y), (x1, _) = map(place, way.split())
        above, left, right = y - 55, x0 + 64, x1 - 40
        picture.line([(left, y - ABOVE_BOX), (left, above), (right, above)])
        picture.arrow((right, above), (right, y - ABOVE_BOX))
    (x, y) = COLUMNS[1], ROWS[3]
    picture.box(x, y, "an assistant\nthat cites", PURPLE, width=150, height=58, note="all of it together")
    for number, end in (("07", (x - 79, y - 14)), ("08", (x, y - 32)), ("09", (x + 79, y - 14))):
        picture.arrow((place(number)[0], ROWS[2] + BELOW_BOX), end)
    for words, y0 in zip(LABELS, ROWS, strict=False):
        picture.text(20, y0 - 48, words, size=12, colour=SOFT, anchor="start")
    picture.text(740, ROWS[3] + 8, "an arrow leads to what builds on it", size=12, colour=SOFT, anchor="end")
    for i, (name, what) in enumerate(further):
        x, y = 140 + 240 * (i % ROW), 580 + 135 * (i // ROW)
        picture.box(x, y, name, PURPLE, width=200, height=46, note=what)
    return picture
