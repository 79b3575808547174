"""A state of one number reads 4, 0, 8: the worked example, as a recurrence and as a kernel."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

INPUTS, FACTOR, ENTERS, C = [4.0, 0.0, 8.0], 0.5, 0.5, 2.0


def draw():
    h, states = 0.0, []
    for u in INPUTS:
        h = FACTOR * h + ENTERS * u
        states.append(h)
    kernel = [C * FACTOR**j * ENTERS for j in range(3)]
    picture = Drawing(
        290,
        "A state of one number",
        f"The inputs {INPUTS} enter with the factor {ENTERS}; the state, which keeps half of itself in each step, goes "
        f"{states}; the outputs are twice that, {[C * s for s in states]}. Right, the kernel {kernel}.",
    )
    picture.text(230, 24, "as a recurrence", size=13, colour=SOFT)
    picture.text(640, 24, "as a convolution", size=13, colour=SOFT)
    for i, (u, state) in enumerate(zip(INPUTS, states, strict=True)):
        x = 90 + 140 * i
        picture.box(x, 245, f"{u:g}", BLUE, width=76, height=36, note="")
        picture.arrow((x, 225), (x, 172), label=f"times {ENTERS:g}")
        picture.box(x, 150, f"{state:g}", ORANGE, width=76)
        picture.arrow((x, 128), (x, 84), label=f"times {C:g}")
        picture.box(x, 64, f"{C * state:g}", GREEN, width=76, height=36)
        if i:
            picture.arrow((x - 100, 150), (x - 42, 150))
            picture.text(x - 71, 138, f"· {FACTOR:g}", size=12, colour=SOFT)
    for y, word in ((64, "y"), (150, "h"), (245, "u")):
        picture.text(26, y, word, colour=SOFT)
    picture.line([(480, 40), (480, 270)], GREY, dashed=True)
    for j, value in enumerate(kernel):
        x = 560 + 62 * j
        top = 200 - 110 * value
        picture.polygon([(x - 18, 200), (x - 18, top), (x + 18, top), (x + 18, 200)], GREEN, 0.5)
        picture.text(x, 188 - 110 * value, f"{value:g}", size=13)
        picture.text(x, 214, ("now", "1 ago", "2 ago")[j], size=12, colour=SOFT)
    told = " + ".join(f"{k:g} · {u:g}" for k, u in zip(kernel, INPUTS[::-1], strict=True))
    picture.text(620, 250, f"{told} = {C * states[-1]:g}", size=14)
    return picture
