"""Two documents as shingles with their smallest hashes, and the chance to be found, with exercise 11's numbers."""

from autograder.authoring.drawing import BLUE, GREEN, INK, ORANGE, SOFT, Drawing

HASHES = {"ab": 7, "bc": 3, "cd": 9, "ce": 1}
SETS = (("ab", "bc", "cd"), ("ab", "bc", "ce"))
ROWS, BANDS = 4, 16


def draw() -> Drawing:
    d = Drawing(290, "MinHash", "Two sets of three shingles share two of four; their smallest hashes are 3 and 1.")
    for y, name, items in zip((70, 180), ("a b c d", "a b c e"), SETS, strict=True):
        d.text(60, y, name, size=15)
        for i, item in enumerate(items):
            both = all(item in other for other in SETS)
            d.box(150 + 84 * i, y, f"{item}: {HASHES[item]}", GREEN if both else BLUE, width=76, height=34)
        d.text(240, y + 36, f"smallest: {min(HASHES[item] for item in items)}", size=13, colour=SOFT)
    d.text(230, 262, "green: in both; 2 of 4, a similarity of 0.5", size=13, colour=SOFT)
    d.line([(450, 220), (730, 220)], SOFT)
    d.line([(450, 220), (450, 50)], SOFT)
    points = [(450 + 2.8 * i, 220 - 160 * (1 - (1 - (i / 100) ** ROWS) ** BANDS)) for i in range(101)]
    d.line(points, ORANGE, width=2.4)
    for value in (0, 0.5, 1):
        d.text(450 + 280 * value, 236, f"{value:g}", size=12, colour=SOFT)
    d.text(590, 256, "similarity", size=13, colour=SOFT)
    d.text(590, 34, f"chance to be found, {BANDS} bands of {ROWS}", size=13, colour=INK)
    return d
