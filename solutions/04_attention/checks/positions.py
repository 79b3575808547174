from helpers.checks import graded


@graded("positions", points=5)
def score(check):
    import torch

    ### BEGIN MISTAKES
    import numpy as np

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
        "all sines came first, then all cosines; they take turns": made(lambda a: torch.cat([a.sin(), a.cos()], -1)),
        "sine and cosine are exchanged: the sine comes first":
            made(lambda a: torch.stack([a.cos(), a.sin()], -1).flatten(-2)),
        "positions start at 0, not at 1": made(first=1),
        "the exponent is i / C here; it is 2i / C": made(power=lambda C: np.arange(C // 2) / C),
        "the exponent is 4i / C here, or j / (C/2) with j = 2i: it is 2i / C":
            made(power=lambda C: 2 * np.arange(0, C, 2) / C),
        "the exponent is 2i here, not divided: it is 2i / C": made(power=lambda C: np.arange(0.0, C, 2)),
        "each column has a rate of its own; a sine and its cosine share one": single,
        "the positions were multiplied by the power of the base; they are divided by it":
            made(power=lambda C: -np.arange(0, C, 2) / C),
        "this is (C, T): positions are the rows": lambda T, C, base=10_000.0: turns(angles(T, C, base)).T,
        "all rates are 1: was the exponent cut off by //?": made(power=lambda C: np.zeros(C // 2)),
        "`base` was ignored": lambda T, C, base=10_000.0: turns(angles(T, C)),
        "there are sines only: every second column is a cosine":
            made(lambda a: torch.stack([a.sin(), a.sin()], -1).flatten(-2)),
        "the angles are multiplied by 2 pi; they are in radians as they are": made(lambda a: turns(2 * np.pi * a)),
        "the last rate is 1 / base: the exponent is 2i / C, not i / (C/2 - 1)":
            made(power=lambda C: np.arange(C // 2) / max(C // 2 - 1, 1)),
    }, sinusoidal_positions)

    def wanted(T, C, base=10_000.0):
        """One entry at a time, in 64 bits."""
        table = np.zeros((T, C))
        for p in range(T):
            for j in range(C):
                angle = p / base ** (2 * (j // 2) / C)
                table[p, j] = np.cos(angle) if j % 2 else np.sin(angle)
        return table.tolist()

    def rows(x, table, start=0):
        return table[start : start + x.shape[1]]

    known = {
        "the slice ends at T; it ends at `start` + T": lambda x, t, start=0: x + t[start : x.shape[1]],
        "the rows are those of `table`; here sines and cosines were computed anew":
            lambda x, t, start=0: x + torch.tensor(wanted(start + x.shape[1], x.shape[2]))[start:],
        "T was read from another axis; the tokens lie on axis 1": lambda x, t, start=0: x + t[start:][: x.shape[2]],
        "the positions were added twice": lambda x, t, start=0: x + 2 * rows(x, t, start),
        "`start` was ignored: the first token stands at position `start`": lambda x, t, start=0: x + rows(x, t),
        "the positions alone came back: add them to the tokens": lambda x, t, start=0: rows(x, t, start).expand_as(x),
        "the tokens came back without positions": lambda x, t, start=0: x,
        "the row belongs to the token, not to its sequence in the batch":
            lambda x, t, start=0: x + t[start : start + x.shape[0], None],
        "the positions were multiplied; they are added": lambda x, t, start=0: x * rows(x, t, start),
        "the positions were put beside the tokens; they are added, not put beside":
            lambda x, t, start=0: torch.cat([x, rows(x, t, start).expand_as(x)], -1),
        "all tokens got the row of `start`; each gets its own": lambda x, t, start=0: x + t[start],
        "the first token is one place too far": lambda x, t, start=0: x + rows(x, t, start + 1),
        "the tokens were multiplied by the root of the width":
            lambda x, t, start=0: x * x.shape[-1] ** 0.5 + rows(x, t, start),
        "the last rows of the table were taken; the first token stands at `start`":
            lambda x, t, start=0: x + t[-x.shape[1] :],
    }
    check.mistakes(known, add_positions)
    ### END MISTAKES
    from helpers.checks.gradients import CUT

    loose = {"rtol": 1e-3, "atol": 2e-4}
    right = [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0]]
    check(sinusoidal_positions, 2, 4).equals(right, rtol=1e-3, atol=2e-5)
    check(sinusoidal_positions, 2, 4).holds(
        lambda t: t.dtype == torch.float32, "a tensor of float32", about="its dtype",
        near={"another dtype than float32 came": lambda t: t.dtype != torch.float32},
    )
    check(sinusoidal_positions, 3, 4, base=100.0).equals(
        [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0998, 0.9950], [0.9093, -0.4161, 0.1987, 0.9801]], **loose
    )
    x = torch.tensor([[[1.0, 0.0], [0.0, 5.0]], [[2.0, 1.0], [3.0, -1.0]]])
    table = torch.tensor([[0.0, 1.0], [0.5, 0.5], [0.9, -0.4]])
    check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]])
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]])
    check(slopes, add_positions, x[:1], table).equals(
        [[[[2.0, 2.0], [1.0, 11.0]]], [[2.0, 2.0], [1.0, 11.0], [0.0, 0.0]]], about="gradients of the squares",
        near={CUT: RuntimeError},
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    for T, C in [(5, 8), (9, 6), (12, 12), (40, 2), (4, 16), (80, 70), (1100, 4)]:
        check(sinusoidal_positions, T, C).equals(wanted(T, C), about="other sizes", rtol=1e-4, atol=1e-4)
        check(sinusoidal_positions, T, C, 500.0).equals(
            wanted(T, C, 500.0), about="another base", rtol=1e-4, atol=1e-4
        )
    check(sinusoidal_positions, 1, 6).equals([[0, 1, 0, 1, 0, 1]], about="one position", edge=True, atol=1e-6)
    check(sinusoidal_positions, 3, 4).holds(
        lambda t: str(t.dtype) in ("torch.float32", "float32"), "32-bit floats", about="the dtype", edge=True,
        near={
            "64-bit floats came: 32-bit floats are asked for": lambda t: str(t.dtype) in ("torch.float64", "float64"),
        },
    )

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    trained = partial(gradients.trained, check, slopes)
    for B, T, C, L in [(3, 5, 4, 9), (2, 4, 6, 7), (4, 4, 4, 8)]:
        x, table = draw(B, T, C), draw(L, C)
        for start in (0, 2, L - T):
            each = x.clone()
            for t in range(T):
                each[:, t] += table[start + t]
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
    trained(add_positions, lambda x, table, start: x + table[start : start + 3], x, table, 1)
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
