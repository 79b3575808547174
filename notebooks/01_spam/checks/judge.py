from helpers.checks import graded


@graded("judge", points=6)
def score(check):
    import numpy as np

    swapped, last = "precision and recall are swapped", "F1 comes last: precision, recall, F1"
    plain, geometric = "F1 is the harmonic mean, not the plain mean", "F1 is the harmonic mean, not the geometric mean"
    factor, brackets = "F1 lacks its factor 2", "a sum in a denominator needs brackets"
    jaccard = "F1 is not TP / (TP + FP + FN): TP counts twice, above and below"
    accuracy = "the first number is the accuracy, not the precision"
    zeros = "class 1 counts: these are the numbers of class 0"
    mean = "class 1 alone counts, not the mean of both classes"
    macro = "the third number is F1 of class 1, not the mean of F1 over both classes"
    specificity = "the second number is the specificity (of the ham), not the recall"
    negatives = "true negatives were counted as hits: a hit has label 1 and prediction 1"
    everyone = "the denominator is not the number of all messages: TP + FP for precision, TP + FN for recall"
    tight = "& binds tighter than ==: write (a == 1) & (b == 1)"
    zero, nan = "a denominator is 0, and the value is 0 by definition", "a denominator is 0: the value is 0, not NaN"
    ones = "a denominator is 0, and the value is 0 by definition, not 1"
    nan_f1 = "precision + recall is 0: F1 is 0 by definition, not NaN"

    y, g = [1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 1, 0, 0, 0]
    known = {
        swapped: (2 / 5, 2 / 3, 1 / 2), last: (1 / 2, 2 / 3, 2 / 5),
        plain: (2 / 3, 2 / 5, 8 / 15), geometric: (2 / 3, 2 / 5, 0.51639778),
        "F1 lacks its denominator, precision + recall": (2 / 3, 2 / 5, 8 / 15),
        factor: (2 / 3, 2 / 5, 1 / 4), jaccard: (2 / 3, 2 / 5, 1 / 3), brackets: (2 / 3, 2 / 5, 6 / 5),
        macro: (2 / 3, 2 / 5, 11 / 20), accuracy: (5 / 9, 2 / 5, 20 / 43), zeros: (1 / 2, 3 / 4, 3 / 5),
        mean: (7 / 12, 23 / 40, 11 / 20),
        specificity: (2 / 3, 3 / 4, 12 / 17), negatives: (5 / 6, 5 / 8, 5 / 7), everyone: (2 / 9, 2 / 9, 2 / 9),
        tight: ValueError,
    }
    first = check(precision_recall_f1, np.array(y), np.array(g)).equals((2 / 3, 2 / 5, 1 / 2), near=known)
    lists = {
        "the arguments may be lists too: turn each into an array with np.asarray": TypeError,
        "the arguments may be lists too: turn each into an array, with np.asarray": AttributeError,
    }
    lists = {} if first.error else lists
    check(precision_recall_f1, y, g).equals((2 / 3, 2 / 5, 1 / 2), about="lists", near=known | lists)
    check(precision_recall_f1, [1, 1, 0], [0, 0, 0]).equals(
        (0.0, 0.0, 0.0), edge=True,
        near=lists | {
            zero: ZeroDivisionError, ones: (1.0, 0.0, 0.0),
            nan: (float("nan"), 0.0, float("nan")), nan_f1: (0.0, 0.0, float("nan")),
        },
    )


score
