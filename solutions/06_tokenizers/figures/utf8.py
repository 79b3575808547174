"""One character, its number, its bits in two bytes."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing

LETTER = "é"


def draw():
    number, (first, second) = ord(LETTER), LETTER.encode()
    bits = f"{number:011b}"
    picture = Drawing(
        235,
        "A character becomes two bytes",
        f"The letter {LETTER} has code point {number}. Its eleven bits are split into five and six; 110 goes in front "
        f"of the five, 10 in front of the six: the bytes {first} and {second}.",
    )
    for y, words in ((45, "character and code point"), (115, "its bits"), (185, "UTF-8")):
        picture.text(30, y, words, size=13, colour=SOFT, anchor="start")
    picture.box(420, 45, LETTER, BLUE, width=50, size=20)
    picture.arrow((448, 45), (492, 45))
    picture.box(530, 45, str(number), BLUE, width=70)
    picture.arrow((510, 67), (375, 92))
    picture.arrow((540, 67), (560, 92))
    for x, part, head, byte, colour in ((360, bits[:5], "110", first, GREEN), (570, bits[5:], "10", second, ORANGE)):
        picture.box(x, 115, part, colour, width=100)
        picture.arrow((x, 137), (x, 161))
        picture.box(x, 185, f"{head}·{part}", colour, width=150, note=f"byte {byte} = 0x{byte:X}")
    return picture
