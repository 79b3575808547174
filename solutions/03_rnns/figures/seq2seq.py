"""An encoder and a decoder, joined by one state."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, RED, SOFT, Drawing

SOURCE, TARGET = ("3", "mai", "2001"), ("2", "0", "0", "1")


def draw():
    picture = Drawing(
        250,
        "Encoder, bottleneck, decoder",
        "The encoder reads 3 mai 2001; only its last state, 256 numbers, reaches the "
        "decoder, which writes 2 0 0 1 and so on, fed the target one step late.",
    )
    for t, word in enumerate(SOURCE):
        x = 60 + 92 * t
        picture.box(x, 110, "LSTM", BLUE, width=66, height=38, size=13)
        picture.box(x, 180, word, GREY, width=62, height=32, size=14)
        picture.arrow((x, 163), (x, 130))
        if t:
            picture.arrow((x - 58, 110), (x - 34, 110))
    picture.arrow((278, 110), (306, 110), width=2.4, colour=RED)
    picture.box(354, 110, "256\nnumbers", RED, width=92, height=60)
    picture.text(354, 62, "the bottleneck", size=14, colour=RED)
    picture.arrow((401, 110), (429, 110), width=2.4, colour=RED)
    for t, word in enumerate(TARGET):
        x = 464 + 82 * t
        picture.box(x, 110, "LSTM", GREEN, width=62, height=38, size=13)
        picture.box(x, 180, "begin" if t == 0 else TARGET[t - 1], GREY, width=58, height=32, size=14)
        picture.box(x, 40, word, ORANGE, width=50, height=32, size=14)
        picture.arrow((x, 163), (x, 130))
        picture.arrow((x, 90), (x, 58))
        if t:
            picture.arrow((x - 50, 110), (x - 32, 110))
    picture.text(152, 222, "encoder: reads the source", size=13, colour=SOFT)
    picture.text(588, 222, "decoder: fed the target one step late", size=13, colour=SOFT)
    return picture
