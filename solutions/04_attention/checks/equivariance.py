from helpers.checks import graded


@graded("equivariance", points=4)
def score(check):
    import torch

    says = {
        "invariant": "the output was not shuffled on the one side: that asks for invariance, not for equivariance",
        "input": "the input was shuffled on neither side: one side is the layer of x[order]",
        "inverse": "the output was put back by the inverse order; shuffle it by the same order as the input",
        "inverse_input": "the input was shuffled by the inverse order; use the same order on both sides",
        "layers": "the layer was applied twice",
        "norm": "a norm of all differences came; the largest is asked for",
        "twice": "input and output were both shuffled on one side",
        "signed": "the sign counts here: take absolute values before the maximum",
        "mean": "this is the mean of the differences; the largest is asked for",
        "sum": "this is the sum of the differences; the largest is asked for",
        "columns": "the columns were shuffled; the tokens are the rows",
        "table": "all differences came; the largest is asked for",
        "same": "both sides are the same thing here: shuffle the output on the one, the input on the other",
        "square": "the squared difference came",
        "bool": "a bool came; the difference itself is asked for",
        "reversed": "the sign counts here, and the sides are exchanged: take absolute values",
        "range": "the smallest difference was taken from the largest; the largest absolute one is asked for",
        "largest": "the largest entries of both sides were compared; take the differences entry by entry first",
        "each": "one number for each feature came; the largest of all is asked for",
        "no_square": "the numbers were not squared: each input is joined to each output",
        "per_token": "a dense layer joins all T * C numbers with all T * C: the square of the product",
        "added": "inputs and outputs were added; each is joined to each, which is the square of the product",
        "three": "W_O was left out: four matrices, not three",
        "grows": "the weights of attention do not grow with the length",
        "biased": "biases were counted: weights only",
        "order": "the two numbers are exchanged: the dense layer comes first",
    }

    def running(x):
        return torch.cumsum(x, 0)

    def lag(x):
        return x - torch.roll(x, 1, 0)

    x = torch.tensor([[1.0], [2.0], [3.0]])
    order = torch.tensor([2, 0, 1])
    check(equivariance_gap, running, x, order).equals(3.0, near={
        says["each"]: [3.0], says["invariant"]: 2.0, says["table"]: [[3.0], [3.0], [3.0]], says["same"]: 0.0,
        says["range"]: 6.0, says["largest"]: 0.0, says["bool"]: False, says["columns"]: IndexError,
    })
    x, order = torch.tensor([[4.0], [-1.0], [4.0], [-2.0]]), torch.tensor([1, 3, 2, 0])
    check(equivariance_gap, running, x, order).equals(8.0, rtol=1e-4, near={
        says["each"]: [8.0], says["invariant"]: 6.0, says["input"]: 2.0, says["inverse"]: 7.0, says["twice"]: 7.0,
        says["inverse_input"]: 5.0, says["mean"]: 4.75, says["sum"]: 19.0, says["square"]: 64.0,
        says["range"]: 9.0, says["largest"]: 2.0, says["reversed"]: 1.0,
        says["layers"]: 23.0, says["norm"]: 10.8167, says["table"]: [[4.0], [8.0], [6.0], [1.0]],
    })
    x, order = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1, 2, 3, 0])
    check(equivariance_gap, torch.exp, x, order).equals(0.0, atol=1e-6, near={
        says["bool"]: True, says["each"]: [0.0], says["invariant"]: 19.0855, says["input"]: 19.0855,
        says["table"]: [[0.0], [0.0], [0.0], [0.0]],
    })
    check(parameter_counts, 2, 3).equals((36, 36), near={
        says["per_token"]: (18, 36), says["added"]: (12, 36), says["three"]: (36, 27), says["grows"]: (36, 72),
        says["biased"]: (42, 48), says["no_square"]: (6, 12),
    })
    check(parameter_counts, 37, 1024).equals((1435500544, 4194304), near={
        says["per_token"]: (38797312, 4194304), says["three"]: (1435500544, 3145728),
        says["grows"]: (1435500544, 155189248), says["biased"]: (1435538432, 4198400),
        says["order"]: (4194304, 1435500544), says["added"]: (75776, 4194304),
        says["no_square"]: (37888, 4096),
    })
    ### BEGIN HIDDEN TESTS
    check.hidden()
    check.mistakes({
        says["invariant"]: lambda f, x, o: (f(x) - f(x[o])).abs().max(),
        says["input"]: lambda f, x, o: (f(x)[o] - f(x)).abs().max(),
        says["inverse"]: lambda f, x, o: (f(x)[o.argsort()] - f(x[o])).abs().max(),
        says["inverse_input"]: lambda f, x, o: (
            f(x)[o] - f(x[o.argsort()])
        ).abs().max(),
        says["twice"]: lambda f, x, o: (f(x) - f(x[o])[o]).abs().max(),
        says["signed"]: lambda f, x, o: (f(x)[o] - f(x[o])).max(),
        says["range"]: lambda f, x, o: (f(x)[o] - f(x[o])).max() - (f(x)[o] - f(x[o])).min(),
        says["largest"]: lambda f, x, o: (f(x)[o].max() - f(x[o]).max()).abs(),
        f"{says['largest']} (of absolute values)": lambda f, x, o: (f(x)[o].abs().max() - f(x[o]).abs().max()).abs(),
        "the means of both sides were compared; the largest difference of the entries is asked for": lambda f, x, o: (
            f(x)[o].mean() - f(x[o]).mean()
        ).abs(),
        says["reversed"]: lambda f, x, o: (
            f(x[o]) - f(x)[o]
        ).max(),
        says["mean"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs().mean(),
        says["sum"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs().sum(),
        says["columns"]: lambda f, x, o: (f(x)[:, o] - f(x[:, o])).abs().max(),
        says["table"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs(),
        says["same"]: lambda f, x, o: 0.0,
        says["square"]: lambda f, x, o: ((f(x)[o] - f(x[o])) ** 2).max(),
        says["layers"]: lambda f, x, o: (f(f(x))[o] - f(f(x[o]))).abs().max(),
        says["norm"]: lambda f, x, o: (f(x)[o] - f(x[o])).norm(),
        says["each"]: lambda f, x, o: (f(x)[o] - f(x[o])).abs().amax(0),
        "only the first token was compared; the largest difference of all is asked for": lambda f, x, o: (
            f(x)[o] - f(x[o])
        )[0].abs().max(),
        "the layer is missing on one side": lambda f, x, o: (x[o] - f(x[o])).abs().max(),
        says["bool"]: lambda f, x, o: bool(torch.allclose(f(x)[o], f(x[o]))),
    })

    def draw(*shape):
        return torch.tensor(check.rng.normal(size=shape), dtype=torch.float32)

    W = draw(4, 4), draw(4, 4), draw(4, 3)
    positions = draw(5, 4)

    def attend(x):
        q, k, v = (x @ w for w in W)
        return torch.softmax(q @ k.T / 2, -1) @ v

    def placed(x):
        return attend(x + positions)

    def wanted(f, x, o):
        one, other = f(x).double().numpy()[o.numpy()], f(x[o]).double().numpy()
        return float(abs(one - other).max())

    for T, C in [(5, 4), (5, 4), (5, 4)]:
        x, order = draw(T, C), torch.tensor([2, 3, 4, 1, 0])[torch.tensor(check.rng.permutation([0, 1, 2, 3, 4]))]
        order = order if not torch.equal(order, order.argsort()) else torch.tensor([2, 0, 3, 4, 1])
        for name, layer in [("a layer that keeps order", lag), ("attention with positions", placed)]:
            check(equivariance_gap, layer, x, order).equals(
                wanted(layer, x, order), about=name, rtol=1e-4, atol=1e-5
            )
        check(equivariance_gap, running, -x, order).equals(
            wanted(running, -x, order), about="running sums", rtol=1e-4, atol=1e-5
        )
        check(equivariance_gap, attend, x, order).equals(0.0, about="self-attention", atol=1e-5)
    for x, layer in [(draw(1, 4), attend), (draw(5, 1), lambda x: torch.softmax(x @ x.T, -1) @ running(x))]:
        order = torch.tensor([2, 0, 3, 4, 1])[: len(x)] if len(x) > 1 else torch.tensor([0])
        check(equivariance_gap, layer, x, order).equals(
            wanted(layer, x, order), about="one token, one feature", edge=True, rtol=1e-4, atol=1e-5
        )
    for size in (0.01, 1e-4):
        x, order = size * draw(5, 4), torch.tensor([2, 0, 3, 4, 1])
        check(equivariance_gap, running, x, order).equals(
            wanted(running, x, order), about="small numbers", rtol=1e-3, atol=1e-7
        )
    x, order = 40 * draw(80, 3).abs(), (torch.arange(80) + 1) % 80  # the largest gap is the last token's
    check(equivariance_gap, running, x, order).equals(
        wanted(running, x, order), about="a long text, large numbers", rtol=1e-4, atol=1e-2
    )
    check.mistakes({
        says["per_token"]: lambda T, C: (T * C * C, 4 * C * C),
        "tokens were counted without their numbers: (T * C) squared": lambda T, C: (T * T, 4 * C * C),
        says["added"]: lambda T, C: (2 * T * C, 4 * C * C),
        says["three"]: lambda T, C: ((T * C) ** 2, 3 * C * C),
        says["grows"]: lambda T, C: ((T * C) ** 2, 4 * T * C * C),
        "the weights of attention are its matrices, not its table of T by T": lambda T, C: ((T * C) ** 2, T * T),
        says["biased"]: lambda T, C: ((T * C) ** 2 + T * C, 4 * C * C + 4 * C),
        says["order"]: lambda T, C: (4 * C * C, (T * C) ** 2),
        says["no_square"]: lambda T, C: (T * C, 4 * C),
    })
    for T, C in [(70, 90), *check.rng.integers(3, 99, size=(3, 2)).tolist()]:
        check(parameter_counts, T, C).equals((sum([T * C] * (T * C)), 4 * C**2), about="other sizes")
    check(parameter_counts, 4096, 1024).equals((2**44, 2**22), about="counts beyond 32 bits")
    for T, C in [(1, 1), (1, 7), (7, 1)]:
        check(parameter_counts, T, C).equals(((T * C) ** 2, 4 * C**2), about="length 1, width 1", edge=True)
    ### END HIDDEN TESTS


score
