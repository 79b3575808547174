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
    ### BEGIN HIDDEN TESTS
    from sklearn.naive_bayes import MultinomialNB

    def known_fits(dense, labels, alpha, prior, like):
        """The known mistakes of training, each with what it returns here."""
        sizes, m = np.bincount(labels)[:, None], dense.shape[1]
        totals = np.stack([dense[labels == y].sum(0) for y in (0, 1)]).astype(float)
        once = np.stack([(dense[labels == y] > 0).sum(0) for y in (0, 1)]).astype(float)
        sums, seen = totals.sum(1, keepdims=True), (totals > 0).sum(1, keepdims=True)

        def table(numerator=totals + alpha, denominator=sums + alpha * m):
            with np.errstate(divide="ignore"):
                return prior, np.log(numerator / denominator)

        def numbered(ham):
            above = np.stack([dense[ham].sum(0), dense[labels].sum(0)]) + alpha
            return table(above, above.sum(1, keepdims=True))

        return {
            "row 0 is ham and row 1 is spam; yours are swapped": (prior[::-1], like[::-1]),
            "row 0 is ham and row 1 is spam; the likelihoods are swapped": (prior, like[::-1]),
            "row 0 is ham and row 1 is spam; the priors are swapped": (prior[::-1], like),
            # logarithms
            "return logarithms": (np.exp(prior), np.exp(like)),
            "return the logarithm of the prior, too": (np.exp(prior), like),
            "return the logarithm of the likelihood, too": (prior, np.exp(like)),
            "the logarithms are natural ones, not to base 2": (prior / np.log(2), like / np.log(2)),
            "the logarithms are natural ones, not to base 10": (prior / np.log(10), like / np.log(10)),
            # the prior
            "the prior is missing: its share of the messages counts": (np.log([0.5, 0.5]), like),
            "the prior is the share of the messages, not of the words": (np.log(sums[:, 0] / sums.sum()), like),
            "the prior is the share of the messages: divide by N": (np.log(sizes[:, 0]), like),
            "the prior is not smoothed: alpha belongs to the words": (
                np.log((sizes[:, 0] + alpha) / (len(labels) + 2 * alpha)), like),
            "the prior is not smoothed: no alpha is added to the number of messages": (
                np.log((sizes[:, 0] + alpha) / len(labels)), like),
            "the prior has two numbers, one for each class, not the log odds": (prior[1] - prior[0], like),
            "the likelihood does not hold the prior": (prior, like + prior[:, None]),
            # alpha
            "alpha is missing: a word that a class has not seen gets probability 0": table(totals, sums),
            "the argument alpha was ignored": table(totals + 1, sums + m),
            "alpha is missing in the numerator": table(totals),
            "the denominator lacks alpha times M": table(denominator=sums),
            "the denominator holds alpha M times, not once": table(denominator=sums + alpha),
            "the denominator holds alpha M times, not twice": table(denominator=sums + 2 * alpha),
            "the denominator holds alpha times M, not M": table(denominator=sums + m),
            "the denominator holds alpha times M, not 1": table(denominator=sums + 1),
            "the numerator holds alpha, not 1": table(totals + 1),
            "alpha is added once to the total of a word, neither in every message nor to a mean": table(
                totals + alpha * sizes, sums + alpha * m * sizes),
            "alpha is added to the count, before the division": (prior, np.log(totals / sums + alpha)),
            "the denominator holds alpha times M, not their sum": table(denominator=sums + alpha + m),
            "an array of integers cuts alpha off: make it one of floats": table(
                totals + np.trunc(alpha), sums + np.trunc(alpha) * m),
            "log1p adds 1 before the logarithm: take np.log": (np.log1p(np.exp(prior)), np.log1p(np.exp(like))),
            "log1p adds 1 before the logarithm; take np.log": (prior, np.log1p(np.exp(like))),
            "labels == y selects the rows of a class: counts[labels] takes rows by number": numbered(1 - labels),
            "labels == y selects the rows of a class; counts[labels] takes rows by number": numbered(labels == 0),
            "labels == y selects the rows of a class: ~ turns 0 and 1 into -1 and -2": numbered(~labels),
            # M
            "M is the size of the vocabulary, not the number of words that the class has seen": table(
                denominator=sums + alpha * seen),
            "M is the size of the vocabulary, not the number of words that were seen at all": table(
                denominator=sums + alpha * (totals.sum(0) > 0).sum()),
            "M is the number of words in the vocabulary, not of messages": table(
                denominator=sums + alpha * len(labels)),
            "M is the number of words in the vocabulary, not of the messages of the class": table(
                denominator=sums + alpha * sizes),
            # what is counted
            "a word that occurs twice counts twice": table(once + alpha, once.sum(1, keepdims=True) + alpha * m),
            "a word that occurs twice counts twice in the numerator": table(once + alpha),
            "a word that occurs twice counts twice; these are shares of the messages": table(
                once + alpha, sizes + 2 * alpha),
            "a word that occurs twice counts twice; the denominator has words, not messages": table(
                once + alpha, sizes + alpha * m),
            "the denominator counts the words of the class, not its messages": table(denominator=sizes + alpha * m),
            "the denominator has the words of the class, not its messages, and alpha M times, not twice": table(
                denominator=sizes + 2 * alpha),
            "the denominator has the words of the class, not its messages, and alpha M times, not once": table(
                denominator=sizes + alpha),
            "the denominator has the words of the class, not its messages, and alpha M times": table(
                denominator=sizes),
            "the denominator counts the words of the class, not all messages": table(denominator=len(labels)),
            "divide by the number of words of the class, with alpha M times": table(denominator=1),
            "each class has a denominator of its own: its words": table(denominator=(totals + alpha).sum()),
            "each class has a denominator of its own: its words, not those of both": table(
                denominator=sums.sum() + alpha * m),
            "the sum runs over the words of one class, not over the classes": table(
                denominator=(totals + alpha).sum(0)),
            # what comes back
            "the likelihood has a row for each class; this is the transpose": (prior, like.T),
            "prior and likelihood are swapped: first the prior": (like, prior),
            "the likelihood has a row for each class, not their difference": (prior, like[1] - like[0]),
        }

    def known_scores(x, prior, like):
        """The known mistakes of scoring, each with the scores that it gives here."""
        odds, length = prior[1] - prior[0], x.sum(1)
        words = x @ (like[1] - like[0])
        right, joint, p = words + odds, x @ like.T + prior, np.exp(like)
        with np.errstate(all="ignore"):
            product, ratio = np.exp(prior) * np.prod(p[None] ** x[:, None], axis=2), (p[1] / p[0]) ** x
            return {
                "the prior is missing": words,
                "the sign is turned round: it is spam minus ham": -right,
                "the prior is added with the wrong sign": words - odds,
                "the words are added with the wrong sign": odds - words,
                "the words are missing: this is the prior alone": 0 * words + odds,
                "the prior of ham is missing: subtract it": words + prior[1],
                "the prior of ham is added, not subtracted": words + prior[1] + prior[0],
                "the prior of spam is missing": words - prior[0],
                "the prior counts once for the message, not once for each word": words + length * odds,
                "the prior counts once for the message, not once for each different word": (
                    words + (x > 0).sum(1) * odds),
                "the logarithm of the prior is taken already": words + np.exp(prior[1]) - np.exp(prior[0]),
                "a word that occurs twice counts twice": (x > 0) @ (like[1] - like[0]) + odds,
                "only words that occur count here: the absent ones belong to the Bernoulli kind": (
                    (x > 0) @ (like[1] - like[0]) + (x == 0) @ np.log((1 - p[1]) / (1 - p[0])) + odds),
                "these are the scores of spam alone: subtract those of ham": joint[:, 1],
                "these are the scores of spam alone, without its prior: subtract those of ham": x @ like[1],
                "the words of ham are missing: subtract them": x @ like[1] + odds,
                "the two classes are added: subtract ham": joint.sum(1),
                "take the difference of the logarithms, not their ratio": joint[:, 1] / joint[:, 0],
                "take the difference of the words' logarithms, not their ratio": x @ (like[1] / like[0]) + odds,
                "take the difference of the priors' logarithms, not their ratio": words + prior[1] / prior[0],
                "take differences of the logarithms, not their ratios": x @ (like[1] / like[0]) + prior[1] / prior[0],
                "do not divide by the length of the message": words / np.maximum(length, 1) + odds,
                "do not divide by the length of the message, nor the prior": right / np.maximum(length, 1),
                "these are probabilities; the log odds are asked": 1 / (1 + np.exp(-right)),
                "these are logarithms of probabilities; the log odds are asked": -np.logaddexp(0, -right),
                "these are odds; the log odds are asked": np.exp(right),
                "these are decisions; the log odds are asked": right > 0,
                "these are decisions of 1 and -1; the log odds are asked": np.sign(right),
                "the arguments are logarithms already: exp takes them away": x @ (p[1] - p[0]) + odds,
                "the arguments are logarithms already: exp takes them away, also from the prior": (
                    x @ (p[1] - p[0]) + np.exp(prior[1]) - np.exp(prior[0])),
                "the arguments are logarithms already: their logarithm is NaN": words * np.nan,
                "the logarithms are natural ones, not to base 2": right / np.log(2),
                "the logarithms are natural ones, not to base 10": right / np.log(10),
                "a product of many probabilities underflows to 0: add logarithms": (
                    np.log(product[:, 1] / product[:, 0])),
                "return one number for each message: spam minus ham": joint,
                "a product of many ratios overflows or underflows: add logarithms": np.log(ratio.prod(1)) + odds,
            }

    check.hidden()
    for alpha in (1.0, 0.3, 2.5):
        labels = np.append(1, check.rng.permutation([0] * 8 + [1] * 3))
        dense = check.rng.poisson(0.8, size=(12, 6))
        dense[0, [0, 1, 4]] += 1  # spam sees three words, ham four, nobody the last one
        dense[labels.argmin(), :4] += 1
        dense[labels == 1] *= np.array([1, 1, 0, 0, 1, 0])
        dense[labels == 0] *= np.array([1, 1, 1, 1, 0, 0])
        model = MultinomialNB(alpha=alpha).fit(dense, labels)
        prior, like = model.class_log_prior_, model.feature_log_prob_
        options = {} if alpha == 1 else {"alpha": alpha}
        near = known_fits(dense, labels, alpha, prior, like)
        check(fit_naive_bayes, sparse.csr_matrix(dense), labels, **options).equals(
            (prior, like), about="random counts", rtol=1e-4, near=near
        )
        dense = check.rng.poisson(0.8, size=(7, 6))
        logs, near = model.predict_joint_log_proba(dense), known_scores(dense, prior, like)
        check(naive_bayes_scores, sparse.csr_matrix(dense), prior.copy(), like.copy()).equals(
            logs[:, 1] - logs[:, 0], about="random messages", rtol=1e-4, atol=1e-7, near=near
        )
    prior, like = np.log([0.7, 0.3]), np.log([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    long = np.array([check.rng.multinomial(2000, np.exp(like[y])) for y in (1, 0)] + [[2, 0, 1]])
    logs = []
    for row in long:
        logs.append(np.log(3 / 7) + sum(float(n) * v for n, v in zip(row, like[1] - like[0], strict=True)))
    near = known_scores(long, prior, like)
    check(naive_bayes_scores, sparse.csr_matrix(long), prior, like).equals(
        logs, about="messages of 2,000 words", rtol=1e-4, near=near
    )
    dense, labels, tiny = np.array([[3, 0], [0, 2], [0, 1]]), np.array([1, 0, 0]), 1e-20
    model = MultinomialNB(alpha=tiny, force_alpha=True).fit(dense, labels)
    prior, like = model.class_log_prior_, model.feature_log_prob_
    check(fit_naive_bayes, sparse.csr_matrix(dense), labels, tiny).equals(
        (prior, like), about="a very small alpha", edge=True, rtol=1e-4,
        near=known_fits(dense, labels, tiny, prior, like) | {
            f"alpha is taken as it is, however small: here it became {least:g}": (
                prior, MultinomialNB(alpha=least).fit(dense, labels).feature_log_prob_)
            for least in (1e-10, 1e-9, 1e-8, 1e-6, 1e-3)},
    )
    prior = np.array([-40.0, -4e-18])
    check(naive_bayes_scores, sparse.csr_matrix(dense), prior, like).equals(
        dense @ (like[1] - like[0]) + 40, about="a very small alpha", edge=True, rtol=1e-4,
        near=known_scores(dense, prior, like),
    )
    column, prior, like = np.array([[2], [0], [1]]), np.log([2 / 3, 1 / 3]), np.zeros((2, 1))
    check(fit_naive_bayes, sparse.csr_matrix(column), labels).equals(
        (prior, like), about="a vocabulary of one word", edge=True, rtol=1e-4, atol=1e-6,
        near=known_fits(column, labels, 1.0, prior, like),
    )
    check(naive_bayes_scores, sparse.csr_matrix(column[:1]), prior, like - 0.5).equals(
        [np.log(0.5)], about="a vocabulary of one word", edge=True, rtol=1e-4,
        near=known_scores(column[:1], prior, like - 0.5),
    )
    ### END HIDDEN TESTS


score
