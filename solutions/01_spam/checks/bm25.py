from helpers.checks import graded


@graded("bm25", points=7)
def score(check):
    import numpy as np

    ### BEGIN MISTAKES
    from helpers.chapters.spam.together import one_by_one

    def count(query, documents):
        """Return how often each word of a query occurs in each document, shape (Q, N)."""
        rows = []
        for word in query:
            rows.append([list(tokens).count(word) for tokens in documents])
        return np.array(rows, dtype=float)

    class Search:
        """The numbers of one call: tf (Q, N), weights and known (Q, 1), size and ratio (N,)."""

        def __init__(self, query, documents, idf, k1, b):
            self.tf, self.weights = count(query, documents), np.array([[idf.get(word, 0.0)] for word in query])
            self.known = np.array([[word in idf] for word in query])
            self.size = np.array(list(map(len, documents)), dtype=float)
            self.k1, self.b, self.mean = k1, b, self.size.mean() or 1
            self.ratio = self.size / self.mean
            self.once = [i for i, word in enumerate(query) if word not in query[:i]]
            self.times = np.array([[query.count(word)] for word in query])
            self.right = self.gain()

        def gain(self, tf=None, weights=None, ratio=None, k1=None, b=None, top=None, below=None):
            """Return what each word adds to each document, (Q, N), with other numbers; below is the denominator."""
            tf, weights = self.tf if tf is None else tf, self.weights if weights is None else weights
            k1, b = self.k1 if k1 is None else k1, self.b if b is None else b
            ratio = self.ratio if ratio is None else ratio
            below = tf + k1 * (1 - b + b * ratio) if below is None else below
            return weights * tf * (k1 + 1 if top is None else top) / np.where(tf > 0, below, 1)

    def in_the_fraction(s):
        """Mistakes in the fraction."""
        tf, k1, b, ratio, right, weights = s.tf, s.k1, s.b, s.ratio, s.right, s.weights
        bracket, held = 1 - b + b * ratio, np.sign(tf) * s.known
        return {
            "the factor (k1 + 1) is missing": s.gain(top=1),
            "TF belongs in the numerator, too: it is missing there": right / np.where(tf, tf, 1),
            "the factor is (k1 + 1), not k1": s.gain(top=k1),
            "TF is multiplied by (k1 + 1), not added to it": right * (tf + k1 + 1) / np.where(tf, tf * (k1 + 1), 1),
            "TF is multiplied by (k1 + 1): added, a word that is missing counts, too":
                weights * (tf + k1 + 1) / (tf + k1 * bracket),
            "the length of the document is not used: that would be b = 0": s.gain(b=0),
            "the length ratio is upside down: it is |d| / avgdl": s.gain(ratio=s.mean / np.maximum(s.size, 1)),
            "1 - b and b have changed places": s.gain(b=1 - b),
            "|d| is divided by avgdl: that is missing": s.gain(ratio=s.size),
            "k1 multiplies the whole bracket, not 1 - b alone": s.gain(below=tf + k1 * (1 - b) + b * ratio),
            "k1 multiplies the bracket: that is missing": s.gain(below=tf + bracket),
            "TF stands before the bracket: it is not multiplied by the length": s.gain(below=(tf + k1) * bracket),
            "(k1 + 1) needs its brackets": held * (weights * tf * k1 + 1 / (tf + k1 * bracket)),
            "the denominator needs its brackets": held * (weights * (k1 + 1) + k1 * bracket),
            "the bracket after k1 is missing": s.gain(below=tf + k1 - b + b * ratio),
            "k1 and (k1 + 1) are exchanged: (k1 + 1) belongs in the numerator": s.gain(
                top=k1, below=tf + (k1 + 1) * bracket),
            "(k1 + 1) belongs in the numerator alone: below it is k1": s.gain(below=tf + (k1 + 1) * bracket),
            "the bracket is 1 - b + b |d| / avgdl: its two signs are exchanged": s.gain(
                below=tf + k1 * (1 + b - b * ratio)),
            "the bracket begins with 1 - b, not with 1 + b": s.gain(below=tf + k1 * (1 + b + b * ratio)),
            "nothing is added to the fraction": right + weights * np.sign(tf),
            "the length ratio is added, not subtracted": s.gain(ratio=-ratio),
            "1 - b is missing in the bracket": s.gain(below=tf + k1 * b * ratio),
            "the bracket begins with 1 - b, not with 1": s.gain(below=tf + k1 * (1 + b * ratio)),
            "TF belongs in the denominator, too: without it nothing saturates": s.gain(below=1 + k1 * bracket),
            "the denominator is missing": s.gain(below=1),
            "k1 and b are exchanged": s.gain(k1=b, b=k1),
            "k1 was ignored: 1.5 is only its default": s.gain(k1=1.5),
            "b was ignored: 0.75 is only its default": s.gain(b=0.75),
            "k1 and b were ignored: 1.5 and 0.75 are only their defaults": s.gain(k1=1.5, b=0.75),
            "the length is in the fraction already: do not divide by it again": right / np.maximum(s.size, 1),
        }

    def in_the_counts(s, query, documents, idf):
        """Mistakes in the raw counts, and in which words they count."""
        tf, size = s.tf, np.maximum(s.size, 1)
        pieces, starts = np.zeros_like(tf), np.zeros_like(tf)
        for i, word in enumerate(query):
            for j, tokens in enumerate(documents):
                pieces[i, j] = " ".join(tokens).count(word)
                starts[i, j] = sum(token.startswith(word) for token in tokens)
        found = {
            "TF is the raw count, not the share of the document": s.gain(tf=tf / size),
            "TF is the raw count: here a repeated word counts once": s.gain(tf=np.sign(tf)),
            "TF is the raw count, not log(1 + count)": s.gain(tf=np.log1p(tf)),
            "TF is the raw count, not 1 + log(count)": s.gain(tf=np.sign(tf) * (1 + np.log(np.maximum(tf, 1)))),
            "TF is the raw count, not its root": s.gain(tf=np.sqrt(tf)),
            "TF is the raw count, not divided by that of the commonest word": s.gain(
                tf=tf / [max(map(d.count, d), default=1) for d in documents]),
            "TF counts the word in the document, not in the query": s.gain(tf=np.sign(tf) * s.times),
            "whole words are counted, not pieces of words": s.gain(tf=pieces),
            "whole words are counted, not beginnings of words": s.gain(tf=starts),
        }
        low_query, low = list(map(str.lower, query)), [list(map(str.lower, tokens)) for tokens in documents]
        for name, q, d in (
            ("query and documents were", low_query, low), ("the query was", low_query, documents),
            ("the documents were", query, low),
        ):
            weights = np.array([[idf.get(word, 0.0)] for word in q])
            found[f"words are compared as they are: here {name} lowered"] = s.gain(tf=count(q, d), weights=weights)
        return found

    def in_the_lengths(s, documents, idf):
        """Mistakes in |d| and avgdl."""
        size, mean = s.size, s.mean
        matching, different = size[(s.tf > 0).any(axis=0)], list(map(len, set(map(tuple, documents))))
        found = {
            "|d| is the length of the document, not of the query": s.gain(ratio=len(s.tf) / mean),
            "|d| / avgdl need not be a whole number: here // was taken instead of /": s.gain(ratio=size // mean),
        }
        for words, value in {
            "avgdl is the mean of the lengths, not their median": np.median(size),
            "avgdl is the mean of the lengths, not the largest of them": size.max(),
            "avgdl is the mean of the lengths, not the smallest of them": size.min(),
            "avgdl is the mean of the lengths, not their total": size.sum(),
            "avgdl need not be a whole number: here // was taken instead of /": mean // 1,
            "avgdl need not be a whole number: here it was rounded": np.round(mean),
            "avgdl is the mean over all documents: here it is over those that hold a word of the query":
                matching.mean() if len(matching) else 1,
            "avgdl is the mean over all documents: here the empty ones were left out":
                size.sum() / max(np.count_nonzero(size), 1),
            "avgdl belongs to these documents: here it was kept from an earlier call": 9,
            "each document counts in avgdl, also those that are equal": np.mean(different),
        }.items():
            found[words] = s.gain(ratio=size / (value or 1))
        for name, lengths in {
            "different words": [len(set(tokens)) for tokens in documents],
            "characters": [len(" ".join(tokens)) for tokens in documents],
            "letters": [len("".join(tokens)) for tokens in documents],
            "words in the IDF": [sum(map(idf.__contains__, tokens)) for tokens in documents],
        }.items():
            other = np.array(lengths)
            found[f"|d| is the number of tokens, not of {name}"] = s.gain(ratio=other / mean)
            found[f"avgdl is the mean number of tokens, not of {name}"] = s.gain(ratio=size / (other.mean() or 1))
            found[f"|d| and avgdl are numbers of tokens, not of {name}"] = s.gain(ratio=other / (other.mean() or 1))
        return found

    def in_the_idf(s, idf):
        """Mistakes in the weights of the words."""
        n, held, weights = len(s.size), np.maximum((s.tf > 0).sum(axis=1, keepdims=True), 1), s.weights
        found = {
            "the IDF is missing": s.gain(weights=s.known),
            "the IDF is taken as it is: here it is log(1 + IDF)": s.gain(weights=np.log1p(weights)),
            "the IDF is taken once: here it is squared": s.gain(weights=weights**2),
            "an IDF may be negative: do not cut it off at 0": s.gain(weights=np.maximum(weights, 0)),
            "an IDF may be negative: keep its sign": s.gain(weights=np.abs(weights)),
        }
        for name, value in {
            "log(N / N_j)": np.log(n / held), "log10(N / N_j)": np.log10(n / held), "N / N_j": n / held,
            "log(1 + N / N_j)": np.log(1 + n / held), "log(N / (N_j + 1))": np.log(n / (held + 1)),
            "log((N + 1) / (N_j + 1)) + 1": np.log((n + 1) / (held + 1)) + 1,
            "log((N - N_j + 0.5) / (N_j + 0.5))": np.log((n - held + 0.5) / (held + 0.5)),
            "log((N - N_j + 0.5) / (N_j + 0.5) + 1)": np.log((n - held + 0.5) / (held + 0.5) + 1),
        }.items():
            found[f"the IDF is given: here it was computed anew, as {name}"] = s.gain(weights=value * s.known)
        some = list(idf.values())
        for name, value in {"1": 1, "the largest IDF": max(some), "the mean IDF": np.mean(some)}.items():
            words = f"a query word that is not in the IDF adds nothing: here it weighed {name}"
            found[words] = s.gain(weights=np.where(s.known, weights, value))
        return found

    def in_the_sum(s):
        """Mistakes in the sum over the words of the query."""
        tf, right = s.tf, s.right
        counted = (tf > 0) & s.known
        last = len(tf) - 1 - np.argmax(counted[::-1], axis=0)
        return {
            "a word that the document does not hold is left out alone: continue, do not break":
                right * np.cumprod(counted, axis=0),
            "a word that is not in the IDF is left out alone: continue, do not break":
                right * np.cumprod(s.known, axis=0),
            "a word that is twice in the query counts twice, here only once": right[s.once],
            "a word that is twice in the query counts twice, not four times": right * s.times,
            "the score is a sum over the words of the query, not the best of them": right.max(axis=0, keepdims=True),
            "the score is a sum over the words of the query: only the last was kept":
                right[last, np.arange(len(s.size))][None],
            "the score is a sum over the words of the query: only the first was kept": right[:1],
            "the sum is over the words of the query, not of the document": (tf * right)[s.once],
            "a document need not hold every word of the query": right * (tf > 0).all(axis=0),
            "the score is a sum over the words of the query: do not divide by their number": right / len(right),
        }

    def of_the_scores(right):
        """Mistakes with the finished scores, whose summands are given."""
        scores, cut = right.sum(axis=0), np.zeros(right.shape[1])
        for more in right:
            cut = np.trunc(cut + more)
        return {
            "the scores keep their scale: here the largest became 1": scores / (scores.max() or 1),
            "the scores keep their scale: here their sum became 1": scores / (scores.sum() or 1),
            "this is the order of the documents; return their scores": np.argsort(-scores),
            "this is the order of the documents, worst first; return their scores": np.argsort(scores),
            "one score for each document is asked for, not the best document": np.argmax(scores),
            "the scores keep the order of the documents: do not sort them": np.sort(scores)[::-1],
            "the scores keep the order of the documents: here they rise": np.sort(scores),
            "all scores are 0: is anything added to them?": 0 * cut,
            "one score for each document: do not add them up": scores.sum(),
            "the fractions were cut off: an integer dtype, or // instead of /": cut,
        }

    def slips(query, documents, idf, **given):
        """What the known mistakes give."""
        s = Search(query, documents, idf, given.get("k1", 1.5), given.get("b", 0.75))
        found = in_the_fraction(s) | in_the_counts(s, query, documents, idf)
        found |= in_the_lengths(s, documents, idf) | in_the_idf(s, idf) | in_the_sum(s)
        if "k1" not in given:
            found |= {f"the default of k1 is 1.5, not {value}": s.gain(k1=value) for value in (1, 1.2, 2)}
        if "b" not in given:
            found |= {f"the default of b is 0.75, not {value}": s.gain(b=value) for value in (0.5, 0.8, 1)}
        return {words: value.sum(axis=0) for words, value in found.items()} | of_the_scores(s.right)
    check.mistakes(one_by_one(slips, ["a"], [["a"]], {"a": 1.0}), bm25_scores)
    ### END MISTAKES
    x1 = "This is a sentence This is another sentence".split()
    x2 = "This is not a sentence Yet another not a sentence".split()
    idf = {"This": 0.0, "is": 0.0, "a": 0.0, "sentence": 0.0, "another": 0.0, "not": 0.30103, "Yet": 0.30103}
    query = ["not", "sentence"]
    check(bm25_scores, query, [x1, x2], idf).equals([0, 0.415214], rtol=1e-4, about="the two documents")
    check(bm25_scores, query, [x1, x2], idf, k1=1.2).equals([0, 0.401373], rtol=1e-4)
    check(bm25_scores, query, [x1, x2], idf, k1=2.0).equals([0, 0.433483], rtol=1e-4)
    check(bm25_scores, query, [x1, x2], idf, b=0.0).equals([0, 0.430043], rtol=1e-4)
    check(bm25_scores, query, [x1, x2], idf, b=1.0).equals([0, 0.410495], rtol=1e-4)
    lucene = {"not": 0.693147, "sentence": 0.182322}
    check(bm25_scores, query, [x1, x2], lucene).equals([0.270106, 1.207543], rtol=1e-4, about="another IDF")
    saturation = [["w"], ["w"] * 5, ["w"] * 20]
    check(bm25_scores, ["w"], saturation, {"w": 1.0}, k1=1.2, b=0.0).equals(
        [1, 1.774194, 2.075472], rtol=1e-4, about="saturation"
    )
    unknown = {"a query word that is not in the IDF adds nothing: look before you pick": KeyError}
    nothing = "a word that the document does not hold adds nothing: with k1 = 0 it"
    check(bm25_scores, ["w", "unknown"], [["w", "w", "w", "unknown"], ["a"]], {"w": 1.0, "a": 3.0}, k1=0.0).equals(
        [1, 0], about="k1 = 0, and a word that is not in the IDF",
        near=unknown | {f"{nothing} would be 0/0": ZeroDivisionError, f"{nothing} is 0/0": [1, np.nan]},
    )
    documents = ["a b a c", "b c c", "", "a A d d d d e e e e e", "a", "e e e e"]
    weights = {"a": 0.5, "b": -0.2, "d": 1.0}
    empty = {"an empty document has no words: do not divide by its length": ZeroDivisionError}
    check(bm25_scores, ["a", "b", "d", "d"], [text.split() for text in documents], weights).equals(
        [0.508279, -0.221687, 0, 2.901997, 0.749186, 0], rtol=1e-4,
        about="an empty document, a word twice in the query", near=empty,
    )
    all_empty = {"all documents are empty, and so is the sum: do not divide by avgdl": ZeroDivisionError}
    check(bm25_scores, ["a"], [[], []], {"a": 1.0}).equals(
        [0, 0], about="empty documents only", edge=True, near=empty | all_empty
    )
    mean = {"no documents: there is no mean length": ZeroDivisionError}
    check(bm25_scores, ["a"], [], {"a": 1.0}).equals([], about="no documents", edge=True, near=mean)
    ### BEGIN HIDDEN TESTS
    from rank_bm25 import BM25Okapi

    check.hidden()
    words = ["a", "an", "and", "sand", "or", "Or", "for", "cat"]
    for about, given, query in (
        ("random documents", {}, ["an", "or", "sand"]),
        ("a word twice in the query", {}, ["an", "or", "an", "Or"]),
        ("another k1", {"k1": 0.9}, ["or", "Or", "a"]),
        ("another b", {"b": 0.4}, ["a", "an", "or"]),
        ("another k1 and b", {"k1": 2.2, "b": 0.3}, ["sand", "a", "or"]),
        ("a query word that is not in the IDF", {}, ["an", "cat", "Or"]),
        ("a word of negative IDF", {}, ["an", "or", "a"]),
    ):
        drawn = [w for w in words if w != "Or" or "Or" in query]
        documents = [list(map(str, check.rng.choice(drawn, size=n))) for n in (4, 9, 15, 2, 30, 7)]
        documents[3] = ["for", "and"]  # holds pieces of the query only
        for i, word in enumerate(query):
            documents[2][i] = documents[4][i] = word
        idf = {w: float(check.rng.uniform(0.2, 2)) for w in words if w != "cat"}
        if about == "a word of negative IDF":
            idf["or"] = -0.7
        library = BM25Okapi(documents, **given)
        library.idf = idf
        check(bm25_scores, query, documents, idf, **given).equals(
            library.get_scores(query), about=about, rtol=1e-4, atol=1e-6, near=unknown if "cat" in query else None
        )
    documents = [["a", "b"], [], ["b", "a", "b", "c", "b"], ["c"], []]
    library = BM25Okapi(documents)
    library.idf = {"a": 1.0, "b": 0.6}
    check(bm25_scores, ["b", "a"], documents, library.idf).equals(
        library.get_scores(["b", "a"]), about="empty documents among others", edge=True, rtol=1e-4,
        near=empty,
    )
    check(bm25_scores, ["a"], [[], []], {"a": 1.0}).equals(
        [0, 0], about="empty documents only", edge=True,
        near=empty | all_empty,
    )
    alone = {"the scores have shape (N,), even for one document": 2.5 * 0.8 * 2 / 3.5,
             "avgdl is the mean over all documents: here one document counts as two": [2.5 * 0.8 * 2 / 4.625]}
    check(bm25_scores, ["a"], [["a", "b", "a"]], {"a": 0.8}).equals(
        [2.5 * 0.8 * 2 / 3.5], about="one document", edge=True, rtol=1e-4,
        near=alone,
    )
    many = [f"w{i}" for i in check.rng.permutation(90)]
    documents = [[word, "a"] for word in many[:80]]
    idf = {word: 0.1 + i / 50 for i, word in enumerate(many)} | {"": 1.7}
    documents[4] = ["", ""]
    check(bm25_scores, [*many, ""], documents, idf).equals(
        [idf[d[0]] * (d.count(d[0]) * 2.5) / (d.count(d[0]) + 1.5) for d in documents],
        about="many words and many documents", edge=True, rtol=1e-4,
    )
    check(bm25_scores, [], [["a"], ["b"]], {"a": 1.0}).equals([0, 0], about="empty query", edge=True)
    check(bm25_scores, ["b", "a"], [], {"a": 1.0}).equals([], about="no documents", edge=True, near=mean)
    ### END HIDDEN TESTS


score
