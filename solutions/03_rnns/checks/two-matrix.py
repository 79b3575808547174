from helpers.checks import difference, graded


@graded("two-matrix", points=6)
def score(check):
    import numpy as np

    overflow = "an exponential overflowed: subtract the largest score first"

    ### BEGIN MISTAKES
    from scipy.special import log_softmax, softmax

    exchanged = "V and U are exchanged: V holds the previous word, U the next"
    one_matrix = "both vectors were taken from V: the next word has its vector in U"
    cosine = "the dot product was divided by the lengths: the score is the plain dot product"
    cut = "the scores were clipped: subtract the largest, and none overflows"
    not_below = "the first cumulative sum greater than r counts: here the draw was one word off"
    next_of = "both vectors were taken from U: the previous word has its vector in V"
    turned = "the sign of the scores is turned round"

    def shifted(V, U, i):
        return softmax(np.asarray(U) @ np.asarray(V)[i])

    def unit(A):
        return A / np.linalg.norm(A, axis=1, keepdims=True)

    known = {
        exchanged: lambda V, U, i: shifted(U, V, i),
        one_matrix: lambda V, U, i: shifted(V, V, i),
        next_of: lambda V, U, i: shifted(U, U, i),
        turned: lambda V, U, i: shifted(-V, U, i),
        "the distribution after one word is asked, word i: here every row of V was taken":
            lambda V, U, i: softmax(V @ U.T, axis=1),
        "exponentials divided by their length, the root of the sum of squares: divide by their sum":
            lambda V, U, i: softmax(U @ V[i]) / np.linalg.norm(softmax(U @ V[i])),
        "a column of V was taken: the vector of word i is row i": lambda V, U, i: softmax(U @ V.T[i]),
        overflow: lambda V, U, i: np.exp(U @ V[i]) / np.exp(U @ V[i]).sum(),
        "an exponential overflowed: subtract the largest score, not the mean":
            lambda V, U, i: np.exp(U @ V[i] - (U @ V[i]).mean()) / np.exp(U @ V[i] - (U @ V[i]).mean()).sum(),
        cut: lambda V, U, i: softmax(np.clip(U @ V[i], -500, 500)),
        cut + " upwards": lambda V, U, i: softmax(np.clip(U @ V[i], -700, 700)),
        cosine: lambda V, U, i: shifted(unit(V), unit(U), i),
        "the scores were divided by the root of M: the plain dot product is asked":
            lambda V, U, i: shifted(V / np.sqrt(V.shape[1]), U, i),
        "exponentials divided by the largest, not by their sum": lambda V, U, i: np.exp(U @ V[i] - (U @ V[i]).max()),
        "a logarithm is too many: probabilities are asked": lambda V, U, i: log_softmax(U @ V[i]),
        "the scores were divided by their sum: a softmax takes exponentials first":
            lambda V, U, i: U @ V[i] / (U @ V[i]).sum(),
        "a sigmoid of each score: a softmax is taken over all words together":
            lambda V, U, i: 1 / (1 + np.exp(-(U @ V[i]))),
        "the softmax was taken over the whole table of pairs: only the row of word i counts":
            lambda V, U, i: softmax(V @ U.T)[i],
        "the largest score of the whole table was subtracted: subtract the largest of the scores after word i":
            lambda V, U, i: (lambda e: e[i] / e[i].sum())(np.exp(V @ U.T - (V @ U.T).max())),
        "the softmax was taken over the previous words: it is over the next ones":
            lambda V, U, i: softmax(V @ U.T, axis=0)[i],
        "the softmax of a distance: the score is the dot product":
            lambda V, U, i: softmax(-np.linalg.norm(U - V[i], axis=1)),
    }
    check.mistakes({
        "these are the scores: a softmax makes them probabilities": lambda V, U, i: U @ V[i],
    } | known, next_probabilities)

    def pairs(V, U, a, b):
        return np.array([-log_softmax(U @ V[i])[j] for i, j in zip(a, b, strict=True)])

    check.mistakes({
        exchanged: lambda V, U, w: pairs(U, V, w[:-1], w[1:]).mean(),
        one_matrix: lambda V, U, w: pairs(V, V, w[:-1], w[1:]).mean(),
        cosine: lambda V, U, w: pairs(unit(V), unit(U), w[:-1], w[1:]).mean(),
        "a text of T words has T - 1 pairs: divide by their number":
            lambda V, U, w: pairs(V, U, w[:-1], w[1:]).sum() / len(w),
        "this is the sum over the pairs: take the mean": lambda V, U, w: pairs(V, U, w[:-1], w[1:]).sum(),
        "this is -ln p(word | the same word): pair each word with the one after it":
            lambda V, U, w: pairs(V, U, w, w).mean(),
        turned: lambda V, U, w: pairs(-V, U, w[:-1], w[1:]).mean(),
        "this is -ln p(word | the same word): pair each word but the last with the one after it":
            lambda V, U, w: pairs(V, U, w[:-1], w[:-1]).mean(),
        next_of: lambda V, U, w: pairs(U, U, w[:-1], w[1:]).mean(),
        "every other pair is missing: the pairs overlap": lambda V, U, w: pairs(V, U, w[:-1:2], w[1::2]).mean(),
        "the pairs are turned round: this predicts the previous word":
            lambda V, U, w: pairs(V, U, w[1:], w[:-1]).mean(),
        "the sign is missing: the logarithm of a probability is below 0":
            lambda V, U, w: -pairs(V, U, w[:-1], w[1:]).mean(),
        "these are bits: take the natural logarithm": lambda V, U, w: pairs(V, U, w[:-1], w[1:]).mean() / np.log(2),
        "this is the perplexity: leave the exponential out": lambda V, U, w: np.exp(pairs(V, U, w[:-1], w[1:]).mean()),
        "the mean of the probabilities came before the logarithm":
            lambda V, U, w: -np.log(np.exp(-pairs(V, U, w[:-1], w[1:])).mean()),
        "the last word was paired with the first: the text does not go round":
            lambda V, U, w: pairs(V, U, w, [*w[1:], w[0]]).mean(),
        "each pair counts as often as it occurs":
            lambda V, U, w: pairs(V, U, *zip(*sorted(set(zip(w, w[1:], strict=False))), strict=True)).mean(),
        "only words that follow one another are pairs: here each word met all":
            lambda V, U, w: pairs(V, U, np.repeat(w, len(w)), np.tile(w, len(w))).mean(),
        "the last pair is missing": lambda V, U, w: pairs(V, U, w[:-2], w[1:-1]).mean(),
    }, mean_nll)

    def draw(V, U, start, uniforms, pick, follow=True):
        ids = [start]
        for r in uniforms:
            ids.append(int(pick(softmax(U @ V[ids[-1] if follow else start]), r)))
        return ids

    def inverse(p, r):
        return min(int((np.cumsum(p) <= r).sum()), len(p) - 1)

    check.mistakes({
        "the likeliest word was taken: draw by r": lambda V, U, s, r: draw(V, U, s, r, lambda p, _: p.argmax()),
        "every word was drawn after `start`: the word just drawn is the next previous one":
            lambda V, U, s, r: draw(V, U, s, r, inverse, False),
        not_below: lambda V, U, s, r: draw(V, U, s, r, lambda p, x: max(inverse(p, x) - 1, 0)),
        not_below + ", too late": lambda V, U, s, r: draw(V, U, s, r, lambda p, x: min(inverse(p, x) + 1, len(p) - 1)),
        "`start` came twice: the list begins with it once": lambda V, U, s, r: [s, *draw(V, U, s, r, inverse)],
        "the place among the sorted words came back: keep the order of the words":
            lambda V, U, s, r: draw(V, U, s, r, lambda p, x: inverse(np.sort(p)[::-1], x)),
        exchanged: lambda V, U, s, r: draw(U, V, s, r, inverse),
        "the words were sorted by probability before r was looked up: keep their order":
            lambda V, U, s, r: draw(V, U, s, r, lambda p, x: np.argsort(-p)[inverse(np.sort(p)[::-1], x)]),
        "the list begins with `start`": lambda V, U, s, r: draw(V, U, s, r, inverse)[1:],
        "one word for each number of uniforms is asked: the last is missing":
            lambda V, U, s, r: draw(V, U, s, r[:-1], inverse),
        "one word for each number of uniforms is asked: the first was not used":
            lambda V, U, s, r: draw(V, U, s, r[1:], inverse),
        "one word for each number of uniforms is asked: the return stands inside the loop":
            lambda V, U, s, r: draw(V, U, s, r[:1], inverse),
        "each word is drawn by a number of its own: here one number served for all":
            lambda V, U, s, r: draw(V, U, s, [r[0]] * len(r), inverse),
        turned: lambda V, U, s, r: draw(-V, U, s, r, inverse),
        one_matrix: lambda V, U, s, r: draw(V, V, s, r, inverse),
        next_of: lambda V, U, s, r: draw(U, U, s, r, inverse),
        "1 - r was used: the first cumulative sum greater than r counts":
            lambda V, U, s, r: draw(V, U, s, r, lambda p, x: inverse(p, 1 - x)),
        "the first word whose own probability is greater than r was taken: use cumulative sums":
            lambda V, U, s, r: draw(V, U, s, r, lambda p, x: np.argmax(p > x)),
        "the word whose cumulative probability is nearest to r was taken: the first greater one counts":
            lambda V, U, s, r: draw(V, U, s, r, lambda p, x: np.abs(np.cumsum(p) - x).argmin()),
    }, generate)
    ### END MISTAKES
    V = np.array([[0.884, 0.196], [0.358, -2.343], [-1.085, 0.560], [0.939, -0.978],
                  [0.503, 0.406], [0.323, -0.493], [-0.792, -0.842], [-1.280, 0.246]])
    U = np.array([[-0.044, 1.568], [1.051, 0.406], [-0.169, -3.190], [1.120, 1.333],
                  [-0.243, -0.130], [-0.109, 1.556], [0.129, -2.067], [-0.885, -1.105]])
    words = ["!", ".", "ate", "cat", "dog", "ran", "the", "zoo"]
    text = "the dog ran . the dog ate . the dog ran the zoo . the cat ate the dog ! the cat ran the zoo .".split()
    ids = [words.index(w) for w in text]
    after_the = [0.0094, 0.0105, 0.5706, 0.0046, 0.0460, 0.0100, 0.1751, 0.1739]
    check(next_probabilities, V, U, 6).equals(after_the, about="random vectors, after 'the'", atol=6e-5, rtol=0)
    check(
        next_probabilities, np.array([[1000.0, 0], [0, 3], [1, 1]]), np.array([[0.711, 2], [0.71, 5], [0.6995, 1]]), 0
    ).equals(
        [0.731053, 0.268939, 7.4e-6], about="scores of seven hundred", rtol=1e-4,
        near={overflow + " (here NaN became a number)": [0.0, 0.0, 0.0]}
    )
    check(mean_nll, V, U, ids).equals(2.8255, about="random vectors, the small corpus", rtol=2e-5)
    unlikely = {}
    for least in (1e-8, 1e-9, 1e-10, 1e-12):
        unlikely[f"a probability was raised to {least:g} before its logarithm"] = -np.log(least)
    check(mean_nll, np.array([[30.0], [-30.0]]), np.array([[1.0], [-1.0]]), [0, 1, 0]).equals(
        60.0, about="p is e to the -60", rtol=1e-4, near=unlikely
    )
    two, ten = np.zeros((2, 1)), np.zeros((10, 1))  # words that are equally likely
    check(generate, two, two, 0, [0.5, 0.25]).equals(
        [0, 1, 0], about="r is a sum", near={"a cumulative sum equal to r is not greater than r": [0, 0, 0]}
    )
    beyond = "rounding left no word, and one beyond the last came: take the last"
    check(generate, ten, ten, 0, [0.9999999999999999]).equals(
        [0, 9], about="r is the rounded sum of all", edge=True, near={
            beyond: [0, 10], "rounding left no word, and the first came: take the last": [0, 0],
            f"{beyond} one": IndexError,
        },
    )
    check(generate, V, U, 6, [0.4, 0.6, 0.05, 0.6]).equals([6, 2, 5, 1, 2], about="drawing with random vectors")
    ### BEGIN HIDDEN TESTS
    equal = "a cumulative sum equal to r is not greater than r: take the next word"

    check.hidden()

    narrow = "float64 was rounded to float32 on the way"

    def exact(value, about):
        """Judge by all sixteen digits of float64."""
        return {"test": lambda v: difference(v, value, 1e-10, 1e-12) is None, "says": "float64 in, float64 out",
            "about": about, "edge": True, "near": {narrow: lambda v: difference(v, value, 1e-4, 1e-5) is None}}

    for W, M, scale in ((5, 3, 1), (9, 2, 1), (4, 4, 1), (3, 7, 1), (3, 7, 50), (3, 7, 0.02), (80, 2, 1), (4, 1, 1)):
        V, U = check.rng.normal(size=(W, M)) * scale, check.rng.normal(size=(W, M)) / scale
        i = int(check.rng.integers(W)) if W < 70 else 77
        expected = 1 / np.exp((U - U[:, None]) @ V[i]).sum(axis=1)
        about = "random vectors"
        if M == 1:
            about = "one number a word"
        if W > 70:
            about = "many words"
        check(next_probabilities, V, U, i).equals(expected, about=about, edge=M == 1)
    V, U = check.rng.normal(size=(5, 3)), check.rng.normal(size=(5, 3))
    check(next_probabilities, V, U, 3).holds(**exact(shifted(V, U, 3), "float64"))
    for scale in (40, -40):
        V, U = check.rng.normal(size=(6, 3)) * 30, check.rng.normal(size=(6, 3)) * scale
        check(next_probabilities, V, U, 2).equals(np.exp(log_softmax(U @ V[2])), about="large scores", atol=1e-12)
    check(next_probabilities, np.ones((1, 2)), np.ones((1, 2)), 0).equals([1.0], about="one word", edge=True)
    for W, M, T, scale in ((5, 3, 12, 1), (8, 2, 30, 1), (4, 6, 9, 60), (4, 6, 9, 0.02), (90, 3, 70, 1), (4, 1, 9, 1)):
        V, U = check.rng.normal(size=(W, M)) * scale, check.rng.normal(size=(W, M)) / scale
        w = [int(i) for i in check.rng.integers(W, size=T)]
        table = V @ U.T - np.log(np.exp(V @ U.T).sum(axis=1, keepdims=True))
        counts = np.zeros((W, W))
        np.add.at(counts, (w[:-1], w[1:]), 1)
        about = "a random text"
        if M == 1:
            about = "a text of one number a word"
        if W > 70:
            about = "a text of many words"
        check(mean_nll, V, U, w).equals(-(counts * table).sum() / counts.sum(), about=about, edge=M == 1)
    V, U, w = check.rng.normal(size=(5, 3)), check.rng.normal(size=(5, 3)), [0, 3, 1, 4, 4, 2, 0, 1]
    nats = pairs(V, U, w[:-1], w[1:])
    raised = {f"{least:g} was added to each probability before its logarithm": -np.log(np.exp(-nats) + least).mean()
        for least in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10)}
    case = exact(nats.mean(), "a text in float64")
    is_near = case["near"][narrow]

    def rounded_not_raised(v):
        return is_near(v) and all(abs(v - one) > 1e-12 for one in raised.values())

    case["near"] = {narrow: rounded_not_raised}
    case["near"] |= {words: lambda v, one=one: abs(v - one) < 1e-12 for words, one in raised.items()}
    check(mean_nll, V, U, w).holds(**case)
    check(mean_nll, np.array([[30.0], [-30.0]]), np.array([[1.0], [-1.0]]), [0, 1, 1, 0, 0]).equals(30.0,
        about="words that are most unlikely", near={
        f"a small probability was raised to {least:g} before its logarithm": -np.log(least) / 2 for least in (
            1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16)})
    table = V @ U.T - np.log(np.exp(V @ U.T).sum(axis=1, keepdims=True))
    check(mean_nll, V, U, [0, 3]).equals(-table[0, 3], about="a text of two words", edge=True)
    for W, M, start, scale in ((6, 3, 5, 1), (9, 2, 0, 1), (9, 2, 8, 1), (12, 5, 1, 50), (12, 5, 0, 0.02),
            (90, 3, 88, 1), (7, 1, 3, 1)):
        V, U = check.rng.normal(size=(W, M)) * scale, check.rng.normal(size=(W, M)) / scale
        r, expected = check.rng.uniform(size=8), [start]
        for x in r:
            total, j = 0.0, -1
            while total <= x and j < W - 1:
                j += 1
                total += 1 / np.exp((U - U[j]) @ V[expected[-1]]).sum()
            expected.append(j)
        about = "random vectors and numbers"
        if M == 1:
            about = "drawing with one number a word"
        if W > 70:
            about = "drawing from many words"
        check(generate, V, U, start, [float(x) for x in r]).equals(expected, edge=M == 1, about=about)
    V, U = check.rng.normal(size=(8, 3)), check.rng.normal(size=(8, 3))
    total = np.cumsum(np.exp(log_softmax(U @ V[4])))[:7]
    for j in (1, 3, 4):
        for off in (-1e-11, 1e-11):
            check(generate, V, U, 4, [float(total[j] + off)]).equals([4, j + (off > 0)], edge=True,
                about="r next to a cumulative sum")
    never = np.array([[-900.0], [1.0], [-900.0]])  # exp(-901) is 0
    check(generate, np.ones((3, 1)), never, 0, [1e-307, 0.0, 0.4, 0.9]).equals([0, 1, 1, 1, 1], edge=True,
        about="words of probability 0", near={equal: [0, 1, 0, 1, 1], cut: [0, 0, 0, 1, 1]})
    zeros = np.zeros((4, 2))
    check(generate, zeros, zeros, 3, [0.25, 0.0, 0.5]).equals([3, 1, 0, 2], about="r equal to a cumulative sum",
        near={equal: [3, 0, 0, 1]})
    check(generate, zeros, zeros, 2, []).equals([2], about="nothing to draw", edge=True)
    ten = np.zeros((10, 2))  # ten times 0.1 is added up to 1 - 2 ** -53
    last = "if rounding leaves no sum greater than r, the last word is drawn"
    check(generate, ten, ten, 3, [0.55, 1 - 2**-53]).equals([3, 5, 9], about="a sum rounded to less than 1", edge=True,
        near={f"{last}: here a number beyond it": [3, 5, 10], f"{last}: here the first": [3, 5, 0],
        f"{last}: here an error": LookupError})
    ### END HIDDEN TESTS


score
