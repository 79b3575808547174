from helpers.checks import graded


@graded("flops", points=5)
def score(check):
    ### BEGIN MISTAKES
    def needed(L, c, v, t, *, six=6, block=12, table=1, attention=12, heads=lambda L, t, c: L * t * c):
        return six * (block * L * c * c + table * v * c) + attention * heads(L, t, c)

    check.mistakes(
        {
            "only the forward pass is counted, 2 for each weight: 6 with the backward pass": lambda L, c, v, t: needed(
                L, c, v, t, six=2, attention=4
            ),
            "2 for each weight: 6 with the backward pass": lambda L, c, v, t: needed(L, c, v, t, six=2),
            "the backward pass alone is counted, 4 for each weight": lambda L, c, v, t: needed(L, c, v, t, six=4),
            "attention's own work, 12 L T C, is missing": lambda L, c, v, t: needed(L, c, v, t, attention=0),
            "the output matrix, V C, is missing": lambda L, c, v, t: needed(L, c, v, t, table=0),
            "the table of tokens was counted besides the output matrix: looking up costs nothing": lambda L, c, v, t: (
                needed(L, c, v, t, table=2)
            ),
            "the blocks have 12 C^2 each: the number of layers is missing": lambda L, c, v, t: needed(
                1, c, v, t, attention=12 * L
            ),
            "the feed-forward network is missing: a block has 12 C^2": lambda L, c, v, t: needed(L, c, v, t, block=4),
            "attention's projections are missing: a block has 12 C^2": lambda L, c, v, t: needed(L, c, v, t, block=8),
            "attention costs T for each token, not T^2": lambda L, c, v, t: needed(
                L, c, v, t, heads=lambda L, t, c: L * t * t * c
            ),
            "attention's work was halved: what the mask hides is included": lambda L, c, v, t: needed(
                L, c, v, t, attention=6
            ),
            "the output matrix was counted in each layer: there is one": lambda L, c, v, t: needed(L, c, v, t, table=L),
            "attention's work goes with C, not with C^2": lambda L, c, v, t: needed(
                L, c, v, t, heads=lambda L, t, c: L * t * c * c
            ),
            "6 multiplies the output matrix as well as the blocks: a bracket is missing": lambda L, c, v, t: (
                needed(L, c, v, t, table=0) + v * c
            ),
            "attention's work was multiplied by 6, too": lambda L, c, v, t: needed(L, c, v, t, attention=72),
            "attention's work is 12 L T C, without 12 here": lambda L, c, v, t: needed(L, c, v, t, attention=1),
            "the width is squared in the blocks": lambda L, c, v, t: needed(L, c, v, t, block=12 / c),
            "these are the operations of all T tokens: of one": lambda L, c, v, t: t * needed(L, c, v, t),
            "the layers are missing in attention's work": lambda L, c, v, t: needed(
                L, c, v, t, heads=lambda L, t, c: t * c
            ),
        },
        operations_per_token,
    )
    check.mistakes(
        {
            "the tokens of a second were rounded to a whole number": lambda n, s, f, p: n // s * f / p,
            "a share above 1 was cut off: it says that the peak is wrong": lambda n, s, f, p: min(1.0, n * f / s / p),
            "the share is upside down": lambda n, s, f, p: p * s / (n * f),
            "the seconds were multiplied: operations a second": lambda n, s, f, p: n * f * s / p,
            "the seconds are missing": lambda n, s, f, p: n * f / p,
            "the tokens are missing": lambda n, s, f, p: f / s / p,
            "these are operations a second: the peak is missing": lambda n, s, f, p: n * f / s,
            "this is a percentage: a share is asked for": lambda n, s, f, p: 100 * n * f / s / p,
            "the operations of a token are missing": lambda n, s, f, p: n / s / p,
            "the tokens were divided by the operations": lambda n, s, f, p: n / f / s / p,
        },
        utilisation,
    )
    ### END MISTAKES
    check(operations_per_token, 2, 10, 100, 5).equals(21600, about="a small GPT by hand")
    check(operations_per_token, 3, 4, 7, 2).equals(3912, about="another one")
    check(utilisation, 1000, 1.0, 21600, 1e8).equals(0.216, about="a utilisation by hand", rtol=1e-6)
    check(utilisation, 5000, 3.0, 300, 1e6).equals(0.5, about="three seconds", rtol=1e-6)
    ### BEGIN HIDDEN TESTS
    check.hidden()
    for _ in range(5):
        L, c, v, t = (int(n) for n in check.rng.integers([1, 8, 50, 16], [90, 900, 99999, 5000]))
        matrices = L * (3 * c * c + c * c + 4 * c * c + 4 * c * c) + v * c
        scores = L * 2 * t * c  # products of a query with T keys, and of T weights with T values
        check(operations_per_token, L, c, v, t).equals(
            3 * (2 * matrices + 2 * scores), about="other sizes, product by product"
        )
        n, s = int(check.rng.integers(1, 10**9)), float(check.rng.uniform(0.1, 1e5))
        f, p = float(check.rng.uniform(1e3, 1e12)), float(check.rng.uniform(1e9, 1e15))
        check(utilisation, n, s, f, p).equals((n / p) * (f / s), about="other runs", rtol=1e-6)
    check(utilisation, 1, 0.004, 2e5, 1e9).equals(0.05, about="one token, in milliseconds", edge=True, rtol=1e-6)
    check(operations_per_token, 1, 1, 1, 1).equals(6 * 13 + 12, about="sizes of 1", edge=True)
    ### END HIDDEN TESTS


score
