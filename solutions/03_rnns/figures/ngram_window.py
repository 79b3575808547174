"""Counting what follows a context, on the corpus of the chapter."""

from autograder.authoring.drawing import GREEN, ORANGE, SOFT, Drawing

CORPUS = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()


def draw():
    types = sorted(set(CORPUS))
    after = [b for a, b in zip(CORPUS, CORPUS[1:], strict=False) if a == "the"]
    counts = [after.count(word) for word in types]
    said = ", ".join(f"{word} {n}" for word, n in zip(types, counts, strict=True) if n)
    picture = Drawing(255, "A bigram model counts", f"After the context 'the' came, in 8 cases: {said}.")
    middles = picture.tokens(30, 60, CORPUS[:13], mark=[8])
    picture.box(middles[9], 60, "", GREEN, width=44, height=34)
    picture.text(middles[8], 24, "context", size=13, colour=ORANGE)
    picture.text(middles[9] + 4, 24, "next", size=13, colour=GREEN)
    picture.arrow((middles[9], 80), (middles[9], 106))
    picture.text(middles[9] + 14, 93, "count it", size=13, colour=SOFT, anchor="start")
    picture.matrix(
        180,
        140,
        [counts, [f"{n + 1}/16" for n in counts]],
        top=types,
        cell=(62, 34),
        left=["count after “the”", "with k = 1, N = 8"],
        note="8 times something followed “the”: (4 + 1) / (8 + 8) = 5/16 for “dog”",
    )
    return picture
