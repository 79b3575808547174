from helpers.checks import graded


@graded("sinks", points=5)
def score(check):
    import torch

    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the first tokens are not kept": {
            1: [6, 7, 8, 9],
            2: [1, 2, 3, 4],
            3: [[[[5.0], [6.0], [7.0]]]],
            5: [[[[5.0], [6.0]]]],
        },
        "the window is one too short: the last `window` are kept beside the sinks": {
            1: [0, 1, 7, 8, 9],
            3: [[[[1.0], [2.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [6.0]]]],
        },
        "the window is one too long": {
            1: [0, 1, 5, 6, 7, 8, 9],
            3: [[[[1.0], [2.0], [4.0], [5.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [4.0], [5.0], [6.0]]]],
        },
        "nothing is dropped": {
            1: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
            3: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        },
        "the window holds `window` tokens beside the sinks": {
            1: [0, 1, 8, 9],
            2: [0, 1, 3, 4],
            3: [[[[1.0], [2.0], [7.0]]]],
            5: [[[[1.0], [2.0]]]],
        },
        "one sink too many": {
            1: [0, 1, 2, 6, 7, 8, 9],
        },
        "window and sinks are exchanged": {
            1: [0, 1, 2, 3, 8, 9],
            3: [[[[1.0], [2.0], [3.0], [6.0], [7.0]]]],
        },
        "the last tokens come first: the order is that of the text": {
            1: [6, 7, 8, 9, 0, 1],
            2: [2, 3, 4, 0, 1],
            3: [[[[5.0], [6.0], [7.0], [1.0], [2.0]]]],
            4: [[[[1.0], [2.0], [3.0], [1.0], [2.0]]]],
            5: [[[[5.0], [6.0], [1.0], [2.0]]]],
        },
        "counted from 1: the first position is 0": {
            1: [1, 2, 7, 8, 9, 10],
            2: [1, 2, 3, 4, 5],
        },
        "a position is there twice: sinks and window overlap": {
            2: [0, 1, 1, 2, 3, 4],
        },
        "the sinks are the first of old and new together, not of the new": {
            3: [[[[7.0], [5.0], [6.0], [7.0]]]],
            5: [[[[2.0], [3.0], [5.0], [6.0]]]],
        },
        "the old tokens were cut before the new ones were added: cut both together": {
            3: [[[[1.0], [2.0], [4.0], [5.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        },
        "the window is the last of old and new together: here it is one of the old, beside the new": {
            3: [[[[1.0], [2.0], [4.0], [5.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        },
        "the old cache was cut to the window before the new ones were added: its first tokens, the sinks, are gone": {
            3: [[[[4.0], [5.0], [6.0], [7.0]]]],
        },
        "the window is the last of old and new together: here of the new alone": {
            3: [[[[1.0], [2.0], [7.0]]]],
            5: [[[[1.0], [5.0], [6.0]]]],
        },
        "for each new token an old one was dropped: only those without a place go": {
            3: [[[[1.0], [2.0], [4.0], [5.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        },
        "the new tokens are before the old ones": {
            3: [[[[7.0], [1.0], [4.0], [5.0], [6.0]]]],
            4: [[[[2.0], [3.0], [1.0]]]],
            5: [[[[2.0], [3.0], [6.0], [1.0]]]],
        },
        "the new token is not there": {
            3: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
            4: [[[[1.0]]]],
            5: [[[[1.0]]]],
        },
        "one is dropped for each call: several tokens may come at once": {
            3: [[[[1.0], [2.0], [4.0], [5.0], [6.0], [7.0]]]],
            5: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        },
        "a token is there twice: sinks and window overlap": {
            4: [[[[1.0], [2.0], [1.0], [2.0], [3.0]]]],
        },
        "only one of the new tokens was put in: several may come at once": {
            4: [[[[1.0], [3.0]]]],
            5: [[[[1.0], [6.0]]]],
        },
        "only the first of the new tokens was put in: several may come at once": {
            4: [[[[1.0], [2.0]]]],
            5: [[[[1.0], [2.0]]]],
        },
        "the sinks are the first of old and new together: new ones count where the cache is shorter": {
            5: [[[[1.0], [5.0], [6.0]]]],
        },
        "nothing is dropped while the old cache was not full: count the new tokens, too": {
            5: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        },
        "the first row has no choice: leave it out": {
            6: [0.5],
            7: [0.8, 0.55],
        },
        "that is the first query's row: the first key's column is asked for": {
            6: [0.333333],
            7: [0.5, 0.5],
        },
        "that is the first query's row after its first key: the first key's column is asked for": {
            6: [0.0],
            7: [0.0, 0.0],
        },
        "the weight on the token itself was taken": {
            6: [0.65],
            7: [0.4, 0.9],
        },
        "the last key's column was taken": {
            6: [0.35],
            7: [0.4, 0.9],
        },
        "divide by the number of queries that count, T - 1": {
            6: [0.166667],
            7: [0.3, 0.05],
        },
        "an axis of size 1 was squeezed away: one head keeps its axis": {
            6: 0.25,
        },
        "this is one number for all heads: one for each is asked for, (H,)": {
            6: 0.25,
            7: 0.35,
        },
        "this is the sum over the queries: their mean is asked for": {
            6: [0.5],
        },
        "the second key's column was taken: the first key is number 0": {
            6: [0.4],
            7: [0.4, 0.9],
        },
        "the last query was left out: the first one is": {
            6: [0.7],
            7: [1.0, 1.0],
        },
        "the weight on all keys was taken, whose mean is 1 / T: the first key is asked for": {
            6: [0.333333],
            7: [0.5, 0.5],
        },
        "the last row alone was taken": {
            6: [0.1],
        },
        "a number for each head is asked for: (H,)": {
            7: [0.35],
        },
        "this is the sum over the texts: their mean is asked for": {
            7: [1.2, 0.2],
        },
        "one mean of all heads is used for each: every head has its own": {
            7: [0.35, 0.35],
        },
        "this is a number for each text: one for each head is asked for": {
            7: [0.3, 0.4],
        },
        "only the first text counts": {
            7: [0.4, 0.2],
        },
    })
    t = torch.tensor
    check(kept_positions, 10, 4, 2).equals([0, 1, 6, 7, 8, 9])
    check(kept_positions, 5, 4, 2).equals([0, 1, 2, 3, 4], about="all fit")
    cache, new = t([[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]]), t([[[[7.0]]]])
    check(evict, cache, new, 3, 2).equals([[[[1.0], [2.0], [5.0], [6.0], [7.0]]]])
    check(evict, t([[[[1.0]]]]), t([[[[2.0], [3.0]]]]), 4, 2).equals([[[[1.0], [2.0], [3.0]]]], about="all fit")
    check(evict, cache[:, :, :1], cache[:, :, 1:], 2, 2).equals(
        [[[[1.0], [2.0], [5.0], [6.0]]]], about="several new ones")
    weights = t([[[[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.1, 0.2, 0.7]]]])
    check(first_weight, weights).equals([0.25], rtol=1e-4)
    one = [[[1.0, 0.0], [0.4, 0.6]], [[1.0, 0.0], [0.2, 0.8]]]
    other = [[[1.0, 0.0], [0.8, 0.2]], [[1.0, 0.0], [0.0, 1.0]]]
    two = t([one, other])
    check(first_weight, two).equals([0.6, 0.1], rtol=1e-4, about="two heads")


score
