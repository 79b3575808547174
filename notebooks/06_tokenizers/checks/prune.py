from helpers.checks import graded


@graded("prune", points=9)
def score(check):
    itself = "the piece itself stood in its best cut: it must be missing from what viterbi may use"
    characters_stay = "single characters always stay, whatever the others lose"

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the piece itself stood in its best cut: it must be missing from what viterbi may use": {
            1: {'ab': 0.0, 'ba': 0.0},
            2: {'ab': 0.0, 'ba': 0.0},
            3: {'abab': 0.0, 'ab': -0.5, 'abc': 0.0, 'ba': 0.0, 'abcc': 0.0, 'bcc': 0.0},
        },
        "a single character has no other cut: only pieces of two or more are asked": {
            1: {'a': 0.0, 'b': 0.0, 'ab': 2.0, 'ba': 4.5},
            2: {'a': 0.0, 'b': 0.0, 'ab': 2.0, 'ba': 4.5},
            3: {'abab': 1.0,
             'a': 0.0,
             'b': 0.0,
             'c': 0.0,
             'ab': -0.5,
             'abc': 1.5,
             'ba': 5.0,
             'abcc': 1.0,
             'bcc': 5.0},
        },
        "how often the piece is used was ignored: each use loses": {
            1: {'ab': 0.5, 'ba': 1.5},
            2: {'ab': 0.5, 'ba': 1.5},
            3: {'abab': 0.5, 'ab': -1.0, 'abc': 0.5, 'ba': 2.5, 'abcc': 0.5, 'bcc': 2.5},
        },
        "the sign is wrong: a loss is what the piece has more than its best other cut": {
            1: {'ab': -2.0, 'ba': -4.5},
            2: {'ab': -2.0, 'ba': -4.5},
            3: {'abab': -1.0, 'ab': 0.5, 'abc': -1.5, 'ba': -5.0, 'abcc': -1.0, 'bcc': -5.0},
        },
        "only the count came back: what one use loses belongs to it": {
            1: {'ab': 4.0, 'ba': 3.0},
            2: {'ab': 4.0, 'ba': 3.0},
            3: {'abab': 2.0, 'ab': 0.5, 'abc': 3.0, 'ba': 2.0, 'abcc': 2.0, 'bcc': 2.0},
        },
        "the best other cut was not subtracted": {
            1: {'ab': -10.0, 'ba': -4.5},
            2: {'ab': -10.0, 'ba': -4.5},
            3: {'abab': -8.0, 'ab': -2.25, 'abc': -18.0, 'ba': -2.0, 'abcc': -13.0, 'bcc': -11.0},
        },
        "the piece's own log-probability is missing": {
            1: {'ab': 12.0, 'ba': 9.0},
            2: {'ab': 12.0, 'ba': 9.0},
            3: {'abab': 9.0, 'ab': 1.75, 'abc': 19.5, 'ba': 7.0, 'abcc': 14.0, 'bcc': 16.0},
        },
        "the two log-probabilities were added: their difference is asked": {
            1: {'ab': -22.0, 'ba': -13.5},
            2: {'ab': -22.0, 'ba': -13.5},
            3: {'abab': -17.0, 'ab': -4.0, 'abc': -37.5, 'ba': -9.0, 'abcc': -27.0, 'bcc': -27.0},
        },
        "probabilities were subtracted: their logarithms are asked": {
            1: {'ab': 0.129191721024, 'ba': 0.520029275342},
            2: {'ab': 0.129191721024, 'ba': 0.520029275342},
            3: {'abab': 0.014413284701,
             'ab': -0.00954419344204,
             'abc': 0.00292593895107,
             'ba': 0.675364115498,
             'abcc': 0.00118311445485,
             'bcc': 0.00750261762112},
        },
        "the count stands before the first logarithm alone: it multiplies the whole difference": {
            1: {'ab': -7.0, 'ba': -1.5},
            2: {'ab': -7.0, 'ba': -1.5},
            3: {'abab': -3.5, 'ab': 1.25, 'abc': -11.5, 'ba': 1.5, 'abcc': -6.0, 'bcc': -3.0},
        },
        "the difference of the logarithms was divided by the count: each use loses it once": {
            1: {'ab': 0.125, 'ba': 0.5},
            2: {'ab': 0.125, 'ba': 0.5},
            3: {'abab': 0.25, 'ab': -2.0, 'abc': 0.166666666667, 'ba': 1.25, 'abcc': 0.25, 'bcc': 1.25},
        },
        "the count was added: each use loses, so it multiplies": {
            1: {'ab': 4.5, 'ba': 4.5},
            2: {'ab': 4.5, 'ba': 4.5},
            3: {'abab': 2.5, 'ab': -0.5, 'abc': 3.5, 'ba': 4.5, 'abcc': 2.5, 'bcc': 4.5},
        },
        "the mean over the parts of the cut was taken: their sum is asked": {
            1: {'ab': -4.0, 'ba': 0.0},
            2: {'ab': -4.0, 'ba': 0.0},
            3: {'abab': -5.0, 'ab': -1.375, 'abc': -11.5, 'ba': 1.5, 'abcc': -8.25, 'bcc': -5.66666666667},
        },
        "these are shares of all counts: the count itself multiplies": {
            1: {'ab': 0.153846153846, 'ba': 0.346153846154},
            2: {'ab': 0.1, 'ba': 0.225},
            3: {'abab': 0.0408163265306,
             'ab': -0.0204081632653,
             'abc': 0.0612244897959,
             'ba': 0.204081632653,
             'abcc': 0.0408163265306,
             'bcc': 0.204081632653},
        },
        "the other cut is its single characters here: longer parts may be better": {
            3: {'abab': 6.0, 'ab': -0.5, 'abc': 1.5, 'ba': 5.0, 'abcc': 6.0, 'bcc': 5.0},
        },
        "the other cut has two parts here: it may have more": {
            3: {'abab': 10.0, 'ab': -0.5, 'abc': 4.5, 'ba': 5.0, 'abcc': 1.0, 'bcc': 5.0},
        },
        "the other cut is the greedy longest match here: the most probable one is asked": {
            3: {'abab': 10.0, 'ab': -0.5, 'abc': 4.5, 'ba': 5.0, 'abcc': 5.0, 'bcc': 5.0},
        },
        "the other cut is the one with the fewest parts here: the most probable one is asked": {
            3: {'abab': 10.0, 'ab': -0.5, 'abc': 4.5, 'ba': 5.0, 'abcc': 1.0, 'bcc': 5.0},
        },
        "the least probable other cut was taken": {
            3: {'abab': 10.0, 'ab': -0.5, 'abc': 4.5, 'ba': 5.0, 'abcc': 8.0, 'bcc': 5.0},
        },
        "a negative loss stays negative: the parts would do better": {
            3: {'abab': 1.0, 'ab': 0.0, 'abc': 1.5, 'ba': 5.0, 'abcc': 1.0, 'bcc': 5.0},
        },
        "the size of a negative loss came back: it stays negative": {
            3: {'abab': 1.0, 'ab': 0.5, 'abc': 1.5, 'ba': 5.0, 'abcc': 1.0, 'bcc': 5.0},
        },
        "the pieces with the smallest losses stayed: those are the ones to drop": {
            4: {'a': -1.0, 'b': -2.0, 'ab': -2.5},
            5: {'a': -1.0, 'b': -2.0, 'ab': -1.2, 'aba': -3.0},
        },
        "single characters always stay, whatever the others lose: here none is left": {
            4: {'ba': -1.5, 'ab': -2.5},
            5: {'bab': -4.0, 'ba': -1.5, 'aba': -3.0, 'ab': -1.2},
            6: {'bab': -4.0},
        },
        "single characters always stay, whatever the others lose": {
            4: {'ba': -1.5, 'ab': -2.5, 'a': -1.0},
            6: {'bab': -4.0},
        },
        "`size` counts all pieces, single characters among them": {
            4: {'a': -1.0, 'b': -2.0, 'ba': -1.5, 'ab': -2.5},
            5: {'a': -1.0, 'b': -2.0, 'bab': -4.0, 'ba': -1.5, 'aba': -3.0, 'ab': -1.2},
            6: {'a': -1.0, 'b': -2.0, 'bab': -4.0},
        },
        "the log-probabilities were shared out anew: they stay as they were": {
            4: {'a': -0.68027, 'b': -1.68027, 'ba': -1.18027},
            5: {'a': -0.705173, 'b': -1.70517, 'bab': -3.70517, 'ba': -1.20517},
            6: {'a': -0.313262, 'b': -1.31326},
        },
        "one piece too few": {
            4: {'a': -1.0, 'b': -2.0},
            5: {'a': -1.0, 'b': -2.0, 'bab': -4.0},
        },
        "one piece too many": {
            4: {'a': -1.0, 'b': -2.0, 'ba': -1.5, 'ab': -2.5},
            5: {'a': -1.0, 'b': -2.0, 'bab': -4.0, 'ba': -1.5, 'aba': -3.0},
        },
        "only the single characters stayed": {
            4: {'a': -1.0, 'b': -2.0},
            5: {'a': -1.0, 'b': -2.0},
        },
        "nothing was dropped": {
            4: {'a': -1.0, 'b': -2.0, 'ba': -1.5, 'ab': -2.5},
            5: {'a': -1.0, 'b': -2.0, 'bab': -4.0, 'ba': -1.5, 'aba': -3.0, 'ab': -1.2},
            6: {'a': -1.0, 'b': -2.0, 'bab': -4.0, 'ba': -1.5, 'aba': -3.0, 'ab': -1.2},
        },
        "the losses came back: the log-probabilities are asked": {
            4: {'a': 0.0, 'b': 0.0, 'ba': 4.5},
            5: {'a': 0.0, 'b': 0.0, 'bab': 3.0, 'ba': 1.0},
            6: {'a': 0.0, 'b': 0.0},
        },
        "probabilities came back, with the sum 1: the log-probabilities stay as they were": {
            4: {'a': 0.50648, 'b': 0.186324, 'ba': 0.307196},
            5: {'a': 0.494023, 'b': 0.181741, 'bab': 0.024596, 'ba': 0.29964},
            6: {'a': 0.731059, 'b': 0.268941},
        },
        "the names of the pieces came back: their log-probabilities belong to them": {
            4: ['a', 'b', 'ba'],
            5: ['a', 'b', 'bab', 'ba'],
            6: ['a', 'b'],
        },
        "these are the pieces to drop: those that stay are asked": {
            4: {'ab': -2.5},
            5: {'ab': -1.2, 'aba': -3.0},
            6: {'ab': -1.2, 'bab': -4.0, 'ba': -1.5, 'aba': -3.0},
        },
        "the longest pieces stayed: the losses decide": {
            4: {'a': -1.0, 'b': -2.0, 'ab': -2.5},
            5: {'a': -1.0, 'b': -2.0, 'bab': -4.0, 'aba': -3.0},
        },
        "the most probable pieces stayed: the losses decide": {
            5: {'a': -1.0, 'b': -2.0, 'ab': -1.2, 'ba': -1.5},
        },
        "the size of the loss decided: a negative one is the smallest": {
            5: {'a': -1.0, 'b': -2.0, 'ab': -1.2, 'bab': -4.0},
        },
        "all single characters stay, even if there are more of them than places": {
            6: {'a': -1.0},
        },
        "a negative number of places: the slice [:-2] counts from the back": {
            6: {'a': -1.0, 'b': -2.0, 'bab': -4.0, 'ba': -1.5, 'aba': -3.0},
        },
    })
    pieces = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -1.5}
    counts = {"a": 5.0, "b": 1.0, "ab": 4.0, "ba": 3.0}
    check(removal_losses, counts, pieces).equals({"ab": 2.0, "ba": 4.5}, rtol=1e-6)
    others = "`counts` may have other keys, too: go through those of `log_probs`"
    more_keys = check(removal_losses, counts | {"zz": 7.0}, pieces).equals(
        {"ab": 2.0, "ba": 4.5}, rtol=1e-6, about="a count of no piece", edge=True, near={others: KeyError})
    lost_key = {others: KeyError} if isinstance(more_keys.error, KeyError) else {}
    more = {"abab": -4.0, "a": -1.5, "b": -2.0, "c": -3.0, "ab": -4.5, "abc": -6.0, "ba": -1.0, "abcc": -6.5}
    more["bcc"] = -5.5
    used = {piece: 2.0 for piece in more} | {"abc": 3.0, "ab": 0.5, "zz": 7.0}
    check(removal_losses, used, more).equals(
        {"ab": -0.5, "abab": 1.0, "abc": 1.5, "ba": 5.0, "abcc": 1.0, "bcc": 5.0}, rtol=1e-6, about="longer pieces",
        near=lost_key)
    losses = {"ab": 2.0, "ba": 4.5}
    check(prune, pieces, losses, 3).equals({"a": -1.0, "b": -2.0, "ba": -1.5})
    six = {"a": -1.0, "ab": -1.2, "b": -2.0, "bab": -4.0, "ba": -1.5, "aba": -3.0}
    of_six = {"ab": -6.0, "bab": 3.0, "ba": 1.0, "aba": -0.5}
    check(prune, six, of_six, 4).equals({"a": -1.0, "b": -2.0, "bab": -4.0, "ba": -1.5}, about="negative losses")
    check(prune, six, of_six, 1).equals({"a": -1.0, "b": -2.0}, about="more characters than places", edge=True)


score
