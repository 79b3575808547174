from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing

WORDS = "abcdefg"


def cut(overlap, size=4):
    step, found = size - overlap, []
    for start in range(0, len(WORDS), step):
        found.append((start, WORDS[start : start + size]))
        if start + size >= len(WORDS):
            return found


def draw():
    d = Drawing(
        250,
        "Windows of four words with overlap",
        "Seven words a to g cut into windows of four. With an overlap of one: a to d and d to g. With an overlap of "
        "two: a to d, c to f and e to g. The shared words are orange.",
    )
    for left, overlap in ((30, 1), (410, 2)):
        d.text(left + 159, 24, f"overlap {overlap}: each window begins {4 - overlap} words later", size=14)
        for i, word in enumerate(WORDS):
            d.text(left + 24 + 45 * i, 56, word, size=16, bold=True)
        windows = cut(overlap)
        for row, (start, window) in enumerate(windows):
            shared = {i for i, w in enumerate(window) if any(w in o for _, o in windows if o != window)}
            for i, word in enumerate(window):
                x = left + 24 + 45 * (start + i)
                d.box(x, 96 + 46 * row, word, ORANGE if i in shared else BLUE, width=41, height=34)
    d.text(189, 222, "2 windows, 8 words kept", size=14, colour=SOFT)
    d.text(569, 222, "3 windows, 11 words kept", size=14, colour=SOFT)
    return d
