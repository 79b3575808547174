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
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the base was ignored: this is the natural logarithm": {
            1: [0.0, 0.0, 0.0, 0.0, 0.0, 0.693147, 0.693147],
            2: [-0.405465, -0.405465, -0.405465, -0.405465, -0.405465, 0.0, 0.0],
        },
        "the base is an argument, not always 2": {
            1: [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0],
            2: [-0.584963, -0.584963, -0.584963, -0.584963, -0.584963, 0.0, 0.0],
            3: [1.58496, 2.58496, 0.584963],
            4: [1.0, 1.58496, 0.263034],
            5: [2.22239, 2.80735, 1.48543],
        },
        "divide by the logarithm of the base: you multiplied": {
            1: [0.0, 0.0, 0.0, 0.0, 0.0, 1.59603, 1.59603],
            2: [-0.933618, -0.933618, -0.933618, -0.933618, -0.933618, 0.0, 0.0],
        },
        "occurrences were counted; count the documents that hold the word": {
            1: [-0.176091, -0.176091, -0.176091, -0.30103, 0.0, 0.0, 0.30103],
            2: [-0.30103, -0.30103, -0.30103, -0.39794, -0.176091, -0.176091, 0.0],
            3: [0.405465, 0.182322, -0.287682],
            4: [0.182322, 0.0, -0.405465],
            5: [1.33647, 1.15415, 0.748686],
        },
        "a document holds a word when its count is above 0, not above 1": {
            1: [0.30103, 0.30103, 0.30103, 0.0, 0.0, 0.30103, 0.0],
            2: [0.0, 0.0, 0.0, -0.176091, 0.30103, 0.0, 0.30103],
            3: [1.79176, 1.79176, 1.09861],
            4: [1.09861, 1.09861, 0.693147],
            5: [2.25276, 2.25276, 1.8473],
        },
        "N_j is of a word, along the documents: here the words of each document were counted": {
            1: [-0.39794, -0.544068],
            2: [-0.477121, -0.60206],
            3: [1.09861, 1.79176, 0.693147, 0.0, 1.79176, 0.0],
            4: [0.693147, 1.09861, 0.405465, 1.79176, 1.09861, 1.79176],
            5: [1.8473, 2.25276, 1.55962, 2.94591, 2.25276, 2.94591],
        },
        "N is the number of documents, not of tokens": {
            1: [0.954243, 0.954243, 0.954243, 0.954243, 0.954243, 1.25527, 1.25527],
            2: [0.778151, 0.778151, 0.778151, 0.778151, 0.778151, 0.954243, 0.954243],
            3: [2.14007, 2.83321, 1.44692],
            4: [1.7346, 2.14007, 1.22378],
            5: [2.79176, 3.19722, 2.28093],
        },
        "N is the number of documents, not the size of the vocabulary": {
            1: [0.544068, 0.544068, 0.544068, 0.544068, 0.544068, 0.845098, 0.845098],
            2: [0.367977, 0.367977, 0.367977, 0.367977, 0.367977, 0.544068, 0.544068],
            3: [0.405465, 1.09861, -0.287682],
            4: [0.0, 0.405465, -0.510826],
            5: [1.28768, 1.69315, 0.776856],
        },
        "N is the number of documents, not one less": {
            1: [-0.30103, -0.30103, -0.30103, -0.30103, -0.30103, 0.0, 0.0],
            2: [-0.477121, -0.477121, -0.477121, -0.477121, -0.477121, -0.30103, -0.30103],
            3: [0.916291, 1.60944, 0.223144],
            4: [0.510826, 0.916291, 0.0],
            5: [1.69315, 2.09861, 1.18232],
        },
        "N is the number of documents, not of stored counts": {
            1: [0.778151, 0.778151, 0.778151, 0.778151, 0.778151, 1.07918, 1.07918],
            2: [0.60206, 0.60206, 0.60206, 0.60206, 0.60206, 0.778151, 0.778151],
            3: [1.25276, 1.94591, 0.559616],
            4: [0.847298, 1.25276, 0.336472],
            5: [1.98083, 2.38629, 1.47],
        },
        "the logarithm is missing: this is N / N_j": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0],
            3: [3.0, 6.0, 1.5],
        },
        "the logarithm is missing: this is 1 / N_j": {
            1: [0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0],
            3: [0.5, 1.0, 0.25],
        },
        "the fraction is upside down": {
            1: [0.0, 0.0, 0.0, 0.0, 0.0, -0.30103, -0.30103],
            2: [0.176091, 0.176091, 0.176091, 0.176091, 0.176091, 0.0, 0.0],
            3: [-1.09861, -1.79176, -0.405465],
            4: [-0.693147, -1.09861, -0.182322],
            5: [0.152702, -0.252763, 0.663528],
        },
        "no 1 is added in this kind": {
            1: [0.30103, 0.30103, 0.30103, 0.30103, 0.30103, 0.477121, 0.477121],
            3: [1.38629, 1.94591, 0.916291],
        },
        "this is an IDF made for BM25": {
            1: [-0.69897, -0.69897, -0.69897, -0.69897, -0.69897, 0.0, 0.0],
            3: [0.587787, 1.29928, -0.587787],
        },
        "no 1 is added in this kind, neither to N nor to N_j": {
            1: [0.0, 0.0, 0.0, 0.0, 0.0, 0.176091, 0.176091],
            3: [0.847298, 1.25276, 0.336472],
        },
        "no 1 is added in this kind, not outside the logarithm either": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 1.30103, 1.30103],
            3: [2.09861, 2.79176, 1.40547],
        },
        "in the kind log these are the values of the kind log1": {
            1: [-0.176091, -0.176091, -0.176091, -0.176091, -0.176091, 0.0, 0.0],
            3: [0.693147, 1.09861, 0.182322],
        },
        "in the kind log these are the values of the kind smooth": {
            1: [1.0, 1.0, 1.0, 1.0, 1.0, 1.17609, 1.17609],
            3: [1.8473, 2.25276, 1.33647],
        },
        "the weights of the kind log keep their scale: here the largest became 1": {
            1: [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0],
            3: [0.613147, 1.0, 0.226294],
        },
        "in the kind log1 the fraction is upside down": {
            2: [0.176091, 0.176091, 0.176091, 0.176091, 0.176091, 0.0, 0.0],
            4: [-0.693147, -1.09861, -0.182322],
        },
        "log1 may be negative: do not cut it off at 0": {
            2: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        },
        "log1 may be negative: keep its sign": {
            2: [0.176091, 0.176091, 0.176091, 0.176091, 0.176091, 0.0, 0.0],
        },
        "the 1 is added to N_j alone, not to N": {
            2: [0.0, 0.0, 0.0, 0.0, 0.0, 0.176091, 0.176091],
            4: [0.847298, 1.25276, 0.336472],
        },
        "the 1 is added to N_j, not outside the logarithm": {
            2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.30103, 1.30103],
            4: [2.09861, 2.79176, 1.40547],
        },
        "the 1 is added to N_j, not to the fraction": {
            2: [0.30103, 0.30103, 0.30103, 0.30103, 0.30103, 0.477121, 0.477121],
            4: [1.38629, 1.94591, 0.916291],
        },
        "nothing is added outside the logarithm in this kind": {
            2: [0.823909, 0.823909, 0.823909, 0.823909, 0.823909, 1.0, 1.0],
            4: [1.69315, 2.09861, 1.18232],
        },
        "in the kind log1 these are the values of the kind log": {
            2: [0.0, 0.0, 0.0, 0.0, 0.0, 0.30103, 0.30103],
            4: [1.09861, 1.79176, 0.405465],
        },
        "in the kind log1 these are the values of the kind smooth": {
            2: [1.0, 1.0, 1.0, 1.0, 1.0, 1.17609, 1.17609],
            4: [1.8473, 2.25276, 1.33647],
        },
        "the default base is e, not 2": {
            3: [1.58496, 2.58496, 0.584963],
            4: [1.0, 1.58496, 0.263034],
            5: [2.22239, 2.80735, 1.48543],
        },
        "the default base is e, not 10": {
            3: [0.477121, 0.778151, 0.176091],
            4: [0.30103, 0.477121, 0.0791812],
            5: [1.36798, 1.54407, 1.14613],
        },
        "the default kind is log, not log1": {
            3: [0.693147, 1.09861, 0.182322],
        },
        "the default kind is log, not smooth": {
            3: [1.8473, 2.25276, 1.33647],
        },
        "the base is an argument; base 10 is that of the example alone": {
            3: [0.477121, 0.778151, 0.176091],
            4: [0.30103, 0.477121, 0.0791812],
            5: [1.36798, 1.54407, 1.14613],
        },
        "an empty document counts, too: N is the number of all rows": {
            3: [0.693147, 1.38629, 0.0],
            4: [0.287682, 0.693147, -0.223144],
            5: [1.51083, 1.91629, 1.0],
        },
        "the weights of the kind log1 keep their scale: here the largest became 1": {
            4: [0.63093, 1.0, 0.165956],
        },
        "in the kind smooth the fraction is upside down": {
            5: [0.152702, -0.252763, 0.663528],
        },
        "the 1 outside the logarithm is missing": {
            5: [0.847298, 1.25276, 0.336472],
        },
        "the last 1 belongs outside the logarithm": {
            5: [1.20397, 1.50408, 0.875469],
        },
        "the 1 is added to N, too": {
            5: [1.69315, 2.09861, 1.18232],
        },
        "the 1 is added to N_j, too": {
            5: [2.25276, 2.94591, 1.55962],
        },
        "the smoothing is missing: a 1 is added to N and to N_j": {
            5: [2.09861, 2.79176, 1.40547],
        },
        "in the kind smooth these are the values of the kind log": {
            5: [1.09861, 1.79176, 0.405465],
        },
        "in the kind smooth these are the values of the kind log1": {
            5: [0.693147, 1.09861, 0.182322],
        },
        "the weights of the kind smooth keep their scale: here the largest became 1": {
            5: [0.820014, 1.0, 0.593259],
        },
    })
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


score
