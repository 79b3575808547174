"""Mirostat as a thermostat: cut at mu bits, draw, compare the surprise with the wanted one, move mu."""

import math

from autograder.authoring.drawing import BLUE, GREEN, GREY, INK, ORANGE, RED, SOFT, Drawing

P, MU, TAU, RATE, DRAWN = [0.45, 0.25, 0.15, 0.08, 0.04, 0.02, 0.01], 4.0, 3.0, 0.1, 3


def draw() -> Drawing:
    bits = [-math.log2(p) for p in P]
    moved = MU - RATE * (bits[DRAWN] - TAU)
    d = Drawing(
        236,
        "Mirostat",
        f"Tokens 0 to 3 have at most 4 bits and stay. Token 3 is drawn, with {bits[DRAWN]:.2f} bits where 3 are "
        f"wanted, so mu falls from 4 to {moved:.3f}, which is the limit for the next token.",
    )
    for i, b in enumerate(bits):
        colour = GREY if b > MU else ORANGE if i == DRAWN else BLUE
        d.box(52 + 52 * i, 90, f"{b:.2f}", colour, width=46, height=38, size=13)
        d.text(52 + 52 * i, 122, f"token {i}", size=11, colour=SOFT)
    d.text(208, 50, "surprise in bits; at most $μ$ = 4 stays", size=13, colour=SOFT)
    d.line([(234, 62), (234, 132)], RED, width=2, dashed=True)
    d.arrow((400, 90), (452, 90))
    d.text(426, 74, "draw", size=13)
    d.box(506, 90, f"{bits[DRAWN]:.2f}", ORANGE, width=96, note="surprise $s$ of token 3")
    d.arrow((556, 90), (610, 90))
    d.text(670, 90, f"minus the\nwanted $τ$ = 3:\n{bits[DRAWN] - TAU:.2f} too many", size=13, colour=INK)
    d.arrow((670, 122), (670, 178), label="times 0.1")
    d.box(670, 200, f"$μ$ = {moved:.3f}", GREEN, width=120)
    d.arrow((606, 200), (234, 140), bend=-30, colour=RED)
    d.text(300, 206, "the limit for the next token", size=13, colour=SOFT)
    return d
