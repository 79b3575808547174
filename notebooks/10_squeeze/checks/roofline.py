from helpers.checks import graded


@graded("roofline", points=6)
def score(check):
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "an addition is an operation, too: twice the multiplications": {
            1: (24, 104),
            2: (24, 13.0),
        },
        "of `inner` products there is one addition less; here both count `inner`": {
            1: (40, 104),
            2: (40, 13.0),
        },
        "each result takes `inner` multiplications and additions": {
            1: (16, 104),
            2: (16, 13.0),
        },
        "these are the bytes of the second factor: both are read, and the product is written": {
            1: (48, 48),
            2: (48, 6.0),
        },
        "the product is written, too": {
            1: (48, 72),
            2: (48, 9.0),
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
        "`size` is in bytes: do not divide by 8": {
            1: (48, 13.0),
            2: (48, 1.625),
        },
        "each factor is read once, not again for each result": {
            1: (48, 224),
            2: (48, 28.0),
        },
        "the two values are exchanged": {
            1: (104, 48),
            2: (13.0, 48),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and these are the bytes of the second factor: both are read, and the product is written": {
            1: (24, 48),
            2: (24, 6.0),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and the product is written, too": {
            1: (24, 72),
            2: (24, 9.0),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and `size` was not used": {
            1: (24, 104),
            2: (24, 104),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and the second factor is inner x columns: here rows x inner counts twice": {
            1: (24, 80),
            2: (24, 10.0),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and the first factor is read, too": {
            1: (24, 80),
            2: (24, 10.0),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and these are numbers: times their size": {
            1: (24, 26),
            2: (24, 26),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and the bytes are cut to a whole number of each": {
            1: (24, 104),
            2: (24, 0),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and `size` was rounded up to whole bytes: a number may take less": {
            1: (24, 104),
            2: (24, 26),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and `size` is in bytes: do not divide by 8": {
            1: (24, 13.0),
            2: (24, 1.625),
        },
        "two mistakes. An addition is an operation, too: twice the multiplications; and each factor is read once, not again for each result": {
            1: (24, 224),
            2: (24, 28.0),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and these are the bytes of the second factor: both are read, and the product is written": {
            1: (40, 48),
            2: (40, 6.0),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and the product is written, too": {
            1: (40, 72),
            2: (40, 9.0),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and `size` was not used": {
            1: (40, 104),
            2: (40, 104),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and the second factor is inner x columns: here rows x inner counts twice": {
            1: (40, 80),
            2: (40, 10.0),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and the first factor is read, too": {
            1: (40, 80),
            2: (40, 10.0),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and these are numbers: times their size": {
            1: (40, 26),
            2: (40, 26),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and the bytes are cut to a whole number of each": {
            1: (40, 104),
            2: (40, 0),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and `size` was rounded up to whole bytes: a number may take less": {
            1: (40, 104),
            2: (40, 26),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and `size` is in bytes: do not divide by 8": {
            1: (40, 13.0),
            2: (40, 1.625),
        },
        "two mistakes. Of `inner` products there is one addition less; here both count `inner`; and each factor is read once, not again for each result": {
            1: (40, 224),
            2: (40, 28.0),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and these are the bytes of the second factor: both are read, and the product is written": {
            1: (16, 48),
            2: (16, 6.0),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and the product is written, too": {
            1: (16, 72),
            2: (16, 9.0),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and `size` was not used": {
            1: (16, 104),
            2: (16, 104),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and the second factor is inner x columns: here rows x inner counts twice": {
            1: (16, 80),
            2: (16, 10.0),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and the first factor is read, too": {
            1: (16, 80),
            2: (16, 10.0),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and these are numbers: times their size": {
            1: (16, 26),
            2: (16, 26),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and the bytes are cut to a whole number of each": {
            1: (16, 104),
            2: (16, 0),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and `size` was rounded up to whole bytes: a number may take less": {
            1: (16, 104),
            2: (16, 26),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and `size` is in bytes: do not divide by 8": {
            1: (16, 13.0),
            2: (16, 1.625),
        },
        "two mistakes. Each result takes `inner` multiplications and additions; and each factor is read once, not again for each result": {
            1: (16, 224),
            2: (16, 28.0),
        },
        "`size` was not used": {
            2: (48, 104),
        },
        "the bytes are cut to a whole number of each": {
            2: (48, 0),
        },
        "`size` was rounded up to whole bytes: a number may take less": {
            2: (48, 26),
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
        "operations a second are asked for, not seconds": {
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
        "two mistakes. Bits are bits, eight to a byte; and computing and fetching go on at the same time": {
            5: 2.254,
            6: 16.24,
            7: 15.0,
        },
        "two mistakes. Bits are bits, eight to a byte; and each token takes two operations for each parameter": {
            5: 2.24,
            6: 7.0,
            7: 15.0,
        },
        "two mistakes. Each token takes two operations for each parameter; and the two times are not added": {
            5: 0.287,
            6: 7.28,
        },
        "two mistakes. Bits are bits, eight to a byte; and the parameters are fetched once in a pass": {
            5: 2.24,
            6: 2240.0,
            7: 30.0,
        },
        "two mistakes. The slower of both counts; and bits are bits, eight to a byte": {
            5: 0.014,
            6: 2.24,
            7: 0.0,
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
