"""Two merges of byte pair encoding on four words."""

from collections import Counter
from itertools import pairwise

from autograder.authoring.drawing import BLUE, SOFT, Drawing

WORDS = {"raw_": 1, "how_": 2, "wow_": 2, "who_": 1}


def joined(word, pair):
    out = []
    for symbol in word:
        if out and (out[-1], symbol) == pair:
            out[-1] += symbol
        else:
            out.append(symbol)
    return tuple(out)


def draw():
    words, steps = {tuple(word): n for word, n in WORDS.items()}, []
    for _ in range(3):
        counts = Counter()
        for word, n in words.items():
            for pair in pairwise(word):
                counts[pair] += n
        best = counts.most_common(1)[0]
        steps.append((words, best))
        words = {joined(word, best[0]): n for word, n in words.items()}
    told = [f"{a} + {b}, {n} times" for _, ((a, b), n) in steps[:2]]
    picture = Drawing(
        300,
        "Byte pair encoding, two merges",
        f"Four words with counts, in characters. The most frequent pair is {told[0]}; it becomes one symbol. Then "
        f"{told[1]}. After that two pairs are equally frequent.",
    )
    new = ""
    for step, (words, ((a, b), n)) in enumerate(steps):
        left = 70 + 245 * step
        title = ("characters", f"after the 1st merge: {new}", f"after the 2nd merge: {new}")[step]
        picture.text(left + 75, 28, title, size=14, bold=True)
        for row, word in enumerate(words):
            mark = [i for i, symbol in enumerate(word) if symbol == new]
            picture.tokens(left, 75 + 48 * row, word, BLUE, gap=4, mark=mark)
        told = f"most frequent: {a} + {b}, {n} times" if step < 2 else "now two pairs tie at 2"
        picture.text(left + 75, 272, told, size=13, colour=SOFT)
        new = a + b
    for row, n in enumerate(WORDS.values()):
        picture.text(38, 75 + 48 * row, f"{n} ×", size=14)
    for left in (250, 494):
        picture.arrow((left, 147), (left + 44, 147))
    return picture
