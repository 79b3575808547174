from collections import Counter

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

DOCUMENTS = ["a b a", "b", "b c"]


def draw():
    d = Drawing(
        250,
        "From documents to an inverted index",
        "Three documents: 0 holds a b a, 1 holds b, 2 holds b c. Turned round, each word has a list of the documents "
        "that hold it with the count: a in 0 twice; b in 0, 1 and 2 once each; c in 2 once. A query for c opens the "
        "last list alone.",
    )
    d.text(130, 26, "documents", size=14, colour=SOFT)
    d.text(500, 26, "postings: (document, count)", size=14, colour=SOFT)
    for i, text in enumerate(DOCUMENTS):
        y = 70 + 60 * i
        d.text(52, y, i, size=15)
        d.box(140, y, text, BLUE, width=120, height=38)
    d.arrow((216, 130), (300, 130))
    d.text(258, 110, "turn round", size=13, colour=SOFT)
    for row, word in enumerate("abc"):
        y = 70 + 60 * row
        d.box(338, y, word, GREEN, width=44, height=38)
        d.arrow((362, y), (392, y))
        held = [(i, Counter(text.split())[word]) for i, text in enumerate(DOCUMENTS) if word in text]
        for place, pair in enumerate(held):
            asked = word == "c"
            d.box(436 + 90 * place, y, f"({pair[0]}, {pair[1]})", ORANGE if asked else BLUE, width=80, height=38)
    d.text(496, 190, "the query “c” reads this list only", size=13, colour=SOFT, anchor="start")
    d.text(380, 232, "Documents that share no word with the query are never touched.", size=14)
    return d
