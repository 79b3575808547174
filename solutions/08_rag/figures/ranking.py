import math

from autograder.authoring.drawing import GREEN, GREY, SOFT, Drawing

RANKED, GAINS = "abcd", {"b": 2, "d": 1}


def draw():
    d = Drawing(
        190,
        "A ranking and what its places are worth",
        "Four documents a, b, c, d at the ranks 1 to 4 with the gains 0, 2, 0, 1. Each gain is divided by the base-two "
        "logarithm of its rank plus one. Together 1.69; in the best order it would be 2.63; nDCG is 0.64.",
    )
    rows = (("rank", 26), ("gain", 104), ("divided by", 134), ("is worth", 164))
    for label, y in rows:
        d.text(96, y, label, size=14, colour=SOFT, anchor="end")
    total = 0.0
    for rank, name in enumerate(RANKED, start=1):
        x, gain, by = 40 + 110 * rank, GAINS.get(name, 0), math.log2(rank + 1)
        total += gain / by
        d.text(x, 26, rank, size=14)
        d.box(x, 64, name, GREEN if gain else GREY, width=70, height=40)
        for words, y in ((gain, 104), (f"{by:.2f}", 134), (f"{gain / by:.2f}", 164)):
            d.text(x, y, words, size=14)
    best = sum(g / math.log2(r + 1) for r, g in enumerate(sorted(GAINS.values(), reverse=True), start=1))
    d.text(628, 64, "in the best order: b, d", size=14)
    d.text(628, 104, f"2 / 1 + 1 / 1.58 = {best:.2f}", size=14)
    d.text(628, 150, f"nDCG = {total:.2f} / {best:.2f} = {total / best:.2f}", size=15, bold=True)
    return d
