"""Three levels of one text: characters, bytes, and the tokens of the reference tokenizer."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, SOFT, Drawing
from helpers.chapters.tokenizers import byte_level_bpe
from helpers.course import artifacts

TEXT = "the …"


def draw():
    tokens = [byte_level_bpe.read(token) for token in artifacts.load_tokenizer(own=False).encode(TEXT).tokens]
    levels = [character.encode() for character in TEXT], [bytes([b]) for b in TEXT.encode()], tokens
    words = [
        [character.replace(" ", "␣") for character in TEXT],
        [f"{b:02X}" for b in TEXT.encode()],
        [" ".join(f"{b:02X}" for b in token) if token[-1] > 127 else token.decode() for token in tokens],
    ]
    picture = Drawing(
        235,
        "Characters, bytes, tokens",
        f"The text 'the …' has {len(TEXT)} characters, {len(levels[1])} bytes and {len(tokens)} tokens: "
        + ", ".join(words[2]) + ". The dots take three bytes, and the tokens cut them in two.",
    )
    for row, (level, said) in enumerate(zip(levels, words, strict=True)):
        y, x = 50 + 62 * row, 170
        picture.text(30, y, ("characters", "bytes", "tokens")[row], size=14, colour=SOFT, anchor="start")
        for part, word in zip(level, said, strict=True):
            width = 78 * len(part)
            picture.box(x + width / 2, y, word, (BLUE, GREEN, ORANGE)[row], width=width - 8, height=40, size=16)
            x += width
    picture.text(443, 214, "A token is a run of bytes: it may begin or end inside a character.", size=13, colour=SOFT)
    return picture
