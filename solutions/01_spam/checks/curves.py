from helpers.checks import graded


@graded("curves", points=6)
def score(check):
    import numpy as np

    inf, nan = np.inf, np.nan
    turned_to_array = "labels may be a list: np.asarray makes an array of it"
    ### BEGIN MISTAKES
    from sklearn.metrics import roc_curve

    from helpers.chapters.spam.together import one_by_one

    def parted(labels, scores):
        """Return the scores of ham and those of spam, and the different ones, the highest first."""
        labels, scores = np.asarray(labels), np.asarray(scores, dtype=float)
        return scores[labels == 0], scores[labels == 1], np.unique(scores)[::-1]

    def shares(scores, thresholds, test=np.greater_equal):
        """Return the share of scores from each threshold upwards, after a 0."""
        return np.append(0, test(scores[None], np.asarray(thresholds)[:, None]).mean(axis=1))

    def other_shares(labels, scores):
        """Mistakes that count or divide something else at the same thresholds."""
        hams, spams, down = parted(labels, scores)
        ham, spam, n = len(hams), len(spams), len(labels)
        fpr, tpr = shares(hams, down), shares(spams, down)
        late_fpr, late_tpr = shares(hams, down, np.greater), shares(spams, down, np.greater)
        precision = np.append(0, tpr[1:] * spam / (fpr * ham + tpr * spam)[1:])
        false_share = np.append(0, 1 - precision[1:])
        use = "scores from the threshold upwards are spam: use >=, not"
        called = "the FPR is the share of all ham, not of what is called spam"
        precise = "the FPR is the share of ham that is called spam: this is the precision"
        return {
            "FPR and TPR are swapped": (tpr, fpr),
            "the start at (0, 0) is missing": (fpr[1:], tpr[1:]),
            "the start at (0, 0) comes first, not last": (np.append(fpr[1:], 0), np.append(tpr[1:], 0)),
            "a score equal to the threshold counts as spam: use >=": (late_fpr, late_tpr),
            "the last point, (1, 1), is missing: take every score as a threshold, and use >=": (fpr[:-1], tpr[:-1]),
            "ham with a score equal to the threshold counts, too: use >=": (late_fpr, tpr),
            "spam with a score equal to the threshold counts, too: use >=": (fpr, late_tpr),
            f"{use} <=": (shares(hams, down, np.less_equal), shares(spams, down, np.less_equal)),
            f"{use} <": (shares(hams, down, np.less), shares(spams, down, np.less)),
            "divide by the number of the class, not by all": (fpr * ham / n, tpr * spam / n),
            "divide ham by the number of all ham, not of all messages": (fpr * ham / n, tpr),
            "divide spam by the number of all spam, not of all messages": (fpr, tpr * spam / n),
            "divide each by the number of its own class": (fpr * ham / spam, tpr * spam / ham),
            "these are counts: divide by the number of the class": (fpr * ham, tpr * spam),
            "the highest score comes first; here the order is reversed": (fpr[::-1], tpr[::-1]),
            "the TPR is the share of all spam (recall), not the precision": (fpr, precision),
            "the TPR is the share of all spam (recall), not the precision, which starts at 1":
                (fpr, np.append(1, precision[1:])),
            called: (false_share, tpr), precise: (precision, tpr),
            f"{called}, nor is the TPR": (false_share, precision),
            "the FPR counts ham from the threshold upwards; the specificity counts it below":
                (np.append(0, 1 - fpr[1:]), tpr),
            "the FPR counts ham from the threshold upwards: this is 1 - FPR, the specificity": (1 - fpr, tpr),
            "the TPR counts spam from the threshold upwards: these are the misses": (fpr, np.append(0, 1 - tpr[1:])),
            "the TPR counts spam from the threshold upwards; these are the misses": (fpr, 1 - tpr),
            "(0, 0) comes once only, at the start": (np.append(0, fpr), np.append(0, tpr)),
            "the highest score is a threshold, too, after the start at (0, 0)": (np.delete(fpr, 1), np.delete(tpr, 1)),
            "(1, 1) comes with the lowest score: do not add it again": (np.append(fpr, 1), np.append(tpr, 1)),
            "return two arrays, FPR and TPR, without the thresholds": (fpr, tpr, down),
            "return two arrays, FPR and TPR, not the thresholds as well": (fpr, tpr, np.append(inf, down)),
            "return two arrays, FPR and TPR, not pairs": np.stack([fpr, tpr], axis=1),
        }

    def other_thresholds(labels, scores):
        """Mistakes that take other points."""
        hams, spams, down = parted(labels, scores)
        labels, scores = np.asarray(labels), np.asarray(scores, dtype=float)
        entering = []
        for order in (np.argsort(-scores, kind="stable"), np.argsort(scores, kind="stable")[::-1]):
            entering.append([np.append(0, np.cumsum(labels[order] == y) / np.sum(labels == y)) for y in (0, 1)])
        top = scores.max() + 1
        straight = "one point for each distinct score, even on a straight line: drop_intermediate=False"
        found = {
            "equal scores enter together, as one point": tuple(entering[0]),
            "equal scores enter together, as one point, whatever their order": tuple(entering[1]),
            straight: roc_curve(labels, scores)[:2],
            "the start is above all scores, as infinity is: of large ones, 1 more than the highest is the highest":
                tuple(np.append(np.mean(part >= top), shares(part, down)[1:]) for part in (hams, spams)),
        }
        thresholds = {
            "equal scores are one threshold, not two": np.sort(scores)[::-1],
            "one point for each distinct score, from the highest on: sort them": scores,
            "the highest score comes first": down[::-1],
            "one point for each distinct score, those of ham, too": np.unique(spams)[::-1],
            "one point for each distinct score, those of spam, too": np.unique(hams)[::-1],
            "scores may be below 0 or above 1: take one point for each distinct score":
                down[(down >= 0) & (down <= 1)],
            "scores may be negative: take one point for each distinct score": down[down >= 0],
        }
        for size in (10, 11, 20, 21, 50, 51, 100, 101) if len(scores) > 7 else ():  # of few scores it says little
            grid = f"one point for each distinct score, not a grid of {size} thresholds"
            thresholds[grid] = np.linspace(scores.max(), scores.min(), size)
            thresholds[f"{grid} from 1 to 0"] = np.linspace(1, 0, size)
        found |= {words: (shares(hams, at), shares(spams, at)) for words, at in thresholds.items()}
        for digits in (*range(5), 6, 8):
            at = np.unique(np.round(scores, digits))[::-1]
            rounded = f"one point for each distinct score: do not round them (decimals={digits})"
            found[rounded] = (shares(np.round(hams, digits), at), shares(np.round(spams, digits), at))
        return found

    def points(labels, scores):
        """What the known mistakes of the curve give."""
        return other_shares(labels, scores) | other_thresholds(labels, scores)

    def errors_at(labels, scores):
        """Return the candidates, infinity first, and at each the numbers of false alarms and of misses."""
        hams, spams, down = parted(labels, scores)
        down = np.append(inf, down)
        return down, (hams >= down[:, None]).sum(axis=1), (spams < down[:, None]).sum(axis=1)

    def other_costs(labels, scores, alarm, miss):
        """Mistakes in the cost of a threshold: the one that it chooses by, and the one that it returns."""
        down, alarms, misses = errors_at(labels, scores)
        ham, spam = alarms[-1], misses[0]
        cost, errors = alarm * alarms + miss * misses, alarms + misses
        above = np.append(0, np.arange(len(down) - 1))  # with > instead of >=, a threshold leaves its own scores out
        less, more = misses[above], alarms[above]
        swapped, one = alarm * misses + miss * alarms, alarm * alarms / max(ham, 1) + miss * misses / max(spam, 1)
        but_infinity = np.append(cost[:1], swapped[1:])
        own = "the costs were ignored: multiply each kind of error by its own"
        found = {
            "the two costs are swapped": (swapped, swapped),
            "the two costs are swapped in the choice of the threshold": (swapped, cost),
            "the two costs are swapped at every threshold but infinity": (but_infinity, but_infinity),
            own: (errors, errors),
            "the costs were ignored in the choice of the threshold": (errors, cost),
            "the costs were ignored in the total: multiply each kind of error by its own": (cost, errors),
            "counts are weighed, not shares, in the choice of the threshold": (one, cost),
            "the costs decide, not TPR - FPR": (alarms / max(ham, 1) + misses / max(spam, 1), cost),
        }
        for words, other in {
            "spam below the threshold is a miss, and it costs": alarm * alarms,
            "ham at or above the threshold is a false alarm, and it costs": miss * misses,
            "the cost of a miss was ignored": alarm * alarms + misses,
            "the cost of a false alarm was ignored": alarms + miss * misses,
            "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse":
                alarm * (spam - misses) + miss * (ham - alarms),
            "a false alarm is ham at or above the threshold, not below": alarm * (ham - alarms) + miss * misses,
            "a score equal to the threshold counts as spam: use >=": alarm * more + miss * less,
            "a score equal to the threshold counts as spam: no miss, use <": alarm * alarms + miss * less,
            "a score equal to the threshold counts as spam: a false alarm, use >=": alarm * more + miss * misses,
            "counts are weighed, not shares": one,
            "counts are weighed, not shares of a class times all messages": len(labels) * one,
        }.items():
            found[words] = (other, other)
        return {words: (down[np.argmin(by)], of[np.argmin(by)]) for words, (by, of) in found.items()}

    def other_candidates(labels, scores, alarm, miss):
        """Mistakes in the thresholds that are tried, and in what is returned of the cheapest."""
        down, alarms, misses = errors_at(labels, scores)
        cost, scores = alarm * alarms + miss * misses, np.asarray(scores, dtype=float)
        i, last = cost.argmin(), np.flatnonzero(cost == cost.min())[-1]
        half = np.append(inf, (down[1:-1] + down[2:]) / 2)
        hams, spams, _ = parted(labels, scores)
        between = [alarm * sum(hams >= t) + miss * sum(spams < t) for t in half]
        position = [0, *(np.flatnonzero(scores == t)[0] for t in down[1:])]  # of each candidate among the scores
        appear = np.append(0, 1 + np.argsort(position[1:], kind="stable"))  # the candidates as they appear
        rises = np.flatnonzero(np.diff(cost) > 0)
        stop = cost[: rises[0] + 1 if len(rises) else None].argmin()
        inside = np.flatnonzero((down >= 0) & (down <= 1) | (down == inf))
        late = np.roll(np.arange(len(down)), -1)
        at_once = 0 if len(hams) * len(spams) == 0 else i
        found = {}
        for words, order in {
            "of equally cheap thresholds take the highest, not the one that comes first": appear,
            "of equally cheap thresholds take the highest, even if that is infinity": late,
            "infinity is a candidate, too": np.arange(1, len(down)),
            "scores may be below 0 or above 1, and all are candidates": inside,
        }.items():
            k = order[cost[order].argmin()]
            found[words] = (down[k], cost[k])
        return found | {
            "of equally cheap thresholds take the highest": (down[last], cost[i]),
            "infinity itself is the candidate, not a number above the highest score":
                (max(scores) + 1 if i == 0 else down[i], cost[i]),
            "infinity itself is the candidate, not the highest score, which is one of its own":
                (down[max(i, 1)], cost[i]),
            "threshold and cost are swapped": (cost[i], down[i]),
            "the total cost is asked for, not the mean": (down[i], cost[i] / len(labels)),
            "the total cost is asked for, not the share of the errors": (down[i], (alarms + misses)[i] / len(labels)),
            "the thresholds are the scores, not half way between them": (half[np.argmin(between)], min(between)),
            "the threshold is asked for, not the index of the candidate": (i, cost[i]),
            "the threshold is asked for, not the index of the score": (i - 1, cost[i]),
            "the threshold is asked for, not the index of the message": (position[i], cost[i]),
            "the smallest cost is asked for, not the largest": (down[cost.argmax()], cost.max()),
            "go through all thresholds: do not stop where the cost first rises": (down[stop], cost[stop]),
            "infinity came because one class is missing: count errors (a share is 0/0, and no cost is below that "
            "at infinity)": (down[at_once], cost[at_once]),
        }

    def choices(labels, scores, alarm, miss):
        """What the known mistakes of the threshold give."""
        return other_costs(labels, scores, alarm, miss) | other_candidates(labels, scores, alarm, miss)

    check.mistakes(one_by_one(points, [0, 1] * 4, list(range(8))), roc_points)
    check.mistakes(one_by_one(choices, [0, 1], [0.2, 0.8], 1.0, 1.0), best_threshold)
    ### END MISTAKES
    lists = {"labels and scores may be lists: np.asarray makes arrays of them": TypeError}
    whole = {"infinity does not fit into an array of integers: make the scores floats": OverflowError}

    def not_found(n):
        """What comes of labels that are a list, of which none is equal to 1: n points, the first as it is, or not."""
        none = [nan] * (n - 1)
        return {
            turned_to_array: ([0, *none], [0, *none]),
            "labels may be a list; np.asarray makes an array of it": ([nan, *none], [nan, *none]),
        }

    labels, scores = [1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]
    check(roc_points, labels, list(scores)).equals(([0, 0, 0.5, 1], [0, 0.5, 1, 1]), near=lists | not_found(4))
    check(best_threshold, labels, list(scores), 1.0, 1.0).equals(
        (0.9, 1.0), near=lists | {turned_to_array: (inf, 0.0)}
    )
    check(best_threshold, labels, list(scores), 1.0, 5.0).equals(
        (0.8, 1.0), near=lists | {turned_to_array: (inf, 0.0)}
    )
    check(best_threshold, [0, 0, 1], [0.9, 0.8, 0.1], 1.0, 1.0).equals(
        (inf, 1.0),
        near={
            "infinity is a candidate: calling nothing spam is the cheapest here": (0.1, 2.0),
            turned_to_array: (inf, 0.0),
        },
    )
    labels, scores = [0, 1, 1, 0, 0, 1, 0], [2e17, 0.14, 0.1400001, -1.0, -2.3, -2.0, -4.0]
    check(roc_points, labels, list(scores)).equals(
        (np.array([0, 1, 1, 1, 2, 2, 3, 4]) / 4, np.array([0, 0, 1, 2, 2, 3, 3, 3]) / 3),
        about="four ham and three spam, scores of any size", near=not_found(8),
    )
    unsigned = np.array([5, 200, 0, 120], dtype=np.uint8)
    narrow, floats = "in unsigned integers (uint8)", "make the scores floats first"
    turned = f"{narrow} -200 is 56, and -0 comes first: {floats}"
    check(roc_points, [0, 1, 0, 1], unsigned).equals(
        ([0, 0, 0, 0.5, 1], [0, 0.5, 1, 1, 1]), about="unsigned scores", edge=True,
        near=whole | not_found(5) | {
            turned: ([0, 1, 1, 1.5, 2], [0, 1, 1.5, 2, 2]),
            f"{turned} (these are the thresholds)": ([0, 1, 0, 0, 0.5], [0, 1, 0.5, 1, 1]),
            f"{narrow} nothing is below 0: {floats}": ([0, 1], [0, 1]),
        },
    )
    check(best_threshold, [0, 1, 0, 0, 1], [2, 1, -1, -3, -2], 2.5, 4.0).equals(
        (-2, 5.0), about="whole numbers below 0", near=whole
    )
    check(best_threshold, [1, 0, 1, 1, 0], [30.5, 20.5, 50.5, 10.5, 40.5], 7000.0, 7000.0).equals(
        (50.5, 14000.0), about="the highest comes later, and costs are high"
    )
    check(best_threshold, [0, 1], [3.0, -5.0], 1.0, 1.0).equals((inf, 1.0), about="a tie with infinity")
    absent = "count the errors themselves: where a class is missing, a share of it is 0/0"
    check(best_threshold, [0, 0], [0.7, 0.2], 2.0, 1.0).equals(
        (inf, 0.0), about="one class alone", edge=True,
        near={
            absent: (0.7, nan), f"{absent}, from infinity on": (inf, nan), f"{absent}, an error": ZeroDivisionError,
            f"{absent}, and no cost is below infinity": (inf, inf),
        },
    )
    check(best_threshold, [1, 1], [0.7, 0.2], 2.0, 1.0).equals((0.2, 0.0), about="one class alone", edge=True)
    ### BEGIN HIDDEN TESTS
    check.hidden()

    def cheapest(labels, scores, alarm, miss):
        down, alarms, misses = errors_at(labels, scores)
        cost = alarm * alarms + miss * misses
        return down[cost.argmin()], cost.min()

    for digits, about in [(9, "random scores"), (1, "random scores with ties"), (0, "scores with many ties")]:
        labels = check.rng.permutation([0] * 16 + [1] * 8)  # shares and costs are exact, so that all sums tie alike
        scores = np.round(check.rng.normal(size=24) * 1.5 + labels, digits)
        if digits == 9:  # one spam and one ham that only a full comparison tells apart
            scores[[labels.argmin(), labels.argmax()]] = np.round(scores[0], 2) + np.array([1e-4, 2e-4])
        fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
        check(roc_points, labels, scores.copy()).equals((fpr, tpr), about=about)
        for alarm, miss in [(1.0, 1.0), (5.0, 1.0), (1.5, 4.0), (2**-5, 2**-6), (2**-6, 3 * 2**-6), (0.0, 2.0)]:
            check(best_threshold, labels, scores.copy(), alarm, miss).equals(
                cheapest(labels, scores, alarm, miss), about="cheapest threshold"
            )
    shuffled = np.array([3, 2, 5, 0, 4, 1])
    for kinds, about in [([1, 0, 1, 0, 1, 0], "equally cheap thresholds"), ([0, 1, 0, 1, 0, 1], "infinity ties")]:
        labels, scores = np.array(kinds)[shuffled], np.sort(check.rng.normal(size=6))[::-1][shuffled]
        right = cheapest(labels, scores, 1.0, 1.0)
        check(best_threshold, labels, scores.copy(), 1.0, 1.0).equals(right, about=about)
    labels, scores = np.array([0, 1, 1, 0, 1, 0, 0]), np.array([-2, 3, 0, 0, 7, 3, -4])
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    check(roc_points, labels, scores.copy()).equals((fpr, tpr), about="integer scores", near=whole)
    right = cheapest(labels, scores, 2.0, 1.0)
    check(best_threshold, labels, scores.copy(), 2, 1).equals(right, about="integer scores", near=whole)

    def by_shares(highest):
        return {
            absent: (highest, nan), f"{absent}, from infinity on": (inf, nan),
            f"{absent}, and no cost is below infinity": (inf, inf),
            f"{absent}, an error": ZeroDivisionError,
        }

    check(best_threshold, [0, 1, 1], [0.9, 0.8, 0.7], 7000, 9000).equals(
        (0.7, 7000), about="large costs", near={"the search must start from the cost at infinity": (None, 1000)}
    )
    check(best_threshold, [1, 1], [-2.0, -3.0], 1.0, 1.0).equals(
        (-3, 0), about="negative scores, all spam", near=by_shares(-2), edge=True
    )
    check(best_threshold, [0, 0, 0], [0.2, 0.7, 0.4], 2.0, 1.0).equals(
        (inf, 0), about="no spam at all", near=by_shares(0.7), edge=True
    )
    labels, scores = np.array([0, 1, 1, 0, 1, 0, 1, 0]), np.array([5, 200, 120, 5, 31, 120, 0, 255], dtype=np.uint8)
    fpr, tpr, _ = roc_curve(labels, scores.astype(float), drop_intermediate=False)
    below = f"{narrow} nothing is below 0: {floats}"
    ham, spam = (
        np.append(0, np.cumsum([np.sum(scores[labels == y] == t) for t in (0, 255, 200, 120, 31, 5)])) for y in (0, 1))
    last = [0, 6, 1, 2, 3, 4, 5]  # the lowest score, 0, is taken for the highest
    check(roc_points, labels, scores.copy()).equals(
        (fpr, tpr), about="unsigned scores", edge=True,
        near=whole | {
            turned: (ham / 4, spam / 4), f"{turned} (these are the thresholds)": (fpr[last], tpr[last]),
            below: ([0, 1], [0, 1]), f"{below}, so no difference tells a score below the threshold": (
                [0, *[1] * 6], [0, *[1] * 6]),
            f"{narrow} 255 + 1 is 0, and no start above all scores: {floats}": (
                np.append(1, fpr[1:]), np.append(1, tpr[1:])),
        },
    )
    check(best_threshold, labels, scores.copy(), 1.0, 2.0).equals(
        cheapest(labels, scores, 1.0, 2.0), about="unsigned scores", edge=True,
        near=whole | {
            turned: (31, 2), f"{turned} (these are the thresholds)": (0, 4),
            f"{below}, so no difference tells a score below the threshold": (255, 4),
        },
    )
    labels, scores = np.array([0, 1, 0, 1]), np.array([1.0, 3.0, 2.0, 4.0]) * 1e17
    check(roc_points, labels, scores.copy()).equals(
        ([0, 0, 0, 0.5, 1], [0, 0.5, 1, 1, 1]), about="very large scores", edge=True
    )
    labels, scores = np.array([0, 1, 0, 1]), np.array([1.0, 3.0, 2.0, 4.0]) * 1e-12
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    check(roc_points, labels, scores.copy()).equals(
        (fpr, tpr), about="very small scores", edge=True,
        near={"scores that differ by little are not equal: do not round them": ([0, 1], [0, 1])})
    ### END HIDDEN TESTS


score
