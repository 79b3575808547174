from helpers.checks import graded


@graded("sampling", points=5)
def score(check):
    import numpy as np

    below, whole = "divide by the sum of the powers, not of the counts", "the root goes over the whole fraction t / f"
    ### BEGIN MISTAKES
    check.mistakes({
        "these are the shares of the counts: the power is missing": lambda counts, power=0.75: counts / counts.sum(),
        "this is uniform: the counts do not matter": lambda counts, power=0.75: np.ones(len(counts)) / len(counts),
        "the power comes before the division by the sum, not after":
            lambda counts, power=0.75: (counts / counts.sum()) ** power,
        "the probabilities add up to 1: divide by their sum": lambda counts, power=0.75: counts**power,
        below: lambda counts, power=0.75: counts**power / counts.sum(),
        "1 was added to the counts: a word that does not occur is never drawn": lambda counts, power=0.75: (
                (counts + 1) ** power / ((counts + 1) ** power).sum()
            ),
        "the power is an argument: do not write 0.75": lambda counts, power=0.75: (
                counts**0.75 / (counts**0.75).sum()
            ),
        "this is a softmax of the counts; they are raised to a power": lambda counts, power=0.75: (
                np.exp(power * (counts - counts.max())) / np.exp(power * (counts - counts.max())).sum()
            ),
        "the power is inverted: 0.75 is 3/4, not 4/3": lambda counts, power=0.75: (
                counts ** (1 / power) / (counts ** (1 / power)).sum()
            ),
        "the powers were cut to whole numbers before the division": lambda counts, power=0.75: (
                (counts**power).astype(int) / (counts**power).astype(int).sum()
            ),
        "a word that does not occur is never drawn": lambda counts, power=0.75: (
                np.maximum(counts, 1.0) ** power / (np.maximum(counts, 1.0) ** power).sum()
            ),
        "the logarithm was taken; the counts are raised to a power": lambda counts, power=0.75: (
                np.log1p(counts) / np.log1p(counts).sum()
            ),
        "the probabilities are in another order: keep that of the words": lambda counts, power=0.75: (
                np.sort(counts)[::-1] ** power / (counts**power).sum()
            ),
        "divided by the largest; the probabilities add up to 1": lambda counts, power=0.75: (
                (counts / counts.max()) ** power
            ),
    }, noise_distribution)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check(keep_probability, np.array([5, 0, 11]), threshold=0.02).equals(
        [(0.02 * 16 / 5) ** 0.5, 1, (0.02 * 16 / 11) ** 0.5], about="a short text",
        near={once: [(0.02 * 16 / 5) ** 0.5, 0.32**0.5, (0.02 * 16 / 11) ** 0.5]}, **close,
    )
    for power in (0.75, 0.75, 0.5, 1.0):
        counts = check.rng.integers(1, 1000, size=8)
        counts[4] = 0
        logs = np.where(counts > 0, power * np.log(np.maximum(counts, 1)), -np.inf)
        oracle = np.exp(logs - np.logaddexp.reduce(logs))
        kind = "random counts" if power == 0.75 else "another power"
        check(noise_distribution, counts, **({} if power == 0.75 else {"power": power})).equals(
            oracle, about=kind, **close
        )
    check(noise_distribution, np.array([3])).equals([1.0], about="a single word", edge=True)
    check(noise_distribution, np.array([4, 0, 9, 1]), power=0.0).equals(
        [1 / 3, 0, 1 / 3, 1 / 3], about="power 0", edge=True,
        near={"a word that does not occur is never drawn, with power 0 either": [1 / 4] * 4})
    many = np.append(check.rng.integers(1, 1000, size=70), 3_000_000)
    logs = 0.75 * np.log(many)
    oracle = np.exp(logs - np.logaddexp.reduce(logs))
    check(noise_distribution, many).equals(oracle, about="many words, in float64", edge=True, rtol=1e-10)

    def kept(change):
        def mistake(counts, threshold=1e-3):
            with np.errstate(all="ignore"):
                return change(counts / counts.sum(), threshold, counts)

        return mistake

    check.mistakes(
        {
            root: kept(lambda f, t, n: np.minimum(1, t / f)),
            more: kept(lambda f, t, n: np.where(n > 0, np.sqrt(t / f), 1)),
            "this is the probability to be left out": kept(lambda f, t, n: 1 - np.minimum(1, np.sqrt(t / f))),
            left_out: kept(lambda f, t, n: np.where(f > t, 1 - np.sqrt(t / f), 1)),
            larger: kept(lambda f, t, n: np.where(n > 0, np.maximum(1, np.sqrt(t / f)), 1)),
            whole + ", not over t alone": kept(lambda f, t, n: np.minimum(1, np.sqrt(t) / f)),
            "a word that does not occur is kept with probability 1": kept(
                lambda f, t, n: np.where(n > 0, np.minimum(1, np.sqrt(t / f)), 0)
            ),
            "the share is n divided by the sum: here the counts were used": kept(
                lambda f, t, n: np.minimum(1, np.sqrt(t / np.maximum(n, t)))
            ),
            "divide by the sum of the counts, not by the number of words": kept(
                lambda f, t, n: np.minimum(1, np.sqrt(t * len(n) / np.maximum(n, t)))
            ),
            "the share is of the text, not of the most frequent word": kept(
                lambda f, t, n: np.minimum(1, np.sqrt(t * n.max() / n))
            ),
            "this is the formula of word2vec's program, with one term more; the text asks for the paper's": kept(
                lambda f, t, n: np.minimum(1, np.sqrt(t / f) + t / f)
            ),
            whole: kept(lambda f, t, n: np.where(n > 0, np.minimum(1, t / np.sqrt(f)), 1)),
            "the usual threshold is 0.001, as in the stub": lambda counts, threshold=1e-5: np.minimum(
                1, np.sqrt(threshold / np.maximum(counts / counts.sum(), 1e-300))
            ),
            "the fraction is upside down: t / f": kept(lambda f, t, n: np.minimum(1, np.sqrt(f / t))),
            "the threshold is an argument: it was not used": kept(lambda f, t, n: np.minimum(1, np.sqrt(1e-3 / f))),
            "nothing is kept for sure above the threshold: all words with f above t were left out": kept(
                lambda f, t, n: np.where(f > t, 0.0, 1.0)
            ),
            "the counts add up along the words: each has its own share": kept(
                lambda f, t, n: np.minimum(1, np.sqrt(t / f.cumsum()))
            ),
        }
    )
    for threshold in (None, 0.02, 0.1):
        counts = check.rng.integers(1, 4, size=9) * 10 ** check.rng.integers(0, 5, size=9)
        counts[2], counts[5] = 0, 90_000
        share = counts / counts.sum()
        oracle = [1.0 if f == 0 else min(1.0, ((threshold or 1e-3) / f) ** 0.5) for f in share.tolist()]
        more = {} if threshold is None else {"threshold": threshold}
        check(keep_probability, counts, **more).equals(
            oracle, about="another threshold" if more else "the usual threshold", **close
        )
    check(keep_probability, np.array([5]), threshold=0.25).equals([0.5], about="a single word", edge=True)
    check.mistakes({})
    check(keep_probability, np.array([5, 0]), threshold=1.0).equals([1, 1], about="all is kept", edge=True)
    oracle = np.minimum(1, (1e-3 * many.sum() / many) ** 0.5)
    check(keep_probability, many).equals(oracle, about="many words, in float64", edge=True, rtol=1e-10, atol=1e-14)
    oracle = np.minimum(1, (1e-9 * many.sum() / many) ** 0.5)
    check(keep_probability, many, threshold=1e-9).equals(
        oracle, about="a small threshold", edge=True, rtol=1e-10, atol=1e-14)
    ### END HIDDEN TESTS


score
