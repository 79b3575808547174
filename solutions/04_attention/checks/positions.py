from helpers.checks import graded


@graded("positions", points=7)
def score(check):
    import torch

    columns = "the columns were shuffled; the tokens are the rows"

    ### BEGIN MISTAKES
    largest = "the largest entries of both sides were compared; take the differences entry by entry first"

    check.mistakes({
        "the output was not shuffled on the one side: that asks for invariance, not for equivariance":
            lambda f, x, o: (f(x) - f(x[o])).abs().max(),
        "the input was shuffled on neither side: one side is the layer of x[order]":
            lambda f, x, o: (f(x)[o] - f(x)).abs().max(),
        "the output was put back by the inverse order; shuffle it by the same order as the input":
            lambda f, x, o: (f(x)[o.argsort()] - f(x[o])).abs().max(),
        "the input was shuffled by the inverse order; use the same order on both sides":
            lambda f, x, o: (f(x)[o] - f(x[o.argsort()])).abs().max(),
        "input and output were both shuffled on one side": lambda f, x, o: (f(x) - f(x[o])[o]).abs().max(),
        "the sign counts here: take absolute values before the maximum": lambda f, x, o: (f(x)[o] - f(x[o])).max(),
        "the smallest difference was taken from the largest; the largest absolute one is asked for":
            lambda f, x, o: (f(x)[o] - f(x[o])).max() - (f(x)[o] - f(x[o])).min(),
        largest: lambda f, x, o: (f(x)[o].max() - f(x[o]).max()).abs(),
        f"{largest} (of absolute values)": lambda f, x, o: (f(x)[o].abs().max() - f(x[o]).abs().max()).abs(),
        "the means of both sides were compared; the largest difference of the entries is asked for":
            lambda f, x, o: (f(x)[o].mean() - f(x[o]).mean()).abs(),
        "the sign counts here, and the sides are exchanged: take absolute values":
            lambda f, x, o: (f(x[o]) - f(x)[o]).max(),
        "this is the mean of the differences; the largest is asked for":
            lambda f, x, o: (f(x)[o] - f(x[o])).abs().mean(),
        "this is the sum of the differences; the largest is asked for": lambda f, x, o: (f(x)[o] - f(x[o])).abs().sum(),
        columns: lambda f, x, o: (f(x)[:, o] - f(x[:, o])).abs().max(),
        "these are all differences; the largest is asked for": lambda f, x, o: (f(x)[o] - f(x[o])).abs(),
        "both sides are the same thing here: shuffle the output on the one, the input on the other":
            lambda f, x, o: 0.0,
        "this is the squared difference": lambda f, x, o: ((f(x)[o] - f(x[o])) ** 2).max(),
        "the layer was applied twice": lambda f, x, o: (f(f(x))[o] - f(f(x[o]))).abs().max(),
        "this is a norm of all differences; the largest is asked for": lambda f, x, o: (f(x)[o] - f(x[o])).norm(),
        "there is one number for each feature; the largest of all is asked for":
            lambda f, x, o: (f(x)[o] - f(x[o])).abs().amax(0),
        "only the first token was compared; the largest difference of all is asked for":
            lambda f, x, o: (f(x)[o] - f(x[o]))[0].abs().max(),
        "the layer is missing on one side": lambda f, x, o: (x[o] - f(x[o])).abs().max(),
        "this is a bool; the difference itself is asked for": lambda f, x, o: bool(torch.allclose(f(x)[o], f(x[o]))),
    }, equivariance_gap)

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
        "all sines come first here, then all cosines; they must alternate":
            made(lambda a: torch.cat([a.sin(), a.cos()], -1)),
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
        "T was read from another axis; the tokens are on axis 1": lambda x, t, start=0: x + t[start:][: x.shape[2]],
        "the positions were added twice": lambda x, t, start=0: x + 2 * rows(x, t, start),
        "`start` was ignored: the first token is at position `start`": lambda x, t, start=0: x + rows(x, t),
        "the positions alone came back: add them to the tokens": lambda x, t, start=0: rows(x, t, start).expand_as(x),
        "the tokens came back without positions": lambda x, t, start=0: x,
        "the row belongs to the token, not to its sequence in the batch":
            lambda x, t, start=0: x + t[start : start + x.shape[0], None],
        "the positions were multiplied; they are added": lambda x, t, start=0: x * rows(x, t, start),
        "the positions were put beside the tokens; they are added, not put beside":
            lambda x, t, start=0: torch.cat([x, rows(x, t, start).expand_as(x)], -1),
        "all tokens got the row of `start`; each gets its own": lambda x, t, start=0: x + t[start],
        "the first token is one position too far": lambda x, t, start=0: x + rows(x, t, start + 1),
        "the tokens were multiplied by the root of the width":
            lambda x, t, start=0: x * x.shape[-1] ** 0.5 + rows(x, t, start),
        "the last rows of the table were taken; the first token is at `start`":
            lambda x, t, start=0: x + t[-x.shape[1] :],
    }
    check.mistakes(known, add_positions)
    ### END MISTAKES
    def running(x):
        return torch.cumsum(x, 0)

    def lag(x):
        return x - torch.roll(x, 1, 0)

    x = torch.tensor([[1.0], [2.0], [3.0]])
    order = torch.tensor([2, 0, 1])
    check(equivariance_gap, running, x, order).equals(3.0, near={columns: IndexError})
    x, order = torch.tensor([[4.0, 0.0], [-1.0, 1.0], [4.0, 2.0], [-2.0, 0.0]]), torch.tensor([2, 0, 1, 3])
    check(equivariance_gap, running, x, order).equals(
        4.0, rtol=1e-4, near={"the differences of a token's features were added up: take them one by one": 6.0}
    )
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6)
    from helpers.checks.gradients import cut

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
    whole = check(add_positions, x, table).equals([[[1.0, 1.0], [0.5, 5.5]], [[2.0, 2.0], [3.5, -0.5]]])
    check(add_positions, x, table, start=1).equals([[[1.5, 0.5], [0.9, 4.6]], [[2.5, 1.5], [3.9, -1.4]]])
    check(slopes, add_positions, x[:1], table).equals(
        [[[[2.0, 2.0], [1.0, 11.0]]], [[2.0, 2.0], [1.0, 11.0], [0.0, 0.0]]], about="gradients of the squares",
        near=cut(whole),
    )
    ### BEGIN HIDDEN TESTS
    from functools import partial

    from helpers.checks import gradients

    check.hidden()
    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    W = draw(4, 4), draw(4, 4), draw(4, 3)
    positions = draw(5, 4)

    def attend(x):
        q, k, v = (x @ w for w in W)
        return torch.softmax(q @ k.T / 2, -1) @ v

    def placed(x):
        return attend(x + positions)

    def gap_wanted(f, x, o):
        one, other = f(x).double().numpy()[o.numpy()], f(x[o]).double().numpy()
        return float(abs(one - other).max())

    for T, C in [(5, 4), (5, 4), (5, 4)]:
        x, order = draw(T, C), torch.tensor([2, 3, 4, 1, 0])[torch.tensor(check.rng.permutation([0, 1, 2, 3, 4]))]
        order = order if not torch.equal(order, order.argsort()) else torch.tensor([2, 0, 3, 4, 1])
        for name, layer in [("a layer that keeps order", lag), ("attention with positions", placed)]:
            check(equivariance_gap, layer, x, order).equals(
                gap_wanted(layer, x, order), about=name, rtol=1e-4, atol=1e-5
            )
        check(equivariance_gap, running, -x, order).equals(
            gap_wanted(running, -x, order), about="running sums", rtol=1e-4, atol=1e-5
        )
        check(equivariance_gap, attend, x, order).equals(0.0, about="self-attention", atol=1e-5)
    for x, layer in [(draw(1, 4), attend), (draw(5, 1), lambda x: torch.softmax(x @ x.T, -1) @ running(x))]:
        order = torch.tensor([2, 0, 3, 4, 1])[: len(x)] if len(x) > 1 else torch.tensor([0])
        check(equivariance_gap, layer, x, order).equals(
            gap_wanted(layer, x, order), about="one token, one feature", edge=True, rtol=1e-4, atol=1e-5
        )
    for size in (0.01, 1e-4):
        x, order = size * draw(5, 4), torch.tensor([2, 0, 3, 4, 1])
        check(equivariance_gap, running, x, order).equals(
            gap_wanted(running, x, order), about="small numbers", rtol=1e-3, atol=1e-7
        )
    x, order = 40 * draw(80, 3).abs(), (torch.arange(80) + 1) % 80  # the largest gap is the last token's
    check(equivariance_gap, running, x, order).equals(
        gap_wanted(running, x, order), about="a long text, large numbers", rtol=1e-4, atol=1e-2
    )

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
