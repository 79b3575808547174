from helpers.checks import graded


@graded("judge", points=6)
def score(check):
    import numpy as np

    ### BEGIN MISTAKES
    from sklearn.metrics import precision_recall_fscore_support

    from helpers.chapters.spam.together import one_by_one

    def scored(labels, predictions, one=1):
        p, r, f, _ = precision_recall_fscore_support(
            labels, predictions, average="binary", zero_division=0, pos_label=one
        )
        return float(p), float(r), float(f)

    def over(a, b):
        return a / b if b else 0.0

    def three(first, second):
        """Return two numbers and what F1 makes of them."""
        return first, second, over(2 * first * second, first + second)

    def other_counts(tp, fp, fn, tn):
        """Mistakes in what is counted and what divides."""
        n = tp + fp + fn + tn
        right, specificity, precision, recall = (tp + tn) / n, over(tn, tn + fp), over(tp, tp + fp), over(tp, tp + fn)
        f1 = three(precision, recall)[2]
        negatives = "true negatives were counted as hits: a hit has label 1 and prediction 1"
        return {
            "the third number is the accuracy, not F1": (precision, recall, right),
            "the first number is the accuracy, not the precision": three(right, recall),
            "the first number is the accuracy, not the precision (F1 is right)": (right, recall, f1),
            "the second number is the accuracy, not the recall": three(precision, right),
            "all three numbers are the accuracy: count for class 1 alone": (right, right, right),
            "the second number is the specificity (of the ham), not the recall": three(precision, specificity),
            "the second number is the specificity (of the ham), not the recall (F1 is right)":
                (precision, specificity, f1),
            negatives: three((tp + tn) / (tp + tn + fp or 1), (tp + tn) / (tp + tn + fn or 1)),
            f"{negatives}, both": three(over(tp + tn, tp + fp), over(tp + tn, tp + fn)),
            "true negatives were counted as misses: a miss has label 1 and prediction 0":
                three(precision, over(tp, tp + fn + tn)),
            "the denominator is not the number of all messages: TP + FP for precision, TP + FN for recall":
                three(tp / n, tp / n),
            "the recall was divided by the number of all messages: by TP + FN": three(precision, tp / n),
            "the precision was divided by the number of all messages: by TP + FP": three(tp / n, recall),
            "the recall was divided by the number of all messages: by TP + FN (F1 is right)": (precision, tp / n, f1),
            "the precision was divided by the number of all messages: by TP + FP (F1 is right)": (tp / n, recall, f1),
            "these are the shares of what went wrong: TP belongs in the numerator":
                three(over(fp, tp + fp), over(fn, tp + fn)),
            "nothing is added to a denominator; only where it is 0 the value is 0":
                three(tp / (tp + fp + 1), tp / (tp + fn + 1)),
            "F1 is not TP / (TP + FP + FN): TP counts twice, above and below":
                (precision, recall, over(tp, tp + fp + fn)),
            "a sum in a denominator needs brackets: TP / (TP + FP)": three(1 + fp, 1 + fn),
            "these are counts: divide them": (tp, fp, fn),
        }

    def unsigned(tp, fp, fn):
        """Mistakes with arrays of uint8, where 0 - 1 is 255 and a sum ends at 255."""

        def numbers(hits, fp, fn):
            return over(hits, hits + fp), over(hits, hits + fn), over(2 * hits, 2 * hits + fp + fn)

        both, all_fp, all_fn = fp + fn, fp + 255 * fn, fn + 255 * fp
        kept, called, spam = tp % 256, tp + fp, tp + fn  # what a sum of uint8 comes to
        words, overflow = "in unsigned integers (uint8) 0 - 1 is 255", "overflows at 256: compare, or count in int"
        return {
            f"{words}: no difference is ever -1 or below 0, so no miss was counted: compare": numbers(tp, fp, 0),
            f"{words}: compare, do not subtract": numbers(tp, 0, fn),
            f"{words}, which is above 0, in the recall: compare instead": numbers(tp, fp, both),
            f"{words}, which is above 0, in the precision: compare instead": numbers(tp, both, fn),
            f"{words}, which is above 0, in both: compare instead": numbers(tp, both, both),
            f"{words}, which was added up, in the recall: compare instead": numbers(tp, fp, all_fn),
            f"{words}, which was added up, in the precision: compare instead": numbers(tp, all_fp, fn),
            f"{words}, which was added up, in both: compare instead": numbers(tp, all_fp, all_fn),
            f"a sum of products in uint8 {overflow}": numbers(kept, called - kept, spam - kept),
            f"a sum in uint8 {overflow}": numbers(kept, called % 256 - kept, spam % 256 - kept),
            f"a sum in uint8 {overflow}: the precision and the recall":
                numbers(tp, called % 256 - tp, spam % 256 - tp),
        }

    def slips(labels, predictions):
        """What the known mistakes give."""
        y, g = np.asarray(labels), np.asarray(predictions)
        (p, r, f), (p0, r0, f0) = scored(y, g), scored(y, g, 0)
        both, sizes = [(p0, r0, f0), (p, r, f)], [np.sum(y == 0), np.sum(y == 1)]
        counts = [int(np.sum((y == a) & (g == b))) for a, b in ((1, 1), (0, 1), (1, 0), (0, 0))]
        bytes_alone = unsigned(*counts[:3]) if y.dtype == np.uint8 else {}
        return other_counts(*counts) | bytes_alone | {
            "precision and recall are swapped": (r, p, f),
            "F1 comes last: precision, recall, F1": (f, p, r),
            "F1 is the harmonic mean, not the plain mean": (p, r, (p + r) / 2),
            "F1 is the harmonic mean, not the geometric mean": (p, r, (p * r) ** 0.5),
            "F1 lacks its factor 2": (p, r, f / 2),
            "F1 lacks its denominator, precision + recall": (p, r, 2 * p * r),
            "F1 is upside down": (p, r, over(p + r, 2 * p * r)),
            "a sum in a denominator needs brackets": (p, r, 3 * r),
            "class 1 counts: these are the numbers of class 0": (p0, r0, f0),
            "class 1 alone counts, not the mean of both classes": tuple(np.mean(both, axis=0)),
            "class 1 alone counts, not the mean of both classes, weighted by their size": tuple(
                np.average(both, axis=0, weights=sizes)),
            "the third number is F1 of class 1, not the mean of F1 over both classes": (p, r, (f + f0) / 2),
            "& binds tighter than ==: write (a == 1) & (b == 1)": ValueError,
        }

    check.mistakes(one_by_one(slips, *np.array([[1, 0], [1, 0]], dtype=np.uint8)), precision_recall_f1)
    ### END MISTAKES
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
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for share in (0.3, 0.65, 0.8):
        labels = (check.rng.random(60) < 0.4).astype(int)
        predictions = np.where(check.rng.random(60) < share, labels, 1 - labels)
        labels[:4], predictions[:4] = (1, 1, 0, 0), (1, 0, 1, 0)  # none of the four counts is 0
        check(precision_recall_f1, labels, predictions).equals(
            scored(labels, predictions), about="random labels and predictions"
        )
    for labels, predictions, one, undefined, about in [
        ([1, 1, 0], [0, 0, 0], (1, 0, 0), (gone, 0, gone), "nothing is called spam"),
        ([0, 0, 0], [1, 0, 1], (0, 1, 0), (0, gone, gone), "no spam at all"),
        ([1, 0], [0, 1], (0, 0, 1), (gone, gone, gone), "all wrong"),
    ]:
        check(precision_recall_f1, labels, predictions).equals(
            (0, 0, 0), about=about, edge=True,
            near=lists | {zero: ZeroDivisionError, nan_f1: (0, 0, gone), nan: undefined, ones: one},
        )
    for labels in ([1, 0, 1], [0, 1, 0]):  # the second: one hit, and both denominators are 1
        check(precision_recall_f1, np.array(labels), np.array(labels)).equals((1, 1, 1), about="all right", edge=True)
    labels, predictions = np.repeat([1, 0], [380, 40]), np.repeat([1, 0, 1, 0], [290, 90, 20, 20])
    check(precision_recall_f1, labels.astype(np.uint8), predictions.astype(np.uint8)).equals(
        scored(labels, predictions), about="many messages, arrays of uint8", edge=True, rtol=1e-4,
        near={"the fractions were cut off: an integer dtype, or // instead of /": (0, 0, 0)},
    )
    check(precision_recall_f1, np.array(y, dtype=np.uint8), np.array(g, dtype=np.uint8)).equals(
        (2 / 3, 2 / 5, 1 / 2), about="arrays of uint8", edge=True, near=tight
    )
    ### END HIDDEN TESTS


score
