"""Counting what follows a context, on the whole corpus of the chapter."""

from autograder.authoring.drawing import BLUE, GREEN, SOFT, Drawing

CORPUS = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
HALF = len(CORPUS) // 2


def draw():
    types = sorted(set(CORPUS))
    contexts = [i for i, word in enumerate(CORPUS) if word == "the"]
    nexts = [i + 1 for i in contexts]
    counts = [sum(CORPUS[i] == word for i in nexts) for word in types]
    said = ", ".join(f"{word} {n}" for word, n in zip(types, counts, strict=True) if n)
    picture = Drawing(290, "A bigram model counts", f"In the whole corpus, the word after 'the' is: {said}.")
    picture.text(380, 22, "orange: the context “the”; green: the word after it, which is counted", size=13, colour=SOFT)
    for row in (0, 1):
        words = CORPUS[row * HALF : (row + 1) * HALF]
        middles = picture.tokens(50, 60 + 52 * row, words, BLUE, mark=[i - row * HALF for i in contexts], size=14)
        for i in nexts:
            if 0 <= i - row * HALF < HALF:
                word = CORPUS[i]
                width = max(34, len(word) * 14 * 0.6 + 16)
                picture.box(middles[i - row * HALF], 60 + 52 * row, "", GREEN, width=width, height=34)
    picture.matrix(
        180,
        178,
        [counts, [f"{n + 1}/16" for n in counts]],
        top=types,
        cell=(62, 34),
        left=["count after “the”", "with k = 1, V = 8"],
        note="8 words follow a “the”: (4 + 1) / (8 + 8) = 5/16 for “dog”",
    )
    return picture
