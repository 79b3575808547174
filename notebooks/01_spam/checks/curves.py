from helpers.checks import graded


@graded("curves", points=6)
def score(check):
    import numpy as np

    inf, nan = np.inf, np.nan
    turned_to_array = "labels may be a list: np.asarray makes an array of it"
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "FPR and TPR are swapped": {
            1: ([0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0]),
            5: ([0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0],
             [0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0]),
            6: ([0.0, 0.5, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.5, 1.0]),
        },
        "the start at (0, 0) is missing": {
            1: ([0.0, 0.5, 1.0], [0.5, 1.0, 1.0]),
            5: ([0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.5, 1.0], [0.5, 1.0, 1.0, 1.0]),
        },
        "the start at (0, 0) comes first, not last": {
            1: ([0.0, 0.5, 1.0, 0.0], [0.5, 1.0, 1.0, 0.0]),
            5: ([0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0, 0.0],
             [0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0, 0.0]),
            6: ([0.0, 0.0, 0.5, 1.0, 0.0], [0.5, 1.0, 1.0, 1.0, 0.0]),
        },
        "a score equal to the threshold counts as spam: use >=": {
            1: ([0.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.5, 1.0]),
            2: (0.8, 1.0),
            3: (0.1, 1.0),
            5: ([0.0, 0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75],
             [0.0, 0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.5, 1.0, 1.0]),
            7: (-3.0, 5.0),
            8: (40.5, 14000.0),
            11: (0.2, 1.0),
        },
        "the last point, (1, 1), is missing: take every score as a threshold, and use >=": {
            1: ([0.0, 0.0, 0.5], [0.0, 0.5, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75], [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.5], [0.0, 0.5, 1.0, 1.0]),
        },
        "ham with a score equal to the threshold counts, too: use >=": {
            1: ([0.0, 0.0, 0.0, 0.5], [0.0, 0.5, 1.0, 1.0]),
            5: ([0.0, 0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.0, 0.5], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "spam with a score equal to the threshold counts, too: use >=": {
            1: ([0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0]),
        },
        "scores from the threshold upwards are spam: use >=, not <=": {
            1: ([0.0, 1.0, 1.0, 0.5], [0.0, 1.0, 0.5, 0.0]),
            5: ([0.0, 1.0, 0.75, 0.75, 0.75, 0.5, 0.5, 0.25],
             [0.0, 1.0, 1.0, 0.666667, 0.333333, 0.333333, 0.0, 0.0]),
            6: ([0.0, 1.0, 1.0, 1.0, 0.5], [0.0, 1.0, 0.5, 0.0, 0.0]),
        },
        "scores from the threshold upwards are spam: use >=, not <": {
            1: ([0.0, 1.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.0]),
            5: ([0.0, 0.75, 0.75, 0.75, 0.5, 0.5, 0.25, 0.0],
             [0.0, 1.0, 0.666667, 0.333333, 0.333333, 0.0, 0.0, 0.0]),
            6: ([0.0, 1.0, 1.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.0, 0.0]),
        },
        "divide by the number of the class, not by all": {
            1: ([0.0, 0.0, 0.25, 0.5], [0.0, 0.25, 0.5, 0.5]),
            5: ([0.0, 0.142857, 0.142857, 0.142857, 0.285714, 0.285714, 0.428571, 0.571429],
             [0.0, 0.0, 0.142857, 0.285714, 0.285714, 0.428571, 0.428571, 0.428571]),
            6: ([0.0, 0.0, 0.0, 0.25, 0.5], [0.0, 0.25, 0.5, 0.5, 0.5]),
        },
        "divide ham by the number of all ham, not of all messages": {
            1: ([0.0, 0.0, 0.25, 0.5], [0.0, 0.5, 1.0, 1.0]),
            5: ([0.0, 0.142857, 0.142857, 0.142857, 0.285714, 0.285714, 0.428571, 0.571429],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.25, 0.5], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "divide spam by the number of all spam, not of all messages": {
            1: ([0.0, 0.0, 0.5, 1.0], [0.0, 0.25, 0.5, 0.5]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 0.0, 0.142857, 0.285714, 0.285714, 0.428571, 0.428571, 0.428571]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.25, 0.5, 0.5, 0.5]),
        },
        "these are counts: divide by the number of the class": {
            1: ([0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 2.0]),
            5: ([0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 4.0], [0.0, 0.0, 1.0, 2.0, 2.0, 3.0, 3.0, 3.0]),
            6: ([0.0, 0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 2.0, 2.0]),
        },
        "the highest score comes first; here the order is reversed": {
            1: ([1.0, 0.5, 0.0, 0.0], [1.0, 1.0, 0.5, 0.0]),
            5: ([1.0, 0.75, 0.5, 0.5, 0.25, 0.25, 0.25, 0.0],
             [1.0, 1.0, 1.0, 0.666667, 0.666667, 0.333333, 0.0, 0.0]),
            6: ([1.0, 0.5, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.5, 0.0]),
        },
        "the TPR is the share of all spam (recall), not the precision": {
            1: ([0.0, 0.0, 0.5, 1.0], [0.0, 1.0, 0.666667, 0.5]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.0, 0.5, 0.666667, 0.5, 0.6, 0.5, 0.428571]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 1.0, 1.0, 0.666667, 0.5]),
        },
        "the TPR is the share of all spam (recall), not the precision, which starts at 1": {
            1: ([0.0, 0.0, 0.5, 1.0], [1.0, 1.0, 0.666667, 0.5]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [1.0, 0.0, 0.5, 0.666667, 0.5, 0.6, 0.5, 0.428571]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [1.0, 1.0, 1.0, 0.666667, 0.5]),
        },
        "the FPR is the share of all ham, not of what is called spam": {
            1: ([0.0, 0.0, 0.333333, 0.5], [0.0, 0.5, 1.0, 1.0]),
            5: ([0.0, 1.0, 0.5, 0.333333, 0.5, 0.4, 0.5, 0.571429],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.333333, 0.5], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "the FPR is the share of ham that is called spam: this is the precision": {
            1: ([0.0, 1.0, 0.666667, 0.5], [0.0, 0.5, 1.0, 1.0]),
            5: ([0.0, 0.0, 0.5, 0.666667, 0.5, 0.6, 0.5, 0.428571],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 1.0, 1.0, 0.666667, 0.5], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "the FPR is the share of all ham, not of what is called spam, nor is the TPR": {
            1: ([0.0, 0.0, 0.333333, 0.5], [0.0, 1.0, 0.666667, 0.5]),
            5: ([0.0, 1.0, 0.5, 0.333333, 0.5, 0.4, 0.5, 0.571429],
             [0.0, 0.0, 0.5, 0.666667, 0.5, 0.6, 0.5, 0.428571]),
            6: ([0.0, 0.0, 0.0, 0.333333, 0.5], [0.0, 1.0, 1.0, 0.666667, 0.5]),
        },
        "the FPR counts ham from the threshold upwards; the specificity counts it below": {
            1: ([0.0, 1.0, 0.5, 0.0], [0.0, 0.5, 1.0, 1.0]),
            5: ([0.0, 0.75, 0.75, 0.75, 0.5, 0.5, 0.25, 0.0],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 1.0, 1.0, 0.5, 0.0], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "the FPR counts ham from the threshold upwards: this is 1 - FPR, the specificity": {
            1: ([1.0, 1.0, 0.5, 0.0], [0.0, 0.5, 1.0, 1.0]),
            5: ([1.0, 0.75, 0.75, 0.75, 0.5, 0.5, 0.25, 0.0],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([1.0, 1.0, 1.0, 0.5, 0.0], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "the TPR counts spam from the threshold upwards: these are the misses": {
            1: ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.0, 0.0]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 1.0, 0.666667, 0.333333, 0.333333, 0.0, 0.0, 0.0]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.0, 0.0, 0.0]),
        },
        "the TPR counts spam from the threshold upwards; these are the misses": {
            1: ([0.0, 0.0, 0.5, 1.0], [1.0, 0.5, 0.0, 0.0]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [1.0, 1.0, 0.666667, 0.333333, 0.333333, 0.0, 0.0, 0.0]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [1.0, 0.5, 0.0, 0.0, 0.0]),
        },
        "(0, 0) comes once only, at the start": {
            1: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0]),
            5: ([0.0, 0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "the highest score is a threshold, too, after the start at (0, 0)": {
            1: ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.5, 1.0], [0.0, 1.0, 1.0, 1.0]),
        },
        "(1, 1) comes with the lowest score: do not add it again": {
            1: ([0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0, 1.0],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0, 1.0]),
        },
        "return two arrays, FPR and TPR, without the thresholds": {
            1: ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [0.9, 0.8, 0.1]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0],
             [2e+17, 0.14, 0.14, -1.0, -2.0, -2.3, -4.0]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0], [200.0, 120.0, 5.0, 0.0]),
        },
        "return two arrays, FPR and TPR, not the thresholds as well": {
            1: ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [float("inf"), 0.9, 0.8, 0.1]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0],
             [float("inf"), 2e+17, 0.14, 0.14, -1.0, -2.0, -2.3, -4.0]),
            6: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0], [float("inf"), 200.0, 120.0, 5.0, 0.0]),
        },
        "return two arrays, FPR and TPR, not pairs": {
            1: [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]],
            5: [[0.0, 0.0], [0.25, 0.0], [0.25, 0.333333], [0.25, 0.666667], [0.5, 0.666667], [0.5, 1.0],
             [0.75, 1.0], [1.0, 1.0]],
            6: [[0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0]],
        },
        "equal scores enter together, as one point": {
            1: ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0]),
        },
        "equal scores enter together, as one point, whatever their order": {
            1: ([0.0, 0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "equal scores are one threshold, not two": {
            1: ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0]),
        },
        "one point for each distinct score, from the highest on: sort them": {
            1: ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.25, 0.5, 0.75, 0.5, 1.0],
             [0.0, 0.0, 0.666667, 0.333333, 0.666667, 1.0, 1.0, 1.0]),
            6: ([0.0, 0.5, 0.0, 1.0, 0.0], [0.0, 1.0, 0.5, 1.0, 1.0]),
        },
        "the highest score comes first": {
            1: ([0.0, 1.0, 0.5, 0.0], [0.0, 1.0, 1.0, 0.5]),
            5: ([0.0, 1.0, 0.75, 0.5, 0.5, 0.25, 0.25, 0.25],
             [0.0, 1.0, 1.0, 1.0, 0.666667, 0.666667, 0.333333, 0.0]),
            6: ([0.0, 1.0, 0.5, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0, 0.5]),
        },
        "one point for each distinct score, those of ham, too": {
            1: ([0.0, 0.0, 0.5], [0.0, 0.5, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.5], [0.0, 0.333333, 0.666667, 1.0]),
            6: ([0.0, 0.0, 0.0], [0.0, 0.5, 1.0]),
        },
        "one point for each distinct score, those of spam, too": {
            1: ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0]),
            5: ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 1.0, 1.0]),
            6: ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0]),
        },
        "one point for each distinct score: do not round them (decimals=0)": {
            1: ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0]),
            5: ([0.0, 0.25, 0.25, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0]),
        },
        "spam below the threshold is a miss, and it costs": {
            2: (float("inf"), 0.0),
            3: (float("inf"), 0.0),
            4: (float("inf"), 0.0),
            7: (float("inf"), 0.0),
            8: (float("inf"), 0.0),
            9: (float("inf"), 0.0),
            11: (float("inf"), 0.0),
        },
        "ham at or above the threshold is a false alarm, and it costs": {
            2: (0.8, 0.0),
            3: (0.8, 0.0),
            4: (0.1, 0.0),
            7: (-2.0, 0.0),
            8: (10.5, 0.0),
            9: (-5.0, 0.0),
        },
        "a false alarm is ham called spam, a miss is spam called ham; here it is the reverse": {
            2: (float("inf"), 2.0),
            3: (0.1, 2.0),
            4: (0.8, 0.0),
            7: (-3.0, 5.0),
            8: (float("inf"), 14000.0),
            9: (3.0, 0.0),
            10: (0.2, 0.0),
            11: (float("inf"), 0.0),
        },
        "a false alarm is ham at or above the threshold, not below": {
            2: (0.1, 0.0),
            3: (0.1, 0.0),
            4: (0.1, 0.0),
            7: (-3.0, 0.0),
            8: (10.5, 0.0),
            9: (-5.0, 0.0),
            10: (0.2, 0.0),
        },
        "a score equal to the threshold counts as spam: no miss, use <": {
            2: (float("inf"), 2.0),
            3: (0.1, 2.0),
            7: (-3.0, 7.5),
            8: (float("inf"), 21000.0),
            11: (0.2, 1.0),
        },
        "a score equal to the threshold counts as spam: a false alarm, use >=": {
            2: (0.8, 0.0),
            3: (0.8, 0.0),
        },
        "counts are weighed, not shares": {
            2: (0.9, 0.5),
            3: (0.8, 0.5),
            7: (-2.0, 1.66667),
            8: (50.5, 4666.67),
        },
        "counts are weighed, not shares of a class times all messages": {
            2: (0.9, 2.0),
            3: (0.8, 2.0),
            4: (float("inf"), 3.0),
            7: (-2.0, 8.33333),
            8: (50.5, 23333.3),
            9: (float("inf"), 2.0),
        },
        "of equally cheap thresholds take the highest": {
            2: (0.8, 1.0),
            8: (10.5, 14000.0),
            9: (-5.0, 1.0),
        },
        "threshold and cost are swapped": {
            2: (1.0, 0.9),
            3: (1.0, 0.8),
            4: (1.0, float("inf")),
            7: (5.0, -2.0),
            8: (14000.0, 50.5),
            9: (1.0, float("inf")),
            10: (0.0, float("inf")),
            11: (0.0, 0.2),
        },
        "the total cost is asked for, not the mean": {
            2: (0.9, 0.25),
            3: (0.8, 0.25),
            4: (float("inf"), 0.333333),
            7: (-2.0, 1.0),
            8: (50.5, 2800.0),
            9: (float("inf"), 0.5),
        },
        "the total cost is asked for, not the share of the errors": {
            2: (0.9, 0.25),
            3: (0.8, 0.25),
            4: (float("inf"), 0.333333),
            7: (-2.0, 0.4),
            8: (50.5, 0.4),
            9: (float("inf"), 0.5),
        },
        "the thresholds are the scores, not half way between them": {
            2: (0.85, 1.0),
            3: (0.45, 1.0),
            7: (-2.5, 5.0),
            8: (45.5, 14000.0),
            11: (0.45, 1.0),
        },
        "the threshold is asked for, not the index of the candidate": {
            2: (1, 1.0),
            3: (2, 1.0),
            4: (0, 1.0),
            7: (4, 5.0),
            8: (1, 14000.0),
            9: (0, 1.0),
            10: (0, 0.0),
            11: (2, 0.0),
        },
        "the threshold is asked for, not the index of the score": {
            2: (0, 1.0),
            3: (1, 1.0),
            4: (-1, 1.0),
            7: (3, 5.0),
            8: (0, 14000.0),
            9: (-1, 1.0),
            10: (-1, 0.0),
            11: (1, 0.0),
        },
        "the threshold is asked for, not the index of the message": {
            2: (0, 1.0),
            3: (1, 1.0),
            4: (0, 1.0),
            7: (4, 5.0),
            8: (2, 14000.0),
            9: (0, 1.0),
            10: (0, 0.0),
            11: (1, 0.0),
        },
        "the smallest cost is asked for, not the largest": {
            2: (float("inf"), 2.0),
            3: (float("inf"), 10.0),
            4: (0.8, 3.0),
            7: (2.0, 10.5),
            8: (float("inf"), 21000.0),
            9: (3.0, 2.0),
            10: (0.2, 4.0),
            11: (float("inf"), 2.0),
        },
        "the two costs are swapped": {
            3: (0.9, 1.0),
            7: (float("inf"), 5.0),
        },
        "the two costs are swapped in the choice of the threshold": {
            3: (0.9, 5.0),
            7: (float("inf"), 8.0),
        },
        "the two costs are swapped at every threshold but infinity": {
            3: (0.9, 1.0),
            7: (1.0, 6.5),
        },
        "the costs were ignored: multiply each kind of error by its own": {
            3: (0.9, 1),
            7: (float("inf"), 2),
            8: (50.5, 2),
        },
        "the costs were ignored in the choice of the threshold": {
            3: (0.9, 5.0),
            7: (float("inf"), 8.0),
        },
        "the costs decide, not TPR - FPR": {
            3: (0.9, 5.0),
        },
        "the cost of a miss was ignored": {
            3: (0.9, 1.0),
            7: (float("inf"), 2.0),
            8: (50.5, 2.0),
        },
        "infinity is a candidate, too": {
            4: (0.9, 2.0),
            9: (-5.0, 1.0),
            10: (0.7, 2.0),
        },
        "infinity itself is the candidate, not a number above the highest score": {
            4: (1.9, 1.0),
            9: (4.0, 1.0),
            10: (1.7, 0.0),
        },
        "infinity itself is the candidate, not the highest score, which is one of its own": {
            4: (0.9, 1.0),
            9: (3.0, 1.0),
            10: (0.7, 0.0),
        },
        "divide each by the number of its own class": {
            5: ([0.0, 0.333333, 0.333333, 0.333333, 0.666667, 0.666667, 1.0, 1.33333],
             [0.0, 0.0, 0.25, 0.5, 0.5, 0.75, 0.75, 0.75]),
        },
        "one point for each distinct score, even on a straight line: drop_intermediate=False": {
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0]),
            6: ([0.0, 0.0, 0.0, 1.0], [0.0, 0.5, 1.0, 1.0]),
        },
        "the start is above all scores, as infinity is: of large ones, 1 more than the highest is the highest": {
            5: ([0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0],
             [0.0, 0.0, 0.333333, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
        },
        "scores may be below 0 or above 1: take one point for each distinct score": {
            5: ([0.0, 0.25, 0.25], [0.0, 0.333333, 0.666667]),
            6: ([0.0, 1.0], [0.0, 1.0]),
        },
        "scores may be negative: take one point for each distinct score": {
            5: ([0.0, 0.25, 0.25, 0.25], [0.0, 0.0, 0.333333, 0.666667]),
        },
        "one point for each distinct score: do not round them (decimals=1)": {
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
        },
        "one point for each distinct score: do not round them (decimals=2)": {
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
        },
        "one point for each distinct score: do not round them (decimals=3)": {
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
        },
        "one point for each distinct score: do not round them (decimals=4)": {
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
        },
        "one point for each distinct score: do not round them (decimals=6)": {
            5: ([0.0, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0], [0.0, 0.0, 0.666667, 0.666667, 1.0, 1.0, 1.0]),
        },
        "the costs were ignored in the total: multiply each kind of error by its own": {
            7: (-2.0, 2),
            8: (50.5, 2),
        },
        "the cost of a false alarm was ignored": {
            7: (-2.0, 2.0),
            8: (10.5, 2.0),
        },
        "scores may be below 0 or above 1, and all are candidates": {
            7: (1.0, 6.5),
            8: (float("inf"), 21000.0),
        },
        "go through all thresholds: do not stop where the cost first rises": {
            7: (float("inf"), 8.0),
        },
        "of equally cheap thresholds take the highest, not the one that comes first": {
            8: (30.5, 14000.0),
        },
        "of equally cheap thresholds take the highest, even if that is infinity": {
            9: (-5.0, 1.0),
        },
        "infinity came because one class is missing: count errors (a share is 0/0, and no cost is below that at infinity)": {
            11: (float("inf"), 2.0),
        },
    })
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


score
