from helpers.checks import graded


@graded("roofline", points=6)
def score(check):
    ### BEGIN MISTAKES
    import math

    def cost(m, k, n, size=4):
        """Counted: a result has k products and k additions; every number moves once."""
        return m * n * (k + k), (m * (k + n) + k * n) * size

    operations = {  # what can be wrong in the first value, in the second, and in both at once
        "an addition is an operation, too: twice the multiplications": lambda m, k, n: m * k * n,
        "of `inner` products there is one addition less; here both count `inner`": lambda m, k, n: m * n * (2 * k - 1),
        "each result takes `inner` multiplications and additions": lambda m, k, n: 2 * m * n,
    }
    moved = {
        "these are the bytes of the second factor: both are read, and the product is written":
            lambda m, k, n, size: k * n * size,
        "the product is written, too": lambda m, k, n, size: (m * k + k * n) * size,
        "`size` was not used": lambda m, k, n, size: cost(m, k, n)[1],
        "the second factor is inner x columns: here rows x inner counts twice":
            lambda m, k, n, size: (2 * m * k + m * n) * size,
        "the first factor is read, too": lambda m, k, n, size: (k * n + m * n) * size,
        "these are numbers: times their size": lambda m, k, n, size: cost(m, k, n, 1)[1],
        "the bytes are cut to a whole number of each": lambda m, k, n, size: cost(m, k, n, int(size))[1],
        "`size` was rounded up to whole bytes: a number may take less": lambda m, k, n, size:
            cost(m, k, n, math.ceil(size))[1],
        "`size` is in bytes: do not divide by 8": lambda m, k, n, size: cost(m, k, n, size)[1] / 8,
        "each factor is read once, not again for each result":
            lambda m, k, n, size: 2 * m * k * n * size + m * n * size,
    }

    def both(first=None, second=None):
        def apply(m, k, n, size=4):
            right = cost(m, k, n, size)
            return (first(m, k, n) if first else right[0]), (second(m, k, n, size) if second else right[1])

        return apply

    alone = {words: both(first) for words, first in operations.items()}
    alone |= {words: both(None, second) for words, second in moved.items()}
    two = {
        f"two mistakes. {one.capitalize()}; and {other}": both(operations[one], moved[other])
        for one in operations
        for other in moved
    }
    exchanged = {"the two values are exchanged": lambda m, k, n, size=4: cost(m, k, n, size)[::-1]}
    check.mistakes(alone | exchanged | two, matmul_cost)
    check.mistakes({
        "the slower limit counts: the larger one came": lambda o, b, p, w: max(p, o * w / b),
        "the intensity is operations a byte, not bytes an operation": lambda o, b, p, w: min(p, w * b / max(o, 1e-300)),
        "this is the intensity: times the bandwidth": lambda o, b, p, w: min(p, o / b),
        "the bandwidth alone is compared with the peak: times the intensity": lambda o, b, p, w: min(p, w),
        "the bandwidth is multiplied, not divided by": lambda o, b, p, w: min(p, o / b / w),
        "the roof is missing: no more than the peak": lambda o, b, p, w: o * w / b,
        "operations a second are asked for, not seconds": lambda o, b, p, w: max(o / p, b / w),
        "the two times were added: the slower alone counts": lambda o, b, p, w: o / (o / p + b / w) if o else 0.0,
    }, attainable)

    def seconds(n, tokens, bits, peak, bandwidth, both=max):
        return both([2 * n * tokens / peak, n * (bits / 8) / bandwidth])

    check.mistakes({
        "the slower of both counts, not the quicker": lambda *a: seconds(*a, both=min),
        "`bits` are bits: eight to a byte": lambda n, t, b, p, w: seconds(n, t, 8 * b, p, w),
        "all are taken for four bytes": lambda n, t, b, p, w: seconds(n, t, 32, p, w),
        "each token takes two operations for each parameter": lambda n, t, b, p, w: max(n * t / p, n * b / 8 / w),
        "`tokens` was not used: each takes its operations": lambda n, t, b, p, w: seconds(n, 1, b, p, w),
        "computing alone is counted: fetching may take longer": lambda n, t, b, p, w: 2 * n * t / p,
        "fetching alone is counted: computing may take longer": lambda n, t, b, p, w: n * b / 8 / w,
        "peak and bandwidth are exchanged": lambda n, t, b, p, w: seconds(n, t, b, w, p),
        "computing and fetching go on at the same time": lambda *a: seconds(*a, both=sum),
        "whole bytes only: bits / 8 may be a fraction": lambda n, t, b, p, w: max(2 * n * t / p, n * (b // 8) / w),
        "the bytes are cut to a whole number: they may be a fraction":
            lambda n, t, b, p, w: max(2 * n * t / p, n * b // 8 / w),
        "a pass fetches all parameters, however many tokens it reads: here a part of them":
            lambda n, t, b, p, w: max(2 * n * t / p, n * b / 8 / w / t),
        "the parameters are fetched once in a pass, not for each token":
            lambda n, t, b, p, w: max(2 * n * t / p, t * n * b / 8 / w),
        "two mistakes. Bits are bits, eight to a byte; and computing and fetching go on at the same time":
            lambda n, t, b, p, w: seconds(n, t, 8 * b, p, w, both=sum),
        "two mistakes. Bits are bits, eight to a byte; and each token takes two operations for each parameter":
            lambda n, t, b, p, w: seconds(n / 2, t, 16 * b, p, w),
        "two mistakes. Each token takes two operations for each parameter; and the two times are not added":
            lambda n, t, b, p, w: seconds(n / 2, t, 2 * b, p, w, both=sum),
        "two mistakes. Bits are bits, eight to a byte; and the parameters are fetched once in a pass":
            lambda n, t, b, p, w: seconds(n, t, 8 * t * b, p, w),
        "two mistakes. The slower of both counts; and bits are bits, eight to a byte":
            lambda n, t, b, p, w: seconds(n, t, 8 * b, p, w, both=min),
    }, pass_seconds)
    ### END MISTAKES
    check(matmul_cost, 2, 3, 4).equals((48, 104), about="2, 3 and 4")
    check(matmul_cost, 2, 3, 4, 0.5).equals((48, 13.0), about="numbers of half a byte")
    check(attainable, 10.0, 4.0, 100.0, 8.0).equals(20.0, about="on the slope")
    check(attainable, 10.0, 4.0, 15.0, 8.0).equals(15.0, about="on the roof")
    check(pass_seconds, 7e9, 1, 16, 1e12, 5e10).equals(0.28, about="writing a token")
    check(pass_seconds, 7e9, 1000, 16, 1e12, 5e10).equals(14.0, about="reading a prompt")
    check(pass_seconds, 5, 2, 3, 1e12, 1.0).equals(1.875, about="two tokens, few bits")
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for m, k, n in [(5, 7, 3), (11, 2, 9), (4, 13, 6)]:
        check(matmul_cost, m, k, n).equals(cost(m, k, n), about="fresh shapes")
        check(matmul_cost, m, k, n, 2).equals(cost(m, k, n, 2), about="fresh shapes")
    for m, k, n, size in [(1, 5, 7, 4), (6, 1, 2, 4), (3, 4, 1, 1), (1, 1, 1, 0.5), (300, 70, 90, 0.375)]:
        check(matmul_cost, m, k, n, size).equals(cost(m, k, n, size), about="one row, one column, few bits", edge=True)
    big = 2 * 8192 * 8192 * 65536, 2.0 * (8192 * 8192 + 2 * 8192 * 65536)
    check(matmul_cost, 8192, 8192, 65536, 2).equals(big, about="a large product", edge=True, rtol=1e-12)
    for _ in range(6):
        o, b, p, w = (float(v) for v in check.rng.uniform(0.5, 20.0, size=4))
        check(attainable, o, b, p, w).equals(p if o * w > p * b else o * w / b, about="fresh limits", rtol=1e-9)
    for o, b, p, w in [(1e12, 1e9, 4e14, 3e12), (2.0, 1e12, 4e14, 3e12), (8.0, 2.0, 12.0, 3.0), (0.0, 1.0, 5.0, 5.0)]:
        check(attainable, o, b, p, w).equals(
            min(p, o * (w / b)), about="large machines, both equal, nothing to do", edge=True, rtol=1e-9,
            near={} if o else {"with nothing to do 0 is reached, not the peak": p})
    for tokens in (1, 3, 40, 700):
        n, bits = float(check.rng.uniform(1e6, 1e11)), int(check.rng.choice([2, 3, 4, 8, 16, 32]))
        given = n, tokens, bits, 10 ** float(check.rng.uniform(11, 15)), 10 ** float(check.rng.uniform(10, 12.5))
        check(pass_seconds, *given).equals(seconds(*given), about="fresh models and machines", rtol=1e-9)
    for tokens, busy in [(2, 0.3), (37, 2.5), (450, 40.0)]:  # computing takes `busy` times as long as fetching
        n, peak = float(check.rng.uniform(1e6, 1e11)), 10 ** float(check.rng.uniform(11, 15))
        given = n, tokens, 16, peak, busy * peak / tokens
        check(pass_seconds, *given).equals(seconds(*given), about="models that compute, and that fetch", rtol=1e-9)
    laptop = 1e12, 5e10
    for given in [(8e9, 20, 16, *laptop), (8e9, 5, 4, *laptop), (1, 1, 3, *laptop), (5e11, 1, 1.58, 1e15, 3e12),
                  (3e9, 1, 4, 1e10, 5e11)]:
        check(pass_seconds, *given).equals(
            seconds(*given), about="both equal, one weight, odd bits", edge=True, rtol=1e-9)
    ### END HIDDEN TESTS


score
