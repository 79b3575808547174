"""Two lines of text as docs-tokenizer cuts them, each token with its id."""

from autograder.authoring.drawing import BLUE, GREEN, ORANGE, PURPLE, SOFT, Drawing
from helpers.course import artifacts

TEXTS = ["How many r's are in strawberry?", "1024 + 1025"]
COLOURS = [BLUE, ORANGE, GREEN, PURPLE]


def draw():
    tokenizer = artifacts.load_tokenizer(own=False)
    encoded = [tokenizer.encode(text, add_special_tokens=False) for text in TEXTS]
    cuts = [[token.replace("Ġ", "␣") for token in each.tokens] for each in encoded]
    told = [" | ".join(tokens) for tokens in cuts]
    picture = Drawing(
        210,
        "What you read, and what a model is given",
        f"Two texts as docs-tokenizer cuts them: {told[0]}, and {told[1]}. Below each token is its id: "
        f"{', '.join(map(str, encoded[0].ids))}; and {', '.join(map(str, encoded[1].ids))}.",
    )
    for y, tokens, each in zip((45, 125), cuts, encoded, strict=True):
        picture.text(20, y, "you read", size=13, colour=SOFT, anchor="start")
        picture.text(20, y + 34, "a model is given", size=13, colour=SOFT, anchor="start")
        x = 140
        for i, (token, number) in enumerate(zip(tokens, each.ids, strict=True)):
            width = max(40, 10 * len(token) + 14)
            picture.box(x + width / 2, y, token, COLOURS[i % 4], width=width, height=36, size=16)
            picture.text(x + width / 2, y + 34, number, size=13)
            x += width + 3
    picture.text(380, 190, "␣ is a blank. A box is a token, the number below it its id.", size=13, colour=SOFT)
    return picture
