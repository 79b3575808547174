"""An encoder and a decoder, joined by one state."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

SOURCE, TARGET = "3 mai 2001", ("2", "0", "0", "1")
READ = (SOURCE[0], "space", "…", SOURCE[-1])  # of the ten characters, the first two and the last


def draw():
    picture = Drawing(
        250,
        "Encoder, bottleneck, decoder",
        f"The encoder reads the {len(SOURCE)} characters of 3 mai 2001 one by one; only its last state, 256 numbers, "
        "reaches the decoder, which writes 2 0 0 1 and so on, fed the target one step late.",
    )
    for t, character in enumerate(READ):
        x = 50 + 70 * t
        gap = character == "…"
        if gap:
            picture.text(x, 110, "…", size=16)
            picture.text(x, 180, "…", size=16)
        else:
            picture.box(x, 110, "LSTM", BLUE, width=54, height=38, size=13)
            picture.box(x, 180, character, GREY, width=54, height=32, size=14)
            picture.arrow((x, 163), (x, 130))
        if t:
            picture.arrow((x - 42, 110), (x - 28 + 14 * gap, 110))
    picture.arrow((288, 110), (310, 110), width=2.4, colour=RED)
    picture.box(357, 110, "256\nnumbers", RED, width=92, height=60)
    picture.text(357, 62, "the bottleneck", size=14, colour=RED)
    picture.arrow((404, 110), (430, 110), width=2.4, colour=RED)
    for t, character in enumerate(TARGET):
        x = 464 + 72 * t
        picture.box(x, 110, "LSTM", GREEN, width=56, height=38, size=13)
        picture.box(x, 180, "begin" if t == 0 else TARGET[t - 1], GREY, width=56, height=32, size=14)
        picture.box(x, 40, character, ORANGE, width=40, height=32, size=14)
        picture.arrow((x, 163), (x, 130))
        picture.arrow((x, 90), (x, 58))
        if t:
            picture.arrow((x - 43, 110), (x - 29, 110))
    picture.text(732, 110, "…", size=16)
    picture.text(182, 222, f"encoder: reads the {len(SOURCE)} characters of “{SOURCE}”", size=13, colour=SOFT)
    picture.text(580, 222, "decoder: fed the target one step late", size=13, colour=SOFT)
    return picture
