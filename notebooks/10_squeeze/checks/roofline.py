from helpers.checks import graded


@graded("roofline", points=6)
def score(check):
    multiplications = "an addition is an operation, too: twice the multiplications"
    fewer = "of `inner` products there is one addition less; here both count `inner`"
    per_result = "each factor is read once, not again for each result"
    weights_only = "these are the bytes of the second factor: both are read, and the product is written"
    check(matmul_cost, 2, 3, 4).equals((48, 104), about="2, 3 and 4", near={
        multiplications: (24, 104), weights_only: (48, 48),
        "the product is written, too": (48, 72), "the first factor is read, too": (48, 80),
        "these are numbers: times their size": (48, 26),
        fewer: (40, 104), per_result: (48, 224),
        "the two values are exchanged": (104, 48)})
    check(matmul_cost, 2, 3, 4, 0.5).equals((48, 13.0), about="numbers of half a byte", near={
        "`size` was not used": (48, 104), "the bytes are cut to a whole number of each": (48, 0),
        multiplications: (24, 13.0), weights_only: (48, 6.0), fewer: (40, 13.0), per_result: (48, 28.0),
        "the product is written, too": (48, 9.0), "the first factor is read, too": (48, 10.0),
        "these are numbers: times their size": (48, 26), "the two values are exchanged": (13.0, 48)})
    check(attainable, 10.0, 4.0, 100.0, 8.0).equals(20.0, about="on the slope", near={
        "the slower limit counts: the larger one came": 100.0, "this is the intensity: times the bandwidth": 2.5,
        "the intensity is operations a byte, not bytes an operation": 3.2})
    check(attainable, 10.0, 4.0, 15.0, 8.0).equals(15.0, about="on the roof", near={
        "the slower limit counts: the larger one came": 20.0, "the roof is missing: no more than the peak": 20.0})
    computing = "computing alone is counted: fetching may take longer"
    fetching = "fetching alone is counted: computing may take longer"
    unused = "`tokens` was not used: each takes its operations"
    check(pass_seconds, 7e9, 1, 16, 1e12, 5e10).equals(0.28, about="writing a token", near={
        "the slower of both counts, not the quicker": 0.014, "computing and fetching go on at the same time": 0.294,
        "`bits` are bits: eight to a byte": 2.24, "all are taken for four bytes": 0.56, computing: 0.014})
    check(pass_seconds, 7e9, 1000, 16, 1e12, 5e10).equals(14.0, about="reading a prompt", near={
        "the slower of both counts, not the quicker": 0.28, fetching: 0.28, unused: 0.28,
        "computing and fetching go on at the same time": 14.28,
        "each token takes two operations for each parameter": 7.0,
        "the parameters are fetched once in a pass, not for each token": 280.0,
        "peak and bandwidth are exchanged": 280.0})


score
