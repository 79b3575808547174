from helpers.checks import graded


@graded("flops", points=5)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "only the forward pass is counted, 2 for each weight: 6 with the backward pass": {
            1: 7200,
            2: 1304,
        },
        "2 for each weight: 6 with the backward pass": {
            1: 8000,
            2: 1496,
        },
        "the backward pass alone is counted, 4 for each weight": {
            1: 14800,
            2: 2704,
        },
        "attention's own work, 12 L T C, is missing": {
            1: 20400,
            2: 3624,
        },
        "the output matrix, V C, is missing": {
            1: 15600,
            2: 3744,
        },
        "the table of tokens was counted besides the output matrix: looking up costs nothing": {
            1: 27600,
            2: 4080,
        },
        "the blocks have 12 C^2 each: the number of layers is missing": {
            1: 14400,
            2: 1608,
        },
        "the feed-forward network is missing: a block has 12 C^2": {
            1: 12000,
            2: 1608,
        },
        "attention's projections are missing: a block has 12 C^2": {
            1: 16800,
            2: 2760,
        },
        "attention costs T for each token, not T^2": {
            1: 26400,
            2: 4200,
        },
        "attention's work was halved: what the mask hides is included": {
            1: 21000,
            2: 3768,
        },
        "the output matrix was counted in each layer: there is one": {
            1: 27600,
            2: 4248,
        },
        "attention's work goes with C, not with C^2": {
            1: 32400,
            2: 4776,
        },
        "6 multiplies the output matrix as well as the blocks: a bracket is missing": {
            1: 16600,
            2: 3772,
        },
        "attention's work was multiplied by 6, too": {
            1: 27600,
            2: 5352,
        },
        "attention's work is 12 L T C, without 12 here": {
            1: 20500,
            2: 3648,
        },
        "the width is squared in the blocks": {
            1: 8640.0,
            2: 1320.0,
        },
        "these are the operations of all T tokens: of one": {
            1: 108000,
            2: 7824,
        },
        "the layers are missing in attention's work": {
            1: 21000,
            2: 3720,
        },
        "the share is upside down": {
            3: 4.62962962963,
            4: 2.0,
        },
        "the tokens are missing": {
            3: 0.000216,
            4: 0.0001,
        },
        "these are operations a second: the peak is missing": {
            3: 21600000.0,
            4: 500000.0,
        },
        "this is a percentage: a share is asked for": {
            3: 21.6,
            4: 50.0,
        },
        "the operations of a token are missing": {
            3: 1e-05,
            4: 0.00166666666667,
        },
        "the tokens were divided by the operations": {
            3: 0.0,
            4: 5.55555555556e-06,
        },
        "the tokens of a second were rounded to a whole number": {
            4: 0.4998,
        },
        "the seconds were multiplied: operations a second": {
            4: 4.5,
        },
        "the seconds are missing": {
            4: 1.5,
        },
    })
    check(operations_per_token, 2, 10, 100, 5).equals(21600, about="a small GPT by hand")
    check(operations_per_token, 3, 4, 7, 2).equals(3912, about="another one")
    check(utilisation, 1000, 1.0, 21600, 1e8).equals(0.216, about="a utilisation by hand", rtol=1e-6)
    check(utilisation, 5000, 3.0, 300, 1e6).equals(0.5, about="three seconds", rtol=1e-6)


score
