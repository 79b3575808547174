from helpers.checks import graded


@graded("idf", points=7)
def score(check):
    import numpy as np
    from scipy import sparse

    logs = "math.log takes no array and np.log no base: write np.log(x) / np.log(base)"
    early = "the error comes in every kind, not in the logarithm alone: read its message (the rows are counts.shape[0])"
    absent = "a word in no document keeps its place: the shape is (M,), also where the last words do not occur"
    # Two documents; columns: This, is, a, sentence, another, not, Yet.
    lecture = sparse.csr_matrix([[2, 2, 1, 2, 1, 0, 0], [1, 1, 2, 2, 1, 2, 1]])
    check(inverse_document_frequency, lecture, kind="log", base=10).equals(
        [0, 0, 0, 0, 0, 0.30103, 0.30103], rtol=1e-4, about="the two documents",
        near={
            logs: TypeError, early: TypeError,
            "the base was ignored: this is the natural logarithm": [0, 0, 0, 0, 0, 0.693147, 0.693147],
            "divide by the logarithm of the base: you multiplied": [0, 0, 0, 0, 0, 1.59603, 1.59603],
            "occurrences were counted; count the documents that hold the word": [
                -0.176091, -0.176091, -0.176091, -0.30103, 0, 0, 0.30103],
            "a document holds a word when its count is above 0, not above 1": [
                0.30103, 0.30103, 0.30103, 0, 0, 0.30103, 0],
            "N is the number of documents, not of tokens": [
                0.954243, 0.954243, 0.954243, 0.954243, 0.954243, 1.255273, 1.255273],
            "N is the number of documents, not the size of the vocabulary": [
                0.544068, 0.544068, 0.544068, 0.544068, 0.544068, 0.845098, 0.845098],
            "the fraction is upside down": [0, 0, 0, 0, 0, -0.30103, -0.30103],
            "in the kind log these are the values of the kind log1": [
                -0.176091, -0.176091, -0.176091, -0.176091, -0.176091, 0, 0],
        },
    )
    check(inverse_document_frequency, lecture, kind="log1", base=10).equals(
        [-0.176091, -0.176091, -0.176091, -0.176091, -0.176091, 0, 0], rtol=1e-4, atol=1e-6, about="the trap of log1",
        near={
            logs: TypeError, early: TypeError,
            "log1 may be negative: do not cut it off at 0": [0, 0, 0, 0, 0, 0, 0],
            "log1 may be negative: keep its sign": [0.176091, 0.176091, 0.176091, 0.176091, 0.176091, 0, 0],
            "the fraction is upside down": [0.176091, 0.176091, 0.176091, 0.176091, 0.176091, 0, 0],
            "the base was ignored: this is the natural logarithm": [
                -0.405465, -0.405465, -0.405465, -0.405465, -0.405465, 0, 0],
            "the 1 is added to N_j alone, not to N": [0, 0, 0, 0, 0, 0.176091, 0.176091],
            "in the kind log1 these are the values of the kind log": [0, 0, 0, 0, 0, 0.30103, 0.30103],
        },
    )
    counts = sparse.csr_matrix([[3, 0, 1], [0, 0, 2], [1, 5, 1], [0, 0, 0], [0, 0, 4], [0, 0, 0]])
    check(inverse_document_frequency, counts, kind="inverse").equals(
        [0.5, 1, 0.25], rtol=1e-4,
        near={
            early: TypeError,
            "occurrences were counted; count the documents that hold the word": [0.25, 0.2, 0.125],
            "a document holds a word when its count is above 0, not above 1": [1, 1, 0.5],
            "the fraction is upside down": [2, 1, 4],
            "that is N_j / N; the kind inverse is 1 / N_j": [0.333333, 0.166667, 0.666667],
            "in the kind inverse these are the values of the kind ratio": [3, 6, 1.5],
            "in the kind inverse these are the values of the kind log": [1.098612, 1.791759, 0.405465],
        },
    )
    check(inverse_document_frequency, counts, kind="ratio").equals(
        [3, 6, 1.5], rtol=1e-4,
        near={
            early: None,  # a value in this kind tells that the error is in the logarithm
            "occurrences were counted; count the documents that hold the word": [1.5, 1.2, 0.75],
            "a document holds a word when its count is above 0, not above 1": [6, 6, 3],
            "N is the number of documents, not of tokens": [8.5, 17, 4.25],
            "N is the number of documents, not the size of the vocabulary": [1.5, 3, 0.75],
            "N is the number of documents, not of stored counts": [3.5, 7, 1.75],
            "an empty document counts, too: N is the number of all rows": [2, 4, 1],
            "the fraction is upside down": [0.333333, 0.166667, 0.666667],
            "in the kind ratio these are the values of the kind inverse": [0.5, 1, 0.25],
            "the weights of the kind ratio keep their scale: here the largest became 1": [0.5, 1, 0.25],
            "in the kind ratio these are the values of the kind log": [1.098612, 1.791759, 0.405465],
        },
    )
    check(inverse_document_frequency, counts).equals(
        [1.098612, 1.791759, 0.405465], rtol=1e-4, about="no kind and no base given: log, base e",
        near={
            logs: TypeError, early: TypeError,
            "an empty document counts, too: N is the number of all rows": [0.693147, 1.386294, 0],
            "the weights of the kind log keep their scale: here the largest became 1": [0.613147, 1, 0.226295],
            "the default base is e, not 10": [0.477121, 0.778151, 0.176091],
            "the base is an argument; base 10 is that of the example alone": [0.477121, 0.778151, 0.176091],
            "the default base is e, not 2": [1.584963, 2.584963, 0.584963],
            "the base is an argument, not always 2": [1.584963, 2.584963, 0.584963],
            "the default kind is log, not smooth": [1.847298, 2.252763, 1.336472],
            "the default kind is log, not log1": [0.693147, 1.098612, 0.182322],
            "in the kind log these are the values of the kind log1": [0.693147, 1.098612, 0.182322],
            "in the kind log these are the values of the kind smooth": [1.847298, 2.252763, 1.336472],
        },
    )
    check(inverse_document_frequency, counts, kind="log1").equals(
        [0.693147, 1.098612, 0.182322], rtol=1e-4, atol=1e-6,
        near={
            logs: TypeError, early: TypeError,
            "an empty document counts, too: N is the number of all rows": [0.287682, 0.693147, -0.223144],
            "the 1 is added to N_j alone, not to N": [0.847298, 1.252763, 0.336472],
            "N is the number of documents, not of stored counts": [0.847298, 1.252763, 0.336472],
            "the 1 is added to N_j, not outside the logarithm": [2.098612, 2.791759, 1.405465],
            "the 1 is added to N_j, not to the fraction": [1.386294, 1.94591, 0.916291],
            "the fraction is upside down": [-0.693147, -1.098612, -0.182322],
            "in the kind log1 these are the values of the kind log": [1.098612, 1.791759, 0.405465],
            "in the kind log1 these are the values of the kind smooth": [1.847298, 2.252763, 1.336472],
        },
    )
    check(inverse_document_frequency, counts, kind="smooth").equals(
        [1.847298, 2.252763, 1.336472], rtol=1e-4,
        near={
            logs: TypeError, early: TypeError,
            "an empty document counts, too: N is the number of all rows": [1.510826, 1.916291, 1],
            "the 1 outside the logarithm is missing": [0.847298, 1.252763, 0.336472],
            "the last 1 stands outside the logarithm": [1.203973, 1.504077, 0.875469],
            "the 1 is added to N, too": [1.693147, 2.098612, 1.182322],
            "N is the number of documents, not one less": [1.693147, 2.098612, 1.182322],
            "the 1 is added to N_j, too": [2.252763, 2.94591, 1.559616],
            "the smoothing is missing: a 1 is added to N and to N_j": [2.098612, 2.791759, 1.405465],
            "in the kind smooth these are the values of the kind log": [1.098612, 1.791759, 0.405465],
        },
    )

    def each_kind(counts, base):
        """The five kinds, one row each: inverse, ratio, log, log1, smooth."""
        kinds = ("inverse", "ratio", "log", "log1", "smooth")
        return np.stack([np.asarray(inverse_document_frequency(counts.copy(), kind, base)).ravel() for kind in kinds])

    counts = sparse.csr_matrix([[3, 0, 1], [1, 0, 2], [0, 0, 1], [0, 0, 0], [0, 0, 4]])
    right = np.array([[0.5, 0, 0.25], [2.5, 0, 1.25], [1.321928, 0, 0.321928], [0.736966, 2.321928, 0],
                      [2, 3.584963, 1.263034]])

    def with_rows(**rows):
        """The right table with other values for the word in no document, or other rows."""
        table = right.copy()
        for kind, value in rows.items():
            row = ("inverse", "ratio", "log", "log1", "smooth").index(kind)
            table[row] = value if isinstance(value, list) else [table[row, 0], value, table[row, 2]]
        return table

    infinite, as_one = "a word in no document gets 0, not infinity", (
        "a word in no document gets 0; do not count it as if it were in one")
    ignored, smooth = "the base was ignored: this is the natural logarithm", [1.693147, 2.791759, 1.182322]
    natural = {"log": [0.916291, 0, 0.223144], "log1": [0.510826, 1.609438, 0]}
    check(each_kind, counts, 2).equals(
        right, rtol=1e-4, atol=1e-6, about="the five kinds, base 2, and a word in no document",
        near={
            logs: TypeError, early: TypeError, absent: right[:, [0, 2]],
            ignored: with_rows(**natural, smooth=smooth), f"{ignored}, in smooth": with_rows(smooth=smooth),
            infinite: with_rows(inverse=np.inf), f"{infinite}, in ratio": with_rows(ratio=np.inf),
            f"{infinite}, in log": with_rows(log=np.inf), as_one: with_rows(inverse=1.0, ratio=5.0, log=2.321928),
            f"{as_one} (ratio)": with_rows(ratio=5.0), f"{as_one} (log)": with_rows(log=2.321928),
            "a word in no document gets 0, not 1": with_rows(inverse=1.0),
            "a word in no document gets 0 in the first three kinds only": with_rows(log1=0.0, smooth=0.0),
            "a word in no document gets 0 in the first three kinds only: not in log1": with_rows(log1=0.0),
            "a word in no document gets 0 in the first three kinds only: not in smooth": with_rows(smooth=0.0),
            "a word in no document gets 0: 1e-09 added to N_j makes it huge": with_rows(
                inverse=1e9, ratio=5e9, log=32.219281),
            "the base is an argument; base 10 is that of the example alone": with_rows(
                log=[0.39794, 0, 0.09691], log1=[0.221849, 0.69897, 0], smooth=[1.30103, 1.778151, 1.079181]),
        },
    )
    ### BEGIN HIDDEN TESTS
    from sklearn.feature_extraction.text import TfidfTransformer

    check.hidden()

    def table(n, held, base):
        """Return every kind, from the number of documents and the numbers of those that hold each word."""
        some, b = np.where(held > 0, held, 1), np.log(base)
        zero = {"inverse": 1 / some, "ratio": n / some, "log": np.log(n / some) / b}
        more = {"log1": np.log(n / (held + 1)) / b, "smooth": np.log((n + 1) / (held + 1)) / b + 1}
        return {name: np.where(held > 0, value, 0.0) for name, value in zero.items()} | more

    def mistakes(dense, kind, base):
        """Return what each known mistake gives on these counts."""
        n, b = dense.shape[0], np.log(base)
        held, total, filled = np.count_nonzero(dense, axis=0), dense.sum(0), np.count_nonzero(dense.sum(1))
        right, plain, some = table(n, held, base), table(n, held, np.e), np.maximum(held, 1)
        found = {
            "the base was ignored: this is the natural logarithm": plain[kind],
            "the base is an argument; base 10 is that of the example alone": table(n, held, 10)[kind],
            "the base is an argument, not always 2": table(n, held, 2)[kind],
            "divide by the logarithm of the base: you multiplied": table(n, held, np.exp(1 / b))[kind],
            "occurrences were counted; count the documents that hold the word": table(n, total, base)[kind],
            "a document holds a word when its count is above 0, not above 1": table(n, (dense > 1).sum(0), base)[kind],
            "N is the number of documents, not of tokens": table(dense.sum(), held, base)[kind],
            "N is the number of documents, not the size of the vocabulary": table(len(held), held, base)[kind],
            "an empty document counts, too: N is the number of all rows": table(filled, held, base)[kind],
            "N is the number of documents, not one less": table(n - 1, held, base)[kind],
            "N is the number of documents, not of stored counts": table(held.sum(), held, base)[kind],
            f"the weights of the kind {kind} keep their scale: here the largest became 1": (
                right[kind] / (right[kind].max() or 1)
            ),
        }
        found |= {
            f"in the kind {kind} these are the values of the kind {k}": v for k, v in right.items() if k != kind
        }
        own = {
            "inverse": {"the fraction is upside down": held, "that is N_j / N; the kind inverse is 1 / N_j": held / n},
            "ratio": {"the fraction is upside down": held / n},
            "log": {
                "the fraction is upside down": -right["log"],
                "no 1 is added in this kind": np.log(n / some + 1) / b,
                "this is an IDF made for BM25": np.log((n - held + 0.5) / (held + 0.5)) / b,
                "no 1 is added in this kind, neither to N nor to N_j": right["smooth"] - 1,
                "no 1 is added in this kind, not outside the logarithm either": right["log"] + 1,
            },
            "log1": {
                "the fraction is upside down": -right["log1"],
                "log1 may be negative: do not cut it off at 0": np.maximum(right["log1"], 0),
                "log1 may be negative: keep its sign": np.abs(right["log1"]),
                "the 1 is added to N_j alone, not to N": right["smooth"] - 1,
                "the 1 is added to N_j, not outside the logarithm": np.log(n / some) / b + 1,
                "the 1 is added to N_j, not to the fraction": np.log(n / some + 1) / b,
                "nothing is added outside the logarithm in this kind": right["log1"] + 1,
            },
            "smooth": {
                "the fraction is upside down": 2 - right["smooth"],
                "the 1 outside the logarithm is missing": right["smooth"] - 1,
                "the last 1 stands outside the logarithm": np.log((n + 1) / (held + 1) + 1) / b,
                "the 1 is added to N, too": right["log1"] + 1,
                "the 1 is added to N_j, too": np.log((n + 1) / some) / b + 1,
                "the smoothing is missing: a 1 is added to N and to N_j": np.log(n / some) / b + 1,
                "the base belongs to the logarithm alone, not to the 1 outside it": plain["smooth"] / b,
            },
        }
        return found | own[kind]

    for kind in ("default", "inverse", "ratio", "log", "log1", "smooth"):
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
            right, near = table(n, np.count_nonzero(dense, axis=0), base), mistakes(dense, name, base)
            if name in ("log", "log1", "smooth"):
                near[logs] = TypeError
            if kind == "default":
                near |= {f"the default kind is log, not {k}": v for k, v in right.items() if k != "log"}
                near |= {f"the default base is e, not {other}": right["log"] / np.log(other) for other in (2, 10)}
            right["log"] = (TfidfTransformer(norm=None, smooth_idf=False).fit(dense).idf_ - 1) / np.log(base)
            right["smooth"] = (TfidfTransformer(norm=None).fit(dense).idf_ - 1) / np.log(base) + 1
            check(inverse_document_frequency, sparse.csr_matrix(dense), **given).equals(
                right[name], about=f"{about}, {kind}", rtol=1e-4, atol=1e-6, near=near
            )
    gap = np.array([[1, 0, 2], [4, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    for kind in ("inverse", "ratio", "log", "log1", "smooth"):
        value, as_one = (table(5, held, np.e)[kind] for held in (np.array([2, 0, 1]), np.array([2, 1, 1])))
        ten = table(5, np.array([2, 0, 1]), 10)[kind]
        near = {
            "a word in no document has N_j = 0, not 1": as_one, absent: value[[0, 2]],
            "a word in no document gets 0 in the first three kinds only": value * [1, 0, 1],
        }
        if kind in ("inverse", "ratio", "log"):
            near = {
                "a word in no document gets 0, not infinity": [value[0], np.inf, value[2]],
                "a word in no document gets 0; do not count it as if it were in one": as_one,
                "a word in no document gets 0, not 1": value + [0, 1, 0],
                "a word in no document gets 0; leave it out of the division": ZeroDivisionError,
                "a word in no document gets 0; the logarithm of 0 does not exist": ValueError,
            }
            near |= {f"a word in no document gets 0: {tiny:g} added to N_j makes it huge": table(
                5, np.array([2, tiny, 1]), np.e)[kind] for tiny in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6)}
        if kind in ("log", "log1", "smooth"):
            near[logs] = TypeError
        check(inverse_document_frequency, sparse.csr_matrix(gap), kind=kind).equals(
            value, about=f"a word in no document, {kind}", edge=True, rtol=1e-4, atol=1e-6,
            near=mistakes(gap, kind, np.e) | near | {"the default base is e, not 10": ten},
        )
        near |= {words: np.asarray(value)[[0, 2, 1]] for words, value in near.items() if np.shape(value) == (3,)}
        check(inverse_document_frequency, sparse.csr_matrix(gap[:, [0, 2, 1]]), kind=kind).equals(
            value[[0, 2, 1]], about="the last word in no document", edge=True, rtol=1e-4, atol=1e-6,
            near=mistakes(gap[:, [0, 2, 1]], kind, np.e) | near,
        )
    for kind in ("inverse", "ratio", "log", "log1", "smooth"):
        one = np.array([[2], [0], [1]])
        value = table(3, np.array([2]), np.e)[kind]
        check(inverse_document_frequency, sparse.csr_matrix(one), kind=kind).equals(
            value, about="a vocabulary of one word", edge=True, rtol=1e-4, atol=1e-6,
            near=mistakes(one, kind, np.e) | {
                "the shape is (M,), also for a vocabulary of one word": float(value[0]),
                "the fractions were cut off: an integer dtype, or // instead of /": np.trunc(value)},
        )
    stored = sparse.csr_matrix(([2, 0, 1, 3], ([0, 1, 1, 2], [0, 0, 1, 1])), shape=(4, 2))
    check(inverse_document_frequency, stored, kind="log").equals(
        table(4, np.array([1, 2]), np.e)["log"], about="a stored 0", edge=True, rtol=1e-4, near={
            "a 0 that is stored in the sparse matrix is a 0: its document does not hold the word":
                table(4, np.array([2, 2]), np.e)["log"]})
    ### END HIDDEN TESTS


score
