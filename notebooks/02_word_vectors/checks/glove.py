from helpers.checks import graded


@graded("glove", points=6)
def score(check):
    import torch
    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}
        "the weight is 1 at most": {
            1: [0.252982, 1.98818, 0.018803],
            2: [0.894427, 3.53553, 0.223607],
        },
        "the power is missing": {
            1: [0.16, 1.0, 0.005],
            2: [0.8, 1.0, 0.05],
        },
        "below x_max the weight rises, from there on it is 1: here the two (or min and max) are exchanged": {
            1: [1.0, 1.98818, 1.0],
            2: [1.0, 3.53553, 1.0],
        },
        "the usual x_max is 100, as in the stub": {
            1: [1.0, 1.0, 0.105737],
        },
        "from x_max on the weight is 1, not 0": {
            1: [0.252982, 0.0, 0.018803],
            2: [0.894427, 0.0, 0.223607],
        },
        "the power is of the whole share: (x / x_max) in brackets": {
            1: [0.505964, 1.0, 0.0158114],
            2: [3.57771, 1.0, 0.223607],
        },
        "the power is of the whole share: (x / x_max) in brackets, then at most 1": {
            1: [0.505964, 1.0, 0.0158114],
            2: [1.0, 1.0, 0.223607],
        },
        "the count is divided by x_max before the power": {
            1: [0.08, 0.628717, 0.00594604],
            2: [0.2, 0.790569, 0.05],
        },
        "the count is divided by x_max before the power, also in the minimum": {
            1: [0.08, 0.316228, 0.00594604],
            2: [0.2, 0.223607, 0.05],
        },
        "the count is divided by x_max before the power, also below x_max": {
            1: [0.08, 1.0, 0.00594604],
            2: [0.2, 1.0, 0.05],
        },
        "counts may be fractions: those below 1 were raised to 1": {
            1: [0.252982, 1.0, 0.0316228],
        },
        "divide by x_max, not by the largest count": {
            1: [0.127243, 1.0, 0.00945742],
            2: [0.252982, 1.0, 0.0632456],
        },
        "x_max and alpha are arguments: do not write their usual values": {
            2: [0.252982, 1.0, 0.0316228],
        },
        "x_max is an argument: do not write 100": {
            2: [0.4, 1.0, 0.1],
        },
        "alpha is an argument: do not write 0.75": {
            2: [0.845897, 1.0, 0.105737],
        },
        "the error is squared": {
            3: 4.60517,
            4: 2.95778,
            5: 9.21034,
        },
        "the error is squared; here it kept its sign": {
            3: -4.60517,
            4: -2.08514,
            5: -9.21034,
        },
        "the logarithm is missing: dot products fit ln X": {
            3: 10000.0,
            4: 61047.0,
            5: 20000.0,
        },
        "the logarithm is natural, not of base 10": {
            3: 4.0,
            4: 2.75333,
            5: 8.0,
        },
        "the logarithm is natural, not of base 2": {
            3: 44.1408,
            4: 24.8761,
            5: 88.2817,
        },
        "1 was added to the counts before the logarithm": {
            3: 21.2993,
            4: 6.91023,
            5: 42.5987,
        },
        "there is one value for each cell; their sum is asked for": {
            3: [21.2076],
            4: [0.241682, 6.35777, 0.399608],
            5: [21.2076, 21.2076],
        },
        "this is half of the sum: there is no 1/2": {
            3: 10.6038,
            4: 3.49953,
            5: 21.2076,
        },
        "the weight f is missing": {
            4: 11.7808,
        },
        "the biases are missing": {
            4: 12.4271,
        },
        "the input's bias is missing": {
            4: 2.60542,
        },
        "the output's bias is missing": {
            4: 20.5786,
        },
        "look the biases up by rows and columns: here all were added": {
            4: 4.29361,
        },
        "the sum is not divided by the sum of the weights": {
            4: 5.21374,
            5: 21.2076,
        },
        "each row meets its own column only: here all rows met all columns": {
            4: 34.3438,
            5: 84.8304,
        },
        "the log count is subtracted, not added": {
            4: 85.5137,
        },
        "the sum over the cells is asked for, not the mean": {
            4: 2.33302,
            5: 21.2076,
        },
        "inputs and outputs are exchanged: rows belong to inputs": {
            4: 2.71458,
        },
        "rows and columns are exchanged": {
            4: 3.55076,
        },
        "the two biases are exchanged": {
            4: 8.46173,
        },
        "the output's bias is that of the column: here it was looked up by the row": {
            4: 20.5269,
        },
        "the input's bias is that of the row: here it was looked up by the column": {
            4: 1.51208,
        },
        "only one table was used: the context has vectors of its own": {
            4: 21.8781,
        },
        "the weight belongs outside the square: f was squared, too": {
            4: 6.45465,
        },
        "a cell that is listed twice counts twice: here the counts were written into a table": {
            5: 21.2076,
        },
    })
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


score
