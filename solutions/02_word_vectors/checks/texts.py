from helpers.checks import graded


@graded("texts", points=4)
def score(check):
    import numpy as np
    ### BEGIN MISTAKES
    word = "the windows hold word ids, not positions: their own vectors are asked for, not those of ids[windows]"

    def beside(ids, windows, table, fill=None, order=lambda own, near: [own, *near]):
        def vector(i):
            if i >= 0:
                return table[i]
            return np.zeros(table.shape[1]) if fill is None else table[fill]

        rows = []
        for own, near in zip(ids.tolist(), windows.tolist(), strict=True):
            rows.append(np.concatenate([vector(i) for i in order(own, near)]))
        return np.array(rows)

    check.mistakes({
        "-1 is no word: zeros there, not the last row": lambda i, w, t: beside(i, w, t, fill=-1),
        "-1 is no word: zeros there, not the first row": lambda i, w, t: beside(i, w, t, fill=0),
        "the own vector comes first": lambda i, w, t: beside(i, w, t, order=lambda own, near: [
            *near[: len(near) // 2], own, *near[len(near) // 2 :]]),
        "the own vector comes first, not last": lambda i, w, t: beside(i, w, t, order=lambda own, near: [*near, own]),
        "0 is a word: only -1 becomes zeros":
            lambda i, w, t: beside(np.where(i == 0, -1, i), np.where(w == 0, -1, w), t),
        "these are the ids; their vectors are asked for": lambda i, w, t: np.column_stack([i, w]),
        "the vectors of the window are not averaged: each keeps its own numbers": lambda i, w, t: np.hstack([
            beside(i, w[:, :0], t), beside(i, w, t, order=lambda own, near: near).reshape(
                len(i), -1, t.shape[1]).mean(1)]),
        "the vectors of the window are not added up: each keeps its own numbers": lambda i, w, t: np.hstack([
            beside(i, w[:, :0], t), beside(i, w, t, order=lambda own, near: near).reshape(
                len(i), -1, t.shape[1]).sum(1)]),
        "the own vector is missing": lambda i, w, t: beside(i, w, t, order=lambda own, near: near),
        "the window goes from left to right":
            lambda i, w, t: beside(i, w, t, order=lambda own, near: [own, *near[::-1]]),
        "the vectors are set side by side: they are not averaged": lambda i, w, t: beside(i, w, t).reshape(
            len(i), -1, t.shape[1]).mean(1),
        "the vectors are set side by side: they are not added up": lambda i, w, t: beside(i, w, t).reshape(
            len(i), -1, t.shape[1]).sum(1),
        "one row for each position: the features of its words are set side by side":
            lambda i, w, t: beside(i, w, t).reshape(
            len(i), -1, t.shape[1]),
        "the numbers of the vectors are interleaved: one vector after another": lambda i, w, t: beside(i, w, t).reshape(
            len(i), -1, t.shape[1]).transpose(0, 2, 1).reshape(len(i), -1),
        word: lambda i, w, t: beside(i, np.where(w >= 0, i[w], -1), t),
        word + " (at -1, too)": lambda i, w, t: beside(i, i[w], t),
        word + " (and -1 is the last row)": lambda i, w, t: np.hstack([
            beside(i, w[:, :0], t), beside(i, i[w], t, fill=-1, order=lambda own, near: near)]),
        word + " (and -1 is the last row everywhere)": lambda i, w, t: beside(i, i[w], t, fill=-1),
        "an own id of -1 is a word without a vector: zeros": lambda i, w, t: np.hstack([t[i], beside(
            i, w, t, order=lambda own, near: near)]),
    }, window_features)
    ### END MISTAKES
    close = {"rtol": 1e-4, "atol": 1e-6}
    by_number = "divide by the sum of the weights, not by the number of words"
    summed = "this is the sum; divide by the sum of the weights"
    places = "each weight belongs to a word, not to a position in the text"
    plain = "a document whose weights add up to 0 becomes zeros, not its plain mean"
    empties = "a document without words keeps its row"
    table, weights = np.array([[2.0, 0], [0, 4], [6, 2]]), np.array([1.0, 3, 0])
    empty = np.zeros(0, dtype=int)
    check(average_vectors, [np.array([0, 1, 1])], table, weights).equals(
        [[0.2857143, 3.4285714]],
        near={"the weights were not used": [[0.6666667, 2.6666667]],
              by_number: [[0.6666667, 8]], summed: [[2, 24]],
              "a word that occurs twice counts twice": [[0.5, 3]], places: [[0.5, 3]]}, **close,
    )
    check(average_vectors, [np.array([2]), np.array([1, 0]), empty], table, weights).equals(
        [[0, 0], [0.5, 3], [0, 0]],
        near={by_number: [[0, 0], [1, 6], [0, 0]], summed: [[0, 0], [2, 12], [0, 0]],
              "0/0 is NaN: a document without weight becomes zeros": [[np.nan, np.nan], [0.5, 3], [np.nan, np.nan]],
              plain: [[6, 2], [0.5, 3], [0, 0]], empties: [[0, 0], [0.5, 3]], places: [[6, 2], [1.5, 1], [0, 0]]},
        **close,
    )
    whole = np.array([[2, 0], [0, 4]])
    check(average_vectors, [np.array([0, 1, 1])], whole, np.array([1, 3])).equals(
        [[0.2857143, 3.4285714]], about="whole numbers", edge=True, **close,
        near={"a table of whole numbers has means that are none: here their fractions were lost": [[0, 3]]},
    )
    check(average_vectors, [np.array([0, 1])], table, np.array([1e-7, 3e-7, 0])).equals(
        [[0.5, 3]], about="tiny weights", edge=True, **close,
        near={"nothing is added to the sum of the weights: only a sum of 0 becomes zeros": [[0.4878049, 2.9268293]]},
    )
    check(window_features, np.array([0, -1, 2]), np.array([[-1, 2], [0, 1], [0, -1]]), table).equals(
        [[2, 0, 0, 0, 6, 2], [0, 0, 2, 0, 0, 4], [6, 2, 2, 0, 0, 0]]
    )
    ### BEGIN HIDDEN TESTS
    below_one = "a sum of weights between 0 and 1 is divided by, too: only a sum of 0 becomes zeros"
    check.hidden()
    only = "only the first document was averaged: is the return inside the loop?"

    def mean(documents, table, weights, divide=lambda g: g.sum(), use=lambda w, ids: w[ids], pick=lambda ids: ids):
        out = np.zeros((len(documents), table.shape[1]))
        for i, ids in enumerate(documents):
            ids = pick(np.asarray(ids, dtype=int))
            g = use(weights, ids)
            below = divide(g) if len(ids) else 0
            out[i] = sum((w * table[j] for w, j in zip(g, ids, strict=True)), np.zeros(table.shape[1])) / (below or 1)
        return out

    def dropped(documents, table, weights):
        return mean([ids for ids in documents if len(ids)], table, weights)

    with np.errstate(all="ignore"):
        known = {
            "the weights were not used": lambda d, t, w: mean(d, t, np.ones_like(w)),
            by_number: lambda d, t, w: mean(d, t, w, len),
            summed: lambda d, t, w: mean(d, t, w, lambda g: 1),
            "divide by the weights of the document's words, not of the vocabulary": lambda d, t, w: mean(
                d, t, w, lambda g: w.sum()),
            "a word that occurs twice counts twice": lambda d, t, w: mean(d, t, w, pick=np.unique),
            empties: dropped,
            "the rows were scaled to length 1: the mean itself is asked for": lambda d, t, w: mean(d, t, w)
            / np.maximum(np.linalg.norm(mean(d, t, w), axis=1, keepdims=True), 1e-12),
            only: lambda d, t, w: mean(d, t, w) * (np.arange(len(d)) == 0)[:, None],
            only + " (one row)": lambda d, t, w: mean(d[:1], t, w),
            "the weights were squared": lambda d, t, w: mean(d, t, w**2),
            below_one: lambda d, t, w: mean(d, t, w, lambda g: max(g.sum(), 1)),
            places: lambda d, t, w: mean(
                d, t, w, use=lambda w, ids: np.resize(w, len(ids))),
            "this is the mean of all documents; each has its own": lambda d, t, w: mean([np.concatenate(d)], t, w),
            plain: lambda d, t, w: np.array([
                mean([ids], t, w if w[ids].sum() > 0 else np.ones_like(w))[0] for ids in d]),
        }
        check.mistakes(known)
    for scale in (0.04, 1, 1):
        table = check.rng.normal(size=(7, 5))
        weights = scale * check.rng.uniform(0.1, 4, size=7)
        weights[3] = 0
        documents = [check.rng.integers(0, 7, size=n) for n in (4, 1, 9, 6)]
        documents[0][:3] = 2, 2, 5
        bags = np.array([np.bincount(ids, minlength=7) for ids in documents]) * weights
        below = bags.sum(1, keepdims=True)
        check(average_vectors, documents, table, weights).equals(
            bags @ table / np.where(below > 0, below, 1), about="random documents", **close
        )
    check.mistakes({})
    check(average_vectors, [empty, np.array([3, 3])], table, weights).equals(
        np.zeros((2, 5)),
        about="nothing to average",
        edge=True,
        near={"0/0 is NaN: the row becomes zeros": np.full((2, 5), np.nan), plain: np.stack([0 * table[3], table[3]]),
              empties: np.zeros((1, 5))},
    )
    check.mistakes(known)
    large, g = 50 * check.rng.normal(size=(80, 3)), 90 * check.rng.random(80)
    many = [check.rng.integers(0, 80, size=n) for n in (*check.rng.integers(1, 9, size=70), 100)]
    want = []
    for ids in many:
        total = sum(g[i] for i in ids)
        want.append(sum(g[i] * large[i] for i in ids) / total)
    want = np.array(want)
    exact = {"rtol": 1e-9, "atol": 1e-11}
    check(average_vectors, many, large, g).equals(want, about="many documents in float64", edge=True, **exact)
    one = [np.array([0, 0])], np.array([[2.0, 3.0]]), np.array([0.5])
    check(average_vectors, *one).equals([[2, 3]], about="a table of one word", edge=True)
    check(average_vectors, [np.array([0, 0])], large, g).equals(large[:1], about="word 0 alone", edge=True, **exact)
    check(average_vectors, many[:1], large[:, :1], g).equals(
        want[:1, :1], about="one document, vectors of one number", edge=True, **exact
    )
    for reach, width in [(1, 3), (2, 4), (3, 2), (1, 3)]:
        table = check.rng.normal(size=(6, width))
        ids, windows = check.rng.integers(-1, 6, size=8), check.rng.integers(-1, 6, size=(8, 2 * reach))
        ids[2], windows[4] = -1, -1
        one_hots = [np.eye(7)[column][:, :6] @ table for column in (ids, *windows.T)]  # id -1 is column 6, cut off
        check(window_features, ids, windows, table).equals(np.hstack(one_hots), about="random places")
    check.mistakes({}, window_features)
    for T, reach, table in [(70, 2, large), (1, 1, large), (3, 1, large[:, :1]), (3, 1, large[:1])]:
        ids, windows = (check.rng.integers(-1, len(table), size=shape) for shape in (T, (T, 2 * reach)))
        ids[0], windows[0, 0] = len(table) - 1, len(table) - 1
        check(window_features, ids, windows, table).equals(
            beside(ids, windows, table), about="other sizes, in float64", edge=True, **exact
        )
    ### END HIDDEN TESTS


score
