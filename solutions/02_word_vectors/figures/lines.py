from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, SOFT, Drawing

REACHES = [1, 1, 2]
NOISE = 4  # noise words of the step, K


def draw():
    mask = [[int(0 < abs(i - j) <= r) for j in range(3)] for i, r in enumerate(REACHES)]
    times = [sum(row) for row in mask]
    picture = Drawing(
        410,
        "The two halves of the loss",
        "Above, all scores of a line; a mask by reach says which are pairs. Below, the scores of the three centres "
        "with the noise words of the step; the mean of each row counts as often as its centre has pairs, times w.",
    )
    cell = (50, 34)
    picture.text(30, 26, "Pairs", size=15, bold=True, anchor="start")
    picture.matrix(100, 66, [[f"s{i + 1}{j + 1}" for j in range(3)] for i in range(3)], BLUE, cell=cell, shade=False)
    picture.text(175, 46, "all scores of a line, (T, T)", size=12, colour=SOFT)
    picture.arrow((256, 117), (340, 117))
    picture.matrix(400, 66, mask, ORANGE, cell=cell, left=[f"reach {r}" for r in REACHES])
    picture.text(475, 46, "pair_mask, (T, T)", size=12, colour=SOFT)
    picture.arrow((556, 117), (586, 117))
    pairs = [f"s{i + 1}{j + 1}" for i in range(3) for j in range(3) if mask[i][j]]
    picture.matrix(594, 83, [pairs[:3], pairs[3:]], GREEN, cell=(46, 34), shade=False)
    picture.text(663, 46, f"the pairs, P = {len(pairs)}", size=12, colour=SOFT)
    picture.text(663, 180, "each log $σ(s)$ counts once", size=12)

    picture.line([(20, 204), (740, 204)], SOFT, width=1, dashed=True)
    picture.text(30, 230, "Noise", size=15, bold=True, anchor="start")
    rows = [[f"a{i + 1}{k + 1}" for k in range(NOISE)] for i in range(3)]
    picture.matrix(100, 270, rows, PURPLE, cell=cell, left=[f"centre {i + 1}" for i in range(3)], shade=False)
    picture.text(200, 250, f"scores with the step's K = {NOISE} noise words, (n, K)", size=12, colour=SOFT)
    picture.arrow((306, 321), (400, 321))
    picture.matrix(410, 270, [[f"mean of row {i + 1}"] for i in range(3)], PURPLE, cell=(140, 34), shade=False)
    picture.text(480, 250, "mean of log σ($-a$) over a row, (n,)", size=12, colour=SOFT)
    picture.text(572, 321, "×")
    picture.matrix(594, 270, [[m] for m in times], ORANGE, cell=(46, 34), shade=False)
    picture.text(636, 250, "$m$, its pairs", size=12, colour=SOFT)
    picture.text(656, 321, "×")
    picture.text(684, 321, "$w$", size=16)
    picture.text(663, 390, f"$m$ adds up to {sum(times)}, too", size=12)
    return picture
