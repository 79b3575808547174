from helpers.checks import graded


@graded("inverted", points=7)
def score(check):
    import numpy as np

    plain_idf = "the IDF is log(1 + (N - n + 0.5) / (n + 0.5))"
    no_idf = "the IDF is missing"
    no_top = "the factor (k1 + 1) is missing"
    no_length = "the length of the document does not enter: b is ignored"
    from_one = "documents are numbered from 0"
    log2 = "the logarithm is the natural one, not that of base 2"
    different = "the lengths are those of the documents with repeats, not their different words"
    those = "the mean length is that of all documents, not of those with the word alone"
    occurrences = "n is the number of documents with the word, not how often it stands in all"
    averaged = "the weights of the query's words are added, and not divided by how many words it has"
    outside = "k1 multiplies all of 1 - b + b * |d| / avgdl"
    unweighted = "b multiplies |d| / avgdl"
    factor = "TF is added to k1 * (1 - b + b * |d| / avgdl), not to k1 alone"
    exchanged = "b goes with the length and 1 - b with the 1, not the reverse"
    subtracted = "b * |d| / avgdl is added to 1 - b, not subtracted"
    below = "below the line stands k1, not k1 + 1"
    above = "above the line stands TF * (k1 + 1), not TF * k1 + 1"
    plus = "TF is multiplied by k1 + 1, which is not added to it"
    upside = "the length of the document is divided by the mean length, not the reverse"
    absolute = "the length of the document counts in shares of the mean length, not in words"
    one_apart = "the 1 stands inside the logarithm of the IDF"
    brackets = "in the IDF, (N - n + 0.5) is divided by (n + 0.5): mind the brackets"
    whole = "the IDF here is log(1 + N / n); Lucene's is asked"
    repeats = "the length of a document counts repeats, as the mean length does"

    def dtype_of_scores(index, query, num_documents):
        return np.asarray(bm25_scores(index, query, num_documents)).dtype.name

    def postings(documents, word, *options):
        numbers, weights = build_index(documents, *options)[word]
        return np.asarray(numbers), np.asarray(weights)
    ### BEGIN MISTAKES
    by_number = "the largest score comes first"
    zeros = "scores of 0 and below are left out"
    these = "these number the scores above 0: the numbers of the documents are asked"
    ties = "equal scores: the lower number first"
    import math

    def weight(documents, word, k1=1.2, b=0.75, idf=None, top=True, tf=lambda d, w: d.count(w), mean=None,
               size=len, over=lambda f, k1: f * (k1 + 1), under=lambda f, k1, b, r: f + k1 * (1 - b + b * r)):
        average = mean(documents) if mean else sum(map(size, documents)) / len(documents)
        n = sum(word in d for d in documents)
        value = idf(len(documents), n) if idf else math.log(len(documents) + 1) - math.log(n + 0.5)
        found = {}
        for i, d in enumerate(documents):
            if word in d:
                f = tf(d, word)
                found[i] = value * (over(f, k1) if top else f) / under(f, k1, b, size(d) / average)
        return found

    def pair(found):
        return np.array(sorted(found)), np.array([found[i] for i in sorted(found)])

    def made(**odd):
        def function(documents, word, k1=1.2, b=0.75):
            return pair(weight(documents, word, **({"k1": k1, "b": b} | odd)))

        return function

    def by_occurrences(documents, word, k1=1.2, b=0.75):
        number = sum(document.count(word) for document in documents)

        def idf(N, n):
            return math.log(max(1e-9, 1 + (N - number + 0.5) / (number + 0.5)))

        return pair(weight(documents, word, k1, b, idf=idf))

    def mean_of_those(documents, word, k1=1.2, b=0.75):
        lengths = [len(document) for document in documents if word in document]
        return pair(weight(documents, word, k1, b, mean=lambda ds: sum(lengths) / len(lengths)))

    def filled(documents, found):
        """What was found among those that are not empty, by the numbers of all."""
        those = [i for i, words in enumerate(documents) if words]
        return np.array([those[i] for i in found[0]]), found[1]

    weighed = {
        plain_idf: made(idf=lambda N, n: math.log((N - n + 0.5) / (n + 0.5))),
        "the IDF here is log(N / n); Lucene's is asked": made(idf=lambda N, n: math.log(N / n)),
        "the logarithm is the natural one, not that of base 10": made(
            idf=lambda N, n: math.log10(1 + (N - n + 0.5) / (n + 0.5))
        ),
        log2: made(
            idf=lambda N, n: math.log2(1 + (N - n + 0.5) / (n + 0.5))
        ),
        occurrences: by_occurrences,
        no_idf: made(idf=lambda N, n: 1.0), no_top: made(top=False), no_length: made(b=0),
        "k1 and b are fixed: take the arguments": lambda d, w, k1=1.2, b=0.75: made()(d, w),
        "b is fixed: take the argument": lambda d, w, k1=1.2, b=0.75: made()(d, w, k1),
        "k1 is fixed: take the argument": lambda d, w, k1=1.2, b=0.75: made()(d, w, 1.2, b),
        "TF is the count in the document, not 1": made(tf=lambda d, w: 1),
        "TF is the count, not divided by the length": made(tf=lambda d, w: d.count(w) / len(d)),
        "empty documents count in the mean length, too": made(
            mean=lambda ds: sum(map(len, ds)) / sum(bool(d) for d in ds)
        ),
        "an empty document counts, too: in N and in the mean length":
            lambda d, w, *options: filled(d, made()([words for words in d if words], w, *options)),
        different: made(size=lambda d: len(set(d))), those: mean_of_those,
        repeats: made(size=lambda d: len(set(d)), mean=lambda ds: sum(map(len, ds)) / len(ds)),
        "the mean length counts repeats, too": made(mean=lambda ds: sum(len(set(d)) for d in ds) / len(ds)),
        outside: made(under=lambda f, k1, b, r: f + k1 * (1 - b) + b * r),
        unweighted: made(under=lambda f, k1, b, r: f + k1 * (1 - b + r)),
        factor: made(under=lambda f, k1, b, r: (f + k1) * (1 - b + b * r)),
        exchanged: made(under=lambda f, k1, b, r: f + k1 * (b + (1 - b) * r)),
        subtracted: made(under=lambda f, k1, b, r: f + k1 * (1 - b - b * r)),
        subtracted + ", and 1 - b stays": made(under=lambda f, k1, b, r: f + k1 * (1 - b * r)),
        below: made(under=lambda f, k1, b, r: f + (k1 + 1) * (1 - b + b * r)),
        above: made(over=lambda f, k1: f * k1 + 1), plus: made(over=lambda f, k1: f + k1 + 1),
        upside: made(under=lambda f, k1, b, r: f + k1 * (1 - b + b / r)),
        absolute: made(mean=lambda ds: 1),
        one_apart: made(idf=lambda N, n: 1 + math.log((N - n + 0.5) / (n + 0.5))),
        whole: made(idf=lambda N, n: math.log(1 + N / n)),
        brackets: made(idf=lambda N, n: math.log(1 + (N - n) / n + 0.5)),
        brackets + " above": made(idf=lambda N, n: math.log(1 + N - n + 0.5 / (n + 0.5))),
        brackets + " below": made(idf=lambda N, n: math.log(1 + (N - n + 0.5) / n + 0.5)),
        from_one: lambda d, w, k1=1.2, b=0.75: (lambda a, v: (a + 1, v))(*made()(d, w, k1, b)),
    }
    check.mistakes(weighed, postings)

    def add(seen=lambda q: q):
        def function(index, query, n):
            scores = np.zeros(n)
            for w in seen(query):
                if w in index:
                    np.add.at(scores, index[w][0], index[w][1])
            return scores

        return function

    check.mistakes({
        "a word that stands twice in the query counts twice": add(lambda q: list(dict.fromkeys(q))),
        averaged: lambda i, q, n: add()(i, q, n) / max(len(q), 1),
        "only the last word counts: add up": add(lambda q: [w for w in q if w.startswith("w")][-1:]),
        "every document with a word gets 1: add the weights": lambda i, q, n: add()(
            {w: (a, np.ones_like(v)) for w, (a, v) in i.items()}, q, n
        ),
    }, bm25_scores, dtype_of_scores)
    border = "among equal scores the lower numbers are kept, at the cut after the k-th as well"
    picked = {
        by_number: lambda s, k: sorted(best_of(s)[:k]),
        "the smallest scores came: the largest first": lambda s, k: [
            int(i) for i in np.argsort(s, kind="stable") if s[i] > 0
        ][:k],
        zeros: lambda s, k: np.lexsort((np.arange(len(s)), -s))[:k].tolist(),
        "scores below 0 are left out, too": lambda s, k: [
            int(i) for i in np.lexsort((np.arange(len(s)), -s)) if s[i] != 0
        ][:k],
        ties: lambda s, k: np.lexsort((-np.arange(len(s)), -s))[: int((s > 0).sum())][:k].tolist(),
        "k is ignored": lambda s, k: best_of(s),
        "k is off by one: one too many": lambda s, k: best_of(s)[: k + 1],
        border: lambda s, k: sorted(
            (int(i) for i in partition(np.flatnonzero(s > 0), s, k)), key=lambda i: (-s[i], i)),
        these: lambda s, k: [int(i) for i in np.argsort(-s[s > 0], kind="stable")][:k],
        "the scores came back: their numbers are asked": lambda s, k: s[best_of(s)][:k].tolist(),
    }
    check.mistakes(picked, best)

    def partition(numbers, s, k):
        return numbers[np.argpartition(s[numbers], -k)[-k:]] if len(numbers) > k else numbers

    def best_of(s):
        return [i for i in sorted(range(len(s)), key=lambda i: (-s[i], i)) if s[i] > 0]
    ### END MISTAKES
    documents = [["a", "b", "a"], ["b"], ["b", "c"]]

    def index_of_c(documents):
        return build_index(documents)["c"]

    def index_of_a(documents):
        return build_index(documents)["a"]

    check(index_of_c, documents).equals(([2], [0.980829]), rtol=1e-5, near={
        plain_idf: ([2], [0.510826]), from_one: ([3], [0.980829]), no_top: ([2], [0.445831]), no_idf: ([2], [1.0]),
        log2: ([2], [1.415038]), different: ([2], [0.906649]),
        outside: ([2], [1.052597]), unweighted: ([2], [0.863130]), subtracted: ([2], [5.394561]),
        subtracted + ", and 1 - b stays": ([2], [1.659865]), below: ([2], [0.674320]), plus: ([2], [1.426661]),
        absolute: ([2], [0.696072]), one_apart: ([2], [1.510826]), whole: ([2], [1.386294]),
        brackets: ([2], [1.252763]), brackets + " above": ([2], [1.203973]), brackets + " below": ([2], [1.386294]),
    })
    check(index_of_a, documents).equals(([0], [1.182370]), rtol=1e-4, near={
        plain_idf: ([0], [0.615790]),
        no_length: ([0], [1.348640]), no_top: ([0], [0.537441]),
        "TF is the count in the document, not 1": ([0], [0.814273]), no_idf: ([0], [1.205479]),
        log2: ([0], [1.705801]), different: ([0], [1.276823]), those: ([0], [1.348640]),
        repeats: ([0], [1.348640]),
        upside: ([0], [1.488154]), outside: ([0], [1.260043]), unweighted: ([0], [1.052597]),
        factor: ([0], [0.980829]),
        exchanged: ([0], [1.288253]), subtracted: ([0], [4.542788]), below: ([0], [0.858836]), above: ([0], [0.913649]),
        subtracted + ", and 1 - b stays": ([0], [2.332783]), plus: ([0], [1.128625]), absolute: ([0], [0.863130]),
        one_apart: ([0], [1.821269]), whole: ([0], [1.671149]), brackets: ([0], [1.510181]),
        brackets + " above": ([0], [1.451365]), brackets + " below": ([0], [1.671149]),
        occurrences: ([0], [0.566580]),
    })
    four = [*documents, ["a", "c", "c", "d"]]
    check(postings, four, "a").equals(([0, 3], [0.902322, 0.556542]), rtol=1e-4, about="two documents with the word")
    first = "This This is is a sentence sentence another".split()
    second = "This is a a sentence sentence another not not Yet".split()

    def searched(documents, query):
        return bm25_scores(build_index(documents, 1.5), query, len(documents))

    def index_without_lengths(documents):
        return build_index(documents, 1.2, 0.0)["a"]

    def documents_of_b(documents):
        return list(build_index(documents)["b"][0])

    check(index_without_lengths, documents).equals(
        ([0], [1.348640]), rtol=1e-4, near={"b is fixed: take the argument": ([0], [1.182370])})
    check(documents_of_b, documents).equals(
        [0, 1, 2], near={"the numbers ascend": [2, 1, 0], "documents are numbered from 0": [1, 2, 3]})
    check(postings, [*documents, []], "a").equals(([0], [1.292069]), rtol=1e-4, about="an empty document", near={
        "empty documents count in N, too": ([0], [1.052597])})
    check(searched, [first, second], ["not", "sentence"]).equals([0.270104, 1.207476], rtol=1e-3, near={
        plain_idf: [-2.384352, -2.219914], "k1 and b are fixed: take the arguments": [0.258779, 1.167292],
        averaged: [0.135052, 0.603738],
        outside: [0.299707, 1.364367], unweighted: [0.245827, 1.083054], factor: [0.284137, 1.154464],
        exchanged: [0.263597, 1.235956], below: [0.212413, 0.929701], above: [0.216085, 0.966034],
        plus: [0.243095, 1.086789], upside: [0.250399, 1.292205], one_apart: [-0.902871, 0.538706],
        whole: [1.026885, 2.471392],
    })
    index = {"a": (np.array([0, 2]), np.array([1.0, 0.5])), "b": (np.array([1, 2]), np.array([0.25, 2.0]))}
    check(bm25_scores, index, ["b", "x", "a", "b"], 4).equals([1.0, 0.5, 4.5, 0.0], near={
        "a weight is added to the score, it does not replace it": [1.0, 0.25, 2.0, 0.0],
        "every one of the num_documents documents has a score": [1.0, 0.5, 4.5],
        "a word that is not in the index adds nothing": KeyError,
    })
    check(best, np.array([0.5, 2.0, 0.0, 0.5, 1.0, -1.0]), 6).equals([1, 4, 0, 3])
    check(best, np.array([0.5, 2.0, 0.5, 0.5, 1.0, 0.5]), 3).equals([1, 4, 0], about="equal scores at the border")
    scores = np.zeros(900)
    scores[[7, 70, 700]] = 2.0, 3.0, 1.0
    sorts_all = {"all N were sorted: few of them are above 0": lambda n: n >= 900}
    check(beside, "longest_sort", best, scores, 2).holds(
        lambda n: n < 900, "a sort of those above 0 alone", about="few above 0", near=sorts_all)
    check(best, np.array([0.0, 2.0, 0.0, 3.0]), 3).equals([3, 1])

    def dtype_of_weights(documents):
        return np.asarray(build_index(documents)["b"][1]).dtype.name

    wide_weights, wide_scores = {"the weights are float64": "float32"}, {"the scores are float64": "float32"}
    check(dtype_of_weights, documents).equals("float64", about="the kind of number", edge=True, near=wide_weights)
    check(dtype_of_scores, index, ["b"], 4).equals("float64", about="the kind of number", edge=True, near=wide_scores)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    vocabulary = [f"w{i}" for i in range(15)]
    for options, n in [((), 8), ((), 8), ((2.0, 0.3), 8), ((0.7, 0.9), 8), ((1.2, 0.4), 8), ((1.2, 0.0), 8),
                       ((1.2, 1.0), 8), ((0.0, 0.5), 8), ((), 100)]:
        documents = []
        for _ in range(n):
            length = int(check.rng.integers(0, 14))
            documents.append([str(word) for word in check.rng.choice(vocabulary, size=length)])
        documents += [[], ["w0", "w1", "w1"], ["w1"] * (1 if n < 64 else 300)]
        edge = 0.0 in options or 1.0 in options
        about = "the postings of a word" if n < 64 else "many documents"
        if edge:
            about = "k1 or b at the border"
        check(postings, documents, "w1", *options).equals(
            pair(weight(documents, "w1", *options)), about=about, edge=edge
        )
    documents = [["w1", "w2"], ["w2", "w2"], ["w3", "w2"]]
    for swapped in (documents, documents[::-1]):
        check(postings, swapped, "w1").equals(pair(weight(swapped, "w1")), about="the postings of a word")

    def as_shares(documents, word):
        """Whether the weights of a word are right, and whether their ratios are."""
        weights, right = (np.asarray(w, dtype=float) for w in (
            build_index(documents)[word][1], pair(weight(documents, word))[1]))
        return np.allclose(weights, right, 1e-4), np.allclose(weights / weights.sum(), right / right.sum(), 1e-4)

    check.mistakes({})
    uneven = [["w1", "w2"], ["w1"] * 3 + ["w2"], ["w2"], ["w1", "w1", "w3", "w4", "w5"], ["w3"], ["w4"], ["w5", "w4"]]
    check(as_shares, uneven, "w1").equals((True, True), about="the postings of a word", near={
        "the fraction is right, what it is multiplied with is not: the IDF, or k1 + 1": (False, True),
        "the fraction is not that of the formula: look at TF, k1, b, the lengths and the brackets": (False, False)})
    check.mistakes(weighed, postings)
    odd = [["", "A", "a"], ["a", "a", ""], ["b", "A", "A"]]
    for word in ("", "a", "A"):
        check(postings, odd, word).equals(pair(weight(odd, word)), about="words as they are", edge=True)
    check(lambda d: sorted(build_index(d)), [["of", "a"], [], ["to", "a", "of"], ["in"]]).equals(
        ["a", "in", "of", "to"], about="the words")
    check.mistakes({})
    check(dtype_of_weights, [["a", "b"], ["b"]]).equals(
        "float64", about="the kind of number", edge=True, near=wide_weights)
    check(lambda: len(build_index([]))).equals(0, about="no documents", edge=True)
    for _ in range(3):
        index = {}
        for w in vocabulary[:8]:
            numbers = np.sort(check.rng.permutation(9)[: int(check.rng.integers(1, 6))])
            index[w] = (numbers, check.rng.uniform(0.1, 3, size=len(numbers)))
        query = [str(w) for w in check.rng.choice(vocabulary[:10], size=6)] + ["w1", "w1", "w2"]
        check(bm25_scores, index, query, 9).equals(add()(index, query, 9), about="fresh postings")
    long = [str(w) for w in check.rng.choice(vocabulary[:10], size=150)]
    check(bm25_scores, index, long, 9).equals(add()(index, long, 9), about="a long query")
    wide = {w: (10 * numbers, weights) for w, (numbers, weights) in index.items()}
    check(bm25_scores, wide, query, 90).equals(add()(wide, query, 90), about="many documents")
    single = {"": (np.array([0]), np.array([2.0])), "A": (np.array([0]), np.array([0.5]))}
    check(bm25_scores, single, ["a", "", "A", ""], 1).equals([4.5], about="one document", edge=True)
    check(bm25_scores, index, [], 9).equals(np.zeros(9), about="an empty query", edge=True)
    check(dtype_of_scores, index, query, 9).equals("float64", about="the kind of number", edge=True, near=wide_scores)
    for n, k in [(30, 7), (30, 12), (12, 5), (30, 1), (300, 100)]:
        scores = check.rng.integers(-2, 6, size=n) / 2.0
        check(best, scores, k).equals(
            best_of(scores)[:k], about="one alone" if k == 1 else "scores with ties", edge=k == 1)

    def among_ties(scores, k):
        """Whether the scores are those of the best, the numbers are, and both are in order."""
        found, right = [int(i) for i in best(scores, k)], best_of(scores)[:k]
        found_scores = [scores[i] for i in found]
        right_scores = [scores[i] for i in right]
        return found_scores == right_scores, sorted(found) == sorted(right), found == right

    check.mistakes({})
    for n, k in [(30, 12), (60, 25)]:
        scores = check.rng.integers(0, 4, size=n) / 2.0
        check(among_ties, scores, k).equals((True, True, True), about="scores with ties", near={
            border: (True, False, False), ties: (True, True, False)})
    check.mistakes(picked, best)
    for n, k in [(996, 496), (400, 196)]:
        check(best, np.arange(n, 0.0, -1), k).equals(list(range(k)), about="many scores")
    for n, k in [(3000, 1200), (3000, 40)]:
        scores = check.rng.normal(size=n) * 100
        check(best, scores, k).equals(best_of(scores)[:k], about="many scores")
    scores = check.rng.permutation([3.5, 1.25, 0.0, 40.0, 2.0, -1.0, 31.0])
    for k in (4, 3, 5, 6):
        check(best, scores, k).equals(best_of(scores)[:k], about="as many scores as k, one more, one less")
    scores = 1 + 1e-10 * check.rng.permutation(8)
    check(best, scores, 5).equals(
        best_of(scores)[:5], about="scores that are nearly equal", edge=True)
    check(best, np.array([3e-12, -1e-12, 0.0, 5e-12]), 3).equals([3, 0], about="very small scores", edge=True)
    check(best, np.array([1.0, 2.0]), 0).equals([], about="no place for any", edge=True)
    check(best, np.array([0.5]), 3).equals([0], about="one score", edge=True)
    scores = np.zeros(3000)
    scores[check.rng.permutation(3000)[:40]] = check.rng.uniform(1, 2, size=40)
    check(beside, "longest_sort", best, scores, 12).holds(
        lambda n: n < 3000, "a sort of those above 0 alone", about="few scores above 0 are sorted", edge=True,
        near={"all N were sorted: few of them are above 0": lambda n: n >= 3000})
    scores = check.rng.normal(size=50)
    check(best, scores, 40).equals(best_of(scores)[:40], about="fewer scores above 0 than k")
    check(best, np.zeros(5), 3).equals([], about="nothing above 0", edge=True)
    check(best, np.array([]), 3).equals([], about="no scores", edge=True)
    ### END HIDDEN TESTS


score
