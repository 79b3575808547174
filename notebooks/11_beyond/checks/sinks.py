from helpers.checks import graded


@graded("sinks", points=5)
def score(check):
    import torch

    t = torch.tensor
    no_sinks = "the first tokens are not kept"
    window_less = "the window is one too short: the last `window` are kept beside the sinks"
    whole = "nothing is dropped"
    shared = "the window holds `window` tokens beside the sinks"
    check(kept_positions, 10, 4, 2).equals([0, 1, 6, 7, 8, 9], near={
        no_sinks: [6, 7, 8, 9], window_less: [0, 1, 7, 8, 9], whole: list(range(10)), shared: [0, 1, 8, 9],
        "the last tokens come first: the order is that of the text": [6, 7, 8, 9, 0, 1],
        "counted from 1: the first position is 0": [1, 2, 7, 8, 9, 10],
    })
    check(kept_positions, 5, 4, 2).equals([0, 1, 2, 3, 4], about="all fit", near={
        "a position is there twice: sinks and window overlap": [0, 1, 1, 2, 3, 4], shared: [0, 1, 3, 4],
        no_sinks: [1, 2, 3, 4]})
    cache, new = t([[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]]), t([[[[7.0]]]])
    check(evict, cache, new, 3, 2).equals([[[[1.0], [2.0], [5.0], [6.0], [7.0]]]], near={
        no_sinks: [[[[5.0], [6.0], [7.0]]]], whole: [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]]]],
        "the new token is not there": [[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]],
        shared: [[[[1.0], [2.0], [7.0]]]], window_less: [[[[1.0], [2.0], [6.0], [7.0]]]],
    })
    summed = "this is the sum over the queries: their mean is asked"
    every_key = "the weight on all keys was taken, whose mean is 1 / T: the first key is asked"
    squeezed = "an axis of size 1 was squeezed away: one head keeps its axis"
    one_for_all = "this is one number for all heads: one for each is asked, (H,)"
    weights = t([[[[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.1, 0.2, 0.7]]]])
    check(first_weight, weights).equals([0.25], near={
        "the first row has no choice: leave it out": [0.5], summed: [0.5], every_key: [0.3333],
        squeezed: 0.25, one_for_all: 0.25,
        "the weight on the token itself was taken": [0.65],
        "that is the first query's row: the first key's column is asked": [0.3333],
    }, rtol=1e-4)


score
