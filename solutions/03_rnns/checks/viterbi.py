from helpers.checks import difference, graded


@graded("viterbi", points=7)
def score(check):
    import math

    import numpy as np

    ### BEGIN MISTAKES
    from itertools import product
    from helpers.checks import timers
    from scipy.special import logsumexp

    turned = "the transitions were read from column to row: the row is the tag before"
    no_start = "start is missing: it belongs to the first tag"
    no_trans = "the transitions are missing"
    later = "the emissions of the later tokens are missing: each token adds its own"

    def total(e, A, s, y):
        return float(s[y[0]] + sum(e[range(len(y)), list(y)]) + sum(A[i, j] for i, j in zip(y, y[1:], strict=False)))

    check.mistakes({
        turned: lambda e, A, s, y: total(e, A.T, s, y),
        no_start: lambda e, A, s, y: total(e, A, 0 * s, y),
        no_trans: lambda e, A, s, y: total(e, 0 * A, s, y),
        "a path of T tags has T - 1 transitions": lambda e, A, s, y: total(e, A, s, y) + A[y[-1], y[0]],
        "the emissions are missing": lambda e, A, s, y: total(0 * e, A, s, y),
        "the emission of the first token is missing": lambda e, A, s, y: total(e, A, s, y) - e[0, y[0]],
        "start took the place of the first emission: both count": lambda e, A, s, y: total(e, A, s, y) - e[0, y[0]],
        "the last emission is missing": lambda e, A, s, y: total(e, A, s, y) - e[len(y) - 1, y[-1]],
        "start was added at every token": lambda e, A, s, y: total(e, A, s, y) + sum(s[j] for j in y[1:]),
        "the scores are multiplied: logarithms add":
            lambda e, A, s, y: float(s[y[0]] * np.prod(e[range(len(y)), list(y)]) * np.prod(
                [A[i, j] for i, j in zip(y, y[1:], strict=False)])),
        "the transition was taken from a tag to itself":
            lambda e, A, s, y: float(total(e, 0 * A, s, y) + sum(A[j, j] for j in y[1:])),
        "the last transition is missing":
            lambda e, A, s, y: total(e, A, s, y) - sum(A[i, j] for i, j in [*zip(y, y[1:], strict=False)][-1:]),
        "this is the exponential of the score": lambda e, A, s, y: float(np.exp(total(e, A, s, y))),
        "the mean over the tokens was taken: the score is a sum": lambda e, A, s, y: total(e, A, s, y) / len(y),
    }, path_score)

    def tried(e, A, s):
        """All paths (K^T, T), and the score of each."""
        paths = np.array([*product(range(e.shape[1]), repeat=len(e))])
        steps = A[paths[:, :-1], paths[:, 1:]].sum(1)
        return paths, s[paths[:, 0]] + e[range(len(e)), paths].sum(1) + steps

    def best(e, A, s, pick=np.argmax):
        paths, scores = tried(e, A, s)
        return paths[pick(scores)].tolist()

    def stepwise(e, A, s):
        path = [int((s + e[0]).argmax())]
        for row in e[1:]:
            path.append(int((A[path[-1]] + row).argmax()))
        return path

    def no_notes(e, A, s):
        score, path = s + e[0], []
        for row in e[1:]:
            path.append(int(score.argmax()))
            score = (score[:, None] + A).max(0) + row
        return [*path, int(score.argmax())]

    def steps(e, A, s, *, axis=0, turn=True, least=-np.inf, off=False, lost=-np.inf):
        """The usual loop with its usual slips: notes along the other axis, sums on the wrong side, a maximum from 0.

        lost: what becomes of a score of minus infinity.
        """
        score, notes = s + e[0], []
        for row in e[1:]:
            table = (score[:, None] if turn else score) + A
            notes.append(np.where(table.max(0) > least, table.argmax(axis), 0))
            score = np.maximum(table.max(0), least) + row
            score = np.where(np.isneginf(score), lost, score)
        notes = [0 * e[0].astype(int), *notes][:-1] if off else notes
        path = [int(score.argmax())]
        for before in notes[::-1]:
            path.append(int(before[path[-1]]))
        return path[::-1]

    check.mistakes({
        "the notes run along the other axis: for each tag, note the best tag before": lambda *a: steps(*a, axis=1),
        "the scores so far were added to the columns: they belong to the tag before, in the rows":
            lambda *a: steps(*a, turn=False),
        "the notes were read one token off: those that lead to token t name the tag at t - 1":
            lambda *a: steps(*a, off=True),
        "the maximum began at 0: scores may all be negative, begin at minus infinity": lambda *a: steps(*a, least=0),
        "a tag that no path reaches has the score minus infinity: here it became 0": lambda *a: steps(*a, lost=0.0),
        "each token's best tag was taken alone: that ignores the transitions":
            lambda e, A, s: [int(t) for t in e.argmax(1)],
        "from left to right, the best next tag was taken each time: a worse tag now may lead to a better path":
            stepwise,
        turned: lambda e, A, s: best(e, A.T, s),
        no_start: lambda e, A, s: best(e, A, np.zeros_like(s)),
        no_trans: lambda e, A, s: best(e, np.zeros_like(A), s),
        "the path is reversed: the first tag comes first": lambda e, A, s: best(e, A, s)[::-1],
        "the worst path was found: maximise": lambda e, A, s: best(e, A, s, np.argmin),
        "the best end of each step is no path: follow the notes backwards from the last": no_notes,
        later: lambda e, A, s: best(np.vstack([e[:1], 0 * e[1:]]), A, s),
        "the emissions of the first token are missing": lambda e, A, s: best(np.vstack([0 * e[:1], e[1:]]), A, s),
        "the score came back: the path is asked for": lambda e, A, s: total(e, A, s, best(e, A, s)),
        "path and score came back: the path alone is asked for":
            lambda e, A, s: (best(e, A, s), total(e, A, s, best(e, A, s))),
        "start was added at every token": lambda e, A, s: best(e + s - np.eye(len(e))[:, :1] * s, A, s),
        "the scores were multiplied: they are logarithms, and add":
            lambda e, A, s: list(max(product(range(e.shape[1]), repeat=len(e)),
                key=lambda y: s[y[0]] * np.prod(e[range(len(y)), list(y)]) * np.prod(
                    [A[i, j] for i, j in zip(y, y[1:], strict=False)]))),
        "one tag for each token is asked for: the first is missing": lambda e, A, s: best(e, A, s)[1:],
        "one tag for each token is asked for: the last is missing": lambda e, A, s: best(e, A, s)[:-1],
    }, viterbi)

    def paths(e, A, s, fold=logsumexp):
        return float(fold(tried(e, A, s)[1]))

    def shifted(e, A, s, top):
        total = s + e[0]
        for row in e[1:]:
            table = total[:, None] + A
            shift, back = top(table)
            with np.errstate(all="ignore"):
                total = back + np.log(np.exp(table - shift).sum(0)) + row
        return float(logsumexp(total))

    def over_columns(e, A, s):
        total = s + e[0]
        for row in e[1:]:
            total = logsumexp(total[:, None] + A, axis=1) + row
        return float(logsumexp(total))

    check.mistakes({
        "this is the score of the best path: the sum goes over all paths": lambda e, A, s: paths(e, A, s, np.max),
        "the logarithm is missing": lambda e, A, s: float(np.exp(paths(e, A, s))),
        turned: lambda e, A, s: paths(e, A.T, s),
        no_start: lambda e, A, s: paths(e, A, 0 * s),
        no_trans: lambda e, A, s: paths(e, 0 * A, s),
        "the mean over the paths was taken: it is a sum": lambda e, A, s: paths(e, A, s) - len(e) * np.log(e.shape[1]),
        "the scores were summed, not their exponentials": lambda e, A, s: paths(e, A, s, np.sum),
        "this is the number of the best last tag: sum over the last tag, too": lambda e, A, s: max(
            logsumexp([total(e, A, s, (*y, j)) for y in product(range(e.shape[1]), repeat=len(e) - 1)])
                for j in range(e.shape[1])),
        "these are the numbers for each last tag: sum over it, too": lambda e, A, s: np.array([
            logsumexp([total(e, A, s, (*y, j)) for y in product(range(e.shape[1]), repeat=len(e) - 1)])
                for j in range(e.shape[1])]),
        "each column's largest number is subtracted from it and added back: here each row's was taken":
            lambda *a: shifted(*a, lambda table: (table.max(1, keepdims=True), table.max(1))),
        "one largest number was subtracted from the whole table: each column needs its own":
            lambda *a: shifted(*a, lambda table: (table.max(), table.max())),
        "the sum goes over the tag before, the rows of the table: here it went over the columns": over_columns,
        later: lambda e, A, s: paths(np.vstack([e[:1], 0 * e[1:]]), A, s),
        "the last row of emissions is missing": lambda e, A, s: paths(np.vstack([e[:-1], 0 * e[-1:]]), A, s),
        "the first row of emissions is missing": lambda e, A, s: paths(np.vstack([0 * e[:1], e[1:]]), A, s),
        "the best path's score was subtracted: the sum over all paths is asked for":
            lambda e, A, s: paths(e, A, s) - paths(e, A, s, np.max),
    }, log_partition)
    ### END MISTAKES
    emissions = np.array([[0.3, 0.1, 0.2], [0.0, -2.0, 0.1], [-0.5, -0.2, -0.9], [-0.8, 0.1, -0.4]])
    transitions = np.array([[0.2, 0.5, 0.1], [0.3, -0.8, -0.2], [1.0, -0.1, 1.0]])
    start = np.array([0.1, 1.1, -0.9])
    check(path_score, emissions, transitions, start, [1, 2, 0, 1]).equals(2.2, about="one path")
    several = check(viterbi, emissions, transitions, start).equals([1, 2, 0, 1], about="four tokens, three tags")
    check(log_partition, emissions, transitions, start).equals(4.78480, rtol=1e-4, about="all 81 paths")
    overflown = "exp is too large, or 0, for scores of thousands: subtract the largest, as log-sum-exp does"
    low = np.array([[0.0, 2.0], [-2.0, 0.0], [0.0, -3.0]]) - 3000
    check(viterbi, low, np.array([[1.0, 0.5], [0.0, 0.0]]), np.zeros(2)).equals(
        [1, 1, 0], about="all scores far below zero",
        near={"a number such as -1000 was taken for minus infinity: good paths score less than that here": [0, 0, 0]},
    )
    short = "with one token there is no step: the best tag is that of start plus its emissions"
    errors = {short: UnboundLocalError, f"{short} (an empty list has none)": IndexError,
              f"{short} (no notes, nothing to stack)": ValueError} if several.passed else {}
    check(viterbi, emissions[:1], transitions, start).equals([1], about="one token", edge=True, near=errors)
    barred = emissions - 4
    barred[3, 1] = -np.inf
    check(viterbi, barred, transitions, start).equals(
        [1, 2, 2, 2], about="an emission of minus infinity",
        near={"minus infinity times 0, or less itself, is not a number: choose, do not multiply": ValueError},
    )
    for far, right in ((3000, 12004.7848), (-3000, -11995.2152)):
        check(log_partition, emissions + far, transitions, start).equals(
            right, rtol=1e-8, about="scores of thousands",
            near={overflown: math.inf, f"{overflown} (0 came)": -math.inf},
        )
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def draw(*shape):
        return check.rng.normal(size=shape) * 2

    for T, K in ((4, 3), (6, 2), (5, 4), (1, 3)):
        e, A, s, y = draw(T, K), draw(K, K), draw(K), [int(t) for t in check.rng.integers(K, size=T)]
        chosen = np.eye(K)[y]
        expected = (chosen * e).sum() + chosen[0] @ s + np.einsum("ti,ij,tj->", chosen[:-1], A, chosen[1:])
        check(path_score, e, A, s, y).equals(float(expected), about="a random path", edge=T == 1)

    def exact(value, about):
        """Judge by all sixteen digits of float64."""
        return {"test": lambda v: difference(v, value, 1e-10, 1e-12) is None, "says": "float64 in, float64 out",
            "about": about, "edge": True, "near": {"float64 was rounded to float32 on the way": lambda v: difference(
            v, value, 1e-4, 1e-5) is None}}

    narrow = "float64 was rounded to float32 on the way"
    for T, K, about in ((70, 75, "many tokens, many tags, large scores"), (3, 1, "one tag")):
        e, A, s, y = 40 * draw(T, K), 40 * draw(K, K), 40 * draw(K), [int(t) for t in check.rng.integers(K, size=T)]
        y[0] = y[-1] = K - 1
        check(path_score, e, A, s, y).equals(total(e, A, s, y), about=f"the score of a path: {about}", edge=True)
    check(path_score, e, A, s, y).holds(**exact(total(e, A, s, y), "the score of a path in float64"))
    well = True
    for T, K in ((5, 3), (6, 2), (4, 4), (6, 3), (5, 3), (1, 4)):
        e, A, s = draw(T, K), draw(K, K) * 2, draw(K) * 2
        case = check(viterbi, e, A, s).equals(best(e, A, s), about="random scores, all paths tried", edge=T == 1)
        well = well and case.passed
    for T, K in ((5, 3), (6, 2)):
        e, A, s = -8 - abs(draw(T, K)), -9 - abs(draw(K, K)) * 2, -abs(draw(K))
        check(viterbi, e, A, s).equals(best(e, A, s), about="logarithms of probabilities")
    barred = np.where(np.eye(3, k=1) > 0, -np.inf, draw(3, 3))
    s = np.array([0.0, -np.inf, 0.5])
    for e in (draw(6, 3), draw(6, 3), np.where(np.eye(6, 3, k=-2) + np.eye(6, 3, k=1) > 0, 5e5, draw(6, 3))):
        check(viterbi, e, barred, s).equals(best(e, barred, s), about="forbidden steps", near={
            "minus infinity times 0 is not a number: choose, do not multiply": ValueError,
            "minus infinity became a number: however good the emissions, no path takes such a step": best(
                e, np.maximum(barred, -1e4), np.maximum(s, -1e4))})
    long = (draw(300, 5), draw(5, 5), draw(5))
    score, notes = long[2] + long[0][0], []
    for row in long[0][1:]:
        notes.append((score[:, None] + long[1]).argmax(0).tolist())
        score = (score[:, None] + long[1]).max(0) + row
    path = [int(np.argmax(score))]
    for note in notes[::-1]:
        path.insert(0, note[path[0]])
    check.mistakes({}, viterbi)
    listed = "no answer came in time: are all paths listed? Keep the best of those that end in a tag, token by token"
    check(viterbi, *long).equals(path, about="a long sentence", near={listed: timers.CaseTimeout})
    e, A, s = draw(70, 75), draw(75, 75), draw(75)
    s[:70], A[:70, :70] = s[:70] - 60, A[:70, :70] - 60  # the best path goes through the last tags
    score, notes = s + e[0], []
    for row in e[1:]:
        notes.append((score[:, None] + A).argmax(0).tolist())
        score = (score[:, None] + A).max(0) + row
    path = [int(np.argmax(score))]
    for note in notes[::-1]:
        path.insert(0, note[path[0]])
    check(viterbi, e, A, s).equals(path, about="many tags", edge=True)
    check(viterbi, draw(4, 1), draw(1, 1), draw(1)).equals([0, 0, 0, 0], about="one tag", edge=True)
    for _ in range(3):
        e, A, s = draw(5, 3), draw(3, 3), draw(3)
        for large in ((1e10, 0, 0), (0, 1e10, 0), (0, 0, 1e10)):
            s = -50 * e[0] if large[2] else s  # the start decides, against the first emissions
            shifted_scores = e + large[0], A + large[1], s + large[2]
            near = {}
            if well:
                near[narrow] = best(*[scores.astype(np.float32) for scores in shifted_scores])
            check(viterbi, *shifted_scores).equals(best(e, A, s), edge=True,
                about="large scores, small differences", near=near)
    for T, K in ((4, 3), (6, 2), (3, 5), (1, 3)):
        e, A, s = draw(T, K), draw(K, K), draw(K)
        check(log_partition, e, A, s).equals(paths(e, A, s), about="all paths of random scores", edge=T == 1)
    e, A, s = draw(4, 3), draw(3, 3), draw(3)
    check(log_partition, e, A, s).holds(**exact(paths(e, A, s), "all paths in float64"))
    e, A, s = draw(4, 3) * 500, draw(3, 3) * 500, draw(3) * 500
    check(log_partition, e, A, s).equals(paths(e, A, s), about="large scores", near={
        "an exponential overflowed: subtract the largest number first": np.inf,
            "an exponential overflowed (NaN): subtract the largest number first": np.nan,
            "every exponential became 0: subtract the largest number first": -np.inf})
    check(log_partition, e - 5000, A, s).equals(paths(e - 5000, A, s), about="large negative scores", near={
        "an exponential overflowed (NaN): subtract the largest number first": np.nan,
        "every exponential became 0: subtract the largest number first": -np.inf})
    check.mistakes({}, log_partition)  # they try all paths
    for T, K in ((70, 75), (5, 1)):
        e, A, s = draw(T, K) / 4, draw(K, K) / 4, draw(K) / 4
        ways = np.exp(s + e[0])
        for row in e[1:]:
            ways = ways @ np.exp(A) * np.exp(row)
        check(log_partition, e, A, s).equals(float(np.log(ways.sum())), edge=True, rtol=1e-8,
            about="all paths: many tokens and tags, or one tag")
    e, A, s = draw(5, 3), draw(3, 3), draw(3)
    check(viterbi, e - 3000, A, s).equals(best(e, A, s), about="all scores far below zero")
    e[2, 1] = -np.inf
    for less in (0, 30):  # then all scores are below 0
        check(viterbi, e - less, A, s).equals(best(e, A, s), about="an emission of minus infinity")
    ### END HIDDEN TESTS


score
