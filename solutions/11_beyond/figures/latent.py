"""One token asks a cache of two latents, for a head of two numbers: the worked example."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

QUERY, KEY, VALUE = np.array([1.0, 2.0]), np.array([2.0, 1.0]), np.array([1.0, -1.0])  # d_k = 2, r = 1
LATENTS = np.array([0.5, 1.0])


def draw():
    asked = QUERY @ KEY  # one number, in the place of two for each key
    scores = asked * LATENTS / np.sqrt(2)
    weights = np.exp(scores) / np.exp(scores).sum()
    mean = weights @ LATENTS
    out = VALUE * mean
    picture = Drawing(
        260,
        "A query asks latents",
        f"The query of head 0, {QUERY.tolist()}, goes through the key matrix {KEY.tolist()} and becomes {asked:g}. The "
        f"cache holds two latents, {LATENTS[0]:g} and {LATENTS[1]:g}; their weights are {weights[0]:.2f} and "
        f"{weights[1]:.2f}, the mean latent {mean:.2f}. The value matrix {VALUE.tolist()} makes "
        f"{out.round(2).tolist()} of it.",
    )
    picture.matrix(24, 105, [QUERY.tolist()], BLUE, digits=0, left=[], note="query, head 0 (1, $d_k$)", cell=(50, 34))
    picture.arrow((128, 122), (190, 122), colour=ORANGE)
    picture.text(158, 104, "times $W_k$", size=12, colour=SOFT)
    picture.box(228, 122, f"{asked:g}", ORANGE, width=66, note="asks latents (r)")
    picture.arrow((264, 122), (330, 122))
    picture.matrix(334, 92, LATENTS[:, None].tolist(), GREY, digits=1, note="the cache (T, r)", left=[], cell=(60, 30))
    picture.arrow((398, 122), (444, 122))
    picture.matrix(448, 92, weights[:, None].tolist(), GREEN, note="weights", left=[], cell=(60, 30))
    picture.arrow((512, 122), (566, 122))
    picture.box(606, 122, f"{mean:.2f}", ORANGE, width=72, note="mean latent (r)")
    picture.arrow((606, 167), (606, 200), colour=ORANGE)
    picture.text(614, 182, "times $W_v$", size=12, colour=SOFT, anchor="start")
    picture.matrix(544, 204, [out.tolist()], BLUE, left=[], cell=(62, 34))
    picture.text(380, 40, "no key and no value is ever made: W moves to the other side", size=14)
    picture.text(530, 221, "output, head 0 (1, $d_k$)", size=12, colour=SOFT, anchor="end")
    return picture
