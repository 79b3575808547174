"""The KV cache: what a model that writes keeps of the tokens so far."""

from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing


def draw():
    picture = Drawing(
        215,
        "The KV cache",
        "Keys and values of the tokens the, dog and ate are kept. The new token fish adds its own pair, and its query "
        "asks all four.",
    )
    picture.text(225, 122, "kept from the steps before", size=13, colour=SOFT)
    for i, word in enumerate(["the", "dog", "ate", "fish"]):
        x, new = 90 + 135 * i, word == "fish"
        picture.text(x, 190, word, size=14, bold=new)
        picture.box(x, 85, f"$k_{i}$  $v_{i}$", BLUE, width=84, height=38, dashed=new)
        if new:
            picture.arrow((x, 176), (x, 108), colour=BLUE)
    picture.text(505, 145, "adds", size=13, anchor="start")
    picture.box(675, 130, "$q_3$", ORANGE, width=64, height=38, note="of fish alone")
    picture.arrow((522, 184), (640, 138), colour=ORANGE)
    picture.line([(675, 109), (675, 50), (90, 50)], ORANGE)
    for i in range(4):
        picture.arrow((90 + 135 * i, 50), (90 + 135 * i, 64), colour=ORANGE, width=1.2)
    picture.text(380, 30, "asks all keys: T scores, not T x T", size=13)
    return picture
