"""One sentence in seven languages before and after GPT-4o: the counts that OpenAI published (Hello GPT-4o, 2024)."""

from autograder.authoring.drawing import GREEN, GREY, SOFT, Drawing

TOKENS = {"Gujarati": (145, 33), "Telugu": (159, 45), "Tamil": (116, 35), "Marathi": (96, 33), "Hindi": (90, 31),
          "Urdu": (82, 33), "Arabic": (53, 26)}  # fmt: skip


def draw():
    told = "; ".join(f"{name} {old}, then {new}" for name, (old, new) in TOKENS.items())
    picture = Drawing(330, "The same sentence, before and after", f"Tokens in GPT-4's and GPT-4o's tokenizers: {told}.")
    left, scale = 130, 2.8
    for row, (name, (old, new)) in enumerate(TOKENS.items()):
        y = 34 + 38 * row
        picture.text(left - 14, y, name, size=14, anchor="end")
        for top, value, colour in ((y - 14, old, GREY), (y + 1, new, GREEN)):
            right = left + scale * value
            picture.polygon([(left, top), (right, top), (right, top + 12), (left, top + 12)], colour, 0.7)
            picture.text(right + 18, top + 6, value, size=12)
        picture.text(735, y, f"{old / new:.1f} times fewer", size=14, anchor="end")
    picture.text(380, 312, "grey: 100,000 tokens (GPT-4); green: 200,000 tokens (GPT-4o)", size=13, colour=SOFT)
    return picture
