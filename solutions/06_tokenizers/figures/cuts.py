"""Both cuts of "ab" with their probabilities, and the expected counts that follow."""

from autograder.authoring.drawing import BLUE, ORANGE, SOFT, Drawing

P = {"a": 0.5, "b": 0.25, "ab": 0.125}


def draw():
    cuts = [["a", "b"], ["ab"]]
    weights = [P["a"] * P["b"], P["ab"]]
    shares = [w / sum(weights) for w in weights]
    picture = Drawing(
        165,
        "One step of expectation maximisation",
        f"The word ab has two cuts of probability {weights[0]:g} each, so each counts for {shares[0]:g}: the expected "
        f"count of a is {shares[0]:g}, of b {shares[0]:g}, of ab {shares[1]:g}.",
    )
    for x, words in ((110, "all cuts of the word"), (305, "probability"), (450, "given the word")):
        picture.text(x, 26, words, size=13, colour=SOFT)
    for row, (cut, weight, share) in enumerate(zip(cuts, weights, shares, strict=True)):
        y = 70 + 56 * row
        picture.tokens(110 - (44 if row == 0 else 24), y, cut, BLUE, gap=8, height=36, size=16)
        made = " × ".join(f"{P[piece]:g}" for piece in cut)
        picture.text(305, y, f"{made} = {weight:g}" if row == 0 else f"{weight:g}", size=15)
        picture.arrow((390, y), (420, y))
        picture.text(450, y, f"{share:g}", size=15)
        picture.arrow((480, y), (556, 98 + 14 * (row - 0.5)))
    picture.matrix(570, 83, [[shares[0], shares[0], shares[1]]], ORANGE, cell=(52, 32), digits=1, top=["a", "b", "ab"],
                   note="expected counts")
    return picture
