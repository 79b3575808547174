"""The full mask of an encoder and the causal mask of a decoder."""

from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing

TOKENS = ["to", "be", "or", "not"]


def draw() -> Drawing:
    d = Drawing(250, "Two masks", "Rows look at columns: at all in the full mask, up to their own in the causal mask.")
    n = len(TOKENS)
    full = [[1] * n for _ in range(n)]
    causal = [[int(j <= i) for j in range(n)] for i in range(n)]
    for left, rows, colour, name in [(90, full, BLUE, "full: an encoder"), (460, causal, ORANGE, "causal: a decoder")]:
        d.text(left + 100, 22, name, bold=True)
        d.matrix(left, 66, [[v or None for v in row] for row in rows], colour, cell=(50, 38), top=TOKENS, left=TOKENS)
    d.text(190, 236, "every token looks at every token", size=13, colour=SOFT)
    d.text(560, 236, "itself and what stands before it", size=13, colour=SOFT)
    return d
