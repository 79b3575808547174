"""The map of the course: its chapters, and what goes from one to the next; those without a place get a row below."""

from autograder import paths
from autograder.authoring import start_page
from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing

CHAPTERS = {
    "01": ("Spam", "bags of words", 100, 70, BLUE),
    "02": ("Word vectors", "meaning from context", 285, 70, BLUE),
    "03": ("RNNs", "memory and gates", 470, 70, BLUE),
    "04": ("Attention", "look at what you need", 655, 70, BLUE),
    "06": ("Tokenizers", "text into numbers", 100, 205, ORANGE),
    "05": ("Transformers", "BERT, GPT", 470, 205, ORANGE),
    "07": ("Contrastive", "search by meaning", 100, 340, GREEN),
    "08": ("RAG", "retrieve, then read", 285, 340, GREEN),
    "09": ("LoRA", "adapt and align", 470, 340, GREEN),
}
ROW = 3  # chapters in a row below
WAYS = ["01 02", "02 03", "03 04", "06 05", "07 08", "08 09"]


def draw():
    further = [start_page.title(name) for name in paths.chapters() if name.partition("_")[0] not in CHAPTERS]
    picture = Drawing(
        430 + 135 * -(-len(further) // ROW),
        "The map of the course",
        "Chapters 01 to 04 lead from bags of words over word vectors and RNNs to attention. 05 builds transformers, "
        "for which 06 makes the tokens. 07 learns to search, 08 answers questions from what is found, 09 adapts "
        "models; the assistant at the end uses all of them.",
    )
    for number, (name, what, x, y, colour) in CHAPTERS.items():
        picture.box(x, y, f"{number} {name}", colour, width=150, height=46, note=what)
    for way in WAYS:
        (_, _, x0, y0, _), (_, _, x1, y1, _) = (CHAPTERS[n] for n in way.split())
        picture.arrow((x0 + 77, y0), (x1 - 78, y1))
    picture.arrow((655, 114), (548, 190))  # 04 to 05
    picture.arrow((470, 252), (470, 314), colour=PURPLE)  # 05 to 09
    picture.arrow((100, 252), (100, 314), colour=GREY)  # 06 to 07
    picture.arrow((548, 340), (590, 340), colour=GREEN)
    picture.box(668, 340, "an assistant\nthat cites", PURPLE, width=148, height=58, note="all of it together")
    picture.text(20, 22, "words and sequences", size=12, colour=SOFT, anchor="start")
    picture.text(20, 157, "the machine of today", size=12, colour=SOFT, anchor="start")
    picture.text(118, 292, "what one builds with it", size=12, colour=SOFT, anchor="start")
    for i, (name, what) in enumerate(further):
        x, y = 140 + 240 * (i % ROW), 475 + 135 * (i // ROW)
        picture.box(x, y, name, PURPLE, width=200, height=46, note=what)
        if i % ROW:
            picture.arrow((x - 138, y), (x - 102, y))
    return picture
