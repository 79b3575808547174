"""One token asks a cache of two latents: the worked example."""

import numpy as np

from autograder.authoring.drawing import BLUE, GREEN, GREY, ORANGE, SOFT, Drawing

X, QUERY, KEY, VALUE = np.array([1.0, 1.0]), np.diag([1.0, 2.0]), np.array([1.0, 0.5]), np.array([2.0, -1.0])
LATENTS = np.array([1.0, 2.0])


def draw():
    asked = (QUERY @ X) * KEY  # one number for each head
    scores = asked[0] * LATENTS
    weights = np.exp(scores) / np.exp(scores).sum()
    mean = weights @ LATENTS
    picture = Drawing(
        255,
        "A query asks latents",
        f"The cache holds two latents, {LATENTS[0]:g} and {LATENTS[1]:g}. The query of head 0, {(QUERY @ X)[0]:g}, "
        f"goes through the key matrix and becomes {asked[0]:g}. Its scores with the latents are {scores[0]:g} and "
        f"{scores[1]:g}, the weights {weights[0]:.2f} and {weights[1]:.2f}, the mean latent {mean:.2f}. The value "
        f"matrix makes {VALUE[0] * mean:.2f} of it.",
    )
    picture.box(70, 120, f"{(QUERY @ X)[0]:g}", BLUE, width=76, note="query, head 0")
    picture.arrow((110, 120), (190, 120), colour=ORANGE)
    picture.text(150, 103, "times $W_k$", size=12, colour=SOFT)
    picture.box(230, 120, f"{asked[0]:g}", ORANGE, width=76, note="asks a latent (r)")
    picture.matrix(350, 90, LATENTS[:, None].tolist(), GREY, digits=0, note="the cache (T, r)", left=[], cell=(60, 30))
    picture.arrow((270, 120), (346, 120))
    picture.matrix(452, 90, weights[:, None].tolist(), GREEN, note="weights", cell=(60, 30))
    picture.arrow((412, 120), (449, 120))
    picture.box(592, 120, f"{mean:.2f}", ORANGE, width=76, note="mean latent (r)")
    picture.arrow((514, 120), (552, 120))
    picture.arrow((592, 165), (592, 196), colour=ORANGE)
    picture.text(600, 178, "times $W_v$", size=12, colour=SOFT, anchor="start")
    picture.box(592, 220, f"{VALUE[0] * mean:.2f}", BLUE, width=90, height=34)
    picture.text(380, 30, "no key and no value is ever made: W moves to the other side", size=14)
    picture.text(536, 220, "output, head 0", size=12, colour=SOFT, anchor="end")
    return picture
