from helpers.checks import graded


@graded("idf", points=5)
def score(check):
    import numpy as np
    from scipy import sparse

    KINDS = ("log", "log1", "smooth")
    absent = "a word in no document keeps its place: the shape is (V,), even where the last words do not occur"
    infinite = "a word in no document gets 0, not infinity"
    as_one = "a word in no document gets 0; do not count it as if it were in one"
    log_only = "a word in no document gets 0 in the kind log only"
    ignored = "the base was ignored: this is the natural logarithm"
    ten = "the base is an argument; base 10 is that of the example alone"
    ### BEGIN MISTAKES
    from helpers.chapters.spam.together import one_by_one

    def table(n, held, base):
        """Return every kind, from the number of documents and the numbers of those that hold each word."""
        some, b = np.where(held > 0, held, 1), np.log(base)
        return {
            "log": np.where(held > 0, np.log(n / some) / b, 0.0),
            "log1": np.log(n / (held + 1)) / b,
            "smooth": np.log((n + 1) / (held + 1)) / b + 1,
        }

    def other_numbers(dense, kind, base):
        """Mistakes that take other numbers into the formulas."""
        n, held, b = len(dense), np.count_nonzero(dense, axis=0), np.log(base)
        filled, total, tokens = np.count_nonzero(dense.sum(axis=1)), dense.sum(axis=0), dense.sum()
        found = {
            ignored: (n, held, np.e),
            ten: (n, held, 10),
            "the base is an argument, not always 2": (n, held, 2),
            "divide by the logarithm of the base: you multiplied": (n, held, np.exp(1 / b)),
            "occurrences were counted; count the documents that hold the word": (n, total, base),
            "a document holds a word when its count is above 0, not above 1": (n, (dense > 1).sum(axis=0), base),
            "N_j is of a word, along the documents: here the words of each document were counted":
                (n, np.count_nonzero(dense, axis=1), base),
            "N is the number of documents, not of tokens": (tokens, held, base),
            "N is the number of documents, not the size of the vocabulary": (len(held), held, base),
            "an empty document counts, too: N is the number of all rows": (filled, held, base),
            "N is the number of documents, not one less": (n - 1, held, base),
            "N is the number of documents, not of stored counts": (held.sum(), held, base),
        }
        return {words: table(*given)[kind] for words, given in found.items()}

    def other_formulas(n, held, base, kind):
        """Mistakes within one of the formulas."""
        right, plain = table(n, held, base), table(n, held, np.e)
        some, b = np.maximum(held, 1), np.log(base)
        return {
            "log": {
                "the logarithm is missing: this is N / N_j": (held > 0) * n / some,
                "the logarithm is missing: this is 1 / N_j": (held > 0) / some,
                "the fraction is upside down": -right["log"],
                "no 1 is added in this kind": np.log(n / some + 1) / b,
                "this is an IDF made for BM25": np.log((n - held + 0.5) / (held + 0.5)) / b,
                "no 1 is added in this kind, neither to N nor to N_j": right["smooth"] - 1,
                "no 1 is added in this kind, not outside the logarithm either": right["log"] + 1,
            },
            "log1": {
                "the fraction is upside down": -right["log1"],
                "in the kind log1 the fraction is upside down": -right["log1"],
                "log1 may be negative: do not cut it off at 0": np.maximum(right["log1"], 0),
                "log1 may be negative: keep its sign": np.abs(right["log1"]),
                "the 1 is added to N_j alone, not to N": right["smooth"] - 1,
                "the 1 is added to N_j, not outside the logarithm": np.log(n / some) / b + 1,
                "the 1 is added to N_j, not to the fraction": np.log(n / some + 1) / b,
                "nothing is added outside the logarithm in this kind": right["log1"] + 1,
            },
            "smooth": {
                "the fraction is upside down": 2 - right["smooth"],
                "in the kind smooth the fraction is upside down": 2 - right["smooth"],
                "the 1 outside the logarithm is missing": right["smooth"] - 1,
                "the last 1 belongs outside the logarithm": np.log((n + 1) / (held + 1) + 1) / b,
                "the 1 is added to N, too": right["log1"] + 1,
                "the 1 is added to N_j, too": np.log((n + 1) / some) / b + 1,
                "the smoothing is missing: a 1 is added to N and to N_j": np.log(n / some) / b + 1,
                "the base belongs to the logarithm alone, not to the 1 outside it": plain["smooth"] / b,
            },
        }[kind]

    def without_document(n, held, base, kind):
        """Mistakes with words that are in no document."""
        value = table(n, held, base)[kind]
        found = {absent: value[held > 0]}
        if kind in ("log1", "smooth"):
            return found | {
                "a word in no document has N_j = 0, not 1": table(n, np.maximum(held, 1), base)[kind],
                log_only: value * (held > 0),
            }
        found |= {
            infinite: np.where(held > 0, value, np.inf),
            as_one: table(n, np.maximum(held, 1), base)[kind],
            "a word in no document gets 0, not 1": value + (held == 0),
        }
        for tiny in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6):
            words = f"a word in no document gets 0: {tiny:g} added to N_j makes it huge"
            found[words] = table(n, np.where(held > 0, held, tiny), base)[kind]
        return found

    def slips(counts, kind=None, base=None):
        """What the known mistakes give."""
        dense, asked, b = counts.toarray(), kind or "log", base or np.e
        n, held = len(dense), np.count_nonzero(dense, axis=0)
        right = table(n, held, b)
        found = {}
        for other in (2, 10) if base is None else ():
            found[f"the default base is e, not {other}"] = table(n, held, other)[asked]
        for other in KINDS:
            if kind is None and other != "log":
                found[f"the default kind is log, not {other}"] = right[other]
        found |= other_numbers(dense, asked, b) | other_formulas(n, held, b, asked)
        for other in KINDS:
            if other != asked:
                found[f"in the kind {asked} these are the values of the kind {other}"] = right[other]
        largest = f"the weights of the kind {asked} keep their scale: here the largest became 1"
        found[largest] = right[asked] / (right[asked].max() or 1)
        return found | without_document(n, held, b, asked)

    example = sparse.csr_matrix([[1]])
    known = one_by_one(slips, example)
    for kind in KINDS:
        known |= one_by_one(slips, example, kind)
    check.mistakes(known, inverse_document_frequency)
    ### END MISTAKES
    logs = {"math.log takes no array and np.log no base: write np.log(x) / np.log(base)": TypeError}
    early = "the error comes in every kind, not in the logarithm alone: read its message (the rows are counts.shape[0])"
    errors = logs | {early: TypeError}
    # Two documents; columns: This, is, a, sentence, another, not, Yet.
    lecture = sparse.csr_matrix([[2, 2, 1, 2, 1, 0, 0], [1, 1, 2, 2, 1, 2, 1]])
    check(inverse_document_frequency, lecture, kind="log", base=10).equals(
        [0, 0, 0, 0, 0, 0.30103, 0.30103], rtol=1e-4, about="the two documents", near=errors
    )
    check(inverse_document_frequency, lecture, kind="log1", base=10).equals(
        [-0.176091, -0.176091, -0.176091, -0.176091, -0.176091, 0, 0], rtol=1e-4, atol=1e-6, about="the trap of log1",
        near=errors,
    )
    counts = sparse.csr_matrix([[3, 0, 1], [0, 0, 2], [1, 5, 1], [0, 0, 0], [0, 0, 4], [0, 0, 0]])
    check(inverse_document_frequency, counts).equals(
        [1.098612, 1.791759, 0.405465], rtol=1e-4, about="no kind and no base given: log, base e", near=errors
    )
    check(inverse_document_frequency, counts, kind="log1").equals(
        [0.693147, 1.098612, 0.182322], rtol=1e-4, atol=1e-6, near=errors
    )
    check(inverse_document_frequency, counts, kind="smooth").equals(
        [1.847298, 2.252763, 1.336472], rtol=1e-4, near=errors
    )

    def each_kind(counts, base):
        """The three kinds, one row each: log, log1, smooth."""
        return np.stack([np.asarray(inverse_document_frequency(counts.copy(), kind, base)).ravel() for kind in KINDS])

    counts = sparse.csr_matrix([[3, 0, 1], [1, 0, 2], [0, 0, 1], [0, 0, 0], [0, 0, 4]])
    right = np.array([[1.321928, 0, 0.321928], [0.736966, 2.321928, 0], [2, 3.584963, 1.263034]])

    def with_rows(**rows):
        """The right table with other values for the word in no document, or other rows."""
        changed = right.copy()
        for kind, value in rows.items():
            row = KINDS.index(kind)
            changed[row] = value if isinstance(value, list) else [right[row, 0], value, right[row, 2]]
        return changed

    smooth = [1.693147, 2.791759, 1.182322]
    natural = {"log": [0.916291, 0, 0.223144], "log1": [0.510826, 1.609438, 0]}
    check(each_kind, counts, 2).equals(
        right, rtol=1e-4, atol=1e-6, about="the three kinds, base 2, and a word in no document",
        near={
            **errors, absent: right[:, [0, 2]],
            ignored: with_rows(**natural, smooth=smooth), f"{ignored}, in smooth": with_rows(smooth=smooth),
            infinite: with_rows(log=np.inf), as_one: with_rows(log=2.321928),
            "a word in no document gets 0, not 1": with_rows(log=1.0),
            log_only: with_rows(log1=0.0, smooth=0.0),
            f"{log_only}: not in log1": with_rows(log1=0.0),
            f"{log_only}: not in smooth": with_rows(smooth=0.0),
            "a word in no document gets 0: 1e-09 added to N_j makes it huge": with_rows(log=32.219281),
            ten: with_rows(
                log=[0.39794, 0, 0.09691], log1=[0.221849, 0.69897, 0], smooth=[1.30103, 1.778151, 1.079181]),
        },
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.feature_extraction.text import TfidfTransformer

    check.hidden()
    for kind in ("default", *KINDS):
        for about in ("two empty documents among them", "a word in every document"):
            n, m = int(check.rng.integers(10, 15)), int(check.rng.integers(4, 8))
            dense = check.rng.poisson(0.8, size=(n, m))
            dense[0] = check.rng.integers(2, 5, size=m)  # every word occurs
            if about.startswith("two empty"):
                dense[1:3] = 0
            else:
                dense[:, 1] += 1
            name, base = ("log", np.e) if kind == "default" else (kind, float(check.rng.choice([2, 3, 5])))
            given = {} if kind == "default" else {"kind": kind, "base": base}
            right = table(n, np.count_nonzero(dense, axis=0), base)
            right["log"] = (TfidfTransformer(norm=None, smooth_idf=False).fit(dense).idf_ - 1) / np.log(base)
            right["smooth"] = (TfidfTransformer(norm=None).fit(dense).idf_ - 1) / np.log(base) + 1
            check(inverse_document_frequency, sparse.csr_matrix(dense), **given).equals(
                right[name], about=f"{about}, {kind}", rtol=1e-4, atol=1e-6,
                near=logs,
            )
    gap = np.array([[1, 0, 2], [4, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    zero = {
        "a word in no document gets 0; leave it out of the division": ZeroDivisionError,
        "a word in no document gets 0; the logarithm of 0 does not exist": ValueError,
    }
    for kind in KINDS:
        value = table(5, np.array([2, 0, 1]), np.e)[kind]
        errors = zero | logs if kind == "log" else logs
        check(inverse_document_frequency, sparse.csr_matrix(gap), kind=kind).equals(
            value, about=f"a word in no document, {kind}", edge=True, rtol=1e-4, atol=1e-6, near=errors
        )
        check(inverse_document_frequency, sparse.csr_matrix(gap[:, [0, 2, 1]]), kind=kind).equals(
            value[[0, 2, 1]], about="the last word in no document", edge=True, rtol=1e-4, atol=1e-6, near=errors
        )
    for kind in KINDS:
        value = table(3, np.array([2]), np.e)[kind]
        check(inverse_document_frequency, sparse.csr_matrix([[2], [0], [1]]), kind=kind).equals(
            value, about="a vocabulary of one word", edge=True, rtol=1e-4, atol=1e-6,
            near={
                "the shape is (V,), even for a vocabulary of one word": float(value[0]),
                "the fractions were cut off: an integer dtype, or // instead of /": np.trunc(value),
            },
        )
    ### END HIDDEN TESTS


score
