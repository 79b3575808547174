from helpers.checks import graded


@graded("curves", points=6)
def score(check):
    import numpy as np

    inf, nan = np.inf, np.nan
    labels, scores = [1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]
    check(roc_points, labels, list(scores)).equals(
        ([0, 0, 0.5, 1], [0, 0.5, 1, 1]),
        near={
            "FPR and TPR are swapped": ([0, 0.5, 1, 1], [0, 0, 0.5, 1]),
            "the start at (0, 0) is missing": ([0, 0.5, 1], [0.5, 1, 1]),
            "a score equal to the threshold counts as spam: use >=": ([0, 0, 0, 0.5], [0, 0, 0.5, 1]),
            "the last point, (1, 1), is missing: take every score as a threshold, and use >=": (
                [0, 0, 0.5], [0, 0.5, 1]),
            "ham with a score equal to the threshold counts, too: use >=": ([0, 0, 0, 0.5], [0, 0.5, 1, 1]),
            "equal scores enter together, as one point": ([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1]),
            "equal scores enter together, as one point, whatever their order": ([0, 0, 0, 0.5, 1], [0, 0.5, 1, 1, 1]),
            "equal scores are one threshold, not two": ([0, 0, 0.5, 0.5, 1], [0, 0.5, 1, 1, 1]),
            "one point for each different score, from the highest on: sort them": (
                [0, 0, 0.5, 0.5, 1], [0, 0.5, 1, 1, 1]),
            "divide by the number of the class, not by all": ([0, 0, 0.25, 0.5], [0, 0.25, 0.5, 0.5]),
            "these are counts: divide by the number of the class": ([0, 0, 1, 2], [0, 1, 2, 2]),
            "the highest score comes first": ([0, 1, 0.5, 0], [0, 1, 1, 0.5]),
            "the highest score comes first; all is turned round": ([1, 0.5, 0, 0], [1, 1, 0.5, 0]),
            "scores from the threshold upwards are spam: use >=, not <=": ([0, 1, 1, 0.5], [0, 1, 0.5, 0]),
            "the TPR is the share of all spam (recall), not the precision": ([0, 0, 0.5, 1], [0, 1, 2 / 3, 0.5]),
            "the FPR is the share of all ham, not of what is called spam": ([0, 0, 1 / 3, 0.5], [0, 0.5, 1, 1]),
            "the FPR is the share of all ham, not of what is called spam, nor is the TPR": (
                [0, 0, 1 / 3, 0.5], [0, 1, 2 / 3, 0.5]),
            "the FPR counts ham from the threshold upwards; the specificity counts it below": (
                [0, 1, 0.5, 0], [0, 0.5, 1, 1]),
            "one point for each different score, those of ham, too": ([0, 0, 0.5], [0, 0.5, 1]),
            "(1, 1) comes with the lowest score: do not add it again": ([0, 0, 0.5, 1, 1], [0, 0.5, 1, 1, 1]),
            "return two arrays, FPR and TPR, without the thresholds": (
                [0, 0, 0.5, 1], [0, 0.5, 1, 1], [0.9, 0.8, 0.1]),
            "return two arrays, FPR and TPR, not the thresholds as well": (
                [0, 0, 0.5, 1], [0, 0.5, 1, 1], [inf, 0.9, 0.8, 0.1]),
            "labels may be a list: np.asarray makes an array of it": ([0, nan, nan, nan], [0, nan, nan, nan]),
            "labels may be a list; np.asarray makes an array of it": ([nan, nan, nan, nan], [nan, nan, nan, nan]),
            "labels and scores may be lists: np.asarray makes arrays of them": TypeError,
        },
    )
    check(best_threshold, labels, list(scores), 1.0, 1.0).equals(
        (0.9, 1.0),
        near={
            "of equally cheap thresholds take the highest": (0.8, 1.0),
            "a score equal to the threshold counts as spam: use >=": (0.8, 1.0),
            "threshold and cost are swapped": (1.0, 0.9),
            "the total cost is asked, not the mean": (0.9, 0.25),
            "the total cost is asked, not the share of the errors": (0.9, 0.25),
            "counts are weighed, not shares": (0.9, 0.5),
            "counts are weighed, not shares of a class times all messages": (0.9, 2.0),
            "the threshold is asked, not the index of the candidate": (1, 1.0),
            "the threshold is asked, not the index of the score": (0, 1.0),
            "the threshold is asked, not the index of the message": (0, 1.0),
            "spam below the threshold is a miss, and it costs": (inf, 0.0),
            "ham at or above the threshold is a false alarm, and it costs": (0.8, 0.0),
            "a score equal to the threshold counts as spam: a false alarm, use >=": (0.8, 0.0),
            "a score equal to the threshold counts as spam: no miss, use <": (inf, 2.0),
            "a false alarm is ham at or above the threshold, not below": (0.1, 0.0),
            "the smallest cost is asked, not the largest": (inf, 2.0),
            "the thresholds are the scores, not half way between them": (0.85, 1.0),
            "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse": (inf, 2.0),
            "labels may be a list: np.asarray makes an array of it": (inf, 0.0),
            "labels and scores may be lists: np.asarray makes arrays of them": TypeError,
        },
    )
    check(best_threshold, labels, list(scores), 1.0, 5.0).equals(
        (0.8, 1.0),
        near={
            "the two costs are swapped": (0.9, 1.0),
            "the two costs are swapped in the choice of the threshold": (0.9, 5.0),
            "the costs were ignored: multiply each kind of error by its own": (0.9, 1.0),
            "the cost of a miss was ignored": (0.9, 1.0),
            "the costs were ignored in the choice of the threshold": (0.9, 5.0),
            "threshold and cost are swapped": (1.0, 0.8),
            "the total cost is asked, not the mean": (0.8, 0.25),
            "the total cost is asked, not the share of the errors": (0.8, 0.25),
            "counts are weighed, not shares": (0.8, 0.5),
            "counts are weighed, not shares of a class times all messages": (0.8, 2.0),
            "the threshold is asked, not the index of the candidate": (2, 1.0),
            "the threshold is asked, not the index of the score": (1, 1.0),
            "the threshold is asked, not the index of the message": (1, 1.0),
            "a score equal to the threshold counts as spam: a false alarm, use >=": (0.8, 0.0),
            "a score equal to the threshold counts as spam: no miss, use <": (0.1, 2.0),
            "a false alarm is ham at or above the threshold, not below": (0.1, 0.0),
            "a score equal to the threshold counts as spam: use >=": (0.1, 1.0),
            "spam below the threshold is a miss, and it costs": (inf, 0.0),
            "ham at or above the threshold is a false alarm, and it costs": (0.8, 0.0),
            "the smallest cost is asked, not the largest": (inf, 10.0),
            "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse": (0.1, 2.0),
            "the costs decide, not TPR - FPR": (0.9, 5.0),
            "the thresholds are the scores, not half way between them": (0.45, 1.0),
            "labels may be a list: np.asarray makes an array of it": (inf, 0.0),
            "labels and scores may be lists: np.asarray makes arrays of them": TypeError,
        },
    )
    check(best_threshold, [0, 0, 1], [0.9, 0.8, 0.1], 1.0, 1.0).equals(
        (inf, 1.0),
        near={
            "counts are weighed, not shares of a class times all messages": (inf, 3.0),
            "infinity is a candidate, too": (0.9, 2.0),
            "infinity is a candidate: calling nothing spam is the cheapest here": (0.1, 2.0),
            "infinity itself is the candidate, not a number above the highest score": (1.9, 1.0),
            "infinity itself is the candidate, not the highest score, which is one of its own": (0.9, 1.0),
            "threshold and cost are swapped": (1.0, inf),
            "the total cost is asked, not the mean": (inf, 1 / 3),
            "the total cost is asked, not the share of the errors": (inf, 1 / 3),
            "the threshold is asked, not the index of the candidate": (0, 1.0),
            "the threshold is asked, not the index of the message": (0, 1.0),
            "a false alarm is ham at or above the threshold, not below": (0.1, 0.0),
            "spam below the threshold is a miss, and it costs": (inf, 0.0),
            "ham at or above the threshold is a false alarm, and it costs": (0.1, 0.0),
            "the smallest cost is asked, not the largest": (0.8, 3.0),
            "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse": (0.8, 0.0),
            "a score equal to the threshold counts as spam: use >=": (0.9, 1.0),
            "labels may be a list: np.asarray makes an array of it": (inf, 0.0),
        },
    )
    labels, scores = [0, 1, 1, 0, 0, 1, 0], [2.0, 0.12, 0.14, -1.0, -2.3, -2.0, -4.0]
    fpr, tpr = np.array([0, 1, 1, 1, 2, 2, 3, 4]) / 4, np.array([0, 0, 1, 2, 2, 3, 3, 3]) / 3
    check(roc_points, labels, list(scores)).equals(
        (fpr, tpr), about="four ham and three spam, scores of any size",
        near={
            "divide each by the number of its own class": (fpr * 4 / 3, tpr * 3 / 4),
            "the FPR is the share of all ham, not of what is called spam": (
                [0, 1, 1 / 2, 1 / 3, 1 / 2, 2 / 5, 1 / 2, 4 / 7], tpr),
            "one point for each different score, also on a straight line: drop_intermediate=False": (
                fpr[[0, 1, 3, 4, 5, 7]], tpr[[0, 1, 3, 4, 5, 7]]),
            "one point for each different score: do not round them (decimals=1)": (
                np.delete(fpr, 2), np.delete(tpr, 2)),
            "one point for each different score: do not round them (decimals=0)": (
                np.delete(fpr, [2, 5]), np.delete(tpr, [2, 5])),
            "one point for each different score, from the highest on: sort them": (
                fpr[[0, 1, 3, 2, 4, 6, 5, 7]], tpr[[0, 1, 3, 2, 4, 6, 5, 7]]),
            "scores may be below 0 or above 1: take one point for each different score": (
                fpr[[0, 2, 3]], tpr[[0, 2, 3]]),
            "scores may be negative: take one point for each different score": (fpr[:4], tpr[:4]),
        },
    )
    check(best_threshold, [0, 1, 0, 0, 1], [2, 1, -1, -3, -2], 2.5, 4.0).equals(
        (-2, 5.0), about="whole numbers below 0",
        near={
            "the two costs are swapped": (inf, 5.0),
            "the two costs are swapped in the choice of the threshold": (inf, 8.0),
            "the costs were ignored: multiply each kind of error by its own": (inf, 2.0),
            "the costs were ignored in the choice of the threshold": (inf, 8.0),
            "the costs were ignored in the total: multiply each kind of error by its own": (-2, 2.0),
            "the cost of a miss was ignored": (inf, 2.0),
            "the cost of a false alarm was ignored": (-2, 2.0),
            "a score equal to the threshold counts as spam: use >=": (-3, 5.0),
            "a score equal to the threshold counts as spam: no miss, use <": (-3, 7.5),
            "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse": (-3, 5.0),
            "spam below the threshold is a miss, and it costs": (inf, 0.0),
            "ham at or above the threshold is a false alarm, and it costs": (-2, 0.0),
            "a false alarm is ham at or above the threshold, not below": (-3, 0.0),
            "the total cost is asked, not the mean": (-2, 1.0),
            "the total cost is asked, not the share of the errors": (-2, 0.4),
            "counts are weighed, not shares": (-2, 5 / 3),
            "counts are weighed, not shares of a class times all messages": (-2, 25 / 3),
            "the threshold is asked, not the index of the candidate": (4, 5.0),
            "the threshold is asked, not the index of the score": (3, 5.0),
            "the threshold is asked, not the index of the message": (4, 5.0),
            "go through all thresholds: do not stop where the cost first rises": (inf, 8.0),
            "scores may be below 0 or above 1, and all are candidates": (1, 6.5),
            "infinity does not fit in an array of integers: make the scores floats": OverflowError,
        },
    )
    check(best_threshold, [1, 0, 1, 1, 0], [30.5, 20.5, 50.5, 10.5, 40.5], 1.0, 1.0).equals(
        (50.5, 2.0), about="the highest comes later",
        near={
            "counts are weighed, not shares": (50.5, 2 / 3),
            "counts are weighed, not shares of a class times all messages": (50.5, 10 / 3),
            "of equally cheap thresholds take the highest": (10.5, 2.0),
            "of equally cheap thresholds take the highest, not the one that comes first": (30.5, 2.0),
            "the threshold is asked, not the index of the candidate": (1, 2.0),
            "the threshold is asked, not the index of the score": (0, 2.0),
            "the threshold is asked, not the index of the message": (2, 2.0),
            "a score equal to the threshold counts as spam: use >=": (40.5, 2.0),
            "a score equal to the threshold counts as spam: no miss, use <": (inf, 3.0),
            "scores may be below 0 or above 1, and all are candidates": (inf, 3.0),
            "the smallest cost is asked, not the largest": (inf, 3.0),
        },
    )
    check(best_threshold, [0, 1], [3.0, -5.0], 1.0, 1.0).equals(
        (inf, 1.0), about="a tie with infinity",
        near={
            "counts are weighed, not shares of a class times all messages": (inf, 2.0),
            "of equally cheap thresholds take the highest": (-5.0, 1.0),
            "of equally cheap thresholds take the highest, also if that is infinity": (-5.0, 1.0),
            "infinity is a candidate, too": (-5.0, 1.0),
            "the threshold is asked, not the index of the candidate": (0, 1.0),
            "the threshold is asked, not the index of the score": (-1, 1.0),
            "the threshold is asked, not the index of the message": (0, 1.0),
        },
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from sklearn.metrics import roc_curve

    def known_points(labels, scores):
        """The known mistakes of the curve, each with the points that it gives here."""
        parts, n = (scores[labels == 0], scores[labels == 1]), len(labels)
        down = np.unique(scores)[::-1]

        def shares(of, at=down, test=np.greater_equal, start=(0.0,)):
            return np.append(start, test(of[None], np.asarray(at)[:, None]).mean(1))

        def both(at=down, test=np.greater_equal, start=(0.0,)):
            return shares(parts[0], at, test, start), shares(parts[1], at, test, start)

        (fpr, tpr), ham, spam = both(), len(parts[0]), len(parts[1])
        called = fpr * ham + tpr * spam
        precision = np.append(0.0, tpr[1:] * spam / called[1:])
        one_by_one = [
            tuple(np.append(0, np.cumsum(labels[order] == y) / np.sum(labels == y)) for y in (0, 1))
            for order in (np.argsort(-scores, kind="stable"), np.argsort(scores, kind="stable")[::-1])
        ]
        bent = roc_curve(labels, scores)
        mistakes = {
            "FPR and TPR are swapped": (tpr, fpr),
            "the start at (0, 0) is missing": (fpr[1:], tpr[1:]),
            "the start at (0, 0) comes first, not last": (np.append(fpr[1:], 0), np.append(tpr[1:], 0)),
            "a score equal to the threshold counts as spam: use >=": both(test=np.greater),
            "the last point, (1, 1), is missing: take every score as a threshold, and use >=": (fpr[:-1], tpr[:-1]),
            "ham with a score equal to the threshold counts, too: use >=": (shares(parts[0], test=np.greater), tpr),
            "spam with a score equal to the threshold counts, too: use >=": (fpr, shares(parts[1], test=np.greater)),
            "scores from the threshold upwards are spam: use >=, not <=": both(test=np.less_equal),
            "scores from the threshold upwards are spam: use >=, not <": both(test=np.less),
            "equal scores enter together, as one point": one_by_one[0],
            "equal scores enter together, as one point, whatever their order": one_by_one[1],
            "equal scores are one threshold, not two": both(np.sort(scores)[::-1]),
            "one point for each different score, from the highest on: sort them": both(scores),
            "divide by the number of the class, not by all": (fpr * ham / n, tpr * spam / n),
            "divide ham by the number of all ham, not of all messages": (fpr * ham / n, tpr),
            "divide spam by the number of all spam, not of all messages": (fpr, tpr * spam / n),
            "divide each by the number of its own class": (fpr * ham / spam, tpr * spam / ham),
            "these are counts: divide by the number of the class": (fpr * ham, tpr * spam),
            "the highest score comes first": both(down[::-1]),
            "the highest score comes first; all is turned round": (fpr[::-1], tpr[::-1]),
            "the TPR is the share of all spam (recall), not the precision": (fpr, precision),
            "the TPR is the share of all spam (recall), not the precision, which starts at 1": (
                fpr, np.append(1.0, precision[1:])),
            "the FPR is the share of all ham, not of what is called spam": (
                np.append(0.0, 1 - precision[1:]), tpr),
            "the FPR is the share of all ham, not of what is called spam, nor is the TPR": (
                np.append(0.0, 1 - precision[1:]), precision),
            "the FPR counts ham from the threshold upwards; the specificity counts it below": (
                np.append(0.0, 1 - fpr[1:]), tpr),
            "the FPR counts ham from the threshold upwards: this is 1 - FPR, the specificity": (1 - fpr, tpr),
            "the TPR counts spam from the threshold upwards: these are the misses": (
                fpr, np.append(0.0, 1 - tpr[1:])),
            "the TPR counts spam from the threshold upwards; these are the misses": (fpr, 1 - tpr),
            "one point for each different score, also on a straight line: drop_intermediate=False": bent[:2],
            "one point for each different score, those of ham, too": both(np.unique(parts[1])[::-1]),
            "one point for each different score, those of spam, too": both(np.unique(parts[0])[::-1]),
            "scores may be below 0 or above 1: take one point for each different score": both(
                down[(down >= 0) & (down <= 1)]),
            "scores may be negative: take one point for each different score": both(down[down >= 0]),
            "(0, 0) comes once only, at the start": (np.append(0, fpr), np.append(0, tpr)),
            "the highest score is a threshold, too, after the start at (0, 0)": (
                np.delete(fpr, 1), np.delete(tpr, 1)),
            "(1, 1) comes with the lowest score: do not add it again": (np.append(fpr, 1), np.append(tpr, 1)),
            "return two arrays, FPR and TPR, without the thresholds": (fpr, tpr, down),
            "return two arrays, FPR and TPR, not the thresholds as well": (fpr, tpr, np.append(np.inf, down)),
            "return two arrays, FPR and TPR, not pairs": np.stack([fpr, tpr], axis=1),
        }
        for digits in range(5):
            some = np.round(scores, digits)
            at = np.unique(some)[::-1]
            mistakes[f"one point for each different score: do not round them (decimals={digits})"] = tuple(
                shares(some[labels == y], at) for y in (0, 1))
        for size in (10, 11, 20, 21, 50, 51, 100, 101):
            top, low = scores.max(), scores.min()
            mistakes[f"one point for each different score, not a grid of {size} thresholds"] = both(
                np.linspace(top, low, size))
            mistakes[f"one point for each different score, not a grid of {size} thresholds from 1 to 0"] = both(
                np.linspace(1, 0, size))
        return mistakes

    def known_choices(labels, scores, alarm, miss):
        """The right choice first, then the known mistakes of choosing, each with what it returns here."""
        down = np.append(np.inf, np.unique(scores)[::-1])
        called = scores >= down[:, None]  # (candidates, messages)
        alarms, misses = (called & (labels == 0)).sum(1), (~called & (labels == 1)).sum(1)
        ham, spam = sum(labels == 0), sum(labels == 1)
        cost = alarm * alarms + miss * misses
        i = cost.argmin()

        def cheapest(of, at=down, show=None):
            k = np.argmin(of)
            return at[k], (of if show is None else show)[k]

        errors = alarms + misses
        half = np.append(np.inf, (down[1:-1] + down[2:]) / 2)
        position = [0, *(np.flatnonzero(scores == t)[0] for t in down[1:])]  # of each candidate among the scores
        seen = np.append(0, 1 + np.argsort(position[1:], kind="stable"))  # the candidates as they appear
        above = np.append(0, np.arange(len(down) - 1))  # with > instead of >=, a threshold leaves its own scores out
        less, more = misses[above], alarms[above]
        rises = np.flatnonzero(np.diff(cost) > 0)
        stop = cost[: rises[0] + 1 if len(rises) else None].argmin()
        inside = (down >= 0) & (down <= 1) | (down == np.inf)
        hits, calm = spam - misses, ham - alarms
        last = np.flatnonzero(cost == cost[i])[-1]
        return (down[i], cost[i]), {
            "of equally cheap thresholds take the highest": (down[last], cost[i]),
            "of equally cheap thresholds take the highest, not the one that comes first": cheapest(
                cost[seen], down[seen]),
            "of equally cheap thresholds take the highest, also if that is infinity": cheapest(
                np.append(cost[1:], cost[0]), np.append(down[1:], np.inf)),
            "the two costs are swapped": cheapest(alarm * misses + miss * alarms),
            "the two costs are swapped in the choice of the threshold": cheapest(
                alarm * misses + miss * alarms, show=cost),
            "the costs were ignored: multiply each kind of error by its own": cheapest(errors),
            "the costs were ignored in the choice of the threshold": cheapest(errors, show=cost),
            "the costs were ignored in the total: multiply each kind of error by its own": cheapest(cost, show=errors),
            "spam below the threshold is a miss, and it costs": cheapest(alarm * alarms),
            "ham at or above the threshold is a false alarm, and it costs": cheapest(miss * misses),
            "the cost of a miss was ignored": cheapest(alarm * alarms + misses),
            "the cost of a false alarm was ignored": cheapest(alarms + miss * misses),
            "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse": cheapest(
                alarm * hits + miss * calm),
            "a false alarm is ham at or above the threshold, not below": cheapest(alarm * calm + miss * misses),
            "a score equal to the threshold counts as spam: use >=": cheapest(alarm * more + miss * less),
            "a score equal to the threshold counts as spam: no miss, use <": cheapest(alarm * alarms + miss * less),
            "a score equal to the threshold counts as spam: a false alarm, use >=": cheapest(
                alarm * more + miss * misses),
            "infinity is a candidate, too": cheapest(cost[1:], down[1:]),
            "infinity itself is the candidate, not a number above the highest score": (
                max(scores) + 1 if i == 0 else down[i], cost[i]),
            "infinity itself is the candidate, not the highest score, which is one of its own": (
                down[max(i, 1)], cost[i]),
            "threshold and cost are swapped": (cost[i], down[i]),
            "the total cost is asked, not the mean": (down[i], cost[i] / len(labels)),
            "counts are weighed, not shares": cheapest(alarm * alarms / max(ham, 1) + miss * misses / max(spam, 1)),
            "counts are weighed, not shares of a class times all messages": cheapest(
                len(labels) * (alarm * alarms / max(ham, 1) + miss * misses / max(spam, 1))),
            "counts are weighed, not shares, in the choice of the threshold": cheapest(
                alarm * alarms / max(ham, 1) + miss * misses / max(spam, 1), show=cost),
            "the thresholds are the scores, not half way between them": cheapest(
                [alarm * sum((scores >= t) & (labels == 0)) + miss * sum((scores < t) & (labels == 1)) for t in half],
                half),
            "the threshold is asked, not the index of the candidate": (i, cost[i]),
            "the threshold is asked, not the index of the score": (i - 1, cost[i]),
            "the threshold is asked, not the index of the message": (position[i], cost[i]),
            "the smallest cost is asked, not the largest": (down[cost.argmax()], cost.max()),
            "scores may be below 0 or above 1, and all are candidates": cheapest(cost[inside], down[inside]),
            "go through all thresholds: do not stop where the cost first rises": (down[stop], cost[stop]),
            "the costs decide, not TPR - FPR": cheapest(
                alarms / max(ham, 1) + misses / max(spam, 1), show=cost),
            "the total cost is asked, not the share of the errors": (down[i], errors[i] / len(labels)),
        }

    check.hidden()
    for digits, about in [(9, "random scores"), (1, "random scores with ties"), (0, "scores with many ties")]:
        labels = check.rng.permutation([0] * 16 + [1] * 8)  # shares and costs are exact, so that all sums tie alike
        scores = np.round(check.rng.normal(size=24) * 1.5 + labels, digits)
        if digits == 9:  # one spam and one ham that only a full comparison tells apart
            scores[[labels.argmin(), labels.argmax()]] = np.round(scores[0], 2) + np.array([1e-4, 2e-4])
        fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
        check(roc_points, labels, scores.copy()).equals(
            (fpr, tpr), about=about, near=partial(known_points, labels, scores)
        )
        for alarm, miss in [(1.0, 1.0), (5.0, 1.0), (1.5, 4.0), (2**-5, 2**-6), (2**-6, 3 * 2**-6), (0.0, 2.0)]:
            right, near = known_choices(labels, scores, alarm, miss)
            check(best_threshold, labels, scores.copy(), alarm, miss).equals(
                right, about="cheapest threshold", near=near
            )
    shuffled = np.array([3, 2, 5, 0, 4, 1])
    for kinds, about in [([1, 0, 1, 0, 1, 0], "equally cheap thresholds"), ([0, 1, 0, 1, 0, 1], "infinity ties")]:
        labels, scores = np.array(kinds)[shuffled], np.sort(check.rng.normal(size=6))[::-1][shuffled]
        right, near = known_choices(labels, scores, 1.0, 1.0)
        check(best_threshold, labels, scores.copy(), 1.0, 1.0).equals(right, about=about, near=near)
    labels, scores = np.array([0, 1, 1, 0, 1, 0, 0]), np.array([-2, 3, 0, 0, 7, 3, -4])
    whole = {"infinity does not fit into an array of integers: make the scores floats": OverflowError}
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    check(roc_points, labels, scores.copy()).equals(
        (fpr, tpr), about="integer scores", near=known_points(labels, scores) | whole
    )
    right, near = known_choices(labels, scores, 2.0, 1.0)
    check(best_threshold, labels, scores.copy(), 2, 1).equals(right, about="integer scores", near=near | whole)
    absent = "count the errors themselves: where a class is missing, a share of it is 0/0"

    def by_shares(highest, at_infinity):
        return {
            absent: (highest, nan), f"{absent}, from infinity on": (inf, nan),
            f"{absent}, and no cost is below infinity": (inf, inf),
            f"{absent}, and no cost is below that at infinity": (inf, at_infinity),
            f"{absent}, an error": ZeroDivisionError,
        }

    right, near = known_choices(np.array([1, 1]), np.array([-2.0, -3.0]), 1.0, 1.0)
    check(best_threshold, [0, 1, 1], [0.9, 0.8, 0.7], 7000, 9000).equals(
        (0.7, 7000), about="large costs", near={"the search must start from the cost at infinity": (None, 1000)}
    )
    check(best_threshold, [1, 1], [-2.0, -3.0], 1.0, 1.0).equals(
        right, about="negative scores, all spam", near=near | by_shares(-2, 2), edge=True
    )
    right, near = known_choices(np.array([0, 0, 0]), np.array([0.2, 0.7, 0.4]), 2.0, 1.0)
    check(best_threshold, [0, 0, 0], [0.2, 0.7, 0.4], 2.0, 1.0).equals(
        right, about="no spam at all", near=near | by_shares(0.7, 0), edge=True
    )
    labels, scores = np.array([0, 1, 1, 0, 1, 0, 1, 0]), np.array([5, 200, 120, 5, 31, 120, 0, 255], dtype=np.uint8)
    fpr, tpr, _ = roc_curve(labels, scores.astype(float), drop_intermediate=False)
    narrow, floats = "in unsigned integers (uint8)", "make the scores floats first"
    turned, below = f"{narrow} -200 is 56, and -0 comes first: {floats}", f"{narrow} nothing is below 0: {floats}"
    ham, spam = (
        np.append(0, np.cumsum([np.sum(scores[labels == y] == t) for t in (0, 255, 200, 120, 31, 5)])) for y in (0, 1))
    last = [0, 6, 1, 2, 3, 4, 5]  # the lowest score, 0, is taken for the highest
    check(roc_points, labels, scores.copy()).equals(
        (fpr, tpr), about="unsigned scores", edge=True,
        near=known_points(labels, scores.astype(float)) | whole | {
            turned: (ham / 4, spam / 4), f"{turned} (these are the thresholds)": (fpr[last], tpr[last]),
            below: ([0, 1], [0, 1]), f"{below}, so no difference tells a score below the threshold": (
                [0, *[1] * 6], [0, *[1] * 6]),
            f"{narrow} 255 + 1 is 0, and no start above all scores: {floats}": (
                np.append(1, fpr[1:]), np.append(1, tpr[1:])),
        },
    )
    right, near = known_choices(labels, scores.astype(float), 1.0, 2.0)
    check(best_threshold, labels, scores.copy(), 1.0, 2.0).equals(
        right, about="unsigned scores", edge=True,
        near=near | whole | {
            turned: (31, 2), f"{turned} (these are the thresholds)": (0, 4),
            f"{below}, so no difference tells a score below the threshold": (255, 4),
        },
    )
    labels, scores = np.array([0, 1, 0, 1]), np.array([1.0, 3.0, 2.0, 4.0]) * 1e-12
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    check(roc_points, labels, scores.copy()).equals(
        (fpr, tpr), about="very small scores", edge=True,
        near={"scores that differ by little are not equal: do not round them": ([0, 1], [0, 1])})
    ### END HIDDEN TESTS


score
