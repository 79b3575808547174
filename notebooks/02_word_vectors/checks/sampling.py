from helpers.checks import graded


@graded("sampling", points=5)
def score(check):
    import numpy as np

    raw, flat = "these are the shares of the counts: the power is missing", "this is uniform: the counts do not matter"
    late = "the power comes before the division by the sum, not after"
    root, more = "the root is missing", "a probability is 1 at most"
    below, whole = "divide by the sum of the powers, not of the counts", "the root goes over the whole fraction t / f"
    close = {"rtol": 1e-4, "atol": 1e-7}
    left_out = "above the threshold this is the probability to be left out: 1 minus what is asked"
    larger = "a probability is 1 at most: the smaller of the two is asked, not the larger"
    fixed, absent = "the power is an argument: do not write 0.75", "a word that does not occur is never drawn"
    check(noise_distribution, np.array([16, 0, 1])).equals(
        [8 / 9, 0, 1 / 9], near={raw: [16 / 17, 0, 1 / 17], flat: [1 / 3, 1 / 3, 1 / 3],
                                 late: [0.9555339, 0, 0.1194417],
                                 "the probabilities add up to 1: divide by their sum": [8, 0, 1],
                                 below: [8 / 17, 0, 1 / 17], absent: [0.8, 0.1, 0.1]},
        **close,
    )
    check(noise_distribution, np.array([16, 0, 2]), power=0.5).equals(
        [0.7387961, 0, 0.2612039], near={fixed: [0.8262922, 0, 0.1737078], raw: [8 / 9, 0, 1 / 9],
                                         absent: [0.6236343, 0.1559086, 0.2204480]},
        **close,
    )
    check(keep_probability, np.array([6, 144, 0]), threshold=0.01).equals(
        [0.5, 0.1020621, 1],
        near={root: [0.25, 0.01041667, 1], "this is the probability to be left out": [0.5, 0.8979379, 0],
              "the share is n divided by the sum: here the counts came in": [0.0408248, 0.0083333, 1],
              left_out: [0.5, 0.8979379, 1], whole: [0.05, 0.0102062, 1]}, **close,
    )
    check(keep_probability, np.array([9, 1]), threshold=0.25).equals(
        [0.5270463, 1],
        near={more: [0.5270463, 1.5811388], left_out: [0.4729537, 1], larger: [1, 1.5811388],
              whole: [0.2635231, 0.7905694],
              "the share is of the text, not of the most frequent word": [0.5, 1]}, **close,
    )


score
