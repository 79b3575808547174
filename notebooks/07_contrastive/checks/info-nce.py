from helpers.checks import graded


@graded("info-nce", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the mean over the queries is asked, not the sum": {
            1: 0.626523,
            2: 1.22547,
            3: 2.33145,
            5: 2000.0,
        },
        "the positive is missing in the denominator": {
            1: -1.0,
            2: -0.242108,
            3: 0.760702,
        },
        "the labels are off by one: query i belongs to key i": {
            1: 1.31326,
            2: 2.40268,
            3: 2.95568,
            5: 500.0,
        },
        "the labels are off by one: query i belongs to key i, and the last one not to the first": {
            1: 1.31326,
            2: 1.41273,
            3: 1.96573,
            5: 200.0,
        },
        "all queries were given the first key": {
            1: 0.813262,
            2: 1.05995,
            3: 1.61294,
            5: 600.0,
        },
        "softmax was taken twice: F.cross_entropy takes it itself": {
            1: 0.488548,
            2: 0.895565,
            3: 1.33264,
            5: 1.74367,
        },
        "the minus in front of the logarithm is missing": {
            1: -0.313262,
            2: -0.612733,
            3: -1.16573,
            5: -1000.0,
        },
        "one loss for each query came: their mean is asked": {
            1: [0.313262, 0.313262],
            2: [0.843409, 0.382057],
            3: [0.862257, 1.4692],
            5: [1000.0, 1000.0],
        },
        "the temperature was ignored": {
            1: 0.0,
            2: 0.0729233,
            3: 5.36261,
            5: 40.0003,
        },
        "squared distances stand where cosines are asked": {
            1: 0.126928,
            2: 0.408316,
            3: 1.4541,
            5: 2000.0,
        },
        "the whole table was divided by one length: each row has its own": {
            1: 0.474077,
            2: 0.937556,
            3: 1.22039,
            5: 360.624,
        },
        "the other queries were negatives, too: a query chooses among the keys alone": {
            1: 0.551445,
            2: 0.665993,
            3: 1.19237,
        },
        "all numbers of the table were averaged: only the right key of each query has a loss": {
            1: 0.813262,
            2: 1.38942,
            3: 2.00581,
            5: 500.0,
        },
        "the logarithm is missing": {
            1: -0.731059,
            2: -0.556349,
            3: -0.326159,
            5: 0.0,
        },
        "the positive is in the denominator twice: the sum over j runs over it once": {
            1: 0.861995,
            2: 1.05178,
            3: 1.44538,
        },
        "softmax over the whole table: each row is a choice for itself": {
            1: 1.00641,
            2: 1.46723,
            3: 1.86009,
        },
        "the mean over the keys stands in the denominator: their sum is asked": {
            1: -0.379886,
            2: -0.485879,
            3: -0.220567,
            5: 998.614,
        },
        "the vectors were not brought to length 1": {
            2: 1.22037,
            3: 2.83385,
            5: 3187.5,
        },
        "similarities are divided by the temperature, not multiplied by it": {
            2: 0.927177,
            3: 1.22861,
            5: 1.3883,
        },
        "the temperature is missing": {
            2: 0.795284,
            3: 1.156,
            5: 2.69692,
        },
        "neither normalised nor divided by the temperature": {
            2: 0.905988,
            3: 1.6627,
            5: 6.70958,
        },
        "softmax over the queries: each query chooses among the keys": {
            2: 0.438524,
            3: 0.438524,
            5: 800.0,
        },
        "both directions were averaged: only the queries choose here": {
            2: 0.405289,
            3: 0.405289,
            5: 800.0,
        },
        "both directions were averaged, the second over the first N keys: only the queries choose here": {
            2: 0.525629,
            3: 0.802126,
            5: 900.0,
        },
        "keys beyond the first N are negatives, too: they were left out": {
            2: 0.372054,
            3: 0.372054,
            5: 800.0,
        },
        "this is the loss of the last query alone": {
            2: 0.382057,
            3: 1.4692,
        },
        "divided by the number of keys: the mean is over the queries": {
            2: 0.408489,
            3: 0.582864,
            5: 500.0,
        },
        "only the queries were brought to length 1": {
            2: 0.800077,
            3: 2.22372,
            5: 1732.95,
        },
        "only the keys were brought to length 1": {
            2: 0.483151,
            3: 1.08304,
            5: 1677.05,
        },
        "the last N keys were taken for the right ones: they are the first N": {
            2: 2.40268,
            3: 0.729647,
            5: 0.0,
        },
        "an extra key was a negative for one query alone: it is one for all": {
            2: 0.593088,
            3: 1.14977,
        },
        "the columns were brought to length 1: a vector is a row": {
            2: 0.656004,
            3: 0.91796,
            5: 707.107,
        },
        "the queries were brought to length 1 along the batch: a vector is a row": {
            2: 0.577963,
            3: 0.848351,
            5: 900.0,
        },
        "the keys were brought to length 1 along the batch: a vector is a row": {
            2: 0.766762,
            3: 1.16555,
            5: 636.396,
        },
        "the logarithm of the mean was taken: the mean of the logarithms is asked": {
            2: 0.58636,
            3: 1.12037,
            5: float("inf"),
        },
        "the temperature divides below alone: above, too": {
            2: 1.23634,
            3: 1.78933,
            5: 501.0,
        },
        "the temperature divides above alone: below, too": {
            2: 0.171677,
            3: 0.532396,
            5: 501.697,
        },
        "the temperature divides twice": {
            2: 0.408316,
            3: 1.4541,
            5: 500000.0,
        },
        "multiplied by the temperature at the end": {
            2: 0.306367,
            3: 0.582864,
            5: 2.0,
        },
    })
    eye = torch.eye(2)
    check(info_nce, eye, eye, 1.0).equals(0.3132617, rtol=1e-4, about="two orthogonal pairs")
    q, k = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[2.0, 1.0], [1.0, 0.0], [-1.0, 3.0], [0.5, -2.0]])
    check(info_nce, q, k[:3], 0.5).equals(0.612733, rtol=1e-4)
    check(info_nce, q, k, 0.5).equals(1.165727, rtol=1e-4)
    lost = {
        "no gradient flows to one of the inputs: is something detached?": RuntimeError,
        "a number came: a tensor is asked, no detach, no item": AttributeError,
    }
    check(slopes, info_nce, q, k[:3], 0.5).equals(
        [[[-0.1617866, 0.0808933], [0.0003561, 0.0001781]],
         [[0.1241743, -0.2483486], [0.0, 0.4740538], [0.0774282, 0.0258094]]],
        about="gradients", rtol=1e-3, atol=1e-6, near=lost)
    check(info_nce, q, torch.cat([-q, q]), 0.002).equals(
        1000.0, about="a low temperature", edge=True, rtol=1e-3, near={
            "exp of hundreds is infinite: F.cross_entropy and logsumexp need no exp": float("inf"),
            "exp of hundreds is infinite, and infinity over infinity no number": float("nan")})


score
