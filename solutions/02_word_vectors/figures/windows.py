from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

IDS, TEXTS = [5, 7, 9], [0, 0, 1]


def draw():
    windows = [
        [IDS[j] if 0 <= j < 3 and TEXTS[j] == TEXTS[i] else -1 for j in (i - 1, i + 1)] for i in range(len(IDS))
    ]
    pairs = [[IDS[i], c] for i, window in enumerate(windows) for c in window if c >= 0]
    picture = Drawing(
        210, "Windows and pairs", "Three positions, the window of each with R = 1, and the pairs (centre, context)."
    )
    for i, word in enumerate(IDS):
        picture.box(60 + 62 * i + 26 * (i == 2), 100, word, ORANGE if TEXTS[i] else BLUE, width=48)
    picture.text(91, 60, "text 0", size=12, colour=SOFT)
    picture.text(210, 60, "text 1", size=12, colour=SOFT)
    picture.text(135, 30, "ids", bold=True)
    picture.arrow((248, 100), (312, 100))
    picture.matrix(370, 65, windows, BLUE, cell=(54, 32), top=["left", "right"], left=IDS, shade=False, note="(T, 2R)")
    picture.text(424, 30, "windows, $R$ = 1", bold=True)
    picture.arrow((492, 113), (562, 113))
    picture.matrix(585, 81, pairs, GREEN, cell=(60, 32), top=["centre", "context"], shade=False, note="(P, 2)")
    picture.text(645, 30, "pairs", bold=True)
    picture.text(424, 190, "-1: no word there", size=12, colour=SOFT)
    return picture
