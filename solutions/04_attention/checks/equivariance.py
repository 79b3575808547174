from helpers.checks import graded


@graded("equivariance", points=2)
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
        "all differences came; the largest is asked for": lambda f, x, o: (f(x)[o] - f(x[o])).abs(),
        "both sides are the same thing here: shuffle the output on the one, the input on the other":
            lambda f, x, o: 0.0,
        "the squared difference came": lambda f, x, o: ((f(x)[o] - f(x[o])) ** 2).max(),
        "the layer was applied twice": lambda f, x, o: (f(f(x))[o] - f(f(x[o]))).abs().max(),
        "a norm of all differences came; the largest is asked for": lambda f, x, o: (f(x)[o] - f(x[o])).norm(),
        "one number for each feature came; the largest of all is asked for":
            lambda f, x, o: (f(x)[o] - f(x[o])).abs().amax(0),
        "only the first token was compared; the largest difference of all is asked for":
            lambda f, x, o: (f(x)[o] - f(x[o]))[0].abs().max(),
        "the layer is missing on one side": lambda f, x, o: (x[o] - f(x[o])).abs().max(),
        "a bool came; the difference itself is asked for": lambda f, x, o: bool(torch.allclose(f(x)[o], f(x[o]))),
    }, equivariance_gap)
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
    ### BEGIN HIDDEN TESTS
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
    ### END HIDDEN TESTS


score
