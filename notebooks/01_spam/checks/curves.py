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


score
