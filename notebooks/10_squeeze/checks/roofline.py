from helpers.checks import graded


@graded("roofline", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "an addition is an operation, too: twice the multiplications": {
            1: (24, 104),
            2: (24, 13.0),
        },
        "these are the bytes of the second factor: both are read, and the product is written": {
            1: (48, 48),
            2: (48, 6.0),
        },
        "the product is written, too": {
            1: (48, 72),
            2: (48, 9.0),
        },
        "of `inner` products there is one addition less; here both count `inner`": {
            1: (40, 104),
            2: (40, 13.0),
        },
        "the second factor is inner x columns: here rows x inner counts twice": {
            1: (48, 80),
            2: (48, 10.0),
        },
        "the first factor is read, too": {
            1: (48, 80),
            2: (48, 10.0),
        },
        "these are numbers: times their size": {
            1: (48, 26),
            2: (48, 26),
        },
        "the two values are exchanged": {
            1: (104, 48),
            2: (13.0, 48),
        },
        "`size` is in bytes: do not divide by 8": {
            1: (48, 13.0),
            2: (48, 1.625),
        },
        "each factor is read once, not again for each result": {
            1: (48, 224),
            2: (48, 28.0),
        },
        "`size` was not used": {
            2: (48, 104),
        },
        "the bytes are cut to a whole number of each": {
            2: (48, 0),
        },
        "the slower limit counts: the larger one came": {
            3: 100.0,
            4: 20.0,
        },
        "the intensity is operations a byte, not bytes an operation": {
            3: 3.2,
            4: 3.2,
        },
        "this is the intensity: times the bandwidth": {
            3: 2.5,
            4: 2.5,
        },
        "the bandwidth alone is compared with the peak: times the intensity": {
            3: 8.0,
            4: 8.0,
        },
        "the bandwidth is multiplied, not divided by": {
            3: 0.3125,
            4: 0.3125,
        },
        "operations a second are asked, not seconds": {
            3: 0.5,
            4: 0.666667,
        },
        "the two times were added: the slower alone counts": {
            3: 16.6667,
            4: 8.57143,
        },
        "the roof is missing: no more than the peak": {
            4: 20.0,
        },
        "the slower of both counts, not the quicker": {
            5: 0.014,
            6: 0.28,
            7: 0.0,
        },
        "`bits` are bits: eight to a byte": {
            5: 2.24,
            7: 15.0,
        },
        "all are taken for four bytes": {
            5: 0.56,
            7: 20.0,
        },
        "computing alone is counted: fetching may take longer": {
            5: 0.014,
            7: 0.0,
        },
        "computing and fetching go on at the same time": {
            5: 0.294,
            6: 14.28,
        },
        "each token takes two operations for each parameter": {
            6: 7.0,
        },
        "`tokens` was not used: each takes its operations": {
            6: 0.28,
        },
        "fetching alone is counted: computing may take longer": {
            6: 0.28,
        },
        "peak and bandwidth are exchanged": {
            6: 280.0,
            7: 20.0,
        },
        "the parameters are fetched once in a pass, not for each token": {
            6: 280.0,
            7: 3.75,
        },
        "whole bytes only: bits / 8 may be a fraction": {
            7: 0.0,
        },
        "the bytes are cut to a whole number: they may be a fraction": {
            7: 1.0,
        },
        "a pass fetches all parameters, however many tokens it reads: here a part of them": {
            7: 0.9375,
        },
    })
    check(matmul_cost, 2, 3, 4).equals((48, 104), about="2, 3 and 4")
    check(matmul_cost, 2, 3, 4, 0.5).equals((48, 13.0), about="numbers of half a byte")
    check(attainable, 10.0, 4.0, 100.0, 8.0).equals(20.0, about="on the slope")
    check(attainable, 10.0, 4.0, 15.0, 8.0).equals(15.0, about="on the roof")
    check(pass_seconds, 7e9, 1, 16, 1e12, 5e10).equals(0.28, about="writing a token")
    check(pass_seconds, 7e9, 1000, 16, 1e12, 5e10).equals(14.0, about="reading a prompt")
    check(pass_seconds, 5, 2, 3, 1e12, 1.0).equals(1.875, about="two tokens, few bits")


score
