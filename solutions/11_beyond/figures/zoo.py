"""The parts of a small model with two experts, and what each holds: the worked example."""

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

V, C, F, WIDE, NARROW = 10, 4, 6, 4, 2


def draw():
    attention, expert, router, norms = 2 * C * (WIDE + NARROW), 3 * C * F, 2 * C, 2 * C
    total = attention + 2 * expert + router + norms + V * C + C
    picture = Drawing(
        250,
        "The parameters of a small model",
        f"A token embedding of {V * C}; a block with attention {attention}, a router {router}, two experts of {expert} "
        f"each, one of them grey since it does not work for this token, and norms {norms}; a last norm {C}. In all "
        f"{total}, at work {total - expert}.",
    )
    picture.box(85, 120, f"{V * C}", GREEN, width=90, note="embedding, V C")
    picture.arrow((132, 120), (172, 120))
    picture.line([(178, 35), (612, 35), (612, 205), (178, 205), (178, 35)], GREY, dashed=True)
    picture.text(395, 20, "one block", size=12, colour=SOFT)
    picture.box(240, 120, f"{attention}", BLUE, width=90, note="attention")
    picture.arrow((287, 120), (327, 120))
    picture.box(370, 120, f"{router}", ORANGE, width=76, note="router, C E")
    picture.arrow((410, 112), (482, 84))
    picture.arrow((410, 128), (482, 156), colour=GREY, dashed=True)
    picture.box(540, 75, f"3 C F = {expert}", ORANGE, width=110, note="the expert that works")
    picture.box(540, 160, f"3 C F = {expert}", GREY, width=110, note="one that rests", dashed=True)
    picture.text(240, 187, f"norms: 2 C = {norms}", size=12, colour=SOFT)
    picture.arrow((614, 120), (648, 120))
    picture.box(690, 120, f"{C}", GREEN, width=76, note="last norm")
    picture.text(380, 230, f"in all {total}, at work {total - expert}")
    return picture
