from helpers.checks import graded


@graded("judge", points=6)
def score(check):
    import numpy as np

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the third number is the accuracy, not F1": {
            1: (0.666667, 0.4, 0.555556),
            2: (0.666667, 0.4, 0.555556),
            3: (0.0, 0.0, 1.0),
            4: (0.75, 1.0, 0.75),
        },
        "the first number is the accuracy, not the precision": {
            1: (0.555556, 0.4, 0.465116),
            2: (0.555556, 0.4, 0.465116),
            3: (1.0, 0.0, 0.0),
        },
        "the first number is the accuracy, not the precision (F1 is right)": {
            1: (0.555556, 0.4, 0.5),
            2: (0.555556, 0.4, 0.5),
            3: (1.0, 0.0, 0.0),
        },
        "the second number is the accuracy, not the recall": {
            1: (0.666667, 0.555556, 0.606061),
            2: (0.666667, 0.555556, 0.606061),
            3: (0.0, 1.0, 0.0),
            4: (0.75, 0.75, 0.75),
        },
        "all three numbers are the accuracy: count for class 1 alone": {
            1: (0.555556, 0.555556, 0.555556),
            2: (0.555556, 0.555556, 0.555556),
            3: (1.0, 1.0, 1.0),
            4: (0.75, 0.75, 0.75),
        },
        "the second number is the specificity (of the ham), not the recall": {
            1: (0.666667, 0.75, 0.705882),
            2: (0.666667, 0.75, 0.705882),
            3: (0.0, 1.0, 0.0),
            4: (0.75, 0.0, 0.0),
        },
        "the second number is the specificity (of the ham), not the recall (F1 is right)": {
            1: (0.666667, 0.75, 0.5),
            2: (0.666667, 0.75, 0.5),
            3: (0.0, 1.0, 0.0),
            4: (0.75, 0.0, 0.857143),
        },
        "true negatives were counted as hits: a hit has label 1 and prediction 1": {
            1: (0.833333, 0.625, 0.714286),
            2: (0.833333, 0.625, 0.714286),
            3: (1.0, 1.0, 1.0),
        },
        "true negatives were counted as hits: a hit has label 1 and prediction 1, both": {
            1: (1.66667, 1.0, 1.25),
            2: (1.66667, 1.0, 1.25),
        },
        "true negatives were counted as misses: a miss has label 1 and prediction 0": {
            1: (0.666667, 0.25, 0.363636),
            2: (0.666667, 0.25, 0.363636),
        },
        "the denominator is not the number of all messages: TP + FP for precision, TP + FN for recall": {
            1: (0.222222, 0.222222, 0.222222),
            2: (0.222222, 0.222222, 0.222222),
            4: (0.75, 0.75, 0.75),
        },
        "the recall was divided by the number of all messages: by TP + FN": {
            1: (0.666667, 0.222222, 0.333333),
            2: (0.666667, 0.222222, 0.333333),
            4: (0.75, 0.75, 0.75),
        },
        "the precision was divided by the number of all messages: by TP + FP": {
            1: (0.222222, 0.4, 0.285714),
            2: (0.222222, 0.4, 0.285714),
        },
        "the recall was divided by the number of all messages: by TP + FN (F1 is right)": {
            1: (0.666667, 0.222222, 0.5),
            2: (0.666667, 0.222222, 0.5),
            4: (0.75, 0.75, 0.857143),
        },
        "the precision was divided by the number of all messages: by TP + FP (F1 is right)": {
            1: (0.222222, 0.4, 0.5),
            2: (0.222222, 0.4, 0.5),
        },
        "these are the shares of what went wrong: TP belongs in the numerator": {
            1: (0.333333, 0.6, 0.428571),
            2: (0.333333, 0.6, 0.428571),
            4: (0.25, 0.0, 0.0),
        },
        "nothing is added to a denominator; only where it is 0 the value is 0": {
            1: (0.5, 0.333333, 0.4),
            2: (0.5, 0.333333, 0.4),
            4: (0.74813, 0.996678, 0.854701),
        },
        "F1 is not TP / (TP + FP + FN): TP counts twice, above and below": {
            1: (0.666667, 0.4, 0.333333),
            2: (0.666667, 0.4, 0.333333),
            4: (0.75, 1.0, 0.75),
        },
        "a sum in a denominator needs brackets: TP / (TP + FP)": {
            1: (2, 4, 2.66667),
            2: (2, 4, 2.66667),
            3: (1, 1, 1.0),
            4: (101, 1, 1.98039),
        },
        "these are counts: divide them": {
            1: (2, 1, 3),
            2: (2, 1, 3),
            4: (300, 100, 0),
        },
        "precision and recall are swapped": {
            1: (0.4, 0.666667, 0.5),
            2: (0.4, 0.666667, 0.5),
            4: (1.0, 0.75, 0.857143),
        },
        "F1 comes last: precision, recall, F1": {
            1: (0.5, 0.666667, 0.4),
            2: (0.5, 0.666667, 0.4),
            4: (0.857143, 0.75, 1.0),
        },
        "F1 is the harmonic mean, not the plain mean": {
            1: (0.666667, 0.4, 0.533333),
            2: (0.666667, 0.4, 0.533333),
            4: (0.75, 1.0, 0.875),
        },
        "F1 is the harmonic mean, not the geometric mean": {
            1: (0.666667, 0.4, 0.516398),
            2: (0.666667, 0.4, 0.516398),
            4: (0.75, 1.0, 0.866025),
        },
        "F1 lacks its factor 2": {
            1: (0.666667, 0.4, 0.25),
            2: (0.666667, 0.4, 0.25),
            4: (0.75, 1.0, 0.428571),
        },
        "F1 lacks its denominator, precision + recall": {
            1: (0.666667, 0.4, 0.533333),
            2: (0.666667, 0.4, 0.533333),
            4: (0.75, 1.0, 1.5),
        },
        "F1 is upside down": {
            1: (0.666667, 0.4, 2.0),
            2: (0.666667, 0.4, 2.0),
            4: (0.75, 1.0, 1.16667),
        },
        "a sum in a denominator needs brackets": {
            1: (0.666667, 0.4, 1.2),
            2: (0.666667, 0.4, 1.2),
            4: (0.75, 1.0, 3.0),
        },
        "class 1 counts: these are the numbers of class 0": {
            1: (0.5, 0.75, 0.6),
            2: (0.5, 0.75, 0.6),
            3: (1.0, 1.0, 1.0),
            4: (0.0, 0.0, 0.0),
        },
        "class 1 alone counts, not the mean of both classes": {
            1: (0.583333, 0.575, 0.55),
            2: (0.583333, 0.575, 0.55),
            3: (0.5, 0.5, 0.5),
            4: (0.375, 0.5, 0.428571),
        },
        "class 1 alone counts, not the mean of both classes, weighted by their size": {
            1: (0.592593, 0.555556, 0.544444),
            2: (0.592593, 0.555556, 0.544444),
            3: (1.0, 1.0, 1.0),
            4: (0.5625, 0.75, 0.642857),
        },
        "the third number is F1 of class 1, not the mean of F1 over both classes": {
            1: (0.666667, 0.4, 0.55),
            2: (0.666667, 0.4, 0.55),
            3: (0.0, 0.0, 0.5),
            4: (0.75, 1.0, 0.428571),
        },
        "in unsigned integers (uint8) 0 - 1 is 255: compare, do not subtract": {
            4: (1.0, 1.0, 1.0),
        },
        "in unsigned integers (uint8) 0 - 1 is 255, which is above 0, in the recall: compare instead": {
            4: (0.75, 0.75, 0.75),
        },
        "in unsigned integers (uint8) 0 - 1 is 255, which is above 0, in both: compare instead": {
            4: (0.75, 0.75, 0.75),
        },
        "in unsigned integers (uint8) 0 - 1 is 255, which was added up, in the recall: compare instead": {
            4: (0.75, 0.0116279, 0.0229008),
        },
        "in unsigned integers (uint8) 0 - 1 is 255, which was added up, in both: compare instead": {
            4: (0.75, 0.0116279, 0.0229008),
        },
        "a sum of products in uint8 overflows at 256: compare, or count in int": {
            4: (0.11, 0.146667, 0.125714),
        },
        "a sum in uint8 overflows at 256: compare, or count in int": {
            4: (0.305556, 1.0, 0.468085),
        },
        "a sum in uint8 overflows at 256: compare, or count in int: the precision and the recall": {
            4: (2.08333, 6.81818, 3.19149),
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
    check(precision_recall_f1, y[::-1], g[::-1]).equals(
        (2 / 3, 2 / 5, 1 / 2), about="lists",
        near=tight | lists | {"a list == 1 is False: turn both arguments into arrays, with np.asarray": (0, 0, 0)},
    )
    gone = float("nan")
    check(precision_recall_f1, [0, 0, 0], [0, 0, 0]).equals(
        (0.0, 0.0, 0.0), about="neither spam nor alarms", edge=True,
        near=lists | {
            zero: ZeroDivisionError, nan: (gone, gone, gone), nan_f1: (0, 0, gone), ones: (1, 1, 1),
            f"{ones} (precision)": (1, 0, 0), f"{ones} (recall)": (0, 1, 0), f"{ones} (both)": (1, 1, 0),
            f"{nan} (precision)": (gone, 0, gone), f"{nan} (recall)": (0, gone, gone),
        },
    )
    many = np.repeat([1, 0], [300, 100]).astype(np.uint8)
    check(precision_recall_f1, many, np.ones_like(many)).equals(
        (3 / 4, 1, 6 / 7), about="many messages, arrays of uint8", edge=True
    )


score
