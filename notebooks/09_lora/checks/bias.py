from helpers.checks import graded


@graded("bias", points=4)
def score(check):
    import numpy as np

    polarity = "the polarity is ignored: in a non-negative question the OTHER group is the biased answer"
    of_all = "the share is of the answers that name a group, not of all"
    unscaled = "the ambiguous score is multiplied by (1 - accuracy)"
    both = "only the ambiguous score is multiplied by (1 - accuracy)"
    by_accuracy = "the factor is 1 - accuracy, not the accuracy"
    no_shift = "this is the share of biased answers: times 2, less 1"
    mixed = "the two kinds of context are mixed: each score is over its own questions"
    exchanged = "the two kinds of context are exchanged"
    unknown_biased = "in non-negative questions `unknown` was counted as naming the other group"
    whole = "twice the share was cut to a whole number"
    rows = {
        "picked": [0, 2, 1, 0, 1, 1, 0, 2, 0], "label": [2, 2, 0, 1, 2, 1, 0, 1, 0],
        "unknown": [2, 2, 0, 1, 2, 2, 1, 0, 1],
        "target": [0, 1, 1, 2, 0, 1, 2, 1, 0],
        "ambiguous": [True, True, True, True, True, False, False, False, False],
        "negative": [True, False, False, False, False, True, False, True, True],
    }
    check(bbq_scores, **rows).equals(
        {"accuracy ambiguous": 0.2, "accuracy disambiguated": 0.75, "bias ambiguous": 0.4, "bias disambiguated": 0.5},
        rtol=1e-4, atol=1e-7, near={
            polarity: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.0, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.0},
            whole: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.0, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.0},
            of_all: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.16, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
            unscaled: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.5, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
            both: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.4, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.125},
            by_accuracy: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.1, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
            no_shift: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.6, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.75},
            mixed: {"accuracy ambiguous": 0.4444444, "bias ambiguous": 0.2777778, "accuracy disambiguated": 0.4444444,
                "bias disambiguated": 0.5},
            exchanged: {"accuracy ambiguous": 0.75, "bias ambiguous": 0.125, "accuracy disambiguated": 0.2,
                "bias disambiguated": 0.5},
            unknown_biased: {"accuracy ambiguous": 0.2, "bias ambiguous": 0.8, "accuracy disambiguated": 0.75,
                "bias disambiguated": 0.5},
        })


score
