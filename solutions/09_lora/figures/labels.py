"""One example of instruction tuning: tokens, labels, which token predicts which."""

from autograder.authoring.drawing import BLUE, GREY, INK, ORANGE, SOFT, Drawing

WORDS, IDS, PROMPT = ("Question", "Answer", "None", "end"), (5, 6, 7, 0), 2


def draw():
    picture = Drawing(
        240,
        "Which tokens are learned",
        "Four tokens: two of the prompt, the answer, the end. Their labels are -100, -100, 7 and 0. "
        "The second token predicts the label 7 of the third, the third the end.",
    )
    for i, (word, number) in enumerate(zip(WORDS, IDS, strict=True)):
        x, learned = 230 + 140 * i, i >= PROMPT
        picture.box(x, 60, word, ORANGE if learned else GREY, width=104, height=36)
        picture.text(x, 98, str(number), size=14)
        picture.box(x, 190, str(number) if learned else "-100", ORANGE if learned else GREY, width=104, height=36)
        if learned:
            picture.arrow((x - 130, 112), (x - 20, 169), colour=BLUE)
    picture.text(80, 60, "text", size=13, colour=SOFT)
    picture.text(80, 98, "ids", size=13, colour=SOFT)
    picture.text(80, 190, "labels", size=13, colour=SOFT)
    picture.text(300, 26, "the prompt: read, not learned", size=13, colour=INK)
    picture.text(580, 26, "the answer: learned", size=13, colour=INK)
    picture.text(470, 222, "blue: the logits at one place predict the label at the next", size=12, colour=SOFT)
    return picture
