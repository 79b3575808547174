from helpers.checks import graded


@graded("sampling", points=5)
def score(check):
    import numpy as np

    below, whole = "divide by the sum of the powers, not of the counts", "the root goes over the whole fraction t / f"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "these are the shares of the counts: the power is missing": {
            1: [0.941176, 0.0, 0.0588235],
            2: [0.888889, 0.0, 0.111111],
            5: [0.941176, 0.0, 0.0588235],
        },
        "this is uniform: the counts do not matter": {
            1: [0.333333, 0.333333, 0.333333],
            2: [0.333333, 0.333333, 0.333333],
            5: [0.333333, 0.333333, 0.333333],
        },
        "the power comes before the division by the sum, not after": {
            1: [0.95555, 0.0, 0.119444],
            2: [0.942809, 0.0, 0.333333],
            5: [1.0, 1.0, 1.0],
        },
        "the probabilities add up to 1: divide by their sum": {
            1: [8.0, 0.0, 1.0],
            2: [4.0, 0.0, 1.41421],
            5: [1, 1, 1],
        },
        "divide by the sum of the powers, not of the counts": {
            1: [0.470588, 0.0, 0.0588235],
            2: [0.222222, 0.0, 0.0785674],
            5: [0.0588235, 0.0588235, 0.0588235],
        },
        "1 was added to the counts: a word that does not occur is never drawn": {
            1: [0.75739, 0.0904655, 0.152144],
            2: [0.60146, 0.145876, 0.252664],
            5: [0.333333, 0.333333, 0.333333],
        },
        "this is a softmax of the counts; they are raised to a power": {
            1: [0.999981, 6.14409e-06, 1.3007e-05],
            2: [0.998754, 0.000335045, 0.000910746],
            5: [0.333333, 0.333333, 0.333333],
        },
        "the power is inverted: 0.75 is 3/4, not 4/3": {
            1: [0.975797, 0.0, 0.0242028],
            2: [0.984615, 0.0, 0.0153846],
        },
        "a word that does not occur is never drawn": {
            1: [0.8, 0.1, 0.1],
            2: [0.623615, 0.155904, 0.220481],
            5: [0.333333, 0.333333, 0.333333],
        },
        "the logarithm was taken; the counts are raised to a power": {
            1: [0.803438, 0.0, 0.196562],
            2: [0.720585, 0.0, 0.279415],
            5: [0.803438, 0.0, 0.196562],
        },
        "the probabilities are in another order: keep that of the words": {
            1: [0.888889, 0.111111, 0.0],
            2: [0.738796, 0.261204, 0.0],
            5: [0.333333, 0.333333, 0.333333],
        },
        "divided by the largest; the probabilities add up to 1": {
            1: [1.0, 0.0, 0.125],
            2: [1.0, 0.0, 0.353553],
            5: [1.0, 1.0, 1.0],
        },
        "the power is an argument: do not write 0.75": {
            2: [0.826293, 0.0, 0.173707],
            5: [0.888889, 0.0, 0.111111],
        },
        "the powers were cut to whole numbers before the division": {
            2: [0.8, 0.0, 0.2],
            5: [0.333333, 0.333333, 0.333333],
        },
    })
    root, more = "the root is missing", "a probability is 1 at most"
    close = {"rtol": 1e-4, "atol": 1e-7}
    left_out = "above the threshold this is the probability to be left out: 1 minus what is asked for"
    larger = "a probability is 1 at most: the smaller of the two is asked for, not the larger"
    check(noise_distribution, np.array([16, 0, 1])).equals(
        [8 / 9, 0, 1 / 9],
        **close,
    )
    check(noise_distribution, np.array([16, 0, 2]), power=0.5).equals(
        [0.7387961, 0, 0.2612039],
        **close,
    )
    check(keep_probability, np.array([6, 144, 0]), threshold=0.01).equals(
        [0.5, 0.1020621, 1],
        near={root: [0.25, 0.01041667, 1], "this is the probability to be left out": [0.5, 0.8979379, 0],
              "the share is n divided by the sum: here the counts were used": [0.0408248, 0.0083333, 1],
              "divide by the sum of the counts, not by the number of words": [0.0707107, 0.0144338, 1],
              left_out: [0.5, 0.8979379, 1], whole: [0.05, 0.0102062, 1]}, **close,
    )
    check(keep_probability, np.array([9, 1]), threshold=0.25).equals(
        [0.5270463, 1],
        near={more: [0.5270463, 1.5811388], left_out: [0.4729537, 1], larger: [1, 1.5811388],
              whole: [0.2635231, 0.7905694],
              "the share is of the text, not of the most frequent word": [0.5, 1]}, **close,
    )
    check(noise_distribution, np.array([16, 0, 1]), power=0).equals(
        [0.5, 0, 0.5], about="power 0", edge=True,
        near={"0 to the power 0 is 1: a word that does not occur is never drawn": [1 / 3, 1 / 3, 1 / 3]}, **close,
    )
    once = "a word that does not occur was taken to occur once: it is kept with probability 1"
    check(keep_probability, np.array([4, 0]), threshold=0.01).equals(
        [0.1, 1], about="a short text", near={once: [0.1, 0.2]}, **close
    )


score
