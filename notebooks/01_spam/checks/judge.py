from helpers.checks import graded


@graded("judge", points=6)
def score(check):
    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the third number is the accuracy, not F1": {
            1: (0.666667, 0.4, 0.555556),
            2: (0.666667, 0.4, 0.555556),
            3: (0.0, 0.0, 0.333333),
        },
        "the first number is the accuracy, not the precision": {
            1: (0.555556, 0.4, 0.465116),
            2: (0.555556, 0.4, 0.465116),
            3: (0.333333, 0.0, 0.0),
        },
        "the first number is the accuracy, not the precision (F1 is right)": {
            1: (0.555556, 0.4, 0.5),
            2: (0.555556, 0.4, 0.5),
            3: (0.333333, 0.0, 0.0),
        },
        "the second number is the accuracy, not the recall": {
            1: (0.666667, 0.555556, 0.606061),
            2: (0.666667, 0.555556, 0.606061),
            3: (0.0, 0.333333, 0.0),
        },
        "all three numbers are the accuracy: count for class 1 alone": {
            1: (0.555556, 0.555556, 0.555556),
            2: (0.555556, 0.555556, 0.555556),
            3: (0.333333, 0.333333, 0.333333),
        },
        "the second number is the specificity (of the ham), not the recall": {
            1: (0.666667, 0.75, 0.705882),
            2: (0.666667, 0.75, 0.705882),
            3: (0.0, 1.0, 0.0),
        },
        "the second number is the specificity (of the ham), not the recall (F1 is right)": {
            1: (0.666667, 0.75, 0.5),
            2: (0.666667, 0.75, 0.5),
            3: (0.0, 1.0, 0.0),
        },
        "true negatives were counted as hits: a hit has label 1 and prediction 1": {
            1: (0.833333, 0.625, 0.714286),
            2: (0.833333, 0.625, 0.714286),
            3: (1.0, 0.333333, 0.5),
        },
        "true negatives were counted as hits: a hit has label 1 and prediction 1, both": {
            1: (1.66667, 1.0, 1.25),
            2: (1.66667, 1.0, 1.25),
            3: (0.0, 0.5, 0.0),
        },
        "true negatives were counted as misses: a miss has label 1 and prediction 0": {
            1: (0.666667, 0.25, 0.363636),
            2: (0.666667, 0.25, 0.363636),
        },
        "the denominator is not the number of all messages: TP + FP for precision, TP + FN for recall": {
            1: (0.222222, 0.222222, 0.222222),
            2: (0.222222, 0.222222, 0.222222),
        },
        "these are the shares of what went wrong: TP stands above the line": {
            1: (0.333333, 0.6, 0.428571),
            2: (0.333333, 0.6, 0.428571),
            3: (0.0, 1.0, 0.0),
        },
        "nothing is added to a denominator; only where it is 0 the value is 0": {
            1: (0.5, 0.333333, 0.4),
            2: (0.5, 0.333333, 0.4),
        },
        "F1 is not TP / (TP + FP + FN): TP counts twice, above and below": {
            1: (0.666667, 0.4, 0.333333),
            2: (0.666667, 0.4, 0.333333),
        },
        "a sum in a denominator needs brackets: TP / (TP + FP)": {
            1: (2, 4, 2.66667),
            2: (2, 4, 2.66667),
            3: (1, 3, 1.5),
        },
        "these are counts: divide them": {
            1: (2, 1, 3),
            2: (2, 1, 3),
            3: (0, 0, 2),
        },
        "precision and recall are swapped": {
            1: (0.4, 0.666667, 0.5),
            2: (0.4, 0.666667, 0.5),
        },
        "F1 comes last: precision, recall, F1": {
            1: (0.5, 0.666667, 0.4),
            2: (0.5, 0.666667, 0.4),
        },
        "F1 is the harmonic mean, not the plain mean": {
            1: (0.666667, 0.4, 0.533333),
            2: (0.666667, 0.4, 0.533333),
        },
        "F1 is the harmonic mean, not the geometric mean": {
            1: (0.666667, 0.4, 0.516398),
            2: (0.666667, 0.4, 0.516398),
        },
        "F1 lacks its factor 2": {
            1: (0.666667, 0.4, 0.25),
            2: (0.666667, 0.4, 0.25),
        },
        "F1 lacks its denominator, precision + recall": {
            1: (0.666667, 0.4, 0.533333),
            2: (0.666667, 0.4, 0.533333),
        },
        "F1 is upside down": {
            1: (0.666667, 0.4, 2.0),
            2: (0.666667, 0.4, 2.0),
        },
        "a sum in a denominator needs brackets": {
            1: (0.666667, 0.4, 1.2),
            2: (0.666667, 0.4, 1.2),
        },
        "class 1 counts: these are the numbers of class 0": {
            1: (0.5, 0.75, 0.6),
            2: (0.5, 0.75, 0.6),
            3: (0.333333, 1.0, 0.5),
        },
        "class 1 alone counts, not the mean of both classes": {
            1: (0.583333, 0.575, 0.55),
            2: (0.583333, 0.575, 0.55),
            3: (0.166667, 0.5, 0.25),
        },
        "class 1 alone counts, not the mean of both classes, weighted by their size": {
            1: (0.592593, 0.555556, 0.544444),
            2: (0.592593, 0.555556, 0.544444),
            3: (0.111111, 0.333333, 0.166667),
        },
        "the third number is F1 of class 1, not the mean of F1 over both classes": {
            1: (0.666667, 0.4, 0.55),
            2: (0.666667, 0.4, 0.55),
            3: (0.0, 0.0, 0.25),
        },
    })
    zero, nan = "a denominator is 0, and the value is 0 by definition", "a denominator is 0: the value is 0, not NaN"
    ones = "a denominator is 0, and the value is 0 by definition, not 1"
    nan_f1 = "precision + recall is 0: F1 is 0 by definition, not NaN"
    tight = {"& binds tighter than ==: write (a == 1) & (b == 1)": ValueError}
    y, g = [1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 1, 0, 0, 0]
    first = check(precision_recall_f1, np.array(y), np.array(g)).equals((2 / 3, 2 / 5, 1 / 2), near=tight)
    lists = {
        "the arguments may be lists too: turn each into an array with np.asarray": TypeError,
        "the arguments may be lists too: turn each into an array, with np.asarray": AttributeError,
    }
    lists = {} if first.error else lists
    check(precision_recall_f1, y, g).equals((2 / 3, 2 / 5, 1 / 2), about="lists", near=tight | lists)
    gone = float("nan")
    check(precision_recall_f1, [1, 1, 0], [0, 0, 0]).equals(
        (0.0, 0.0, 0.0), edge=True,
        near=lists | {zero: ZeroDivisionError, ones: (1, 0, 0), nan: (gone, 0, gone), nan_f1: (0, 0, gone)},
    )


score
