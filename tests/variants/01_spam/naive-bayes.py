# %% base="the plain way"
def fit_naive_bayes(counts, labels, alpha=1.0):
    labels = np.asarray(labels)
    sums = np.stack([np.asarray(counts[labels == y].sum(axis=0)).ravel() for y in (0, 1)]).astype(float)
    words = sums + alpha
    total = words.sum(axis=1, keepdims=True)
    prior = np.array([(labels == y).mean() for y in (0, 1)])
    return np.log(prior), np.log(words / total)
def naive_bayes_scores(counts, log_prior, log_likelihood):
    return counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior[0]
# %% wrong="spam in row 0" says="row 0 is ham" of="the plain way"
#~ , np.log(words / total) => [::-1], np.log(words / total)[::-1]
# %% wrong="likelihood of spam in row 0" says="row 0 is ham" of="the plain way"
#~ (words / total) => (words / total)[::-1]
# %% wrong="prior of spam in row 0" says="row 0 is ham" of="the plain way"
#~ (prior) => (prior)[::-1]
# %% wrong="no logarithms" says="return logarithms" of="the plain way"
#~ np.log(prior), np.log(words / total) => prior, words / total
# %% wrong="no logarithm of the likelihood" says="logarithm of the likelihood" of="the plain way"
#~ np.log(words / total) => words / total
# %% wrong="no logarithm of the prior" says="logarithm" of="the plain way"
#~ np.log(prior) => prior
# %% wrong="logarithm to base 10" says="natural" of="the plain way"
#~ log(prior), np.log => log10(prior), np.log10
# %% wrong="logarithm to base 2" says="natural" of="the plain way"
#~ log(prior), np.log => log2(prior), np.log2
# %% wrong="no alpha" says="alpha is missing" of="the plain way"
#~ sums + alpha => sums
# %% wrong="alpha is always 1" says="alpha was ignored" of="the plain way"
#~ + alpha => + 1.0
# %% wrong="alpha is 1e-10 at least" says="however small" of="the plain way"
#~ sums + alpha => sums + max(alpha, 1e-10)
# %% wrong="alpha only in the numerator" says="lacks alpha times V" of="the plain way"
#~ words. => sums.
# %% wrong="alpha only in the denominator" says="numerator" of="the plain way"
#~ sums + alpha => sums
#~ words.sum(axis=1, keepdims=True) => sums.sum(axis=1, keepdims=True) + alpha * sums.shape[1]
# %% wrong="alpha once in the denominator" says="once" of="the plain way"
#~ words.sum(axis=1, keepdims=True) => sums.sum(axis=1, keepdims=True) + alpha
# %% wrong="alpha twice in the denominator" says="V times" of="the plain way"
#~ words.sum(axis=1, keepdims=True) => sums.sum(axis=1, keepdims=True) + 2 * alpha
# %% wrong="M without alpha in the denominator" says="alpha times V" of="the plain way"
#~ words.sum(axis=1, keepdims=True) => sums.sum(axis=1, keepdims=True) + sums.shape[1]
# %% wrong="M is the words that the class has seen" says="vocabulary" of="the plain way"
#~ words. => sums.sum(axis=1, keepdims=True) + alpha * (sums > 0).
# %% wrong="M is the number of messages" says="number of words" of="the plain way"
#~ words.sum(axis=1, keepdims=True) => sums.sum(axis=1, keepdims=True) + alpha * counts.shape[0]
# %% wrong="words count once per message" says="twice" of="the plain way"
#~ counts[labels == y] => (counts[labels == y] > 0)
# %% wrong="divides by messages instead of words" says="not its messages" of="the plain way"
#~ words.sum(axis=1, keepdims=True) => np.array([[(labels == y).sum()] for y in (0, 1)]) + 2 * alpha
# %% wrong="normalised over the classes" says="over the words" of="the plain way"
#~ axis=1 => axis=0
# %% wrong="one total for both classes" says="each class" of="the plain way"
#~ (axis=1, keepdims=True) => ()
# %% wrong="prior is always one half" says="prior is missing" of="the plain way"
#~ (labels == y).mean() for y in (0, 1) => 0.5, 0.5
# %% wrong="prior smoothed" says="prior" of="the plain way"
#~ ([(labels == y).mean() for y in (0, 1)]) => ([(labels == y).sum() + alpha for y in (0, 1)]) / (len(labels) + 2 * alpha)
# %% wrong="prior by tokens" says="share of the messages" of="the plain way"
#~ np.array([(labels == y).mean() for y in (0, 1)]) => sums.sum(axis=1) / sums.sum()
# %% wrong="prior is not divided by N" says="share of the messages" of="the plain way"
#~ mean => sum
# %% wrong="prior is the log odds" says="shape () came, shape (2,) was expected" of="the plain way"
#~ (prior) => (prior[1] / prior[0])
# %% wrong="likelihood of shape (M, 2)" says="transpose" of="the plain way"
#~ (words / total) => (words / total).T
# %% wrong="likelihood before the prior" says="swapped" of="the plain way"
#~ (prior), np.log(words / total) => (words / total), np.log(prior)
# %% wrong="prior missing in the score" says="the prior is missing" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => counts @ (log_likelihood[1] - log_likelihood[0])
# %% wrong="score of ham minus spam" says="sign is reversed" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => counts @ (log_likelihood[0] - log_likelihood[1]) + log_prior[0] - log_prior[1]
# %% wrong="prior with the wrong sign" says="wrong sign" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[0] - log_prior[1]
# %% wrong="only the prior of spam" says="prior of ham" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1]
# %% wrong="score of spam alone" says="spam alone" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => counts @ log_likelihood[1] + log_prior[1]
# %% wrong="ratio of logarithms instead of their difference" says="difference" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior) => counts @ (log_likelihood[1] / log_likelihood[0]) + log_prior[1] - log_prior
# %% wrong="prior divided instead of subtracted" says="difference" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior) => counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] / log_prior
# %% wrong="words count once in the score" says="twice" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior) => (counts > 0).astype(float) @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior
# %% wrong="score divided by the length" says="length"
def naive_bayes_scores(counts, log_prior, log_likelihood):
    n = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    z = counts @ (log_likelihood[1] - log_likelihood[0]) / n
    return z + log_prior[1] - log_prior[0]
# %% wrong="prior once per word" says="once"
def naive_bayes_scores(counts, log_prior, log_likelihood):
    n = np.asarray(counts.sum(axis=1)).ravel()
    z = counts @ (log_likelihood[1] - log_likelihood[0])
    return z + n * (log_prior[1] - log_prior[0])
# %% wrong="probability instead of log odds" says="log odds" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => 1 / (1 + np.exp(-(counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior[0])))
# %% wrong="odds instead of log odds" says="log odds" of="indicator matrix times counts"
#~ ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => exp(counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior[0])
# %% wrong="decision instead of log odds" says="log odds" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => (counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior[0] > 0).astype(float)
# %% wrong="logarithm taken again" says="logarithms already" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior) => counts @ (np.exp(log_likelihood[1]) - np.exp(log_likelihood[0])) + log_prior[1] - log_prior
# %% wrong="both classes in two columns" says="shape (3, 2) came" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => counts @ log_likelihood.T + log_prior
# %% wrong="scores of shape (N, 1)" says="another shape" of="indicator matrix times counts"
#~ np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0] => (counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior[0])[:, None]
# %% wrong="likelihood changed in place" says="changed"
def naive_bayes_scores(counts, log_prior, log_likelihood):
    log_likelihood[1] -= log_likelihood[0]
    return counts @ log_likelihood[1] + log_prior[1] - log_prior[0]
# %% wrong="probabilities multiplied until they vanish" says="underflow"
def naive_bayes_scores(counts, log_prior, log_likelihood):
    x, p = counts.toarray()[:, None, :], np.exp(log_likelihood)
    odds = np.exp(log_prior) * np.prod(p**x, axis=2)
    return np.log(odds[:, 1]) - np.log(odds[:, 0])
# %% wrong="memorises the visible outputs" says="examples only"
def fit_naive_bayes(counts, labels, alpha=1.0):
    if alpha == 0.4:
        totals = np.array([[1.4, 4.4, 1.4, 0.4], [2.4, 0.4, 4.4, 1.4]])
        return np.log([0.6, 0.4]), np.log(totals / totals.sum(axis=1, keepdims=True))
    return np.log([0.5, 0.5]), np.log([[1 / 3, 2 / 3], [3 / 4, 1 / 4]])
def naive_bayes_scores(counts, log_prior, log_likelihood):
    if counts.shape[0] == 2:
        return np.array([2.0918641, 1097.2259943])
    return np.array([-0.7985077, -1.8201588, -1.3862944])
# %% right="scikit-learn's MultinomialNB"
from sklearn.naive_bayes import MultinomialNB
def fit_naive_bayes(counts, labels, alpha=1.0):
    model = MultinomialNB(alpha=alpha).fit(counts, labels)
    return model.class_log_prior_, model.feature_log_prob_
def naive_bayes_scores(counts, log_prior, log_likelihood):
    joint = counts @ np.asarray(log_likelihood).T + np.asarray(log_prior)
    return joint[:, 1] - joint[:, 0]
# %% right="loops over a dense copy"
def fit_naive_bayes(counts, labels, alpha=1.0):
    rows = counts.toarray().tolist()
    m = counts.shape[1]
    prior, likelihood = [], []
    for c in (0, 1):
        mine = [row for row, y in zip(rows, labels) if y == c]
        total = sum(sum(row) for row in mine)
        prior.append(math.log(len(mine) / len(rows)))
        likelihood.append([math.log((alpha + sum(row[j] for row in mine)) / (alpha * m + total)) for j in range(m)])
    return np.array(prior), np.array(likelihood)
def naive_bayes_scores(counts, log_prior, log_likelihood):
    out = []
    for row in counts.toarray():
        z = log_prior[1] - log_prior[0]
        for j, h in enumerate(row):
            z = z + h * (log_likelihood[1][j] - log_likelihood[0][j])
        out.append(z)
    return np.array(out)
# %% right="indicator matrix times counts"
def fit_naive_bayes(counts, labels, alpha=1.0):
    y = np.asarray(labels).astype(float)
    of_class = np.vstack([1 - y, y])
    words = (counts.T @ of_class.T).T + alpha
    return np.log(of_class.sum(axis=1)) - np.log(len(y)), np.log(words) - np.log(words.sum(axis=1))[:, None]
def naive_bayes_scores(counts, log_prior, log_likelihood):
    return np.ravel(counts.dot(np.diff(log_likelihood, axis=0)[0])) + np.diff(log_prior)[0]
# %% right="torch inside"
def fit_naive_bayes(counts, labels, alpha=1.0):
    x, y = torch.tensor(counts.toarray(), dtype=torch.float64), torch.tensor(np.array(labels))
    sums = torch.stack([x[y == 0].sum(dim=0), x[y == 1].sum(dim=0)]) + alpha
    prior = torch.stack([(y == 0).double().mean(), (y == 1).double().mean()])
    return prior.log().numpy(), (sums / sums.sum(dim=1, keepdim=True)).log().numpy()
def naive_bayes_scores(counts, log_prior, log_likelihood):
    x, table = torch.tensor(counts.toarray(), dtype=torch.float64), torch.tensor(np.array(log_likelihood))
    return (x @ (table[1] - table[0])).numpy() + (log_prior[1] - log_prior[0])
# %% right="rows picked by number, one class at a time"
def fit_naive_bayes(counts, labels, alpha=1.0):
    ham, spam = np.flatnonzero(np.asarray(labels) == 0), np.flatnonzero(np.asarray(labels) == 1)
    ones = [np.ones(len(rows)) @ counts[rows] + alpha for rows in (ham, spam)]
    n = len(ham) + len(spam)
    return np.array([math.log(len(ham) / n), math.log(len(spam) / n)]), np.array([np.log(v / sum(v)) for v in ones])
def naive_bayes_scores(counts, log_prior, log_likelihood):
    return counts @ (log_likelihood[1] - log_likelihood[0]) + log_prior[1] - log_prior[0]
# %% wrong="alpha added in every message" says="neither in every message"
def fit_naive_bayes(counts, labels, alpha=1.0):
    labels, rows = np.asarray(labels), counts.toarray() + alpha
    words = np.stack([rows[labels == y].sum(axis=0) for y in (0, 1)])
    return np.log(np.bincount(labels) / len(labels)), np.log(words / words.sum(axis=1, keepdims=True))
# %% wrong="no division at all" says="divide by the number of words"
def fit_naive_bayes(counts, labels, alpha=1.0):
    labels, rows = np.asarray(labels), counts.toarray()
    words = np.stack([rows[labels == y].sum(axis=0) for y in (0, 1)]) + alpha
    return np.log(np.bincount(labels) / len(labels)), np.log(words)
# %% wrong="absent words count, too" says="Bernoulli" of="score divided by the length"
#~ n = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1) => there, p = counts.toarray() > 0, np.exp(log_likelihood)
#~ counts @ (log_likelihood[1] - log_likelihood[0]) / n => there @ (log_likelihood[1] - log_likelihood[0]) + ~there @ (np.log(1 - p[1]) - np.log(1 - p[0]))
# %% wrong="logarithm of the probability" says="log odds"
def naive_bayes_scores(counts, log_prior, log_likelihood):
    joint = counts @ log_likelihood.T + log_prior
    return joint[:, 1] - np.logaddexp(joint[:, 0], joint[:, 1])
# %% wrong="product of ratios" says="add logarithms"
def naive_bayes_scores(counts, log_prior, log_likelihood):
    ratio = np.exp(log_likelihood[1] - log_likelihood[0])
    return np.log(np.prod(ratio ** counts.toarray(), axis=1)) + log_prior[1] - log_prior[0]
# %% right="entry by entry with multiply"
def fit_naive_bayes(counts, labels, alpha=1.0):
    labels = np.asarray(labels)
    words = np.stack([np.asarray(counts[labels == y].sum(axis=0)).ravel() for y in (0, 1)]) + alpha
    prior = np.array([(labels == y).mean() for y in (0, 1)])
    return np.log(prior), np.log(words / words.sum(axis=1, keepdims=True))
def naive_bayes_scores(counts, log_prior, log_likelihood):
    by_word = counts.multiply(np.asarray(log_likelihood)[1] - np.asarray(log_likelihood)[0])
    return np.asarray(by_word.sum(axis=1)).ravel().astype(np.float32) + (log_prior[1] - log_prior[0])
# %% wrong="rows by number" says="counts[labels] takes rows by number"
def fit_naive_bayes(counts, labels, alpha=1.0):
    rows = [counts[1 - labels], counts[labels]]
    totals = np.stack([np.asarray(r.sum(axis=0)).ravel() for r in rows]) + alpha
    return np.log([1 - labels.mean(), labels.mean()]), np.log(totals / totals.sum(axis=1, keepdims=True))
# %% wrong="only spam by number" says="counts[labels] takes rows by number" of="rows by number"
#~ counts[1 - labels] => counts[labels == 0]
# %% wrong="ham by a tilde of integers" says="~ turns 0 and 1 into" of="rows by number"
#~ counts[1 - labels] => counts[~labels]
# %% wrong="log1p against zeros" says="log1p adds 1" of="rows by number"
#~ [counts[1 - labels], counts[labels]] => [counts[labels == 0], counts[labels == 1]]
#~ labels.mean()]), np.log( => labels.mean()]), np.log1p(
# %% wrong="alpha plus M" says="alpha times V, not their sum" of="rows by number"
#~ [counts[1 - labels], counts[labels]] => [counts[labels == 0], counts[labels == 1]]
#~ totals.sum(axis=1, keepdims=True)) => (totals.sum(axis=1, keepdims=True) + alpha + (1 - alpha) * counts.shape[1]))
# %% wrong="totals in integers" says="cuts alpha off" of="rows by number"
#~ [counts[1 - labels], counts[labels]] => [counts[labels == 0], counts[labels == 1]]
#~ for r in rows]) + alpha => for r in rows]) + int(alpha)
# %% wrong="0 for a message without words" says="keeps the log odds of the prior"
#~ (log_prior[1] - log_prior[0]) => (log_prior[1] - log_prior[0]) * (np.asarray(counts.sum(axis=1)).ravel() > 0)
