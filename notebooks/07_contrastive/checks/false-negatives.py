from helpers.checks import graded


@graded("false-negatives", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "keys of the same group were not left out": {
            1: 0.677044,
            2: 0.843369,
        },
        "left-out scores were set to 0, and exp(0) is 1: set them to minus infinity": {
            1: 0.466733,
            2: 0.766935,
        },
        "the keys of *other* groups were left out: they are the negatives": {
            1: 0.377734,
            2: 0.35574,
        },
        "keys of the same group became positives, too: they are only left out": {
            1: 0.299309,
            2: 0.487629,
        },
        "all keys of a group were taken as targets, each with its share: they are only left out": {
            1: 0.771325,
            2: 0.970263,
        },
        "the query's own key was left out, too": {
            1: float("inf"),
            2: float("inf"),
        },
        "the vectors were not brought to length 1": {
            1: 0.715151,
            2: 0.723274,
        },
        "similarities are divided by the temperature, not multiplied by it": {
            1: 0.687769,
        },
        "the temperature is missing": {
            1: 0.572318,
        },
        "the mean over the queries is asked, not the sum": {
            1: 1.22589,
            2: 1.78613,
        },
        "queries with a duplicate were left out of the mean: they count": {
            1: 0.294543,
            2: 0.932451,
        },
        "only later keys of the group were left out: earlier ones, too": {
            1: 0.583206,
            2: 0.701499,
        },
        "only earlier keys of the group were left out: later ones, too": {
            1: 0.502468,
            2: 0.737247,
        },
        "the temperature was ignored": {
            1: 0.0970307,
            2: 0.123758,
        },
        "left-out cosines were set to -1, which still counts: set them to minus infinity": {
            1: 0.416801,
            2: 0.664031,
        },
        "only one query of each group asks here: all do": {
            1: 0.428992,
            2: 0.626182,
        },
        "both directions were averaged: only the queries choose here": {
            1: 0.422565,
            2: 0.623276,
        },
        "softmax over the queries: each query chooses among the keys": {
            1: 0.4365,
            2: 0.651175,
        },
        "the second key of a group was left out for all queries: only those of the group leave it out": {
            1: 0.557565,
            2: 0.614924,
        },
        "the mean of the groups' means was taken: the mean over all queries is asked": {
            1: 0.380108,
            2: 0.679646,
        },
        "divided by the number of groups: the mean is over all queries": {
            1: 0.612944,
            2: 0.893065,
        },
        "the numbers of the groups were taken for the right keys: query i has key i": {
            1: float("inf"),
        },
        "the numbers of the groups were taken for the right keys, and no key was left out": {
            1: 1.4741,
        },
        "the logarithm is missing": {
            1: -0.673167,
            2: -0.57133,
        },
        "the temperature divides twice": {
            1: 0.25508,
        },
        "multiplied by the temperature at the end": {
            1: 0.204315,
        },
        "the own key is missing in the denominator": {
            1: -0.755143,
            2: -0.321214,
        },
        "one loss for each query came: their mean is asked": {
            1: [0.640362, 0.290983, 0.294543],
            2: [0.579636, 0.932451, 0.274043],
        },
        "left-out cosines were set to -2, which still counts: set them to minus infinity": {
            1: 0.409741,
            2: 0.621517,
        },
        "left-out cosines were set to -5, which still counts: set them to minus infinity": {
            2: 0.596705,
        },
    })
    q, k = torch.tensor([[1.0, 2.0], [2.0, 1.0], [-1.0, 1.0]]), torch.tensor([[1.0, 1.0], [3.0, 1.0], [0.0, 2.0]])
    check(masked_info_nce, q, k, torch.tensor([0, 0, 1]), 0.5).equals(0.4086296, rtol=1e-4)
    check(masked_info_nce, q, k, torch.tensor([4, 7, 4]), 1.0).equals(0.595377, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, masked_info_nce, q, k, torch.tensor([0, 0, 1]), 0.5).equals(
        [[[-0.0962748, 0.0481374], [-0.0348697, 0.0697394], [0.022303, 0.022303]],
         [[-0.0105157, 0.0105157], [-0.0020344, 0.0061032], [0.2059024, 0.0]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)


score
