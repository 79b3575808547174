from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, SOFT, Drawing
from helpers.chapters.rag import opening

STAGES = [
    ("search", "by words,\nby meaning", BLUE),
    ("fuse", "two rankings\ninto one", BLUE),
    ("re-rank", "question and\npassage together", PURPLE),
    ("pack", "a prompt of\n700 tokens", ORANGE),
    ("read", "point at\nthe answer", GREEN),
]

ANSWER = opening.recorded()["replies"][opening.EXAMPLES[0]].answer  # what the first page shows


def draw():
    d = Drawing(
        250,
        "Retrieve, then read",
        "A question goes through five stages: search by words and by meaning, fuse the two rankings, re-rank, pack a "
        "prompt, read. 26,562 chunks become two lists of 200, then about 150 documents, of which the cross-encoder "
        "reads 5, then 3 passages, then one answer with its source, or: I do not know.",
    )
    counts = ("26,562 chunks", "2 × 200", "150, then 5", "3 passages")
    d.text(380, 26, "“How many results does functools' memoising decorator keep?”", size=15)
    d.arrow((78, 40), (78, 72))
    for i, (name, what, colour) in enumerate(STAGES):
        x = 78 + 151 * i
        d.box(x, 96, name, colour, width=96, height=44)
        d.text(x, 148, what, size=13, colour=SOFT)
        if i < 4:
            d.arrow((x + 50, 96), (x + 101, 96))
    for i, count in enumerate(counts):
        d.text(78 + 151 * i, 182, count, size=13)
    d.arrow((682, 170), (682, 196))
    d.box(652, 218, ANSWER, GREEN, width=92, height=36)
    d.text(592, 218, "or", size=14, anchor="middle")
    d.box(500, 218, "I do not know.", GREY, width=140, height=36)
    return d
