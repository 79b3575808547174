"""T5's span corruption on ten words: what the encoder reads and what the decoder writes."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, SOFT, Drawing

WORDS = "Thank you for inviting me to your party last week".split()
SPANS = [(2, 2), (8, 1)]
MARKS = ["<X>", "<Y>", "<Z>"]


def draw():
    hidden = {i for start, length in SPANS for i in range(start, start + length)}
    picture = Drawing(
        250,
        "Span corruption",
        "The ten words Thank you for inviting me to your party last week. The words for inviting and last are cut out. "
        "The encoder reads: Thank you X me to your party Y week. The decoder writes: X for inviting Y last Z.",
    )
    text = picture.tokens(88, 50, WORDS, GREY, gap=6, mark=hidden)
    inputs, targets = [], []
    for i, word in enumerate(WORDS):
        mark = next((MARKS[k] for k, (start, _) in enumerate(SPANS) if start == i), None)
        if mark:
            inputs.append((mark, text[i] if SPANS[MARKS.index(mark)][1] == 1 else (text[i] + text[i + 1]) / 2))
            targets.append(mark)
        if i in hidden:
            targets.append(word)
        else:
            inputs.append((word, text[i]))
    for word, x in inputs:
        mark, width = word in MARKS, max(36, len(word) * 8.4 + 16)
        picture.box(x, 128, word, GREEN if mark else BLUE, width=width, height=34, size=14)
        picture.arrow((x, 70), (x, 108), colour=GREEN if mark else SOFT)
    targets.append(MARKS[2])
    x = 88
    for word in targets:
        width = max(36, len(word) * 8.4 + 16)
        picture.box(x + width / 2, 202, word, GREEN if word in MARKS else ORANGE, width=width, height=34, size=14)
        x += width + 6
    for y, name in ((50, "the text"), (128, "input"), (202, "target")):
        picture.text(14, y, name, size=14, colour=INK, anchor="start")
    picture.text(x + 12, 202, "only what was cut out, and the end", size=13, colour=SOFT, anchor="start")
    return picture
