from helpers.checks import graded


@graded("glove", points=6)
def score(check):
    import torch
    ### BEGIN MISTAKES
    apart = "the power is of the whole share: (x / x_max) in brackets"
    at_most, base = apart + ", then at most 1", "the logarithm is natural, not of base 10"
    before = "the count is divided by x_max before the power"
    check.mistakes({
        "the weight is 1 at most": lambda x, x_max=100.0, alpha=0.75: (x / x_max) ** alpha,
        "the power is missing": lambda x, x_max=100.0, alpha=0.75: (x / x_max).clamp(max=1),
        "x_max and alpha are arguments: do not write their usual values": lambda x, x_max=100.0, alpha=0.75: (
            (x / 100) ** 0.75).clamp(max=1),
        "x_max is an argument: do not write 100": lambda x, x_max=100.0, alpha=0.75: ((x / 100) ** alpha).clamp(max=1),
        "alpha is an argument: do not write 0.75":
            lambda x, x_max=100.0, alpha=0.75: ((x / x_max) ** 0.75).clamp(max=1),
        "below x_max the weight rises, from there on it is 1: here the two (or min and max) are exchanged":
            lambda x, x_max=100.0, alpha=0.75: torch.where(x < x_max, 1.0, (x / x_max) ** alpha),
        "the usual x_max is 100, as in the stub": lambda x, x_max=10.0, alpha=0.75: ((x / x_max) ** alpha).clamp(max=1),
        "from x_max on the weight is 1, not 0": lambda x, x_max=100.0, alpha=0.75: torch.where(
            x < x_max, (x / x_max) ** alpha, 0.0),
        apart: lambda x, x_max=100.0, alpha=0.75: torch.where(x < x_max, x / x_max**alpha, 1.0),
        at_most: lambda x, x_max=100.0, alpha=0.75: (x / x_max**alpha).clamp(max=1),
        before: lambda x, x_max=100.0, alpha=0.75: (x**alpha / x_max).clamp(max=1),
        before + ", also in the minimum": lambda x, x_max=100.0, alpha=0.75: x.clamp(max=x_max) ** alpha / x_max,
        before + ", also below x_max": lambda x, x_max=100.0, alpha=0.75: torch.where(
            x < x_max, x**alpha / x_max, 1.0),
        "counts may be fractions: those below 1 were raised to 1": lambda x, x_max=100.0, alpha=0.75: (
            (x.clamp(min=1) / x_max) ** alpha).clamp(max=1),
        "divide by x_max, not by the largest count": lambda x, x_max=100.0, alpha=0.75: (x / x.max()) ** alpha,
    }, glove_weight)

    def loss(v, u, b, c, rows, columns, x, weight=True, bias=(1, 1), power=2, target=torch.log, pool=torch.sum, flip=1):
        """Over the whole table, then the cells: another way."""
        table = v.double() @ u.double().T + bias[0] * b.double()[:, None] + bias[1] * c.double()
        f = torch.minimum(torch.ones(()), (x.double() / 100) ** 0.75) if weight else 1.0
        return pool(f * (table[rows, columns] - flip * target(x.double())).abs() ** power)

    def in_table(v, u, b, c, rows, columns, x):
        """The counts are written into a table: of two in one cell the last stays."""
        cells = {(i, j): place for place, (i, j) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True))}
        last = torch.tensor(list(cells.values()))
        return loss(v, u, b, c, rows[last], columns[last], x[last])

    check.mistakes({
        "a cell that is listed twice counts twice: here the counts were written into a table": in_table,
        "the weight f is missing": lambda *a: loss(*a, weight=False),
        "the biases are missing": lambda *a: loss(*a, bias=(0, 0)),
        "the input's bias is missing": lambda *a: loss(*a, bias=(0, 1)),
        "the output's bias is missing": lambda *a: loss(*a, bias=(1, 0)),
        "the error is squared": lambda *a: loss(*a, power=1),
        "the error is squared; here it kept its sign": lambda v, u, b, c, i, j, x: (
            (x / 100).pow(0.75).clamp(max=1) * ((v[i] * u[j]).sum(1) + b[i] + c[j] - x.log())).sum(),
        "look the biases up by rows and columns: here all were added": lambda v, u, b, c, *a: loss(
            v, u, b.sum() + 0 * b, c.sum() + 0 * c, *a),
        "the sum is not divided by the sum of the weights": lambda *a: loss(*a) / (
            a[-1] / 100).pow(0.75).clamp(max=1).sum(),
        "each row meets its own column only: here all rows met all columns": lambda v, u, b, c, i, j, x: (
            (x / 100).pow(0.75).clamp(max=1) * (v[i] @ u[j].T + b[i] + c[j] - x.log()) ** 2).sum(),
        "the logarithm is missing: dot products fit ln X": lambda *a: loss(*a, target=lambda x: x),
        base: lambda *a: loss(*a, target=torch.log10),
        "the logarithm is natural, not of base 2": lambda *a: loss(*a, target=torch.log2),
        "1 was added to the counts before the logarithm": lambda *a: loss(*a, target=torch.log1p),
        "counts may be fractions, and their logarithms are below 0: here those became 0": lambda *a: loss(
            *a, target=lambda x: x.log().clamp(min=0)),
        "the log count is subtracted, not added": lambda *a: loss(*a, flip=-1),
        "the sum over the cells is asked for, not the mean": lambda *a: loss(*a, pool=torch.mean),
        "there is one value for each cell; their sum is asked for": lambda *a: loss(*a, pool=lambda x: x),
        "this is half of the sum: there is no 1/2": lambda *a: loss(*a) / 2,
        "inputs and outputs are exchanged: rows belong to inputs": lambda v, u, *a: loss(u, v, *a),
        "rows and columns are exchanged": lambda v, u, b, c, i, j, x: loss(v, u, b, c, j, i, x),
        "the two biases are exchanged": lambda v, u, b, c, *a: loss(v, u, c, b, *a),
        "the output's bias is that of the column: here it was looked up by the row": lambda v, u, b, c, i, j, x: (
            torch.minimum(torch.ones(()), (x.double() / 100) ** 0.75)
            * ((v[i] * u[j]).sum(1) + b[i] + c[i] - torch.log(x)) ** 2).sum(),
        "the input's bias is that of the row: here it was looked up by the column": lambda v, u, b, c, i, j, x: (
            torch.minimum(torch.ones(()), (x.double() / 100) ** 0.75)
            * ((v[i] * u[j]).sum(1) + b[j] + c[j] - torch.log(x)) ** 2).sum(),
        "only one table was used: the context has vectors of its own": lambda v, u, *a: loss(v, v, *a),
        "the weight belongs outside the square: f was squared, too": lambda v, u, b, c, i, j, x: (
            torch.minimum(torch.ones(()), (x.double() / 100) ** 0.75) ** 2
            * ((v[i] * u[j]).sum(1) + b[i] + c[j] - torch.log(x)) ** 2).sum(),
    }, glove_loss)
    ### END MISTAKES
    check(glove_weight, torch.tensor([16.0, 250, 0.5])).equals(
        [0.2529822, 1, 0.0188030],
        near={
        "the weight is at most 1: here x_max itself came out": [0.2529822, 100, 0.0188030],
    },
    )
    counts = torch.tensor([16.0, 250.0, 1.0])
    check(glove_weight, counts, 20.0, 0.5).equals(
        [0.8944272, 1, 0.2236068]
    )
    zero = torch.zeros(2, 3), torch.zeros(2, 3), torch.zeros(2), torch.zeros(2)
    cell = torch.tensor([0]), torch.tensor([1])
    check(glove_loss, *zero, *cell, torch.tensor([100.0])).equals(
        21.2075909
    )
    tables = torch.tensor([[1.0, 0], [0, 2]]), torch.tensor([[1.0, 1], [3, 0]])
    three = torch.tensor([0, 1, 0]), torch.tensor([1, 0, 0])
    biases = torch.tensor([0.5, -1]), torch.tensor([2, 0.25])
    check(glove_loss, *tables, *biases, *three, torch.tensor([16.0, 250, 4])).equals(
        6.9990554, rtol=1e-4,
        near={"the weight is 1 at most": 13.2816526},
    )
    check(glove_loss, *zero, torch.tensor([0, 0]), torch.tensor([1, 1]), torch.tensor([100.0, 100.0])).equals(
        42.4151818, about="a cell that is listed twice", near={"a cell that is listed twice counts twice": 21.2075909}
    )
    check(gradients, glove_loss, *tables, *biases, *three, torch.tensor([16.0, 250, 4]), fixed=(6,)).equals(
        (6.9991, [[1.8617, 0.3781], [-5.0429, -5.0429]], [[0.3781, -10.0858], [0.4945, 0]], [0.8726, -5.0429],
         [-4.6648, 0.4945]), about="loss and gradients", rtol=1e-3, atol=1e-4,
        near={"the graph is cut: no .item(), .detach(), .numpy() or float() on the way": RuntimeError},
    )
    ### BEGIN HIDDEN TESTS
    check.hidden()
    generator = torch.Generator().manual_seed(int(check.rng.integers(1 << 30)))
    for more in ({}, {"x_max": 20.0, "alpha": 0.5}, {"x_max": 50.0, "alpha": 1.5}):
        x = torch.rand(9, generator=generator) * 80 + 0.5
        x[2], x[5], x[6] = 300.0, 0.25, 700.0
        x_max, alpha = more.get("x_max", 100.0), more.get("alpha", 0.75)
        oracle = [1.0 if n >= x_max else (n / x_max) ** alpha for n in x.double().tolist()]
        check(glove_weight, x, **more).equals(oracle, about="other constants" if more else "random counts", rtol=1e-4)
    for size, width, cells in [(5, 3, 7), (6, 4, 9), (4, 5, 6)]:
        v, u = torch.randn(2, size, width, generator=generator)
        b, c = torch.randn(2, size, generator=generator)
        rows, columns = torch.randint(size, (2, cells), generator=generator)
        rows[0], columns[0] = rows[2], columns[2] = 0, 1
        x = torch.rand(cells, generator=generator) * 60 + 0.5
        x[1] = 40_000.0
        args = (v, u, b, c, rows, columns, x)
        value = check(glove_loss, *args).equals(loss(*args), about="random cells", rtol=1e-4)
    args = (v, u, b, c, rows, columns, 0.1 + 0.8 * torch.rand(cells, generator=generator))
    check(glove_loss, *args).equals(loss(*args), about="counts below 1", rtol=1e-4, atol=1e-6)
    uncut = {"the graph is cut: return a tensor, not a Python number": AttributeError}
    if value.passed:
        uncut["the graph is cut: no .item(), .detach(), .numpy() or float() on the way"] = RuntimeError
    leaves = [t.clone().requires_grad_() for t in (v, u, b, c)]
    value = loss(*leaves, rows, columns, x)
    want = (value.detach(), *torch.autograd.grad(value, leaves))
    check.mistakes({}, gradients, glove_weight)
    check(gradients, glove_loss, v, u, b, c, rows, columns, x, fixed=(6,)).equals(
        want, about="its gradient", rtol=1e-3, atol=1e-4, near=uncut
    )
    x = torch.cat([80 * torch.rand(70, generator=generator, dtype=torch.float64) + 0.1, torch.tensor([100.0, 4e4])])
    oracle = [1.0 if n >= 0.03 else (n / 0.03) ** 0.02 for n in (x / 3000).tolist()]
    exact = {"rtol": 1e-10, "atol": 1e-13}
    check(glove_weight, x / 3000, 0.03, 0.02).equals(oracle, about="many counts in float64", edge=True, **exact)
    check(glove_weight, torch.tensor([[25.0]])).equals([[0.3535534]], about="one count", edge=True, rtol=1e-4)
    for V, d, n in [(70, 3, 70), (5, 1, 1), (1, 3, 2)]:
        leaves = [40 * torch.randn(V, *more, generator=generator, dtype=torch.float64) for more in ((d,), (d,), (), ())]
        rows, columns = torch.randint(V, (2, n), generator=generator)
        rows[0], columns[0] = V - 1, V - 1
        leaves = [t.requires_grad_() for t in leaves]
        value = loss(*leaves, rows, columns, x[:n])
        want = (value.detach(), *torch.autograd.grad(value, leaves))
        given = (*[t.detach() for t in leaves], rows, columns, x[:n])
        check(gradients, glove_loss, *given, fixed=(6,)).equals(
            want, about="other sizes, in float64", edge=True, **exact
        )
    ### END HIDDEN TESTS


score
