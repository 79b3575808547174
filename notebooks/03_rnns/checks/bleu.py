from helpers.checks import graded


@graded("bleu", points=4)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the mean of the precisions is geometric: here they were averaged": {
            1: 0.716667,
            2: 0.561111,
            5: 0.285645,
        },
        "the n-th root is missing": {
            1: 0.5,
            2: 0.125,
            5: 0.179732,
        },
        "repeated n-grams were counted once: take counts, not sets": {
            1: 0.69282,
            2: 0.493242,
            4: 1.0,
            5: 0.299553,
        },
        "the root is the n-th: here it was the fourth, whatever n is": {
            1: 0.840896,
            2: 0.594604,
            4: 0.73111,
            5: 0.357338,
        },
        "nothing is smoothed: here 1 was added to hits and totals": {
            1: 0.755929,
            2: 0.611421,
            3: 0.488923,
            4: 0.375,
            5: 0.302938,
            7: 1.0,
        },
        "nothing is smoothed: here 1 was added to hits and totals, but for single words": {
            1: 0.745356,
            2: 0.605707,
            3: 0.485492,
            5: 0.297203,
            7: 1.0,
        },
        "only the longest n-grams were counted: all sizes from 1 to n are": {
            1: 0.6,
            2: 0.25,
            5: 0.256759,
        },
        "n was ignored: here the sizes go to 4": {
            1: 0.0,
            2: 0.0,
            4: 0.0,
            5: 0.215931,
            6: 0.0,
        },
        "the shares are of the candidate's n-grams: here they were divided by its number of words": {
            1: 0.645497,
            2: 0.411035,
            5: 0.237763,
            6: 0.0956965,
        },
        "the logarithm and its exponential have different bases": {
            1: 0.606531,
            2: 0.367879,
            4: 0.164088,
            5: 0.232012,
        },
        "the sizes end at n - 1: n itself belongs to them": {
            1: 0.833333,
            2: 0.707107,
            3: 0.5,
            5: 0.31453,
            7: 1.0,
        },
        "these are percentages: between 0 and 1": {
            1: 70.7107,
            2: 50.0,
            4: 28.5714,
            5: 28.4181,
            6: 13.5335,
        },
        "the root is the n-th: here it was the square root, whatever n is": {
            2: 0.353553,
            4: 0.534522,
        },
        "BLEU is 0.0 where one share is 0: it was left out of the mean": {
            3: 0.5,
            7: 1.0,
        },
        "clip the counts: an n-gram counts at most as often as it occurs in the reference": {
            4: 1.0,
        },
        "the shares are of the candidate's n-grams: here they were divided by the reference's": {
            4: 0.333333,
            5: 0.144698,
            6: 0.0349434,
        },
        "candidate and reference are exchanged in the brevity penalty": {
            4: 0.241852,
            5: 0.632456,
            6: 1.0,
        },
        "a candidate that is longer than the reference gets no penalty: BP is at most 1": {
            4: 0.32959,
        },
        "candidates and references are exchanged": {
            4: 0.282161,
            5: 0.322031,
            6: 0.258199,
        },
        "the brevity penalty is missing: the candidates are shorter than the references": {
            5: 0.632456,
            6: 1.0,
        },
        "the penalty is exp(1 - r/c): here it was c/r": {
            5: 0.351364,
            6: 0.333333,
        },
        "the penalty was put inside the root: it stands before it": {
            5: 0.423948,
            6: 0.367879,
        },
        "BLEU of each sentence was averaged: add hits and totals over the corpus, then divide": {
            5: 0.293934,
        },
        "one sentence is shorter than n: it adds no n-grams of that size, and the others count on": {
            5: 0.0,
        },
        "a sentence shorter than n was passed over: its shorter n-grams count, and its length does, too": {
            5: 0.442253,
        },
        "a sentence shorter than n has no n-grams of that size: here one was counted for it": {
            5: 0.265827,
        },
        "a sentence shorter than n was passed over: its shorter n-grams count": {
            5: 0.277332,
        },
        "c and r are exchanged in the penalty: it is 1 if c >= r, else exp(1 - r/c)": {
            5: 0.986393,
            6: 1.94773,
        },
        "the mean of each sentence's precision came first: add hits and totals over the corpus": {
            5: 0.236422,
        },
        "the sentences were joined to one text: no n-gram reaches across their edges": {
            5: 0.250624,
        },
        "each sentence had a penalty of its own: it is taken once, from the total lengths": {
            5: 0.301892,
        },
    })
    cat, ref = "the cat sat on the mat".split(), "the cat is on the mat".split()
    check(bleu, [cat], [ref], 2).equals(0.7071, rtol=1e-4, about="BLEU-2")
    check(bleu, [cat], [ref], 3).equals(0.5, about="BLEU-3")
    check(bleu, [cat], [ref]).equals(
        0.0, about="BLEU-4", near={"the logarithm of 0 cannot be taken: return 0.0": ValueError}
    )
    check(bleu, [["the"] * 7], [ref], 1).equals(2 / 7, about="the the the")
    pair = ["it is on it".split(), "a cat sat on the".split()]
    check(bleu, [*pair, ["on"]], [ref, cat, ref], 2).equals(0.284181, rtol=1e-4, about="three sentences, one short")
    check(bleu, [["the", "cat"]], [ref], 2).equals(0.1353, rtol=1e-3, about="too short")
    check(bleu, [["cat"]], [["cat"]], 2).equals(
        0.0, about="no pair to count", edge=True, near={"sizes without n-grams were left out: 0.0 then": 1.0,
        "a share of nothing: return 0.0": ZeroDivisionError},
    )


score
