"""GRPO: ratios of single tokens, the clip, the mean of each answer, one loss."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, RED, SOFT, Drawing

CLIP = 0.2
ANSWERS = (("good answer", GREEN, 1.0, (1.5, 1.1)), ("bad answer", RED, -1.0, (0.5, None)))  # advantage, ratios


def draw():
    picture = Drawing(
        300,
        "From ratios to the loss of GRPO",
        "Two answers to one prompt. The good one, advantage 1, has two tokens with ratios 1.5 and 1.1: gains 1.2, "
        "clipped, and 1.1, mean 1.15. The bad one, advantage -1, has one token with ratio 0.5: gain -0.8; its second "
        "place is padding and does not count. The loss is minus the mean of 1.15 and -0.8: -0.175.",
    )
    heads = {95: "advantage $A$", 265: "ratio $ρ$ of each token", 465: "gain of each token", 600: "mean"}
    for x, words in heads.items():
        picture.text(x, 34, words, size=13, colour=SOFT)
    means = []
    for y, (name, colour, advantage, ratios) in zip((90, 190), ANSWERS, strict=True):
        picture.box(95, y, f"{advantage:g}", colour, width=110, note=name)
        counted = [ratio for ratio in ratios if ratio is not None]
        gains = [min(ratio * advantage, _clipped(ratio) * advantage) for ratio in counted]
        for x, ratio in zip((228, 302), ratios, strict=True):
            picture.box(x, y, "pad" if ratio is None else f"{ratio:g}", GREY if ratio is None else BLUE, width=66)
        picture.arrow((342, y), (384, y))
        picture.text(363, y - 14, "clip", size=12, colour=SOFT)
        for x, gain in zip((428, 502), gains, strict=False):
            picture.box(x, y, f"{gain:g}", colour, width=66)
        picture.arrow((542 if len(gains) > 1 else 468, y), (562, y))
        means.append(sum(gains) / len(gains))
        picture.box(600, y, f"{means[-1]:g}", ORANGE, width=70)
    picture.arrow((638, 98), (682, 128))
    picture.arrow((638, 182), (682, 152))
    picture.text(706, 140, "mean", size=13, colour=INK)
    loss = -sum(means) / len(means)
    total = " + ".join(f"{mean:g}" if mean >= 0 else f"({mean:g})" for mean in means)
    picture.text(380, 262, f"loss = -({total}) / 2 = {loss:g}", size=15, colour=INK)
    return picture


def _clipped(ratio: float) -> float:
    return min(max(ratio, 1 - CLIP), 1 + CLIP)
