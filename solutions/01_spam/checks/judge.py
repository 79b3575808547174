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
    ### BEGIN HIDDEN TESTS
    from sklearn.metrics import precision_recall_fscore_support

    check.hidden()
    unsigned = "in unsigned integers (uint8) 0 - 1 is 255"
    added = "nothing is added to a denominator; only where it is 0 the value is 0"

    def scored(labels, predictions, one=1):
        p, r, f, _ = precision_recall_fscore_support(
            labels, predictions, average="binary", zero_division=0, pos_label=one
        )
        return float(p), float(r), float(f)

    def slips(y, g):
        """What the known mistakes give."""
        (p, r, f), (p0, r0, f0), n = scored(y, g), scored(y, g, 0), len(y)
        tp, fp, fn, tn = (int(np.sum((y == a) & (g == b))) for a, b in ((1, 1), (0, 1), (1, 0), (0, 0)))
        right = (tp + tn) / n

        def both(a, b):
            return a, b, 2 * a * b / (a + b)

        return {
            swapped: (r, p, f),
            last: (f, p, r),
            plain: (p, r, (p + r) / 2),
            geometric: (p, r, (p * r) ** 0.5),
            factor: (p, r, f / 2),
            jaccard: (p, r, tp / (tp + fp + fn)),
            brackets: (p, r, 3 * r),
            "a sum in a denominator needs brackets: TP / (TP + FP)": both(1 + fp, 1 + fn),
            "F1 lacks its denominator, precision + recall": (p, r, 2 * p * r),
            "F1 is upside down": (p, r, (p + r) / (2 * p * r)),
            "the third number is the accuracy, not F1": (p, r, right),
            accuracy: both(right, r),
            "the first number is the accuracy, not the precision (F1 is right)": (right, r, f),
            "the second number is the accuracy, not the recall": both(p, right),
            zeros: (p0, r0, f0),
            mean: ((p + p0) / 2, (r + r0) / 2, (f + f0) / 2),
            macro: (p, r, (f + f0) / 2),
            "class 1 alone counts, not the mean of both classes, weighted by their size": tuple(
                np.average([(p0, r0, f0), (p, r, f)], axis=0, weights=[np.sum(y == 0), np.sum(y == 1)])
            ),
            "all three numbers are the accuracy: count for class 1 alone": (right, right, right),
            specificity: both(p, tn / (tn + fp)),
            "the second number is the specificity (of the ham), not the recall (F1 is right)": (p, tn / (tn + fp), f),
            negatives: both((tp + tn) / (tp + tn + fp), (tp + tn) / (tp + tn + fn)),
            "true negatives were counted as hits: a hit has label 1 and prediction 1, both": both(
                (tp + tn) / (tp + fp), (tp + tn) / (tp + fn)
            ),
            everyone: both(tp / n, tp / n),
            "these are the shares of what went wrong: TP stands above the line": both(fp / (tp + fp), fn / (tp + fn)),
            added: both(tp / (tp + fp + 1), tp / (tp + fn + 1)),
            "these are counts: divide them": (tp, fp, fn),
            tight: ValueError,
        }

    for share in (0.3, 0.65, 0.8):
        labels = (check.rng.random(60) < 0.4).astype(int)
        predictions = np.where(check.rng.random(60) < share, labels, 1 - labels)
        labels[:4], predictions[:4] = (1, 1, 0, 0), (1, 0, 1, 0)  # none of the four counts is 0
        check(precision_recall_f1, labels, predictions).equals(
            scored(labels, predictions), about="random labels and predictions", near=slips(labels, predictions)
        )
    gone = float("nan")
    for labels, predictions, one, undefined, about in [
        ([0, 0, 0], [1, 0, 1], (0, 1, 0), (0, gone, gone), "no spam at all"),
        ([1, 0], [0, 1], (0, 0, 1), (gone, gone, gone), "all wrong"),
    ]:
        check(precision_recall_f1, labels, predictions).equals(
            (0, 0, 0), about=about, edge=True,
            near=lists | {zero: ZeroDivisionError, nan_f1: (0, 0, gone), nan: undefined, ones: one},
        )
    for labels in ([1, 0, 1], [0, 1, 0]):  # the second: one hit, and both denominators are 1
        check(precision_recall_f1, np.array(labels), np.array(labels)).equals(
            (1, 1, 1), about="all right", edge=True,
            near={
                added: (sum(labels) / (sum(labels) + 1),) * 3, everyone: (sum(labels) / 3,) * 3, brackets: (1, 1, 3),
                factor: (1, 1, 0.5), "F1 lacks its denominator, precision + recall": (1, 1, 2),
            },
        )

    def wrapped(tp, fp, fn):
        """What differences in unsigned integers give: 255 stands where -1 was meant."""

        def three(fp, fn):
            return tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)

        both, all_fp, all_fn = fp + fn, fp + 255 * fn, fn + 255 * fp
        no_misses, no_alarms = three(fp, 0), three(0, fn)
        return {
            f"{unsigned}: no difference is ever -1 or below 0, so no miss was counted: compare": no_misses,
            f"{unsigned}: compare, do not subtract": no_alarms,
            f"{unsigned}, which is above 0, in the recall: compare instead": three(fp, both),
            f"{unsigned}, which is above 0, in the precision: compare instead": three(both, fn),
            f"{unsigned}, which is above 0, in both: compare instead": three(both, both),
            f"{unsigned}, which was added up, in the recall: compare instead": three(fp, all_fn),
            f"{unsigned}, which was added up, in the precision: compare instead": three(all_fp, fn),
            f"{unsigned}, which was added up, in both: compare instead": three(all_fp, all_fn),
        }

    many, hits = np.repeat([1, 0], [380, 40]).astype(np.uint8), np.repeat([1, 0, 1, 0], [290, 90, 20, 20])
    hits, overflow = hits.astype(np.uint8), "a sum in uint8 overflows at 256: compare, or count in int"
    tp, called, spam = (np.uint8(n % 256) for n in (290, 310, 380))  # what a sum of uint8 comes to
    narrow = tp / called, tp / spam
    check(precision_recall_f1, many, hits).equals(
        scored(many, hits), about="many messages, arrays of uint8", edge=True, rtol=1e-4,
        near=lambda: slips(many, hits) | wrapped(290, 20, 90) | {
            "a sum of products in uint8 overflows at 256: compare, or count in int": (34 / 310, 34 / 380, 68 / 690),
            overflow: (34 / 54, 34 / 124, 68 / 178),
            f"{overflow} (in every step)": (*narrow, 2 * narrow[0] * narrow[1] / (narrow[0] + narrow[1])),
            f"{overflow}: the precision and the recall": (290 / 54, 290 / 124, 580 / 178),
            "the fractions were cut off: an integer dtype, or // instead of /": (0, 0, 0),
        },
    )
    check(precision_recall_f1, np.array(y, dtype=np.uint8), np.array(g, dtype=np.uint8)).equals(
        (2 / 3, 2 / 5, 1 / 2), about="arrays of uint8", edge=True, near=known | wrapped(2, 1, 3)
    )
    ### END HIDDEN TESTS


score
