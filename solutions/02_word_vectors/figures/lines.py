from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

REACHES = [1, 1, 2]


def draw():
    mask = [[int(0 < abs(i - j) <= r) for j in range(3)] for i, r in enumerate(REACHES)]
    picture = Drawing(
        210, "Which scores of a line are pairs", "All scores of a line at once; a mask by reach says which are pairs."
    )
    picture.matrix(70, 60, [[f"s{i + 1}{j + 1}" for j in range(3)] for i in range(3)], BLUE, cell=(56, 36), shade=False)
    picture.text(154, 34, "all scores", bold=True)
    picture.text(154, 184, "(T, T)", size=12, colour=SOFT)
    picture.text(275, 34, "where", size=14, colour=SOFT)
    picture.matrix(360, 60, mask, ORANGE, cell=(56, 36), left=[f"reach {r}" for r in REACHES], note="(T, T)")
    picture.text(444, 34, "pair_mask", bold=True)
    picture.arrow((536, 114), (588, 114))
    pairs = [f"s{i + 1}{j + 1}" for i in range(3) for j in range(3) if mask[i][j]]
    picture.matrix(600, 96, [pairs[:3], pairs[3:]] if len(pairs) > 3 else [pairs], GREEN, cell=(46, 36), shade=False)
    picture.text(669, 34, "pairs", bold=True)
    picture.text(669, 184, f"P = {len(pairs)}", size=12, colour=SOFT)
    return picture
