from helpers.checks import graded


@graded("naive-bayes", points=6)
def score(check):
    import numpy as np
    from scipy import sparse

    ### BEGIN MISTAKES
    from helpers.chapters.spam.together import one_by_one

    class Fit:
        """The numbers of one training: sizes (2, 1), totals (2, V) and sums (2, 1) of the words, and what is right."""

        def __init__(self, counts, labels, alpha):
            self.dense, self.labels, self.alpha = counts.toarray(), labels, alpha
            self.n, self.m = self.dense.shape
            self.sizes = np.bincount(labels)[:, None]
            rows = [self.dense[labels == y] for y in (0, 1)]
            self.totals = np.array([part.sum(axis=0) for part in rows], dtype=float)
            self.once = np.array([(part > 0).sum(axis=0) for part in rows], dtype=float)
            self.sums, self.seen = self.totals.sum(axis=1, keepdims=True), (self.totals > 0).sum(axis=1, keepdims=True)
            self.prior = np.log(self.sizes[:, 0] / self.n)
            self.like = self.table()[1]

        def table(self, numerator=None, denominator=None):
            """Return the result with other fractions for the words."""
            above = self.totals + self.alpha if numerator is None else numerator
            below = self.sums + self.alpha * self.m if denominator is None else denominator
            with np.errstate(divide="ignore"):
                return self.prior, np.log(above / below)

        def numbered(self, ham):
            """Return the result with rows that are taken by number."""
            above = np.stack([self.dense[ham].sum(axis=0), self.dense[self.labels].sum(axis=0)]) + self.alpha
            return self.table(above, above.sum(axis=1, keepdims=True))

    def of_rows_and_priors(s):
        """Mistakes in the rows, the logarithms and the prior."""
        alpha, n, sizes, sums, prior, like = s.alpha, s.n, s.sizes, s.sums, s.prior, s.like
        return {
            "row 0 is ham and row 1 is spam; yours are swapped": (prior[::-1], like[::-1]),
            "row 0 is ham and row 1 is spam; the likelihoods are swapped": (prior, like[::-1]),
            "row 0 is ham and row 1 is spam; the priors are swapped": (prior[::-1], like),
            "return logarithms": (np.exp(prior), np.exp(like)),
            "return the logarithm of the prior, too": (np.exp(prior), like),
            "return the logarithm of the likelihood, too": (prior, np.exp(like)),
            "the logarithms are natural ones, not to base 2": (prior / np.log(2), like / np.log(2)),
            "the logarithms are natural ones, not to base 10": (prior / np.log(10), like / np.log(10)),
            "the prior is missing: its share of the messages counts": (np.log([0.5, 0.5]), like),
            "the prior is the share of the messages, not of the words": (np.log(sums[:, 0] / sums.sum()), like),
            "the prior is the share of the messages: divide by N": (np.log(sizes[:, 0]), like),
            "the prior is not smoothed: alpha belongs to the words": (
                np.log((sizes[:, 0] + alpha) / (n + 2 * alpha)), like),
            "the prior is not smoothed: no alpha is added to the number of messages": (
                np.log((sizes[:, 0] + alpha) / n), like),
            "the prior has two numbers, one for each class, not the log odds": (prior[1] - prior[0], like),
            "the likelihood does not hold the prior": (prior, like + prior[:, None]),
        }

    def of_alpha(s):
        """Mistakes with alpha, and with which rows belong to a class."""
        labels, alpha, m, sizes = s.labels, s.alpha, s.m, s.sizes
        totals, sums, prior, like = s.totals, s.sums, s.prior, s.like
        return {
            "alpha is missing: a word that a class has not seen gets probability 0": s.table(totals, sums),
            "the argument alpha was ignored": s.table(totals + 1, sums + m),
            "alpha is missing in the numerator": s.table(totals),
            "the denominator lacks alpha times V": s.table(denominator=sums),
            "the denominator holds alpha V times, not once": s.table(denominator=sums + alpha),
            "the denominator holds alpha V times, not twice": s.table(denominator=sums + 2 * alpha),
            "the denominator holds alpha times V, not V": s.table(denominator=sums + m),
            "the denominator holds alpha times V, not 1": s.table(denominator=sums + 1),
            "the numerator holds alpha, not 1": s.table(totals + 1),
            "alpha is added once to the total of a word, neither in every message nor to a mean": s.table(
                totals + alpha * sizes, sums + alpha * m * sizes),
            "alpha is added to the count, before the division": (prior, np.log(totals / sums + alpha)),
            "the denominator holds alpha times V, not their sum": s.table(denominator=sums + alpha + m),
            "an array of integers cuts alpha off: make it one of floats": s.table(
                totals + np.trunc(alpha), sums + np.trunc(alpha) * m),
            "log1p adds 1 before the logarithm: take np.log": (np.log1p(np.exp(prior)), np.log1p(np.exp(like))),
            "log1p adds 1 before the logarithm; take np.log": (prior, np.log1p(np.exp(like))),
            "labels == y selects the rows of a class: counts[labels] takes rows by number": s.numbered(1 - labels),
            "labels == y selects the rows of a class; counts[labels] takes rows by number": s.numbered(labels == 0),
            "labels == y selects the rows of a class: ~ turns 0 and 1 into -1 and -2": s.numbered(~labels),
        }

    def of_numbers(s):
        """Mistakes in the numbers V, of words and of messages, and in what comes back."""
        alpha, n, m, sizes, totals = s.alpha, s.n, s.m, s.sizes, s.totals
        once, sums, seen, prior, like = s.once, s.sums, s.seen, s.prior, s.like
        return {
            "V is the size of the vocabulary, not the number of words that the class has seen": s.table(
                denominator=sums + alpha * seen),
            "V is the size of the vocabulary, not the number of words that were seen at all": s.table(
                denominator=sums + alpha * (totals.sum(0) > 0).sum()),
            "V is the number of words in the vocabulary, not of messages": s.table(
                denominator=sums + alpha * n),
            "V is the number of words in the vocabulary, not of the messages of the class": s.table(
                denominator=sums + alpha * sizes),
            "a word that occurs twice counts twice": s.table(once + alpha, once.sum(1, keepdims=True) + alpha * m),
            "a word that occurs twice counts twice in the numerator": s.table(once + alpha),
            "a word that occurs twice counts twice; these are shares of the messages": s.table(
                once + alpha, sizes + 2 * alpha),
            "a word that occurs twice counts twice; the denominator has words, not messages": s.table(
                once + alpha, sizes + alpha * m),
            "the denominator counts the words of the class, not its messages": s.table(denominator=sizes + alpha * m),
            "the denominator has the words of the class, not its messages, and alpha V times, not twice": s.table(
                denominator=sizes + 2 * alpha),
            "the denominator has the words of the class, not its messages, and alpha V times, not once": s.table(
                denominator=sizes + alpha),
            "the denominator has the words of the class, not its messages, and alpha V times": s.table(
                denominator=sizes),
            "the denominator counts the words of the class, not all messages": s.table(denominator=n),
            "divide by the number of words of the class, with alpha V times": s.table(denominator=1),
            "each class has a denominator of its own: its words": s.table(denominator=(totals + alpha).sum()),
            "each class has a denominator of its own: its words, not those of both": s.table(
                denominator=sums.sum() + alpha * m),
            "the sum runs over the words of one class, not over the classes": s.table(
                denominator=(totals + alpha).sum(0)),
            "the likelihood has a row for each class; this is the transpose": (prior, like.T),
            "prior and likelihood are swapped: first the prior": (like, prior),
            "the likelihood has a row for each class, not their difference": (prior, like[1] - like[0]),
        }

    def fits(counts, labels, alpha=1.0):
        """What the known mistakes of training give."""
        s = Fit(counts, labels, alpha)
        return of_rows_and_priors(s) | of_alpha(s) | of_numbers(s)

    def scores(counts, prior, like):
        """What the known mistakes of scoring give."""
        x, odds = counts.toarray(), prior[1] - prior[0]
        length = x.sum(axis=1)
        words = x @ (like[1] - like[0])
        right, joint, p = words + odds, x @ like.T + prior, np.exp(like)
        with np.errstate(all="ignore"):
            product, ratio = np.exp(prior) * np.prod(p[None] ** x[:, None], axis=2), (p[1] / p[0]) ** x
            return {
                "the prior is missing": words,
                "the sign is reversed: it is spam minus ham": -right,
                "the prior is added with the wrong sign": words - odds,
                "the words are added with the wrong sign": odds - words,
                "the words are missing: this is the prior alone": 0 * words + odds,
                "the prior of ham is missing: subtract it": words + prior[1],
                "the prior of ham is added, not subtracted": words + prior[1] + prior[0],
                "the prior of spam is missing": words - prior[0],
                "a message without words keeps the log odds of the prior": right * (length > 0),
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
                "these are probabilities; the log odds are asked for": 1 / (1 + np.exp(-right)),
                "these are logarithms of probabilities; the log odds are asked for": -np.logaddexp(0, -right),
                "these are odds; the log odds are asked for": np.exp(right),
                "these are decisions; the log odds are asked for": right > 0,
                "these are decisions of 1 and -1; the log odds are asked for": np.sign(right),
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

    one = sparse.csr_matrix([[1], [1]])
    check.mistakes(one_by_one(fits, one, np.array([0, 1])), fit_naive_bayes)
    check.mistakes(one_by_one(scores, one, np.log([0.5, 0.5]), np.log([[0.5], [0.5]])), naive_bayes_scores)
    ### END MISTAKES
    counts, labels = sparse.csr_matrix([[2, 0], [0, 1]]), np.array([1, 0])
    even, like = np.log([0.5, 0.5]), np.log([[1 / 3, 2 / 3], [3 / 4, 1 / 4]])
    check(fit_naive_bayes, counts, labels).equals((even, like), rtol=1e-4)
    log_prior, log_likelihood = np.log([0.8, 0.2]), np.log([[0.5, 0.5], [0.9, 0.1]])
    check(naive_bayes_scores, sparse.csr_matrix([[1, 0], [2, 1], [0, 0]]), log_prior, log_likelihood).equals(
        [-0.798508, -1.820159, -1.386294], rtol=1e-4
    )
    counts = sparse.csr_matrix([[2, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0], [0, 3, 1, 0], [0, 0, 3, 0]])
    totals = np.array([[1, 4, 1, 0], [2, 0, 4, 1]]) + 0.4
    check(fit_naive_bayes, counts, np.array([1, 0, 0, 0, 1]), 0.4).equals(
        (np.log([0.6, 0.4]), np.log(totals / [[7.6], [8.6]])), rtol=1e-4, about="five messages, four words, alpha = 0.4"
    )
    like = np.log([[0.5, 0.4, 0.1], [0.6, 0.1, 0.3]])
    check(naive_bayes_scores, sparse.csr_matrix([[1, 0, 3], [0, 0, 1000]]), log_prior, like).equals(
        [2.091864, 1097.225994], rtol=1e-4, about="a long message"
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.naive_bayes import MultinomialNB

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
        check(fit_naive_bayes, sparse.csr_matrix(dense), labels, **options).equals(
            (prior, like), about="random counts", rtol=1e-4
        )
        dense = check.rng.poisson(0.8, size=(7, 6))
        logs = model.predict_joint_log_proba(dense)
        check(naive_bayes_scores, sparse.csr_matrix(dense), prior.copy(), like.copy()).equals(
            logs[:, 1] - logs[:, 0], about="random messages", rtol=1e-4, atol=1e-7
        )
    prior, like = np.log([0.7, 0.3]), np.log([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    long = np.array([check.rng.multinomial(2000, np.exp(like[y])) for y in (1, 0)] + [[2, 0, 1]])
    logs = []
    for row in long:
        logs.append(np.log(3 / 7) + sum(float(n) * v for n, v in zip(row, like[1] - like[0], strict=True)))
    check(naive_bayes_scores, sparse.csr_matrix(long), prior, like).equals(
        logs, about="messages of 2,000 words", rtol=1e-4
    )
    dense, labels, tiny = np.array([[3, 0], [0, 2], [0, 1]]), np.array([1, 0, 0]), 1e-20
    model = MultinomialNB(alpha=tiny, force_alpha=True).fit(dense, labels)
    prior, like = model.class_log_prior_, model.feature_log_prob_
    check(fit_naive_bayes, sparse.csr_matrix(dense), labels, tiny).equals(
        (prior, like), about="a very small alpha", edge=True, rtol=1e-4,
        near={
            f"alpha is taken as it is, however small: here it became {least:g}": (
                prior, MultinomialNB(alpha=least).fit(dense, labels).feature_log_prob_)
            for least in (1e-10, 1e-9, 1e-8, 1e-6, 1e-3)},
    )
    prior = np.array([-40.0, -4e-18])
    check(naive_bayes_scores, sparse.csr_matrix(dense), prior, like).equals(
        dense @ (like[1] - like[0]) + 40, about="a very small alpha", edge=True, rtol=1e-4
    )
    column, prior, like = np.array([[2], [0], [1]]), np.log([2 / 3, 1 / 3]), np.zeros((2, 1))
    check(fit_naive_bayes, sparse.csr_matrix(column), labels).equals(
        (prior, like), about="a vocabulary of one word", edge=True, rtol=1e-4, atol=1e-6
    )
    check(naive_bayes_scores, sparse.csr_matrix(column[:1]), prior, like - 0.5).equals(
        [np.log(0.5)], about="a vocabulary of one word", edge=True, rtol=1e-4
    )
    ### END HIDDEN TESTS


score
