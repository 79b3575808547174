from helpers.checks import graded


@graded("texts", points=4)
def score(check):
    import numpy as np
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "-1 is no word: zeros there, not the last row": {
            5: [[2.0, 0.0, 6.0, 2.0, 6.0, 2.0], [6.0, 2.0, 2.0, 0.0, 0.0, 4.0], [6.0, 2.0, 2.0, 0.0, 6.0, 2.0]],
        },
        "-1 is no word: zeros there, not the first row": {
            5: [[2.0, 0.0, 2.0, 0.0, 6.0, 2.0], [2.0, 0.0, 2.0, 0.0, 0.0, 4.0], [6.0, 2.0, 2.0, 0.0, 2.0, 0.0]],
        },
        "the own vector comes first": {
            5: [[0.0, 0.0, 2.0, 0.0, 6.0, 2.0], [2.0, 0.0, 0.0, 0.0, 0.0, 4.0], [2.0, 0.0, 6.0, 2.0, 0.0, 0.0]],
        },
        "the own vector comes first, not last": {
            5: [[0.0, 0.0, 6.0, 2.0, 2.0, 0.0], [2.0, 0.0, 0.0, 4.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0, 6.0, 2.0]],
        },
        "0 is a word: only -1 becomes zeros": {
            5: [[0.0, 0.0, 0.0, 0.0, 6.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 4.0], [6.0, 2.0, 0.0, 0.0, 0.0, 0.0]],
        },
        "these are the ids; their vectors are asked for": {
            5: [[0, -1, 2], [-1, 0, 1], [2, 0, -1]],
        },
        "the vectors of the window are not averaged: each keeps its own numbers": {
            5: [[2.0, 0.0, 3.0, 1.0], [0.0, 0.0, 1.0, 2.0], [6.0, 2.0, 1.0, 0.0]],
        },
        "the vectors of the window are not added up: each keeps its own numbers": {
            5: [[2.0, 0.0, 6.0, 2.0], [0.0, 0.0, 2.0, 4.0], [6.0, 2.0, 2.0, 0.0]],
        },
        "the own vector is missing": {
            5: [[0.0, 0.0, 6.0, 2.0], [2.0, 0.0, 0.0, 4.0], [2.0, 0.0, 0.0, 0.0]],
        },
        "the window goes from left to right": {
            5: [[2.0, 0.0, 6.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 4.0, 2.0, 0.0], [6.0, 2.0, 0.0, 0.0, 2.0, 0.0]],
        },
        "the vectors are set side by side: they are not averaged": {
            5: [[2.66667, 0.666667], [0.666667, 1.33333], [2.66667, 0.666667]],
        },
        "the vectors are set side by side: they are not added up": {
            5: [[8.0, 2.0], [2.0, 4.0], [8.0, 2.0]],
        },
        "one row for each position: the features of its words are set side by side": {
            5: [[[2.0, 0.0], [0.0, 0.0], [6.0, 2.0]], [[0.0, 0.0], [2.0, 0.0], [0.0, 4.0]],
             [[6.0, 2.0], [2.0, 0.0], [0.0, 0.0]]],
        },
        "the numbers of the vectors are interleaved: one vector after another": {
            5: [[2.0, 0.0, 6.0, 0.0, 0.0, 2.0], [0.0, 2.0, 0.0, 0.0, 0.0, 4.0], [6.0, 2.0, 0.0, 2.0, 0.0, 0.0]],
        },
        "the windows hold word ids, not positions: their own vectors are asked for, not those of ids[windows]": {
            5: [[2.0, 0.0, 0.0, 0.0, 6.0, 2.0], [0.0, 0.0, 2.0, 0.0, 0.0, 0.0], [6.0, 2.0, 2.0, 0.0, 0.0, 0.0]],
        },
        "the windows hold word ids, not positions: their own vectors are asked for, not those of ids[windows] (at -1, too)": {
            5: [[2.0, 0.0, 6.0, 2.0, 6.0, 2.0], [0.0, 0.0, 2.0, 0.0, 0.0, 0.0], [6.0, 2.0, 2.0, 0.0, 6.0, 2.0]],
        },
        "the windows hold word ids, not positions: their own vectors are asked for, not those of ids[windows] (and -1 is the last row)": {
            5: [[2.0, 0.0, 6.0, 2.0, 6.0, 2.0], [0.0, 0.0, 2.0, 0.0, 6.0, 2.0], [6.0, 2.0, 2.0, 0.0, 6.0, 2.0]],
        },
        "the windows hold word ids, not positions: their own vectors are asked for, not those of ids[windows] (and -1 is the last row everywhere)": {
            5: [[2.0, 0.0, 6.0, 2.0, 6.0, 2.0], [6.0, 2.0, 2.0, 0.0, 6.0, 2.0], [6.0, 2.0, 2.0, 0.0, 6.0, 2.0]],
        },
        "an own id of -1 is a word without a vector: zeros": {
            5: [[2.0, 0.0, 0.0, 0.0, 6.0, 2.0], [6.0, 2.0, 2.0, 0.0, 0.0, 4.0], [6.0, 2.0, 2.0, 0.0, 0.0, 0.0]],
        },
    })
    close = {"rtol": 1e-4, "atol": 1e-6}
    by_number = "divide by the sum of the weights, not by the number of words"
    summed = "this is the sum; divide by the sum of the weights"
    places = "each weight belongs to a word, not to a position in the text"
    plain = "a document whose weights add up to 0 becomes zeros, not its plain mean"
    empties = "a document without words keeps its row"
    table, weights = np.array([[2.0, 0], [0, 4], [6, 2]]), np.array([1.0, 3, 0])
    empty = np.zeros(0, dtype=int)
    check(average_vectors, [np.array([0, 1, 1])], table, weights).equals(
        [[0.2857143, 3.4285714]],
        near={"the weights were not used": [[0.6666667, 2.6666667]],
              by_number: [[0.6666667, 8]], summed: [[2, 24]],
              "a word that occurs twice counts twice": [[0.5, 3]], places: [[0.5, 3]]}, **close,
    )
    check(average_vectors, [np.array([2]), np.array([1, 0]), empty], table, weights).equals(
        [[0, 0], [0.5, 3], [0, 0]],
        near={by_number: [[0, 0], [1, 6], [0, 0]], summed: [[0, 0], [2, 12], [0, 0]],
              "0/0 is NaN: a document without weight becomes zeros": [[np.nan, np.nan], [0.5, 3], [np.nan, np.nan]],
              plain: [[6, 2], [0.5, 3], [0, 0]], empties: [[0, 0], [0.5, 3]], places: [[6, 2], [1.5, 1], [0, 0]]},
        **close,
    )
    whole = np.array([[2, 0], [0, 4]])
    check(average_vectors, [np.array([0, 1, 1])], whole, np.array([1, 3])).equals(
        [[0.2857143, 3.4285714]], about="whole numbers", edge=True, **close,
        near={"a table of whole numbers has means that are none: here their fractions were lost": [[0, 3]]},
    )
    check(average_vectors, [np.array([0, 1])], table, np.array([1e-7, 3e-7, 0])).equals(
        [[0.5, 3]], about="tiny weights", edge=True, **close,
        near={"nothing is added to the sum of the weights: only a sum of 0 becomes zeros": [[0.4878049, 2.9268293]]},
    )
    check(window_features, np.array([0, -1, 2]), np.array([[-1, 2], [0, 1], [0, -1]]), table).equals(
        [[2, 0, 0, 0, 6, 2], [0, 0, 2, 0, 0, 4], [6, 2, 2, 0, 0, 0]]
    )


score
