from helpers.checks import graded


@graded("naive-bayes", points=6)
def score(check):
    import numpy as np
    from scipy import sparse

    counts, labels = sparse.csr_matrix([[2, 0], [0, 1]]), np.array([1, 0])
    even, like = np.log([0.5, 0.5]), np.log([[1 / 3, 2 / 3], [3 / 4, 1 / 4]])
    check(fit_naive_bayes, counts, labels).equals(
        (even, like), rtol=1e-4,
        near={
            "row 0 is ham and row 1 is spam; yours are swapped": (even, like[::-1]),
            "row 0 is ham and row 1 is spam; the likelihoods are swapped": (even, like[::-1]),
            "return logarithms": ([0.5, 0.5], [[1 / 3, 2 / 3], [3 / 4, 1 / 4]]),
            "return the logarithm of the prior, too": ([0.5, 0.5], like),
            "return the logarithm of the likelihood, too": (even, [[1 / 3, 2 / 3], [3 / 4, 1 / 4]]),
            "the logarithms are natural ones, not to base 2": (
                [-1.0, -1.0], [[-1.584963, -0.584963], [-0.415037, -2.0]]),
            "the logarithms are natural ones, not to base 10": (
                [-0.30103, -0.30103], [[-0.477121, -0.176091], [-0.124939, -0.60206]]),
            "alpha is missing: a word that a class has not seen gets probability 0": (
                even, np.array([[-np.inf, 0], [0, -np.inf]])),
            "alpha is missing in the numerator": (even, [[-np.inf, -1.098612], [-0.693147, -np.inf]]),
            "the denominator lacks alpha times M": (even, np.log([[1, 2], [3 / 2, 1 / 2]])),
            "the denominator holds alpha M times, not once": (even, np.log([[1 / 2, 1], [1, 1 / 3]])),
            "M is the size of the vocabulary, not the number of words that the class has seen": (
                even, np.log([[1 / 2, 1], [1, 1 / 3]])),
            "the denominator holds alpha times M, not 1": (even, np.log([[1 / 2, 1], [1, 1 / 3]])),
            "M is the number of words in the vocabulary, not of the messages of the class": (
                even, np.log([[1 / 2, 1], [1, 1 / 3]])),
            "a word that occurs twice counts twice": (even, np.log([[1 / 3, 2 / 3], [2 / 3, 1 / 3]])),
            "the prior is the share of the messages: divide by N": ([0.0, 0.0], like),
            "the prior is not smoothed: no alpha is added to the number of messages": ([0.0, 0.0], like),
            "each class has a denominator of its own: its words": (even, np.log([[1 / 7, 2 / 7], [3 / 7, 1 / 7]])),
            "the sum runs over the words of one class, not over the classes": (
                even, np.log([[1 / 4, 2 / 3], [3 / 4, 1 / 3]])),
            "the likelihood has a row for each class; this is the transpose": (even, like.T),
            "prior and likelihood are swapped: first the prior": (like, even),
        },
    )
    log_prior, log_likelihood = np.log([0.8, 0.2]), np.log([[0.5, 0.5], [0.9, 0.1]])
    check(naive_bayes_scores, sparse.csr_matrix([[1, 0], [2, 1], [0, 0]]), log_prior, log_likelihood).equals(
        [-0.798508, -1.820159, -1.386294], rtol=1e-4,
        near={
            "the prior is missing": [0.587787, -0.433865, 0.0],
            "the sign is turned round: it is spam minus ham": [0.798508, 1.820159, 1.386294],
            "a word that occurs twice counts twice": [-0.798508, -2.407946, -1.386294],
            "the prior is added with the wrong sign": [1.974081, 0.952430, 1.386294],
            "the prior of ham is missing: subtract it": [-1.021651, -2.043302, -1.609438],
            "these are the scores of spam alone: subtract those of ham": [-1.714798, -4.122744, -1.609438],
            "these are probabilities; the log odds are asked": [0.310345, 0.139415, 0.2],
            "these are odds; the log odds are asked": [0.45, 0.162, 0.25],
            "these are decisions; the log odds are asked": [0, 0, 0],
        },
    )
    counts = sparse.csr_matrix([[2, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0], [0, 3, 1, 0], [0, 0, 3, 0]])
    shares = np.array([0.6, 0.4])
    totals = np.array([[1, 4, 1, 0], [2, 0, 4, 1]]) + 0.4

    def table(prior=shares, above=totals, below=None):
        return np.log(prior), np.log(above / (above.sum(1, keepdims=True) if below is None else below))

    words, once = np.array([[6.0], [7.0]]), np.array([[1, 2, 1, 0], [1, 0, 2, 1]]) + 0.4
    check(fit_naive_bayes, counts, np.array([1, 0, 0, 0, 1]), 0.4).equals(
        table(), rtol=1e-4, about="five messages, four words, alpha = 0.4",
        near={
            "row 0 is ham and row 1 is spam; yours are swapped": tuple(part[::-1] for part in table()),
            "row 0 is ham and row 1 is spam; the priors are swapped": table(shares[::-1]),
            "row 0 is ham and row 1 is spam; the likelihoods are swapped": (table()[0], table()[1][::-1]),
            "the argument alpha was ignored": table(above=totals + 0.6),
            "return logarithms": tuple(np.exp(part) for part in table()),
            "a word that occurs twice counts twice": table(above=once),
            "a word that occurs twice counts twice; these are shares of the messages": table(
                above=once, below=np.array([[3.8], [2.8]])),
            "a word that occurs twice counts twice; the denominator has words, not messages": table(
                above=once, below=np.array([[4.6], [3.6]])),
            "the prior is the share of the messages: divide by N": table([3.0, 2.0]),
            "the prior is not smoothed: no alpha is added to the number of messages": table([3.4 / 5, 2.4 / 5]),
            "the prior is missing: its share of the messages counts": table([0.5, 0.5]),
            "the prior is not smoothed: alpha belongs to the words": table([3.4 / 5.8, 2.4 / 5.8]),
            "the denominator lacks alpha times M": table(below=words),
            "the denominator holds alpha M times, not once": table(below=words + 0.4),
            "the denominator holds alpha M times, not twice": table(below=words + 0.8),
            "the denominator holds alpha times M, not their sum": table(below=words + 4.4),
            "labels == y selects the rows of a class: counts[labels] takes rows by number": table(
                above=np.array([[4, 3, 2, 2], [6, 2, 3, 3]]) + 0.4),
            "labels == y selects the rows of a class; counts[labels] takes rows by number": table(
                above=np.array([[1, 4, 1, 0], [6, 2, 3, 3]]) + 0.4),
            "labels == y selects the rows of a class: ~ turns 0 and 1 into -1 and -2": table(
                above=np.array([[0, 6, 11, 0], [6, 2, 3, 3]]) + 0.4),
            "log1p adds 1 before the logarithm: take np.log": tuple(np.log1p(np.exp(part)) for part in table()),
            "log1p adds 1 before the logarithm; take np.log": (table()[0], np.log1p(np.exp(table()[1]))),
            "an array of integers cuts alpha off: make it one of floats": (table()[0], [
                [-1.791759, -0.405465, -1.791759, -np.inf], [-1.252763, -np.inf, -0.559616, -1.94591]]),
            "alpha is missing: a word that a class has not seen gets probability 0": (table()[0], [
                [-1.791759, -0.405465, -1.791759, -np.inf], [-1.252763, -np.inf, -0.559616, -1.94591]]),
            "the denominator holds alpha times M, not M": table(below=words + 4),
            "the denominator holds alpha times M, not 1": table(below=words + 1),
            "M is the size of the vocabulary, not the number of words that the class has seen": table(
                below=words + 1.2),
            "M is the number of words in the vocabulary, not of messages": table(below=words + 2),
            "M is the number of words in the vocabulary, not of the messages of the class": table(
                below=words + np.array([[1.2], [0.8]])),
            "alpha is added once to the total of a word, neither in every message nor to a mean": table(
                above=totals + [[0.8], [0.4]]),
        },
    )
    like = np.log([[0.5, 0.4, 0.1], [0.6, 0.1, 0.3]])
    check(naive_bayes_scores, sparse.csr_matrix([[1, 0, 3], [0, 0, 1000]]), log_prior, like).equals(
        [2.091864, 1097.225994], rtol=1e-4, about="a long message",
        near={
            "a product of many probabilities underflows to 0: add logarithms": [2.091864, np.nan],
            "a product of many ratios overflows or underflows: add logarithms": [2.091864, np.inf],
            "the prior is missing": [3.478158, 1098.612289],
        },
    )


score
