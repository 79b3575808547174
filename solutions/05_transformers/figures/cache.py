"""The key-value cache: what lies there, what one new token adds."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

OLD, NEW = ["to", "be", "or"], "not"


def draw() -> Drawing:
    d = Drawing(316, "The key-value cache", "Old keys and values lie in the cache; a new token adds one of each.")
    xs = [90 + 116 * i for i in range(4)]
    for i, x in enumerate(xs):
        new = i == len(OLD)
        d.box(x, 276, NEW if new else OLD[i], ORANGE if new else BLUE, width=84, height=34)
        d.box(x, 178, f"$k_{i + 1}$  $v_{i + 1}$", ORANGE if new else BLUE, width=96, height=40)
        if new:
            d.arrow((x, 259), (x, 198), label="computed now", colour=ORANGE)
    d.box(206, 178, "", BLUE, width=348, height=66, dashed=True)
    d.text(206, 232, "the cache: computed when they were written", size=13, colour=SOFT)
    d.arrow((480, 276), (612, 276), colour=ORANGE)
    d.box(660, 276, f"$q_{len(xs)}$", ORANGE, width=90, height=40)
    d.arrow((660, 256), (660, 122), colour=ORANGE)
    d.box(660, 88, "softmax and sum", GREEN, width=160, height=64, note="")
    for x in xs:
        d.arrow((x, 145 if x < 400 else 158), (579, 88 + (x - 264) / 20), width=1.2)
    d.text(300, 40, "one query, four keys: no old query is needed", size=14, colour=SOFT)
    return d
