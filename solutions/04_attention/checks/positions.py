from helpers.checks import graded


@graded("positions", points=5)
def score(check):
    import numpy as np
    import torch

    says = {
        "blocks": "all sines came first, then all cosines; they take turns",
        "swapped": "sine and cosine are exchanged: the sine comes first",
        "from_one": "positions start at 0, not at 1",
        "exponent_i": "the exponent is i / C here; it is 2i / C",
        "exponent_4": "the exponent is 4i / C here, or j / (C/2) with j = 2i: it is 2i / C",
        "no_width": "the exponent is 2i here, not divided: it is 2i / C",
        "each": "each column has a rate of its own; a sine and its cosine share one",
        "times": "the positions were multiplied by the power of the base; they are divided by it",
        "turned": "this is (C, T): positions are the rows",
        "base": "`base` was ignored",
        "sines": "there are sines only: every second column is a cosine",
        "turns": "the angles are multiplied by 2 pi; they are in radians as they are",
        "twice": "the positions were added twice",
        "start": "`start` was ignored: the first token stands at position `start`",
        "not_added": "the positions alone came back: add them to the tokens",
        "unplaced": "the tokens came back without positions",
        "batch": "the row belongs to the token, not to its sequence in the batch",
        "product": "the positions were multiplied; they are added",
        "whole": "all rates are 1: was the exponent cut off by //?",
        "short": "the slice ends at T; it ends at `start` + T",
        "computed": "the rows are those of `table`; here sines and cosines were computed anew",
        "last_rate": "the last rate is 1 / base: the exponent is 2i / C, not i / (C/2 - 1)",
        "one_row": "all tokens got the row of `start`; each gets its own",
        "dtype": "64-bit floats came: 32-bit floats are asked for",
        "beside": "the positions were put beside the tokens; they are added, not put beside",
    }
    loose = {"rtol": 1e-3, "atol": 2e-4}
    right = [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]]
    check(sinusoidal_positions, 2, 4).equals(right, rtol=1e-3, atol=2e-5, near={
        says["no_width"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0, 1.0]],
        says["blocks"]: [[0.0, 0.0, 1.0, 1.0], [0.8415, 0.01, 0.5403, 0.9999]],
        says["swapped"]: [[1.0, 0.0, 1.0, 0.0], [0.5403, 0.8415, 0.9999, 0.01]],
        says["from_one"]: [[0.8415, 0.5403, 0.01, 0.9999], [0.9093, -0.4161, 0.02, 0.9998]],
        says["exponent_i"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0998, 0.995]],
        says["exponent_4"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0001, 1.0]],
        says["last_rate"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0001, 1.0]],
        says["each"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.995, 0.01, 1.0]],
        says["times"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, -0.5064, 0.8623]],
        says["turned"]: [[0.0, 0.8415], [1.0, 0.5403], [0.0, 0.01], [1.0, 0.9999]],
        says["sines"]: [[0.0, 0.0, 0.0, 0.0], [0.8415, 0.8415, 0.01, 0.01]],
        says["turns"]: [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0628, 0.998]],
        says["whole"]: [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.8415, 0.5403]],
    })
    check(sinusoidal_positions, 3, 2, base=10.0).equals([[0.0, 1.0], [0.8415, 0.5403], [0.9093, -0.4161]], **loose)
    x = torch.tensor([[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]])
    table = torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]], near={
        says["computed"]: [[[1.0, 1.0], [0.841471, 5.540302]], [[2.0, 2.0], [3.841471, -0.459698]]],
        says["twice"]: [[[1.0, 2.0], [1.0, 6.0]], [[2.0, 3.0], [4.0, 0.0]]],
        says["not_added"]: [[[0.0, 1.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]],
        says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
        says["batch"]: [[[1.0, 1.0], [0.0, 6.0]], [[2.5, 1.5], [3.5, -0.5]]],
        says["product"]: [[[0.0, 0.0], [0.0, 2.5]], [[0.0, 1.0], [1.5, -0.5]]],
        says["beside"]: [[[1.0, 0.0, 0.0, 1.0], [0.0, 5.0, 0.5, 0.5]], [[2.0, 1.0, 0.0, 1.0], [3.0, -1.0, 0.5, 0.5]]],
        says["one_row"]: [[[1.0, 1.0], [0.0, 6.0]], [[2.0, 2.0], [3.0, 0.0]]],
    })
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]], near={
        says["one_row"]: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        says["short"]: [[[1.5, 0.5], [0.5, 5.5]], [[2.5, 1.5], [3.5, -0.5]]],
        says["batch"]: [[[1.5, 0.5], [0.5, 5.5]], [[2.9, 0.6], [3.9, -1.4]]],
        says["computed"]: [[[1.841471, 0.540302], [0.909297, 4.583853]], [[2.841471, 1.540302], [3.909297, -1.416147]]],
        says["twice"]: [[[2.0, 1.0], [1.8, 4.2]], [[3.0, 2.0], [4.8, -1.8]]],
        says["start"]: [[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]],
        says["not_added"]: [[[0.5, 0.5], [0.9, -0.4]], [[0.5, 0.5], [0.9, -0.4]]],
        says["unplaced"]: [[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]],
        says["product"]: [[[0.5, 0.0], [0.0, -2.0]], [[1.0, 0.5], [2.7, 0.4]]],
        says["beside"]: [[[1.0, 0.0, 0.5, 0.5], [0.0, 5.0, 0.9, -0.4]], [[2.0, 1.0, 0.5, 0.5], [3.0, -1.0, 0.9, -0.4]]],
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    from functools import partial

    from helpers.checks import gradients


    def angles(T, C, base=10_000.0, first=0, power=lambda C: np.arange(0, C, 2) / C):
        return torch.tensor(np.arange(first, T + first)[:, None] / base ** power(C), dtype=torch.float32)

    def turns(a):
        return torch.stack([a.sin(), a.cos()], -1).flatten(-2)

    def made(place=turns, **how):
        return lambda T, C, base=10_000.0: place(angles(T, C, base, **how))

    def single(T, C, base=10_000.0):
        a = angles(T, C, base, power=lambda C: np.arange(C) / C)
        return torch.where(torch.arange(C) % 2 == 0, a.sin(), a.cos())

    check.mistakes({
        says["blocks"]: made(lambda a: torch.cat([a.sin(), a.cos()], -1)),
        says["swapped"]: made(lambda a: torch.stack([a.cos(), a.sin()], -1).flatten(-2)),
        says["from_one"]: made(first=1),
        says["exponent_i"]: made(power=lambda C: np.arange(C // 2) / C),
        says["exponent_4"]: made(power=lambda C: 2 * np.arange(0, C, 2) / C),
        says["no_width"]: made(power=lambda C: np.arange(0.0, C, 2)),
        says["each"]: single,
        says["times"]: made(power=lambda C: -np.arange(0, C, 2) / C),
        says["turned"]: lambda T, C, base=10_000.0: turns(angles(T, C, base)).T,
        says["whole"]: made(power=lambda C: np.zeros(C // 2)),
        says["base"]: lambda T, C, base=10_000.0: turns(angles(T, C)),
        says["sines"]: made(lambda a: torch.stack([a.sin(), a.sin()], -1).flatten(-2)),
        says["turns"]: made(lambda a: turns(2 * np.pi * a)),
        says["last_rate"]: made(
            power=lambda C: np.arange(C // 2) / max(C // 2 - 1, 1)
        ),
    })

    def wanted(T, C, base=10_000.0):
        """One entry at a time, in 64 bits."""
        rows = [[p / base ** (2 * (j // 2) / C) for j in range(C)] for p in range(T)]
        return [[np.cos(a) if j % 2 else np.sin(a) for j, a in enumerate(row)] for row in rows]

    for T, C in [(5, 8), (9, 6), (12, 12), (40, 2), (4, 16), (80, 70), (1100, 4)]:
        check(sinusoidal_positions, T, C).equals(wanted(T, C), about="other sizes", rtol=1e-4, atol=1e-4)
        check(sinusoidal_positions, T, C, 500.0).equals(
            wanted(T, C, 500.0), about="another base", rtol=1e-4, atol=1e-4
        )
    check(sinusoidal_positions, 1, 6).equals([[0, 1, 0, 1, 0, 1]], about="one position", edge=True, atol=1e-6)

    check(sinusoidal_positions, 3, 4).holds(
        lambda t: str(t.dtype) in ("torch.float32", "float32"), "32-bit floats", about="the dtype", edge=True,
        near={says["dtype"]: lambda t: str(t.dtype) in ("torch.float64", "float64")},
    )

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)

    def rows(x, table, start=0):
        return table[start : start + x.shape[1]]

    known = {
        says["short"]: lambda x, t, start=0: x + t[start : x.shape[1]],
        says["computed"]: lambda x, t, start=0: x + torch.tensor(wanted(start + x.shape[1], x.shape[2]))[start:],
        "T was read from another axis; the tokens lie on axis 1": lambda x, t, start=0: x + t[start:][: x.shape[2]],
        says["twice"]: lambda x, t, start=0: x + 2 * rows(x, t, start),
        says["start"]: lambda x, t, start=0: x + rows(x, t),
        says["not_added"]: lambda x, t, start=0: rows(x, t, start).expand_as(x),
        says["unplaced"]: lambda x, t, start=0: x,
        says["batch"]: lambda x, t, start=0: x + t[start : start + x.shape[0], None],
        says["product"]: lambda x, t, start=0: x * rows(x, t, start),
        says["beside"]: lambda x, t, start=0: torch.cat([x, rows(x, t, start).expand_as(x)], -1),
        says["one_row"]: lambda x, t, start=0: x + t[start],
        "the first token is one place too far": lambda x, t, start=0: x + rows(x, t, start + 1),
        "the tokens were multiplied by the root of the width": lambda x, t, start=0: (
            x * x.shape[-1] ** 0.5 + rows(x, t, start)
        ),
        "the last rows of the table were taken; the first token stands at `start`": lambda x, t, start=0: (
            x + t[-x.shape[1] :]
        ),
    }
    check.mistakes(known)
    for B, T, C, L in [(3, 5, 4, 9), (2, 4, 6, 7), (4, 4, 4, 8)]:
        x, table = draw(B, T, C), draw(L, C)
        for start in (0, 2, L - T):
            each = torch.stack([torch.stack([x[b, t] + table[start + t] for t in range(T)]) for b in range(B)])
            check(add_positions, x, table, start).equals(
                each, about="another start" if start else "from the beginning", rtol=1e-5, atol=1e-6,
                near={"take the table's rows from `start` to `start` + T, no more and no fewer": RuntimeError},
            )
    x, table = 40 * draw(70, 3, 4), 40 * draw(90, 4)
    check(add_positions, x, table, 80).equals(x + table[80:83], about="far into a long table", rtol=1e-5, atol=1e-4)
    for B, T, C, L in [(1, 1, 1, 1), (1, 3, 1, 5), (2, 1, 3, 1), (1, 1, 4, 3)]:
        x, table = draw(B, T, C), draw(L, C)
        check(add_positions, x, table, L - T).equals(
            x + table[L - T :], about="axes of size 1", edge=True, rtol=1e-5, atol=1e-6
        )
    x, table = draw(2, 3, 4), draw(5, 4)
    trained(add_positions, lambda x, table, start: x + table[start : start + 3], x, table, 1, known=known)
    check.mistakes({})
    double = x.double() / 3, table.double() / 3
    check(add_positions, *double, 1).equals(
        double[0] + double[1][1:4], about="the dtype is kept", edge=True, rtol=1e-12, atol=1e-12
    )
    check(add_positions, *double, 1).holds(
        lambda t: str(t.dtype) == "torch.float64", "a tensor of float64", about="the dtype is kept", edge=True,
        near={"the dtype changed: float64 goes in and must come out": lambda t: str(t.dtype) != "torch.float64"},
    )
    ### END HIDDEN TESTS


score
