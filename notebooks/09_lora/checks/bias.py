from helpers.checks import graded


@graded("bias", points=4)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the polarity is ignored: in a non-negative question the OTHER group is the biased answer": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.0,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.0},
        },
        "the share is of the answers that name a group, not of all": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.16,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "the ambiguous score is multiplied by (1 - accuracy)": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.5,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "only the ambiguous score is multiplied by (1 - accuracy)": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.125},
        },
        "the factor is 1 - accuracy, not the accuracy": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.1,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "this is the share of biased answers: times 2, less 1": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.6,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.75},
        },
        "the two kinds of context are mixed: each score is over its own questions": {
            1: {'accuracy ambiguous': 0.444444,
             'bias ambiguous': 0.277778,
             'accuracy disambiguated': 0.444444,
             'bias disambiguated': 0.5},
        },
        "the two kinds of context are exchanged": {
            1: {'accuracy ambiguous': 0.75,
             'bias ambiguous': 0.125,
             'accuracy disambiguated': 0.2,
             'bias disambiguated': 0.5},
        },
        "in non-negative questions `unknown` was counted as naming the other group": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.8,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "the sign is turned round: 1 is with the stereotype": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': -0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -0.5},
        },
        "accuracy and score of the two kinds stand under each other's names": {
            1: {'accuracy ambiguous': 0.75,
             'accuracy disambiguated': 0.2,
             'bias ambiguous': 0.5,
             'bias disambiguated': 0.4},
        },
        "1 - accuracy is of the ambiguous questions, not of all": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.277778,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "1 - accuracy is of the ambiguous questions, not of the others": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.125,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "the factor counts for the disambiguated score alone here: it belongs to the ambiguous one": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.5,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.125},
        },
        "each score is multiplied by its accuracy": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.1,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.375},
        },
        "the disambiguated score is not multiplied by its accuracy": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.375},
        },
        "the factor is 1 - accuracy: here it is 1 + accuracy": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.6,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "a bracket is missing: (1 - accuracy) multiplies the whole score": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.9,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "a bracket is missing: (1 - accuracy) times the whole of 2 n / n - 1": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.2,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "the share is multiplied by 2 before 1 is subtracted": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': -0.2,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -0.25},
        },
        "the share is multiplied by 2 before 1 is subtracted: 2 (n / n - 1) came": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': -0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -0.5},
        },
        "the share was cut to a whole number": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': -0.8,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -1.0},
        },
        "twice the share was cut to a whole number": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.0,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.0},
        },
        "only negative questions can be biased here: in others naming the OTHER group is": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': -0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.0},
        },
        "only non-negative questions can be biased here: in negative ones naming the target is": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.0,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -0.5},
        },
        "an answer counts if it is not `unknown`: here the right one, `label`, is left out": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -1.0},
        },
        "an answer counts if it is not `unknown`: here wrong ones alone do": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.4,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': -1.0},
        },
        "an answer counts if it is not `unknown`: here questions whose label is `unknown` are left out": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.0,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "an answer counts if it is not `unknown` itself: here the label decides": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.0,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "the accuracy is over all questions of its kind, also where `unknown` was picked": {
            1: {'accuracy ambiguous': 0.0,
             'bias ambiguous': 0.5,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "the accuracy compares with the label, not with `unknown`": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.4,
             'accuracy disambiguated': 0.0,
             'bias disambiguated': 0.5},
        },
        "the difference is divided by all answers: by those that name a group": {
            1: {'accuracy ambiguous': 0.2,
             'bias ambiguous': 0.32,
             'accuracy disambiguated': 0.75,
             'bias disambiguated': 0.5},
        },
        "these are percentages; shares are asked": {
            1: {'accuracy ambiguous': 20.0,
             'bias ambiguous': 40.0,
             'accuracy disambiguated': 75.0,
             'bias disambiguated': 50.0},
        },
    })
    rows = {
        "picked": [0, 2, 1, 0, 1, 1, 0, 2, 0], "label": [2, 2, 0, 1, 2, 1, 0, 1, 0],
        "unknown": [2, 2, 0, 1, 2, 2, 1, 0, 1],
        "target": [0, 1, 1, 2, 0, 1, 2, 1, 0],
        "ambiguous": [True, True, True, True, True, False, False, False, False],
        "negative": [True, False, False, False, False, True, False, True, True],
    }
    check(bbq_scores, **rows).equals(
        {"accuracy ambiguous": 0.2, "accuracy disambiguated": 0.75, "bias ambiguous": 0.4, "bias disambiguated": 0.5},
        rtol=1e-4, atol=1e-7)


score
