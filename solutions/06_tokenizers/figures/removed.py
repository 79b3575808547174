"""What the text loses without each of two pieces: how often it is used, times what its best other cut costs more."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

LOG_PROBS = {"a": -1, "b": -2, "ab": -2.5, "ba": -1.5}
COUNTS = {"ab": 4, "ba": 3}


def draw():
    losses = {}
    for piece, times in COUNTS.items():
        apart = sum(LOG_PROBS[letter] for letter in piece)
        losses[piece] = (times, apart, LOG_PROBS[piece] - apart, times * (LOG_PROBS[piece] - apart))
    least = min(losses, key=lambda piece: losses[piece][3])
    picture = Drawing(
        165,
        "What the text loses without a piece",
        "; ".join(
            f"{piece} is used {times} times, has {LOG_PROBS[piece]:g} where its letters have {apart:g}, and is worth "
            f"{times} times {each:g}, that is {whole:g}"
            for piece, (times, apart, each, whole) in losses.items()
        ) + f": {least} goes first.",
    )
    columns = (60, 170, 310, 465, 620)
    for x, words in zip(columns, ("used", "the piece", "without it", "lost each time", "lost in all"), strict=True):
        picture.text(x, 26, words, size=13, colour=SOFT)
    for row, (piece, (times, apart, each, whole)) in enumerate(losses.items()):
        y = 70 + 62 * row
        picture.text(columns[0], y, f"{times} ×", size=16)
        picture.box(columns[1], y, piece, BLUE, width=52, height=36, size=16)
        picture.text(columns[1] + 58, y, f"{LOG_PROBS[piece]:g}", size=15)
        picture.tokens(columns[2] - 44, y, list(piece), GREY, gap=8, height=36, size=16)
        picture.text(columns[2] + 62, y, f"{apart:g}", size=15)
        picture.text(columns[3], y, f"{each:g}", size=15)
        colour = ORANGE if piece == least else GREEN
        picture.box(columns[4], y, f"{whole:g}", colour, width=70, height=36, size=16)
        if piece == least:
            picture.text(columns[4] + 72, y, "goes first", size=13, colour=SOFT)
    return picture
